//! Single values of the file: reads one of each type, or notes why it cannot be read.

mod quantity;
mod rate;
mod words;

use std::fmt::Arguments;
use std::ops::Range;

use hopflow_units::Probability;
use toml::de::DeValue;

use crate::Code;
use crate::decimal::Decimal;
use crate::diagnostic::{Diagnostic, Sink};
use crate::naming::short;
use crate::quantity::Quantity;

pub(crate) use quantity::{FASTEST_BPS, LONGEST};
pub(crate) use words::elsewhere;
use words::meant;
pub use words::nearest;
#[cfg(test)]
pub(crate) use words::other_word;

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) value: &'a DeValue<'a>,
    pub(crate) span: Range<usize>,
    /// The key it stands under, for messages.
    pub(crate) key: &'static str,
}

impl<'a> Item<'a> {
    pub(crate) fn wrong_type<'s>(&self, sink: &'s mut Sink, wanted: &str) -> &'s mut Diagnostic {
        let found = match self.value {
            // "A whole number, not a number" would say nothing.
            DeValue::Float(number) if wanted.contains("whole number") => number.as_str(),
            value => type_name(value),
        };
        let message = format!("`{}` is {wanted}, not {found}", self.key);
        sink.error(Code::WRONG_TYPE, &self.span, message)
    }

    pub(crate) fn out_of_range(&self, sink: &mut Sink, value: &str, range: &str) {
        let message = format!("`{}` is {value}, but must be {range}", self.key);
        sink.error(Code::OUT_OF_RANGE, &self.span, message);
    }

    /// What was found of the type that is wanted, or an error.
    fn typed<T>(&self, found: Option<T>, wanted: &str, sink: &mut Sink) -> Option<T> {
        if found.is_none() {
            self.wrong_type(sink, wanted);
        }
        found
    }

    /// What was found in the range, or an error with what is written.
    fn within<T>(&self, found: Option<T>, range: Arguments<'_>, sink: &mut Sink) -> Option<T> {
        if found.is_none() {
            self.out_of_range(sink, &self.written(), &range.to_string());
        }
        found
    }

    /// Any text.
    pub(crate) fn text(&self, sink: &mut Sink) -> Option<&'a str> {
        self.typed(self.value.as_str(), "a text", sink)
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, sink: &mut Sink) -> Option<bool> {
        self.typed(self.value.as_bool(), "`true` or `false`", sink)
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
                format!("`{}` is {text}, which is not a number of up to {most} digits", self.key);
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
        self.within(count, format_args!("from {least} to {most}"), sink)
    }

    /// A bare number, at least `least`.
    pub(crate) fn number(&self, least: f64, sink: &mut Sink) -> Option<f64> {
        let number = self.decimal(sink, "a number")?.as_f64();
        let number = Some(number).filter(|number| (least..=1e12).contains(number));
        self.within(number, format_args!("from {least} to 1e12"), sink)
    }

    /// Any bare number, below zero too.
    pub(crate) fn any_number(&self, sink: &mut Sink) -> Option<f64> {
        let number = Some(self.decimal(sink, "a number")?.as_f64()).filter(|n| n.is_finite());
        self.within(number, format_args!("from -1.7e308 to 1.7e308"), sink)
    }

    /// A bare number from 0 to 1.
    pub(crate) fn probability(&self, sink: &mut Sink) -> Option<Probability> {
        let number = self.decimal(sink, "a number from 0 to 1")?;
        let probability = Probability::new(number.as_f64()).ok().filter(|_| !number.is_negative());
        self.within(probability, format_args!("a probability, from 0 to 1"), sink)
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

    /// The elements of a list.
    pub(crate) fn list(&self, sink: &mut Sink) -> Option<Vec<Item<'a>>> {
        let array = self.typed(self.value.as_array(), "a list", sink)?;
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

    /// What `read` makes of each of `[there, back]`, or of one value for both, and of its side.
    pub(crate) fn each_way<T>(
        &self,
        sink: &mut Sink,
        mut read: impl FnMut(&Item<'a>, usize, &mut Sink) -> Option<T>,
    ) -> Option<[T; 2]> {
        let ways =
            if self.value.is_array() { self.two(sink)? } else { [self.clone(), self.clone()] };
        Some([read(&ways[0], 0, sink)?, read(&ways[1], 1, sink)?])
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
