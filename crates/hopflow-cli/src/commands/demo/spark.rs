//! Sparklines: a curve as one line of blocks.

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// `values` in at most `columns` blocks, each the mean of its part; a full block is `most` or more.
/// No more blocks than values are drawn.
pub(super) fn line(values: &[f64], most: f64, columns: usize) -> String {
    let columns = columns.clamp(1, values.len().max(1));
    let part = |column: usize| {
        let (from, to) = (column * values.len() / columns, (column + 1) * values.len() / columns);
        values.get(from..to).unwrap_or_default()
    };
    (0..columns).map(part).filter(|part| !part.is_empty()).map(|part| block(part, most)).collect()
}

fn block(part: &[f64], most: f64) -> char {
    let mean = part.iter().sum::<f64>() / part.len() as f64;
    let last = BLOCKS.len() - 1;
    // A block for each eighth of `most`; what is not positive is the lowest.
    let level = (mean / most * BLOCKS.len() as f64).clamp(0.0, last as f64);
    BLOCKS[level as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: eighths of the most have a block each; parts are means; nothing is drawn twice.
    #[test]
    fn a_curve_is_drawn_in_eighths() {
        let steps: Vec<f64> = (0..8).map(|step| f64::from(step) / 8.0).collect();
        assert_eq!(line(&steps, 1.0, 8), "▁▂▃▄▅▆▇█");
        assert_eq!(line(&steps, 1.0, 4), "▁▃▅▇");
        assert_eq!(line(&[2.0, 0.0], 1.0, 10), "█▁");
        assert_eq!(line(&[], 1.0, 10), "");
    }
}
