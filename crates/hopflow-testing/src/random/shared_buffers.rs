//! The last additions to a random network: buffers, and hops under adaptive credit that share them.

use hopflow_units::{Bytes, Cells, Picos};

use super::{Dice, Style, positive_span, random_span};
use hopflow_network::{
    CreditScheme, CreditSpec, DirectionId, HopControl, NetworkSpec, SharedBufferSpec, SizeLaw,
};

/// Adds to `spec` in place.
pub(super) fn add(spec: &mut NetworkSpec, style: Style, dice: &mut Dice) {
    for direction in (0..spec.direction_count()).map(DirectionId) {
        if dice.chance(50) {
            continue;
        }
        for vc in &mut spec.vcs {
            let is_cells = vc.traffic.size == SizeLaw::CELL;
            for hop in &mut vc.hops {
                if is_cells && hop.direction_id() == direction && dice.chance(80) {
                    hop.control = random_sharing(style, dice);
                }
            }
        }
        add_buffer(spec, direction, style, dice);
    }
}

fn random_sharing(style: Style, dice: &mut Dice) -> HopControl {
    let request = positive_span(style, 80, dice);
    let redundant = positive_span(style, 60, dice);
    HopControl::Credit(CreditSpec {
        scheme: CreditScheme::Adaptive,
        unit: Bytes::CELL,
        n1: Cells::ZERO,
        n2: Cells(dice.between(1, 10) as u32),
        n3: Cells::ZERO,
        request_after: dice.chance(40).then_some(request),
        redundant_every: dice.chance(25).then_some(redundant),
        per_cell: 1,
        allow_small_buffer: false,
    })
}

/// A buffer from one cell per VC to more than enough, allotted anew every loop or a little later.
fn add_buffer(spec: &mut NetworkSpec, direction: DirectionId, style: Style, dice: &mut Dice) {
    let count = u64::from(spec.sharers()[direction.0].count);
    let more = *dice.pick(&[0, 5, 40, 120]);
    let memory = Cells((count.max(1) + dice.between(0, more)) as u32);
    let later = if dice.chance(50) { Picos::ZERO } else { random_span(style, 30, dice) };
    let interval = spec.loop_time(direction.link()) + later;
    let link = &mut spec.links[direction.link()];
    link.directions[direction.side()].shared_buffer = Some(SharedBufferSpec { memory, interval });
}
