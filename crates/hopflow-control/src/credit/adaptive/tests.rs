//! Claims about adaptive credit, by hand and on the link of `link.rs`.

use hopflow_units::Bytes;
use proptest::prelude::*;

use super::super::Permission;
use super::super::slotted::{NOW, start};
use super::*;
use link::Link;

mod link;

/// Bytes of a unit.
const UNIT: u32 = 53;

/// A VC with this N2, whose largest packet takes `largest` units.
fn sharer(n2: u32, largest: u32) -> Sharer {
    let [unit, most] = [UNIT, UNIT * largest].map(|bytes| Bytes(bytes.into()));
    Sharer { n2: Cells(n2), units: PacketUnits::new(unit, most) }
}

/// 4 R + 2 N cells, R in slots.
fn full_memory(loop_slots: u64, count: usize) -> u32 {
    4 * loop_slots as u32 + 2 * count as u32
}

/// Claim (worked example): a limit of 3 after 3 sent cells leaves 0; a limit of 5 leaves 2, and
/// both are used; a limit of 4, one below the cells sent, still leaves 0; a limit of 7 leaves 2.
#[test]
fn a_limit_moves_both_ways() {
    let mut sender = AdaptiveSender::new(start(3));
    (0..3).for_each(|_| sender.on_send(NOW, Cells::ONE));
    assert_eq!((sender.credit_count(NOW), sender.permission(NOW)), (Cells(0), Permission::Blocked));
    sender.on_credit(NOW, CreditValue::from_total(5), Cells::ZERO);
    assert_eq!(sender.credit_count(NOW), Cells(2));
    (0..2).for_each(|_| sender.on_send(NOW, Cells::ONE));
    sender.on_credit(NOW, CreditValue::from_total(4), Cells::ZERO);
    assert_eq!((sender.credit_count(NOW), sender.permission(NOW)), (Cells(0), Permission::Blocked));
    sender.on_credit(NOW, CreditValue::from_total(7), Cells::ZERO);
    assert_eq!(sender.credit_count(NOW), Cells(2));
}

/// Claim [RFC1982]: limits wrap at 2^28, both ahead of the cells sent and behind them.
#[test]
fn limits_wrap_round() {
    let modulus = 1_u64 << CreditValue::BITS;
    for sent in [5, modulus - 3, modulus, modulus + 2, 7 * modulus - 1] {
        let mut sender = AdaptiveSender { sent: sent as u32, ..AdaptiveSender::new(start(0)) };
        for ahead in [4, -5, 0, 1_000] {
            let limit = sent.saturating_add_signed(ahead);
            sender.on_credit(NOW, CreditValue::from_total(limit), Cells::ZERO);
            let left = Cells(ahead.max(0) as u32);
            assert_eq!(sender.credit_count(NOW), left, "{limit} with {sent} sent");
            assert_eq!(i64::from(sender.ahead), ahead);
        }
    }
}

/// Claim: a start without credit panics.
#[test]
#[should_panic(expected = "adaptive credit sent a cell without credit")]
fn a_start_without_credit_is_refused() {
    AdaptiveSender::new(start(0)).on_send(NOW, Cells::ONE);
}

