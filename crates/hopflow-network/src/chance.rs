//! Chance: whether a run of a network draws random numbers.
//!
//! A run is a function of its network and of the numbers that it draws, and the seed reaches it
//! through its streams alone. So where nothing draws, every seed gives the same run. The answer is
//! on the safe side: what draws in some run of the network counts as drawing in all of them.
//!
//! | draws                                        | purpose of the stream              |
//! |----------------------------------------------|------------------------------------|
//! | corruption above 0 of a link direction       | `corruption`                       |
//! | an event that sets corruption above 0        | `corruption`                       |
//! | a source that takes a stream, or sizes       | `source`, `size`                   |
//! | a switch that admits packets with jitter     | `jitter at NODE`, `jitter of acks at NODE` |
//! | a connection of RPC                          | `rpc phase`, `rpc service`, `nfs`  |
//! | an external machine, or packets from outside | their own                          |
//!
//! Draws of the scenario (phases of sources, routes) are not in the network: the scenario adds
//! them.
//! Checked by: `hopflow-engine/tests/chance.rs`, which has the list of all streams, too.

use hopflow_units::Probability;

use crate::traffic::Source;
use crate::{Change, NetworkSpec, ProtocolSpec};

impl NetworkSpec {
    /// Whether some run of this network draws random numbers. If not, all seeds give one run.
    pub fn draws(&self) -> bool {
        // Machines are not asked: the plan of an external source is made elsewhere.
        if !self.machines.is_empty() {
            return true;
        }
        let is_above = |probability: Probability| probability != Probability::ZERO;
        let corrupts = self.links.iter().flat_map(|link| &link.directions).any(|direction| {
            is_above(direction.corrupt_data) || is_above(direction.corrupt_credits)
        });
        let changes = self.events.iter().any(|event| match event.change {
            Change::CorruptData(to) | Change::CorruptCredits(to) => is_above(to),
            Change::CorruptNextCredits { .. }
            | Change::FalsifyNextCredits { .. }
            | Change::Blocked(_) => false,
        });
        let source_draws = self.vcs.iter().any(|vc| {
            let first = self.direction(vc.hops[0].direction_id());
            Source::draws(vc, first.wire())
        });
        let connection_draws =
            self.connections.iter().any(|connection| match connection.protocol {
                ProtocolSpec::Tcp(_) => false,
                ProtocolSpec::Rpc(_) | ProtocolSpec::Live(_) => true,
            });
        let jitters = self.admits_with_jitter().contains(&true);
        corrupts || changes || source_draws || connection_draws || jitters
    }
}
