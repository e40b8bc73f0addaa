"""Sweeps: the documents and files of the command; they continue, and refuse wrong arguments."""

import json
import os
import signal
import subprocess
import sys

import polars
import pytest
from conftest import CHANCE, ROOT, command

import hopflow

FIGURE = ROOT / "examples" / "figure-14.toml"
AXES = {"flow.VC1.control.n3": "20..100/3", "control": ["as-is", "drop-tail"]}
CUT = 'duration="1 ms"'


def test_a_sweep_is_that_of_the_command(tmp_path):
    """The same bytes of the dataset, and the same document except names of directory and file."""
    mine = hopflow.sweep(
        hopflow.load(FIGURE).with_settings(CUT, CHANCE),
        AXES,
        out=tmp_path / "a",
        seeds=2,
        measures=["vc/*/throughput_bps"],
        threads=1,
    )
    axes = ["--axis", "flow.VC1.control.n3=20..100/3", "--axis", "control=as-is,drop-tail"]
    more = ["--seeds", "2", "--measure", "vc/*/throughput_bps", "--set", CUT, "--set", CHANCE]
    folder = ["--out", tmp_path / "b", "--format", "json", "--quiet"]
    theirs = json.loads(command("sweep", FIGURE, *axes, *more, *folder).stdout)
    assert mine["rows"] == 12
    assert mine["estimates"] == theirs["estimates"]
    assert mine["measures"] == theirs["measures"]
    assert (tmp_path / "a/report.html").exists()
    one, other = [(tmp_path / name / "runs.parquet").read_bytes() for name in "ab"]
    assert one == other


def test_series_are_kept_beside_the_table(tmp_path):
    """The series of each run are those of the run itself; SQL reads them; a text is not a list."""
    scenario = hopflow.load(FIGURE).with_settings(CUT, "record.queues=true")
    axes, names = {"flow.VC1.control.n3": [60, 100]}, ["queue of VC1 at S", "queue of VC2 at S"]
    asked = {"out": tmp_path / "s", "series": ["queue of VC[0-9] at S"]}
    with pytest.raises(hopflow.InputError, match="did you mean `queue of VC"):
        hopflow.sweep(scenario, axes, **asked)
    asked["series"] = "queue of * at S"
    with pytest.raises(hopflow.InputError, match="give a list of patterns"):
        hopflow.sweep(scenario, axes, **asked)
    asked["series"] = names
    found = hopflow.sweep(scenario, axes, **asked)
    assert found["series"] == [{"name": name, "unit": "packets"} for name in names]
    rows = polars.read_parquet(tmp_path / "s" / "series.parquet")
    for point, n3 in enumerate([60, 100]):
        result = hopflow.run(scenario.with_settings(f"flow.VC1.control.n3={n3}"))
        for name in names:
            of = rows.filter(polars.col("point") == point, polars.col("series") == name)
            theirs = polars.DataFrame(result.series(name))
            assert of.height > 10
            assert of["value"].equals(theirs["value"])
            assert of["from_ps"].to_list() == theirs["time_ps"].to_list()
    sql = "select count(*) from series s join runs r using (key, point, replicate)"
    assert hopflow.query(sql, tmp_path / "s").fetchall() == [(rows.height,)]


def test_values_are_what_they_look_like(tmp_path):
    """Texts with a unit, with a comma, numbers as texts and numbers reach the scenario as such."""
    delays = ["10 us", "20 us"]
    found = hopflow.sweep(
        hopflow.load(FIGURE).with_settings(CUT),
        {"link.S->B.delay": delays, "title": ["a, b", "12"], "seed": [3, 4]},
        out=tmp_path / "s",
    )
    values = [point["values"] for point in found["estimates"]]
    assert [one["link.S->B.delay"] for one in values[::4]] == delays
    assert {one["title"] for one in values} == {'"a, b"', '"12"'}
    assert found["failed"] == 0 and found["rows"] == 8


