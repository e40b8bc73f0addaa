"""Several seeds and controls as types.

Written by a test of the command from the structs that it prints, as ``docs/result.schema.json`` is,
which has the meaning of every key:
``HOPFLOW_WRITE_SCHEMA=1 cargo test --workspace --test commands -- up_to_date``.
"""

from typing import Literal, NotRequired, TypedDict

from hopflow.documents.run import (
    Exact,
)

CompareManifest = TypedDict("CompareManifest", {
    "version": str, "title": str | None, "controls": list[str], "digests": list[str],
    "digest": str, "seed": str, "duration_ps": Exact, "warm_up_ps": Exact,
    "bottleneck": str | None, "complete": bool,
})

TcpMeasures = TypedDict("TcpMeasures", {
    "connections": Exact, "goodput_bps": float, "finished": Exact, "completion_ps": Exact | None,
    "segments": Exact, "retransmitted_segments": Exact, "timeouts": Exact,
    "round_trip_ps": float | None, "round_trip_max_ps": Exact,
})

SwitchMeasures = TypedDict("SwitchMeasures", {
    "node": str, "kind": str, "mean_packets": float, "p99_packets": int, "max_packets": int,
    "needed_packets": Exact, "promised_packets": Exact | None, "max_bytes": NotRequired[Exact],
    "needed_bytes": NotRequired[Exact], "promised_bytes": NotRequired[Exact],
})

VcMeasures = TypedDict("VcMeasures", {
    "name": str, "throughput_bps": float, "fair_bps": float | None, "delay_mean_ps": float | None,
    "lost_packets": Exact,
})

ControlMeasures = TypedDict("ControlMeasures", {
    "control": str, "title": str | None, "digest": str, "utilization": float | None,
    "throughput_bps": float, "counted_in": Literal["cells", "packets"], "created_packets": Exact,
    "lost_packets": Exact, "lost_share": float, "delay_mean_ps": float | None,
    "delay_p99_ps": Exact | None, "delay_max_ps": Exact | None, "delay_host_ps": float | None,
    "delay_network_ps": float | None, "jain": float | None, "needed_packets": Exact,
    "needed_bytes": NotRequired[Exact], "settled_ps": Exact | None, "tcp": TcpMeasures | None,
    "violations": list[str], "switches": list[SwitchMeasures], "vcs": list[VcMeasures],
})

ControlSize = TypedDict("ControlSize", {
    "control": str, "size": str, "unit": str, "least": Exact, "most": Exact,
    "law_least": Exact | None, "law_most": Exact | None, "places": Exact, "at": str,
})

Need = TypedDict("Need", {
    "node": str, "packets": Exact, "bytes": NotRequired[Exact], "formula": NotRequired[str],
})

Unfit = TypedDict("Unfit", {
    "control": str, "title": str | None, "code": str, "reason": str, "change": str | None,
    "needs": list[Need],
})

CompareNote = TypedDict("CompareNote", {
    "severity": str, "cause": str, "controls": list[str], "text": str, "change": str,
})

CompareDocument = TypedDict("CompareDocument", {
    "version": int, "manifest": CompareManifest, "controls": list[ControlMeasures],
    "sizes": list[ControlSize], "unfit": list[Unfit], "notes": list[CompareNote],
})

SeedsComparisonManifest = TypedDict("SeedsComparisonManifest", {
    "version": str, "title": str | None, "controls": list[str], "seeds": list[str],
    "digests": list[str], "digest": str, "duration_ps": Exact, "warm_up_ps": Exact,
    "bottleneck": str | None, "complete": bool,
})

PairedDifference = TypedDict("PairedDifference", {
    "count": int, "mean": float, "deviation": float | None, "half_width": float | None,
    "interval": list[float] | None, "differs": bool | None,
})

ControlEstimate = TypedDict("ControlEstimate", {
    "control": str, "quantity": str, "values": list[float | None], "count": int, "mean": float,
    "deviation": float | None, "half_width": float | None, "interval": list[float] | None,
    "difference": PairedDifference | None,
})

SeedsComparisonDocument = TypedDict("SeedsComparisonDocument", {
    "version": int, "manifest": SeedsComparisonManifest, "confidence": float,
    "estimates": list[ControlEstimate], "sizes": list[ControlSize], "unfit": list[Unfit],
    "notes": list[CompareNote],
})

DemoControl = TypedDict("DemoControl", {
    "control": str, "digest": str, "victim_bps": float, "fair_bps": float, "fair_share": float,
    "victim_lost_share": float, "incast_lost_share": float, "victim_delay_max_ps": Exact,
    "incast_from_ps": Exact, "incast_to_ps": Exact, "curve_part_ps": Exact,
    "curve_bps": list[float], "sentence": str,
})

DemoDocument = TypedDict("DemoDocument", {
    "version": int, "scenario": str, "digest": str, "report": str | None,
    "controls": list[DemoControl],
})
