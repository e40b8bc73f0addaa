//! The tables of a comparison for people: controls, switches, sizes, and what does not fit.

use hopflow::compare::{
    Comparison, ControlMeasures, ControlSize, Need, SwitchMeasures, TcpMeasures, Unfit,
};

use crate::output::{Columns, Table, cell, maybe, number, or_dash, percent, rate, span};

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

/// The tables after the measures: sizes, and controls that do not fit.
pub(super) fn beside(sized: &[ControlSize], not: &[Unfit]) -> Vec<(&'static str, Table)> {
    let tables = [("Sizes", sizes(sized)), ("Does not fit", unfit(not))];
    tables.into_iter().filter(|(_, table)| !table.rows.is_empty()).collect()
}

fn controls(result: &Comparison) -> Table {
    let needed = format!("#{} needed", result.counted_in());
    let columns: Columns<ControlMeasures> = &[
        ("control", |one| one.control.clone()),
        ("#used", |one| or_dash(one.utilization, percent)),
        ("#delivered", |one| rate(four_digits(one.throughput_bps))),
        ("#lost", |one| percent(one.lost_share)),
        ("#delay mean", |one| or_dash(one.delay_mean_ps, time)),
        ("#p99", |one| whole_time(one.delay_p99_ps)),
        ("#max", |one| whole_time(one.delay_max_ps)),
        ("#Jain", |one| or_dash(one.jain, |jain| number(jain, 4))),
        (&needed, |one| one.needed_packets.to_string()),
        ("#settled", |one| whole_time(one.settled_ps)),
    ];
    let mut table = Table::of(columns, result.runs.iter().map(|run| &run.measures));
    for one in &result.unfit {
        let needed = one.needs.iter().map(|need| need.packets).max();
        let mut row = vec!["-".to_owned(); table.head.len()];
        row[0].clone_from(&one.control);
        "no fit".clone_into(&mut row[1]);
        row[8] = or_dash(needed, cell);
        table.row(row);
    }
    let of_runs = result.runs.iter().map(|run| run.measures.needed_bytes);
    let most = |one: &Unfit| one.needs.iter().filter_map(|need| need.bytes).max();
    let bytes: Vec<Option<u64>> = of_runs.chain(result.unfit.iter().map(most)).collect();
    if bytes.iter().all(Option::is_none) {
        return table;
    }
    let columns: Columns<Option<u64>> = &[("#bytes needed", |bytes| maybe(*bytes))];
    table.beside(Table::of(columns, bytes))
}

/// The mean delay, and where packets spent it.
fn delays(result: &Comparison) -> Table {
    let columns: Columns<ControlMeasures> = &[
        ("control", |one| one.control.clone()),
        ("#delay mean", |one| or_dash(one.delay_mean_ps, time)),
        ("#at the host", |one| or_dash(one.delay_host_ps, time)),
        ("#in the network", |one| or_dash(one.delay_network_ps, time)),
    ];
    let all = result.runs.iter().map(|run| &run.measures);
    Table::of(columns, all.filter(|one| one.delay_network_ps.is_some()))
}

fn time(ps: f64) -> String {
    span(four_digits(ps))
}

fn whole_time(ps: Option<u64>) -> String {
    or_dash(ps, |ps| time(ps as f64))
}

/// The TCP connections together.
fn tcp(result: &Comparison) -> Table {
    let columns: Columns<(&str, &TcpMeasures)> = &[
        ("control", |(control, _)| (*control).to_owned()),
        ("#goodput", |(_, tcp)| rate(four_digits(tcp.goodput_bps))),
        ("#finished", |(_, tcp)| format!("{} of {}", tcp.finished, tcp.connections)),
        ("#after", |(_, tcp)| whole_time(tcp.completion_ps)),
        ("#sent again", |(_, tcp)| {
            percent(tcp.retransmitted_segments as f64 / tcp.segments.max(1) as f64)
        }),
        ("#time-outs", |(_, tcp)| tcp.timeouts.to_string()),
        ("#round trip", |(_, tcp)| or_dash(tcp.round_trip_ps, time)),
        ("#max", |(_, tcp)| time(tcp.round_trip_max_ps as f64)),
    ];
    let all = result.runs.iter().map(|run| &run.measures);
    Table::of(columns, all.filter_map(|one| Some((one.control.as_str(), one.tcp.as_ref()?))))
}

