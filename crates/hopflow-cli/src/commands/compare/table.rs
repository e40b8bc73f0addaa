//! The tables of a comparison for people: controls, switches, sizes, and what does not fit.

use hopflow::compare::{Comparison, ControlMeasures, ControlSize, Unfit};

use crate::output::{Table, maybe, number, percent, rate, span};

/// All tables with their titles; those without a row are left out.
pub(super) fn all(result: &Comparison) -> Vec<(&'static str, Table)> {
    let tables = [
        ("", controls(result)),
        ("Delay", delays(result)),
        ("TCP", tcp(result)),
        ("Switches", switches(result)),
    ];
    let tables = tables.into_iter().filter(|(_, table)| !table.rows.is_empty());
    tables.chain(beside(&result.sizes, &result.unfit)).collect()
}

/// What is beside the measures: sizes, and what does not fit.
pub(super) fn beside(sized: &[ControlSize], not: &[Unfit]) -> Vec<(&'static str, Table)> {
    let tables = [("Sizes", sizes(sized)), ("Does not fit", unfit(not))];
    tables.into_iter().filter(|(_, table)| !table.rows.is_empty()).collect()
}

fn controls(result: &Comparison) -> Table {
    let needed = format!("#{} needed", result.counted_in());
    let mut table = Table::new(&[
        "control",
        "#used",
        "#delivered",
        "#lost",
        "#delay mean",
        "#99 %",
        "#max",
        "#Jain",
        needed.as_str(),
        "#settled",
    ]);
    for run in &result.runs {
        table.row(control_row(&run.measures));
    }
    for one in &result.unfit {
        let needed = one.needs.iter().map(|need| need.packets).max();
        let mut row = vec!["-".to_owned(); table.head.len()];
        row[0].clone_from(&one.control);
        "no fit".clone_into(&mut row[1]);
        row[8] = needed.map_or_else(|| "-".to_owned(), |cells| cells.to_string());
        table.row(row);
    }
    table
}

fn control_row(one: &ControlMeasures) -> Vec<String> {
    let told =
        |value: Option<f64>, say: &dyn Fn(f64) -> String| value.map_or_else(|| "-".to_owned(), say);
    let time = |ps: f64| span(four_digits(ps));
    let whole = |value: Option<u64>| told(value.map(|value| value as f64), &time);
    vec![
        one.control.clone(),
        told(one.utilization, &percent),
        rate(four_digits(one.throughput_bps)),
        percent(one.lost_share),
        told(one.delay_mean_ps, &time),
        whole(one.delay_p99_ps),
        whole(one.delay_max_ps),
        told(one.jain, &|jain| number(jain, 4)),
        one.needed_packets.to_string(),
        whole(one.settled_ps),
    ]
}

/// The mean delay, and where packets spent it.
fn delays(result: &Comparison) -> Table {
    let mut table = Table::new(&["control", "#delay mean", "#at the host", "#in the network"]);
    for one in result.runs.iter().map(|run| &run.measures) {
        if one.delay_network_ps.is_some() {
            let times = [one.delay_mean_ps, one.delay_host_ps, one.delay_network_ps];
            let mut row = vec![one.control.clone()];
            row.extend(times.map(|time| time.map_or_else(|| "-".to_owned(), time_of)));
            table.row(row);
        }
    }
    table
}

fn time_of(ps: f64) -> String {
    span(four_digits(ps))
}

/// The TCP connections together.
fn tcp(result: &Comparison) -> Table {
    let heads = [
        "control",
        "#goodput",
        "#finished",
        "#after",
        "#sent again",
        "#time-outs",
        "#round trip",
        "#max",
    ];
    let mut table = Table::new(&heads);
    for one in result.runs.iter().map(|run| &run.measures) {
        let Some(tcp) = &one.tcp else { continue };
        let again = tcp.retransmitted_segments as f64 / tcp.segments.max(1) as f64;
        table.row(vec![
            one.control.clone(),
            rate(four_digits(tcp.goodput_bps)),
            format!("{} of {}", tcp.finished, tcp.connections),
            tcp.completion_ps.map_or_else(|| "-".to_owned(), |ps| time_of(ps as f64)),
            percent(again),
            tcp.timeouts.to_string(),
            tcp.round_trip_ps.map_or_else(|| "-".to_owned(), time_of),
            time_of(tcp.round_trip_max_ps as f64),
        ]);
    }
    table
}

/// A value to four digits, enough to compare by; other formats have all of them.
fn four_digits(value: f64) -> f64 {
    let text = format!("{value:.3e}");
    text.parse().expect("it was written as a number")
}

fn switches(result: &Comparison) -> Table {
    let mean = format!("#{}: mean", result.counted_in());
    let heads = ["switch", "control", mean.as_str(), "#99 %", "#max", "#needed", "#promised"];
    let mut table = Table::new(&heads);
    let count = result.runs.first().map_or(0, |run| run.measures.switches.len());
    for index in 0..count {
        for one in result.runs.iter().map(|run| &run.measures) {
            let switch = &one.switches[index];
            table.row(vec![
                switch.title(),
                one.control.clone(),
                number(switch.mean_packets, 2),
                switch.p99_packets.to_string(),
                switch.max_packets.to_string(),
                switch.needed_packets.to_string(),
                maybe(switch.promised_packets),
            ]);
        }
    }
    table
}

/// The sizes that controls used, and beside them what the law of `size` gives.
fn sizes(sizes: &[ControlSize]) -> Table {
    let mut table = Table::new(&["control", "size", "unit", "#used", "#by law", "at"]);
    for one in sizes {
        let law = one.law_least.zip(one.law_most);
        table.row(vec![
            one.control.clone(),
            one.size.clone(),
            one.unit.clone(),
            from_to(one.least, one.most),
            law.map_or_else(|| "-".to_owned(), |(least, most)| from_to(least, most)),
            one.at.clone(),
        ]);
    }
    table
}

fn from_to(least: u64, most: u64) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// Controls that do not fit, with the reason and the memory that they need in all.
fn unfit(unfit: &[Unfit]) -> Table {
    let mut table = Table::new(&["control", "#packets needed in all", "at", "why"]);
    for one in unfit {
        let most = one.needs.iter().max_by_key(|need| need.packets);
        table.row(vec![
            one.control.clone(),
            maybe(most.map(|need| need.packets)),
            maybe(most.map(|need| &need.node)),
            format!("{}: {}", one.code, one.reason),
        ]);
    }
    table
}
