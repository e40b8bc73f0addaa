//! Estimates: every quantity of a summary over the runs of several seeds.
//!
//! The names of quantities are those of the summary's keys with their unit at the end, in the
//! order of the summary: VCs, link directions, queues of ports; then those of the whole run.

use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use crate::estimate::Estimate;
use crate::summary::{LengthSummary, LinkSummary, PortSummary, Summary, VcSummary};

/// The subject of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// A VC.
    Vc,
    /// A link direction.
    Link,
    /// The queue of a sending port, named by its link direction.
    Queue,
    /// The run as a whole.
    Run,
}

/// One quantity over several runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
#[shape(name = "QuantityEstimate")]
pub struct Quantities {
    /// The subject of the quantity.
    pub of: Subject,
    /// The name of the VC or link direction.
    pub name: String,
    /// The name of the quantity, which ends in its unit.
    pub quantity: String,
    /// Its value in each run, in order of the runs; `None` without a value.
    pub values: Vec<Option<f64>>,
    /// Mean, deviation and confidence interval of the existing values.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The confidence interval, least and greatest; `null` for one value.
    pub interval: Option<[f64; 2]>,
}

/// The quantities of runs of the same network. Quantities without a value in any run are left out,
/// such as the delay of a VC that delivered no packet, or unused link directions.
pub fn estimates(summaries: &[&Summary]) -> Vec<Quantities> {
    let Some(first) = summaries.first() else { return Vec::new() };
    let mut found = Vec::new();
    for (index, vc) in first.vcs.iter().enumerate() {
        for (quantity, value) in VC {
            let values = summaries.iter().map(|summary| value(&summary.vcs[index])).collect();
            found.extend(quantities(Subject::Vc, &vc.name, quantity, values));
        }
    }
    for (index, link) in first.links.iter().enumerate() {
        for (quantity, value) in LINK {
            let values = summaries.iter().map(|summary| value(&summary.links[index])).collect();
            found.extend(quantities(Subject::Link, &link.name, quantity, values));
        }
    }
    let used = |index: usize| summaries.iter().any(|s| s.links[index].data_packets > 0);
    for (index, port) in first.ports.iter().enumerate().filter(|(index, _)| used(*index)) {
        for (quantity, value) in QUEUE {
            let values = summaries.iter().map(|summary| value(&summary.ports[index])).collect();
            found.extend(quantities(Subject::Queue, &port.port, quantity, values));
        }
    }
    let jain_index = |summary: &&Summary| Some(summary.fairness?.jain_index);
    let values = summaries.iter().map(jain_index).collect();
    found.extend(quantities(Subject::Run, "run", JAIN_INDEX, values));
    found
}

impl Subject {
    /// The names of all its quantities, also those without a value in a run.
    pub fn quantities(self) -> Vec<&'static str> {
        match self {
            Subject::Vc => VC.iter().map(|(name, _)| *name).collect(),
            Subject::Link => LINK.iter().map(|(name, _)| *name).collect(),
            Subject::Queue => QUEUE.iter().map(|(name, _)| *name).collect(),
            Subject::Run => vec![JAIN_INDEX],
        }
    }

    /// Its word in JSON and tables.
    pub const fn word(self) -> &'static str {
        match self {
            Subject::Vc => "vc",
            Subject::Link => "link",
            Subject::Queue => "queue",
            Subject::Run => "run",
        }
    }
}

