//! The report: the headline, one row a paper, then every figure as a chart above its claims.

mod figure;

use hopflow::network::NetworkSpec;
use hopflow_export::report::{self, Block, Cell, Column, Page, Part, Section, Table};

use crate::{
    ClaimResult, Exhibit, HeadlineRow, JointRow, NumberResult, Reproduced, Standing, Verdict,
    headline, joint, joint_of_bands, kept, kept_rows, numbers, papers,
};
use figure::figure;

/// What the title of a page begins with that has not all of its experiments.
pub const INCOMPLETE: &str = "Incomplete: the papers, reproduced";

/// The page of what was reproduced of `of` experiments, one section an experiment. With fewer than
/// these the page says that it is incomplete.
pub fn page(found: &[&Reproduced], of: usize) -> Page {
    let all: Vec<ClaimResult> = found.iter().flat_map(|f| &f.claims).cloned().collect();
    let printed = numbers(&papers(), &all);
    let title = if found.len() < of {
        format!("{INCOMPLETE} ({} of {of} experiments)", found.len())
    } else {
        "The papers, reproduced".to_owned()
    };
    Page {
        title,
        subtitle: "What each paper says, what hopflow measures in its own runs, and whether the \
                   two agree. Nothing is typed in: every value is read off a run or a formula."
            .to_owned(),
        facts: facts(&printed, all.len()),
        sections: [headline_section(&printed, &joint(&papers(), &all)), by_paper(found)]
            .into_iter()
            .chain(found.iter().map(|one| section(one)))
            .chain([numbers_section(&printed), reading()])
            .collect(),
        footer: format!(
            "Written by hopflow {}. Each scenario can be run alone: \
             `hopflow reproduce --write-scenarios DIR`.",
            env!("CARGO_PKG_VERSION")
        ),
    }
}

/// The headline in numbers, then how many claims there are of every kind.
fn facts(printed: &[NumberResult], claims: usize) -> Vec<(String, String)> {
    let sum = headline(printed).last().map(HeadlineRow::columns);
    let facts = sum.into_iter().flatten().chain([("claims of every kind", claims)]);
    facts.map(|(name, count)| (name.to_owned(), count.to_string())).collect()
}

/// The headline: the numbers that the papers print.
fn headline_section(printed: &[NumberResult], joint: &[JointRow]) -> Section {
    let heads = HeadlineRow::default().columns();
    let columns = heads.into_iter().map(|(head, _)| Column::number(head, ""));
    let row = |row: &HeadlineRow| {
        let numbers = row.columns().into_iter().map(|(_, number)| Cell::Text(number.to_string()));
        std::iter::once(Cell::Code(row.paper.clone())).chain(numbers).collect()
    };
    let table = Table {
        columns: std::iter::once(Column::text("paper")).chain(columns).collect(),
        rows: headline(printed).iter().map(row).collect(),
        note:
            "A printed number counts once at its place, by its primary reading: what two readers \
               of the paper took it for, each alone, before any run. Where the two differ it is \
               ambiguous, and no run of it counts as reproduced."
                .to_owned(),
        ..Table::default()
    };
    let wider = joint_of_bands(&papers(), &kept_rows());
    let mut blocks = vec![Block::Table(table), Block::Table(joint_table(joint))];
    if !wider.is_empty() {
        blocks.push(Block::Table(Table { note: wider_note(), ..titled(WIDER, &wider) }));
    }
    Section::new("printed", "Numbers that the papers print", blocks)
}

/// The title of the joint lines of the wider bands.
const WIDER: &str = "Numbers that hold together, over wider bands";

/// What the wider bands are, and when they were measured.
fn wider_note() -> String {
    let files =
        kept().into_iter().map(|(name, file)| format!("{name} by hopflow {}", file.program));
    format!(
        "More settings of what the papers leave open, each with ten seeds, or one run where it has \
         no chance. Not measured with this page, but by hopflow reproduce --bands: {}.",
        files.collect::<Vec<_>>().join("; ")
    )
}

/// The joint line of each table.
fn joint_table(rows: &[JointRow]) -> Table {
    Table {
        note: "One setting for all numbers of a table: that at which most are met, by the rule of \
               the numbers. Numbers that are met at different settings do not hold together. Runs \
               with chance meet no number with fewer than ten seeds at a setting."
            .to_owned(),
        ..titled("Numbers that hold together", rows)
    }
}

