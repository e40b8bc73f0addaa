//! The results of the formulas of `hopflow size` for a scenario, beside the sizes that it has.

use hopflow::network::NetworkSpec;
use hopflow::size::{
    SizeError, size_hops, size_lane_credits, size_lanes, size_rates, size_windows,
};
use serde_json::{Value, json};

use crate::picture::unit;

/// Rows of all formulas that apply; an error if one overflows.
pub(crate) fn sizes(network: &NetworkSpec) -> Result<Vec<Value>, SizeError> {
    let mut rows = Vec::new();
    for hop in size_hops(network, None)? {
        rows.push(json!({
            "of": format!("{} on {}", hop.vc, hop.link),
            "law": hop.needed.scheme_name(),
            "unit": "cells",
            "needed": hop.needed.buffer.0,
            "given": hop.given.map(|cells| cells.0),
            "formula": hop.needed.formula,
            "isProposal": hop.is_proposal,
        }));
    }
    for lane in size_lane_credits(network, None)? {
        rows.push(json!({
            "of": format!("lane {} on {}", lane.priority, lane.link),
            "law": "lane",
            "unit": "blocks",
            "needed": lane.needed.blocks,
            "given": lane.given,
            "formula": lane.needed.formula,
            "isProposal": false,
        }));
    }
    for window in size_windows(network, None)? {
        rows.push(json!({
            "of": window.vc,
            "law": "window",
            "unit": unit(network),
            "needed": window.needed,
            "given": window.given.map(|given| given.packets),
            "formula": window.formula,
            "isProposal": false,
        }));
    }
    for rate in size_rates(network)? {
        rows.push(json!({
            "of": format!("{} at {}", rate.vc, rate.link),
            "law": "rate",
            "unit": "cells",
            "needed": rate.needed.0,
            "given": rate.given.map(|cells| cells.0),
            "formula": rate.formula,
            "isProposal": false,
        }));
    }
    for lane in size_lanes(network)? {
        let room = lane.xoff.0 + lane.needed.beyond_xoff.0;
        rows.push(json!({
            "of": format!("priority {} on {}", lane.priority, lane.link),
            "law": "PFC",
            "unit": "bytes",
            "needed": room,
            "given": lane.given.map(|bytes| bytes.0),
            "formula": lane.needed.formula,
            "isProposal": false,
        }));
    }
    Ok(rows)
}
