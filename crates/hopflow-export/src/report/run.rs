//! The report of one run: the scenario, the results, where the time went, and the series.

#[cfg(test)]
mod numbers;

use std::collections::{BTreeMap, BTreeSet};

use hopflow::record::{
    HopSummary, LinkSummary, NodeSummary, QueueSummary, Summary, TotalsSummary, VcSummary,
};
use hopflow::units::Picos;
use hopflow_figures::rate_text;

use super::network::{is_large, network};
use super::parts::{
    ROWS, count, dash, max, maybe_count, mean, more, more_vcs, p99, rest, tables_dictionary, time,
    whole_time,
};
use super::series::{beside, charts};
use super::view::RunView;
use super::{Block, Cell, Column, Page, Part, Section, Shares, Table, Verdict};
use crate::chart::plain_number;
use crate::parquet::TABLES;

/// Bars that are open, and VCs with open sentences.
const OPEN: usize = 10;
const SAID: usize = 2;
/// The most open bars of one link.
const OF_LINK: usize = 2;
/// The place of the column of controls.
const CONTROL: usize = 1;
/// The most bars.
const BARS: usize = 60;

/// The report page of a run.
pub fn run_page(run: &RunView<'_>) -> Page {
    let controls = super::control::controls(run.network, run.summary);
    let seen = super::seen::sentences(run, &controls).join(" ");
    let vcs: Vec<&str> = run.network.vcs.iter().map(|vc| vc.name.as_str()).collect();
    let summary = run.summary;
    let mut outcome = Section::new("outcome", "Outcome", outcome(run, &controls));
    outcome.verdicts = vec![Verdict::Fails; summary.violations.len()];
    let seen = if seen.is_empty() { Vec::new() } else { vec![Block::Text(seen)] };
    let sections = [
        Section::new("seen", "What you see", seen),
        Section::new("network", "Network", network(run.network, summary)),
        outcome,
        Section::new("connections", "Connections", super::connections::blocks(summary)),
        Section::new("fairness", "Fairness", super::fairness::blocks(summary)),
        Section::new("time", "Where the time went", time_shares(run)),
        Section::new("rates", "Rate control", super::rates::blocks(summary)),
        Section::new(
            "series",
            "Recorded series",
            beside(charts(run.series, summary.counted_in, &vcs)),
        ),
        Section::new("links", "Links and queues", links_and_queues(run)),
        Section::new("lengths", "Queue lengths", super::lengths::blocks(summary)),
        Section::new("data", "Data dictionary", dictionary()),
    ];
    let sections: Vec<Section> =
        sections.into_iter().filter(|part| !part.blocks.is_empty()).collect();
    let title = run.manifest.title.clone().unwrap_or_else(|| "A run".to_owned());
    Page {
        title,
        subtitle: subtitle(run),
        facts: facts(run),
        sections,
        footer: format!("Written by hopflow {}.", run.manifest.version),
    }
}

fn subtitle(run: &RunView<'_>) -> String {
    let (from, end) = (run.summary.from_ps, Picos(run.summary.end_ps));
    let warm_up = match from {
        0 => String::new(),
        from => format!(" Totals leave out a warm-up of {}; series do not.", Picos(from)),
    };
    if run.manifest.complete {
        return format!("{end} of simulated time.{warm_up}");
    }
    format!("Stopped early: complete up to {end} of simulated time.{warm_up}")
}

fn facts(run: &RunView<'_>) -> Vec<(String, String)> {
    let summary = run.summary;
    let sum = |of: fn(&VcSummary) -> u64, of_all: fn(&TotalsSummary) -> u64| {
        let sum = || summary.vcs.iter().map(of).sum::<u64>();
        plain_number(summary.totals.as_ref().map_or_else(sum, of_all) as f64, 0)
    };
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let word = run.summary.counted_in.word();
    vec![
        fact("VCs", sum(|_| 1, |all| all.vcs)),
        fact(
            &format!("{word} delivered"),
            sum(|vc| vc.received_packets, |all| all.received_packets),
        ),
        fact(&format!("{word} dropped"), sum(|vc| vc.dropped_packets, |all| all.dropped_packets)),
        fact(
            &format!("{word} corrupted"),
            sum(|vc| vc.corrupted_packets, |all| all.corrupted_packets),
        ),
        fact("seed", run.manifest.seed.clone()),
        fact("digest", format!("`{}`", run.manifest.digest)),
    ]
}

