//! The source rules by hand and in their order, invariants, and two closed forms.

use hopflow_units::Picos;
use proptest::prelude::*;

use super::*;

fn rate(cells_per_second: f64) -> CellRate {
    CellRate::new(cells_per_second).unwrap()
}

const fn ms(millis: u64) -> SimTime {
    SimTime(millis * 1_000_000_000)
}

/// PCR 1000, ICR 100 cells/s; factors of a half, so that all is exact.
fn spec() -> AbrSpec {
    AbrSpec {
        icr: rate(100.0),
        rif: 0.5,
        rdf: 0.5,
        cdf: 0.5,
        crm: 1000,
        ..AbrSpec::new(rate(1000.0))
    }
}

/// A BRM that requests neither an increase nor a bound.
fn quiet() -> RmCell {
    RmCell {
        er: rate(1000.0),
        ccr: CellRate::ZERO,
        mcr: CellRate::ZERO,
        ci: false,
        ni: true,
        bn: false,
        backward: true,
        in_rate: true,
        sixteen_bit: false,
    }
}

fn brm(er: f64) -> RmCell {
    RmCell { er: rate(er), ni: false, ..quiet() }
}

/// A source whose ACR a BRM has set to this rate.
fn source_at(spec: &AbrSpec, acr: f64) -> AbrSource {
    let mut source = AbrSource::new(&AbrSpec { icr: spec.pcr, ..*spec });
    source.on_backward(spec, &RmCell { er: rate(acr), ..quiet() });
    source
}

/// The numbers of those of `cells` cells, this far apart, that are FRMs.
fn frms(spec: &AbrSpec, cells: u64, gap_ms: u64) -> Vec<u64> {
    let mut source = AbrSource::new(spec);
    (0..cells).filter(|&k| source.start(spec, ms(k * gap_ms)).is_some()).collect()
}

/// Claim [TM4.0]: the first cell is an FRM, and then one of every Nrm = 32 cells.
#[test]
fn one_cell_of_nrm_is_an_frm() {
    assert_eq!(frms(&spec(), 97, 1), [0, 32, 64, 96]);
}

/// Claim [TM4.0]: a slow source does not wait for Nrm cells: one cell per 100 ms and Trm = 100 ms
/// make an FRM of every cell that has Mrm = 2 cells before it since the last FRM.
#[test]
fn a_slow_source_sends_an_frm_after_trm() {
    assert_eq!(frms(&spec(), 8, 100), [0, 3, 6]);
    // With cells 10 ms apart, 100 ms are over at the tenth.
    assert_eq!(frms(&spec(), 22, 10), [0, 10, 20]);
}

/// Claim [TM4.0] rule 7: the FRM reports ACR, PCR and MCR; in 16 bits they are rounded down.
#[test]
fn an_frm_tells_the_rates() {
    let spec = AbrSpec { mcr: rate(7.0), ..spec() };
    let frm = AbrSource::new(&spec).start(&spec, ms(0)).unwrap();
    let expected =
        RmCell { ccr: rate(100.0), mcr: rate(7.0), ni: false, backward: false, ..quiet() };
    assert_eq!(frm, expected);
    // 999 = 2^9 (1 + 487/512) is exact, and 999.5 is rounded to 999: the step there is 1.
    let coarse = AbrSpec { icr: rate(999.5), sixteen_bit: true, ..spec };
    assert_eq!(AbrSource::new(&coarse).start(&coarse, ms(0)).unwrap().ccr, rate(999.0));
}

/// Claim [TM4.0] rule 5: more than ADTF = 0.5 s after the last FRM, a rate above ICR is lost, and
/// CCR shows it. After exactly ADTF it is not lost, and a rate below ICR is not raised.
#[test]
fn an_idle_source_starts_anew_at_icr() {
    for (idle_ms, before, after) in [(501, 800.0, 100.0), (500, 800.0, 800.0), (501, 50.0, 50.0)] {
        let mut source = source_at(&spec(), before);
        source.start(&spec(), ms(1000));
        source.start(&spec(), ms(1001));
        source.start(&spec(), ms(1001));
        let frm = source.start(&spec(), ms(1000 + idle_ms)).unwrap();
        assert_eq!((frm.ccr, source.acr()), (rate(after), rate(after)), "{idle_ms} ms");
    }
}

