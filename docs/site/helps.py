"""The help text of every command, as the installed command prints it."""

from __future__ import annotations

import os
import re
import subprocess

# No colours, and lines that fit a page.
_PLAIN = {"NO_COLOR": "1", "COLUMNS": "90"}


def page() -> str:
    """A section a command; commands of commands follow theirs."""
    return "\n".join(_sections(()))


def _sections(words: tuple[str, ...]) -> list[str]:
    text = _run(*words, "--help")
    name = " ".join(("hopflow", *words))
    level = "#" * (2 + max(0, len(words) - 1))
    parts = [f"{level} `{name}`\n\n```text\n{text.rstrip()}\n```\n"]
    for one in commands(text):
        parts += _sections((*words, one))
    return parts


def commands(text: str) -> list[str]:
    """The commands that a help text lists, without `help`, which prints the same again."""
    found = re.search(r"^Commands:\n((?:  .*\n|\n(?=  ))*)", text, re.MULTILINE)
    if found is None:
        return []
    names = re.findall(r"^  ([a-z][a-z-]*)\s", found[1], re.MULTILINE)
    return [name for name in names if name != "help"]


def _run(*args: str) -> str:
    env = {**os.environ, **_PLAIN}
    ran = subprocess.run(["hopflow", *args], capture_output=True, text=True, env=env)
    if ran.returncode != 0:
        raise RuntimeError(f"`hopflow {' '.join(args)}` gave {ran.returncode}: {ran.stderr}")
    return ran.stdout
