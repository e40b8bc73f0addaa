//! Packets: the law of their sizes, and rates in packets per second.

use hopflow_network::SizeLaw;
use hopflow_units::{Picos, Rate};

use crate::Code;
use crate::decimal::Rounding;
use crate::described::{ReadIn as _, Reads as _};
use crate::diagnostic::Sink;
use crate::keys::traffic::{LARGEST, MOST_SIZES, PACKET_KEY, PacketSize, SIZES, SMALLEST, WEIGHTS};
use crate::quantity::Sort;
use crate::section::Section;
use crate::value::{Item, LONGEST};

/// The packets of a flow, cells where nothing is said. A law with one size only is that size.
pub(crate) fn read(flow: &Section<'_>, sink: &mut Sink) -> Option<SizeLaw> {
    let law = law(flow, sink)?;
    Some(law.fixed().map_or(law, SizeLaw::Fixed))
}

fn law(flow: &Section<'_>, sink: &mut Sink) -> Option<SizeLaw> {
    let Some(item) = flow.get(&PACKET_KEY) else { return Some(SizeLaw::CELL) };
    let Some(table) = Section::of_item(&item, &PACKET_KEY) else {
        return PacketSize::read(&item, &(), sink).map(SizeLaw::Fixed);
    };
    let range = [SMALLEST, LARGEST].map(|key| key.item(&table));
    match (range, SIZES.item(&table)) {
        ([None, None], Some(sizes)) => mix(&table, &sizes, sink),
        ([None, None], None) => {
            let message = "this packet has neither `least` and `most` nor `sizes`";
            let hint = "write `packet = \"250 B\"` where all are alike";
            sink.error(Code::MISSING_KEY, &table.span, message).hint(hint);
            None
        }
        (_, Some(sizes)) => {
            let message = "`sizes` and `least`, `most` exclude each other";
            sink.error(Code::CONFLICT, &sizes.span, message).hint("keep one of them");
            None
        }
        (_, None) => uniform(&table, sink),
    }
}

fn uniform(table: &Section<'_>, sink: &mut Sink) -> Option<SizeLaw> {
    let (least, most) = (SMALLEST.read(table, &(), sink), LARGEST.read(table, &(), sink));
    let (least, most) = (least?, most?);
    if most < least {
        let range = format!("`least`, {} B, or more", least.0);
        LARGEST.item(table)?.out_of_range(sink, &format!("{} B", most.0), &range);
        return None;
    }
    Some(SizeLaw::Uniform { least, most })
}

fn mix(table: &Section<'_>, item: &Item<'_>, sink: &mut Sink) -> Option<SizeLaw> {
    let sizes = SIZES.read(table, &(), sink)?;
    let count = sizes.len();
    if count == 0 || count > MOST_SIZES {
        let message = format!("`sizes` has {count} entries, but takes 1 to {MOST_SIZES}");
        sink.error(Code::OUT_OF_RANGE, &item.span, message);
        return None;
    }
    let weights = WEIGHTS.read(table, &(), sink)?.unwrap_or_else(|| vec![1; count]);
    if weights.len() != count {
        let found = weights.len();
        let message = format!(
            "`weights` has {found} entries, but needs {count}, one for each \
                               size"
        );
        sink.error(Code::WRONG_TYPE, &WEIGHTS.place(table), message);
        return None;
    }
    Some(SizeLaw::Mix(sizes.into_iter().zip(weights).collect()))
}

/// The mean gap between packets of these sizes at a rate, rounded up.
pub(crate) fn mean_gap(size: &SizeLaw, rate: Rate) -> Option<Picos> {
    let (bits, count) = match size {
        SizeLaw::Fixed(size) => (u128::from(size.bits()), 1),
        SizeLaw::Uniform { least, most } => (u128::from(least.bits() + most.bits()), 2),
        SizeLaw::Mix(sizes) => {
            let bits =
                sizes.iter().map(|(size, weight)| u128::from(size.bits()) * u128::from(*weight));
            (bits.sum(), sizes.iter().map(|(_, weight)| u128::from(*weight)).sum())
        }
    };
    let gap = (bits * u128::from(Picos::PER_SECOND)).div_ceil(count * u128::from(rate.bps()));
    u64::try_from(gap).ok().map(Picos).filter(|gap| *gap <= LONGEST)
}

