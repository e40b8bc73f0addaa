//! What limited a VC: the hop that held its cells back, looked for from the source on.
//!
//! ```text
//! a later hop never empty that sends less than this   -> what limits that hop
//! else mostly held to its rate     -> the rate that switches told: the port with the least
//!                                     fair rate, or the busiest link
//! else mostly no credit            -> next hop seldom empty meanwhile: what limits the next hop,
//!                                       but where the credit is below the loop, others get more
//!                                       of the next link and it is empty at times: the credit
//!                                     next hop often empty, or none: the buffer is too small
//!                                     for the loop, or credits were lost
//! else cells lost further on       -> the link they were to leave by
//! else sending nearly all the time -> the VC fills this link itself
//! else mostly waiting              -> this link, shared with others
//! else mostly no cell (hop 0)      -> the source gave no more
//! ```
//! The time for which the next hop is empty *meanwhile* is its time without a cell less that of
//! this hop: while this hop has nothing either, before a start or after the last cell, it says
//! nothing about credit.
//!
//! Checked by: `why/tests.rs`.

use hopflow_control::credit::CreditScheme;
use hopflow_record::{HopSummary, RateSummary, VcSummary};

use super::slow::SlowHost;
use super::{NEGLIGIBLE, Note, Report, Severity, percent, rate};

/// Picoseconds of a second.
const SECOND: f64 = 1e12;

impl<'a> Report<'a> {
    /// What limited it: the walk described above.
    pub(super) fn limit(&mut self) {
        if self.vc.created_packets == 0 {
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
            let full = |next: &&HopSummary| empty_meanwhile(at, next) < 0.5 * at.no_credit_share;
            match next.filter(full) {
                Some(next) if self.gets_less_by_credit(at, next) => {
                    return self.loop_bound(at, Some(next));
                }
                Some(next) => at = next,
                None if at.control == "none" => return self.lane(at),
                None => return self.loop_bound(at, None),
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
                let which = format!("The port with the least fair rate, {}, was", bits(fair));
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
            bits(acr)
        );
        let note = Note::new(Severity::Info, "rate", text).on(&hop.link);
        let note = note.with("held_share", hop.no_credit_share);
        self.say(note.with("acr_cells_per_second", acr as f64));
    }

    /// Without control of its own, only its lane can have held it: what the lane may have out is
    /// less than the loop, or others filled the buffer behind the link.
    fn lane(&mut self, hop: &HopSummary) {
        let Some(link) = self.link(hop) else { return };
        let lane = link.lanes.iter().max_by(|a, b| a.shut_share.total_cmp(&b.shut_share));
        let alone = !link.vcs.iter().any(|share| share.vc != self.vc.name && share.packets > 0);
        let held = format!(
            "{} was held with its lane on {} {} of the time, although {} often had no {} of it",
            self.vc.name,
            hop.link,
            percent(hop.no_credit_share),
            hop.to,
            self.index.unit.one()
        );
        let note = |cause, why: &str| {
            let note = Note::new(Severity::Warning, cause, format!("{held}: {why}."));
            note.on(&hop.link).with("held_share", hop.no_credit_share)
        };
        let buffer = lane.and_then(|lane| Some((lane.buffer_blocks?, lane.needed_blocks?)));
        let note = match (buffer, lane.and_then(|lane| lane.xoff_bytes)) {
            (Some((given, needed)), _) if given < needed => note(
                "lane-credit",
                &format!("its lane has {given} blocks of the {needed} of its loop"),
            )
            .with("buffer_blocks", given as f64)
            .with("needed_blocks", needed as f64)
            .change(format!("A `buffer` of {needed} blocks would keep the link busy.")),
            (None, Some(xoff)) if alone => {
                note("pause", &format!("XOFF of {xoff} bytes and XON are too low for its loop"))
                    .with("xoff_bytes", xoff as f64)
                    .change("`hopflow size` prints what PFC needs here.")
            }
            _ if alone => note("lane-credit", "credits of its lane were lost or came late"),
            _ => match self.slow_behind(hop) {
                Some((host, other)) => {
                    let why = format!(
                        "{} is a slow receiver, which {}; it held back {}, so {} of {other} \
                         filled the buffer behind {}",
                        host.name,
                        host.takes(),
                        host.into.name,
                        self.index.unit.word(),
                        hop.link
                    );
                    note("slow-receiver", &why)
                        .with("drain_bps", host.drain.rate_bps as f64)
                        .with("shut_share", host.shut)
                        .change("A faster drain, or credit per VC, would let it pass.")
                }
                None => note("lane-shared", "others filled the buffer behind the link"),
            },
        };
        self.say(note);
    }

    /// The slow host that held back its link most, of those to which another VC goes that crosses
    /// the link of `hop`, and that VC.
    fn slow_behind(&self, hop: &HopSummary) -> Option<(&'a SlowHost<'a>, &'a str)> {
        let crosses = |vc: &VcSummary, link: &str| vc.hops.iter().any(|hop| hop.link == link);
        let others = |host: &SlowHost<'_>| {
            let vcs = self.index.vcs.iter().filter(|vc| vc.name != self.vc.name);
            let mut vcs = vcs.filter(|vc| crosses(vc, &hop.link) && crosses(vc, &host.into.name));
            vcs.next().map(|vc| vc.name.as_str())
        };
        let shut = self.index.slow.iter().filter(|host| host.shut >= NEGLIGIBLE);
        let behind = shut.filter_map(|host| Some((host, others(host)?)));
        behind.max_by(|a, b| a.0.shut.total_cmp(&b.0.shut))
    }

