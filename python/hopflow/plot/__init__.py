"""Plots of runs, comparisons and papers, by matplotlib: ``pip install 'hopflow[plot]'``.

==============  ====================================================================
`series`        recorded series over simulated time
`delays`        the delays of flows: their distribution, or least, mean, p99 and greatest
`throughput`    the throughput of each flow, and its max-min fair share
`compare`       one measure of every control, from `hopflow.compare`
`figure`        all charts of an experiment of a paper, with the paper's marks
`chart`         one of them, with curves of your own over it
`experiment`    their data, to draw several times or by yourself
`curve`         a recorded series as two lists, in the units of a chart
`style`         the look of all these, for your own plots
==============  ====================================================================

`series`, `delays`, `throughput`, `compare` and `chart` take ``ax``, the `matplotlib.axes.Axes` to
draw in, and return it. Without it they make a new figure of `matplotlib.pyplot`; `figure` always
makes one and returns it. Close one with ``matplotlib.pyplot.close(ax.figure)``. matplotlib is
imported by the first call, not by ``import hopflow``; where it is missing, a
`hopflow.MissingPackageError` says how to install it.

Examples
--------
>>> import hopflow
>>> result = hopflow.run(hopflow.template("parking-lot"))
>>> ax = hopflow.plot.throughput(result)
>>> ax.get_ylabel()
'Throughput (Mb/s)'
"""

from hopflow.plot.canvas import style
from hopflow.plot.controls import compare
from hopflow.plot.delay import delays
from hopflow.plot.experiments import Chart, Curve, Experiment, Mark, experiment
from hopflow.plot.papers import chart, figure
from hopflow.plot.runs import curve, series, throughput

__all__ = [
    "Chart",
    "Curve",
    "Experiment",
    "Mark",
    "chart",
    "compare",
    "curve",
    "delays",
    "experiment",
    "figure",
    "series",
    "style",
    "throughput",
]
