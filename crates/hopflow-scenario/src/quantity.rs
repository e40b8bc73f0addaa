//! Physical quantities: a decimal number and a unit, `"76.5 cells"`, `"622.08 Mb/s"`.
//!
//! | sort   | units                              | worked out as                              |
//! |--------|------------------------------------|--------------------------------------------|
//! | time   | s, ms, us, ns, ps                  | picoseconds, rounded up                    |
//! | cells  | cells, cell                        | as a time: cell times, rounded up once;    |
//! |        |                                    | as a size: whole cells                     |
//! | length | km, m                              | light in glass, 5 us per km, rounded up    |
//! | rate   | b/s, kb/s, Mb/s, Gb/s, Tb/s        | bits per second                            |
//! |        | B/s, kB/s, MB/s, GB/s              | 8 times that                               |
//! | share  | %                                  | of the rate of the link it is used on      |
//! | size   | B, kB, MB, GB (powers of 1000)     | bytes; as room: whole cells that fit       |
//! | packets| packets, packet                    | a count, as room                           |
//! | pace   | packets/s                          | packets of the flow per second             |
//! | cell pace | cells/s                         | cells of 53 bytes per second               |

mod meant;

use hopflow_units::Picos;

use crate::decimal::{Decimal, Rounding};

pub(crate) use meant::hint;

/// What a unit measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Time,
    Cells,
    Length,
    Rate,
    Share,
    Size,
    Packets,
    Pace,
    CellPace,
}

impl Sort {
    /// Its units for people, and an example.
    fn words(self) -> [&'static str; 2] {
        match self {
            Sort::Time => ["s, ms, us, ns, ps", "\"50 us\""],
            Sort::Cells => ["cells", "\"100 cells\""],
            Sort::Length => ["km, m", "\"10 km\""],
            Sort::Rate => ["b/s to Tb/s, B/s to GB/s", "\"155.52 Mb/s\""],
            Sort::Share => ["%", "\"66 %\""],
            Sort::Size => ["B, kB, MB, GB", "\"64 kB\""],
            Sort::Packets => ["packets", "\"100 packets\""],
            Sort::Pace => ["packets/s", "\"10 packets/s\""],
            Sort::CellPace => ["cells/s", "\"1000 cells/s\""],
        }
    }
}

// The sorts that values may have.
impl Sort {
    pub(crate) const TIME: &[Sort] = &[Sort::Time];
    pub(crate) const SPAN: &[Sort] = &[Sort::Time, Sort::Cells];
    pub(crate) const DELAY: &[Sort] = &[Sort::Time, Sort::Cells, Sort::Length];
    pub(crate) const RATE: &[Sort] = &[Sort::Rate];
    pub(crate) const BANDWIDTH: &[Sort] = &[Sort::Rate, Sort::Share];
    pub(crate) const PACE: &[Sort] = &[Sort::Rate, Sort::Pace];
    pub(crate) const SOURCE_RATE: &[Sort] = &[Sort::Rate, Sort::Share, Sort::Pace];
    pub(crate) const CELL_RATE: &[Sort] = &[Sort::Rate, Sort::CellPace];
    pub(crate) const CELL_RATE_OR_SHARE: &[Sort] = &[Sort::Rate, Sort::CellPace, Sort::Share];
    pub(crate) const BYTES: &[Sort] = &[Sort::Size];
    pub(crate) const BYTES_OR_CELLS: &[Sort] = &[Sort::Size, Sort::Cells];
    pub(crate) const QUEUE: &[Sort] = &[Sort::Cells, Sort::Size];
    pub(crate) const SIZE: &[Sort] = &[Sort::Size, Sort::Cells, Sort::Packets];

    /// Their units, for people.
    pub(crate) fn units(sorts: &[Sort]) -> String {
        let all = sorts.iter().map(|sort| sort.words()[0]).collect::<Vec<_>>().join(", ");
        match all.rsplit_once(", ") {
            Some((all, last)) => format!("{all} or {last}"),
            None => all,
        }
    }

    /// Their units, as a regular expression.
    pub(crate) fn pattern(sorts: &[Sort]) -> String {
        let units = UNITS.iter().filter(|(_, sort, _)| sorts.contains(sort));
        units.map(|(unit, ..)| *unit).collect::<Vec<_>>().join("|")
    }

    /// A quantity of each of these sorts, for hints.
    pub(crate) fn example(sorts: &[Sort]) -> String {
        if sorts == Sort::BYTES {
            return "\"1500 B\"".to_owned();
        }
        sorts.iter().map(|sort| sort.words()[1]).collect::<Vec<_>>().join(" or ")
    }

