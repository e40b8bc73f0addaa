//! The tables of totals: VCs, hops, links, queues, ports and lengths.

use hopflow::record::{DelaySummary, LengthSummary, Summary, VcSummary, WaitingSummary};

use super::rows::Value::{F64, Name, Nothing, U32, U64};
use super::rows::{TableFile, TakesRows, Value};
use super::schema::{HOPS, LENGTHS, LINKS, PORTS, QUEUES, TableInfo, VCS};
use crate::ExportError;
use crate::directory::RunDirectory;

/// What writing a table gives.
pub(super) type Written = Result<(), ExportError>;

/// Writes `links`, `ports` and `lengths`.
pub(crate) fn write_tables(directory: &RunDirectory, summary: &Summary) -> Written {
    table(directory, &LINKS, |file| links(summary, file))?;
    table(directory, &PORTS, |file| ports(summary, file))?;
    table(directory, &LENGTHS, |file| lengths(summary, file))
}

/// Writes `vcs`, `hops` and `queues`, as many VCs at a time as there are at hand.
pub(crate) struct VcTables {
    vcs: TableFile,
    hops: TableFile,
    queues: TableFile,
}

impl VcTables {
    /// Opens the files.
    pub(crate) fn open(directory: &RunDirectory) -> Result<VcTables, ExportError> {
        let open = |table| TableFile::open(directory, table);
        Ok(VcTables { vcs: open(&VCS)?, hops: open(&HOPS)?, queues: open(&QUEUES)? })
    }

    /// Writes the VCs and queues of `part`, which follow those before.
    pub(crate) fn write(&mut self, part: &Summary) -> Written {
        vcs(part, &mut self.vcs)?;
        hops(part, &mut self.hops)?;
        queues(part, &mut self.queues)
    }

    /// Writes the ends of the files.
    pub(crate) fn close(self) -> Written {
        self.vcs.close()?;
        self.hops.close()?;
        self.queues.close()
    }
}

/// Writes the file of `table`, whose rows `rows` adds.
pub(super) fn table(
    directory: &RunDirectory,
    table: &'static TableInfo,
    rows: impl FnOnce(&mut TableFile) -> Written,
) -> Written {
    let mut file = TableFile::open(directory, table)?;
    rows(&mut file)?;
    file.close()
}

pub(super) fn maybe<'a>(value: Option<u64>) -> Value<'a> {
    value.map_or(Nothing, U64)
}

pub(super) fn maybe_f64<'a>(value: Option<f64>) -> Value<'a> {
    value.map_or(Nothing, F64)
}

pub(super) fn maybe_u32<'a>(value: Option<u32>) -> Value<'a> {
    value.map_or(Nothing, U32)
}

pub(super) fn vcs(summary: &Summary, rows: &mut impl TakesRows) -> Written {
    for vc in &summary.vcs {
        rows.push(&vc_row(vc, &delay_sum(vc)))?;
    }
    Ok(())
}

/// The exact sum of a VC's delays, in digits; empty without one.
fn delay_sum(vc: &VcSummary) -> String {
    vc.delay_ps.and_then(|delay| delay.sum).map_or_else(String::new, |sum| sum.to_string())
}

fn vc_row<'a>(vc: &'a VcSummary, delay_sum: &'a str) -> Vec<Value<'a>> {
    let delay = |pick: fn(&DelaySummary) -> u64| maybe(vc.delay_ps.as_ref().map(pick));
    let waiting = |pick: fn(&WaitingSummary) -> u64| maybe(vc.waiting_ps.as_ref().map(pick));
    let fair = vc.fair.as_ref();
    let mut row = Vec::with_capacity(VCS.columns.len());
    row.push(Name(&vc.name));
    row.extend(vc.counters().map(maybe));
    row.extend([
        F64(vc.throughput_bps),
        F64(vc.throughput_packets_per_second),
        delay(|d| d.min),
        maybe_f64(vc.delay_ps.map(|d| d.mean)),
        if delay_sum.is_empty() { Nothing } else { Name(delay_sum) },
        maybe_f64(vc.delay_ps.and_then(|d| d.deviation)),
        delay(|d| d.p99),
        delay(|d| d.max),
        maybe_f64(vc.waiting_ps.map(|w| w.mean)),
        maybe_f64(vc.waiting_ps.and_then(|w| w.deviation)),
        waiting(|w| w.p99),
        waiting(|w| w.max),
        maybe(vc.delay_bound_ps),
        Name(&vc.delay_bound),
        maybe_f64(fair.map(|fair| fair.share_bps)),
        maybe_f64(fair.and_then(|fair| fair.ratio)),
        fair.and_then(|fair| fair.held_by.as_deref()).map_or(Nothing, Name),
        maybe_f64(fair.and_then(|fair| fair.split_bps)),
        maybe(vc.first_delivery_ps),
        maybe(vc.last_delivery_ps),
    ]);
    row
}