fn titled(title: &str, rows: &[JointRow]) -> Table {
    let parts: &[Part<&JointRow>] = &[
        (Column::text("place"), |row| format!("{}, {}", row.paper, row.place).into()),
        (Column::number("printed", ""), |row| row.printed.to_string().into()),
        (Column::number("settings run", ""), |row| row.settings.to_string().into()),
        (Column::text("best setting"), |row| row.setting.clone().into()),
        (Column::number("measured there", ""), |row| row.measured.to_string().into()),
        (Column::number("met there", ""), |row| row.met.to_string().into()),
    ];
    Table { title: title.to_owned(), ..Table::of(rows, parts) }
}

/// Every printed number with its reading and verdict.
fn numbers_section(printed: &[NumberResult]) -> Section {
    let parts: &[Part<&NumberResult>] = &[
        (Column::text("place"), |one| format!("{}, {}", one.paper, one.place).into()),
        (Column::text("printed"), |one| one.number.clone().into()),
        (Column::number("measured", ""), |one| predicted(one).into()),
        (Column::text("verdict"), |one| one.verdict.words().into()),
        (Column::text("primary reading"), |one| one.reading.clone().into()),
    ];
    let note = |one: &NumberResult| {
        let why = one.why.iter().map(|why| match one.verdict {
            Standing::Ambiguous => format!("The readers differ. {why}"),
            _ => why.clone(),
        });
        let met = (!one.met_by.is_empty()).then(|| format!("Met by {}.", one.met_by.join(", ")));
        why.chain(met).collect::<Vec<_>>().join(" ")
    };
    let table =
        Table { row_notes: printed.iter().map(note).collect(), ..Table::of(printed, parts) };
    Section::new("numbers", "Every printed number", vec![Block::Table(table)])
}

/// What the primary reading measures; of a run with chance with the prediction of one run.
fn predicted(one: &NumberResult) -> String {
    match (one.measured, one.half_width) {
        (Some(value), Some(half)) => format!("{} \u{b1} {}", shown(value), shown(half)),
        (Some(value), None) => shown(value),
        (None, _) => "-".to_owned(),
    }
}

/// One row a paper: how many of its claims have each verdict.
fn by_paper(found: &[&Reproduced]) -> Section {
    let mut keys: Vec<&str> = Vec::new();
    for claim in found.iter().flat_map(|one| &one.claims) {
        if !keys.contains(&claim.paper.as_str()) {
            keys.push(&claim.paper);
        }
    }
    let row = |key: &&str| {
        let of = |one: &&&Reproduced| one.claims.iter().any(|claim| claim.paper == *key);
        let claims = || found.iter().flat_map(|one| &one.claims).filter(|c| c.paper == *key);
        let count = |verdict| claims().filter(|claim| claim.verdict == verdict).count();
        let number = |value: usize| Cell::Text(value.to_string());
        vec![
            Cell::Code((*key).to_owned()),
            number(found.iter().filter(of).count()),
            number(claims().count()),
            number(count(Verdict::Reproduced)),
            number(count(Verdict::Differs)),
            number(count(Verdict::NotReproduced)),
        ]
    };
    let heads = ["experiments", "claims", "reproduced", "differ, explained", "not reproduced"];
    let columns = heads.map(|head| Column::number(head, ""));
    let table = Table {
        columns: std::iter::once(Column::text("paper")).chain(columns).collect(),
        rows: keys.iter().map(row).collect(),
        note:
            "In the charts below, the mark named \u{201c}paper\u{201d} is the range of a claim: a \
               band, a line, or a point with whiskers."
                .to_owned(),
        ..Table::default()
    };
    Section::new("papers", "All claims", vec![Block::Table(table)])
}

fn section(found: &Reproduced) -> Section {
    let drawing = |(title, spec): &(String, NetworkSpec)| Block::Drawing {
        svg: report::topology::Topology::of(spec).drawing(),
        caption: title.clone(),
    };
    let mut blocks: Vec<Block> = found.network.iter().map(drawing).collect();
    blocks.extend(found.charts.iter().map(|chart| Block::Figure(figure(chart, found))));
    blocks.extend(found.exhibits.iter().map(|exhibit| Block::Table(exhibit_table(exhibit))));
    blocks.push(Block::Table(claims(&found.claims)));
    Section {
        id: found.id.replace('.', "-"),
        title: found.title.clone(),
        blocks,
        verdicts: found.claims.iter().map(|claim| verdict(claim.verdict)).collect(),
    }
}

