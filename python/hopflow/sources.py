"""What the code of an algorithm is, for the keys of stored runs.

The digest of a class covers, as they were when the class was registered:

* its own source, and that of its bases outside of Python's library;
* the whole files of the modules in which these are;
* the files of all modules that these import, directly or through others, at their top or inside a
  function, as far as they are below the same folder: that of the outermost package, or of the
  module. Of an installed package only its own modules count;
* the part of hopflow that calls it.

A file that changes after that is another source when the class is registered again, as in the next
process: so the digest is that of the code that runs.

A class of a notebook is in no file: its own source counts, and that of its bases. Not covered:
functions of other cells, modules that are imported by a computed name, files of data, packages that
are installed.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from hopflow.errors import InputError

# The attribute in which a class keeps what its sources were when it was registered.
_KEY = "__hopflow_source__"


def note(cls: type) -> None:
    """Notes the sources of a class that is registered."""
    digest = hashlib.sha256()
    for one in _classes(cls):
        try:
            text = inspect.getsource(one)
        except (OSError, TypeError):
            # Without a file, its source does not change: it is read when it is needed.
            continue
        digest.update(f"{one.__qualname__}\n{text}\n".encode())
    for name, content in sorted(_files(cls).items()):
        digest.update(f"{name}\n{len(content)}\n".encode() + content)
    setattr(cls, _KEY, digest.hexdigest()[:32])


def source(cls: type) -> str:
    """A digest of the sources of a class."""
    digest = hashlib.sha256(str(vars(cls).get(_KEY)).encode())
    for one in _classes(cls):
        if _file(one.__module__) is None:
            digest.update(f"{one.__name__}\n{_text(one)}\n".encode())
    return digest.hexdigest()[:32]


def _classes(cls: type) -> Iterator[type]:
    """The class, and its bases outside of Python's library."""
    for one in cls.__mro__:
        if one is cls or one.__module__ not in sys.stdlib_module_names:
            yield one


def _text(cls: type) -> str:
    """The source of a class; for one of a notebook, that of its functions and its plain values."""
    try:
        return inspect.getsource(cls)
    except (OSError, TypeError):
        pass
    parts = []
    for name, value in sorted(vars(cls).items()):
        if inspect.isfunction(value):
            try:
                parts.append(f"{name}\n{inspect.getsource(value)}")
            except (OSError, TypeError) as lacks:
                raise InputError(
                    f"{cls!r} has no source, so runs of it cannot be distinguished from others and "
                    "are not stored: write it into a file or a notebook"
                ) from lacks
        elif not name.startswith("__"):
            parts.append(f"{name} = {value!r}")
    return "\n".join(parts)


def _file(module: str) -> Path | None:
    """The file of a module that is loaded; `None`: it has none."""
    name = getattr(sys.modules.get(module), "__file__", None)
    path = Path(name).resolve() if name else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None


def _files(cls: type) -> dict[str, bytes]:
    """The files of a class, by their names below the folder that they share."""
    found = {"hopflow.experimental": Path(__file__).with_name("experimental.py").read_bytes()}
    for one in _classes(cls):
        path, module = _file(one.__module__), one.__module__
        if path is None or module.partition(".")[0] == "hopflow":
            continue
        parts = [] if module == "__main__" else module.split(".")
        depth = max(0, len(parts) - (path.name != "__init__.py"))
        root = path.parents[min(depth, len(path.parents) - 1)]
        _follow(path, root, _own(root, parts, path), found)
    return found


def _own(root: Path, parts: list[str], path: Path) -> str | None:
    """The only package to follow, where the folder has those of others."""
    places = [Path(sysconfig.get_path(one)).resolve() for one in ("purelib", "platlib", "stdlib")]
    is_shared = root in places or root.name in ("site-packages", "dist-packages")
    return (parts[0] if parts else path.stem) if is_shared else None


def _follow(path: Path, root: Path, only: str | None, found: dict[str, bytes]) -> None:
    """Adds a file, and those below `root` that it imports."""
    left = [path]
    while left:
        path = left.pop()
        name = path.relative_to(root).as_posix()
        if name in found:
            continue
        found[name] = path.read_bytes()
        try:
            tree = ast.parse(found[name])
        except (SyntaxError, ValueError):
            continue
        for module in _imported(tree, path.relative_to(root).parent.parts):
            if only is None or module[0] == only:
                left.extend(_modules(root, module))


def _imported(tree: ast.AST, package: tuple[str, ...]) -> Iterator[list[str]]:
    """The modules that a file imports, and names that may be modules, each as its parts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) + 1 - node.level]) if node.level else []
            base += node.module.split(".") if node.module else []
            if base:
                yield base
            yield from ([*base, alias.name] for alias in node.names)


def _modules(root: Path, parts: list[str]) -> Iterator[Path]:
    """The files that an import of a module loads, as far as they are below `root`."""
    for end in range(1, len(parts) + 1):
        place = root.joinpath(*parts[:end])
        for path in (place / "__init__.py", place.with_suffix(".py")):
            if path.is_file():
                yield path.resolve() if path.resolve().is_relative_to(root) else path
