//! MACR and ER by hand, and where MACR goes.

use proptest::prelude::*;

use super::super::fixture::{brm, frm, rate};
use super::*;

/// MACR 1000 at first; AV a quarter, the other factors as usual; QT 10, DQT 30 cells.
fn port() -> Eprca {
    let average = MacrSpec { av: 0.25, initial: Some(rate(1000.0)), ..MacrSpec::default() };
    Eprca::new(EprcaSpec { average, qt: 10, dqt: 30, ..EprcaSpec::default() }, rate(8000.0), 4)
}

fn after(port: &mut Eprca, ccr: f64, queue: u64) -> f64 {
    port.forward(SimTime::ZERO, 0, &mut frm(ccr), queue);
    port.reading().unwrap().get()
}

fn er(port: &mut Eprca, ccr: f64, queue: u64) -> f64 {
    let mut rm = brm(ccr, 8000.0);
    port.backward(SimTime::ZERO, 0, &mut rm, queue);
    rm.er.get()
}

fn same(left: f64, right: f64) -> bool {
    left.to_bits() == right.to_bits()
}

/// Claim [EPRCA94]: at QT and below, rates above 7/8 MACR count: 1400 brings 1000 to 1100, 1000
/// brings that to 1075; 900 < 940.625 does not count, though it is a rate like any other.
#[test]
fn without_congestion_rates_above_the_separator_count() {
    let mut port = port();
    assert!(same(after(&mut port, 1400.0, 10), 1100.0));
    assert!(same(after(&mut port, 1000.0, 0), 1075.0));
    assert!(same(after(&mut port, 900.0, 0), 1075.0));
}

/// Claim [EPRCA94]: above QT only rates below MACR count, so MACR only falls: 1400 is left out, 600
/// brings 1000 to 900. A rate counts however small it is: 100 brings 900 to 700.
#[test]
fn with_congestion_macr_only_falls() {
    let mut port = port();
    assert!(same(after(&mut port, 1400.0, 11), 1000.0));
    assert!(same(after(&mut port, 600.0, 11), 900.0));
    assert!(same(after(&mut port, 100.0, 11), 700.0));
}

/// Claim [EPRCA94]: up to QT no bound; up to DQT 15/16 MACR for those above 7/8 MACR; above DQT a
/// quarter of MACR for all. A lower ER stays.
#[test]
fn er_falls_by_two_levels() {
    let mut port = port();
    assert!(same(er(&mut port, 2000.0, 10), 8000.0));
    assert!(same(er(&mut port, 2000.0, 11), 937.5));
    assert!(same(er(&mut port, 876.0, 30), 937.5));
    assert!(same(er(&mut port, 875.0, 30), 8000.0));
    assert!(same(er(&mut port, 875.0, 31), 250.0));
    let mut low = brm(2000.0, 100.0);
    port.backward(SimTime::ZERO, 0, &mut low, 31);
    assert_eq!((low.er, low.ci), (rate(100.0), false));
    assert_eq!(port.allocation(SimTime::ZERO, 0, 11), rate(937.5));
    assert_eq!(port.allocation(SimTime::ZERO, 0, 10), CellRate::MAX);
}

/// Claim: above DQT CI is set if the option is on.
#[test]
fn ci_is_set_when_very_congested_if_asked() {
    let spec = EprcaSpec { ci: true, ..port().spec };
    for (queue, ci) in [(30, false), (31, true)] {
        let mut rm = brm(2000.0, 8000.0);
        Eprca::new(spec, rate(8000.0), 4).backward(SimTime::ZERO, 0, &mut rm, queue);
        assert_eq!(rm.ci, ci);
    }
}

/// Claim: MACR starts at the equal share of the link.
#[test]
fn macr_starts_at_the_equal_share() {
    let port = Eprca::new(EprcaSpec::default(), rate(8000.0), 4);
    assert_eq!(port.reading(), Some(rate(2000.0)));
}

/// Claim (closed form): if all VCs report r, the difference of MACR to r shrinks by the factor 1 -
/// AV per FRM: after k of them MACR is r - (r - MACR) (1 - AV)^k. With AV = 1/16 it covers half a
/// step up in 11 FRMs: (15/16)^11 = 0.49. A double keeps 2^-53; k steps lose at most 3 k of these.
#[test]
fn macr_follows_a_step_with_a_lag() {
    let average = MacrSpec { initial: Some(rate(1000.0)), ..MacrSpec::default() };
    let spec = EprcaSpec { average, ..EprcaSpec::default() };
    let mut port = Eprca::new(spec, rate(8000.0), 4);
    let mut lack = 1000.0;
    for k in 1..=50 {
        lack *= 15.0 / 16.0;
        let macr = after(&mut port, 2000.0, 0);
        assert!((macr - (2000.0 - lack)).abs() < 4.0 * f64::from(k) * 2000.0 * f64::EPSILON);
        assert_eq!(macr > 1500.0, k >= 11, "{k}");
    }
}

proptest! {
    /// Claim: MACR is a mean: it stays between the lowest and the highest of the reported rates and
    /// its initial value. With congestion it never rises.
    #[test]
    fn macr_is_a_mean(reports in prop::collection::vec((0.0_f64..1e6, 0_u64..40), 1..100)) {
        let mut port = port();
        let (mut low, mut high, mut last) = (1000.0_f64, 1000.0_f64, 1000.0_f64);
        for (ccr, queue) in reports {
            (low, high) = (low.min(ccr), high.max(ccr));
            let macr = after(&mut port, ccr, queue);
            prop_assert!(low <= macr && macr <= high);
            prop_assert!(queue <= 10 || macr <= last);
            last = macr;
        }
    }
}