/// A quantity, and the function that reads it from a part of a summary.
type Read<T> = (&'static str, fn(&T) -> Option<f64>);

const JAIN_INDEX: &str = "jain_index";

const VC: [Read<VcSummary>; 11] = [
    ("throughput_bps", |vc| Some(vc.throughput_bps)),
    ("throughput_packets_per_second", |vc| Some(vc.throughput_packets_per_second)),
    ("delay_mean_ps", |vc| Some(vc.delay_ps?.mean)),
    ("delay_p99_ps", |vc| Some(vc.delay_ps?.p99 as f64)),
    ("delay_max_ps", |vc| Some(vc.delay_ps?.max as f64)),
    ("delay_bound_ps", |vc| vc.delay_bound_ps.map(|bound| bound as f64)),
    ("fair_ratio", |vc| vc.fair.as_ref()?.ratio),
    ("waiting_mean_ps", |vc| Some(vc.waiting_ps?.mean)),
    ("waiting_deviation_ps", |vc| vc.waiting_ps?.deviation),
    ("waiting_p99_ps", |vc| Some(vc.waiting_ps?.p99 as f64)),
    ("lost_share", lost_share),
];

const LINK: [Read<LinkSummary>; 3] = [
    ("busy_share", |link| used(link, link.busy_share)),
    ("window_busy_share_mean", |link| used(link, link.utilization?.mean)),
    ("window_busy_share_deviation", |link| used(link, link.utilization?.deviation)),
];

const QUEUE: [Read<PortSummary>; 8] = [
    ("mean_packets", |port| Some(port.mean_packets)),
    ("max_packets", |port| Some(f64::from(port.max_packets))),
    ("time_mean_packets", |port| Some(over_time(port)?.mean_packets)),
    ("time_deviation_packets", |port| Some(over_time(port)?.deviation_packets)),
    ("time_p99_packets", |port| Some(f64::from(over_time(port)?.p99_packets))),
    ("arrivals_mean_packets", |port| Some(by_arrivals(port)?.mean_packets)),
    ("arrivals_deviation_packets", |port| Some(by_arrivals(port)?.deviation_packets)),
    ("arrivals_p99_packets", |port| Some(f64::from(by_arrivals(port)?.p99_packets))),
];

fn used(link: &LinkSummary, value: f64) -> Option<f64> {
    (link.data_packets + link.control_packets > 0).then_some(value)
}

fn over_time(port: &PortSummary) -> Option<&LengthSummary> {
    port.lengths.as_ref()?.time.as_ref()
}

fn by_arrivals(port: &PortSummary) -> Option<&LengthSummary> {
    port.lengths.as_ref()?.arrivals.as_ref()
}

/// The share of created cells that were policed, dropped, pushed out or corrupted.
fn lost_share(vc: &VcSummary) -> Option<f64> {
    let lost = vc.policed_packets + vc.dropped_packets + vc.corrupted_packets;
    (vc.created_packets > 0).then(|| lost as f64 / vc.created_packets as f64)
}

fn quantities(
    of: Subject,
    name: &str,
    quantity: &str,
    values: Vec<Option<f64>>,
) -> Option<Quantities> {
    let estimate = Estimate::of(values.iter().copied().flatten())?;
    let interval = estimate.bounds();
    let (name, quantity) = (name.to_owned(), quantity.to_owned());
    Some(Quantities { of, name, quantity, values, estimate, interval })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{line, line_counters, summary_of};

    /// Claim: two runs that delivered 4 cells of 53 bytes and 2 of them in 10 us have the mean
    /// 127.2 Mb/s; 1 of 8 cells is lost in each; links without traffic are left out.
    #[test]
    fn quantities_are_taken_over_runs() {
        let spec = line();
        let one = summary_of(&spec, None, &line_counters());
        let mut other = one.clone();
        other.vcs[0].throughput_bps /= 2.0;
        other.vcs[0].delay_ps = None;
        for link in [0, 1] {
            other.links[link].data_packets = 0;
        }
        let found = estimates(&[&one, &other]);
        let of = |name: &str, quantity: &str| {
            found.iter().find(|one| one.name == name && one.quantity == quantity).unwrap()
        };
        let throughput = of("VC1", "throughput_bps");
        assert_eq!(throughput.values, [Some(169.6e6), Some(84.8e6)]);
        assert!((throughput.estimate.mean - 127.2e6).abs() < 1.0);
        // Two values: t(1) = 12.7062, and deviation / sqrt(2) is half their distance.
        let half = 12.706_2 * 84.8e6 / 2.0;
        assert!((throughput.estimate.half_width.unwrap() / half - 1.0).abs() < 1e-5);
        assert_eq!(of("VC1", "delay_mean_ps").values, [Some(2.5e6), None]);
        assert_eq!(of("VC1", "delay_mean_ps").interval, None);
        assert!((of("VC1", "lost_share").estimate.mean - 0.125).abs() < 1e-12);
        let queues = found.iter().filter(|one| one.of == Subject::Queue && one.name == "S->A");
        assert_eq!(queues.count(), 0);
        assert_eq!(estimates(&[]), []);
        let known = |one: &Quantities| one.of.quantities().contains(&one.quantity.as_str());
        assert!(found.iter().all(known));
        let json = serde_json::to_value(throughput).unwrap();
        assert_eq!((&json["of"], &json["count"]), (&"vc".into(), &2.into()));
    }
}
