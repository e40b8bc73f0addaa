//! The bare solver: answers by hand, a slow filling step by step, and the bottleneck condition.

use hopflow_units::Rate;
use proptest::prelude::*;

use crate::fairness::Part;
use crate::fairness::max_min::{Claimant, Held, Overbooked, Share, Solver, max_min};

/// Mb/s in units of rate.
fn mbps(rate: u64) -> u128 {
    Rate::from_bps(rate * 1_000_000).map_or(0, |rate| Part::ALL.of(rate))
}

fn vc(links: &[usize]) -> Claimant {
    Claimant { links: links.to_vec(), demand: None, least: 0, weight: 1 }
}

/// Each rate is `numerator / denominator` Mb/s, but for 100 units.
#[track_caller]
fn assert_rates(capacities: &[u64], vcs: &[Claimant], expected: &[(u64, u64)]) {
    let capacities: Vec<u128> = capacities.iter().map(|rate| mbps(*rate)).collect();
    let shares = max_min(&capacities, vcs).unwrap();
    assert_eq!(shares.len(), expected.len());
    for (share, (numerator, denominator)) in shares.iter().zip(expected) {
        let off = (share.rate * u128::from(*denominator)).abs_diff(mbps(*numerator));
        assert!(off < u128::from(100 * denominator), "{share:?}, not {numerator}/{denominator}");
    }
}

/// Claim: N VCs on one link have C / N each; 150 / 7 does not come out even.
#[test]
fn n_sources() {
    assert_rates(&[150], &vec![vc(&[0]); 7], &[(150, 7); 7]);
}

/// Claim: parking lot. VC j enters at link j of three and all leave after the last: 50 each.
#[test]
fn parking_lot() {
    let vcs = [vc(&[0, 1, 2]), vc(&[1, 2]), vc(&[2])];
    assert_rates(&[150; 3], &vcs, &[(50, 1); 3]);
}

/// Claim: chain. A VC over all of 6 links and one of one hop on each: 75 for all.
#[test]
fn chain() {
    let mut vcs = vec![vc(&[0, 1, 2, 3, 4, 5])];
    vcs.extend((0..6).map(|link| vc(&[link])));
    assert_rates(&[150; 6], &vcs, &[(75, 1); 7]);
}

/// Claim: upstream bottleneck. 15 VCs share 150: 10 each; the one that goes on leaves 140 of the
/// next link to two others.
#[test]
fn upstream_bottleneck() {
    let mut vcs = vec![vc(&[0]); 14];
    vcs.extend([vc(&[0, 1]), vc(&[1]), vc(&[1])]);
    let mut expected = vec![(10, 1); 15];
    expected.extend([(70, 1); 2]);
    assert_rates(&[150; 2], &vcs, &expected);
}

/// Claim: GFC-1. Link 12 has 9 VCs on 50: 50/9 each; link 45 has 9 on 100: 100/9. Link 23 has
/// 150 - 3 x 50/9 - 3 x 100/9 = 100 left for 3, link 34 the same for 2.
#[test]
fn gfc_1() {
    let kinds: [(usize, &[usize], (u64, u64)); 6] = [
        (3, &[0, 1, 2], (50, 9)),
        (3, &[1, 2, 3], (100, 9)),
        (3, &[1], (100, 3)),
        (6, &[0], (50, 9)),
        (6, &[3], (100, 9)),
        (2, &[2], (50, 1)),
    ];
    assert_kinds(&[50, 150, 150, 100], &kinds);
}

/// Claim: GFC-2. Link 12 has 10 VCs on 50: 5 each; link 67 has 5 on 50: 10 each. What they leave:
/// link 23: 50 - 15 = 35 for 1; link 34: 150 - 15 - 30 = 105 for 3; link 56: 100 - 30 = 70 for 2;
/// link 45: 150 - 15 - 30 = 105 for 2.
#[test]
fn gfc_2() {
    let kinds: [(usize, &[usize], (u64, u64)); 8] = [
        (3, &[2, 3, 4, 5], (10, 1)),
        (3, &[0, 1, 2, 3], (5, 1)),
        (3, &[2], (35, 1)),
        (1, &[1], (35, 1)),
        (2, &[4], (35, 1)),
        (2, &[5], (10, 1)),
        (7, &[0], (5, 1)),
        (2, &[3], (105, 2)),
    ];
    assert_kinds(&[50, 50, 150, 150, 100, 50], &kinds);
}

#[track_caller]
fn assert_kinds(capacities: &[u64], kinds: &[(usize, &[usize], (u64, u64))]) {
    let all = |(count, links, rate): &(usize, &[usize], (u64, u64))| {
        std::iter::repeat_n((vc(links), *rate), *count)
    };
    let (vcs, expected): (Vec<_>, Vec<_>) = kinds.iter().flat_map(all).unzip();
    assert_rates(capacities, &vcs, &expected);
}

