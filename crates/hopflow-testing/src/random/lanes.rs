//! Lanes in a random network: PFC and lane credits on some links.

use hopflow_control::lane::{LaneCreditSpec, PauseSpec, WatchdogAction, Watching};
use hopflow_units::{Bytes, Picos};

use super::{Dice, Style, positive_span};
use hopflow_network::{DirectionId, LaneRule, LanesSpec, NetworkSpec, NodeKind};

/// Adds to `spec` in place, when sizes of packets are settled.
pub(super) fn add(spec: &mut NetworkSpec, style: Style, dice: &mut Dice) {
    let share = *dice.pick(&[30, 60, 100]);
    let rule = dice.below(3);
    for link in 0..spec.links.len() {
        if !dice.chance(share) {
            continue;
        }
        let pauses = rule == 0 || (rule == 2 && dice.chance(50));
        let priorities = *dice.pick(&[0xFF, 0xFF, 1, 2, 6]);
        let both = dice.chance(80);
        let first = dice.below(2) as usize;
        for direction in if both { vec![0, 1] } else { vec![first] } {
            let id = DirectionId::new(link, direction);
            let rule = if pauses {
                LaneRule::Pause(random_pause(spec, id, style, dice))
            } else {
                LaneRule::Credit(random_credit(spec, id, priorities, style, dice))
            };
            let lanes = LanesSpec::new(priorities, rule);
            spec.links[link].directions[direction].lanes = Some(lanes);
        }
    }
}

fn random_pause(spec: &NetworkSpec, id: DirectionId, style: Style, dice: &mut Dice) -> PauseSpec {
    let xoff = dice.between(1, 2_000);
    let switch = spec.nodes[spec.from_node(id)].kind == NodeKind::Switch;
    let plain = spec.vcs.iter().all(|vc| {
        vc.hops.iter().enumerate().all(|(index, hop)| hop.parent == index.checked_sub(1))
    });
    let watches = switch && plain && dice.chance(40);
    let watchdog = positive_span(style, 40, dice);
    PauseSpec {
        xoff: Bytes(xoff),
        xon: Bytes(dice.below(xoff)),
        quanta: *dice.pick(&[1, 2, 5, 20, 300, u16::MAX]),
        room: dice.chance(30).then(|| Bytes(xoff + dice.below(4_000))),
        watchdog: watches.then_some(watchdog),
        watching: watching(watchdog),
    }
}

/// Half of the watchdogs are ideal timers; others look at times, restore, or forward.
fn watching(detect: Picos) -> Watching {
    let [half, third, fifth] = [2, 3, 5].map(|part| (detect.0 / 7).is_multiple_of(part));
    if half {
        return Watching::IDEAL;
    }
    Watching {
        poll: if third { Picos::ZERO } else { Picos(detect.0 / 3 + 1) },
        restore: (!fifth).then_some(Picos(detect.0 / 2 + 1)),
        action: if detect.0 / 7 % 4 == 1 { WatchdogAction::Drop } else { WatchdogAction::Forward },
    }
}

fn random_credit(
    spec: &NetworkSpec,
    id: DirectionId,
    priorities: u8,
    style: Style,
    dice: &mut Dice,
) -> LaneCreditSpec {
    let block = Bytes(*dice.pick(&[53, 53, 64, 100]));
    let update = dice.between(1, 10) as u32;
    let rule = LaneRule::Credit(LaneCreditSpec { block, buffer: 1, update, refresh: None });
    let any = LanesSpec::new(priorities, rule);
    let largest = spec.largest_of_lanes()[id.0];
    let largest = any.each_priority().map(|lane| largest[usize::from(lane)]).max();
    let least = largest.unwrap_or(Bytes::CELL).0.div_ceil(block.0) as u32 + update - 1;
    let refresh: Picos = positive_span(style, 60, dice);
    LaneCreditSpec {
        block,
        buffer: least + dice.below(30) as u32,
        update,
        refresh: dice.chance(50).then_some(refresh),
    }
}
