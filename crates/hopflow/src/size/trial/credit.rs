//! Trial of N23: one link, and a VC of cells with credit.
//!
//! ```text
//! delays = R - 2 x T(cell)        so that the loop of the run is the R of the law         (1)
//! ```

use hopflow_units::{Bytes, Cells, Picos, Rate};

use super::super::Size;
use super::{TrialError, both_ways, one_link};

/// A VC on a link.
#[derive(Clone, Debug)]
pub(super) struct CreditTrial {
    rate: Rate,
    round_trip: Picos,
    n2: Cells,
}

impl CreditTrial {
    pub(super) const fn new(rate: Rate, size: &Size) -> CreditTrial {
        CreditTrial { rate, round_trip: size.round_trip, n2: size.n2 }
    }

    pub(super) fn text(&self, span: Picos, n3: u64) -> Result<String, TrialError> {
        let CreditTrial { rate, round_trip, n2 } = self;
        let cells = rate.transmit_time(Bytes::CELL).and_then(|cell| cell.checked_mul(2));
        let cells = cells.unwrap_or(Picos::MAX);
        let delays = round_trip.0.checked_sub(cells.0).map(Picos).ok_or_else(|| {
            TrialError::TooShort(format!(
                "R of {round_trip} is shorter than the {cells} of a cell and its credit at {rate}: \
                 no run has this loop; give a longer --delay or --processing"
            ))
        })?;
        let link = format!("rate = \"{} b/s\"\n{}", rate.bps(), both_ways(delays));
        let flow = format!("control = {{ kind = \"n23\", n2 = {}, n3 = {n3} }}", n2.0);
        Ok(one_link(span, &link, &flow))
    }
}
