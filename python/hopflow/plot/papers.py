"""Plots of the experiments of the papers."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hopflow.errors import InputError
from hopflow.plot import canvas
from hopflow.plot.experiments import Chart, Experiment, Mark, experiment

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Over = Mapping[str, tuple[Sequence[float], Sequence[float]]]
# The same as lists of numbers.
Own = dict[str, tuple[list[float], list[float]]]
# Least and greatest.
Range = tuple[float, float]
_START = "-start"
# A point of the paper shows its verdict by its shape, too.
_POINTS = {"reproduced": "D", "differs, explained": "s", "not reproduced": "X", "": "o"}


def figure(what: str | Experiment, *, over: Over | None = None) -> Figure:
    """Plots all charts of an experiment of a paper, with the paper's marks, in one call.

    Parameters
    ----------
    what : str or Experiment
        An experiment or a figure of it, such as ``"kung94.fig14"``, which is run; or what
        `experiment` returned. A name that is also one of a chart, such as ``"kung94.fig16"``, draws
        that chart alone.
    over : dict, optional
        Curves of your own, as in `chart`, if one chart is drawn.

    Returns
    -------
    matplotlib.figure.Figure
        One Axes per chart, one below the other, each as `chart` draws it; without the enlarged
        beginnings, whose names end in ``-start``.

    Raises
    ------
    InputError
        There is no such experiment, it has no chart, or it has several and ``over`` is given.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import hopflow
    >>> drawn = hopflow.plot.figure("kung94.fig14")
    >>> [ax.get_title(loc="left") for ax in drawn.axes]
    ['Figure 15: VC1 arriving at and leaving the switch', 'Figure 16: cells held by the switch']
    """
    with canvas.style():
        mine = _own(over)
        ran = _ran(what)
        exact = _dashed(what) if isinstance(what, str) else ""
        charts = [one for one in ran.charts if one.id == exact] or _main(ran)
        if mine and len(charts) > 1:
            raise _several(ran, charts)
        made, axes = canvas.new_figure(len(charts), width=7.6)
        for one, ax in zip(charts, axes[:, 0], strict=True):
            _draw(one, ran, ax, mine)
    return made


def chart(
    what: str | Experiment,
    name: str | None = None,
    *,
    over: Over | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Plots one chart of an experiment of a paper: our curves, and the statements of the paper.

    Parameters
    ----------
    what : str or Experiment
        An experiment or a figure of it, such as ``"kung94.fig16"``, which is run; or what
        `experiment` returned.
    name : str, optional
        The chart, such as ``"kung94-fig16"`` (dots work as well). Default: the one named as
        ``what``, or the only one.
    over : dict, optional
        Curves of your own over it: maps names to x and y, in the units of the axes. `curve` makes
        one of a recorded series.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Curves that hopflow measured as lines; a range of the paper as a shaded rectangle, one of no
        width as a dashed line, and one at a single place as a point with whiskers: a diamond where
        it is reproduced, a square where it differs for a reason that is explained, a cross where
        it is not reproduced. The legend states for each mark whether it is printed in the paper or
        derived from it, and the verdict; its title counts the verdicts of all claims of the
        experiment. A curve of more points than a page can show is thinned (see `Curve`).

    Raises
    ------
    InputError
        There is no such experiment or chart, the name means several, or a curve has no points.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import hopflow
    >>> over = {"mine": ([0, 20000], [50, 50])}
    >>> ax = hopflow.plot.chart("kung94.fig16", over=over)
    >>> ax.get_xlabel()
    'time (cell times)'
    >>> [line.get_label() for line in ax.lines]
    ['VC1', 'VC2', 'VC3', 'mine']
    """
    with canvas.style():
        mine = _own(over)
        ran = _ran(what)
        one = _pick(ran, what, name)
        if ax is None:
            _, made = canvas.new_figure(width=7.6)
            ax = made[0][0]
        return _draw(one, ran, canvas.axes(ax), mine)


def _ran(what: str | Experiment) -> Experiment:
    ran = what if isinstance(what, Experiment) else experiment(what)
    if not ran.charts:
        raise InputError(f"{ran.id} has no chart: hopflow.reproduce({ran.id!r}) has its numbers")
    return ran


def _dashed(name: str) -> str:
    return name.replace(".", "-")


def _main(ran: Experiment) -> list[Chart]:
    """The charts without those that are beginnings of others."""
    names = {one.id + _START for one in ran.charts}
    return [one for one in ran.charts if one.id not in names]


def _pick(ran: Experiment, what: str | Experiment, name: str | None) -> Chart:
    known = {one.id: one for one in ran.charts}
    if name is not None:
        if _dashed(name) not in known:
            raise canvas.near(f"chart of {ran.id}", name, known)
        return known[_dashed(name)]
    if isinstance(what, str) and _dashed(what) in known:
        return known[_dashed(what)]
    main = _main(ran)
    if len(main) > 1:
        raise _several(ran, main)
    return main[0]


def _several(ran: Experiment, charts: list[Chart]) -> InputError:
    names = ", ".join(repr(one.id) for one in charts)
    return InputError(f"{ran.id} has several charts: name one of {names} to plot.chart")


