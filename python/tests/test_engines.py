"""Batches: where they are cut, mistakes in engines, and objects below a URL."""

import heapq
import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT, command

import hopflow
from hopflow.batches import AHEAD, MOST, Cutter, drive

FIGURE = ROOT / "examples" / "figure-14.toml"
AXES = {"flow.VC1.control.n3": list(range(20, 50)), "control": ["as-is", "drop-tail"]}


def scenario():
    return hopflow.load(FIGURE).with_settings('duration="1 ms"')


def test_batches_cover_what_lacks():
    """Each point once, in order, within its range; batches get longer if runs are short, and short
    again towards the end."""
    for seconds_per_point, longest in [(1e-3, 1000), (0.5, 2), (10.0, 1), (1e-9, MOST)]:
        cutter = Cutter([(0, 40_000), (50_000, 50_003)])
        seen, sizes = [], []
        while (batch := cutter.next(4)) is not None:
            first, end = batch
            assert (first >= 50_000) == (end > 40_000)
            seen += range(first, end)
            sizes.append(end - first)
            cutter.took(batch, (end - first) * seconds_per_point, 4)
        assert seen == [*range(40_000), *range(50_000, 50_003)]
        assert sizes[0] == 1 and sizes[-1] <= max(1, longest // 10)
        # The last ones before the gap, too, except for the rest there.
        assert sizes[-3] <= max(1, longest // 10)
        assert longest / 4 <= max(sizes) <= min(longest, 5000)


def test_many_slots_do_not_drown_the_caller():
    """docs/sweep.md: 10^6 runs of 15 ms on 3,200 equal slots, with a caller that takes 5.3 or
    1.2 ms per batch and 15.5 us per row, are 11,930 batches and 79 or 30 s."""
    for caller_s, expected_s in [(5.3e-3, 79), (1.2e-3, 30)]:
        cutter, slots, batches, flying, now = Cutter([(0, 10**6)]), 3200, 0, 0, 0.0
        free, ended = [0.0] * slots, []
        while True:
            while flying < AHEAD * slots and (batch := cutter.next(slots)) is not None:
                flying, batches, now = flying + 1, batches + 1, now + caller_s / 2
                end = max(heapq.heappop(free), now) + (batch[1] - batch[0]) * 0.015
                heapq.heappush(free, end)
                heapq.heappush(ended, (end, batch))
            if flying == 0:
                break
            end, batch = heapq.heappop(ended)
            points = batch[1] - batch[0]
            flying, now = flying - 1, max(now, end) + caller_s / 2 + points * 15.5e-6
            cutter.took(batch, points * 0.015, slots)
        assert batches == 11_930 and round(now) == expected_s


class Shaky:
    """Workers that die with any batch that has one of these points; batches end out of order."""

    def __init__(self, bad):
        self.bad, self.flying, self.submitted = bad, [], []

    def slots(self):
        return 2

    def submit(self, batch):
        self.flying.append(batch)
        self.submitted.append(batch)

    def next(self):
        first, end = self.flying.pop(len(self.flying) // 2)
        if self.bad & set(range(first, end)):
            return (first, end), None
        return (first, end), (f"{first} {end}", 0.01 * (end - first))

    def close(self, done):
        pass


class Noted:
    def __init__(self):
        self.added = []

    def lacking(self):
        return [(0, 300)]

    def add(self, lines):
        self.added += range(*map(int, lines.split()))


def test_a_point_that_kills_its_worker_is_found():
    """The others of its batch are made; the one that kills is made alone, and reported."""
    for bad in [set(), {7}, {0, 299}, {120, 121, 250}]:
        pool, place, seen = Shaky(bad), Noted(), []
        assert drive(place, pool, seen.append) == sorted(bad)
        assert sorted(place.added) == [one for one in range(300) if one not in bad]
        assert all((one, one + 1) in pool.submitted for one in bad)
        assert seen[0] == 0.0 and seen[-1] == 1.0 and seen == sorted(seen)


def test_an_engine_that_does_not_fit_is_refused(tmp_path):
    for given, said in [
        ({"engine": "dsak"}, "local, dask, ray, slurm"),
        ({"client": 1}, "client does not belong to engine='local'"),
        ({"engine": "dask", "submit": True}, "submit does not belong"),
        ({"engine": "dask", "client": 1}, "distributed.Client"),
        ({"tasks": 3}, "tasks"),
        ({"engine": "slurm", "tasks": 0}, "tasks=0"),
        ({"storage_options": {}}, "storage_options"),
    ]:
        with pytest.raises(hopflow.InputError, match=said):
            hopflow.sweep(scenario(), AXES, out=tmp_path / "s", **given)
    assert not (tmp_path / "s").exists()
    with pytest.raises(hopflow.InputError, match="a directory that all machines share"):
        hopflow.sweep(scenario(), AXES, out="memory://s", engine="slurm")
    with pytest.raises(hopflow.InputError, match="nosuch"):
        hopflow.sweep(scenario(), AXES, out="nosuch://bucket/s")


@pytest.mark.parametrize(
    "given, extra",
    [
        ("engine='dask'", "dask"),
        ("engine='ray'", "ray"),
        ("out='s3://bucket/s'", "fs"),
    ],
)
def test_a_package_that_lacks_is_named(given, extra, tmp_path):
    """As in an environment without the package."""
    code = f"""
import sys
for name in ("distributed", "ray", "fsspec"):
    sys.modules[name] = None
import hopflow
try:
    hopflow.sweep({str(FIGURE)!r}, {{"flow.VC1.control.n3": [20, 30]}}, {given})
except hopflow.MissingPackageError as lacks:
    print(lacks)
"""
    words = [sys.executable, "-c", code]
    ended = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert f"pip install 'hopflow[{extra}]'" in ended.stdout, ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_array_is_laid_out_and_made(tmp_path):
    """Tasks as Slurm would start them, one of them killed and started again; the collected dataset
    has the bytes of the local sweep. The second array has only the missing runs."""
    hopflow.sweep(scenario(), AXES, out=tmp_path / "a")
    folder = tmp_path / "b"
    laid = hopflow.sweep(scenario(), AXES, out=folder, engine="slurm", tasks=2)
    assert laid["batches"] == 30 and laid["tasks"] == 2 and laid["job"] is None
    assert laid["submit"] == f"sbatch {folder}/slurm.sbatch"

    def start(task):
        environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}
        return subprocess.Popen(["sh", folder / "slurm.sbatch"], env=environment)

    killed = start(0)
    while not list(folder.glob("batches/*.jsonl")):
        assert killed.poll() is None
    killed.kill()
    killed.wait()
    some = json.loads(command("sweep", "status", folder, "--format", "json").stdout)["rows"]
    assert 0 < some <= 30
    again = hopflow.sweep(scenario(), AXES, out=folder, engine="slurm", tasks=2)
    assert again["batches"] == (60 - some) // 2
    # Both at once, one of them twice.
    tasks = [start(task) for task in (0, 1, 1)]
    assert [task.wait() for task in tasks] == [0, 0, 0], (folder / "slurm-1.out").read_text()
    said = subprocess.run(laid["collect"], shell=True, capture_output=True, text=True)
    assert said.returncode == 0 and "60 runs" in said.stderr, said.stderr
    assert (folder / "report.html").exists()
    one, other = [(tmp_path / name / "runs.parquet").read_bytes() for name in "ab"]
    assert one == other
    none = hopflow.sweep(scenario(), AXES, out=folder, engine="slurm", tasks=2)
    assert none["batches"] == 0 and none["submit"] is None
