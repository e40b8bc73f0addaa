//! Shares of networks as scenarios describe them. All links have 424 Mb/s: a cell takes 1 us.

mod filling;
mod templates;

use std::num::NonZeroU8;

use hopflow_control::rate::AbrSpec;
use hopflow_control::scheduler::{ClassWeights, Reservation, SchedulerSpec};
use hopflow_network::{
    DirectionId, Excess, HopControl, LengthLaw, NetworkSpec, PolicingRule, PolicingSpec,
    SourceSpec, SpanLaw, TrafficSpec,
};
use hopflow_testing::{NetworkBuilder, RATE_BPS, at, cells, random_network};
use hopflow_units::{Bytes, CellRate, Picos, Rate, SimTime};

use super::*;

const LINK: f64 = RATE_BPS as f64;

/// Hosts A1 .. An, a switch, a host B, and from each A a VC to B with one of these sources.
fn star(sources: &[SourceSpec]) -> NetworkSpec {
    let mut network = NetworkBuilder::new(1_000);
    let (s, b) = (network.switch("S"), network.host("B"));
    network.link(s, b, 0);
    for (index, source) in sources.iter().enumerate() {
        let a = network.host(&format!("A{}", index + 1));
        network.link(a, s, 0);
        let name = format!("VC{}", index + 1);
        network.vc(&name, &[a, s, b], HopControl::None, source.clone());
    }
    network.spec
}

fn whole(spec: &NetworkSpec) -> Range<SimTime> {
    SimTime::ZERO..SimTime(spec.duration.0)
}

fn shares(spec: &NetworkSpec) -> Vec<f64> {
    let found = fair_shares(spec, whole(spec), Part::ALL).unwrap();
    found.vcs.iter().map(|share| share.unwrap().bps).collect()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found}, not {expected}");
    }
}

fn rate(bps: u64) -> Rate {
    Rate::from_bps(bps).unwrap()
}

fn constant(bps: u64) -> SourceSpec {
    SourceSpec::Constant { rate: rate(bps) }
}

/// Claim: greedy VCs share the link equally, by weight, or by what they have reserved; a constant
/// source that offers less has that, and is held by nothing else. Reserved rates of 1 and 2 Mb/s
/// beside a VC without come first, and are the most where a port holds flows to them.
#[test]
fn weights_reservations_and_demands() {
    let mut spec = star(&[SourceSpec::Greedy, SourceSpec::Greedy, constant(24_000_000)]);
    assert_close(&shares(&spec), &[200e6, 200e6, 24e6]);
    spec.vcs[0].weight = 3;
    assert_close(&shares(&spec), &[300e6, 100e6, 24e6]);
    let found = fair_shares(&spec, whole(&spec), Part::ALL).unwrap();
    let held: Vec<_> = found.vcs.iter().map(|share| share.unwrap().held_by).collect();
    assert_eq!(held, [Some(HeldBy::Link(0)), Some(HeldBy::Link(0)), Some(HeldBy::Source)]);
    assert!(found.contested);
    for (vc, bps) in spec.vcs.iter_mut().zip([1_000_000, 1_000_000, 2_000_000]) {
        let (rate, priority, burst) = (rate(bps), Picos::ZERO, Bytes(53));
        vc.reservation = Some(Reservation { rate, interval: cells(1_000), priority, burst });
        vc.source = SourceSpec::Greedy.into();
    }
    assert_close(&shares(&spec), &[106e6, 106e6, 212e6]);
    spec.vcs[0].reservation = None;
    spec.vcs[0].weight = 1;
    assert_close(&shares(&spec), &[421e6 / 3.0, 424e6 / 3.0, 427e6 / 3.0]);
    spec.links[0].directions[0].scheduler = SchedulerSpec::Ats { max_residence: None };
    assert_close(&shares(&spec), &[421e6, 1e6, 2e6]);
}

/// Claim: two greedy VCs have what a more urgent VC leaves, each half; with a target of 90 % for
/// the link that it uses, too, (381.6 - 100) / 2. Where no port knows priorities, all are alike.
#[test]
fn what_a_more_urgent_vc_leaves() {
    let mut spec = star(&[constant(100_000_000), SourceSpec::Greedy, SourceSpec::Greedy]);
    for vc in &mut spec.vcs[1..] {
        vc.priority = 1;
    }
    assert_close(&shares(&spec), &[100e6, 162e6, 162e6]);
    let target = Part::new(9, 10).unwrap();
    let found = fair_shares(&spec, whole(&spec), target).unwrap();
    let left = (0.9 * LINK - 100e6) / 2.0;
    assert_close(&[found.vcs[1].unwrap().bps, found.vcs[2].unwrap().bps], &[left, left]);
    spec.vcs[0].source = SourceSpec::Greedy.into();
    assert_close(&shares(&spec), &[LINK, 0.0, 0.0]);
    spec.links[0].directions[0].scheduler = SchedulerSpec::Fifo;
    assert_close(&shares(&spec), &[LINK / 3.0; 3]);
}

