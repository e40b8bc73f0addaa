"""The charts of the page of ``hopflow reproduce``, as they are there."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass(slots=True)
class Found:
    """A chart as it is in the page."""

    id: str
    # The title, caption and data by their tags (h3, figcaption, script); labels by their axes.
    texts: defaultdict[str, str] = field(default_factory=lambda: defaultdict(str))


class _Reader(HTMLParser):
    """Collects the charts of a page: title, caption, labels of the axes, and the data."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Found] = []
        self._inside = False
        self._axis = ""
        self._into = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag == "figure" and given.get("class") == "plot":
            self.found.append(Found(given["id"].removeprefix("fig-")))
            self._inside = True
        elif not self._inside:
            return
        elif tag == "g":
            self._axis = given.get("class", "")
        elif tag == "text" and given.get("class") == "label":
            self._into = self._axis
        elif tag in ("h3", "figcaption", "script"):
            self._into = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == "figure":
            self._inside = False
        if tag in ("figure", "text", "h3", "figcaption", "script"):
            self._into = ""

    def handle_data(self, data: str) -> None:
        if self._into:
            self.found[-1].texts[self._into] += data


def charts(text: str) -> list[Found]:
    """The charts of a page, in their order."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.found
