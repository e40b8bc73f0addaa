"""A sweep in batches: the part of a worker, and that of the process that hands them out."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache

from hopflow import _hopflow
from hopflow.experimental import Shared, _of_shared
from hopflow.places import Folder, Objects, name_of
from hopflow.pools import Batch, Made, Pool

# The intended duration of a batch, so that the cost of sending one is negligible.
SECONDS = 1.0
# At least this long per slot, as handing out a batch takes some milliseconds.
SECONDS_PER_SLOT = 0.02
# The most points in a batch: its result is held in memory.
MOST = 10_000
# Batches per slot that are handed out ahead.
AHEAD = 3


@lru_cache(maxsize=4)
def _again(text: str, beside: str, machines: Shared) -> _hopflow.SweepPlan:
    return _hopflow.SweepPlan.again(text, beside, _of_shared(machines))


def make(
    text: str, beside: str, machines: Shared, objects: Objects | None, first: int, end: int
) -> Made:
    """Makes a batch in a worker, which keeps plans that it has read."""
    return make_here(_again(text, beside, machines), objects, first, end)


def make_here(plan: _hopflow.SweepPlan, objects: Objects | None, first: int, end: int) -> Made:
    """Makes a batch. Where objects are kept, its object exists before this returns."""
    begun = time.perf_counter()
    lines = plan.batch(first, end)
    seconds = time.perf_counter() - begun
    if objects is not None:
        objects.once(name_of(first, end), lines.encode())
    return lines, seconds


class Cutter:
    """Cuts the points that lack runs into batches that take about `SECONDS`, or longer where there
    are many slots.

    At first a batch is one point. Towards the end batches become smaller, down to a tenth, so that
    all workers end together. No result depends on where they are cut.
    """

    def __init__(self, lacking: list[Batch]) -> None:
        self._lacking = lacking[::-1]
        self.left = sum(end - first for first, end in lacking)
        self._most = 1

    def next(self, slots: int) -> Batch | None:
        if not self._lacking:
            return None
        first, end = self._lacking.pop()
        least = max(1, self._most // 10)
        cut = min(end, first + max(least, min(self._most, self.left // (2 * slots))))
        if cut < end:
            self._lacking.append((cut, end))
        self.left -= cut - first
        return first, cut

    def took(self, batch: Batch, seconds: float, slots: int) -> None:
        """Records how long a batch took."""
        wanted = max(SECONDS, SECONDS_PER_SLOT * slots)
        points = batch[1] - batch[0]
        fitting = int(wanted * points / max(seconds, 1e-9))
        self._most = max(1, min(fitting, 4 * max(points, self._most), MOST))


def drive(place: Folder, pool: Pool, report: Callable[[float], object]) -> list[int]:
    """Makes and stores all missing batches. Returns the points whose worker died even when it made
    that point alone."""
    cutter = Cutter(place.lacking())
    all_points, done = cutter.left, 0
    suspects: list[Batch] = []
    flying = 0
    report(0.0)
    while True:
        slots = pool.slots()
        while flying < AHEAD * slots and (batch := cutter.next(slots)) is not None:
            pool.submit(batch)
            flying += 1
        if flying == 0:
            break
        batch, made = pool.next()
        flying -= 1
        if made is None:
            suspects.append(batch)
            continue
        place.add(made[0])
        cutter.took(batch, made[1], slots)
        done += batch[1] - batch[0]
        report(done / all_points)
    # A point of a batch that died may not be at fault: each point is made alone now.
    killed = []
    for first, end in sorted(suspects):
        for point in range(first, end):
            pool.submit((point, point + 1))
            _, made = pool.next()
            if made is None:
                killed.append(point)
            else:
                place.add(made[0])
    report(1.0)
    return killed
