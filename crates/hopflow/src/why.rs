//! Why: states in sentences the limit of each VC, hop by hop, and the places at which its cells
//! waited or were lost.
//!
//! It uses the four spans of every hop (no cell, no credit, waiting for the link, sending).
//! `why/limit.rs` finds the limit. Spans are totals over the whole run: if the limit of a VC
//! changed, that for most of the time is reported. Not modelled: phases of a run.

mod flow;
mod index;
mod limit;
mod lockout;
mod note;
mod slow;
mod span;

use hopflow_record::{HopSummary, LaneSummary, LinkSummary, Summary, VcSummary};
use hopflow_units::Picos;

pub use flow::{Flow, FlowEntry, Group, GroupEntry, flows, groups};
use index::Index;
pub use note::{Note, NoteEntry, Severity};
pub use span::{Span, spans};

/// A span below this share of the run is ignored.
const NEGLIGIBLE: f64 = 0.02;

/// A link that is busy for this share of the time is the bottleneck of what it carries: whatever
/// else is removed, it carries at most a fifth more.
const BUSY: f64 = 5.0 / 6.0;

/// The most VCs that are named on a shared link; more are counted.
const NAMED: usize = 4;

/// The limit of each VC, in the order of the VCs, then slow hosts, lanes that were shut, and
/// violated properties.
pub fn why(summary: &Summary) -> Vec<Note> {
    let mut notes = Vec::new();
    let index = Index::new(summary);
    for vc in &summary.vcs {
        let mut report = Report { index: &index, vc, notes: &mut notes };
        report.outcome();
        report.limit();
        report.hops();
        report.queue();
        report.losses();
        report.lockout();
    }
    slow::notes(summary, &mut notes);
    lanes(summary, &mut notes);
    if let Some(totals) = summary.totals.as_ref().filter(|_| summary.leaves_vcs_out()) {
        let left_out = totals.vcs - summary.vcs.len() as u64;
        let text = format!(
            "{left_out} more VCs are in vcs.parquet, hops.parquet and queues.parquet alone: they \
             lost fewer {} than those here, or as many with shorter delays.",
            summary.counted_in.word()
        );
        let note = Note::new(Severity::Info, "left-out", text);
        notes.push(note.with("vcs", left_out as f64));
    }
    for violation in &summary.violations {
        let text = format!("Broken: {}.", violation.text);
        let note = Note {
            vc: violation.vc.clone(),
            link: violation.link.clone(),
            ..Note::new(Severity::Broken, "property", text)
        };
        notes.push(note.with("count", violation.count as f64));
    }
    notes
}

/// Lanes of several VCs that were shut for a considerable time, and packets that watchdogs
/// discarded. A lane of one VC is in the notes of the VC.
fn lanes(summary: &Summary, notes: &mut Vec<Note>) {
    for link in &summary.links {
        if link.lanes.iter().any(|lane| lane.destination.is_some()) {
            notes.extend(to_destinations(link));
            continue;
        }
        let several = link.vcs.iter().filter(|share| share.packets > 0).count() > 1;
        let worth = |lane: &&LaneSummary| {
            lane.watchdog_packets > 0 || several && lane.shut_share >= NEGLIGIBLE
        };
        for lane in link.lanes.iter().filter(worth) {
            let how = if lane.is_paused() { "paused" } else { "without credit" };
            let discarded = match lane.watchdog_packets {
                0 => String::new(),
                some => format!("; its watchdog discarded {some} {}", summary.counted_in.word()),
            };
            let text = format!(
                "All VCs of priority {} on {} were {how} together {} of the time{discarded}.",
                lane.lane,
                link.name,
                percent(lane.shut_share)
            );
            let note = Note::new(Severity::Warning, "lane-shut", text).on(&link.name);
            let note = note.with("shut_share", lane.shut_share);
            notes.push(note.with("watchdog_packets", lane.watchdog_packets as f64));
        }
    }
}

/// The lanes of a link, one for each of several destinations, that were shut for a considerable
/// time.
fn to_destinations(link: &LinkSummary) -> Option<Note> {
    if link.lanes.len() < 2 {
        return None;
    }
    let shut = link.lanes.iter().filter(|lane| lane.shut_share >= NEGLIGIBLE);
    let worst = shut.clone().max_by(|a, b| a.shut_share.total_cmp(&b.shut_share))?;
    let (count, all) = (shut.count(), link.lanes.len());
    let were = if count == 1 { "was" } else { "were" };
    let text = format!(
        "{count} of the {all} destinations behind {} {were} without credit for a time, {} longest, \
         {} of the time.",
        link.name,
        worst.destination.as_deref().unwrap_or_default(),
        percent(worst.shut_share)
    );
    let note = Note::new(Severity::Info, "lane-shut", text).on(&link.name);
    Some(note.with("shut_share", worst.shut_share))
}

