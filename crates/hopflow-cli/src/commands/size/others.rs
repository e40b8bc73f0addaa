//! `hopflow size`: windows, and what may still come under rate control.

use hopflow::size::{RateSize, WindowSize};
use serde_json::{Value, json};

use super::NAMED;
use crate::output::{Columns, Table, cell, maybe};

pub(super) fn windows(windows: &[WindowSize]) -> Table {
    let columns: Columns<WindowSize> = &[
        ("VC", |window| window.vc.clone()),
        ("#packet bytes", |window| cell(window.packet.0)),
        ("#window packets", |window| cell(window.needed)),
        ("#given packets", |window| cell(window.given.0)),
    ];
    Table::of(columns, windows)
}

/// As data: the keys of JSON, without the formula.
pub(super) fn windows_data(windows: &[WindowSize]) -> Table {
    let columns: Columns<WindowSize> = &[
        ("vc", |window| window.vc.clone()),
        ("packet_bytes", |window| cell(window.packet.0)),
        ("window_packets", |window| cell(window.needed)),
        ("given_packets", |window| cell(window.given.0)),
        ("round_trip_ps", |window| cell(window.round_trip.0)),
    ];
    Table::of(columns, windows)
}

pub(super) fn window_documents(windows: &[WindowSize]) -> Vec<Value> {
    let document = |window: &WindowSize| {
        json!({
            "vc": window.vc, "packet_bytes": window.packet.0, "window_packets": window.needed,
            "given_packets": window.given.0, "round_trip_ps": window.round_trip.0,
            "formula": window.formula,
        })
    };
    windows.iter().map(document).collect()
}

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
            "No bound on the queue at {}{more}: {why}. The cells of one loop are no bound.",
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

/// As data: the keys of JSON, without the formula.
pub(super) fn rates_data(rates: &[RateSize]) -> Table {
    let columns: Columns<RateSize> = &[
        ("vc", |rate| rate.vc.clone()),
        ("link", |rate| rate.link.clone()),
        ("scheme", |rate| scheme(rate).to_owned()),
        ("still_to_come_cells", |rate| cell(rate.needed.0)),
        ("given_cells", |rate| maybe(rate.given.map(|cells| cells.0))),
        ("loop_ps", |rate| cell(rate.round_trip.0)),
        ("queue_bound_cells", |rate| maybe(bound(rate))),
        ("no_bound", |rate| rate.bound.as_ref().err().map_or(String::new(), ToString::to_string)),
    ];
    Table::of(columns, rates)
}

pub(super) fn rate_documents(rates: &[RateSize]) -> Vec<Value> {
    let document = |rate: &RateSize| {
        json!({
            "vc": rate.vc, "link": rate.link, "scheme": scheme(rate),
            "still_to_come_cells": rate.needed.0, "given_cells": rate.given.map(|cells| cells.0),
            "loop_ps": rate.round_trip.0, "formula": rate.formula,
            "queue_bound_cells": bound(rate),
            "bound_formula": rate.bound.as_ref().ok().map(|bound| &bound.formula),
            "no_bound": rate.bound.as_ref().err().map(ToString::to_string),
        })
    };
    rates.iter().map(document).collect()
}
