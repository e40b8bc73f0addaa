//! Ends and hops of the workloads, each by a formula or a slow calculation.

use hopflow_network::LaneRule;

use super::*;
use crate::workloads::named;
use crate::workloads::testing::{delivered, hops, last, reference, windowed};

/// Claim: the tandem of 100,000 cells ends at 0.272947432 s: 99,999 cell times of 2,726,338 ps and
/// six hops of 52,726,338 ps. ns-3, htsim and OMNeT++, which truncate the cell time to 2,726,337
/// ps, end at 0.272947332 s: 100,005 cell times of one ps less. SimPy, which does not round 424 /
/// 155.52 us, ends in between, at 0.272947377 s. The scenario file is that run.
#[test]
fn the_tandem_ends_where_others_end() {
    let spec = tandem(Control::Fifo, 100_000);
    let counters = windowed(&spec);
    assert_eq!((delivered(&counters), hops(&counters)), (100_000, [600_000, 0]));
    let end = last(&counters);
    assert_eq!(end, 272_947_431_690);
    assert_eq!(end - 100_005, 99_999 * 2_726_337 + 6 * 52_726_337);
    let others = (end - 100_005) as f64 / 1e12;
    assert!((others - 0.272_947_332).abs() < 0.5e-9, "{others}");
    let exact = 424.0_f64 / 155.52e6;
    assert!((99_999.0 * exact + 6.0 * (exact + 50e-6) - 0.272_947_377).abs() < 0.5e-9);

    let text = include_str!("../../../scenarios/tandem-fifo.toml");
    let mut own = Scenario::from_toml(text, "tandem-fifo.toml").unwrap().network;
    assert!(own.duration > spec.duration);
    own.duration = spec.duration;
    assert_eq!(own, spec);
}

/// Claim: no sender is paused on the tandem: under PFC it ends as without, and no frame is sent.
#[test]
fn the_tandem_is_never_paused() {
    let spec = tandem(Control::Pfc, 5_000);
    for counters in [windowed(&spec), reference(&spec)] {
        assert_eq!(last(&counters), 4_999 * 2_726_338 + 6 * 52_726_338);
        assert_eq!(hops(&counters), [30_000, 0]);
    }
}

/// Claim: the fabric of 64 hosts, 300 packets each, ends at 105.942 us (shift) and 302.550 us
/// (random permutation) as in ns-3, htsim, OMNeT++ and SimPy. By hand, shift: 299 x 0.32768 +
/// 6 x 1.32768 us; random: three flows share a link that is never idle: 899 x 0.32768 + the
/// same.
#[test]
fn the_fabric_ends_where_others_end() {
    for (pattern, waits, end, total) in
        [(Pattern::Shift, 299_u64, 105.942_f64, 115_200), (Pattern::Random, 899, 302.550, 103_800)]
    {
        let spec = fabric(FatTree::HOSTS_64, pattern, Control::Fifo, 64 * 300);
        for counters in [windowed(&spec), reference(&spec)] {
            assert_eq!(last(&counters), waits * 327_680 + 6 * 1_327_680, "{pattern:?}");
            assert!((last(&counters) as f64 / 1e6 - end).abs() < 0.5e-3, "{pattern:?}");
            assert_eq!(delivered(&counters), 64 * 300, "{pattern:?}");
            assert_eq!(hops(&counters), [total, 0], "{pattern:?}");
        }
    }
}

/// Claim: at full size the fabrics have as many hops as were counted in other simulators, 300 or
/// 3,000 a host: 1,152,000 and 1,038,000 on 64 hosts, 1,843,200 and 1,786,800 on 1,024. They are
/// counted on routes here; runs with ten packets of each host show that all packets arrive within
/// Eq. (3). D-mod-k: no link is shared on the way down.
#[test]
fn the_fabrics_have_the_hops_of_others() {
    for (name, each, expected) in [
        ("fabric-fifo-shift", 3_000, 1_152_000),
        ("fabric-fifo", 3_000, 1_038_000),
        ("large-fabric-fifo-shift", 300, 1_843_200),
        ("large-fabric-fifo", 300, 1_786_800),
    ] {
        let workload = named(name).unwrap();
        let hosts = workload.full_size / each;
        let spec = workload.network(10 * hosts);
        let routes: usize = spec.vcs.iter().map(|vc| vc.hops.len()).sum();
        assert_eq!(routes as u64 * each, expected, "{name}");
        let down = |hop: &&hopflow_network::HopSpec| hop.direction == 1;
        let mut down: Vec<_> = spec.vcs.iter().flat_map(|vc| vc.hops.iter().filter(down)).collect();
        let all = down.len();
        down.sort_by_key(|hop| hop.link);
        down.dedup_by_key(|hop| hop.link);
        assert_eq!(down.len(), all, "{name}");
        let counters = windowed(&spec);
        assert_eq!(delivered(&counters), 10 * hosts, "{name}");
        assert_eq!(hops(&counters), [routes as u64 * 10, 0], "{name}");
    }
}

/// Claim: of many flows every cell is delivered, N / F of each, the last one at the instant of
/// Lindley's recursion, in both engines, whether ports are FIFO, serve by VirtualClock, or pause
/// hosts, which occurs.
#[test]
fn many_flows_end_as_lindley_says() {
    for control in [Control::Fifo, Control::VirtualClock, Control::Pfc] {
        let spec = many_flows(control, 100, 30_000);
        for counters in [windowed(&spec), reference(&spec)] {
            assert!(counters.vcs.iter().all(|vc| vc.leaves[0].delivered_packets == 300));
            let [data, frames] = hops(&counters);
            assert_eq!((data, frames > 0), (90_000, control == Control::Pfc));
            assert_eq!(last(&counters) + 1, spec.duration.0);
        }
    }
}

