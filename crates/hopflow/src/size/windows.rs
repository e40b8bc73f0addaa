//! Windows: how large, how late the update, what a given one reaches: of one path, or for a whole
//! network, whose windows are those of VCs and of TCP receivers.
//!
//! ```text
//! R = rtt + T                                  of one path                                 (1)
//! W = ceil(R / T) + U - 1                      R, T of a network: `spec/windows.rs`        (2)
//! W = 2 x (ceil(R / T) - 1), at least 1        U: half of the window                       (3)
//! rate = min(1, q x U / (R / T + U - 1 - r))   W = q x U + r                               (4)
//! rate <= window / R                           of TCP, whose timer may send earlier ACKs   (5)
//! ```
//! The law is derived in `credit/window/law.rs` of `hopflow-control`. The rtt of one path is that
//! of a small packet, as `ping` measures it: propagation, processing, and the way of the update
//! back. The packet itself takes T more, since it has arrived with its last bit. A window in bytes
//! holds whole packets; half of it is used after the packet that reaches half of its bytes.
//! Not modelled: waiting in queues, for which a window has to be larger; what congestion control
//! allows; bytes of headers, which no window counts, on one path. Checked by: the tests here,
//! `hopflow/tests/window_law.rs`.

use hopflow_control::credit::{WindowLoop, WindowUpdate};
use hopflow_network::{NetworkSpec, WindowFacts};
use hopflow_units::{Bytes, Picos, Rate};

use super::SizeError;

/// The path of one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowPath {
    /// The rate that the window is to reach.
    pub rate: Rate,
    /// The round trip of a small packet.
    pub rtt: Picos,
    /// A packet, in bytes of the window.
    pub packet: Bytes,
    /// When the receiver sends an update.
    pub update: WindowUpdate,
    /// A window to judge.
    pub given: Option<Bytes>,
}

/// The window of one path or one VC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowSize {
    /// The VC; `None` of a path.
    pub vc: Option<String>,
    /// Whether it is the window of a TCP receiver.
    pub is_tcp: bool,
    /// Its largest packet, on the wire.
    pub packet: Bytes,
    /// Bytes of the window that it takes: of TCP those of data.
    pub data: Bytes,
    /// When an update comes.
    pub update: WindowUpdate,
    /// R, in an idle network.
    pub round_trip: Picos,
    /// ceil(R/T): packets of one loop.
    pub in_loop: u64,
    /// W, in packets.
    pub needed: u64,
    /// The window that is given.
    pub given: Option<GivenWindow>,
    /// The formulas, and below each the numbers put in.
    pub formula: String,
}

/// What a given window reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenWindow {
    /// In whole packets.
    pub packets: u64,
    /// In bytes.
    pub bytes: Bytes,
    /// The rate of a sender that always has a packet: exact, of TCP the most. 0: it stops, because
    /// the update needs more packets than the window has.
    pub reached_bps: u64,
    /// The latest update, in packets, with which it would not hold the sender.
    pub latest: Option<u64>,
}

impl WindowSize {
    /// W in bytes.
    pub fn needed_bytes(&self) -> u64 {
        self.needed.saturating_mul(self.data.0)
    }

    /// The bytes of one loop on the wire: the bandwidth-delay product, in whole packets.
    pub fn loop_bytes(&self) -> u64 {
        self.in_loop.saturating_mul(self.packet.0)
    }
}

/// The window of one path. Eqs. (1) to (4).
pub fn size_window(path: &WindowPath) -> Result<WindowSize, SizeError> {
    let WindowPath { rate, rtt, packet, update, given } = *path;
    if packet == Bytes(0) || update == WindowUpdate::Every(0) {
        return Err(SizeError::NoPacket);
    }
    let too_large = SizeError::LaneTooLarge { delays: rtt, rate };
    let gap = rate.transmit_time(packet).filter(|gap| *gap > Picos::ZERO).ok_or(too_large)?;
    let round_trip = rtt.checked_add(gap).ok_or(too_large)?;
    let law = WindowLoop { round_trip, gap, packet };
    let needed = law.needed(update).ok_or(too_large)?;
    let mut formulas = vec![
        format!("T = packet / rate = {} B / {rate} = {gap}", packet.0),
        format!("R = rtt + T = {rtt} + {gap} = {round_trip}"),
        window_formula(&law, update, needed, packet),
    ];
    let given = given.map(|bytes| {
        let packets = bytes.0 / packet.0;
        let every = match update {
            WindowUpdate::Every(every) => every,
            WindowUpdate::Half => bytes.0.div_ceil(2).div_ceil(packet.0).max(1),
        };
        formulas.push(rate_formula(&law, packets, every));
        let latest = law.latest(packets);
        let is_full = latest.is_some_and(|latest| every <= latest);
        let reached_bps = if is_full { rate.bps() } else { law.reached_bps(packets, every) };
        GivenWindow { packets, bytes, reached_bps, latest }
    });
    let (in_loop, formula) = (law.packets(), formulas.join("\n"));
    let size = WindowSize {
        vc: None,
        is_tcp: false,
        packet,
        data: packet,
        update,
        round_trip,
        in_loop,
        needed,
        given,
        formula,
    };
    Ok(size)
}