def test_a_sweep_goes_on(tmp_path):
    """The runs before a callback stopped it are not made again; another plan is refused."""
    scenario = hopflow.load(FIGURE).with_settings('duration="500 ms"')
    axes = {"flow.VC1.control.n3": list(range(20, 60))}

    class Stop(Exception):
        pass

    def stop(done, _):
        if done > 0.2:
            raise Stop

    with pytest.raises(Stop):
        hopflow.sweep(scenario, axes, out=tmp_path / "s", progress=stop)
    stored = hopflow_rows(tmp_path / "s")
    assert 0 < stored < 40
    seen = []
    found = hopflow.sweep(
        scenario, axes, out=tmp_path / "s", progress=lambda done, _: seen.append(done)
    )
    assert found["rows"] == 40 and seen[-1] == 1.0
    with pytest.raises(hopflow.InputError, match="another sweep"):
        hopflow.sweep(scenario, axes, out=tmp_path / "s", seeds=2)


def hopflow_rows(folder):
    """The number of stored rows that `status` reports."""
    return json.loads(command("sweep", "status", folder, "--format", "json").stdout)["rows"]


def test_seeds_without_chance_are_one_run(tmp_path):
    """Nothing is random in the figure: two seeds are found to be the same, and one run is kept for
    each point."""
    axes = {"flow.VC1.control.n3": [20, 30]}
    scenario = hopflow.load(FIGURE).with_settings(CUT)
    assert hopflow.sweep(scenario, axes, out=tmp_path / "s", seeds=5)["rows"] == 2
    by_chance = scenario.with_settings(CHANCE)
    assert hopflow.sweep(by_chance, axes, out=tmp_path / "t", seeds=5)["rows"] == 10


def test_failures_are_rows(tmp_path):
    """A later point that is not a scenario is listed, with the command that repeats it."""
    axes = {"flow.VC1.control.n3": [20, -1]}
    found = hopflow.sweep(hopflow.load(FIGURE).with_settings(CUT), axes, out=tmp_path / "s")
    assert found["failed"] == 1
    (failure,) = found["failures"]
    assert failure["status"] == "unreadable" and failure["command"].startswith("hopflow run")


def test_what_is_wrong_is_reported(tmp_path):
    """Keys, values, rules and directories."""
    for axes, said in [
        ({"flow.VC1.control.n3": []}, "list of values"),
        ({"flow.VC1.control.n3": [None]}, "None"),
        ("flow.VC1.control.n3=1", "mapping"),
        ({"flow.VC1.control.n3": "10..20"}, "10..20"),
    ]:
        with pytest.raises(hopflow.InputError, match=said):
            hopflow.sweep(FIGURE, axes, out=tmp_path / "s")
    with pytest.raises(hopflow.ScenarioError) as caught:
        hopflow.sweep(FIGURE, {"flow.VC1.control.n33": [1]}, out=tmp_path / "s")
    assert caught.value.diagnostics
    with pytest.raises(hopflow.InputError, match="patterns"):
        hopflow.sweep(FIGURE, AXES, out=tmp_path / "s", measures="vc/*")
    with pytest.raises(hopflow.InputError, match="seeds"):
        hopflow.sweep(FIGURE, AXES, out=tmp_path / "s", until="throughput_bps within 1 %")
    assert not (tmp_path / "s").exists()


def test_ctrl_c_keeps_what_is_stored(tmp_path):
    """The process ends with KeyboardInterrupt, and the sweep of the directory can continue."""
    code = f"""
import hopflow
scenario = hopflow.load({str(FIGURE)!r}).with_settings('duration="50 ms"')
print("begun", flush=True)
axes = {{"flow.VC1.control.n3": list(range(20, 420))}}
hopflow.sweep(scenario, axes, out={str(tmp_path / "s")!r})
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "begun\n"
    while not (tmp_path / "s" / "journal-00001.jsonl").exists():
        assert process.poll() is None
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in said
    assert 0 < hopflow_rows(tmp_path / "s") < 400