/// Claim [TM4.0] rule 6: with CRM = 3, the fourth FRM without a BRM and each after it halve ACR,
/// down to MCR; a BRM ends it, but one with BN = 1 does not.
#[test]
fn missing_brms_bring_acr_down_again_and_again() {
    let spec = AbrSpec { crm: 3, nrm: 2, mcr: rate(30.0), ..spec() };
    let mut source = source_at(&spec, 800.0);
    let ccr_of_next =
        |source: &mut AbrSource| (0..2).find_map(|_| source.start(&spec, ms(0))).unwrap().ccr.get();
    let ccrs: Vec<f64> = (0..9).map(|_| ccr_of_next(&mut source)).collect();
    assert_eq!(ccrs, [800.0, 800.0, 800.0, 400.0, 200.0, 100.0, 50.0, 30.0, 30.0]);
    let mut marked = source_at(&spec, 800.0);
    for _ in 0..3 {
        ccr_of_next(&mut marked);
    }
    let mut answered = marked;
    marked.on_backward(&spec, &RmCell { bn: true, ..quiet() });
    answered.on_backward(&spec, &quiet());
    assert_eq!(ccr_of_next(&mut marked).to_bits(), 400.0_f64.to_bits());
    assert_eq!(ccr_of_next(&mut answered).to_bits(), 800.0_f64.to_bits());
}

/// Claim [TM4.0]: rule 5 comes before rule 6, so that both bring 800 to ICR = 100 and then to 50.
/// (In the other order it would be 400 and then 100.)
#[test]
fn rule_5_comes_before_rule_6() {
    let spec = AbrSpec { crm: 1, ..spec() };
    let mut source = source_at(&spec, 800.0);
    for now in [0, 1, 1] {
        source.start(&spec, ms(now));
    }
    assert_eq!(source.start(&spec, ms(501)).unwrap().ccr, rate(50.0));
}

/// Claim [TM4.0] rule 8: with CI, ACR loses a half. With neither CI nor NI it gains half of PCR, up
/// to PCR. With NI alone it stays. CI takes precedence over NI.
#[test]
fn ci_and_ni_move_acr() {
    for (ci, ni, after) in
        [(true, false, 100.0), (true, true, 100.0), (false, true, 200.0), (false, false, 700.0)]
    {
        let mut source = source_at(&spec(), 200.0);
        source.on_backward(&spec(), &RmCell { ci, ni, ..quiet() });
        assert_eq!(source.acr(), rate(after), "CI {ci}, NI {ni}");
    }
    let mut source = source_at(&spec(), 800.0);
    source.on_backward(&spec(), &brm(1000.0));
    assert_eq!(source.acr(), rate(1000.0));
}

/// Claim [TM4.0] rules 8 and 9: ER bounds ACR after an increase (200 + 500, at most 300) and after
/// a decrease (800 / 2, at most 300); MCR takes precedence over both.
#[test]
fn er_is_looked_at_last() {
    let spec = AbrSpec { mcr: rate(20.0), ..spec() };
    let mut source = source_at(&spec, 200.0);
    source.on_backward(&spec, &brm(300.0));
    assert_eq!(source.acr(), rate(300.0));
    let mut source = source_at(&spec, 800.0);
    source.on_backward(&spec, &RmCell { ci: true, ..brm(300.0) });
    assert_eq!(source.acr(), rate(300.0));
    source.on_backward(&spec, &RmCell { ci: true, ..brm(0.0) });
    assert_eq!(source.acr(), rate(20.0));
}

/// Claim: a turn is due 1/ACR after the last. If ACR changes meanwhile, the turn is due the new
/// 1/ACR after the last: 100 cells/s, then 200, then 50.
#[test]
fn the_wait_follows_acr() {
    let spec = spec();
    let mut source = AbrSource::new(&spec);
    assert_eq!(source.due(), Some(SimTime::ZERO));
    source.release(ms(3));
    assert_eq!(source.due(), Some(ms(13)));
    source.on_backward(&spec, &brm(200.0));
    assert_eq!(source.due(), Some(ms(8)));
    source.cap(&spec, rate(50.0));
    assert_eq!(source.due(), Some(ms(23)));
    source.cap(&spec, rate(80.0));
    assert_eq!(source.acr(), rate(50.0));
}

