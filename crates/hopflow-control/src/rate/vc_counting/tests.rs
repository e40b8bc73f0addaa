//! Shares by hand, against a slow max-min, and over time.

use proptest::prelude::*;

use super::super::fixture::{brm, frm, rate};
use super::*;

const MS: u64 = 1_000_000_000;

/// Full R at all times, so that shares can be read off ER. Settling takes 1 ms.
fn spec() -> VcCountingSpec {
    VcCountingSpec { drain: Drain::Always(1.0), ..VcCountingSpec::new(Picos(MS)) }
}

/// A port of 150 cells/s (or any other unit).
fn port(spec: VcCountingSpec, flows: u32) -> VcCounting {
    VcCounting::new(spec, rate(150.0), flows)
}

/// One FRM and one BRM of a VC at `ms`; returns the ER of the BRM.
fn visit(port: &mut VcCounting, ms: u64, flow: u32, ccr: f64, limit: f64) -> f64 {
    let now = SimTime(ms * MS);
    while port.next < now {
        port.on_timer(port.next, 0);
    }
    port.arrive(now, flow, 1);
    port.forward(now, flow, &mut frm(ccr), 1);
    let mut rm = brm(ccr, limit);
    port.backward(now, flow, &mut rm, 0);
    rm.er.get()
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * right.abs().max(1.0)
}

/// The level at the end of the interval after `ms`.
fn level_after(port: &mut VcCounting, ms: u64) -> f64 {
    while port.next <= SimTime((ms + 1) * MS) {
        port.on_timer(port.next, 0);
    }
    port.level.get()
}

/// Claim: a VC is counted at its first cell: 150, 75 and 50 for one, two and three VCs.
#[test]
fn a_vc_is_counted_at_its_first_cell() {
    let mut port = port(spec(), 3);
    assert_eq!(port.reading(), Some(rate(150.0)));
    for (flow, share) in [(0, 150.0), (1, 75.0), (2, 50.0)] {
        port.arrive(SimTime(5), flow, 1);
        assert_eq!(port.reading(), Some(rate(share)));
    }
}

/// Claim [Roberts96]: capacity for the bottlenecked VCs over their number. Three VCs at a link of
/// 150, one bounded downstream to 10: the others get (150 - 10) / 2 = 70.
#[test]
fn what_a_vc_bounded_downstream_leaves_is_shared() {
    let mut port = port(spec(), 3);
    for (flow, limit) in [(0, 10.0), (1, 1000.0), (2, 1000.0)] {
        visit(&mut port, 0, flow, 100.0, limit);
    }
    assert!(close(level_after(&mut port, 0), 70.0));
    assert!(close(visit(&mut port, 1, 1, 100.0, 1000.0), 70.0));
    assert!(close(visit(&mut port, 1, 0, 100.0, 10.0), 10.0));
}

/// Claim: the same for a VC bounded upstream, or by its source, which only its CCR shows: the CCR
/// counts once higher rates were reported to the VC for two settling times.
#[test]
fn a_low_ccr_counts_after_the_settling_time() {
    let mut port = port(spec(), 3);
    let mut shares = Vec::new();
    for ms in 0..5 {
        for (flow, ccr) in [(0, 10.0), (1, 50.0), (2, 50.0)] {
            visit(&mut port, ms, flow, ccr, 1000.0);
        }
        shares.push(port.level.get());
    }
    // VCs 1 and 2 obey: the port held them to 50 until the level rose.
    assert!(shares[..2].iter().all(|&share| close(share, 50.0)), "{shares:?}");
    assert!(shares[3..].iter().all(|&share| close(share, 70.0)), "{shares:?}");
}

/// Claim: a source that sends less than its CCR counts with its measured rate, if rates are
/// measured. Three VCs obey at once, of 150,000 cells/s; the first sends 10,000 in any case. Over
/// 10 ms the port measures 10,000 to 10,200 cells/s (one cell more is counted, and one may be at
/// the edge), so the others get 69,900 to 70,000; by CCR all would stay at 50,000.
#[test]
fn a_rate_that_is_not_used_is_measured() {
    let settle = Picos(10 * MS);
    for (vc_rate, least, most) in
        [(VcRate::Measured, 69_900.0, 70_000.0), (VcRate::Ccr, 50_000.0, 50_000.0)]
    {
        let spec = VcCountingSpec { vc_rate, settle, tolerance: 0.1, ..spec() };
        let mut port = VcCounting::new(spec, rate(150_000.0), 3);
        let (mut ers, mut unsent) = ([50_000.0; 3], [0.0; 3]);
        for tick in 0..20_000_u64 {
            // 5 us, so that no VC sends more than a cell in a tick.
            let now = SimTime(tick * 5_000_000);
            while port.next <= now {
                port.on_timer(port.next, 0);
            }
            for flow in 0..3 {
                let sends = if flow == 0 { 10_000.0 } else { ers[flow] };
                unsent[flow] += sends * 5e-6;
                if unsent[flow] < 1.0 {
                    continue;
                }
                unsent[flow] -= 1.0;
                port.arrive(now, flow as u32, 1);
                port.forward(now, flow as u32, &mut frm(ers[flow]), 1);
                let mut rm = brm(ers[flow], 1e6);
                port.backward(now, flow as u32, &mut rm, 0);
                ers[flow] = rm.er.get();
            }
        }
        let level = port.level.get();
        assert!(level >= least - 1e-6 && level <= most + 1e-6, "{vc_rate:?}: {level}");
    }
}

