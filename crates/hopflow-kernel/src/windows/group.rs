//! Nodes that share a clock: they are run window by window, one after the other, by one thread.
//!
//! ```text
//! parent's window   |------------------------------|
//! windows here      |--L--|     |--L--||--L--|          idle time between them is jumped over
//! member 1          run....     run....              a member is a node, or a group whose
//! member 2          run....             run....      windows are shorter still
//! ```
//! A member is run when its own time has come, or when a unit for it is due. It tells who gets
//! what it has sent, and when: what goes to another member is noted here, the rest is handed to
//! the parent. A unit that is due in the present window is for a member further on (the plan sees
//! to it, see `plan.rs`): that a member is reached before its time is asserted.
//!
//! Members may lag: one with lag l is run up to l before the end of the window, so everything here
//! is planned by *keys*, instants plus lag. A group that lags is no part of another. When it is to
//! stop at an instant no member goes beyond that; what is planned for later is put off till then.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hopflow_units::SimTime;

use super::{Next, Sent, WindowNode};
use crate::bits::BitSet;

/// A node, or nodes with windows of their own.
#[derive(Debug)]
pub(super) enum Member<N> {
    Node(N),
    Group(Box<Group<N>>),
}

/// Nodes that share a clock.
#[derive(Debug)]
pub(super) struct Group<N> {
    members: Vec<Member<N>>,
    /// Places of the nodes here: from `first` to before `end`.
    first: u32,
    end: u32,
    /// By place, the member it is in. Empty when every member is a node.
    member_of: Vec<u32>,
    /// The longest window, in ps.
    lookahead: u64,
    /// By member, its lag in ps.
    lags: Vec<u64>,
    /// The longest of them.
    longest_lag: u64,
    /// Where members lag: not to be passed yet.
    horizon: u64,
    /// Where members lag: everything before this instant has been run.
    floor: u64,
    /// What is planned for the horizon or later: (member, instant).
    put_off: Vec<(usize, u64)>,
    /// Where windows have come to.
    clock: u64,
    /// Members to be run in the present window.
    due: BitSet,
    /// Members to be run in the next window.
    soon: BitSet,
    /// The first key at which one of `soon` has something to do.
    soonest: u64,
    /// When members have something to do later than the next window: (key, member).
    later: BinaryHeap<Reverse<(u64, u32)>>,
    /// The earliest key in `later` of each member.
    scheduled: Vec<u64>,
    /// What members send in this window.
    sent: Sent,
    /// Units that nodes here took in.
    units: u64,
}

/// A window, in keys.
#[derive(Clone, Copy)]
struct Window {
    end: u64,
    /// Everything before this instant, and not before the end, lies in the next window.
    soon: u64,
    /// The member that is being run.
    member: usize,
}

impl<N: WindowNode> Group<N> {
    /// Every member has its say at `now`.
    pub(super) fn new(
        members: Vec<Member<N>>,
        first: usize,
        (lookahead, lags): (u64, Vec<u64>),
        (now, sent): (SimTime, Sent),
    ) -> Group<N> {
        let count = members.len();
        let nodes: usize = members.iter().map(Member::count).sum();
        let longest_lag = lags.iter().copied().max().unwrap_or(0);
        let mut group = Group {
            first: first as u32,
            end: (first + nodes) as u32,
            member_of: Vec::new(),
            lookahead,
            longest_lag,
            lags,
            horizon: u64::MAX,
            floor: if longest_lag == 0 { 0 } else { now.0 },
            put_off: Vec::new(),
            clock: now.0,
            due: BitSet::new(count),
            soon: BitSet::new(count),
            soonest: u64::MAX,
            later: BinaryHeap::new(),
            scheduled: vec![u64::MAX; count],
            sent,
            units: 0,
            members,
        };
        if nodes > count {
            let member = |(index, member): (usize, &Member<N>)| vec![index as u32; member.count()];
            group.member_of = group.members.iter().enumerate().flat_map(member).collect();
        }
        let first = Window { end: 0, soon: now.0.saturating_add(lookahead), member: 0 };
        (0..count).for_each(|member| group.plan(member, now.0, first));
        group
    }

    /// The place of the first node, and that behind the last.
    const fn places(&self) -> (u32, u32) {
        (self.first, self.end)
    }

    /// The first key at which something is to be done here; the instant, where no member lags.
    pub(super) fn next(&self) -> u64 {
        let later = self.later.peek().map_or(u64::MAX, |Reverse((at, _))| *at);
        self.soonest.min(later)
    }

    /// Runs all nodes up to `end`. What goes elsewhere is told to `sent`.
    pub(super) fn run(&mut self, end: u64, sent: &mut Sent) -> Next {
        let before = self.units;
        while self.step(end, sent) {}
        Next { own: SimTime(self.next()), units: self.units - before }
    }

    /// Runs a group that is all there is, window by window, up to `end` or as long as `more` says
    /// so, given their number so far. Nothing is known to happen before the instant returned.
    pub(super) fn run_alone(
        &mut self,
        end: u64,
        sent: &mut Sent,
        mut more: impl FnMut(u64) -> bool,
    ) -> u64 {
        let (mut window, lags) = (0, self.longest_lag > 0);
        if lags {
            self.horizon = end;
            for (member, at) in std::mem::take(&mut self.put_off) {
                self.plan(member, at, Window { end: 0, soon: 0, member: 0 });
            }
        }
        let end_key = if lags { u64::MAX } else { end };
        while more(window) && self.step(end_key, sent) {
            window += 1;
        }
        if self.next() < u64::MAX || !lags {
            return self.next().saturating_sub(self.longest_lag);
        }
        self.floor = end;
        self.put_off.iter().map(|(_, at)| *at).min().unwrap_or(u64::MAX)
    }

