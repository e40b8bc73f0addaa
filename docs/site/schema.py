"""The tables of `docs/scenario.schema.json` as Markdown: a row a key."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).resolve().parents[1] / "scenario.schema.json"
# The pattern of every quantity begins with a number; what follows is its units.
_NUMBER = r"^\s*\+?[0-9][0-9_]*(\.[0-9_]+)?([eE][+-]?[0-9]+)?\s*"
_FRACTION = _NUMBER + "/" + _NUMBER.removeprefix("^") + "$"
_PARTS = re.compile(r"(?:^|(?<=\.) )(Unit|Only for|Required|Default): ")


def page() -> str:
    """Every table of a scenario file, the file itself first."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    parts = [_table("The file", "the-file", schema)]
    for name, table in schema["$defs"].items():
        parts.append(_table(f"`{name}`", _label(name), table))
    return "\n".join(parts)


def _label(name: str) -> str:
    return "key-table-" + name.replace(".", "-")


def _table(title: str, label: str, table: dict[str, Any]) -> str:
    needed = set(table.get("required", []))
    rows = [_row(key, value, key in needed) for key, value in sorted(table["properties"].items())]
    # Columns of which no row has anything are left out.
    names = [name for name in rows[0] if any(row[name] for row in rows)]
    lines = [f"({label})=", f"## {title}", "", table.get("description", ""), ""]
    lines += [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    lines += ["| " + " | ".join(_cell(row[name]) for name in names) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _row(key: str, value: dict[str, Any], needed: bool) -> dict[str, str]:
    parts = described(value.get("description", ""))
    return {
        "key": f"**`{key}`**" if needed else f"`{key}`",
        "meaning": parts["meaning"],
        "type": kind(value),
        "unit": parts["Unit"],
        "only for": parts["Only for"],
        "default": "must be given" if needed or parts["Required"] else parts["Default"],
    }


def described(text: str) -> dict[str, str]:
    """A description in parts: the meaning, and what follows `Unit:`, `Default:` and the like."""
    pieces = _PARTS.split(text)
    parts = dict.fromkeys(["Unit", "Only for", "Required", "Default"], "")
    parts["meaning"] = pieces[0]
    for name, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        parts[name] = piece.removesuffix(".")
    return parts


def kind(value: dict[str, Any]) -> str:
    """What may stand at a key, in words; a table is a link to its own rows."""
    if "$ref" in value:
        name = value["$ref"].removeprefix("#/$defs/")
        return f"table [`{name}`](#{_label(name)})"
    if "anyOf" in value:
        return ", or ".join(kind(one) for one in value["anyOf"])
    if "enum" in value:
        return " ".join(f"`{one}`" for one in value["enum"])
    if value["type"] == "array":
        count = value.get("maxItems")
        of = "pair" if count == 2 and value.get("minItems") == 2 else "list"
        return f"{of} of: {kind(value['items'])}"
    if value["type"] == "string":
        return _string(value)
    if value["type"] in ("integer", "number"):
        return _number(value)
    if value["type"] == "boolean":
        return "`true` or `false`"
    raise ValueError(f"a schema of the type {value['type']!r} has no words yet: {value}")


def _string(value: dict[str, Any]) -> str:
    pattern = value.get("pattern")
    if pattern is None:
        return "text"
    if pattern == _FRACTION:
        return "text: a fraction such as `1/16`"
    if pattern.startswith(_NUMBER):
        return "text: number and unit"
    raise ValueError(f"the pattern {pattern!r} has no words yet")


def _number(value: dict[str, Any]) -> str:
    word = "whole number" if value["type"] == "integer" else "number"
    least, most = value.get("minimum"), value.get("maximum")
    if least is None:
        return word if most is None else f"{word}, at most {most:,}"
    least = int(least) if least == int(least) else least
    return f"{word} from {least:,}" + ("" if most is None else f" to {most:,}")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
