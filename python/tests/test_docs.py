"""The pages: what stands there as Python runs as it stands."""

import re

import pytest
from conftest import ROOT


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
