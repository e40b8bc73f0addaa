//! Twice the window: every other member lags behind.
//!
//! ```text
//! first   |----------- W -----------|----------- W -----------|       lag d
//! second  ------|----------- W -----------|----------- W -----------| no lag
//!          l >= d: what the first have sent is there when the second are run, right after
//!          l + d >= W: what the second have sent is due in the next window of the first
//! ```
//! Where the links shorter than twice the window join members of two kinds only (a tree, a line, a
//! fat tree), members of the first kind are run first and lag by d, at most the least latency
//! from a first to a second member. Then
//! ```text
//! W = min(d + least latency from second to first, least other latency, twice W before)  (1)
//! ```
//! which is twice the latency where all links are alike. An instant plus the lag is a *key*; in
//! keys a unit takes l + lag(to) - lag(from).
//!
//! Only the group of all nodes is skewed, and only on one thread: kinds would have to wait for each
//! other. Checked by: `plan/tests.rs`, `windows/tests.rs`.

use super::{GroupPlan, Layout, MemberPlan, Reach};

/// Windows must get so many times longer.
const WORTH_SKEWING: f64 = 1.2;

/// Lets every other member of the first group lag, if that makes windows longer.
pub(super) fn skew(layout: &mut Layout, links: &[Reach]) {
    let member_of = members(layout);
    let group = &layout.groups[0];
    let between: Vec<Reach> = links
        .iter()
        .map(|link| Reach {
            from: member_of[link.from] as usize,
            to: member_of[link.to] as usize,
            ..*link
        })
        .filter(|link| link.from != link.to)
        .collect();
    let most = group.lookahead.saturating_mul(2);
    let Some(is_second) = kinds(group.members.len(), &between, most) else { return };
    let least = |from: bool, to: bool| {
        let links = between.iter().filter(|l| (is_second[l.from], is_second[l.to]) == (from, to));
        links.map(|link| link.latency.0).min()
    };
    let (Some(lag), Some(back)) = (least(false, true), least(true, false)) else { return };
    let lag = lag.min(most.saturating_sub(back));
    let same = [least(false, false), least(true, true)].into_iter().flatten();
    let window = same.fold(lag.saturating_add(back).min(most), u64::min);
    if window as f64 >= WORTH_SKEWING * group.lookahead as f64 {
        rearrange(&mut layout.groups[0], &is_second, (window, lag));
        layout.member_of = members(layout);
    }
}

/// The first kind first.
fn rearrange(group: &mut GroupPlan, is_second: &[bool], (window, lag): (u64, u64)) {
    let of_kind = |kind: bool| {
        let members = group.members.iter().zip(is_second).filter(move |(_, is)| **is == kind);
        members.map(|(member, _)| *member).collect::<Vec<MemberPlan>>()
    };
    let (first, second) = (of_kind(false), of_kind(true));
    group.lookahead = window;
    group.lags = vec![lag; first.len()];
    group.lags.resize(first.len() + second.len(), 0);
    group.members = [first, second].concat();
}

/// How far the sender of a link may be ahead of its receiver, in a group that is skewed. Who is
/// run later is a window ahead, in keys.
pub(super) fn ahead(layout: &Layout, from: usize, to: usize) -> u64 {
    let group = &layout.groups[0];
    let [from, to] = [from, to].map(|node| layout.member_of[node] as usize);
    let window = if from < to { group.lookahead } else { 0 };
    (window + group.lags[to]).saturating_sub(group.lags[from])
}

/// By node, the member of the first group that it is in.
fn members(layout: &Layout) -> Vec<u32> {
    let mut of_group = vec![u32::MAX; layout.groups.len()];
    let mut member_of = vec![u32::MAX; layout.group_of.len()];
    // Groups come after their parents.
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

/// Two kinds such that every link shorter than `window` joins one of each; whether each member is
/// of the second. `None` where there are no such kinds.
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
