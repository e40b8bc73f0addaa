//! The report of a comparison: one table of all controls, and their curves laid over each other.

use hopflow::compare::{
    Comparison, ControlMeasures, ControlRun, ControlSize, Curve, SETTLED_WITHIN, TcpMeasures, Unfit,
};
use hopflow::units::Picos;
use hopflow_figures::{rate_text, short_share};

use super::parts::{ROWS, count, dash, left_out, tables_dictionary, time, whole_time};
use super::{Block, Cell, Column, Page, Part, Section, Table};
use crate::chart::plain_number;
use crate::parquet::COMPARE_TABLES;
use charts::{MEGA, charts, figure};
use promises::{LOST, broken_promises, promise};
use queues::queues;

mod charts;
mod promises;
mod queues;

/// The column of the buffer that a control needs.
const NEEDED: usize = 8;

/// The report page of a comparison.
pub fn compare_page(comparison: &Comparison) -> Page {
    let runs = &comparison.runs;
    let mut sections = vec![Section::new("seen", "What you see", seen(comparison))];
    sections.push(Section::new("controls", "Controls", controls(comparison)));
    if !comparison.sizes.is_empty() {
        sections.push(Section::new("sizes", "Sizes", sizes(comparison)));
    }
    sections.push(Section::new("queues", "Queues of switches and slow hosts", queues(comparison)));
    sections.push(Section::new("rates", "Rates", rates(comparison)));
    sections.splice(0..0, broken_promises(comparison));
    let text = "Beside this page: `manifest.json` says what was compared, `summary.json` holds \
                every measure, `control-N.json` what the run under the Nth control counted and the \
                scenario as it was run, and these Parquet files hold what is drawn.";
    sections.push(Section::new(
        "data",
        "Data dictionary",
        tables_dictionary(text, &COMPARE_TABLES),
    ));
    let manifest = &comparison.manifest;
    Page {
        title: manifest.title.clone().unwrap_or_else(|| "Controls compared".to_owned()),
        subtitle: subtitle(comparison),
        facts: vec![
            ("controls".to_owned(), runs.len().to_string()),
            ("seed".to_owned(), manifest.seed.clone()),
            ("digest".to_owned(), format!("`{}`", manifest.digest)),
        ],
        sections,
        footer: format!("Written by hopflow {}.", manifest.version),
    }
}

fn subtitle(comparison: &Comparison) -> String {
    let duration = Picos(comparison.manifest.duration_ps);
    let warm_up = match Picos(comparison.manifest.warm_up_ps) {
        Picos(0) => String::new(),
        warm_up => format!(" Totals leave out a warm-up of {warm_up}; curves do not."),
    };
    let stopped = if comparison.complete {
        ""
    } else {
        " Stopped early: not every control was run to its end."
    };
    format!(
        "The same network and traffic under each control, {duration} of simulated \
         time.{warm_up}{stopped}"
    )
}

/// A sentence for each control, and the chart of the VC beside the overload.
fn seen(comparison: &Comparison) -> Vec<Block> {
    let runs = &comparison.runs;
    let mut blocks: Vec<Block> = Vec::new();
    if let Some((beside, effects)) = &comparison.beside {
        let name = format!("`{}`", beside.name);
        let [from, to] = [beside.span.start, beside.span.end].map(|at| Picos(at.0));
        blocks.push(Block::Text(format!(
            "{name} offers {}, all of its fair rate. Other flows offer more than a link of theirs \
             carries, from {from} to {to}. The part of the fair rate below is that from {from} to \
             the last delivery of these flows.",
            rate_text(beside.fair_bps)
        )));
        let sentences = runs.iter().zip(effects).map(|(run, effect)| {
            let sentence = effect.sentence(&name, "the packets of these flows", short_percent);
            (run.measures.label(), sentence)
        });
        let groups = alike(sentences).into_iter();
        let merged = groups.map(|(labels, sentence)| format!("{}: {sentence}", listed(&labels)));
        blocks.push(Block::List(merged.collect()));
        let curve = |run: &ControlRun| run.rates.iter().position(|one| one.name == beside.name);
        if let Some(index) = runs.first().and_then(curve) {
            let lines = runs.iter().map(|run| (run.measures.label(), &run.rates[index]));
            let title = format!("Rate of {}", beside.name);
            blocks.push(Block::Figure(figure(&index.to_string(), MEGA, &title, lines)));
        }
        return blocks;
    }
    let losses = runs.iter().map(|run| {
        let one = &run.measures;
        let lost = if one.lost_packets == 0 {
            "Nothing is lost".to_owned()
        } else {
            format!("Full buffers drop {} of all packets", short_percent(one.lost_share))
        };
        (one, lost)
    });
    let sentences = alike(losses).into_iter().map(|(controls, lost)| {
        let labels: Vec<&str> = controls.iter().map(|one| one.label()).collect();
        let mut rates: Vec<String> =
            controls.iter().map(|one| rate_text(one.throughput_bps)).collect();
        rates.dedup();
        format!("{}: {lost}, and the VCs deliver {} in all.", listed(&labels), rates.join(", "))
    });
    blocks.push(Block::List(sentences.collect()));
    blocks
}

