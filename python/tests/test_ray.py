"""Sweeps by Ray: a worker that is killed in the middle, and a point that kills its workers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hopflow

pytestmark = pytest.mark.all

# Ray listens on all interfaces; this test allows it.
CODE = """
import os, signal, sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
import ray
import hopflow
import hopflow.sweeps
from hopflow.batches import make
from test_dask import AXES, scenario

PIDS = Path("pids")

def noting(text, beside, machines, objects, first, end):
    PIDS.joinpath(str(os.getpid())).touch()
    if first <= int(os.environ.get("DEADLY", -1)) < end:
        os._exit(1)
    return make(text, beside, machines, objects, first, end)

noting.__module__ = "__main__"
PIDS = PIDS.absolute()
PIDS.mkdir(exist_ok=True)
killed = []

def kill(done, _):
    if done > 0.3 and not killed and "DEADLY" not in os.environ:
        killed.append(int(next(PIDS.iterdir()).name))
        os.kill(killed[0], signal.SIGKILL)

env = {{"DEADLY": os.environ["DEADLY"]}} if "DEADLY" in os.environ else {{}}
ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100_000_000,
         log_to_driver=False, runtime_env={{"env_vars": env}})
try:
    hopflow.sweeps.make = noting
    found = hopflow.sweep(scenario(), AXES, out="s", seeds=2, engine="ray", progress=kill)
    points = [one["point"] for one in found["failures"]]
    print("result", found["rows"], found["failed"], len(killed), points)
finally:
    ray.shutdown()
"""


def by_ray(folder, **more):
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env = {**env, "RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", **more}
    (folder / "main.py").write_text(CODE.format(tests=str(Path(__file__).parent)))
    how = {"cwd": folder, "env": env, "timeout": 300}
    return subprocess.run([sys.executable, "main.py"], capture_output=True, text=True, **how)


def results(done):
    """The results that the program prints; Ray writes lines of its own to the same place."""
    return [line for line in done.stdout.splitlines() if line.startswith("result ")]


def test_workers_that_die(tmp_path):
    """If one is killed, all runs are there once, with the bytes of this machine alone. If a point
    kills its workers, it is reported, and the others are made."""
    pytest.importorskip("ray")
    from test_dask import AXES, rows_of, scenario

    hopflow.sweep(scenario(), AXES, out=tmp_path / "local", seeds=2)
    first = by_ray(tmp_path)
    assert results(first) == ["result 480 0 1 []"], first.stderr[-2000:]
    assert set(rows_of(tmp_path / "s").values()) == {1}
    one, other = [(tmp_path / name / "runs.parquet").read_bytes() for name in ("local", "s")]
    assert one == other
    other = tmp_path / "deadly"
    other.mkdir()
    second = by_ray(other, DEADLY="7")
    assert results(second) == ["result 478 1 0 [7]"], second.stderr[-2000:]


def test_ray_is_not_started_unasked(tmp_path):
    pytest.importorskip("ray")
    with pytest.raises(hopflow.InputError, match="ray.init"):
        hopflow.sweep(hopflow.template(), {"seed": [1, 2]}, out=tmp_path / "s", engine="ray")
