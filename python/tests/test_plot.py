"""Plots: the values of the artists are those of the tables and documents."""

import os
import pickle
import subprocess
import sys

import pytest
from conftest import ROOT
from matplotlib import pyplot
from matplotlib.container import ErrorbarContainer
from matplotlib.patches import Rectangle

import hopflow
from hopflow import plot

RECORDED = [
    "record.trace=false",
    'record.queues=["S"]',
    'record.delays=["VC1", "VC3"]',
    'record.throughput=["S->B"]',
]


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def result():
    """Three flows that share a link, recorded."""
    scenario = hopflow.load(ROOT / "examples" / "figure-14.toml").with_settings(*RECORDED)
    return hopflow.run(scenario, until="1 ms")


@pytest.fixture(scope="module")
def fig14():
    return plot.experiment("kung94.fig14")


def lines(ax):
    return {line.get_label(): line for line in ax.lines}


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_series_are_those_of_the_table(result):
    """Every time and value, in the units of the axes; the last value holds to the end."""
    ax = plot.series(result, "queue")
    names = [name for name in result.series_names if name.startswith("queue of")]
    assert list(lines(ax)) == names == labels(ax) and len(names) == 3
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Time (ms)", "Queue (cells)")
    for name, line in lines(ax).items():
        table = result.series(name)
        x, y = line.get_data()
        assert [*x] == [at / 1e9 for at in [*table["time_ps"], table["end_ps"][0]]]
        assert [*y] == [*table["value"], table["value"][-1]]
        assert line.get_drawstyle() == "steps-post"
    assert len({line.get_color() for line in ax.lines}) == 3


def test_windows_and_samples(result):
    """The mean of a window ends with it; delays are points, in the unit that fits them."""
    ax = plot.series(result, "VC1 on S->B")
    table = result.series("VC1 on S->B")
    x, y = ax.lines[0].get_data()
    last = min(table["time_ps"][-1] + table["window_ps"][0], table["end_ps"][0])
    assert [*x] == [at / 1e9 for at in [*table["time_ps"], last]]
    assert [*y[:-1]] == table["value"] and ax.get_ylabel() == "Share of the link"
    ax = plot.series(result, "delay")
    table = result.series("delay of VC1 to B")
    x, y = lines(ax)["delay of VC1 to B"].get_data()
    assert [*y] == [value / 1e6 for value in table["value"]] and len(y) > 10
    assert [*x] == [at / 1e9 for at in table["time_ps"]]
    assert ax.get_ylabel() == "Delay (µs)" and ax.lines[0].get_linestyle() == "None"


def test_series_that_cannot_be_drawn(result):
    """Unknown names, several units, nothing recorded: each error says what to do."""
    with pytest.raises(hopflow.InputError, match="did you mean 'queue of VC1 at S'"):
        plot.series(result, "queue of VC1")
    with pytest.raises(hopflow.InputError, match="several units: draw one of .*queue"):
        plot.series(result)
    with pytest.raises(hopflow.InputError, match="at least one"):
        plot.series(result, [])
    bare = hopflow.run(hopflow.loads(BARE), until="1 ms")
    with pytest.raises(hopflow.InputError, match=r"\[record\]"):
        plot.series(bare)
    with pytest.raises(hopflow.InputError, match="not dict"):
        plot.series(result.document)
    with pytest.raises(hopflow.InputError, match="Axes"):
        plot.series(result, "queue", ax=pyplot.figure())
    with pytest.raises(hopflow.InputError, match="'cell times'"):
        plot.curve(result, "queue of VC1 at S", time="cell time")


BARE = """
version = 2
duration = "1 ms"
[[host]]
name = "A"
[[host]]
name = "B"
[[link]]
between = ["A", "B"]
rate = "622.08 Mb/s"
delay = "10 us"
[[flow]]
name = "VC1"
route = ["A", "B"]
source = { kind = "greedy" }
"""


