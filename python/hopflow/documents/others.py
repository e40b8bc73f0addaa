"""Checks, sentences, differences, pages as types.

Written by a test of the command from the structs that it prints, as ``docs/result.schema.json`` is,
which has the meaning of every key:
``HOPFLOW_WRITE_SCHEMA=1 cargo test --workspace --test commands -- up_to_date``.
"""

from typing import Literal, NotRequired, TypedDict

from hopflow.documents.run import (
    Exact,
)

HottestLink = TypedDict("HottestLink", {
    "link": str, "vcs": list[str], "load": float, "even_load": float,
})

CheckedRoutes = TypedDict("CheckedRoutes", {
    "kind": str, "seed": str, "pinned": bool, "vcs_with_equal_paths": int,
    "hottest": HottestLink | None,
})

SlowHost = TypedDict("SlowHost", {
    "host": str, "drain_bps": Exact, "link_bps": Exact, "receive_buffer_packets": int | None,
    "receive_buffer_bytes": NotRequired[Exact], "stalls": int, "stalled_ps": Exact,
})

Mark = TypedDict("Mark", {
    "right": bool, "label": str | None, "path": str | None, "least": float | None,
    "most": float | None, "found": float | None, "text": str,
})

Grade = TypedDict("Grade", {
    "right": bool, "digest": str, "marks": list[Mark],
})

FindingPlace = TypedDict("FindingPlace", {
    "line": int, "column": int, "end_line": int, "end_column": int, "text": str,
})

Finding = TypedDict("Finding", {
    "code": str, "message": str, "hint": str | None, "control": str | None, "setting": str | None,
    "more": Exact, "more_at_least": bool, "places": list[FindingPlace],
})

CheckedFile = TypedDict("CheckedFile", {
    "file": str, "fine": bool, "nodes": int | None, "links": int | None, "vcs": int | None,
    "memory_bytes": Exact | None, "routing": CheckedRoutes | None, "vcs_with_phases": int | None,
    "slow_hosts": list[SlowHost], "variants": list[str], "answer": NotRequired[Grade],
    "errors": list[Finding], "warnings": list[Finding], "left_out": Exact,
})

CheckDocument = TypedDict("CheckDocument", {
    "version": int, "fine": bool, "files": list[CheckedFile],
})

Sentence = TypedDict("Sentence", {
    "severity": Literal["detail", "info", "warning", "broken"], "cause": str, "by": str | None,
    "vc": str | None, "link": str | None, "at_ps": Exact | None, "numbers": dict[str, float],
    "text": str, "change": str | None,
})

CauseGroup = TypedDict("CauseGroup", {
    "cause": str, "held_by": str, "by": str | None, "bottleneck": str | None, "flows": int,
    "held_share": float, "throughput_bps": float,
})

FlowCause = TypedDict("FlowCause", {
    "vc": str, "cause": str, "held_by": str, "by": str | None, "bottleneck": str | None,
    "throughput_bps": float, "spans": dict[str, Exact],
})

WhyDocument = TypedDict("WhyDocument", {
    "version": int, "run": str, "control": str, "sentences": list[Sentence],
    "causes": list[CauseGroup], "flows": list[FlowCause],
})

Difference = TypedDict("Difference", {
    "file": str, "place": str, "a": str | None, "b": str | None, "more": int,
})

DiffDocument = TypedDict("DiffDocument", {
    "version": int, "same": bool, "digests": list[str], "versions": list[int | None],
    "files": int, "differences": list[Difference],
})

ReportDocument = TypedDict("ReportDocument", {
    "version": int, "run": str, "report": str, "series": int, "vcs": list[str],
    "links": list[str], "from_ps": Exact | None, "to_ps": Exact | None,
})

DoctorCheck = TypedDict("DoctorCheck", {
    "name": str, "fine": bool, "found": str,
})

DoctorDocument = TypedDict("DoctorDocument", {
    "version": int, "fine": bool, "hopflow": str, "cores": int, "free_disk_bytes": Exact | None,
    "writable": bool, "digest": str | None, "checks": list[DoctorCheck],
})
