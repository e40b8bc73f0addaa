"""What the site of the documentation is made with: docs/site, without Sphinx."""

import json
import re
import sys
import types
from pathlib import Path

import pytest
from conftest import ROOT

import hopflow
import hopflow.plot

sys.path.insert(0, str(ROOT / "docs" / "site"))

import checks  # noqa: E402
import gallery  # noqa: E402
import helps  # noqa: E402
import links  # noqa: E402
import made  # noqa: E402
import schema  # noqa: E402
import tables  # noqa: E402


def test_links_lead_to_pages_of_the_site_or_to_the_repository():
    """Pages by their path below docs, other files at the repository; what is nowhere stays, so that
    the build reports it. Code is left alone."""
    text = (
        "[a](../../ARCHITECTURE.md) [b](index.md#how) [c](../../examples) [d](../../Cargo.toml)\n"
        "![e](../pictures/growth.svg) [f](#here) [g](https://x.org/a.md) [h](gone.md)\n"
        "````text\n[a](index.md)\n```\n[a](index.md)\n````\n[a](index.md)\n"
    )
    repository = "https://github.com/hopflow/hopflow"
    assert links.rewritten(text, "docs/models/x.md") == (
        "[a](/site/architecture.md) [b](/models/index.md#how) "
        f"[c]({repository}/tree/main/examples) [d]({repository}/blob/main/Cargo.toml)\n"
        "![e](/pictures/growth.svg) [f](#here) [g](https://x.org/a.md) [h](gone.md)\n"
        "````text\n[a](index.md)\n```\n[a](index.md)\n````\n[a](/models/index.md)\n"
    )


def test_a_picture_with_twins_becomes_all():
    """The theme and the width show one of them; a picture without a twin stays as it is."""
    text = links.rewritten("![a](pictures/demo.png)\n![b](pictures/lab-stage.png)", "docs/index.md")
    assert text == (
        "![a](/pictures/demo.png){.only-light .wide-page}"
        "![a](/pictures/demo-dark.png){.only-dark .wide-page}"
        "![a](/pictures/demo-narrow.png){.only-light .narrow-page}"
        "![a](/pictures/demo-narrow-dark.png){.only-dark .narrow-page}\n"
        "![b](/pictures/lab-stage.png)"
    )


def _table(heads, rows, kind=""):
    head = "".join(f'<th class="head{kind}"><p>{one}</p></th>\n' for one in heads)
    body = "".join(
        '<tr class="row-even">' + "\n".join(f"<td{kind}>{one}</td>" for one in row) + "\n</tr>\n"
        for row in rows
    )
    start = '<table class="docutils align-default">\n<thead>\n<tr class="row-odd">'
    return f"{start}{head}</tr>\n</thead>\n<tbody>\n{body}</tbody>\n</table>"


def test_tables_of_sentences_become_cards():
    """Labels from the third column on, nothing for an empty cell. A table without sentences, one of
    numbers, one whose heads are links, one whose rows share a first cell and one with fewer heads
    than cells stay as they are."""
    long = "<p>A sentence that has more letters than a column of a phone.</p>"
    heads = ["key", "meaning", "takes", "a &amp; b"]
    cards = tables.cards(_table(heads, [["<p>rate</p>", long, "<p>b/s</p>", ""]]))
    assert '<table role="table" class="cards docutils align-default">' in cards
    assert '<tr role="row" class="row-even"><td role="cell"><p>rate</p></td>' in cards
    assert f'<td role="cell">{long}</td>' in cards
    assert '<td role="cell" data-label="takes"><p>b/s</p></td>' in cards
    assert '<td role="cell" class="none"></td>' in cards
    for same in (
        _table(heads, [["<p>rate</p>", "<p>short</p>", "<p>b/s</p>", ""]]),
        _table(heads, [["<p>rate</p>", long, "<p>1</p>", ""]], ' class="text-right"'),
        _table(['<a href="x.html">a</a>', "b"], [[long, long]]),
        _table(["place", "printed"], [["<p>3.2</p>", long], ["", long]]),
        _table([], [["<p>Parameters</p>", long]]),
        _table(["a"], [["<p>b</p>", long]]),
    ):
        assert tables.cards(same) == same