/// The notes about one VC.
struct Report<'a> {
    index: &'a Index<'a>,
    vc: &'a VcSummary,
    notes: &'a mut Vec<Note>,
}

impl<'a> Report<'a> {
    fn say(&mut self, note: Note) {
        let vc = Some(self.vc.name.clone());
        self.notes.push(Note { vc, ..note });
    }

    fn outcome(&mut self) {
        let vc = self.vc;
        let (severity, text) = if let Some(port) = &vc.refused_at {
            let text = format!(
                "{} was refused: its reservation did not fit beside the others on {port}, so it \
                 sent nothing.",
                vc.name
            );
            (Severity::Warning, text)
        } else if vc.received_packets == 0 && vc.created_packets == 0 {
            (Severity::Info, format!("{} made no {}.", vc.name, self.index.unit.one()))
        } else if vc.received_packets == 0 {
            let text = format!(
                "{} made {} {} and delivered none.",
                vc.name,
                vc.created_packets,
                self.index.unit.word()
            );
            (Severity::Warning, text)
        } else {
            let each = if vc.leaves.len() > 1 { " at each final host on average" } else { "" };
            let share =
                self.link(&vc.hops[0]).map_or(0.0, |link| vc.throughput_bps / link.rate_bps as f64);
            let text = format!(
                "{} delivered {}{each}, {} of the rate of its first link.",
                vc.name,
                rate(vc.throughput_bps),
                percent(share)
            );
            (Severity::Info, text)
        };
        let note = Note::new(severity, "outcome", text).with("throughput_bps", vc.throughput_bps);
        self.say(note.with("created_packets", vc.created_packets as f64));
    }

    /// One sentence for each hop: the parts of its time.
    fn hops(&mut self) {
        for hop in &self.vc.hops {
            let has_lanes = self.link(hop).is_some_and(|link| !link.lanes.is_empty());
            let permission = match hop.control.as_str() {
                "window" => ", no room in its window",
                "abr" => ", was held to its rate",
                "none" if has_lanes => ", its lane shut",
                // Its rate is limited upstream.
                "none" if hop.rate.is_some() => "",
                _ => ", no credit",
            };
            let held = match permission {
                "" => String::new(),
                permission => format!("{permission} {}", percent(hop.no_credit_share)),
            };
            let text = format!(
                "On {} it was sending {} of the time, had no {} {}{held}, and waited for \
                 the link {}.",
                hop.link,
                percent(hop.sending_share),
                self.index.unit.one(),
                percent(hop.no_cell_share),
                percent(hop.waiting_share)
            );
            let note = Note::new(Severity::Detail, "hop", text).on(&hop.link);
            let note = note.with("sending_share", hop.sending_share);
            let note = note.with("no_cell_share", hop.no_cell_share);
            let note = note.with("no_credit_share", hop.no_credit_share);
            self.say(note.with("waiting_share", hop.waiting_share));
        }
    }

    /// The place at which its cells waited, if there was a considerable queue.
    fn queue(&mut self) {
        let longest = self.index.queues.get(self.vc.name.as_str());
        let unit = self.index.unit.word();
        let Some(queue) = longest.filter(|queue| queue.mean_packets > 1.0) else { return };
        let text = format!(
            "Its {unit} waited mostly at {} for {}: {:.1} {unit} on average, at most {}.",
            queue.node, queue.port, queue.mean_packets, queue.max_packets
        );
        let note = Note::new(Severity::Info, "queue", text).on(&queue.port);
        let note = note.with("mean_packets", queue.mean_packets);
        self.say(note.with("max_packets", queue.max_packets as f64));
    }