    /// Where members lag, runs all of them up to where the first has come. Nothing is known to
    /// happen before the instant returned.
    pub(super) fn align(&mut self, sent: &mut Sent) -> u64 {
        if self.longest_lag == 0 {
            return self.next();
        }
        let end = self.clock.min(self.horizon);
        if end <= self.floor {
            return self.floor;
        }
        self.run_alone(end, sent, |_| true).max(end)
    }

    /// Runs all nodes up to the end of one window, if anything is to be done before `end`.
    fn step(&mut self, end: u64, sent: &mut Sent) -> bool {
        let start = self.next();
        let is_open = start < end;
        if is_open {
            self.run_window(start.saturating_add(self.lookahead).min(end), sent);
        }
        is_open
    }

    /// Units that nodes here took in.
    pub(super) const fn units(&self) -> u64 {
        self.units
    }

    /// Takes note that a node here gets a unit at `at`, or is to look whether it does.
    pub(super) fn expect(&mut self, place: u32, at: u64) {
        let start = self.next().min(at);
        let soon = start.saturating_add(self.lookahead);
        self.arrive(place, at, Window { end: 0, soon, member: 0 });
    }

    fn run_window(&mut self, end: u64, sent: &mut Sent) {
        self.clock = end;
        std::mem::swap(&mut self.due, &mut self.soon);
        self.soonest = u64::MAX;
        self.call_scheduled(end);
        let mut window = Window { end, soon: end.saturating_add(self.lookahead), member: 0 };
        let mut from = 0;
        while let Some(member) = self.due.take_from(from) {
            from = member + 1;
            window.member = member;
            let end = end.saturating_sub(self.lags[member]).clamp(self.floor, self.horizon);
            let next = match &mut self.members[member] {
                Member::Node(node) => node.run_window(SimTime(end), &mut self.sent),
                Member::Group(group) => group.run(end, &mut self.sent),
            };
            self.units += next.units;
            debug_assert!(next.own.0 >= end, "a member runs to the end of its window");
            self.plan(member, next.own.0, window);
            self.deliver(window, sent);
        }
    }

    /// Members whose own time comes before `end` are due. What a member had planned before it
    /// planned something earlier is passed over.
    fn call_scheduled(&mut self, end: u64) {
        while let Some(&Reverse((at, member))) = self.later.peek() {
            if at >= end {
                break;
            }
            self.later.pop();
            if self.scheduled[member as usize] == at {
                self.scheduled[member as usize] = u64::MAX;
                self.due.insert(member as usize);
            }
        }
    }

    /// Passes on what a member has sent.
    #[inline]
    fn deliver(&mut self, window: Window, sent: &mut Sent) {
        let (first, end) = self.places();
        for index in 0..self.sent.arrivals.len() {
            let (place, due) = self.sent.arrivals[index];
            if (first..end).contains(&place) {
                self.arrive(place, due, window);
            } else {
                sent.arrivals.push((place, due));
            }
        }
        self.sent.arrivals.clear();
    }

    #[inline]
    fn arrive(&mut self, place: u32, due: u64, window: Window) {
        let place_here = (place - self.first) as usize;
        if self.member_of.is_empty() {
            return self.plan(place_here, due, window);
        }
        let member = self.member_of[place_here] as usize;
        if let Member::Group(group) = &mut self.members[member] {
            group.expect(place, due);
        }
        self.plan(member, due, window);
    }

    /// Sees to it that a member is run when its time has come.
    #[inline]
    fn plan(&mut self, member: usize, at: u64, window: Window) {
        if at >= self.horizon {
            return self.put_off(member, at);
        }
        let at = at.saturating_add(self.lags[member]);
        if at < window.soon {
            if at < window.end {
                assert!(member > window.member, "a unit is due at a node that was run already");
                self.due.insert(member);
                return;
            }
            self.soon.insert(member);
            self.soonest = self.soonest.min(at);
        } else if at < self.scheduled[member] {
            self.schedule(member, at);
        }
    }

    #[inline(never)]
    fn put_off(&mut self, member: usize, at: u64) {
        if at < u64::MAX {
            self.put_off.push((member, at));
        }
    }

    #[inline(never)]
    fn schedule(&mut self, member: usize, at: u64) {
        self.scheduled[member] = at;
        self.later.push(Reverse((at, member as u32)));
    }
}

impl<N: WindowNode> Member<N> {
    fn count(&self) -> usize {
        match self {
            Member::Node(_) => 1,
            Member::Group(group) => (group.end - group.first) as usize,
        }
    }
}

impl<N> Group<N> {
    /// Adds all nodes, by place.
    pub(super) fn dissolve(self, nodes: &mut Vec<N>) {
        for member in self.members {
            match member {
                Member::Node(node) => nodes.push(node),
                Member::Group(group) => group.dissolve(nodes),
            }
        }
    }

    /// Adds references to all nodes, by place.
    pub(super) fn collect<'a>(&'a self, nodes: &mut Vec<&'a N>) {
        for member in &self.members {
            match member {
                Member::Node(node) => nodes.push(node),
                Member::Group(group) => group.collect(nodes),
            }
        }
    }

    /// Adds references to all nodes, by place.
    pub(super) fn collect_mut<'a>(&'a mut self, nodes: &mut Vec<&'a mut N>) {
        for member in &mut self.members {
            match member {
                Member::Node(node) => nodes.push(node),
                Member::Group(group) => group.collect_mut(nodes),
            }
        }
    }
}
