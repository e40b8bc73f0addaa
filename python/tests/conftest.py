"""Parts that several tests need."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Plots are drawn into memory.
os.environ["MPLBACKEND"] = "Agg"

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
# A setting under which two seeds are two runs: where nothing is random, a point has one.
CHANCE = "defaults.link.corrupt-data=0.000001"
# The command of the wheel, and the one that cargo built if the environment names it.
SCRIPT = Path(sys.executable).with_name("hopflow")
COMMANDS = [SCRIPT, *map(Path, filter(None, [os.environ.get("HOPFLOW")]))]


def command(*args, program=SCRIPT, **options):
    """Runs the command, and returns its output and its exit code."""
    return subprocess.run(
        [str(program), *map(str, args)], capture_output=True, text=True, timeout=120, **options
    )


# Two examples with series, up to an instant with some thousand events: the first is under credit,
# the second is not, so it has missing values.
TRACED = {"incast": "20 us", "victim": "20 us"}


@pytest.fixture(scope="session", params=TRACED)
def traced(request):
    """The run of one of these, with all its events."""
    import hopflow

    scenario = hopflow.load(ROOT / "examples" / f"{request.param}.toml")
    return hopflow.run(scenario.with_settings("record.trace=true"), until=TRACED[request.param])
