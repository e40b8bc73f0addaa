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
