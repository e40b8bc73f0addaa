//! The report of several seeds: every quantity with its confidence interval.

use hopflow::SeedsResult;
use hopflow::record::{Quantities, Subject};
use hopflow::units::Picos;
use hopflow_figures::{more_digits, rate_unit, time_unit};

use super::parts::{ROWS, broken_properties, dash, left_out, of_seeds, tables_dictionary};
use super::{Block, Cell, Column, Page, Section, Table};
use crate::chart::plain_number;
use crate::parquet::SEED_TABLES;

/// The report page of several seeds.
pub fn seeds_page(result: &SeedsResult) -> Page {
    let parts = [
        (Subject::Vc, "vcs", "VCs"),
        (Subject::Link, "links", "Links"),
        (Subject::Queue, "queues", "Queues of ports"),
        (Subject::Run, "run", "The whole run"),
    ];
    let mut sections: Vec<Section> = parts
        .into_iter()
        .map(|(of, id, title)| (id, title, table(result, of)))
        .filter(|(id, _, table)| *id != "run" || !table.rows.is_empty())
        .map(|(id, title, table)| Section::new(id, title, vec![Block::Table(table)]))
        .collect();
    sections.splice(0..0, broken_properties(Vec::new(), violations(result)));
    let text = "Beside this page: `manifest.json` says what was run, `summary.json` what was \
                estimated, and these Parquet files hold all of it.";
    sections.push(Section::new("data", "Data dictionary", tables_dictionary(text, &SEED_TABLES)));
    Page {
        title: result.manifest.title.clone().unwrap_or_else(|| "Several runs".to_owned()),
        subtitle: subtitle(result),
        facts: vec![
            ("runs".to_owned(), result.runs.len().to_string()),
            ("seeds".to_owned(), result.manifest.seeds.join(", ")),
            ("digest".to_owned(), format!("`{}`", result.manifest.digest)),
        ],
        sections,
        footer: format!("Written by hopflow {}.", result.manifest.version),
    }
}

fn subtitle(result: &SeedsResult) -> String {
    let manifest = &result.manifest;
    let [duration, warm_up] = [manifest.duration_ps, manifest.warm_up_ps].map(Picos);
    if result.certain {
        return format!(
            "One run of {duration} of simulated time. Nothing is random: it is the run of every \
             seed, so values have no interval."
        );
    }
    format!("{} runs of {}", result.runs.len(), of_seeds(duration, warm_up, result.complete))
}

/// Each broken property, with the seed of its run.
fn violations(result: &SeedsResult) -> Vec<String> {
    let sentences = result.runs.iter().flat_map(|run| {
        let of = |text: &str| format!("Broken property with seed {}: {text}", run.manifest.seed);
        run.violations().iter().map(move |violation| of(&violation.text))
    });
    sentences.collect()
}

fn table(result: &SeedsResult, of: Subject) -> Table {
    let all: Vec<&Quantities> = result.estimates.iter().filter(|row| row.of == of).collect();
    let rows = all.iter().take(ROWS).map(|row| {
        let text = |value: Option<f64>| {
            let shown = value.map(|value| value_text(&row.quantity, value));
            Cell::Text(shown.unwrap_or_else(dash))
        };
        vec![
            Cell::Code(row.name.clone()),
            Cell::Text(words(&row.quantity)),
            text(Some(row.estimate.mean)),
            text(row.estimate.deviation),
            text(row.estimate.half_width),
            text(row.interval.map(|interval| interval[0])),
            text(row.interval.map(|interval| interval[1])),
        ]
    });
    let heads = ["mean", "deviation", "\u{b1}", "from", "to"];
    let mut columns = vec![Column::text("of"), Column::text("quantity")];
    columns.extend(heads.map(|head| Column::number(head, "")));
    let more = all.len().saturating_sub(ROWS);
    Table {
        columns,
        rows: rows.collect(),
        note: left_out(more, "estimates.parquet"),
        ..Table::default()
    }
}

/// `delay_mean_ps` becomes `delay mean`.
pub fn words(quantity: &str) -> String {
    let units = ["_ps", "_bps", "_packets", "_packets_per_second"];
    let stem = units.iter().filter_map(|unit| quantity.strip_suffix(unit)).min_by_key(|s| s.len());
    let packets = quantity.ends_with("_packets") || quantity.ends_with("_packets_per_second");
    let unit = if packets { " (packets)" } else { "" };
    format!("{}{unit}", stem.unwrap_or(quantity).replace('_', " "))
}

/// A value in the unit that the name of its quantity ends in.
pub fn value_text(quantity: &str, value: f64) -> String {
    text_with(quantity, value, 0)
}

/// The most digits beyond those of [`value_text`].
const MOST_MORE: usize = 13;

/// Values in their unit, with the digits that two different values need to have two texts.
pub fn value_texts(quantity: &str, values: &[f64]) -> Vec<String> {
    let texts = |more| values.iter().map(|value| text_with(quantity, *value, more)).collect();
    let read_alike = |texts: &Vec<String>| {
        let pairs = values.iter().zip(texts).enumerate();
        let mut later = pairs.flat_map(|(index, one)| {
            values.iter().zip(texts).skip(index + 1).map(move |other| (one, other))
        });
        later.any(|((a, one), (b, other))| one == other && a.total_cmp(b).is_ne())
    };
    let enough = (0..MOST_MORE).map(texts).find(|texts| !read_alike(texts));
    enough.unwrap_or_else(|| texts(MOST_MORE))
}

fn text_with(quantity: &str, value: f64, more: usize) -> String {
    let sign = if value < 0.0 { "\u{2212}" } else { "" };
    let size = value.abs();
    let in_unit =
        |(unit, name): (f64, &str)| format!("{}\u{202f}{name}", more_digits(size / unit, more));
    let text = match quantity {
        time if time.ends_with("_ps") => in_unit(time_unit(size)),
        rate if rate.ends_with("_bps") => in_unit(rate_unit(size)),
        rate if rate.ends_with("_per_second") => format!("{}/s", more_digits(size, more)),
        share if share.contains("_share") => {
            format!("{}\u{202f}%", plain_number(100.0 * size, 3 + more))
        }
        _ => more_digits(size, more),
    };
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: values and names are written in words and units.
    #[test]
    fn quantities_are_written_in_words() {
        assert_eq!(words("waiting_mean_ps"), "waiting mean");
        assert_eq!(words("throughput_packets_per_second"), "throughput (packets)");
        assert_eq!(words("lost_share"), "lost share");
        assert_eq!(value_text("delay_mean_ps", 1.5e9), "1.5\u{202f}ms");
        assert_eq!(value_text("lost_share", 0.015), "1.5\u{202f}%");
        assert_eq!(value_text("mean_packets", -2.5), "\u{2212}2.5");
    }

    /// Claim, by hand: values that differ in the sixth digit have six digits or more, and no two
    /// read alike; equal values have the same text, with no more digits than alone.
    #[test]
    fn no_two_values_read_alike() {
        let near = [617_289_406.0, 617_289_900.0, 617_290_000.0];
        let texts = value_texts("throughput_bps", &near);
        assert_eq!(texts, ["617.2894", "617.2899", "617.29"].map(|n| format!("{n}\u{202f}Mb/s")));
        let same = value_texts("throughput_bps", &[617_289_406.0; 2]);
        assert_eq!(same, vec!["617.3\u{202f}Mb/s"; 2]);
        let shares = value_texts("lost_share", &[0.1, 0.1 + 1e-9]);
        assert_eq!(shares, ["10\u{202f}%", "10.0000001\u{202f}%"]);
    }
}
