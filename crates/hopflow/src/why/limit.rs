//! What limited a VC: the hop that held its cells back, looked for from the source on.
//!
//! ```text
//! a later hop never empty that sends less than this   -> what limits that hop
//! else mostly held to its rate     -> the rate that switches told: the port with the least
//!                                     fair rate, or the busiest link
//! else mostly no credit            -> next hop rarely empty: what limits the next hop
//!                                     next hop often empty, or none: the buffer is too small
//!                                     for the loop, or credits were lost
//! else cells lost further on       -> the link they were to leave by
//! else sending nearly all the time -> the VC fills this link itself
//! else mostly waiting              -> this link, shared with others
//! else mostly no cell (hop 0)      -> the source gave no more
//! ```
//! Checked by: `why/tests.rs`.

use hopflow_record::{HopSummary, RateSummary, VcSummary};

use super::{NEGLIGIBLE, Report, percent};

/// Picoseconds of a second.
const SECOND: f64 = 1e12;

impl<'a> Report<'a> {
    /// What limited it: the walk described above.
    pub(super) fn limit(&mut self) {
        if self.vc.created_cells == 0 {
            return;
        }
        let mut at = &self.vc.hops[0];
        loop {
            if let Some(next) = self.piled_up_after(at) {
                at = next;
                continue;
            }
            let open = at.no_cell_share.max(at.waiting_share);
            let is_held = at.no_credit_share >= NEGLIGIBLE && at.no_credit_share > open;
            if !is_held {
                return self.not_held(at);
            }
            if at.control == "window" {
                return self.window(at);
            }
            if at.control == "abr" {
                return self.paced(at);
            }
            let next = self.fullest_after(at);
            match next.filter(|next| next.no_cell_share < 0.5 * at.no_credit_share) {
                Some(next) => at = next,
                None if at.control == "none" => return self.lane(at),
                None => return self.loop_bound(at),
            }
        }
    }

    /// Nothing held its cells at `at`.
    fn not_held(&mut self, at: &'a HopSummary) {
        if let Some((next, lost)) = self.losing_after(at) {
            self.loses(next, lost);
        } else if at.no_cell_share.max(at.waiting_share) < NEGLIGIBLE {
            self.fills(at);
        } else if at.waiting_share >= at.no_cell_share {
            self.shares(at);
        } else {
            self.no_cells(at);
        }
    }

    /// The rate that it was told held it: from the port with the least fair rate, or where none
    /// tells one from the busiest link.
    fn paced(&mut self, hop: &HopSummary) {
        let vc: &'a VcSummary = self.vc;
        let fair = |next: &HopSummary| next.rate.and_then(|rate| rate.fair_cells_per_second);
        let least = vc.hops.iter().filter_map(|next| Some((fair(next)?, next)));
        let least = least.min_by_key(|(fair, _)| *fair);
        let links = vc.hops.iter().skip(1).filter_map(|next| self.link(next));
        let busiest = links.max_by(|a, b| a.busy_share.total_cmp(&b.busy_share));
        let (which, link) = match least {
            Some((fair, next)) => {
                let which = format!("The port with the least fair rate, {}, was", mega(fair));
                (which, self.link(next))
            }
            None => ("No port assigned a fair rate; the busiest link after it was".into(), busiest),
        };
        let place = link.map_or_else(String::new, |link| {
            let (busy, others) = (percent(link.busy_share), self.others(link));
            format!(" {which} {}, busy {busy} of the time, {others}.", link.name)
        });
        let acr = hop.rate.and_then(|rate| rate.acr_cells_per_second).unwrap_or(0);
        let text = format!(
            "{} was held to the rate assigned to it on {} {} of the time; at the end ACR was \
             {}.{place}",
            vc.name,
            hop.link,
            percent(hop.no_credit_share),
            mega(acr)
        );
        self.say(Some(&hop.link), text);
    }

    /// Without control of its own, only its lane can have held it.
    fn lane(&mut self, hop: &HopSummary) {
        let text = format!(
            "{} was held with its lane on {} {} of the time, although {} often had no cell of it: \
             others filled the buffer behind the link.",
            self.vc.name,
            hop.link,
            percent(hop.no_credit_share),
            hop.to
        );
        self.say(Some(&hop.link), text);
    }

    fn fills(&mut self, hop: &HopSummary) {
        let text =
            format!("{} filled {} itself: the link's rate limited it.", self.vc.name, hop.link);
        self.say(Some(&hop.link), text);
    }

    fn no_cells(&mut self, hop: &HopSummary) {
        let name = &self.vc.name;
        let text = if hop.link == self.vc.hops[0].link {
            format!(
                "{name} was limited mostly by its source: it had nothing to send {} of the time.",
                percent(hop.no_cell_share)
            )
        } else {
            format!(
                "No single place limited {name}: {} passed on what came, and had no cell {} of the \
                 time.",
                hop.from,
                percent(hop.no_cell_share)
            )
        };
        self.say(Some(&hop.link), text);
    }

    fn shares(&mut self, hop: &HopSummary) {
        let Some(link) = self.link(hop) else { return };
        let others = self.others(link);
        let busy = percent(link.busy_share);
        let name = &self.vc.name;
        let text = if link.busy_share >= 1.0 - 2.0 * NEGLIGIBLE {
            format!(
                "The bottleneck of {name} was {}: the link was busy {busy} of the time, {others}.",
                hop.link
            )
        } else {
            format!(
                "{name} waited mostly for {}, although the link was busy only {busy} of the time \
                 ({others}): cells came in bursts, or the link was shut for data at times.",
                hop.link
            )
        };
        self.say(Some(&hop.link), text);
    }

