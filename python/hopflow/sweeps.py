"""Sweeps: one scenario at many points and seeds, into a directory that survives a kill."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, overload

from hopflow import _hopflow
from hopflow.answers import _answer, _options
from hopflow.batches import drive, make, make_here
from hopflow.documents import ArrayDocument, SweepDocument
from hopflow.errors import InputError
from hopflow.experimental import Shared, _natives, _shared
from hopflow.networks import Network
from hopflow.places import Folder, Objects, Remote, objects
from hopflow.pools import Dask, Pool, Ray, Threads
from hopflow.runs import Progress, _checked, _reporting, _whole
from hopflow.scenarios import Scenario
from hopflow.sources import source

# Texts that need no quotes: no comma, and nothing that would be read as a number or a truth value.
_BARE = re.compile(r"(?!true$|false$|[+-]?(?:inf|nan)$)[A-Za-z][^,\"'\[\]{}]*|[\d.]+ ?[A-Za-z%/]+")


@overload
def sweep(
    scenario: Scenario | Network | str | os.PathLike[str],
    axes: Mapping[str, str | Sequence[str | int | float]],
    *,
    out: str | os.PathLike[str] | None = None,
    seeds: int = 1,
    until: str | None = None,
    measures: Iterable[str] = (),
    series: Iterable[str] = (),
    sweep_seed: int = 1,
    threads: int | None = None,
    engine: Literal["slurm"],
    client: Any = None,
    tasks: int | None = None,
    submit: bool = False,
    storage_options: dict[str, Any] | None = None,
    progress: bool | Progress | None = None,
) -> ArrayDocument: ...
@overload
def sweep(
    scenario: Scenario | Network | str | os.PathLike[str],
    axes: Mapping[str, str | Sequence[str | int | float]],
    *,
    out: str | os.PathLike[str] | None = None,
    seeds: int = 1,
    until: str | None = None,
    measures: Iterable[str] = (),
    series: Iterable[str] = (),
    sweep_seed: int = 1,
    threads: int | None = None,
    engine: Literal["local", "dask", "ray"] = "local",
    client: Any = None,
    tasks: int | None = None,
    submit: bool = False,
    storage_options: dict[str, Any] | None = None,
    progress: bool | Progress | None = None,
) -> SweepDocument: ...
def sweep(
    scenario: Scenario | Network | str | os.PathLike[str],
    axes: Mapping[str, str | Sequence[str | int | float]],
    *,
    out: str | os.PathLike[str] | None = None,
    seeds: int = 1,
    until: str | None = None,
    measures: Iterable[str] = (),
    series: Iterable[str] = (),
    sweep_seed: int = 1,
    threads: int | None = None,
    engine: str = "local",
    client: Any = None,
    tasks: int | None = None,
    submit: bool = False,
    storage_options: dict[str, Any] | None = None,
    progress: bool | Progress | None = None,
) -> SweepDocument | ArrayDocument:
    """Runs a scenario at all points that its axes cross, on all cores: ``hopflow sweep``.

    Every run is stored when it ends. A sweep that was stopped, was killed or ran out of disk
    continues when it is called again with the same arguments; no stored run is run again.

    Parameters
    ----------
    scenario : Scenario, Network or path
        The scenario to run, under the control that it is under.
    axes : mapping
        Maps a key of the scenario, as in `Scenario.with_settings`, to its values: a list, or a text
        of the command line such as ``"10..100/10"`` (10 values), ``"log 1..1000 km/7"`` (equal
        ratios) or ``"random 1..100/50"``. The key ``"control"`` takes names of controls. Values
        with a unit are texts: ``["10 us", "20 us"]``.
    out : path or URL, optional
        The directory. Default: ``sweeps/NAME-KEY8`` in the working directory. Or a URL that fsspec
        knows, such as ``"s3://bucket/name"``; this needs fsspec and its package for the URL.
    seeds : int, optional
        Seeds per point, from the scenario's on; with `until` their maximum. 1 to 10,000.
    until : str, optional
        The rule that ends a point, such as ``"throughput_bps within 1 %"``: half of the 95 %
        interval over seeds 1 to n is at most this share of the mean.
    measures : iterable of str, optional
        Quantities beside the totals, such as ``"vc/*/throughput_bps"``.
    series : iterable of str, optional
        Series of ``[record]`` to keep of each run, such as ``"queue of * at S"``: one row per value
        in ``series.parquet``.
    sweep_seed : int, optional
        The seed of random axes.
    threads : int, optional
        The number of runs at once on this machine. Default: all cores. No result depends on it.
    engine : str, optional
        What makes the runs: ``"local"``, this process; ``"dask"``, workers of Dask distributed;
        ``"ray"``, workers of the Ray that this process is connected to; ``"slurm"``, a job array
        that is written, and submitted on request, while this call returns at once. Every engine
        yields the same bytes of ``runs.parquet``.
    client : distributed.Client, optional
        For ``"dask"``. Default: a cluster of processes on this machine that listens to this machine
        alone. A program that uses it keeps its calls below ``if __name__ == "__main__":``.
    tasks : int, optional
        For ``"slurm"``: the number of tasks of the job array. Default: 100.
    submit : bool, optional
        For ``"slurm"``: call sbatch.
    storage_options : dict, optional
        For a URL: the options that fsspec takes beside it. They are sent to workers.
    progress : bool or callable, optional
        `True`: a line on a terminal, or below the cell of a notebook. A callable is called with the
        fraction that is done, 0.0 to 1.0, and 1.0. An exception that it raises stops the sweep and
        is raised here.

    Returns
    -------
    dict
        As ``hopflow sweep --format json`` prints it: ``directory``, which has ``runs.parquet``
        (one row per run), ``series.parquet`` if ``series`` is given, and ``report.html``;
        ``estimates`` of each point; ``stale``, how many stored runs were made again and why;
        ``failures``, each with the command that repeats it. For
        ``"slurm"``: the plan with ``submit`` and ``collect``, the commands that submit the array
        and make ``runs.parquet`` of its results, and ``job``.

    Raises
    ------
    ScenarioError
        The first point is not a scenario. Later ones that are not are rows of ``failures``.
    InputError
        An argument is wrong, or the directory holds another sweep.
    RunError
        A file cannot be written, for example on a full disk. Stored runs are safe.
    KeyboardInterrupt
        Ctrl-C was pressed. Stored runs stay.
    MissingPackageError
        A package that the engine or the URL needs is not installed.

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
    checked = _checked(scenario)
    if checked.machines:
        checked = _sourced(checked, engine)
    _whole("seeds", seeds, 1)
    _whole("sweep_seed", sweep_seed, 0)
    _whole("threads", threads, 1)
    if isinstance(axes, str) or not isinstance(axes, Mapping):
        raise InputError(f"axes={axes!r}: give a mapping of keys to values")
    for name, patterns in (("measures", measures), ("series", series)):
        if isinstance(patterns, str):
            raise InputError(f"{name}={patterns!r}: give a list of patterns")
    options = [f"--axis={key}={_values(key, given)}" for key, given in axes.items()]
    options += [f"--measure={pattern}" for pattern in measures]
    options += [f"--series={pattern}" for pattern in series]
    given = {"seeds": seeds, "until": until, "sweep_seed": sweep_seed, "threads": threads}
    options += _options(given)
    _fitting(engine, {"client": client, "tasks": tasks, "submit": submit or None})
    below = objects(out, storage_options)
    if engine == "slurm":
        if below is not None:
            raise InputError("engine='slurm' needs a directory that all machines share, not a URL")
        program = f"{shlex.quote(sys.executable)} -m hopflow"
        options += ["--engine=slurm", f"--program={program}"]
        options += _options({"tasks": tasks, "submit": submit})
    if out is not None and below is None:
        options.append(f"--out={re.sub('^(file|local)://', '', os.fspath(out))}")
    with _reporting(progress) as report:
        if below is None and engine in ("local", "slurm"):
            answer: SweepDocument | ArrayDocument = _answer(
                _hopflow.sweep(checked._native, options, report)
            )
            return answer
        plan = _hopflow.SweepPlan(checked._native, options)
        workers = Workers(engine, client, threads, _shared(checked.machines))
        return _in_batches(checked, options, plan, below, workers, report)


