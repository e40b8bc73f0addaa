//! Claims about ERICA+: the queue control function, and where the queue comes to rest.

use hopflow_units::SimTime;
use proptest::prelude::*;

use super::*;
use crate::rate::Algorithm;
use crate::rate::erica::tests::fluid::Fluid;
use crate::rate::fixture::{brm, rate};

fn control(curve: QueueCurve) -> QueueControl {
    QueueControl { curve, drain_limit: 0.5 }
}

/// Claim (worked example) of Eq. (1), (2): f is 1.05 at an empty queue, 1 at Q0, 1.15/1.30 at
/// 2 Q0, 0.5 at (1.15/0.5 - 1)/0.15 = 8.667 Q0 and ever after.
#[test]
fn the_hyperbolas_by_hand() {
    let f = |queue: f64| control(QueueCurve::HYPERBOLIC).fraction(queue, 300.0);
    assert!((f(0.0) - 1.05).abs() < 1e-12);
    assert!((f(150.0) - 1.05 / 1.025).abs() < 1e-12);
    assert!((f(300.0) - 1.0).abs() < 1e-12);
    assert!((f(600.0) - 1.15 / 1.30).abs() < 1e-12);
    assert!((f(300.0 * (1.3 / 0.15)) - 0.5).abs() < 1e-12);
    assert!(f(300.0 * 8.6) > 0.5);
    assert!((f(1e9) - 0.5).abs() < 1e-12);
}

/// Claim (worked example) of Eq. (3), (4): 1.0625 at an empty queue, 1 at Q0, 0.875 at 2 Q0, 0.5
/// at 5 Q0 and ever after.
#[test]
fn the_lines_by_hand() {
    let f = |queue: f64| control(QueueCurve::LINEAR).fraction(queue, 300.0);
    let points = [(0.0, 1.0625), (300.0, 1.0), (600.0, 0.875), (1500.0, 0.5), (9000.0, 0.5)];
    for (queue, expected) in points {
        assert!((f(queue) - expected).abs() < 1e-12, "{queue}");
    }
}

/// Claim: with nothing free any queue is too long, and flat curves stay flat.
#[test]
fn curves_at_their_ends() {
    for curve in [QueueCurve::HYPERBOLIC, QueueCurve::LINEAR] {
        assert!((control(curve).fraction(1.0, 0.0) - 0.5).abs() < 1e-12);
        assert!(control(curve).fraction(0.0, 0.0) > 1.0);
    }
    let flat =
        [QueueCurve::Hyperbolic { a: 1.0, b: 1.0 }, QueueCurve::Linear { above: 0.0, below: 0.0 }];
    for (curve, queue) in flat.into_iter().zip([0.0, 5.0]) {
        for target in [0.0, 2.0] {
            assert!((control(curve).fraction(queue, target) - 1.0).abs() < 1e-12);
        }
    }
}

/// Claim (worked example) of Eq. (1) to (3): 1000 cells/s, interval 1 s, T0 = 0.1 s. 200 VBR cells
/// leave 800, so Q0 = 80. At a queue of 160, f = 1.15/1.3: A = 707.7; two VCs: F = 353.8. At an
/// empty queue: A = 1.05 x 800 = 840. If VBR takes all: A = 0.
#[test]
fn the_target_by_hand() {
    let second = Picos(Picos::PER_SECOND);
    let spec = EricaPlusSpec {
        target_delay: Picos(100_000_000_000),
        options: EricaOptions { interval: second, ..EricaOptions::default() },
        ..EricaPlusSpec::default()
    };
    for (other, queue, capacity) in
        [(200, 160, 800.0 * 1.15 / 1.3), (200, 0, 840.0), (1000, 160, 0.0), (1500, 0, 0.0)]
    {
        let mut port = EricaPlus::new(spec, rate(1000.0), 2);
        (0..other).for_each(|_| port.arrive_other(SimTime::ZERO));
        (0..2).for_each(|flow| port.arrive(SimTime::ZERO, flow, queue));
        port.on_timer(SimTime::ZERO + second, queue);
        let share = port.reading().unwrap().get();
        assert!((share - capacity / 2.0).abs() < 1e-9, "{share}");
        let mut rm = brm(0.0, 1e9);
        port.backward(SimTime::ZERO, 0, &mut rm, queue);
        assert!(rm.er.get() >= share && rm.er.get() <= capacity, "{}", rm.er);
    }
}

