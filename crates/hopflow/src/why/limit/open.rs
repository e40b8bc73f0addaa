//! Sentences about a hop at which no control held a VC: its link was full, its source or the nodes
//! before offered no more, others used the link, or its packets were lost before it.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_record::{HopSummary, LinkSummary, PortSummary};

use super::super::{BUSY, NEGLIGIBLE, Note, Report, Severity, percent, rate};

impl<'a> Report<'a> {
    pub(super) fn fills(&mut self, hop: &HopSummary) {
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
        if self.index.applications.contains(&*hop.to) {
            return self.is_bottleneck(hop);
        }
        let text =
            format!("{} filled {} itself: the link's rate limited it.", self.vc.name, hop.link);
        let note = Note::new(Severity::Info, "link-full", text).on(&hop.link);
        self.say(note.with("sending_share", hop.sending_share));
    }

    pub(super) fn no_cells(&mut self, hop: &HopSummary) {
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
                "No single place limited {name}: {} passed on all arrivals, and had no {} {} of \
                 the time.",
                hop.from,
                self.index.unit.one(),
                percent(hop.no_cell_share)
            );
            ("none", text)
        };
        let note = Note::new(Severity::Info, cause, text).on(&hop.link);
        self.say(note.with("no_cell_share", hop.no_cell_share));
    }

    /// The port of the node before `hop` that holds most packets, if that is another one than that
    /// of `hop`.
    fn longest_beside(&self, hop: &HopSummary) -> Option<&'a PortSummary> {
        let ports = self.index.ports.iter().filter(|port| port.node == hop.from);
        let longest = ports.max_by(|a, b| a.mean_packets.total_cmp(&b.mean_packets))?;
        (longest.port != hop.link && longest.mean_packets > 1.0).then_some(longest)
    }

    pub(super) fn shares(&mut self, hop: &HopSummary) {
        let Some(link) = self.link(hop) else { return };
        let others = self.others(link);
        let busy = percent(link.busy_share);
        let name = &self.vc.name;
        let (cause, text) = if link.busy_share >= 1.0 - 2.0 * NEGLIGIBLE {
            return self.is_bottleneck(hop);
        } else if has_gates(link) {
            let text = format!(
                "{name} waited mostly for {}, whose gates were closed to it: the link was busy \
                 only {busy} of the time ({others}).",
                hop.link
            );
            ("gates", text)
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

    /// The link of a hop is its bottleneck: that into an application stands for the application.
    pub(super) fn is_bottleneck(&mut self, hop: &HopSummary) {
        let Some(link) = self.link(hop) else { return };
        let (name, others, busy) = (&self.vc.name, self.others(link), percent(link.busy_share));
        let (cause, text) = if self.index.applications.contains(&*hop.to) {
            let text = format!(
                "The bottleneck of {name} was the application of {}: it takes {}, and was busy \
                 {busy} of the time, {others}.",
                hop.from,
                rate(link.rate_bps as f64)
            );
            ("slow-receiver", text)
        } else {
            let text = format!(
                "The bottleneck of {name} was {}: the link was busy {busy} of the time, {others}.",
                hop.link
            );
            ("bottleneck", text)
        };
        let note = Note::new(Severity::Info, cause, text).on(&hop.link);
        let note = note.with("busy_share", link.busy_share);
        self.say(note.with("own_share", self.share_of(link).unwrap_or(0.0)));
    }

    /// Its packets were lost before `hop`. The cause is the link, if it is the bottleneck; its
    /// gates; or others that fill the memory of the node for another port.
    pub(super) fn loses(&mut self, hop: &HopSummary, lost: u64) {
        let Some(link) = self.link(hop) else { return };
        let share = lost as f64 / self.vc.created_packets as f64;
        let (cause, why) = if link.busy_share >= BUSY {
            ("losses", String::new())
        } else if has_gates(link) {
            ("gates", " Its gates were closed to them.".to_owned())
        } else if let Some(port) = self.longest_beside(hop) {
            let why = format!(
                " Others filled the memory: {:.1} {} on average waited for {}.",
                port.mean_packets,
                self.index.unit.word(),
                port.port
            );
            ("buffer-shared", why)
        } else {
            ("losses", String::new())
        };
        let text = format!(
            "{} lost {} of its {} at {}, {}: {}, by which they were to leave, was busy {} of the \
             time, {}.{why}",
            self.vc.name,
            percent(share),
            self.index.unit.word(),
            hop.from,
            self.index.full(&hop.from),
            hop.link,
            percent(link.busy_share),
            self.others(link)
        );
        let note = Note::new(Severity::Warning, cause, text).on(&hop.link);
        let note = note.with("lost_share", share).with("busy_share", link.busy_share);
        self.say(note);
    }
}

/// Whether the scheduler of a link opens and closes gates.
fn has_gates(link: &LinkSummary) -> bool {
    let facts = SchedulerSpec::ALL.iter().find(|facts| facts.name == link.scheduler);
    facts.is_some_and(|facts| facts.has_gates)
}
