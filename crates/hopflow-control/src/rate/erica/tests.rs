//! Claims about ERICA: by hand, against the pseudo-code, and in a slow fluid network.

use hopflow_units::{Picos, SimTime};
use proptest::prelude::*;

use super::*;
use crate::rate::Algorithm;
use crate::rate::fixture::{brm, frm, rate};
use fluid::Fluid;
use oracle::Oracle;

pub(in crate::rate) mod fluid;
mod oracle;

const SECOND: Picos = Picos(Picos::PER_SECOND);

/// A port of 1000 cells/s with an interval of 1 s, filled to 90 %.
fn port(flows: u32, options: EricaOptions) -> Erica {
    let options = EricaOptions { interval: SECOND, ..options };
    Erica::new(EricaSpec { utilization: 0.9, options }, rate(1000.0), flows)
}

fn cells(port: &mut Erica, flow: u32, count: u64) {
    (0..count).for_each(|_| port.arrive(SimTime::ZERO, flow, 0));
}

fn ccr(port: &mut Erica, flow: u32, ccr: f64) {
    port.forward(SimTime::ZERO, flow, &mut frm(ccr), 0);
}

/// Ends the current second.
fn end(port: &mut Erica) {
    let now = port.next_timer().unwrap();
    port.on_timer(now, 0);
}

/// The ER with which a BRM leaves that arrived with `er` cells/s.
fn lowered_er(port: &mut Erica, flow: u32, er: f64) -> CellRate {
    let mut rm = brm(0.0, er);
    port.backward(SimTime::ZERO, flow, &mut rm, 0);
    rm.er
}

fn er_of(port: &mut Erica, flow: u32) -> CellRate {
    lowered_er(port, flow, 1e9)
}

fn all_ers<const N: usize>(port: &mut Erica) -> [CellRate; N] {
    std::array::from_fn(|flow| er_of(port, flow as u32))
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * right.abs().max(1.0)
}

/// Claim (worked example). Three VCs on 1000 cells/s. First second: 100 CBR cells, so A = 900 - 100
/// = 800; VC 0 brings 300 and VC 1 500, so z = 1, N = 2, F = 400. Mold is the F of the start,
/// 900/3. VC 0: max(400, 300/1, 300) = 400; VC 1: 500; VC 2, which has sent nothing: 400. The
/// second second is like the first, but Mold = 500: all get 500. Third: 1200 cells, z = 1.5, N = 3,
/// F = 800/3; Mold does not count, VC 1 (CCR 500) gets 500/1.5 = 333.3, the others F.
#[test]
fn three_intervals_by_hand() {
    let mut port = port(3, EricaOptions::default());
    for expected in [[400.0, 500.0, 400.0], [500.0, 500.0, 500.0]] {
        cells(&mut port, 0, 300);
        cells(&mut port, 1, 500);
        (0..100).for_each(|_| port.arrive_other(SimTime::ZERO));
        ccr(&mut port, 0, 300.0);
        ccr(&mut port, 1, 500.0);
        end(&mut port);
        assert_eq!(port.reading(), Some(rate(400.0)));
        // A BRM would show that VC 2 is active, so the test asks for its rate without one.
        let asked = port.allocation(SimTime::ZERO, 2, 0);
        assert_eq!([er_of(&mut port, 0), er_of(&mut port, 1), asked], expected.map(rate));
    }
    (0..3).for_each(|flow| cells(&mut port, flow, 400));
    (0..100).for_each(|_| port.arrive_other(SimTime::ZERO));
    end(&mut port);
    let fair = 800.0 / 3.0;
    assert_eq!(all_ers(&mut port), [fair, 500.0 / 1.5, fair].map(rate));
}

/// Claim: before an interval has ended, a VC gets its share of the idle link, or its CCR if that is
/// more: 900/3 = 300.
#[test]
fn at_first_the_link_is_shared_by_all() {
    let mut port = port(3, EricaOptions::default());
    ccr(&mut port, 1, 450.0);
    ccr(&mut port, 2, 2000.0);
    assert_eq!(all_ers(&mut port), [300.0, 450.0, 900.0].map(rate));
}

