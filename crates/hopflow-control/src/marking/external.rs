//! A marker from outside hopflow. Experimental, see [`crate::external`].
//!
//! ```text
//! marks(packet)   a packet joins the queue of the port, or starts ([`super::Moment`]): whether it
//!                 is marked, if it can be
//! ```
//! It is asked once about each packet of its moment, in the order of docs/models/order.md. That
//! includes packets that no port can mark ([`PacketAtPort::is_able`]): the answer has no effect on
//! them. Every answer is allowed.
//!
//! Checked by: `hopflow-engine/tests/external/marker.rs`, `hopflow/tests/machines.rs`.
//!
//! Not modelled: the other moment, so a marker does not learn how long a packet has waited; which
//! flow a packet belongs to.

use super::{Facts, Machine, PacketAtPort};
use crate::external::{Fault, Held, MachineError};

/// A marker of one port, from outside hopflow.
pub trait ExternalMarker: Send {
    /// Whether the packet is marked, if it can be.
    fn marks(&mut self, packet: &PacketAtPort) -> Result<bool, MachineError>;
}

/// The machine of a port.
#[derive(Debug)]
pub struct External(Held<dyn ExternalMarker>);

impl Machine for External {
    const FACTS: Facts = Facts { name: "external" };
    type Parameter = u16;

    /// Panics: the network makes external machines, see [`External::made`].
    fn new(_place: u16) -> External {
        panic!("the network makes external machines")
    }

    fn marks(&mut self, packet: &PacketAtPort) -> bool {
        self.0.ask(packet.now, |machine| machine.marks(packet)).unwrap_or(false)
    }
}

impl External {
    /// The marker of a port.
    pub const fn made(machine: Held<dyn ExternalMarker>) -> External {
        External(machine)
    }

    pub(super) fn fault(&self) -> Option<&Fault> {
        self.0.fault()
    }
}
