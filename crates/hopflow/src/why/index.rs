//! What is looked up of a summary, by name.

use std::collections::{BTreeMap, BTreeSet};

use hopflow_record::{
    ConnectionSummary, CountUnit, LinkSummary, PortSummary, ProcessorSummary, QueueSummary,
    Summary, VcSummary,
};

use super::slow::SlowHost;
use super::{lockout, slow, span};

/// An index of a summary by names of links and VCs.
pub(super) struct Index<'a> {
    pub(super) links: BTreeMap<&'a str, &'a LinkSummary>,
    /// By VC, its longest queue; the last one of equal length.
    pub(super) queues: BTreeMap<&'a str, &'a QueueSummary>,
    /// The unit of packets.
    pub(super) unit: CountUnit,
    /// All VCs.
    pub(super) vcs: &'a [VcSummary],
    /// Slow hosts.
    pub(super) slow: Vec<SlowHost<'a>>,
    /// VCs and links with losses that the scenario accepts.
    pub(super) accepted: BTreeSet<(&'a str, &'a str)>,
    /// By their forward VC.
    pub(super) connections: BTreeMap<&'a str, &'a ConnectionSummary>,
    /// Applications of slow hosts.
    pub(super) applications: BTreeSet<&'a str>,
    /// Ports.
    pub(super) ports: &'a [PortSummary],
    /// Processors of hosts.
    pub(super) processors: &'a [ProcessorSummary],
    /// The measured time in ps.
    pub(super) measured: u64,
    /// By VC and link: the VC that causes its lockout at the end of the link.
    pub(super) lockouts: BTreeMap<(&'a str, &'a str), &'a str>,
    /// Alpha of nodes with dynamic thresholds, and whether their queues have reserves.
    alphas: BTreeMap<&'a str, (f64, bool)>,
}

impl<'a> Index<'a> {
    pub(super) fn new(summary: &'a Summary) -> Index<'a> {
        let mut queues: BTreeMap<&str, &QueueSummary> = BTreeMap::new();
        for queue in &summary.queues {
            let longest = queues.entry(&queue.vc).or_insert(queue);
            if queue.mean_packets.total_cmp(&longest.mean_packets).is_ge() {
                *longest = queue;
            }
        }
        // Names are unique: several links between two nodes are numbered from the second on.
        let links = summary.links.iter().map(|link| (link.name.as_str(), link));
        let accepted = summary.accepted_losses.iter();
        let accepted =
            accepted.filter_map(|loss| Some((loss.vc.as_deref()?, loss.link.as_deref()?)));
        let applications = summary.nodes.iter().filter(|node| node.kind == "application");
        let applications = applications.map(|node| node.node.as_str());
        let alphas = summary.nodes.iter();
        let alphas = alphas.filter_map(|node| {
            Some((node.node.as_str(), (node.alpha?, node.reserved_bytes.is_some())))
        });
        let connections = summary.connections.iter();
        let connections = connections.map(|one| (one.vcs[0].as_str(), one));
        Index {
            links: links.collect(),
            queues,
            unit: summary.counted_in,
            vcs: &summary.vcs,
            slow: slow::slow_hosts(summary),
            accepted: accepted.collect(),
            connections: connections.collect(),
            applications: applications.collect(),
            ports: &summary.ports,
            processors: &summary.processors,
            measured: span::measured(summary),
            lockouts: lockout::lockouts(summary),
            alphas: alphas.collect(),
        }
    }

    /// Why a node had no room for a packet.
    pub(super) fn full(&self, node: &str) -> String {
        match self.alphas.get(node) {
            None => "whose buffer was full".to_owned(),
            Some((alpha, false)) => {
                format!("where its queue was at {alpha} times the free memory (`alpha`)")
            }
            Some((alpha, true)) => format!(
                "where its queue was, beyond its `reserve`, at {alpha} times the free memory that \
                 is shared (`alpha`)"
            ),
        }
    }
}