/// Claim: ER is never raised: a BRM that arrives with 150 leaves with 150.
#[test]
fn er_is_never_raised() {
    let mut port = port(3, EricaOptions::default());
    assert_eq!(lowered_er(&mut port, 0, 150.0), rate(150.0));
    assert_eq!(lowered_er(&mut port, 1, 301.0), rate(300.0));
}

/// Claim [Kalyanaraman97] p. 404: within an interval a VC gets one rate, whatever its later FRMs
/// report.
#[test]
fn one_answer_in_an_interval() {
    let mut port = port(2, EricaOptions::default());
    ccr(&mut port, 0, 600.0);
    assert_eq!(er_of(&mut port, 0), rate(600.0));
    ccr(&mut port, 0, 800.0);
    assert_eq!(er_of(&mut port, 0), rate(600.0));
    cells(&mut port, 0, 900);
    end(&mut port);
    assert_eq!(er_of(&mut port, 0), rate(900.0), "alone: F = A/1");
}

/// Claim: if VBR takes the whole link, A = 0 and z is infinite: ER = 0, or the MCR. In the next
/// interval without VBR the link is available again, under every averaging.
#[test]
fn without_capacity_only_the_mcr_is_left() {
    let parts = LoadAveraging::OfParts { alpha: 1.0 };
    for averaging in [LoadAveraging::None, LoadAveraging::OfFactor { alpha: 0.8 }, parts] {
        let mut port = port(2, EricaOptions { averaging, ..EricaOptions::default() });
        port.set_flow(1, rate(100.0), 1.0);
        cells(&mut port, 0, 400);
        (0..2000).for_each(|_| port.arrive_other(SimTime::ZERO));
        ccr(&mut port, 0, 400.0);
        end(&mut port);
        assert_eq!(all_ers(&mut port), [0.0, 100.0].map(rate), "{averaging:?}");
        cells(&mut port, 0, 450);
        end(&mut port);
        // Only VC 0 sent cells, and VC 1 its BRM: N = 2, F = 450, z = 0.5, V = 800.
        assert_eq!(er_of(&mut port, 0), rate(800.0), "{averaging:?}");
    }
}

/// Claim: after an interval without cells z = 0, N = 1 and F = A = 900. All VCs get 900.
#[test]
fn an_interval_without_cells() {
    let mut port = port(2, EricaOptions::default());
    end(&mut port);
    ccr(&mut port, 1, 10.0);
    assert_eq!(port.reading(), Some(rate(900.0)));
    assert_eq!(all_ers(&mut port), [900.0, 900.0].map(rate));
}

/// Claim (worked example): with a decay factor of 1/2 a VC that fell silent counts 1/2, 1/4, ...:
/// beside a VC that sends, N = 1.5 and 1.25; when both are silent, 0.5 + 0.125, so 1.
#[test]
fn contributions_decay() {
    let active = ActiveCount::Contributions { decay: 0.5 };
    let mut port = port(2, EricaOptions { active, ..EricaOptions::default() });
    for (sending, count) in [(2, 2.0), (1, 1.5), (1, 1.25), (0, 1.0), (2, 2.0)] {
        (0..sending).for_each(|flow| cells(&mut port, flow, 10));
        end(&mut port);
        assert_eq!(port.reading(), Some(rate(900.0 / count)), "{sending} sending");
    }
}

/// Claim [Kalyanaraman97] p. 399: with the immediate update a VC that was not counted lowers F when
/// it appears, from 900/1 to 900/2; otherwise F changes only at the end of the interval.
#[test]
fn a_new_vc_may_lower_the_share_at_once() {
    for (immediate_share, expected) in [(true, 450.0), (false, 900.0)] {
        let mut port = port(2, EricaOptions { immediate_share, ..EricaOptions::default() });
        cells(&mut port, 0, 900);
        end(&mut port);
        cells(&mut port, 0, 1);
        cells(&mut port, 1, 2);
        assert_eq!(port.reading(), Some(rate(expected)));
        end(&mut port);
        assert_eq!(port.reading(), Some(rate(450.0)));
    }
}