def _own(over: Over | None) -> Own:
    """Curves of the caller, as lists of numbers."""
    if over is None:
        return {}
    if not isinstance(over, Mapping):
        kind = type(over).__name__
        way = 'such as {"mine": hopflow.plot.curve(result, "queue of VC1 at S")}'
        raise InputError(f"over takes names with their curves, not {kind}: {way}")
    found = {}
    for name, pair in over.items():
        try:
            x, y = ([float(value) for value in values] for values in pair)
        except (TypeError, ValueError) as wrong:
            raise InputError(f"over[{name!r}]: give two lists of numbers, x and y") from wrong
        if len(x) != len(y) or not x:
            raise InputError(f"over[{name!r}] has {len(x)} x and {len(y)} y: give equally many")
        found[str(name)] = (x, y)
    return found


def _draw(one: Chart, ran: Experiment, ax: Axes, over: Own) -> Axes:
    for index, curve in enumerate(one.curves):
        how: dict[str, Any] = {"drawstyle": "steps-post"} if curve.step else {}
        # Dense curves would hide the marks.
        how |= {"linewidth": 0.4, "alpha": 0.6} if curve.thinned else {}
        ax.plot(curve.x, curve.y, label=curve.name, zorder=2.0, **canvas.look(index), **how)
    for place, (name, (x, y)) in enumerate(over.items()):
        dashes = canvas.DASHES[place % len(canvas.DASHES)]
        ax.plot(x, y, label=name, zorder=3.0, color=canvas.INK, linestyle=dashes)
    # The marks are cut where the curves end: they may be infinite.
    x_limits, y_limits = _limits(ax.get_xlim(), one, over), ax.get_ylim()
    shown: set[tuple[str, int | None]] = set()
    for mark in one.marks:
        label = _label(mark, one)
        first = (label, mark.curve) not in shown
        shown.add((label, mark.curve))
        _draw_mark(ax, mark, label if first else "_nolegend_", x_limits, y_limits)
    ax.set_title(one.title, loc="left")
    ax.set_xlabel(one.x_label)
    # A long label takes two lines, as an axis is three inches high.
    ax.set_ylabel(textwrap.fill(one.y_label, 40))
    canvas.legend(ax, ran.tally)
    return ax


def _limits(shown: Range, one: Chart, over: Own) -> Range:
    """The least and the greatest place of a curve on the horizontal axis."""
    all = [x for curve in one.curves for x in curve.x] + [x for xs, _ in over.values() for x in xs]
    return (min(all), max(all)) if all else shown


def _label(mark: Mark, one: Chart) -> str:
    """Such as "paper, VC1, printed: about 110 (reproduced)"."""
    parts = ["paper"]
    if mark.curve is not None and len(one.curves) > 1:
        parts.append(one.curves[mark.curve].name)
    if mark.source:
        parts.append(mark.source)
    place = mark.span is not None and mark.span[0] == mark.span[1]
    says = "" if place else f": {mark.expected or f'{mark.low:g} to {mark.high:g}'}"
    return f"{', '.join(parts)}{says} ({mark.verdict or 'verdict: see the claims'})"


def _draw_mark(ax: Axes, mark: Mark, label: str, x_limits: Range, y_limits: Range) -> None:
    from matplotlib.colors import to_rgb, to_rgba

    colour = canvas.INK if mark.curve is None else canvas.look(mark.curve)["color"]
    # Darker than its curve, so that it is visible above it.
    dark = tuple(0.5 * part for part in to_rgb(colour))
    along, across = (x_limits, y_limits) if mark.upright else (y_limits, x_limits)
    low, high = _cut((mark.low, mark.high), along)
    start, end = _cut(mark.span or (-math.inf, math.inf), across)
    if start == end and not mark.upright:
        middle = (low + high) / 2
        shape = _POINTS.get(mark.verdict.removesuffix(", fitted"), "o")
        point: dict[str, Any] = {"marker": shape, "markersize": 5.5, "mfc": "white", "capsize": 3.0}
        half = (high - low) / 2
        ax.errorbar(
            [start], [middle], yerr=[half], color=dark, ls="none", zorder=4, label=label, **point
        )
        return
    if mark.upright:
        low, high, start, end = start, end, low, high
    if low == high or start == end:
        dashed: dict[str, Any] = {"color": dark, "linestyle": (0, (4, 2)), "linewidth": 1.4}
        ax.plot([start, end], [low, high], label=label, zorder=4, **dashed)
        return
    from matplotlib.patches import Rectangle

    face = to_rgba(colour, 0.22)
    edge: dict[str, Any] = {"linestyle": (0, (4, 2)), "linewidth": 0.9}
    size = (end - start, high - low)
    box = Rectangle((start, low), *size, facecolor=face, edgecolor=dark, **edge)
    box.set_label(label)
    box.set_zorder(4)
    ax.add_patch(box)


def _cut(range: Range, limits: Range) -> Range:
    """A range whose infinite ends are replaced by the limits."""
    low, high = range
    return limits[0] if math.isinf(low) else low, limits[1] if math.isinf(high) else high
