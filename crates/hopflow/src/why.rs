//! Why: says in sentences what limited each VC, hop by hop, and where its cells waited or were
//! lost.
//!
//! It goes by the four spans of every hop (no cell, no credit, waiting for the link, sending).
//! The limit is looked for from the source on:
//! ```text
//! sending nearly all the time      -> the VC fills this link itself
//! else mostly no cell (hop 0)      -> the source gave no more
//! else mostly waiting              -> this link, shared with others
//! else mostly held to its rate     -> the rate that switches told: the port with the least
//!                                     fair rate, or the busiest link
//! else mostly no credit            -> next hop rarely empty: what limits the next hop
//!                                     next hop often empty, or none: the buffer is too small
//!                                     for the loop, or credits were lost
//! ```
//! These are averages over the whole run: a VC that was limited by one thing first and by
//! another later is told what took most of its time. Not modelled: phases of a run.

use std::fmt;

use hopflow_record::{HopSummary, LinkSummary, RateSummary, Summary, VcSummary};
use hopflow_units::Picos;

/// A span counts as nothing below this share of the run.
const NEGLIGIBLE: f64 = 0.02;

/// As many VCs as are named on a shared link; more are counted.
const NAMED: usize = 4;

/// Picoseconds of a second.
const SECOND: f64 = 1e12;

/// One sentence about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The VC it is about; `None`: the run.
    pub vc: Option<String>,
    /// The link direction (`FROM->TO`) it is about.
    pub link: Option<String>,
    /// The sentence.
    pub text: String,
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What limited each VC, in the order of the VCs, then what the run did not keep.
pub fn why(summary: &Summary) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    for vc in &summary.vcs {
        let mut report = Report { summary, vc, sentences: &mut sentences };
        report.outcome();
        report.limit();
        report.hops();
        report.queue();
        report.losses();
    }
    lanes(summary, &mut sentences);
    for violation in &summary.violations {
        sentences.push(Sentence {
            vc: violation.vc.clone(),
            link: violation.link.clone(),
            text: format!("Broken: {}.", violation.text),
        });
    }
    sentences
}

/// Lanes that were shut for long, and what watchdogs discarded: nobody's VC in particular.
fn lanes(summary: &Summary, sentences: &mut Vec<Sentence>) {
    for link in &summary.links {
        for lane in link.lanes.iter().filter(|lane| lane.shut_share >= NEGLIGIBLE) {
            let how = if lane.control == "pause" { "paused" } else { "without credit" };
            let discarded = match lane.watchdog_cells {
                0 => String::new(),
                cells => format!("; its watchdog discarded {cells} cells"),
            };
            let text = format!(
                "All VCs of priority {} on {} were {how} together {} of the time{discarded}.",
                lane.lane,
                link.name,
                percent(lane.shut_share)
            );
            sentences.push(Sentence { vc: None, link: Some(link.name.clone()), text });
        }
    }
}

/// The sentences about one VC.
struct Report<'a> {
    summary: &'a Summary,
    vc: &'a VcSummary,
    sentences: &'a mut Vec<Sentence>,
}

impl<'a> Report<'a> {
    fn say(&mut self, link: Option<&str>, text: String) {
        let vc = Some(self.vc.name.clone());
        self.sentences.push(Sentence { vc, link: link.map(String::from), text });
    }

    fn outcome(&mut self) {
        let vc = self.vc;
        let text = if vc.received_cells == 0 && vc.created_cells == 0 {
            format!("{} made no cell.", vc.name)
        } else if vc.received_cells == 0 {
            format!("{} made {} cells and delivered none.", vc.name, vc.created_cells)
        } else {
            let each = if vc.leaves.len() > 1 { " at each final host on average" } else { "" };
            let share =
                self.link(&vc.hops[0]).map_or(0.0, |link| vc.throughput_bps / link.rate_bps as f64);
            format!(
                "{} delivered {:.2} Mb/s{each}, {} of the rate of its first link.",
                vc.name,
                vc.throughput_bps / 1e6,
                percent(share)
            )
        };
        self.say(None, text);
    }