/// Claim: a VC that shows only BRMs counts as active, unless the option is off.
#[test]
fn backward_cells_count_if_wanted() {
    for (backward_counts, expected) in [(true, 450.0), (false, 900.0)] {
        let mut port = port(2, EricaOptions { backward_counts, ..EricaOptions::default() });
        cells(&mut port, 0, 900);
        er_of(&mut port, 1);
        end(&mut port);
        assert_eq!(port.reading(), Some(rate(expected)));
    }
}

/// Claim: a VC that reports 600 and sends 150 counts with 600 by its CCR, and with 150 if measured.
/// z = 600/900: V = 600 / (2/3) = 900, or 150 / (2/3) = 225, below F = 450.
#[test]
fn the_rate_is_reported_or_measured() {
    for (vc_rate, expected) in [(VcRate::Ccr, 900.0), (VcRate::Measured, 450.0)] {
        let mut port = port(2, EricaOptions { vc_rate, ..EricaOptions::default() });
        cells(&mut port, 0, 150);
        cells(&mut port, 1, 450);
        ccr(&mut port, 0, 600.0);
        end(&mut port);
        assert_eq!(er_of(&mut port, 0), rate(expected));
    }
}

/// Claim: an interval ends with its time or with its last cell, whichever is first, and the next
/// one is timed from that instant. 100 cells in 0.1 s are 1000 cells/s: z = 1000/900.
#[test]
fn an_interval_may_end_by_cells() {
    let options = EricaOptions { interval_cells: Some(100), ..EricaOptions::default() };
    let mut port = port(2, options);
    ccr(&mut port, 0, 1000.0);
    for cell in 1..=99 {
        port.arrive(SimTime(cell * 1_000_000_000), 0, 1);
    }
    assert_eq!(port.next_timer(), Some(SimTime::ZERO + SECOND));
    let last = SimTime(100_000_000_000);
    port.arrive(last, 0, 1);
    assert_eq!(port.next_timer(), Some(last + SECOND));
    assert!(close(er_of(&mut port, 0).get(), 900.0), "1000 / (1000/900), alone");
    port.on_timer(SimTime::ZERO + SECOND, 0);
    assert_eq!(port.next_timer(), Some(last + SECOND), "a timer of the past does nothing");
    // More cells than 100 at the very start of an interval have no rate yet.
    (0..150).for_each(|_| port.arrive(last, 1, 1));
    assert_eq!(port.next_timer(), Some(last + SECOND));
    port.on_timer(last + SECOND, 0);
    assert_eq!(port.next_timer(), Some(last + SECOND + SECOND));
}

/// Claim (worked example): loads of 450 and 1350 cells at A = 900 are factors 0.5 and 1.5. Method 1
/// with alpha = 0.8: 0.2 x 0.5 + 0.8 x 1.5 = 1.3. Method 2, with 600 CBR cells in the second
/// interval (A = 300): room 0.2 x 900 + 0.8 x 300 = 420, cells 0.2 x 450 + 0.8 x 1350 = 1170, z =
/// 2.7857; method 1 then gives 0.2 x 0.5 + 0.8 x 4.5 = 3.7.
#[test]
fn averages_by_hand() {
    let factors = |averaging: LoadAveraging, other: u64| {
        let mut port = port(1, EricaOptions { averaging, ..EricaOptions::default() });
        cells(&mut port, 0, 450);
        end(&mut port);
        cells(&mut port, 0, 1350);
        (0..other).for_each(|_| port.arrive_other(SimTime::ZERO));
        end(&mut port);
        port.load()
    };
    let one = LoadAveraging::OfFactor { alpha: 0.8 };
    let two = LoadAveraging::OfParts { alpha: 0.8 };
    let expected = [
        (LoadAveraging::None, 0, 900.0, 1.5),
        (one, 0, 900.0, 1.3),
        (two, 0, 900.0, 1.3),
        (one, 600, 300.0, 3.7),
        (two, 600, 420.0, 1170.0 / 420.0),
    ];
    for (averaging, other, capacity, factor) in expected {
        let load = factors(averaging, other);
        assert!(close(load.0, capacity) && close(load.1, factor), "{averaging:?}: {load:?}");
    }
}