    fn loses(&mut self, hop: &HopSummary, lost: u64) {
        let Some(link) = self.link(hop) else { return };
        let text = format!(
            "{} lost {} of its cells at {} for want of buffer: {}, by which they were to leave, \
             was busy {} of the time, {}.",
            self.vc.name,
            percent(lost as f64 / self.vc.created_cells as f64),
            hop.from,
            hop.link,
            percent(link.busy_share),
            self.others(link)
        );
        self.say(Some(&hop.link), text);
    }

    fn window(&mut self, hop: &HopSummary) {
        let window = hop.initial_credit_cells.unwrap_or(0);
        let after = self.vc.hops[1..].iter();
        let slowest = after.max_by(|a, b| a.waiting_share.total_cmp(&b.waiting_share));
        let name = self.vc.name.clone();
        let full = percent(hop.no_credit_share);
        if let Some(slow) = slowest.filter(|slow| slow.waiting_share > NEGLIGIBLE) {
            let text = format!(
                "{name} had its window of {window} cells full {full} of the time, mostly because \
                 its cells waited for {}.",
                slow.link
            );
            self.say(Some(&slow.link), text);
            self.shares(slow);
        } else {
            let text = format!(
                "{name} was limited by its window of {window} cells, full {full} of the time: it \
                 is small for the round trip of the path."
            );
            self.say(Some(&hop.link), text);
        }
    }

    /// No credit, although the next hop has room: the loop itself, or lost credits.
    fn loop_bound(&mut self, hop: &HopSummary) {
        let credit = hop.initial_credit_cells.unwrap_or(0);
        let rate = self.link(hop).map_or(0.0, |link| link.rate_bps as f64);
        let carries = hop.round_trip_ps as f64 * rate / (self.cell_bits() * SECOND);
        let place = if self.fullest_after(hop).is_some() {
            "often had no cell"
        } else {
            "takes cells at once"
        };
        let hint = if hop.credits_corrupted > 0 {
            let (lost, sent) = (hop.credits_corrupted, hop.credits_sent);
            format!("; {lost} of {sent} credit cells were lost")
        } else if hop.control == "adaptive" {
            "; more memory of the pool would let it send more".to_string()
        } else if (credit as f64) < carries {
            "; a larger N3 would let it send more".to_string()
        } else {
            String::new()
        };
        let limit = match hop.control.as_str() {
            "adaptive" => "its share of the pool, which follows its use,".to_string(),
            _ => format!("N2 + N3 = {credit} cells"),
        };
        let text = format!(
            "{} waited for credit on {} {} of the time, although {} {place}: {limit} may be out in \
             one round trip, in which the link carries {carries:.1}{hint}.",
            self.vc.name,
            hop.link,
            percent(hop.no_credit_share),
            hop.to
        );
        self.say(Some(&hop.link), text);
    }

    /// Bits of one of its packets, on average; of an ATM cell when none was delivered.
    fn cell_bits(&self) -> f64 {
        match self.vc.received_cells {
            0 => 424.0,
            cells => 8.0 * self.vc.delivered_bytes as f64 / cells as f64,
        }
    }

    /// Of the hops that go on from the far end of `hop`, the one with a cell most of the time:
    /// on a multicast VC the branch that holds the others.
    fn fullest_after(&self, hop: &HopSummary) -> Option<&'a HopSummary> {
        let vc: &'a VcSummary = self.vc;
        let after = vc.hops.iter().filter(|next| next.from == hop.to);
        after.min_by(|a, b| a.no_cell_share.total_cmp(&b.no_cell_share))
    }

    /// The hops that its cells come to over `hop`.
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

    /// Of the hops after `hop`, the first that nearly always had a cell and yet sent less than
    /// `hop`: cells pile up there, or find no room.
    fn piled_up_after(&self, hop: &'a HopSummary) -> Option<&'a HopSummary> {
        let missing = |next: &HopSummary| hop.sent_cells.saturating_sub(next.sent_cells);
        let is_less = |next: &HopSummary| is_share(missing(next), hop.sent_cells);
        let mut after = self.after(hop).into_iter();
        after.find(|next| next.no_cell_share < NEGLIGIBLE && is_less(next))
    }

    /// Of the hops after `hop`, the one before which most of its cells were lost for want of
    /// buffer, and how many, if they are more than nothing.
    fn losing_after(&self, hop: &'a HopSummary) -> Option<(&'a HopSummary, u64)> {
        let lost = |next: &HopSummary| {
            let into = self.vc.hops.iter().filter(|hop| hop.to == next.from);
            into.map(|hop| hop.dropped_cells).sum::<u64>() + next.pushed_out_cells
        };
        let all = self.after(hop).into_iter().map(|next| (next, lost(next)));
        all.max_by_key(|(_, lost)| *lost).filter(|(_, lost)| is_share(*lost, self.vc.created_cells))
    }
}

/// Whether `part` of `whole` counts as something.
fn is_share(part: u64, whole: u64) -> bool {
    part as f64 > NEGLIGIBLE * whole as f64
}

/// A rate in cells per second, told in Mb/s.
fn mega(cells_per_second: u64) -> String {
    format!("{:.2} Mb/s", RateSummary::bps(cells_per_second) / 1e6)
}
