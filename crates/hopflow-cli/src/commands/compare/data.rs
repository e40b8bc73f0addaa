//! The tables of a comparison as data, for `--format csv`: the keys of `docs/results.md`.

use hopflow::compare::{
    CompareNote, Comparison, ControlMeasures, ControlSize, Need, SwitchMeasures, Unfit, VcMeasures,
};

use crate::output::{Columns, Named, Table, cell, maybe};

/// What `--table` may be, the default first.
pub(crate) const TABLES: [Named<Comparison>; 6] = [
    ("controls", controls),
    ("switches", switches),
    ("vcs", vcs),
    ("sizes", sizes),
    ("unfit", unfit),
    ("notes", notes),
];

fn controls(result: &Comparison) -> Table {
    let columns: Columns<ControlMeasures> = &[
        ("control", |one| one.control.clone()),
        ("utilization", |one| maybe(one.utilization)),
        ("throughput_bps", |one| cell(one.throughput_bps)),
        ("created_packets", |one| cell(one.created_packets)),
        ("lost_packets", |one| cell(one.lost_packets)),
        ("lost_share", |one| cell(one.lost_share)),
        ("delay_mean_ps", |one| maybe(one.delay_mean_ps)),
        ("delay_p99_ps", |one| maybe(one.delay_p99_ps)),
        ("delay_max_ps", |one| maybe(one.delay_max_ps)),
        ("jain", |one| maybe(one.jain)),
        ("needed_packets", |one| cell(one.needed_packets)),
        ("settled_ps", |one| maybe(one.settled_ps)),
        ("digest", |one| one.digest.clone()),
        ("delay_host_ps", |one| maybe(one.delay_host_ps)),
        ("delay_network_ps", |one| maybe(one.delay_network_ps)),
        ("tcp_connections", |one| maybe(one.tcp.as_ref().map(|tcp| tcp.connections))),
        ("tcp_goodput_bps", |one| maybe(one.tcp.as_ref().map(|tcp| tcp.goodput_bps))),
        ("tcp_finished", |one| maybe(one.tcp.as_ref().map(|tcp| tcp.finished))),
        ("tcp_completion_ps", |one| maybe(one.tcp.as_ref().and_then(|tcp| tcp.completion_ps))),
        ("tcp_segments", |one| maybe(one.tcp.as_ref().map(|tcp| tcp.segments))),
        ("tcp_retransmitted_segments", |one| {
            maybe(one.tcp.as_ref().map(|tcp| tcp.retransmitted_segments))
        }),
        ("tcp_timeouts", |one| maybe(one.tcp.as_ref().map(|tcp| tcp.timeouts))),
        ("tcp_round_trip_ps", |one| maybe(one.tcp.as_ref().and_then(|tcp| tcp.round_trip_ps))),
        ("tcp_round_trip_max_ps", |one| maybe(one.tcp.as_ref().map(|tcp| tcp.round_trip_max_ps))),
    ];
    Table::of(columns, result.runs.iter().map(|run| &run.measures))
}

fn switches(result: &Comparison) -> Table {
    let columns: Columns<(&str, &SwitchMeasures)> = &[
        ("control", |(control, _)| (*control).to_owned()),
        ("node", |(_, switch)| switch.node.clone()),
        ("kind", |(_, switch)| switch.kind.clone()),
        ("mean_packets", |(_, switch)| cell(switch.mean_packets)),
        ("p99_packets", |(_, switch)| cell(switch.p99_packets)),
        ("max_packets", |(_, switch)| cell(switch.max_packets)),
        ("needed_packets", |(_, switch)| cell(switch.needed_packets)),
        ("promised_packets", |(_, switch)| maybe(switch.promised_packets)),
    ];
    let runs = result.runs.iter().map(|run| &run.measures);
    let rows = runs.flat_map(|one| one.switches.iter().map(|of| (one.control.as_str(), of)));
    Table::of(columns, rows)
}

fn vcs(result: &Comparison) -> Table {
    let columns: Columns<(&str, &VcMeasures)> = &[
        ("control", |(control, _)| (*control).to_owned()),
        ("vc", |(_, vc)| vc.name.clone()),
        ("throughput_bps", |(_, vc)| cell(vc.throughput_bps)),
        ("fair_bps", |(_, vc)| maybe(vc.fair_bps)),
        ("delay_mean_ps", |(_, vc)| maybe(vc.delay_mean_ps)),
        ("lost_packets", |(_, vc)| cell(vc.lost_packets)),
    ];
    let runs = result.runs.iter().map(|run| &run.measures);
    let rows = runs.flat_map(|one| one.vcs.iter().map(|of| (one.control.as_str(), of)));
    Table::of(columns, rows)
}

fn sizes(result: &Comparison) -> Table {
    let columns: Columns<ControlSize> = &[
        ("control", |one| one.control.clone()),
        ("size", |one| one.size.clone()),
        ("unit", |one| one.unit.clone()),
        ("least", |one| cell(one.least)),
        ("most", |one| cell(one.most)),
        ("law_least", |one| maybe(one.law_least)),
        ("law_most", |one| maybe(one.law_most)),
        ("places", |one| cell(one.places)),
        ("at", |one| one.at.clone()),
    ];
    Table::of(columns, &result.sizes)
}

/// One row for each switch that a control needs memory of; one row if it lacks something else.
fn unfit(result: &Comparison) -> Table {
    let columns: Columns<(&Unfit, Option<&Need>)> = &[
        ("control", |(one, _)| one.control.clone()),
        ("code", |(one, _)| one.code.clone()),
        ("reason", |(one, _)| one.reason.clone()),
        ("change", |(one, _)| maybe(one.change.as_ref())),
        ("node", |(_, need)| maybe(need.map(|need| &need.node))),
        ("needed_packets", |(_, need)| maybe(need.map(|need| need.packets))),
    ];
    let mut rows = Vec::new();
    for one in &result.unfit {
        rows.extend(one.needs.iter().map(|need| (one, Some(need))));
        if one.needs.is_empty() {
            rows.push((one, None));
        }
    }
    Table::of(columns, rows)
}

fn notes(result: &Comparison) -> Table {
    let columns: Columns<CompareNote> = &[
        ("severity", |note| note.severity.clone()),
        ("cause", |note| note.cause.clone()),
        ("controls", |note| note.controls.join(" ")),
        ("text", |note| note.text.clone()),
        ("change", |note| note.change.clone()),
    ];
    Table::of(columns, &result.notes)
}