/// Claim (worked example) of Eq. (10) to (12): A = 900. VC 0 has MCR 100 and weight 1, VC 1 MCR
/// 200 and weight 2. They bring 400 and 800: used = 300, A' = 600, input' = 900, z = 1.5, N' = 3,
/// F' = 200. VC 0: V = 300/1.5 = 200, F = 200; ER = 300. VC 1: V = 600/1.5 = 400 = F; ER = 600.
/// The sum is A, and the shares above the MCRs are as 1 to 2.
#[test]
fn minimum_rates_and_weights_by_hand() {
    let mut port = port(2, EricaOptions::default());
    port.set_flow(0, rate(100.0), 1.0);
    port.set_flow(1, rate(200.0), 2.0);
    assert_eq!(
        all_ers(&mut port),
        [300.0, 600.0].map(rate),
        "at first: 100 + 600/3, 200 + 2 x 600/3"
    );
    for (flow, brought) in [(0, 400), (1, 800)] {
        cells(&mut port, flow, brought);
        ccr(&mut port, flow, brought as f64);
    }
    end(&mut port);
    assert!(close(er_of(&mut port, 0).get(), 300.0) && close(er_of(&mut port, 1).get(), 600.0));
}

/// Claim: A = 900 on a link of 1000. A VC that sends 100 and may send 200 gets all of A, since 200
/// / (100/900) = 1800; or all of the link. One with MCR 300 that may send 500 has A' = 600 and z =
/// 0: 600 above its MCR, 900 in all; or all of the link.
#[test]
fn the_most_is_the_target_or_the_link() {
    let [target, link] = [(ErCap::Target, 900.0), (ErCap::Link, 1000.0)];
    for ((cap, expected), mcr) in [(target, 0.0), (link, 0.0), (target, 300.0), (link, 300.0)] {
        let mut port = port(1, EricaOptions { cap, ..EricaOptions::default() });
        port.set_flow(0, rate(mcr), 1.0);
        cells(&mut port, 0, 100);
        ccr(&mut port, 0, 200.0 + mcr);
        end(&mut port);
        assert_eq!(er_of(&mut port, 0), rate(expected), "{cap:?}, MCR {mcr}");
    }
}

/// Claim: a parameter that cannot work is reported by name, with its value.
#[test]
fn mistakes_are_named() {
    let options = EricaOptions::default();
    let wrong = [
        EricaOptions { interval: Picos::ZERO, ..options },
        EricaOptions { interval_cells: Some(0), ..options },
        EricaOptions { active: ActiveCount::Contributions { decay: 1.0 }, ..options },
        EricaOptions { max_alloc: Some(-0.1), ..options },
        EricaOptions { max_alloc: Some(f64::NAN), ..options },
        EricaOptions { averaging: LoadAveraging::OfParts { alpha: 0.0 }, ..options },
    ];
    for options in wrong {
        assert_eq!(EricaSpec { utilization: 0.9, options }.mistakes().len(), 1, "{options:?}");
    }
    let spec = EricaSpec { utilization: 1.2, options };
    let text = "utilization is 1.2; it is above 0 and at most 1";
    assert_eq!(spec.mistakes()[0].to_string(), text);
    assert_eq!(EricaSpec::default().mistakes(), []);
}

/// A fluid network of links of 150,000 cells/s that are to be filled, interval 1 s, with `flows[i]`
/// VCs at link `i`.
fn network(flows: &[u32], options: EricaOptions) -> Fluid<Utilization> {
    links(150_000.0, flows, options)
}

