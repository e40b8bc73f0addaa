//! Single values of the file: reads one of each type, or notes why it cannot be read.

mod rate;
mod words;

use std::ops::Range;

use hopflow_control::marking::Length;
use hopflow_units::{Bytes, Cells, Picos, Probability, Rate};
use toml::de::DeValue;

use crate::Code;
use crate::decimal::{Decimal, Rounding};
use crate::diagnostic::Sink;
use crate::naming::short;
use crate::quantity::{self, Quantity, QuantityError, Sort};

pub(crate) use rate::CELL_RATES;
pub(crate) use words::nearest;
use words::{elsewhere, meant};

/// The longest span a scenario may hold: 100 days. Sums of two stay within [`Picos`].
pub(crate) const LONGEST: Picos = Picos(100 * 86_400 * Picos::PER_SECOND);
/// The fastest link: 100 Tb/s, 4.24 ps per cell.
pub(crate) const FASTEST_BPS: u64 = 100 * 1_000_000_000_000;

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) value: &'a DeValue<'a>,
    pub(crate) span: Range<usize>,
    /// The key it stands under, for messages.
    pub(crate) key: &'static str,
}

impl<'a> Item<'a> {
    pub(crate) fn wrong_type(&self, sink: &mut Sink, wanted: &str) {
        let found = type_name(self.value);
        let message = format!("`{}` is {wanted}, not {found}", self.key);
        sink.error(Code::WRONG_TYPE, &self.span, message);
    }

    pub(crate) fn out_of_range(&self, sink: &mut Sink, value: &str, range: &str) {
        let message = format!("`{}` is {value}, but must be {range}", self.key);
        sink.error(Code::OUT_OF_RANGE, &self.span, message);
    }

