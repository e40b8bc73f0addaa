//! Properties of every rule at a port: it only slows sources down.

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

/// Claim: every wrong parameter of a scenario is reported by name before a machine is created.
#[test]
fn every_mistake_is_reported() {
    let queue = EfciSpec { high: 1, low: 2 };
    let average = MacrSpec { av: 0.0, vcs: -1.0, initial: None };
    let (dpf, erf, mrf) = (0.0, 1.5, f64::NAN);
    let zero = hopflow_units::Picos::ZERO;
    let drain = Drain::WhileQueued { queue, factor: 0.0 };
    let wrong: [(RateRule, &[&str]); 5] = [
        (RateRule::Efci(queue), &["low is 2"]),
        (RateRule::Becn(queue), &["low is 2"]),
        (
            RateRule::Selective(SelectiveSpec { queue, average, part: 0.0 }),
            &["low is 2", "av is 0", "vcs is -1", "part is 0"],
        ),
        (
            RateRule::Eprca(EprcaSpec { average, dpf, erf, mrf, qt: 3, dqt: 2, ci: false }),
            &["av is 0", "vcs is -1", "dpf is 0", "erf is 1.5", "mrf is NaN", "dqt is 2"],
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
            &["low is 2", "part is 0", "interval is 0", "settle is 0", "tolerance is 1"],
        ),
    ];
    for (rule, parts) in wrong {
        let messages: Vec<String> = rule.mistakes().iter().map(ToString::to_string).collect();
        assert_eq!(messages.len(), parts.len(), "{messages:?}");
        assert!(
            messages.iter().zip(parts).all(|(message, part)| message.starts_with(part)),
            "{messages:?}"
        );
    }
    assert!(rules().iter().all(|rule| rule.mistakes().is_empty()));
}

/// Claim: facts are true. A rule takes a settling time if it says so; a long queue lowers ER where
/// the rule sets ER, and a weight raises it where weights count.
#[test]
fn facts_are_those_of_the_machines() {
    let names: Vec<&str> = rules().iter().map(|rule| rule.facts().name).collect();
    let mut built_in = RateRule::NAMES.iter().filter(|name| **name != "external");
    assert!(built_in.all(|name| names.contains(name)), "{names:?}");
    for rule in rules() {
        let facts = rule.facts();
        let mut settled = rule;
        settled.set_settle(hopflow_units::Picos(7));
        assert_eq!(settled != rule, facts.settles, "{}", facts.name);
        let mut control = RateControl::new(&rule, link(), 2);
        control.set_flow(1, CellRate::ZERO, 3.0);
        for flow in [0, 1] {
            control.arrive(SimTime::ZERO, flow, 1000);
        }
        let rates = [0, 1].map(|flow| control.allocation(SimTime::ZERO, flow, 1000));
        assert_eq!(rates[0] < CellRate::MAX, facts.sets_er, "{}", facts.name);
        assert_eq!(rates[0] < rates[1], facts.heeds_weight, "{}", facts.name);
    }
}

proptest! {
    /// Claim [TM4.0]: no switch raises ER, clears CI or NI, or changes another field of an RM cell,
    /// whatever arrives. `RateControl` asserts it.
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
