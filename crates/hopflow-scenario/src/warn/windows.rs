//! Windows that are smaller than the loop of their path.

use hopflow_control::credit::{WindowLoop, WindowUpdate};
use hopflow_network::transport::tcp::Transfer;
use hopflow_network::{HopSpec, NetworkSpec, ProtocolSpec, WindowFacts};
use hopflow_units::{Picos, Rate};

use super::credit::{is_minor, rounded};
use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::control::{ALLOW_SMALL_WINDOW, CONTROL_KEY};
use crate::keys::source::SOURCE_KEY;
use crate::offered::source_bps;

/// Sizes up to here are written in bytes.
const EXACT: u64 = 100_000;

/// Flows that their window holds below their share of the links of their path.
pub(super) fn small(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let windows = network.windows();
    if windows.is_empty() {
        return;
    }
    let endless = endless(network);
    let mut counts = vec![0_u64; network.direction_count()];
    for (vc, _) in network.vcs.iter().zip(&endless).filter(|(_, endless)| **endless) {
        vc.hops.iter().for_each(|hop| counts[hop.direction_id().0] += 1);
    }
    for window in &windows {
        let meant = built.vc_origins.has(window.vc, &ALLOW_SMALL_WINDOW.key);
        let gap = gap(network, window, endless[window.vc], &counts).filter(|_| !meant);
        let Some(gap) = gap else { continue };
        let Some((message, hint)) = held_below(network, window, gap) else { continue };
        let key = if window.is_tcp { SOURCE_KEY } else { CONTROL_KEY };
        let place = built.vc_origins.key(window.vc, &key);
        sink.warning(Code::BELOW_LOOP, place, message).hint(hint);
    }
}

/// By VC: whether it sends as much as it may, to the end of the run or of a transfer that is larger
/// than its window.
fn endless(network: &NetworkSpec) -> Vec<bool> {
    let mut endless: Vec<bool> = network.vcs.iter().map(|vc| vc.source.is_greedy()).collect();
    for connection in &*network.connections {
        let ProtocolSpec::Tcp(tcp) = &connection.protocol else { continue };
        endless[connection.forward] = match tcp.transfer {
            Transfer::Infinite => true,
            Transfer::Bytes(bytes) => bytes > u64::from(tcp.advertised_window()),
            Transfer::Schedule(_) => false,
        };
    }
    endless
}

/// The time from packet to packet at the share of a flow, if the flows that are endless share each
/// link of its path equally; of another flow at the rate of its source. `None`: no rate is known.
fn gap(
    network: &NetworkSpec,
    window: &WindowFacts,
    endless: bool,
    counts: &[u64],
) -> Option<Picos> {
    let vc = &network.vcs[window.vc];
    if !endless {
        let bps = source_bps(vc, network).filter(|_| !window.is_tcp)?;
        return Some(Rate::from_bps(bps)?.transmit_time(window.path.packet)?.max(window.path.gap));
    }
    let (units, size) = window.units;
    let times = network.frame_times(window.vc, units, size);
    let share = |(hop, time): (&HopSpec, Picos)| {
        Picos(time.0.saturating_mul(counts[hop.direction_id().0].max(1)))
    };
    vc.hops.iter().zip(times).map(share).chain([window.path.gap]).max()
}

/// The warning about a window with which a flow does not reach a packet every `gap`.
fn held_below(network: &NetworkSpec, window: &WindowFacts, gap: Picos) -> Option<(String, String)> {
    let path = WindowLoop { gap, ..window.path };
    let needed = path.needed(WindowUpdate::Every(window.every))?;
    // Of data: a packet each `gap`.
    let bps = |bytes: u64, span: u64| {
        let bits = 8 * u128::from(bytes) * u128::from(Picos::PER_SECOND);
        u64::try_from(bits / u128::from(span.max(1))).unwrap_or(u64::MAX)
    };
    let target = bps(window.data.0, gap.0);
    let reached = if window.is_tcp {
        bps(window.bytes.0, path.round_trip.0)
    } else {
        window.path.reached_bps(window.packets, window.every)
    };
    if window.packets >= needed || is_minor(reached, target) {
        return None;
    }
    let name = &network.vcs[window.vc].name;
    let rate = Rate::from_bps(bps(path.packet.0, gap.0))?;
    let reached = Rate::from_bps(reached).map_or_else(|| "nothing".to_owned(), above);
    let (round_trip, rate) = (path.round_trip, rounded(rate));
    if window.is_tcp {
        let loop_bytes = path.packets().checked_mul(path.packet.0)?;
        let message = format!(
            "the window of `{name}`, {}, is less than the loop of {} ({round_trip} at {rate}): it \
             gets at most {reached}",
            size(window.bytes.0),
            size(loop_bytes)
        );
        let hint = format!(
            "raise `window` to \"{} B\", or set `allow-small-window = true` in `source` if you \
             mean it",
            needed.checked_mul(window.data.0)?
        );
        return Some((message, hint));
    }
    let late = match window.every {
        1 => String::new(),
        every => format!(" with an ACK after {every}"),
    };
    let message = format!(
        "the window of `{name}` is {} packets, but a loop of {round_trip} at {rate} needs {needed}\
         {late}: it gets at most {reached}",
        window.packets
    );
    let hint = format!(
        "raise `packets` to {needed}, or set `allow-small-window = true` in `control` if you mean \
         it"
    );
    Some((message, hint))
}

/// Three digits of a rate, rounded up.
fn above(rate: Rate) -> String {
    let unit = 10_u64.pow(rate.bps().max(1).ilog10().saturating_sub(2));
    let bps = rate.bps().div_ceil(unit).saturating_mul(unit);
    Rate::from_bps(bps).unwrap_or(rate).to_string()
}

/// A size in bytes; three digits of a large one.
fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        ..EXACT => return format!("{bytes} B"),
        EXACT..1_000_000 => (1e3, "kB"),
        1_000_000..1_000_000_000 => (1e6, "MB"),
        _ => (1e9, "GB"),
    };
    let amount = bytes as f64 / unit;
    let digits = if amount < 10.0 { 2 } else { usize::from(amount < 100.0) };
    let text = format!("{amount:.digits$}");
    let text = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {name}")
}
