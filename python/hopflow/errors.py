"""The exceptions of hopflow.

=====================  ===========================================================
`ScenarioError`        the scenario is wrong; it lists every mistake with its place
`InputError`           an argument is wrong
`MissingFileError`     a file or directory that is named does not exist
`RunError`             the run cannot be made with what was asked for
`MachineError`         an algorithm of your own gave an answer that is not allowed
`MissingPackageError`  an optional package is not installed; the message says how to
`InternalError`        a bug in hopflow; the message says how to report it
`ScenarioWarning`      the scenario can be run, but is probably not as intended
=====================  ===========================================================

All exceptions are `HopflowError`. A `MissingFileError` is also a `FileNotFoundError`, and what it
is where a file exists and is wrong: a `ScenarioError` or an `InputError`. All exceptions can be
pickled, so worker processes return them unchanged.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hopflow import _hopflow


class HopflowError(Exception):
    """The base of all exceptions of hopflow."""


class InputError(HopflowError, ValueError):
    """An argument is wrong.

    Examples
    --------
    >>> import hopflow
    >>> hopflow.run(hopflow.template("chain"), until=1.0)
    Traceback (most recent call last):
    ...
    hopflow.errors.InputError: until=1.0 has no unit: write a text such as until="1 ms"
    """


class RunError(HopflowError):
    """The run cannot be made with what was asked for.

    Examples
    --------
    >>> import hopflow
    >>> hopflow.run(hopflow.template("chain"), until="1 ms")
    Traceback (most recent call last):
    ...
    hopflow.errors.RunError: a warm-up of 20 ms leaves nothing of a run of 1 ms: give a shorter ...
    """


class MachineError(RunError):
    """An algorithm of your own gave an answer that is not allowed; see `hopflow.experimental`.

    Attributes
    ----------
    role : str
        ``"scheduler"`` or ``"source"``.
    machine : str
        The name under which it is registered.
    place : str
        Where it ran: a port such as ``"A->S"``, or a flow.
    now_ps : int
        The last instant that was passed to it.
    """

    def __init__(self, message: str, role: str, machine: str, place: str, now_ps: int) -> None:
        super().__init__(message, role, machine, place, now_ps)
        self.role = role
        self.machine = machine
        self.place = place
        self.now_ps = now_ps

    def __str__(self) -> str:
        return str(self.args[0])


class MissingPackageError(HopflowError, ImportError):
    """An optional package is not installed, such as matplotlib for `hopflow.plot`.

    The message says how to install it; ``.name`` is the package.
    """


class InternalError(HopflowError):
    """A bug in hopflow, not a mistake of the caller. The message says how to report it."""


class ScenarioWarning(UserWarning):
    """A scenario can be run, but is probably not as intended."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the text of a scenario, or in a setting.

    Attributes
    ----------
    span : tuple of int
        The first character and the one after the last, counted from 0.
    line, column : int
        Of the first character, counted from 1; columns count characters.
    text : str
        A description of what is there; may be empty.
    """

    span: tuple[int, int]
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake, or one setting that is probably not intended.

    Attributes
    ----------
    code : str
        The kind of mistake, such as ``"HF0050"``: ``hopflow explain HF0050`` explains it.
    severity : str
        ``"error"`` or ``"warning"``.
    message : str
        The mistake, with the values.
    path : str or None
        The file that the places are in, as it was given; `None` if they are in a setting.
    setting : str or None
        The setting that the places are in.
    hint : str or None
        How to correct it.
    places : tuple of Place
        The places; the first is the one to correct.

    Examples
    --------
    >>> import hopflow
    >>> try:
    ...     hopflow.loads('version = 2\\nduraton = "1 ms"', "typo.toml")
    ... except hopflow.ScenarioError as wrong:
    ...     last = wrong.diagnostics[-1]
    >>> last.code, last.path, last.span, last.hint
    ('HF0003', 'typo.toml', (12, 19), 'did you mean `duration`?')
    """

    code: str
    severity: str
    message: str
    path: str | None
    setting: str | None
    hint: str | None
    places: tuple[Place, ...]

    @property
    def span(self) -> tuple[int, int] | None:
        """The characters to correct: the first and the one after the last. `None`: no place."""
        return self.places[0].span if self.places else None

    def __str__(self) -> str:
        first = f":{self.places[0].line}:{self.places[0].column}" if self.places else ""
        place = f"--set {self.setting}" if self.path is None else f"{self.path}{first}"
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}: {self.severity}[{self.code}]: {self.message}{hint}"


