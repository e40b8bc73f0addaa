//! The parameters of one ABR VC, with the defaults and ranges of TM 4.0.
//!
//! ```text
//! MCR <= ICR <= PCR,     ICR = max(MCR, min(signalled ICR, PCR, TBE / FRTT))     (1)
//! CRM = ceil(TBE / Nrm)                                                          (2)
//! ```
//! | symbol | meaning                                 | unit    | default    | range              |
//! |--------|-----------------------------------------|---------|------------|--------------------|
//! | PCR    | peak cell rate                          | cells/s | (none)     | above 0            |
//! | MCR    | minimum cell rate                       | cells/s | 0 r        | up to PCR          |
//! | ICR    | initial rate, also after an idle time   | cells/s | PCR r      | MCR to PCR         |
//! | Nrm    | in-rate cells per FRM                   | cells   | 32 m       | 2^1 .. 2^8         |
//! | Mrm    | minimum cells between FRMs sent for Trm | cells   | 2 r        | from 1             |
//! | Trm    | maximum time between FRMs while active  | ps      | 100 ms m   | 100 ms / 2^0..7    |
//! | RIF    | increase per BRM, of PCR                | 1       | 1/16 m     | 2^-15 .. 2^0       |
//! | RDF    | decrease per BRM with CI, of ACR        | 1       | 1/16 m     | 2^-15 .. 2^0       |
//! | CDF    | decrease per FRM, BRMs missing          | 1       | 1/16 m     | 0, 2^-6 .. 2^0     |
//! | CRM    | FRMs without a BRM before CDF applies   | cells   | by (2) r   | 0 .. 2^23 m        |
//! | ADTF   | idle time, then ACR falls to ICR        | ps      | 0.5 s m    | 1 .. 1023 of 10 ms |
//! | TCR    | maximum rate of out-of-rate FRMs        | cells/s | 10 r       | any                |
//! | TBE    | transient buffer exposure               | cells   | 2^24 - 1 r | up to 2^24 - 1     |
//! | FRTT   | round trip without queues, from set-up  | ps      | (none)     | any                |
//!
//! Source: m: the MIB of [ILMI4.0]; r: [TM4.0] from memory, since it was not at hand, as are (1)
//! and (2). Differs: nothing. Not modelled: signalling, by which the two ends and the switches
//! agree on these values.
//! Checked by: the tests below.

use hopflow_units::{CellRate, Picos};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// TBE if none is specified: all of its 24 bits are set, so there is no bound. In cells.
pub const TBE_MAX: u32 = (1 << 24) - 1;

/// Ten milliseconds: the step of ADTF.
const ADTF_STEP: u64 = 10_000_000_000;

/// The parameters of one ABR VC: symbols, units and ranges as above.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AbrSpec {
    /// PCR, the highest rate at which it may send.
    #[serde(rename = "pcr_cells_per_second")]
    pub pcr: CellRate,
    /// MCR, the rate at which it may always send.
    #[serde(rename = "mcr_cells_per_second")]
    pub mcr: CellRate,
    /// ICR, its rate at the start and after an idle time: see [`AbrSpec::initial_rate`].
    #[serde(rename = "icr_cells_per_second")]
    pub icr: CellRate,
    /// Nrm: one in Nrm in-rate cells is an FRM.
    #[serde(rename = "nrm_cells")]
    pub nrm: u32,
    /// Mrm: the minimum number of cells between two FRMs when Trm calls for one.
    #[serde(rename = "mrm_cells")]
    pub mrm: u32,
    /// Trm: an active source sends an FRM after this time without one.
    #[serde(rename = "trm_ps")]
    pub trm: Picos,
    /// RIF: a BRM raises ACR by this part of PCR.
    pub rif: f64,
    /// RDF: a BRM with CI lowers ACR by this part of it.
    pub rdf: f64,
    /// CDF: each FRM past CRM lowers ACR by this part of it.
    pub cdf: f64,
    /// CRM: the number of FRMs that may go without a BRM: see [`AbrSpec::missing_limit`].
    #[serde(rename = "crm_cells", with = "hopflow_units::exact")]
    pub crm: u64,
    /// ADTF: after this time without an FRM, a rate above ICR falls to ICR.
    #[serde(rename = "adtf_ps")]
    pub adtf: Picos,
    /// TCR: the maximum rate of out-of-rate FRMs. Zero: none.
    #[serde(rename = "tcr_cells_per_second")]
    pub tcr: CellRate,
    /// Rates in RM cells have the 16-bit format, rounded down.
    pub sixteen_bit: bool,
}

