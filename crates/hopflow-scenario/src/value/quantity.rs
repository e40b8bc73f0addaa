//! Values with a unit: spans, sizes, rates, lengths of queues.

use hopflow_control::marking::Length;
use hopflow_network::Limit;
use hopflow_units::{Bytes, Cells, Picos, Rate};
use toml::de::DeValue;

use super::Item;
use crate::Code;
use crate::decimal::Rounding;
use crate::diagnostic::Sink;
use crate::quantity::{self, Quantity, QuantityError, Sort};

/// The longest span a scenario may hold: 100 days. Sums of two stay within [`Picos`].
pub(crate) const LONGEST: Picos = Picos(100 * 86_400 * Picos::PER_SECOND);
/// The fastest link: 100 Tb/s, 4.24 ps per cell.
pub(crate) const FASTEST_BPS: u64 = 100 * 1_000_000_000_000;
/// No cell of any link takes less, ...
const SHORTEST_CELL: Picos = Picos(1);
/// ... nor more: 424 bits at 1 b/s.
const LONGEST_CELL: Picos = Picos(424 * Picos::PER_SECOND);

/// The largest limit in bytes: 1 PB.
const MOST_LIMIT: u64 = 1_000_000_000_000_000;

impl Item<'_> {
    /// A number with a unit of one of these sorts.
    pub(crate) fn quantity(&self, sorts: &'static [Sort], sink: &mut Sink) -> Option<Quantity> {
        let example = Sort::example(sorts);
        let DeValue::String(text) = self.value else {
            if matches!(self.value, DeValue::Integer(_) | DeValue::Float(_)) {
                let number = self.written();
                let message = format!("`{}` is {number} without a unit", self.key);
                let hint = Sort::with_unit(&number, sorts);
                sink.error(Code::NO_UNIT, &self.span, message).hint(hint);
            } else {
                self.wrong_type(sink, &format!("a number with a unit, such as {example}"));
            }
            return None;
        };
        match Quantity::parse(text) {
            Ok(quantity) if sorts.contains(&quantity.sort) => {
                return self.not_negative(quantity, sink);
            }
            Ok(_) => {
                let message = format!("`{}` cannot be measured in the unit of `{text}`", self.key);
                let hint = quantity::hint(text, sorts, '"');
                let hint = hint.unwrap_or_else(|| {
                    format!("the units are {}: write {example}", Sort::units(sorts))
                });
                sink.error(Code::WRONG_UNIT, &self.span, message).hint(hint);
            }
            Err(QuantityError::NoUnit) => {
                let message = format!("`{}` is `{text}`, without a unit", self.key);
                let hint = Sort::with_unit(text.trim(), sorts);
                sink.error(Code::NO_UNIT, &self.span, message).hint(hint);
            }
            Err(QuantityError::UnknownUnit(unit)) => {
                let message = format!("`{}` has the unit `{unit}`, which is not known", self.key);
                let hint = quantity::hint(text, sorts, '"');
                let hint = hint.unwrap_or_else(|| {
                    format!("the units are {}: write {example}", Sort::units(sorts))
                });
                sink.error(Code::WRONG_UNIT, &self.span, message).hint(hint);
            }
            Err(QuantityError::NotANumber) => {
                let message =
                    format!("`{}` is `{text}`, which does not start with a number", self.key);
                sink.error(Code::NOT_A_NUMBER, &self.span, message)
                    .hint(format!("write {example}"));
            }
        }
        None
    }

    fn not_negative(&self, quantity: Quantity, sink: &mut Sink) -> Option<Quantity> {
        let quantity = Some(quantity).filter(|quantity| !quantity.value.is_negative());
        self.within(quantity, format_args!("zero or more"), sink)
    }

    /// A time, or cells of `cell_time` each, rounded up once.
    pub(crate) fn span(&self, cell_time: Picos, zero: bool, sink: &mut Sink) -> Option<Picos> {
        let quantity = self.quantity(Sort::SPAN, sink)?;
        self.fitting_span(quantity, cell_time, zero, sink)
    }

    /// As [`Item::span`], or a length.
    pub(crate) fn delay(&self, cell_time: Picos, sink: &mut Sink) -> Option<Picos> {
        let quantity = self.quantity(Sort::DELAY, sink)?;
        self.fitting_span(quantity, cell_time, true, sink)
    }

    pub(crate) fn fitting_span(
        &self,
        quantity: Quantity,
        cell_time: Picos,
        zero: bool,
        sink: &mut Sink,
    ) -> Option<Picos> {
        let span = quantity.span(cell_time).filter(|span| *span <= LONGEST);
        if quantity.is_below_one(cell_time) {
            self.out_of_range(sink, &self.written(), "0 or at least 1 ps");
            return None;
        }
        let least = if zero { "" } else { "more than zero and " };
        let span = span.filter(|span| zero || *span > Picos::ZERO);
        self.within(span, format_args!("{least}at most 100 days"), sink)
    }

    /// Whether a value has the form of a span where the time of a cell is not yet known: cells
    /// are refused only if they would be refused whatever a cell takes.
    pub(crate) fn is_span(&self, sorts: &'static [Sort], zero: bool, sink: &mut Sink) -> bool {
        let Some(quantity) = self.quantity(sorts, sink) else { return false };
        let part = quantity.is_below_one(SHORTEST_CELL);
        let cell_time = if part { LONGEST_CELL } else { SHORTEST_CELL };
        self.fitting_span(quantity, cell_time, zero, sink).is_some()
    }

    /// A time, not in cells.
    pub(crate) fn time(&self, zero: bool, sink: &mut Sink) -> Option<Picos> {
        let quantity = self.quantity(Sort::TIME, sink)?;
        self.fitting_span(quantity, Picos(1), zero, sink)
    }

    /// A whole number of bytes in a range.
    pub(crate) fn bytes(&self, least: Bytes, most: Bytes, sink: &mut Sink) -> Option<Bytes> {
        let quantity = self.quantity(Sort::BYTES, sink)?;
        self.whole_bytes(quantity, quantity.scale, least, most, sink)
    }

    /// As [`Item::bytes`], or cells of 53 bytes.
    pub(crate) fn bytes_or_cells(
        &self,
        least: Bytes,
        most: Bytes,
        sink: &mut Sink,
    ) -> Option<Bytes> {
        let quantity = self.quantity(Sort::BYTES_OR_CELLS, sink)?;
        let cells = quantity.sort == Sort::Cells;
        let scale = if cells { Bytes::CELL.0 } else { quantity.scale };
        self.whole_bytes(quantity, scale, least, most, sink)
    }

    fn whole_bytes(
        &self,
        quantity: Quantity,
        scale: u64,
        least: Bytes,
        most: Bytes,
        sink: &mut Sink,
    ) -> Option<Bytes> {
        let whole = quantity.value.scaled(scale, Rounding::Down);
        let up = quantity.value.scaled(scale, Rounding::Up);
        let whole = whole.filter(|down| up == Some(*down)).map(Bytes);
        let fits = whole.filter(|bytes| (least..=most).contains(bytes));
        self.within(fits, format_args!("whole bytes from {} B to {} B", least.0, most.0), sink)
    }

    /// A rate.
    pub(crate) fn rate(&self, sink: &mut Sink) -> Option<Rate> {
        let quantity = self.quantity(Sort::RATE, sink)?;
        self.fitting_rate(quantity.amount(Rounding::Down), sink)
    }

    /// A rate, or a share of `link`'s, at most all of it.
    pub(crate) fn bandwidth(
        &self,
        link: Rate,
        rounding: Rounding,
        sink: &mut Sink,
    ) -> Option<Rate> {
        let quantity = self.quantity(Sort::BANDWIDTH, sink)?;
        let bps = match quantity.sort {
            Sort::Share => {
                let bps = quantity.share_of(link.bps(), rounding).filter(|bps| *bps <= link.bps());
                Some(self.within(bps, format_args!("at most 100 % of the link"), sink)?)
            }
            _ => quantity.amount(rounding),
        };
        self.fitting_rate(bps, sink)
    }

    pub(crate) fn fitting_rate(&self, bps: Option<u64>, sink: &mut Sink) -> Option<Rate> {
        let rate = bps.filter(|bps| *bps <= FASTEST_BPS).and_then(Rate::from_bps);
        self.within(rate, format_args!("from 1 b/s to 100 Tb/s"), sink)
    }

    /// The limit of a buffer: packets (cells), or bytes.
    pub(crate) fn limit(&self, sink: &mut Sink) -> Option<Limit> {
        let quantity = self.quantity(Sort::SIZE, sink)?;
        if quantity.sort == Sort::Size {
            let most = Bytes(MOST_LIMIT);
            let bytes = self.whole_bytes(quantity, quantity.scale, Bytes(1), most, sink)?;
            return Some(Limit::Bytes(bytes));
        }
        let packets = quantity.value.whole().filter(|packets| *packets > 0);
        let packets = packets.and_then(|packets| u32::try_from(packets).ok()).map(Cells);
        let range = format_args!("1 to 4294967295 whole packets, or a size in bytes");
        self.within(packets, range, sink).map(Limit::Packets)
    }

    /// A memory for cells: cells, or the whole cells that fit into a size in bytes.
    pub(crate) fn size(&self, sink: &mut Sink) -> Option<Cells> {
        let quantity = self.quantity(Sort::SIZE, sink)?;
        let amount = quantity.amount(Rounding::Down);
        let cells = match quantity.sort {
            Sort::Cells | Sort::Packets => quantity.value.whole(),
            _ => amount.map(|bytes| bytes / Bytes::CELL.0),
        };
        let cells = cells.filter(|&cells| cells > 0).and_then(|cells| u32::try_from(cells).ok());
        let range =
            format_args!("room for 1 to 4294967295 packets; bytes count in whole cells of 53 B");
        self.within(cells, range, sink).map(Cells)
    }

    /// A length of a queue: packets (cells), or bytes.
    pub(crate) fn queue_length(&self, sink: &mut Sink) -> Option<Length> {
        let quantity = self.quantity(Sort::SIZE, sink)?;
        if quantity.sort == Sort::Size {
            let most = Bytes(1_000_000_000_000);
            let bytes = self.whole_bytes(quantity, quantity.scale, Bytes(0), most, sink)?;
            return Some(Length::Bytes(bytes.0));
        }
        let packets = quantity.value.whole().and_then(|packets| u32::try_from(packets).ok());
        let packets = self.within(packets, format_args!("0 to 4294967295 whole packets"), sink);
        packets.map(Length::Packets)
    }
}
