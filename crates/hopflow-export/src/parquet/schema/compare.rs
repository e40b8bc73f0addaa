//! The columns of the tables of a comparison, under one seed and under several.

use super::Kind::{F64, Name, U32, U64};
use super::{TableInfo, column, maybe};

/// One row per control of a comparison.
pub(crate) const CONTROLS: TableInfo = TableInfo {
    name: "controls",
    row: "control of a comparison",
    columns: &[
        column("control", Name, "What `--control` calls it."),
        column("digest", Name, "The digest of its run, 16 hexadecimal digits."),
        maybe("utilization", F64, "Share of the time for which the bottleneck sent data."),
        column("throughput_bps", F64, "What all VCs deliver, in bits per second."),
        column("created_packets", U64, "Packets that sources made."),
        column("lost_packets", U64, "Packets lost because a buffer was full."),
        column("lost_share", F64, "Their share of those made."),
        maybe("delay_mean_ps", F64, "Mean delay of the packets delivered."),
        maybe("delay_p99_ps", U64, "99 of 100 packets took no longer; at most 1/64 too high."),
        maybe("delay_max_ps", U64, "Greatest delay."),
        maybe("jain", F64, "Jain index of what VCs deliver, against their fair shares."),
        column("needed_packets", U64, "The most that a switch needs for zero loss."),
        maybe("settled_ps", U64, "When all rates have found their level; empty if they have not."),
        maybe("delay_host_ps", F64, "Of the mean delay, what packets spent at their sending host."),
        maybe(
            "delay_network_ps",
            F64,
            "Of the mean delay, what they spent from the first link on.",
        ),
        maybe("tcp_connections", U64, "TCP connections."),
        maybe("tcp_goodput_bps", F64, "Data that arrives for the first time, in bits per second."),
        maybe(
            "tcp_finished",
            U64,
            "Of these, those whose transfer was acknowledged to its last byte.",
        ),
        maybe("tcp_completion_ps", U64, "When the last of them was; empty while one is not."),
        maybe("tcp_segments", U64, "Segments of data sent, those sent again included."),
        maybe("tcp_retransmitted_segments", U64, "Of these, those sent again."),
        maybe("tcp_timeouts", U64, "Retransmission time-outs."),
        maybe(
            "tcp_round_trip_ps",
            F64,
            "Smoothed round trip at the end, mean over the connections.",
        ),
        maybe("tcp_round_trip_max_ps", U64, "The greatest smoothed round trip of any."),
    ],
};

/// One row per control and switch.
pub(crate) const SWITCHES: TableInfo = TableInfo {
    name: "switches",
    row: "control and switch, or host that is slower than its link",
    columns: &[
        column("control", Name, "What `--control` calls it."),
        column("node", Name, "The switch, or the host."),
        column("kind", Name, "switch or host."),
        column("mean_packets", F64, "Mean of what it held, over time."),
        column("p99_packets", U32, "For 99 % of the time it held no more."),
        column("max_packets", U32, "The most it held."),
        column("needed_packets", U64, "The most it holds when it has room for everything."),
        maybe("promised_packets", U64, "What credits promise of its memory."),
        maybe("max_bytes", U64, "The most bytes of its memory, where these are counted."),
        maybe("needed_bytes", U64, "The most bytes when it has room for everything."),
        maybe("promised_bytes", U64, "What credits promise of its memory, in bytes."),
    ],
};

/// One row per control, curve and part of the run.
pub(crate) const CURVES: TableInfo = TableInfo {
    name: "curves",
    row: "control, curve and part of the run",
    columns: &[
        column("control", Name, "What `--control` calls it."),
        column("quantity", Name, "queue_packets (of a switch) or rate_bps (of a VC)."),
        column("name", Name, "The switch or the VC."),
        column("time_ps", U64, "The beginning of the part."),
        column("length_ps", U64, "Its length."),
        column("value", F64, "The mean over the part, in the unit of the quantity."),
    ],
};

/// One row per control and quantity of a comparison under several seeds.
pub(crate) const DIFFERENCES: TableInfo = TableInfo {
    name: "differences",
    row: "control and quantity of a comparison under several seeds",
    columns: &[
        column("control", Name, "What `--control` calls it."),
        column("quantity", Name, "Which measure of the comparison; its name ends in its unit."),
        column("count", U64, "Seeds under which it had a value."),
        column("mean", F64, "Its mean over these seeds."),
        maybe("deviation", F64, "Its standard deviation; none of one seed."),
        maybe("half_width", F64, "Half the 95 % confidence interval of the mean."),
        maybe("difference_count", U64, "Seeds under which the first control had a value, too."),
        maybe("difference_mean", F64, "Mean of the control less the first one, seed by seed."),
        maybe("difference_deviation", F64, "Standard deviation of these differences."),
        maybe("difference_half_width", F64, "Half the 95 % confidence interval of the difference."),
    ],
};

/// One row per control, quantity and seed.
pub(crate) const VALUES: TableInfo = TableInfo {
    name: "values",
    row: "control, quantity and seed",
    columns: &[
        column("seed", Name, "The seed, in digits."),
        column("control", Name, "What `--control` calls it."),
        column("quantity", Name, "Which measure of the comparison; its name ends in its unit."),
        maybe("value", F64, "Its value under this seed."),
    ],
};

/// All tables of the directory of a comparison.
pub const COMPARE_TABLES: [&TableInfo; 3] = [&CONTROLS, &SWITCHES, &CURVES];

/// All tables of the directory of a comparison under several seeds.
pub const COMPARE_SEEDS_TABLES: [&TableInfo; 2] = [&DIFFERENCES, &VALUES];
