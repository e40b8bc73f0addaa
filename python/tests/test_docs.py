"""The pages: what stands there as Python runs as it stands."""

import builtins
import re

import pytest
from conftest import ROOT

import hopflow
from hopflow import documents


@pytest.mark.parametrize("page", ["docs/python.md", "python/README.md"])
def test_examples_run(page, capsys, tmp_path, monkeypatch):
    """Each block in its order, in one namespace; `text` is a scenario with two mistakes. What they
    write goes to a folder that has the examples, as the root of the project has them."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    written = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", written, re.DOTALL | re.MULTILINE)
    assert blocks
    names = {"text": 'version = 2\nduraton = "1 ms"\n'}
    for block in blocks:
        exec(block, names)
    said = capsys.readouterr().out
    digest = re.search(r"# ([0-9a-f]{16})", written)
    assert digest is None or digest[1] in said
    assert names["result"].digest


CALLS = "load|run|compare|sweep|size|bundle|query|reproduce|diff|template"


def test_names_in_prose_exist():
    """Every call, attribute and exception that the page of the package names between backticks."""
    written = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```", "", written, flags=re.DOTALL | re.MULTILINE)
    spans = set(re.findall(r"`([^`]+)`", prose))
    places = {
        "result": hopflow.Result,
        "scenario": hopflow.Scenario,
        "table": hopflow.Table,
        "plot": hopflow.plot,
        "experimental": hopflow.experimental,
        "hopflow": hopflow,
        "Network": hopflow.Network,
        "documents": documents,
    }
    seen = 0
    for span in spans:
        dotted = re.match(r"(\w+)\.(\w+)", span)
        if dotted and dotted[1] in places:
            assert hasattr(places[dotted[1]], dotted[2]), span
            seen += 1
        elif re.fullmatch(r"[A-Z]\w*(Error|Warning)", span):
            assert hasattr(hopflow, span) or hasattr(builtins, span), span
            seen += 1
        elif re.match(rf"({CALLS})\w*\(", span):
            assert hasattr(hopflow, span.split("(")[0]), span
            seen += 1
    assert seen > 40, f"only {seen} names were found"
    named = set(re.findall(r"\| `(\w+)\(", written)) | set(re.findall(r", `(\w+)\(", written))
    owners = (hopflow, hopflow.Network)
    assert {name for name in named if not any(hasattr(of, name) for of in owners)} == set()
    # Every public name of the package but types of arguments is on the page.
    unnamed = {name for name in hopflow.__all__ if name not in written and name[0].islower()}
    assert unnamed <= {"loads", "experimental", "plot"}, unnamed
