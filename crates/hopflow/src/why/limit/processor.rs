//! The sentence about a host whose processor limits a flow.
//!
//! ```text
//! limit      the busiest processor among the hosts of the flow that work on its packets, if it
//!            works at least 5/6 of the time; at the source, if no link of the flow is busier (1)
//! ```
//! All that such a host sends and receives waits for its turn, so whatever else is removed, the
//! flow delivers at most a fifth more. Checked by: `why/tests/processors.rs`.

use hopflow_record::ProcessorSummary;

use super::super::{BUSY, Note, Report, Severity, percent};

impl<'a> Report<'a> {
    /// Whether a processor limits it. Eq. (1).
    pub(super) fn processor(&mut self) -> bool {
        let Some(busiest) = self.busiest_processor() else { return false };
        let vc = self.vc;
        let first = &vc.hops[0];
        let links = vc.hops.iter().filter_map(|hop| self.link(hop));
        let is_less = |share: f64| first.from == busiest.node && busiest.busy_share < share;
        if busiest.busy_share < BUSY || links.map(|link| link.busy_share).any(is_less) {
            return false;
        }
        let at_end = vc.hops.iter().find(|hop| hop.to == busiest.node);
        let link = if first.from == busiest.node { first } else { at_end.unwrap_or(first) };
        let text = format!(
            "{} was limited by the processor of {}, which worked {} of the time: on {} packets \
             that it sent, {} that it received, and {} credits. One waited {:.3} ms for it, at \
             most {} were there at once.",
            vc.name,
            busiest.node,
            percent(busiest.busy_share),
            busiest.sent_packets,
            busiest.received_packets,
            busiest.credits,
            busiest.longest_wait_ps as f64 / 1e9,
            busiest.max_waiting
        );
        let note = Note::new(Severity::Info, "processor", text).on(&link.link);
        let note = note
            .with("busy_share", busiest.busy_share)
            .with("sent_packets", busiest.sent_packets as f64)
            .with("received_packets", busiest.received_packets as f64)
            .with("credits", busiest.credits as f64)
            .with("longest_wait_ps", busiest.longest_wait_ps as f64)
            .with("max_waiting", f64::from(busiest.max_waiting));
        self.say(note.change("Less `work`, larger packets or fewer credits let more through."));
        true
    }

    /// The busiest processor that works on its packets.
    fn busiest_processor(&self) -> Option<&'a ProcessorSummary> {
        let vc = self.vc;
        let works = |one: &&ProcessorSummary| {
            let sends = one.send_ps > 0 && vc.hops[0].from == one.node;
            sends || one.receive_ps > 0 && vc.leaves.iter().any(|leaf| leaf.node == one.node)
        };
        let working = self.index.processors.iter().filter(works);
        working.max_by(|a, b| a.busy_share.total_cmp(&b.busy_share))
    }
}