/// Claim (worked example): with M = 48 and N = 4, 24 - 4 = 20 cells are shared: 5 + 1 each at
/// first. VC 0 receives 8 cells and frees 6; VC 1 receives and frees 2. Then TotQ = 2 and (3) gives
/// 18 x 6/8 + 1 = 14, 18 x 2/8 + 1 = 5 (both rounded down), 1 and 1. A credit falls due at every
/// second freed cell (a quarter of 6, rounded up). After the interval all four fall due: 0 and 1
/// rise by enough, 2 and 3 fall.
#[test]
fn shares_follow_use() {
    let mut shares = BufferShares::new(Cells(48), &[sharer(10, 1); 4]);
    assert_eq!(shares.allocation(3), Cells(6));
    (0..8).for_each(|_| assert!(!shares.on_packet(0, UNIT)));
    let dues: Vec<bool> = (0..2).map(|_| shares.on_freed(0, UNIT)).collect();
    assert_eq!(dues, [false, true]);
    assert_eq!(shares.credit_value(0), Some(CreditValue::from_amount(2 + 6)));
    let dues: Vec<bool> = (0..4).map(|_| shares.on_freed(0, UNIT)).collect();
    assert_eq!(dues, [false, true, false, false], "one credit waits, it stands for both");
    assert_eq!(shares.credit_value(0), Some(CreditValue::from_amount(6 + 6)));
    for _ in 0..2 {
        shares.on_packet(1, UNIT);
        shares.on_freed(1, UNIT);
    }
    assert_eq!(shares.credit_value(1), Some(CreditValue::from_amount(2 + 6)));
    let mut due = Vec::new();
    shares.allot(|vc| due.push(vc));
    assert_eq!([0, 1, 2, 3].map(|vc| shares.allocation(vc).0), [14, 5, 1, 1]);
    assert_eq!(due, [0, 1, 2, 3]);
    let values = [0, 1, 2, 3].map(|vc| shares.credit_value(vc).map(CreditValue::bits));
    assert_eq!(values, [Some(6 + 14), Some(2 + 5), Some(1), Some(1)]);
    assert_eq!((shares.held(), shares.held_max()), (Cells(2), Cells(8)));
}

/// Claim: a credit that would not change the limit is left out, unless it was requested.
#[test]
fn news_only_unless_asked() {
    let mut shares = BufferShares::new(Cells(20), &[sharer(4, 1)]);
    assert!(shares.ask(0) && !shares.ask(0), "one waits at most");
    let value = shares.credit_value(0);
    assert_eq!(value, Some(CreditValue::from_amount(10)));
    shares.members[0].waiting = true;
    assert_eq!(shares.credit_value(0), None);
}

/// Claim: lost cells are found when the sender requests credit, and their room is returned. Of 8
/// sent cells 3 are held and 2 freed, so 3 are lost. The limit is 2 + 3 + 10; use stays 2.
#[test]
fn lost_cells_are_found_by_a_check() {
    let mut shares = BufferShares::new(Cells(20), &[sharer(4, 1)]);
    (0..5).for_each(|_| assert!(!shares.on_packet(0, UNIT)));
    (0..2).for_each(|_| assert!(!shares.on_freed(0, UNIT)));
    for _ in 0..2 {
        shares.on_check(0, 8);
        shares.ask(0);
        assert_eq!(shares.credit_value(0), Some(CreditValue::from_amount(15)));
    }
    assert_eq!(shares.members[0].freed - shares.members[0].freed_before, 2);
}

/// Claim (worked example): a cell that any VC frees makes room for the next credit of all, Eq. (5).
/// M = 20 and N = 3: 10 - 3 = 7 cells are shared. VC 0 frees 2 cells in the first interval, so its
/// share is 8 and its limit 10; VC 1 does so in the second, and VC 2 in the third, while no credit
/// lowers a limit. Then `owed` is 8, 8 and 3 - 2 = 1, which leaves 3 cells. VC 0 now frees 2 more:
/// 6, 8 and 1 leave 5. So the limit of VC 2 is 2 + 1 + 5 = 8, below the 2 + 8 = 10 of (2).
#[test]
fn a_freed_cell_is_no_longer_owed() {
    let mut shares = BufferShares::new(Cells(20), &[sharer(4, 1); 3]);
    let frees = |shares: &mut BufferShares, vc| {
        for _ in 0..2 {
            shares.on_packet(vc, UNIT);
            shares.on_freed(vc, UNIT);
        }
    };
    for vc in 0..3 {
        frees(&mut shares, vc);
        shares.allot(|_| ());
        assert_eq!(shares.allocation(vc), Cells(8));
        if vc < 2 {
            assert_eq!(shares.credit_value(vc), Some(CreditValue::from_amount(10)));
        }
    }
    assert_eq!(shares.spare, 3);
    frees(&mut shares, 0);
    assert_eq!(shares.spare, 5);
    assert_eq!(shares.credit_value(2), Some(CreditValue::from_amount(8)));
}

