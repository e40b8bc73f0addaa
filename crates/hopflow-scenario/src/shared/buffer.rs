//! The buffer that the flows of adaptive credit on a link direction share.

use std::ops::Range;

use hopflow_network::{CreditSpec, DirectionId, NetworkSpec, SharedBufferSpec, VcSpec};
use hopflow_units::{Bytes, Cells, Picos};

use super::Shared;
use crate::Code;
use crate::credit_loop::{CreditLoop, amount};
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::shared::{ALLOW_SMALL_BUFFER, INTERVAL, Loop, MEMORY, MOST_MEMORY};
use crate::naming::direction;
use crate::section::Section;

/// The keys of a shared buffer.
#[derive(Clone, Debug)]
pub(crate) struct SharedBufferKeys {
    memory: Option<Bytes>,
    interval: Option<Picos>,
    interval_span: Range<usize>,
    pub(crate) allow_small_buffer: bool,
    /// The place of the memory in the text; without one, of the table.
    pub(crate) span: Range<usize>,
}

/// Reads a table of `pool`.
pub(super) fn read(table: &Section<'_>, with: &Loop, sink: &mut Sink) -> Option<SharedBufferKeys> {
    Some(SharedBufferKeys {
        memory: MEMORY.read(table, with, sink)?,
        interval: INTERVAL.read(table, with, sink)?,
        interval_span: INTERVAL.place(table),
        allow_small_buffer: ALLOW_SMALL_BUFFER.is_set(table),
        span: MEMORY.place(table),
    })
}

/// A flow that shares a buffer, and its credit there.
type Sharing<'n> = (&'n VcSpec, CreditSpec);

/// Fills in the buffers that flows share.
pub(super) fn fill(
    network: &mut NetworkSpec,
    shared: &[[Shared; 2]],
    spans: &[Range<usize>],
    sink: &mut Sink,
) {
    for (index, members) in network.sharing_hops().into_iter().enumerate() {
        if members.is_empty() {
            continue;
        }
        let id = DirectionId(index);
        let members = network.sharing(&members);
        let given = shared[id.link()][id.side()].buffer_keys.as_ref();
        let buffer = shared_buffer_of(network, given, &spans[id.link()], id, &members, sink);
        network.links[id.link()].directions[id.side()].shared_buffer = buffer;
    }
}

/// The buffer of a direction that these flows share: the given values, or else computed ones.
/// `link`: the place of the link in the text.
fn shared_buffer_of(
    network: &NetworkSpec,
    given: Option<&SharedBufferKeys>,
    link: &Range<usize>,
    id: DirectionId,
    members: &[Sharing<'_>],
    sink: &mut Sink,
) -> Option<SharedBufferSpec> {
    let span = given.map_or(link, |keys| &keys.span);
    let unit = one_unit(network, id, members, span, sink)?;
    let most = members.iter().map(|(vc, _)| vc.traffic.size.most()).max()?;
    let true_loop = network.loop_of(id, most);
    let interval = given.and_then(|keys| keys.interval).unwrap_or(true_loop);
    if let Some(keys) = given.filter(|_| interval < true_loop) {
        let message = format!(
            "the measuring interval is {interval}, shorter than the true loop of {true_loop} for \
             packets of {} B: the memory could overflow",
            most.0
        );
        let hint = format!("raise `interval` to {true_loop} or more, or leave it out");
        sink.error(Code::SHORT_MEASURING, &keys.interval_span, message).hint(hint);
        return None;
    }
    let memory = match given.and_then(|keys| keys.memory) {
        Some(bytes) => Some(bytes.0 / unit.0),
        None => computed(network, id, members),
    };
    let Some(memory) = memory.filter(|units| *units <= u64::from(MOST_MEMORY)) else {
        let message = format!(
            "the memory of the pool of `{}` is above {}",
            direction(network, id),
            amount(MOST_MEMORY, unit)
        );
        let hint = format!(
            "give the link a smaller `pool = {{ memory = ... }}`: left out, it is 4 R + 2 sum(l), \
             with R the loop of {true_loop}"
        );
        sink.error(Code::CREDIT_BITS, span, message).hint(hint);
        return None;
    };
    Some(SharedBufferSpec { memory: Cells(memory as u32), interval })
}

/// The unit of all that share a buffer.
fn one_unit(
    network: &NetworkSpec,
    id: DirectionId,
    members: &[Sharing<'_>],
    span: &Range<usize>,
    sink: &mut Sink,
) -> Option<Bytes> {
    let (first, credit) = members.first()?;
    let other = members.iter().find(|(_, other)| other.unit != credit.unit);
    let Some((other, of_other)) = other else { return Some(credit.unit) };
    let message = format!(
        "`{}` and `{}` share the pool of `{}`, but a credit of the one counts {} B and of the \
         other {} B",
        first.name,
        other.name,
        direction(network, id),
        credit.unit.0,
        of_other.unit.0
    );
    let hint = "give both the same `unit` in `control`, such as `unit = \"256 B\"`";
    sink.error(Code::CONFLICT, span, message).hint(hint);
    None
}

/// The memory of a pool by the law, for these hops over a link direction: 4 R + 2 sum(l) units, as
/// `docs/models/adaptive-credit.md` derives it. `None` past 2^64 - 1, and where no hop shares one.
pub fn pool_by_law(network: &NetworkSpec, id: DirectionId, hops: &[(usize, usize)]) -> Option<u64> {
    computed(network, id, &network.sharing(hops))
}

/// 4 R + 2 sum(l), with R the units of a loop of the flow with the most of them.
fn computed(network: &NetworkSpec, id: DirectionId, members: &[Sharing<'_>]) -> Option<u64> {
    let (wire, round_trip) = (network.direction(id).wire(), network.loop_time(id.link()));
    let in_loop = |(vc, credit): &Sharing<'_>| {
        let [least, most] = [vc.traffic.size.least(), vc.traffic.size.most()];
        CreditLoop { wire, round_trip, unit: credit.unit, least, most }.n1(wire.rate)
    };
    let in_loop = members.iter().map(in_loop).collect::<Option<Vec<u64>>>()?.into_iter().max()?;
    let largest = |(vc, credit): &Sharing<'_>| u64::from(vc.packet_units(credit).largest().0);
    let largest: u64 = members.iter().map(largest).sum();
    in_loop.checked_mul(4)?.checked_add(2 * largest)
}