/// Claim: where classes share a link by weight no shares are stated, as these are not those of
/// priorities; VCs of one class share as elsewhere.
#[test]
fn classes_with_weights_have_no_shares() {
    let mut spec = star(&[constant(100_000_000), SourceSpec::Greedy, SourceSpec::Greedy]);
    let mut weights = ClassWeights::default();
    weights.0[1] = NonZeroU8::new(1);
    spec.links[0].directions[0].scheduler = SchedulerSpec::Ets { quantum: Bytes(53), weights };
    spec.vcs.iter_mut().for_each(|vc| vc.priority = 1);
    assert_close(&shares(&spec), &[100e6, 162e6, 162e6]);
    spec.vcs[2].priority = 2;
    let found = fair_shares(&spec, whole(&spec), Part::ALL);
    assert_eq!(found, Err(NoShares::ClassWeights { link: "S->B".to_owned() }));
}

/// A VC under rate control: 31 of 32 cells are data.
fn abr(mcr: u64, pcr: u64) -> AbrSpec {
    let cells = |bps: u64| CellRate::new(bps as f64 / 424.0).unwrap();
    AbrSpec { mcr: cells(mcr), nrm: 32, ..AbrSpec::new(cells(pcr)) }
}

/// Claim: with MCR of 100 Mb/s for one of two, the rest is halved: 262 and 162, and 31/32 of that
/// is data. PCR of 64 leaves 360. An ABR source that offers 31 Mb/s of data takes 32 of the link.
/// Impossible rates are reported with their link.
#[test]
fn rate_control_sets_bounds_and_takes_its_cells() {
    let data = 31.0 / 32.0;
    let mut spec = star(&[SourceSpec::Greedy, SourceSpec::Greedy]);
    spec.vcs[0].rate = Some(abr(100_000_000, RATE_BPS).into());
    assert_close(&shares(&spec), &[262e6 * data, 162e6]);
    spec.vcs[0].rate = Some(abr(0, 64_000_000).into());
    assert_close(&shares(&spec), &[64e6 * data, 360e6]);
    spec.vcs[0].source = constant(31_000_000).into();
    assert_close(&shares(&spec), &[31e6, 392e6]);
    spec.vcs[0].source = SourceSpec::Greedy.into();
    for vc in &mut spec.vcs {
        vc.rate = Some(abr(213_000_000, RATE_BPS).into());
    }
    let found = fair_shares(&spec, whole(&spec), Part::ALL);
    assert_eq!(found, Err(NoShares::Overbooked { link: "S->B".to_owned() }));
}

/// Claim: of 1,000 us, VC1 is on from 200 to 600: VC2 has all for 600 us and half for 400; the mean
/// is 80 % and 20 %. From 500 us on: 90 % and 10 %.
#[test]
fn starts_and_stops() {
    let mut spec = star(&[SourceSpec::Greedy, SourceSpec::Greedy]);
    spec.vcs[0].start = at(200);
    spec.vcs[0].stop = Some(at(600));
    assert_close(&shares(&spec), &[0.2 * LINK, 0.8 * LINK]);
    let late = fair_shares(&spec, at(500)..at(1_000), Part::ALL).unwrap();
    assert_close(&[late.vcs[0].unwrap().bps, late.vcs[1].unwrap().bps], &[0.1 * LINK, 0.9 * LINK]);
    assert_eq!(fair_shares(&spec, at(7)..at(7), Part::ALL), Err(NoShares::NoTime));
}