fn outcome(run: &RunView<'_>, controls: &[String]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for violation in run.summary.violations.iter().take(ROWS) {
        blocks.push(Block::Alarm(format!("Broken property: {}", violation.text)));
    }
    for loss in run.summary.accepted_losses.iter().take(ROWS) {
        blocks.push(Block::Note(format!("Accepted loss: {}", loss.text)));
    }
    let word = run.summary.counted_in.word();
    let parts: &[Part<(&VcSummary, &String)>] = &[
        (Column::text("VC"), |(vc, _)| Cell::Code(vc.name.clone())),
        // One line for each part.
        (Column::text("control"), |(_, control)| {
            Cell::Text(control.replace(' ', "\u{a0}").replace(";\u{a0}", "; "))
        }),
        (Column::number("throughput", ""), |(vc, _)| Cell::Text(rate_text(vc.throughput_bps))),
        (Column::number("sent", word), |(vc, _)| count(vc.sent_packets)),
        (Column::number("received", word), |(vc, _)| count(vc.received_packets)),
        (Column::number("dropped", word), |(vc, _)| count(vc.dropped_packets)),
        (Column::number("corrupted", word), |(vc, _)| count(vc.corrupted_packets)),
        (Column::number("delay min", ""), |(vc, _)| whole_time(vc.delay_ps.map(|delay| delay.min))),
        (Column::number("mean", ""), |(vc, _)| mean(vc.delay_ps)),
        (Column::number("p99", ""), |(vc, _)| p99(vc.delay_ps)),
        (Column::number("max", ""), |(vc, _)| max(vc.delay_ps)),
        (Column::number("bound", ""), |(vc, _)| whole_time(vc.delay_bound_ps)),
        (Column::number("waiting mean", ""), |(vc, _)| time(vc.waiting_ps.map(|w| w.mean))),
        (Column::number("deviation", ""), |(vc, _)| {
            time(vc.waiting_ps.and_then(|waiting| waiting.deviation))
        }),
    ];
    let mut vcs: Vec<(&VcSummary, &String)> = run.summary.vcs.iter().zip(controls).collect();
    let more = more_vcs(run.summary, vcs.len(), "vcs.parquet");
    if is_large(run.network) {
        let longest = |vc: &VcSummary| vc.delay_ps.map_or(0, |delay| delay.max);
        vcs.sort_by_key(|(vc, _)| std::cmp::Reverse((vc.dropped_packets, longest(vc))));
    }
    let table = Table::of(vcs.into_iter().take(ROWS), parts);
    let mut table = Table { title: "VCs".to_owned(), ..table };
    table.note = match table.drop_constant(CONTROL) {
        Some(Cell::Text(control)) => format!("Control of every VC: {control}. {more}"),
        _ => more,
    };
    table.note.truncate(table.note.trim_end().len());
    blocks.push(Block::Table(table));
    let bounds = bounds(run.summary);
    if !bounds.is_empty() {
        blocks.push(Block::Folded("What no delay exceeds, and why".to_owned(), bounds));
    }
    blocks
}

/// The derivation of the bound of each VC, or why it has none; nothing if none has one.
fn bounds(summary: &Summary) -> Vec<Block> {
    if summary.vcs.iter().all(|vc| vc.delay_bound_ps.is_none()) {
        return Vec::new();
    }
    let parts: &[Part<&VcSummary>] = &[
        (Column::text("VC"), |vc| Cell::Code(vc.name.clone())),
        (Column::number("delay max", ""), |vc| max(vc.delay_ps)),
        (Column::number("bound", ""), |vc| whole_time(vc.delay_bound_ps)),
        (Column::number("share of it", "%"), |vc| {
            let share = vc.delay_ps.zip(vc.delay_bound_ps);
            let share = share.map(|(delay, bound)| delay.max as f64 / bound as f64);
            Cell::Text(share.map_or_else(dash, |share| plain_number(100.0 * share, 1)))
        }),
        (Column::text("follows from, or is not known because"), |vc| {
            Cell::Text(vc.delay_bound.clone())
        }),
    ];
    vec![Block::Table(Table {
        title: "Greatest delays and their bounds".to_owned(),
        note: more_vcs(summary, summary.vcs.len(), "vcs.parquet"),
        ..Table::of(summary.vcs.iter().take(ROWS), parts)
    })]
}

