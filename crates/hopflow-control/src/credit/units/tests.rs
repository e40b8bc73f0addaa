//! Claims about units: by hand, and on a slow link with one packet of any size per slot.

use std::collections::VecDeque;

use hopflow_units::SimTime;
use proptest::prelude::*;

use super::super::{CreditScheme, CreditValue, InUnits, Permission, Receiver, Sender, Start};
use super::*;

/// Claim: u(s) = ceil(s / unit), and at least 1. By hand: in units of 256 B a packet of 64 B takes
/// 1, of 256 B 1, of 257 B 2, of 1,500 B 6 (5.86), of 9,216 B 36; a cell in units of 53 B takes 1.
#[test]
fn a_packet_takes_whole_units() {
    let units = PacketUnits::new(Bytes(256), Bytes(9_216));
    let taken = [0, 1, 64, 256, 257, 1_500, 9_216].map(|bytes| units.of(bytes).0);
    assert_eq!(taken, [1, 1, 1, 1, 2, 6, 36]);
    assert_eq!((units.largest(), units.are_packets()), (Cells(36), false));
    assert_eq!(PacketUnits::new(Bytes::CELL, Bytes::CELL), PacketUnits::CELLS);
    assert!(PacketUnits::CELLS.are_packets());
    assert!(PacketUnits::new(Bytes(256), Bytes(64)).are_packets());
}

/// Claim: the sender starts while it has the units of the largest packet, whatever comes next, and
/// spends those of the packet that starts. With 80 units and L = 36: a packet of 36 and one of 8
/// leave 36, and one more of 1 leaves 35, which is too little even for one of 1.
#[test]
fn the_largest_packet_decides() {
    let units = PacketUnits::new(Bytes(256), Bytes(9_216));
    let start = Start { credit: Cells(80), n1: Cells(100), round_trip: Picos(10), units };
    for scheme in own_schemes() {
        let mut sender = Sender::new(scheme, start);
        let now = SimTime(0);
        assert_eq!((sender.units_of(1_500), sender.sent_units(7)), (Cells(6), 0));
        for (bytes, left) in [(9_216, 44), (2_000, 36), (64, 35)] {
            assert_eq!(sender.permission(now), Permission::Now, "{scheme:?}");
            sender.on_send(now, bytes);
            assert_eq!(sender.credit_count(now), Cells(left), "{scheme:?}");
        }
        assert_ne!(sender.permission(now), Permission::Now, "{scheme:?}");
        assert_eq!(sender.sent_units(3), 45);
    }
}

/// Claim: a packet that is larger than the largest of its VC is a bug of the caller.
#[test]
#[should_panic(expected = "a packet is larger than the largest of its VC")]
fn no_packet_is_larger_than_the_largest() {
    let units = PacketUnits::new(Bytes(64), Bytes(128));
    let start = Start { credit: Cells(80), n1: Cells(80), round_trip: Picos(10), units };
    Sender::new(CreditScheme::N23, start).on_send(SimTime(0), 129);
}

/// Claim: a credit falls due after every ceil(N2 / u) packets of u units; by hand, N2 = 10, u = 4:
/// after the third, the sixth. Its C is N2 + N3 less the units held, and a credit that is left out
/// is due again with the next packet.
#[test]
fn a_credit_follows_whole_packets() {
    let mut receiver = Receiver::new(CreditScheme::N23.facts().grant, Cells(24), Cells(10));
    (0..6).for_each(|_| {
        let _ = receiver.on_packet(Cells(4));
    });
    let due: Vec<bool> = (0..3).map(|_| receiver.on_packet_freed(Cells(4))).collect();
    assert_eq!(due, [false, false, true]);
    assert_eq!(receiver.credit_value(), Some(CreditValue::from_amount(12)));
    (0..3).for_each(|_| {
        let _ = receiver.on_packet(Cells(4));
    });
    let due: Vec<bool> = (0..3).map(|_| receiver.on_packet_freed(Cells(4))).collect();
    assert_eq!(due, [false, false, true]);
    (0..3).for_each(|_| {
        let _ = receiver.on_packet(Cells(4));
    });
    assert_eq!(receiver.credit_value(), None);
    assert!(receiver.on_packet_freed(Cells(4)));
    assert_eq!((receiver.buffered(), receiver.freed()), (Cells(20), 28));
}

/// The schemes whose ends hopflow has, with a buffer for each VC.
fn own_schemes() -> impl Iterator<Item = CreditScheme> {
    let is_own = |scheme: &CreditScheme| !scheme.facts().grant.is_passed_on();
    CreditScheme::ALL.iter().copied().filter(is_own)
}

