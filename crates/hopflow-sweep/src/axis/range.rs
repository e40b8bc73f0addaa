//! Values of an axis between two ends: at equal distances, at equal ratios, or drawn.
//!
//! ```text
//! linear       x_i = a + (b - a) i / (n - 1)                                             (1)
//! log          x_i = a (b / a)^(i / (n - 1))                                             (2)
//! random       x_i = a + (b - a) u_i;       of whole numbers  a + floor((b - a + 1) u_i) (3)
//! log-random   x_i = a (b / a)^(u_i)                                                     (4)
//! ```
//! | symbol | meaning                                        | unit               |
//! |--------|------------------------------------------------|--------------------|
//! | a, b   | the ends; in (1), (2) they are exact values    | of the axis        |
//! | n, i   | the number of values, an index from 0 to n-1   | 1                  |
//! | u_i    | draw i of [0, 1)                               | 1                  |
//!
//! If both ends are written as whole numbers, all values are whole numbers: (1), (2) and (4) are
//! rounded to the nearest. Equal values would be equal points, so (1) and (2) refuse them; draws
//! may repeat. Fractions have nine digits. The stream of u_i is keyed by the seed of the sweep and
//! the key of the axis, so other axes do not change its draws.

use hopflow_kernel::RandomStream;

use super::MOST_POINTS;

/// The range in which all whole numbers are exact doubles.
const EXACT: f64 = (1_u64 << 53) as f64;

/// Values between two ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    ends: [f64; 2],
    /// The texts of the ends.
    texts: [String; 2],
    unit: String,
    count: u64,
    is_log: bool,
    is_whole: bool,
    /// u of Eq. (3) and (4).
    draws: Option<Vec<f64>>,
}

impl Range {
    /// Reads `[log|random|log-random] A..B [UNIT]/N`. `None`: the text is not a range.
    pub(super) fn parse(text: &str, seed: u64, key: &str) -> Option<Result<Range, String>> {
        let word = text.split_whitespace().next().unwrap_or_default();
        let (is_log, is_random) = match word {
            "log" => (true, false),
            "random" => (false, true),
            "log-random" => (true, true),
            _ if looks_like_one(text) => (false, false),
            _ => return None,
        };
        let body = if is_log || is_random { &text[word.len()..] } else { text };
        if body.trim().is_empty() {
            // A value with this name.
            return None;
        }
        let stream = is_random.then(|| RandomStream::new(seed, key, "sweep axis"));
        Some(Range::of(body.trim(), is_log, stream))
    }

    /// Reads `A..B [UNIT]/N`; with a stream, values are drawn from it.
    fn of(body: &str, is_log: bool, stream: Option<RandomStream>) -> Result<Range, String> {
        let shape = || {
            "write a range as FROM..TO/COUNT, such as `10..100/10` or `log 1..1000 km/7`".to_owned()
        };
        let (low, rest) = body.split_once("..").ok_or_else(shape)?;
        let (high, count) = rest.rsplit_once('/').ok_or_else(shape)?;
        let count: u64 =
            count.trim().replace('_', "").parse().map_err(|_| {
                format!("`{}` is not a number of values: {}", count.trim(), shape())
            })?;
        let high = high.trim();
        let end = number_end(high).ok_or_else(shape)?;
        let texts = [low.trim().to_owned(), high[..end].to_owned()];
        let unit = high[end..].trim().to_owned();
        let mut ends = [0.0; 2];
        for (end, text) in ends.iter_mut().zip(&texts) {
            if number_end(text) != Some(text.len()) {
                return Err(format!(
                    "`{text}` is not a number: write the unit once, after the end"
                ));
            }
            *end = text.replace('_', "").parse().map_err(|_| shape())?;
        }
        let is_whole = texts.iter().all(|text| !text.contains(['.', 'e', 'E']));
        let mut range = Range { ends, texts, unit, count, is_log, is_whole, draws: None };
        range.check(if stream.is_some() { 1 } else { 2 })?;
        if let Some(mut stream) = stream {
            range.draws = Some((0..count).map(|_| stream.unit()).collect());
        } else {
            range.differ()?;
        }
        Ok(range)
    }

