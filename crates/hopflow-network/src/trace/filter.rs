//! The filter of trace rows. It is consulted before a row is made.
//!
//! A row is made if its VC or its link direction is selected, or if it belongs to the selected
//! part: to one of its VCs *and* to one of its directions *and* to one of its kinds *and* to its
//! span.

use hopflow_units::SimTime;

use super::{CellKind, TraceRow};
use crate::{DirectionId, HopSpec, NetworkSpec};

/// Selects the rows that are made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceFilter {
    /// Indexed by VC; `true` keeps all rows of that VC.
    pub vcs: Vec<bool>,
    /// Indexed by link direction; `true` keeps all rows of that direction.
    pub directions: Vec<bool>,
    /// A further part to keep.
    pub part: Option<TracePart>,
}

/// A part of a trace: rows that meet all of these conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracePart {
    /// The VCs, by index. `None`: all, and rows that belong to no VC.
    pub vcs: Option<Vec<bool>>,
    /// The directions, by index. `None`: all.
    pub directions: Option<Vec<bool>>,
    /// The kinds, by number.
    pub kinds: [bool; CellKind::ALL.len()],
    /// From this instant on.
    pub from: SimTime,
    /// Before this instant.
    pub to: SimTime,
}

impl Default for TracePart {
    /// Everything.
    fn default() -> TracePart {
        let kinds = [true; CellKind::ALL.len()];
        TracePart { vcs: None, directions: None, kinds, from: SimTime::ZERO, to: SimTime::NEVER }
    }
}

fn is_set(flags: &[bool], index: u32) -> bool {
    flags.get(index as usize).copied().unwrap_or(false)
}

impl TracePart {
    fn keeps(&self, time: SimTime, vc: u32, direction: u32, kind: CellKind) -> bool {
        self.from <= time
            && time < self.to
            && self.kinds[kind as usize]
            && self.meets(vc, direction)
    }

    fn meets(&self, vc: u32, direction: u32) -> bool {
        let asked = |flags: &Option<Vec<bool>>, index| {
            flags.as_ref().is_none_or(|flags| is_set(flags, index))
        };
        asked(&self.vcs, vc) && asked(&self.directions, direction)
    }
}

impl TraceFilter {
    /// No rows at all.
    pub fn none() -> TraceFilter {
        TraceFilter::default()
    }

    /// Every row.
    pub fn all(vcs: usize, directions: usize) -> TraceFilter {
        TraceFilter { vcs: vec![true; vcs], directions: vec![true; directions], part: None }
    }

    /// Whether no row is ever made.
    pub fn is_none(&self) -> bool {
        self.part.is_none() && !self.vcs.contains(&true) && !self.directions.contains(&true)
    }

    /// Whether it keeps every row regardless of its part, in a network with this number of link
    /// directions.
    pub fn keeps_all(&self, directions: usize) -> bool {
        self.directions.len() >= directions && !self.directions.contains(&false)
    }

    /// Whether a row of this VC (`u32::MAX`: of none) on this link direction is kept.
    pub fn keeps(&self, time: SimTime, vc: u32, direction: u32, kind: CellKind) -> bool {
        is_set(&self.vcs, vc)
            || is_set(&self.directions, direction)
            || self.part.as_ref().is_some_and(|part| part.keeps(time, vc, direction, kind))
    }

    /// As [`TraceFilter::keeps`], for an existing row.
    pub fn keeps_row(&self, row: &TraceRow) -> bool {
        self.keeps(row.time, row.vc, row.direction, row.kind)
    }

    /// Nodes of `network` at which a row may be made at all, by index: both ends of each direction
    /// that may have rows.
    pub fn may_keep_at(&self, network: &NetworkSpec) -> Vec<bool> {
        let mut nodes = vec![false; network.nodes.len()];
        let mut mark = |direction: DirectionId| {
            nodes[network.from_node(direction)] = true;
            nodes[network.to_node(direction)] = true;
        };
        let may_keep = |vc: u32, direction: DirectionId| {
            let direction = direction.0 as u32;
            is_set(&self.vcs, vc)
                || is_set(&self.directions, direction)
                || self.part.as_ref().is_some_and(|part| part.meets(vc, direction))
        };
        let directions = (0..network.direction_count()).map(DirectionId);
        directions.filter(|direction| may_keep(u32::MAX, *direction)).for_each(&mut mark);
        for (vc, spec) in (0..).zip(network.vcs.iter()) {
            for there in spec.hops.iter().map(HopSpec::direction_id) {
                // Its credits and ACKs travel in the reverse direction.
                let both = [there, there.reverse()];
                both.into_iter().filter(|id| may_keep(vc, *id)).for_each(&mut mark);
            }
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: every condition of a part is needed, the span is half open, and rows that belong to
    /// no VC belong to a part that names none.
    #[test]
    fn a_part_is_what_meets_all_of_it() {
        let mut kinds = [false; CellKind::ALL.len()];
        kinds[CellKind::Credit as usize] = true;
        let part = TracePart {
            vcs: Some(vec![false, true]),
            directions: Some(vec![false, false, true]),
            kinds,
            from: SimTime(10),
            to: SimTime(20),
        };
        let filter = TraceFilter { part: Some(part), ..TraceFilter::none() };
        let keeps = |time, vc, direction, kind| filter.keeps(SimTime(time), vc, direction, kind);
        assert!(keeps(10, 1, 2, CellKind::Credit) && keeps(19, 1, 2, CellKind::Credit));
        assert!(!keeps(9, 1, 2, CellKind::Credit) && !keeps(20, 1, 2, CellKind::Credit));
        assert!(!keeps(10, 0, 2, CellKind::Credit) && !keeps(10, 1, 1, CellKind::Credit));
        assert!(!keeps(10, 1, 2, CellKind::Data) && !keeps(10, u32::MAX, 2, CellKind::Credit));
        assert!(!filter.is_none());
        let all = TraceFilter { part: Some(TracePart::default()), ..TraceFilter::none() };
        assert!(all.keeps(SimTime(0), u32::MAX, 7, CellKind::Pause));
    }
}
