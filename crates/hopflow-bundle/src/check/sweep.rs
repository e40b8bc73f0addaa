//! Check of a sweep: its rows are repeated, and its files are made again from them.

use hopflow_sweep::{Row, Shape, Span, again, lacking};

use super::{Checked, Unlike, files, not_cancelled, spread};
use crate::sweep::{ROWS, SERIES, made_again, opened};
use crate::unpacked::Unpacked;
use crate::{Bundle, BundleError, CheckOptions, Progress};

pub(super) fn check(
    bundle: &Bundle,
    unpacked: &Unpacked,
    options: &CheckOptions,
    progress: Option<&Progress>,
) -> Result<Checked, BundleError> {
    let (plan, rows) = opened(unpacked)?;
    let one = |row: &Row| {
        let made = again(&plan, row.point, row.replicate, &options.cancel);
        not_cancelled(&options.cancel)?;
        Ok(Vec::from_iter(unlike_row(plan.shape(), row, made.as_ref())))
    };
    let mut checked = spread(&rows, options, progress, &one)?;
    let points = lacking(&unpacked.folder().join("results"), plan.shape())?;
    if points > 0 {
        checked.unlike.push(Unlike {
            run: None,
            file: Some(format!("results/{ROWS}")),
            what: "points without all of their runs".to_owned(),
            bundled: points.to_string(),
            found: "0".to_owned(),
        });
    }
    let made = made_again(&plan, rows, unpacked)?;
    checked.unlike.extend(files::unlike(bundle, unpacked, &made)?);
    Ok(checked)
}

fn unlike_row(shape: &Shape, row: &Row, made: Option<&Row>) -> Option<Unlike> {
    let run = Some(format!("point {}, seed {}", row.point, row.seed));
    let line = |row: &Row| row.clone().bare().line().trim_end().to_owned();
    let found = made.map_or_else(|| "nothing".to_owned(), line);
    let bundled = line(row);
    if bundled != found {
        let (file, what) = (Some(format!("results/{ROWS}")), "the row".to_owned());
        return Some(Unlike { run, file, what, bundled, found });
    }
    let of = |row: &Row| row.outcome.series().to_vec();
    let (bundled, found) = (of(row), made.map(of).unwrap_or_default());
    let differs = |place: &usize| bundled.get(*place) != found.get(*place);
    let place = (0..shape.series().len()).find(differs)?;
    let of = |all: &[Box<[Span]>]| all.get(place).cloned().unwrap_or_default();
    let [bundled, found] = [of(&bundled), of(&found)];
    let both = bundled.iter().zip(&*found);
    let first = both.take_while(|(one, other)| one == other).count();
    let in_words = |spans: &[Span]| match spans.get(first) {
        Some(Span { from_ps, to_ps, value }) => format!("{value} from {from_ps} to {to_ps} ps"),
        None => format!("no value after the first {first}"),
    };
    let what = format!("the series `{}`", shape.series()[place].name);
    let file = Some(format!("results/{SERIES}"));
    Some(Unlike { run, file, what, bundled: in_words(&bundled), found: in_words(&found) })
}
