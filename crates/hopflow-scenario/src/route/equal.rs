//! The path of a flow where several shortest paths are equal.
//!
//! ```text
//! ecmp:     index = floor(h n / 2^64),  h = hash(route seed, flow, node), of n next links  (1)
//! d-mod-k:  index = floor(D / m^l) mod m,  m = k/2, D = the destination's number from 0    (2)
//! ```
//! Eq. (1) is a choice of each node on its own, so that the choices of different tiers are
//! independent. h is the first draw of the random stream of the flow for this node: it depends on
//! the seed and two names, so another flow changes no route. In Eq. (2) l counts the switches
//! below, from 0 at the one of the source.
//!
//! Sources: [RFC2992] for the hash of a flow, [Zahavi10] for Eq. (2). Differs: the hash is of
//! names, not of addresses and ports. Not modelled: flowlets; choices by load or per packet.

use std::ops::Range;

use hopflow_kernel::RandomStream;
use hopflow_network::DirectionId;

use super::Router;
use crate::Code;
use crate::diagnostic::Sink;
use crate::hops::Hops;
use crate::paths::{Next, Paths, TooMuchWork};
use crate::routing::RoutingKind;

/// The names of a flow and where its destination is named.
pub(super) struct Asked<'a> {
    pub(super) flow: &'a str,
    pub(super) source: usize,
    pub(super) end: usize,
    pub(super) span: Range<usize>,
}

impl Router<'_> {
    /// The path of a flow with one destination. Notes whether it was one of several.
    pub(super) fn unicast(&mut self, asked: Asked<'_>, sink: &mut Sink) -> Option<Hops> {
        if self.routing.kind == RoutingKind::First {
            let hops = self.first(asked.source, vec![(asked.end, asked.span)], sink)?;
            self.is_one_of_several = self.is_one_of_several(&hops, asked.source, asked.end);
            return Some(hops);
        }
        if asked.source == asked.end {
            self.to_itself(asked.end, &asked.span, sink)?;
        }
        let (routing, nodes) = (self.routing, self.nodes);
        let paths = match self.paths.between(asked.source, asked.end) {
            Ok(Some(paths)) => paths,
            Ok(None) => return self.unconnected(&asked, sink),
            Err(TooMuchWork) => {
                let message = "the search for the shortest paths of all flows exceeds its limit";
                sink.error(Code::TOO_MUCH, &asked.span, message).hint("give each flow its `route`");
                return None;
            }
        };
        let walked = if routing.kind == RoutingKind::Ecmp {
            ecmp(&paths, routing.seed, asked.flow, |node| nodes.name(node))
        } else {
            let number = nodes.trees.pair(asked.source, asked.end);
            let whole = |next: &[Next]| nodes.trees.is_whole(asked.end, next);
            d_mod_k(&paths, number, whole)
        };
        let Some((way, chosen)) = walked else {
            let (from, to) = (nodes.name(asked.source), nodes.name(asked.end));
            let message = format!(
                "`routing = \"d-mod-k\"` needs a fat tree of `[[topology]]`, as it was made, \
                 between `{from}` and `{to}`"
            );
            let hint = "write `routing = \"ecmp\"`, or give this flow its `route`";
            sink.error(Code::NO_D_MOD_K, &asked.span, message).hint(hint);
            return None;
        };
        self.is_one_of_several = chosen;
        Some(in_a_row(way))
    }

    fn unconnected(&self, asked: &Asked<'_>, sink: &mut Sink) -> Option<Hops> {
        if !self.links.incomplete {
            let (a, b) = (self.nodes.name(asked.source), self.nodes.name(asked.end));
            let message = format!("no path of links and switches leads from `{a}` to `{b}`");
            sink.error(Code::UNCONNECTED, &asked.span, message);
        }
        None
    }

    /// Whether there is another path with as few links. Not if that takes too much work to say.
    fn is_one_of_several(&mut self, hops: &Hops, source: usize, end: usize) -> bool {
        let Ok(Some(paths)) = self.paths.between(source, end) else { return false };
        let along = |_: usize, _: usize, next: &[Next]| {
            let taken = next.iter().position(|(id, _)| hops.iter().any(|(hop, _)| hop == id));
            taken.ok_or(())
        };
        paths.walk(along).is_ok_and(|(_, chosen)| chosen)
    }
}

/// Eq. (1) along one of the paths.
fn ecmp<'n>(
    paths: &Paths<'_>,
    seed: u64,
    flow: &str,
    name: impl Fn(usize) -> &'n str,
) -> Option<(Vec<DirectionId>, bool)> {
    const AT: &str = "route at ";
    let mut purpose = AT.to_owned();
    let walked: Result<_, ()> = paths.walk(|node, _, next| {
        purpose.truncate(AT.len());
        purpose.push_str(name(node));
        let hash = RandomStream::new(seed, flow, &purpose).next_u64();
        Ok(((u128::from(hash) * next.len() as u128) >> 64) as usize)
    });
    walked.ok()
}

/// Eq. (2) along one of the paths. `destination` is its number from 0 and m, if both ends are in
/// one fat tree. `None`: the next links are not those of the tree.
fn d_mod_k(
    paths: &Paths<'_>,
    destination: Option<(usize, usize)>,
    is_whole: impl Fn(&[Next]) -> bool,
) -> Option<(Vec<DirectionId>, bool)> {
    let (number, radix) = destination?;
    let walked = paths.walk(|_, below, next| {
        let is_up = below < 2 && next.len() == radix && is_whole(next);
        if is_up { Ok(number / radix.pow(below as u32) % radix) } else { Err(()) }
    });
    walked.ok()
}

/// A path as hops.
fn in_a_row(way: Vec<DirectionId>) -> Hops {
    way.into_iter().enumerate().map(|(index, id)| (id, index.checked_sub(1))).collect()
}
