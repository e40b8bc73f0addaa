//! What is known of a credit scheme beside how it works: what parser, checks, sizes and engines
//! ask. Each scheme answers in its own file, so that nobody else has a list of schemes.

use hopflow_units::Rate;

use super::Grant;

/// What holds for a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// As results write it, and scenarios unless it is a variation: `n123+`.
    pub name: &'static str,
    /// The kind of which scenarios make this scheme by `e = "continuous"`.
    pub variation_of: Option<&'static str>,
    /// What its credit cells carry.
    pub grant: Grant,
    /// What its third zone of the buffer covers. `None`: it has none.
    pub n1: Option<N1>,
    /// It takes E, the cells in flight, as a credit arrives. With the true R and no data cell lost
    /// its count is then that of exact counters.
    pub needs_in_flight: bool,
    /// Its permission may name an instant, see [`super::Permission::At`].
    pub names_instants: bool,
    /// When a receiver with room for what is promised holds all that comes.
    pub holds: Holds,
}

impl Facts {
    /// A scheme whose credit cells carry the free room, and of which nothing else is known.
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

    /// Whether VCs of a link direction share a pool, which takes the place of N3.
    pub const fn shares_pool(&self) -> bool {
        matches!(self.grant, Grant::Shared)
    }
}

/// What a third zone covers: the cells of one round trip at a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum N1 {
    /// That of the link.
    Link,
    /// That which the VC shall reach.
    Target,
}

impl N1 {
    /// The rate that it covers.
    pub const fn rate(self, link: Rate, target: Rate) -> Rate {
        match self {
            N1::Link => link,
            N1::Target => target,
        }
    }
}

/// When a receiver with room for what is promised holds all that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Always, whatever is lost.
    Always,
    /// Where R is at least the true loop of the link.
    TrueLoop,
    /// Not always, or nobody has shown it.
    Unknown,
}