    fn fills(&mut self, hop: &HopSummary) {
        let drain = self.index.slow.iter().find(|host| host.drain.name == hop.link);
        if let Some(host) = drain {
            let text = format!(
                "{} filled what {} takes itself: it {}.",
                self.vc.name,
                host.name,
                host.takes()
            );
            let note = Note::new(Severity::Info, "slow-receiver", text).on(&hop.link);
            return self.say(note.with("sending_share", hop.sending_share));
        }
        let text =
            format!("{} filled {} itself: the link's rate limited it.", self.vc.name, hop.link);
        let note = Note::new(Severity::Info, "link-full", text).on(&hop.link);
        self.say(note.with("sending_share", hop.sending_share));
    }

    fn no_cells(&mut self, hop: &HopSummary) {
        let name = &self.vc.name;
        let (cause, text) = if hop.link == self.vc.hops[0].link {
            let empty = percent(hop.no_cell_share);
            let text = format!(
                "{name} was limited mostly by its source: it had nothing to send {empty} of the \
                 time."
            );
            ("source", text)
        } else {
            let text = format!(
                "No single place limited {name}: {} passed on what came, and had no {} {} of the \
                 time.",
                hop.from,
                self.index.unit.one(),
                percent(hop.no_cell_share)
            );
            ("none", text)
        };
        let note = Note::new(Severity::Info, cause, text).on(&hop.link);
        self.say(note.with("no_cell_share", hop.no_cell_share));
    }

    fn shares(&mut self, hop: &HopSummary) {
        let Some(link) = self.link(hop) else { return };
        let others = self.others(link);
        let busy = percent(link.busy_share);
        let name = &self.vc.name;
        let (cause, text) = if link.busy_share >= 1.0 - 2.0 * NEGLIGIBLE {
            let text = format!(
                "The bottleneck of {name} was {}: the link was busy {busy} of the time, {others}.",
                hop.link
            );
            ("bottleneck", text)
        } else {
            let text = format!(
                "{name} waited mostly for {}, although the link was busy only {busy} of the time \
                 ({others}): {} came in bursts, or the link was shut for data at times.",
                hop.link,
                self.index.unit.word()
            );
            ("bursts", text)
        };
        let note = Note::new(Severity::Info, cause, text).on(&hop.link);
        let note = note.with("busy_share", link.busy_share);
        self.say(note.with("own_share", self.share_of(link).unwrap_or(0.0)));
    }

    fn loses(&mut self, hop: &HopSummary, lost: u64) {
        let Some(link) = self.link(hop) else { return };
        let share = lost as f64 / self.vc.created_packets as f64;
        let text = format!(
            "{} lost {} of its {} at {}, whose buffer was full: {}, by which they were to \
             leave, \
             was busy {} of the time, {}.",
            self.vc.name,
            percent(share),
            self.index.unit.word(),
            hop.from,
            hop.link,
            percent(link.busy_share),
            self.others(link)
        );
        let note = Note::new(Severity::Warning, "losses", text).on(&hop.link);
        let note = note.with("lost_share", share).with("busy_share", link.busy_share);
        self.say(note);
    }

    fn window(&mut self, hop: &HopSummary) {
        let window = hop.initial_credit_packets.unwrap_or(0);
        let unit = self.index.unit.word();
        let after = self.vc.hops[1..].iter();
        let slowest = after.max_by(|a, b| a.waiting_share.total_cmp(&b.waiting_share));
        let name = self.vc.name.clone();
        let full = percent(hop.no_credit_share);
        let note = |link: &str, severity: Severity, text: String| {
            let note = Note::new(severity, "window", text).on(link);
            note.with("full_share", hop.no_credit_share).with("window_packets", window as f64)
        };
        if let Some(slow) = slowest.filter(|slow| slow.waiting_share > NEGLIGIBLE) {
            let text = format!(
                "{name} had its window of {window} {unit} full {full} of the time, mostly because \
                 its {unit} waited for {}.",
                slow.link
            );
            self.say(note(&slow.link, Severity::Info, text));
            self.shares(slow);
        } else {
            let text = format!(
                "{name} was limited by its window of {window} {unit}, full {full} of the time: it \
                 is small for the round trip of the path."
            );
            let note = note(&hop.link, Severity::Warning, text);
            self.say(note.change("A larger `window` would let it send more."));
        }
    }

