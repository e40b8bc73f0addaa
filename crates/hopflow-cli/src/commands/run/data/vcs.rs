//! The tables of VCs: one by one, by hop, by frames, and together.

use hopflow::Summary;
use hopflow::record::{ClassSummary, FrameSummary, HopSummary, TotalsSummary, VcSummary};

use super::{counted, delay};
use crate::output::{Columns, Table, cell, maybe};

pub(super) fn vcs(summary: &Summary) -> Table {
    let columns: Columns<VcSummary> = &[
        ("vc", |vc| vc.name.clone()),
        ("created_packets", |vc| cell(vc.created_packets)),
        ("sent_packets", |vc| cell(vc.sent_packets)),
        ("received_packets", |vc| cell(vc.received_packets)),
        ("dropped_packets", |vc| cell(vc.dropped_packets)),
        ("pushed_out_packets", |vc| cell(vc.pushed_out_packets)),
        ("policed_packets", |vc| cell(vc.policed_packets)),
        ("corrupted_packets", |vc| cell(vc.corrupted_packets)),
        ("delivered_bytes", |vc| cell(vc.delivered_bytes)),
        ("throughput_bps", |vc| cell(vc.throughput_bps)),
        ("fair_share_bps", |vc| maybe(vc.fair.as_ref().map(|fair| fair.share_bps))),
        ("fair_ratio", |vc| maybe(vc.fair.as_ref().and_then(|fair| fair.ratio))),
        ("fair_held_by", |vc| maybe(vc.fair.as_ref().and_then(|fair| fair.held_by.clone()))),
        ("fair_split_bps", |vc| maybe(vc.fair.as_ref().and_then(|fair| fair.split_bps))),
        ("delay_min_ps", |vc| delay(vc.delay_ps, |ps| ps.min)),
        ("delay_mean_ps", |vc| delay(vc.delay_ps, |ps| ps.mean)),
        ("delay_sum_ps", |vc| maybe(vc.delay_ps.and_then(|ps| ps.sum))),
        ("delay_p99_ps", |vc| delay(vc.delay_ps, |ps| ps.p99)),
        ("delay_max_ps", |vc| delay(vc.delay_ps, |ps| ps.max)),
        ("delay_bound_ps", |vc| maybe(vc.delay_bound_ps)),
        ("waiting_mean_ps", |vc| maybe(vc.waiting_ps.map(|ps| ps.mean))),
        ("waiting_p99_ps", |vc| maybe(vc.waiting_ps.map(|ps| ps.p99))),
        ("waiting_max_ps", |vc| maybe(vc.waiting_ps.map(|ps| ps.max))),
        ("slow_down_messages", |vc| cell(vc.slow_down_messages)),
        ("first_delivery_ps", |vc| maybe(vc.first_delivery_ps)),
        ("last_delivery_ps", |vc| maybe(vc.last_delivery_ps)),
    ];
    Table::of(columns, summary.vcs.iter())
}

/// A hop and its VC.
struct OfVc<'a> {
    vc: &'a str,
    hop: &'a HopSummary,
}

/// Counters of hops that are not in the table, or not with the others.
const HOPS_WITHOUT: [&str; 5] =
    ["slow_down_messages", "deleted_ps", "credits_corrupted", "credits_left_out", "request_cells"];

