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

/// A source of packets, from outside hopflow.
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
    /// The source of the VC `place`, which begins at `start`. `made` is the machine, or why it
    /// could not be made.
    pub(crate) fn new(
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

    /// Why it is no longer called.
    pub(super) fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    #[cold]
    #[inline(never)]
    pub(super) fn next_packet(&mut self, bytes: u32) -> SimTime {
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

    pub(super) fn slow_down(&mut self, now: SimTime) {
        if let Some(machine) = &mut self.machine
            && let Err(cause) = guarded(|| machine.slow_down(now))
        {
            self.fail(now, cause);
        }
    }

    fn fail(&mut self, at: SimTime, cause: Cause) {
        let (machine, place) = (self.name.clone(), self.place.clone());
        self.machine = None;
        self.fault = Some(Fault { role: "source", machine, place, at, cause });
    }
}
