//! The report of one run: what was run, what came of it, where the time went, and the series.

#[cfg(test)]
mod numbers;

use hopflow::record::{Summary, TotalsSummary, VcSummary, WaitingSummary};
use hopflow::units::Picos;
use hopflow_figures::{rate_text, time_text};

use super::network::network;
use super::parts::{ROWS, count, more, more_vcs, rest, tables_dictionary};
use super::series::charts;
use super::view::RunView;
use super::{Block, Cell, Column, Page, Section, Shares, Table, Verdict};
use crate::chart::plain_number;
use crate::parquet::TABLES;

/// The report page of a run.
pub fn run_page(run: &RunView<'_>) -> Page {
    let controls = super::control::controls(run.network, run.summary);
    let seen = super::seen::sentences(run, &controls).join(" ");
    let mut sections = vec![
        Section::new("outcome", "Outcome", outcome(run, &controls)),
        Section::new("network", "Network", network(run.network, run.summary)),
        Section::new("time", "Where the time went", time(run)),
    ];
    let fairness = super::fairness::blocks(run.summary);
    if !fairness.is_empty() {
        sections.insert(1, Section::new("fairness", "Fairness", fairness));
    }
    let connections = super::connections::blocks(run.summary);
    if !connections.is_empty() {
        sections.insert(1, Section::new("connections", "Connections", connections));
    }
    let rates = super::rates::blocks(run.summary);
    if !rates.is_empty() {
        sections.push(Section::new("rates", "Rate control", rates));
    }
    let vcs: Vec<&str> = run.network.vcs.iter().map(|vc| vc.name.as_str()).collect();
    let charts = charts(run.series, run.summary.counted_in, &vcs);
    if !charts.is_empty() {
        sections.push(Section::new("series", "Recorded series", charts));
    }
    sections.push(Section::new("links", "Links and queues", links_and_queues(run.summary)));
    let lengths = super::lengths::blocks(run.summary);
    if !lengths.is_empty() {
        sections.push(Section::new("lengths", "Queue lengths", lengths));
    }
    sections.push(Section::new("data", "Data dictionary", dictionary()));
    if !run.summary.violations.is_empty() {
        sections[0].verdicts = vec![Verdict::Fails; run.summary.violations.len()];
    }
    if !seen.is_empty() {
        sections.insert(0, Section::new("seen", "What you see", vec![Block::Text(seen)]));
    }
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
        blocks.push(Block::Note(format!("Broken property: {}", violation.text)));
    }
    for loss in run.summary.accepted_losses.iter().take(ROWS) {
        blocks.push(Block::Note(format!("Accepted loss: {}", loss.text)));
    }
    let rows = run.summary.vcs.iter().zip(controls).take(ROWS).map(|(vc, control)| {
        let delay = |pick: fn(&hopflow::record::DelaySummary) -> f64| {
            Cell::Text(vc.delay_ps.as_ref().map_or("\u{2013}".to_owned(), |d| time_text(pick(d))))
        };
        let waiting = |pick: fn(&WaitingSummary) -> Option<f64>| {
            let told = vc.waiting_ps.as_ref().and_then(pick);
            Cell::Text(told.map_or("\u{2013}".to_owned(), time_text))
        };
        vec![
            Cell::Code(vc.name.clone()),
            // One line for each part.
            Cell::Text(control.replace(' ', "\u{a0}").replace(";\u{a0}", "; ")),
            Cell::Text(rate_text(vc.throughput_bps)),
            count(vc.sent_packets),
            count(vc.received_packets),
            count(vc.dropped_packets),
            count(vc.corrupted_packets),
            delay(|d| d.min as f64),
            delay(|d| d.mean),
            delay(|d| d.p99 as f64),
            delay(|d| d.max as f64),
            Cell::Text(bound_text(vc)),
            waiting(|w| Some(w.mean)),
            waiting(|w| w.deviation),
        ]
    });
    let heads = ["sent", "received", "dropped", "corrupted"];
    let delays = ["delay min", "mean", "p99", "max", "bound", "waiting mean", "deviation"];
    let mut columns =
        vec![Column::text("VC"), Column::text("control"), Column::number("throughput", "")];
    let word = run.summary.counted_in.word();
    columns.extend(heads.map(|head| Column::number(head, word)));
    columns.extend(delays.map(|head| Column::number(head, "")));
    blocks.push(Block::Table(Table {
        title: "VCs".to_owned(),
        columns,
        rows: rows.collect(),
        note: more_vcs(run.summary, run.summary.vcs.len(), "vcs.parquet"),
        ..Table::default()
    }));
    let bounds = bounds(run.summary);
    if !bounds.is_empty() {
        blocks.push(Block::Folded("What no delay exceeds, and why".to_owned(), bounds));
    }
    blocks
}

