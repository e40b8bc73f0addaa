//! Asynchronous traffic shaping of time-sensitive networks: a packet is eligible from the instant
//! that its flow's token bucket and the group of its input allow.
//!
//! For a packet of length L that arrives at time a:
//! ```text
//! sched := empty + L / CIR                                                       (1)
//! full  := empty + CBS / CIR                                                     (2)
//! elig  := max(a, group, sched)                                                  (3)
//! refused if ceil(elig) > a + max residence; else                                (4)
//! group := ceil(elig)                                                            (5)
//! empty := sched if elig < full, else sched + elig - full                        (6)
//! initially  empty = -CBS / CIR,  group = 0                                      (7)
//! serve, of the packets with ceil(elig) <= now,                                  (8)
//!     the least (class, ceil(elig), arrival number)
//! ```
//! | symbol          | meaning                                                   | unit  |
//! |-----------------|-----------------------------------------------------------|-------|
//! | CIR             | committed rate: the flow's reserved rate                  | b/s   |
//! | CBS             | committed burst: the flow's reserved burst                | bits  |
//! | empty           | when the flow's bucket was, or would have been, empty     | ps    |
//! | sched           | when its bucket has tokens for this packet                | ps    |
//! | full            | when its bucket would be full                             | ps    |
//! | group           | the latest elig of the flows of one (input, class)        | ps    |
//! | elig            | when the packet becomes eligible                          | ps    |
//!
//! The times of a bucket are exact, in units of 1/CIR picoseconds, so that rounding errors do not
//! accumulate; ceil rounds up to a whole picosecond. So the packets of a flow become eligible with
//! at most CBS + CIR (t + 1 ps) bits in any span t, and a group keeps its order of arrival. The
//! port may be idle while packets wait. A flow without a reservation is not shaped: its packets are
//! eligible on arrival and do not belong to a group.
//!
//! (1) to (6) are computed once, when the packet arrives; a packet that is lost later does not
//! return its tokens. L counts the packet with its headers, without the overhead of the link; the
//! standard counts that too, so a CIR of the standard is larger by it. When the buffer is full, the
//! packet with the greatest rank (8) is pushed out.
//!
//! Source: [802.1Qcr]; the rule follows INET's eligibility time meter. Differs: ceil; the unshaped
//! flows. Not modelled: clock offsets between bridges; several shapers shared by a flow. Checked
//! by: `ats/tests.rs`.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use hopflow_units::{Bytes, Picos, SimTime, wide};

use super::Guarantee;
use super::classes::Classes;
use super::facts::Facts;
use super::machine::{Machine, Port};
use super::{FlowShare, Next, Notice};

/// The machine of Eqs. (1) to (8).
#[derive(Clone, Debug)]
pub struct Ats {
    max_residence: Option<Picos>,
    /// Packets by class and elig.
    packets: Classes<SimTime>,
    buckets: Vec<Option<Bucket>>,
    /// The variable group of each (input, class).
    groups: Vec<SimTime>,
}

/// The token bucket of a flow. Times are in units of 1/CIR picoseconds.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// CIR in b/s.
    rate: u64,
    /// The time to fill it: CBS.
    fill: i128,
    empty: i128,
    group: u32,
}

/// The first flow whose reserved burst is less than its largest packet: such a packet would never
/// have enough tokens.
pub fn short_burst(flows: &[FlowShare]) -> Option<usize> {
    let short = |flow: &FlowShare| flow.reservation.is_some_and(|r| r.burst < flow.largest);
    flows.iter().position(short)
}

/// The time of this many bytes at one bit per second, in picoseconds.
fn bit_picos(bytes: Bytes) -> i128 {
    product(bytes.bits(), Picos::PER_SECOND)
}

fn product(a: u64, b: u64) -> i128 {
    let product = u128::from(a) * u128::from(b);
    i128::try_from(product).expect("an instant at a rate fits 127 bits")
}

impl Bucket {
    /// ceil(elig) by Eq. (3), and the new `empty` by Eq. (6).
    fn eligible(&self, bytes: Bytes, arrived: SimTime, group: SimTime) -> (SimTime, i128) {
        let sched = self.empty + bit_picos(bytes); // Eq. (1)
        let full = self.empty + self.fill; // Eq. (2)
        let first = arrived.max(group);
        let first_of_rate = product(first.0, self.rate);
        let eligible = sched.max(first_of_rate); // Eq. (3)
        let empty = if eligible < full { sched } else { sched + eligible - full };
        // From `first` on: less to divide, and often nothing. Beyond u64 is beyond any run.
        let wait = (eligible - first_of_rate).unsigned_abs();
        let wait = wide::div_ceil(wait, u128::from(self.rate));
        (first.saturating_add(Picos(u64::try_from(wait).unwrap_or(u64::MAX))), empty)
    }
}

impl Ats {
    pub(super) const FACTS: Facts = Facts {
        heeds_class: true,
        holds_to_rate: true,
        also: &["qcr"],
        ..Facts::new("ats", "ATS")
    };

    pub(super) const fn guarantee(max_residence: Option<Picos>) -> Guarantee {
        Guarantee::Shaped { max_residence }
    }

    /// An empty port of these flows. Panics when a burst is less than a packet, see
    /// [`short_burst`].
    pub(super) fn new(port: &Port<'_>, max_residence: Option<Picos>) -> Ats {
        assert_eq!(short_burst(port.flows), None, "a burst holds the largest packet");
        let mut numbers = BTreeMap::new();
        let bucket = |flow: &FlowShare| {
            let reservation = flow.reservation?;
            let next = numbers.len() as u32;
            let group = *numbers.entry((flow.input, flow.class)).or_insert(next);
            let fill = bit_picos(reservation.burst);
            let rate = reservation.rate.bps();
            Some(Bucket { rate, fill, empty: -fill, group }) // Eq. (7)
        };
        let buckets = port.flows.iter().map(bucket).collect();
        let packets = Classes::new(port);
        Ats { max_residence, packets, buckets, groups: vec![SimTime::ZERO; numbers.len()] }
    }
}

impl Machine for Ats {
    type Packets = Classes<SimTime>;

    fn packets(&mut self) -> &mut Classes<SimTime> {
        &mut self.packets
    }

    /// Eq. (4).
    fn refuses(&self, flow: u32, bytes: u32, now: SimTime) -> bool {
        let (Some(bucket), Some(most)) = (&self.buckets[flow as usize], self.max_residence) else {
            return false;
        };
        let group = self.groups[bucket.group as usize];
        bucket.eligible(Bytes(bytes.into()), now, group).0 > now.saturating_add(most)
    }

    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice> {
        let mut eligible = now;
        if let Some(bucket) = &mut self.buckets[flow as usize] {
            let group = &mut self.groups[bucket.group as usize];
            (eligible, bucket.empty) = bucket.eligible(Bytes(bytes.into()), now, *group);
            *group = eligible; // Eq. (5)
        }
        self.packets.arrive(flow, bytes, eligible);
        None
    }

    /// Eq. (8). Checks each class once.
    fn next(&mut self, now: SimTime) -> Next {
        let mut soonest = None;
        for class in 0..self.packets.len() {
            let Some((eligible, flow)) = self.packets.first(class) else { continue };
            if eligible <= now {
                return Next::Flow(flow);
            }
            soonest = Some(soonest.map_or(eligible, |other| eligible.min(other)));
        }
        soonest.map_or(Next::Nothing, Next::At)
    }
}
