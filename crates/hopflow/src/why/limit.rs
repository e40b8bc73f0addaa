//! The limit of a VC: the hop that held its cells back, searched from the source on.
//!
//! ```text
//! a processor of its hosts works 5/6 of the time (of the source: no link is busier) -> that one
//! a later hop never empty that sends less than this   -> the limit of that hop
//! else held, a link behind it sends it 5/6 of the time -> the VC fills that link
//! else mostly held to its rate     -> the rate set by switches: the port with the least fair
//!                                     rate, or the busiest link
//! else mostly no credit            -> next hop rarely empty meanwhile: the limit of the next
//!                                       hop; if the credit is below the loop, others get more
//!                                       of the next link and it is empty at times: the credit
//!                                     next hop often empty, or none: the buffer is too small
//!                                     for the loop, or credits were lost
//! else no packet of its endpoint   -> why: windows, host, the other end, application
//! else cells lost downstream       -> the link by which they were to leave
//! else sending nearly all the time -> the VC fills this link itself
//! else mostly waiting              -> this link, shared with others
//! else mostly no cell, and the hop before it was held -> the control of that hop
//! else mostly no cell (hop 0)      -> the source offered no more
//! ```
//! The time for which the next hop is empty *meanwhile* is its time without a cell minus that of
//! this hop: while this hop has no cell either, before a start or after the last cell, credit is
//! not the reason.
//!
//! Sentences about a hop that held it: `held.rs`; about one that did not: `open.rs`; about an
//! endpoint: `endpoint.rs`; about a processor: `processor.rs`. Checked by:
//! `why/tests.rs`.

mod endpoint;
mod held;
mod open;
mod processor;

use hopflow_control::credit::CreditScheme;
use hopflow_record::{HopSummary, VcSummary};

use super::{BUSY, NEGLIGIBLE, Report};

/// Picoseconds of a second.
const SECOND: f64 = 1e12;

impl<'a> Report<'a> {
    /// Its limit: the search described above.
    pub(super) fn limit(&mut self) {
        if self.vc.created_packets == 0 {
            return;
        }
        if self.processor() {
            return;
        }
        let mut at = &self.vc.hops[0];
        let mut held = None;
        loop {
            if let Some(next) = self.piled_up_after(at) {
                at = next;
                continue;
            }
            let open = at.no_cell_share.max(at.waiting_share);
            let is_held = at.no_credit_share >= NEGLIGIBLE && at.no_credit_share > open;
            if !is_held {
                return self.not_held(at, held);
            }
            if let Some(filled) = self.filled_from(at) {
                return self.fills(filled);
            }
            if at.control == "window" {
                return self.window(at);
            }
            if at.control == "abr" {
                return self.paced(at);
            }
            let next = self.fullest_after(at);
            let full = |next: &&HopSummary| empty_meanwhile(at, next) < 0.5 * at.no_credit_share;
            match next.filter(full) {
                Some(next) if self.gets_less_by_credit(at, next) => {
                    return self.loop_bound(at, Some(next));
                }
                Some(next) => (held, at) = (Some(at), next),
                None => return self.control(at),
            }
        }
    }

    /// The control of a hop is the limit.
    fn control(&mut self, at: &HopSummary) {
        if at.control == "none" { self.lane(at) } else { self.loop_bound(at, None) }
    }

    /// The limit if no control held its cells at `at`. `held`: the hop before it, if its control
    /// held them: that is the limit if `at` is mostly without a cell.
    fn not_held(&mut self, at: &'a HopSummary, held: Option<&'a HopSummary>) {
        let is_first = at.link == self.vc.hops[0].link;
        let is_idle = at.no_cell_share >= NEGLIGIBLE.max(at.waiting_share);
        if is_first && is_idle && self.endpoint() {
            return;
        }
        if let Some((next, lost)) = self.losing_after(at) {
            self.loses(next, lost);
        } else if at.no_cell_share.max(at.waiting_share) < NEGLIGIBLE {
            self.fills(at);
        } else if at.waiting_share >= at.no_cell_share {
            self.shares(at);
        } else if let Some(held) = held {
            self.control(held);
        } else {
            self.no_cells(at);
        }
    }

    /// The number of its packets that the link of `hop` carries in one round trip.
    fn carries(&self, hop: &HopSummary) -> f64 {
        let rate = self.link(hop).map_or(0.0, |link| link.rate_bps as f64);
        hop.round_trip_ps as f64 * rate / (self.cell_bits() * SECOND)
    }

