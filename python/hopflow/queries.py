"""SQL over directories of results, by DuckDB: the package of the extra ``sql``.

DuckDB is imported by the first query, not by ``import hopflow``.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import os
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

from hopflow import _hopflow
from hopflow.errors import InputError, MissingPackageError, _reading

if TYPE_CHECKING:
    import duckdb

# The most rows of a printed table.
_MOST_ROWS = 200
# Rows fetched at a time.
_AT_A_TIME = 2_000
# The greatest integer that every reader of JSON reads exactly; greater ones are texts.
_EXACT = 1 << 53
_NO_ROWS = "the SQL gives no rows: end it with a `select`, such as `from runs`"


def query(sql: str, *places: str | os.PathLike[str]) -> duckdb.DuckDBPyRelation:
    """Runs SQL over directories of results: ``hopflow query``.

    Tables are the Parquet files of the directories under their names: ``vcs`` (also ``flows``),
    ``hops``, ``links``, ``ports``, ``queues``, ``lengths``, ``series``, ``trace``, and ``runs`` of
    a sweep. Each has a column ``directory`` in front. Rows of several directories are in one table.

    Parameters
    ----------
    sql : str
        SQL of DuckDB. ``show tables`` and ``describe flows`` list tables and columns.
    *places : str or os.PathLike
        Directories that ``run``, ``compare`` or ``sweep`` wrote. Default: the working directory if
        it is one, else all in its ``runs`` and ``sweeps``.

    Returns
    -------
    duckdb.DuckDBPyRelation
        ``fetchall()`` returns tuples, ``columns`` the names; ``pl()``, ``df()`` and Arrow's
        PyCapsule interface hand it to polars, pandas and pyarrow. Rows are read from the files
        when they are asked for; an error then is an exception of DuckDB. Before DuckDB 2, keep the
        relation as long as others that were made from it.

    Raises
    ------
    InputError
        The SQL is wrong (the message has the place), or a directory has no results, or a sweep that
        was stopped.
    MissingFileError
        A directory does not exist; also a `FileNotFoundError` and an `InputError`.
    MissingPackageError
        DuckDB is not installed.

    Examples
    --------
    >>> import hopflow, tempfile
    >>> scenario = hopflow.template().with_settings('duration="1 ms"')
    >>> folder = tempfile.mkdtemp() + "/s"
    >>> found = hopflow.sweep(scenario, {"seed": [3, 4, 5]}, out=folder)
    >>> hopflow.query("select seed, status from runs order by seed", folder).fetchall()
    [(3.0, 'complete'), (4.0, 'complete'), (5.0, 'complete')]
    """
    if not isinstance(sql, str):
        raise InputError(f"sql={sql!r}: give a text")
    with _reading(*places):
        found = _hopflow.views([os.fspath(place) for place in places])
    database = _database(json.loads(found))
    answer = _relation(sql, database)
    # Before DuckDB 2 a relation does not keep its database.
    weakref.finalize(answer, _let_go, database)
    return answer


def _let_go(_: duckdb.DuckDBPyConnection) -> None:
    """The database may be released."""


def _database(views: Sequence[dict[str, str]]) -> duckdb.DuckDBPyConnection:
    """A new database in memory that has the views."""
    try:
        import duckdb
    except ImportError as missing:
        text = "DuckDB, which runs the SQL, is not installed: pip install 'hopflow[sql]'"
        raise MissingPackageError(text) from missing
    database = duckdb.connect()
    try:
        for view in views:
            database.execute(view["sql"])
    except duckdb.Error as wrong:
        raise InputError(f"the results cannot be read: {wrong}") from wrong
    return database


def _relation(sql: str, database: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
    import duckdb

    try:
        answer = database.sql(sql)
    except duckdb.Error as wrong:
        raise _wrong(wrong) from wrong
    if answer is None:
        raise InputError(_NO_ROWS)
    return answer


def _wrong(wrong: Exception) -> InputError:
    return InputError(f"the SQL cannot be run: {wrong}")


def _run_sql(asked: str) -> int:
    """Called by the command: prints the answer to a query, and returns the exit code."""
    query = json.loads(asked)
    out: str | None = query["out"]
    try:
        database = _database(query["views"])
        if query["format"] == "parquet":
            assert out is not None, "the command asks for a file before this"
            answer = _relation(query["sql"], database)
            _write(out, lambda path: answer.write_parquet(path, compression="zstd"))
            return 0
        columns, rows = _begun(query["sql"], database)
        if out is None:
            _print(columns, rows, query["format"], sys.stdout)
            sys.stdout.flush()
        else:
            _write(out, lambda path: _print_to(path, columns, rows, query["format"]))
    except (InputError, MissingPackageError) as wrong:
        return _said(wrong, 2)
    except BrokenPipeError:
        # The reader of stdout is gone: nothing is reported, as is usual for pipes.
        _drop_stdout()
        return 0
    except OSError as wrong:
        if out is None:
            _drop_stdout()
        return _said(f"`{out or 'stdout'}` cannot be written: {wrong}", 4)
    return 0


def _drop_stdout() -> None:
    """Discards the rest of it: else the interpreter tries once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _begun(
    sql: str, database: duckdb.DuckDBPyConnection
) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """Runs all statements but the last, and begins that one: its columns, and its rows lazily."""
    import duckdb

    try:
        statements = database.extract_statements(sql)
        if not statements:
            raise InputError(_NO_ROWS)
        for one in statements[:-1]:
            database.execute(one)
        if duckdb.ExpectedResultType.NOTHING in statements[-1].expected_result_type:
            raise InputError(_NO_ROWS)
        cursor = database.execute(statements[-1])
        columns = [str(column[0]) for column in cursor.description or []]
        # The first rows are fetched at once, so that an error is reported before a heading.
        first = cursor.fetchmany(_AT_A_TIME)
    except duckdb.Error as wrong:
        raise _wrong(wrong) from wrong

    def rows() -> Iterator[tuple[Any, ...]]:
        some = first
        while some:
            yield from some
            try:
                some = cursor.fetchmany(_AT_A_TIME)
            except duckdb.Error as wrong:
                raise _wrong(wrong) from wrong

    return columns, rows()


