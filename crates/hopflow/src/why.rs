//! Why: says in sentences what limited each VC, hop by hop, and where its cells waited or were
//! lost.
//!
//! It goes by the four spans of every hop (no cell, no credit, waiting for the link, sending).
//! How the limit is found: `why/limit.rs`.
//! These are averages over the whole run: a VC that was limited by one thing first and by
//! another later is told what took most of its time. Not modelled: phases of a run.

mod limit;

use std::collections::BTreeMap;
use std::fmt;

use hopflow_record::{HopSummary, LinkSummary, QueueSummary, Summary, VcSummary};
use hopflow_units::Picos;

/// A span counts as nothing below this share of the run.
const NEGLIGIBLE: f64 = 0.02;

/// As many VCs as are named on a shared link; more are counted.
const NAMED: usize = 4;

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
    let index = Index::new(summary);
    for vc in &summary.vcs {
        let mut report = Report { index: &index, vc, sentences: &mut sentences };
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

/// What a summary has of each link and VC, by name.
struct Index<'a> {
    links: BTreeMap<&'a str, &'a LinkSummary>,
    /// By VC, its longest queue; the last of several as long.
    queues: BTreeMap<&'a str, &'a QueueSummary>,
}

impl<'a> Index<'a> {
    fn new(summary: &'a Summary) -> Index<'a> {
        let mut queues: BTreeMap<&str, &QueueSummary> = BTreeMap::new();
        for queue in &summary.queues {
            let longest = queues.entry(&queue.vc).or_insert(queue);
            if queue.mean_cells.total_cmp(&longest.mean_cells).is_ge() {
                *longest = queue;
            }
        }
        // Names are unique: of several links between two nodes all but the first are numbered.
        let links = summary.links.iter().map(|link| (link.name.as_str(), link));
        Index { links: links.collect(), queues }
    }
}

/// The sentences about one VC.
struct Report<'a> {
    index: &'a Index<'a>,
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

    /// Where its cells waited, when there was a queue worth the name.
    fn queue(&mut self) {
        let longest = self.index.queues.get(self.vc.name.as_str());
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
        self.index.links.get(hop.link.as_str()).copied()
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

/// A share as a percentage with one decimal.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests;
