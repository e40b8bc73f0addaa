"""Tables: equal values in every library, columns of the Parquet files, and no copies."""

import html
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from conftest import command

import hopflow

NAMES = ["flows", "hops", "links", "queues", "ports", "lengths", "trace"]
FILES = {"flows": "vcs", "trace": "trace-00001"}


def table(result, name):
    return result.series() if name == "series" else getattr(result, name)


@pytest.mark.parametrize("name", [*NAMES, "series"])
def test_equal_values_in_every_library(traced, name):
    """pyarrow, polars, pandas and duckdb have the rows of the list of dictionaries."""
    own = table(traced, name)
    rows = own.to_dicts()
    assert len(rows) == len(own)
    assert pyarrow.table(own).to_pylist() == rows
    assert polars.DataFrame(own).to_dicts() == rows
    seen = duckdb.from_arrow(own)
    assert [dict(zip(seen.columns, row, strict=True)) for row in seen.fetchall()] == rows
    frame = pandas.DataFrame.from_arrow(own)
    assert list(frame.columns) == own.columns
    for column in own.columns:
        values = [None if pandas.isna(value) else value for value in frame[column]]
        assert values == own[column], column


@pytest.fixture(scope="session")
def stored(traced, tmp_path_factory):
    """The run of `traced`, as the command writes it."""
    folder = tmp_path_factory.mktemp("stored") / "run"
    path, until = traced.scenario.name, f"{traced.document['end_ps']} ps"
    args = ["--set", "record.trace=true", "--duration", until, "--out", folder, "-q"]
    written = command("run", path, *args)
    assert written.returncode == 0, written.stderr
    return folder


@pytest.mark.parametrize("name", [*NAMES, "series"])
def test_tables_are_the_parquet_files(traced, stored, name):
    """Columns, order, nullability and every value are those of the files of the command."""
    file = pyarrow.parquet.read_table(stored / f"{FILES.get(name, name)}.parquet")
    own = pyarrow.table(table(traced, name))
    assert own.column_names == file.column_names
    assert own.to_pylist() == file.to_pylist()
    for ours, theirs in zip(own.schema, file.schema, strict=True):
        kind = ours.type.value_type if pyarrow.types.is_dictionary(ours.type) else ours.type
        assert (kind, ours.nullable) == (theirs.type, theirs.nullable), ours.name


def test_there_is_something_to_compare(traced):
    """The run behind these tests has events, credits or losses, series with values, and nulls."""
    trace = traced.trace
    assert len(trace) > 1000 and {"born", "arrived", "left"} <= set(trace["event"])
    assert len(traced.series()) > 100
    is_victim = "victim" in traced.scenario.name
    assert is_victim == (None in trace["credit_packets"]) == ("credit" not in trace["kind"])


def test_a_stream_is_fresh_at_each_call(traced):
    """duckdb reads a table several times for one query, and two queries read it again."""
    trace = traced.trace
    connection = duckdb.connect()
    connection.register("trace", trace)
    count = connection.sql("select count(*) from trace").fetchall()[0][0]
    assert count == len(trace)
    again = connection.sql("select count(*) from trace where event = 'born'").fetchall()
    again = again[0][0]
    assert again == trace["event"].count("born")
    assert pyarrow.table(trace).num_rows == pyarrow.table(trace).num_rows == len(trace)


def test_columns_are_not_copied(traced):
    """Two tables of pyarrow hold the same memory: ours, which lives as long as they do."""
    first, second = pyarrow.table(traced.trace), pyarrow.table(traced.trace)
    for name in ("time_ps", "fill_packets"):
        addresses = [
            [chunk.buffers()[1].address for chunk in one.column(name).chunks]
            for one in (first, second)
        ]
        assert addresses[0] == addresses[1] and addresses[0]
    result = hopflow.run(hopflow.template())
    links = pyarrow.table(result.links)
    values = links.to_pylist()
    del result
    assert links.to_pylist() == values


def test_numbers_of_polars_are_ours(traced):
    """polars takes integer columns over without a copy."""
    frame, table = polars.DataFrame(traced.trace), pyarrow.table(traced.trace)
    for name in ("time_ps", "value", "fill_packets", "credit_packets"):
        # polars would join several batches, which copies them: there is one.
        [ours], [theirs] = table.column(name).chunks, frame[name].get_chunks()
        assert ours.buffers()[1].address == theirs.to_arrow().buffers()[1].address


def test_chosen_columns_are_the_same_memory(traced):
    """In the order given, at the same addresses; a name that is wrong or twice is an error."""
    whole, names = pyarrow.table(traced.trace), ["value", "time_ps", "node"]
    some = pyarrow.table(traced.trace.select(*names))
    assert some.column_names == names and some.equals(whole.select(names))
    for name in ("value", "time_ps"):
        [ours], [theirs] = whole.column(name).chunks, some.column(name).chunks
        assert ours.buffers()[1].address == theirs.buffers()[1].address
    for wrong, why in [(["speed"], "time_ps"), (["vc", "vc"], "`vc` is named twice"), ([], "none")]:
        with pytest.raises(hopflow.InputError, match=why.replace("none", "no column is named")):
            traced.trace.select(*wrong)


