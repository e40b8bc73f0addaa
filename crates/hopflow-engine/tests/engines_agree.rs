//! The windowed engine compared with the reference engine: the same digest, counters and trace on
//! random networks that use every feature, on one thread and on several, interrupted anywhere.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_engine::{Pace, ReferenceEngine, WindowedEngine};
use hopflow_network::{
    DirectionId, Engine, EnvelopeRule, EnvelopeSpec, HopControl, Jitter, NetworkSpec, RunCounters,
    SourceSpec, TraceFilter, TracePart, TraceRow, VcSpec,
};
use hopflow_testing::{
    NetworkBuilder, random_bounded_network, random_fifo_only_network, random_network,
    random_slow_network, random_usual_network, with_backward_rm, with_bytes, with_calls, with_cbfc,
    with_copies, with_destinations, with_ends, with_false_credits, with_shared_credits,
    with_strict_envelopes, with_units, with_video,
};
use hopflow_units::SimTime;

/// Networks to run; more by `HOPFLOW_NETWORKS=100000 cargo test ...`.
fn network_count() -> u64 {
    std::env::var("HOPFLOW_NETWORKS").map_or(400, |n| n.parse().expect("a number of networks"))
}

fn full_trace(spec: &NetworkSpec) -> TraceFilter {
    TraceFilter::all(spec.vcs.len(), spec.direction_count())
}

/// Runs to the end with stops at `cuts` parts of the duration.
fn run(engine: &mut dyn Engine, spec: &NetworkSpec, cuts: u64) -> (RunCounters, Vec<TraceRow>) {
    let mut rows = Vec::new();
    for cut in 1..=cuts {
        let part = u128::from(spec.duration.0) * u128::from(cut) / u128::from(cuts);
        engine.run_until(SimTime(part as u64));
        engine.drain_trace(&mut rows);
    }
    (engine.counters(), rows)
}

fn assert_same(
    seed: u64,
    what: &str,
    a: &(RunCounters, Vec<TraceRow>),
    b: &(RunCounters, Vec<TraceRow>),
) {
    if let Some(place) = a.1.iter().zip(&b.1).position(|(a, b)| a != b) {
        let from = place.saturating_sub(5);
        let show = |rows: &[TraceRow]| {
            let rows = &rows[from..rows.len().min(place + 3)];
            rows.iter().map(|row| format!("{row:?}")).collect::<Vec<_>>().join("\n")
        };
        panic!("network {seed}, {what}: rows differ at {place}:\n{}\n{}", show(&a.1), show(&b.1));
    }
    assert_eq!(a.1.len(), b.1.len(), "network {seed}, {what}: number of rows");
    assert_eq!(a.0, b.0, "network {seed}, {what}: counters");
}

/// Claim: both engines follow docs/models/order.md exactly.
#[test]
fn engines_agree_on_random_networks() {
    for seed in 0..network_count() {
        let spec = with_ends(random_network(seed), seed);
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let alone = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 1);
        assert_same(seed, "one thread", &reference, &alone);
        let cut = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 7);
        assert_same(seed, "cut in seven", &reference, &cut);
        if seed % 8 == 0 {
            let threads = 2 + seed as usize / 8 % 3;
            let mut shared = WindowedEngine::new(&spec, full_trace(&spec), threads);
            shared.set_pace(if seed % 16 == 0 { Pace::All } else { Pace::Changing });
            assert_same(seed, "several threads", &reference, &run(&mut shared, &spec, 2));
        }
        let untraced = run(&mut WindowedEngine::new(&spec, TraceFilter::none(), 1), &spec, 1);
        assert_eq!(untraced.0, reference.0, "network {seed}: without a trace");
    }
}

/// Claim: they agree if the lanes of random networks are under CBFC, whose updates are late, lost
/// and blocked like any control cell.
#[test]
fn engines_agree_on_cbfc() {
    let (mut networks, mut frames, mut lost) = (0, 0, 0);
    for seed in 0..network_count() {
        let plain = random_network(seed);
        let spec = with_cbfc(plain.clone());
        if spec == plain {
            continue;
        }
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let windowed = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 7);
        assert_same(seed, "one thread", &reference, &windowed);
        let lanes = reference.0.directions.iter().flat_map(|direction| &direction.lanes);
        networks += 1;
        lanes.for_each(|lane| {
            frames += lane.frames_taken;
            lost += lane.frames_corrupted;
        });
    }
    assert!(networks > 20 && frames > 1_000 && lost > 10, "{networks} {frames} {lost}");
}

