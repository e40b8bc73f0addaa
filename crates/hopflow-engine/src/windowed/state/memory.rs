//! Bytes of memory that a node holds, where a limit counts them: of the node, ports and VCs.
//!
//! Limits in packets are in `limits.rs` and `port.rs`: a node without limits in bytes has no
//! memory here. What a packet takes and whether it fits is decided in
//! `hopflow-network/src/spec/limit.rs`.

use hopflow_network::{
    DirectionId, Discard, DynamicThreshold, Held, LANES, Limit, NetworkSpec, fits, taken,
};

use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::SIZE_MASK;

/// A limit, or none.
const NO_LIMIT: u64 = u64::MAX;

/// The bytes of a node.
#[derive(Debug)]
pub(crate) struct Memory {
    /// A cell of the memory; 1 B where a packet takes its bytes.
    cell: u64,
    node: Share,
    /// The greatest number of bytes held.
    pub(crate) held_max: u64,
    /// By port.
    ports: Vec<Share>,
    /// The limit of each VC.
    vc: u64,
    /// What is held of each VC, by the receiver that took its packets in; at the host where they
    /// are created, by the sender.
    of_receivers: Vec<u64>,
    of_senders: Vec<u64>,
    /// The fills, of the node and of the VC, above which a new frame is dropped.
    fills: [u64; 2],
    /// Whether packets are pushed out, instead of arriving ones dropped.
    pushes: bool,
    /// Whether they are pushed out of the output of the packet that has joined.
    own: bool,
    dynamic: Option<Box<Dynamic>>,
}

/// The class queues of a node with dynamic thresholds.
#[derive(Debug)]
struct Dynamic {
    threshold: DynamicThreshold,
    /// By port and priority, the bytes held.
    queues: Vec<[u64; LANES]>,
    /// The bytes of class queues that are in their reserves.
    reserved: u64,
}

impl Dynamic {
    /// A class queue holds what `change` makes of it.
    fn hold(&mut self, class: Class, change: impl FnOnce(u64) -> u64) {
        let queue = &mut self.queues[class.port as usize][usize::from(class.priority)];
        self.reserved -= self.threshold.in_reserve(class.priority, *queue);
        *queue = change(*queue);
        self.reserved += self.threshold.in_reserve(class.priority, *queue);
    }
}

/// A class queue: a port, and a priority.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class {
    pub(crate) port: u32,
    pub(crate) priority: u8,
}

/// What is held of a limit.
#[derive(Clone, Copy, Debug)]
struct Share {
    held: u64,
    limit: u64,
}

impl Share {
    const fn lacks(self, takes: u64) -> bool {
        !fits(self.held, takes, self.limit)
    }
}

/// A part of a VC at a node: the index of its receiver, or [`NONE`], and that of its sender.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) receiver: u32,
    pub(crate) sender: u32,
}

fn limit_of(limit: Option<Limit>) -> u64 {
    limit.and_then(Limit::bytes).map_or(NO_LIMIT, |bytes| bytes.0)
}

impl Memory {
    /// The memory of node `index`, whose ports send into `ports`, in order.
    pub(crate) fn new(
        spec: &NetworkSpec,
        index: usize,
        ports: impl Iterator<Item = DirectionId>,
    ) -> Memory {
        let node = &spec.nodes[index];
        let pushes = node.discard != Discard::Arriving;
        let share = |limit: Option<Limit>| Share { held: 0, limit: limit_of(limit) };
        let ports: Vec<Share> = ports.map(|id| share(spec.port_limit(id))).collect();
        let dynamic = spec.dynamic_threshold(index).map(|threshold| {
            Box::new(Dynamic { threshold, queues: vec![[0; LANES]; ports.len()], reserved: 0 })
        });
        Memory {
            cell: node.cell.map_or(1, |cell| cell.0),
            node: share(node.buffer),
            held_max: 0,
            ports,
            vc: limit_of(node.vc_buffer),
            of_receivers: Vec::new(),
            of_senders: Vec::new(),
            fills: node.frame_discard.fills().map(limit_of),
            pushes,
            own: node.discard == Discard::LastOfOwn,
            dynamic,
        }
    }

    /// What a packet takes; its size may have marks.
    fn takes(&self, bytes: u32) -> u64 {
        taken(u64::from(bytes & SIZE_MASK), self.cell)
    }

    fn of_part(&self, part: Part) -> u64 {
        let (of, index) = match part.receiver {
            NONE => (&self.of_senders, part.sender),
            receiver => (&self.of_receivers, receiver),
        };
        of.get(index as usize).copied().unwrap_or(0)
    }

