//! `hopflow size`: what may still come under rate control.

use hopflow::size::RateSize;
use serde_json::json;

use super::NAMED;
use super::keyed::{Keyed, Keys};
use crate::output::{Columns, Table, cell, maybe};

fn scheme(rate: &RateSize) -> &'static str {
    if rate.is_virtual { "VS/VD" } else { "ABR" }
}

/// The bound on the queue of the port, if there is one.
fn bound(rate: &RateSize) -> Option<u64> {
    rate.bound.as_ref().ok().map(|bound| bound.cells)
}

/// Each reason for which ports have no bound, with the ports.
pub(super) fn no_bounds(rates: &[RateSize]) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for rate in rates {
        let Err(why) = &rate.bound else { continue };
        let why = why.to_string();
        let at = reasons.iter().position(|(reason, _)| *reason == why).unwrap_or_else(|| {
            reasons.push((why, Vec::new()));
            reasons.len() - 1
        });
        if !reasons[at].1.contains(&rate.link.as_str()) {
            reasons[at].1.push(&rate.link);
        }
    }
    let sentence = |(why, links): (String, Vec<&str>)| {
        let named: Vec<String> = links.iter().take(NAMED).map(|link| format!("`{link}`")).collect();
        let more = match links.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!(
            "No bound on the queue at {}{more}: {why}. The cells of one loop are not a bound.",
            named.join(", ")
        )
    };
    reasons.into_iter().map(sentence).collect()
}

pub(super) fn rates(rates: &[RateSize]) -> Table {
    let columns: Columns<RateSize> = &[
        ("VC", |rate| rate.vc.clone()),
        ("link", |rate| rate.link.clone()),
        ("scheme", |rate| scheme(rate).to_owned()),
        ("#cells of one loop", |rate| cell(rate.needed.0)),
        ("#queue at most, all VCs", |rate| maybe(bound(rate))),
        ("#given, all VCs", |rate| maybe(rate.given.map(|cells| cells.0))),
    ];
    Table::of(columns, rates)
}

pub(super) fn keyed_rates(rates: &[RateSize]) -> Keyed {
    let keys: Keys<'_, RateSize> = &[
        ("vc", |rate| json!(rate.vc)),
        ("link", |rate| json!(rate.link)),
        ("scheme", |rate| json!(scheme(rate))),
        ("still_to_come_cells", |rate| json!(rate.needed.0)),
        ("given_cells", |rate| json!(rate.given.map(|cells| cells.0))),
        ("loop_ps", |rate| json!(rate.round_trip.0)),
        ("formula", |rate| json!(rate.formula)),
        ("queue_bound_cells", |rate| json!(bound(rate))),
        ("bound_formula", |rate| json!(rate.bound.as_ref().ok().map(|bound| &bound.formula))),
        ("no_bound", |rate| json!(rate.bound.as_ref().err().map(ToString::to_string))),
    ];
    Keyed::new(keys, rates)
}