    /// Whether a credit below the loop keeps its cells from `next`, at which others get more of the
    /// link: with a larger credit it would get a part of theirs.
    fn gets_less_by_credit(&self, hop: &HopSummary, next: &HopSummary) -> bool {
        let credit = hop.initial_credit_packets.unwrap_or(u64::MAX) as f64;
        let is_known = hop.control != "none" && !shares_buffer(hop) && !is_external(hop);
        let small = is_known && credit < self.carries(hop);
        let most = self.link(next).and_then(|link| {
            let shares = link.vcs.iter().map(|share| share.share);
            let most = shares.reduce(f64::max)?;
            Some(self.share_of(link).unwrap_or(0.0) < most - NEGLIGIBLE)
        });
        small && empty_meanwhile(hop, next) > 2.0 * NEGLIGIBLE && most.unwrap_or(false)
    }

    /// Mean bits of its packets; those of an ATM cell if none was delivered.
    fn cell_bits(&self) -> f64 {
        match self.vc.received_packets {
            0 => 424.0,
            cells => 8.0 * self.vc.delivered_bytes as f64 / cells as f64,
        }
    }

    /// The hop after `hop` that had a cell for most of the time: for a multicast VC the branch that
    /// holds the others.
    fn fullest_after(&self, hop: &HopSummary) -> Option<&'a HopSummary> {
        let vc: &'a VcSummary = self.vc;
        let after = vc.hops.iter().filter(|next| next.from == hop.to);
        after.min_by(|a, b| a.no_cell_share.total_cmp(&b.no_cell_share))
    }

    /// A hop after `hop` whose link it has nearly for itself: whatever holds it, it delivers at
    /// most a fifth more without that.
    fn filled_from(&self, hop: &'a HopSummary) -> Option<&'a HopSummary> {
        let after = self.after(hop).into_iter();
        let filled = after.filter(|hop| hop.sending_share >= BUSY);
        filled.max_by(|a, b| a.sending_share.total_cmp(&b.sending_share))
    }

    /// The hops that its cells reach over `hop`.
    fn after(&self, hop: &'a HopSummary) -> Vec<&'a HopSummary> {
        let vc: &'a VcSummary = self.vc;
        let mut nodes = vec![&hop.to];
        let mut after = Vec::new();
        for next in &vc.hops {
            if nodes.contains(&&next.from) {
                nodes.push(&next.to);
                after.push(next);
            }
        }
        after
    }

    /// The first hop after `hop` that nearly always had a cell and yet sent less than `hop`: cells
    /// accumulate or are lost there.
    fn piled_up_after(&self, hop: &'a HopSummary) -> Option<&'a HopSummary> {
        let missing = |next: &HopSummary| hop.sent_packets.saturating_sub(next.sent_packets);
        let is_less = |next: &HopSummary| is_share(missing(next), hop.sent_packets);
        let mut after = self.after(hop).into_iter();
        after.find(|next| next.no_cell_share < NEGLIGIBLE && is_less(next))
    }

    /// The hop after `hop` before which most of its cells were lost for lack of buffer, and their
    /// number, if it is considerable.
    fn losing_after(&self, hop: &'a HopSummary) -> Option<(&'a HopSummary, u64)> {
        let lost = |next: &HopSummary| {
            let into = self.vc.hops.iter().filter(|hop| hop.to == next.from);
            into.map(|hop| hop.dropped_packets).sum::<u64>() + next.pushed_out_packets
        };
        let all = self.after(hop).into_iter().map(|next| (next, lost(next)));
        all.max_by_key(|(_, lost)| *lost)
            .filter(|(_, lost)| is_share(*lost, self.vc.created_packets))
    }
}

/// The share of the run for which `next` had no cell although `hop` had one.
fn empty_meanwhile(hop: &HopSummary, next: &HopSummary) -> f64 {
    (next.no_cell_share - hop.no_cell_share).max(0.0)
}

/// Whether `part` of `whole` is considerable.
fn is_share(part: u64, whole: u64) -> bool {
    part as f64 > NEGLIGIBLE * whole as f64
}

/// Whether only the author of its scheme knows how much credit it needs.
fn is_external(hop: &HopSummary) -> bool {
    CreditScheme::named(&hop.control).is_some_and(|scheme| scheme.external().is_some())
}

fn shares_buffer(hop: &HopSummary) -> bool {
    CreditScheme::named(&hop.control).is_some_and(|scheme| scheme.facts().shares_buffer())
}
