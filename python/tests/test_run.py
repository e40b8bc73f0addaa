"""Runs: the same as the command, stopped by Ctrl-C and by exceptions, side by side, forked."""

import json
import os
import pickle
import subprocess
import sys
import threading
import types

import pytest
from conftest import COMMANDS, EXAMPLES, ROOT, command

import hopflow

LONG = ROOT / "examples" / "victim.toml"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_document_is_that_of_the_command(path):
    """Every example has the same digest and the same document, to the last key. The last command
    is the binary that cargo built, if there is one."""
    cut = ["--duration", "200 us"]
    try:
        result = hopflow.run(path, until=cut[1])
    except hopflow.RunError:
        # It has a warm-up, so the whole run is made.
        cut, result = [], hopflow.run(path)
    args = [*cut, "--no-directory", "--format", "json", "--quiet", "--yes"]
    printed = command("run", path, *args, program=COMMANDS[-1])
    assert printed.returncode in (0, 1), printed.stderr
    document = json.loads(printed.stdout)
    assert result.digest == document["manifest"]["digest"]
    assert result.document == document


def test_document_of_another_seed_is_that_of_the_command():
    """The seed is where the command puts it, also one that a file cannot hold."""
    path = ROOT / "examples" / "fat-tree.toml"
    for seed in (7, 2**64 - 1):
        result = hopflow.run(path, seed=seed, until="50 us")
        args = ["--seed", seed, "--duration", "50 us", "--no-directory", "--format", "json", "-q"]
        assert result.document == json.loads(command("run", path, *args).stdout)
        assert result.document["manifest"]["seed"] == str(seed)
    assert hopflow.run(path, seed=7, until="50 us").digest != result.digest


def test_bad_arguments_are_named():
    """A bare number where a unit exists is refused, and no number is silently truncated."""
    scenario = hopflow.template("chain")
    wrong = [
        ({"until": 5}, "has no unit"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**64}, "seed="),
        ({"seed": 1.5}, "seed=1.5"),
        ({"threads": 0}, "threads=0"),
        ({"threads": True}, "threads=True"),
    ]
    for arguments, said in wrong:
        with pytest.raises(hopflow.InputError, match=said):
            hopflow.run(scenario, **arguments)
    with pytest.raises(hopflow.InputError, match=r"hopflow\.loads"):
        hopflow.run(scenario.text)
    with pytest.raises(hopflow.InputError, match="not int"):
        hopflow.run(5)
    with pytest.raises(hopflow.ScenarioError) as caught:
        hopflow.run(scenario, until="5 bananas")
    assert "bananas" in str(caught.value)


def test_threads_without_end_run():
    """With more threads than any machine has, the run uses as many as the network can use."""
    few, many = (hopflow.run(LONG, until="20 us", threads=count) for count in (1, 2**64 - 1))
    assert few.digest == many.digest


def test_progress_goes_from_nothing_to_all():
    """The callable receives ps, in order, first 0 and last the total."""
    seen = []
    hopflow.run(LONG, progress=lambda now, end: seen.append((now, end)))
    ends = {end for _, end in seen}
    assert ends == {6_000_000_000}
    times = [now for now, _ in seen]
    assert times[0] == 0 and times[-1] == 6_000_000_000 and times == sorted(set(times))


def test_exception_in_progress_stops_the_run():
    """It is raised unchanged, in the middle of the run, and does not affect the next run."""

    class Enough(Exception):
        pass

    seen = []

    def stop(now, end):
        seen.append(now / end)
        if now > 0:
            raise Enough(now)

    with pytest.raises(Enough):
        hopflow.run(LONG, until="1 s", progress=stop)
    assert len(seen) == 2 and seen[1] < 1
    assert hopflow.run(LONG, until="1 ms").digest == hopflow.run(LONG, until="1 ms").digest


def test_run_inside_a_progress_call():
    """A callback may run another scenario."""
    inner = []

    def nested(now, end):
        inner.append(hopflow.run(hopflow.template()).digest)

    outer = hopflow.run(LONG, until="200 us", progress=nested)
    assert len(set(inner)) == 1 and outer.digest != inner[0]


