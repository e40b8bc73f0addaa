//! The columns of the tables of a run.

use hopflow::record::{HopSummary, LinkSummary, RateSummary, VcSummary};

use super::Kind::{F64, Name, U32, U64};
use super::joined::{self, ColumnGroup};
use super::{ColumnInfo, TableInfo, column, maybe};

const VC_PARTS: [ColumnGroup; 3] = [
    ColumnGroup::Own(&[column("vc", Name, "The VC.")]),
    ColumnGroup::Counters(VcSummary::COUNTERS),
    ColumnGroup::Own(&[
        column("throughput_bps", F64, "Delivered bits per second."),
        column("throughput_packets_per_second", F64, "Delivered packets per second."),
        maybe("delay_min_ps", U64, "Least delay from birth to the last bit at the final host."),
        maybe("delay_mean_ps", F64, "Mean delay."),
        maybe("delay_sum_ps", Name, "Exact sum of all delays, in digits."),
        maybe("delay_deviation_ps", F64, "Standard deviation of the delay."),
        maybe("delay_p99_ps", U64, "99 of 100 packets took no longer; at most 1/64 too high."),
        maybe("delay_max_ps", U64, "Greatest delay."),
        maybe("waiting_mean_ps", F64, "Mean of the delay less that of an idle path."),
        maybe("waiting_deviation_ps", F64, "Standard deviation of the waiting."),
        maybe("waiting_p99_ps", U64, "99 of 100 packets waited no longer; see the results page."),
        maybe("waiting_max_ps", U64, "Greatest waiting."),
        maybe("delay_bound_ps", U64, "What no delay exceeds; empty when nothing can be said."),
        column("delay_bound", Name, "What the bound follows from, or why there is none."),
        maybe("fair_share_bps", F64, "Its max-min fair share, where shares are computed."),
        maybe("fair_ratio", F64, "Its throughput as a part of its fair share."),
        maybe("fair_held_by", Name, "The link direction that holds it there, or source."),
        maybe("fair_split_bps", F64, "Its fair share if flows split evenly over equal paths."),
        maybe("first_delivery_ps", U64, "When the first packet was delivered."),
        maybe("last_delivery_ps", U64, "When the last packet was delivered."),
    ]),
];
const VC_COLUMNS: [ColumnInfo; joined::count(&VC_PARTS)] = joined::joined(&VC_PARTS);

/// One row per VC.
pub(crate) const VCS: TableInfo = TableInfo { name: "vcs", row: "VC", columns: &VC_COLUMNS };

const HOP_PARTS: [ColumnGroup; 4] = [
    ColumnGroup::Own(&[
        column("vc", Name, "The VC."),
        column("link", Name, "The link direction crossed."),
        column("from", Name, "The node that sends."),
        column("to", Name, "The node that receives."),
        column("control", Name, "The control on this hop; none if there is none."),
        maybe("initial_credit_packets", U64, "N2 + N3, or the window."),
        column("round_trip_ps", U64, "R of the link."),
        column("no_cell_ps", U64, "Time with nothing to send."),
        column("no_credit_ps", U64, "Time with a packet in hand and no permission to start it."),
        column("waiting_ps", U64, "Time with a packet, permission, and the link busy with others."),
        column("sending_ps", U64, "Time with a packet of this VC in transmission."),
    ]),
    ColumnGroup::Counters(HopSummary::COUNTERS),
    ColumnGroup::Own(&[
        maybe("acr_cells_per_second", U64, "ACR at the end of the run, where the VC is paced."),
        maybe("fair_cells_per_second", U64, "What the port took for the fair rate then."),
    ]),
    ColumnGroup::OfSome(RateSummary::COUNTERS),
];
const HOP_COLUMNS: [ColumnInfo; joined::count(&HOP_PARTS)] = joined::joined(&HOP_PARTS);

/// One row per VC and hop.
pub(crate) const HOPS: TableInfo =
    TableInfo { name: "hops", row: "VC and link crossed", columns: &HOP_COLUMNS };

const LINK_PARTS: [ColumnGroup; 3] = [
    ColumnGroup::Own(&[
        column("link", Name, "The link direction, FROM->TO; #k marks the k-th in parallel."),
        column("from", Name, "The node that sends."),
        column("to", Name, "The node that receives."),
        column("rate_bps", U64, "Its rate."),
        column("busy_share", F64, "Share of the run in which something was in transmission."),
    ]),
    ColumnGroup::Counters(LinkSummary::COUNTERS),
    ColumnGroup::Own(&[
        maybe("window_ps", U64, "Length of the windows of its recorded throughput."),
        maybe("window_busy_share_mean", F64, "Mean of the busy share over whole windows."),
        maybe("window_busy_share_deviation", F64, "Its standard deviation over them."),
    ]),
];
const LINK_COLUMNS: [ColumnInfo; joined::count(&LINK_PARTS)] = joined::joined(&LINK_PARTS);

/// One row per link direction.
pub(crate) const LINKS: TableInfo =
    TableInfo { name: "links", row: "link direction", columns: &LINK_COLUMNS };

