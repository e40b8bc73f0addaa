"""Parts of every plot: matplotlib, imported on first use, a style, axes, units and names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from hopflow.errors import InputError, MissingPackageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The colours of the lab and the reports in their order, distinct for colour-blind eyes, too.
COLOURS = (
    "#0072b2",
    "#e06000",
    "#009e73",
    "#8a1a6b",
    "#5c4700",
    "#00a3ad",
    "#8f9a00",
    "#d6699b",
)
# From the ninth line on the colours repeat, with other dashes.
DASHES = ("solid", "dashed", "dotted", "dashdot")
INK = "#1b1f24"
# More lines cannot be distinguished.
MOST = len(COLOURS) * len(DASHES)

_STYLE: dict[str, Any] = {
    "axes.edgecolor": INK,
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9,
    "figure.dpi": 120,
    "font.size": 9,
    "grid.color": "#d5dae0",
    "grid.linewidth": 0.4,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "legend.title_fontsize": 7.5,
    "lines.linewidth": 1.1,
    # Letters stay letters in vector files.
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.fonttype": "none",
    "savefig.bbox": "tight",
    "savefig.dpi": 300,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}

# Units of picoseconds and bits per second: the greatest in which a value is at least 1.
_TIMES = ((1e12, "s"), (1e9, "ms"), (1e6, "µs"), (1e3, "ns"), (1.0, "ps"))
_RATES = ((1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1.0, "b/s"))


def matplotlib() -> Any:
    """The package, or an error that says how to install it."""
    try:
        import matplotlib as package
    except ImportError as missing:
        raise MissingPackageError(
            "hopflow.plot needs matplotlib 3.8 or later, which is not installed here: "
            "pip install hopflow[plot]",
            name="matplotlib",
        ) from missing
    return package


def style() -> AbstractContextManager[None]:
    """The look of the plots of hopflow, for what is drawn or saved within.

    The functions of this module already use the settings for drawing. Those for saving (letters
    stay letters in PDF and SVG, 300 dots per inch in PNG) apply only within.

    Returns
    -------
    context manager
        Restores the settings of matplotlib at its end.

    Raises
    ------
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import hopflow, io
    >>> ax = hopflow.plot.throughput(hopflow.run(hopflow.template()))
    >>> file = io.BytesIO()
    >>> with hopflow.plot.style():
    ...     ax.figure.savefig(file, format="svg")
    >>> b"Throughput" in file.getvalue()
    True
    """
    return _within(matplotlib())


@contextmanager
def _within(package: Any) -> Iterator[None]:
    """Applies the settings of the style. It keeps the interactive mode that matplotlib has at the
    end: in a notebook the first figure loads a backend that shows figures only in that mode."""
    interactive = package.is_interactive()
    try:
        with package.rc_context(_STYLE):
            try:
                yield
            finally:
                interactive = package.is_interactive()
    finally:
        package.interactive(interactive)


def new_figure(rows: int = 1, *, width: float = 6.4, height: float = 3.0) -> tuple[Figure, Any]:
    """A figure with `rows` axes, one under the other; inches, each row `height` high."""
    from matplotlib import pyplot

    size = (width, height * rows)
    return pyplot.subplots(rows, 1, figsize=size, layout="constrained", squeeze=False)


def axes(ax: Axes | None) -> Axes:
    """The axes to draw in."""
    from matplotlib.axes import Axes

    if ax is None:
        _, made = new_figure()
        ax = made[0][0]
    if not isinstance(ax, Axes):
        raise InputError(f"ax={ax!r}: give matplotlib's Axes, or leave it out")
    return ax


def look(index: int) -> dict[str, Any]:
    """Colour and dashes of a line by its index."""
    dashes = DASHES[index // len(COLOURS) % len(DASHES)]
    return {"color": COLOURS[index % len(COLOURS)], "linestyle": dashes}


def name_places(ax: Axes, names: Sequence[str]) -> None:
    """Names below bars; slanted if they are too long to fit side by side."""
    long = sum(len(name) + 1 for name in names) > 60
    turned: dict[str, Any] = {"rotation": 40, "ha": "right"} if long else {}
    ax.set_xticks(range(len(names)), names, **turned)
    ax.grid(visible=False, axis="x")


def legend(ax: Axes, title: str | None = None) -> None:
    """Draws the legend beside the axes, where it hides no data."""
    handles, _ = ax.get_legend_handles_labels()
    if handles:
        found = ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
        if title:
            found.set_title(title)
            found.set_alignment("left")
        # The sample of a thin or pale line is visible, too.
        for line in found.get_lines():
            line.set(alpha=1.0, linewidth=max(line.get_linewidth(), 1.1))


def time_unit(greatest_ps: float) -> tuple[float, str]:
    """The unit for times up to this one, in picoseconds, and its name."""
    return _unit(_TIMES, greatest_ps)


def rate_unit(greatest_bps: float) -> tuple[float, str]:
    """The unit for rates up to this one, in bits per second, and its name."""
    return _unit(_RATES, greatest_bps)


def _unit(units: Sequence[tuple[float, str]], greatest: float) -> tuple[float, str]:
    return next((unit for unit in units if greatest >= unit[0]), units[-1])


def near(kind: str, name: object, known: Iterable[str]) -> InputError:
    """The error that there is no `kind` of this name; it lists similar names."""
    names = list(dict.fromkeys(known))
    close = difflib.get_close_matches(str(name), names, n=3, cutoff=0.5)
    if close:
        return InputError(f"there is no {kind} {name!r}: did you mean {_listed(close)}?")
    if not names:
        return InputError(f"there is no {kind} {name!r}: there is none at all")
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return InputError(f"there is no {kind} {name!r}: there are {_listed(names[:5])}{more}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