    /// The hint for a number without a unit: this number with a unit of each of these sorts.
    pub(crate) fn with_unit(number: &str, sorts: &[Sort]) -> String {
        let example = Sort::example(sorts);
        if number.len() > 20 || Decimal::parse(number).is_none() {
            return format!("write {example}");
        }
        let with = |one: &str| {
            let unit = one.split_once(' ').map_or("", |(_, unit)| unit);
            format!("\"{number} {unit}")
        };
        let choices: Vec<String> = example.split(" or ").map(with).collect();
        format!("add a unit: {} (the units are {})", choices.join(" or "), Sort::units(sorts))
    }
}

/// A number with its unit: `value x scale` of the sort's smallest unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quantity {
    pub(crate) value: Decimal,
    pub(crate) sort: Sort,
    /// How many ps, b/s, bytes ... one unit is; for [`Sort::Share`] 1 stands for a hundredth.
    pub(crate) scale: u64,
}

/// Why a text is no quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum QuantityError {
    NotANumber,
    NoUnit,
    /// The unit as written.
    UnknownUnit(String),
}

/// Name, sort, scale.
const UNITS: &[(&str, Sort, u64)] = &[
    ("us", Sort::Time, 1_000_000),
    ("s", Sort::Time, Picos::PER_SECOND),
    ("ms", Sort::Time, 1_000_000_000),
    ("ns", Sort::Time, 1_000),
    ("ps", Sort::Time, 1),
    ("cells", Sort::Cells, 1),
    ("cell", Sort::Cells, 1),
    ("km", Sort::Length, 5_000_000),
    ("m", Sort::Length, 5_000),
    ("Mb/s", Sort::Rate, 1_000_000),
    ("b/s", Sort::Rate, 1),
    ("kb/s", Sort::Rate, 1_000),
    ("Gb/s", Sort::Rate, 1_000_000_000),
    ("Tb/s", Sort::Rate, 1_000_000_000_000),
    ("MB/s", Sort::Rate, 8_000_000),
    ("B/s", Sort::Rate, 8),
    ("kB/s", Sort::Rate, 8_000),
    ("GB/s", Sort::Rate, 8_000_000_000),
    ("%", Sort::Share, 1),
    ("kB", Sort::Size, 1_000),
    ("B", Sort::Size, 1),
    ("MB", Sort::Size, 1_000_000),
    ("GB", Sort::Size, 1_000_000_000),
    ("packets", Sort::Packets, 1),
    ("packet", Sort::Packets, 1),
    ("packets/s", Sort::Pace, 1),
    ("packet/s", Sort::Pace, 1),
    ("cells/s", Sort::CellPace, 1),
    ("cell/s", Sort::CellPace, 1),
];

impl Quantity {
    /// Reads a number, optional blanks and a unit.
    pub(crate) fn parse(text: &str) -> Result<Quantity, QuantityError> {
        let text = text.trim();
        let (number, unit) = text.split_at(number_length(text));
        let value = Decimal::parse(number).ok_or(QuantityError::NotANumber)?;
        let unit = unit.trim();
        if unit.is_empty() {
            return Err(QuantityError::NoUnit);
        }
        match UNITS.iter().find(|(name, ..)| *name == unit) {
            Some(&(_, sort, scale)) => Ok(Quantity { value, sort, scale }),
            None => Err(QuantityError::UnknownUnit(unit.to_owned())),
        }
    }

    /// The amount in the smallest unit of its sort (ps, cells, b/s, bytes; not for shares).
    pub(crate) fn amount(self, rounding: Rounding) -> Option<u64> {
        self.value.scaled(self.scale, rounding)
    }

    /// A time: `cell_time` is what one cell takes.
    pub(crate) fn span(self, cell_time: Picos) -> Option<Picos> {
        self.value.scaled(self.picos(cell_time), Rounding::Up).map(Picos)
    }

    /// Whether a time is above zero and below 1 ps.
    pub(crate) fn is_below_one(self, cell_time: Picos) -> bool {
        let scaled = |rounding| self.value.scaled(self.picos(cell_time), rounding);
        scaled(Rounding::Down) == Some(0) && scaled(Rounding::Up) == Some(1)
    }

    /// Picoseconds of its unit.
    fn picos(self, cell_time: Picos) -> u64 {
        if self.sort == Sort::Cells { cell_time.0 } else { self.scale }
    }

    /// This share of `bps`, in bits per second.
    pub(crate) fn share_of(self, bps: u64, rounding: Rounding) -> Option<u64> {
        let scaled = self.value.percent();
        scaled.scaled(bps, rounding)
    }
}