fn links(link: f64, flows: &[u32], options: EricaOptions) -> Fluid<Utilization> {
    let options = EricaOptions { interval: SECOND, ..options };
    let spec = EricaSpec { utilization: 1.0, options };
    let ports = flows.iter().map(|&flows| Erica::new(spec, rate(link), flows)).collect();
    Fluid::new(ports, link)
}

fn without_max_alloc() -> EricaOptions {
    EricaOptions { max_alloc: None, ..EricaOptions::default() }
}

/// Claim: three sources, of which one never has more than 10,000 cells/s. With Mold the others
/// share the rest of 150,000 equally: 70,000, and up to what delta allows above it, 165,000 in all.
/// This holds whether its rate is reported or measured.
#[test]
fn what_a_slow_source_leaves_is_shared() {
    for vc_rate in [VcRate::Ccr, VcRate::Measured] {
        let mut net = network(&[3], EricaOptions { vc_rate, ..EricaOptions::default() });
        for acr in [10_000.0, 30_000.0, 110_000.0] {
            net.add(acr, &[0]);
        }
        net.sources[0].demand = 10_000.0;
        net.steps(60);
        let acrs = net.acrs();
        assert!((acrs[1] - acrs[2]).abs() < 1.0, "{vc_rate:?}: {acrs:?}");
        assert!(acrs[1] > 69_990.0 && acrs[1] < 77_510.0, "{vc_rate:?}: {acrs:?}");
    }
}

/// Claim: the network with an upstream bottleneck. VCs 0 to 14 share link 1; VC 14 meets VCs 15 and
/// 16 on link 2, where it cannot use its third. Without Mold (7) stops as soon as link 2 is full
/// and each VC has F = 50,000: of 30,000 and 110,000 come 50,000 and 90,000, for ever. With Mold
/// both get 70,000 or what delta adds.
#[test]
fn without_max_alloc_an_upstream_bottleneck_stalls() {
    for (options, fair) in [(EricaOptions::default(), true), (without_max_alloc(), false)] {
        let mut net = network(&[15, 3], options);
        (0..14).for_each(|_| net.add(10_000.0, &[0]));
        net.add(10_000.0, &[0, 1]);
        net.add(30_000.0, &[1]);
        net.add(110_000.0, &[1]);
        net.steps(100);
        let acrs = net.acrs();
        for &acr in &acrs[..15] {
            assert!(acr > 9_990.0 && acr < 11_010.0, "{acrs:?}");
        }
        if fair {
            assert!((acrs[15] - acrs[16]).abs() < 1.0, "{acrs:?}");
            assert!(acrs[15] > 69_000.0 && acrs[15] < 77_510.0, "{acrs:?}");
        } else {
            assert!((acrs[15] - 50_000.0).abs() < 100.0, "{acrs:?}");
            assert!((acrs[16] - 90_000.0).abs() < 200.0, "{acrs:?}");
        }
    }
}

/// Claim: held at its share, a VC whose ER is rounded down to 16 bits stays there for ever: with
/// one source of 10,000 the others stay at F = 50,000 rounded down, 49,984 = 2^15 (1 + 269/512);
/// with exact rates both get on to 70,000.
#[test]
fn a_vc_held_at_its_share_needs_exact_rates() {
    for (sixteen_bit, least, most) in [(true, 49_983.0, 49_985.0), (false, 69_990.0, 77_510.0)] {
        let options = EricaOptions { hold_at_share: true, ..EricaOptions::default() };
        let mut net = network(&[3], options);
        for acr in [10_000.0, 30_000.0, 30_000.0] {
            net.add(acr, &[0]);
        }
        net.sources[0].demand = 10_000.0;
        net.sources.iter_mut().for_each(|source| source.sixteen_bit = sixteen_bit);
        net.steps(100);
        let acrs = net.acrs();
        assert!(acrs[1..].iter().all(|&acr| acr >= least && acr <= most), "{acrs:?}");
    }
}

