"""A job array on a cluster of one node, with the Slurm of the system, without accounting."""

import getpass
import os
import shutil
import socket
import subprocess
import time

import polars
import pytest
from conftest import CHANCE, ROOT

import hopflow

pytestmark = pytest.mark.all

FIGURE = ROOT / "examples" / "figure-14.toml"
AXES = {"flow.VC1.control.n3": list(range(20, 80)), "control": ["as-is", "drop-tail"]}
LIMIT_S = 240


def program(name):
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed; on Debian: apt-get install slurm-wlm")
    return found


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def until(condition, what):
    limit = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < limit, what()
        time.sleep(0.2)


CONFIGURATION = """
ClusterName=local
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={here}/state
SlurmdSpoolDir={here}/spool
SlurmctldPidFile={here}/slurmctld.pid
SlurmdPidFile={here}/slurmd.pid
SlurmctldLogFile={here}/slurmctld.log
SlurmdLogFile={here}/slurmd.log
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=15
KillWait=2
SchedulerParameters=batch_sched_delay=1,sched_interval=5,sched_min_interval=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """One controller and one node; both end with the test."""
    controller, daemon = program("slurmctld"), program("slurmd")
    program("sbatch")
    here = tmp_path / "slurm"
    for name in ("state", "spool"):
        (here / name).mkdir(parents=True)
    host = socket.gethostname().split(".")[0]
    facts = {"host": host, "user": getpass.getuser(), "here": here}
    text = CONFIGURATION.format(**facts, ports=(free_port(), free_port()))
    (here / "slurm.conf").write_text(text)
    monkeypatch.setenv("SLURM_CONF", str(here / "slurm.conf"))
    with open(here / "said", "wb") as said:
        started = [[controller, "-D", "-c"], [daemon, "-D", "-N", host]]
        processes = [subprocess.Popen(one, stdout=said, stderr=said) for one in started]

    def idle():
        listed = subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True)
        return listed.stdout.strip() == "idle"

    try:
        until(idle, lambda: (here / "said").read_text())
        yield
    finally:
        subprocess.run(["scancel", "--user", getpass.getuser()], capture_output=True)
        time.sleep(1)
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=30)


def test_an_array_survives_a_requeue(slurm, tmp_path):
    """A running task is requeued; no run is lost or there twice, and the collected dataset has the
    bytes of the local sweep."""
    scenario = hopflow.load(FIGURE).with_settings('duration="100 ms"', CHANCE)
    hopflow.sweep(scenario, AXES, out=tmp_path / "a", seeds=2)
    folder = tmp_path / "b"
    laid = hopflow.sweep(
        scenario, AXES, out=folder, seeds=2, engine="slurm", tasks=4, submit=True
    )
    job = laid["job"]
    assert laid["tasks"] == 4 and laid["batches"] == 60 and job.isdigit()
    until(lambda: len(list(folder.glob("batches/*.jsonl"))) > 5, lambda: "no batch")
    assert len(list(folder.glob("batches/*.jsonl"))) < 50
    queue = ["squeue", "-h", "-r", "-t", "R", "-j", job, "-o", "%K"]
    running = subprocess.run(queue, capture_output=True, text=True).stdout.split()
    requeue = ["scontrol", "requeue", f"{job}_{running[0]}"]
    subprocess.run(requeue, check=True)

    def gone():
        listed = subprocess.run(["squeue", "-h", "-j", job], capture_output=True, text=True)
        return listed.stdout.strip() == ""

    until(gone, lambda: (folder / "slurm-0.out").read_text())
    said = (folder / f"slurm-{running[0]}.out").read_text()
    assert "were there" in said, said
    found = subprocess.run(laid["collect"], shell=True, capture_output=True, text=True)
    assert "240 runs" in found.stderr and "lack" not in found.stderr, found.stderr
    rows = polars.read_parquet(folder / "runs.parquet")
    assert len(set(zip(rows["point"], rows["replicate"], strict=True))) == len(rows) == 240
    one, other = [(tmp_path / name / "runs.parquet").read_bytes() for name in "ab"]
    assert one == other


def test_what_sbatch_refuses_is_reported(slurm, tmp_path, monkeypatch):
    """With the command that submits the array, which is laid out."""
    monkeypatch.setenv("SBATCH_PARTITION", "none-such")
    said = "(?s)sbatch refused.*partition.*sbatch .*slurm.sbatch"
    with pytest.raises(hopflow.RunError, match=said):
        hopflow.sweep(FIGURE, AXES, out=tmp_path / "s", engine="slurm", submit=True)
    assert (tmp_path / "s" / "slurm.sbatch").exists()
