//! Heat map: a value for each pair of two quantities, as a grid of coloured squares.
//!
//! ```text
//! step = 1 + floor(5 (value - least) / (greatest - least)),  at most 5                    (1)
//! ```
//! Colours are the classes `hot1` (least) to `hot5` (greatest) of the style sheet, which defines
//! them for light, dark and print; a square without a value is `hot0`. Columns and rows are at
//! equal distances for any values, because the values of a sweep often grow by ratios. The number
//! of each square is in its title, and in a table beside the picture, so that no value is a colour
//! only. Where the differences between values mean nothing, the map has one colour, the first, and
//! one sentence instead of the scale.

use crate::chart::span;
use crate::escape;

/// Steps of colour.
const STEPS: usize = 5;
/// The width of a letter of the scale.
const LETTER: usize = 8;
/// The most squares of a map whose numbers are drawn.
const MOST_NUMBERS: usize = 150;

/// A value for each pair of two quantities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// The measured quantity, in a few words.
    pub title: String,
    /// The quantity of the columns, with its unit.
    pub x: String,
    /// The texts of the columns.
    pub columns: Vec<String>,
    /// The quantity of the rows, with its unit.
    pub y: String,
    /// The texts of the rows, from the bottom up.
    pub rows: Vec<String>,
    /// The value of each square, row by row; `None`: without a value.
    pub values: Vec<Option<f64>>,
    /// The range of the colours, so that several maps can be compared. `None`: that of this map.
    pub scale: Option<(f64, f64)>,
    /// The sentence of a map of one colour. `None`: the values have colours.
    pub flat: Option<String>,
}

impl HeatMap {
    /// The least and the greatest value.
    pub fn range(&self) -> Option<(f64, f64)> {
        span(self.values.iter().flatten().copied())
    }

    /// The step of a value, 1 to 5; 0 without a value. Eq. (1).
    fn step(&self, value: Option<f64>) -> usize {
        let value = value.filter(|value| value.is_finite());
        if self.flat.is_some() {
            return usize::from(value.is_some());
        }
        let Some(((low, high), value)) = self.scale.or_else(|| self.range()).zip(value) else {
            return 0;
        };
        if low >= high {
            return 1;
        }
        let share = ((value - low) / (high - low)).max(0.0);
        1 + ((share * STEPS as f64) as usize).min(STEPS - 1)
    }

    /// The map as an SVG picture; `texts` formats values in their unit, so that different values
    /// have different texts.
    pub fn picture(&self, texts: impl Fn(&[f64]) -> Vec<String>) -> String {
        let text = |value: f64| texts(&[value]).concat();
        let scale = self.legend_texts(&texts);
        let (columns, rows) = (self.columns.len().max(1), self.rows.len().max(1));
        let (wide, high) = ((900 / columns).clamp(6, 90), (420 / rows).clamp(6, 34));
        let longest = self.rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let left = 40 + 8 * longest.min(24);
        let (right, bottom) = (left + wide * columns, 10 + high * rows);
        let numbered = self.values.len() <= MOST_NUMBERS && wide >= 56 && high >= 16;
        let longest = scale.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        // The scale is as wide as the map, if its numbers fit.
        let step = (LETTER * longest + 10).max(wide * columns / (STEPS + 1));
        let legend = if self.flat.is_some() { LETTER * longest } else { step * (STEPS + 1) };
        let mut out = format!(
            "<svg class=\"chart heatmap\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
            right.max(left + legend) + 20,
            bottom + 92,
            escape(&self.title)
        );
        for (index, value) in self.values.iter().enumerate() {
            let (column, row) = (index % columns, index / columns);
            let (x, y) = (left + wide * column, bottom - high * (row + 1));
            let number = escape(&value.map_or_else(|| "no value".to_owned(), &text));
            let of = |texts: &[String], place: usize| {
                texts.get(place).map(|text| escape(text)).unwrap_or_default()
            };
            let step = self.step(*value);
            put!(
                out,
                "<rect class=\"hot{step}\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" \
                 height=\"{high}\"><title>{} {}, {} {}: {number}</title></rect>",
                escape(&self.x),
                of(&self.columns, column),
                escape(&self.y),
                of(&self.rows, row)
            );
            if numbered && value.is_some() {
                let (x, y) = (x + wide / 2, y + high / 2 + 4);
                put!(
                    out,
                    "<text class=\"on on{step}\" x=\"{x}\" y=\"{y}\" \
                     text-anchor=\"middle\">{number}</text>"
                );
            }
        }
        self.axes(&mut out, [left, bottom], [wide, high]);
        legend_of(&mut out, [left, bottom], step, &scale);
        out + "</svg>"
    }

    /// The texts of columns and rows; those that do not fit are left out.
    fn axes(&self, out: &mut String, [left, bottom]: [usize; 2], [wide, high]: [usize; 2]) {
        let longest = self.columns.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let every = (8 * longest + 10).div_ceil(wide).max(1);
        for (index, text) in self.columns.iter().enumerate().step_by(every) {
            put!(
                out,
                "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                left + wide * index + wide / 2,
                bottom + 16,
                escape(text)
            );
        }
        for (index, text) in self.rows.iter().enumerate().step_by(14_usize.div_ceil(high)) {
            put!(
                out,
                "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                left - 6,
                bottom - high * index - high / 2 + 4,
                escape(text)
            );
        }
        put!(
            out,
            "<text class=\"label\" x=\"{left}\" y=\"{}\">{} (across), {} (upwards)</text>",
            bottom + 38,
            escape(&self.x),
            escape(&self.y)
        );
    }

