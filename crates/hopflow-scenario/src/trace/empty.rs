//! A trace that is asked for and can have no row: its flows never cross its links, or nothing in
//! the network makes units of its kinds.

use hopflow_network::{
    CellKind, DirectionId, HopControl, HopSpec, NetworkSpec, RoundTrip, TraceFilter, TracePart,
};
use hopflow_record::direction_names;

/// Link directions named in a message at most.
const NAMED: usize = 4;

/// What is wrong, and the way out, if `filter` keeps a part of which there is nothing in `network`.
pub(crate) fn why_empty(filter: &TraceFilter, network: &NetworkSpec) -> Option<[String; 2]> {
    let part = filter.part.as_ref()?;
    never_crossed(part, network).or_else(|| never_made(part, network))
}

/// Both directions of each link that a VC crosses: its credits and ACKs go back.
fn crossed(hops: &[HopSpec]) -> impl Iterator<Item = DirectionId> + '_ {
    hops.iter().map(HopSpec::direction_id).flat_map(|id| [id, id.reverse()])
}

fn never_crossed(part: &TracePart, network: &NetworkSpec) -> Option<[String; 2]> {
    let (vcs, directions) = (part.vcs.as_ref()?, part.directions.as_ref()?);
    let chosen = || network.vcs.iter().zip(vcs).filter(|(_, is_asked)| **is_asked);
    if chosen().any(|(vc, _)| crossed(&vc.hops).any(|id| directions[id.0])) {
        return None;
    }
    let names = direction_names(network);
    let link = directions.iter().position(|is_asked| *is_asked).map(|id| &names[id])?;
    let (flow, _) = chosen().next()?;
    let way: Vec<&str> = flow.hops.iter().map(|hop| &*names[hop.direction_id().0]).collect();
    let way = match &way[..] {
        [some @ .., last] if some.len() >= NAMED => {
            format!("{} ... {last}", some[..NAMED - 1].join(", "))
        }
        all => all.join(", "),
    };
    let (flows, links) = (chosen().count(), directions.iter().filter(|one| **one).count());
    let message = if flows == 1 && links == 1 {
        format!("the trace would be empty: `{}` does not cross `{link}`", flow.name)
    } else {
        format!(
            "the trace would be empty: none of its {flows} flows, such as `{}`, crosses any of \
             its {links} link directions, such as `{link}`",
            flow.name
        )
    };
    let hint = format!(
        "`{}` crosses {way}: name one of these in `links`, or leave `links` or `flows` out",
        flow.name
    );
    Some([message, hint])
}

fn never_made(part: &TracePart, network: &NetworkSpec) -> Option<[String; 2]> {
    let kinds = || CellKind::ALL.into_iter().filter(|kind| part.kinds[*kind as usize]);
    if kinds().any(|kind| may_be_made(kind, network)) {
        return None;
    }
    let word = |kind: CellKind| format!("`{}`", CellKind::WORDS[kind as usize]);
    let asked: Vec<String> = kinds().map(word).collect();
    let made = CellKind::ALL.into_iter().filter(|kind| may_be_made(*kind, network));
    let made: Vec<String> = made.map(word).collect();
    let message = format!(
        "the trace would be empty: no flow and no link here makes units of kind {}",
        asked.join(", ")
    );
    let hint = format!("here there may be {}; without `kinds` all are kept", made.join(", "));
    Some([message, hint])
}

/// Whether a network has what makes units of a kind.
fn may_be_made(kind: CellKind, network: &NetworkSpec) -> bool {
    let mut hops = network.vcs.iter().flat_map(|vc| vc.hops.iter());
    let mut vcs = network.vcs.iter();
    let mut links = network.links.iter();
    let mut directions = network.links.iter().flat_map(|link| &link.directions);
    let credit = |hop: &HopSpec| match &hop.control {
        HopControl::Credit(credit) => Some(credit.request_after.is_some()),
        HopControl::None => None,
    };
    match kind {
        CellKind::Data => true,
        CellKind::Ack => vcs.any(|vc| vc.window.is_some()),
        CellKind::Credit => hops.any(|hop| credit(hop).is_some()),
        CellKind::FurtherCredit => {
            hops.any(|hop| matches!(hop.control, HopControl::Credit(credit) if credit.per_cell > 1))
        }
        CellKind::Request => hops.any(|hop| credit(hop) == Some(true)),
        CellKind::Loop | CellKind::LoopReply => {
            links.any(|link| link.round_trip == RoundTrip::Measured)
        }
        CellKind::SlowDown => vcs.any(|vc| vc.reservation.is_some()),
        CellKind::SetUp | CellKind::Connect | CellKind::Refusal | CellKind::Release => {
            vcs.any(|vc| vc.signalled)
        }
        CellKind::ForwardRm | CellKind::BackwardRm => vcs.any(|vc| vc.rate.is_some()),
        CellKind::Pause | CellKind::LaneCredit => {
            directions.any(|direction| direction.lanes.is_some_and(|lanes| lanes.frames() == kind))
        }
    }
}
