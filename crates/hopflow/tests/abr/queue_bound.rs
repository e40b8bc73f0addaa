//! The bound that `size` states for the queue of a port: no run has a longer one.
//!
//! The networks are stars: hosts with links of their own rate and delay, a switch, one link that
//! counts VCs, a switch, hosts. The bound is worked out before the run.

use hopflow::control::rate::{AbrSpec, Drain, EricaPlusSpec, RateRule, VcCountingSpec};
use hopflow::network::{
    DirectionId, HopControl, HopSpec, Jitter, NetworkSpec, NodeKind, NodeSpec, RateSpec, Segment,
    SourceSpec, VcSpec, VirtualSpec,
};
use hopflow::scenario::Scenario;
use hopflow::size::{NoBound, QueueBound, size_rates};
use hopflow::units::{Picos, SimTime};
use proptest::prelude::*;

use super::network::{MS, add_link, rate_of, run};

/// The link between the switches: the first of the network.
const SHARED: DirectionId = DirectionId(0);

/// One VC of a star. Rates in Mb/s, delays and starts in us.
#[derive(Clone, Debug)]
struct Ray {
    access: u64,
    delays: (u64, u64),
    icr_percent: u64,
    start: u64,
    nrm: u32,
    weight: u32,
    /// MCR, of PCR.
    mcr_percent: u64,
}

impl Ray {
    /// From zero at its peak.
    fn at_once(access: u64, near: u64, far: u64) -> Ray {
        Ray {
            access,
            delays: (near, far),
            icr_percent: 100,
            start: 0,
            nrm: 32,
            weight: 1,
            mcr_percent: 0,
        }
    }
}

/// A link of `mbps` and a delay in us between two switches, which counts VCs, and its VCs.
fn star(mbps: u64, delay: u64, rays: &[Ray], drain: Option<Drain>) -> NetworkSpec {
    let switch = |index| NodeSpec::new(format!("S{index}"), NodeKind::Switch);
    let mut spec = NetworkSpec {
        nodes: (0..2).map(switch).collect::<Vec<_>>().into(),
        links: Vec::new().into(),
        vcs: Vec::new().into(),
        connections: Vec::new().into(),
        events: Vec::new(),
        machines: Vec::new().into(),
        duration: Picos(300 * MS.0),
        seed: 1,
        jitter: Jitter::Exact,
    };
    add_link(&mut spec, (0, 1), mbps, delay);
    for (index, ray) in rays.iter().enumerate() {
        let [source, end] = ["in", "out"].map(|side| {
            spec.nodes.push(NodeSpec::new(format!("{side}{index}"), NodeKind::Host));
            spec.nodes.len() - 1
        });
        let into = add_link(&mut spec, (source, 0), ray.access, ray.delays.0);
        let out = add_link(&mut spec, (1, end), 160, ray.delays.1);
        let hop = |(hop, link): (usize, usize)| HopSpec {
            link,
            direction: 0,
            parent: hop.checked_sub(1),
            control: HopControl::None,
        };
        let hops = [into, 0, out].into_iter().enumerate().map(hop).collect();
        let mut vc = VcSpec::new(format!("VC{index}"), hops, SourceSpec::Greedy);
        let pcr = rate_of(ray.access);
        let mut abr = AbrSpec::new(pcr);
        abr.icr = pcr.times(ray.icr_percent as f64 / 100.0);
        abr.mcr = pcr.times(ray.mcr_percent as f64 / 100.0);
        (abr.rif, abr.nrm) = (1.0, ray.nrm);
        vc.weight = ray.weight;
        vc.rate = Some(abr.into());
        vc.start = SimTime(ray.start * 1_000_000);
        spec.vcs.push(vc);
    }
    // Longer than any loop here: 6 links of 2 ms, and 64 cells at 1/22 of 20 Mb/s.
    let mut counting = VcCountingSpec::new(Picos(60 * MS.0));
    counting.drain = drain.unwrap_or(counting.drain);
    set_rule(&mut spec, RateRule::VcCounting(counting), Segment::Through);
    spec
}

fn set_rule(spec: &mut NetworkSpec, rule: RateRule, segment: Segment) {
    spec.links[0].directions[0].rate_control =
        Some(RateSpec { rule: Some(rule), segment, backward_rm: None });
}