/// Claim: a VC that asks for 10 of 150 leaves 70 to each of two others; one that asks for 60 is
/// not held by it.
#[test]
fn a_source_that_asks_for_less() {
    let of = |demand| vec![Claimant { demand: Some(mbps(demand)), ..vc(&[0]) }, vc(&[0]), vc(&[0])];
    assert_rates(&[150], &of(10), &[(10, 1), (70, 1), (70, 1)]);
    assert_rates(&[150], &of(60), &[(50, 1); 3]);
    let shares = max_min(&[mbps(150)], &of(10)).unwrap();
    let held: Vec<Held> = shares.iter().map(|share| share.held).collect();
    assert_eq!(held, [Held::Demand, Held::Link(0), Held::Link(0)]);
}

/// Claim: least rates come first, what is left goes by weight: 150 - 30 = 120 in 1 : 3 is 30 and
/// 90, so 60 and 90. A VC whose demand is below its least rate has its demand.
#[test]
fn least_rates_and_weights() {
    let with = |least, weight| Claimant { least: mbps(least), weight, ..vc(&[0]) };
    assert_rates(&[150], &[with(30, 1), with(0, 3)], &[(60, 1), (90, 1)]);
    let modest = Claimant { demand: Some(mbps(20)), ..with(30, 1) };
    assert_rates(&[150], &[modest, with(0, 3)], &[(20, 1), (130, 1)]);
}

/// Claim: least rates that do not fit are reported with the first link on which they do not.
#[test]
fn overbooked() {
    let greedy = |links: &[usize]| Claimant { least: 6, ..vc(links) };
    let found = max_min(&[6, 11, 11], &[greedy(&[2, 1, 0]), greedy(&[1, 2])]);
    assert_eq!(found, Err(Overbooked { link: 1 }));
}

/// Claim: VCs of a link without capacity have no rate, and do not delay the others.
#[test]
fn an_empty_link() {
    let shares = max_min(&[0, 9], &[vc(&[0, 1]), vc(&[1])]).unwrap();
    let of = |rate, link| Share { rate, held: Held::Link(link) };
    assert_eq!(shares, [of(0, 0), of(9, 1)]);
}

/// Every level in turn, from 0 on: a link that has no room for one more unit of weight of each VC
/// stops them; a VC takes no more than it asks for.
fn step_by_step(capacities: &[u128], vcs: &[Claimant]) -> Vec<u128> {
    let limit = |vc: &Claimant| vc.demand.unwrap_or(u128::MAX);
    let mut rates: Vec<u128> = vcs.iter().map(|vc| vc.least.min(limit(vc))).collect();
    let mut going: Vec<bool> = vcs.iter().zip(&rates).map(|(vc, r)| *r < limit(vc)).collect();
    while going.contains(&true) {
        let room = |link: usize, going: &[bool]| {
            let on = |vc: &usize| vcs[*vc].links.contains(&link);
            let used: u128 = (0..vcs.len()).filter(on).map(|vc| rates[vc]).sum();
            let more = (0..vcs.len()).filter(|vc| going[*vc]).filter(on);
            used + more.map(|vc| u128::from(vcs[vc].weight)).sum::<u128>() <= capacities[link]
        };
        let full: Vec<bool> = (0..capacities.len()).map(|link| !room(link, &going)).collect();
        for (vc, claimant) in vcs.iter().enumerate() {
            if going[vc] && claimant.links.iter().any(|link| full[*link]) {
                going[vc] = false;
            }
        }
        for (vc, claimant) in vcs.iter().enumerate().filter(|(vc, _)| going[*vc]) {
            rates[vc] = (rates[vc] + u128::from(claimant.weight)).min(limit(claimant));
        }
        for (vc, claimant) in vcs.iter().enumerate() {
            going[vc] &= rates[vc] < limit(claimant);
        }
    }
    rates
}

