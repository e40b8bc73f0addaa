//! The report of a comparison: one table of all controls, and their curves laid over each other.

use hopflow::compare::{
    Comparison, ControlMeasures, ControlRun, ControlSize, Curve, SETTLED_WITHIN, Unfit,
};
use hopflow::units::Picos;
use hopflow_figures::{digits, rate_text, time_text, time_unit};

use super::parts::{ROWS, tables_dictionary};
use super::{Block, Cell, Column, Page, Section, Table, Verdict};
use crate::chart::{Axis, Figure, Line, LineKind, plain_number};
use crate::parquet::COMPARE_TABLES;

/// The most charts of one kind.
const CHARTS: usize = 12;
/// The column of the buffer that a control needs.
const NEEDED: usize = 8;

/// The report page of a comparison.
pub fn compare_page(comparison: &Comparison) -> Page {
    let runs = &comparison.runs;
    let mut sections = vec![Section::new("controls", "Controls", controls(comparison))];
    if !comparison.sizes.is_empty() {
        sections.push(Section::new("sizes", "Sizes", sizes(&comparison.sizes)));
    }
    sections.push(Section::new("queues", "Queues of switches and slow hosts", queues(comparison)));
    sections.push(Section::new("rates", "Rates", rates(runs)));
    let broken: Vec<Block> = runs.iter().flat_map(|run| broken(&run.measures)).collect();
    if !broken.is_empty() {
        let verdicts = vec![Verdict::Fails; broken.len()];
        let blocks = broken.into_iter().take(ROWS).collect();
        let part = Section::new("properties", "Broken properties", blocks);
        sections.insert(0, Section { verdicts, ..part });
    }
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

fn broken(measures: &ControlMeasures) -> Vec<Block> {
    let note = |text: &String| Block::Note(format!("Under `{}`: {text}", measures.control));
    measures.violations.iter().map(note).collect()
}

fn dash() -> String {
    "\u{2013}".to_owned()
}

fn percent(share: f64) -> String {
    format!("{}\u{202f}%", plain_number(100.0 * share, 2))
}

fn controls(comparison: &Comparison) -> Vec<Block> {
    let mut columns = vec![Column::text("control")];
    let heads = [
        ("utilization", ""),
        ("delivered", ""),
        ("lost", ""),
        ("delay mean", ""),
        ("99 %", ""),
        ("max", ""),
        ("Jain index", ""),
        ("buffer needed", comparison.counted_in()),
        ("settled after", ""),
    ];
    columns.extend(heads.map(|(head, unit)| Column::number(head, unit)));
    let rows = comparison.runs.iter().map(|run| control_row(&run.measures));
    let link = comparison.manifest.bottleneck.as_deref();
    let used = link.map_or_else(String::new, |link| {
        format!(
            "Utilization: share of the time for which `{link}` sent data, the link that comes \
             nearest to full with what is delivered. "
        )
    });
    let note = format!(
        "{used}Lost: of the packets that sources made, for want of buffer. Jain index: of what VCs \
         deliver, against their max-min fair shares. Buffer needed: the most that a switch holds \
         when it has room for everything, in this run. Settled: from then on every rate over a \
         twentieth of the run stays within {} (and one packet) of its mean over the last quarter.",
        percent(SETTLED_WITHIN)
    );
    let unfit = comparison.unfit.iter().map(|one| unfit_row(one, columns.len()));
    let rows = rows.chain(unfit).collect();
    let notes = comparison.notes.iter().map(|note| Block::Note(note.to_string()));
    let table = Block::Table(Table { columns, rows, note, ..Table::default() });
    let tcp = tcp(comparison);
    [table, delays(comparison)].into_iter().chain(tcp).chain(notes).collect()
}

/// The mean delay of each control, and where packets spent it.
fn delays(comparison: &Comparison) -> Block {
    let mut columns = vec![Column::text("control")];
    columns.extend(["delay mean", "at the host", "in the network"].map(|h| Column::number(h, "")));
    let row = |run: &ControlRun| {
        let one = &run.measures;
        let times = [one.delay_mean_ps, one.delay_host_ps, one.delay_network_ps];
        let mut row = vec![Cell::Code(one.control.clone())];
        row.extend(times.map(|ps| Cell::Text(ps.map_or_else(dash, time_text))));
        row
    };
    let note =
        "At the host: from birth to the first bit on the first link. The queue of a host is \
                its own: a control that holds packets back moves their wait there."
            .to_owned();
    let (title, rows) = ("Where delay is spent".to_owned(), comparison.runs.iter().map(row));
    Block::Table(Table { title, columns, rows: rows.collect(), note, ..Table::default() })
}

/// The TCP connections under each control, if there are any.
fn tcp(comparison: &Comparison) -> Option<Block> {
    let mut columns = vec![Column::text("control")];
    let heads = ["goodput", "finished", "after", "sent again", "time-outs", "round trip", "max"];
    columns.extend(heads.map(|head| Column::number(head, "")));
    let row = |run: &ControlRun| {
        let tcp = run.measures.tcp.as_ref()?;
        let again = tcp.retransmitted_segments as f64 / tcp.segments.max(1) as f64;
        let after = tcp.completion_ps.map_or_else(dash, |ps| time_text(ps as f64));
        let cells = [
            rate_text(tcp.goodput_bps),
            format!("{} of {}", tcp.finished, tcp.connections),
            after,
            percent(again),
            tcp.timeouts.to_string(),
            tcp.round_trip_ps.map_or_else(dash, time_text),
            time_text(tcp.round_trip_max_ps as f64),
        ];
        Some([Cell::Code(run.measures.control.clone())].into_iter().chain(cells.map(Cell::Text)))
    };
    let rows: Vec<Vec<Cell>> =
        comparison.runs.iter().filter_map(row).map(Iterator::collect).collect();
    let title = "TCP connections together".to_owned();
    let table = Table { title, columns, rows, ..Table::default() };
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

fn named(title: Option<&String>, control: &str) -> Cell {
    match title {
        Some(title) => Cell::Named(title.clone(), control.to_owned()),
        None => Cell::Code(control.to_owned()),
    }
}

fn sizes(sizes: &[ControlSize]) -> Vec<Block> {
    let mut columns = vec![Column::text("control"), Column::text("size"), Column::text("unit")];
    columns.extend(["used", "by law"].map(|head| Column::number(head, "")));
    columns.push(Column::text("at"));
    let from_to = |least: u64, most: u64| {
        let [least, most] = [least, most].map(|value| plain_number(value as f64, 0));
        if least == most { least } else { format!("{least} to {most}") }
    };
    let row = |one: &ControlSize| {
        let law = one.law_least.zip(one.law_most);
        vec![
            Cell::Code(one.control.clone()),
            Cell::Text(one.size.clone()),
            Cell::Text(one.unit.clone()),
            Cell::Text(from_to(one.least, one.most)),
            Cell::Text(law.map_or_else(dash, |(least, most)| from_to(least, most))),
            Cell::Code(one.at.clone()),
        ]
    };
    let note = "What each control used, over all places that have it, and what the law of \
                `hopflow size` gives there. Sizes without a law are not sized by the network.";
    let rows = sizes.iter().take(ROWS).map(row).collect();
    vec![Block::Table(Table { columns, rows, note: note.to_owned(), ..Table::default() })]
}

fn control_row(one: &ControlMeasures) -> Vec<Cell> {
    let time = |ps: Option<f64>| Cell::Text(ps.map_or_else(dash, time_text));
    let whole = |ps: Option<u64>| time(ps.map(|ps| ps as f64));
    vec![
        named(one.title.as_ref(), &one.control),
        Cell::Text(one.utilization.map_or_else(dash, percent)),
        Cell::Text(rate_text(one.throughput_bps)),
        Cell::Text(percent(one.lost_share)),
        time(one.delay_mean_ps),
        whole(one.delay_p99_ps),
        whole(one.delay_max_ps),
        Cell::Text(one.jain.map_or_else(dash, |jain| plain_number(jain, 4))),
        Cell::Text(plain_number(one.needed_packets as f64, 0)),
        whole(one.settled_ps),
    ]
}

fn queues(comparison: &Comparison) -> Vec<Block> {
    let (runs, word) = (&comparison.runs[..], comparison.counted_in());
    let mut columns = vec![Column::text("switch"), Column::text("control")];
    let heads = ["mean", "99 % of the time at most", "max", "needed", "promised by credit"];
    columns.extend(heads.map(|head| Column::number(head, word)));
    let switches = runs.first().map_or(0, |run| run.measures.switches.len());
    let rows = (0..switches).flat_map(|index| runs.iter().map(move |run| queue_row(run, index)));
    let more = (switches * runs.len()).saturating_sub(ROWS);
    let mut blocks = charts(runs, |run| &run.queues, word, &|name| format!("Queue of {name}"));
    blocks.push(Block::Table(Table {
        columns,
        rows: rows.take(ROWS).collect(),
        note: match more {
            0 => String::new(),
            more => format!("{more} more in `switches.parquet`."),
        },
        ..Table::default()
    }));
    blocks
}

fn queue_row(run: &ControlRun, index: usize) -> Vec<Cell> {
    let switch = &run.measures.switches[index];
    let count = |cells: u64| Cell::Text(plain_number(cells as f64, 0));
    vec![
        Cell::Code(switch.title()),
        Cell::Code(run.measures.control.clone()),
        Cell::Text(digits(switch.mean_packets)),
        count(u64::from(switch.p99_packets)),
        count(u64::from(switch.max_packets)),
        count(switch.needed_packets),
        switch.promised_packets.map_or_else(|| Cell::Text(dash()), count),
    ]
}

fn rates(runs: &[ControlRun]) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let sum = |run: &ControlRun| {
        let parts = run.rates.first().map_or(0, |rate| rate.values.len());
        let all = |part: usize| run.rates.iter().filter_map(|rate| rate.values.get(part)).sum();
        Curve { values: (0..parts).map(all).collect(), ..run.rates[0].clone() }
    };
    let mut blocks = Vec::new();
    if first.rates.len() > 1 {
        let sums: Vec<Curve> = runs.iter().map(sum).collect();
        let lines = runs.iter().zip(&sums).map(|(run, sum)| (run.measures.control.as_str(), sum));
        blocks.push(Block::Figure(figure("all", MEGA, "All VCs together", lines)));
    }
    blocks.extend(charts(runs, |run| &run.rates, MEGA, &|name| format!("Rate of {name}")));
    blocks.push(Block::Table(rate_table(runs, first)));
    blocks
}

fn rate_table(runs: &[ControlRun], first: &ControlRun) -> Table {
    let mut columns = vec![Column::text("VC"), Column::number("fair share", "")];
    columns.extend(runs.iter().map(|run| Column::number(run.measures.control.clone(), "")));
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
        note: match more {
            0 => String::new(),
            more => format!("{more} more in `summary.json`."),
        },
        ..Table::default()
    }
}

