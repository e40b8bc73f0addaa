//! The buffer that the flows of adaptive credit on a link direction share.

use std::ops::Range;

use hopflow_network::{DirectionId, NetworkSpec, SharedBufferSpec};
use hopflow_units::{Cells, Picos};

use super::Shared;
use crate::Code;
use crate::cell_time::cells_in_loop;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::shared::{ALLOW_SMALL_BUFFER, INTERVAL, Loop, MEMORY, MOST_MEMORY};
use crate::naming::direction;
use crate::section::Section;

/// The keys of a shared buffer.
#[derive(Clone, Debug)]
pub(crate) struct SharedBufferKeys {
    memory: Option<Cells>,
    interval: Option<Picos>,
    pub(crate) allow_small_buffer: bool,
    /// The place of the memory in the text; without one, of the table.
    pub(crate) span: Range<usize>,
}

/// Reads a table of `pool`.
pub(super) fn read(table: &Section<'_>, with: &Loop, sink: &mut Sink) -> Option<SharedBufferKeys> {
    Some(SharedBufferKeys {
        memory: MEMORY.read(table, with, sink)?,
        interval: INTERVAL.read(table, with, sink)?,
        allow_small_buffer: ALLOW_SMALL_BUFFER.is_set(table),
        span: MEMORY.place(table),
    })
}

/// Fills in the buffers that flows share.
pub(super) fn fill(
    network: &mut NetworkSpec,
    shared: &[[Shared; 2]],
    spans: &[Range<usize>],
    sink: &mut Sink,
) {
    let sizes = network.sharing_counts().into_iter().enumerate();
    for (id, flows) in sizes.filter(|(_, flows)| *flows > 0) {
        let id = DirectionId(id);
        let given = shared[id.link()][id.side()].buffer_keys.as_ref();
        let buffer = shared_buffer_of(network, given, &spans[id.link()], id, flows, sink);
        network.links[id.link()].directions[id.side()].shared_buffer = buffer;
    }
}

/// The buffer of a direction that `flows` flows share: the given values, or else computed ones.
/// `link`: the place of the link in the text.
fn shared_buffer_of(
    network: &NetworkSpec,
    given: Option<&SharedBufferKeys>,
    link: &Range<usize>,
    id: DirectionId,
    flows: u32,
    sink: &mut Sink,
) -> Option<SharedBufferSpec> {
    let true_loop = network.loop_time(id.link());
    let interval = given.and_then(|keys| keys.interval).unwrap_or(true_loop);
    if let Some(memory) = given.and_then(|keys| keys.memory) {
        return Some(SharedBufferSpec { memory, interval });
    }
    let wire = network.direction(id).wire();
    let in_loop = cells_in_loop(true_loop, wire.rate, wire);
    let memory = in_loop.and_then(|cells| cells.checked_mul(4)?.checked_add(2 * u64::from(flows)));
    let memory = memory.filter(|cells| *cells <= u64::from(MOST_MEMORY));
    let Some(memory) = memory else {
        let message = format!(
            "the memory worked out for `{}` (4 R + 2 N, with R = {true_loop} and N = {flows}) is \
             above {MOST_MEMORY} cells",
            direction(network, id)
        );
        let span = given.map_or(link, |keys| &keys.span);
        let hint = "give the link a `pool = { memory = ... }`, or lower its delay";
        sink.error(Code::CREDIT_BITS, span, message).hint(hint);
        return None;
    };
    Some(SharedBufferSpec { memory: Cells(memory as u32), interval })
}