/// The time of VCs on links, and the sentences on why. Of a large network the ten hops that wait
/// longest, two of each link, and the sentences of two VCs are open.
fn time_shares(run: &RunView<'_>) -> Vec<Block> {
    let hops = run.summary.vcs.iter().flat_map(|vc| vc.hops.iter().map(move |hop| (vc, hop)));
    let hops: Vec<(&VcSummary, &HopSummary)> = hops.collect();
    let listed = hops.len() as u64;
    let all = run.summary.totals.as_ref().map_or(listed, |all| all.hops.max(listed));
    let parts = ["sending", "link busy with others", "no permission", "nothing to send"];
    let caption = format!(
        "Shares of the run at the sending end. \u{201c}No permission\u{201d}: a {} in hand, and \
         credit, window or rate do not let it start.",
        run.summary.counted_in.one()
    );
    let shares = |title: &str, rows: &[(&VcSummary, &HopSummary)], caption: String| {
        let row = |(vc, hop): &(&VcSummary, &HopSummary)| {
            let HopSummary { sending_share, waiting_share, .. } = hop;
            let shares = [*sending_share, *waiting_share, hop.no_credit_share, hop.no_cell_share];
            (format!("{} on {}", vc.name, hop.link), shares.to_vec())
        };
        Block::Shares(Shares {
            title: title.to_owned(),
            parts: parts.map(str::to_owned).to_vec(),
            rows: rows.iter().map(row).collect(),
            caption,
        })
    };
    let title = "Time of every VC on every link it crosses";
    let mut blocks = Vec::new();
    if hops.len() <= OPEN {
        blocks.push(shares(title, &hops, caption));
    } else {
        let mut worst: Vec<usize> = (0..hops.len()).collect();
        let held = |hop: &HopSummary| hop.waiting_share + hop.no_credit_share;
        worst.sort_by(|a, b| held(hops[*b].1).total_cmp(&held(hops[*a].1)).then(a.cmp(b)));
        let mut of_link: BTreeMap<&str, usize> = BTreeMap::new();
        worst.retain(|hop| {
            let bars = of_link.entry(hops[*hop].1.link.as_str()).or_default();
            *bars += 1;
            *bars <= OF_LINK
        });
        let worst: Vec<_> = worst.into_iter().take(OPEN).map(|hop| hops[hop]).collect();
        blocks.push(shares("Where VCs wait longest", &worst, caption));
        let some = &hops[..hops.len().min(BARS)];
        let rest = match all - some.len() as u64 {
            0 => String::new(),
            rest => format!("{rest} more in `hops.parquet`."),
        };
        let summary = format!("{} of {all} VCs on their links, in file order", some.len());
        blocks.push(Block::Folded(summary, vec![shares(title, some, rest)]));
    }
    let mut open = said(run);
    let shown = if open.len() > SAID + 1 { SAID } else { open.len() };
    let mut folded = open.split_off(shown);
    if !open.is_empty() {
        blocks.push(Block::List(open));
    }
    if !folded.is_empty() {
        folded.truncate(ROWS);
        let summary = format!("The same of {} more VCs", folded.len());
        blocks.push(Block::Folded(summary, vec![Block::List(folded)]));
    }
    blocks
}

/// The sentences on each VC as one item: the first says what it delivered.
fn said(run: &RunView<'_>) -> Vec<String> {
    let names: BTreeSet<&str> = run.summary.vcs.iter().map(|vc| vc.name.as_str()).collect();
    let mut items: Vec<String> = Vec::new();
    for sentence in run.why {
        let sentence = &links_as_code(sentence);
        let begins = sentence.split_once(" delivered ").is_some_and(|(vc, _)| names.contains(vc));
        match items.last_mut() {
            Some(item) if !begins => *item = format!("{item} {sentence}"),
            _ => items.push(sentence.clone()),
        }
    }
    items
}

