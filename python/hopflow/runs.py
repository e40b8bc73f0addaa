"""Running a scenario."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TextIO

from hopflow import _hopflow
from hopflow.errors import InputError
from hopflow.networks import Network
from hopflow.results import Result
from hopflow.scenarios import Scenario, load

Progress = Callable[[Any, Any], object]


def run(
    scenario: Scenario | Network | str | os.PathLike[str],
    *,
    seed: int | None = None,
    threads: int | None = None,
    until: str | None = None,
    machines: Iterable[type] = (),
    progress: bool | Progress | None = None,
) -> Result:
    """Runs a scenario to its end.

    The same scenario and seed yield the same digest, also with the command and with any number of
    threads. Other threads of Python continue meanwhile, and may run scenarios, too. Ctrl-C stops
    the run at the end of its present step with `KeyboardInterrupt`; its results are lost. A step
    is a fixed amount of work, 5 to 300 ms on a free core of 2026; on a slow or busy machine it
    lasts longer.

    Parameters
    ----------
    scenario : Scenario, Network or path
        The scenario to run; a network is checked, and the path of a scenario file loaded, first.
    seed : int, optional
        Replaces the scenario's seed; 0 to 2^64 - 1.
    threads : int, optional
        Threads of the engine. Default: as many as the machine has and the network can use.
    until : str, optional
        The end of the run instead of the scenario's duration, such as ``"10 ms"``.
    machines : iterable of classes, optional
        Your own algorithms that a network or a file may name; a `Scenario` has its own already.
        Such a run has one thread. Experimental, see `hopflow.experimental`.
    progress : bool or callable, optional
        `True`: a line on a terminal, or below the cell of a notebook; nothing elsewhere. A
        callable is called with the simulated and the total time, both in picoseconds (int), after
        each step, first with 0 and last with the total. An exception that it raises stops the run,
        and `run` raises it.

    Returns
    -------
    Result

    Raises
    ------
    ScenarioError
        The scenario is wrong, perhaps only on the routes of this seed.
    InputError
        An argument is wrong.
    RunError
        The warm-up leaves nothing of the run.
    MachineError
        An algorithm of your own gave an answer that is not allowed; its own exceptions are raised
        unchanged.

    Examples
    --------
    >>> import hopflow
    >>> scenario = hopflow.template()
    >>> hopflow.run(scenario).digest
    '2b07e075d8bf93cb'
    >>> hopflow.run(scenario, threads=2).digest
    '2b07e075d8bf93cb'

    The progress of a run, as a share of its simulated time:

    >>> seen = []
    >>> result = hopflow.run(scenario, progress=lambda now, end: seen.append(now / end))
    >>> seen[0], seen[-1]
    (0.0, 1.0)
    """
    checked = _checked(scenario, machines)
    _whole("seed", seed, 0)
    _whole("threads", threads, 1)
    if until is not None and not isinstance(until, str):
        raise InputError(f'until={until!r} has no unit: write a text such as until="1 ms"')
    with _reporting(progress) as report:
        native = _hopflow.run(checked._native, seed, threads, until, report)
    return Result(native, checked)


def _checked(
    given: Scenario | Network | str | os.PathLike[str], machines: Iterable[type] = ()
) -> Scenario:
    if isinstance(given, Network):
        return given.scenario(machines=machines)
    if not isinstance(given, Scenario):
        return load(_path(given), machines=machines)
    if machines:
        raise InputError("a Scenario has its machines already: give them to hopflow.load")
    return given


def _without_machines(scenario: Scenario, call: str) -> Scenario:
    """Refuses a scenario with machines where they are not supported yet."""
    if scenario.machines:
        names = ", ".join(one.__name__ for one in scenario.machines)
        raise InputError(
            f"{call} takes no scenario with algorithms of your own ({names}): hopflow.run runs it, "
            "also in worker processes"
        )
    return scenario


def _reporting(progress: bool | Progress | None) -> AbstractContextManager[Progress | None]:
    """The callback that progress is reported to, for the time of a call."""
    if progress is True:
        return nullcontext(_Cell().show) if _in_notebook() else _Line(sys.stderr)
    if callable(progress) or progress is None or progress is False:
        return nullcontext(progress or None)
    raise InputError(f"progress={progress!r}: give True or a callable")


def _path(given: object) -> str | os.PathLike[str]:
    if not isinstance(given, (str, os.PathLike)):
        kind = type(given).__name__
        raise InputError(f"run takes a scenario or the path of its file, not {kind}")
    if isinstance(given, str) and "\n" in given:
        raise InputError("run takes the path of a scenario file; hopflow.loads takes its text")
    return given


def _whole(name: str, value: object, least: int) -> None:
    """Refuses a value that is not a whole number from `least` to 2^64 - 1."""
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**64:
        raise InputError(f"{name}={value!r}: give a whole number from {least} to 2^64 - 1")


class _Line(AbstractContextManager[Progress | None]):
    """A progress line on a terminal; nothing elsewhere. It is erased at the end."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = stream is not None and stream.isatty()

    def __enter__(self) -> Progress | None:
        return self._show if self._shown else None

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _show(self, now: float, end: float) -> None:
        self._stream.write(f"\r\x1b[K{_bar(now, end)}")
        self._stream.flush()


def _bar(now: float, end: float) -> str:
    done = now / end
    # Whole numbers are picoseconds of simulated time; else they are a fraction of 1.
    text = f"{now / 1e9:.6g} of {end / 1e9:.6g} ms" if isinstance(end, int) else ""
    return f"[{'#' * int(24 * done):<24}] {100 * done:3.0f} %  {text}".rstrip()


def _in_notebook() -> bool:
    """Whether this is the kernel of a notebook, which shows what is displayed."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class _Cell:
    """A line below the cell of a notebook, which each report replaces; the last one stays."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, now: float, end: float) -> None:
        content = {"text/plain": _bar(now, end)}
        if self._handle is None:
            display = importlib.import_module("IPython.display").display
            self._handle = display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)
