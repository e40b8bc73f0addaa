//! Sentences about a hop at which no control held a VC: its link was full, its source or the nodes
//! before offered no more, others used the link, or its packets were lost before it.

use hopflow_record::HopSummary;

use super::super::{NEGLIGIBLE, Note, Report, Severity, percent};

impl Report<'_> {
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

    pub(super) fn shares(&mut self, hop: &HopSummary) {
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

    pub(super) fn loses(&mut self, hop: &HopSummary, lost: u64) {
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
}
