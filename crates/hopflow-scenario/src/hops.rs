//! The hops of a VC, as routes are laid out.

use hopflow_network::DirectionId;

/// Hops in order, parents first: the direction, and the index of the hop that feeds it.
pub(crate) type Hops = Vec<(DirectionId, Option<usize>)>;

/// Whether they are one path, to one receiver.
pub(crate) fn is_one_path(route: &Hops) -> bool {
    route.iter().enumerate().all(|(index, (_, parent))| *parent == index.checked_sub(1))
}

/// The hops of the VC back of a connection: the same links, the other way round.
pub(crate) fn turned(route: &Hops) -> Hops {
    let back = route.iter().rev().enumerate();
    back.map(|(index, (id, _))| (DirectionId::reverse(*id), index.checked_sub(1))).collect()
}
