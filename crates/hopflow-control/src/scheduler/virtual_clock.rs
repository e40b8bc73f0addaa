//! VirtualClock: every flow has a clock that advances with its packets as if they arrived at the
//! reserved rate; the packet with the least clock is served first.
//!
//! ```text
//! auxVC := max(t - P, auxVC)                                                     (1)
//! auxVC := auxVC + Vtick,  Vtick = bits / AR;  stamp := auxVC                    (2)
//! serve the least stamp; of equal ones the older                                 (3)
//! ```
//! | symbol | meaning                                            | unit    |
//! |--------|----------------------------------------------------|---------|
//! | t      | real time                                          | ps      |
//! | P      | the flow's priority: how early its stamps begin    | ps      |
//! | AR     | its reserved average rate                          | b/s     |
//!
//! The greatest P of the port is added to every stamp, so that it is never negative; only
//! differences matter. The meter that finds a flow too fast is in `meter.rs`. Its source is then
//! sent a message, unless messages are off. After `delete_after` such findings the next one deletes
//! the flow: from then on it is one of the unknown flows, which are served after all others, first
//! in first out, and are the first to be pushed out. A packet leaves no later than its stamp (with
//! P = 0 for all) + Lmax / C [XL95].
//!
//! With [`StampClock::Meter`] the meter stamps, as in the first version: a flow that was silent
//! since its last check then has old stamps, and jumps the queue. The packet is stamped before the
//! check that it causes ([Zhang90] 2.2 stamps, 2.2.1 checks). With `refuse_ahead` a packet is
//! refused if it would put auxVC further ahead of t - P: admission control as in [Zhang90] 4.2.1.
//!
//! Source: [Zhang90] 2.2 to 2.4, footnote 8. Differs: Vtick is rounded up to a whole picosecond.
//! The paper does not specify after how many messages a flow is deleted. A packet that is pushed
//! out or refused does not set clocks back. Not modelled: setup and teardown of flows in a run.
//! Checked by: stamps by hand, the departure bound on random mixes, and closed forms, in
//! `virtual_clock/tests.rs`.

mod spec;

use hopflow_units::{Bytes, Picos, Rate, SimTime};

use super::Guarantee;
use super::facts::{Facts, Void};
use super::machine::{Machine, Port};
use super::meter::Meter;
use super::ranked::Ranked;
use super::{FlowShare, Next, Notice};
pub use spec::{MeterCheck, StampClock, VirtualClockSpec};

/// The stamp of packets of unknown flows.
const UNKNOWN: u64 = u64::MAX;

/// The machine of Eqs. (1) to (3).
#[derive(Clone, Debug)]
pub struct VirtualClock {
    spec: VirtualClockSpec,
    packets: Ranked<u64>,
    /// `None`: unknown, or deleted.
    flows: Vec<Option<Clocks>>,
}

/// The clocks of one known flow.
#[derive(Clone, Copy, Debug)]
struct Clocks {
    rate: Rate,
    /// auxVC + P.
    aux: u64,
    /// The greatest P of the port less this flow's.
    offset: u64,
    meter: Meter,
    /// The number of checks that found it too fast.
    found: u32,
    /// The last size seen and its Vtick.
    last: (u32, Picos),
}

impl Clocks {
    fn tick(&mut self, bytes: u32) -> Picos {
        if self.last.0 != bytes {
            self.last = (bytes, tick(self.rate, bytes));
        }
        self.last.1
    }
}

/// Vtick of a packet.
fn tick(rate: Rate, bytes: u32) -> Picos {
    let time = rate.transmit_time(Bytes(u64::from(bytes)));
    time.expect("2^23 bits at 1 b/s or more fit 2^64 ps")
}

impl VirtualClock {
    pub(super) const FACTS: Facts = Facts {
        unreserved_last: true,
        notifies: true,
        voided_by: &[Void::Overhead, Void::HeldBack],
        also: &["vc"],
        ..Facts::new("virtual-clock", "VirtualClock")
    };

    pub(super) const fn guarantee(spec: VirtualClockSpec) -> Guarantee {
        Guarantee::Stamps(spec)
    }

    /// An empty port.
    pub(super) fn new(port: &Port<'_>, spec: VirtualClockSpec) -> VirtualClock {
        let reserved = port.flows.iter().filter_map(|flow| flow.reservation);
        let greatest = reserved.map(|reservation| reservation.priority.0).max().unwrap_or(0);
        let clocks = |flow: &FlowShare| {
            flow.reservation.map(|reservation| Clocks {
                rate: reservation.rate,
                aux: 0,
                offset: greatest - reservation.priority.0,
                meter: Meter::new(&reservation, flow.largest, spec.check, spec.threshold),
                found: 0,
                last: (0, Picos::ZERO),
            })
        };
        VirtualClock {
            spec,
            packets: Ranked::new(port.flows.len(), port.finds_victims),
            flows: port.flows.iter().map(clocks).collect(),
        }
    }

    /// Handles a flow that was found too fast.
    fn act(&mut self, flow: u32) -> Option<Notice> {
        let clocks = self.flows[flow as usize].as_mut()?;
        if self.spec.delete_after.is_some_and(|most| clocks.found >= most) {
            self.flows[flow as usize] = None;
            return Some(Notice::Deleted);
        }
        clocks.found = clocks.found.saturating_add(1);
        self.spec.messages.then_some(Notice::SlowDown)
    }
}

impl Machine for VirtualClock {
    type Packets = Ranked<u64>;

    fn packets(&mut self) -> &mut Ranked<u64> {
        &mut self.packets
    }

    fn refuses(&self, flow: u32, bytes: u32, now: SimTime) -> bool {
        let (Some(limit), Some(clocks)) = (self.spec.refuse_ahead, &self.flows[flow as usize])
        else {
            return false;
        };
        let ahead = clocks.aux.saturating_sub(now.0);
        ahead.saturating_add(tick(clocks.rate, bytes).0) > limit.0
    }

    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice> {
        let Some(clocks) = &mut self.flows[flow as usize] else {
            self.packets.arrive(flow, bytes, UNKNOWN);
            return None;
        };
        let tick = clocks.tick(bytes);
        clocks.aux = now.0.max(clocks.aux).saturating_add(tick.0);
        let reading = clocks.meter.on_packet(tick, now);
        let stamp = match self.spec.stamp {
            StampClock::Auxiliary => clocks.aux,
            StampClock::Meter => reading.clock,
        };
        // A clock 213 days ahead saturates, still before all unknown flows.
        let stamp = stamp.saturating_add(clocks.offset).min(UNKNOWN - 1);
        self.packets.arrive(flow, bytes, stamp);
        if reading.too_fast { self.act(flow) } else { None }
    }

    fn next(&mut self, _now: SimTime) -> Next {
        self.packets.first().map_or(Next::Nothing, |(_, flow)| Next::Flow(flow))
    }
}

#[cfg(test)]
mod tests;