/// The windows of all VCs and TCP connections that have one: `target` for each, at most the slowest
/// link of its path; `None`: that rate.
pub fn size_windows(
    network: &NetworkSpec,
    target: Option<Rate>,
) -> Result<Vec<WindowSize>, SizeError> {
    network.windows().iter().map(|window| of_network(network, window, target)).collect()
}

fn of_network(
    network: &NetworkSpec,
    window: &WindowFacts,
    target: Option<Rate>,
) -> Result<WindowSize, SizeError> {
    let WindowFacts { path, data, every, packets, bytes, is_tcp, .. } = *window;
    let first = network.vcs[window.vc].hops[0].direction_id();
    let rate = target.unwrap_or(network.direction(first).rate);
    let too_large = SizeError::LaneTooLarge { delays: path.round_trip, rate };
    let gap = target.map_or(Some(path.gap), |target| target.transmit_time(path.packet));
    let law = WindowLoop { gap: gap.ok_or(too_large)?.max(path.gap), ..path };
    let update = WindowUpdate::Every(every);
    let needed = law.needed(update).ok_or(too_large)?;
    let mut formulas = vec![
        format!("R = the path and back in an idle network = {}", path.round_trip),
        window_formula(&law, update, needed, data),
    ];
    let reached_bps = if is_tcp {
        let bits = 8 * u128::from(bytes.0) * u128::from(Picos::PER_SECOND);
        let reached = bits / u128::from(path.round_trip.0.max(1));
        let most = 8 * u128::from(data.0) * u128::from(Picos::PER_SECOND) / u128::from(path.gap.0);
        let reached = u64::try_from(reached.min(most)).unwrap_or(u64::MAX);
        formulas.push(format!(
            "rate of data <= window / R = {} B / {} = {}",
            bytes.0,
            path.round_trip,
            rate_text(reached)
        ));
        reached
    } else {
        formulas.push(rate_formula(&path, packets, every));
        path.reached_bps(packets, every)
    };
    let given = Some(GivenWindow { packets, bytes, reached_bps, latest: law.latest(packets) });
    Ok(WindowSize {
        vc: Some(network.vcs[window.vc].name.clone()),
        is_tcp,
        packet: path.packet,
        data,
        update,
        round_trip: path.round_trip,
        in_loop: law.packets(),
        needed,
        given,
        formula: formulas.join("\n"),
    })
}

/// Eqs. (2) and (3) with their numbers.
fn window_formula(law: &WindowLoop, update: WindowUpdate, needed: u64, data: Bytes) -> String {
    let (round_trip, gap, packets) = (law.round_trip, law.gap, law.packets());
    let bytes = u128::from(needed) * u128::from(data.0);
    let result = format!("{needed} packets of {} B = {bytes} B", data.0);
    match update {
        WindowUpdate::Every(every) => format!(
            "W = ceil(R / T) + U - 1 = ceil({round_trip} / {gap}) + {every} - 1 = {packets} + \
             {every} - 1 = {result}"
        ),
        WindowUpdate::Half => format!(
            "W = 2 x (ceil(R / T) - 1) = 2 x (ceil({round_trip} / {gap}) - 1) = 2 x {} = {result}, \
             with U = W / 2",
            packets - 1
        ),
    }
}

/// Eq. (4) with its numbers.
fn rate_formula(law: &WindowLoop, window: u64, every: u64) -> String {
    let (q, r) = (window / every, window % every);
    let (packets, span) = law.period(window, every);
    if packets == 0 {
        return format!(
            "rate = 0: an update after U = {every} packets never comes, the window has {window}"
        );
    }
    let span = u64::try_from(span).map_or(Picos::MAX, Picos);
    format!(
        "rate = min(1, q x U / (R / T + U - 1 - r)) / T with W = q x U + r: {window} = {q} x \
         {every} + {r}, {packets} packets in {span}, no more than one in {}: {}",
        law.gap,
        rate_text(law.reached_bps(window, every))
    )
}

fn rate_text(bps: u64) -> String {
    Rate::text(bps, 4, "0 b/s")
}

#[cfg(test)]
mod tests;