/// A value to four digits, enough to compare by; other formats have all of them.
fn four_digits(value: f64) -> f64 {
    let text = format!("{value:.3e}");
    text.parse().expect("it was written as a number")
}

fn switches(result: &Comparison) -> Table {
    let mean = format!("#{}: mean", result.counted_in());
    let columns: Columns<(&str, &SwitchMeasures)> = &[
        ("switch", |(_, switch)| switch.title()),
        ("control", |(control, _)| (*control).to_owned()),
        (&mean, |(_, switch)| number(switch.mean_packets, 2)),
        ("#p99", |(_, switch)| switch.p99_packets.to_string()),
        ("#max", |(_, switch)| switch.max_packets.to_string()),
        ("#needed", |(_, switch)| switch.needed_packets.to_string()),
        ("#promised", |(_, switch)| maybe(switch.promised_packets)),
    ];
    let all = || result.runs.iter().map(|run| &run.measures);
    let count = all().next().map_or(0, |one| one.switches.len());
    let of = |index: usize| all().map(move |one| (one.control.as_str(), &one.switches[index]));
    let ranks =
        (0..count).flat_map(of).map(|(_, one)| [one.needed_packets as f64, one.mean_packets]);
    let mut table = Table::of(columns, (0..count).flat_map(of));
    if (0..count).flat_map(of).any(|(_, switch)| switch.max_bytes.is_some()) {
        let columns: Columns<(&str, &SwitchMeasures)> = &[
            ("#bytes: max", |(_, switch)| maybe(switch.max_bytes)),
            ("#needed", |(_, switch)| maybe(switch.needed_bytes)),
            ("#promised", |(_, switch)| maybe(switch.promised_bytes)),
        ];
        table = table.beside(Table::of(columns, (0..count).flat_map(of)));
    }
    table.worst("the fullest", "switches", ranks).in_groups_of(result.runs.len())
}

/// The sizes that controls used, and beside them what the formula of `size` gives.
fn sizes(sizes: &[ControlSize]) -> Table {
    let columns: Columns<ControlSize> = &[
        ("control", |one| one.control.clone()),
        ("size", |one| one.size.clone()),
        ("unit", |one| one.unit.clone()),
        ("#used", |one| from_to(one.least, one.most)),
        ("#by formula", |one| {
            or_dash(one.law_least.zip(one.law_most), |(least, most)| from_to(least, most))
        }),
        ("at", |one| one.at.clone()),
    ];
    Table::of(columns, sizes)
}

fn from_to(least: u64, most: u64) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// Controls that do not fit, with the reason and the memory that they need in all: in bytes, with
/// their sum, where a switch counts them.
fn unfit(unfit: &[Unfit]) -> Table {
    if unfit.iter().flat_map(|one| &one.needs).any(|need| need.bytes.is_some()) {
        let columns: Columns<(&Unfit, Option<&Need>)> = &[
            ("control", |(one, _)| one.control.clone()),
            ("#needed in all", |(_, most)| maybe(most.map(Need::amount))),
            ("at", |(_, most)| maybe(most.map(|need| &need.node))),
            ("by", |(_, most)| maybe(most.and_then(|need| need.formula.as_ref()))),
            ("why", |(one, _)| format!("{}: {}", one.code, one.reason)),
        ];
        let most = unfit.iter().map(|one| one.needs.iter().max_by_key(|need| need.bytes));
        return Table::of(columns, unfit.iter().zip(most));
    }
    let columns: Columns<(&Unfit, Option<&Need>)> = &[
        ("control", |(one, _)| one.control.clone()),
        ("#packets needed in all", |(_, most)| maybe(most.map(|need| need.packets))),
        ("at", |(_, most)| maybe(most.map(|need| &need.node))),
        ("why", |(one, _)| format!("{}: {}", one.code, one.reason)),
    ];
    let all = unfit.iter();
    Table::of(columns, all.map(|one| (one, one.needs.iter().max_by_key(|need| need.packets))))
}
