"""Tables of results as Arrow."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from hopflow import _hopflow
from hopflow.errors import InputError
from hopflow.packages import package

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy
    import polars

# What a table shows of itself.
SHOWN_ROWS = 10
SHOWN_COLUMNS = 6


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
    >>> flows.select("vc", "sent_packets", "dropped_packets").head(2)
    <hopflow.Table: 2 rows, 3 columns>
    vc   sent_packets  dropped_packets
    VC1          ...                0
    VC2          ...                0
    >>> "vc" in flows, flows.shape
    (True, (3, ...))
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
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self), len(self.columns)

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order; they end in their units."""
        return self._native.columns

    @property
    def meanings(self) -> dict[str, str]:
        """What each column means, by its name."""
        return self._native.meanings()

    def __iter__(self) -> Iterator[str]:
        """The names of the columns, as in a data frame; `to_dicts` has the rows."""
        return iter(self.columns)

    def __contains__(self, column: object) -> bool:
        """Whether there is a column of this name."""
        return column in self.columns

    def __getitem__(self, column: str) -> list[Any]:
        """The values of a column as a list: int, float, str, or `None` for no value.

        Raises
        ------
        InputError
            There is no such column; the message lists all.
        TypeError
            The argument is not the name of a column.
        """
        if not isinstance(column, str):
            why = "a table has columns by name, such as table[\"vc\"]; for rows"
            raise TypeError(f"{column!r}: {why} see head, to_dicts, to_polars and to_pandas")
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

    def __array__(self, *_: Any, **__: Any) -> Any:
        """Refused: the columns have several types. `to_numpy` has each."""
        raise TypeError("a table has columns of several types: take one, table.to_numpy(name)")

    def head(self, rows: int = 5) -> Table:
        """The first rows; nothing is copied.

        Raises
        ------
        InputError
            The number is negative.
        """
        if rows < 0:
            raise InputError(f"rows={rows}: give 0 or more")
        return Table(self._native.rows(0, rows))

    def to_polars(self) -> polars.DataFrame:
        """A data frame of polars; numbers are not copied.

        Raises
        ------
        MissingPackageError
            polars is not installed.
        """
        frame: polars.DataFrame = package("polars", "polars").DataFrame(self)
        return frame

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``, which copies the columns.

        Raises
        ------
        MissingPackageError
            pandas or pyarrow is not installed.
        """
        pandas = package("pandas", "pandas")
        package("pyarrow", "pyarrow")
        return pandas.DataFrame.from_arrow(self)

    def to_numpy(self, column: str) -> numpy.ndarray[Any, Any]:
        """A column as an array of numpy, without a Python object for each number.

        Whole numbers are ``uint64`` or ``uint32``, others ``float64``, texts ``object``. A column
        of whole numbers in which some have no value becomes ``float64`` with ``nan`` for these.

        Raises
        ------
        InputError
            There is no such column; the message lists all.
        MissingPackageError
            numpy is not installed.

        Examples
        --------
        >>> import hopflow
        >>> flows = hopflow.run(hopflow.template("parking-lot")).flows
        >>> flows.to_numpy("dropped_packets")
        array([0, 0, 0], dtype=uint64)
        """
        library = package("numpy", "numpy")
        array: numpy.ndarray[Any, Any]
        numbers = self._native.numbers(column)
        if numbers is None:
            array = library.array(self[column], dtype=object)
            return array
        values, kind, is_there = numbers
        array = library.frombuffer(values, dtype=kind)
        there = library.frombuffer(is_there, dtype=bool)
        return array if there.all() else library.where(there, array, library.nan)

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
        rows, columns = self.shape
        title = f"<hopflow.Table: {rows} rows, {columns} columns>"
        names, shown = self._first(SHOWN_COLUMNS)
        padded = []
        for name, values in zip(names, shown, strict=True):
            texts = [name, *map(_text, values)]
            width = max(map(len, texts))
            is_text = any(isinstance(value, str) for value in values)
            padded.append([text.ljust(width) if is_text else text.rjust(width) for text in texts])
        lines = ["  ".join(line).rstrip() for line in zip(*padded, strict=True)]
        return "\n".join([title, *lines, *self._rest(len(names), "; .columns has all names")])

    def _repr_html_(self) -> str:
        """The first rows, as notebooks show them; the meaning of a column is its tool tip."""
        rows, columns = self.shape
        names, shown = self._first(columns)
        meanings = self.meanings
        heads = "".join(
            f'<th title="{html.escape(meanings[name])}">{html.escape(name)}</th>' for name in names
        )
        body = "".join(
            f"<tr>{''.join(f'<td>{html.escape(_text(value))}</td>' for value in row)}</tr>"
            for row in zip(*shown, strict=True)
        )
        rest = "".join(f"<p>{html.escape(line)}</p>" for line in self._rest(columns, ""))
        return (
            '<div style="overflow-x: auto">'
            f"<p>{rows} rows, {columns} columns</p>"
            f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{rest}</div>"
        )

    def _first(self, most: int) -> tuple[list[str], list[list[Any]]]:
        """The names and first values of at most `most` columns."""
        names = self.columns[:most]
        first = self.head(SHOWN_ROWS)
        return names, [first[name] for name in names]

    def _rest(self, columns: int, more: str) -> list[str]:
        """A line on rows and columns that are not shown, if there are any."""
        rest = [(len(self) - SHOWN_ROWS, "rows"), (len(self.columns) - columns, f"columns{more}")]
        left = ", ".join(f"{count} more {what}" for count, what in rest if count > 0)
        return [left] if left else []


def _text(value: object) -> str:
    """A value as tables show it: six digits of a fraction, a dash for none."""
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
