"""The answers of the commands ``compare``, ``size``, ``reproduce`` and ``diff``, as dictionaries.

The keys are those that the commands print with ``--format json``: docs/results.md lists them.
"""

from __future__ import annotations

import json
import os
from typing import Any, overload

from hopflow import _hopflow
from hopflow.documents import (
    CompareDocument,
    DiffDocument,
    ReproduceDocument,
    SeedsComparisonDocument,
    SizeDocument,
)
from hopflow.errors import InputError, _reading
from hopflow.networks import Network
from hopflow.runs import Progress, _checked, _reporting, _whole, _without_machines
from hopflow.scenarios import Scenario


@overload
def compare(
    scenario: Scenario | Network | str | os.PathLike[str],
    controls: list[str] | None = None,
    *,
    seed: int | None = None,
    seeds: None = None,
    threads: int | None = None,
    until: str | None = None,
    warm_up: str | None = None,
    progress: bool | Progress | None = None,
) -> CompareDocument: ...
@overload
def compare(
    scenario: Scenario | Network | str | os.PathLike[str],
    controls: list[str] | None = None,
    *,
    seed: int | None = None,
    seeds: int,
    threads: int | None = None,
    until: str | None = None,
    warm_up: str | None = None,
    progress: bool | Progress | None = None,
) -> SeedsComparisonDocument: ...
def compare(
    scenario: Scenario | Network | str | os.PathLike[str],
    controls: list[str] | None = None,
    *,
    seed: int | None = None,
    seeds: int | None = None,
    threads: int | None = None,
    until: str | None = None,
    warm_up: str | None = None,
    progress: bool | Progress | None = None,
) -> CompareDocument | SeedsComparisonDocument:
    """Runs one scenario under several controls, measured alike: ``hopflow compare``.

    Parameters
    ----------
    scenario : Scenario, Network or path
        The scenario to run, as in its file: not one that is already under another control.
    controls : list of str, optional
        Each one of `Scenario.controls`. Default: ``"as-is"`` and every variant of the file.
    seed : int, optional
        Replaces the scenario's seed; 0 to 2^64 - 1.
    seeds : int, optional
        The number of seeds to run every control under; the answer then contains means, 95 %
        intervals and paired differences to the first control.
    threads : int, optional
        The total number of threads. Default: all cores. The answer does not depend on it.
    until, warm_up : str, optional
        The end of the run, and the time at its beginning that totals leave out, such as ``"3 ms"``.
    progress : bool or callable, optional
        `True`: a line on a terminal, or below the cell of a notebook. A callable is called with the
        fraction that is done, 0.0 to 1.0, and 1.0. An exception that it raises stops the work and
        is raised here.

    Returns
    -------
    dict
        ``controls`` has one entry per control: ``throughput_bps``, ``lost_share``,
        ``delay_mean_ps``, ``jain`` and so on.

    Raises
    ------
    ScenarioError
        No control fits the scenario.
    InputError
        There is no such control, or another argument is wrong.

    Examples
    --------
    >>> import hopflow
    >>> answer = hopflow.compare(hopflow.template(), ["drop-tail", "n23"], until="1 ms")
    >>> [one["control"] for one in answer["controls"]]
    ['drop-tail', 'n23']
    """
    checked = _without_machines(_checked(scenario), "compare")
    if checked.control != "as-is":
        name = checked.control
        raise InputError(f"the scenario is under {name!r} already: compare takes it as its file is")
    _whole("seed", seed, 0)
    _whole("seeds", seeds, 1)
    _whole("threads", threads, 1)
    given = {"seed": seed, "seeds": seeds, "threads": threads}
    options = _options({**given, "duration": until, "warm_up": warm_up})
    if controls is not None:
        options.append(f"--control={','.join(controls)}")
    with _reporting(progress) as report:
        answer: CompareDocument | SeedsComparisonDocument = _answer(
            _hopflow.compare(checked._native, options, report)
        )
    return answer


