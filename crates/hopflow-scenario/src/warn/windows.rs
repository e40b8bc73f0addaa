//! Windows that are smaller than the loop of their path.

use hopflow_control::credit::{WindowLoop, WindowUpdate};
use hopflow_network::{EndlessFlows, NetworkSpec, WindowFacts};
use hopflow_units::{Picos, Rate};

use super::credit::{DIGITS, is_minor};
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
    let flows = network.endless_flows();
    for window in &windows {
        let meant = built.vc_origins.has(window.vc, &ALLOW_SMALL_WINDOW.key);
        let Some(path) = path(network, window, &flows).filter(|_| !meant) else { continue };
        let Some((message, hint)) = held_below(network, window, path) else { continue };
        let key = if window.is_tcp { SOURCE_KEY } else { CONTROL_KEY };
        let place = built.vc_origins.key(window.vc, &key);
        sink.warning(Code::BELOW_LOOP, place, message).hint(hint);
    }
}

/// The loop of a flow at its share of the path, or at the rate of its source if it is not endless.
/// `None`: no rate is known.
fn path(network: &NetworkSpec, window: &WindowFacts, flows: &EndlessFlows) -> Option<WindowLoop> {
    if flows.vcs[window.vc] {
        return Some(network.shared_loop(window, flows));
    }
    let bps = source_bps(&network.vcs[window.vc], network).filter(|_| !window.is_tcp)?;
    let gap = Rate::from_bps(bps)?.transmit_time(window.path.packet)?.max(window.path.gap);
    Some(WindowLoop { gap, ..window.path })
}

/// The warning about a window with which a flow does not reach a packet every `path.gap`.
fn held_below(
    network: &NetworkSpec,
    window: &WindowFacts,
    path: WindowLoop,
) -> Option<(String, String)> {
    let gap = path.gap;
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
    let reached = Rate::from_bps(reached)
        .map_or_else(|| "nothing".to_owned(), |rate| rate.rounded_up(DIGITS).to_string());
    let (round_trip, rate) = (path.round_trip, rate.rounded(DIGITS));
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
            window.needed_bytes(&path)?
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