/// Claim: they agree if lanes are per destination, under lane credits and under CBFC, in packets of
/// any size, also where credits are false or both directions of a link have other numbers of lanes.
#[test]
fn engines_agree_on_lanes_per_destination() {
    let (mut networks, mut frames, mut lost, mut shut, mut many, mut false_ones) =
        (0, 0, 0, 0, 0, 0);
    for seed in 0..network_count() * 2 {
        let plain = random_network(seed);
        let plain = if seed % 3 == 0 { with_cbfc(plain) } else { plain };
        let spec = with_destinations(plain.clone(), seed);
        if spec == plain {
            continue;
        }
        let spec = if seed % 4 == 1 { with_false_credits(spec, seed) } else { spec };
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let windowed = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 7);
        assert_same(seed, "one thread", &reference, &windowed);
        let threads = 2 + seed as usize % 3;
        let several = run(&mut WindowedEngine::new(&spec, full_trace(&spec), threads), &spec, 2);
        assert_same(seed, "several threads", &reference, &several);
        networks += 1;
        for direction in &reference.0.directions {
            many += u64::from(direction.lanes.len() > 2);
            for lane in &direction.lanes {
                frames += lane.frames_taken;
                lost += lane.frames_corrupted;
                shut += lane.shut_count;
                false_ones += lane.frames_falsified;
            }
        }
    }
    let seen = [networks, frames, lost, shut, many, false_ones];
    let least = network_count() / 10;
    assert!(seen.iter().all(|count| *count > least), "{seen:?}");
}

/// Claim: they agree if congested switches create backward RM cells; some of these find their node
/// full, some are lost on the way, and most come to their source.
#[test]
fn engines_agree_on_backward_rm_cells_of_switches() {
    let (mut made, mut changed) = (0, 0);
    for seed in 0..network_count() {
        let plain = with_ends(random_network(seed), seed);
        let spec = with_backward_rm(plain.clone(), seed);
        if spec.vcs.iter().all(|vc| vc.rate.is_none()) {
            continue;
        }
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let windowed = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 7);
        assert_same(seed, "backward RM cells", &reference, &windowed);
        let threads = 2 + seed as usize % 3;
        let several = run(&mut WindowedEngine::new(&spec, full_trace(&spec), threads), &spec, 2);
        assert_same(seed, "several threads", &reference, &several);
        let hops = reference.0.vcs.iter().flat_map(|vc| &vc.hops);
        made += hops.map(|hop| hop.rate.backward_made).sum::<u64>();
        let without = run(&mut WindowedEngine::new(&plain, TraceFilter::none(), 1), &plain, 1);
        changed += u64::from(without.0 != reference.0);
    }
    assert!(made > network_count() && changed > network_count() / 20, "{made} {changed}");
}

/// Claim: they agree if the frames of coders follow the rate of their VC: in every row, and in the
/// sizes of frames at a few uneven stops, after statistics were restarted at one of them.
#[test]
fn engines_agree_on_coders() {
    let (mut frames, mut steps) = (0, 0);
    for seed in 0..network_count() {
        let plain = with_ends(random_network(seed), seed);
        let spec = with_video(plain.clone(), seed);
        if spec == plain {
            continue;
        }
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let windowed = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 7);
        assert_same(seed, "coders", &reference, &windowed);
        assert_same_at_stops(seed, &spec);
        for coded in reference.0.vcs.iter().filter_map(|vc| vc.coded) {
            frames += coded.frames;
            steps += u64::from(coded.changed_cells > 0);
        }
    }
    assert!(frames > 5 * network_count() && steps > network_count() / 10, "{frames} {steps}");
}