class Workers(NamedTuple):
    """The workers that make the runs."""

    engine: str
    client: Any
    threads: int | None
    machines: Shared

    def pool(self, plan: _hopflow.SweepPlan, below: Objects | None) -> Pool:
        if self.engine == "local":
            return Threads(partial(make_here, plan, below), plan.cancel, self.threads)
        fixed = (plan.text, os.getcwd(), self.machines, below)
        if self.engine == "dask":
            return Dask(make, fixed, self.client, self.threads)
        return Ray(make, fixed)


def _in_batches(
    scenario: Scenario,
    options: list[str],
    plan: _hopflow.SweepPlan,
    below: Objects | None,
    workers: Workers,
    report: Progress | None,
) -> SweepDocument:
    """A sweep whose batches a pool makes."""
    # The pool comes first: if it cannot be made, nothing is written.
    pool = workers.pool(plan, below)
    place: Folder | None = None
    done = False
    try:
        place = Folder(plan, plan.folder) if below is None else Remote(plan, below)
        killed = drive(place, pool, lambda share: report and report(share, 1.0))
        done = True
    finally:
        pool.close(done)
        if place is not None and not done:
            place.close()
    answer: SweepDocument
    try:
        place.release()
        if killed:
            answer = _answer(plan.collect(place.folder))
            _add_killed(answer, plan, killed)
        else:
            # No run is missing any more: this makes the dataset and the report.
            whole = [one for one in options if not one.startswith("--out=")]
            whole.append(f"--out={place.folder}")
            answer = _answer(_hopflow.sweep(scenario._native, whole, None))
            place.publish()
    finally:
        place.close()
    answer["directory"] = place.shown
    # The rows that were stale when the directory was opened; later ones, which a worker with other
    # files made, were made again here.
    stale = answer["stale"]
    stale["program"] += place.stale["program"]
    stale["input"] += place.stale["input"]
    stale["why"] = stale["why"] or place.stale["why"]
    return answer