/// Capacities below `most`, and VCs over some of the links whose least rates fit.
fn networks(most: u128) -> impl Strategy<Value = (Vec<u128>, Vec<Claimant>)> {
    let capacities = prop::collection::vec(0..most, 1..7);
    capacities.prop_flat_map(move |capacities| {
        let links = prop::sample::subsequence(
            (0..capacities.len()).collect::<Vec<_>>(),
            1..=capacities.len(),
        );
        let demand = prop::option::of(0..most);
        let vc = (links.prop_shuffle(), demand, 0..most / 20 + 1, 1_u64..5)
            .prop_map(|(links, demand, least, weight)| Claimant { links, demand, least, weight });
        let vcs = prop::collection::vec(vc, 1..12);
        (Just(capacities), vcs)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Claim: the answer is that of filling unit by unit, to the unit; what cannot be is refused.
    #[test]
    fn filling_step_by_step_gives_the_same((capacities, vcs) in networks(200)) {
        match max_min(&capacities, &vcs) {
            Ok(shares) => {
                let rates: Vec<u128> = shares.iter().map(|share| share.rate).collect();
                prop_assert_eq!(rates, step_by_step(&capacities, &vcs));
            }
            Err(Overbooked { link }) => {
                let on = vcs.iter().filter(|vc| vc.links.contains(&link));
                let least: u128 = on.map(|vc| vc.least.min(vc.demand.unwrap_or(vc.least))).sum();
                prop_assert!(least > capacities[link]);
            }
        }
    }

    /// Claim: no link is over-full, and each VC has what it asks for, or a link that is full (but
    /// for less than a unit for each of its weights) where no VC has a higher level.
    #[test]
    fn each_vc_has_a_bottleneck((capacities, vcs) in networks(1 << 100)) {
        let Ok(shares) = max_min(&capacities, &vcs) else { return Ok(()) };
        let vcs = &vcs;
        let on = |link: usize| (0..vcs.len()).filter(move |vc| vcs[*vc].links.contains(&link));
        let used = |link: usize| on(link).map(|vc| shares[vc].rate).sum::<u128>();
        let level = |vc: usize| {
            let least = vcs[vc].least.min(vcs[vc].demand.unwrap_or(u128::MAX));
            (shares[vc].rate - least).div_ceil(u128::from(vcs[vc].weight))
        };
        for (link, capacity) in capacities.iter().enumerate() {
            prop_assert!(used(link) <= *capacity);
        }
        for (vc, share) in shares.iter().enumerate() {
            match share.held {
                Held::Demand => prop_assert_eq!(Some(share.rate), vcs[vc].demand),
                Held::Link(link) => {
                    let weights: u128 = on(link).map(|vc| u128::from(vcs[vc].weight)).sum();
                    prop_assert!(vcs[vc].links.contains(&link));
                    prop_assert!(capacities[link] - used(link) < weights);
                    prop_assert!(on(link).all(|other| level(other) <= level(vc)));
                }
            }
        }
    }

    /// Claim: the order of links and VCs makes no difference.
    #[test]
    fn order_does_not_matter((capacities, vcs) in networks(1 << 100)) {
        let last = capacities.len() - 1;
        let turned = |vc: &Claimant| Claimant {
            links: vc.links.iter().rev().map(|link| last - link).collect(),
            ..vc.clone()
        };
        let back: Vec<u128> = capacities.iter().rev().copied().collect();
        let others: Vec<Claimant> = vcs.iter().rev().map(turned).collect();
        let rates = |shares: Vec<Share>| shares.iter().map(|s| s.rate).collect::<Vec<_>>();
        let found = max_min(&capacities, &vcs).map(rates).ok();
        let mirrored = max_min(&back, &others).map(rates).ok();
        prop_assert_eq!(found, mirrored.map(|rates| rates.into_iter().rev().collect()));
    }
}

proptest! {
    /// Claim: a solver that is kept while VCs start, stop and ask for something else gives, each
    /// time, what a fresh one gives for those that are on.
    #[test]
    fn a_kept_solver_is_as_a_fresh_one(
        (capacities, vcs) in networks(1 << 100),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8), 1..40),
    ) {
        let mut kept = Solver::new(&capacities, &vcs);
        let mut on: Vec<Option<Option<u128>>> = vec![None; vcs.len()];
        for (vc, change) in changes {
            let vc = vc.index(vcs.len());
            on[vc] = match change {
                0 => None,
                1 => Some(None),
                2 => Some(vcs[vc].demand),
                _ => Some(Some(7)),
            };
            match on[vc] {
                Some(demand) => kept.turn_on(vc, demand),
                None => kept.turn_off(vc),
            }
            let present: Vec<usize> = (0..vcs.len()).filter(|vc| on[*vc].is_some()).collect();
            let claimant = |vc: &usize| Claimant {
                demand: on[*vc].expect("it is on"),
                ..vcs[*vc].clone()
            };
            let present_vcs: Vec<Claimant> = present.iter().map(claimant).collect();
            let fresh = max_min(&capacities, &present_vcs);
            let found = kept.solve().map(|shares| {
                present.iter().map(|vc| shares[*vc].expect("it is on")).collect::<Vec<Share>>()
            });
            prop_assert_eq!(found, fresh);
        }
    }
}