class ScenarioError(HopflowError, ValueError):
    """A scenario is wrong. All mistakes are found at once.

    Attributes
    ----------
    diagnostics : tuple of Diagnostic
        Every error and warning, in the order of the text.

    Examples
    --------
    >>> import hopflow
    >>> hopflow.loads('version = 2\\nduration = "1 lightyear"', "long.toml")
    Traceback (most recent call last):
    ...
    hopflow.errors.ScenarioError: error[HF...
    """

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(message, diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return str(self.args[0])


class MissingFileError(HopflowError, FileNotFoundError):
    """A file or directory that is named does not exist.

    Each is a ``MissingScenarioError`` or a ``MissingInputError``. ``filename`` is its path; of a
    file that a scenario names, as it is looked up beside the scenario. ``errno`` is
    ``errno.ENOENT``, as of every `FileNotFoundError`.

    Examples
    --------
    >>> import hopflow
    >>> try:
    ...     hopflow.load("no-such-file.toml")
    ... except FileNotFoundError as missing:
    ...     missing.filename
    'no-such-file.toml'
    """

    def _is_of(self, filename: str) -> None:
        self.errno = errno.ENOENT
        self.strerror = os.strerror(errno.ENOENT)
        self.filename = filename

    def __str__(self) -> str:
        return str(self.args[0])


class MissingScenarioError(MissingFileError, ScenarioError):
    """A scenario, or a file that it names, does not exist."""

    def __init__(
        self, message: str, diagnostics: tuple[Diagnostic, ...], filename: str
    ) -> None:
        ScenarioError.__init__(self, message, diagnostics)
        self._is_of(filename)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.diagnostics, self.filename)


class MissingInputError(MissingFileError, InputError):
    """A file or directory that an argument names does not exist."""

    def __init__(self, message: str, filename: str) -> None:
        super().__init__(message)
        self._is_of(filename)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.filename)


# The code of a file that cannot be read, and how its message begins.
_UNREADABLE = "HF0002"
_NAMED = re.compile(r"`(.+)` cannot be read: ", re.DOTALL)


@contextmanager
def _reading(*paths: str | os.PathLike[str]) -> Iterator[None]:
    """Errors about one of these paths that does not exist are `MissingInputError`."""
    try:
        yield
    except InputError as error:
        named = [os.fspath(path) for path in paths]
        missing = [one for one in named if one in str(error) and not os.path.exists(one)]
        if isinstance(error, MissingFileError) or not missing:
            raise
        raise MissingInputError(str(error), missing[0]) from None


def _missing(diagnostics: tuple[Diagnostic, ...]) -> str | None:
    """The file that does not exist, if that is a mistake: the scenario, or one that it names."""
    for one in diagnostics:
        named = _NAMED.match(one.message) if one.code == _UNREADABLE else None
        if named is not None:
            # Files that a scenario names are looked up beside it.
            beside = os.path.dirname(one.path or "") if one.places else ""
            path = os.path.join(beside, named[1])
            if not os.path.exists(path):
                return path
    return None


def _diagnostics(text: str) -> tuple[Diagnostic, ...]:
    """Diagnostics from the JSON of the extension."""

    def place(one: dict[str, Any]) -> Place:
        first, last = one["span"]
        return Place((first, last), one["line"], one["column"], one["text"])

    return tuple(
        Diagnostic(**{**one, "places": tuple(place(each) for each in one["places"])})
        for one in json.loads(text)
    )


def _scenario_error(message: str, diagnostics: str) -> ScenarioError:
    """Called by the extension."""
    found = _diagnostics(diagnostics)
    missing = _missing(found)
    if missing is not None:
        return MissingScenarioError(message, found, missing)
    return ScenarioError(message, found)


def _internal_error(message: str) -> InternalError:
    """Called by the extension."""
    return InternalError(
        f"{message}\nThis is a mistake in hopflow {_hopflow.__version__}, not in your input. "
        "Please report it with the scenario, the call and this message."
    )
