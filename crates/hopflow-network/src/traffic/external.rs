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

use std::fmt;

use hopflow_control::external::{Cause, Fault, MachineError, guarded};
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
pub(crate) struct External {
    machine: Option<Box<dyn ExternalSource>>,
    name: String,
    place: String,
    fault: Option<Fault>,
    last: SimTime,
    is_first: bool,
}

impl fmt::Debug for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("External");
        shown.field("name", &self.name).field("place", &self.place).finish_non_exhaustive()
    }
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

    /// The source of the VC `place`, which begins at `start`. `made`: the machine, or why there is
    /// none.
    pub(crate) fn made(
        name: &str,
        place: &str,
        start: SimTime,
        made: Result<Box<dyn ExternalSource>, Cause>,
    ) -> External {
        let (name, place) = (name.to_owned(), place.to_owned());
        let (machine, last, is_first) = (None, start, true);
        let mut external = External { machine, name, place, fault: None, last, is_first };
        match made {
            Ok(machine) => external.machine = Some(machine),
            Err(cause) => external.fail(start, cause),
        }
        external
    }

    fn fail(&mut self, at: SimTime, cause: Cause) {
        let (machine, place) = (self.name.clone(), self.place.clone());
        self.machine = None;
        self.fault = Some(Fault { role: "source", machine, place, at, cause });
    }
}

impl Machine for External {
    #[cold]
    #[inline(never)]
    fn next_packet(&mut self, bytes: u32, _first: &mut FirstLink) -> SimTime {
        let Some(machine) = &mut self.machine else { return SimTime::NEVER };
        let (last, first) = (self.last, std::mem::take(&mut self.is_first));
        match guarded(|| machine.next(last, bytes)) {
            Ok(Some(birth)) if birth > last || (first && birth == last) => {
                self.last = birth;
                return birth;
            }
            Ok(Some(birth)) => {
                let text = format!(
                    "it planned a packet for {} ps, but the one before is at {} ps: answer a later \
                     instant, or none",
                    birth.0, last.0
                );
                self.fail(last, Cause::Answered(text));
            }
            Ok(None) => self.machine = None,
            Err(cause) => self.fail(last, cause),
        }
        SimTime::NEVER
    }

    fn slow_down(&mut self, now: SimTime) {
        if let Some(machine) = &mut self.machine
            && let Err(cause) = guarded(|| machine.slow_down(now))
        {
            self.fail(now, cause);
        }
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}