def _said(text: object, code: int) -> int:
    print(f"error: {text}", file=sys.stderr)
    return code


def _write(out: str, write: Callable[[str], object]) -> None:
    """Writes a file whole or not at all: first beside its place."""
    import duckdb

    building = f"{out}.building-{os.getpid()}"
    try:
        write(building)
        os.replace(building, out)
    except duckdb.IOException as wrong:
        raise OSError(str(wrong)) from wrong
    except duckdb.Error as wrong:
        raise _wrong(wrong) from wrong
    finally:
        if os.path.exists(building):
            os.remove(building)


def _print_to(path: str, columns: list[str], rows: Iterator[tuple[Any, ...]], form: str) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        _print(columns, rows, form, file)


def _print(
    columns: list[str], rows: Iterator[tuple[Any, ...]], form: str, file: IO[str]
) -> None:
    if form == "csv":
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    elif form == "json":
        _print_json(columns, rows, file)
    else:
        _print_table(columns, rows, file)


def _print_json(columns: list[str], rows: Iterator[tuple[Any, ...]], file: IO[str]) -> None:
    before = "[\n  "
    for row in rows:
        one = {name: _plain(value) for name, value in zip(columns, row, strict=True)}
        file.write(before + json.dumps(one, ensure_ascii=False))
        before = ",\n  "
    file.write("[]\n" if before.startswith("[") else "\n]\n")


def _plain(value: object) -> object:
    """A value for JSON: no fraction that is not finite, no integer that readers would round."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _EXACT else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    return str(value)


def _print_table(head: list[str], answer: Iterator[tuple[Any, ...]], file: IO[str]) -> None:
    """Aligned columns: numbers flush right, a hyphen where there is no value."""
    rows = list(itertools.islice(answer, _MOST_ROWS + 1))
    shown = [[_cell(value) for value in row] for row in rows[:_MOST_ROWS]]
    columns = list(zip(head, *shown, strict=True))
    widths = [max(map(len, column)) for column in columns]
    numeric = [_is_numeric(row[place] for row in rows) for place in range(len(head))]
    for line in [head, ["-" * width for width in widths], *shown]:
        cells = zip(line, widths, numeric, strict=True)
        padded = [one.rjust(wide) if right else one.ljust(wide) for one, wide, right in cells]
        file.write("  ".join(padded).rstrip() + "\n")
    if len(rows) > _MOST_ROWS:
        file.flush()
        text = f"The first {_MOST_ROWS} rows; `--format csv` prints all."
        print(text, file=sys.stderr)


def _is_numeric(values: Iterable[object]) -> bool:
    kept = [value for value in values if value is not None]
    return bool(kept) and all(isinstance(value, (int, float)) for value in kept)


def _cell(value: object) -> str:
    return "-" if value is None else str(value).replace("\n", " ")