/// A link on which each slot has room for one packet, of any size.
struct Link {
    sender: Sender,
    receiver: Receiver,
    /// Bytes of packets on their way and at the receiver, with the slots in which they started.
    sent: VecDeque<(u64, u32)>,
    held: VecDeque<u32>,
    /// Credits on their way: their arrival, their value, and the units freed as they started.
    credits: VecDeque<(u64, CreditValue, u64)>,
    now: u64,
    loop_slots: u64,
    units: PacketUnits,
    started: VecDeque<(u64, u64)>,
    started_units: u64,
    peak: u32,
    promised: u64,
}

impl Link {
    fn new(scheme: CreditScheme, zones: [u32; 3], units: PacketUnits, loop_slots: u64) -> Link {
        let [n1, n2, n3] = zones.map(Cells);
        let start = Start { credit: n2 + n3, n1, round_trip: Picos(loop_slots), units };
        Link {
            sender: Sender::new(scheme, start),
            receiver: Receiver::new(scheme.facts().grant, n2 + n3, n2),
            sent: VecDeque::new(),
            held: VecDeque::new(),
            credits: VecDeque::new(),
            now: 0,
            loop_slots,
            units,
            started: VecDeque::new(),
            started_units: 0,
            peak: 0,
            promised: u64::from((n2 + n3).0),
        }
    }

    /// One slot: credits arrive, a packet arrives, the receiver frees packets, the sender starts
    /// one of this size if it may. Returns whether it did.
    fn step(&mut self, bytes: u32, drain: usize, lose_credit: bool) -> bool {
        let (now, there) = (self.now, self.loop_slots / 2);
        while self.credits.front().is_some_and(|credit| credit.0 == now) {
            let Some((_, value, freed)) = self.credits.pop_front() else { break };
            let young = self.started.iter().filter(|(slot, _)| slot + self.loop_slots > now);
            let in_flight = Cells(young.map(|(_, units)| *units as u32).sum());
            self.sender.on_credit(SimTime(now), value, in_flight);
            self.assert_exact(freed);
        }
        let mut due = false;
        if self.sent.front().is_some_and(|(slot, _)| slot + there == now)
            && let Some((_, bytes)) = self.sent.pop_front()
        {
            self.peak = self.peak.max(self.receiver.on_packet(self.units.of(bytes)).0);
            self.held.push_back(bytes);
        }
        for _ in 0..drain.min(self.held.len()) {
            let Some(bytes) = self.held.pop_front() else { break };
            due |= self.receiver.on_packet_freed(self.units.of(bytes));
        }
        if due && let Some(value) = self.receiver.credit_value() {
            let arrives = now + self.loop_slots - there;
            if !lose_credit {
                self.credits.push_back((arrives, value, self.receiver.freed()));
            }
        }
        let starts = self.sender.permission(SimTime(now)) == Permission::Now;
        if starts {
            self.sender.on_send(SimTime(now), bytes);
            let units = u64::from(self.units.of(bytes).0);
            self.sent.push_back((now, bytes));
            self.started.push_back((now, units));
            self.started_units += units;
        }
        self.now += 1;
        starts
    }

    /// N23 and CUP count exactly: N2 + N3 less the units started and not freed.
    fn assert_exact(&self, freed: u64) {
        let exact = match &self.sender {
            Sender::InUnits(of) => matches!(of.scheme, Sender::N23(_) | Sender::Cup(_)),
            sender => matches!(sender, Sender::N23(_) | Sender::Cup(_)),
        };
        if exact {
            let count = u64::from(self.sender.credit_count(SimTime(self.now)).0);
            assert_eq!(count + self.started_units - freed, self.promised);
        }
    }
}

/// A scheme that promises never to exceed its zones on the link of these tests: all but continuous
/// E. By index, so that properties can draw one.
fn safe_scheme(index: usize) -> CreditScheme {
    let safe: Vec<CreditScheme> =
        own_schemes().filter(|scheme| *scheme != CreditScheme::N23Continuous).collect();
    safe[index % safe.len()]
}

