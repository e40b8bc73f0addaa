//! Twice the window: every other member lags.
//!
//! ```text
//! first   |----------- W -----------|----------- W -----------|       lag d
//! second  ------|----------- W -----------|----------- W -----------| no lag
//!          l >= d: units of the first have arrived when the second run, right after
//!          l + d >= W: units of the second are due in the next window of the first
//! ```
//! If the links shorter than twice the window join members of two kinds only (a tree, a line, a fat
//! tree), members of the first kind run first and lag by d, at most the least latency from a first
//! to a second member. Then
//! ```text
//! W = min(d + least latency from second to first, least other latency, twice W before)  (1)
//! ```
//! which is twice the latency if all links are equal. An instant plus the lag is a *key*; in keys a
//! unit takes l + lag(to) - lag(from).
//!
//! Only the members of a whole network are skewed: on one thread those of the group of all nodes,
//! on several the parts that are assigned to chunks (`dealt.rs`), one kind at a time. Members of
//! one kind do not affect each other within W, so they may run at once.
//!
//! Checked by: `plan/tests.rs`, `windows/tests.rs`.

use super::{GroupPlan, Layout, MemberPlan, Reach};

/// Windows must become longer by this factor.
const WORTH_SKEWING: f64 = 1.2;

/// Members of two kinds, see the module documentation.
pub(super) struct Skew {
    /// For each member, whether it is of the second kind.
    pub(super) is_second: Vec<bool>,
    /// W, in ps.
    pub(super) window: u64,
    /// d, of members of the first kind.
    pub(super) lag: u64,
}

impl Skew {
    /// How `members` members with windows of `before` may lag; `None` if that does not pay.
    /// `between`: links from member to member.
    pub(super) fn new(members: usize, between: &[Reach], before: u64) -> Option<Skew> {
        let most = before.saturating_mul(2);
        let is_second = kinds(members, between, most)?;
        let least = |from: bool, to: bool| {
            let links =
                between.iter().filter(|l| (is_second[l.from], is_second[l.to]) == (from, to));
            links.map(|link| link.latency.0).min()
        };
        let (lag, back) = (least(false, true)?, least(true, false)?);
        let lag = lag.min(most.saturating_sub(back));
        let same = [least(false, false), least(true, true)].into_iter().flatten();
        let window = same.fold(lag.saturating_add(back).min(most), u64::min);
        let is_worth_it = window as f64 >= WORTH_SKEWING * before as f64;
        is_worth_it.then_some(Skew { is_second, window, lag })
    }
}

/// Lets every other member of the first group lag, if that makes windows longer.
pub(super) fn skew(layout: &mut Layout, links: &[Reach]) {
    let member_of = members(layout);
    let group = &layout.groups[0];
    let between = between(&member_of, links);
    if let Some(skew) = Skew::new(group.members.len(), &between, group.lookahead) {
        rearrange(&mut layout.groups[0], &skew);
        layout.member_of = members(layout);
    }
}

/// Links from member to member. `member_of` is indexed by node.
pub(super) fn between(member_of: &[u32], links: &[Reach]) -> Vec<Reach> {
    let member = |node: usize| member_of[node] as usize;
    let ends = |link: &Reach| Reach { from: member(link.from), to: member(link.to), ..*link };
    links.iter().map(ends).filter(|link| link.from != link.to).collect()
}

/// Puts the first kind first.
fn rearrange(group: &mut GroupPlan, skew: &Skew) {
    let of_kind = |kind: bool| {
        let members = group.members.iter().zip(&skew.is_second).filter(move |(_, is)| **is == kind);
        members.map(|(member, _)| *member).collect::<Vec<MemberPlan>>()
    };
    let (first, second) = (of_kind(false), of_kind(true));
    group.lookahead = skew.window;
    group.lags = vec![skew.lag; first.len()];
    group.lags.resize(first.len() + second.len(), 0);
    group.members = [first, second].concat();
}
/// How far the sender of a link may be ahead of its receiver, in a group that is skewed. A member
/// that runs later is a window ahead, in keys.
pub(super) fn ahead(layout: &Layout, from: usize, to: usize) -> u64 {
    let group = &layout.groups[0];
    let [from, to] = [from, to].map(|node| layout.member_of[node] as usize);
    let window = if from < to { group.lookahead } else { 0 };
    (window + group.lags[to]).saturating_sub(group.lags[from])
}

/// For each node, the member of the first group that contains it.
fn members(layout: &Layout) -> Vec<u32> {
    let mut of_group = vec![u32::MAX; layout.groups.len()];
    let mut member_of = vec![u32::MAX; layout.group_of.len()];
    // Groups follow their parents.
    for (number, group) in layout.groups.iter().enumerate() {
        for (index, member) in group.members.iter().enumerate() {
            let of = if number == 0 { index as u32 } else { of_group[number] };
            match *member {
                MemberPlan::Node(node) => member_of[node] = of,
                MemberPlan::Group(child) => of_group[child] = of,
            }
        }
    }
    member_of
}

/// Two kinds such that every link shorter than `window` joins one of each: for each member, whether
/// it is of the second. `None` if there are no such kinds.
fn kinds(members: usize, links: &[Reach], window: u64) -> Option<Vec<bool>> {
    let mut beside = vec![Vec::new(); members];
    for link in links.iter().filter(|link| link.latency.0 < window) {
        beside[link.from].push(link.to);
        beside[link.to].push(link.from);
    }
    let mut kind = vec![None; members];
    for first in 0..members {
        if kind[first].is_some() {
            continue;
        }
        kind[first] = Some(false);
        let mut open = vec![first];
        while let Some(member) = open.pop() {
            let other = kind[member].map(|kind: bool| !kind);
            for &neighbor in &beside[member] {
                if kind[neighbor].is_none() {
                    kind[neighbor] = other;
                    open.push(neighbor);
                } else if kind[neighbor] != other {
                    return None;
                }
            }
        }
    }
    kind.into_iter().collect()
}