/// Claim, Eq. (9) by hand: a VC that claims 100,000 cells/s counts with the cells of the last 10 ms
/// and one more: 3 are (3 + 1) / 10 ms = 400 cells/s, 5 are 600. A VC that claims 250 counts with
/// 250, as CCR is less. It is new for two spans, and counts as bottlenecked here until then. The
/// other VC sends all it may and gets the rest of 150,000.
#[test]
fn the_measured_rate_is_that_of_the_cells_of_the_last_span() {
    let settle = Picos(10 * MS);
    let spec = VcCountingSpec { vc_rate: VcRate::Measured, settle, interval: settle, ..spec() };
    let mut port = VcCounting::new(spec, rate(150_000.0), 2);
    let spans = [
        (7, 1e5, 75_000.0),
        (3, 1e5, 75_000.0),
        (5, 1e5, 149_600.0),
        (5, 250.0, 149_400.0),
        (5, 1e5, 149_750.0),
    ];
    for (span, (cells, ccr, level)) in (0_u64..).zip(spans) {
        for ms in 0..10 {
            let now = SimTime((10 * span + ms) * MS);
            (0..160).for_each(|_| port.arrive(now, 1, 1));
            if ms < cells {
                port.arrive(now, 0, 1);
            }
            for (flow, ccr) in [(0, ccr), (1, 1e6)] {
                port.forward(now, flow, &mut frm(ccr), 1);
                port.backward(now, flow, &mut brm(ccr, 1e6), 0);
            }
            assert!(close(port.level.get(), level), "span {span}: {:?}", port.level);
        }
        port.on_timer(port.next, 0);
    }
}

/// Claim: VCs that obey do not count as bottlenecked elsewhere when their rates rise again. Four
/// VCs were held to 0.9 of 37.5 while a queue drained; then R is 37.5 as before, though all report
/// 33.75 (and by (3) would leave 150 - 135 + 33.75 = 48.75 for one).
#[test]
fn letting_up_after_a_drain_does_not_overshoot() {
    let queue = EfciSpec { high: 5, low: 0 };
    let drain = Drain::WhileQueued { queue, factor: 0.9 };
    let mut port = port(VcCountingSpec { drain, ..spec() }, 4);
    for ms in 0..6 {
        for flow in 0..4 {
            visit(&mut port, ms, flow, 33.75, 1000.0);
            let mut rm = brm(33.75, 1000.0);
            port.backward(SimTime(ms * MS), flow, &mut rm, 6);
        }
    }
    for flow in 0..4 {
        assert!(close(visit(&mut port, 6, flow, 33.75, 1000.0), 37.5));
    }
    assert!(close(level_after(&mut port, 6), 37.5));
}

/// Claim [Roberts96]: 90 % of R from more than 5 cells on until the queue is drained, so that no
/// cell waits behind the one in transmission; then R.
#[test]
fn a_queue_is_drained() {
    let mut port = port(VcCountingSpec::new(Picos(MS)), 1);
    port.arrive(SimTime(0), 0, 1);
    let mut given = |queue| {
        let mut rm = brm(100.0, 1000.0);
        port.backward(SimTime(0), 0, &mut rm, queue);
        rm.er.get()
    };
    let ers = [5, 6, 3, 2, 1, 2, 5].map(&mut given);
    let wanted = [150.0, 135.0, 135.0, 135.0, 150.0, 150.0, 150.0];
    assert!(ers.iter().zip(wanted).all(|(&er, wanted)| close(er, wanted)), "{ers:?}");
}

/// Claim: a queue between two BRMs counts too, as cells arrive and as they start.
#[test]
fn the_queue_between_brms_counts() {
    let mut port = port(VcCountingSpec::new(Picos(MS)), 1);
    port.arrive(SimTime(0), 0, 6);
    assert!(close(port.allocation(SimTime(0), 0, 3).get(), 135.0));
    port.start(SimTime(0), 0, 1);
    assert!(close(port.allocation(SimTime(0), 0, 3).get(), 150.0));
}

/// Claim [Roberts96]: the other option is 98 % of R always, whatever the queue.
#[test]
fn or_a_constant_part_is_given() {
    let mut port = port(VcCountingSpec { drain: Drain::Always(0.98), ..spec() }, 1);
    for queue in [0, 1, 1000] {
        assert!(close(port.allocation(SimTime(0), 0, queue).get(), 147.0));
    }
}

