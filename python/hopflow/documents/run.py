"""Results of a run as types.

Written by a test of the command from the structs that it prints, as ``docs/result.schema.json`` is,
which has the meaning of every key:
``HOPFLOW_WRITE_SCHEMA=1 cargo test --workspace --test commands -- up_to_date``.
"""

from typing import Any, Literal, NotRequired, TypedDict

# A whole number; above 2^53 a text of its digits.
Exact = int | str

Manifest = TypedDict("Manifest", {
    "version": str, "title": str | None, "scenario": NotRequired[Any], "seed": str,
    "duration_ps": Exact, "warm_up_ps": Exact, "end_ps": Exact, "digest": str, "complete": bool,
})

DelaySummary = TypedDict("DelaySummary", {
    "min": Exact, "mean": float, "sum": str | None, "deviation": float | None, "p99": Exact,
    "max": Exact,
})

TotalsSummary = TypedDict("TotalsSummary", {
    "vcs": Exact, "silent_vcs": Exact, "hops": Exact, "created_packets": Exact,
    "sent_packets": Exact, "received_packets": Exact, "dropped_packets": Exact,
    "corrupted_packets": Exact, "delivered_bytes": Exact, "set_ups": NotRequired[Exact],
    "admitted_set_ups": NotRequired[Exact], "refused_set_ups": NotRequired[Exact],
    "blocked_share": NotRequired[float], "delay_ps": DelaySummary | None,
})

ClassSummary = TypedDict("ClassSummary", {
    "control": str, "priority": int, "vcs": Exact, "silent_vcs": Exact, "hops": Exact,
    "created_packets": Exact, "sent_packets": Exact, "received_packets": Exact,
    "dropped_packets": Exact, "corrupted_packets": Exact, "delivered_bytes": Exact,
    "set_ups": NotRequired[Exact], "admitted_set_ups": NotRequired[Exact],
    "refused_set_ups": NotRequired[Exact], "blocked_share": NotRequired[float],
    "delay_ps": DelaySummary | None,
})

WaitingSummary = TypedDict("WaitingSummary", {
    "mean": float, "deviation": float | None, "p99": Exact, "max": Exact,
})

FairSummary = TypedDict("FairSummary", {
    "share_bps": float, "ratio": float | None, "held_by": str | None, "split_bps": float | None,
})

FrameSummary = TypedDict("FrameSummary", {
    "sent_frames": Exact, "whole_frames": Exact, "whole_bytes": Exact, "broken_frames": Exact,
    "wasted_packets": Exact, "throughput_bps": float, "delay_ps": DelaySummary | None,
})

HoldSummary = TypedDict("HoldSummary", {
    "pacing_ps": Exact, "host_ps": Exact, "peer_ps": Exact, "application_ps": Exact,
    "receive_window_ps": Exact, "growth_ps": Exact, "marks_ps": Exact, "loss_ps": Exact,
    "time_out_ps": Exact,
})

VideoSummary = TypedDict("VideoSummary", {
    "frames": Exact, "frame_bits_mean": float, "frame_bits_least": Exact | None,
    "frame_bits_most": Exact, "frame_bits_change": float,
})

RateSummary = TypedDict("RateSummary", {
    "acr_cells_per_second": Exact | None, "fair_cells_per_second": Exact | None,
    "forward_rm_cells": Exact, "turned_around_rm_cells": Exact, "backward_rm_cells": Exact,
    "backward_rm_cells_made": NotRequired[Exact],
})

HopSummary = TypedDict("HopSummary", {
    "from": str, "to": str, "link": str, "control": str, "initial_credit_packets": Exact | None,
    "round_trip_ps": Exact, "no_cell_ps": Exact, "no_credit_ps": Exact, "waiting_ps": Exact,
    "sending_ps": Exact, "no_cell_share": float, "no_credit_share": float, "waiting_share": float,
    "sending_share": float, "no_credit_count": Exact, "sent_packets": Exact,
    "received_packets": Exact, "corrupted_packets": Exact, "dropped_packets": Exact,
    "given_up_packets": Exact, "pushed_out_packets": NotRequired[Exact],
    "slow_down_messages": NotRequired[Exact], "deleted_ps": NotRequired[Exact],
    "overrun_packets": Exact, "credits_sent": Exact, "credits_shared": NotRequired[Exact],
    "credits_taken": Exact, "credits_corrupted": Exact, "credits_left_out": Exact,
    "credits_falsified": NotRequired[Exact], "request_cells": Exact,
    "rate": NotRequired[RateSummary],
})

