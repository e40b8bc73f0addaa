//! Single values of rate control: rates of cells, fractions, thresholds of queues.

use hopflow_units::{Bytes, CellRate, Rate};

use super::Item;
use super::quantity::FASTEST_BPS;
use crate::Code;
use crate::decimal::{Decimal, Rounding};
use crate::diagnostic::Sink;
use crate::naming::short;
use crate::quantity::Sort;

impl Item<'_> {
    /// A rate of cells, where a link is named perhaps as a share of its rate. May be zero.
    pub(crate) fn cell_rate(&self, link: Option<Rate>, sink: &mut Sink) -> Option<CellRate> {
        let sorts = if link.is_some() { Sort::CELL_RATE_OR_SHARE } else { Sort::CELL_RATE };
        let quantity = self.quantity(sorts, sink)?;
        let bps = match (quantity.sort, link) {
            (Sort::Share, Some(link)) => quantity.share_of(link.bps(), Rounding::Down),
            _ => quantity.amount(Rounding::Down),
        };
        let of_bits = |bps| Rate::from_bps(bps).map_or(CellRate::ZERO, CellRate::from_rate);
        let rate = match quantity.sort {
            Sort::CellPace => CellRate::new(quantity.value.as_f64()),
            _ => bps.map(of_bits),
        };
        let rate = rate.filter(|rate| *rate <= of_bits(FASTEST_BPS));
        self.within(rate, format_args!("from 0 b/s to 100 Tb/s"), sink)
    }

    /// A part: a number, or a text such as `1/16`.
    pub(crate) fn fraction(&self, sink: &mut Sink) -> Option<f64> {
        let Some(text) = self.value.as_str() else { return self.number(0.0, sink) };
        let of = text.split_once('/').and_then(|(part, whole)| {
            let [part, whole] =
                [part, whole].map(|n| Decimal::parse(n.trim()).map(Decimal::as_f64));
            Some(part? / whole?)
        });
        let Some(fraction) = of else {
            let message =
                format!("`{}` is `{}`, neither a number nor a fraction", self.key, short(text));
            let hint = "write `0.0625` without quotes, or `\"1/16\"`";
            sink.error(Code::NOT_A_NUMBER, &self.span, message).hint(hint);
            return None;
        };
        let fraction = Some(fraction).filter(|fraction| (0.0..=1e12).contains(fraction));
        self.within(fraction, format_args!("from 0 to 1e12"), sink)
    }

    /// A length of a queue, in cells: cells, or whole cells of bytes. May be zero.
    pub(crate) fn queue(&self, sink: &mut Sink) -> Option<u64> {
        let quantity = self.quantity(Sort::QUEUE, sink)?;
        let cells = match quantity.sort {
            Sort::Cells => quantity.value.whole(),
            _ => quantity.amount(Rounding::Down).map(|bytes| bytes / Bytes::CELL.0),
        };
        let cells = cells.filter(|cells| u32::try_from(*cells).is_ok());
        self.within(cells, format_args!("0 to 4294967295 whole cells"), sink)
    }
}