proptest! {
    /// Claim: packets of any sizes, a receiver that frees as it likes, lost credits: the receiver
    /// never holds more than N1 + N2 + N3 units, N23 and CUP count exactly, and with requests the
    /// VC goes on. N1 has the units of a loop of the largest packets.
    #[test]
    fn no_receiver_overflows(
        index in 0_usize..8,
        unit in prop::sample::select(vec![53_u64, 64, 100, 256, 512]),
        n2 in 1_u32..40,
        more in 0_u32..60,
        loop_slots in 2_u64..30,
        steps in prop::collection::vec(
            (1_u32..1_501, 0_usize..4, prop::bool::weighted(0.1)),
            1..400,
        ),
    ) {
        let units = PacketUnits::new(Bytes(unit), Bytes(1_500));
        let scheme = safe_scheme(index);
        let largest = units.largest().0;
        let n1 = scheme.facts().n1.map_or(0, |_| largest * loop_slots as u32);
        let n3 = largest - 1 + more;
        let mut link = Link::new(scheme, [n1, n2, n3], units, loop_slots);
        for (bytes, drain, lose) in steps {
            link.step(bytes, drain, lose);
        }
        prop_assert!(link.peak <= n1 + n2 + n3, "{scheme:?}");
    }

    /// Claim: with N2 + N3 of `least_buffer` no VC stalls once its receiver frees packets; where
    /// all packets are of one size, a VC with less stalls.
    #[test]
    fn the_least_buffer_is_enough(
        index in 0_usize..8,
        unit in 40_u64..600,
        n2 in 1_u32..40,
        loop_slots in 2_u64..20,
        sizes in prop::collection::vec(1_u32..1_501, 1..100),
        one_size in any::<bool>(),
    ) {
        let units = PacketUnits::new(Bytes(unit), Bytes(1_500));
        let least = units.least_buffer(Cells(n2), one_size) as u32;
        let scheme = safe_scheme(index);
        let n1 = scheme.facts().n1.map_or(0, |_| units.largest().0 * loop_slots as u32);
        let mut link = Link::new(scheme, [n1, n2, least - n2], units, loop_slots);
        let mut sizes = sizes.iter().copied().cycle();
        let size = |sizes: &mut dyn Iterator<Item = u32>| {
            if one_size { 1_500 } else { sizes.next().unwrap_or(1) }
        };
        // A receiver that frees nothing for a while, and then all.
        (0..200).for_each(|_| { let _ = link.step(size(&mut sizes), 0, false); });
        for _ in 0..20 {
            let starts = (0..3 * loop_slots).filter(|_| link.step(size(&mut sizes), 9, false));
            prop_assert!(starts.count() > 0, "{scheme:?} stalls");
        }
        if one_size && least > n2 {
            let n3 = least - 1 - n2;
            let mut link = Link::new(scheme, [n1, n2, n3], units, loop_slots);
            let starts = (0..1_000).filter(|_| link.step(1_500, 9, false)).count() as u32;
            prop_assert!(starts * units.largest().0 <= n2 + n3, "{scheme:?} does not stall");
        }
    }

    /// Claim: in units of 53 B cells are counted as cells are, by every scheme: the same permission
    /// and the same count after any calls, through the box of units and without it.
    #[test]
    fn a_cell_of_one_unit_is_a_cell(
        index in 0_usize..8,
        credit in 0_u32..20,
        calls in prop::collection::vec((any::<bool>(), 0_u32..20, 0_u32..6, 0_u64..4), 1..100),
    ) {
        let scheme: Vec<CreditScheme> = own_schemes().collect();
        let scheme = scheme[index % scheme.len()];
        let units = PacketUnits::CELLS;
        let start = Start { credit: Cells(credit), n1: Cells(4), round_trip: Picos(7), units };
        let mut plain = Sender::new(scheme, start);
        let boxed = InUnits::new(Sender::new(scheme, start), units);
        let mut boxed = Sender::InUnits(Box::new(boxed));
        let (mut now, mut sent) = (SimTime(0), 0_u64);
        for (credits, value, in_flight, later) in calls {
            now = SimTime(now.0 + later);
            if credits {
                let value = if scheme == CreditScheme::Cup {
                    CreditValue::from_total(sent.saturating_sub(value.into()))
                } else {
                    CreditValue::from_amount(value)
                };
                plain.on_credit(now, value, Cells(in_flight));
                boxed.on_credit(now, value, Cells(in_flight));
            } else if plain.permission(now) == Permission::Now {
                plain.on_send(now, 53);
                boxed.on_send(now, 53);
                sent += 1;
            }
            prop_assert_eq!(plain.permission(now), boxed.permission(now));
            prop_assert_eq!(plain.credit_count(now), boxed.credit_count(now));
            prop_assert_eq!(boxed.sent_units(0), sent);
        }
    }
}