def test_two_runs_in_two_threads():
    """The lock of the interpreter is free during a run, and digests are those of single runs."""
    alone = hopflow.run(LONG, until="2 ms").digest
    digests, ticks, done = [], 0, threading.Event()

    def work():
        digests.append(hopflow.run(LONG, until="2 ms").digest)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        ticks += 1
        done.wait(0.001)
    assert digests == [alone, alone]
    assert ticks > 3


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork_between_runs():
    """No thread of the engine lives on after a run, so a forked child runs as its parent."""
    scenario = hopflow.load(LONG)
    here = hopflow.run(scenario, until="1 ms", threads=2).digest
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, hopflow.run(scenario, until="1 ms", threads=2).digest.encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        assert pipe.read() == here
    assert os.waitpid(child, 0)[1] == 0


def test_scenario_is_pickled_and_a_result_is_not():
    """A scenario is the same after pickling; a result says what to send instead."""
    scenario = hopflow.load(LONG).with_settings("seed=9").under("credit")
    back = pickle.loads(pickle.dumps(scenario))
    assert (back.name, back.control, back.seed) == (scenario.name, "credit", 9)
    result = hopflow.run(scenario, until="1 ms")
    assert hopflow.run(back, until="1 ms").digest == result.digest
    with pytest.raises(TypeError, match="document"):
        pickle.dumps(result)


@pytest.mark.parametrize("progress", ["None", "lambda now, end: None"])
def test_ctrl_c_stops_a_run(progress):
    """SIGINT raises KeyboardInterrupt in the middle of a run that would take hours, also if
    no Python code runs meanwhile."""
    code = (
        "import hopflow, os, signal, sys, threading\n"
        "interrupt = lambda: os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Timer(0.5, interrupt).start()\n"
        "try:\n"
        f"    hopflow.run({str(LONG)!r}, until='40000 s', progress={progress})\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(7)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 7


def test_progress_in_a_notebook_is_one_output_that_changes(monkeypatch, capsys):
    """Not one per step, and nothing on stderr; the last text stays."""
    shown, shell = [], types.SimpleNamespace(kernel=object())
    handle = types.SimpleNamespace(update=lambda content, raw: shown.append(content["text/plain"]))

    def display(content, raw, display_id):
        assert raw and display_id and not shown
        shown.append(content["text/plain"])
        return handle

    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    displays = types.SimpleNamespace(display=display)
    monkeypatch.setitem(sys.modules, "IPython.display", displays)
    hopflow.run(LONG, until="1 ms", progress=True)
    assert shown[0].endswith("  0 %  0 of 1 ms") and shown[-1].endswith("100 %  1 of 1 ms")
    assert capsys.readouterr().err == ""


def test_progress_line_is_for_terminals(capsys):
    """Without a terminal `progress=True` writes nothing; on one it writes a line and removes it."""
    hopflow.run(LONG, until="1 ms", progress=True)
    assert capsys.readouterr().err == ""
    import pty

    parent, child = pty.openpty()
    code = f"import hopflow; hopflow.run({str(LONG)!r}, until='1 ms', progress=True)"
    with subprocess.Popen([sys.executable, "-c", code], stderr=child) as process:
        os.close(child)
        shown = b""
        while True:
            try:
                part = os.read(parent, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
    os.close(parent)
    assert process.returncode == 0
    assert b"100 %" in shown and b"1 of 1 ms" in shown and shown.endswith(b"\r\x1b[K")


def test_why_has_the_sentences_of_the_command():
    """The same sentences, in the same order."""
    setting = 'duration="1 ms"'
    printed = json.loads(command("why", LONG, "--format", "json", "--set", setting).stdout)
    result = hopflow.run(hopflow.load(LONG).with_settings(setting))
    sentences = [{name: getattr(one, name) for name in one.__slots__} for one in result.why()]
    assert sentences == printed["sentences"]
    assert all(one.vc == "victim" for one in result.why("victim"))
    assert str(result.why("victim")[0]) in str(result.why())