/// The things of each sentence, the most common sentence first: what differs stands at the end.
fn alike<T>(all: impl Iterator<Item = (T, String)>) -> Vec<(Vec<T>, String)> {
    let mut groups: Vec<(Vec<T>, String)> = Vec::new();
    for (thing, sentence) in all {
        match groups.iter_mut().find(|(_, known)| *known == sentence) {
            Some((things, _)) => things.push(thing),
            None => groups.push((vec![thing], sentence)),
        }
    }
    groups.sort_by_key(|(things, _)| std::cmp::Reverse(things.len()));
    groups
}

/// Labels one after the other, apart by what none of them has.
fn listed(labels: &[&str]) -> String {
    let has_commas = labels.iter().any(|label| label.contains(", "));
    labels.join(if has_commas { "; " } else { ", " })
}

fn short_percent(share: f64) -> String {
    short_share(share, '\u{202f}')
}

fn percent(share: f64) -> String {
    format!("{}\u{202f}%", plain_number(100.0 * share, 2))
}

fn controls(comparison: &Comparison) -> Vec<Block> {
    let parts: &[Part<&ControlMeasures>] = &[
        (Column::text("control"), |one| named(one.title.as_ref(), &one.control)),
        (Column::number("utilization", ""), |one| {
            Cell::Text(one.utilization.map_or_else(dash, percent))
        }),
        (Column::number("delivered", ""), |one| Cell::Text(rate_text(one.throughput_bps))),
        (Column::number("lost", ""), |one| Cell::Text(percent(one.lost_share))),
        (Column::number("delay mean", ""), |one| time(one.delay_mean_ps)),
        (Column::number("p99", ""), |one| whole_time(one.delay_p99_ps)),
        (Column::number("max", ""), |one| whole_time(one.delay_max_ps)),
        (Column::number("Jain index", ""), |one| {
            Cell::Text(one.jain.map_or_else(dash, |jain| plain_number(jain, 4)))
        }),
        (Column::number("buffer needed", comparison.counted_in()), |one| count(one.needed_packets)),
        (Column::number("settled after", ""), |one| whole_time(one.settled_ps)),
    ];
    let is_broken = comparison.runs.iter().any(|run| !run.measures.violations.is_empty());
    let mut parts = parts.to_vec();
    if is_broken {
        parts.push((Column::text("promises"), |one| promise(one)));
    }
    let mut table = Table::of(comparison.runs.iter().map(|run| &run.measures), &parts);
    let link = comparison.manifest.bottleneck.as_deref();
    let used = link.map_or_else(String::new, |link| {
        format!(
            "Utilization: share of the time for which `{link}` sent data, the link that comes \
             nearest to full with what is delivered. "
        )
    });
    table.note = format!(
        "{used}Lost: of the packets that sources made, those lost because a buffer was full. Jain \
         index: of what VCs deliver, against their max-min fair shares; a dash if some sources \
         stop before others. Buffer needed: the most that a switch holds when it has room for \
         everything, in this run. Settled: from then on every rate over a twentieth of the run \
         stays within {} (and one packet) of its mean over the last quarter.",
        percent(SETTLED_WITHIN)
    );
    table.rows.extend(comparison.unfit.iter().map(|one| unfit_row(one, parts.len())));
    // What was lost against a promise stands at the top of the page.
    let notes = comparison.notes.iter().filter(|note| !(is_broken && note.cause == LOST));
    let notes = notes.map(|note| Block::Note(labelled(comparison, &note.to_string())));
    let tcp = tcp(comparison);
    [Block::Table(table), delays(comparison)].into_iter().chain(tcp).chain(notes).collect()
}

