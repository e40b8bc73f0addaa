"""compare, size, reproduce and diff: they return exactly what the commands print."""

import json
import os
import signal
import subprocess
import sys

import pytest
from conftest import EXAMPLES, ROOT, command

import hopflow

VICTIM = ROOT / "examples" / "victim.toml"


def printed(*args):
    return json.loads(command(*args, "--format", "json").stdout)


def test_compare_is_that_of_the_command():
    """Every measure of every control: those of the file, those given by name, and with seeds."""
    cut = ["--no-directory", "--quiet", "--duration", "700 us"]
    assert hopflow.compare(VICTIM, until="700 us") == printed("compare", VICTIM, *cut)
    names = ["pfc", "drop-tail"]
    by_name = hopflow.compare(VICTIM, names, until="700 us", seed=3)
    args = ["--control", ",".join(names), "--seed", "3"]
    assert by_name == printed("compare", VICTIM, *cut, *args)
    assert [one["control"] for one in by_name["controls"]] == names
    seeds = hopflow.compare(VICTIM, names, until="700 us", seeds=2)
    args = ["--control", ",".join(names), "--seeds", "2"]
    assert seeds == printed("compare", VICTIM, *cut, *args)


def test_compare_says_what_is_wrong():
    """Unknown controls, a scenario under another control, and arguments that do not fit."""
    with pytest.raises(hopflow.InputError, match="magic"):
        hopflow.compare(VICTIM, ["magic"])
    with pytest.raises(hopflow.InputError, match="under 'pfc' already"):
        hopflow.compare(hopflow.load(VICTIM).under("pfc"))
    with pytest.raises(hopflow.ScenarioError) as caught:
        hopflow.compare(VICTIM, until="1 parsec")
    assert caught.value.diagnostics
    with pytest.raises(hopflow.InputError, match="name the controls"):
        hopflow.compare(hopflow.template())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_sizes_are_those_of_the_command(path):
    """Every example, or the same refusal."""
    done = command("size", path, "--format", "json")
    if done.returncode == 0:
        assert hopflow.size(path) == json.loads(done.stdout)
    else:
        with pytest.raises(hopflow.InputError) as caught:
            hopflow.size(path)
        assert str(caught.value) in done.stderr


def test_sizes_of_one_link():
    """Credit, lanes and pause; options are those of the command."""
    link = {"rate": "400 Gb/s", "delay": "300 m"}
    args = ["--rate", "400 Gb/s", "--delay", "300 m"]
    assert hopflow.size(**link) == printed("size", *args)
    assert hopflow.size(**link, lanes=True) == printed("size", *args, "--lanes")
    pause = {"pfc": True, "frame": "1538 B", "response": "1 us"}
    more = ["--pfc", "--frame", "1538 B", "--response", "1 us"]
    assert hopflow.size(**link, **pause) == printed("size", *args, *more)
    assert hopflow.size(**link, n2=20) == printed("size", *args, "--n2", "20")


def test_sizes_refuse_what_has_no_unit():
    """Bare numbers, unknown options, and options without those that they need."""
    for wrong in ({"rate": 400.0}, {"rate": 400}, {"rate": "400"}, {"speed": "1 Gb/s"}, {}):
        with pytest.raises(hopflow.InputError):
            hopflow.size(**({"delay": "300 m"} | wrong))
    with pytest.raises(hopflow.InputError, match="command alone"):
        hopflow.size(format="csv")


def test_claims_are_those_of_the_command(tmp_path):
    """The same claims and verdicts; nothing is written here; near misses are named."""
    os.chdir(tmp_path)
    seen = []
    answer = hopflow.reproduce("kung94.fig6", progress=lambda done, all: seen.append((done, all)))
    assert not list(tmp_path.iterdir())
    assert answer == printed("reproduce", "kung94.fig6", "--quiet")
    assert seen[0] == (0.0, 1.0) and seen[-1] == (1.0, 1.0)
    with pytest.raises(hopflow.InputError, match="kung94.fig14"):
        hopflow.reproduce("fig14")


def test_diff_is_that_of_the_command(tmp_path):
    """The same run twice is the same; another seed is not, and the places are reported."""
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        path, out = ROOT / "examples" / "incast.toml", tmp_path / name
        command("run", path, "--seed", seed, "--duration", "20 us", "--out", out, "--quiet")
    assert hopflow.diff(tmp_path / "a", tmp_path / "b")["same"] is True
    other = hopflow.diff(tmp_path / "a", tmp_path / "c")
    assert other["same"] is False and other["differences"]
    assert other == printed("diff", tmp_path / "a", tmp_path / "c")


def test_exception_in_progress_stops_the_work():
    """`compare` raises it unchanged, long before the end."""

    class Enough(Exception):
        pass

    def stop(done, all):
        if seen:
            raise Enough
        seen.append(done)

    seen = []
    with pytest.raises(Enough):
        hopflow.compare(VICTIM, until="1000 s", progress=stop)


def test_ctrl_c_stops_compare():
    """SIGINT raises KeyboardInterrupt, though the work is done in other threads."""
    code = (
        "import hopflow, sys\n"
        "def report(done, all):\n"
        "    print('going', flush=True)\n"
        "try:\n"
        f"    hopflow.compare({str(VICTIM)!r}, until='1000 s', progress=report)\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(7)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    for _ in range(2):
        assert process.stdout.readline() == "going\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode == 7