/// What is wrong with an [`AbrSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum AbrMistake {
    /// PCR is zero.
    #[error("PCR is zero, so the VC could never send")]
    NoPeak,
    /// ICR is not within MCR and PCR.
    #[error("MCR <= ICR <= PCR does not hold: MCR {mcr}, ICR {icr}, PCR {pcr}")]
    Order {
        /// MCR, as given.
        mcr: CellRate,
        /// ICR, as given.
        icr: CellRate,
        /// PCR, as given.
        pcr: CellRate,
    },
    /// Nrm, Mrm, Trm, CRM or ADTF is out of its range.
    #[error("{name} is {value}; it is {range}")]
    Range {
        /// The symbol of the parameter.
        name: &'static str,
        /// The given value; times are in picoseconds.
        value: u64,
        /// The allowed range.
        range: &'static str,
    },
    /// RIF, RDF or CDF is out of its range.
    #[error("{name} is {value}; it is {range}")]
    Factor {
        /// The symbol of the parameter.
        name: &'static str,
        /// The given value.
        value: f64,
        /// The allowed range.
        range: &'static str,
    },
}

impl AbrSpec {
    /// The defaults of TM 4.0 for a VC with this peak rate: no minimum, start at the peak.
    pub fn new(pcr: CellRate) -> AbrSpec {
        AbrSpec {
            pcr,
            mcr: CellRate::ZERO,
            icr: pcr,
            nrm: 32,
            mrm: 2,
            trm: Picos(100_000_000_000),
            rif: 1.0 / 16.0,
            rdf: 1.0 / 16.0,
            cdf: 1.0 / 16.0,
            crm: AbrSpec::missing_limit(TBE_MAX, 32),
            adtf: Picos(500_000_000_000),
            tcr: CellRate::new(10.0).expect("ten is a rate"),
            sixteen_bit: false,
        }
    }

    /// ICR: the signalled rate, bounded above by PCR and by the rate that fills TBE in one FRTT,
    /// and below by MCR. Eq. (1).
    #[must_use]
    pub fn initial_rate(&self, signalled: CellRate, tbe: u32, frtt: Picos) -> CellRate {
        let exposure = match frtt {
            Picos::ZERO => CellRate::MAX,
            frtt => CellRate::mean(u64::from(tbe), frtt),
        };
        signalled.min(self.pcr).min(exposure).max(self.mcr)
    }

    /// CRM for a TBE and an Nrm, in cells. Eq. (2).
    pub fn missing_limit(tbe: u32, nrm: u32) -> u64 {
        u64::from(tbe).div_ceil(u64::from(nrm))
    }

    /// All that is wrong with the parameters; empty if they are valid.
    pub fn mistakes(&self) -> Vec<AbrMistake> {
        let mut mistakes = Vec::new();
        if self.pcr.is_zero() {
            mistakes.push(AbrMistake::NoPeak);
        }
        if self.icr < self.mcr || self.pcr < self.icr {
            mistakes.push(AbrMistake::Order { mcr: self.mcr, icr: self.icr, pcr: self.pcr });
        }
        mistakes.extend(self.range_mistakes());
        mistakes.extend(self.factor_mistakes());
        mistakes
    }

    fn range_mistakes(&self) -> impl Iterator<Item = AbrMistake> {
        let trm_fits = (0..=7).any(|k| self.trm.0 << k == 100_000_000_000);
        let adtf_fits = self.adtf.0.is_multiple_of(ADTF_STEP)
            && (1..=1023).contains(&(self.adtf.0 / ADTF_STEP));
        let nrm_fits = self.nrm.is_power_of_two() && (2..=256).contains(&self.nrm);
        [
            (nrm_fits, "Nrm", u64::from(self.nrm), "a power of two from 2 to 256"),
            (self.mrm > 0, "Mrm", u64::from(self.mrm), "at least 1"),
            (trm_fits, "Trm", self.trm.0, "100 ms, or that halved up to 7 times"),
            (self.crm <= 1 << 23, "CRM", self.crm, "from 0 to 8388608"),
            (adtf_fits, "ADTF", self.adtf.0, "a multiple of 10 ms from 10 ms to 10.23 s"),
        ]
        .into_iter()
        .filter(|(fits, ..)| !fits)
        .map(|(_, name, value, range)| AbrMistake::Range { name, value, range })
    }

