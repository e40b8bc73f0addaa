"""Plots of the delays of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopflow.errors import InputError
from hopflow.plot import canvas
from hopflow.plot.runs import check_flows, column_of, recorded
from hopflow.results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def delays(
    result: Result,
    flows: Sequence[str] | None = None,
    *,
    kind: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Plots the delays of flows, from birth to the last bit at the final host.

    Parameters
    ----------
    result : Result
        A run.
    flows : sequence of str, optional
        Their names. Default: all (in a distribution: all whose delays were recorded).
    kind : str, optional
        ``"distribution"``: the share of delays that are not above a value, from every recorded
        delay of the whole run (``delays`` under ``[record]``); one line per flow and final host.
        ``"summary"``: least, mean, 99th percentile and greatest delay, which every run has,
        without its warm-up. Default: the distribution if a delay was recorded, else the summary.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Delays in s, ms, µs, ns or ps: on the horizontal axis of a distribution, on the vertical
        one of a summary. A flow without a delivery has no mark there.

    Raises
    ------
    InputError
        There is no such flow or kind, a distribution was not recorded, or there are over 32 lines.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import hopflow
    >>> scenario = hopflow.template().with_settings('record.delays=["VC1"]')
    >>> result = hopflow.run(scenario, until="1 ms")
    >>> hopflow.plot.delays(result).get_ylabel()
    'Share of packets not above'
    >>> hopflow.plot.delays(result, kind="summary").get_ylabel()
    'Delay (µs)'
    """
    if kind not in (None, "distribution", "summary"):
        raise canvas.near("kind of delays", kind, ("distribution", "summary"))
    check_flows(flows, result)
    with canvas.style():
        found = [one for one in recorded(result, missing=False) if one["quantity"] == "delay"]
        found = [one for one in found if flows is None or one["vc"] in flows]
        if kind == "distribution" and not any(one["value"] for one in found):
            way = "name the flows in `delays` under [record] of the scenario"
            raise InputError(f"no delay of these flows was recorded: {way}")
        if kind != "summary" and any(one["value"] for one in found):
            return _distribution(found, canvas.axes(ax))
        return _summary(result, flows, canvas.axes(ax))


def _distribution(found: list[dict[str, Any]], ax: Axes) -> Axes:
    if len(found) > canvas.MOST:
        raise InputError(f"{len(found)} lines cannot be distinguished: name at most {canvas.MOST}")
    scale, unit = canvas.time_unit(max(value for one in found for value in one["value"]))
    for index, one in enumerate(found):
        values = sorted(one["value"])
        if not values:
            continue
        shares = [(place + 1) / len(values) for place in range(len(values))]
        # The curve rises from 0 at the least delay.
        x, y = [values[0], *values], [0.0, *shares]
        style = canvas.look(index)
        label = one["series"]
        ax.plot([at / scale for at in x], y, drawstyle="steps-post", label=label, **style)
    ax.set_xlabel(f"Delay ({unit})")
    ax.set_ylabel("Share of packets not above")
    ax.set_ylim(0, 1.02)
    canvas.legend(ax)
    return ax


def _summary(result: Result, flows: Sequence[str] | None, ax: Axes) -> Axes:
    columns = ("delay_min_ps", "delay_mean_ps", "delay_p99_ps", "delay_max_ps")
    named = [column_of(result, column, flows) for column in columns]
    names = named[0][0]
    least, mean, p99, greatest = (values for _, values in named)
    seen = [place for place, value in enumerate(mean) if value is not None]
    scale, unit = canvas.time_unit(max((greatest[place] for place in seen), default=0.0))

    def of(values: list[Any]) -> list[float]:
        return [values[place] / scale for place in seen]

    ax.vlines(seen, of(least), of(greatest), color=canvas.INK, linewidth=0.8)
    kinds = (("greatest", greatest, "_", 1), ("99 % not above", p99, "^", 1))
    for label, values, marker, colour in (*kinds, ("mean", mean, "o", 0), ("least", least, "_", 2)):
        style: dict[str, Any] = {"marker": marker, "linestyle": "none", "markersize": 5}
        ax.plot(seen, of(values), label=label, color=canvas.COLOURS[colour], **style)
    canvas.name_places(ax, names)
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.set_ylim(bottom=0)
    ax.set_ylabel(f"Delay ({unit})")
    canvas.legend(ax)
    return ax