    /// Any text.
    pub(crate) fn text(&self, sink: &mut Sink) -> Option<&'a str> {
        let text = self.value.as_str();
        if text.is_none() {
            self.wrong_type(sink, "a text");
        }
        text
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, sink: &mut Sink) -> Option<bool> {
        let flag = self.value.as_bool();
        if flag.is_none() {
            self.wrong_type(sink, "`true` or `false`");
        }
        flag
    }

    /// One of these words.
    pub(crate) fn choice(
        &self,
        words: &'static [&'static str],
        sink: &mut Sink,
    ) -> Option<&'static str> {
        self.choice_or(words, "", sink)
    }

    /// As [`Item::choice`]; `more` is what may stand there otherwise.
    pub(crate) fn choice_or(
        &self,
        words: &'static [&'static str],
        more: &str,
        sink: &mut Sink,
    ) -> Option<&'static str> {
        let text = self.text(sink)?;
        let found = words.iter().find(|word| **word == text).copied();
        if found.is_none() {
            self.unknown_choice(text, words, more, sink);
        }
        found
    }

    /// The text is none of the words; `more` is what may stand there otherwise.
    pub(crate) fn unknown_choice(
        &self,
        text: &str,
        words: &[&'static str],
        more: &str,
        sink: &mut Sink,
    ) {
        let message = format!("`{}` cannot be `{}`", self.key, short(text));
        let mut hint = format!("one of: {}{more}", words.join(", "));
        if let Some(sentence) = elsewhere(text, self.key == "kind") {
            hint = format!("{sentence}; {hint}");
        } else if let Some(meant) = meant(text, words) {
            hint = format!("did you mean `{meant}`? {hint}");
        }
        sink.error(Code::UNKNOWN_CHOICE, &self.span, message).hint(hint);
    }

    /// A bare number, exactly as written.
    fn decimal(&self, sink: &mut Sink, wanted: &str) -> Option<Decimal> {
        let (text, radix) = match self.value {
            DeValue::Integer(integer) => (integer.as_str(), integer.radix()),
            DeValue::Float(float) => (float.as_str(), 10),
            DeValue::String(text) => {
                self.wrong_type(sink, wanted);
                if Quantity::parse(text).is_ok() || Decimal::parse(text).is_some() {
                    let message =
                        format!("`{}` is a bare number, without unit or quotes", self.key);
                    sink.error(Code::WRONG_TYPE, &self.span, message);
                }
                return None;
            }
            _ => {
                self.wrong_type(sink, wanted);
                return None;
            }
        };
        let decimal = if radix == 10 {
            Decimal::parse(text)
        } else {
            let digits = text.trim_start_matches("0x").trim_start_matches("0o");
            let digits = digits.trim_start_matches("0b").replace('_', "");
            u64::from_str_radix(&digits, radix).ok().and_then(|n| Decimal::parse(&n.to_string()))
        };
        if decimal.is_none() {
            let most = Decimal::DIGITS;
            let message =
                format!("`{}` is {text}, which is no number of up to {most} digits", self.key);
            sink.error(Code::NOT_A_NUMBER, &self.span, message);
        }
        decimal
    }

    /// A bare whole number in a range.
    pub(crate) fn count(&self, least: u64, most: u64, sink: &mut Sink) -> Option<u64> {
        let decimal = self.decimal(sink, "a whole number")?;
        if matches!(self.value, DeValue::Float(_)) && decimal.whole().is_none_or(|n| n <= most) {
            self.wrong_type(sink, "a whole number");
            return None;
        }
        let count = decimal.whole().filter(|count| (least..=most).contains(count));
        if count.is_none() {
            self.out_of_range(sink, &self.written(), &format!("from {least} to {most}"));
        }
        count
    }

    /// A bare number, at least `least`.
    pub(crate) fn number(&self, least: f64, sink: &mut Sink) -> Option<f64> {
        let number = self.decimal(sink, "a number")?.as_f64();
        let fits = number.is_finite() && number >= least && number <= 1e12;
        if !fits {
            self.out_of_range(sink, &self.written(), &format!("from {least} to 1e12"));
        }
        fits.then_some(number)
    }

    /// Any bare number, below zero too.
    pub(crate) fn any_number(&self, sink: &mut Sink) -> Option<f64> {
        let number = self.decimal(sink, "a number")?.as_f64();
        if !number.is_finite() {
            self.out_of_range(sink, &self.written(), "from -1.7e308 to 1.7e308");
        }
        number.is_finite().then_some(number)
    }

    /// A bare number from 0 to 1.
    pub(crate) fn probability(&self, sink: &mut Sink) -> Option<Probability> {
        let number = self.decimal(sink, "a number from 0 to 1")?;
        let probability = Probability::new(number.as_f64()).ok().filter(|_| !number.is_negative());
        if probability.is_none() {
            self.out_of_range(sink, &self.written(), "a probability, from 0 to 1");
        }
        probability
    }

    /// The number or text as it is written.
    pub(crate) fn written(&self) -> String {
        match self.value {
            DeValue::Integer(integer) => integer.as_str().to_owned(),
            DeValue::Float(float) => float.as_str().to_owned(),
            DeValue::String(text) => text.to_string(),
            other => type_name(other).to_owned(),
        }
    }

    /// A number with a unit of one of these sorts.
    pub(crate) fn quantity(&self, sorts: &'static [Sort], sink: &mut Sink) -> Option<Quantity> {
        let example = example(sorts);
        let DeValue::String(text) = self.value else {
            if matches!(self.value, DeValue::Integer(_) | DeValue::Float(_)) {
                let number = self.written();
                let message = format!("`{}` is {number} without a unit", self.key);
                sink.error(Code::NO_UNIT, &self.span, message).hint(format!("write {example}"));
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
                let hint = hint.unwrap_or_else(|| format!("write {example}"));
                sink.error(Code::WRONG_UNIT, &self.span, message).hint(hint);
            }
            Err(QuantityError::NoUnit) => {
                let message = format!("`{}` is `{text}`, without a unit", self.key);
                sink.error(Code::NO_UNIT, &self.span, message).hint(format!("write {example}"));
            }
            Err(QuantityError::UnknownUnit(unit)) => {
                let message = format!("`{}` has the unit `{unit}`, which is not known", self.key);
                let hint = quantity::hint(text, sorts, '"');
                let hint = hint.unwrap_or_else(|| format!("write {example}"));
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
        if quantity.value.is_negative() {
            self.out_of_range(sink, &self.written(), "zero or more");
            return None;
        }
        Some(quantity)
    }

    /// A time, or cells of `cell_time` each, rounded up once.
    pub(crate) fn span(&self, cell_time: Picos, zero: bool, sink: &mut Sink) -> Option<Picos> {
        let quantity = self.quantity(&[Sort::Time, Sort::Cells], sink)?;
        self.fitting_span(quantity, cell_time, zero, sink)
    }

    /// As [`Item::span`], or a length.
    pub(crate) fn delay(&self, cell_time: Picos, sink: &mut Sink) -> Option<Picos> {
        let quantity = self.quantity(&[Sort::Time, Sort::Cells, Sort::Length], sink)?;
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
        let fits = span.is_some_and(|span| zero || span > Picos::ZERO);
        if !fits {
            let least = if zero { "" } else { "more than zero and " };
            self.out_of_range(sink, &self.written(), &format!("{least}at most 100 days"));
        }
        span.filter(|_| fits)
    }

    /// A time, not in cells.
    pub(crate) fn time(&self, zero: bool, sink: &mut Sink) -> Option<Picos> {
        let quantity = self.quantity(&[Sort::Time], sink)?;
        self.fitting_span(quantity, Picos(1), zero, sink)
    }

    /// A whole number of bytes in a range.
    pub(crate) fn bytes(&self, least: Bytes, most: Bytes, sink: &mut Sink) -> Option<Bytes> {
        let quantity = self.quantity(&[Sort::Size], sink)?;
        self.whole_bytes(quantity, quantity.scale, least, most, sink)
    }

    /// As [`Item::bytes`], or cells of 53 bytes.
    pub(crate) fn bytes_or_cells(
        &self,
        least: Bytes,
        most: Bytes,
        sink: &mut Sink,
    ) -> Option<Bytes> {
        let quantity = self.quantity(&[Sort::Size, Sort::Cells], sink)?;
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
        if fits.is_none() {
            let range = format!("whole bytes from {} B to {} B", least.0, most.0);
            self.out_of_range(sink, &self.written(), &range);
        }
        fits
    }

    /// A rate.
    pub(crate) fn rate(&self, sink: &mut Sink) -> Option<Rate> {
        let quantity = self.quantity(&[Sort::Rate], sink)?;
        self.fitting_rate(quantity.amount(Rounding::Down), sink)
    }

    /// A rate, or a share of `link`'s, at most all of it.
    pub(crate) fn bandwidth(
        &self,
        link: Rate,
        rounding: Rounding,
        sink: &mut Sink,
    ) -> Option<Rate> {
        let quantity = self.quantity(&[Sort::Rate, Sort::Share], sink)?;
        let bps = match quantity.sort {
            Sort::Share => {
                let bps = quantity.share_of(link.bps(), rounding);
                if bps.is_none_or(|bps| bps > link.bps()) {
                    self.out_of_range(sink, &self.written(), "at most 100 % of the link");
                    return None;
                }
                bps
            }
            _ => quantity.amount(rounding),
        };
        self.fitting_rate(bps, sink)
    }

    pub(crate) fn fitting_rate(&self, bps: Option<u64>, sink: &mut Sink) -> Option<Rate> {
        let rate = bps.filter(|bps| *bps <= FASTEST_BPS).and_then(Rate::from_bps);
        if rate.is_none() {
            self.out_of_range(sink, &self.written(), "from 1 b/s to 100 Tb/s");
        }
        rate
    }

    /// A buffer size: packets (cells), or whole cells that fit into so many bytes.
    pub(crate) fn size(&self, sink: &mut Sink) -> Option<Cells> {
        let quantity = self.quantity(&[Sort::Size, Sort::Cells, Sort::Packets], sink)?;
        let amount = quantity.amount(Rounding::Down);
        let cells = match quantity.sort {
            Sort::Cells | Sort::Packets => quantity.value.whole(),
            _ => amount.map(|bytes| bytes / Bytes::CELL.0),
        };
        let cells = cells.filter(|&cells| cells > 0).and_then(|cells| u32::try_from(cells).ok());
        if cells.is_none() {
            self.out_of_range(
                sink,
                &self.written(),
                "room for 1 to 4294967295 packets, or whole cells",
            );
        }
        cells.map(Cells)
    }

    /// A length of a queue: packets (cells), or bytes.
    pub(crate) fn queue_length(&self, sink: &mut Sink) -> Option<Length> {
        let quantity = self.quantity(&[Sort::Size, Sort::Cells, Sort::Packets], sink)?;
        if quantity.sort == Sort::Size {
            let most = Bytes(1_000_000_000_000);
            let bytes = self.whole_bytes(quantity, quantity.scale, Bytes(0), most, sink)?;
            return Some(Length::Bytes(bytes.0));
        }
        let packets = quantity.value.whole().and_then(|packets| u32::try_from(packets).ok());
        if packets.is_none() {
            self.out_of_range(sink, &self.written(), "0 to 4294967295 whole packets");
        }
        packets.map(Length::Packets)
    }

    /// The elements of a list.
    pub(crate) fn list(&self, sink: &mut Sink) -> Option<Vec<Item<'a>>> {
        let Some(array) = self.value.as_array() else {
            self.wrong_type(sink, "a list");
            return None;
        };
        let item = |element: &'a toml::Spanned<DeValue<'a>>| Item {
            value: element.get_ref(),
            span: element.span(),
            key: self.key,
        };
        Some(array.iter().map(item).collect())
    }

    /// A list of exactly two.
    pub(crate) fn two(&self, sink: &mut Sink) -> Option<[Item<'a>; 2]> {
        let list = self.list(sink)?;
        let found = list.len();
        let two = <[Item<'a>; 2]>::try_from(list).ok();
        if two.is_none() {
            let message = format!("`{}` is a list of two, not of {found}", self.key);
            sink.error(Code::WRONG_TYPE, &self.span, message);
        }
        two
    }

    /// `[there, back]`, or one value for both.
    pub(crate) fn both_ways(&self, sink: &mut Sink) -> Option<[Item<'a>; 2]> {
        if self.value.is_array() { self.two(sink) } else { Some([self.clone(), self.clone()]) }
    }

    /// A list of texts, each with its place.
    pub(crate) fn names(&self, sink: &mut Sink) -> Option<Vec<(&'a str, Range<usize>)>> {
        let list = self.list(sink)?;
        let mut names = Vec::with_capacity(list.len());
        for item in list {
            names.push((item.text(sink)?, item.span));
        }
        Some(names)
    }
}

/// A value's type in words.
pub(crate) fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// A quantity of each of these sorts, for hints.
fn example(sorts: &[Sort]) -> String {
    let one = |sort: &Sort| match sort {
        Sort::Time => "\"50 us\"",
        Sort::Cells => "\"100 cells\"",
        Sort::Length => "\"10 km\"",
        Sort::Rate => "\"155.52 Mb/s\"",
        Sort::Share => "\"66 %\"",
        Sort::Size if sorts.len() == 1 => "\"1500 B\"",
        Sort::Size => "\"64 kB\"",
        Sort::Packets => "\"100 packets\"",
        Sort::Pace => "\"10 packets/s\"",
        Sort::CellPace => "\"1000 cells/s\"",
    };
    sorts.iter().map(one).collect::<Vec<_>>().join(" or ")
}