/// Claim: VCs with an MCR and a weight end with MCR + weight x the same: 150,000 less 30,000 of
/// MCRs is 120,000 for weights 1, 2 and 3, times 1 to 1.1.
#[test]
fn minimum_rates_and_weights_in_a_loop() {
    let mut net = network(&[3], EricaOptions::default());
    for (flow, mcr) in [(0, 30_000.0), (1, 0.0), (2, 0.0)] {
        net.ports[0].set_flow(flow, rate(mcr), f64::from(flow + 1));
        net.add(50_000.0, &[0]);
    }
    net.steps(60);
    let acrs = net.acrs();
    let unit = acrs[1] / 2.0;
    assert!(unit > 19_990.0 && unit < 22_010.0, "{acrs:?}");
    assert!((acrs[0] - 30_000.0 - unit).abs() < 2.0, "{acrs:?}");
    assert!((acrs[2] - 3.0 * unit).abs() < 2.0, "{acrs:?}");
}

fn any_options() -> impl Strategy<Value = EricaOptions> {
    let averaging = prop_oneof![
        Just(LoadAveraging::None),
        (0.1_f64..=1.0).prop_map(|alpha| LoadAveraging::OfFactor { alpha }),
        (0.1_f64..=1.0).prop_map(|alpha| LoadAveraging::OfParts { alpha }),
    ];
    let active = prop_oneof![
        Just(ActiveCount::Seen),
        (0.01_f64..0.99).prop_map(|decay| ActiveCount::Contributions { decay }),
    ];
    let max_alloc = prop_oneof![Just(None), (0.0_f64..0.5).prop_map(Some)];
    let flags = any::<[bool; 5]>();
    let cells = prop_oneof![Just(None), (1_u64..50).prop_map(Some)];
    (averaging, active, max_alloc, flags, cells).prop_map(
        |(averaging, active, max_alloc, flags, interval_cells)| EricaOptions {
            interval: SECOND,
            interval_cells,
            active,
            backward_counts: flags[0],
            immediate_share: flags[1],
            vc_rate: if flags[2] { VcRate::Ccr } else { VcRate::Measured },
            averaging,
            max_alloc,
            hold_at_share: flags[3],
            cap: if flags[4] { ErCap::Link } else { ErCap::Target },
        },
    )
}

/// Something that happens at a port of four VCs.
#[derive(Clone, Copy, Debug)]
enum Happens {
    Cells(u32, u64),
    Others(u64),
    Frm(u32, f64),
    Brm(u32),
    End,
}

fn any_events() -> impl Strategy<Value = Vec<Happens>> {
    let ccr = prop_oneof![Just(0.0), 0.0_f64..2000.0, Just(f64::MAX), Just(f64::MIN_POSITIVE)];
    let happens = prop_oneof![
        (0_u32..4, 0_u64..500).prop_map(|(flow, count)| Happens::Cells(flow, count)),
        prop_oneof![0_u64..500, Just(900), Just(2000)].prop_map(Happens::Others),
        (0_u32..4, ccr).prop_map(|(flow, ccr)| Happens::Frm(flow, ccr)),
        (0_u32..4).prop_map(Happens::Brm),
        Just(Happens::End),
    ];
    prop::collection::vec(happens, 1..120)
}

