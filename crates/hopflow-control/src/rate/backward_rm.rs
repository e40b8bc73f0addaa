//! Backward RM cells that a congested switch creates itself (BN = 1), one port.
//!
//! ```text
//! a cell of a VC joins the queue, Q > above, and the last such BRM of the VC was created
//! `gap` or more ago, or never:   the switch creates a BRM                           (1)
//! its fields:   DIR = BN = 1, CI or NI = 1, CCR = MCR = 0,
//!               ER = min(PCR, what the rule of the port allots to the VC)           (2)
//! ```
//! | symbol     | meaning                                                      | unit  |
//! |------------|--------------------------------------------------------------|-------|
//! | Q, `queue` | cells of rate-controlled VCs, with the one that joins        | cells |
//! | above      | with more cells than this the port is congested              | cells |
//! | gap        | least span between two of these cells of one VC              | ps    |
//!
//! The message takes the way from the switch to the source, not the rest of the loop, and no FRM
//! has to come first. With CI the source slows down; with NI it does so only if ER is below ACR.
//! It does not show the source that its FRMs return, so rule 6 counts on (`source.rs`, Eq. 9).
//!
//! Source: [TM4.0], from memory, with [Kalyanaraman97] p. 385: a switch may create BRMs with BN = 1
//! and CI or NI = 1, at most 10 cells/s for each VC, a gap of 100 ms; the other fields are
//! recalled. Differs: they are created as a cell joins, and the gap may be shorter. Not modelled:
//! such cells of destinations, out-of-rate ones. Checked by: the tests below, `docs/models/abr.md`.

use hopflow_units::{CellRate, Picos, SimTime};
use serde::{Deserialize, Serialize};

use super::RmCell;

/// When a port creates backward RM cells, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackwardRmSpec {
    /// With more cells than this the port is congested.
    #[serde(rename = "above_cells", with = "hopflow_units::exact")]
    pub above: u64,
    /// What they tell the source.
    pub mark: BackwardMark,
    /// The least span between two of one VC.
    #[serde(rename = "gap_ps")]
    pub gap: Picos,
}

impl BackwardRmSpec {
    /// The shortest gap that [TM4.0] permits: 10 cells/s.
    pub const GAP: Picos = Picos(100_000_000_000);
}

/// The mark on a backward RM cell that a switch creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BackwardMark {
    /// CI: the source slows down.
    Ci,
    /// NI: the source does not speed up, and keeps to ER.
    Ni,
}

/// The backward RM cells that one port creates.
#[derive(Clone, Debug)]
pub struct BackwardRm {
    spec: BackwardRmSpec,
    flows: Vec<Flow>,
}

/// A VC that leaves by the port.
#[derive(Clone, Copy, Debug)]
struct Flow {
    pcr: CellRate,
    sixteen_bit: bool,
    last: Option<SimTime>,
}

impl BackwardRm {
    /// A port that has created none; `flows`: PCR of each VC, and whether its rates have 16 bits.
    pub fn new(spec: BackwardRmSpec, flows: impl Iterator<Item = (CellRate, bool)>) -> BackwardRm {
        let flow = |(pcr, sixteen_bit)| Flow { pcr, sixteen_bit, last: None };
        BackwardRm { spec, flows: flows.map(flow).collect() }
    }

    /// A cell of a VC has joined; `queue` counts it. Returns the cell to create, if any, whose ER
    /// is still without a bound of the port's rule. Eqs. (1) and (2).
    pub fn join(&mut self, now: SimTime, flow: u32, queue: u64) -> Option<RmCell> {
        let flow = &mut self.flows[flow as usize];
        let is_early = flow.last.is_some_and(|last| now.since(last) < self.spec.gap);
        if queue <= self.spec.above || is_early {
            return None;
        }
        flow.last = Some(now);
        let er = if flow.sixteen_bit { flow.pcr.quantized() } else { flow.pcr };
        let zero = CellRate::ZERO;
        let ci = self.spec.mark == BackwardMark::Ci;
        let rm = RmCell::new(er, zero, zero, flow.sixteen_bit);
        Some(RmCell { ci, ni: !ci, bn: true, backward: true, ..rm })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(cells_per_second: f64) -> CellRate {
        CellRate::new(cells_per_second).unwrap()
    }

    fn port(mark: BackwardMark) -> BackwardRm {
        let spec = BackwardRmSpec { above: 3, mark, gap: Picos(100) };
        let flows = [(rate(1_000.0), false), (rate(1_001.0), true)];
        BackwardRm::new(spec, flows.into_iter())
    }

    /// Claim: with more than 3 cells the port creates one for each VC, and the next when 100 ps
    /// have gone by since, not earlier; of no other VC does it keep account by that.
    #[test]
    fn one_cell_for_each_vc_and_gap() {
        let mut port = port(BackwardMark::Ci);
        let mut created = |now, flow, queue| port.join(SimTime(now), flow, queue).is_some();
        assert!(!created(0, 0, 3));
        assert!(created(10, 0, 4));
        assert!(!created(109, 0, 9));
        assert!(created(109, 1, 9));
        assert!(created(110, 0, 9));
        assert!(!created(209, 0, 9) && !created(208, 1, 9));
        assert!(!created(500, 0, 3) && created(501, 0, 4));
    }

    /// Claim [TM4.0]: such a cell has BN = 1 and CI or NI, travels backward, and tells no CCR and
    /// no MCR; its ER is PCR, in 16 bits where the VC has those: 1,001 is 512 x (1 + 489/512).
    #[test]
    fn its_fields_are_those_of_a_switch() {
        let zero = CellRate::ZERO;
        for (mark, ci) in [(BackwardMark::Ci, true), (BackwardMark::Ni, false)] {
            let found = port(mark).join(SimTime::ZERO, 0, 4).unwrap();
            let plain = RmCell::new(rate(1_000.0), zero, zero, false);
            assert_eq!(found, RmCell { ci, ni: !ci, bn: true, backward: true, ..plain });
        }
        let found = port(BackwardMark::Ci).join(SimTime::ZERO, 1, 4).unwrap();
        assert_eq!((found.er, found.sixteen_bit), (rate(1_001.0), true));
    }
}
