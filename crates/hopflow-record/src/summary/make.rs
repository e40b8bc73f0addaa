//! Constructors of a summary: empty, or from another summary with other rows.

use hopflow_units::SimTime;

use super::Summary;

impl Summary {
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
            admission: self.admission,
            connections: self.connections,
            links: self.links,
            queues,
            queues_left_out: 0,
            ports: self.ports,
            nodes: self.nodes,
            processors: self.processors,
            violations: self.violations,
            accepted_losses: self.accepted_losses,
            violations_left_out: self.violations_left_out,
        }
    }

    /// Whether VCs are left out of `vcs`, by this version or, in a large run, by an older one.
    pub fn leaves_vcs_out(&self) -> bool {
        self.totals.as_ref().is_some_and(|all| all.vcs > self.vcs.len() as u64)
    }

    /// Whether something was delivered and there is no Jain index: some sources stop before others.
    pub fn load_falls(&self) -> bool {
        let ratios = self.vcs.iter().filter_map(|vc| vc.fair.as_ref()?.ratio);
        self.fairness.is_none() && ratios.into_iter().any(|ratio| ratio > 0.0)
    }
}
