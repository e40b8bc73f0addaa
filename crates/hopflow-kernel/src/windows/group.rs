//! Nodes that share a clock: they are run window by window, one after the other, by one thread.
//!
//! ```text
//! parent's window   |------------------------------|
//! windows here      |--L--|     |--L--||--L--|          idle time between them is skipped
//! member 1          run....     run....              a member is a node, or a group whose
//! member 2          run....             run....      windows are shorter still
//! ```
//! A member is run when it has an event of its own, or when a unit for it is due. It reports the
//! receivers of the units that it sent, and the instants: those for other members are recorded
//! here, the others are passed to the parent. A unit that is due in the present window is for a
//! later member of the order (`plan.rs` ensures it); it is asserted that no unit arrives in the
//! past of its member.
//!
//! Members may lag: one with lag d is run up to d before the end of the window, so everything here
//! is planned by *keys*, instants plus lag (`clock.rs`). A group that lags is not part of another.
//! When it is to stop at an instant, its *horizon*, no member runs beyond that; events planned for
//! later are deferred until the next call.
//!
//! Invariants:
//! ```text
//! a window begins at the first key at which a member has something to do                  (1)
//! a member is run up to  max(floor, min(end of the window - its lag, horizon))            (2)
//! key of a unit >= key of its start + l + lag of receiver - lag of sender                 (3)
//!               >= end of the window, or the receiver comes later in the order
//! ```
//! l is the latency of the link. The plan ensures Eq. (3); that no member receives a unit in a
//! window in which it has already run is asserted. Each member that has something to do is recorded
//! with its first key: in `due` (this window), `soon` (before the end of the next), `later`, or,
//! past the horizon, by its instant in `deferred`.
//!
//! `docs/models/windows.md` works an example out, and `group/tests.rs` runs it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hopflow_units::{Picos, SimTime};

use super::clock::{Horizon, Key};
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
    /// The nodes of this group have the places from `first` to before `end`.
    first: u32,
    end: u32,
    /// For each place, the member that contains it. Empty when every member is a node.
    member_of: Vec<u32>,
    /// The longest window.
    lookahead: Picos,
    /// For each member, its lag.
    lags: Vec<Picos>,
    /// The longest lag.
    longest_lag: Picos,
    /// Limits no member where none lags.
    horizon: Horizon,
    /// Events planned for the horizon or later: (member, instant).
    deferred: Vec<(usize, SimTime)>,
    /// The end of the last window.
    clock: Key,
    /// Members to be run in the present window.
    due: BitSet,
    /// Members to be run in the next window.
    soon: BitSet,
    /// The first key at which one of `soon` has something to do.
    soonest: Key,
    /// Members that have something to do later than the next window: (key, member).
    later: BinaryHeap<Reverse<(Key, u32)>>,
    /// The earliest key in `later` of each member.
    scheduled: Vec<Key>,
    /// Units that members send in this window.
    sent: Sent,
    /// Units that the nodes of this group received.
    units: u64,
}

/// A window.
#[derive(Clone, Copy)]
struct Window {
    end: Key,
    /// Keys from `end` to before this one lie in the next window.
    soon: Key,
    /// The member that is being run.
    member: usize,
}

impl Window {
    /// A window in which no member is run: every key lies in a later one.
    const NONE: Window = Window { end: Key::FIRST, soon: Key::FIRST, member: 0 };
}

impl<N: WindowNode> Group<N> {
    /// Every member is run first at `now`.
    pub(super) fn new(
        members: Vec<Member<N>>,
        first: usize,
        lookahead: Picos,
        lags: Vec<Picos>,
        now: SimTime,
        sent: Sent,
    ) -> Group<N> {
        let count = members.len();
        let nodes: usize = members.iter().map(Member::count).sum();
        let longest_lag = lags.iter().copied().max().unwrap_or(Picos::ZERO);
        let floor = if longest_lag == Picos::ZERO { SimTime::ZERO } else { now };
        let mut group = Group {
            first: first as u32,
            end: (first + nodes) as u32,
            member_of: Vec::new(),
            lookahead,
            longest_lag,
            lags,
            horizon: Horizon { floor, end: SimTime::NEVER },
            deferred: Vec::new(),
            clock: Key::new(now, Picos::ZERO),
            due: BitSet::new(count),
            soon: BitSet::new(count),
            soonest: Key::NEVER,
            later: BinaryHeap::new(),
            scheduled: vec![Key::NEVER; count],
            sent,
            units: 0,
            members,
        };
        if nodes > count {
            let member = |(index, member): (usize, &Member<N>)| vec![index as u32; member.count()];
            group.member_of = group.members.iter().enumerate().flat_map(member).collect();
        }
        let first = Window { soon: group.clock.after(lookahead), ..Window::NONE };
        (0..count).for_each(|member| group.plan(member, now, first));
        group
    }

    /// The first key at which a member has something to do.
    fn next_key(&self) -> Key {
        let later = self.later.peek().map_or(Key::NEVER, |Reverse((at, _))| *at);
        self.soonest.min(later)
    }

    /// No member has anything to do before this instant.
    pub(super) fn next(&self) -> SimTime {
        self.next_key().instant(self.longest_lag)
    }