/// Claim: a VC that stops is counted for `active` more, here 3 ms, and then its share is free.
#[test]
fn a_vc_that_stops_leaves_after_the_time_out() {
    let mut port = port(VcCountingSpec { active: Picos(3 * MS), ..spec() }, 2);
    visit(&mut port, 0, 0, 75.0, 1000.0);
    for ms in 0..6 {
        visit(&mut port, ms, 1, 75.0, 1000.0);
        let now = SimTime(ms * MS + MS);
        port.on_timer(now, 0);
        let share = if ms < 3 { 75.0 } else { 150.0 };
        assert!(close(port.level.get(), share), "{ms} ms: {}", port.level);
    }
    // It comes back: counted at once.
    port.arrive(SimTime(6 * MS + 1), 0, 1);
    assert!(close(port.level.get(), 75.0));
}

/// Claim: the port does not give away the rate that other traffic used in the last interval. 100
/// cells in 1 ms are 100,000 cells/s of 353,207.5.
#[test]
fn other_traffic_is_taken_off() {
    let mut port = VcCounting::new(spec(), rate(353_207.5), 2);
    port.arrive(SimTime(0), 0, 1);
    for _ in 0..100 {
        port.arrive_other(SimTime(0));
    }
    port.on_timer(SimTime(MS), 0);
    assert!(close(port.level.get(), 253_207.5));
    port.on_timer(SimTime(2 * MS), 0);
    assert!(close(port.level.get(), 353_207.5));
}

/// Claim: MCR is served first, the rest by weight: 150 = 30 + 0 + 0 and 120 shared 1 : 2 : 1 are
/// 60, 60, 30.
#[test]
fn minima_and_weights() {
    let mut port = port(spec(), 3);
    port.set_flow(0, rate(30.0), 1.0);
    port.set_flow(1, CellRate::ZERO, 2.0);
    for flow in 0..3 {
        visit(&mut port, 0, flow, 100.0, 1000.0);
    }
    let ers: Vec<f64> = (0..3).map(|flow| visit(&mut port, 0, flow, 100.0, 1000.0)).collect();
    assert!(ers.iter().zip([60.0, 60.0, 30.0]).all(|(&er, share)| close(er, share)), "{ers:?}");
    // The second can use only 40: the first gets 30 + 40, the third 40.
    visit(&mut port, 0, 1, 100.0, 40.0);
    assert!(close(level_after(&mut port, 0), 40.0));
}

/// The max-min share of one link among VCs with caps, slowly: all rates rise together in small
/// steps, and a VC stops when it reaches its cap or the link is full. Returns the rate at which the
/// last stops.
fn slow_max_min(link: u64, caps: &[u64]) -> u64 {
    let mut rates = vec![0; caps.len()];
    let mut level = 0;
    loop {
        let rising: Vec<usize> = (0..caps.len()).filter(|&i| caps[i] > level).collect();
        if rising.is_empty() || rates.iter().sum::<u64>() + rising.len() as u64 > link {
            return level;
        }
        level += 1;
        for i in rising {
            rates[i] = level;
        }
    }
}

proptest! {
    /// Claim: with caps given by the ER of BRMs, the level is the max-min share of the link among
    /// VCs with caps, found by raising all rates together by one cell/s (so within 1 cell/s). If
    /// all caps fit, the level is the rate to which the largest could grow.
    #[test]
    fn the_level_is_the_max_min_share(
        link in 100_u64..5000,
        caps in prop::collection::vec(1_u64..2000, 1..12),
    ) {
        let mut port = VcCounting::new(spec(), rate(link as f64), caps.len() as u32);
        for (flow, &cap) in caps.iter().enumerate() {
            visit(&mut port, 0, flow as u32, 1e6, cap as f64);
        }
        let level = level_after(&mut port, 0);
        let sum: u64 = caps.iter().sum();
        if sum < link {
            let largest = *caps.iter().max().unwrap();
            prop_assert!(close(level, (link - sum + largest) as f64), "{}", level);
        } else {
            let slow = slow_max_min(link, &caps) as f64;
            prop_assert!(level >= slow - 1e-6 && level < slow + 1.0 + 1e-6, "{} {}", level, slow);
            let used: f64 = caps.iter().map(|&cap| level.min(cap as f64)).sum();
            prop_assert!(close(used, link as f64), "{} of {}", used, link);
        }
    }

    /// Claim: the given rates never add up to more than the link (with MCR 0), if each VC takes no
    /// more than its cap, and all unmarked VCs get the same rate.
    #[test]
    fn what_is_given_fits_the_link(
        caps in prop::collection::vec((1.0_f64..2000.0, 0.1_f64..10.0), 1..12),
    ) {
        let mut port = VcCounting::new(spec(), rate(1000.0), caps.len() as u32);
        for (flow, &(cap, weight)) in caps.iter().enumerate() {
            port.set_flow(flow as u32, CellRate::ZERO, weight);
            visit(&mut port, 0, flow as u32, 1e6, cap);
        }
        let level = level_after(&mut port, 0);
        let used: f64 = caps.iter().map(|&(cap, weight)| cap.min(weight * level)).sum();
        prop_assert!(used <= 1000.0 + 1e-6);
        prop_assert!(close(used, caps.iter().map(|&(cap, _)| cap).sum::<f64>().min(1000.0)));
    }
}