    fn check(&self, least: u64) -> Result<(), String> {
        let [low, high] = self.ends;
        if self.count < least || self.count > MOST_POINTS {
            let count = self.count;
            return Err(format!("{count} values: a range has {least} to {MOST_POINTS}"));
        }
        if !(low.is_finite() && high.is_finite() && low < high) {
            return Err(format!("a range goes up: {low} is not below {high}"));
        }
        if self.is_log && low <= 0.0 {
            return Err(format!("ratios need ends above zero, not {low}"));
        }
        if self.is_whole && low.abs().max(high.abs()) > EXACT {
            return Err("whole numbers of a range are at most 2^53: list them instead".to_owned());
        }
        Ok(())
    }

    /// Refuses equal values. Values are in ascending order, so equal ones are neighbours.
    fn differ(&self) -> Result<(), String> {
        let mut before = self.value(0);
        for index in 1..self.count {
            let value = self.value(index);
            if value == before {
                let fractions = if self.is_whole {
                    format!(", or {}.0..{}.0 for fractions", self.texts[0], self.texts[1])
                } else {
                    String::new()
                };
                return Err(format!(
                    "of {} values from {} to {} several are {value}: give fewer{fractions}",
                    self.count, self.texts[0], self.texts[1]
                ));
            }
            before = value;
        }
        Ok(())
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn unit(&self) -> &str {
        &self.unit
    }

    pub(super) fn is_random(&self) -> bool {
        self.draws.is_some()
    }

    /// A value with its unit.
    pub(super) fn value(&self, index: u64) -> String {
        let number = match &self.draws {
            Some(draws) => self.text(self.drawn(draws[index as usize])),
            None if index == 0 => self.texts[0].clone(),
            None if index + 1 == self.count => self.texts[1].clone(),
            None => self.text(self.between(index as f64 / (self.count - 1) as f64)),
        };
        if self.unit.is_empty() { number } else { format!("{number} {}", self.unit) }
    }

    /// Eq. (1), (2) and (4): the value at a share of the range.
    fn between(&self, share: f64) -> f64 {
        let [low, high] = self.ends;
        if self.is_log {
            low * libm::exp(libm::log(high / low) * share)
        } else {
            low + (high - low) * share
        }
    }

    /// Eq. (3) and (4).
    fn drawn(&self, draw: f64) -> f64 {
        let [low, high] = self.ends;
        if self.is_whole && !self.is_log {
            return (low + ((high - low + 1.0) * draw).floor()).min(high);
        }
        self.between(draw)
    }

    /// The text of a number.
    fn text(&self, value: f64) -> String {
        if self.is_whole {
            return format!("{}", value.round() as i64);
        }
        let digits: f64 = format!("{value:.8e}").parse().unwrap_or(value);
        let text = format!("{digits}");
        // The type of a fraction is kept.
        if self.unit.is_empty() && !text.contains('.') { text + ".0" } else { text }
    }
}

/// Whether the text begins with a number, at most a unit, and two dots.
fn looks_like_one(text: &str) -> bool {
    let front = text.split_once("..").map_or("", |(front, _)| front);
    number_end(front).is_some() && !front.contains([',', '"', '\'', '[', '{'])
}

/// The end of the number that a text begins with; `None`: it does not begin with a number.
pub(super) fn number_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let is_digit = |byte: &&u8| byte.is_ascii_digit() || **byte == b'_';
        from + bytes[from.min(bytes.len())..].iter().take_while(is_digit).count()
    };
    let start = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let mut end = digits(start);
    if end == start {
        return None;
    }
    // The first of two dots is not a decimal point.
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    Some(end)
}
