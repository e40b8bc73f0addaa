"""Links of pages that GitHub shows as they stand, made to work on the site.

A page links by paths, such as ``../ARCHITECTURE.md`` or ``../crates/hopflow/src/size.rs``. What the
site has as a page becomes a link to that page, all else a link to the repository. A path that
leads nowhere stays as it is, so that Sphinx reports it. A picture with a twin for dark pages, such
as ``demo-dark.png`` beside ``demo.png``, becomes both, of which the theme shows one. One with twins
for phones, ``demo-narrow.png`` and ``demo-narrow-dark.png``, becomes four.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = "https://github.com/hopflow/hopflow"
# Files outside of docs that are pages of the site, with the page that includes each.
INCLUDED = {
    "ARCHITECTURE.md": "docs/site/architecture.md",
    "CHANGELOG.md": "docs/site/changelog.md",
    "CONTRIBUTING.md": "docs/site/contributing.md",
}
_LINK = re.compile(r"(\[(?:[^\[\]]|\[[^\[\]]*\])*\]\()([^)\s]+)(\))")
_PICTURE = re.compile(r"!(\[[^\[\]]*\])\(/(\S+)(\.\w+)\)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


def rewritten(text: str, file: str) -> str:
    """The text of `file`, a path from the root of the project, with the links of the site."""
    lines = []
    fence: str | None = None
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (fence is None or line.strip().startswith(fence)):
            fence = mark[1] if fence is None else None
        elif fence is None:
            line = _LINK.sub(lambda found: found[1] + _target(found[2], file) + found[3], line)
            line = _PICTURE.sub(_twins, line)
        lines.append(line)
    return "\n".join(lines)


def _twins(found: re.Match[str]) -> str:
    words, stem, kind = found.groups()
    if not (ROOT / "docs" / f"{stem}-dark{kind}").exists():
        return found[0]
    narrow = (ROOT / "docs" / f"{stem}-narrow{kind}").exists()
    sizes = {"": " .wide-page", "-narrow": " .narrow-page"} if narrow else {"": ""}
    return "".join(
        f"!{words}(/{stem}{size}{part}{kind}){{.only-{theme}{where}}}"
        for size, where in sizes.items()
        for part, theme in (("", "light"), ("-dark", "dark"))
    )


def _target(target: str, file: str) -> str:
    path, mark, heading = target.partition("#")
    if re.match(r"[a-z]+:", target) or not path:
        return target
    path = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
    place = ROOT / path
    if not place.exists():
        return target
    path = INCLUDED.get(path, path)
    if path.startswith("docs/") and place.is_file():
        return path.removeprefix("docs") + mark + heading
    kind = "tree" if place.is_dir() else "blob"
    return f"{REPOSITORY}/{kind}/main/{path}{mark}{heading}"


def _read(app: Sphinx, name: str, source: list[str]) -> None:
    file = Path(app.env.doc2path(name)).resolve()
    source[0] = rewritten(source[0], file.relative_to(ROOT).as_posix())


def _include(app: Sphinx, path: Path, name: str, content: list[str]) -> None:
    file = (Path(app.srcdir) / path).resolve()
    content[0] = rewritten(content[0], file.relative_to(ROOT).as_posix())


def setup(app: Sphinx) -> dict[str, Any]:
    """What the site has is one page after the other, so nothing is said of parallel work."""
    app.connect("source-read", _read)
    app.connect("include-read", _include)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
