"""Packages that hopflow uses where they are installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hopflow.errors import MissingPackageError


def package(name: str, install: str) -> Any:
    """Imports an optional package, which `pip install` finds by the name `install`."""
    try:
        return import_module(name)
    except ImportError as lacks:
        raise MissingPackageError(
            f"this needs {name}: pip install {install}", name=name
        ) from lacks