/// Claim: they agree if strict envelopes hold sources back; most of the envelopes make the source
/// of their VC send less than it would.
#[test]
fn engines_agree_on_strict_envelopes() {
    let (mut strict, mut held) = (0, 0);
    for seed in 0..network_count() {
        let plain = with_ends(random_network(seed), seed);
        let spec = with_strict_envelopes(plain.clone(), seed);
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let windowed = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 7);
        assert_same(seed, "strict envelopes", &reference, &windowed);
        let free = run(&mut WindowedEngine::new(&plain, TraceFilter::none(), 1), &plain, 1);
        for ((vc, with), without) in spec.vcs.iter().zip(&reference.0.vcs).zip(&free.0.vcs) {
            let is_strict = |envelope: EnvelopeSpec| envelope.rule == EnvelopeRule::Strict;
            strict += u64::from(vc.traffic.envelope.is_some_and(is_strict));
            held += u64::from(with.created_packets < without.created_packets);
        }
    }
    assert!(strict > network_count() && held > network_count() / 4, "{strict} {held}");
}

/// Claim: they agree if VCs ask for their reservation, are admitted or refused, and release it; a
/// port never reserves more than its link carries, unless what is reserved for the whole run does.
#[test]
fn engines_agree_on_calls() {
    let (mut admitted, mut refused, mut released, mut late) = (0, 0, 0, 0);
    for seed in 0..network_count() {
        let spec = with_calls(with_ends(random_network(seed), seed), seed);
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let threads = 1 + seed as usize % 3;
        let mut windowed = WindowedEngine::new(&spec, full_trace(&spec), threads);
        assert_same(seed, "calls", &reference, &run(&mut windowed, &spec, 3));
        for (vc, count) in spec.vcs.iter().zip(&reference.0.vcs) {
            admitted += count.set_up.admitted;
            refused += count.set_up.refused;
            released += count.set_up.released;
            late += u64::from(count.set_up.refused_hop.is_some_and(|hop| hop > 0));
            let is_silent = !vc.signalled || count.set_up.admitted > 0;
            assert!(is_silent || count.created_packets == 0, "network {seed}: {}", vc.name);
        }
        for id in (0..spec.direction_count()).map(DirectionId) {
            let standing = spec.vcs.iter().filter(|vc| !vc.signalled && crosses(vc, id));
            let rate = |vc: &VcSpec| vc.reservation.map_or(0, |reservation| reservation.rate.bps());
            let most = standing.map(rate).sum::<u64>().max(spec.direction(id).rate.bps());
            assert!(reference.0.directions[id.0].reserved_max_bps <= most, "network {seed}");
        }
    }
    let [some, few] = [network_count() * 2, network_count() / 4];
    let all = (admitted, refused, released, late);
    assert!(admitted > some && refused > some && released > some && late > few, "{all:?}");
}

fn crosses(vc: &VcSpec, id: DirectionId) -> bool {
    vc.hops.iter().any(|hop| hop.direction_id() == id)
}

/// Claim: they agree if VCs share credit cells, under every scheme that can, and with credits that
/// are lost or false; cells are counted once.
#[test]
fn engines_agree_on_shared_credit_cells() {
    let (mut sent, mut shared, mut lost) = (0, 0, 0);
    for seed in 0..network_count() {
        let spec = with_copies(with_shared_credits(random_network(seed), seed));
        let spec = if seed % 3 == 0 { with_false_credits(spec, seed) } else { spec };
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let threads = 1 + seed as usize % 2;
        let windowed = run(&mut WindowedEngine::new(&spec, full_trace(&spec), threads), &spec, 3);
        assert_same(seed, "shared credit cells", &reference, &windowed);
        let untraced = run(&mut WindowedEngine::new(&spec, TraceFilter::none(), 1), &spec, 1);
        assert_eq!(untraced.0, reference.0, "network {seed}: without a trace");
        for hop in reference.0.vcs.iter().flat_map(|vc| &vc.hops) {
            sent += hop.credits_sent;
            shared += hop.credits_shared;
            lost += if hop.credits_shared > 0 { hop.credits_corrupted } else { 0 };
        }
    }
    assert!(shared > 10_000 && shared < sent && lost > 100, "{shared} of {sent}, {lost} lost");
}

