//! Ways to a summary: from counters that were read, empty, or another one with other rows.

use hopflow_network::{NetworkSpec, RunCounters};
use hopflow_units::SimTime;

use super::{CountUnit, Summary};
use crate::rows::{Keep, Reading, Together};

impl Summary {
    /// Puts the counters of a run in names and units, all rows. Panics when they are not those of
    /// `spec`.
    pub fn new(spec: &NetworkSpec, counters: &RunCounters) -> Summary {
        Summary::of(&Reading::of_counters(spec, None, counters))
    }

    /// The summary of what came after a warm-up: from the counters read at its end and, with
    /// statistics restarted there, at the end of the run.
    pub fn after_warm_up(spec: &NetworkSpec, before: &RunCounters, after: &RunCounters) -> Summary {
        Summary::of(&Reading::of_counters(spec, Some(before), after))
    }

    fn of(reading: &Reading<'_>) -> Summary {
        let together = Together::read(reading);
        together.summarize(reading, Keep::All, &|_, _| (), &mut |_, _| None).0
    }

    /// A summary of nothing, up to `end`.
    pub fn empty(end: SimTime) -> Summary {
        Summary {
            end_ps: end.0,
            from_ps: 0,
            counted_in: CountUnit::default(),
            totals: None,
            classes: Vec::new(),
            vcs: Vec::new(),
            vcs_left_out: 0,
            fairness: None,
            connections: Vec::new(),
            links: Vec::new(),
            queues: Vec::new(),
            queues_left_out: 0,
            ports: Vec::new(),
            nodes: Vec::new(),
            violations: Vec::new(),
            accepted_losses: Vec::new(),
            violations_left_out: 0,
        }
    }

    /// The same with these rows, which are all there are.
    pub fn with_rows<V, Q>(self, vcs: V, queues: Q) -> Summary<V, Q> {
        Summary {
            end_ps: self.end_ps,
            from_ps: self.from_ps,
            counted_in: self.counted_in,
            totals: self.totals,
            classes: self.classes,
            vcs,
            vcs_left_out: 0,
            fairness: self.fairness,
            connections: self.connections,
            links: self.links,
            queues,
            queues_left_out: 0,
            ports: self.ports,
            nodes: self.nodes,
            violations: self.violations,
            accepted_losses: self.accepted_losses,
            violations_left_out: self.violations_left_out,
        }
    }

    /// Whether VCs are left out of `vcs`, by this version or, in a large run, by an older one.
    pub fn leaves_vcs_out(&self) -> bool {
        self.totals.as_ref().is_some_and(|all| all.vcs > self.vcs.len() as u64)
    }
}