/// Claim: source-limited. VC1 asks for 24 Mb/s for half the time, then for all: it has 24, then a
/// third; two others 200, then a third. Where it changes too often to be followed it counts with
/// its mean, 224 Mb/s: more than a third all the time.
#[test]
fn a_source_that_alternates() {
    let alternating = |half_period| SourceSpec::Alternating {
        low: Some(rate(24_000_000)),
        high: Some(rate(RATE_BPS)),
        half_period,
    };
    let others = [SourceSpec::Greedy, SourceSpec::Greedy];
    let network = |half| star(&[&[alternating(half)][..], &others[..]].concat());
    let third = LINK / 3.0;
    let (limited, free) = (f64::midpoint(24e6, third), f64::midpoint(200e6, third));
    assert_close(&shares(&network(cells(500))), &[limited, free, free]);
    assert_close(&shares(&network(cells(2))), &[limited, free, free]);
    assert_close(&shares(&network(cells(1))), &[third; 3]);
    // Silent for half the time: then the two others have half of the link each.
    let mut silent = network(cells(500));
    let [low, high] = [None, Some(rate(RATE_BPS))];
    silent.vcs[0].source = SourceSpec::Alternating { low, high, half_period: cells(500) }.into();
    let free = f64::midpoint(LINK / 2.0, third);
    assert_close(&shares(&silent), &[third / 2.0, free, free]);
}

/// Claim: a source with a number of packets has no share: its duration depends on
/// what it gets.
#[test]
fn a_source_of_so_many_packets_has_no_share() {
    let mut spec = star(&[SourceSpec::Greedy, SourceSpec::Greedy]);
    spec.vcs[1].traffic = TrafficSpec { packets: Some(9), ..TrafficSpec::default() }.into();
    let shares = fair_shares(&spec, at(0)..at(7), Part::ALL);
    let reason = "it ends after a number of packets, and when that is depends on its way";
    assert_eq!(shares, Err(NoShares::Unknown { vc: spec.vcs[1].name.clone(), reason }));
}

/// Claim: the mean rates of sources, by hand. Every 4th: a quarter. A cell per 8 us: an eighth.
/// Bursts of 10 and silences of 30 cells: a quarter. Trains of 5 with 10 us spacing and 150 us
/// pause: 5 in 200 us. A record of 3 cells in 1,000 us.
#[test]
fn what_sources_offer() {
    let gap = cells(8);
    let on_off = SourceSpec::OnOff {
        burst: LengthLaw::Geometric(10.0),
        off: SpanLaw::GeometricCells(30.0),
        burst_first: false,
    };
    let train = SourceSpec::Train { length: 5.0, spacing: cells(10), pause: cells(150) };
    let replay = SourceSpec::Replay { times: vec![cells(0), cells(0), cells(999), cells(1_000)] };
    let sources = [
        (SourceSpec::EveryKth { k: 4 }, 0.25),
        (SourceSpec::Poisson { gap }, 0.125),
        (SourceSpec::Phased { gap }, 0.125),
        (on_off, 0.25),
        (train, 0.025),
        (replay, 0.003),
    ];
    for (source, share) in sources {
        let spec = star(&[source]);
        assert_close(&shares(&spec), &[share * LINK]);
        let found = fair_shares(&spec, whole(&spec), Part::ALL).unwrap();
        assert!(!found.contested);
    }
}

/// Claim: a TCP source with a rate is limited to what its segments take of the link. A segment of
/// 512 B with 40 B of headers is 552 B, or 12 cells of 53 B in AAL5 (8 B of trailer, 48 B a cell):
/// of 55.2 Mb/s the link carries 55.2 x 636 / 552 = 63.6 Mb/s, and a greedy VC has the rest.
#[test]
fn a_rate_of_tcp_counts_its_cells() {
    let text = "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"424 Mb/s\"\n\
         [[host]]\nname = \"A{}\"\ncount = 2\n[[switch]]\nname = \"S\"\n[[host]]\nname = \"B\"\n\
         [[link]]\nbetween = [\"A{}\", \"S\"]\ncount = 2\n[[link]]\nbetween = [\"S\", \"B\"]\n\
         [[flow]]\nname = \"tcp\"\nfrom = \"A1\"\nto = \"B\"\nframing = \"aal5\"\n\
         source = { kind = \"tcp\", variant = \"newreno\", mss = \"512 B\" }\n\
         send-limit = \"55.2 Mb/s\"\n\
         [[flow]]\nname = \"greedy\"\nfrom = \"A2\"\nto = \"B\"\n";
    let read = crate::Scenario::from_toml(text, "tcp.toml");
    let spec = read.unwrap_or_else(|wrong| panic!("{wrong}")).network;
    let found = fair_shares(&spec, whole(&spec), Part::ALL).expect("they are known");
    let of = |name: &str| {
        let vc = spec.vcs.iter().position(|vc| vc.name == name).expect("it is there");
        found.vcs[vc].expect("it has a share").bps
    };
    assert_close(&[of("tcp"), of("greedy")], &[63.6e6, LINK - 63.6e6]);
}

