//! VCs that ask for their reservation, at one node: what its ports have reserved, and for whom.
//! Nodes without such VCs have none of this.

use std::sync::Arc;

use hopflow_control::admission::PortReservations;
use hopflow_units::Rate;

use super::idle::Plans;
use crate::embed::call::Call;

/// A hop of a VC that asks, at its sending end.
#[derive(Debug)]
pub(crate) struct AskedHop {
    /// The index of its sender.
    pub(crate) sender: u32,
    pub(crate) port: u32,
    pub(crate) rate: Rate,
    /// Whether the port has reserved the rate.
    pub(crate) is_reserved: bool,
}

/// The calls of a node.
#[derive(Debug)]
pub(crate) struct Calls {
    pub(crate) plans: Arc<Plans>,
    /// By port; `None` where no VC asks.
    pub(crate) ports: Vec<Option<PortReservations>>,
    /// In ascending order of senders.
    pub(crate) hops: Vec<AskedHop>,
    /// With the index of each source, in ascending order.
    pub(crate) sources: Vec<(u32, Call)>,
}

impl Calls {
    /// The hop of a sender, and its port; `None` for a VC that does not ask.
    fn hop(&mut self, sender: u32) -> Option<(&mut AskedHop, &mut PortReservations)> {
        let place = self.hops.binary_search_by_key(&sender, |hop| hop.sender).ok()?;
        let hop = &mut self.hops[place];
        let port = self.ports[hop.port as usize].as_mut().expect("the port is asked");
        Some((hop, port))
    }

    /// Whether the port of a sender reserves its rate, which is from then on the case.
    pub(crate) fn ask(&mut self, sender: u32) -> bool {
        let (hop, port) = self.hop(sender).expect("only VCs that ask have messages");
        assert!(!hop.is_reserved, "a hop reserves once");
        hop.is_reserved = port.ask(hop.rate);
        hop.is_reserved
    }

    /// Frees the rate of a sender. Returns whether it was reserved.
    pub(crate) fn free(&mut self, sender: u32) -> bool {
        let (hop, port) = self.hop(sender).expect("only VCs that ask have messages");
        let was = std::mem::replace(&mut hop.is_reserved, false);
        if was {
            port.free(hop.rate);
        }
        was
    }

    /// Whether the port of a sender has reserved its rate.
    pub(crate) fn is_reserved(&self, sender: u32) -> bool {
        let place = self.hops.binary_search_by_key(&sender, |hop| hop.sender);
        place.is_ok_and(|place| self.hops[place].is_reserved)
    }

    /// The call of a source that asks.
    pub(crate) fn of_source(&self, source: u32) -> Option<&Call> {
        let place = self.sources.binary_search_by_key(&source, |one| one.0).ok()?;
        Some(&self.sources[place].1)
    }

    /// The same, mutable. Panics for a source that does not ask.
    pub(crate) fn of_source_mut(&mut self, source: u32) -> &mut Call {
        let place = self.sources.binary_search_by_key(&source, |one| one.0);
        &mut self.sources[place.expect("the source asks")].1
    }
}
