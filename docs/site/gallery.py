"""The gallery of the papers: an entry an experiment, as cells of a notebook.

Experiments that start at most `MOST_CELLS` cells are run while the site is built, and their counts
of verdicts must be those of docs/verdicts.md. The others have the counts of that table.
"""

from __future__ import annotations

import csv
import re
import subprocess
from collections import Counter
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
PLAN = DOCS.parent / "papers" / "plan.csv"
# Chosen so that all these take less than a minute on two cores.
MOST_CELLS = 12_000_000
PAPERS = {
    "zhang90": ("Zhang 1990: VirtualClock", "models/zhang90.md"),
    "kung94": ("Kung, Morris, Charuhas, Lin 1994: N23, N123, CUP", "models/kung94.md"),
    "roberts96": ("Roberts 1996: explicit rates for ABR", "models/roberts96.md"),
    "creditnet": ("Kung 1997: TCP and UDP over credit", "models/creditnet.md"),
    "cai97": ("Cai and others 1997: virtual sources", "models/cai97.md"),
    "fair": ("Max-min fair shares", "models/fairness.md"),
    "debate": ("The debate: credit or rate?", "models/debate.md"),
}
_COLUMNS = ("claims", "reproduced", "differ, explained", "not reproduced")


def page() -> str:
    """A section a paper, with its experiments in the order of `hopflow reproduce --list`."""
    stored, cells, ids = _stored(), _cells(), _listed()
    parts, paper = [], None
    for name, figures in ids:
        if paper != name.partition(".")[0]:
            paper = name.partition(".")[0]
            title, model = PAPERS[paper]
            link = f"[What the paper leaves open, and how it is set here](../{model})."
            parts.append(f"## {title}\n\n{link}\n")
        row = stored.pop(f"{paper}: {figures}", None)
        if row is None:
            raise LookupError(f"docs/verdicts.md has no row for {paper}: {figures}")
        parts.append(_entry(name, figures, row, cells[name]))
    if stored:
        raise LookupError(f"docs/verdicts.md has rows of no experiment: {sorted(stored)}")
    return "\n".join(parts)


def _entry(name: str, figures: str, row: dict[str, int], cells: int) -> str:
    head = f"### {name}: {figures}\n\n"
    size = f"{cells:,} cells" if cells else "no run: worked out by formula"
    if cells > MOST_CELLS:
        counts = ", ".join(f"{row[column]} {column}" for column in _COLUMNS[1:] if row[column])
        return (
            f"{head}**Not run for this page** ({size}). Stored in [verdicts](../verdicts.md): "
            f"{row['claims']} claims: {counts}. To run it: `hopflow reproduce {name}`\n"
        )
    alt = f"The charts of {name} ({figures}), with the ranges of the paper"
    return (
        f"{head}**Run for this page** ({size}). The same as a command: `hopflow reproduce {name}`"
        f"\n\n```{{code-cell}} ipython3\n---\nmystnb:\n  image:\n    alt: \"{alt}\"\n---\n"
        f'paper = hopflow.plot.experiment("{name}")\nprint(paper.tally)\n'
        f"if paper.charts:\n    hopflow.plot.figure(paper)\n```\n\n"
        "```{code-cell} ipython3\n:tags: [remove-cell]\n"
        f"as_stored(paper, {tuple(row.values())})\n```\n"
    )


def _stored() -> dict[str, dict[str, int]]:
    """The rows of the table "Every experiment" of docs/verdicts.md."""
    text = (DOCS / "verdicts.md").read_text(encoding="utf-8")
    return stored(text)


def stored(text: str) -> dict[str, dict[str, int]]:
    """Counts by name, of the part between the comments `verdicts`."""
    found = re.search(r"<!-- verdicts -->\n(.*?)<!-- /verdicts -->", text, re.DOTALL)
    if found is None:
        raise LookupError("docs/verdicts.md has no part between the comments `verdicts`")
    rows = {}
    for line in found[1].splitlines()[2:]:
        name, *counts = (cell.strip() for cell in line.strip("| ").split("|"))
        rows[name] = dict(zip(_COLUMNS, map(int, counts), strict=True))
    return {name: row for name, row in rows.items() if ":" in name}


def _cells() -> Counter[str]:
    """What the runs of each experiment start on all links; nothing for those without a run."""
    cells: Counter[str] = Counter()
    with PLAN.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            cells[row["experiment"]] += int(row["cells"])
    return cells


def _listed() -> list[tuple[str, str]]:
    """Every experiment, with its figures and sections."""
    command = ["hopflow", "reproduce", "--list", "--format", "csv"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [(row[0], row[1]) for row in list(csv.reader(listed.splitlines()))[1:]]