    fn factor_mistakes(&self) -> impl Iterator<Item = AbrMistake> {
        let wide = "a power of two from 1/32768 to 1";
        let cdf_fits = self.cdf == 0.0 || is_halved(self.cdf, 6);
        [
            (is_halved(self.rif, 15), "RIF", self.rif, wide),
            (is_halved(self.rdf, 15), "RDF", self.rdf, wide),
            (cdf_fits, "CDF", self.cdf, "0, or a power of two from 1/64 to 1"),
        ]
        .into_iter()
        .filter(|(fits, ..)| !fits)
        .map(|(_, name, value, range)| AbrMistake::Factor { name, value, range })
    }

    /// Asserts that the parameters are valid.
    pub fn assert_valid(&self) {
        let mistakes = self.mistakes();
        assert!(mistakes.is_empty(), "an ABR VC with wrong parameters: {mistakes:?}");
    }
}

/// Whether `value` is 1, halved at most `times` times.
fn is_halved(value: f64, times: u32) -> bool {
    (0..=times).any(|k| value.to_bits() == (1.0 / f64::from(1_u32 << k)).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> AbrSpec {
        AbrSpec::new(CellRate::new(353_207.5).unwrap())
    }

    /// Claim: the defaults are valid, and their CRM is 16,777,215 / 32 rounded up.
    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(spec().mistakes(), []);
        assert_eq!(spec().crm, 524_288);
    }

    /// Claim [Roberts96]: TBE = 100 and 250 at a loop of 2 ms start a source at 50,000 and 125,000
    /// cells/s; without a bound it starts as signalled, never above PCR nor below MCR.
    #[test]
    fn the_exposure_bounds_the_initial_rate() {
        let two_ms = Picos(2_000_000_000);
        let rate = |r| CellRate::new(r).unwrap();
        let spec = AbrSpec { mcr: rate(1000.0), ..spec() };
        assert_eq!(spec.initial_rate(spec.pcr, 100, two_ms), rate(50_000.0));
        assert_eq!(spec.initial_rate(spec.pcr, 250, two_ms), rate(125_000.0));
        assert_eq!(spec.initial_rate(rate(7000.0), 250, two_ms), rate(7000.0));
        assert_eq!(spec.initial_rate(CellRate::MAX, 250, Picos::ZERO), spec.pcr);
        assert_eq!(spec.initial_rate(spec.pcr, 1, two_ms), rate(1000.0));
    }

    /// Claim: every parameter out of its range is reported with its value.
    #[test]
    fn every_mistake_is_reported() {
        let wrong = AbrSpec {
            pcr: CellRate::ZERO,
            nrm: 33,
            mrm: 0,
            trm: Picos(99),
            rif: 1.5,
            rdf: 0.0,
            cdf: 1.0 / 128.0,
            crm: (1 << 23) + 1,
            adtf: Picos(10_240_000_000_000),
            ..spec()
        };
        let messages: Vec<String> = wrong.mistakes().iter().map(ToString::to_string).collect();
        let parts = [
            "PCR is zero",
            "MCR 0 cells/s, ICR 353207.5 cells/s, PCR 0 cells/s",
            "Nrm is 33",
            "Mrm is 0",
            "Trm is 99",
            "CRM is 8388609",
            "ADTF is 10240000000000",
            "RIF is 1.5",
            "RDF is 0",
            "CDF is 0.0078125",
        ];
        assert_eq!(messages.len(), parts.len(), "{messages:?}");
        for (message, part) in messages.iter().zip(parts) {
            assert!(message.contains(part), "{message} instead of {part}");
        }
    }
}
