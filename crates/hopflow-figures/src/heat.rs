//! Heat map: a value for each pair of two quantities, as a grid of coloured squares.
//!
//! ```text
//! step = 1 + floor(5 (value - least) / (greatest - least)),  at most 5                    (1)
//! ```
//! Colours are the classes `hot1` (least) to `hot5` (greatest) of the style sheet, which defines
//! them for light, dark and print; a square without a value is `hot0`. Columns and rows are at
//! equal distances for any values, because the values of a sweep often grow by ratios. The number
//! of each square is in its title, and in a table beside the picture, so that no value is a colour
//! only. A map is drawn twice, for a page and for a phone, where its letters keep their size; the
//! style sheet shows one. That of a phone has no titles, which need a pointer: the squares of a
//! colour are one path.

use crate::chart::span;
use crate::escape;

/// Steps of colour.
const STEPS: usize = 5;
/// The room above the squares: the title, and the quantity of the rows.
const TOP: usize = 46;
/// The width of a letter of the scale.
const LETTER: usize = 8;
/// The places of the scale whose values a phone has room for.
const FEW: [usize; 3] = [0, 2, STEPS];
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
}

/// The room of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    /// Half of a page, beside another picture.
    Page,
    /// A phone.
    Phone,
}

impl Room {
    /// The most width of all squares.
    const fn squares(self) -> usize {
        match self {
            Room::Page => 470,
            Room::Phone => 300,
        }
    }

    /// The class of the picture.
    const fn class(self) -> &'static str {
        match self {
            Room::Page => "wide",
            Room::Phone => "narrow",
        }
    }
}

impl HeatMap {
    /// The least and the greatest value.
    pub fn range(&self) -> Option<(f64, f64)> {
        span(self.values.iter().flatten().copied())
    }

    /// The step of a value, 1 to 5; 0 without a value. Eq. (1).
    fn step(&self, value: Option<f64>) -> usize {
        let value = value.filter(|value| value.is_finite());
        let Some(((low, high), value)) = self.scale.or_else(|| self.range()).zip(value) else {
            return 0;
        };
        if low >= high {
            return 1;
        }
        let share = ((value - low) / (high - low)).max(0.0);
        1 + ((share * STEPS as f64) as usize).min(STEPS - 1)
    }

    /// The map as two SVG pictures, for a page and for a phone; `texts` formats values in their
    /// unit, so that different values have different texts.
    pub fn pictures(&self, texts: impl Fn(&[f64]) -> Vec<String>) -> String {
        self.picture(Room::Page, &texts) + &self.picture(Room::Phone, &texts)
    }

    fn picture(&self, room: Room, texts: &impl Fn(&[f64]) -> Vec<String>) -> String {
        let scale = self.legend_texts(texts);
        let (columns, rows) = (self.columns.len().max(1), self.rows.len().max(1));
        let (wide, high) = ((room.squares() / columns).clamp(6, 90), (420 / rows).clamp(6, 34));
        let longest = self.rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let left = 40 + 8 * longest.min(24);
        let (right, bottom) = (left + wide * columns, TOP + high * rows);
        let longest = scale.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        // The scale is as wide as the map, if its numbers fit.
        let last = LETTER * longest + 10;
        let least = if room == Room::Phone { last.div_ceil(2) } else { last };
        let step = least.max((wide * columns).saturating_sub(last) / STEPS);
        let legend = step * STEPS + last;
        let mut out = format!(
            "<svg class=\"chart heatmap {}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
            room.class(),
            right.max(left + legend) + if room == Room::Phone { 4 } else { 20 },
            bottom + 92,
            escape(&self.title)
        );
        self.squares(&mut out, room, [left, bottom], [wide, high], texts);
        put!(out, "<text class=\"head\" x=\"2\" y=\"15\">{}</text>", escape(&self.title));
        self.axes(&mut out, [left, bottom], [wide, high]);
        legend_of(&mut out, room, [left, bottom], step, &scale);
        out + "</svg>"
    }

