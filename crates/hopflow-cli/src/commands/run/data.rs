//! The tables of one run as data, for `--format csv`: a column for each key of `docs/results.md`,
//! with its unit, and bare numbers.

use hopflow::record::{
    Counter, FrameSummary, HopSummary, LaneSummary, LinkSummary, ProcessorSummary, RateSummary,
    RpcSummary, TcpSummary, VcSummary,
};
use hopflow::{Rows, Summary};
use hopflow_units::SimTime;

use crate::Outcome;
use crate::output::{self, Named, Of, Table};

/// What `--table` may be, the default first.
pub(crate) const TABLES: [Named<Summary>; 17] = [
    ("vcs", vcs),
    ("hops", hops),
    ("links", links),
    ("lanes", lanes),
    ("queues", |summary| {
        Table::of_keys("node port vc mean_packets max_packets end_packets", &summary.queues)
    }),
    ("ports", |summary| {
        Table::of_keys("node port mean_packets max_packets end_packets", &summary.ports)
    }),
    ("nodes", |summary| {
        Table::of_keys(
            "node kind mean_packets max_packets end_packets max_bytes buffer_bytes alpha \
             reserved_bytes",
            &summary.nodes,
        )
    }),
    ("processors", processors),
    ("frames", frames),
    ("tcp", tcp),
    ("requests", requests),
    ("windows", windows),
    ("lengths", lengths),
    ("shares", shares),
    ("violations", |summary| Table::of_keys("property vc link count text", &summary.violations)),
    ("totals", |summary| Table::of_keys(TOTALS, &summary.totals)),
    ("classes", |summary| Table::of_keys(&format!("control priority {TOTALS}"), &summary.classes)),
];

/// The columns of several VCs together.
const TOTALS: &str = "vcs silent_vcs hops created_packets sent_packets received_packets \
    dropped_packets corrupted_packets delivered_bytes delay_min_ps=delay_ps/min \
    delay_mean_ps=delay_ps/mean delay_p99_ps=delay_ps/p99 delay_max_ps=delay_ps/max";

/// Prints the table of this name, or the default one, with all its rows; those of VCs and queues
/// some at a time.
pub(super) fn print(name: Option<&str>, summary: &Summary, rows: &Rows) -> Outcome {
    let (name, table) = output::named(&TABLES, name);
    match name {
        "vcs" | "hops" | "queues" | "frames" => {
            output::print_csv(&table(&Summary::empty(SimTime::ZERO)))?;
            let mut printed = Ok(());
            rows.each(&mut |part| {
                if printed.is_ok() {
                    printed = output::print_csv_rows(&table(part));
                }
            });
            printed
        }
        "shares" => {
            let mut all = summary.clone();
            for (link, vcs) in all.links.iter_mut().zip(rows.link_shares()) {
                link.vcs = vcs;
            }
            output::print_csv(&table(&all))
        }
        _ => output::print_csv(&table(summary)),
    }
}

/// The keys of the counters of a list. Zero may be left out of JSON.
fn counted<'c>(list: impl IntoIterator<Item = &'c Counter>) -> String {
    let word = |one: &Counter| format!("{}{} ", one.key, if one.optional { "" } else { "|0" });
    list.into_iter().map(word).collect()
}

fn vcs(summary: &Summary) -> Table {
    let first = VcSummary::COUNTERS.iter().filter(|one| one.key != "slow_down_messages");
    let head = format!(
        "vc=name {} throughput_bps fair/share_bps fair/ratio fair/held_by fair/split_bps \
         delay_min_ps=delay_ps/min delay_mean_ps=delay_ps/mean delay_sum_ps=delay_ps/sum \
         delay_p99_ps=delay_ps/p99 delay_max_ps=delay_ps/max delay_bound_ps \
         waiting_mean_ps=waiting_ps/mean waiting_p99_ps=waiting_ps/p99 \
         waiting_max_ps=waiting_ps/max slow_down_messages|0 first_delivery_ps last_delivery_ps",
        counted(first)
    );
    // Hops are most of a row, and not in this table.
    let bare = |vc: &VcSummary| VcSummary { hops: Vec::new(), leaves: Vec::new(), ..vc.clone() };
    Table::of_keys(&head, summary.vcs.iter().map(bare))
}