    /// Runs all nodes of a group without lags up to `end`. Units for nodes elsewhere are reported
    /// to `sent`.
    pub(super) fn run(&mut self, end: SimTime, sent: &mut Sent) -> Next {
        debug_assert!(!self.anyone_lags(), "a group that lags is run alone");
        let before = self.units;
        while self.step(Key::new(end, Picos::ZERO), sent) {}
        Next { own: self.next(), units: self.units - before }
    }

    /// Whether a member lags.
    fn anyone_lags(&self) -> bool {
        self.longest_lag > Picos::ZERO
    }

    /// Runs a group that contains all nodes, window by window, up to `end` or until `more`, called
    /// with the number of windows so far, returns false. Nothing is known to happen before the
    /// returned instant.
    pub(super) fn run_alone(
        &mut self,
        end: SimTime,
        sent: &mut Sent,
        mut more: impl FnMut(u64) -> bool,
    ) -> SimTime {
        let (mut window, lags) = (0, self.anyone_lags());
        if lags {
            self.horizon.end = end;
            for (member, at) in std::mem::take(&mut self.deferred) {
                self.plan(member, at, Window::NONE);
            }
        }
        let end_key = if lags { Key::NEVER } else { Key::new(end, Picos::ZERO) };
        while more(window) && self.step(end_key, sent) {
            window += 1;
        }
        if self.next_key() < Key::NEVER || !lags {
            return self.next();
        }
        self.horizon.floor = end;
        self.deferred.iter().map(|(_, at)| *at).min().unwrap_or(SimTime::NEVER)
    }

    /// Where members lag, runs all of them up to the instant that the most advanced has reached.
    /// Nothing is known to happen before the returned instant.
    pub(super) fn align(&mut self, sent: &mut Sent) -> SimTime {
        if !self.anyone_lags() {
            return self.next();
        }
        // A member without lag has reached the end of the last window.
        let end = self.clock.instant(Picos::ZERO).min(self.horizon.end);
        if end <= self.horizon.floor {
            return self.horizon.floor;
        }
        self.run_alone(end, sent, |_| true).max(end)
    }

    /// Runs all nodes up to the end of one window, if any has something to do before `end`.
    fn step(&mut self, end: Key, sent: &mut Sent) -> bool {
        let start = self.next_key();
        let is_open = start < end;
        if is_open {
            self.run_window(start.after(self.lookahead).min(end), sent);
        }
        is_open
    }

    /// Units that the nodes of this group received.
    pub(super) const fn units(&self) -> u64 {
        self.units
    }

    /// Records that a node of this group receives a unit at `at`, or checks then whether it does.
    pub(super) fn expect(&mut self, place: u32, at: SimTime) {
        // A group that lags contains all nodes: no node outside sends to it.
        let start = self.next_key().min(Key::new(at, Picos::ZERO));
        self.arrive(place, at, Window { soon: start.after(self.lookahead), ..Window::NONE });
    }

    fn run_window(&mut self, end: Key, sent: &mut Sent) {
        self.clock = end;
        std::mem::swap(&mut self.due, &mut self.soon);
        self.soonest = Key::NEVER;
        self.call_scheduled(end);
        let mut window = Window { end, soon: end.after(self.lookahead), member: 0 };
        let mut from = 0;
        while let Some(member) = self.due.take_from(from) {
            from = member + 1;
            window.member = member;
            let end = self.horizon.reach(end, self.lags[member]);
            let next = match &mut self.members[member] {
                Member::Node(node) => node.run_window(end, &mut self.sent),
                Member::Group(group) => group.run(end, &mut self.sent),
            };
            self.units += next.units;
            debug_assert!(next.own >= end, "a member runs to the end of its window");
            self.plan(member, next.own, window);
            self.deliver(window, sent);
        }
    }

    /// Members whose own first key is before `end` become due. A key that an earlier one of the
    /// same member has replaced is skipped.
    fn call_scheduled(&mut self, end: Key) {
        while let Some(&Reverse((at, member))) = self.later.peek() {
            if at >= end {
                break;
            }
            self.later.pop();
            if self.scheduled[member as usize] == at {
                self.scheduled[member as usize] = Key::NEVER;
                self.due.insert(member as usize);
            }
        }
    }

    /// Passes on the units that a member has sent.
    #[inline]
    fn deliver(&mut self, window: Window, sent: &mut Sent) {
        let (first, end) = (self.first, self.end);
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
    fn arrive(&mut self, place: u32, due: SimTime, window: Window) {
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

    /// Ensures that a member is run in the window that contains `at`.
    #[inline]
    fn plan(&mut self, member: usize, at: SimTime, window: Window) {
        if self.horizon.hides(at) {
            return self.defer(member, at);
        }
        let at = Key::new(at, self.lags[member]);
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
    fn defer(&mut self, member: usize, at: SimTime) {
        if at < SimTime::NEVER {
            self.deferred.push((member, at));
        }
    }

    #[inline(never)]
    fn schedule(&mut self, member: usize, at: Key) {
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
    pub(super) fn collect<'a>(&'a mut self, nodes: &mut Vec<&'a mut N>) {
        for member in &mut self.members {
            match member {
                Member::Node(node) => nodes.push(node),
                Member::Group(group) => group.collect(nodes),
            }
        }
    }
}

#[cfg(test)]
mod tests;