/// What `size` says of the shared link.
fn bound(spec: &NetworkSpec) -> Result<QueueBound, NoBound> {
    let sizes = size_rates(spec).expect("the loops are short");
    let shared = sizes.into_iter().find(|size| size.link == "S0->S1");
    shared.expect("VCs go over it").bound
}

/// The longest queue of the shared link in a run.
fn longest(spec: &NetworkSpec) -> u64 {
    let counters = run(spec, 0).counters;
    u64::from(counters.directions[SHARED.0].queue_max_packets)
}

/// VCs with links and starts by chance; every third network starts all VCs at once.
fn rays() -> impl Strategy<Value = Vec<Ray>> {
    let delay = || prop_oneof![Just(0_u64), 1_u64..=2_000];
    let nrm = prop_oneof![Just(16_u32), Just(32), Just(64)];
    let ray = (
        20_u64..=155,
        (delay(), delay()),
        1_u64..=100,
        0_u64..=40_000,
        nrm,
        (1_u32..=3, 0_u64..=1),
    );
    let ray = ray.prop_map(|(access, delays, icr_percent, start, nrm, (weight, mcr_percent))| {
        Ray { access, delays, icr_percent, start, nrm, weight, mcr_percent }
    });
    (prop::collection::vec(ray, 1..=8), 0..3).prop_map(|(mut rays, kind)| {
        if kind == 0 {
            for ray in &mut rays {
                ray.start = 0;
            }
        }
        rays
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Claim: at any rates, delays, starts and initial rates, with either way to drain, there is a
    /// bound, and the queue never passes it.
    #[test]
    fn no_queue_passes_the_bound(
        mbps in 20_u64..=155, delay in 0_u64..=2_000, rays in rays(), always in any::<bool>(),
    ) {
        let spec = star(mbps, delay, &rays, always.then_some(Drain::Always(0.98)));
        let bound = bound(&spec).map_err(|why| TestCaseError::fail(why.to_string()))?;
        let longest = longest(&spec);
        prop_assert!(longest <= bound.cells, "{} cells, {}", longest, bound.formula);
    }
}

/// Claim: the bound is not twice too large at its worst. n VCs that start at once at the rate of
/// the link send for a whole loop: (n - 1) x C x FRTT cells.
#[test]
fn half_the_bound_is_too_little() {
    for (vcs, mbps, delay) in [(2, 100, 2_000), (5, 155, 10_000), (8, 50, 5_000)] {
        let rays = vec![Ray::at_once(mbps, delay, 10); vcs];
        let spec = star(mbps, delay, &rays, None);
        let (bound, longest) = (bound(&spec).unwrap(), longest(&spec));
        assert!(longest <= bound.cells && 2 * longest > bound.cells, "{longest}, {bound:?}");
    }
}

/// Claim, Eqs. (1) to (6) by hand: two VCs, a cell takes 4.24 us on their own links of 100 Mb/s and
/// on the shared one, 2.65 us on those behind it. Own links have 500 us of delay, so F = 1,008.48
/// us. A cell waits one turn of 8.48 us at the port, and its RM cell 4.24, 8.48 and 2.65 us on its
/// way back: 23.85 us. Half of .9 C is a cell in 9.4222 us, so (2) is 32 x 9.4222 + 8.48 = 309.99
/// us.
///
/// (3) with a loop of FRTT = 3,042.26 us: 3,066.11 us. With 1,022.26 us, F + gap is longer: 23.85 +
/// 1,008.48 + 309.99 = 1,342.32 us. (4), from a tenth of the rate: 2 x 23.85 + 1,022.26 +
/// 1,008.48 + 309.99 = 2,388.43 us, and (5) is (.2 + .9 + .4) C = 353,774 cells/s. Each of the two
/// bursts is a cell. At 155 Mb/s a cell takes 2,735,483.87 ps, rounded up to 2,735,484: in 100 s
/// the link is 4.7e-8 x 36.6 million = 1.7 cells behind.
#[test]
fn the_bound_is_as_by_hand() {
    for ([mbps, delay, far, icr_percent, seconds], tau, rates, drift, cells) in [
        ([100, 1_000, 10, 100, 1], "3.066110", "471698 - 235849", "0.0", 727),
        ([100, 0, 0, 100, 1], "1.342321", "471698 - 235849", "0.0", 320),
        ([100, 0, 0, 10, 1], "2.388431", "353774 - 235849", "0.0", 285),
        ([155, 0, 0, 100, 100], "1.226306", "471698 - 365566", "1.7", 135),
    ] {
        let ray = Ray { icr_percent, ..Ray::at_once(100, 500, far) };
        let mut spec = star(mbps, delay, &[ray.clone(), ray], None);
        spec.duration = Picos(seconds * 1_000 * MS.0);
        let found = bound(&spec).unwrap();
        let by_hand = format!("= {tau} ms x ({rates}) cells/s + 2.0 + 1 + {drift}, up to {cells} ");
        assert!(found.formula.contains(&by_hand), "{}", found.formula);
        assert_eq!(found.cells, cells, "{}", found.formula);
    }
}

/// [Cai97] configuration `number` with greedy flows that a port may count, each of at most 31 Mb/s:
/// they meet at the slow link alone.
fn counted(number: u8) -> NetworkSpec {
    let root = env!("CARGO_MANIFEST_DIR");
    let file = format!("{root}/../../papers/cai97/conf{number}.toml");
    let text = std::fs::read_to_string(file).expect("the paper's scenario");
    let (head, _) = text.split_once("source = {").expect("a source");
    let (before, rule) = head.split_once("rate-control = {").expect("a rule");
    let (_, rest) = rule.split_once('\n').expect("lines");
    let counting = "rate-control = { kind = \"vc-counting\", high = \"20 cells\" }";
    let text = format!("{before}{counting}\n{rest}source = {{ kind = \"greedy\" }}\n");
    let text = text.replace("icr = \"10 Mb/s\"", "pcr = \"31 Mb/s\"");
    let text = text.replace("framing = \"aal5\"\n", "").replace("exact-phase = true\n", "");
    let text = text.replace("back = { control = { kind = \"none\" } }\n", "");
    Scenario::from_toml(&text, "conf.toml").expect("the scenario is valid").network
}

/// Claim: with the links, delays and peaks of [Cai97] the slow link has a bound, in both
/// configurations, and its queue comes within a tenth of it: 5 x 31 - 45 Mb/s for a loop of 570 ms
/// are 147,877 cells.
#[test]
fn the_networks_of_cai97_keep_below_the_bound() {
    for (number, link, port) in [(1, "SW2->SW3", 6), (2, "SW3->SW4", 7)] {
        let mut spec = counted(number);
        spec.duration = Picos(2_000 * MS.0);
        let sizes = size_rates(&spec).unwrap();
        let size = sizes.into_iter().find(|size| size.link == link).unwrap();
        let bound = size.bound.unwrap().cells;
        let counters = run(&spec, 0).counters;
        let longest = u64::from(counters.directions[DirectionId::new(port, 0).0].queue_max_packets);
        assert!(longest <= bound && 10 * longest > 9 * bound, "{link}: {longest} of {bound}");
    }
}

/// Claim: what converges over several loops, what is virtual, what pauses, and what queues at two
/// ports has no bound, each with its reason; a link that carries all that comes has one.
#[test]
fn no_bound_is_stated_where_none_is_known() {
    let rays = vec![Ray::at_once(100, 100, 10); 3];
    let counts = || star(100, 1_000, &rays, None);
    let rule = counts().links[0].directions[0].rate_control.unwrap().rule.unwrap();
    let why = |spec: &NetworkSpec| bound(spec).unwrap_err();
    let mut spec = counts();
    let erica = RateRule::EricaPlus(EricaPlusSpec::default());
    set_rule(&mut spec, erica, Segment::Through);
    assert_eq!(why(&spec), NoBound::Converges("erica-plus"));
    set_rule(&mut spec, rule, Segment::Virtual(VirtualSpec::default()));
    assert_eq!(why(&spec), NoBound::Virtual);
    let mut spec = counts();
    spec.vcs[1].stop = Some(SimTime(MS.0));
    assert_eq!(why(&spec), NoBound::Pauses("VC1".to_owned()));
    let mut spec = counts();
    let abr = spec.vcs[2].rate.as_ref().unwrap();
    let slow = AbrSpec { rif: 1.0 / 16.0, icr: abr.icr.times(0.25), ..**abr };
    spec.vcs[2].rate = Some(slow.into());
    assert_eq!(why(&spec), NoBound::Increase("VC2".to_owned()));
    let fits = star(100, 1_000, &vec![Ray::at_once(33, 100, 10); 3], None);
    let bound = bound(&fits).unwrap();
    assert_eq!(bound.cells, 3 + 1, "three bursts of 1 cell, and 1 in transmission");
    assert!(longest(&fits) <= bound.cells);
}