GROWTH = """
import hopflow, polars
def resident():
    with open("/proc/self/status") as lines:
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])
scenario = hopflow.template().with_settings("record.trace=true", 'duration="1 s"')
trace = hopflow.run(scenario).trace
polars.DataFrame(trace.select("time_ps"))  # what polars itself needs
before = resident()
frame = polars.DataFrame(trace.select("time_ps", "value", "fill_packets", "credit_packets"))
assert frame["time_ps"].max() > 0
print(len(trace), before, resident())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_integers_of_a_trace_take_no_memory_again():
    """2.7 million rows into polars: the process grows by less than a tenth."""
    done = subprocess.run([sys.executable, "-c", GROWTH], capture_output=True, text=True)
    rows, before, after = map(int, done.stdout.split())
    assert rows > 2_000_000 and after - before < before / 10, done.stdout


def test_a_row_of_a_trace_takes_42_bytes(traced):
    """8 of the time, 4 of each name and number, 1 of each word."""
    types = [field.type for field in pyarrow.table(traced.trace).schema]
    stored = [one.index_type if pyarrow.types.is_dictionary(one) else one for one in types]
    assert sum(one.bit_width for one in stored) == 42 * 8


def test_one_series_is_a_part_of_all(traced):
    """Each by its name; all in the order of names; an unknown one is an error that lists them."""
    rows = [row for name in traced.series_names for row in traced.series(name).to_dicts()]
    assert rows == traced.series().to_dicts()
    with pytest.raises(hopflow.InputError, match=f"`{traced.series_names[0]}`"):
        traced.series("queue of nobody")


def test_nothing_recorded_is_an_empty_table():
    """The columns are there, the rows are not."""
    result = hopflow.run(hopflow.template().with_settings("record.trace=false"), until="9 us")
    assert len(result.trace) == 0 and polars.DataFrame(result.trace).shape == (0, 11)
    assert pyarrow.table(result.trace).num_rows == 0
    assert duckdb.from_arrow(result.trace).fetchall() == []


def test_unknown_column_lists_all(traced):
    """The message lists the columns."""
    with pytest.raises(hopflow.InputError, match="throughput_bps"):
        traced.flows["speed"]


@pytest.mark.parametrize("name", [*NAMES, "series"])
def test_arrays_of_numpy_have_the_values(traced, name):
    """Each column: the values of the list, ``nan`` where a number is missing; no other types."""
    own = table(traced, name)
    schema = own.to_polars().schema
    for column in own:
        values, array = own[column], own.to_numpy(column)
        assert len(array) == len(values)
        if array.dtype == object:
            assert list(array) == values
            assert schema[column] in (polars.String, polars.Categorical)
            continue
        assert array.dtype in ("uint64", "uint32", "float64")
        missing = [one is None for one in values]
        assert list(numpy.isnan(array)) == missing
        there = [one for one in values if one is not None]
        assert [one for one in array if not numpy.isnan(one)] == there


def test_a_table_is_looked_at_and_iterated(traced):
    """Rows and columns are counted, names iterated, first rows kept; mistakes are explained."""
    trace = traced.trace
    assert trace.shape == (len(trace), len(trace.columns))
    assert list(trace) == trace.columns
    assert "vc" in trace and "speed" not in trace and 0 not in trace
    rows = trace.to_dicts()
    for count in (0, 1, 5, len(trace), len(trace) + 1):
        assert trace.head(count).to_dicts() == rows[:count]
    assert trace.to_polars().to_dicts() == rows
    assert list(trace.to_pandas().columns) == trace.columns
    with pytest.raises(TypeError, match="0: a table has columns by name"):
        trace[0]
    with pytest.raises(TypeError, match="several types"):
        numpy.asarray(trace)
    with pytest.raises(hopflow.InputError, match="rows=-1: give 0 or more"):
        trace.head(-1)
    with pytest.raises(hopflow.InputError, match="there is no column `speed`"):
        trace.to_numpy("speed")


def test_a_table_shows_its_first_rows(traced):
    """As text and as HTML: the first rows, how many follow, and meanings as tool tips."""
    trace = traced.trace
    lines = repr(trace).splitlines()
    assert lines[0] == f"<hopflow.Table: {len(trace)} rows, {len(trace.columns)} columns>"
    assert lines[1].split() == trace.columns[:6] and len(lines) == 1 + 1 + 10 + 1
    more = f"{len(trace) - 10} more rows, {len(trace.columns) - 6} more columns"
    assert lines[-1] == f"{more}; .columns has all names"
    page = trace._repr_html_()
    assert page.count("<tr>") == 11 and page.count("<th ") == len(trace.columns)
    assert f'title="{html.escape(trace.meanings["time_ps"])}"' in page
    assert f"{len(trace) - 10} more rows" in page
    few = trace.select("time_ps", "vc").head(2)
    assert len(repr(few).splitlines()) == 4


def test_packages_that_are_missing_are_named(monkeypatch):
    """What a call needs, and how to install it."""
    flows = hopflow.run(hopflow.template()).flows
    for name, call in [
        ("polars", flows.to_polars),
        ("pandas", flows.to_pandas),
        ("pyarrow", flows.to_pandas),
        ("numpy", lambda: flows.to_numpy("vc")),
    ]:
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, name, None)
            with pytest.raises(hopflow.MissingPackageError, match=f"pip install {name}"):
                call()