/// Claim: without any BRM ACR falls to zero, and turns end. Out-of-rate FRMs still start, TCR = 10
/// a second, and the first BRM starts the source again.
#[test]
fn a_source_at_zero_comes_back() {
    let spec = AbrSpec { crm: 0, cdf: 1.0, ..spec() };
    let mut source = AbrSource::new(&spec);
    assert_eq!(source.out_of_rate_due(&spec), None);
    source.release(ms(0));
    assert_eq!(source.start(&spec, ms(0)).unwrap().ccr, CellRate::ZERO);
    assert_eq!(source.due(), None);
    assert_eq!(source.out_of_rate_due(&spec), Some(SimTime::ZERO));
    let probe = source.out_of_rate(&spec, ms(30));
    assert!(!probe.in_rate && !probe.backward);
    assert_eq!(source.out_of_rate_due(&spec), Some(ms(130)));
    source.on_backward(&spec, &RmCell { in_rate: false, ..brm(1000.0) });
    assert_eq!(source.acr(), rate(500.0));
    assert_eq!(source.due(), Some(ms(2)));
    assert_eq!(source.out_of_rate_due(&spec), None);
}

/// A loop without delay, for the closed forms: every FRM returns at once as `brm`. Returns the
/// instant and the rate after each of the first `brms` BRMs.
fn loop_without_delay(spec: &AbrSpec, from: f64, brms: usize, brm: RmCell) -> Vec<(SimTime, f64)> {
    let mut source = source_at(spec, from);
    let mut points = Vec::new();
    while points.len() < brms {
        let now = source.due().unwrap();
        source.release(now);
        if source.start(spec, now).is_some() {
            source.on_backward(spec, &brm);
            points.push((now, source.acr().get()));
        }
    }
    points
}

/// Claim: increase grows as dr/dt = RIF PCR r / Nrm = a r / Nrm, that is, exponentially: from r0 to
/// r it takes (Nrm/a) ln(r/r0). A step by a holds r_k for Nrm/r_k, where the form has
/// (Nrm/a) ln(1 + a/r_k), which is shorter by at most Nrm a / (2 r_k^2). Each of the waits is
/// rounded up by less than 1 ps.
#[test]
fn increase_is_exponential() {
    let spec = AbrSpec { rif: 1.0 / 64.0, ..AbrSpec::new(rate(353_207.5)) };
    let (a, nrm) = (spec.pcr.get() / 64.0, 32.0);
    let points = loop_without_delay(&spec, 40_000.0, 50, brm(353_207.5));
    let mut slack = 0.0;
    for pair in points.windows(2) {
        slack += nrm * a / (2.0 * pair[0].1 * pair[0].1) + 32e-12;
        let (start, now) = (points[0], pair[1]);
        let took = now.0.since(start.0).as_secs_f64();
        let form = nrm / a * libm::log(now.1 / start.1);
        assert!(took >= form - 1e-15 && took <= form + slack, "{took} s, {form} s + {slack} s");
    }
    // The slack is small: this is a closed form, not a guess.
    let whole = points[49].0.since(points[0].0).as_secs_f64();
    assert!(slack < 0.15 * whole, "{slack} of {whole}");
}

/// Claim: decrease follows dr/dt = -RDF r^2 / Nrm, that is, 1/r grows by RDF t / Nrm. A step holds
/// r_k for Nrm/r_k while 1/r grows by (1/r_k) RDF / (1 - RDF): so 1/r grows faster than the form,
/// by exactly 1 / (1 - RDF). Each of the 32 waits of a step is rounded up by less than 1 ps.
#[test]
fn decrease_is_linear_in_the_inverse() {
    let spec = AbrSpec::new(rate(353_207.5));
    let marked = RmCell { ci: true, ..brm(353_207.5) };
    let points = loop_without_delay(&spec, 353_207.5, 40, marked);
    let (start, end) = (points[0], points[39]);
    let took = end.0.since(start.0).as_secs_f64();
    let growth = 1.0 / end.1 - 1.0 / start.1;
    let exact = 32.0 * growth * 16.0 * (15.0 / 16.0);
    assert!((took - exact).abs() < 39.0 * 32e-12 + 1e-9 * exact, "{took} s, {exact} s");
    assert!(end.1 < start.1 / 10.0);
}

/// An event at a source.
#[derive(Clone, Copy, Debug)]
enum Step {
    Cell,
    Backward(RmCell),
    Cap(CellRate),
    Wait(u64),
}

