"""Sizes as types.

Written by a test of the command from the structs that it prints, as ``docs/result.schema.json`` is,
which has the meaning of every key:
``HOPFLOW_WRITE_SCHEMA=1 cargo test --workspace --test commands -- up_to_date``.
"""

from typing import TypedDict

SizePreset = TypedDict("SizePreset", {
    "name": str, "speed": str, "rate_bps": int, "delay_ps": int, "amount": int, "unit": str,
})

SizeRow = TypedDict("SizeRow", {
    "vc": str, "link": str, "scheme": str, "unit_bytes": int, "n1_cells": int, "n2_cells": int,
    "n3_cells": int, "buffer_cells": int, "buffer_bytes": int, "given_cells": int | None,
    "fit_vcs": int | None, "round_trip_ps": int, "formula": str,
})

LaneRow = TypedDict("LaneRow", {
    "link": str | None, "priority": int | None, "destination": str | None, "packet_bytes": int,
    "block_bytes": int, "update_blocks": int, "credits_blocks": int, "credits_bytes": int,
    "given_blocks": int | None, "fit_lanes": int | None, "round_trip_ps": int, "formula": str,
})

WindowRow = TypedDict("WindowRow", {
    "vc": str | None, "packet_bytes": int, "window_packets": int, "given_packets": int | None,
    "round_trip_ps": int, "formula": str, "data_bytes": int, "update_packets": int,
    "update_half": bool, "loop_packets": int, "loop_bytes": int, "window_bytes": int,
    "given_bytes": int | None, "reached_bps": int | None, "latest_update_packets": int | None,
})

RateRow = TypedDict("RateRow", {
    "vc": str, "link": str, "scheme": str, "still_to_come_cells": int, "given_cells": int | None,
    "loop_ps": int, "formula": str, "queue_bound_cells": int | None, "bound_formula": str | None,
    "no_bound": str | None, "loop_queue_cells": int | None, "loop_queue_formula": str | None,
})

HeadroomRow = TypedDict("HeadroomRow", {
    "link": str | None, "priority": int | None, "xoff_bytes": int | None, "headroom_bytes": int,
    "beyond_xoff_bytes": int, "room_bytes": int | None, "given_bytes": int | None,
    "fit_priorities": int | None, "span_ps": int, "headroom_cells": int | None,
    "cells_bytes": int | None, "cells_formula": str | None, "auto_xoff_bytes": int | None,
    "auto_xoff_formula": str, "formula": str,
})

PublicValue = TypedDict("PublicValue", {
    "source": str, "terms": str, "public_amount": int, "law_amount": int, "unit": str,
    "equal": bool, "why": str,
})

VerifiedRun = TypedDict("VerifiedRun", {
    "run": str, "size": int, "unit": str, "busy": float, "idle_ps": int, "dropped_packets": int,
    "enough": bool, "confirmed": bool, "least": int, "verdict": str,
})

SizeDocument = TypedDict("SizeDocument", {
    "version": int, "preset": SizePreset | None, "sizes": list[SizeRow], "lanes": list[LaneRow],
    "windows": list[WindowRow], "rates": list[RateRow], "headrooms": list[HeadroomRow],
    "public": list[PublicValue], "verified": list[VerifiedRun], "notes": list[str],
})

SonicRowFound = TypedDict("SonicRowFound", {
    "line": int, "speed_mbps": int, "cable_metres": int, "given_bytes": int, "needed_bytes": int,
    "verdict": str, "reason": str,
})

SonicDocument = TypedDict("SonicDocument", {
    "version": int, "good_rows": int, "short_rows": int, "odd_rows": int,
    "rows": list[SonicRowFound],
})
