"""Sweeps by Dask: a real scheduler and real workers, killed in the middle; no run is lost,
none is there twice, and the bytes are those of this machine alone."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import distributed
import polars
import pytest
from conftest import CHANCE, ROOT

import hopflow
from hopflow import _hopflow, experimental
from hopflow.batches import make

FIGURE = ROOT / "examples" / "figure-14.toml"
AXES = {"flow.VC1.control.n3": list(range(20, 140)), "control": ["as-is", "drop-tail"]}


def scenario(duration="5 ms"):
    return hopflow.load(FIGURE).with_settings(f'duration="{duration}"', CHANCE)


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """The dataset of this machine alone."""
    folder = tmp_path_factory.mktemp("local") / "s"
    hopflow.sweep(scenario(), AXES, out=folder, seeds=2)
    return (folder / "runs.parquet").read_bytes()


def start(folder, *words):
    # Without the variable every process compiles every import again.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with open(folder / "dask.log", "ab") as log:
        dask = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        return subprocess.Popen(dask, env=env, stdout=log, stderr=log, cwd=folder)


@pytest.fixture
def cluster(tmp_path):
    """A cluster in which a test may kill any process."""
    with started(tmp_path) as it:
        yield it


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A cluster that no test damages."""
    with started(tmp_path_factory.mktemp("shared")) as it:
        yield it


@contextmanager
def started(tmp_path):
    """A scheduler and two workers, each a process without a nanny, until the block ends."""
    here = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    file = tmp_path / "scheduler.json"
    processes = [
        start(tmp_path, "scheduler", *here, "--port", "0", "--scheduler-file", file)
    ]
    one = ["--nthreads", "1", "--no-nanny", "--scheduler-file", file]
    try:
        while not file.exists():
            assert processes[0].poll() is None, (tmp_path / "dask.log").read_text()
            time.sleep(0.05)
        for _ in range(2):
            processes.append(start(tmp_path, "worker", *here, *one, "--local-directory", tmp_path))
        with distributed.Client(scheduler_file=str(file)) as client:
            client.wait_for_workers(2, timeout=60)
            yield client, processes, file
    finally:
        for process in processes:
            process.kill()
            process.wait()


def listening(pid):
    """The addresses at which a process listens, as Linux reports them: little-endian words."""
    sockets = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            sockets.add(os.readlink(link))
        except FileNotFoundError:
            pass
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            if words[3] == "0A" and f"socket:[{words[9]}]" in sockets:
                found.append(words[1].split(":")[0])
    return found


LOOPBACK = {"0100007F", "00000000000000000000000001000000"}


def only_loopback(pids):
    found = [address for pid in pids for address in listening(pid)]
    return bool(found) and set(found) <= LOOPBACK


def rows_of(folder):
    """The number of times that each run is in the dataset."""
    rows = polars.read_parquet(folder / "runs.parquet")
    return Counter(zip(rows["point"].to_list(), rows["replicate"].to_list(), strict=True))


def test_a_killed_worker_loses_nothing(cluster, local, tmp_path):
    """`kill -9` of one of two workers with a third of the points stored."""
    client, (scheduler, victim, other), _ = cluster
    assert only_loopback([scheduler.pid, victim.pid, other.pid])
    victim_is_dead = []

    def kill(done, _):
        if done > 0.3 and not victim_is_dead:
            os.kill(victim.pid, signal.SIGKILL)
            victim.wait()
            victim_is_dead.append(done)

    found = hopflow.sweep(
        scenario(), AXES, out=tmp_path / "s", seeds=2, engine="dask", client=client, progress=kill
    )
    assert victim_is_dead and victim_is_dead[0] < 0.9
    assert len(client.nthreads()) == 1
    assert found["rows"] == 480 and found["failed"] == 0
    counted = rows_of(tmp_path / "s")
    assert len(counted) == 480 and set(counted.values()) == {1}
    assert (tmp_path / "s" / "runs.parquet").read_bytes() == local


def test_a_scheduler_that_does_not_answer_is_reported(cluster, tmp_path, monkeypatch):
    """The same error if the client finds out when it asks for the number of workers."""
    client, _, _ = cluster

    def gone():
        raise OSError("Timed out trying to connect")

    monkeypatch.setattr(client, "nthreads", gone)
    with pytest.raises(hopflow.RunError, match="connect. What is stored is safe"):
        hopflow.sweep(
            scenario(), AXES, out=tmp_path / "s", seeds=2, engine="dask", client=client,
        )


def test_a_scheduler_that_is_gone_is_reported(cluster, local, tmp_path):
    """As an error of the run; stored runs stay, and a sweep on this machine continues."""
    client, (scheduler, _, _), _ = cluster

    def kill(done, _):
        if done > 0.3 and scheduler.poll() is None:
            scheduler.kill()
            scheduler.wait()

    with pytest.raises(hopflow.RunError, match="What is stored is safe"):
        hopflow.sweep(
            scenario(), AXES, out=tmp_path / "s", seeds=2, engine="dask", client=client,
            progress=kill,
        )
    stored = (tmp_path / "s" / "journal-00001.jsonl").read_text().count("\n")
    assert 0.3 * 480 < stored < 480
    hopflow.sweep(scenario(), AXES, out=tmp_path / "s", seeds=2)
    assert (tmp_path / "s" / "runs.parquet").read_bytes() == local


