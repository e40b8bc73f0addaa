"""SQL over directories of results: by the function, and by the command of the wheel."""

import csv
import io
import json
import os
import subprocess
import sys

import polars
import pytest
from conftest import CHANCE, ROOT, SCRIPT, command

import hopflow

FIGURE = ROOT / "examples" / "figure-14.toml"
N3 = "flow.VC1.control.n3"
CUT = 'duration="1 ms"'


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder with two runs and a sweep."""
    here = tmp_path_factory.mktemp("results")
    for name, more in [("a", []), ("b", ["--seed", "7"])]:
        out = ["--quiet", "--out", here / "runs" / name, "--trace"]
        done = command("run", FIGURE, "--set", CUT, *more, *out)
        assert done.returncode == 0, done.stderr
    scenario = hopflow.load(FIGURE).with_settings(CUT, CHANCE)
    hopflow.sweep(scenario, {N3: [60, 80, 100]}, seeds=2, out=here / "sweeps" / "s")
    return here


def test_tables_are_those_of_the_files(results):
    """Every Parquet file is a table with its rows; several directories form one; `flows` is
    `vcs`; the parts of a trace are `trace`."""
    run = results / "runs" / "a"
    names = {row[0] for row in hopflow.query("show tables", run).fetchall()}
    files = {path.stem.split("-0")[0] for path in run.glob("*.parquet")}
    assert names == files | {"flows"} and {"vcs", "links", "trace"} <= names
    for name in ["vcs", "links", "series"]:
        mine = hopflow.query(f"select * exclude directory from {name}", run).pl()
        assert mine.equals(polars.read_parquet(run / f"{name}.parquet"))
    assert hopflow.query("select count(*) from trace", run).fetchall()[0][0] > 1000
    both = hopflow.query(
        "select directory, count(*) from flows group by 1 order by 1", run, results / "runs" / "b"
    )
    assert both.fetchall() == [(str(run), 3), (str(results / "runs" / "b"), 3)]
    sql = f'select "{N3}", count(*) from runs group by 1 order by 1'
    found = hopflow.query(sql, results / "sweeps" / "s", run).fetchall()
    assert found == [(60.0, 2), (80.0, 2), (100.0, 2)]


def test_formats(results):
    """A table, CSV, JSON and Parquet have the same rows; without a directory, all found here."""
    sql = "select directory, vc, throughput_bps, 9007199254740993 as big, null as none from flows"
    sql += " order by 1, 2"
    rows = hopflow.query(sql, results / "runs/a", results / "runs/b").fetchall()

    def run(*args):
        done = command("query", sql, *args, cwd=results)
        assert done.returncode == 0, done.stderr
        return done.stdout

    table = run().splitlines()
    assert table[0].split() == ["directory", "vc", "throughput_bps", "big", "none"]
    assert len(table) == 2 + len(rows) == 8 and table[2].split()[-1] == "-"
    head, *seen = csv.reader(io.StringIO(run("--format", "csv")))
    assert head[1] == "vc" and [float(row[2]) for row in seen] == [row[2] for row in rows]
    found = json.loads(run("--format", "json"))
    assert [one["throughput_bps"] for one in found] == [row[2] for row in rows]
    assert found[0]["big"] == "9007199254740993" and found[0]["none"] is None
    run("--format", "parquet", "--out", "answer.parquet")
    assert polars.read_parquet(results / "answer.parquet").height == 6
    again = command("query", sql, "--out", "answer.parquet", cwd=results)
    assert again.returncode == 2 and "--force" in again.stderr
    run("--format", "csv", "--out", "answer.parquet", "--force")
    assert (results / "answer.parquet").read_text().startswith("directory,vc,")
    none = command("query", "select 1 where false", "--format", "json", cwd=results)
    assert json.loads(none.stdout) == []


def test_examples_of_the_help_work(results, tmp_path):
    """Every line of `hopflow query --help` works in the folder that has its directories."""
    for line, place in [("figure-14", "runs/a"), ("n3", "sweeps/s")]:
        (tmp_path / place.split("/")[0]).mkdir()
        (tmp_path / place.split("/")[0] / line).symlink_to(results / place)
    shown = command("query", "--help").stdout.replace("\\\n", " ")
    lines = [line for line in shown.splitlines() if line.startswith("  hopflow query")]
    assert len(lines) == 3
    path = {**os.environ, "PATH": f"{SCRIPT.parent}:{os.environ['PATH']}"}
    for line in lines:
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=path, capture_output=True)
        assert done.returncode == 0 and done.stdout, (line, done.stderr)


def test_long_printed_tables_are_cut(results):
    """200 rows and a note; CSV has all."""
    sql = "select * from range(300)"
    done = command("query", sql, cwd=results)
    assert len(done.stdout.splitlines()) == 202 and "--format csv" in done.stderr
    done = command("query", sql, "--format", "csv", cwd=results)
    assert len(done.stdout.splitlines()) == 301 and done.stderr == ""


def test_what_is_wrong_is_reported(results, tmp_path):
    """SQL with the place, directories, formats: one error each, exit code 2."""
    for args, said in [
        (["select * frm flows"], "LINE 1"),
        (["select nothing from flows"], "nothing"),
        (["select error('late') from flows"], "late"),
        (["create table x (y int)"], "no rows"),
        (["select 1", tmp_path], "not a directory of results"),
        (["select 1", "--format", "parquet"], "--out"),
    ]:
        done = command("query", *args, cwd=results)
        assert done.returncode == 2 and done.stderr.startswith("error: "), done.stderr
        assert said in done.stderr and "Traceback" not in done.stderr, done.stderr
    with pytest.raises(hopflow.InputError, match="LINE 1"):
        hopflow.query("selec 1", results / "runs" / "a")
    with pytest.raises(hopflow.InputError, match="not a directory of results"):
        hopflow.query("select 1", tmp_path)
    with pytest.raises(FileNotFoundError, match="no-such") as caught:
        hopflow.query("select 1", tmp_path / "no-such")
    assert isinstance(caught.value, hopflow.InputError)
    (tmp_path / "sweep.json").write_text("{}")
    (tmp_path / "journal-00001.jsonl").write_text("")
    with pytest.raises(hopflow.InputError, match="sweep compact"):
        hopflow.query("select 1", tmp_path)


def test_without_duckdb(results):
    """The message says what to install; in Python it is an ImportError, too."""
    code = "import sys; sys.modules['duckdb'] = None; import hopflow; "
    lib = code + "hopflow.query('select 1', 'runs/a')"
    run = dict(cwd=results, capture_output=True, text=True)
    done = subprocess.run([sys.executable, "-c", lib], **run)
    assert "MissingPackageError" in done.stderr and "hopflow[sql]" in done.stderr
    tool = code + "sys.argv[1:] = ['query', 'select 1']; import hopflow.__main__ as m; m.main()"
    done = subprocess.run([sys.executable, "-c", tool], **run)
    assert done.returncode == 2 and "hopflow[sql]" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


def test_pipes_and_full_disks(results):
    """A reader that is gone is not an error; a full disk is 4."""
    line = f"'{SCRIPT}' query 'select * from range(1000000)' --format csv | head -1"
    done = subprocess.run(["sh", "-c", line], cwd=results, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("range\n", "")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            args = [str(SCRIPT), "query", "select 1"]
            done = subprocess.run(args, cwd=results, stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 4 and b"cannot be written" in done.stderr, done.stderr
