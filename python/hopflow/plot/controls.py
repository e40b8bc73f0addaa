"""A plot of several controls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hopflow.errors import InputError
from hopflow.plot import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Ends of the names of measures, which specify the unit.
_PACKETS, _SHARE, _BPS, _PS = "_packets", "_share", "_bps", "_ps"


def compare(
    document: Mapping[str, Any],
    quantity: str = "throughput_bps",
    *,
    ax: Axes | None = None,
) -> Axes:
    """Plots one measure of every control.

    Parameters
    ----------
    document : dict
        The answer of `hopflow.compare`, with or without ``seeds``.
    quantity : str, optional
        The measure, by its key in the document: ``"lost_share"``, ``"delay_mean_ps"``, ``"jain"``
        and so on; with ``seeds`` one of the quantities of its ``estimates``.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        One bar per control, in the order of the document; with ``seeds`` the mean, and its 95 %
        interval as whiskers. A control without a value has the words "no value" instead of a bar.

    Raises
    ------
    InputError
        ``document`` is not an answer of `hopflow.compare`, or has no such measure.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import hopflow
    >>> document = hopflow.compare(hopflow.template(), ["drop-tail", "n23"], until="1 ms")
    >>> ax = hopflow.plot.compare(document, "delay_mean_ps")
    >>> [label.get_text() for label in ax.get_xticklabels()], ax.get_ylabel()
    (['drop-tail', 'n23'], 'Delay, mean (µs)')
    """
    with canvas.style():
        rows, counted_in = _rows(document, quantity)
        ax = canvas.axes(ax)
        greatest = max((value for _, value, _ in rows if value is not None), default=0.0)
        scale, label = _axis(quantity, greatest, counted_in)
        words: dict[str, Any] = {"rotation": 90, "ha": "center", "va": "bottom", "fontsize": 7.5}
        whisker = {"elinewidth": 1.0, "ecolor": canvas.INK}
        bar: dict[str, Any] = {"width": 0.6, "capsize": 3.0, "error_kw": whisker}
        for place, (_, value, half) in enumerate(rows):
            if value is None:
                ax.annotate("no value", (place, 0.0), **words)
                continue
            error = None if half is None else half / scale
            colour = canvas.COLOURS[place % len(canvas.COLOURS)]
            ax.bar(place, value / scale, yerr=error, color=colour, **bar)
        canvas.name_places(ax, [name for name, _, _ in rows])
        ax.set_xlim(-0.6, len(rows) - 0.4)
        ax.set_ylabel(label)
    return ax


def _rows(
    document: Mapping[str, Any], quantity: str
) -> tuple[list[tuple[str, float | None, float | None]], str]:
    """Name, value and half of the interval of each control; and the name of packets."""
    if not isinstance(document, Mapping) or not {"controls", "estimates"} & set(document):
        raise InputError("plot.compare takes the dictionary that hopflow.compare gives")
    if "estimates" in document:
        estimates = document["estimates"]
        rows = [one for one in estimates if one["quantity"] == quantity]
        if not rows:
            raise canvas.near("measure", quantity, (one["quantity"] for one in estimates))
        return [(one["control"], one["mean"], one["half_width"]) for one in rows], "packets"
    controls = document["controls"]
    # Measures are numbers of at least one control.
    known = [key for one in controls for key, value in one.items() if _is_number(value)]
    if quantity not in known:
        raise canvas.near("measure", quantity, known)
    words = {one["counted_in"] for one in controls}
    counted_in = words.pop() if len(words) == 1 else "packets"
    return [(one["control"], one[quantity], None) for one in controls], counted_in


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _axis(quantity: str, greatest: float, counted_in: str) -> tuple[float, str]:
    """The divisor of values, and the label of their axis, from the name of the measure."""

    def words(end: str) -> str:
        first, *rest = quantity.removesuffix(end).split("_")
        return ", ".join([first.capitalize(), *rest])

    if quantity.endswith(_BPS):
        scale, unit = canvas.rate_unit(greatest)
        return scale, f"{words(_BPS)} ({unit})"
    if quantity.endswith(_PS):
        scale, unit = canvas.time_unit(greatest)
        return scale, f"{words(_PS)} ({unit})"
    if quantity.endswith(_PACKETS):
        return 1.0, f"{words(_PACKETS)} ({counted_in})"
    if quantity.endswith(_SHARE):
        return 1.0, f"{words(_SHARE)} (share)"
    names = {"utilization": "Utilization (share)", "jain": "Jain index"}
    return 1.0, names.get(quantity, words(""))
