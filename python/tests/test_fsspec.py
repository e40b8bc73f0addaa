"""Sweeps below a URL: in memory, and on a server that speaks S3."""

import json
import os
import pickle
import re
import subprocess
import sys
import uuid

import fsspec
import pytest
from conftest import CHANCE, ROOT

import hopflow
from hopflow import sweeps
from hopflow.places import Objects

FIGURE = ROOT / "examples" / "figure-14.toml"
AXES = {"flow.VC1.control.n3": list(range(20, 100)), "control": ["as-is", "drop-tail"]}


def scenario():
    return hopflow.load(FIGURE).with_settings('duration="2 ms"')


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    folder = tmp_path_factory.mktemp("local") / "s"
    hopflow.sweep(scenario(), AXES, out=folder)
    return (folder / "runs.parquet").read_bytes()


@pytest.fixture(scope="module")
def s3():
    """A server of moto on this machine, with a bucket; and the options that fsspec needs for it."""
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
        env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )
    try:
        for line in server.stderr:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                break
        options = {"key": "k", "secret": "s", "endpoint_url": found[0]}
        fsspec.filesystem("s3", **options).mkdir("sweeps")
        yield options
    finally:
        server.kill()
        server.communicate()


@pytest.fixture(params=["memory", "s3"])
def place(request):
    """A URL without objects, and its options."""
    if request.param == "memory":
        return f"memory://sweeps/{uuid.uuid4()}", None
    return f"s3://sweeps/{uuid.uuid4()}", request.getfixturevalue("s3")


def test_the_dataset_is_that_of_a_directory(place, local):
    """Bytes, document and files; a second call makes no run, another plan is refused."""
    url, options = place
    found = hopflow.sweep(scenario(), AXES, out=url, storage_options=options)
    assert found["directory"] == url and found["rows"] == 160
    objects = Objects(url, options or {})
    assert objects.get("runs.parquet") == local
    names = ["report.html", "runs.parquet", "scenario.toml", "sweep.json"]
    assert [one for one in objects.names("") if one not in ("", "batches")] == names
    assert objects.names("batches") == []
    again = hopflow.sweep(scenario(), AXES, out=url, storage_options=options)
    assert again == found
    with pytest.raises(hopflow.InputError, match=f"{url}.*another sweep.*out="):
        hopflow.sweep(scenario(), AXES, out=url, storage_options=options, seeds=2)


def test_series_are_put_beside_the_dataset(place, tmp_path, monkeypatch):
    """Their bytes are those of a directory, also after a stop between the series and the rows."""
    url, options = place
    asked = {"seeds": 2, "series": ["queue of * at S"]}
    axes = {"duration": ["1 ms", "2 ms"]}
    recording = scenario().with_settings("record.queues=true", CHANCE)
    hopflow.sweep(recording, axes, out=tmp_path / "s", **asked)
    objects = Objects(url, options or {})
    put = Objects.put

    def stop(self, name, data):
        put(self, name, data)
        if name == "series.parquet":
            raise InterruptedError

    with monkeypatch.context() as patched:
        patched.setattr(Objects, "put", stop)
        with pytest.raises(InterruptedError):
            hopflow.sweep(recording, axes, out=url, storage_options=options, **asked)
    assert objects.get("runs.parquet") is None
    for _ in range(2):
        found = hopflow.sweep(recording, axes, out=url, storage_options=options, **asked)
        assert found["rows"] == 4
        for name in ("runs.parquet", "series.parquet"):
            assert objects.get(name) == (tmp_path / "s" / name).read_bytes()


def test_a_sweep_goes_on_from_its_objects(place, local, monkeypatch):
    """The batches of a stopped sweep are whole objects, none of which is made again."""
    url, options = place

    def stop(done, _):
        if done > 0.4:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        hopflow.sweep(scenario(), AXES, out=url, storage_options=options, progress=stop)
    objects = Objects(url, options or {})
    names = objects.names("batches")
    ranges = [tuple(map(int, re.findall(r"\d+", one))) for one in names]
    points = [point for first, end in ranges for point in range(first, end)]
    assert 0.4 * 160 < len(points) < 160 and len(points) == len(set(points))
    for name, (first, end) in zip(names, ranges, strict=True):
        assert objects.get(f"batches/{name}").count(b"\n") == end - first
    made = []
    real = sweeps.make_here
    monkeypatch.setattr(
        sweeps, "make_here", lambda *given: made.append(given[2:]) or real(*given)
    )
    found = hopflow.sweep(scenario(), AXES, out=url, storage_options=options)
    assert found["rows"] == 160
    again = [point for first, end in made for point in range(first, end)]
    assert sorted(again + points) == list(range(160))
    assert objects.get("runs.parquet") == local and objects.names("batches") == []


def test_the_plan_of_another_program_is_replaced(place):
    """Also where it has no rows: the plan names the program of the rows beside it, without which
    they would not be read."""
    few = {"duration": ["1 ms", "2 ms"]}
    found = []
    for before in (None, "another"):
        url, options = f"{place[0]}-{len(found)}", place[1]
        objects = Objects(url, options or {})
        if before is not None:
            objects.put("sweep.json", json.dumps({**found[0], "program": before}).encode())
        answer = hopflow.sweep(scenario(), few, out=url, storage_options=options)
        assert answer["stale"] == {"program": 0, "input": 0, "why": None}
        found.append(json.loads(objects.get("sweep.json")))
    assert found[0] == found[1] and found[0]["program"].startswith("hopflow ")


def test_an_object_is_written_once(place):
    """Of many that write one at once, one succeeds; the first stays. It can be pickled."""
    from concurrent.futures import ThreadPoolExecutor

    url, options = place
    objects = pickle.loads(pickle.dumps(Objects(url, options or {})))
    if url.startswith("s3"):
        with ThreadPoolExecutor(8) as pool:
            won = list(pool.map(lambda n: objects.once("batches/a", b"%d" % n), range(8)))
        assert won.count(True) == 1
        assert objects.get("batches/a") == b"%d" % won.index(True)
    else:
        assert objects.once("batches/a", b"1") and not objects.once("batches/a", b"2")
        assert objects.get("batches/a") == b"1"
    assert objects.names("batches") == ["a"] and objects.get("b") is None


def test_workers_write_their_objects(s3, local, tmp_path):
    """Two workers of Dask, in processes of their own, with objects on the server."""
    code = f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
import hopflow
from hopflow.places import Objects
from test_fsspec import AXES, scenario

if __name__ == "__main__":
    options, most = {s3!r}, [0]
    objects = Objects("s3://sweeps/by-dask", options)
    def look(done, _):
        most[0] = max(most[0], len(objects.names("batches")))
    hopflow.sweep(scenario(), AXES, out="s3://sweeps/by-dask", storage_options=options,
                  engine="dask", threads=2, progress=look)
    open("runs.parquet", "wb").write(objects.get("runs.parquet"))
    assert most[0] > 3, most
"""
    (tmp_path / "main.py").write_text(code)
    words = [sys.executable, "main.py"]
    ended = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "runs.parquet").read_bytes() == local


def test_a_server_that_is_gone_is_reported(s3):
    """As an error of the run, with what to do."""
    once = {"retries": {"max_attempts": 0}}
    options = {**s3, "endpoint_url": "http://127.0.0.1:9", "config_kwargs": once}
    with pytest.raises(hopflow.RunError, match="cannot be written"):
        hopflow.sweep(scenario(), AXES, out="s3://sweeps/gone", storage_options=options)