    /// One sentence for each hop: where its time went.
    fn hops(&mut self) {
        for hop in &self.vc.hops {
            let has_lanes = self.link(hop).is_some_and(|link| !link.lanes.is_empty());
            let permission = match hop.control.as_str() {
                "window" => ", no room in its window",
                "abr" => ", was held to its rate",
                "none" if has_lanes => ", its lane shut",
                // Its rate is kept to upstream.
                "none" if hop.rate.is_some() => "",
                _ => ", no credit",
            };
            let held = match permission {
                "" => String::new(),
                permission => format!("{permission} {}", percent(hop.no_credit_share)),
            };
            let text = format!(
                "On {} it was sending {} of the time, had no cell {}{held}, and waited for the \
                 link {}.",
                hop.link,
                percent(hop.sending_share),
                percent(hop.no_cell_share),
                percent(hop.waiting_share)
            );
            self.say(Some(&hop.link), text);
        }
    }

    /// What limited it: the walk described above.
    fn limit(&mut self) {
        if self.vc.created_cells == 0 {
            return;
        }
        let mut at = &self.vc.hops[0];
        loop {
            let idle = [at.no_cell_share, at.no_credit_share, at.waiting_share];
            let most = idle.into_iter().fold(0.0, f64::max);
            if most < NEGLIGIBLE {
                return self.fills(at);
            }
            if at.waiting_share >= most {
                return self.shares(at);
            }
            if at.no_cell_share >= most {
                return self.no_cells(at);
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

    /// The rate that it was told held it: from the port with the least fair rate, or where none
    /// tells one from the busiest link.
    fn paced(&mut self, hop: &HopSummary) {
        let vc: &'a VcSummary = self.vc;
        let fair = |next: &HopSummary| next.rate.and_then(|rate| rate.fair_cells_per_second);
        let least = vc.hops.iter().filter_map(|next| Some((fair(next)?, next)));
        let least = least.min_by_key(|(fair, _)| *fair);
        let links = vc.hops.iter().skip(1).filter_map(|next| self.summary.link(&next.link));
        let busiest = links.max_by(|a, b| a.busy_share.total_cmp(&b.busy_share));
        let (which, link) = match least {
            Some((fair, next)) => {
                let which = format!("The port with the least fair rate, {}, was", mega(fair));
                (which, self.link(next))
            }
            None => ("No port told a fair rate; the busiest link after it was".into(), busiest),
        };
        let place = link.map_or_else(String::new, |link| {
            let (busy, others) = (percent(link.busy_share), self.others(link));
            format!(" {which} {}, busy {busy} of the time, {others}.", link.name)
        });
        let acr = hop.rate.and_then(|rate| rate.acr_cells_per_second).unwrap_or(0);
        let text = format!(
            "{} was held to the rate that it was told on {} {} of the time; at the end ACR was \
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

    /// Where its cells waited, when there was a queue worth the name.
    fn queue(&mut self) {
        let name = &self.vc.name;
        let queues = self.summary.queues.iter().filter(|queue| queue.vc == *name);
        let longest = queues.max_by(|a, b| a.mean_cells.total_cmp(&b.mean_cells));
        let Some(queue) = longest.filter(|queue| queue.mean_cells > 1.0) else { return };
        let text = format!(
            "Its cells waited mostly at {} for {}: {:.1} cells on average, at most {}.",
            queue.node, queue.port, queue.mean_cells, queue.max_cells
        );
        let port = queue.port.clone();
        self.say(Some(&port), text);
    }

    fn losses(&mut self) {
        if self.vc.policed_cells > 0 {
            let text = format!("{} of its cells were policed away.", self.vc.policed_cells);
            self.say(Some(&self.vc.hops[0].link), text);
        }
        for (index, hop) in self.vc.hops.iter().enumerate() {
            let control = hop.control != "none" && hop.control != "window";
            let given_up = if index == 0 {
                format!("were dropped at {}, whose buffer was full", hop.from)
            } else {
                format!(
                    "were given up at {} because the branch to {} was blocked",
                    hop.from, hop.to
                )
            };
            let breach = if control { " although the VC is under credit control" } else { "" };
            let losses = [
                (hop.given_up_cells, given_up),
                (hop.pushed_out_cells, format!("were pushed out at {} by others", hop.from)),
                (
                    hop.dropped_cells,
                    format!("were dropped at {} for want of buffer{breach}", hop.to),
                ),
                (hop.corrupted_cells, format!("arrived corrupted over {}", hop.link)),
            ];
            for (count, what) in losses.into_iter().filter(|(count, _)| *count > 0) {
                self.say(Some(&hop.link), format!("{count} of its cells {what}."));
            }
            self.too_fast(hop);
            if hop.credits_corrupted > 0 {
                let text = format!(
                    "{} of the {} credit cells for {} were lost.",
                    hop.credits_corrupted, hop.credits_sent, hop.link
                );
                self.say(Some(&hop.link), text);
            }
            if hop.request_cells > 0 {
                let text = format!("{} asked for credit {} times.", hop.from, hop.request_cells);
                self.say(Some(&hop.link), text);
            }
        }
    }

    /// What the scheduler of the hop said and did about its speed.
    fn too_fast(&mut self, hop: &HopSummary) {
        if hop.slow_down_messages == 0 && hop.deleted_ps.is_none() {
            return;
        }
        let deleted = hop.deleted_ps.map_or(String::new(), |time| {
            format!(", and deleted it as a known flow at {}", Picos(time))
        });
        let text = format!(
            "The scheduler of {} found it too fast {} times{deleted}.",
            hop.link, hop.slow_down_messages
        );
        self.say(Some(&hop.link), text);
    }

    fn link(&self, hop: &HopSummary) -> Option<&'a LinkSummary> {
        self.summary.link(&hop.link)
    }

    /// Of the hops that go on from the far end of `hop`, the one with a cell most of the time:
    /// on a multicast VC the branch that holds the others.
    fn fullest_after(&self, hop: &HopSummary) -> Option<&'a HopSummary> {
        let vc: &'a VcSummary = self.vc;
        let after = vc.hops.iter().filter(|next| next.from == hop.to);
        after.min_by(|a, b| a.no_cell_share.total_cmp(&b.no_cell_share))
    }

    /// Who took the link's time.
    fn others(&self, link: &LinkSummary) -> String {
        let name = &self.vc.name;
        let mut parts: Vec<String> = Vec::new();
        let own = link.vcs.iter().find(|share| share.vc == *name);
        parts.extend(own.map(|share| format!("{} with {name} itself", percent(share.share))));
        let others = || link.vcs.iter().filter(|share| share.vc != *name && share.cells > 0);
        for other in others().take(NAMED) {
            parts.push(format!("{} with {}", percent(other.share), other.vc));
        }
        let rest = others().skip(NAMED);
        let (count, share) = rest.fold((0, 0.0), |(n, sum), other| (n + 1, sum + other.share));
        if count > 0 {
            parts.push(format!("{} with {count} more VCs", percent(share)));
        }
        let data: f64 = link.vcs.iter().map(|share| share.share).sum();
        let control = link.busy_share - data;
        if control > 0.0005 {
            parts.push(format!("{} with credits and ACKs", percent(control)));
        }
        parts.join(", ")
    }
}

/// A rate in cells per second, told in Mb/s.
fn mega(cells_per_second: u64) -> String {
    format!("{:.2} Mb/s", RateSummary::bps(cells_per_second) / 1e6)
}

/// A share as a percentage with one decimal.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests;
