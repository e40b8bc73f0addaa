//! Processors of hosts in a summary.

use hopflow_network::counters::WorkCounters;
use hopflow_network::work_counters;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::build::View;
use super::published::published;
use crate::wire::integer;

work_counters! { published
    /// The processor of a host that works on what it sends and receives.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
    pub struct ProcessorSummary {
        /// The host.
        pub node: String,
        /// Its work for a packet that it sends, in ps.
        #[serde(with = "integer")]
        pub send_ps: u64,
        /// Its work for a packet that it receives, in ps.
        #[serde(with = "integer")]
        pub receive_ps: u64,
        /// Its work for a credit, in ps.
        #[serde(with = "integer")]
        pub credit_ps: u64,
        /// The share of the time in which it worked.
        pub busy_share: f64,
    } {
        /// The most packets and credits that it worked on or that waited for it.
        pub max_waiting: u32,
        /// The number at the end of the run.
        pub end_waiting: u32,
        /// The longest time from a request to the begin of the work, in ps.
        #[serde(with = "integer")]
        pub longest_wait_ps: u64,
    }
}

impl View<'_> {
    /// The processors of hosts, in the order of nodes.
    pub(super) fn processors(&self) -> Vec<ProcessorSummary> {
        let pairs = self.spec.nodes.iter().zip(&self.counters.nodes);
        let working = pairs.filter_map(|(node, count)| Some((node, node.work?, &count.work)));
        working
            .map(|(node, work, count)| ProcessorSummary {
                node: node.name.clone(),
                send_ps: work.send.0,
                receive_ps: work.receive.0,
                credit_ps: work.credit.0,
                busy_share: self.share(count.busy.0),
                max_waiting: count.waiting_max,
                end_waiting: count.waiting,
                longest_wait_ps: count.longest_wait.0,
                ..ProcessorSummary::counted(count)
            })
            .collect()
    }
}
