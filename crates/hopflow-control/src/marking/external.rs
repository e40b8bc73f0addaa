//! A marker from outside hopflow. Experimental, see [`crate::external`].
//!
//! ```text
//! marks(look)   a packet joins the queue of the port, or starts ([`super::Moment`]): whether it is
//!               marked, if it can be
//! ```
//! It is asked once about each packet of its moment, in the order of docs/models/order.md. That
//! includes packets that no port can mark ([`Look::is_able`]): the answer has no effect on them.
//! Every answer is allowed.
//!
//! Checked by: `hopflow-engine/tests/external/marker.rs`, `hopflow/tests/machines.rs`.
//!
//! Not modelled: the other moment, so a marker does not learn how long a packet has waited; which
//! flow a packet belongs to.

use super::Look;
use crate::external::{Fault, Held, MachineError};

/// A marker of one port, from outside hopflow.
pub trait ExternalMarker: Send {
    /// Whether the packet is marked, if it can be.
    fn marks(&mut self, look: &Look) -> Result<bool, MachineError>;
}

/// The machine of a port.
#[derive(Debug)]
pub struct External(Held<dyn ExternalMarker>);

impl External {
    pub(super) const NAME: &str = "external";

    /// Panics: the network makes external machines, see [`External::made`].
    pub(super) fn new(_place: u16) -> External {
        panic!("the network makes external machines")
    }

    /// The marker of a port.
    pub const fn made(machine: Held<dyn ExternalMarker>) -> External {
        External(machine)
    }

    pub(super) fn marks(&mut self, look: &Look) -> bool {
        self.0.ask(look.now, |machine| machine.marks(look)).unwrap_or(false)
    }

    pub(super) fn fault(&self) -> Option<&Fault> {
        self.0.fault()
    }
}