    fn losses(&mut self) {
        let unit = self.index.unit.word();
        let policed = self.vc.policed_packets;
        if policed > 0 {
            let text = format!("{policed} of its {unit} were policed away.");
            self.lost("policed", &self.vc.hops[0], policed, text);
        }
        for (index, hop) in self.vc.hops.iter().enumerate() {
            let control = hop.control != "none" && hop.control != "window";
            let given_up = if index == 0 {
                format!("were dropped at {}, {}", hop.from, self.index.full(&hop.from))
            } else {
                format!(
                    "were given up at {} because the branch to {} was blocked",
                    hop.from, hop.to
                )
            };
            let accepted = self.index.accepted.contains(&(&*self.vc.name, &*hop.link));
            let breach = match (control, accepted) {
                (true, true) => ", which `allow-small-buffer` accepts",
                (true, false) => " although the VC is under credit control",
                _ => "",
            };
            let losses = [
                ("given-up", hop.given_up_packets, given_up),
                (
                    "pushed-out",
                    hop.pushed_out_packets,
                    format!("were pushed out at {} by others", hop.from),
                ),
                (
                    "dropped",
                    hop.dropped_packets,
                    format!("were dropped at {}, {}{breach}", hop.to, self.index.full(&hop.to)),
                ),
                (
                    "corrupted",
                    hop.corrupted_packets,
                    format!("arrived corrupted over {}", hop.link),
                ),
            ];
            for (cause, count, what) in losses.into_iter().filter(|(_, count, _)| *count > 0) {
                self.lost(cause, hop, count, format!("{count} of its {unit} {what}."));
            }
            self.too_fast(hop);
            if hop.credits_corrupted > 0 {
                let text = format!(
                    "{} of the {} credit cells for {} were lost.",
                    hop.credits_corrupted, hop.credits_sent, hop.link
                );
                self.lost("credits-corrupted", hop, hop.credits_corrupted, text);
            }
            if hop.request_cells > 0 {
                let text = format!("{} asked for credit {} times.", hop.from, hop.request_cells);
                let note = Note::new(Severity::Info, "credit-requests", text).on(&hop.link);
                self.say(note.with("requests", hop.request_cells as f64));
            }
        }
    }

    /// Losses of packets or of credit cells.
    fn lost(&mut self, cause: &'static str, hop: &HopSummary, count: u64, text: String) {
        let note = Note::new(Severity::Warning, cause, text).on(&hop.link);
        self.say(note.with("count", count as f64));
    }

    /// The reactions of the hop's scheduler to its speed.
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
        let note = Note::new(Severity::Warning, "too-fast", text).on(&hop.link);
        let note = note.with("times", hop.slow_down_messages as f64);
        self.say(Note { at_ps: hop.deleted_ps, ..note });
    }

    fn link(&self, hop: &HopSummary) -> Option<&'a LinkSummary> {
        self.index.links.get(hop.link.as_str()).copied()
    }

    /// Its share of the time of a link: from its hop, if the link leaves it out.
    fn share_of(&self, link: &LinkSummary) -> Option<f64> {
        let listed = link.vcs.iter().find(|share| share.vc == self.vc.name);
        let hop = self.vc.hops.iter().find(|hop| hop.link == link.name);
        let left_out = hop.filter(|_| link.vcs_left_out > 0).map(|hop| hop.sending_share);
        listed.map(|own| own.share).or(left_out)
    }

    /// The VCs that used the link's time.
    fn others(&self, link: &LinkSummary) -> String {
        let name = &self.vc.name;
        let mut parts: Vec<String> = Vec::new();
        let listed = link.vcs.iter().any(|share| share.vc == *name);
        let own = self.share_of(link);
        parts.extend(own.map(|share| format!("{} with {name} itself", percent(share))));
        let others = || link.vcs.iter().filter(|share| share.vc != *name && share.packets > 0);
        for other in others().take(NAMED) {
            parts.push(format!("{} with {}", percent(other.share), other.vc));
        }
        let rest = others().skip(NAMED);
        let (count, share) = rest.fold((0, 0.0), |(n, sum), other| (n + 1, sum + other.share));
        if link.vcs_left_out > 0 {
            let (itself, one) = if listed { (0.0, 0) } else { (own.unwrap_or(0.0), 1) };
            let share = share + link.vcs_left_out_share - itself;
            let count = count + link.vcs_left_out - one;
            parts.push(format!("{} with the {count} other VCs on it", percent(share)));
        } else if count > 0 {
            parts.push(format!("{} with {count} more VCs", percent(share)));
        }
        let data: f64 = link.vcs.iter().map(|share| share.share).sum();
        let control = link.busy_share - (data + link.vcs_left_out_share);
        if control > 0.0005 {
            parts.push(format!("{} with credits and ACKs", percent(control)));
        }
        parts.join(", ")
    }
}

/// A rate in bits per second, in the unit of `hopflow run`.
fn rate(bps: f64) -> String {
    let units = [(1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s")];
    let (unit, name) = units.into_iter().find(|(unit, _)| bps >= *unit).unwrap_or((1.0, "b/s"));
    format!("{:.2} {name}", bps / unit)
}

/// A share as a percentage with one decimal.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests;
