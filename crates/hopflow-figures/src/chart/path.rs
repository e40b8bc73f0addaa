//! Coordinates as text: tenths of a unit, the same digits on every machine.

/// A coordinate in tenths of a unit of the picture, clamped far outside of it.
pub(super) fn tenths(units: f64) -> i32 {
    // NaN does not occur: points that are not finite are left out.
    (units * 10.0).round().clamp(-1e6, 1e6) as i32
}

/// Tenths of a unit as units: `125` is `12.5`.
pub(super) fn units(tenths: i32) -> String {
    let (sign, size) = if tenths < 0 { ("-", tenths.unsigned_abs()) } else { ("", tenths as u32) };
    match (size / 10, size % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, rest) => format!("{sign}.{rest}"),
        (whole, rest) => format!("{sign}{whole}.{rest}"),
    }
}

/// An SVG path in relative moves. Moves along one horizontal or vertical line are merged.
pub(super) fn path_text(path: impl IntoIterator<Item = (i32, i32)>) -> String {
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

fn push_move(text: &mut String, step: (i32, i32)) {
    match step {
        (0, 0) => {}
        (dx, 0) => put!(text, "h{}", units(dx)),
        (0, dy) => put!(text, "v{}", units(dy)),
        (dx, dy) => {
            let gap = if dy < 0 { "" } else { " " };
            put!(text, "l{}{gap}{}", units(dx), units(dy));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a corner is one move, moves in one direction are merged, a reversal is not.
    #[test]
    fn straight_runs_join_up() {
        assert_eq!(
            path_text([(0, 0), (10, 0), (25, 0), (25, -5), (24, -6)]),
            "M0 0h2.5v-.5l-.1-.1"
        );
        assert_eq!(path_text([(0, 5), (10, 5), (4, 5)]), "M0 .5h1h-.6");
        assert_eq!(path_text([]), "");
        assert_eq!([tenths(1.26), tenths(-0.04), tenths(1e300)], [13, 0, 1_000_000]);
    }
}