/// Claim [KC95]: 4 R + 2 N cells keep the link full, whichever of the N VCs are active and however
/// long the loop is. The active VCs share it equally: to the cell if each has a cell or more in
/// every interval, otherwise within one half, because a use of one cell cannot be distinguished
/// from half a cell.
#[test]
fn four_loops_and_two_cells_each_fill_the_link() {
    for (loop_slots, n2) in [(8, 1), (8, 10), (40, 10), (155, 10), (155, 3), (601, 30)] {
        for count in [1, 2, 5, 20, 100] {
            for active in [1, 2, 5, 20, 100].into_iter().filter(|active| *active <= count) {
                let memory = full_memory(loop_slots, count);
                let mut link = Link::new(memory, count, n2, loop_slots);
                (0..active).for_each(|vc| link.on[vc * count / active] = true);
                link.steps(20 * loop_slots);
                let slots = (20 * loop_slots).next_multiple_of(active as u64);
                let sent = link.sent_in(slots);
                let what = format!("{active} of {count}, loop {loop_slots}, N2 {n2}");
                assert_eq!(sent.iter().sum::<u64>(), slots, "{what}: the link is full");
                let share = slots / active as u64;
                let slack = if active as u64 <= loop_slots { 0 } else { share.div_ceil(2) };
                let mut on = sent.iter().filter(|cells| **cells > 0);
                assert!(on.all(|cells| cells.abs_diff(share) <= slack), "{what}: {sent:?}");
            }
        }
    }
}

/// Claim: half of it, 2 R + 2 N, is too little unless N2 = 1. A lone VC then has R + 1 cells. That
/// fills the link if each cell brings a credit. With N2 = 10 it reaches at least the 150 cells in
/// 158 slots of exact counters with N2 + N3 = 156 (an interval may bring a credit early), but not
/// all slots.
#[test]
fn half_of_it_is_too_little() {
    let sent = |n2| {
        let mut link = Link::new(2 * 155 + 40, 20, n2, 155);
        link.on[3] = true;
        link.steps(20 * 155);
        link.sent_in(1_580)[3]
    };
    assert_eq!(sent(1), 1_580);
    assert!((1_500..1_580).contains(&sent(10)), "{}", sent(10));
}

/// Cells of all VCs started in each of the next `loops` loops.
fn sent_by_loop(link: &mut Link, loop_slots: u64, loops: usize) -> Vec<u64> {
    (0..loops).map(|_| link.sent_in(loop_slots).iter().sum()).collect()
}

/// Claim: when the active VCs change all at once, each starting from a share of one cell, the link
/// is full again in the fourth loop, whatever its length.
#[test]
fn new_vcs_fill_the_link_in_four_loops() {
    for loop_slots in [20, 155, 1_000] {
        let mut link = Link::new(full_memory(loop_slots, 100), 100, 10, loop_slots);
        for turn in (0..20).chain(0..20) {
            link.on = (0..100).map(|vc| vc / 5 == turn).collect();
            let sent = sent_by_loop(&mut link, loop_slots, 10);
            let full = vec![loop_slots; 7];
            assert_eq!(sent[3..], full, "loop {loop_slots}, turn {turn}: {sent:?}");
        }
    }
}

/// Claim: a VC that starts on a full link doubles its share every second loop (its use is measured
/// in one loop and takes effect in the next), so it has nine tenths of its s cells per loop within
/// 2 log2(s) + 2 loops.
#[test]
fn a_new_vc_doubles_every_second_loop() {
    for loop_slots in [20, 155, 1_000] {
        for others in [1, 4, 9] {
            let mut link = Link::new(full_memory(loop_slots, 100), 100, 10, loop_slots);
            (0..others).for_each(|vc| link.on[vc] = true);
            link.steps(20 * loop_slots + 7);
            link.on[99] = true;
            let share = loop_slots / (others as u64 + 1);
            let doublings = share.next_power_of_two().ilog2() as usize;
            let loops = (1..100).find(|_| link.sent_in(loop_slots)[99] * 10 >= share * 9);
            let within = 2 * doublings + 2;
            assert!(loops.is_some_and(|loops| loops <= within), "{loops:?} of {within}");
        }
    }
}

