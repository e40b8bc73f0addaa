//! What the debate asks of a run: Eq. (1) to (5) of `debate.rs`, and the claims.

use hopflow::compare::{Comparison, ControlRun, Curve};
use hopflow::jain_index;
use hopflow::size::size_lanes;
use hopflow_network::NetworkSpec;
use hopflow_record::direction_names;
use hopflow_scenario::ScenarioFile;
use hopflow_units::Bytes;

use crate::Measured;

/// The VCs over all three links; the others cross one.
pub(super) const LONG: [&str; 2] = ["L1", "L2"];
/// The parts of a run of which the last two are read.
const FIFTHS: usize = 5;
/// The control that the scenario has as it stands.
pub(super) const AS_IS: &str = "as-is";
const MS: f64 = 1e9;

/// The runs of one network.
pub(super) struct Read<'a> {
    network: &'a NetworkSpec,
    comparison: &'a Comparison,
    /// Headroom of PFC on S1->S2, in cells.
    headroom: f64,
}

/// One control in numbers.
pub(super) struct Numbers {
    /// Eq. (3).
    pub(super) jain: f64,
    /// Eq. (2).
    pub(super) beatdown: f64,
    /// Eq. (4), of S2->S3.
    pub(super) used: f64,
    /// Eq. (5), in ms; not a number where rates have not settled, or do not move as L2 comes.
    pub(super) rampup: f64,
}

impl<'a> Read<'a> {
    pub(super) fn new(network: &'a NetworkSpec, text: &str, comparison: &'a Comparison) -> Self {
        let file = ScenarioFile::new(text, "the debate");
        let paused = file.under("pfc").map(|scenario| scenario.network);
        let paused = paused.unwrap_or_else(|wrong| panic!("{wrong}"));
        let sizes = size_lanes(&paused).unwrap_or_else(|wrong| panic!("{wrong}"));
        let size = sizes.iter().find(|size| size.link == "S1->S2");
        let room = size.map_or(f64::NAN, |size| size.needed.headroom.0 as f64);
        Read { network, comparison, headroom: room / Bytes::CELL.0 as f64 }
    }

    fn run(&self, control: &str) -> &ControlRun {
        run_of(self.comparison, control)
    }

    /// What VCs deliver over a link, as a part of it. Eq. (4).
    fn used(&self, run: &ControlRun, link: &str) -> f64 {
        let names = direction_names(self.network);
        let id = names.iter().position(|name| name == link).expect("a link of the debate");
        let crosses = |curve: &&Curve| {
            let vc = self.network.vcs.iter().find(|vc| vc.name == curve.name);
            vc.is_some_and(|vc| vc.hops.iter().any(|hop| hop.direction_id().0 == id))
        };
        let sum: f64 = run.rates.iter().filter(crosses).map(late_rate).sum();
        let link = &self.network.links[id / 2].directions[id % 2];
        sum / link.rate.bps() as f64
    }

    pub(super) fn numbers(&self, run: &ControlRun) -> Numbers {
        let (long, short): (Vec<&Curve>, Vec<&Curve>) =
            run.rates.iter().partition(|curve| LONG.contains(&curve.name.as_str()));
        let mean = |curves: &[&Curve]| {
            curves.iter().map(|curve| late_rate(curve)).sum::<f64>() / curves.len() as f64
        };
        let start = self.network.vcs.iter().map(|vc| vc.start.0).max().unwrap_or(0) as f64;
        let settled = run.measures.settled_ps.map_or(f64::NAN, |at| at as f64);
        let rates = run.rates.iter().map(|curve| (late_rate(curve), 1.0));
        Numbers {
            jain: jain_index(rates).unwrap_or(f64::NAN),
            beatdown: mean(&long) / mean(&short),
            used: self.used(run, "S2->S3"),
            rampup: if settled < start { f64::NAN } else { (settled - start) / MS },
        }
    }

    /// Every claim of the network.
    pub(super) fn claims(&self, measured: &mut Measured, id: &str) {
        let mut claim = |name: &str, value: f64| measured.claim(format!("{id}.{name}"), value);
        let numbers = |control| self.numbers(self.run(control));
        for control in ["n23", "adaptive", "pfc", "vs-vd"] {
            claim(&format!("{control}.lost"), self.run(control).measures.lost_packets as f64);
        }
        claim("none.lost_share", self.run(AS_IS).measures.lost_share);
        for control in ["n23", "vc-counting", "erica-plus", "vs-vd", "efci"] {
            claim(&format!("{control}.beatdown"), numbers(control).beatdown);
        }
        for control in ["n23", "adaptive", "efci"] {
            claim(&format!("{control}.jain"), numbers(control).jain);
        }
        let credit = numbers("n23");
        claim("n23.used", credit.used);
        claim("n23.rampup", credit.rampup);
        claim("pfc.headroom", self.headroom);
        if id == "lan" {
            claim("pfc.beatdown", numbers("pfc").beatdown);
            claim("pfc.victims", self.used(self.run("pfc"), "S1->S2"));
        } else {
            claim("n23.promised", self.promised("n23"));
            claim("adaptive.promised", self.promised("adaptive"));
            for control in ["adaptive", "erica-plus"] {
                claim(&format!("{control}.slower"), numbers(control).rampup - credit.rampup);
            }
        }
    }

    /// What credits promise of the memory of S2, in cells.
    fn promised(&self, control: &str) -> f64 {
        let switches = &self.run(control).measures.switches;
        let found = switches.iter().find(|switch| switch.node == "S2");
        let promised = found.and_then(|switch| switch.promised_packets);
        promised.map_or(f64::NAN, |cells| cells as f64)
    }
}

/// The run under a control.
pub(super) fn run_of<'a>(comparison: &'a Comparison, control: &str) -> &'a ControlRun {
    let found = comparison.runs.iter().find(|run| run.measures.control == control);
    found.unwrap_or_else(|| panic!("`{control}` is a variant of the debate"))
}

/// Eq. (1), in bits per second.
fn late_rate(curve: &Curve) -> f64 {
    let late = &curve.values[curve.values.len() * (FIFTHS - 2) / FIFTHS..];
    late.iter().sum::<f64>() / late.len() as f64
}