    /// The texts of the scale, from the least value to the greatest; one sentence for a map of one
    /// colour.
    fn legend_texts(&self, texts: impl Fn(&[f64]) -> Vec<String>) -> Vec<String> {
        if let Some(flat) = &self.flat {
            return vec![flat.clone()];
        }
        let Some((low, high)) = self.scale.or_else(|| self.range()) else { return Vec::new() };
        let bound = |step: usize| low + (high - low) * step as f64 / STEPS as f64;
        let bounds: Vec<f64> = (0..STEPS).map(bound).chain([high]).collect();
        texts(&bounds)
    }
}

/// The colours, and the values between them; or the sentence.
fn legend_of(out: &mut String, [left, bottom]: [usize; 2], wide: usize, texts: &[String]) {
    let below = bottom + 78;
    if let [sentence] = texts {
        put!(
            out,
            "<text class=\"tick\" x=\"{left}\" y=\"{}\">{}</text>",
            bottom + 60,
            escape(sentence)
        );
        return;
    }
    for (step, text) in texts.iter().enumerate() {
        let x = left + wide * step;
        if step < STEPS {
            put!(
                out,
                "<rect class=\"hot{}\" x=\"{x}\" y=\"{}\" width=\"{wide}\" height=\"12\"/>",
                step + 1,
                bottom + 50
            );
        }
        put!(out, "<text class=\"tick\" x=\"{x}\" y=\"{below}\">{}</text>", escape(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(values: Vec<Option<f64>>) -> HeatMap {
        let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect();
        HeatMap {
            title: "A <map>".to_owned(),
            x: "n3".to_owned(),
            columns: texts(&["10", "20", "30"]),
            y: "delay (us)".to_owned(),
            rows: texts(&["1", "2"]),
            values,
            scale: None,
            flat: None,
        }
    }

    fn in_ps(values: &[f64]) -> Vec<String> {
        values.iter().map(|value| format!("{value} ps")).collect()
    }

    /// Claim, by hand: each fifth of the range 0 to 10 has a colour, both ends included. A square
    /// without a value has step 0, and equal values have the first.
    #[test]
    fn fifths_of_the_range_have_a_colour_each() {
        let map = map([Some(0.0), Some(1.9), Some(2.1), Some(9.9), Some(10.0), None].into());
        let steps: Vec<usize> = map.values.iter().map(|value| map.step(*value)).collect();
        assert_eq!(steps, [1, 1, 2, 5, 5, 0]);
        let flat = HeatMap { values: vec![Some(3.0); 6], ..map.clone() };
        assert_eq!((flat.step(Some(3.0)), flat.range()), (1, Some((3.0, 3.0))));
        let wider = HeatMap { scale: Some((0.0, 20.0)), ..map.clone() };
        let steps: Vec<usize> = wider.values.iter().map(|value| wider.step(*value)).collect();
        assert_eq!(steps, [1, 1, 1, 3, 3, 0]);
        assert_eq!(HeatMap { values: vec![None; 6], ..map }.range(), None);
    }

    /// Claim: a map of one colour has it at every square with a value, and a sentence instead of
    /// the scale.
    #[test]
    fn a_flat_map_has_one_colour_and_a_sentence() {
        let values = [Some(1.0), Some(2.0), None, Some(1.5), Some(1.0), Some(2.0)];
        let flat = Some("1.5 ps everywhere.".to_owned());
        let svg = HeatMap { flat, ..map(values.into()) }.picture(in_ps);
        let count = |class: &str| svg.matches(&format!("class=\"{class}\"")).count();
        assert_eq!((count("hot0"), count("hot1"), count("hot2"), count("hot5")), (1, 5, 0, 0));
        assert!(svg.contains("1.5 ps everywhere."), "{svg}");
        let steps = map(values.into()).picture(in_ps);
        assert_eq!(steps.matches("class=\"hot5\"").count(), 3, "two squares and the scale");
        assert!(steps.contains(">1.2 ps</text>") && steps.contains(">1.8 ps</text>"), "{steps}");
    }

    /// Claim: each square is drawn once with its column, row and value, the second row above the
    /// first; text is escaped; only classes set colours.
    #[test]
    fn a_picture_has_every_square() {
        let map = map((0..6).map(|value| (value != 4).then_some(f64::from(value))).collect());
        let svg = map.picture(in_ps);
        assert_eq!(svg.matches("<title>").count(), 6);
        assert!(
            svg.contains("n3 30, delay (us) 1: 2 ps") && svg.contains("A &lt;map&gt;"),
            "{svg}"
        );
        assert!(svg.contains("n3 20, delay (us) 2: no value"), "{svg}");
        let y_of = |title: &str| -> usize {
            let square = &svg[..svg.find(title).unwrap()];
            let y = square.rsplit("y=\"").next().unwrap();
            y.split('"').next().unwrap().parse().unwrap()
        };
        assert!(y_of("n3 10, delay (us) 2") < y_of("n3 10, delay (us) 1"));
        assert!(!svg.contains("fill=") && !svg.contains("style="));
    }
}