def test_what_a_page_loads_from_elsewhere_is_found():
    """Scripts, styles, pictures and frames, also by styles; not links that a reader follows."""
    page = Path("index.html")
    bad = [
        '<script src="https://cdn.x.org/a.js"></script>',
        '<link rel="stylesheet" href="//fonts.x.org/css">',
        '<link rel="preconnect" href="https://fonts.x.org">',
        '<img src="http://x.org/a.png">',
        '<img srcset="a.png 1x, https://x.org/b.png 2x">',
        '<iframe src="https://x.org"></iframe>',
        '<div style="background: url(https://x.org/a.png)"></div>',
        "<style>@import 'https://x.org/a.css';</style>",
        '<script>fetch("https://x.org/count")</script>',
    ]
    assert [one for one in bad if len(checks.loads(page, one)) != 1] == []
    good = (
        '<a href="https://x.org">x</a><link rel="canonical" href="https://x.org">'
        '<img src="../_images/a.png"><script src="a.js"></script>'
        '<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"></use></svg>'
        '<script>a("http://www.w3.org/2000/svg")</script>https://x.org'
    )
    assert checks.loads(page, good) == []
    style = "/* url(https://x.org) */ a { background: url( 'data:image/svg+xml,<svg/>') }"
    assert checks.loads(Path("a.css"), style) == []
    assert checks.loads(Path("a.css"), "a { src: url('//x.org/a.woff') }") == ["//x.org/a.woff"]
    assert checks.loads(Path("a.js"), "import('https://x.org/a.js')") == ["https://x.org/a.js"]


def test_public_names_are_those_of_all_and_their_methods():
    """Each name of `__all__` but modules, and each public method and property of a class."""
    names = checks.public(hopflow, hopflow.plot, hopflow.experimental)
    modules = {"plot", "experimental"}
    assert {f"hopflow.{name}" for name in set(hopflow.__all__) - modules} <= set(names)
    assert {f"hopflow.experimental.{name}" for name in hopflow.experimental.__all__} <= set(names)
    assert {f"hopflow.plot.{name}" for name in hopflow.plot.__all__} <= set(names)
    of_classes = {"hopflow.Result.why", "hopflow.Network.of", "hopflow.plot.Experiment.tally"}
    assert of_classes <= set(names)
    assert not [name for name in names if "._" in name and not name.endswith("__version__")]
    more = types.ModuleType("more")
    more.__all__ = ["fresh"]
    more.fresh = lambda: None
    assert checks.public(more) == ["more.fresh"]


def test_each_key_of_the_schema_has_a_row():
    """As many rows as keys, in a table a section; a link to a table leads to a section."""
    page = schema.page()
    whole = json.loads(schema.SCHEMA.read_text(encoding="utf-8"))
    tables = [whole, *whole["$defs"].values()]
    keys = sum(len(table["properties"]) for table in tables)
    assert len(re.findall(r"^\| \**`", page, re.MULTILINE)) == keys > 300
    assert page.count("\n## ") == len(tables)
    targets = set(re.findall(r"\]\(#(key-table-[a-z-]+)\)", page))
    assert targets <= set(re.findall(r"^\((.*)\)=$", page, re.MULTILINE)) and len(targets) > 20


def test_a_description_is_taken_apart():
    text = "Its rate. Unit: b/s or %. Only for: abr. Required: yes. Default: PCR ([TM4.0])."
    parts = schema.described(text)
    assert parts["meaning"] == "Its rate."
    assert (parts["Unit"], parts["Only for"]) == ("b/s or %", "abr")
    assert (parts["Required"], parts["Default"]) == ("yes", "PCR ([TM4.0])")
    assert schema.described("A default is no Default.")["Default"] == ""
    with pytest.raises(ValueError, match="no words yet"):
        schema.kind({"type": "string", "pattern": "^x$"})


def test_commands_are_read_from_a_help_text():
    listed = "  run      Run\n  sub-run  Long\n           text\n  help     x\n"
    text = f"About\n\nCommands:\n{listed}\nOptions:\n  -h  Help\n"
    assert helps.commands(text) == ["run", "sub-run"]
    assert helps.commands("Options:\n  --run  x\n") == []


def test_stored_verdicts_are_read():
    text = "<!-- verdicts -->\n| a |\n|---|\n| p: Figure 1 | 5 | 3 | 1 | 1 |\n<!-- /verdicts -->\n"
    assert list(gallery.stored(text)["p: Figure 1"].values()) == [5, 3, 1, 1]
    with pytest.raises(LookupError):
        gallery.stored("| p: Figure 1 | 5 |\n")


def test_each_page_of_the_tree_is_there():
    docs = ROOT / "docs"
    pages = [page for pages in made.TREE["index"].values() for page in pages]
    assert len(pages) == len(set(pages)) > 25
    assert [page for page in pages if not (docs / f"{page}.md").exists()] == []