/// Claim: they agree if credits count units of packets of any size, under every scheme of hopflow,
/// with credits that are lost or false, requested and repeated, E by counters and by the history of
/// starts, and VCs that share a buffer. Most of these VCs get their packets through.
#[test]
fn engines_agree_on_credits_in_units() {
    let (mut hops, mut several, mut taken, mut lost, mut blocked) = (0, 0, 0, 0, 0);
    let mut shared = 0;
    for seed in 0..network_count() {
        let spec = with_units(with_ends(random_network(seed), seed), seed);
        let spec = if seed % 4 == 0 { with_false_credits(spec, seed) } else { spec };
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let alone = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 7);
        assert_same(seed, "credits in units", &reference, &alone);
        let threads = 2 + seed as usize % 3;
        let untraced = run(&mut WindowedEngine::new(&spec, TraceFilter::none(), threads), &spec, 2);
        assert_eq!(untraced.0, reference.0, "network {seed}: without a trace");
        let counted = reference.0.vcs.iter().zip(spec.vcs.iter());
        let counted = counted
            .flat_map(|(vc, of)| vc.hops.iter().zip(of.hops.iter().map(move |hop| (hop, of))));
        for (counters, (hop, of)) in counted {
            let HopControl::Credit(credit) = hop.control else { continue };
            if credit.packet_units(of.traffic.size.most()).are_packets() {
                continue;
            }
            hops += 1;
            several += u64::from(counters.sent_packets > 10);
            shared += u64::from(hop.shared_credit().is_some() && counters.sent_packets > 10);
            taken += counters.credits_taken;
            lost += counters.credits_corrupted;
            blocked += counters.no_credit_count;
        }
    }
    let count = network_count();
    let seen = [hops, several, taken, lost, blocked];
    assert!(hops > count && several > count / 2 && taken > 20 * count, "{seen:?}");
    assert!(lost > count && blocked > 4 * count, "{seen:?}");
    assert!(shared > count / 20, "{shared} of {count}");
}

/// Claim: they agree on credits in units if most ends of VCs are created on first use.
#[test]
fn engines_agree_on_usual_vcs_in_units() {
    for seed in 0..network_count() {
        let spec = with_units(with_ends(random_usual_network(seed), seed), seed);
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let traced = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 3);
        assert_same(seed, "usual VCs in units", &reference, &traced);
        assert_same_at_stops(seed, &spec);
    }
}

/// Claim: they agree if credits of VCs and lanes are false, under every scheme and lane rule; what
/// overruns a buffer is counted, and neither engine stops.
#[test]
fn engines_agree_on_false_credits() {
    let (mut vcs, mut lanes, mut over, mut lanes_over) = (0, 0, 0, 0);
    for seed in 0..network_count() {
        let plain = random_network(seed);
        let plain = if seed % 2 == 0 { with_cbfc(plain) } else { plain };
        let spec = with_false_credits(plain, seed);
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let threads = 1 + seed as usize % 2;
        let windowed = run(&mut WindowedEngine::new(&spec, full_trace(&spec), threads), &spec, 3);
        assert_same(seed, "false credits", &reference, &windowed);
        for hop in reference.0.vcs.iter().flat_map(|vc| &vc.hops) {
            vcs += hop.credits_falsified;
            over += if hop.credits_falsified > 0 { hop.overrun_packets } else { 0 };
        }
        for lane in reference.0.directions.iter().flat_map(|direction| &direction.lanes) {
            lanes += lane.frames_falsified;
            lanes_over += lane.overrun_packets;
            assert!(lane.frames_falsified > 0 || lane.overrun_packets == 0, "network {seed}");
        }
    }
    let seen = [vcs, lanes, over, lanes_over];
    assert!(vcs > 1_000 && lanes > 1_000 && over > 50 && lanes_over > 5, "{seen:?}");
}

