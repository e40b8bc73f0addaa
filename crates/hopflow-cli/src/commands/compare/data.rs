//! The tables of a comparison as data, for `--format csv`: the keys of `docs/results.md`.

use hopflow::compare::{Comparison, ControlMeasures};
use serde::Serialize;

use crate::output::{Named, Of, Table};

/// What `--table` may be, the default first.
pub(crate) const TABLES: [Named<Comparison>; 6] = [
    ("controls", controls),
    ("switches", |result| {
        let head = "control=of node kind mean_packets p99_packets max_packets needed_packets \
            promised_packets max_bytes needed_bytes promised_bytes";
        by_control(head, result, |one| &one.switches)
    }),
    ("vcs", |result| {
        let head = "control=of vc=name throughput_bps fair_bps delay_mean_ps lost_packets";
        by_control(head, result, |one| &one.vcs)
    }),
    ("sizes", |result| {
        let head = "control size unit least most law_least law_most places at";
        Table::of_keys(head, &result.sizes)
    }),
    ("unfit", unfit),
    ("notes", |result| Table::of_keys("severity cause controls text change", &result.notes)),
];

fn controls(result: &Comparison) -> Table {
    let head = "control utilization throughput_bps created_packets lost_packets lost_share \
        delay_mean_ps delay_p99_ps delay_max_ps jain needed_packets settled_ps digest \
        delay_host_ps delay_network_ps tcp/connections tcp/goodput_bps tcp/finished \
        tcp/completion_ps tcp/segments tcp/retransmitted_segments tcp/timeouts \
        tcp/round_trip_ps tcp/round_trip_max_ps needed_bytes";
    Table::of_keys(head, result.runs.iter().map(|run| &run.measures))
}

/// The rows of a list that each control has.
fn by_control<R: Serialize>(
    head: &str,
    result: &Comparison,
    list: fn(&ControlMeasures) -> &Vec<R>,
) -> Table {
    let runs = result.runs.iter().map(|run| &run.measures);
    Table::of_keys(
        head,
        runs.flat_map(|one| list(one).iter().map(|row| Of { of: &one.control, row })),
    )
}

/// One row for each switch that a control needs memory of; one row if it lacks something else.
fn unfit(result: &Comparison) -> Table {
    let head = "control=of/control code=of/code reason=of/reason change=of/change node \
        needed_packets=packets needed_bytes=bytes formula";
    let rows = result.unfit.iter().flat_map(|of| {
        let none = of.needs.is_empty().then_some(None);
        of.needs.iter().map(Some).chain(none).map(move |row| Of { of, row })
    });
    Table::of_keys(head, rows)
}