proptest! {
    /// Claim: the port acts as the pseudo-code of [Kalyanaraman97] appendix C.2 does, under any of
    /// its options, except for the immediate update (see "Differs") and intervals by cells.
    #[test]
    fn it_follows_the_pseudo_code(options in any_options(), events in any_events()) {
        let options =
            EricaOptions { immediate_share: false, interval_cells: None, ..options };
        let mut port = port(4, options);
        let mut oracle = Oracle::new(options, 1000.0, 900.0, 4);
        let mut others = 0;
        for event in events {
            match event {
                Happens::Cells(flow, count) => {
                    cells(&mut port, flow, count);
                    (0..count).for_each(|_| oracle.cell(flow as usize));
                }
                Happens::Others(count) => {
                    (0..count).for_each(|_| port.arrive_other(SimTime::ZERO));
                    others += count;
                }
                Happens::Frm(flow, reported) => {
                    ccr(&mut port, flow, reported);
                    oracle.frm(flow as usize, reported);
                }
                Happens::Brm(flow) => {
                    let (er, right) = (er_of(&mut port, flow).get(), oracle.brm(flow as usize));
                    prop_assert!(close(er, right), "{} instead of {}", er, right);
                }
                Happens::End => {
                    end(&mut port);
                    oracle.end(1.0, (900.0 - others as f64).max(0.0));
                    others = 0;
                }
            }
        }
    }

    /// Claim: whatever happens, a VC gets a finite rate. It is at most the ER that arrived and at
    /// most its MCR and the target together; capped by the link, at most the link.
    #[test]
    fn the_answer_is_always_a_rate(
        options in any_options(), events in any_events(), er in 0.0_f64..1e12,
        mcr in 0.0_f64..2000.0, weight in 1e-3_f64..1e3,
    ) {
        let mut port = port(4, options);
        port.set_flow(2, rate(mcr), weight);
        let mut now = SimTime::ZERO;
        for event in events {
            now = now + Picos(1_000_000);
            match event {
                Happens::Cells(flow, count) => {
                    (0..count).for_each(|_| port.arrive(now, flow, 3));
                }
                Happens::Others(count) => (0..count).for_each(|_| port.arrive_other(now)),
                Happens::Frm(flow, reported) => ccr(&mut port, flow, reported),
                Happens::Brm(flow) => {
                    let answer = lowered_er(&mut port, flow, er).get();
                    let own = if flow == 2 { mcr } else { 0.0 };
                    let most = match options.cap {
                        ErCap::Target => 900.0 + own,
                        ErCap::Link => own.max(1000.0),
                    };
                    let most = er.min(most * (1.0 + 1e-12));
                    prop_assert!(answer >= 0.0 && answer <= most, "{}", answer);
                    prop_assert!(port.reading().is_some());
                }
                Happens::End => {
                    now = port.next_timer().unwrap();
                    port.on_timer(now, 3);
                }
            }
        }
    }

    /// Claim: greedy sources on one link converge to equal shares, from any rates, with any load
    /// averaging, by CCR or measured. Without Mold they fill the target; with it the load is from 1
    /// to 1 + delta times the target.
    #[test]
    fn one_link_ends_in_equal_shares(
        acrs in prop::collection::vec(100.0_f64..15_000.0, 1..6), with_max in any::<bool>(),
        measured in any::<bool>(), method in 0..3, other_cells in 0_u64..6_000,
    ) {
        let options = EricaOptions {
            max_alloc: with_max.then_some(0.1),
            vc_rate: if measured { VcRate::Measured } else { VcRate::Ccr },
            averaging: match method {
                0 => LoadAveraging::None,
                1 => LoadAveraging::OfFactor { alpha: 0.8 },
                _ => LoadAveraging::OfParts { alpha: 0.8 },
            },
            ..EricaOptions::default()
        };
        let mut net = links(15_000.0, &[acrs.len() as u32], options);
        net.other_cells = other_cells;
        for &acr in &acrs {
 net.add(acr, &[0]);
}
        net.steps(60);
        let (target, count) = (15_000.0 - other_cells as f64, acrs.len() as f64);
        let most = if with_max { 1.1 } else { 1.0 };
        for acr in net.acrs() {
            prop_assert!(acr > 0.999 * target / count, "{} of {} / {}", acr, target, count);
            prop_assert!(acr < 1.001 * most * target / count, "{} of {}/{}", acr, target, count);
        }
        let (low, high) =
            net.acrs().iter().fold((f64::MAX, 0.0_f64), |(l, h), &a| (l.min(a), h.max(a)));
        prop_assert!(high - low < 1e-3 * target, "{} to {}", low, high);
    }
}
