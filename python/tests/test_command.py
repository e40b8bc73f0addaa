"""The command of the wheel: one program, with two names."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import COMMANDS, ROOT, command

VICTIM = ROOT / "examples" / "victim.toml"


def module(*args, **options):
    return subprocess.run(
        [sys.executable, "-m", "hopflow", *map(str, args)],
        capture_output=True, text=True, timeout=120, **options,
    )


@pytest.mark.parametrize("args", [["--help"], ["run", "--help"], ["--version"], []])
def test_one_help_text(args):
    """The script, `python -m hopflow` and the binary print the same."""
    said = [command(*args, program=program) for program in COMMANDS] + [module(*args)]
    assert len({(one.stdout, one.stderr, one.returncode) for one in said}) == 1
    assert said[0].returncode == 0 and "hopflow" in said[0].stdout


def test_exit_codes(tmp_path):
    """0 fine, 1 a checked property, 2 bad input, 4 not written: as with the binary."""
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("version = 2\nx = 1\n")
    cases = [
        (["size", "--rate", "400 Gb/s", "--delay", "300 m"], 0),
        (["run", wrong], 2),
        (["run", "--no-such-option"], 2),
        (["diff", tmp_path / "a", tmp_path / "b"], 2),
    ]
    for args, code in cases:
        for program in COMMANDS:
            assert command(*args, program=program).returncode == code, args
        assert module(*args).returncode == code, args


def test_full_disk_is_4():
    """Output that cannot be written to stdout ends with 4."""
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no full device here")
    with open("/dev/full", "w") as full:
        script = [str(COMMANDS[0]), "size", "--rate", "1 Gb/s", "--delay", "1 us"]
        done = subprocess.run(script, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 4, done.stderr


@pytest.mark.parametrize("program", COMMANDS, ids=lambda path: path.parent.name)
def test_ctrl_c_keeps_what_is_complete(program, tmp_path):
    """One Ctrl-C ends a run with 130 and an incomplete directory that says so."""
    out = tmp_path / "run"
    args = [str(program), "run", str(VICTIM), "--duration", "1000 s", "--out", str(out), "--yes"]
    process = subprocess.Popen(args, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    # The handler is installed before anything is written.
    while not any(tmp_path.iterdir()):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=120)[1]
    assert process.returncode == 130, said
    assert "Interrupted" in said and (out / "summary.json").exists()


@pytest.mark.parametrize("program", COMMANDS, ids=lambda path: path.parent.name)
def test_closed_pipe_is_quiet(program):
    """`hopflow schema | head -1` prints nothing on stderr."""
    line = f"'{program}' schema | head -1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    assert done.stdout == "{\n" and done.stderr == ""