/// Bytes of `text` that belong to the number: an `e` only where digits follow.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut index = 0;
    while let Some(&byte) = bytes.get(index) {
        let next = bytes.get(index + 1).copied().unwrap_or(b' ');
        let sign = matches!(byte, b'+' | b'-') && (index == 0 || bytes[index - 1] == b'e');
        let power = byte == b'e' && index > 0 && (next.is_ascii_digit() || next == b'-');
        if !(byte.is_ascii_digit() || matches!(byte, b'.' | b'_') || sign || power) {
            break;
        }
        index += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(text: &str) -> Quantity {
        Quantity::parse(text).unwrap()
    }

    /// Claim: with and without blanks, in any unit, the amount is exact.
    #[test]
    fn units_scale_exactly() {
        // A bit is not a byte, at any size: of the same letters, bytes are eight times as many.
        for (index, unit) in ["", "k", "M", "G"].into_iter().enumerate() {
            let rate =
                |letter: &str| quantity(&format!("3 {unit}{letter}/s")).amount(Rounding::Down);
            let bits = 3 * 1_000_u64.pow(index as u32);
            assert_eq!((rate("b"), rate("B")), (Some(bits), Some(8 * bits)), "{unit}");
        }
        assert_eq!(quantity("622.08 Mb/s").amount(Rounding::Down), Some(622_080_000));
        assert_eq!(quantity("5.65 MB/s").amount(Rounding::Down), Some(45_200_000));
        assert_eq!(quantity("3ms").span(Picos(1)), Some(Picos(3_000_000_000)));
        assert_eq!(quantity("10 km").span(Picos(1)), Some(Picos(50_000_000)));
        assert_eq!(quantity("76.5 cells").span(Picos(681_585)), Some(Picos(52_141_253)));
        assert_eq!(quantity("1e3 ps").span(Picos(1)), Some(Picos(1_000)));
        assert_eq!(quantity("66 %").share_of(622_080_000, Rounding::Down), Some(410_572_800));
        assert_eq!(quantity("33.3%").share_of(1_000, Rounding::Up), Some(333));
    }

    /// Claim: each unit has its amount: 10^3, 10^6, 10^9 and 10^12 for k, M, G and T, 8 bits to a
    /// byte, 5 us to a km of fibre (200,000 km/s), one for each of the rest. None is missing here.
    #[test]
    fn every_unit_has_its_amount() {
        let amounts: &[(&str, u64)] = &[
            ("s", 1_000_000_000_000),
            ("ms", 1_000_000_000),
            ("us", 1_000_000),
            ("ns", 1_000),
            ("ps", 1),
            ("cells", 1),
            ("cell", 1),
            ("km", 5_000_000),
            ("m", 5_000),
            ("b/s", 1),
            ("kb/s", 1_000),
            ("Mb/s", 1_000_000),
            ("Gb/s", 1_000_000_000),
            ("Tb/s", 1_000_000_000_000),
            ("B/s", 8),
            ("kB/s", 8_000),
            ("MB/s", 8_000_000),
            ("GB/s", 8_000_000_000),
            ("%", 1),
            ("B", 1),
            ("kB", 1_000),
            ("MB", 1_000_000),
            ("GB", 1_000_000_000),
            ("packets", 1),
            ("packet", 1),
            ("packets/s", 1),
            ("packet/s", 1),
            ("cells/s", 1),
            ("cell/s", 1),
        ];
        for (unit, amount) in amounts {
            let found = quantity(&format!("7 {unit}"));
            assert_eq!(found.amount(Rounding::Down), Some(7 * amount), "{unit}");
        }
        let mut all: Vec<&str> = UNITS.iter().map(|(unit, ..)| *unit).collect();
        let mut here: Vec<&str> = amounts.iter().map(|(unit, _)| *unit).collect();
        all.sort_unstable();
        here.sort_unstable();
        assert_eq!(all, here);
    }

    /// Claim: texts that are no quantities are distinguished: no number, no unit, another unit.
    #[test]
    fn what_is_missing_is_reported() {
        let unknown = Err(QuantityError::UnknownUnit("Mbps".to_owned()));
        assert_eq!(Quantity::parse("5 Mbps"), unknown);
        assert_eq!(Quantity::parse("5"), Err(QuantityError::NoUnit));
        assert_eq!(Quantity::parse("fast"), Err(QuantityError::NotANumber));
        assert_eq!(Quantity::parse(""), Err(QuantityError::NotANumber));
    }
}
