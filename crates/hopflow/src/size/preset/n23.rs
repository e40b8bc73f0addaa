//! N23: the buffer of a VC on an ATM link, as in Figure 6 of [KMCL94].
//!
//! The law is (1), (2) and (5) of `size.rs`, without cell times in R; 5 us of processing and N2 =
//! 10, as in the figure, unless others are given. Checked by: `preset/tests.rs`.

use hopflow_control::credit::{CreditScheme, USUAL_N2};
use hopflow_units::{Bytes, Picos, Wire};

use super::super::{CellTimes, Link, Size, SizeError, Trial, delay_of_length, size as size_vc};
use super::{PresetError, PresetLink, PresetNeed, PresetSize, PublicRow, Speed};

/// Speeds of SONET.
pub(super) const SPEEDS: [Speed; 2] = [
    Speed { name: "OC-3", rate_bps: 155_520_000, line: "the line, overhead included" },
    Speed { name: "OC-12", rate_bps: 622_080_000, line: "the line, overhead included" },
];

/// Processing at both ends together.
const PROCESSING: Picos = Picos(5_000_000);

/// N3 as printed for the rate of the link, by kilometres.
const PRINTED: [(u64, u64); 4] = [(1, 23), (10, 155), (100, 1_475), (1_000, 14_679)];

/// What a VC of the whole link needs.
pub(super) fn size(speed: Speed, link: &PresetLink<'_>) -> Result<PresetSize, PresetError> {
    let of_link = |delay, processing| vc(speed, delay, processing);
    let needed = of_link(link.delay, link.processing.unwrap_or(PROCESSING))?;
    let printed = |(km, value): (u64, u64)| -> Result<PublicRow, SizeError> {
        let delay = delay_of_length(km * 1_000).unwrap_or(Picos::MAX);
        let ours = u64::from(of_link(delay, PROCESSING)?.n3.0);
        let why = "in print it is rounded down: R x B_VC is 14679.03 cells (docs/models/size.md)";
        let terms = format!("{km} km, 5 us of processing: N3");
        Ok(PublicRow::new("[KMCL94] Figure 6", terms, [value, ours], "cells", why))
    };
    let rows = PRINTED.into_iter().filter(|_| speed.name == "OC-12").map(printed);
    let public = rows.collect::<Result<Vec<_>, SizeError>>()?;
    let rate = speed.rate();
    Ok(PresetSize {
        speed,
        unit: "cells",
        amount: u64::from(needed.n3.0),
        trial: Trial::of_credit(Wire { rate, overhead: Bytes(0) }, Bytes::CELL, &needed),
        need: PresetNeed::Vc(needed),
        public,
        notes: vec![format!(
            "N2 = {}. The amount is N3; the buffer has N2 cells more.",
            USUAL_N2.0
        )],
    })
}

fn vc(speed: Speed, delay: Picos, processing: Picos) -> Result<Size, SizeError> {
    let rate = speed.rate();
    let link = Link { delay, rate, processing, cell_times: CellTimes::Left };
    size_vc(CreditScheme::N23, &link, rate, USUAL_N2)
}
