//! What holds of every rule at a port: it only slows sources down.

use proptest::prelude::*;

use super::*;

fn rules() -> Vec<RateRule> {
    vec![
        RateRule::Efci(EfciSpec::single(20)),
        RateRule::Becn(EfciSpec { high: 30, low: 10 }),
        RateRule::Selective(SelectiveSpec::new(EfciSpec::single(20))),
        RateRule::Eprca(EprcaSpec::default()),
        RateRule::VcCounting(VcCountingSpec::new(hopflow_units::Picos(2_000_000_000))),
        RateRule::VcCounting(VcCountingSpec {
            vc_rate: VcRate::Measured,
            ..VcCountingSpec::new(hopflow_units::Picos(2_000_000_000))
        }),
        RateRule::Erica(EricaSpec::default()),
        RateRule::EricaPlus(EricaPlusSpec::default()),
    ]
}

fn link() -> CellRate {
    CellRate::new(353_207.5).unwrap()
}

fn rate() -> impl Strategy<Value = CellRate> {
    (0.0_f64..4e5).prop_map(|rate| CellRate::new(rate).unwrap())
}

fn rm_cell() -> impl Strategy<Value = RmCell> {
    (rate(), rate(), rate(), any::<[bool; 6]>()).prop_map(|(er, ccr, mcr, bits)| {
        let [ci, ni, bn, backward, in_rate, sixteen_bit] = bits;
        RmCell { er, ccr, mcr, ci, ni, bn, backward, in_rate, sixteen_bit }
    })
}

/// Claim: whatever a scenario gets wrong is told by name before a machine is made.
#[test]
fn every_mistake_is_told() {
    let queue = EfciSpec { high: 1, low: 2 };
    let average = MacrSpec { av: 0.0, vcs: -1.0, initial: None };
    let (dpf, erf, mrf) = (0.0, 1.5, f64::NAN);
    let zero = hopflow_units::Picos::ZERO;
    let drain = Drain::WhileQueued { queue, factor: 0.0 };
    let wrong: [(RateRule, &[&str]); 5] = [
        (RateRule::Efci(queue), &["the low threshold is 2"]),
        (RateRule::Becn(queue), &["the low threshold is 2"]),
        (
            RateRule::Selective(SelectiveSpec { queue, average, part: 0.0 }),
            &["the low threshold is 2", "AV is 0", "VCS is -1", "the part of MACR is 0"],
        ),
        (
            RateRule::Eprca(EprcaSpec { average, dpf, erf, mrf, qt: 3, dqt: 2, ci: false }),
            &["AV is 0", "VCS is -1", "DPF is 0", "ERF is 1.5", "MRF is NaN", "DQT is 2"],
        ),
        (
            RateRule::VcCounting(VcCountingSpec {
                drain,
                interval: zero,
                active: zero,
                settle: zero,
                tolerance: 1.0,
                ..VcCountingSpec::new(zero)
            }),
            &[
                "the low threshold is 2",
                "the part of R that is given is 0",
                "the interval is 0",
                "the settling time is 0",
                "the tolerance is 1",
            ],
        ),
    ];
    for (rule, parts) in wrong {
        let told: Vec<String> = rule.mistakes().iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), parts.len(), "{told:?}");
        assert!(told.iter().zip(parts).all(|(told, part)| told.starts_with(part)), "{told:?}");
    }
    assert!(rules().iter().all(|rule| rule.mistakes().is_empty()));
}

proptest! {
    /// Claim [TM4.0]: no switch raises ER, clears CI or NI, or changes more of an RM cell, whatever
    /// comes. `RateControl` asserts it.
    #[test]
    fn a_switch_only_slows_sources_down(
        cells in prop::collection::vec(
            (0_u32..4, 0_u64..1000, 0_u64..500_000_000, rm_cell()), 1..100,
        )
    ) {
        for rule in rules() {
            let mut control = RateControl::new(&rule, link(), 4);
            let mut now = SimTime::ZERO;
            for &(flow, queue, picos, mut rm) in &cells {
                now = now.saturating_add(hopflow_units::Picos(picos));
                while let Some(end) = control.next_timer().filter(|end| *end <= now) {
                    control.on_timer(end, queue);
                }
                if rm.backward {
                    control.backward(now, flow, &mut rm, queue);
                } else {
                    control.arrive(now, flow, queue);
                    control.forward(now, flow, &mut rm, queue);
                    control.start(now, flow, queue);
                    control.arrive_other(now);
                }
                prop_assert!(control.allocation(now, flow, queue).get() >= 0.0);
            }
        }
    }
}
