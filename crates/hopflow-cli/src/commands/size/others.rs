//! `hopflow size`: what may still come under rate control.

use hopflow::size::RateSize;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::NAMED;
use super::keyed::Keyed;
use crate::output::{Columns, Table, cell, maybe};

/// Marks a queue that is no bound.
const STAR: &str = "*";

fn scheme(rate: &RateSize) -> &'static str {
    if rate.is_virtual { "VS/VD" } else { "ABR" }
}

/// The bound on the queue of the port, if there is one.
fn bound(rate: &RateSize) -> Option<u64> {
    rate.bound.as_ref().ok().map(|bound| bound.cells)
}

/// The bound, or with a star what is known of the queue before a virtual source.
fn at_most(rate: &RateSize) -> String {
    let known = rate.of_loop.as_ref().map(|known| format!("{}{STAR}", known.cells));
    maybe(bound(rate).map(|cells| cells.to_string()).or(known))
}

/// What the star stands for, where there is one.
pub(super) fn star(rates: &[RateSize]) -> Option<String> {
    rates.iter().any(|rate| rate.of_loop.is_some()).then(|| {
        format!(
            "{STAR} Known when the switch is connected, and not proved: what the links before the \
             port carry in the loop that ends there and two averaging intervals. No run of the \
             networks of [Cai97] is above it (`hopflow reproduce cai97.table1`)."
        )
    })
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
        ("#queue at most, all VCs", at_most),
        ("#given, all VCs", |rate| maybe(rate.given.map(|cells| cells.0))),
    ];
    Table::of(columns, rates)
}

/// The queue of a port under rate control.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct RateRow<'a> {
    /// The VC.
    vc: &'a str,
    /// The link direction that the port sends into.
    link: &'a str,
    /// `ABR`, or `VS/VD` where the loop begins at a virtual source.
    scheme: &'static str,
    /// The cells that the VC may still send in one loop.
    still_to_come_cells: u32,
    /// The memory of the node; `null` without a limit.
    given_cells: Option<u32>,
    /// The time of the loop.
    loop_ps: u64,
    /// The formulas, and below each the numbers put in.
    formula: &'a str,
    /// The bound on the queue of the port, all its VCs together; `null` where none is known.
    queue_bound_cells: Option<u64>,
    /// Its formula.
    bound_formula: Option<&'a str>,
    /// Why there is no bound.
    no_bound: Option<String>,
    /// What is known of the queue before a virtual source.
    loop_queue_cells: Option<u64>,
    /// Its formula.
    loop_queue_formula: Option<&'a str>,
}

pub(super) fn keyed_rates(rates: &[RateSize]) -> Keyed {
    Keyed::of(rates.iter().map(|rate| RateRow {
        vc: &rate.vc,
        link: &rate.link,
        scheme: scheme(rate),
        still_to_come_cells: rate.needed.0,
        given_cells: rate.given.map(|cells| cells.0),
        loop_ps: rate.round_trip.0,
        formula: &rate.formula,
        queue_bound_cells: bound(rate),
        bound_formula: rate.bound.as_ref().ok().map(|bound| bound.formula.as_str()),
        no_bound: rate.bound.as_ref().err().map(ToString::to_string),
        loop_queue_cells: rate.of_loop.as_ref().map(|known| known.cells),
        loop_queue_formula: rate.of_loop.as_ref().map(|known| known.formula.as_str()),
    }))
}
