//! Size: what is known of the queue before a virtual source when its switch is connected.
//!
//! ```text
//! queue = sum over the links before the port of ceil((F + 2 I) x B / 424 bits)              (1)
//! ```
//! | symbol | meaning                                                                | unit |
//! |--------|------------------------------------------------------------------------|------|
//! | F      | longest loop of a VC of that link that ends at the port                | s    |
//! | I      | averaging interval of the rule of the port                             | s    |
//! | B      | rate of the link before                                                | b/s  |
//!
//! *Why.* A port sees a load at the end of an averaging interval, and the interval may have begun
//! before the load, so that the second shows all of it; what the link before carries in a loop
//! still arrives. So (1) depends on no source and no other loop. Source: [Cai97] 4, whose bound is
//! F x B, without the intervals; its own tables exceed that. Differs: not a proof. The port may
//! lower its rate again in each loop, and TCP may send more in each round.
//! Not modelled: rules without an interval; ports where no loop ends. Checked by the claims
//! `cai97.loop.*`: in no run of the tables a queue is above (1).

use std::collections::BTreeMap;

use hopflow_network::{DirectionId, NetworkSpec, Segment};
use hopflow_units::Picos;

use super::{SizeError, cells_in};

/// The links before a port, each with the longest loop of a VC that comes over it.
pub(super) type Before = BTreeMap<DirectionId, Picos>;

/// What is known of the queue before a virtual source, all its VCs together. It is no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopQueue {
    /// Cells. Eq. (1).
    pub cells: u64,
    /// The paper's bound: previous loop x link, in cells.
    pub product: u64,
    /// The formula, and the numbers put in.
    pub formula: String,
}

/// Eq. (1) for a port; `None` where no loop ends, or where the rule has no averaging interval.
pub(super) fn loop_queue(
    network: &NetworkSpec,
    id: DirectionId,
    before: &Before,
) -> Result<Option<LoopQueue>, SizeError> {
    let control = network.direction(id).rate_control;
    let Some(control) = control.filter(|one| matches!(one.segment, Segment::Virtual(_))) else {
        return Ok(None);
    };
    let Some(interval) = control.rule.and_then(|rule| rule.effect().interval) else {
        return Ok(None);
    };
    let (mut cells, mut product, mut longest) = (0, 0, Picos::ZERO);
    for (link, round_trip) in before {
        let wire = network.direction(*link).wire();
        let span = interval.checked_add(interval).and_then(|two| round_trip.checked_add(two));
        let too_large = SizeError::LaneTooLarge { delays: Picos::MAX, rate: wire.rate };
        let span = span.ok_or(too_large)?;
        cells += u64::from(cells_in(span, wire.rate, wire)?.0);
        product += u64::from(cells_in(*round_trip, wire.rate, wire)?.0);
        longest = longest.max(*round_trip);
    }
    let links = if before.len() == 1 { "the link" } else { "each link" };
    let formula = format!(
        "queue = (previous loop + 2 averaging intervals) x {links} before = ({longest} + 2 x \
         {interval}) x link = {cells} cells; without the intervals, as in [Cai97]: {product}"
    );
    Ok(Some(LoopQueue { cells, product, formula }))
}
