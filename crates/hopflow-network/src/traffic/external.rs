//! A source from outside hopflow. Experimental, see [`hopflow_control::external`].
//!
//! ```text
//! next(last, bytes)    when the packet of this size is born; `last`: when the packet before it
//!                      was planned, or where the source begins
//! slow_down(now)       a scheduler on the path found the flow too fast
//! ```
//! It is asked for a packet as soon as the one before it is made, or earlier if a shaper looks
//! ahead. Every packet is later than the one before; the first may be at the beginning. Envelope,
//! policing, `packets` and `stop` apply as to every source. It ends with `None`, and is not asked
//! again. An instant that is not allowed is a fault.
//!
//! Not modelled: the source does not learn the fate of its packets.

use hopflow_control::external::{Fault, Held, MachineError, refuse};
use hopflow_units::SimTime;

use super::SourceSpec;
use super::facts::{Arrivals, Facts, Faster, NotFaster};
use super::machine::{FirstLink, Machine, Start};

/// A source of packets, made outside of hopflow.
pub trait ExternalSource: Send {
    /// When the next packet, of this size in bytes, is born, later than `last`; the first may be at
    /// `last`, which is the beginning of the source. `None`: there are no more packets.
    fn next(&mut self, last: SimTime, bytes: u32) -> Result<Option<SimTime>, MachineError>;

    /// A message tells the source to slow down: a scheduler on the path found its flow too fast.
    fn slow_down(&mut self, now: SimTime) -> Result<(), MachineError>;
}

/// The plan of an external source.
#[derive(Debug)]
pub(crate) struct External {
    machine: Held<dyn ExternalSource>,
    last: SimTime,
    is_first: bool,
}

impl External {
    pub(super) const FACTS: Facts = Facts::new("external");

    pub(super) const fn arrivals(_machine: u16) -> Arrivals<'static> {
        Arrivals::Unlimited("an external source does not tell what it sends")
    }

    pub(super) const fn faster(_by: Faster, _machine: u16) -> Result<SourceSpec, NotFaster> {
        Err(NotFaster::NoLaw)
    }

    /// A network makes external machines by [`External::made`]: it knows how.
    pub(super) fn new(_start: &Start<'_>, _machine: u16) -> External {
        panic!("the network makes external machines")
    }

    /// A source that begins at `start`.
    pub(crate) fn made(machine: Held<dyn ExternalSource>, start: SimTime) -> External {
        External { machine, last: start, is_first: true }
    }
}

impl Machine for External {
    #[cold]
    #[inline(never)]
    fn next_packet(&mut self, bytes: u32, _first: &mut FirstLink) -> SimTime {
        let (last, first) = (self.last, std::mem::take(&mut self.is_first));
        let birth = self.machine.ask(last, |machine| {
            let Some(birth) = machine.next(last, bytes)? else { return Ok(None) };
            refuse(birth < last || (birth == last && !first), || {
                format!(
                    "it planned a packet for {} ps, but the one before is at {} ps: answer a later \
                     instant, or none",
                    birth.0, last.0
                )
            })?;
            Ok(Some(birth))
        });
        match birth.flatten() {
            Some(birth) => self.last = birth,
            None => self.machine.dismiss(),
        }
        birth.flatten().unwrap_or(SimTime::NEVER)
    }

    fn slow_down(&mut self, now: SimTime) {
        self.machine.ask(now, |machine| machine.slow_down(now));
    }

    fn fault(&self) -> Option<&Fault> {
        self.machine.fault()
    }
}
