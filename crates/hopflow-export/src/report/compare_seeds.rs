//! The report of a comparison under several seeds: every measure with its interval, and the paired
//! difference to the first control.

use hopflow::compare::{ControlEstimate, SeedsComparison};
use hopflow::units::Picos;

use super::parts::{ROWS, broken_properties, dash, of_seeds, tables_dictionary};
use super::seeds::{value_text, words};
use super::{Block, Cell, Column, Page, Section, Table};
use crate::parquet::COMPARE_SEEDS_TABLES;

/// The report page of a comparison under several seeds.
pub fn compare_seeds_page(result: &SeedsComparison) -> Page {
    let manifest = &result.manifest;
    let mut blocks = vec![Block::Table(estimates(result))];
    blocks.extend(result.notes.iter().map(|note| Block::Note(note.to_string())));
    let mut sections = vec![Section::new("controls", "Controls", blocks)];
    sections.splice(0..0, broken_properties(Vec::new(), broken(result)));
    let text = "Beside this page: `manifest.json` says what was compared, `summary.json` holds \
                every estimate, `seed-N.json` the comparison of each seed, and these Parquet files \
                hold all of it.";
    let data = tables_dictionary(text, &COMPARE_SEEDS_TABLES);
    sections.push(Section::new("data", "Data dictionary", data));
    Page {
        title: manifest.title.clone().unwrap_or_else(|| "Controls compared".to_owned()),
        subtitle: subtitle(result),
        facts: vec![
            ("controls".to_owned(), manifest.controls.len().to_string()),
            ("seeds".to_owned(), manifest.seeds.join(", ")),
            ("digest".to_owned(), format!("`{}`", manifest.digest)),
        ],
        sections,
        footer: format!("Written by hopflow {}.", manifest.version),
    }
}

fn subtitle(result: &SeedsComparison) -> String {
    let manifest = &result.manifest;
    let [duration, warm_up] = [manifest.duration_ps, manifest.warm_up_ps].map(Picos);
    format!(
        "The same network and traffic under each control and each of {} seeds, {}",
        result.seeds.len(),
        of_seeds(duration, warm_up, result.complete)
    )
}

/// Each broken property, with the control and the seed of its run.
fn broken(result: &SeedsComparison) -> Vec<String> {
    let mut sentences = Vec::new();
    for seed in &result.seeds {
        for one in seed.runs.iter().map(|run| &run.measures) {
            let of = |text: &String| {
                format!("Under `{}` with seed {}: {text}", one.control, seed.manifest.seed)
            };
            sentences.extend(one.violations.iter().map(of));
        }
    }
    sentences
}

fn estimates(result: &SeedsComparison) -> Table {
    let first = result.manifest.controls.first().map_or("", String::as_str);
    let mut columns = vec![Column::text("quantity"), Column::text("control")];
    let less = format!("less {first}");
    let heads = ["mean", "\u{b1}", &less, "\u{b1}"];
    columns.extend(heads.map(|head| Column::number(head.to_owned(), "")));
    columns.push(Column::text("differs"));
    Table {
        columns,
        rows: result.estimates.iter().take(ROWS).map(row).collect(),
        note: format!(
            "Differences are paired: each seed gives the same network and traffic to all controls. \
             A control differs from `{first}` if the 95 % interval of the difference leaves zero \
             out. The intervals are not corrected for how many of them there are."
        ),
        ..Table::default()
    }
}

fn row(row: &ControlEstimate) -> Vec<Cell> {
    let text = |value: Option<f64>| {
        Cell::Text(value.map_or_else(dash, |value| value_text(&row.quantity, value)))
    };
    let less = row.difference.map(|difference| difference.estimate);
    let differs = match row.difference.and_then(|difference| difference.differs) {
        None => dash(),
        Some(true) => "yes".to_owned(),
        Some(false) => "no".to_owned(),
    };
    vec![
        Cell::Text(words(&row.quantity)),
        Cell::Code(row.control.clone()),
        text(Some(row.estimate.mean)),
        text(row.estimate.half_width),
        text(less.map(|less| less.mean)),
        text(less.and_then(|less| less.half_width)),
        Cell::Text(differs),
    ]
}