pub(super) fn hops(summary: &Summary, rows: &mut impl TakesRows) -> Written {
    let mut row = Vec::with_capacity(HOPS.columns.len());
    for vc in &summary.vcs {
        for hop in &vc.hops {
            row.clear();
            row.extend([
                Name(&vc.name),
                Name(&hop.link),
                Name(&hop.from),
                Name(&hop.to),
                Name(&hop.control),
                maybe(hop.initial_credit_packets),
                U64(hop.round_trip_ps),
                U64(hop.no_cell_ps),
                U64(hop.no_credit_ps),
                U64(hop.waiting_ps),
                U64(hop.sending_ps),
            ]);
            row.extend(hop.counters().map(maybe));
            row.push(maybe(hop.rate.and_then(|rate| rate.acr_cells_per_second)));
            row.push(maybe(hop.rate.and_then(|rate| rate.fair_cells_per_second)));
            let counters = hop.rate.unwrap_or_default().counters();
            row.extend(counters.map(|count| maybe(count.filter(|_| hop.rate.is_some()))));
            rows.push(&row)?;
        }
    }
    Ok(())
}

pub(super) fn links(summary: &Summary, rows: &mut impl TakesRows) -> Written {
    let mut row = Vec::with_capacity(LINKS.columns.len());
    for link in &summary.links {
        row.clear();
        row.extend([
            Name(&link.name),
            Name(&link.from),
            Name(&link.to),
            U64(link.rate_bps),
            F64(link.busy_share),
        ]);
        row.extend(link.counters().map(maybe));
        row.extend([
            maybe(link.utilization.map(|u| u.window_ps)),
            maybe_f64(link.utilization.map(|u| u.mean)),
            maybe_f64(link.utilization.map(|u| u.deviation)),
        ]);
        rows.push(&row)?;
    }
    Ok(())
}

pub(super) fn queues(summary: &Summary, rows: &mut impl TakesRows) -> Written {
    for queue in &summary.queues {
        let row = [
            Name(&queue.node),
            Name(&queue.port),
            Name(&queue.vc),
            F64(queue.mean_packets),
            U32(queue.max_packets),
            maybe_u32(queue.end_packets),
        ];
        rows.push(&row)?;
    }
    Ok(())
}

pub(super) fn ports(summary: &Summary, rows: &mut impl TakesRows) -> Written {
    for port in &summary.ports {
        let time = port.lengths.as_ref().and_then(|lengths| lengths.time.as_ref());
        let arrivals = port.lengths.as_ref().and_then(|lengths| lengths.arrivals.as_ref());
        let mut row = vec![
            Name(&port.node),
            Name(&port.port),
            F64(port.mean_packets),
            U32(port.max_packets),
            maybe_u32(port.end_packets),
        ];
        row.extend(length_columns(time));
        row.extend(length_columns(arrivals));
        rows.push(&row)?;
    }
    Ok(())
}

fn length_columns<'a>(length: Option<&LengthSummary>) -> [Value<'a>; 6] {
    let Some(length) = length else { return [const { Nothing }; 6] };
    [
        F64(length.mean_packets),
        F64(length.deviation_packets),
        maybe_u32(length.min_packets),
        U32(length.p50_packets),
        U32(length.p90_packets),
        U32(length.p99_packets),
    ]
}

pub(super) fn lengths(summary: &Summary, rows: &mut impl TakesRows) -> Written {
    for port in &summary.ports {
        let Some(lengths) = &port.lengths else { continue };
        let shares = |law: &Option<LengthSummary>| {
            law.as_ref().map(|law| law.shares.clone()).unwrap_or_default()
        };
        let (time, arrivals) = (shares(&lengths.time), shares(&lengths.arrivals));
        for length in 0..time.len().max(arrivals.len()) {
            let share = |of: &[f64]| F64(of.get(length).copied().unwrap_or(0.0));
            let length = U32(length as u32);
            let row = [Name(&port.node), Name(&port.port), length, share(&time), share(&arrivals)];
            rows.push(&row)?;
        }
    }
    Ok(())
}