LeafSummary = TypedDict("LeafSummary", {
    "node": str, "received_packets": Exact, "delivered_bytes": Exact, "throughput_bps": float,
    "throughput_packets_per_second": float, "delay_ps": DelaySummary | None,
    "waiting_ps": WaitingSummary | None, "first_delivery_ps": Exact | None,
    "last_delivery_ps": Exact | None,
})

VcSummary = TypedDict("VcSummary", {
    "name": str, "created_packets": Exact, "sent_packets": Exact, "received_packets": Exact,
    "dropped_packets": Exact, "pushed_out_packets": NotRequired[Exact],
    "policed_packets": NotRequired[Exact], "slow_down_messages": NotRequired[Exact],
    "set_ups": NotRequired[Exact], "admitted_set_ups": NotRequired[Exact],
    "refused_set_ups": NotRequired[Exact], "set_up_ps": NotRequired[Exact],
    "corrupted_packets": Exact, "delivered_bytes": Exact, "throughput_bps": float,
    "throughput_packets_per_second": float, "delay_ps": DelaySummary | None,
    "waiting_ps": WaitingSummary | None, "delay_bound_ps": Exact | None, "delay_bound": str,
    "refused_at": NotRequired[str], "fair": NotRequired[FairSummary],
    "first_delivery_ps": Exact | None, "last_delivery_ps": Exact | None, "ack_cells": Exact,
    "acked_cells": Exact, "frames": NotRequired[FrameSummary], "holds": NotRequired[HoldSummary],
    "video": NotRequired[VideoSummary], "hops": list[HopSummary], "leaves": list[LeafSummary],
})

FairnessSummary = TypedDict("FairnessSummary", {
    "jain_index": float, "vcs": int,
})

Admission = TypedDict("Admission", {
    "jitter": Literal["exact", "gap"], "at": list[str],
})

TcpSummary = TypedDict("TcpSummary", {
    "delivered_bytes": Exact, "goodput_bps": float, "segments": Exact,
    "retransmitted_segments": Exact, "timeouts": Exact, "fast_retransmits": Exact,
    "mark_cuts": NotRequired[Exact], "marked_bytes": NotRequired[Exact], "duplicate_bytes": Exact,
    "acks": Exact, "window_bytes": int, "needed_window_bytes": Exact, "loop_ps": Exact,
    "cwnd_bytes": list[int], "srtt_ps": list[int], "rto_ps": list[int],
    "finished_ps": Exact | None,
})

RpcSummary = TypedDict("RpcSummary", {
    "calls": Exact, "replies": Exact, "retransmissions": Exact, "timeouts": Exact,
    "duplicates": Exact, "read_bytes": Exact, "read_bps": float,
    "response_ps": DelaySummary | None, "transfer_ps": DelaySummary | None,
})

ConnectionSummary = TypedDict("ConnectionSummary", {
    "name": str, "protocol": str, "vcs": list[str], "tcp": NotRequired[TcpSummary],
    "rpc": NotRequired[RpcSummary],
})

Utilization = TypedDict("Utilization", {
    "window_ps": Exact, "windows": Exact, "mean": float, "deviation": float, "min": float,
    "max": float,
})

LinkShare = TypedDict("LinkShare", {
    "vc": str, "packets": Exact, "share": float,
})

LaneSummary = TypedDict("LaneSummary", {
    "lane": int, "control": str, "shut_share": float, "shut_count": Exact, "pauses_sent": Exact,
    "frames_sent": Exact, "frames_taken": Exact, "held_max": Exact, "watchdog_packets": Exact,
    "frames_falsified": NotRequired[Exact], "overrun_packets": NotRequired[Exact],
    "destination": NotRequired[str], "block_bytes": NotRequired[Exact],
    "buffer_blocks": NotRequired[Exact], "needed_blocks": NotRequired[Exact],
    "xoff_bytes": NotRequired[Exact],
})

