"""Bundles: those of the command, byte for byte, and their check."""

import json

import pytest
from conftest import ROOT, command

import hopflow

FIGURE = ROOT / "examples" / "figure-14.toml"


@pytest.fixture
def run(tmp_path):
    """A run directory, and its bundle made by the command."""
    done = command("run", FIGURE, "--duration", "2 ms", "--quiet", "--out", tmp_path / "a")
    assert done.returncode == 0, done.stderr
    done = command("bundle", tmp_path / "a", "--out", tmp_path / "theirs.tar", "--quiet")
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_a_bundle_is_that_of_the_command(run):
    """The bytes are the same, and the document describes it; its check makes the run again."""
    made = hopflow.bundle(run / "a", run / "mine.tar")
    assert (run / "mine.tar").read_bytes() == (run / "theirs.tar").read_bytes()
    digest = json.loads((run / "a" / "manifest.json").read_text())["digest"]
    assert (made["kind"], made["digest"], made["runs"]) == ("run", digest, 1)
    assert made["bytes"] == (run / "mine.tar").stat().st_size
    assert "scenario/scenario.toml" in made["files"]
    seen = []
    found = hopflow.check_bundle(run / "mine.tar", progress=lambda done, _: seen.append(done))
    assert (found["same"], found["made"], found["all"], found["differences"]) == (True, 1, 1, [])
    assert seen[-1] == 1.0


def test_what_is_wrong_is_reported(run):
    """Places, files that exist, damage, arguments."""
    with pytest.raises(hopflow.InputError, match="exists"):
        hopflow.bundle(run / "a", run / "theirs.tar")
    hopflow.bundle(run / "a", run / "theirs.tar", force=True)
    with pytest.raises(hopflow.InputError, match="not a directory of results"):
        hopflow.bundle(run)
    with pytest.raises(hopflow.InputError, match="is a directory"):
        hopflow.check_bundle(run / "a")
    bytes_ = bytearray((run / "theirs.tar").read_bytes())
    bytes_[bytes_.index(b"n3 = 155")] ^= 1
    (run / "theirs.tar").write_bytes(bytes_)
    with pytest.raises(hopflow.InputError, match="was changed"):
        hopflow.check_bundle(run / "theirs.tar")
    with pytest.raises(hopflow.InputError, match="sample"):
        hopflow.check_bundle(run / "theirs.tar", sample=0)
