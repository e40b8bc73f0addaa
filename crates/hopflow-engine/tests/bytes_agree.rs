//! The windowed engine compared with the reference engine where limits are in bytes and memories
//! have cells: the windowed engine counts bytes as packets come and go, the reference engine adds
//! up the packets that are held.

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    DirectionId, Discard, Engine, Limit, NetworkSpec, RunCounters, TraceFilter, TraceRow,
};
use hopflow_testing::{
    random_bounded_network, random_network, random_slow_network, random_usual_network,
    with_backward_rm, with_bytes, with_cbfc, with_ends, with_watchdogs, with_work,
};
use hopflow_units::{Cells, SimTime};

/// Networks to run; more by `HOPFLOW_NETWORKS=100000 cargo test ...`.
fn network_count() -> u64 {
    std::env::var("HOPFLOW_NETWORKS").map_or(400, |n| n.parse().expect("a number of networks"))
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

/// A network with what the seed chooses of features that hold, drop or create packets.
fn network(seed: u64) -> NetworkSpec {
    let spec = match seed % 8 {
        0 => random_slow_network(seed),
        1 => with_cbfc(random_network(seed)),
        2 => with_backward_rm(random_network(seed), seed),
        3 => with_work(random_network(seed), seed),
        4 => with_watchdogs(random_network(seed), seed),
        5 => random_usual_network(seed),
        6 => random_bounded_network(seed),
        _ => random_network(seed),
    };
    with_bytes(with_ends(spec, seed), seed)
}

/// Claim: both engines follow docs/models/order.md with limits in bytes, in any mix with limits in
/// packets, with thresholds that move and with reserves, and hold the same most bytes: of packets
/// dropped, pushed out, and of frames.
#[test]
fn engines_agree_on_limits_in_bytes() {
    let (mut full, mut pushed, mut cells, mut moved, mut reserved) = (0, 0, 0, 0, 0);
    for seed in 0..network_count() {
        let spec = network(seed);
        let filter = || TraceFilter::all(spec.vcs.len(), spec.direction_count());
        let reference = run(&mut ReferenceEngine::new(&spec, filter()), &spec, 1);
        let threads = 1 + seed as usize / 8 % 3;
        let windowed = run(&mut WindowedEngine::new(&spec, filter(), threads), &spec, 3);
        let place = reference.1.iter().zip(&windowed.1).position(|(a, b)| a != b);
        if let Some(place) = place {
            let show = |rows: &[TraceRow]| {
                let rows = &rows[place.saturating_sub(5)..rows.len().min(place + 3)];
                rows.iter().map(|row| format!("{row:?}")).collect::<Vec<_>>().join("\n")
            };
            let (a, b) = (show(&reference.1), show(&windowed.1));
            panic!("network {seed}: rows differ at {place}:\n{a}\n{b}");
        }
        assert_eq!(reference.1.len(), windowed.1.len(), "network {seed}: number of rows");
        assert_eq!(reference.0, windowed.0, "network {seed}: counters");
        let counted = spec.counts_bytes();
        for (node, counters) in reference.0.nodes.iter().enumerate() {
            assert!(counted[node] || counters.memory_max_bytes == 0, "network {seed}");
            let held = counters.buffered_max_packets > 0 && counted[node];
            assert_eq!(held, counters.memory_max_bytes > 0, "network {seed}, node {node}");
            let (limit, pushes) = (spec.nodes[node].buffer, spec.nodes[node].discard);
            if let (Some(Limit::Bytes(most)), true) = (limit, counters.memory_max_bytes > 0) {
                full += u32::from(counters.memory_max_bytes + 100 > most.0);
                pushed += u32::from(pushes != Discard::Arriving);
            }
            cells += u32::from(spec.nodes[node].cell.is_some() && held);
            moved += u32::from(spec.nodes[node].alpha.is_some() && held);
            reserved += u32::from(!spec.nodes[node].reserve.is_none() && held);
        }
    }
    let least = network_count() as u32 / 20;
    let seen = [full, pushed, cells, moved, reserved];
    assert!(full > least && pushed > least / 4 && cells > least, "{seen:?}");
    assert!(moved > least && reserved > least / 2, "{seen:?}");
}

/// Claim: where all packets are cells of 53 bytes, a limit of L bytes is one of floor(L / 53)
/// packets: the digest and all counters but that of the bytes are the same.
#[test]
fn bytes_of_cells_are_whole_cells() {
    let mut compared = 0;
    for seed in 0..network_count() {
        let mut spec = random_network(seed);
        let only_cells = spec.vcs.iter().all(|vc| vc.traffic.size.most().0 == 53);
        let unframed = spec.connections.is_empty();
        if !only_cells || !unframed {
            continue;
        }
        let of_cells = run(&mut WindowedEngine::new(&spec, TraceFilter::none(), 1), &spec, 1);
        let mut changed = 0;
        let mut in_bytes = |limit: &mut Option<Limit>| {
            if let Some(Limit::Packets(Cells(cells))) = *limit {
                let bytes = 53 * u64::from(cells) + (seed + changed) % 53;
                *limit = Some(Limit::Bytes(hopflow_units::Bytes(bytes)));
                changed += 1;
            }
        };
        for node in &mut spec.nodes {
            in_bytes(&mut node.buffer);
            in_bytes(&mut node.vc_buffer);
            in_bytes(&mut node.port_buffer);
            if let hopflow_network::FrameDiscardSpec::Early { node, vc } = &mut node.frame_discard {
                in_bytes(node);
                in_bytes(vc);
            }
        }
        for id in (0..spec.direction_count()).map(DirectionId) {
            in_bytes(&mut spec.links[id.link()].directions[id.side()].buffer);
        }
        let mut of_bytes = run(&mut WindowedEngine::new(&spec, TraceFilter::none(), 1), &spec, 1);
        of_bytes.0.nodes.iter_mut().for_each(|node| node.memory_max_bytes = 0);
        assert_eq!(of_cells.0, of_bytes.0, "network {seed}");
        compared += u32::from(changed > 0);
    }
    assert!(compared > network_count() as u32 / 20, "{compared} networks compared");
}
