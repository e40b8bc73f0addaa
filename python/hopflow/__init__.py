"""Simulates, compares, sizes and explains network flow control.

A scenario is a TOML text that names hosts, switches, links and flows. `load` reads one from a
file, `loads` from a text, and `run` returns its `Result`.

Examples
--------
>>> import hopflow
>>> result = hopflow.run(hopflow.template())
>>> result.digest
'2b07e075d8bf93cb'
>>> result.flows.columns[:3]
['vc', 'created_packets', 'sent_packets']

Input quantities are texts with a unit, such as ``"1 ms"`` or ``"10 Gb/s"``. The names of numbers in
results end in the unit: ``_ps`` (picoseconds), ``_bps`` (bits per second), ``_packets``,
``_share`` (0 to 1).
"""

import importlib
from typing import TYPE_CHECKING, Any

from hopflow import experimental
from hopflow._hopflow import CONTRACT_VERSION, __version__
from hopflow.answers import compare, diff, reproduce, size
from hopflow.bundles import bundle, check_bundle
from hopflow.errors import (
    Diagnostic,
    HopflowError,
    InputError,
    InternalError,
    MachineError,
    MissingFileError,
    MissingPackageError,
    Place,
    RunError,
    ScenarioError,
    ScenarioWarning,
)
from hopflow.networks import Network
from hopflow.queries import query
from hopflow.results import Result, Sentence, Sentences
from hopflow.runs import run
from hopflow.scenarios import Scenario, load, loads, template
from hopflow.sweeps import sweep
from hopflow.tables import Table

if TYPE_CHECKING:
    from hopflow import plot

__all__ = [
    "CONTRACT_VERSION",
    "Diagnostic",
    "HopflowError",
    "InputError",
    "InternalError",
    "MachineError",
    "MissingFileError",
    "MissingPackageError",
    "Network",
    "Place",
    "Result",
    "RunError",
    "Scenario",
    "ScenarioError",
    "ScenarioWarning",
    "Sentence",
    "Sentences",
    "Table",
    "__version__",
    "bundle",
    "check_bundle",
    "compare",
    "diff",
    "experimental",
    "load",
    "loads",
    "plot",
    "query",
    "reproduce",
    "run",
    "size",
    "sweep",
    "template",
]


def __getattr__(name: str) -> Any:
    """`plot` is imported on first use, so a program that plots nothing starts faster."""
    if name == "plot":
        return importlib.import_module("hopflow.plot")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    # Completion shows what users call, not what this file imports.
    return sorted(__all__)