    fn of_part_mut(&mut self, part: Part) -> &mut u64 {
        let (of, index) = match part.receiver {
            NONE => (&mut self.of_senders, part.sender as usize),
            receiver => (&mut self.of_receivers, receiver as usize),
        };
        if of.len() <= index {
            of.resize(index + 1, 0);
        }
        &mut of[index]
    }

    /// A packet is held, for all its outputs.
    #[inline(never)]
    pub(crate) fn hold(&mut self, part: Part, bytes: u32) {
        let takes = self.takes(bytes);
        *self.of_part_mut(part) += takes;
        self.node.held += takes;
        self.held_max = self.held_max.max(self.node.held);
    }

    /// A packet that was held is gone.
    #[inline(never)]
    pub(crate) fn free(&mut self, part: Part, bytes: u32) {
        let takes = self.takes(bytes);
        *self.of_part_mut(part) -= takes;
        self.node.held -= takes;
    }

    /// A packet joins a class queue.
    #[inline(never)]
    pub(crate) fn join(&mut self, to: Class, bytes: u32) {
        let takes = self.takes(bytes);
        self.ports[to.port as usize].held += takes;
        if let Some(dynamic) = &mut self.dynamic {
            dynamic.hold(to, |queue| queue + takes);
        }
    }

    /// A packet has left a class queue, or was lost there.
    #[inline(never)]
    pub(crate) fn leave(&mut self, from: Class, bytes: u32) {
        let takes = self.takes(bytes);
        self.ports[from.port as usize].held -= takes;
        if let Some(dynamic) = &mut self.dynamic {
            dynamic.hold(from, |queue| queue - takes);
        }
    }

    /// Whether `units` units of one packet, which arrive or are created for a class queue, are
    /// dropped, but for thresholds.
    #[cold]
    #[inline(never)]
    pub(crate) fn lacks(&self, part: Part, to: Class, bytes: u32, units: u32) -> bool {
        let takes = self.takes(bytes) * u64::from(units);
        let port = self.ports[to.port as usize];
        self.lacks_of_vc(part, bytes, units)
            || !self.pushes && (self.node.lacks(takes) || port.lacks(takes))
    }

    /// Whether they are dropped by the threshold of the queue, if thresholds move here.
    pub(crate) fn is_above_threshold(&self, to: Class, bytes: u32, units: u32) -> bool {
        let takes = self.takes(bytes) * u64::from(units);
        self.dynamic.as_ref().is_some_and(|dynamic| {
            let queue = dynamic.queues[to.port as usize][usize::from(to.priority)];
            let held = Held { queue, node: self.node.held, reserved: dynamic.reserved };
            dynamic.threshold.lacks(to.priority, held, takes)
        })
    }

    /// The same by the limit of the VC alone.
    pub(crate) fn lacks_of_vc(&self, part: Part, bytes: u32, units: u32) -> bool {
        let takes = self.takes(bytes) * u64::from(units);
        !fits(self.of_part(part), takes, self.vc)
    }

    /// Whether a frame that begins with this cell begins above a fill.
    pub(crate) fn is_above_fills(&self, part: Part, bytes: u32) -> bool {
        let takes = self.takes(bytes);
        let [node, vc] = self.fills;
        !fits(self.node.held, takes, node) || !fits(self.of_part(part), takes, vc)
    }

    /// After a packet has joined `port`: the port from which one is pushed out, if the port or the
    /// node is over its limit: that of the packet, or the one that holds most. `has_victim`:
    /// whether a packet waits at a port.
    pub(crate) fn pushes_from(&self, port: u32, has_victim: impl Fn(usize) -> bool) -> Option<u32> {
        let own = self.ports[port as usize];
        let (is_over, node_is_over) = (own.lacks(0), self.node.lacks(0));
        if !self.pushes || !(is_over || node_is_over) {
            return None;
        }
        if is_over || self.own {
            return has_victim(port as usize).then_some(port);
        }
        let able = (0..self.ports.len()).filter(|port| has_victim(*port));
        let most = able.clone().map(|port| self.ports[port].held).max()?;
        if own.held == most && has_victim(port as usize) {
            return Some(port);
        }
        let mut able = able;
        able.find(|port| self.ports[*port].held == most).map(|port| port as u32)
    }

    /// The bytes that a port and the node hold, and that a packet takes.
    pub(crate) fn bytes(&self, port: u32, bytes: u32) -> [u64; 3] {
        [self.ports[port as usize].held, self.node.held, self.takes(bytes)]
    }

    /// The greatest number begins again.
    pub(crate) fn restart(&mut self) {
        self.held_max = self.node.held;
    }
}
