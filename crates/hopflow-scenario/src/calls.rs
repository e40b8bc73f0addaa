//! Flows that ask for their reservation, and calls: copies of a flow that begin and end at random.
//!
//! The copies of a flow with `calls` are the successive arrivals of one Poisson process:
//! ```text
//! b_n = start + G_1 + ... + G_n        G_i exponential with mean `every`                  (1)
//! e_n = b_n + H_n                      H_n exponential with mean `holding`, at least 1 ps (2)
//! a   = holding / every                the offered load in erlang                         (3)
//! B_0 = 1,  B_k = a B_(k-1) / (k + a B_(k-1))      Erlang's formula for k circuits        (4)
//! ```
//! b_n is the instant at which copy n asks, e_n that at which it releases. G and H are drawn from
//! the streams (seed, first copy, `calls`) and (seed, first copy, `holding times`). So arrivals do
//! not depend on how many calls are in progress, as [Erlang17] assumes. There are `count` copies;
//! those that begin after the run are never made.
//!
//! Not modelled: callers that try again, and calls that come less often while some are held
//! (Engset).
//! Checked by: the tests below, `docs/models/admission.md`.

use std::ops::Range;

use hopflow_kernel::RandomStream;
use hopflow_network::{DirectionId, HopSpec, NetworkSpec, VcSpec};
use hopflow_units::Picos;

use crate::Code;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::hops::{Hops, is_one_path};
use crate::keys::flow::{CALLS_KEY, EVERY_CALL, HOLDING, STOP};
use crate::keys::traffic::{POLICING_KEY, RESERVATION_KEY, SIGNALLED};
use crate::section::Section;
use crate::template::Copy;
use crate::traffic::excess_of;
use crate::value::Item;

/// The calls of one table: successive copies of a flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// The VCs of the copies, in order.
    pub vcs: Range<usize>,
    /// The mean time from one call to the next.
    pub every: Picos,
    /// The mean time from the beginning of a call to its end.
    pub holding: Picos,
}

impl Calls {
    /// The offered load in erlang. Eq. (3).
    pub fn erlang(&self) -> f64 {
        self.holding.0 as f64 / self.every.0 as f64
    }

    /// The link with the fewest circuits for these calls, beside what is reserved for the whole
    /// run. `None`: some other flow asks for its reservation, or the run has no calls.
    pub fn tightest(&self, network: &NetworkSpec) -> Option<Tightest> {
        let asking = network.vcs.iter().filter(|vc| vc.signalled).count();
        let vc = network.vcs.get(self.vcs.start).filter(|_| asking == self.vcs.len())?;
        let rate = vc.asked_rate()?;
        let ports = network.port_reservations();
        let circuits = |id: DirectionId| {
            let standing = ports[id.0].as_ref()?.reserved_bps();
            let free = network.direction(id).rate.bps().saturating_sub(standing);
            Some(free / rate.bps())
        };
        let links = vc.hops.iter().map(HopSpec::direction_id);
        let (circuits, link) = links.filter_map(|id| Some((circuits(id)?, id))).min()?;
        let most = circuits.min(self.vcs.len() as u64);
        let blocked = if most < circuits { 0.0 } else { erlang(self.erlang(), most) };
        Some(Tightest { link, circuits, blocked })
    }
}

/// The link that blocks most of some calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tightest {
    /// Its sending port.
    pub link: DirectionId,
    /// How many of the calls fit at once.
    pub circuits: u64,
    /// The share of the calls that it blocks by itself. Eq. (4).
    pub blocked: f64,
}

/// The share of `load` erlang that a number of circuits blocks. Eq. (4).
fn erlang(load: f64, circuits: u64) -> f64 {
    (1..=circuits).fold(1.0, |blocked, k| load * blocked / (k as f64 + load * blocked))
}