/// Claim: they agree if hosts forward to their own applications, with a buffer for each port, and
/// if VCs start at nodes that forward.
#[test]
fn engines_agree_on_slow_hosts() {
    let mut slow = 0;
    for seed in 0..network_count() {
        let spec = random_slow_network(seed);
        let drains = (0..spec.nodes.len()).filter_map(|node| spec.drain(node));
        slow += drains.filter(|id| spec.direction(*id).buffer.is_some()).count();
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let threads = 1 + seed as usize % 3;
        let mut windowed = WindowedEngine::new(&spec, full_trace(&spec), threads);
        assert_same(seed, "slow hosts", &reference, &run(&mut windowed, &spec, 2));
    }
    assert!(slow as u64 > network_count() / 2, "{slow} receive buffers");
}

/// A filter by the bits of `noise`: whole VCs and directions, and a part.
fn some_filter(spec: &NetworkSpec, noise: u64) -> TraceFilter {
    let bit = |n: usize| noise.rotate_right(n as u32 * 7 + 3).is_multiple_of(4);
    let flags = |all: usize, from: usize| (0..all).map(|n| bit(n + from)).collect::<Vec<_>>();
    let (vcs, directions) = (spec.vcs.len(), spec.direction_count());
    let mut part = TracePart {
        vcs: bit(1).then(|| flags(vcs, 11)),
        directions: bit(2).then(|| flags(directions, 23)),
        ..TracePart::default()
    };
    if bit(3) {
        part.kinds = std::array::from_fn(|kind| !bit(kind + 41));
    }
    if bit(4) {
        part.from = SimTime(spec.duration.0 / 4);
        part.to = SimTime(spec.duration.0 / 2);
    }
    let none = || TraceFilter { vcs: Vec::new(), directions: Vec::new(), part: None };
    match noise % 3 {
        0 => TraceFilter { vcs: flags(vcs, 5), directions: flags(directions, 9), ..none() },
        1 => TraceFilter { part: Some(part), ..none() },
        _ => TraceFilter { directions: flags(directions, 9), part: Some(part), ..none() },
    }
}

/// Claim: the rows that a filter keeps are the rows of the reference engine's full trace that it
/// keeps, and it changes no counter; no row is created at a node where none may be.
#[test]
fn a_filter_keeps_its_rows_of_the_full_trace() {
    let (mut some, mut nodes_without) = (0, 0);
    for seed in 0..network_count() / 2 {
        let spec = with_ends(random_network(seed), seed);
        let mut reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let filter = some_filter(&spec, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        reference.1.retain(|row| filter.keeps_row(row));
        let threads = 1 + (seed % 2) as usize;
        let found = run(&mut WindowedEngine::new(&spec, filter.clone(), threads), &spec, 3);
        assert_same(seed, "filtered", &reference, &found);
        let own = run(&mut ReferenceEngine::new(&spec, filter.clone()), &spec, 1);
        assert_same(seed, "reference filtered", &reference, &own);
        some += usize::from(!found.1.is_empty());
        nodes_without += filter.may_keep_at(&spec).iter().filter(|may| !**may).count();
    }
    assert!(some > 50 && nodes_without > 50, "{some} with rows, {nodes_without} nodes without");
}

/// Claim: both engines agree if ends of VCs are created on first use: in every row of the trace,
/// and in their counters at a few uneven stops, after statistics were restarted at one of them, on
/// one thread and on several.
#[test]
fn engines_agree_on_networks_of_usual_vcs() {
    for seed in 0..network_count() {
        let spec = with_ends(random_usual_network(seed), seed);
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let traced = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 3);
        assert_same(seed, "usual VCs", &reference, &traced);
        assert_same_at_stops(seed, &spec);
    }
}

/// Claim: both engines agree if most nodes are FIFO-only: in every row of the trace, interrupted
/// anywhere and on several threads, in the rows that a filter keeps, and in their counters at a few
/// uneven stops, after statistics were restarted at one of them.
#[test]
fn engines_agree_on_fifo_only_networks() {
    for seed in 0..network_count() {
        assert_same_if_fifo_only(seed, &with_ends(random_fifo_only_network(seed), seed));
    }
}

