//! The hops of a VC, as routes are laid out.

use hopflow_network::DirectionId;

/// Hops in order, parents first: the direction, and the index of the hop that feeds it.
pub(crate) type Hops = Vec<(DirectionId, Option<usize>)>;

/// The hops of the VC back of a connection: the same links, the other way round.
pub(crate) fn turned(route: &Hops) -> Hops {
    let back = route.iter().rev().enumerate();
    back.map(|(index, (id, _))| (DirectionId::reverse(*id), index.checked_sub(1))).collect()
}
