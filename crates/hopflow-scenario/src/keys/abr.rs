//! The keys of `control = { kind = "abr" }`: an ABR source, as [TM4.0] has it.

use hopflow_control::rate::{AbrSpec, TBE_MAX};
use hopflow_units::{CellRate, Picos};

use super::Ty;
use crate::described::{
    Count, Flag, Fraction, Maybe, OnLink, Span, Time, Whole, group, keys, taken,
};

const ABR: &[&str] = &["abr"];

taken! { in OnLink:
    /// A rate of cells, or a share of the link.
    LinkPace is CellRate, Ty::CELL_RATE_OR_SHARE,
        |item, link, sink| item.cell_rate(Some(link.rate), sink);

    /// Cells of a burst, no more than TBE may be.
    Exposure is u32, Ty::SIZE, |item, _, sink| {
        let cells = item.size(sink)?.0;
        if cells > TBE_MAX {
            item.out_of_range(sink, &format!("{cells} cells"), &format!("at most {TBE_MAX} cells"));
            return None;
        }
        Some(cells)
    };
}

/// The defaults that depend on no other key.
fn preset() -> AbrSpec {
    AbrSpec::new(CellRate::ZERO)
}

keys! { pub(crate) ABR_KEYS:
    of ABR => {
        PCR: Maybe<LinkPace> = "pcr",
            "PCR: the peak rate, above zero and at most the rate of the first link, to which \
             shares refer.",
            words("the rate of the first link");
        MCR: LinkPace = "mcr", "MCR: the rate at which it may always send; at most PCR.",
            default(|_| preset().mcr, "0");
        ICR: Maybe<LinkPace> = "icr",
            "ICR: its rate at the start and after an idle time, from MCR to PCR; TBE / FRTT bounds \
             it further.",
            words("PCR ([TM4.0], recalled)");
        TBE: Exposure = "tbe",
            "TBE: cells it may send before the first RM cell returns; at most 16777215.",
            default(|_| TBE_MAX, "16777215 cells, no bound ([TM4.0], recalled)");
        FRTT: Maybe<Span> = "frtt",
            "FRTT: the loop without queues; cells are those of the first link.",
            words("that of its path: both latencies of every link");
        NRM: Whole<2, 256> = "nrm", "Nrm: one cell in Nrm is an RM cell; a power of two.",
            default(|_| preset().nrm, "32 ([ILMI4.0])");
        MRM: Whole<1, 256> = "mrm",
            "Mrm: the least number of cells between RM cells when Trm calls for one.",
            default(|_| preset().mrm, "2 ([TM4.0], recalled)");
        TRM: Time = "trm",
            "Trm: an RM cell is sent after this time: 100 ms, or that halved up to 7 times.",
            default(|_| preset().trm, "100 ms ([ILMI4.0])");
        RIF: Fraction = "rif",
            "RIF: each backward RM cell raises the rate by this part of PCR: a power of two from \
             1/32768 to 1.",
            default(|_| preset().rif, "1/16 ([ILMI4.0])");
        RDF: Fraction = "rdf",
            "RDF: each backward RM cell with CI lowers the rate by this part of itself: a power of \
             two from 1/32768 to 1.",
            default(|_| preset().rdf, "1/16 ([ILMI4.0])");
        CDF: Fraction = "cdf",
            "CDF: each RM cell beyond CRM lowers the rate by this part: 0, or a power of two from \
             1/64 to 1.",
            default(|_| preset().cdf, "1/16 ([ILMI4.0])");
        CRM: Maybe<Count<0, { 1 << 23 }>> = "crm",
            "CRM: RM cells that may be sent, before one returns, without the rate falling.",
            words("TBE / Nrm, rounded up ([TM4.0], recalled)");
        ADTF: Time = "adtf",
            "ADTF: after this time without an RM cell a rate above ICR falls to ICR: 10 ms to \
             10.23 s in steps of 10 ms.",
            default(|_| preset().adtf, "500 ms ([ILMI4.0])");
        TCR: LinkPace = "tcr", "TCR: the highest rate of out-of-rate RM cells; 0: none.",
            default(|_| preset().tcr, "10 cells/s ([TM4.0], recalled)");
        SIXTEEN_BIT: Flag = "sixteen-bit",
            "RM cells carry rates in the 16-bit format of [TM4.0], rounded down.",
            default(|_| preset().sixteen_bit, "false: exactly");
    }
}

group! {
    /// The parameters with ICR as it was signalled, TBE, and FRTT where it is given.
    Abr, OnLink: |_, link, _| {
        let pcr = pcr.unwrap_or(CellRate::from_rate(link.rate));
        let (icr, crm) = (icr.unwrap_or(pcr), crm.unwrap_or(AbrSpec::missing_limit(tbe, nrm)));
        let spec =
            AbrSpec { pcr, mcr, icr, nrm, mrm, trm, rif, rdf, cdf, crm, adtf, tcr, sixteen_bit };
        Some((spec, tbe, frtt))
    } of {
        pcr: PCR,
        icr: ICR,
        mcr: MCR,
        tcr: TCR,
        nrm: NRM,
        mrm: MRM,
        trm: TRM,
        adtf: ADTF,
        sixteen_bit: SIXTEEN_BIT,
        rif: RIF,
        rdf: RDF,
        cdf: CDF,
        tbe: TBE,
        frtt: FRTT,
        crm: CRM,
    } -> (AbrSpec, u32, Option<Picos>)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_units::{Bytes, Rate};

    use crate::described::Reads;
    use crate::keys::control::CONTROL;
    use crate::section::Section;

    /// Claim: the words of a default tell its value, unless that is nothing. Those of `mcr` (no
    /// unit) and `sixteen-bit` are no values as a file writes them.
    #[test]
    fn defaults_in_words_are_the_values() {
        let link =
            OnLink { rate: Rate::from_bps(1).expect("a rate"), cell: Picos(1), unit: Bytes::CELL };
        let mut defaults = Abr.defaults("abr", &Section::empty(0..0, &CONTROL), &link);
        defaults.retain(|known| !["mcr", "sixteen-bit"].contains(&known.key));
        assert_eq!(defaults.len(), 13);
        defaults.iter().for_each(crate::described::known::Known::assert_words_match);
    }
}