    /// The squares, and their numbers where there is room.
    fn squares(
        &self,
        out: &mut String,
        room: Room,
        [left, bottom]: [usize; 2],
        [wide, high]: [usize; 2],
        texts: &impl Fn(&[f64]) -> Vec<String>,
    ) {
        let text = |value: f64| texts(&[value]).concat();
        let columns = self.columns.len().max(1);
        let numbered = self.values.len() <= MOST_NUMBERS && wide >= 56 && high >= 16;
        let mut paths = vec![String::new(); STEPS + 1];
        for (index, value) in self.values.iter().enumerate() {
            let (column, row) = (index % columns, index / columns);
            let (x, y) = (left + wide * column, bottom - high * (row + 1));
            let number = escape(&value.map_or_else(|| "no value".to_owned(), &text));
            let of = |texts: &[String], place: usize| {
                texts.get(place).map(|text| escape(text)).unwrap_or_default()
            };
            let step = self.step(*value);
            if room == Room::Phone {
                put!(paths[step], "M{x} {y}h{wide}v{high}h-{wide}z");
            } else {
                put!(
                    out,
                    "<rect class=\"hot{step}\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" \
                     height=\"{high}\"><title>{} {}, {} {}: {number}</title></rect>",
                    escape(&self.x),
                    of(&self.columns, column),
                    escape(&self.y),
                    of(&self.rows, row)
                );
            }
        }
        for (step, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            put!(out, "<path class=\"hot{step}\" d=\"{path}\"/>");
        }
        for (index, value) in self.values.iter().enumerate().filter(|_| numbered) {
            let Some(value) = value else { continue };
            let (x, y) = (left + wide * (index % columns), bottom - high * (index / columns + 1));
            put!(
                out,
                "<text class=\"on on{}\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                self.step(Some(*value)),
                x + wide / 2,
                y + high / 2 + 4,
                escape(&text(*value))
            );
        }
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
            "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text class=\"label\" x=\"2\" y=\"{}\">{}</text>",
            left + wide * self.columns.len() / 2,
            bottom + 36,
            escape(&self.x),
            TOP - 8,
            escape(&self.y)
        );
    }

    /// The texts of the scale, from the least value to the greatest.
    fn legend_texts(&self, texts: &impl Fn(&[f64]) -> Vec<String>) -> Vec<String> {
        let Some((low, high)) = self.scale.or_else(|| self.range()) else { return Vec::new() };
        let bound = |step: usize| low + (high - low) * step as f64 / STEPS as f64;
        let bounds: Vec<f64> = (0..STEPS).map(bound).chain([high]).collect();
        texts(&bounds)
    }
}

/// The colours, and the values between them.
fn legend_of(
    out: &mut String,
    room: Room,
    [left, bottom]: [usize; 2],
    wide: usize,
    texts: &[String],
) {
    let below = bottom + 78;
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
        if room != Room::Phone || FEW.contains(&step) {
            put!(out, "<text class=\"tick\" x=\"{x}\" y=\"{below}\">{}</text>", escape(text));
        }
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

    /// Claim: a map has its measure above it, the quantity of the rows above them and that of the
    /// columns below them, and a scale.
    #[test]
    fn a_map_names_its_measure_and_its_axes() {
        let svg = map([Some(1.0), Some(2.0), None, Some(1.5), Some(1.0), Some(2.0)].into())
            .picture(Room::Page, &in_ps);
        assert_eq!(svg.matches("class=\"hot5\"").count(), 3, "two squares and the scale");
        assert!(svg.contains(">1.2 ps</text>") && svg.contains(">1.8 ps</text>"), "{svg}");
        let y_of = |text: &str| -> usize {
            let before = &svg[..svg.find(&format!(">{text}</text>")).unwrap()];
            let y = before.rsplit(" y=\"").next().unwrap();
            y.split('"').next().unwrap().parse().unwrap()
        };
        let [head, rows, upper, columns] = ["A &lt;map&gt;", "delay (us)", "2", "n3"].map(y_of);
        assert!(head < rows && rows < upper && upper < columns, "{svg}");
    }

    /// Claim: each square is drawn once with its column, row and value, the second row above the
    /// first; text is escaped; only classes set colours.
    #[test]
    fn a_picture_has_every_square() {
        let map = map((0..6).map(|value| (value != 4).then_some(f64::from(value))).collect());
        let svg = map.picture(Room::Page, &in_ps);
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

    /// Claim: a phone has a map of its own, at most 390 wide, with each square once in the path of
    /// its colour and the ends of the scale; that of a page has letters of the same size.
    #[test]
    fn a_phone_has_a_map_of_its_own() {
        let texts = |name: &str| (1..=20).map(|n| format!("{n}{name}")).collect::<Vec<_>>();
        let values = (0..400).map(|value| Some(f64::from(value))).collect();
        let map = HeatMap { columns: texts("0"), rows: texts(""), ..map(values) };
        let rounded =
            |values: &[f64]| values.iter().map(|value| format!("{value:.0} ps")).collect();
        let both = map.pictures(rounded);
        let (page, phone) = both.split_at(both.rfind("<svg").unwrap());
        let width = |svg: &str| -> usize {
            let sizes = svg.split("viewBox=\"0 0 ").nth(1).unwrap();
            sizes.split(' ').next().unwrap().parse().unwrap()
        };
        assert!(phone.starts_with("<svg class=\"chart heatmap narrow\"") && width(phone) < 390);
        assert!(page.starts_with("<svg class=\"chart heatmap wide\"") && width(page) < 620);
        assert_eq!((phone.matches("<title>").count(), page.matches("<title>").count()), (0, 400));
        let squares =
            phone.split("<path class=\"hot").skip(1).map(|path| path.matches('M').count());
        assert_eq!(squares.collect::<Vec<_>>(), [80; 5]);
        for end in [">0 ps<", ">399 ps<"] {
            assert!(phone.contains(end) && page.contains(end), "{end}");
        }
    }
}
