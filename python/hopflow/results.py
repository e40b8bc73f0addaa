"""The result of a run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hopflow import _hopflow
from hopflow.documents import RunDocument
from hopflow.scenarios import Scenario
from hopflow.tables import Table


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence about a run, as text and as data.

    Attributes
    ----------
    severity : str
        ``"detail"``, ``"info"``, ``"warning"`` or ``"broken"`` (a property every run must keep).
    cause : str
        Its subject in one word, such as ``"bottleneck"`` or ``"credit"``.
    by : str or None
        The cause more closely, such as ``"marks"`` for a congestion window.
    vc, link : str or None
        The flow and the link direction it is about.
    at_ps : int or None
        The instant it is about, in picoseconds; `None`: the whole run.
    numbers : dict of str to float
        The numbers of the sentence; a name ends in the unit.
    text : str
        The sentence.
    change : str or None
        What to change to remove the cause.
    """

    severity: str
    cause: str
    by: str | None
    vc: str | None
    link: str | None
    at_ps: int | None
    numbers: dict[str, float]
    text: str
    change: str | None

    def __str__(self) -> str:
        return f"{self.text} {self.change}" if self.change else self.text


class Sentences(list[Sentence]):
    """Sentences; ``print`` writes one per line, without the details of hops."""

    def __str__(self) -> str:
        return "\n".join(str(one) for one in self if one.severity != "detail")

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


class Result:
    """The result of a run. It never changes, so threads may share it.

    `run` returns one. A result cannot be pickled: in a worker process, return what you need of it,
    such as `document`.

    Examples
    --------
    >>> import hopflow
    >>> result = hopflow.run(hopflow.template())
    >>> result
    <hopflow.Result of 'scenario.toml': digest 2b07e075d8bf93cb, 1 flows>
    >>> result.document["vcs"][0]["name"]
    'VC1'
    """

    def __init__(self, native: _hopflow.Run, scenario: Scenario) -> None:
        self._native = native
        self._scenario = scenario

    @property
    def scenario(self) -> Scenario:
        """The scenario that was run, before `run` replaced its seed and its end."""
        return self._scenario

    @property
    def digest(self) -> str:
        """16 hexadecimal digits, equal for equal runs, also those of the command."""
        return self._native.digest

    @cached_property
    def document(self) -> RunDocument:
        """The document that ``hopflow run --format json`` prints; docs/results.md has its keys."""
        document: RunDocument = json.loads(self._native.document())
        return document

    @property
    def violations(self) -> list[str]:
        """Properties that every run must keep and this one broke, in words; empty if none."""
        return self._native.violations()

    @cached_property
    def flows(self) -> Table:
        """One row per flow, with the columns of ``vcs.parquet``."""
        return Table(self._native.totals("vcs"))

    @cached_property
    def hops(self) -> Table:
        """One row per flow and link that it crosses, with the columns of ``hops.parquet``."""
        return Table(self._native.totals("hops"))

    @cached_property
    def links(self) -> Table:
        """One row per link direction, with the columns of ``links.parquet``."""
        return Table(self._native.totals("links"))

    @cached_property
    def queues(self) -> Table:
        """One row per flow and hop: the queue at the sending end, as in ``queues.parquet``."""
        return Table(self._native.totals("queues"))

    @cached_property
    def ports(self) -> Table:
        """One row per sending port, with the columns of ``ports.parquet``."""
        return Table(self._native.totals("ports"))

    @cached_property
    def lengths(self) -> Table:
        """One row per port and length of its queue, where the scenario keeps lengths."""
        return Table(self._native.totals("lengths"))

    @property
    def series_names(self) -> list[str]:
        """The names of the recorded series, which ``[record]`` of the scenario selects."""
        return self._native.series_names()

    def series(self, name: str | None = None) -> Table:
        """A recorded series over simulated time, or all of them.

        Parameters
        ----------
        name : str, optional
            One of `series_names`. Default: all series in one table.

        Returns
        -------
        Table
            One row per value, with the columns of ``series.parquet``: ``time_ps``, ``value`` in the
            unit that ``unit`` names, and the subject of the series. A series without values has one
            row without time and value.

        Raises
        ------
        InputError
            There is no such series.

        Examples
        --------
        >>> import hopflow
        >>> scenario = hopflow.template().with_settings('record.queues=["S"]')
        >>> result = hopflow.run(scenario)
        >>> "queue of VC1 at S" in result.series_names
        True
        >>> series = result.series("queue of VC1 at S")
        >>> series["time_ps"][0], series["value"][0], series["unit"][0]
        (0, 0.0, 'packets')
        """
        return Table(self._native.series(name))

    @cached_property
    def trace(self) -> Table:
        """One row per event, with the columns of ``trace-00001.parquet``, in order of time.

        Empty unless the scenario asks for events: ``trace = true`` under ``[record]``. Each row
        takes 42 bytes of memory.

        Examples
        --------
        >>> import hopflow
        >>> scenario = hopflow.template().with_settings("record.trace=true")
        >>> trace = hopflow.run(scenario, until="1 ms").trace
        >>> trace["event"][0], trace["time_ps"][0]
        ('born', 0)
        """
        return Table(self._native.trace)

    def why(self, flow: str | None = None) -> Sentences:
        """What limited each flow, in sentences, as ``hopflow why`` prints them.

        Parameters
        ----------
        flow : str, optional
            Only sentences about this flow. Default: all.

        Returns
        -------
        Sentences
            A list of `Sentence`.

        Examples
        --------
        >>> import hopflow
        >>> result = hopflow.run(hopflow.template())
        >>> result.why("VC1")[0].cause
        'outcome'
        """
        sentences = (Sentence(**one) for one in json.loads(self._native.why()))
        return Sentences(one for one in sentences if flow is None or one.vc == flow)

    def _repr_html_(self) -> str:
        return self._native.page()

    def __repr__(self) -> str:
        flows = len(self._scenario.flows)
        return f"<hopflow.Result of {self._scenario.name!r}: digest {self.digest}, {flows} flows>"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a Result is not pickled: send its `document` or its tables instead")
