"""Tables that a phone shows as cards: one below the other, a row each.

A table of sentences has no room for its columns there. Its cells get the head of their column as a
label, which the style sheet shows on narrow pages, and the roles that a table loses when it is no
longer laid out as one. Tables of numbers stay as they are: they scroll below their own edge.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# A cell with more letters is a sentence.
SENTENCE = 40

_TABLE = re.compile(r'<table class="docutils[^"]*">.*?</table>', re.DOTALL)
_HEAD = re.compile(r'<th class="head[^"]*">(.*?)</th>', re.DOTALL)
_ROW = re.compile(r"<tr class=\"[^\"]*\"><td.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<td>(.*?)</td>", re.DOTALL)
_FIRST = re.compile(r"<tr class=\"[^\"]*\"><td>(.*?)</td>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")


def cards(body: str) -> str:
    """The page with the labels and roles of its tables of sentences."""
    return _TABLE.sub(lambda found: _of_table(found[0]), body)


def _text(cell: str) -> str:
    return html.unescape(_TAG.sub("", cell)).strip()


def _of_table(table: str) -> str:
    heads = _HEAD.findall(table)
    texts = [_text(cell) for cell in _CELL.findall(table)]
    # Columns of numbers are aligned; heads with links are doors.
    is_numeric = 'class="text-right"' in table or not texts
    # A row with an empty first cell goes on with that of the row above.
    goes_on = any(not _text(first) for first in _FIRST.findall(table))
    is_door = any("<a " in head for head in heads)
    # Without a head for each cell of a row there are no labels.
    rows = _ROW.findall(table)
    is_headed = all(len(_CELL.findall(row)) == len(heads) for row in rows)
    is_plain = is_numeric or goes_on or is_door or not is_headed
    if is_plain or max(map(len, texts)) <= SENTENCE:
        return table
    labels = [_text(head) for head in heads]
    table = table.replace('<table class="', '<table role="table" class="cards ', 1)
    return _ROW.sub(lambda row: _of_row(row[0], labels), table)


def _of_row(row: str, labels: list[str]) -> str:
    """The first cell is the title of the card, and the second explains it: neither has a label."""
    places = iter(range(len(labels)))

    def cell(found: re.Match[str]) -> str:
        place = next(places)
        if not _text(found[1]):
            return '<td role="cell" class="none"></td>'
        label = f' data-label="{html.escape(labels[place])}"' if place > 1 else ""
        return f'<td role="cell"{label}>{found[1]}</td>'

    return _CELL.sub(cell, row).replace("<tr ", '<tr role="row" ', 1)


def _page(app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if "body" in context:
        context["body"] = cards(context["body"])


def setup(app: Sphinx) -> dict[str, Any]:
    """Tables are labelled in the finished text of a page."""
    app.connect("html-page-context", _page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