LinkSummary = TypedDict("LinkSummary", {
    "from": str, "to": str, "name": str, "rate_bps": Exact, "scheduler": str, "busy_share": float,
    "utilization": NotRequired[Utilization], "data_packets": Exact, "control_packets": Exact,
    "marked_packets": NotRequired[Exact], "reserved_max_bps": NotRequired[Exact],
    "refused_set_ups": NotRequired[Exact], "vcs": list[LinkShare],
    "vcs_left_out": NotRequired[Exact], "vcs_left_out_share": NotRequired[float],
    "lanes": NotRequired[list[LaneSummary]],
})

QueueSummary = TypedDict("QueueSummary", {
    "node": str, "port": str, "vc": str, "mean_packets": float, "max_packets": int,
    "end_packets": int | None,
})

LengthSummary = TypedDict("LengthSummary", {
    "mean_packets": float, "deviation_packets": float, "min_packets": int | None,
    "p50_packets": int, "p90_packets": int, "p99_packets": int, "max_packets": int,
    "shares": list[float],
})

LengthsSummary = TypedDict("LengthsSummary", {
    "time": LengthSummary | None, "arrivals": LengthSummary | None,
})

PortSummary = TypedDict("PortSummary", {
    "node": str, "port": str, "mean_packets": float, "max_packets": int,
    "end_packets": int | None, "lengths": NotRequired[LengthsSummary],
})

NodeSummary = TypedDict("NodeSummary", {
    "node": str, "kind": str, "mean_packets": float, "max_packets": int,
    "end_packets": int | None, "max_bytes": NotRequired[Exact],
    "buffer_bytes": NotRequired[Exact], "alpha": NotRequired[float],
    "reserved_bytes": NotRequired[Exact],
})

ProcessorSummary = TypedDict("ProcessorSummary", {
    "node": str, "send_ps": Exact, "receive_ps": Exact, "credit_ps": Exact, "busy_share": float,
    "sent_packets": Exact, "received_packets": Exact, "credits": Exact, "max_waiting": int,
    "end_waiting": int, "longest_wait_ps": Exact,
})

Violation = TypedDict("Violation", {
    "property": Literal["conservation", "no-overrun", "no-congestion-loss", "time-adds-up",
    "delay-bound", "no-deadlock"], "vc": str | None, "link": str | None, "count": Exact,
    "text": str,
})

RunDocument = TypedDict("RunDocument", {
    "version": int, "manifest": Manifest, "end_ps": Exact, "from_ps": Exact,
    "counted_in": Literal["cells", "packets"], "totals": NotRequired[TotalsSummary],
    "classes": NotRequired[list[ClassSummary]], "vcs": list[VcSummary],
    "vcs_left_out": NotRequired[Exact], "fairness": NotRequired[FairnessSummary],
    "admission": NotRequired[Admission], "connections": NotRequired[list[ConnectionSummary]],
    "links": list[LinkSummary], "queues": list[QueueSummary],
    "queues_left_out": NotRequired[Exact], "ports": list[PortSummary], "nodes": list[NodeSummary],
    "processors": NotRequired[list[ProcessorSummary]], "violations": list[Violation],
    "violations_left_out": NotRequired[Exact], "accepted_losses": NotRequired[list[Violation]],
})

SeedsManifest = TypedDict("SeedsManifest", {
    "version": str, "title": str | None, "scenario": Any, "seeds": list[str],
    "duration_ps": Exact, "warm_up_ps": Exact, "digests": list[str], "digest": str,
    "complete": bool, "certain": NotRequired[bool],
})

QuantityEstimate = TypedDict("QuantityEstimate", {
    "of": Literal["vc", "link", "queue", "run"], "name": str, "quantity": str,
    "values": list[float | None], "count": int, "mean": float, "deviation": float | None,
    "half_width": float | None, "interval": list[float] | None,
})

SeedsDocument = TypedDict("SeedsDocument", {
    "version": int, "manifest": SeedsManifest, "seeds": list[str], "confidence": float,
    "estimates": list[QuantityEstimate],
})