/// Claim: they agree in the same if ports of FIFO-only switches have limits, reached or not,
/// packets are admitted with jitter, and ports of FIFO-only nodes mark.
#[test]
fn engines_agree_on_fifo_only_networks_with_limits() {
    let [mut dropped, mut admitted, mut marked, mut sent] = [0; 4];
    for seed in 0..network_count() {
        let spec = with_ends(random_bounded_network(seed), seed);
        let counters = assert_same_if_fifo_only(seed, &spec);
        let nodes = WindowedEngine::fifo_only_nodes(&spec);
        for (id, direction) in counters.directions.iter().enumerate() {
            if nodes[spec.from_node(DirectionId(id))] {
                marked += direction.marked_packets;
            }
        }
        let mut exact = spec.clone();
        exact.jitter = Jitter::Exact;
        let exact = run(&mut WindowedEngine::new(&exact, TraceFilter::none(), 1), &exact, 1).0;
        for (vc, (there, exactly)) in counters.vcs.iter().zip(&exact.vcs).enumerate() {
            let ends = spec.vcs[vc].hops.iter().zip(there.hops.iter().zip(&exactly.hops));
            for (hop, (found, exactly)) in ends {
                if nodes[spec.to_node(hop.direction_id())] {
                    sent += found.received_packets * u64::from(spec.vcs[vc].carries_packets());
                    dropped += found.dropped_packets;
                    admitted += u64::from(found.dropped_packets != exactly.dropped_packets);
                }
            }
        }
    }
    let least = network_count();
    assert!(dropped > 20 * least && admitted > least / 4, "{dropped} {admitted}");
    assert!(marked > 20 * least && sent > 20 * least, "{marked} {sent}");
}

/// Claim: they agree in the same, and hold the same most bytes, if limits of FIFO-only switches are
/// in bytes of packets of any size, beside others in packets, and memory has cells.
#[test]
fn engines_agree_on_fifo_only_networks_with_bytes() {
    let [mut dropped, mut admitted, mut counted] = [0; 3];
    for seed in 0..network_count() {
        let spec = with_bytes(with_ends(random_bounded_network(seed), seed), seed);
        let counters = assert_same_if_fifo_only(seed, &spec);
        let (nodes, counts) = (WindowedEngine::fifo_only_nodes(&spec), spec.counts_bytes());
        let mut exact = spec.clone();
        exact.jitter = Jitter::Exact;
        let exact = run(&mut WindowedEngine::new(&exact, TraceFilter::none(), 1), &exact, 1).0;
        for (vc, (there, exactly)) in counters.vcs.iter().zip(&exact.vcs).enumerate() {
            let ends = spec.vcs[vc].hops.iter().zip(there.hops.iter().zip(&exactly.hops));
            for (hop, (found, exactly)) in ends {
                let node = spec.to_node(hop.direction_id());
                if nodes[node] && counts[node] {
                    counted += found.received_packets;
                    dropped += found.dropped_packets;
                    admitted += u64::from(found.dropped_packets != exactly.dropped_packets);
                }
            }
        }
    }
    let (least, seen) = (network_count(), [dropped, admitted, counted]);
    assert!(dropped > 10 * least && admitted > least / 8 && counted > 100 * least, "{seen:?}");
}

/// Asserts that both engines agree on a network that may have FIFO-only nodes, and returns its
/// counters.
fn assert_same_if_fifo_only(seed: u64, spec: &NetworkSpec) -> RunCounters {
    assert_same_at_stops(seed, spec);
    let whole = run(&mut WindowedEngine::new(spec, TraceFilter::none(), 1), spec, 1);
    let mut reference = run(&mut ReferenceEngine::new(spec, full_trace(spec)), spec, 1);
    assert_same_counters(&whole.0, &reference.0, &format!("network {seed}"));
    let threads = 1 + (seed % 3) as usize;
    for (threads, cuts) in [(1, 1), (threads, 5)] {
        let mut traced = WindowedEngine::new(spec, full_trace(spec), threads);
        traced.set_pace(if seed.is_multiple_of(2) { Pace::All } else { Pace::Changing });
        assert_same(seed, "plain", &reference, &run(&mut traced, spec, cuts));
    }
    let filter = some_filter(spec, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    reference.1.retain(|row| filter.keeps_row(row));
    let found = run(&mut WindowedEngine::new(spec, filter, 1), spec, 3);
    assert_same(seed, "plain, filtered", &reference, &found);
    whole.0
}

/// Asserts that both engines have equal counters at a few uneven stops, after statistics were
/// restarted at one of them: on one thread, and for every eighth seed on several.
fn assert_same_at_stops(seed: u64, spec: &NetworkSpec) {
    let cuts = uneven_cuts(seed, spec);
    let expected = readings(&mut ReferenceEngine::new(spec, TraceFilter::none()), spec, &cuts);
    for threads in 1..=if seed.is_multiple_of(8) { 4 } else { 1 } {
        let mut engine = WindowedEngine::new(spec, TraceFilter::none(), threads);
        engine.set_pace(if seed.is_multiple_of(16) { Pace::All } else { Pace::Changing });
        let found = readings(&mut engine, spec, &cuts);
        for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let what = format!("network {seed}, {threads} threads, stop {place}");
            assert_same_counters(found, expected, &what);
        }
    }
}

