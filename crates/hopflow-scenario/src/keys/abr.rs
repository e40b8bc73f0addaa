//! The keys of `control = { kind = "abr" }`: an ABR source, as [TM4.0] has it.

use hopflow_control::rate::TBE_MAX;

use super::{Key, SPAN, Ty, key};

const ABR: &[&str] = &["abr"];
/// A factor of ABR: halves of halves of one.
const FACTOR: Ty = Ty::Fraction;

pub(super) const PCR: Key = key(
    "pcr",
    Ty::CellRate { share: true },
    "PCR: the peak, above zero and no more than the first link, of which a share is one.",
)
.of(ABR)
.default("the rate of the first link");
pub(super) const MCR: Key =
    key("mcr", Ty::CellRate { share: true }, "MCR: what it may always send; at most PCR.")
        .of(ABR)
        .default("0");
pub(super) const ICR: Key = key(
    "icr",
    Ty::CellRate { share: true },
    "ICR: its rate at first and after an idle time, from MCR to PCR; TBE / FRTT bounds it further.",
)
.of(ABR)
.default("PCR ([TM4.0], recalled)");
pub(super) const TBE: Key = key(
    "tbe",
    Ty::Size,
    "TBE: cells it may send before the first RM cell is back; at most 16777215.",
)
.of(ABR)
.default("16777215 cells, no bound ([TM4.0], recalled)");
pub(super) const FRTT: Key =
    key("frtt", SPAN, "FRTT: the loop without queues; cells are those of the first link.")
        .of(ABR)
        .default("that of its path: both latencies of every link");
pub(super) const NRM: Key =
    key("nrm", Ty::Count(2, 256), "Nrm: of so many cells one is an RM cell; a power of two.")
        .of(ABR)
        .default("32 ([ILMI4.0])");
pub(super) const MRM: Key =
    key("mrm", Ty::Count(1, 256), "Mrm: cells between RM cells, at least, when Trm calls for one.")
        .of(ABR)
        .default("2 ([TM4.0], recalled)");
pub(super) const TRM: Key = key(
    "trm",
    Ty::Time { zero: false },
    "Trm: after so long an RM cell goes: 100 ms, or that halved up to 7 times.",
)
.of(ABR)
.default("100 ms ([ILMI4.0])");
pub(super) const RIF: Key = key(
    "rif",
    FACTOR,
    "RIF: each backward RM cell raises the rate by this part of PCR: a power of two from 1/32768 \
     to 1.",
)
.of(ABR)
.default("1/16 ([ILMI4.0])");
pub(super) const RDF: Key = key(
    "rdf",
    FACTOR,
    "RDF: each with CI lowers it by this part of itself: a power of two from 1/32768 to 1.",
)
.of(ABR)
.default("1/16 ([ILMI4.0])");
pub(super) const CDF: Key = key(
    "cdf",
    FACTOR,
    "CDF: each RM cell past CRM lowers it by this part: 0, or a power of two from 1/64 to 1.",
)
.of(ABR)
.default("1/16 ([ILMI4.0])");
pub(super) const CRM: Key = key(
    "crm",
    Ty::Count(0, 1 << 23),
    "CRM: RM cells that may go out before one is back without the rate falling.",
)
.of(ABR)
.default("TBE / Nrm, rounded up ([TM4.0], recalled)");
pub(super) const ADTF: Key = key(
    "adtf",
    Ty::Time { zero: false },
    "ADTF: after so long without an RM cell a rate above ICR falls to it: 10 ms to 10.23 s in \
     steps of 10 ms.",
)
.of(ABR)
.default("500 ms ([ILMI4.0])");
pub(super) const TCR: Key =
    key("tcr", Ty::CellRate { share: true }, "TCR: the most RM cells out of rate; 0: none.")
        .of(ABR)
        .default("10 cells/s ([TM4.0], recalled)");
pub(super) const SIXTEEN_BIT: Key = key(
    "sixteen-bit",
    Ty::Flag,
    "Rates in RM cells are told in the 16 bits of [TM4.0], rounded down.",
)
.of(ABR)
.default("false: exactly");

/// The most that TBE may be.
pub(crate) const MOST_TBE: u64 = TBE_MAX as u64;
