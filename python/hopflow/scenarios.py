"""Scenarios: read, checked, and put under a control."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import Any

from hopflow import _hopflow
from hopflow.errors import Diagnostic, InputError, ScenarioWarning, _diagnostics
from hopflow.experimental import (
    Machines,
    Pickled,
    _machines,
    _natives,
    _pickled,
    _unpickled,
)


class Scenario:
    """A scenario that is read and checked. It never changes, so threads may share it.

    `load`, `loads` and `template` return one. A scenario can be pickled, so it may be sent to
    worker processes; files that it names must be there, too.

    Examples
    --------
    >>> import hopflow
    >>> scenario = hopflow.template("parking-lot")
    >>> scenario
    <hopflow.Scenario 'parking-lot.toml': 8 nodes, 3 flows>
    >>> scenario.flows
    ['VC1', 'VC2', 'VC3']
    """

    __slots__ = ("_machines", "_native")

    def __init__(self, native: _hopflow.Scenario, machines: Machines = ()) -> None:
        self._native = native
        self._machines = machines

    @property
    def name(self) -> str:
        """The name that messages use: the path of its file, as it was given."""
        return self._native.name

    @property
    def text(self) -> str:
        """The text of the file, with all settings in it, which repeats a run."""
        return self._native.text

    @property
    def title(self) -> str | None:
        """The title in the file, if there is one."""
        return self._native.title

    @property
    def control(self) -> str:
        """The control that it is under; ``"as-is"``: the one of the file."""
        return self._native.control

    @property
    def controls(self) -> list[str]:
        """Every control that `under` takes."""
        return self._native.controls()

    @property
    def seed(self) -> int:
        """The seed of random draws, unless `run` is given another."""
        return self._native.seed

    @property
    def duration_ps(self) -> int:
        """The simulated time, in picoseconds, unless `run` is given another."""
        return self._native.duration_ps

    @property
    def nodes(self) -> list[str]:
        """The names of hosts and switches."""
        return self._native.names()[0]

    @property
    def flows(self) -> list[str]:
        """The names of flows. One with several final hosts is one flow."""
        return self._native.names()[1]

    @property
    def machines(self) -> Machines:
        """The classes that it may name, see `hopflow.experimental`; experimental."""
        return self._machines

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Probable mistakes. `load` and similar functions issue each as a `ScenarioWarning`."""
        return _diagnostics(self._native.warnings())

    def with_settings(self, *settings: str) -> Scenario:
        """The same scenario with keys set, as ``--set`` of the command does.

        Parameters
        ----------
        *settings : str
            Each a ``KEY=VALUE``; a value is written as in the file, with its unit.

        Raises
        ------
        ScenarioError
            A key or a value is wrong; the places are in the setting.

        Examples
        --------
        >>> import hopflow
        >>> scenario = hopflow.template().with_settings('duration="1 ms"', "seed=7")
        >>> scenario.duration_ps, scenario.seed
        (1000000000, 7)
        """
        return _warned(self._native.with_settings(list(settings)), self._machines)

    def under(self, control: str) -> Scenario:
        """The same network and traffic under another control.

        Parameters
        ----------
        control : str
            A ``[[variant]]`` of the file, ``"as-is"``, or a control that hopflow knows, such as
            ``"drop-tail"``, ``"n23"`` or ``"pfc"``: one of `controls`.

        Raises
        ------
        InputError
            There is no such control.
        ScenarioError
            The control does not fit the network.

        Examples
        --------
        >>> import hopflow
        >>> hopflow.template("parking-lot").under("n23").control
        'n23'
        """
        return _warned(self._native.under(control), self._machines)

    def __repr__(self) -> str:
        nodes, flows = len(self.nodes), len(self.flows)
        under = "" if self.control == "as-is" else f" under {self.control!r}"
        return f"<hopflow.Scenario {self.name!r}{under}: {nodes} nodes, {flows} flows>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.text, self.name, self.control, _pickled(self._machines))


def load(path: str | os.PathLike[str], *, machines: Iterable[type] = ()) -> Scenario:
    """Reads and checks a scenario file.

    Parameters
    ----------
    path : str or os.PathLike
        The file. Other files that it names are looked up beside it.
    machines : iterable of classes, optional
        Your own algorithms that it may name; experimental, see `hopflow.experimental`.

    Returns
    -------
    Scenario

    Raises
    ------
    ScenarioError
        The file cannot be read, or the scenario is wrong.
    MissingFileError
        It, or a file that it names, does not exist; also a `FileNotFoundError` and a
        `ScenarioError`.

    Examples
    --------
    >>> import hopflow
    >>> hopflow.load("no-such-file.toml")
    Traceback (most recent call last):
    ...
    hopflow.errors.MissingScenarioError: error[HF0002]: `no-such-file.toml` cannot be read: ...
    """
    known = _machines(machines)
    return _warned(_hopflow.Scenario.load(os.fspath(path), _natives(known)), known)


def loads(text: str, name: str = "<text>", *, machines: Iterable[type] = ()) -> Scenario:
    """Reads and checks the text of a scenario.

    Parameters
    ----------
    text : str
        The content of a scenario file.
    name : str, optional
        The name that messages use. Files that the scenario names are looked up beside it.
    machines : iterable of classes, optional
        Your own algorithms that it may name; experimental, see `hopflow.experimental`.

    Returns
    -------
    Scenario

    Raises
    ------
    ScenarioError
        The scenario is wrong.

    Examples
    --------
    >>> import hopflow
    >>> text = hopflow.template("chain").text
    >>> hopflow.loads(text, "mine.toml").name
    'mine.toml'
    """
    known = _machines(machines)
    return _warned(_hopflow.Scenario.loads(text, name, _natives(known)), known)


def template(name: str = "scenario") -> Scenario:
    """A built-in scenario, with comments in its text: a place to begin.

    Parameters
    ----------
    name : str, optional
        Its name, as in ``hopflow init --template``. Default: the one that ``hopflow init``
        writes, in which every key is explained.

    Returns
    -------
    Scenario

    Raises
    ------
    InputError
        There is no template of this name; the message lists all.

    Examples
    --------
    >>> import hopflow
    >>> hopflow.template("chain")
    <hopflow.Scenario 'chain.toml': 20 nodes, 7 flows>
    >>> hopflow.template("x")
    Traceback (most recent call last):
    ...
    hopflow.errors.InputError: there is no template 'x': there are scenario, n-source, ...
    """
    known = _hopflow.templates()
    if name not in known:
        raise InputError(f"there is no template {name!r}: there are {', '.join(known)}")
    return _warned(_hopflow.Scenario.loads(known[name], f"{name}.toml", []))


def _warned(native: _hopflow.Scenario, machines: Machines = ()) -> Scenario:
    """Issues the warnings of a scenario, as of the caller's caller, and returns it."""
    scenario = Scenario(native, machines)
    for each in scenario.warnings:
        warnings.warn(str(each), ScenarioWarning, stacklevel=3)
    return scenario


def _restored(text: str, name: str, control: str, pickled: Pickled = ()) -> Scenario:
    """A scenario that was pickled; its warnings were issued before."""
    known = _unpickled(pickled)
    native = _hopflow.Scenario.loads(text, name, _natives(known))
    return Scenario(native if control == "as-is" else native.under(control), known)
