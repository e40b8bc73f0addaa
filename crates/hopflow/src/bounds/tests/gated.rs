//! Bounds of time-aware shapers: never exceeded on random lines with random gates, and met by what
//! they are worked out for.

use hopflow_control::scheduler::{Gate, GateList, SchedulerSpec};
use hopflow_network::testing::{NetworkBuilder, plain_direction};
use hopflow_network::{HopControl, LinkSpec, RoundTrip, SourceSpec};
use hopflow_units::{Bytes, Picos};

use super::random::{Dice, random_network};
use super::{measured, seeds};

/// Gates of 2 to 40 times as long as the largest packet of the network on a port of this rate.
fn random_gates(packet: Picos, dice: &mut Dice) -> GateList {
    let gate = |dice: &mut Dice| Gate {
        span: Picos(packet.0 * dice.between(2, 40)),
        open: dice.between(1, 255) as u8,
    };
    let gates = (0..dice.between(1, 4)).map(|_| gate(dice)).collect();
    GateList { offset: Picos(dice.between(0, 100 * packet.0)), gates }
}

/// Claim: on random networks of ports with random gates no measured delay exceeds its bound; more
/// than one flow in five has one, as a class needs gates that no more urgent class shares.
#[test]
fn no_delay_exceeds_its_bound_behind_gates() {
    let (mut flows, mut bounded, mut tightest) = (0, 0, 0.0_f64);
    for seed in 0..seeds(600) {
        let mut network = random_network(seed, &[SchedulerSpec::Fifo]);
        let mut dice = Dice(seed);
        let largest = network.vcs.iter().map(|vc| vc.traffic.size.most()).max().expect("flows");
        for direction in network.links.iter_mut().flat_map(|link| &mut link.directions) {
            if direction.scheduler == SchedulerSpec::Fifo {
                let packet = direction.rate.transmit_time(largest).expect("in range");
                direction.scheduler = SchedulerSpec::TimeAware(random_gates(packet, &mut dice));
            }
        }
        for (vc, (measured, bound)) in measured(&network).into_iter().enumerate() {
            flows += 1;
            let (Some(measured), Some(bound)) = (measured, bound.delay()) else { continue };
            bounded += 1;
            tightest = tightest.max(measured as f64 / bound.0 as f64);
            let vc = &network.vcs[vc].name;
            assert!(measured <= bound.0, "seed {seed}, {vc}: {measured} > {bound:?}");
        }
    }
    println!("{bounded} of {flows} flows, at most {tightest:.3} of it");
    assert!(5 * bounded > flows, "only {bounded} of {flows} flows have a bound");
    assert!(tightest > 0.7, "{tightest}");
}

/// Claim, Eqs. (1) to (3) by hand: at 1 Mb/s a packet of 125 bytes takes 1 ms. A window of 3 ms in
/// each 50 ms; the packet comes 1 ps after the last start, 2 ms: it waits 48 ms less 1 ps and takes
/// 1 ms. Bound: 50 - 3 + 2 x 1 = 49 ms.
#[test]
fn a_packet_that_just_misses_its_window_meets_the_bound() {
    let ms = |ms: u64| Picos(ms * 1_000_000_000);
    let gate = |span, open| Gate { span: ms(span), open };
    let gates = GateList { offset: Picos::ZERO, gates: [gate(3, 1), gate(47, 0xfe)].into() };
    let mut network = NetworkBuilder::new(1);
    let (a, b) = (network.host("A"), network.host("B"));
    let mut direction = plain_direction(1_000_000, Picos::ZERO);
    direction.scheduler = SchedulerSpec::TimeAware(gates);
    let directions = [direction.clone(), direction];
    network.link_of(LinkSpec { ends: [a, b], directions, round_trip: RoundTrip::Loop });
    let times = vec![Picos(ms(2).0 + 1)];
    let vc = network.vc("a", &[a, b], HopControl::None, SourceSpec::Replay { times });
    network.spec.vcs[vc].traffic.size = hopflow_network::SizeLaw::Fixed(Bytes(125));
    network.spec.duration = ms(200);
    let (measured, bound) = measured(&network.spec).remove(0);
    assert_eq!(measured, Some(ms(49).0 - 1));
    let bound = bound.delay().unwrap_or_else(|| panic!("no bound: {}", bound.text()));
    assert!((ms(49).0..ms(49).0 + 10).contains(&bound.0), "{bound:?}");
}
