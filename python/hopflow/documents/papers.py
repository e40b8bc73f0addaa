"""Claims on the papers as types.

Written by a test of the command from the structs that it prints, as ``docs/result.schema.json`` is,
which has the meaning of every key:
``HOPFLOW_WRITE_SCHEMA=1 cargo test --workspace --test commands -- up_to_date``.
"""

from typing import Literal, TypedDict

HeadlineRow = TypedDict("HeadlineRow", {
    "paper": str, "printed": int, "reproduced": int, "another_reading": int, "ambiguous": int,
    "ambiguous_met": int, "fitted": int, "too_wide": int, "slips": int, "none": int,
})

JointRow = TypedDict("JointRow", {
    "paper": str, "where": str, "printed": int, "measured": int, "met": int, "settings": int,
    "setting": str,
})

NumberClaim = TypedDict("NumberClaim", {
    "id": str, "scenario": str | None, "seeds": int,
})

NumberResult = TypedDict("NumberResult", {
    "paper": str, "where": str, "number": str, "verdict": Literal["reproduced", "another-reading",
    "ambiguous", "fitted", "too-wide", "slip", "none"], "reading": str, "why": str | None,
    "claim": str | None, "claims": list[NumberClaim], "measured": float | None,
    "half_width": float | None, "met_by": list[str],
})

Fitted = TypedDict("Fitted", {
    "parameter": str, "at": str | None, "value": float, "tried": int | None,
})

ClaimResult = TypedDict("ClaimResult", {
    "id": str, "paper": str, "where": str, "what": str, "expected": str,
    "kind": Literal["printed", "sentence", "derived", "own", "other-tool"],
    "range_written": Literal["before", "after"], "number": str | None,
    "domain": list[float | None] | None, "paper_range": list[float | None],
    "explained_range": list[float | None] | None, "removed_by": str | None,
    "seen_range": list[float | None] | None, "measured": float | None,
    "band": list[float | None] | None, "fitted": Fitted | None, "unit": str,
    "verdict": Literal["reproduced", "differs", "not-reproduced"], "known": bool, "note": str,
    "scenario": str | None, "seed": int | None, "digest": str | None,
})

ReproduceDocument = TypedDict("ReproduceDocument", {
    "version": int, "headline": list[HeadlineRow], "joint": list[JointRow],
    "numbers": list[NumberResult], "claims": list[ClaimResult], "complete": bool,
})

ExperimentScenario = TypedDict("ExperimentScenario", {
    "scenario": str, "runs": int, "duration_ps": str, "cells": int,
})

Experiment = TypedDict("Experiment", {
    "id": str, "paper": str, "title": str, "claims": list[str], "runs": int, "simulated_ps": str,
    "cells": int, "scenarios": list[ExperimentScenario],
})

ExperimentsDocument = TypedDict("ExperimentsDocument", {
    "version": int, "experiments": list[Experiment],
})

PaperTimes = TypedDict("PaperTimes", {
    "paper": str, "experiments": int, "claims": int, "runs": int, "cells": int, "first_s": float,
    "wall_s": float, "cpu_s": float | None,
})

TimesDocument = TypedDict("TimesDocument", {
    "version": int, "papers": list[PaperTimes],
})

BandRow = TypedDict("BandRow", {
    "paper": str, "where": str, "number": str, "setting": str, "claim": str, "scenario": str,
    "seeds": int, "mean": float, "deviation": float | None, "half_width": float | None,
    "printed": list[float | None], "fit": Literal["met", "missed", "wide"],
})

BandsDocument = TypedDict("BandsDocument", {
    "version": int, "joint": list[JointRow], "bands": list[BandRow],
})
