//! The state of a node. Each type has small methods of its own and knows no node: an operation on
//! several of them is a step, see `step.rs`.
//!
//! ```text
//! node.rs      the node itself        idle.rs    VCs that have not been used yet
//! port.rs      completions.rs  corruption.rs  lane.rs  round_robin.rs  scheduled.rs
//! shared_buffer.rs  carrier.rs: credit of several VCs
//! sender.rs    queue.rs    circuit.rs  blocked.rs  arena.rs  rated.rs  records.rs
//! receiver.rs  limits.rs   memory.rs  source.rs   endpoint.rs  door.rs  calls.rs
//! timers.rs    tracer.rs   range_counters.rs: counters that are read
//! directions.rs  crossing.rs  windows.rs: what follows from the description of the links
//! ```
//! Every end of a VC at a node has a hot part, which each of its cells touches, and cold parts in
//! boxes, which most VCs never need. The sizes of both are asserted beside them.
//! ```text
//! end        hot                 cold
//! sending    Queue, Circuit      ColdCircuit (circuit/cold.rs); Blocked: time without credit
//! receiving  VcReceiver          ColdReceiver; Leaf of a final host, Multicast, LoopEnd
//! ```

pub(super) mod arena;
pub(super) mod blocked;
pub(super) mod calls;
pub(super) mod carrier;
pub(super) mod circuit;
pub(super) mod completions;
pub(super) mod corruption;
pub(super) mod crossing;
pub(super) mod directions;
pub(super) mod door;
pub(super) mod endpoint;
pub(super) mod idle;
pub(super) mod lane;
pub(super) mod limits;
pub(super) mod memory;
pub(super) mod node;
pub(super) mod port;
pub(super) mod queue;
pub(super) mod range_counters;
pub(super) mod rated;
pub(super) mod receiver;
pub(super) mod records;
pub(super) mod round_robin;
pub(super) mod scheduled;
pub(super) mod sender;
pub(super) mod shared_buffer;
pub(super) mod source;
pub(super) mod timers;
pub(super) mod tracer;
pub(super) mod windows;
pub(super) mod work;

/// A hop of the forward tree of a VC.
#[derive(Clone, Copy, Debug)]
pub(super) struct HopId {
    pub(super) vc: usize,
    /// The index of the hop in its VC.
    pub(super) hop: usize,
}