/// Cells that nine VCs start in a loop, after a VC that had all the memory has stalled long enough
/// for the shares to settle.
fn beside_one_that_stands(memory: u32, loop_slots: u64) -> u64 {
    let mut link = Link::new(memory, 100, 10, loop_slots);
    link.on[0] = true;
    link.steps(20 * loop_slots + loop_slots / 2);
    link.drain[0] = 0;
    link.steps(20 * loop_slots);
    (1..10).for_each(|vc| link.on[vc] = true);
    link.steps(40 * loop_slots);
    link.sent_in(10 * loop_slots).iter().sum::<u64>() / 10
}

/// Claim: a VC whose cells are stalled keeps the cells that it holds, and the others share the
/// rest. A VC that had the link to itself holds nearly 2 R of 4 R + 2 N: the others get at most
/// half the link. With twice the memory they fill it. If one of ten VCs at a time stalls, the
/// others lose nothing.
#[test]
fn a_vc_that_stands_keeps_what_it_holds() {
    let loop_slots = 155;
    let beside = beside_one_that_stands(full_memory(loop_slots, 100), loop_slots);
    assert!((20..=80).contains(&beside), "{beside}");
    assert_eq!(beside_one_that_stands(full_memory(2 * loop_slots, 100), loop_slots), loop_slots);
    let mut link = Link::new(full_memory(loop_slots, 100), 100, 10, loop_slots);
    (0..10).for_each(|vc| link.on[vc] = true);
    link.steps(20 * loop_slots);
    link.drain[0] = 0;
    link.steps(20 * loop_slots);
    assert_eq!(sent_by_loop(&mut link, loop_slots, 10), [loop_slots; 10]);
}

/// A number of equal slots: active senders, speed of the receivers, whether credits start, who
/// requests.
#[derive(Clone, Debug)]
struct Stretch {
    slots: u64,
    on: u16,
    slow: u16,
    stuck: u16,
    line_stands: bool,
    asks: Option<usize>,
}

fn any_stretches() -> impl Strategy<Value = Vec<Stretch>> {
    let asks = proptest::option::weighted(0.3, 0_usize..12);
    let bits = (any::<u16>(), any::<u16>(), any::<u16>(), any::<u16>());
    let stretch = (1_u64..120, bits, proptest::bool::weighted(0.2), asks);
    let stretch = stretch.prop_map(|(slots, (on, slow, a, b), line_stands, asks)| Stretch {
        slots,
        on,
        slow,
        stuck: a & b,
        line_stands,
        asks,
    });
    proptest::collection::vec(stretch, 1..40)
}

proptest! {
    /// Claim: whatever senders, receivers and the credit queue do, the memory never overflows and
    /// has room for all that may arrive (asserted in `Link::step`). Nobody starves: afterwards
    /// every VC sends.
    #[test]
    fn never_full_and_never_starved(
        loop_slots in 2_u64..60,
        count in 1_usize..12,
        more in 0_u32..300,
        n2 in 1_u32..12,
        sizes in proptest::option::of(proptest::collection::vec(1_u32..9, 12)),
        are_varied: bool,
        stretches in any_stretches(),
    ) {
        let largest = sizes.map_or(vec![1; count], |sizes| sizes[..count].to_vec());
        let memory = largest.iter().sum::<u32>() + more;
        let mut link = Link::of_packets(memory, &largest, n2, loop_slots);
        link.are_varied = are_varied;
        for stretch in stretches {
            let has = |bits: u16, vc: usize| bits >> vc & 1 == 1;
            link.on = (0..count).map(|vc| has(stretch.on, vc)).collect();
            for vc in 0..count {
                link.drain[vc] = match (has(stretch.stuck, vc), has(stretch.slow, vc)) {
                    (true, _) => 0,
                    (false, true) => 1,
                    (false, false) => u32::MAX,
                };
            }
            link.line_stands = stretch.line_stands;
            if let Some(vc) = stretch.asks.filter(|vc| *vc < count) {
                link.ask(vc);
            }
            link.steps(stretch.slots);
        }
        link.on = vec![true; count];
        link.drain = vec![u32::MAX; count];
        link.line_stands = false;
        let round = 4 * (loop_slots + u64::from(largest.iter().sum::<u32>()) + 9);
        link.steps(round);
        let sent = link.sent_in(round);
        prop_assert!(sent.iter().all(|cells| *cells > 0), "{sent:?}");
    }
}

