"""Tables of results as Arrow."""

from __future__ import annotations

from typing import Any

from hopflow import _hopflow
from hopflow.errors import InputError


class Table:
    """Rows of a result, held as Arrow columns.

    Every library with the Arrow PyCapsule interface reads a table: ``polars.DataFrame(t)``,
    ``pyarrow.table(t)``, ``pandas.DataFrame.from_arrow(t)``, ``duckdb.from_arrow(t)``. The columns
    are handed over as they are; hopflow never copies them. pandas makes copies of its own.

    Names, order and types of the columns are those of the Parquet files of ``hopflow run``; texts
    of `Result.series` and `Result.trace`, which repeat often, are encoded as dictionaries.

    Examples
    --------
    >>> import hopflow
    >>> flows = hopflow.run(hopflow.template("parking-lot")).flows
    >>> len(flows)
    3
    >>> flows["vc"]
    ['VC1', 'VC2', 'VC3']
    >>> flows.meanings["throughput_bps"]
    'Delivered bits per second.'
    """

    __slots__ = ("_native",)

    def __init__(self, native: _hopflow.Table) -> None:
        self._native = native

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A new stream of all rows at each call, as the interface requires."""
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """The schema of the columns, as the interface requires."""
        return self._native.__arrow_c_schema__()

    def __len__(self) -> int:
        return len(self._native)

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order; they end in their units."""
        return self._native.columns

    @property
    def meanings(self) -> dict[str, str]:
        """What each column means, by its name."""
        return self._native.meanings()

    def __getitem__(self, column: str) -> list[Any]:
        """The values of a column as a list: int, float, str, or `None` for no value.

        Raises
        ------
        InputError
            There is no such column; the message lists all.
        """
        return self._native.values(column)

    def select(self, *columns: str) -> Table:
        """The same rows with some of the columns, in the order given; nothing is copied.

        A reader that converts texts then does so for the chosen columns only.

        Raises
        ------
        InputError
            There is no such column (the message lists all), one is named twice, or none is named.

        Examples
        --------
        >>> import hopflow
        >>> flows = hopflow.run(hopflow.template("parking-lot")).flows
        >>> flows.select("vc", "dropped_packets").to_dicts()[0]
        {'vc': 'VC1', 'dropped_packets': 0}
        """
        twice = sorted({name for name in columns if columns.count(name) > 1})
        if twice or not columns:
            why = f"`{twice[0]}` is named twice" if twice else "no column is named"
            raise InputError(f"{why}: the columns are {', '.join(self.columns)}")
        return Table(self._native.select(*columns))

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows, each a dictionary by the names of the columns. Needs no other package.

        Examples
        --------
        >>> import hopflow
        >>> links = hopflow.run(hopflow.template()).links
        >>> sorted(links.to_dicts()[0])[:2]
        ['busy_share', 'control_packets']
        """
        names = self.columns
        values = zip(*(self[name] for name in names), strict=True)
        return [dict(zip(names, row, strict=True)) for row in values]

    def __repr__(self) -> str:
        return f"<hopflow.Table: {len(self)} rows, {len(self.columns)} columns>"