pub(super) fn hops(summary: &Summary) -> Table {
    let columns: Columns<OfVc<'_>> = &[
        ("vc", |one| one.vc.to_owned()),
        ("link", |one| one.hop.link.clone()),
        ("control", |one| one.hop.control.clone()),
        ("initial_credit_packets", |one| maybe(one.hop.initial_credit_packets)),
        ("round_trip_ps", |one| cell(one.hop.round_trip_ps)),
        ("no_cell_ps", |one| cell(one.hop.no_cell_ps)),
        ("no_credit_ps", |one| cell(one.hop.no_credit_ps)),
        ("waiting_ps", |one| cell(one.hop.waiting_ps)),
        ("sending_ps", |one| cell(one.hop.sending_ps)),
    ];
    let control: Columns<OfVc<'_>> = &[
        ("deleted_ps", |one| maybe(one.hop.deleted_ps)),
        ("acr_cells_per_second", |one| {
            maybe(one.hop.rate.as_ref().and_then(|rate| rate.acr_cells_per_second))
        }),
        ("fair_cells_per_second", |one| {
            maybe(one.hop.rate.as_ref().and_then(|rate| rate.fair_cells_per_second))
        }),
        ("forward_rm_cells", |one| maybe(one.hop.rate.as_ref().map(|rate| rate.forward_rm_cells))),
        ("backward_rm_cells", |one| {
            maybe(one.hop.rate.as_ref().map(|rate| rate.backward_rm_cells))
        }),
    ];
    let rows: Vec<OfVc<'_>> = summary
        .vcs
        .iter()
        .flat_map(|vc| vc.hops.iter().map(|hop| OfVc { vc: &vc.name, hop }))
        .collect();
    let counters = rows.iter().map(|one| one.hop.counters());
    Table::of(columns, rows.iter())
        .beside(counted(HopSummary::COUNTERS, &HOPS_WITHOUT, counters))
        .beside(Table::of(control, rows.iter()))
}

pub(super) fn frames(summary: &Summary) -> Table {
    let columns: Columns<(&str, &FrameSummary)> = &[
        ("vc", |(vc, _)| (*vc).to_owned()),
        ("sent_frames", |(_, of)| cell(of.sent_frames)),
        ("whole_frames", |(_, of)| cell(of.whole_frames)),
        ("whole_bytes", |(_, of)| cell(of.whole_bytes)),
        ("broken_frames", |(_, of)| cell(of.broken_frames)),
        ("wasted_packets", |(_, of)| cell(of.wasted_packets)),
        ("throughput_bps", |(_, of)| cell(of.throughput_bps)),
        ("delay_mean_ps", |(_, of)| delay(of.delay_ps, |ps| ps.mean)),
        ("delay_p99_ps", |(_, of)| delay(of.delay_ps, |ps| ps.p99)),
        ("delay_max_ps", |(_, of)| delay(of.delay_ps, |ps| ps.max)),
    ];
    let vcs = summary.vcs.iter();
    let rows = vcs.filter_map(|vc| Some((vc.name.as_str(), vc.frames.as_ref()?)));
    Table::of(columns, rows)
}

/// All VCs together.
pub(super) fn totals(summary: &Summary) -> Table {
    of_totals(summary.totals.iter())
}

/// The VCs of each control and priority together.
pub(super) fn classes(summary: &Summary) -> Table {
    let columns: Columns<ClassSummary> =
        &[("control", |class| class.control.clone()), ("priority", |class| cell(class.priority))];
    let totals = summary.classes.iter().map(|class| &class.totals);
    Table::of(columns, summary.classes.iter()).beside(of_totals(totals))
}

fn of_totals<'r>(rows: impl Iterator<Item = &'r TotalsSummary>) -> Table {
    let columns: Columns<TotalsSummary> = &[
        ("vcs", |all| cell(all.vcs)),
        ("silent_vcs", |all| cell(all.silent_vcs)),
        ("hops", |all| cell(all.hops)),
        ("created_packets", |all| cell(all.created_packets)),
        ("sent_packets", |all| cell(all.sent_packets)),
        ("received_packets", |all| cell(all.received_packets)),
        ("dropped_packets", |all| cell(all.dropped_packets)),
        ("corrupted_packets", |all| cell(all.corrupted_packets)),
        ("delivered_bytes", |all| cell(all.delivered_bytes)),
        ("delay_min_ps", |all| delay(all.delay_ps, |ps| ps.min)),
        ("delay_mean_ps", |all| delay(all.delay_ps, |ps| ps.mean)),
        ("delay_p99_ps", |all| delay(all.delay_ps, |ps| ps.p99)),
        ("delay_max_ps", |all| delay(all.delay_ps, |ps| ps.max)),
    ];
    Table::of(columns, rows)
}