/// Claim: many flows offer 0.9 of the trunk. A million cells are 10,000 bursts, so the mean of
/// their silences is within 4 % (four standard errors).
#[test]
fn many_flows_offer_what_they_should() {
    let spec = many_flows(Control::Fifo, 100, 1_000_000);
    let cell = spec.cell_time(DirectionId(0)).0 as f64;
    let ends = spec.vcs.iter().map(|vc| vc.stop.unwrap().0 as f64);
    let mean = ends.sum::<f64>() / 100.0;
    // A flow stops after 100 bursts and as many silences and the one before the first burst.
    let off = 100.0 * cell * 100.0 / 0.9 - 100.0 * cell;
    let expected = 101.0 * off + 10_000.0 * cell;
    assert!((mean / expected - 1.0).abs() < 0.04, "{mean} {expected}");
}

/// Claim: a port under VirtualClock is never idle while a packet waits, so a run that Eq. (1) or
/// (4) ends has the same end as under FIFO. So does the random permutation: three flows share a
/// link at the first stage up, and the last packet from it waits nowhere else.
#[test]
fn virtual_clock_idles_no_port() {
    let ends = |control| {
        [
            tandem(control, 1_000),
            fabric(FatTree::HOSTS_64, Pattern::Random, control, 64 * 100),
            fabric(FatTree::HOSTS_64, Pattern::Incast, control, 64 * 10),
        ]
        .map(|spec| last(&windowed(&spec)))
    };
    assert_eq!(ends(Control::VirtualClock), ends(Control::Fifo));
}

/// Claim: incast ends at Eq. (4), in both engines, and every packet crosses as many links as its
/// source is away: of 1,024 hosts 7 are 2 links from host 0, 56 are 4 and 960 are 6.
#[test]
fn incast_ends_when_its_last_link_does() {
    let packet = 327_680;
    let spec = fabric(FatTree::HOSTS_64, Pattern::Incast, Control::Fifo, 64 * 5);
    for counters in [windowed(&spec), reference(&spec)] {
        assert_eq!(last(&counters), (63 * 5 + 1) * packet + 2_000_000);
    }
    let counters = windowed(&named("large-fabric-incast").unwrap().network(1_024 * 2));
    assert_eq!(last(&counters), (1_023 * 2 + 1) * packet + 2_000_000);
    assert_eq!(delivered(&counters), 1_023 * 2);
    assert_eq!(hops(&counters), [2 * (7 * 2 + 56 * 4 + 960 * 6), 0]);
}

/// Claim: all-to-all sends one packet from each host to each other and crosses as many links as
/// they are apart: of 64 hosts, from each, 3 are 2 links away, 12 are 4 and 48 are 6. No host sends
/// two at a time, and none of the last waits: the end is the least of Eq. (5), in both engines.
#[test]
fn all_to_all_reaches_everyone_once() {
    let spec = fabric(FatTree::HOSTS_64, Pattern::AllToAll, Control::Fifo, 64 * 63);
    assert_eq!(spec.vcs.len(), 64 * 63);
    for counters in [windowed(&spec), reference(&spec)] {
        assert!(counters.vcs.iter().all(|vc| vc.leaves[0].delivered_packets == 1));
        assert_eq!(hops(&counters), [64 * (3 * 2 + 12 * 4 + 48 * 6), 0]);
        assert_eq!(counters.directions[0].queue_max_packets, 1);
        assert_eq!(last(&counters), 62 * 327_680 + 6 * 1_327_680);
    }
}

/// Claim: PFC loses nothing. If no packet waits it sends no pause frame, and ends as without it; in
/// a random permutation it does, no input ever holds more than its room, and every packet arrives
/// within the run, by the same route as without PFC.
#[test]
fn pfc_is_lossless() {
    let size = 64 * 300;
    let shift = fabric(FatTree::HOSTS_64, Pattern::Shift, Control::Pfc, size);
    let counters = windowed(&shift);
    assert_eq!((last(&counters), hops(&counters)), (299 * 327_680 + 6 * 1_327_680, [115_200, 0]));

    let random = fabric(FatTree::HOSTS_64, Pattern::Random, Control::Pfc, size);
    let LaneRule::Pause(pause) = random.links[0].directions[0].lanes.unwrap().rule else {
        panic!("PFC pauses");
    };
    // Room: XOFF and (1) to (3) of `pause/headroom.rs`, at 100 Gb/s, 1 us each way.
    let span = 327_680 + 4_240 + 2_000_000_u64;
    let headroom = (span * 100).div_ceil(8 * 1_000) + 4_096;
    assert_eq!(pause.room, Some(Bytes(15 * 4_096 + 4_096 + headroom)));
    for counters in [windowed(&random), reference(&random)] {
        let [data, control] = hops(&counters);
        assert_eq!((data, delivered(&counters)), (103_800, size));
        let lanes = || counters.directions.iter().flat_map(|direction| &direction.lanes);
        assert_eq!(lanes().map(|lane| lane.frames_sent).sum::<u64>(), control);
        assert!(control > 0 && lanes().all(|lane| Some(Bytes(lane.held_max)) <= pause.room));
        let dropped: u64 =
            counters.vcs.iter().flat_map(|vc| &vc.hops).map(|hop| hop.dropped_packets).sum();
        assert_eq!(dropped, 0);
    }
}