    /// No credit, although the next hop has room: the loop itself, or lost credits. `shared`: the
    /// next hop, where it has cells most of the time but others get more.
    fn loop_bound(&mut self, hop: &HopSummary, shared: Option<&HopSummary>) {
        let credit = hop.initial_credit_packets.unwrap_or(0);
        let carries = self.carries(hop);
        let after = shared.or_else(|| self.fullest_after(hop));
        let place = match (shared, after) {
            (Some(next), _) => {
                format!("had no cell {} of it", percent(empty_meanwhile(hop, next)))
            }
            (None, Some(_)) => "often had no cell".to_owned(),
            (None, None) => "takes cells at once".to_owned(),
        };
        let limit = if shares_pool(hop) {
            "its share of the pool, which follows its use,".to_owned()
        } else {
            format!("N2 + N3 = {credit} cells")
        };
        let lost = match (hop.credits_corrupted, hop.credits_sent) {
            (0, _) => String::new(),
            (lost, sent) => format!("; {lost} of {sent} credit cells were lost"),
        };
        let others = shared.and_then(|next| self.link(next)).map_or(String::new(), |link| {
            format!(
                ". On {}, busy {} of the time: {}",
                link.name,
                percent(link.busy_share),
                self.others(link)
            )
        });
        let text = format!(
            "{} waited for credit on {} {} of the time, although {} {place}: {limit} may be out in \
             one round trip, in which the link carries {carries:.1}{lost}{others}.",
            self.vc.name,
            hop.link,
            percent(hop.no_credit_share),
            hop.to
        );
        let note = Note::new(Severity::Warning, "credit", text).on(&hop.link);
        let note = note.with("held_share", hop.no_credit_share);
        let note = note.with("credit_cells", credit as f64).with("loop_cells", carries);
        self.say(if hop.credits_corrupted > 0 {
            note.change("Without the losses, or with `refresh`, it would send more.")
        } else if shares_pool(hop) {
            note.change("More memory of the pool would let it send more.")
        } else if (credit as f64) < carries {
            note.change(format!("N2 + N3 of {:.0} or more fill the loop.", carries.ceil()))
        } else {
            note
        });
    }

    /// Packets of its own that the link of `hop` carries in one round trip.
    fn carries(&self, hop: &HopSummary) -> f64 {
        let rate = self.link(hop).map_or(0.0, |link| link.rate_bps as f64);
        hop.round_trip_ps as f64 * rate / (self.cell_bits() * SECOND)
    }

    /// Whether a credit that is below the loop keeps its cells from `next`, where others get more
    /// of the link: with a larger one it would take of theirs.
    fn gets_less_by_credit(&self, hop: &HopSummary, next: &HopSummary) -> bool {
        let credit = hop.initial_credit_packets.unwrap_or(u64::MAX) as f64;
        let small = hop.control != "none" && !shares_pool(hop) && credit < self.carries(hop);
        let most = self.link(next).and_then(|link| {
            let shares = link.vcs.iter().map(|share| share.share);
            let most = shares.reduce(f64::max)?;
            Some(self.share_of(link).unwrap_or(0.0) < most - NEGLIGIBLE)
        });
        small && empty_meanwhile(hop, next) > 2.0 * NEGLIGIBLE && most.unwrap_or(false)
    }

    /// Bits of one of its packets, on average; of an ATM cell when none was delivered.
    fn cell_bits(&self) -> f64 {
        match self.vc.received_packets {
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
        let missing = |next: &HopSummary| hop.sent_packets.saturating_sub(next.sent_packets);
        let is_less = |next: &HopSummary| is_share(missing(next), hop.sent_packets);
        let mut after = self.after(hop).into_iter();
        after.find(|next| next.no_cell_share < NEGLIGIBLE && is_less(next))
    }

    /// Of the hops after `hop`, the one before which most of its cells were lost for want of
    /// buffer, and how many, if they are more than nothing.
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

/// For which share of the run `next` had no cell though `hop` had.
fn empty_meanwhile(hop: &HopSummary, next: &HopSummary) -> f64 {
    (next.no_cell_share - hop.no_cell_share).max(0.0)
}

/// Whether `part` of `whole` counts as something.
fn is_share(part: u64, whole: u64) -> bool {
    part as f64 > NEGLIGIBLE * whole as f64
}

/// A rate in cells per second, as bits per second.
fn bits(cells_per_second: u64) -> String {
    rate(RateSummary::bps(cells_per_second))
}

fn shares_pool(hop: &HopSummary) -> bool {
    CreditScheme::named(&hop.control).is_some_and(|scheme| scheme.facts().shares_pool())
}