fn bound_text(vc: &VcSummary) -> String {
    vc.delay_bound_ps.map_or("\u{2013}".to_owned(), |bound| time_text(bound as f64))
}

/// What the bound of each VC follows from, or why it has none; nothing if none has one.
fn bounds(summary: &Summary) -> Vec<Block> {
    if summary.vcs.iter().all(|vc| vc.delay_bound_ps.is_none()) {
        return Vec::new();
    }
    let row = |vc: &VcSummary| {
        let greatest = vc.delay_ps.as_ref().map(|delay| delay.max);
        let share = greatest.zip(vc.delay_bound_ps).map(|(max, bound)| max as f64 / bound as f64);
        vec![
            Cell::Code(vc.name.clone()),
            Cell::Text(greatest.map_or("\u{2013}".to_owned(), |max| time_text(max as f64))),
            Cell::Text(bound_text(vc)),
            Cell::Text(share.map_or("\u{2013}".to_owned(), |s| plain_number(100.0 * s, 1))),
            Cell::Text(vc.delay_bound.clone()),
        ]
    };
    vec![Block::Table(Table {
        title: "Greatest delays and their bounds".to_owned(),
        columns: vec![
            Column::text("VC"),
            Column::number("delay max", ""),
            Column::number("bound", ""),
            Column::number("share of it", "%"),
            Column::text("follows from, or is not known because"),
        ],
        rows: summary.vcs.iter().take(ROWS).map(row).collect(),
        note: more_vcs(summary, summary.vcs.len(), "vcs.parquet"),
        ..Table::default()
    })]
}

fn time(run: &RunView<'_>) -> Vec<Block> {
    let hops = run.summary.vcs.iter().flat_map(|vc| vc.hops.iter().map(move |hop| (vc, hop)));
    let listed = hops.clone().count() as u64;
    let all = run.summary.totals.as_ref().map_or(listed, |all| all.hops.max(listed));
    let most = 60;
    let rows = hops.take(most as usize).map(|(vc, hop)| {
        let shares =
            vec![hop.sending_share, hop.waiting_share, hop.no_credit_share, hop.no_cell_share];
        (format!("{} on {}", vc.name, hop.link), shares)
    });
    let parts = ["sending", "link busy with others", "no permission", "nothing to send"];
    let left_out =
        if all > most { format!(" {} more in `hops.parquet`.", all - most) } else { String::new() };
    let shares = Shares {
        title: "Time of every VC on every link it crosses".to_owned(),
        parts: parts.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        caption: format!(
            "Shares of the run at the sending end. \u{201c}No permission\u{201d}: a {} in hand, \
             and credit, window or rate do not let it start.{left_out}",
            run.summary.counted_in.one()
        ),
    };
    let mut blocks = vec![Block::Shares(shares)];
    if !run.why.is_empty() {
        blocks.push(Block::List(run.why.iter().take(ROWS).cloned().collect()));
    }
    blocks
}

fn links_and_queues(summary: &Summary) -> Vec<Block> {
    let links = summary.links.iter().take(ROWS).map(|link| {
        vec![
            Cell::Code(link.name.clone()),
            Cell::Text(rate_text(link.rate_bps as f64)),
            Cell::Text(plain_number(100.0 * link.busy_share, 2)),
            count(link.data_packets),
            count(link.control_packets),
        ]
    });
    let queues = summary.queues.iter().take(ROWS).map(|queue| {
        vec![
            Cell::Code(queue.node.clone()),
            Cell::Code(queue.port.clone()),
            Cell::Code(queue.vc.clone()),
            Cell::Text(plain_number(queue.mean_packets, 2)),
            count(u64::from(queue.max_packets)),
        ]
    });
    let word = summary.counted_in.word();
    let link_table = Table {
        title: "Link directions".to_owned(),
        columns: vec![
            Column::text("link"),
            Column::number("rate", ""),
            Column::number("busy", "%"),
            Column::number("data", word),
            Column::number("control", ""),
        ],
        rows: links.collect(),
        note: more(summary.links.len(), "links.parquet"),
        ..Table::default()
    };
    let queue_table = Table {
        title: "Queues of each VC".to_owned(),
        columns: vec![
            Column::text("node"),
            Column::text("port"),
            Column::text("VC"),
            Column::number("mean", word),
            Column::number("max", word),
        ],
        rows: queues.collect(),
        note: rest(
            summary.queues.len(),
            summary.queues_left_out,
            "These have the greatest means. ",
            "queues.parquet",
        ),
        ..Table::default()
    };
    vec![Block::Beside(vec![Block::Table(link_table)], vec![Block::Table(queue_table)])]
}

/// What is in the files, column by column.
fn dictionary() -> Vec<Block> {
    let text = "Beside this page: `manifest.json` says what was run, `summary.json` what was \
                counted, and these Parquet files hold all of it. Times are picoseconds from the \
                start of the run.";
    tables_dictionary(text, &TABLES)
}
