//! The built-in scenarios under ABR, and what their max-min shares are.

use hopflow::fair_shares;
use hopflow_network::{DirectionId, NetworkSpec, NodeKind, VcSpec};
use hopflow_scenario::TEMPLATES;
use hopflow_units::{Rate, SimTime};

use crate::{Run, ScenarioText};

/// The control of flows that the built-in scenarios have.
const CREDIT: &str = "control = { kind = \"n23\", n2 = 10 }\n";
/// Every cell but one of Nrm.
const DATA: f64 = 31.0 / 32.0;

/// A built-in scenario whose switches have this `rate-control`, a kind or table in TOML, for flows
/// under ABR that start at 5 Mb/s.
pub(super) fn under(template: &str, file: &str, rate_control: &str) -> ScenarioText {
    let found = TEMPLATES.iter().find(|known| known.name == template);
    let found = found.unwrap_or_else(|| panic!("there is no built-in scenario `{template}`"));
    let abr = format!(
        "control = {{ kind = \"abr\", icr = \"5 Mb/s\" }}\n\n[defaults.switch]\n\
         rate-control = {rate_control}\n"
    );
    ScenarioText::new(file, found.text).variant(file, &[(CREDIT, &abr)])
}

/// The same, measured over the last 100 ms of 300.
pub(super) fn settled(text: &ScenarioText) -> ScenarioText {
    let edits = [
        ("duration = \"100 ms\"", "duration = \"300 ms\""),
        ("warm-up = \"20 ms\"", "warm-up = \"200 ms\""),
    ];
    text.variant(text.file.clone(), &edits)
}

/// The data of each VC, in bits per second.
pub(super) fn rates(run: &Run) -> Vec<f64> {
    run.summary.vcs.iter().map(|vc| vc.throughput_bps).collect()
}

/// The max-min shares of the time measured, of links between switches that give what they carry,
/// where that is from `low` to `high` parts of their rate, and else the nearer end.
pub(super) fn shares(run: &Run, (low, high): (f64, f64)) -> Vec<f64> {
    let mut network = run.network.clone();
    let rates = rates(run);
    let is_switch = |node: usize| network.nodes[node].kind == NodeKind::Switch;
    let inner: Vec<usize> = (0..network.links.len())
        .filter(|link| network.links[*link].ends.into_iter().all(is_switch))
        .collect();
    for id in inner.iter().flat_map(|link| [DirectionId(2 * link), DirectionId(2 * link + 1)]) {
        let all = network.direction(id).rate.bps() as f64;
        let given = load(&network, &rates, id).clamp(low * all, high * all);
        let rate = Rate::from_bps(given as u64).expect("a part of a link is more than nothing");
        network.links[id.link()].directions[id.side()].rate = rate;
    }
    let end = SimTime::ZERO + network.duration;
    let span = SimTime(run.summary.from_ps)..end;
    let found = fair_shares(&network, span, hopflow::Part::ALL);
    let found = found.unwrap_or_else(|wrong| panic!("the built-in scenarios have shares: {wrong}"));
    found.vcs.into_iter().map(|share| share.map_or(0.0, |share| share.bps)).collect()
}

/// What VCs bring to a link direction, RM cells included, in bits per second.
fn load(network: &NetworkSpec, rates: &[f64], id: DirectionId) -> f64 {
    let crosses = |vc: &VcSpec| vc.hops.iter().any(|hop| hop.direction_id() == id);
    let of = |(vc, rate): (&VcSpec, &f64)| if vc.rate.is_some() { rate / DATA } else { *rate };
    network.vcs.iter().zip(rates).filter(|(vc, _)| crosses(vc)).map(of).sum()
}

/// The greatest distance of a rate from its share, in percent.
pub(super) fn off(rates: &[f64], shares: &[f64]) -> f64 {
    let each = rates.iter().zip(shares).map(|(rate, share)| (rate / share - 1.0).abs() * 100.0);
    each.fold(0.0, f64::max)
}