/// Claim (worked example): packets of several units. M = 100, N = 2, with largest packets of 6 and
/// 1 units: 50 - 7 = 43 are shared, 21 each, so the shares begin at 27 and 22. VC 0 receives two
/// packets of 6 and frees one: the limit rises by 6, below min(N2, ceil(27/4), 27 - 6 + 1) = 7; the
/// second frees 12 and is due. Afterwards all use is its own, so (3) gives 43 + 6 and 0 + 1.
#[test]
fn shares_count_units() {
    let mut shares = BufferShares::new(Cells(100), &[sharer(10, 6), sharer(10, 1)]);
    assert_eq!([0, 1].map(|vc| shares.allocation(vc).0), [27, 22]);
    (0..2).for_each(|_| assert!(!shares.on_packet(0, 6 * UNIT)));
    assert_eq!(shares.held(), Cells(12));
    assert!(!shares.on_freed(0, 6 * UNIT));
    assert!(shares.on_freed(0, 6 * UNIT));
    assert_eq!(shares.credit_value(0), Some(CreditValue::from_amount(12 + 27)));
    shares.allot(|_| ());
    assert_eq!([0, 1].map(|vc| shares.allocation(vc).0), [49, 1]);
}

/// Claim: a packet of several units waits until its largest fits the balance, and none starts with
/// less: of 13 units two packets of 6 start, not a third.
#[test]
fn a_packet_waits_for_its_largest() {
    let units = sharer(1, 6).units;
    let mut sender = AdaptiveSender::new(Start { units, ..start(13) });
    (0..2).for_each(|_| sender.on_send(NOW, Cells(6)));
    assert_eq!((sender.credit_count(NOW), sender.permission(NOW)), (Cells(1), Permission::Blocked));
}

/// Claim: the memory of packets is that of cells, 4 R + 2 sum(l), with R the units of the loop, the
/// largest packet included: the link is full, whichever VCs are active, with packets of one size
/// and with others among them.
#[test]
fn packets_fill_the_link() {
    for (loop_slots, units) in [(40, 6), (155, 6), (155, 40), (601, 3)] {
        for count in [1, 3, 8] {
            for active in 1..=count {
                let in_loop = loop_slots as u32 + units - 1;
                let memory = 4 * in_loop + 2 * count as u32 * units;
                let mut link = Link::of_packets(memory, &vec![units; count], 10, loop_slots);
                (0..active).for_each(|vc| link.on[vc] = true);
                link.steps(30 * loop_slots);
                let slots = 20 * loop_slots;
                let sent: u64 = link.sent_in(slots).iter().sum();
                let what = format!("{active} of {count}, loop {loop_slots}, packets of {units}");
                let sent = sent + u64::from(units);
                assert!(sent >= slots, "{what}: {sent} of {slots}");
            }
        }
    }
}

/// Fingerprint: starts and credits of a run whose active VCs and receivers follow a linear
/// congruential generator.
#[test]
fn the_run_is_pinned() {
    let mut link = Link::new(full_memory(30, 8), 8, 4, 30);
    let mut state = 1_u64;
    for _ in 0..400 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        link.on = (0..8).map(|vc| state >> (40 + vc) & 1 == 1).collect();
        link.drain = (0..8).map(|vc| (state >> (50 + vc) & 1) as u32).collect();
        link.steps(1 + (state >> 33) % 50);
    }
    let hash = link.sent.iter().fold(link.credits_started, |h, sent| h * 31 + sent);
    assert_eq!(hash, 4_145_354_425_511_514);
}