/// Claim: a parameter that cannot work is reported by name, with its value.
#[test]
fn mistakes_are_named() {
    let spec = EricaPlusSpec::default();
    assert_eq!(spec.mistakes(), []);
    assert_eq!(EricaPlusSpec { target_delay: Picos::ZERO, ..spec }.mistakes().len(), 1);
    let queue_control = QueueControl { drain_limit: 0.0, ..spec.queue_control };
    assert_eq!(EricaPlusSpec { queue_control, ..spec }.mistakes().len(), 1);
    let queue_control = control(QueueCurve::Hyperbolic { a: 1.15, b: 0.9 });
    let mistakes = EricaPlusSpec { queue_control, ..spec }.mistakes();
    assert_eq!(mistakes[0].to_string(), "b is 0.9; it is 1 or more");
    let queue_control = control(QueueCurve::Linear { above: f64::NAN, below: -1.0 });
    assert_eq!(EricaPlusSpec { queue_control, ..spec }.mistakes().len(), 2);
}

/// Claim: on a link of 353,208 cells/s (OC-3) with T0 = 1.5 ms greedy sources fill the link, in
/// equal shares, and the queue comes to rest where 1 <= 1/f <= 1.1: from Q0 = 529.8 cells to 1.77
/// Q0 = 938. The cells of an interval, 1766, are whole, so each of 12 VCs is known to 1 in 147.
#[test]
fn the_queue_rests_at_its_target() {
    let link = 353_208.0;
    for curve in [QueueCurve::HYPERBOLIC, QueueCurve::LINEAR] {
        for count in [1_usize, 2, 5, 12] {
            let spec = EricaPlusSpec { queue_control: control(curve), ..EricaPlusSpec::default() };
            let port = EricaPlus::new(spec, rate(link), count as u32);
            let mut net = Fluid::new(vec![port], link);
            (0..count).for_each(|i| net.add(link * (i + 1) as f64 / 10.0, &[0]));
            net.steps(400);
            for _ in 0..100 {
                net.step();
                let sum: f64 = net.acrs().iter().sum();
                assert!((sum / link - 1.0).abs() < 0.01, "{count}: {sum}");
                let queue = net.queues[0];
                assert!(queue > 0.95 * 529.8 && queue < 1.05 * 938.0, "{count}: {queue}");
            }
            let acrs = net.acrs();
            assert!(acrs.iter().all(|acr| (acr / acrs[0] - 1.0).abs() < 0.01), "{acrs:?}");
        }
    }
}

proptest! {
    /// Claim: f is never above f(0) nor below QDLF, never rises with the queue, and has no step.
    #[test]
    fn f_falls_without_a_step(
        a in 1.0_f64..3.0, b in 1.0_f64..3.0, linear in any::<bool>(), drain_limit in 0.01_f64..1.0,
        target in 0.001_f64..1e6, x in 0.0_f64..20.0, step in 0.0_f64..5.0,
    ) {
        let curve = if linear {
            QueueCurve::Linear { above: a - 1.0, below: b - 1.0 }
        } else {
            QueueCurve::Hyperbolic { a, b }
        };
        let control = QueueControl { curve, drain_limit };
        let f = |x: f64| control.fraction(x * target, target);
        prop_assert!(f(x) <= b * (1.0 + 1e-12) && f(x) >= drain_limit);
        prop_assert!(f(x + step) <= f(x) * (1.0 + 1e-12), "{} then {}", f(x), f(x + step));
        // Nowhere steeper than the hyperbola of b = 3 at an empty queue: b (b - 1) = 6 per Q0.
        prop_assert!(f(x) - f(x + 1e-6) <= 6.1e-6);
        prop_assert!((f(1.0) - 1.0).abs() < 1e-12 && (f(1.0 + 1e-9) - 1.0).abs() < 1e-8);
    }
}
