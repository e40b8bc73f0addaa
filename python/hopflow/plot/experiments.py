"""The charts of an experiment of a paper, as data.

They are read from the page that ``hopflow reproduce`` writes: it has every chart with its curves
and the ranges that the paper gives. The claims, with their verdicts, are those that the same
command prints. So curves, marks and verdicts come from one run of the command.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopflow.errors import InputError, RunError
from hopflow.plot import page
from hopflow.runs import _whole

# The command of this very package, with the search path of this process.
_CHILD = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from hopflow.__main__ import main; main()"
)
_VERDICTS = {
    "reproduced": "reproduced",
    "differs": "differs, explained",
    "not-reproduced": "not reproduced",
}


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve that hopflow measured.

    Attributes
    ----------
    name : str
        Its name in the legend.
    x, y : tuple of float
        Its points, in the units of the axes.
    step : bool
        Whether a value holds until the next point; else straight lines join the points.
    thinned : bool
        Whether the page has only the first, least, greatest and last point of each narrow part of
        the axis, because the curve has more. A run of the scenario that ``hopflow reproduce
        --write-scenarios`` writes has all of them as a series, if it records that.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    step: bool
    thinned: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A statement of the paper, in a chart.

    Attributes
    ----------
    low, high : float
        The range, in the unit of the axis; it may be infinite.
    upright : bool
        Whether the range is on the horizontal axis; else it is on the vertical one.
    span : tuple of float or None
        Where on the other axis it applies, from and to: two equal values are one place, infinity
        is the end. `None`: everywhere.
    curve : int or None
        The curve that it is about, counted from 0. `None`: no single curve.
    source : str
        The kind of the claim: ``"printed"`` in the paper, a ``"sentence"`` of it, ``"derived"``
        from it, and so on. Empty if several claims of different kinds may be meant.
    expected : str
        The words of the claim. Empty if several claims may be meant.
    verdict : str
        ``"reproduced"``, ``"differs, explained"`` or ``"not reproduced"``, with ``", fitted"``
        where a parameter was chosen so that it is met. Empty if several claims with different
        verdicts may be meant: the page does not specify which.
    """

    low: float
    high: float
    upright: bool
    span: tuple[float, float] | None
    curve: int | None
    source: str
    expected: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of an experiment.

    Attributes
    ----------
    id : str
        Its name, such as ``"kung94-fig16"``; one that ends in ``-start`` is the beginning of
        another one, enlarged.
    title, caption : str
        As in the report.
    x_label, y_label : str
        The axes with their units.
    curves : tuple of Curve
    marks : tuple of Mark
    """

    id: str
    title: str
    caption: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment of a paper that was run.

    Attributes
    ----------
    id : str
        Such as ``"kung94.fig14"``.
    charts : tuple of Chart
        May be empty: some experiments have numbers alone.
    claims : list of dict
        As in ``hopflow.reproduce(id)["claims"]``.
    """

    id: str
    charts: tuple[Chart, ...]
    claims: list[dict[str, Any]]

    @property
    def tally(self) -> str:
        """The number of claims per verdict, in words."""
        counts = Counter(verdict_of(claim) for claim in self.claims)
        # In the order of the verdicts, fitted ones last.
        order = [*_VERDICTS.values(), *(f"{word}, fitted" for word in _VERDICTS.values())]
        found = sorted(counts.items(), key=lambda pair: order.index(pair[0]))
        parts = "; ".join(f"{count} {verdict}" for verdict, count in found)
        return f"{len(self.claims)} claims: {parts}"


def experiment(id: str, *, threads: int | None = None) -> Experiment:
    """Runs an experiment of a paper and returns its charts as data, without matplotlib.

    Parameters
    ----------
    id : str
        An experiment or a figure of it, such as ``"kung94.fig14"``: ``hopflow reproduce --list``
        lists them.
    threads : int, optional
        The total number of threads. Default: all cores. No result depends on it.

    Returns
    -------
    Experiment

    Raises
    ------
    InputError
        There is no such experiment, or the name means several.
    RunError
        The command of this package cannot be run here.

    Examples
    --------
    >>> import hopflow
    >>> ran = hopflow.plot.experiment("kung94.fig14")
    >>> [chart.id for chart in ran.charts if not chart.id.endswith("-start")]
    ['kung94-fig15', 'kung94-fig16']
    >>> ran.tally
    '30 claims: 28 reproduced; 2 not reproduced'
    """
    if not isinstance(id, str):
        raise InputError(f"{id!r}: give the name of an experiment, such as 'kung94.fig14'")
    _whole("threads", threads, 1)
    meant = [one["id"] for one in json.loads(_command(id, "--list"))["experiments"]]
    if len(meant) != 1:
        raise InputError(f"{id!r} is {len(meant)} experiments: give one of {', '.join(meant)}")
    with tempfile.TemporaryDirectory(prefix="hopflow-") as folder:
        file = Path(folder) / "page.html"
        options = [] if threads is None else [f"--threads={threads}"]
        claims = json.loads(_command(meant[0], f"--out={file}", *options))["claims"]
        found = page.charts(file.read_text(encoding="utf-8"))
    return Experiment(meant[0], tuple(_chart(one, claims) for one in found), claims)


