//! Settle: the instant at which the rates of all VCs have settled.
//!
//! ```text
//! final(v)   =  mean rate of v over the last quarter of the run                          (1)
//! rate(v, t) =  mean rate of v over [t, t + 1/20 of the run)                             (2)
//! level(v,t) =  |rate(v, t) - final(v)| <= 10 % of final(v) + one packet                 (3)
//! settled    =  the first t from which (3) holds for every v up to the end               (4)
//! ```
//! t is the start of a part of a curve, each 1/200 of the run. The packet in (3) is the variation
//! of a span that depends on its start alone. Spans that are truncated by the end do not count.
//! Rates that settle only within the last quarter, which defines their final level, have not
//! settled; nor has a VC that alternates, by its source or by its control.
//!
//! Not modelled: VCs that stop before the end are left out.

use hopflow_units::{Bytes, SimTime};

use super::Curve;

/// The greatest difference of a rate from its final level, as a share of it. (3)
pub const SETTLED_WITHIN: f64 = 0.1;

/// Parts of a curve in a span over which a rate is computed. (2)
const SPAN: usize = 10;

/// The instant at which all of these rates, in bits per second, each with the largest packet of its
/// VC, have settled. `None`: they have not, or there are none.
pub fn settled_at(rates: &[(&Curve, Bytes)]) -> Option<SimTime> {
    let times = rates.iter().map(|(rate, packet)| settled(rate, *packet));
    times.collect::<Option<Vec<SimTime>>>()?.into_iter().max()
}

fn settled(rate: &Curve, packet: Bytes) -> Option<SimTime> {
    let parts = usize::try_from(rate.end.0 / rate.part.0).ok()?;
    let values = rate.values.get(..parts)?;
    let last = parts - parts / 4;
    let tail = values.get(last..).filter(|tail| tail.len() >= SPAN)?;
    let level = tail.iter().sum::<f64>() / tail.len() as f64;
    let span = SPAN as f64 * rate.part.as_secs_f64();
    let room = SETTLED_WITHIN * level + packet.bits() as f64 / span;
    let is_off = |span: &[f64]| (span.iter().sum::<f64>() / SPAN as f64 - level).abs() > room;
    let since = values.windows(SPAN).rposition(is_off).map_or(0, |off| off + 1);
    (since <= last).then_some(SimTime(since as u64 * rate.part.0))
}

#[cfg(test)]
mod tests {
    use hopflow_units::Picos;

    use super::*;

    /// Parts of 1 ms with these rates in cells per part.
    fn rate(cells: &[u64]) -> Curve {
        Curve {
            name: String::new(),
            part: Picos(1_000_000_000),
            end: SimTime(cells.len() as u64 * 1_000_000_000),
            values: cells.iter().map(|cells| (cells * 424) as f64 * 1e3).collect(),
        }
    }

    fn ms(cells: &[&[u64]]) -> Option<u64> {
        let rates: Vec<Curve> = cells.iter().map(|cells| rate(cells)).collect();
        let rates: Vec<(&Curve, Bytes)> = rates.iter().map(|rate| (rate, Bytes::CELL)).collect();
        settled_at(&rates).map(|at| at.0 / 1_000_000_000)
    }

    /// Each of these rates for ten parts.
    fn tens(cells: &[u64]) -> Vec<u64> {
        cells.iter().flat_map(|cells| [*cells; 10]).collect()
    }

    /// Claim: with 100 cells per part, so 1000 per span, 899 cells, less by 10 % and one cell, are
    /// level, 898 are not. Two parts with 102 cells less together are in spans up to the one that
    /// begins with the first of them. The last VC to settle counts.
    #[test]
    fn rates_settle_where_they_stay() {
        let mut uneven = [100; 80];
        (uneven[30], uneven[31]) = (50, 49);
        assert_eq!(ms(&[&uneven]), Some(0));
        uneven[30] = 49;
        assert_eq!(ms(&[&uneven]), Some(31));
        // A span with one silent part of ten is level, one with two is not.
        let late = tens(&[0, 0, 0, 0, 100, 100, 100, 100]);
        assert_eq!(ms(&[&late]), Some(39));
        assert_eq!(ms(&[&uneven, &late, &[9; 80]]), Some(39));
        assert_eq!(ms(&[&[0; 80]]), Some(0), "nothing at all is level");
    }

    /// Claim: a rate that settles only within the last quarter, or alternates slowly, has not
    /// settled; one that alternates within a span has. Without rates, or with too few parts, there
    /// is no such instant.
    #[test]
    fn rates_that_do_not_stay_have_not_settled() {
        assert_eq!(ms(&[&tens(&[0, 0, 0, 0, 0, 0, 100, 100])]), Some(59));
        assert_eq!(ms(&[&tens(&[0, 0, 0, 0, 0, 0, 50, 150])]), None);
        assert_eq!(ms(&[&tens(&[200, 0, 200, 0, 200, 0, 200, 0])]), None);
        assert_eq!(ms(&[&[50, 150].repeat(40)]), Some(0));
        assert_eq!((ms(&[&[100; 3]]), ms(&[])), (None, None));
    }
}
