//! Constructors of a summary: from counters, empty, or from another summary with other rows.

use hopflow_network::{NetworkSpec, RunCounters};
use hopflow_units::SimTime;

use super::Summary;
use crate::rows::{Keep, Reading, Together};

impl Summary {
    /// The summary of the counters of a run, with all rows. Panics if they are not those of `spec`.
    pub fn new(spec: &NetworkSpec, counters: &RunCounters) -> Summary {
        Summary::of(&Reading::of_counters(spec, None, counters))
    }

    /// The summary of a run after its warm-up: from the counters at the end of the warm-up and,
    /// with statistics restarted there, at the end of the run.
    pub fn after_warm_up(spec: &NetworkSpec, before: &RunCounters, after: &RunCounters) -> Summary {
        Summary::of(&Reading::of_counters(spec, Some(before), after))
    }

    fn of(reading: &Reading<'_>) -> Summary {
        let together = Together::read(reading);
        together.summarize(reading, Keep::All, &|_, _| (), &mut |_, _| None).0
    }

    /// An empty summary, up to `end`.
    pub fn empty(end: SimTime) -> Summary {
        Summary { end_ps: end.0, ..Summary::default() }
    }

    /// The same summary with these rows, which are complete.
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
