//! The tables of totals: VCs, hops, links and queues.

use hopflow::record::{DelaySummary, Summary, VcSummary};

use super::rows::Value::{F64, Name, Nothing, U32, U64};
use super::rows::{Column, TableFile, Value, columns, push};
use super::schema::{HOPS, LINKS, QUEUES, TableInfo, VCS};
use crate::ExportError;
use crate::directory::RunDirectory;

/// Writes `vcs`, `hops`, `links` and `queues`.
pub(crate) fn write_tables(directory: &RunDirectory, summary: &Summary) -> Result<(), ExportError> {
    table(directory, &VCS, vcs(summary))?;
    table(directory, &HOPS, hops(summary))?;
    table(directory, &LINKS, links(summary))?;
    table(directory, &QUEUES, queues(summary))
}

fn table(
    directory: &RunDirectory,
    table: &'static TableInfo,
    columns: Vec<Column>,
) -> Result<(), ExportError> {
    let mut file = TableFile::open(directory, table, &format!("{}.parquet", table.name))?;
    file.write(columns)?;
    file.close()
}

fn maybe<'a>(value: Option<u64>) -> Value<'a> {
    value.map_or(Nothing, U64)
}

fn vcs(summary: &Summary) -> Vec<Column> {
    let mut all = columns(&VCS);
    for vc in &summary.vcs {
        push(&mut all, vc_row(vc));
    }
    all
}

fn vc_row(vc: &VcSummary) -> [Value<'_>; 13] {
    let delay = |pick: fn(&DelaySummary) -> u64| maybe(vc.delay_ps.as_ref().map(pick));
    [
        Name(&vc.name),
        U64(vc.created_cells),
        U64(vc.sent_cells),
        U64(vc.received_cells),
        U64(vc.dropped_cells),
        U64(vc.corrupted_cells),
        F64(vc.throughput_bps),
        delay(|d| d.min),
        vc.delay_ps.map_or(Nothing, |d| F64(d.mean)),
        delay(|d| d.p99),
        delay(|d| d.max),
        maybe(vc.first_delivery_ps),
        maybe(vc.last_delivery_ps),
    ]
}

fn hops(summary: &Summary) -> Vec<Column> {
    let mut all = columns(&HOPS);
    for vc in &summary.vcs {
        for hop in &vc.hops {
            let row = [
                Name(&vc.name),
                Name(&hop.link),
                Name(&hop.from),
                Name(&hop.to),
                Name(&hop.control),
                maybe(hop.initial_credit_cells),
                U64(hop.round_trip_ps),
                U64(hop.no_cell_ps),
                U64(hop.no_credit_ps),
                U64(hop.waiting_ps),
                U64(hop.sending_ps),
                U64(hop.no_credit_count),
                U64(hop.sent_cells),
                U64(hop.received_cells),
                U64(hop.corrupted_cells),
                U64(hop.dropped_cells),
                U64(hop.given_up_cells),
                U64(hop.overrun_cells),
                U64(hop.credits_sent),
                U64(hop.credits_taken),
                U64(hop.credits_corrupted),
                U64(hop.credits_left_out),
                U64(hop.request_cells),
            ];
            push(&mut all, row);
        }
    }
    all
}

fn links(summary: &Summary) -> Vec<Column> {
    let mut all = columns(&LINKS);
    for link in &summary.links {
        let row = [
            Name(&link.name),
            Name(&link.from),
            Name(&link.to),
            U64(link.rate_bps),
            F64(link.busy_share),
            U64(link.data_cells),
            U64(link.control_cells),
        ];
        push(&mut all, row);
    }
    all
}

fn queues(summary: &Summary) -> Vec<Column> {
    let mut all = columns(&QUEUES);
    for queue in &summary.queues {
        let row = [
            Name(&queue.node),
            Name(&queue.port),
            Name(&queue.vc),
            F64(queue.mean_cells),
            U32(queue.max_cells),
        ];
        push(&mut all, row);
    }
    all
}