/// Claim: a policer of 50 Mb/s lets 50 of 80 Mb/s through, and a VC of the excess has 30.
#[test]
fn what_the_edge_lets_through() {
    let mut spec = star(&[constant(80_000_000), constant(80_000_000)]);
    let rule = PolicingRule::TokenBucket { rate: rate(50_000_000), burst: Bytes(530) };
    for (vc, excess) in spec.vcs.iter_mut().zip([Excess::Elsewhere, Excess::Only]) {
        vc.traffic.policing = Some(PolicingSpec { rule, excess });
    }
    assert_close(&shares(&spec), &[50e6, 30e6]);
}

/// Claim: a tree to two hosts has one rate, that of its slowest link.
#[test]
fn a_tree_has_one_rate() {
    let mut network = NetworkBuilder::new(1_000);
    let (a, s) = (network.host("A"), network.switch("S"));
    let [b, c] = ["B", "C"].map(|name| network.host(name));
    for (from, to) in [(a, s), (s, b), (s, c)] {
        network.link(from, to, 0);
    }
    network.spec.links[2].directions[0].rate = rate(100_000_000);
    network.tree("tree", &[(a, s), (s, b), (s, c)], HopControl::None, SourceSpec::Greedy);
    network.vc("plain", &[a, s, b], HopControl::None, SourceSpec::Greedy);
    assert_close(&shares(&network.spec), &[100e6, 324e6]);
}

/// Claim: on random networks of every kind of source, control and priority the shares of a link are
/// never more than it has, in the whole and in each part of the time, or there is a reason.
#[test]
fn no_link_is_overfull_on_random_networks() {
    let mut solved = 0;
    for seed in 0..300 {
        let spec = random_network(seed);
        let middle = SimTime(spec.duration.0 / 2);
        for span in [whole(&spec), SimTime::ZERO..middle, middle..whole(&spec).end] {
            let Ok(found) = fair_shares(&spec, span, Part::ALL) else { continue };
            solved += 1;
            let mut used = vec![0.0; spec.direction_count()];
            for (vc, share) in spec.vcs.iter().zip(&found.vcs) {
                for hop in &vc.hops {
                    used[hop.direction_id().0] += share.map_or(0.0, |share| share.bps);
                }
            }
            for (link, used) in used.iter().enumerate() {
                let rate = spec.direction(DirectionId(link)).rate.bps() as f64;
                assert!(*used <= rate * (1.0 + 1e-12), "seed {seed}: {used} of {rate}");
            }
        }
    }
    assert!(solved > 300, "{solved}");
}

/// Claim [JCH84]: of n VCs, one with everything gives 1/n; all alike give 1, whatever their shares;
/// rates 1 : 2 for equal shares 9 / 10. A VC without a share does not count.
#[test]
fn jain_index_by_hand() {
    assert_eq!(jain_index([(8.0, 2.0), (0.0, 2.0), (0.0, 2.0), (0.0, 2.0)]), Some(0.25));
    assert_eq!(jain_index([(1.0, 2.0), (50.0, 100.0), (3.0, 0.0)]), Some(1.0));
    assert_eq!(jain_index([(1.0, 1.0), (2.0, 1.0)]), Some(0.9));
    assert_eq!(jain_index([]), None);
    assert_eq!(jain_index([(0.0, 1.0)]), None);
}

/// Claim: packets of 64 B that take 20 B more of a link have 64/84 of it: two of them 161,523,809
/// b/s each of 424 Mb/s. A VC that offers less has that. Where sizes differ there are no shares.
#[test]
fn overhead_takes_its_part_of_a_link() {
    let mut spec = star(&[SourceSpec::Greedy, SourceSpec::Greedy, constant(10_000_000)]);
    for link in &mut *spec.links {
        link.directions.iter_mut().for_each(|side| side.overhead = Bytes(20));
    }
    let sized = |spec: &mut NetworkSpec, vc: usize, bytes: u64| {
        let size = hopflow_network::SizeLaw::Fixed(Bytes(bytes));
        let traffic = hopflow_network::TrafficSpec { size, ..Default::default() };
        spec.vcs[vc].traffic = traffic.into();
    };
    (0..3).for_each(|vc| sized(&mut spec, vc, 64));
    let left = (424_000_000_u64 * 64 / 84) as f64 - 10_000_000.0;
    assert_close(&shares(&spec), &[left / 2.0, left / 2.0, 10_000_000.0]);
    sized(&mut spec, 1, 1_500);
    let none = fair_shares(&spec, whole(&spec), Part::ALL).unwrap_err();
    let text = "packets of several mean sizes cross `S->B`, and each takes 20 B beside its own";
    assert_eq!(none.to_string(), text);
}
