"""Sweeps: one scenario at many points and seeds, into a directory that outlives a kill."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hopflow import _hopflow
from hopflow.answers import _options
from hopflow.errors import InputError
from hopflow.networks import Network
from hopflow.runs import Progress, _checked, _told, _whole, _without_machines
from hopflow.scenarios import Scenario

# Texts that need no quotes: no comma, and nothing that would be read as a number or a truth value.
_BARE = re.compile(r"(?!true$|false$|[+-]?(?:inf|nan)$)[A-Za-z][^,\"'\[\]{}]*|[\d.]+ ?[A-Za-z%/]+")


def sweep(
    scenario: Scenario | Network | str | os.PathLike[str],
    axes: Mapping[str, str | Sequence[str | int | float]],
    *,
    out: str | os.PathLike[str] | None = None,
    seeds: int = 1,
    until: str | None = None,
    measures: Iterable[str] = (),
    sweep_seed: int = 1,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> dict[str, Any]:
    """Runs a scenario at all points that its axes cross, on all cores: ``hopflow sweep``.

    Every run is stored as it ends. A sweep that was stopped, killed or ran out of disk goes on
    when it is called again with the same arguments; nothing that is stored is run again.

    Parameters
    ----------
    scenario : Scenario, Network or path
        What to run, under the control that it is under.
    axes : mapping
        By key of the scenario, as of `Scenario.with_settings`: its values as a list, or as a text
        of the command line such as ``"10..100/10"`` (10 values), ``"log 1..1000 km/7"`` (equal
        ratios) or ``"random 1..100/50"``. The key ``"control"`` takes names of controls. Values
        with a unit are texts: ``["10 us", "20 us"]``.
    out : path, optional
        The directory. Default: ``sweeps/NAME-KEY8`` in the working directory.
    seeds : int, optional
        Seeds of each point, from the scenario's on; with `until` the most. 1 to 10,000.
    until : str, optional
        The rule that ends a point, such as ``"throughput_bps within 1 %"``: half of the 95 %
        interval over seeds 1 to n is at most this share of the mean.
    measures : iterable of str, optional
        Quantities beside the totals, such as ``"vc/*/throughput_bps"``.
    sweep_seed : int, optional
        The seed of random axes.
    threads : int, optional
        Runs at once. Default: all cores. No result depends on them.
    progress : bool or callable, optional
        `True`: a line on stderr, if that is a terminal. A callable gets the part that is done, 0.0
        to 1.0, and 1.0. An exception that it raises stops the sweep and comes out.

    Returns
    -------
    dict
        As ``hopflow sweep --format json`` prints it: ``directory``, which has ``runs.parquet`` (a
        row a run) and ``report.html``; ``estimates`` of each point; ``failures``, each with the
        command that repeats it.

    Raises
    ------
    ScenarioError
        The first point is no scenario. Later ones are rows of ``failures``.
    InputError
        An argument is wrong, or the directory holds another sweep.
    RunError
        A file cannot be written, as on a full disk. What is stored is safe.
    KeyboardInterrupt
        Ctrl-C. What is stored stays.

    Examples
    --------
    >>> import hopflow, tempfile
    >>> few = "flow.VC1.control.allow-small-n3=true"
    >>> scenario = hopflow.template().with_settings('duration="1 ms"', few)
    >>> folder = tempfile.mkdtemp() + "/n3"
    >>> axes = {"flow.VC1.control.n3": [10, 20, 40]}
    >>> found = hopflow.sweep(scenario, axes, out=folder)
    >>> [point["values"]["flow.VC1.control.n3"] for point in found["estimates"]]
    ['10', '20', '40']
    >>> means = [point["measures"]["throughput_bps"]["mean"] for point in found["estimates"]]
    >>> means == sorted(means)
    True

    The rows are in ``found["directory"] + "/runs.parquet"``, which polars, pandas and DuckDB read.
    """
    checked = _without_machines(_checked(scenario), "sweep")
    _whole("seeds", seeds, 1)
    _whole("sweep_seed", sweep_seed, 0)
    _whole("threads", threads, 1)
    if isinstance(axes, str) or not isinstance(axes, Mapping):
        raise InputError(f"axes={axes!r}: give a mapping of keys to values")
    if isinstance(measures, str):
        raise InputError(f"measures={measures!r}: give a list of patterns")
    options = [f"--axis={key}={_values(key, given)}" for key, given in axes.items()]
    options += [f"--measure={pattern}" for pattern in measures]
    given = {"seeds": seeds, "until": until, "sweep_seed": sweep_seed, "threads": threads}
    options += _options(given)
    if out is not None:
        options.append(f"--out={os.fspath(out)}")
    with _told(progress) as told:
        answer: dict[str, Any] = json.loads(_hopflow.sweep(checked._native, options, told))
    return answer


def _values(key: str, given: str | Sequence[str | int | float]) -> str:
    """The values of an axis as the command line has them."""
    if isinstance(given, str):
        return given
    if not isinstance(given, Sequence) or len(given) == 0:
        raise InputError(f"the axis {key!r} is {given!r}: give a list of values, or a text")
    return ",".join(_value(key, one) for one in given)


def _value(key: str, one: object) -> str:
    if isinstance(one, bool):
        return "true" if one else "false"
    if isinstance(one, (int, float)):
        return repr(one)
    if isinstance(one, str):
        return one if _BARE.fullmatch(one) else json.dumps(one)
    raise InputError(f"the axis {key!r} has the value {one!r}: give numbers or texts")