/// Up to seven instants of the run, some twice, some on the grid of cell times.
fn uneven_cuts(seed: u64, spec: &NetworkSpec) -> Vec<SimTime> {
    let mut word = seed;
    let mut next = || {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        word >> 33
    };
    let mut cuts: Vec<u64> = (0..next() % 7).map(|_| next() * next() % spec.duration.0).collect();
    for cut in &mut cuts {
        if next() % 2 == 0 {
            *cut -= *cut % 500_000;
        }
    }
    cuts.sort_unstable();
    cuts.push(spec.duration.0);
    cuts.into_iter().map(SimTime).collect()
}

/// Counters at every stop; statistics are restarted after the second.
fn readings(engine: &mut dyn Engine, spec: &NetworkSpec, cuts: &[SimTime]) -> Vec<RunCounters> {
    let mut all = Vec::new();
    for (place, cut) in cuts.iter().enumerate() {
        engine.run_until(*cut);
        if place == 1 && spec.seed.is_multiple_of(2) {
            engine.restart_statistics();
        }
        all.push(engine.counters());
    }
    all
}

/// Reports the first counters that differ, not all of them.
fn assert_same_counters(found: &RunCounters, expected: &RunCounters, what: &str) {
    for (index, (found, expected)) in found.vcs.iter().zip(&expected.vcs).enumerate() {
        assert_eq!(found, expected, "{what}: VC {index}");
    }
    for (index, pair) in found.directions.iter().zip(&expected.directions).enumerate() {
        assert_eq!(pair.0, pair.1, "{what}: direction {index}");
    }
    assert_eq!(found, expected, "{what}");
}

/// Claim: a greedy source of N packets makes N, and all arrive; in both engines, at a port of round
/// robin and of a scheduler. On one link of 20 cell times with 7 packets the port is free again
/// after 7, and another, endless flow gets the rest: 13 of 20.
#[test]
fn a_greedy_source_ends_after_its_packets() {
    for scheduler in [SchedulerSpec::RoundRobin, SchedulerSpec::Fifo, SchedulerSpec::Wfq] {
        let mut network = NetworkBuilder::new(20);
        let (a, b) = (network.host("A"), network.host("B"));
        let link = network.link(a, b, 0);
        network.spec.links[link].directions[0].scheduler = scheduler.clone();
        for name in ["ends", "goes on"] {
            network.vc(name, &[a, b], HopControl::None, SourceSpec::Greedy);
        }
        network.spec.vcs[0].traffic.packets = Some(7);
        network.spec.assert_valid();
        let spec = &network.spec;
        let engines: [Box<dyn Engine>; 2] = [
            Box::new(ReferenceEngine::new(spec, TraceFilter::none())),
            Box::new(WindowedEngine::new(spec, TraceFilter::none(), 1)),
        ];
        for mut engine in engines {
            engine.run_until(SimTime(spec.duration.0));
            let made: Vec<u64> =
                engine.counters().vcs.iter().map(|vc| vc.created_packets).collect();
            assert_eq!(made, [7, 13], "{scheduler:?}");
        }
    }
}
