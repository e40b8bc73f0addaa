//! Quantities outside scenario files, such as those given to a command: the same units, the
//! same rounding, one message when they are wrong.

use hopflow_units::{Bytes, Picos, Rate};

use crate::decimal::Rounding;
use crate::quantity::{self, Quantity, QuantityError, Sort};

/// A time (`"5 us"`) or a length (`"10 km"`, at 5 us per km) as a span, rounded up to whole ps.
pub fn parse_delay(text: &str) -> Result<Picos, String> {
    let quantity = parse(text, &[Sort::Time, Sort::Length], "a time such as `5 us`, or `10 km`")?;
    quantity.amount(Rounding::Up).map(Picos).ok_or_else(|| too_large(text))
}

/// A time (`"5 us"`), rounded up to whole ps.
pub fn parse_time(text: &str) -> Result<Picos, String> {
    let quantity = parse(text, &[Sort::Time], "a time such as `5 us`")?;
    quantity.amount(Rounding::Up).map(Picos).ok_or_else(|| too_large(text))
}

/// A rate (`"622.08 Mb/s"`) in whole bits per second, rounded down; not zero.
pub fn parse_rate(text: &str) -> Result<Rate, String> {
    let quantity = parse(text, &[Sort::Rate], "a rate such as `622.08 Mb/s`")?;
    let bps = quantity.amount(Rounding::Down).ok_or_else(|| too_large(text))?;
    Rate::from_bps(bps).ok_or_else(|| format!("`{text}` is below 1 b/s: give a rate above zero"))
}

/// A size in bytes (`"1 MB"`, powers of 1000), rounded down.
pub fn parse_bytes(text: &str) -> Result<Bytes, String> {
    let quantity = parse(text, &[Sort::Size], "a size such as `1 MB`")?;
    quantity.amount(Rounding::Down).map(Bytes).ok_or_else(|| too_large(text))
}

fn parse(text: &str, sorts: &[Sort], wanted: &str) -> Result<Quantity, String> {
    let way_out = || {
        let meant = quantity::hint(text, sorts, '`');
        meant.unwrap_or_else(|| format!("give {wanted}"))
    };
    let quantity = Quantity::parse(text).map_err(|error| match error {
        QuantityError::NotANumber => format!("`{text}` is not a number with a unit: give {wanted}"),
        QuantityError::NoUnit => format!("`{text}` has no unit: give {wanted}"),
        QuantityError::UnknownUnit(unit) => format!("`{unit}` is not a unit: {}", way_out()),
    })?;
    if !sorts.contains(&quantity.sort) {
        return Err(format!("`{text}` measures something else: {}", way_out()));
    }
    Ok(quantity)
}

fn too_large(text: &str) -> String {
    format!("`{text}` is negative, or too large for 64 bits in its smallest unit")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: quantities of commands are those of scenario files.
    #[test]
    fn quantities_are_read_with_their_units() {
        assert_eq!(parse_delay("10 km"), Ok(Picos(50_000_000)));
        assert_eq!(parse_time("2.5 us"), Ok(Picos(2_500_000)));
        assert_eq!(parse_rate("622.08 Mb/s").unwrap().bps(), 622_080_000);
        assert_eq!(parse_bytes("1 MB"), Ok(Bytes(1_000_000)));
    }

    /// Claim: mistakes are reported with the value and the way out.
    #[test]
    fn wrong_quantities_say_what_is_wanted() {
        assert!(parse_time("5").unwrap_err().contains("no unit"));
        assert!(parse_time("10 km").unwrap_err().contains("something else"));
        let wrong = parse_rate("100Mbps").unwrap_err();
        assert_eq!(wrong, "`Mbps` is not a unit: write `100 Mb/s`");
        assert!(parse_time("5 min").unwrap_err().ends_with("write `300 s`"));
        assert!(parse_bytes("1 Mb/s").unwrap_err().ends_with("give a size such as `1 MB`"));
        assert!(parse_rate("0 b/s").unwrap_err().contains("above zero"));
        assert!(parse_delay("1e30 s").is_err());
        assert!(parse_bytes("-1 MB").is_err());
    }
}
