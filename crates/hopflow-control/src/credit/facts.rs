//! Facts about credit schemes for the parser, checks, sizes and engines. Each scheme states them in
//! its own file, so that no other list of schemes exists.

use hopflow_units::Rate;

use super::Grant;

/// The facts about a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its name in results, and in scenarios unless it is a variation: `n123+`.
    pub name: &'static str,
    /// The kind that selects this scheme in scenarios together with `e = "continuous"`.
    pub variation_of: Option<&'static str>,
    /// What its credit cells carry.
    pub grant: Grant,
    /// What the third zone of its buffer covers; `None` if it has no third zone.
    pub n1: Option<N1>,
    /// It takes E, the cells in flight, when a credit arrives.
    pub needs_in_flight: bool,
    /// Its permission may name an instant, see [`super::Permission::At`].
    pub names_instants: bool,
    /// When the receiver never overflows, given room for what it promised.
    pub holds: Holds,
}

impl Facts {
    /// A scheme whose credit cells carry the free room; all other facts have their defaults.
    pub(super) const fn new(name: &'static str) -> Facts {
        Facts {
            name,
            variation_of: None,
            grant: Grant::FreeRoom,
            n1: None,
            needs_in_flight: false,
            names_instants: false,
            holds: Holds::Unknown,
        }
    }

    /// Whether its count equals that of exact counters, with the true R and no lost data cell: it
    /// subtracts E from the free room.
    pub const fn counts_exactly(&self) -> bool {
        self.needs_in_flight && matches!(self.grant, Grant::FreeRoom)
    }

    /// Whether the VCs of a link direction share a buffer instead of having N3 each.
    pub const fn shares_buffer(&self) -> bool {
        matches!(self.grant, Grant::Shared)
    }
}

/// What a third zone covers: the cells of one round trip at this rate, the lower rate first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum N1 {
    /// The rate that the VC shall reach.
    Target,
    /// The rate of the link.
    Link,
}

impl N1 {
    /// The rate.
    pub const fn rate(self, link: Rate, target: Rate) -> Rate {
        match self {
            N1::Link => link,
            N1::Target => target,
        }
    }
}

/// When a receiver with room for what it promised never overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Always, whatever is lost.
    Always,
    /// If R is at least the true loop of the link.
    TrueLoop,
    /// Not always, or not proven.
    Unknown,
}
