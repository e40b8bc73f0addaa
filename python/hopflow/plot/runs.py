"""Plots of one run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopflow.errors import InputError
from hopflow.plot import canvas
from hopflow.results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LABELS = {
    "queue": "Queue",
    "node-queue": "Queue",
    "credit": "Credit",
    "acr": "Allowed rate",
    "virtual-acr": "Allowed rate",
    "er": "Explicit rate",
    "delay": "Delay",
}
_CELL_BITS = 424


def series(
    result: Result, name: str | Sequence[str] | None = None, *, ax: Axes | None = None
) -> Axes:
    """Plots recorded series over simulated time.

    A value that holds until the next one (a queue), and the mean of a window (a share of a link),
    are drawn as steps, single values (delays) as points.

    Parameters
    ----------
    result : Result
        A run whose scenario has a table ``[record]``.
    name : str or sequence of str, optional
        Some of ``result.series_names``, or quantities, such as ``"queue"``, ``"throughput"`` or
        ``"delay"``: all series of them. Default: all series. At most 32, all of one unit.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        One line per series, in the order of their names. The horizontal axis is time in s, ms, µs,
        ns or ps; the vertical one cells or packets, a share of the link (0 to 1), a rate or a time.

    Raises
    ------
    InputError
        Nothing was recorded, there is no such series, or the series have several units or are too
        many.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import hopflow
    >>> scenario = hopflow.template().with_settings('record.queues=["S"]')
    >>> result = hopflow.run(scenario, until="1 ms")
    >>> ax = hopflow.plot.series(result, "queue of VC1 at S")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Time (ms)', 'Queue (cells)')
    """
    with canvas.style():
        chosen = _chosen(recorded(result), name)
        ax = canvas.axes(ax)
        scale, label = _values(result, chosen)
        time, unit = canvas.time_unit(max(one["end_ps"] for one in chosen))
        for index, one in enumerate(chosen):
            x, y = _drawn(one)
            x, y = [at / time for at in x], [value / scale for value in y]
            style = canvas.look(index)
            if one["shape"] == "sample":
                dots: dict[str, Any] = {"linestyle": "none", "marker": ".", "markersize": 2.5}
                ax.plot(x, y, label=one["series"], color=style["color"], **dots)
            else:
                ax.plot(x, y, label=one["series"], drawstyle="steps-post", **style)
        ax.set_xlabel(f"Time ({unit})")
        ax.set_ylabel(label)
        ax.set_ylim(bottom=0)
        canvas.legend(ax)
    return ax


def throughput(
    result: Result, flows: Sequence[str] | None = None, *, ax: Axes | None = None
) -> Axes:
    """Plots the throughput of each flow, and its max-min fair share.

    Parameters
    ----------
    result : Result
        A run.
    flows : sequence of str, optional
        Their names. Default: all.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        One bar per flow in the order of the scenario, in b/s, kb/s, Mb/s, Gb/s or Tb/s, and a
        stroke at its fair share where the run has one (docs/models/fairness.md states when).

    Raises
    ------
    InputError
        There is no such flow.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import hopflow
    >>> result = hopflow.run(hopflow.template("parking-lot"))
    >>> len(hopflow.plot.throughput(result).patches) == len(result.flows)
    True
    """
    check_flows(flows, result)
    with canvas.style():
        ax = canvas.axes(ax)
        names, values = column_of(result, "throughput_bps", flows)
        _, shares = column_of(result, "fair_share_bps", flows)
        known = [(place, share) for place, share in enumerate(shares) if share is not None]
        greatest = max([*values, *(share for _, share in known)], default=0.0)
        scale, unit = canvas.rate_unit(greatest)
        places = range(len(names))
        bars = [value / scale for value in values]
        ax.bar(places, bars, width=0.7, color=canvas.COLOURS[0], label="delivered")
        if known:
            # A stroke as wide as its bar.
            ax.errorbar(
                [place for place, _ in known],
                [share / scale for _, share in known],
                xerr=0.42,
                color=canvas.COLOURS[1],
                elinewidth=1.6,
                linestyle="none",
                label="max-min fair share",
            )
        canvas.name_places(ax, names)
        ax.set_ylim(bottom=0)
        ax.set_ylabel(f"Throughput ({unit})")
        canvas.legend(ax)
    return ax


def curve(
    result: Result,
    name: str,
    *,
    time: str = "ms",
    cell_time_ps: float | None = None,
) -> tuple[list[float], list[float]]:
    """A recorded series as two lists, a curve for ``over`` of `chart`. It needs no matplotlib.

    Parameters
    ----------
    result : Result
        A run.
    name : str
        One of ``result.series_names``.
    time : str, optional
        The unit of time: ``"s"``, ``"ms"``, ``"us"``, ``"ns"``, ``"ps"`` or ``"cell times"``.
    cell_time_ps : float, optional
        A cell time in picoseconds. Default: 424 bits at the rate of the links, if all have one.

    Returns
    -------
    tuple of list of float
        Times, and values in the unit of the series (packets, ps, bits per second or share). If the
        series holds its values, each occurs twice, at its beginning and its end.

    Raises
    ------
    InputError
        There is no such series or unit, or the links have several rates.

    Examples
    --------
    >>> import hopflow
    >>> scenario = hopflow.template().with_settings('record.queues=["S"]')
    >>> result = hopflow.run(scenario, until="1 ms")
    >>> x, y = hopflow.plot.curve(result, "queue of VC1 at S", time="us")
    >>> x[0], y[0], x[-1]
    (0.0, 0.0, 1000.0)
    """
    units = {"s": 1e12, "ms": 1e9, "us": 1e6, "µs": 1e6, "ns": 1e3, "ps": 1.0}
    if time == "cell times":
        scale = _cell_time(result) if cell_time_ps is None else cell_time_ps
    elif time in units:
        scale = units[time]
    else:
        raise canvas.near("unit of time", time, [*units, "cell times"])
    found = recorded(result)
    one = next((one for one in found if one["series"] == name), None)
    if one is None:
        raise canvas.near("series", name, (one["series"] for one in found))
    x, y = _drawn(one)
    if one["shape"] != "sample":
        x, y = [at for at in x for _ in (0, 1)][1:-1], [value for value in y for _ in (0, 1)][:-2]
    return [at / scale for at in x], y


def _cell_time(result: Result) -> float:
    rates = sorted({int(link["rate_bps"]) for link in result.document["links"]})
    if len(rates) != 1:
        several = ", ".join(f"{rate:g} b/s" for rate in rates)
        raise InputError(f"the links have several rates ({several}): give cell_time_ps")
    return float(_CELL_BITS * 1e12 / rates[0])


def recorded(result: Result, *, missing: bool = True) -> list[dict[str, Any]]:
    """The series, each with its columns; those of time and value as lists."""
    if not isinstance(result, Result):
        kind = type(result).__name__
        raise InputError(f"plots of a run take the Result of hopflow.run, not {kind}")
    found: list[dict[str, Any]] = []
    for name in result.series_names:
        table = result.series(name)
        one = {column: table[column] for column in table.columns}
        whole = {column: one[column][0] for column in one if column not in ("time_ps", "value")}
        # A series without values has one row without time and value.
        some = [row for row in zip(one["time_ps"], one["value"], strict=True) if None not in row]
        values = {"time_ps": [at for at, _ in some], "value": [value for _, value in some]}
        found.append(whole | values)
    if missing and not found:
        raise InputError("nothing was recorded: the table [record] of a scenario names what is")
    return found


def _chosen(
    found: list[dict[str, Any]], name: str | Sequence[str] | None
) -> list[dict[str, Any]]:
    """The series of these names or quantities, which can be drawn in one plot."""
    wanted = [name] if isinstance(name, str) else name
    chosen = found
    if wanted is not None:
        known = {one[key] for one in found for key in ("series", "quantity")}
        for each in wanted:
            if each not in known:
                names = [one["series"] for one in found] + [one["quantity"] for one in found]
                raise canvas.near("series", each, names)
        chosen = [one for one in found if {one["series"], one["quantity"]} & set(wanted)]
    if not chosen:
        raise InputError("name at least one series")
    if len({one["unit"] for one in chosen}) > 1:
        kinds = dict.fromkeys(one["quantity"] for one in chosen)
        raise InputError(f"the series have several units: draw one of {', '.join(kinds)}")
    if len(chosen) > canvas.MOST:
        most = canvas.MOST
        raise InputError(f"{len(chosen)} lines cannot be distinguished: name at most {most} series")
    return chosen


def _values(result: Result, chosen: list[dict[str, Any]]) -> tuple[float, str]:
    """The divisor of values, and the label of their axis."""
    unit = chosen[0]["unit"]
    if unit == "share":
        return 1.0, "Share of the link"
    words = dict.fromkeys(_LABELS.get(one["quantity"], one["quantity"]) for one in chosen)
    label = ", ".join(words)
    if unit == "packets":
        return 1.0, f"{label} ({result.document['counted_in']})"
    greatest = max((value for one in chosen for value in one["value"]), default=0.0)
    known = canvas.time_unit(greatest) if unit == "ps" else canvas.rate_unit(greatest)
    return known[0], f"{label} ({known[1]})"


def _drawn(one: dict[str, Any]) -> tuple[list[float], list[float]]:
    """Times in ps and values; the last value holds to the end of its window or of the run."""
    x, y = list(one["time_ps"]), list(one["value"])
    if x and one["shape"] != "sample":
        end = one["end_ps"]
        last = end if one["window_ps"] is None else min(x[-1] + one["window_ps"], end)
        x.append(last)
        y.append(y[-1])
    return x, y


def check_flows(flows: Sequence[str] | None, result: Result) -> None:
    """Refuses a value that is not a run, and names that are not flows of it."""
    if not isinstance(result, Result):
        kind = type(result).__name__
        raise InputError(f"plots of a run take the Result of hopflow.run, not {kind}")
    if isinstance(flows, str):
        raise InputError(f"flows={flows!r}: give a list of names, such as [{flows!r}]")
    if flows is not None and not flows:
        raise InputError("flows is empty: name at least one, or leave it out")
    known = result.flows["vc"]
    for flow in flows or ():
        if flow not in known:
            raise canvas.near("flow", flow, known)


def column_of(
    result: Result, column: str, flows: Sequence[str] | None
) -> tuple[list[str], list[Any]]:
    """Names and values of the flows, in the order of the table."""
    rows = zip(result.flows["vc"], result.flows[column], strict=True)
    chosen = [row for row in rows if flows is None or row[0] in flows]
    return [name for name, _ in chosen], [value for _, value in chosen]