def test_a_curve_is_the_series(result):
    """Values as steps, in cell times: 424 bits at the rate of the links."""
    x, y = plot.curve(result, "queue of VC2 at S", time="cell times")
    table = result.series("queue of VC2 at S")
    cell = 424e12 / 622.08e6
    assert x[::2] == [at / cell for at in table["time_ps"]]
    assert y[::2] == y[1::2] == table["value"]
    assert x[-1] == table["end_ps"][0] / cell and len(x) == len(y)
    own, _ = plot.curve(result, "queue of VC2 at S", time="cell times", cell_time_ps=1e6)
    assert own[-1] == table["end_ps"][0] / 1e6
    mixed = hopflow.run(ROOT / "examples" / "gigabit-into-ten-megabit.toml", until="10 us")
    with pytest.raises(hopflow.InputError, match="several rates .*give cell_time_ps"):
        plot.curve(mixed, mixed.series_names[0], time="cell times")


def test_distribution_of_delays(result):
    """The share at a delay is that of the recorded delays that are not above it."""
    ax = plot.delays(result)
    assert list(lines(ax)) == ["delay of VC1 to B", "delay of VC3 to B"]
    for name, line in lines(ax).items():
        values = result.series(name)["value"]
        x, y = line.get_data()
        assert (x[0], y[0], y[-1]) == (min(values) / 1e6, 0.0, 1.0)
        assert max(x) == max(values) / 1e6 and len(x) == len(values) + 1
        middle = len(values) // 2
        below = sum(value / 1e6 <= x[middle] for value in values)
        last = max(share for at, share in zip(x, y, strict=True) if at == x[middle])
        assert last == below / len(values)
    assert list(lines(plot.delays(result, ["VC3"]))) == ["delay of VC3 to B"]
    with pytest.raises(hopflow.InputError, match="no delay of these flows"):
        plot.delays(result, ["VC2"], kind="distribution")
    with pytest.raises(hopflow.InputError, match="did you mean 'summary'"):
        plot.delays(result, kind="sumary")


def test_summary_of_delays(result):
    """Least, mean, 99 % and greatest of each flow are those of the table."""
    ax = plot.delays(result, kind="summary")
    columns = {"least": "min", "mean": "mean", "99 % not above": "p99", "greatest": "max"}
    for label, column in columns.items():
        x, y = lines(ax)[label].get_data()
        wanted = [value / 1e6 for value in result.flows[f"delay_{column}_ps"]]
        assert [*y] == wanted and [*x] == [0, 1, 2], label
    assert [tick.get_text() for tick in ax.get_xticklabels()] == result.flows["vc"]
    assert ax.get_ylabel() == "Delay (µs)"


def test_throughput_and_fair_shares(result):
    """One bar per flow, and a stroke at its share."""
    ax = plot.throughput(result)
    bars = [patch.get_height() for patch in ax.patches]
    assert bars == [value / 1e6 for value in result.flows["throughput_bps"]]
    [strokes] = [one for one in ax.containers if one.get_label() == "max-min fair share"]
    middles = [segment[:, 1].mean() for segment in strokes.lines[2][0].get_segments()]
    assert middles == pytest.approx([value / 1e6 for value in result.flows["fair_share_bps"]])
    assert ax.get_ylabel() == "Throughput (Mb/s)"
    some = plot.throughput(result, ["VC3", "VC1"])
    assert [tick.get_text() for tick in some.get_xticklabels()] == ["VC1", "VC3"]
    with pytest.raises(hopflow.InputError, match="there are 'VC1', 'VC2', 'VC3'"):
        plot.throughput(result, ["nobody"])
    with pytest.raises(hopflow.InputError, match=r"\['VC1'\]"):
        plot.throughput(result, "VC1")


def test_flows_without_a_share_have_no_stroke():
    """No share is drawn for a run that reports none."""
    alone = hopflow.run(hopflow.loads(BARE), until="1 ms")
    assert alone.flows["fair_share_bps"] == [None]
    ax = plot.throughput(alone)
    assert labels(ax) == ["delivered"] and len(ax.patches) == 1


