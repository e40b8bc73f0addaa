//! Watchdogs of a random network that act.

use std::collections::BTreeSet;

use hopflow_control::lane::{PauseSpec, WatchdogAction, Watching};
use hopflow_units::{Bytes, Picos, SimTime};

use super::Dice;
use hopflow_network::{Change, DirectionId, EventSpec, LaneRule, LanesSpec, NetworkSpec, NodeKind};

/// `spec` with PFC on all links from switch to switch: thresholds of a few
/// cells and long pauses, each with a watchdog that is short beside the run. Half of the watchdogs
/// are ideal timers; the others poll, restore or forward. The links behind such a lane are blocked
/// for a part of the run, so that it is paused. The same for the same `seed`. The networks of
/// [`super::random_network`] stay the same, and so do those with branches or
/// under rate control, whose RM cells cross no lanes.
pub fn with_watchdogs(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0004);
    let unfit = spec.vcs.iter().any(|vc| {
        vc.rate.is_some()
            || vc.hops.iter().enumerate().any(|(index, hop)| hop.parent != index.checked_sub(1))
    });
    for id in (0..spec.direction_count()).map(DirectionId) {
        let ends = [spec.from_node(id), spec.to_node(id)];
        let switches = ends.iter().all(|node| spec.nodes[*node].kind == NodeKind::Switch);
        if switches && !unfit {
            let lanes = LanesSpec::new(0xFF, LaneRule::Pause(watched(&mut dice)));
            spec.links[id.link()].directions[id.side()].lanes = Some(lanes);
            block_behind(&mut spec, id, &mut dice);
        }
    }
    spec.assert_valid();
    spec
}

/// Blocks the next link of each VC of a direction, from the first to the last third of the run.
fn block_behind(spec: &mut NetworkSpec, id: DirectionId, dice: &mut Dice) {
    let third = spec.duration.0 / 3;
    let times = [dice.between(0, third), 2 * third + dice.below(third)].map(SimTime);
    let next = spec.vcs.iter().filter_map(|vc| {
        let at = vc.hops.iter().position(|hop| hop.direction_id() == id)?;
        Some(vc.hops.get(at + 1)?.direction_id())
    });
    let next: BTreeSet<usize> = next.map(|id| id.0).collect();
    for id in next.into_iter().map(DirectionId) {
        for (at, blocked) in times.into_iter().zip([true, false]) {
            let (link, direction) = (id.link(), id.side());
            spec.events.push(EventSpec { at, link, direction, change: Change::Blocked(blocked) });
        }
    }
    spec.events.sort_by_key(|event| event.at);
}

fn watched(dice: &mut Dice) -> PauseSpec {
    let xoff = dice.between(1, 200);
    let detect = dice.between(1, 60_000_000);
    PauseSpec {
        xoff: Bytes(xoff),
        xon: Bytes(dice.below(xoff)),
        quanta: *dice.pick(&[300, u16::MAX]),
        room: None,
        watchdog: Some(Picos(detect)),
        watching: if dice.chance(50) { Watching::IDEAL } else { watching(dice) },
    }
}

fn watching(dice: &mut Dice) -> Watching {
    Watching {
        poll: if dice.chance(30) { Picos::ZERO } else { Picos(dice.between(1, 30_000_000)) },
        restore: dice.chance(60).then(|| Picos(dice.between(1, 60_000_000))),
        action: *dice.pick(&[WatchdogAction::Drop, WatchdogAction::Forward]),
    }
}