/// The mean delay of each control, and where packets spent it; a sentence if none waits at a host.
fn delays(comparison: &Comparison) -> Block {
    let delays = || comparison.runs.iter().map(|run| run.measures.delay_host_ps);
    if delays().flatten().count() > 0 && delays().flatten().all(|delay| delay == 0.0) {
        let text = "No packet waits at its host: all delay is spent in the network.";
        return Block::Text(text.to_owned());
    }
    let parts: &[Part<&ControlMeasures>] = &[
        (Column::text("control"), |one| short(one)),
        (Column::number("delay mean", ""), |one| time(one.delay_mean_ps)),
        (Column::number("at the host", ""), |one| time(one.delay_host_ps)),
        (Column::number("in the network", ""), |one| time(one.delay_network_ps)),
    ];
    let note =
        "At the host: from birth to the first bit on the first link. The queue of a host is \
                its own: a control that holds packets back moves their wait there."
            .to_owned();
    let (title, runs) = ("Where delay is spent".to_owned(), comparison.runs.iter());
    Block::Table(Table { title, note, ..Table::of(runs.map(|run| &run.measures), parts) })
}

/// The TCP connections under each control, if there are any.
fn tcp(comparison: &Comparison) -> Option<Block> {
    let parts: &[Part<(&ControlMeasures, &TcpMeasures)>] = &[
        (Column::text("control"), |(one, _)| short(one)),
        (Column::number("goodput", ""), |(_, tcp)| Cell::Text(rate_text(tcp.goodput_bps))),
        (Column::number("finished", ""), |(_, tcp)| {
            Cell::Text(format!("{} of {}", tcp.finished, tcp.connections))
        }),
        (Column::number("after", ""), |(_, tcp)| whole_time(tcp.completion_ps)),
        (Column::number("sent again", ""), |(_, tcp)| {
            let again = tcp.retransmitted_segments as f64 / tcp.segments.max(1) as f64;
            Cell::Text(percent(again))
        }),
        (Column::number("time-outs", ""), |(_, tcp)| Cell::Text(tcp.timeouts.to_string())),
        (Column::number("round trip", ""), |(_, tcp)| time(tcp.round_trip_ps)),
        (Column::number("max", ""), |(_, tcp)| whole_time(Some(tcp.round_trip_max_ps))),
    ];
    let measures = comparison.runs.iter().map(|run| &run.measures);
    let with_tcp = measures.filter_map(|one| Some((one, one.tcp.as_ref()?)));
    let title = "TCP connections together".to_owned();
    let table = Table { title, ..Table::of(with_tcp, parts) };
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

/// The row of a control that does not fit: the memory that it needs in all, where that is known.
fn unfit_row(one: &Unfit, columns: usize) -> Vec<Cell> {
    let mut row = vec![Cell::Text(dash()); columns];
    row[0] = named(one.title.as_ref(), &one.control);
    row[1] = Cell::Text("does not fit".to_owned());
    if let Some(most) = one.needs.iter().map(|need| need.packets).max() {
        row[NEEDED] = Cell::Text(plain_number(most as f64, 0));
    }
    row
}

/// A control in the tables below the first, by its label.
fn short(one: &ControlMeasures) -> Cell {
    Cell::Text(one.label().to_owned())
}

/// A sentence with the labels of the controls that it names.
fn labelled(comparison: &Comparison, text: &str) -> String {
    let runs = comparison.runs.iter().map(|run| &run.measures);
    let others = runs.filter(|one| one.label() != one.control);
    others
        .fold(text.to_owned(), |text, one| text.replace(&format!("`{}`", one.control), one.label()))
}

fn named(title: Option<&String>, control: &str) -> Cell {
    match title {
        Some(title) => Cell::Named(title.clone(), control.to_owned()),
        None => Cell::Text(control.to_owned()),
    }
}

fn sizes(comparison: &Comparison) -> Vec<Block> {
    let control = |one: &ControlSize| {
        let mut runs = comparison.runs.iter().map(|run| &run.measures);
        let run = runs.find(|run| run.control == one.control);
        run.map_or_else(|| Cell::Text(one.control.clone()), short)
    };
    let parts: &[Part<(Cell, &ControlSize)>] = &[
        (Column::text("control"), |(control, _)| control.clone()),
        (Column::text("size"), |(_, one)| Cell::Text(one.size.clone())),
        (Column::text("unit"), |(_, one)| Cell::Text(one.unit.clone())),
        (Column::number("used", ""), |(_, one)| Cell::Text(from_to((one.least, one.most)))),
        (Column::number("by formula", ""), |(_, one)| {
            Cell::Text(one.law_least.zip(one.law_most).map_or_else(dash, from_to))
        }),
        (Column::text("at"), |(_, one)| Cell::Code(one.at.clone())),
    ];
    let note = "What each control used, over all places that have it, and what the formula of \
                `hopflow size` gives there; a dash where it has none.";
    let rows = comparison.sizes.iter().take(ROWS).map(|one| (control(one), one));
    let table = Table::of(rows, parts);
    vec![Block::Table(Table { note: note.to_owned(), ..table })]
}

fn from_to((least, most): (u64, u64)) -> String {
    let [least, most] = [least, most].map(|value| plain_number(value as f64, 0));
    if least == most { least } else { format!("{least} to {most}") }
}

fn rates(comparison: &Comparison) -> Vec<Block> {
    let runs = &comparison.runs[..];
    let Some(first) = runs.first() else { return Vec::new() };
    let sum = |run: &ControlRun| {
        let parts = run.rates.first().map_or(0, |rate| rate.values.len());
        let all = |part: usize| run.rates.iter().filter_map(|rate| rate.values.get(part)).sum();
        Curve { values: (0..parts).map(all).collect(), ..run.rates[0].clone() }
    };
    let mut blocks = Vec::new();
    if first.rates.len() > 1 {
        let sums: Vec<Curve> = runs.iter().map(sum).collect();
        let lines = runs.iter().zip(&sums).map(|(run, sum)| (run.measures.label(), sum));
        blocks.push(Block::Figure(figure("all", MEGA, "All VCs together", lines)));
    }
    let drawn = comparison.beside.as_ref().map(|(beside, _)| beside.name.as_str());
    blocks.extend(charts(runs, |run| &run.rates, MEGA, drawn, &|name| format!("Rate of {name}")));
    blocks.push(Block::Table(rate_table(runs, first)));
    blocks
}

fn rate_table(runs: &[ControlRun], first: &ControlRun) -> Table {
    let mut columns = vec![Column::text("VC"), Column::number("fair share", "")];
    columns.extend(runs.iter().map(|run| Column::number(run.measures.label(), "")));
    let row = |(index, vc): (usize, &hopflow::compare::VcMeasures)| {
        let mut row = vec![Cell::Code(vc.name.clone())];
        row.push(Cell::Text(vc.fair_bps.map_or_else(dash, rate_text)));
        let of = |run: &ControlRun| rate_text(run.measures.vcs[index].throughput_bps);
        row.extend(runs.iter().map(|run| Cell::Text(of(run))));
        row
    };
    let all = first.measures.vcs.len();
    let more = all.saturating_sub(ROWS);
    Table {
        title: "Delivered by each VC".to_owned(),
        columns,
        rows: first.measures.vcs.iter().enumerate().take(ROWS).map(row).collect(),
        note: left_out(more, "summary.json"),
        ..Table::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: controls with one sentence share it, and what only one of them does stands last;
    /// labels with commas are apart by semicolons.
    #[test]
    fn controls_that_are_alike_share_a_sentence() {
        let all = [("n23", "kept"), ("wfq", "lost"), ("pfc", "kept"), ("cup", "kept")];
        let groups = alike(all.into_iter().map(|(label, text)| (label, text.to_owned())));
        let expected =
            [(vec!["n23", "pfc", "cup"], "kept".to_owned()), (vec!["wfq"], "lost".to_owned())];
        assert_eq!(groups, expected);
        assert_eq!(listed(&["n23", "pfc"]), "n23, pfc");
        assert_eq!(listed(&["n23, sized", "pfc"]), "n23, sized; pfc");
    }
}