fn any_rate() -> impl Strategy<Value = CellRate> {
    prop_oneof![Just(0.0), 0.0..20.0, 0.0..500_000.0_f64].prop_map(rate)
}

fn step() -> impl Strategy<Value = Step> {
    let backward = (any_rate(), any::<[bool; 4]>()).prop_map(|(er, [ci, ni, bn, in_rate])| {
        Step::Backward(RmCell { er, ci, ni, bn, in_rate, ..quiet() })
    });
    prop_oneof![
        6 => Just(Step::Cell),
        3 => backward,
        1 => any_rate().prop_map(Step::Cap),
        1 => (0_u64..2_000_000_000_000).prop_map(Step::Wait),
    ]
}

fn any_spec() -> impl Strategy<Value = AbrSpec> {
    let rates = (1.0..400_000.0_f64, 0.0..=1.0_f64, 0.0..=1.0_f64);
    (rates, 1_u32..=8, 0_u32..=15, 0_u32..=15, 0_u32..=7, 0_u64..5).prop_map(
        |((pcr, mcr, icr), nrm, rif, rdf, cdf, crm)| {
            let (pcr, mcr) = (rate(pcr), rate(pcr * mcr * mcr * mcr));
            let spec = AbrSpec {
                mcr: if nrm.is_multiple_of(2) { CellRate::ZERO } else { mcr },
                nrm: 1 << nrm,
                rif: 1.0 / f64::from(1 << rif),
                rdf: 1.0 / f64::from(1 << rdf),
                cdf: if cdf == 7 { 0.0 } else { 1.0 / f64::from(1 << cdf) },
                crm,
                ..AbrSpec::new(pcr)
            };
            AbrSpec {
                icr: spec.initial_rate(pcr.times(icr), super::super::TBE_MAX, Picos::ZERO),
                ..spec
            }
        },
    )
}

proptest! {
    /// Claim [TM4.0]: MCR <= ACR <= PCR whatever arrives. A turn is due exactly while ACR lets one
    /// cell start in 213 days; a source that has none due may send an out-of-rate FRM instead.
    #[test]
    fn acr_stays_within_mcr_and_pcr(
        spec in any_spec(),
        steps in prop::collection::vec(step(), 1..200),
    ) {
        prop_assert_eq!(spec.mistakes(), []);
        let (mut source, mut now) = (AbrSource::new(&spec), SimTime::ZERO);
        for step in steps {
            match step {
                Step::Cell => {
                    if let Some(due) = source.due().filter(|due| *due < SimTime(1 << 62)) {
                        now = now.max(due);
                        source.release(now);
                        source.start(&spec, now);
                    }
                }
                Step::Backward(rm) => source.on_backward(&spec, &rm),
                Step::Cap(er) => source.cap(&spec, er),
                Step::Wait(picos) => now = now.saturating_add(Picos(picos)),
            }
            prop_assert!(spec.mcr <= source.acr() && source.acr() <= spec.pcr, "{:?}", source);
            prop_assert_eq!(source.due().is_some(), source.acr().interval().is_some());
            let probes = source.out_of_rate_due(&spec).is_some();
            prop_assert!(source.due().is_some() || probes, "{:?}", source);
        }
    }

    /// Claim: with BRMs lost at random, ACR never rises without one. When the last BRM is lost and
    /// CRM FRMs more have started, every FRM lowers ACR by CDF until MCR or zero.
    #[test]
    fn lost_brms_bring_acr_down(
        spec in any_spec(),
        lost in prop::collection::vec(any::<bool>(), 1..60),
    ) {
        prop_assume!(spec.cdf > 0.0);
        let mut source = AbrSource::new(&spec);
        for lost in lost {
            source.start(&spec, SimTime::ZERO);
            if !lost {
                source.on_backward(&spec, &brm(spec.pcr.get()));
            }
        }
        let mut last = source.acr();
        for k in 0..spec.crm + 2000 {
            while source.start(&spec, SimTime::ZERO).is_none() {}
            prop_assert!(source.acr() <= last);
            let falls = source.acr() < last || last == spec.mcr || last.get() < 1e-300;
            prop_assert!(falls || k < spec.crm, "{:?}", source);
            last = source.acr();
        }
        prop_assert!(last == spec.mcr || last < spec.tcr, "{:?}", source);
    }
}