def size(
    scenario: Scenario | Network | str | os.PathLike[str] | None = None,
    **options: str | int | bool,
) -> SizeDocument:
    """The buffer, credits or headroom that a control needs for zero loss: ``hopflow size``.

    Parameters
    ----------
    scenario : Scenario, Network or path, optional
        Sizes the control of each flow, at every hop.
    **options : str, int or bool
        For one link instead: the options that ``hopflow size --help`` lists, with ``_`` for ``-``.
        ``rate`` and ``delay`` are needed; ``lanes=True`` sizes the credits of a lane, ``pfc=True``
        with ``frame`` and ``response`` the headroom of a pause. ``window=True``, or a size, with
        ``rate`` and ``rtt`` sizes the window of a path. ``preset="fibre-channel"`` and the like,
        with ``speed`` and ``length``, size a link by its name; ``verify=True`` runs the network
        that confirms a size. Quantities are texts with a unit.

    Returns
    -------
    dict
        ``sizes``, ``lanes``, ``windows``, ``rates``, ``headrooms``: each a list of rows with the
        formula; ``preset``, ``public`` and ``verified``; and ``notes``.

    Raises
    ------
    InputError
        An option is wrong or missing.

    Examples
    --------
    >>> import hopflow
    >>> answer = hopflow.size(rate="400 Gb/s", delay="300 m")
    >>> answer["sizes"][0]["scheme"], answer["sizes"][0]["buffer_cells"]
    ('N23', 2841)
    >>> hopflow.size(hopflow.template())["sizes"][0]["vc"]
    'VC1'
    >>> link = {"preset": "fibre-channel", "speed": "8GFC", "length": "50 km"}
    >>> hopflow.size(**link, verify=True)["verified"][0]["verdict"].split(":")[0]
    'Confirmed, and exact'
    >>> path = {"rate": "10 Gb/s", "rtt": "100 ms"}
    >>> hopflow.size(window="4194304 B", every=1, **path)["windows"][0]["window_bytes"]
    125002500
    """
    if "sonic" in options or "format" in options or "table" in options:
        raise InputError("sonic, format and table are of the command alone")
    native = None
    if scenario is not None:
        native = _without_machines(_checked(scenario), "size")._native
    answer: SizeDocument = _answer(_hopflow.size(native, _options(options)))
    return answer


def reproduce(
    *ids: str, threads: int | None = None, progress: bool | Progress | None = None
) -> ReproduceDocument:
    """Measures claims of the papers and judges them: ``hopflow reproduce``. No report is written.

    Parameters
    ----------
    *ids : str
        Papers, experiments or claims, such as ``"kung94"``, ``"kung94.fig14"``. Default: all of
        them, which takes minutes.
    threads : int, optional
        The total number of threads. Default: all cores. The answer does not depend on it.
    progress : bool or callable, optional
        As in `compare`.

    Returns
    -------
    dict
        ``claims``: a list with ``id``, ``value``, ``verdict`` and so on; and ``headline``.

    Raises
    ------
    InputError
        There is no such paper, experiment or claim; the message lists similar names.

    Examples
    --------
    >>> import hopflow
    >>> answer = hopflow.reproduce("kung94.fig6")
    >>> answer["claims"][0]["id"], answer["claims"][0]["verdict"]
    ('kung94.fig6.1km_10mbps.n3', 'reproduced')
    """
    _whole("threads", threads, 1)
    with _reporting(progress) as report:
        answer: ReproduceDocument = _answer(_hopflow.reproduce(list(ids), threads, report))
    return answer


def diff(a: str | os.PathLike[str], b: str | os.PathLike[str]) -> DiffDocument:
    """Whether two directories of results are the same, or where they differ: ``hopflow diff``.

    Parameters
    ----------
    a, b : str or os.PathLike
        Directories that the command wrote.

    Returns
    -------
    dict
        ``same``, ``digests``, and ``differences``: a list with ``file``, ``place``, ``a``, ``b``.

    Raises
    ------
    InputError
        One is not a directory of results.
    MissingFileError
        One does not exist; also a `FileNotFoundError` and an `InputError`.

    Examples
    --------
    >>> import hopflow
    >>> hopflow.diff("no-such-directory", "no-such-directory")
    Traceback (most recent call last):
    ...
    hopflow.errors.MissingInputError: ...
    """
    with _reading(a, b):
        answer: DiffDocument = _answer(_hopflow.diff(["--", os.fspath(a), os.fspath(b)]))
    return answer


def _answer(text: str) -> Any:
    """An answer of the extension, from its JSON; the caller knows which document it is."""
    return json.loads(text)


def _options(given: dict[str, Any]) -> list[str]:
    """Keyword arguments as options of the command line."""
    options = []
    for name, value in given.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            options.append(flag)
        elif isinstance(value, float):
            raise InputError(f"{name}={value!r} has no unit: write a text")
        elif value is not None and value is not False:
            options.append(f"{flag}={value}")
    return options
