"""Sweeps and bundles as types.

Written by a test of the command from the structs that it prints, as ``docs/result.schema.json`` is,
which has the meaning of every key:
``HOPFLOW_WRITE_SCHEMA=1 cargo test --workspace --test commands -- up_to_date``.
"""

from typing import Literal, NotRequired, TypedDict

from hopflow.documents.run import (
    Exact,
)

SweepSeries = TypedDict("SweepSeries", {
    "name": str, "unit": str,
})

StaleRows = TypedDict("StaleRows", {
    "program": int, "input": int, "why": str | None,
})

SweepFailure = TypedDict("SweepFailure", {
    "point": int, "seed": str, "status": str, "error": str, "command": str,
})

Estimate = TypedDict("Estimate", {
    "count": int, "mean": float, "deviation": float | None, "half_width": float | None,
})

PointEstimates = TypedDict("PointEstimates", {
    "point": int, "values": dict[str, str], "runs": int, "measures": dict[str, Estimate],
})

SweepDocument = TypedDict("SweepDocument", {
    "version": int, "directory": str, "key": str, "program": str, "file": str, "control": str,
    "axes": list[str], "points": int, "seeds": int, "until": str | None, "most_runs": int,
    "measures": list[str], "series": list[SweepSeries], "stale": NotRequired[StaleRows],
    "rows": int, "points_with_rows": int, "points_without_chance": int, "failed": int,
    "failures": list[SweepFailure], "unmet_points": list[int], "confidence": float,
    "estimates": list[PointEstimates],
})

SweepPlan = TypedDict("SweepPlan", {
    "version": int, "directory": str, "key": str, "program": str, "file": str, "control": str,
    "axes": list[str], "points": int, "seeds": int, "until": str | None, "most_runs": int,
    "measures": list[str], "series": list[SweepSeries],
})

ArrayDocument = TypedDict("ArrayDocument", {
    "version": int, "directory": str, "key": str, "program": str, "file": str, "control": str,
    "axes": list[str], "points": int, "seeds": int, "until": str | None, "most_runs": int,
    "measures": list[str], "series": list[SweepSeries], "stale": NotRequired[StaleRows],
    "batches": int, "tasks": int, "submit": str | None, "collect": str, "job": str | None,
})

BundleDocument = TypedDict("BundleDocument", {
    "version": int, "bundle": str,
    "kind": Literal["run", "seeds", "controls", "controls-and-seeds", "sweep"], "digest": str,
    "runs": int, "command": str, "bytes": int, "sha256": str, "files": list[str],
})

Unlike = TypedDict("Unlike", {
    "run": str | None, "file": str | None, "what": str, "bundled": str, "found": str,
})

BundleCheckDocument = TypedDict("BundleCheckDocument", {
    "version": int, "bundle": str,
    "kind": Literal["run", "seeds", "controls", "controls-and-seeds", "sweep"], "digest": str,
    "same": bool, "of": str, "all": int, "made": int, "digests_only": list[str],
    "differences": list[Unlike],
})

BundlePart = TypedDict("BundlePart", {
    "seed": str, "controls": list[str], "digest": str,
})

BundleCard = TypedDict("BundleCard", {
    "format": int, "kind": Literal["run", "seeds", "controls", "controls-and-seeds", "sweep"],
    "title": str | None, "version": str, "digest_version": int, "contract_version": int,
    "digest": str, "runs": int, "command": str, "duration_ps": Exact, "warm_up_ps": Exact,
    "parts": list[BundlePart],
})