def test_controls_are_those_of_the_document():
    """One bar per control; a measure without a value is labelled, not drawn as zero."""
    victim = ROOT / "examples" / "victim.toml"
    document = hopflow.compare(victim, until="300 us")
    names = [one["control"] for one in document["controls"]]
    for quantity, scale, label in (
        ("throughput_bps", 1e9, "Throughput (Gb/s)"),
        ("lost_share", 1.0, "Lost (share)"),
        ("needed_packets", 1.0, "Needed (cells)"),
        ("delay_p99_ps", None, "Delay, p99 (µs)"),
    ):
        ax = plot.compare(document, quantity)
        wanted = [one[quantity] / (scale or 1e6) for one in document["controls"]]
        assert [bar.get_height() for bar in ax.patches] == wanted
        assert [tick.get_text() for tick in ax.get_xticklabels()] == names
        assert ax.get_ylabel() == label
    document["controls"][1]["jain"] = None
    ax = plot.compare(document, "jain")
    assert len(ax.patches) == len(names) - 1
    assert [(text.get_text(), text.xy[0]) for text in ax.texts] == [("no value", 1)]
    with pytest.raises(hopflow.InputError, match="'throughput_bps'"):
        plot.compare(document, "throughput")
    with pytest.raises(hopflow.InputError, match=r"hopflow\.compare"):
        plot.compare({"claims": []})


def test_seeds_have_intervals():
    """The mean, and whiskers from end to end of the 95 % interval."""
    victim = ROOT / "examples" / "victim.toml"
    document = hopflow.compare(victim, ["as-is", "pfc"], until="700 us", seeds=2)
    ax = plot.compare(document, "delay_p99_ps")
    rows = [one for one in document["estimates"] if one["quantity"] == "delay_p99_ps"]
    assert [bar.get_height() for bar in ax.patches] == [row["mean"] / 1e6 for row in rows]
    ends = [
        tuple(segment[:, 1])
        for one in ax.containers
        if isinstance(one, ErrorbarContainer)
        for segment in one.lines[2][0].get_segments()
    ]
    assert len(ends) == len(rows) == 2
    for end, row in zip(ends, rows, strict=True):
        assert end == pytest.approx([value / 1e6 for value in row["interval"]])
    with pytest.raises(hopflow.InputError, match="there is no measure"):
        plot.compare(document, "needed")


def test_a_chart_is_that_of_the_page(fig14):
    """Our curves as in the run, and each mark at the range of its claim."""
    ax = plot.chart(fig14, "kung94.fig16")
    one = next(chart for chart in fig14.charts if chart.id == "kung94-fig16")
    claims = {claim["id"]: claim for claim in fig14.claims}
    assert claims == {each["id"]: each for each in hopflow.reproduce("kung94.fig14")["claims"]}
    assert ax.get_title(loc="left") == one.title == "Figure 16: cells held by the switch"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time (cell times)", "cells of the VC")
    for curve in one.curves:
        x, y = lines(ax)[curve.name].get_data()
        assert ([*x], [*y]) == ([*curve.x], [*curve.y]) and len(x) > 100
        steady = [value for at, value in zip(x, y, strict=True) if at >= 2000]
        name = curve.name.lower()
        extremes = [claims[f"kung94.fig14.{name}.fill_{end}"]["measured"] for end in ("min", "max")]
        assert [min(steady), max(steady)] == extremes
    boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    ranges = [(box.get_y(), box.get_y() + box.get_height()) for box in boxes]
    ids = [f"kung94.fig14.vc{n}.{what}" for n in (1, 2, 3) for what in ("fill_max", "first_peak")]
    assert ranges == [tuple(claims[id]["paper_range"]) for id in ids]
    end = max(x for curve in one.curves for x in curve.x)
    spans = [(box.get_x(), box.get_x() + box.get_width()) for box in boxes]
    assert spans == [(2000, end), (0, 400)] * 3
    assert "paper, VC1, printed: about 110 (reproduced)" in labels(ax)
    assert "paper, VC3, derived: 48.7 (reproduced)" in labels(ax)
    tally = ax.get_legend().get_title().get_text()
    verdicts = [claim["verdict"] for claim in fig14.claims]
    counts = [verdicts.count(verdict) for verdict in ("reproduced", "not-reproduced")]
    wanted = f"{len(verdicts)} claims: {counts[0]} reproduced; {counts[1]} not reproduced"
    assert tally == fig14.tally == wanted and min(counts) > 0