impl Item<'_> {
    /// A rate in bits per second, or packets of this size per second; with `link`, also a share
    /// of it.
    pub(crate) fn pace(&self, size: &SizeLaw, link: Option<Rate>, sink: &mut Sink) -> Option<Rate> {
        let sorts: &'static [Sort] = match link {
            Some(_) => Sort::SOURCE_RATE,
            None => Sort::PACE,
        };
        let quantity = self.quantity(sorts, sink)?;
        let bps = match (quantity.sort, size.fixed(), link) {
            (Sort::Pace, Some(bytes), _) => quantity.value.scaled(bytes.bits(), Rounding::Down),
            (Sort::Pace, None, _) => {
                let message = format!(
                    "`{}` is in packets per second, but packets differ in size: {} B to {} B",
                    self.key,
                    size.least().0,
                    size.most().0
                );
                let hint = "give the rate in bits per second, or let all packets be of one size";
                sink.error(Code::PACKETS_DIFFER, &self.span, message).hint(hint);
                return None;
            }
            (Sort::Share, _, Some(link)) => quantity.share_of(link.bps(), Rounding::Down),
            _ => quantity.amount(Rounding::Down),
        };
        self.fitting_rate(bps, sink)
    }

    /// The mean gap between packets of a source whose rate this is.
    pub(crate) fn gap(&self, size: &SizeLaw, link: Rate, sink: &mut Sink) -> Option<Picos> {
        let quantity = self.quantity(Sort::SOURCE_RATE, sink)?;
        let gap = match quantity.sort {
            Sort::Pace => {
                let whole = quantity.value.scaled(1, Rounding::Down);
                let bearable = whole.is_some_and(|pace| pace <= Picos::PER_SECOND);
                quantity.value.divides(Picos::PER_SECOND).map(Picos).filter(|_| bearable)
            }
            _ => mean_gap(size, self.pace(size, Some(link), sink)?),
        };
        let fitting = gap.filter(|gap| *gap <= LONGEST && *gap > Picos::ZERO);
        if fitting.is_none() {
            let range = "above zero, with gaps of 1 ps to 100 days between packets";
            self.out_of_range(sink, self.value.as_str().unwrap_or_default(), range);
        }
        fitting
    }
}

#[cfg(test)]
mod tests {
    use hopflow_units::Bytes;

    use super::*;

    /// Claim: the mean gap is mean size / rate, exactly, rounded up: 250 B at 20 kb/s is 0.1 s; 40
    /// to 1,500 B at 1 Mb/s is 770 B, 6.16 ms; 7 x 40 + 4 x 576 + 1,500 B over 12 is 340 1/3 B,
    /// 2,722 2/3 bits.
    #[test]
    fn mean_gaps_are_exact() {
        let gap = |size, bps| mean_gap(&size, Rate::from_bps(bps).unwrap()).map(|gap| gap.0);
        assert_eq!(gap(SizeLaw::Fixed(Bytes(250)), 20_000), Some(100_000_000_000));
        let range = SizeLaw::Uniform { least: Bytes(40), most: Bytes(1_500) };
        assert_eq!(gap(range, 1_000_000), Some(6_160_000_000));
        let mix = SizeLaw::Mix(vec![(Bytes(40), 7), (Bytes(576), 4), (Bytes(1_500), 1)]);
        assert_eq!(gap(mix, 1_000_000), Some(2_722_666_667));
        assert_eq!(gap(SizeLaw::Fixed(SizeLaw::LARGEST), 1), Some(8_388_608_000_000_000_000));
    }
}