/// A sentence whose links, such as `S1->S2`, are set as code, so that their names do not break.
fn links_as_code(sentence: &str) -> String {
    let words = sentence.split(' ').map(|word| {
        let name = word.trim_end_matches(['.', ',', ':', ';']);
        let is_link = name.contains("->") && !name.contains('`');
        if is_link { format!("`{name}`{}", &word[name.len()..]) } else { word.to_owned() }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The tables of links and queues. In a large network no reader looks for a link by its place in
/// the file: the busiest links and the longest queues are first.
fn links_and_queues(run: &RunView<'_>) -> Vec<Block> {
    let summary = run.summary;
    let mut by_load: Vec<&LinkSummary> = summary.links.iter().collect();
    let mut by_length: Vec<&QueueSummary> = summary.queues.iter().collect();
    let is_sorted = is_large(run.network);
    if is_sorted {
        by_load.sort_by(|a, b| b.busy_share.total_cmp(&a.busy_share));
        by_length.sort_by(|a, b| b.mean_packets.total_cmp(&a.mean_packets));
    }
    let word = summary.counted_in.word();
    let links: &[Part<&LinkSummary>] = &[
        (Column::text("link"), |link| Cell::Code(link.name.clone())),
        (Column::number("rate", ""), |link| Cell::Text(rate_text(link.rate_bps as f64))),
        (Column::number("busy", "%"), |link| Cell::Text(plain_number(100.0 * link.busy_share, 2))),
        (Column::number("data", word), |link| count(link.data_packets)),
        (Column::number("control", ""), |link| count(link.control_packets)),
    ];
    let queues: &[Part<&QueueSummary>] = &[
        (Column::text("node"), |queue| Cell::Code(queue.node.clone())),
        (Column::text("port"), |queue| Cell::Code(queue.port.clone())),
        (Column::text("VC"), |queue| Cell::Code(queue.vc.clone())),
        (Column::number("mean", word), |queue| Cell::Text(plain_number(queue.mean_packets, 2))),
        (Column::number("max", word), |queue| count(u64::from(queue.max_packets))),
    ];
    let link_table = Table {
        title: "Link directions".to_owned(),
        note: match more(summary.links.len(), "links.parquet") {
            more if more.is_empty() || !is_sorted => more,
            more => format!("These are the busiest. {more}"),
        },
        ..Table::of(by_load.into_iter().take(ROWS), links)
    };
    let queue_table = Table {
        title: "Queues of each VC".to_owned(),
        note: rest(
            summary.queues.len(),
            summary.queues_left_out,
            "These have the greatest means. ",
            "queues.parquet",
        ),
        ..Table::of(by_length.into_iter().take(ROWS), queues)
    };
    let mut blocks =
        vec![Block::Beside(vec![Block::Table(link_table)], vec![Block::Table(queue_table)])];
    blocks.extend(memory(&summary.nodes));
    blocks
}

/// The memory of nodes whose bytes are counted, those with the most first in a long list.
fn memory(nodes: &[NodeSummary]) -> Option<Block> {
    let mut counted: Vec<&NodeSummary> =
        nodes.iter().filter(|node| node.max_bytes.is_some()).collect();
    if counted.is_empty() {
        return None;
    }
    if counted.len() > ROWS {
        counted.sort_by_key(|node| std::cmp::Reverse(node.max_bytes));
    }
    let parts: [Part<&NodeSummary>; 3] = [
        (Column::text("node"), |node| Cell::Code(node.node.clone())),
        (Column::number("most held", "B"), |node| maybe_count(node.max_bytes)),
        (Column::number("buffer", "B"), |node| maybe_count(node.buffer_bytes)),
    ];
    let note = match counted.len().saturating_sub(ROWS) {
        0 => String::new(),
        more => format!("{more} more in `summary.json`, which hold less."),
    };
    let table = Table::of(counted.into_iter().take(ROWS), &parts);
    Some(Block::Table(Table { title: "Memory of nodes".to_owned(), note, ..table }))
}

/// The contents of the files, column by column.
fn dictionary() -> Vec<Block> {
    let text = "Beside this page: `manifest.json` says what was run, `summary.json` what was \
                counted, and these Parquet files hold all of it. Times are picoseconds from the \
                start of the run.";
    tables_dictionary(text, &TABLES)
}