def test_verdicts_are_never_wrong():
    """Figure 6 has points at each length and rate: each verdict is that of its claim, or is open
    where the page does not specify it; some are not reproduced, and are reported as such."""
    fig6 = plot.experiment("kung94.fig6")
    [chart] = fig6.charts
    claims = {claim["id"]: claim for claim in fig6.claims}
    words = {"reproduced": "reproduced", "not-reproduced": "not reproduced"}
    verdicts = []
    for mark in chart.marks:
        rate = chart.curves[mark.curve].name
        claim = claims[f"kung94.fig6.{mark.span[0]:g}km_{rate}.n3"]
        # The axis is N2 + N3, the claim N3; N2 is 10.
        assert (mark.low, mark.high) == tuple(end + 10 for end in claim["paper_range"])
        assert mark.verdict in (words[claim["verdict"]], "")
        verdicts.append(mark.verdict)
    assert verdicts.count("reproduced") > 5 and "not reproduced" in verdicts
    ax = plot.chart(fig6)
    assert any("(not reproduced)" in label for label in labels(ax))
    points = [one for one in ax.containers if one.lines[0] is not None]
    drawn = {(x, y) for one in points for x, y in zip(*one.lines[0].get_data(), strict=True)}
    assert drawn == {(mark.span[0], (mark.low + mark.high) / 2) for mark in chart.marks}


def test_own_curves_over_it(fig14, result):
    """A curve of a run beside those of the paper; other values are refused."""
    mine = plot.curve(result, "queue of VC1 at S", time="cell times")
    ax = plot.chart(fig14, "kung94-fig16", over={"mine": mine})
    x, y = lines(ax)["mine"].get_data()
    assert ([*x], [*y]) == mine and "mine" in labels(ax)
    assert lines(ax)["mine"].get_color() not in {lines(ax)[f"VC{n}"].get_color() for n in (1, 2, 3)}
    for wrong in ({"mine": [1, 2]}, {"mine": ([1, 2], [1])}, {"mine": ([], [])}, result, [mine]):
        with pytest.raises(hopflow.InputError, match="over"):
            plot.chart(fig14, "kung94-fig16", over=wrong)
    [alone] = plot.figure("kung94.fig16", over={"mine": mine}).axes
    assert [*lines(alone)["mine"].get_xdata()] == mine[0]
    with pytest.raises(hopflow.InputError, match=r"several charts.*'kung94-fig15', 'kung94-fig16'"):
        plot.figure(fig14, over={"mine": mine})


def test_figures_are_those_of_the_page(fig14):
    """One Axes per chart; the beginning of one is a chart by its name; marks keep their side."""
    drawn = plot.figure(fig14)
    assert len(drawn.axes) == 2
    one = plot.figure("kung94.fig16")
    assert [ax.get_title(loc="left") for ax in one.axes] == ["Figure 16: cells held by the switch"]
    start = plot.chart(fig14, "kung94-fig16-start")
    assert max(max(line.get_xdata()) for line in start.lines) < 600
    figure, (left, right) = pyplot.subplots(1, 2)
    assert plot.chart(fig14, "kung94-fig15", ax=right) is right and not left.lines
    assert len(pyplot.get_fignums()) == 4 and figure.axes == [left, right]


def test_unknown_experiments_and_charts(fig14):
    """Similar names are listed; several meanings are listed; a missing chart is reported."""
    with pytest.raises(hopflow.InputError, match=r"did you mean `kung94\.fig14`"):
        plot.figure("fig14")
    with pytest.raises(hopflow.InputError, match=r"did you mean 'kung94-fig16'"):
        plot.chart(fig14, "kung94.fig17")
    both = "several charts: name one of 'kung94-fig15', 'kung94-fig16'"
    with pytest.raises(hopflow.InputError, match=both):
        plot.chart(fig14)
    with pytest.raises(hopflow.InputError, match=r"17 experiments: give one of kung94\.fig6"):
        plot.figure("kung94")
    with pytest.raises(hopflow.InputError, match="has no chart"):
        plot.figure("debate.headroom")
    with pytest.raises(hopflow.InputError, match="name of an experiment"):
        plot.figure(14)
    with pytest.raises(hopflow.InputError, match="threads=0"):
        plot.experiment("kung94.fig14", threads=0)


