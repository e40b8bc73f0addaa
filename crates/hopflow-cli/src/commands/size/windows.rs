//! `hopflow size`: windows of a path, of VCs and of TCP receivers, and what given ones reach.

use hopflow::control::credit::WindowUpdate;
use hopflow::size::{GivenWindow, Trial, WindowPath, WindowSize, size_window};
use hopflow_units::shape::Shaped;
use hopflow_units::{Bytes, Rate};
use serde::Serialize;

use super::keyed::Keyed;
use crate::args::{SizeArgs, UpdateArg};
use crate::fail::Fail;
use crate::output::{Columns, Table, cell, maybe};

/// The packet of a path if none is given: that of an Ethernet without jumbo frames.
const PACKET: Bytes = Bytes(1_500);

/// The windows of the path of the arguments: for the update that is asked for, or for the earliest
/// and for the usual one.
pub(super) fn of_link(args: &SizeArgs) -> Result<Vec<WindowSize>, Fail> {
    let (Some(rate), Some(rtt)) = (args.rate, args.window.rtt) else {
        unreachable!("required by the arguments")
    };
    let given = args.window.window.flatten();
    let packet = args.lanes.packet.unwrap_or(PACKET);
    let updates = match (args.window.every, args.lanes.update) {
        (Some(every), _) => vec![WindowUpdate::Every(every)],
        (None, Some(UpdateArg::After(every))) => vec![WindowUpdate::Every(every.into())],
        (None, Some(UpdateArg::Half)) => vec![WindowUpdate::Half],
        (None, None) => vec![WindowUpdate::Every(1), WindowUpdate::Half],
    };
    let size = |update| size_window(&WindowPath { rate, rtt, packet, update, given });
    updates.into_iter().map(|update| size(update).map_err(Fail::input)).collect()
}

/// The trials of these windows of a path.
pub(super) fn trials(args: &SizeArgs, windows: &[WindowSize]) -> Vec<Trial> {
    let (Some(rate), Some(rtt)) = (args.rate, args.window.rtt) else { return Vec::new() };
    windows.iter().map(|window| Trial::of_window(rate, rtt, window)).collect()
}

/// What the windows of a path mean.
pub(super) fn notes(windows: &[WindowSize]) -> Vec<String> {
    let Some(first) = windows.first() else { return Vec::new() };
    let mut notes = vec![format!(
        "A loop has {} packets of {} B: {} B, the bandwidth-delay product. A window of this size \
         is enough only if each packet is followed by its update. Of a window whose update comes \
         when half is used, only half is open while an update is on its way.",
        first.in_loop,
        first.packet.0,
        first.loop_bytes()
    )];
    if let Some(given) = first.given {
        notes.push(match given.latest {
            Some(latest) => format!(
                "With a window of {} B the update may come after {latest} packets at the latest.",
                given.bytes.0
            ),
            None => format!(
                "A window of {} B is less than a loop: no update is early enough for the full \
                 rate.",
                given.bytes.0
            ),
        });
    }
    notes
}

pub(super) fn table(args: &SizeArgs, windows: &[WindowSize]) -> Table {
    let names: Columns<WindowSize> = &[("VC", |window| maybe(window.vc.as_ref()))];
    let columns: Columns<WindowSize> = &[
        ("#packet bytes", |window| cell(window.packet.0)),
        ("update", |window| update(window.update)),
        ("#loop bytes", |window| cell(window.loop_bytes())),
        ("#window packets", |window| cell(window.needed)),
        ("#window bytes", |window| cell(window.needed_bytes())),
    ];
    let mut table = Table::of(columns, windows);
    if args.file.is_some() {
        table = Table::of(names, windows).beside(table);
    }
    let given: Vec<GivenWindow> = windows.iter().filter_map(|window| window.given).collect();
    if given.is_empty() {
        return table;
    }
    let columns: Columns<GivenWindow> = &[
        ("#given packets", |given| cell(given.packets)),
        ("#given bytes", |given| cell(given.bytes.0)),
        ("#reaches at most", |given| rate(given.reached_bps)),
    ];
    table.beside(Table::of(columns, &given))
}

fn update(update: WindowUpdate) -> String {
    match update {
        WindowUpdate::Every(1) => "each packet".to_owned(),
        WindowUpdate::Every(every) => format!("after {every}"),
        WindowUpdate::Half => "half used".to_owned(),
    }
}

/// Four digits of a rate.
fn rate(bps: u64) -> String {
    Rate::text(bps, 4, "0 b/s")
}

/// The window of a path.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct WindowRow<'a> {
    /// The VC; `null` without a scenario.
    vc: Option<&'a str>,
    /// Its largest packet.
    packet_bytes: u64,
    /// The window that it needs.
    window_packets: u64,
    /// The window that is given; `null` without one.
    given_packets: Option<u64>,
    /// The time of the loop, in an idle network.
    round_trip_ps: u64,
    /// The formulas, and below each the numbers put in.
    formula: &'a str,
    /// Bytes of the window that a packet takes.
    data_bytes: u64,
    /// After how many packets an update comes.
    update_packets: u64,
    /// Whether that is half of the window.
    update_half: bool,
    /// Packets of one loop.
    loop_packets: u64,
    /// The same in bytes.
    loop_bytes: u64,
    /// The window that it needs, in bytes.
    window_bytes: u64,
    /// The window that is given, in bytes.
    given_bytes: Option<u64>,
    /// The rate that the given window reaches; 0 if it stops.
    reached_bps: Option<u64>,
    /// The latest update with which the given window does not hold the sender.
    latest_update_packets: Option<u64>,
}

pub(super) fn keyed(windows: &[WindowSize]) -> Keyed {
    Keyed::of(windows.iter().map(|window| {
        let given = window.given.as_ref();
        WindowRow {
            vc: window.vc.as_deref(),
            packet_bytes: window.packet.0,
            window_packets: window.needed,
            given_packets: given.map(|given| given.packets),
            round_trip_ps: window.round_trip.0,
            formula: &window.formula,
            data_bytes: window.data.0,
            update_packets: match window.update {
                WindowUpdate::Every(every) => every,
                WindowUpdate::Half => window.update.every(window.needed),
            },
            update_half: window.update == WindowUpdate::Half,
            loop_packets: window.in_loop,
            loop_bytes: window.loop_bytes(),
            window_bytes: window.needed_bytes(),
            given_bytes: given.map(|given| given.bytes.0),
            reached_bps: given.map(|given| given.reached_bps),
            latest_update_packets: given.and_then(|given| given.latest),
        }
    }))
}
