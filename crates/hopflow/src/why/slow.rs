//! Slow hosts: their applications accept less than arrives, so that they hold back, pause or lose
//! arriving packets.
//!
//! ```text
//! a host is slow  <=>  its application was busy or stopped nearly all the time in which the host
//!                      had cells of some VC, and the link into the host was shut or lost cells,
//!                      or a VC on it was held
//! ```
//! Lower bound of the stopped time: 1 - busy share - idle share of the least idle VC.

use hopflow_record::{HopSummary, LinkSummary, NodeSummary, Summary};

use super::{NEGLIGIBLE, Note, Severity, percent, rate};

/// A slow host, and its effect on one of the links into it.
pub(super) struct SlowHost<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// The link into it.
    pub(super) into: &'a LinkSummary,
    /// The rate of its application.
    pub(super) drain: &'a LinkSummary,
    /// Share of the run in which cells waited but the application accepted none.
    stopped: f64,
    /// Share of the run for which the host shut the link into it; that of the lane shut longest.
    pub(super) shut: f64,
    /// The greatest share of the run in which one VC had no credit for the link.
    held: f64,
    /// The number of lost cells.
    dropped: u64,
}

/// All slow hosts, in the order of the links into them.
pub(super) fn slow_hosts(summary: &Summary) -> Vec<SlowHost<'_>> {
    let is_application = |node: &&NodeSummary| node.kind == "application";
    let applications = summary.nodes.iter().filter(is_application);
    let mut found = Vec::new();
    for application in applications {
        let drain = summary.links.iter().find(|link| link.to == application.node);
        let Some(drain) = drain else { continue };
        let into = summary.links.iter();
        let into = into.filter(|link| link.to == drain.from && link.from != drain.to);
        found.extend(into.filter_map(|into| slow(summary, into, drain)));
    }
    found
}

fn slow<'a>(
    summary: &'a Summary,
    into: &'a LinkSummary,
    drain: &'a LinkSummary,
) -> Option<SlowHost<'a>> {
    let hops = |link: &'a str| {
        let all = summary.vcs.iter().flat_map(|vc| &vc.hops);
        all.filter(move |hop: &&HopSummary| hop.link == link)
    };
    let empty = hops(&drain.name).map(|hop| hop.no_cell_share).fold(1.0, f64::min);
    let shut = into.lanes.iter().map(|lane| lane.shut_share).fold(0.0, f64::max);
    let controlled = hops(&into.name).filter(|hop| !matches!(&*hop.control, "none" | "window"));
    let held = controlled.map(|hop| hop.no_credit_share).fold(0.0, f64::max);
    let dropped = hops(&into.name).map(|hop| hop.dropped_packets).sum();
    let is_held = shut >= NEGLIGIBLE || held >= NEGLIGIBLE || dropped > 0;
    let stopped = (1.0 - drain.busy_share - empty).max(0.0);
    (is_held && empty < 0.5).then_some(SlowHost {
        name: &drain.from,
        into,
        drain,
        stopped,
        shut,
        held,
        dropped,
    })
}

impl SlowHost<'_> {
    /// The accepted rate.
    pub(super) fn takes(&self) -> String {
        let share = self.drain.rate_bps as f64 / self.into.rate_bps as f64;
        let takes =
            format!("takes {}, {} of its link", rate(self.drain.rate_bps as f64), percent(share));
        if self.stopped < NEGLIGIBLE {
            return takes;
        }
        format!("{takes}, and stopped for {} of the time", percent(self.stopped))
    }

    fn note(&self, summary: &Summary) -> Note {
        let node = summary.nodes.iter().find(|node| node.node == self.name);
        let (mean, max) = node.map_or((0.0, 0), |node| (node.mean_packets, node.max_packets));
        let unit = summary.counted_in.word();
        let mut effects = Vec::new();
        if self.shut >= NEGLIGIBLE {
            effects.push(format!(
                "it held back {} {} of the time",
                self.into.name,
                percent(self.shut)
            ));
        }
        if self.held >= NEGLIGIBLE {
            let held = percent(self.held);
            effects.push(format!("a VC on {} had no credit {held} of the time", self.into.name));
        }
        if self.dropped > 0 {
            effects.push(format!("{} {unit} found it full and were lost", self.dropped));
        }
        let text = format!(
            "{} is a slow receiver: it {}. It held {mean:.1} {unit} on average, at most {max}, and \
             {}.",
            self.name,
            self.takes(),
            effects.join(", and ")
        );
        let severe = self.shut >= NEGLIGIBLE || self.dropped > 0;
        let severity = if severe { Severity::Warning } else { Severity::Info };
        let note = Note::new(severity, "slow-receiver", text).on(&self.into.name);
        let note = note
            .with("drain_bps", self.drain.rate_bps as f64)
            .with("busy_share", self.drain.busy_share)
            .with("stopped_share", self.stopped)
            .with("shut_share", self.shut)
            .with("held_share", self.held)
            .with("dropped_packets", self.dropped as f64)
            .with("max_packets", f64::from(max));
        note.change("A faster drain, or shorter stops, would let more through.")
    }
}

/// A note for each slow host.
pub(super) fn notes(summary: &Summary, notes: &mut Vec<Note>) {
    notes.extend(slow_hosts(summary).iter().map(|host| host.note(summary)));
}