def test_many_lines_look_different():
    """The first 32 looks differ; more lines are refused, with the maximum."""
    from hopflow.plot import canvas

    many = hopflow.run(ROOT / "examples" / "adaptive-credit.toml", until="10 us")
    with pytest.raises(hopflow.InputError, match="name at most 32 series"):
        plot.series(many, ["queue", "node-queue"])
    looks = {tuple(canvas.look(index).values()) for index in range(canvas.MOST)}
    assert len(looks) == canvas.MOST == 32


PROGRAM = """
import sys
{before}
import hopflow
result = hopflow.run(hopflow.template())
assert sys.modules.get("matplotlib") is None and "hopflow.plot" not in sys.modules
{after}
"""


def python(before, after, **environment):
    """Runs a program in a separate process, without a chosen backend and without a display."""
    hidden = ("MPLBACKEND", "DISPLAY", "WAYLAND_DISPLAY")
    kept = {key: value for key, value in os.environ.items() if key not in hidden}
    program = PROGRAM.format(before=before, after=after)
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        env=kept | environment,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_without_a_display(tmp_path):
    """matplotlib is imported by the first plot, which is written without a display."""
    file = tmp_path / "plot.svg"
    drawn = f"hopflow.plot.throughput(result).figure.savefig({str(file)!r})"
    python("", f"with hopflow.plot.style():\n    {drawn}")
    assert ">VC1<" in file.read_text(encoding="utf-8")


def test_without_matplotlib():
    """The package works; a plot raises an error that says what to install and can be pickled."""
    after = (
        "for plot in (lambda: hopflow.plot.throughput(result), lambda: hopflow.plot.figure('x')):\n"
        "    try:\n"
        "        plot()\n"
        "    except hopflow.MissingPackageError as missing:\n"
        "        print(missing.name, missing)\n"
    )
    said = python("sys.modules['matplotlib'] = None", after).splitlines()
    assert len(said) == 2
    for line in said:
        assert line.startswith("matplotlib hopflow.plot needs")
        assert line.endswith("pip install hopflow[plot]")
    assert issubclass(hopflow.MissingPackageError, (hopflow.HopflowError, ImportError))
    back = pickle.loads(pickle.dumps(hopflow.MissingPackageError("why", name="matplotlib")))
    assert (type(back), str(back), back.name) == (hopflow.MissingPackageError, "why", "matplotlib")


def test_the_package_names_it_before_it_is_read():
    """Completion lists it, and an unknown name is still an error."""
    asked = ["'plot' in dir(hopflow)", "hasattr(hopflow, 'plots')", "'hopflow.plot' in sys.modules"]
    assert python("", f"print({', '.join(asked)})") == "True False False\n"


def test_settings_of_matplotlib_stay(result):
    """The style applies while a plot is drawn, not afterwards."""
    before = dict(pyplot.rcParams)
    ax = plot.throughput(result)
    assert dict(pyplot.rcParams) == before
    assert not ax.spines["top"].get_visible()


def test_a_backend_that_is_loaded_within_the_style_stays_interactive():
    """In a notebook the first figure loads the backend, which turns `interactive` on and shows only
    figures that are made while it is. All other settings are those from before."""
    pyplot.rcParams["interactive"] = False
    before = dict(pyplot.rcParams)
    with plot.style():
        pyplot.rcParams["interactive"] = True
        pyplot.rcParams["lines.linewidth"] = 7.0
    assert dict(pyplot.rcParams) == {**before, "interactive": True}
    pyplot.rcParams["interactive"] = False
    with pytest.raises(ZeroDivisionError), plot.style():
        1 / 0
    assert dict(pyplot.rcParams) == before
