//! Lockouts: some VCs of equal arrival rate at one node lose nearly all packets at its full buffer,
//! and another nearly none.
//!
//! Packets with one constant gap meet a full buffer in the same order each time. The space that a
//! packet leaves goes to the same VC, and the others deliver no packets. The cause is not a rule of
//! the network, but the phases of the sources.
//! ```text
//! lost >= 95 % of its arrivals,  another: lost <= 5 %                            (1)
//! |arrivals - arrivals of the other| <= 1 % of it                                (2)
//! ```
//! Not distinguished: a scheduler that prefers the other VC, with a buffer for each VC, which the
//! sentence mentions. Checked by: `why/tests/lockout.rs`.

use std::collections::BTreeMap;

use hopflow_record::Summary;

use super::{Note, Report, Severity, percent};

/// The least number of packets for a conclusion.
const FEWEST: u64 = 100;

/// The arrivals of a VC at a node over a link, and its losses there.
#[derive(Clone, Copy, Debug)]
struct Brought<'a> {
    vc: &'a str,
    link: &'a str,
    cells: u64,
    lost: u64,
}

impl Brought<'_> {
    /// Eq. (1), for the VC that is locked out.
    fn is_out(&self) -> bool {
        self.cells >= FEWEST && u128::from(self.lost) * 100 >= u128::from(self.cells) * 95
    }

    /// Eq. (1), for the other VC.
    fn is_in(&self) -> bool {
        u128::from(self.lost) * 100 <= u128::from(self.cells) * 5
    }

    /// Eq. (2).
    fn is_equal(&self, other: &Brought<'_>) -> bool {
        u128::from(self.cells.abs_diff(other.cells)) * 100 <= u128::from(self.cells)
    }
}

/// By VC and link: the VC that has the buffer at the end of the link instead.
pub(super) fn lockouts(summary: &Summary) -> BTreeMap<(&str, &str), &str> {
    // By the next link: VCs that leave by different ports may not share memory.
    let mut nodes = BTreeMap::<&str, Vec<Brought<'_>>>::new();
    for vc in &summary.vcs {
        for hop in &vc.hops {
            let (cells, lost) = (hop.sent_packets, hop.dropped_packets);
            let brought = Brought { vc: &vc.name, link: &hop.link, cells, lost };
            let next = vc.hops.iter().find(|next| next.from == hop.to);
            let Some(next) = next else { continue };
            nodes.entry(&next.link).or_default().push(brought);
        }
    }
    let mut found = BTreeMap::new();
    for node in nodes.values() {
        for out in node.iter().filter(|one| one.is_out()) {
            if let Some(other) = node.iter().find(|one| one.is_in() && one.is_equal(out)) {
                found.insert((out.vc, out.link), other.vc);
            }
        }
    }
    found
}

impl Report<'_> {
    /// The place at which the VC is locked out.
    pub(super) fn lockout(&mut self) {
        for hop in &self.vc.hops {
            let place = (self.vc.name.as_str(), hop.link.as_str());
            let Some(other) = self.index.lockouts.get(&place) else { continue };
            let share = hop.dropped_packets as f64 / hop.sent_packets as f64;
            let text = format!(
                "{} was locked out at {}: it lost {} of what it brought there, and {other}, which \
                 brought as much, next to nothing. Packets of equal gaps find a full buffer in the \
                 same order each time, so the same VC has the room; a scheduler that serves \
                 {other} \
                 first does the same.",
                self.vc.name,
                hop.to,
                percent(share)
            );
            let change = "Let gaps or sizes of packets vary (`poisson`, a range of `packet`), let \
                          the switch discard from the longest queue, or use a control that loses \
                          nothing; `--seeds` shows who wins by chance.";
            let note = Note::new(Severity::Warning, "lockout", text).on(&hop.link);
            let note = note.with("brought_packets", hop.sent_packets as f64);
            self.say(note.with("lost_packets", hop.dropped_packets as f64).change(change));
        }
    }
}
