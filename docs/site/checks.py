"""What the finished site must keep: it loads nothing from elsewhere, and no public name is missing.

Both are errors of the build.
"""

from __future__ import annotations

import inspect
import re
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# What a browser fetches by itself, by element; links that a reader follows are not here.
_LOADED = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
_ELSEWHERE = re.compile(r"(?:[a-z]+:)?//[^\s\"')]+", re.IGNORECASE)
_STYLE = re.compile(r"url\(\s*[\"']?([^)\"']+)|@import\s+[\"']([^\"']+)", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# In scripts: a host in a text that is no name of a namespace.
_SCRIPT = re.compile(r"[\"'`]((?:https?:)?//[a-z0-9][^\s\"'`]*)", re.IGNORECASE)
_NAMESPACES = ("http://www.w3.org/",)


def loads(path: Path, text: str) -> list[str]:
    """The addresses elsewhere that a browser would fetch because of this file of the site."""
    if path.suffix == ".html":
        return _of_page(text)
    if path.suffix == ".css":
        return _of_style(text)
    if path.suffix == ".js":
        return [one for one in _SCRIPT.findall(text) if not one.startswith(_NAMESPACES)]
    return []


def _of_page(text: str) -> list[str]:
    page = _Page()
    page.feed(text)
    return page.found


def _of_style(text: str) -> list[str]:
    targets = [one or other for one, other in _STYLE.findall(_COMMENT.sub("", text))]
    return [target for target in targets if _ELSEWHERE.match(target)]


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._inside = tag if tag in ("style", "script") else ""
        if tag == "link" and given.get("rel") in ("canonical", "author", "license"):
            return
        for name in _LOADED.get(tag, ()):
            parts = given.get(name, "").split(",") if name == "srcset" else [given.get(name, "")]
            self.found += [one.strip() for one in parts if _ELSEWHERE.match(one.strip())]
        self.found += _of_style(given.get("style", ""))

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            self.found += _of_style(data)
        elif self._inside == "script":
            self.found += [one for one in _SCRIPT.findall(data) if not one.startswith(_NAMESPACES)]


def public(*modules: ModuleType) -> list[str]:
    """The public names of modules, by their `__all__`, and those of their classes."""
    names = []
    for module in modules:
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.ismodule(thing):
                continue
            names.append(f"{module.__name__}.{name}")
            if inspect.isclass(thing):
                own = [one for one, value in vars(thing).items() if _is_documented(one, value)]
                names += [f"{module.__name__}.{name}.{one}" for one in own]
    return names


def _is_documented(name: str, value: object) -> bool:
    called = inspect.isfunction(value) or isinstance(value, (classmethod, staticmethod, property))
    return called and not name.startswith("_")


def _finished(app: Sphinx, failure: Exception | None) -> None:
    from sphinx.errors import ExtensionError

    if failure is not None or app.builder.name != "html":
        return
    import hopflow
    import hopflow.experimental
    import hopflow.plot

    known = {entry[0] for entry in app.env.domains["py"].get_objects()}
    wrong = [
        f"{name} is public, and not on the page docs/site/api.md"
        for name in public(hopflow, hopflow.plot, hopflow.experimental)
        if name not in known
    ]
    site = Path(app.outdir)
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".css", ".js"):
            text = path.read_text(encoding="utf-8")
            where = path.relative_to(site)
            wrong += [f"{where} loads {one} from elsewhere" for one in loads(path, text)]
    if wrong:
        raise ExtensionError("\n".join(wrong))


def setup(app: Sphinx) -> dict[str, Any]:
    """Looks at the site once it is written."""
    app.connect("build-finished", _finished)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