/// One row per VC and hop.
pub(crate) const QUEUES: TableInfo = TableInfo {
    name: "queues",
    row: "VC and hop: the queue at the sending end, the packet in transmission included",
    columns: &[
        column("node", Name, "The node."),
        column("port", Name, "The port, by the name of its link direction."),
        column("vc", Name, "The VC."),
        column("mean_packets", F64, "Mean over the run."),
        column("max_packets", U32, "The most ever."),
        maybe("end_packets", U32, "At the end of the run."),
    ],
};

/// One row per sending port.
pub(crate) const PORTS: TableInfo = TableInfo {
    name: "ports",
    row: "sending port: all its queues together",
    columns: &[
        column("node", Name, "The node."),
        column("port", Name, "The port, by the name of its link direction."),
        column("mean_packets", F64, "Mean of the data packets over the run."),
        column("max_packets", U32, "The most data packets and ACK cells ever."),
        maybe("end_packets", U32, "Data packets and ACK cells at the end of the run."),
        maybe("time_mean_packets", F64, "Mean length over time, if lengths were kept."),
        maybe("time_deviation_packets", F64, "Its standard deviation."),
        maybe("time_min_packets", U32, "The least."),
        maybe("time_p50_packets", U32, "Not exceeded in half of the time."),
        maybe("time_p90_packets", U32, "Not exceeded in 90 % of the time."),
        maybe("time_p99_packets", U32, "Not exceeded in 99 % of the time."),
        maybe(
            "arrivals_mean_packets",
            F64,
            "Mean length found by arriving packets, with themselves.",
        ),
        maybe("arrivals_deviation_packets", F64, "Its standard deviation."),
        maybe("arrivals_min_packets", U32, "The least."),
        maybe("arrivals_p50_packets", U32, "Not exceeded for half of the packets."),
        maybe("arrivals_p90_packets", U32, "Not exceeded for 90 % of the packets."),
        maybe("arrivals_p99_packets", U32, "Not exceeded for 99 % of the packets."),
    ],
};

/// One row per sending port and length.
pub(crate) const LENGTHS: TableInfo = TableInfo {
    name: "lengths",
    row: "sending port and length, where lengths were kept and stay below 1,000",
    columns: &[
        column("node", Name, "The node."),
        column("port", Name, "The port, by the name of its link direction."),
        column("length_packets", U32, "The length, the packet in transmission included."),
        column("time_share", F64, "Share of the time with this length."),
        column("arrival_share", F64, "Share of arriving packets that made it so long."),
    ],
};

/// One row per value of a series.
pub(crate) const SERIES: TableInfo = TableInfo {
    name: "series",
    row: "value of a recorded series; a series of no values has one row without time and value",
    columns: &[
        column("series", Name, "Its name, such as: queue of VC1 at S."),
        column(
            "quantity",
            Name,
            "What it tells: queue, credit, acr, er, delay, throughput and so on.",
        ),
        maybe("vc", Name, "The VC, where it is one VC's."),
        maybe("node", Name, "The node of a queue, sender or port, or the final host of a delay."),
        maybe(
            "link",
            Name,
            "The link direction of a throughput or credit count, or sent into at ACR, ER.",
        ),
        column("unit", Name, "Unit of the value: share (of the link's rate), packets, ps or bps."),
        column("shape", Name, "step (holds until the next), window (average), sample."),
        maybe("window_ps", U64, "Length of a window, for averages."),
        maybe("rate_bps", U64, "Rate of the link, for a throughput."),
        column("end_ps", U64, "The series covers the time from 0 to here."),
        maybe("time_ps", U64, "When; of a window its start."),
        maybe("value", F64, "How much, in the unit of the row."),
    ],
};

/// One row per event.
pub(crate) const TRACE: TableInfo = TableInfo {
    name: "trace",
    row: "event, in order of time, then node, then as they happened at the node",
    columns: &[
        column("time_ps", U64, "When."),
        column("node", Name, "Where."),
        column("from", Name, "The node that sends into the link direction."),
        column("to", Name, "The node that the link direction leads to."),
        column(
            "link",
            Name,
            "The link direction: the one crossed for arrived and corrupted (and \
             for dropped on arrival), the one about to be crossed for all others.",
        ),
        maybe("vc", Name, "The VC; none for loop cells."),
        column(
            "kind",
            Name,
            "data, ack, credit, request, loop, loop-reply, slow-down, pause, lane-credit, \
             forward-rm, backward-rm, set-up, connect, refusal, release or further-credit.",
        ),
        column("event", Name, "born, arrived, corrupted, dropped, started or left."),
        column("value", U32, "Sequence number (modulo 2^28), credit value or next cell expected."),
        column("fill_packets", U32, "Packets of the VC held at the node after the event."),
        maybe(
            "credit_packets",
            U32,
            "Credit count of the sender after the event, if controlled; \
             0 where the event does not concern it.",
        ),
    ],
};

/// All tables of a run directory.
pub const TABLES: [&TableInfo; 8] =
    [&VCS, &HOPS, &LINKS, &QUEUES, &PORTS, &LENGTHS, &SERIES, &TRACE];