fn hops(summary: &Summary) -> Table {
    let rate = RateSummary::COUNTERS.iter().map(|one| format!("{0}=rate/{0} ", one.key));
    let head = format!(
        "vc=of link control initial_credit_packets round_trip_ps no_cell_ps no_credit_ps \
         waiting_ps sending_ps {} acr_cells_per_second=rate/acr_cells_per_second \
         fair_cells_per_second=rate/fair_cells_per_second {}",
        counted(HopSummary::COUNTERS),
        rate.collect::<String>()
    );
    let vcs = summary.vcs.iter();
    Table::of_keys(&head, vcs.flat_map(|vc| vc.hops.iter().map(|row| Of { of: &vc.name, row })))
}

fn links(summary: &Summary) -> Table {
    let head = format!("link=name rate_bps busy_share {}", counted(LinkSummary::COUNTERS));
    Table::of_keys(&head, &summary.links)
}

fn processors(summary: &Summary) -> Table {
    let head = format!(
        "node send_ps receive_ps credit_ps busy_share {} max_waiting end_waiting longest_wait_ps",
        counted(ProcessorSummary::COUNTERS)
    );
    Table::of_keys(&head, &summary.processors)
}

fn lanes(summary: &Summary) -> Table {
    let head =
        format!("link=of lane destination control shut_share {}", counted(LaneSummary::COUNTERS));
    let links = summary.links.iter();
    Table::of_keys(
        &head,
        links.flat_map(|link| link.lanes.iter().map(|row| Of { of: &link.name, row })),
    )
}

fn windows(summary: &Summary) -> Table {
    let head = "link=of window_ps windows busy_share_mean=mean busy_share_deviation=deviation \
        busy_share_min=min busy_share_max=max";
    let links = summary.links.iter();
    let rows = links.filter_map(|link| Some(Of { of: &link.name, row: link.utilization? }));
    Table::of_keys(head, rows)
}

/// The part of each VC in the packets of each link.
fn shares(summary: &Summary) -> Table {
    let links = summary.links.iter();
    let rows = links.flat_map(|link| link.vcs.iter().map(|row| Of { of: &link.name, row }));
    Table::of_keys("link=of vc packets share", rows)
}

/// The length of a port's queue, by how it is weighed.
fn lengths(summary: &Summary) -> Table {
    let head = "port=of/0 seen=of/1 mean_packets deviation_packets min_packets p50_packets \
        p90_packets p99_packets max_packets";
    let rows = summary.ports.iter().flat_map(|port| {
        let of =
            port.lengths.as_ref().map(|all| [("time", &all.time), ("arrivals", &all.arrivals)]);
        let seen = of.into_iter().flatten();
        seen.filter_map(|(seen, row)| Some(Of { of: (&port.port, seen), row: row.as_ref()? }))
    });
    Table::of_keys(head, rows)
}

fn frames(summary: &Summary) -> Table {
    let head = format!(
        "vc=of {} throughput_bps delay_mean_ps=delay_ps/mean delay_p99_ps=delay_ps/p99 \
         delay_max_ps=delay_ps/max",
        counted(FrameSummary::COUNTERS)
    );
    let vcs = summary.vcs.iter();
    Table::of_keys(&head, vcs.filter_map(|vc| Some(Of { of: &vc.name, row: vc.frames.as_ref()? })))
}

fn tcp(summary: &Summary) -> Table {
    let head = format!(
        "connection=of/0 protocol=of/1 delivered_bytes goodput_bps {} \
         cwnd_end_bytes=cwnd_bytes/0 cwnd_max_bytes=cwnd_bytes/1 srtt_end_ps=srtt_ps/0 \
         srtt_max_ps=srtt_ps/1 finished_ps",
        counted(TcpSummary::COUNTERS)
    );
    let rows = summary
        .connections
        .iter()
        .filter_map(|one| Some(Of { of: (&one.name, &one.protocol), row: one.tcp.as_ref()? }));
    Table::of_keys(&head, rows)
}

fn requests(summary: &Summary) -> Table {
    let head = format!(
        "connection=of/0 protocol=of/1 {} read_bps response_mean_ps=response_ps/mean \
         response_p99_ps=response_ps/p99 response_max_ps=response_ps/max \
         transfer_mean_ps=transfer_ps/mean",
        counted(RpcSummary::COUNTERS)
    );
    let rows = summary
        .connections
        .iter()
        .filter_map(|one| Some(Of { of: (&one.name, &one.protocol), row: one.rpc.as_ref()? }));
    Table::of_keys(&head, rows)
}