fn exhibit_table(exhibit: &Exhibit) -> Table {
    let columns = exhibit.columns.iter().map(|(title, unit)| Column::number(*title, *unit));
    let row = |(name, values): &(String, Vec<f64>)| {
        let values = values.iter().map(|value| Exhibit::shown(*value).into());
        std::iter::once(name.clone().into()).chain(values).collect()
    };
    Table {
        title: exhibit.title.clone(),
        columns: std::iter::once(Column::text(exhibit.rows_are)).chain(columns).collect(),
        rows: exhibit.rows.iter().map(row).collect(),
        row_notes: Vec::new(),
        note: exhibit.note.clone(),
    }
}

const fn verdict(verdict: Verdict) -> report::Verdict {
    match verdict {
        Verdict::Reproduced => report::Verdict::Reproduced,
        Verdict::Differs => report::Verdict::Differs,
        Verdict::NotReproduced => report::Verdict::NotReproduced,
    }
}

fn claims(claims: &[ClaimResult]) -> Table {
    let parts: &[Part<&ClaimResult>] = &[
        (Column::text("claim"), |claim| Cell::Named(claim.what.clone(), claim.id.clone())),
        (Column::text("kind"), |claim| claim.kind.name().into()),
        (Column::text("expected"), |claim| claim.expected.clone().into()),
        (Column::number("hopflow measured", ""), |claim| measured(claim).into()),
        (Column::text("unit"), |claim| claim.unit.clone().into()),
        (Column::text("verdict"), |claim| verdict(claim.verdict).into()),
    ];
    let note = |claim: &ClaimResult| match claim.verdict {
        Verdict::Reproduced => fitted(claim),
        Verdict::Differs | Verdict::NotReproduced => {
            format!("{} {}", fitted(claim), claim.note).trim().to_owned()
        }
    };
    Table { row_notes: claims.iter().map(note).collect(), ..Table::of(claims, parts) }
}

/// A value, or the least and the greatest of a band.
fn measured(claim: &ClaimResult) -> String {
    match (claim.measured, claim.band) {
        (Some(value), _) => shown(value),
        (None, Some(band)) => format!("{} to {}", shown(band.low), shown(band.high)),
        (None, None) => "-".to_owned(),
    }
}

/// What was fitted, with the value that meets the paper best; empty where nothing was.
fn fitted(claim: &ClaimResult) -> String {
    let Some(fitted) = &claim.fitted else { return String::new() };
    let value = shown(fitted.value);
    match (&fitted.at, fitted.tried) {
        (Some(at), Some(tried)) => {
            let parameter = &fitted.parameter;
            format!("Over {parameter}. Best of {tried}: {value} at {at} (fitted).")
        }
        _ => format!("Fitted: {}.", fitted.parameter),
    }
}

/// Four digits after the point, no trailing zeros.
fn shown(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn reading() -> Section {
    let terms = [
        ("reproduced", "the measured value lies in the range that the paper's words give"),
        (
            "differs",
            "it lies outside, but in a range derived for a faithful model, and the same without \
             the cause is reproduced; the derivation stands below the claim",
        ),
        (
            "not reproduced",
            "neither; hopflow reproduce exits with 1 if the value is not a known one",
        ),
        (
            "kind",
            "printed: a number of the paper; sentence: its words; derived: worked out by hand; \
             own: not in a paper; other-tool: of another program",
        ),
        (
            "printed numbers",
            "reproduced: the primary reading gives the number, a run with chance if the number \
             is within the prediction of one run; by another reading: one found after seeing \
             does; ambiguous: the two readers differ; fitted: something that the paper does not \
             state was chosen; too wide: the band is wider than a quarter of the number either \
             way; slip: the number contradicts its own table; met by none: no reading that is run \
             gives it",
        ),
        ("cell time", "424 bits at the rate of the link: 681.585 ns at 622.08 Mb/s"),
    ];
    let terms = terms.map(|(term, meaning)| (term.to_owned(), meaning.to_owned()));
    Section::new("reading", "How to read this", vec![Block::Dictionary(terms.to_vec())])
}

#[cfg(test)]
pub(crate) mod tests;