/// The unit of charts of rates.
const MEGA: &str = "Mb/s";

/// One chart for each curve, with a line for each control.
fn charts(
    runs: &[ControlRun],
    of: fn(&ControlRun) -> &Vec<Curve>,
    unit: &str,
    title: &dyn Fn(&str) -> String,
) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let curves = of(first).iter().enumerate().take(CHARTS);
    let mut blocks: Vec<Block> = curves
        .map(|(index, curve)| {
            let lines = runs.iter().map(|run| (run.measures.control.as_str(), &of(run)[index]));
            Block::Figure(figure(&index.to_string(), unit, &title(&curve.name), lines))
        })
        .collect();
    let more = of(first).len().saturating_sub(CHARTS);
    if more > 0 {
        let text = format!("{more} more charts could be drawn from `curves.parquet`.");
        blocks.push(Block::Text(text));
    }
    blocks
}

/// A chart of rates, if `unit` is [`MEGA`], or of queues in this unit.
fn figure<'a>(
    id: &str,
    unit: &str,
    title: &str,
    lines: impl Iterator<Item = (&'a str, &'a Curve)>,
) -> Figure {
    let lines: Vec<(&str, &Curve)> = lines.collect();
    let end = lines.iter().map(|(_, curve)| curve.end.0).max().unwrap_or(1) as f64;
    let (span, span_name) = time_unit(end);
    let (kind, scale) = if unit == MEGA { ("rate", 1e6) } else { ("queue", 1.0) };
    let line = |(name, curve): &(&str, &Curve)| Line {
        name: (*name).to_owned(),
        kind: LineKind::Step,
        points: points(curve, span, scale),
        ..Line::default()
    };
    Figure {
        id: format!("{kind}-{id}"),
        title: title.to_owned(),
        x: Axis::new("time", span_name).from_to(0.0, end / span),
        y: Axis::new("", unit),
        series: lines.iter().map(line).collect(),
        ..Figure::default()
    }
}

/// The steps of a curve, in the units of the axes.
fn points(curve: &Curve, span: f64, scale: f64) -> Vec<(f64, f64)> {
    let part = curve.part.0 as f64 / span;
    let values = curve.values.iter().enumerate();
    values.map(|(index, value)| (index as f64 * part, value / scale)).collect()
}