/// `calls` of a flow: both means; reports mistakes.
pub(crate) fn read(
    section: &Section<'_>,
    copy: Copy,
    cell: Picos,
    sink: &mut Sink,
) -> Result<Option<[Picos; 2]>, ()> {
    let Some(table) = section.table(&CALLS_KEY) else { return Ok(None) };
    let means = [EVERY_CALL.read(&table, &cell, sink), HOLDING.read(&table, &cell, sink)];
    if copy.is_none() {
        let message = "calls are the copies of a flow, but this table has no `count`";
        let hint = "add `count = N`, the most calls that may come, and `{}` to the name";
        sink.error(Code::MISSING_KEY, &table.span, message).hint(hint);
        return Err(());
    }
    if let Some(item) = STOP.item(section) {
        let message = "`stop` and `calls` exclude each other: a call ends after its holding time";
        sink.error(Code::CONFLICT, &item.span, message).hint("take `stop` or `calls` out");
        return Err(());
    }
    let [every, holding] = means;
    Ok(Some([every.ok_or(())?, holding.ok_or(())?]))
}

/// Whether a flow asks for its reservation: `signalled`, or calls. Reports what cannot ask.
pub(crate) fn signalled(
    section: &Section<'_>,
    route: &Hops,
    vc: &VcSpec,
    sink: &mut Sink,
) -> Option<bool> {
    let Some(item) = asks(section) else { return Some(false) };
    if vc.reservation.is_none() {
        let message = "calls ask for a reservation, but this flow has none";
        let hint = "add `reservation = { rate = \"64 kb/s\" }`";
        sink.error(Code::NO_RESERVATION, &item.span, message).hint(hint);
        return None;
    }
    if !is_one_path(route) {
        let message = "a set-up asks the ports of one path, but this flow is multicast";
        sink.error(Code::UNICAST_ONLY, &item.span, message).hint("use one flow per receiver");
        return None;
    }
    if vc.rate.is_some() {
        let message = "`abr` and a signalled reservation exclude each other: the network sets \
                       the rate of a flow under `abr`";
        let hint = "take `abr` out of `control`, or reserve for the whole run";
        sink.error(Code::CONFLICT, &item.span, message).hint(hint);
        return None;
    }
    if excess_of(vc).is_some() {
        let place = section.place(&POLICING_KEY);
        let message = "`excess = \"low-priority\"` sends non-conforming packets as a second \
                       flow, which would send before this one is admitted";
        let hint = "use `excess = \"discard\"` or `\"delay\"`";
        sink.error(Code::CONFLICT, &place, message).hint(hint).label(item.span, "it asks");
        return None;
    }
    Some(true)
}

/// The key by which a flow asks for its reservation.
pub(crate) fn asks<'a>(section: &Section<'a>) -> Option<Item<'a>> {
    let reservation = section.table(&RESERVATION_KEY);
    let signalled = reservation
        .filter(|table| SIGNALLED.is_set(table))
        .and_then(|table| SIGNALLED.item(&table));
    // The table of a way back has no calls.
    signalled.or_else(|| section.key(CALLS_KEY.name).and_then(|key| section.get(key)))
}

/// An error where a connection asks for a reservation.
pub(crate) fn not_of_connections(section: &Section<'_>, sink: &mut Sink) -> Option<()> {
    let Some(item) = asks(section) else { return Some(()) };
    let message = "a connection does not ask for its reservation: its ends send from the start on";
    let hint = "leave it out: the reservation exists for the whole run";
    sink.error(Code::CONFLICT, &item.span, message).hint(hint);
    None
}

/// Draws beginnings and ends of all calls by the network's seed. Eq. (1), (2).
pub(crate) fn draw(network: &mut NetworkSpec, calls: &[Calls]) {
    for Calls { vcs, every, holding } in calls {
        let Some(first) = network.vcs.get(vcs.start) else { continue };
        let stream = |purpose| RandomStream::new(network.seed, &first.name, purpose);
        let [mut gaps, mut holds] = ["calls", "holding times"].map(stream);
        let mut after = Picos::ZERO;
        for index in vcs.clone() {
            let span = |stream: &mut RandomStream, mean: &Picos| {
                Picos(stream.exponential(mean.0 as f64).ceil().max(1.0) as u64)
            };
            after = Picos(after.0.saturating_add(span(&mut gaps, every).0));
            let held = span(&mut holds, holding);
            let Some(vc) = network.vcs.get_mut(index) else { break };
            vc.phase = after;
            vc.stop = Some(vc.begins().saturating_add(held));
        }
    }
}
