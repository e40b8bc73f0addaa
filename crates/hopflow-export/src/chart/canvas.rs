//! The canvas `plotters` draws on: SVG elements whose colours are CSS classes.
//!
//! `plotters` passes colours as RGB; here a colour is only the number of a [`Role`], and the style
//! sheet of the page says what it looks like in light, dark and print. Lengths come in tenths of
//! a unit of the picture, because `plotters` counts whole pixels.

use std::fmt::Write;

use plotters::prelude::*;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind, FontTransform,
};

/// Pixels of `plotters` per unit of the picture.
pub(crate) const FINE: u32 = 10;

/// What an element is; becomes its CSS class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A series of the n-th look, stroked.
    Series(usize),
    /// A series of the n-th look, filled.
    Fill(usize),
    /// A series of the n-th look, dotted.
    Dot(usize),
    /// A shaded range.
    Band,
    /// A reference line.
    Mark,
    /// Lines of the mesh.
    Grid,
    /// The axes.
    Axis,
    /// Numbers at the axes.
    Tick,
    /// Titles of the axes.
    Label,
}

impl Role {
    pub(crate) fn color(self) -> RGBColor {
        match self {
            Role::Series(index) => RGBColor(1, 0, index as u8),
            Role::Fill(index) => RGBColor(2, 0, index as u8),
            Role::Dot(index) => RGBColor(9, 0, index as u8),
            Role::Band => RGBColor(3, 0, 0),
            Role::Mark => RGBColor(4, 0, 0),
            Role::Grid => RGBColor(5, 0, 0),
            Role::Axis => RGBColor(6, 0, 0),
            Role::Tick => RGBColor(7, 0, 0),
            Role::Label => RGBColor(8, 0, 0),
        }
    }
}

fn class(color: BackendColor) -> String {
    match color.rgb {
        (1, _, index) => format!("s s{index}"),
        (2, _, index) => format!("f s{index}"),
        (9, _, index) => format!("d s{index}"),
        (3, ..) => "band".to_owned(),
        (4, ..) => "mark".to_owned(),
        (5, ..) => "grid".to_owned(),
        (6, ..) => "axis".to_owned(),
        (7, ..) => "tick".to_owned(),
        _ => "label".to_owned(),
    }
}

/// Collects SVG elements.
pub(crate) struct Canvas<'a> {
    out: &'a mut String,
    size: (u32, u32),
}

impl<'a> Canvas<'a> {
    /// A canvas of `size` units whose elements are appended to `out`.
    pub(crate) fn new(out: &'a mut String, size: (u32, u32)) -> Canvas<'a> {
        Canvas { out, size: (size.0 * FINE, size.1 * FINE) }
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) -> Result<(), Failure> {
        self.out.write_fmt(element).map_err(DrawingErrorKind::DrawingError)
    }
}

type Failure = DrawingErrorKind<std::fmt::Error>;

/// Tenths of a unit as units: `125` is `12.5`.
pub(crate) fn units(fine: i32) -> String {
    let (sign, size) = if fine < 0 { ("-", fine.unsigned_abs()) } else { ("", fine as u32) };
    match (size / FINE, size % FINE) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, rest) => format!("{sign}.{rest}"),
        (whole, rest) => format!("{sign}{whole}.{rest}"),
    }
}

/// An SVG path in relative moves. Points on a straight horizontal or vertical run join up.
pub(crate) fn path_text(path: impl IntoIterator<Item = BackendCoord>) -> String {
    let mut points = path.into_iter();
    let Some(start) = points.next() else {
        return String::new();
    };
    let mut text = format!("M{} {}", units(start.0), units(start.1));
    let (mut at, mut run) = (start, (0_i32, 0_i32));
    for point in points {
        let step: (i32, i32) = (point.0 - at.0, point.1 - at.1);
        let flat = step.1 == 0 && run.1 == 0 && step.0.signum() * run.0.signum() >= 0;
        let upright = step.0 == 0 && run.0 == 0 && step.1.signum() * run.1.signum() >= 0;
        if flat || upright {
            run = (run.0 + step.0, run.1 + step.1);
        } else {
            push_move(&mut text, run);
            run = step;
        }
        at = point;
    }
    push_move(&mut text, run);
    text
}

fn put(text: &mut String, element: std::fmt::Arguments<'_>) {
    text.write_fmt(element).expect("a string takes all that is written");
}

fn push_move(text: &mut String, step: (i32, i32)) {
    match step {
        (0, 0) => {}
        (dx, 0) => put(text, format_args!("h{}", units(dx))),
        (0, dy) => put(text, format_args!("v{}", units(dy))),
        (dx, dy) => {
            let gap = if dy < 0 { "" } else { " " };
            put(text, format_args!("l{}{gap}{}", units(dx), units(dy)));
        }
    }
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = std::fmt::Error;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, color: BackendColor) -> Result<(), Failure> {
        let (x, y) = (units(at.0), units(at.1));
        self.put(format_args!("<path class=\"{}\" d=\"M{x} {y}h.1\"/>", class(color)))
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Result<(), Failure> {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Result<(), Failure> {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        let text = path_text(path);
        self.put(format_args!("<path class=\"{}\" d=\"{text}\"/>", class(style.color())))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        _fill: bool,
    ) -> Result<(), Failure> {
        let (x, y) = (from.0.min(to.0), from.1.min(to.1));
        let (w, h) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        self.put(format_args!(
            "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            class(style.color()),
            units(x),
            units(y),
            units(w),
            units(h)
        ))
    }

    /// A dot is a stroke of no length with round ends: it stays round whatever is scaled, and many
    /// dots make one short path.
    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        _radius: u32,
        style: &S,
        _fill: bool,
    ) -> Result<(), Failure> {
        let (x, y) = (units(center.0), units(center.1));
        self.put(format_args!("<path class=\"{}\" d=\"M{x} {y}h0\"/>", class(style.color())))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Result<(), Failure> {
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        let drop = match style.anchor().v_pos {
            VPos::Top => ".75em",
            VPos::Center => ".33em",
            VPos::Bottom => "-.2em",
        };
        let (x, y) = (units(at.0), units(at.1));
        let turn = match style.transform() {
            FontTransform::None => String::new(),
            FontTransform::Rotate90 => format!(" transform=\"rotate(90 {x} {y})\""),
            FontTransform::Rotate180 => format!(" transform=\"rotate(180 {x} {y})\""),
            FontTransform::Rotate270 => format!(" transform=\"rotate(270 {x} {y})\""),
        };
        self.put(format_args!(
            "<text class=\"{}\" x=\"{x}\" y=\"{y}\" dy=\"{drop}\" text-anchor=\"{anchor}\"{turn}>\
             {}</text>",
            class(style.color()),
            crate::report::escape(text)
        ))
    }
}