def _add_killed(answer: SweepDocument, plan: _hopflow.SweepPlan, killed: list[int]) -> None:
    """Adds the points without a run, because every worker that made one died."""
    for point in killed:
        seed, command = plan.command(point, f"{answer['directory']}/scenario.toml")
        why = "the worker died each time that it made this point alone; the same call tries again"
        answer["failures"].append(
            {
                "point": point,
                "seed": str(seed),
                "status": "killed",
                "error": why,
                "command": command,
            }
        )
    answer["failed"] += len(killed)


def _sourced(scenario: Scenario, engine: str) -> Scenario:
    """The scenario with digests of the sources of its machines, which keys of runs cover."""
    if engine == "slurm":
        names = ", ".join(one.__name__ for one in scenario.machines)
        raise InputError(
            f"engine='slurm' starts the command, which has no algorithms of your own ({names}): "
            "use engine='dask' or 'ray', or the local one"
        )
    sources = (source(one) for one in scenario.machines)
    natives = _natives(scenario.machines, sources)
    native = _hopflow.Scenario.loads(scenario.text, scenario.name, natives)
    return Scenario(native.under(scenario.control), scenario.machines)


def _fitting(engine: str, given: dict[str, Any]) -> None:
    """Refuses an unknown engine, and arguments of another one."""
    mine = {"local": (), "dask": ("client",), "ray": (), "slurm": ("tasks", "submit")}
    if engine not in mine:
        raise InputError(f"engine={engine!r}: there are {', '.join(mine)}")
    _whole("tasks", given["tasks"], 1)
    for name, value in given.items():
        if value is not None and name not in mine[engine]:
            raise InputError(f"{name} does not belong to engine={engine!r}")


def _values(key: str, given: str | Sequence[str | int | float]) -> str:
    """The values of an axis as the command line takes them."""
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