def verdict_of(claim: dict[str, Any]) -> str:
    """The verdict of a claim in words, and whether it was fitted."""
    word: str = claim["verdict"]
    return _VERDICTS[word] + (", fitted" if claim["fitted"] else "")


def _command(id: str, *options: str) -> str:
    """The JSON that ``hopflow reproduce`` prints. Ctrl-C ends its process, too."""
    if not sys.executable:
        raise RunError("this Python does not tell where its program is, so none can be started")
    call = [sys.executable, "-P", "-c", _CHILD, json.dumps(sys.path), "reproduce", "--quiet"]
    call += ["--format=json", *options, "--", id]
    ended = subprocess.run(call, capture_output=True, text=True, encoding="utf-8")
    # 1: a claim is not reproduced, and was not known as such. Its verdict says so.
    if ended.returncode == 2:
        raise InputError(ended.stderr.strip().removeprefix("error: "))
    if ended.returncode not in (0, 1) or not ended.stdout:
        said = ended.stderr.strip() or "nothing"
        raise RunError(f"hopflow reproduce ended with {ended.returncode} and said: {said}")
    return ended.stdout


def _chart(found: page.Found, claims: list[dict[str, Any]]) -> Chart:
    texts = found.texts
    data = json.loads(texts["script"])
    curves = tuple(
        Curve(
            one["name"],
            tuple(float(x) for x in one["x"]),
            tuple(float(y) for y in one["y"]),
            step=one["kind"] == "step",
            thinned="mean" in one,
        )
        for one in data["lines"]
    )
    looks = {one["look"]: place for place, one in reversed(list(enumerate(data["lines"])))}
    marks = tuple(_mark(band, curves, looks, claims) for band in data["bands"])
    labels = (texts["x-axis"], texts["y-axis"])
    return Chart(found.id, texts["h3"], texts["figcaption"], *labels, curves, marks)


def _mark(
    band: dict[str, Any],
    curves: tuple[Curve, ...],
    looks: dict[int, int],
    claims: list[dict[str, Any]],
) -> Mark:
    low, high = _bounds(band["range"])
    span = None if band["span"] is None else _bounds(band["span"])
    line = None if band["look"] is None else looks.get(band["look"])
    here = _value_at(curves[line], span) if line is not None else None
    meant = [claim for claim in claims if _may_be(claim, (low, high), here)]
    return Mark(
        low,
        high,
        upright=band["along"] == "x",
        span=span,
        curve=line,
        source=_one(claim["kind"] for claim in meant),
        expected=_one(claim["expected"] for claim in meant),
        verdict=_one(verdict_of(claim) for claim in meant),
    )


def _bounds(pair: list[float | None]) -> tuple[float, float]:
    """A range of the page, in which a missing number means infinity."""
    low, high = pair
    return -math.inf if low is None else low, math.inf if high is None else high


def _value_at(curve: Curve, span: tuple[float, float] | None) -> float | None:
    """The value of the curve at the place of a mark, if that is a single one."""
    if span is None or span[0] != span[1]:
        return None
    points = zip(curve.x, curve.y, strict=True)
    return next((y for x, y in points if math.isclose(x, span[0])), None)


def _may_be(claim: dict[str, Any], range: tuple[float, float], here: float | None) -> bool:
    """Whether a mark of this range may belong to this claim: the page does not name the claim.

    The mark has the range of the claim; or, at one place, that range plus the difference between
    the curve there and the value that the claim measured. So its claim is always among those found.
    """
    if claim["paper_range"] is None:
        return False
    pairs = list(zip(range, _bounds(claim["paper_range"]), strict=True))
    if all(a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in pairs):
        return True
    if here is None or claim["measured"] is None:
        return False
    more = here - claim["measured"]
    return all(math.isclose(a, b + more, rel_tol=1e-9, abs_tol=1e-9) for a, b in pairs)


def _one(words: Iterable[str]) -> str:
    """The word if there is only one, else nothing."""
    all = set(words)
    return next(iter(all)) if len(all) == 1 else ""
