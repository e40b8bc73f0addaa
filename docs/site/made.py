"""What pages get while they are read: the tree of the site, and parts that programs make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gallery
import helps
import schema

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# The order of the pages, by the headings of docs/index.md. GitHub does not show it.
TREE = {
    "index": {
        "Tutorial": ["tutorial"],
        "How-to": [
            "howto/size",
            "howto/window",
            "howto/compare",
            "howto/why",
            "howto/figure",
            "howto/cluster",
            "howto/transport",
            "howto/own-algorithm",
            "compare",
            "reproduce",
            "sweep",
            "emulate",
        ],
        "Reference": [
            "commands",
            "site/help",
            "scenario",
            "site/keys",
            "errors",
            "results",
            "report",
            "python",
            "site/api",
            "lab",
            "build",
            "glossary",
            "references",
            "site/changelog",
        ],
        "Papers": ["site/gallery", "verdicts", "numbers", "debate"],
        "Explanation": [
            "limits",
            "models/index",
            "engine",
            "speed",
            "site/architecture",
            "site/contributing",
        ],
    },
    "models/index": {"": ["*"]},
}
# What stands in a page for the part that a program makes.
MADE = {
    "site/gallery": gallery.page,
    "site/help": helps.page,
    "site/keys": schema.page,
}
PLACE = "<!-- made while the site is built -->"


def _read(app: Sphinx, name: str, source: list[str]) -> None:
    if name in MADE:
        before, place, behind = source[0].partition(PLACE)
        if not place:
            raise ValueError(f"{name} has no line `{PLACE}`")
        source[0] = before + MADE[name]() + behind
    for caption, pages in TREE.get(name, {}).items():
        source[0] += tree(caption, pages)


def tree(caption: str, pages: list[str]) -> str:
    """A toctree that the page itself does not show."""
    every = ":glob:\n" if "*" in pages else ""
    head = f":caption: {caption}\n" if caption else ""
    return "\n```{toctree}\n:hidden:\n" + every + head + "\n" + "\n".join(pages) + "\n```\n"


def _signature(app: Sphinx, what: str, *about: Any) -> tuple[str, str] | None:
    """What a class is made from is not shown where that is not for users."""
    _name, _thing, _options, signature, _returned = about
    hidden = what == "class" and (signature or "").startswith("(native")
    return ("", "") if hidden else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Parts are made before `links` looks at the page."""
    app.connect("autodoc-process-signature", _signature)
    app.connect("source-read", _read, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