def test_what_a_killed_driver_stored_stays(shared, local, tmp_path):
    """The process that hands out batches is killed; the same call continues, and so does a sweep
    on this machine alone."""
    client, _, file = shared
    code = f"""
import hopflow, distributed
client = distributed.Client(scheduler_file={str(file)!r})
scenario = hopflow.load({str(FIGURE)!r}).with_settings('duration="5 ms"', {CHANCE!r})
hopflow.sweep(scenario, {AXES!r}, out={str(tmp_path / "s")!r}, seeds=2, engine="dask",
              client=client, progress=lambda done, _: print(done, flush=True))
"""
    driver = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    for line in driver.stdout:
        if float(line) > 0.3:
            driver.kill()
            break
    driver.communicate()
    seen = []

    def stop(done, _):
        seen.append(done)
        if done > 0.5:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        hopflow.sweep(
            scenario(), AXES, out=tmp_path / "s", seeds=2, engine="dask", client=client,
            progress=stop,
        )
    assert len(seen) > 2
    found = hopflow.sweep(scenario(), AXES, out=tmp_path / "s", seeds=2)
    assert found["rows"] == 480
    assert set(rows_of(tmp_path / "s").values()) == {1}
    assert (tmp_path / "s" / "runs.parquet").read_bytes() == local


def test_a_rule_and_points_that_are_none(shared, tmp_path):
    """The last seeds and the points that are not scenarios are those of this machine alone."""
    client, _, _ = shared
    axes = {"flow.VC1.control.n3": [20, -1, 40], "duration": ["1 ms", "2 ms", "no time"]}
    rule = {"seeds": 12, "until": "throughput_bps within 3 %"}
    corrupt = scenario().with_settings("defaults.link.corrupt-data=0.05")
    for name, more in [("a", {}), ("b", {"engine": "dask", "client": client})]:
        found = hopflow.sweep(corrupt, axes, out=tmp_path / name, **rule, **more)
        assert found["failed"] == 5
    one, other = [(tmp_path / name / "runs.parquet").read_bytes() for name in "ab"]
    assert one == other


def test_a_cluster_of_its_own_listens_to_this_machine(tmp_path):
    """Without a client: processes of this machine, each of which listens at loopback alone."""
    code = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import hopflow
from test_dask import AXES, only_loopback, scenario
from pathlib import Path

def all_below(pid):
    own = [int(one) for task in Path(f"/proc/{{pid}}/task").iterdir()
           for one in (task / "children").read_text().split()]
    return [pid, *(one for child in own for one in all_below(child))]

checked = []
def look(done, _):
    if done > 0.2 and not checked:
        checked.append(only_loopback(all_below(os.getpid())))

if __name__ == "__main__":
    hopflow.sweep(scenario(), AXES, out="s", engine="dask", threads=2, progress=look)
    assert checked == [True], checked
    print("fine")
"""
    (tmp_path / "main.py").write_text(code)
    ended = subprocess.run(
        [sys.executable, "main.py"], capture_output=True, text=True, cwd=tmp_path, timeout=120
    )
    assert ended.stdout == "fine\n", ended.stderr


def test_a_worker_of_another_version_refuses(shared, tmp_path):
    """With one error, not one per point; nothing is stored."""
    client, _, _ = shared
    plan = _hopflow.SweepPlan(scenario()._native, ["--axis=seed=1,2"])
    text = plan.text.replace(hopflow.__version__, "0.0.1")
    with pytest.raises(hopflow.InputError, match="0.0.1.*install the same"):
        client.submit(make, text, str(tmp_path), (), None, 0, 1, pure=False).result()


def test_a_point_that_kills_its_worker_is_reported(tmp_path):
    """A nanny restarts the worker; the other points of the batch are made."""
    code = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import hopflow.batches, hopflow.sweeps
from hopflow.batches import make
from test_dask import scenario
import hopflow, distributed

def deadly(text, beside, machines, objects, first, end):
    if first <= 7 < end:
        os._exit(1)
    return make(text, beside, machines, objects, first, end)

if __name__ == "__main__":
    hopflow.sweeps.make = deadly
    import dask
    dask.config.set({{"distributed.scheduler.allowed-failures": 1}})
    axes = {{"flow.VC1.control.n3": list(range(20, 60))}}
    found = hopflow.sweep(scenario("1 ms"), axes, out="s", engine="dask", threads=2)
    (failure,) = found["failures"]
    assert (failure["point"], failure["status"], found["failed"]) == (7, "killed", 1), failure
    assert "n3=27" in failure["command"], failure
    assert found["rows"] == 39, found["rows"]
    hopflow.sweeps.make = make
    again = hopflow.sweep(scenario("1 ms"), axes, out="s", engine="dask", threads=2)
    assert again["rows"] == 40 and again["failed"] == 0
    print("fine")
"""
    (tmp_path / "main.py").write_text(code)
    ended = subprocess.run(
        [sys.executable, "main.py"], capture_output=True, text=True, cwd=tmp_path, timeout=120
    )
    assert ended.stdout == "fine\n", ended.stderr


def test_machines_of_python(shared, tmp_path):
    """Workers make runs of an algorithm that is sent by value, with the bytes of this process
    alone."""

    @experimental.scheduler("last-first")
    class LastFirst:
        def __init__(self, port):
            pass

        def next(self, ready, now):
            return ready[-1]

    mine = {"kind": "external", "machine": "last-first"}
    network = hopflow.Network.of(hopflow.template("parking-lot")).defaults("switch", scheduler=mine)
    scenario = network.scenario(machines=[LastFirst]).with_settings('duration="21 ms"')
    axes = {"seed": [1, 2, 3, 4]}
    hopflow.sweep(scenario, axes, out=tmp_path / "here")
    hopflow.sweep(scenario, axes, out=tmp_path / "there", engine="dask", client=shared[0])
    here, there = (tmp_path / one / "runs.parquet" for one in ("here", "there"))
    assert here.read_bytes() == there.read_bytes()
    assert set(polars.read_parquet(there)["status"]) == {"complete"}
