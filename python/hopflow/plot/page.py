"""The page of ``hopflow reproduce``: its charts, as they stand there."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass(slots=True)
class Found:
    """A chart as it stands in the page."""

    id: str
    title: str = ""
    caption: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    data: str = ""


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
        if not self._into:
            return
        one = self.found[-1]
        if self._into == "h3":
            one.title += data
        elif self._into == "figcaption":
            one.caption += data
        elif self._into == "script":
            one.data += data
        else:
            one.labels[self._into] = one.labels.get(self._into, "") + data


def charts(text: str) -> list[Found]:
    """The charts of a page, in their order."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.found
