//! A slow and simple link for the tests: N VCs, one unit and one credit cell per slot. A packet of
//! u units is sent in u slots, and arrives with its last.
//!
//! ```text
//! slot t: 1. the credit that arrives is accepted    4. at the end of an interval: allot
//!         2. the cell that arrives is accepted      5. the first credit in the queue starts
//!         3. receivers free what they may           6. the next VC that may starts a cell
//! ```
//! A cell, that is a packet of one unit, that starts at t and is freed on arrival can bring a
//! credit for slot t + D, D = there + back. Senders are greedy while they are on, and are served
//! round-robin.

use std::collections::VecDeque;

use super::{UNIT, sharer};
use crate::credit::Permission;
use crate::credit::adaptive::*;
use crate::credit::slotted::{NOW, start};

#[derive(Debug)]
pub(super) struct Link {
    pub(super) shares: BufferShares,
    pub(super) senders: Vec<AdaptiveSender>,
    /// Senders that have cells.
    pub(super) on: Vec<bool>,
    /// The most packets freed in a slot, by VC.
    pub(super) drain: Vec<u32>,
    /// No credit starts while true.
    pub(super) line_stands: bool,
    pub(super) now: u64,
    pub(super) sent: Vec<u64>,
    pub(super) credits_started: u64,
    memory: u32,
    held: Vec<u32>,
    there: u64,
    back: u64,
    interval: u64,
    next: usize,
    /// Units of the largest packet of each VC.
    largest: Vec<u32>,
    /// Packets of a VC differ in size.
    pub(super) are_varied: bool,
    free_at: u64,
    /// In flight: instant of arrival, VC, units.
    packets: VecDeque<(u64, usize, u32)>,
    /// Units of the packets held, by VC.
    lines: Vec<VecDeque<u32>>,
    line: VecDeque<u32>,
    /// In flight: instant of arrival, VC, value, and the limit that the value encodes.
    credits: VecDeque<(u64, usize, CreditValue, u64)>,
}

impl Link {
    /// N VCs, all off, with receivers that free at once; an interval lasts one loop.
    pub(super) fn new(memory: u32, count: usize, n2: u32, loop_slots: u64) -> Link {
        Link::of_packets(memory, &vec![1; count], n2, loop_slots)
    }

    /// VCs whose largest packets take these units. An interval is the loop of the largest.
    pub(super) fn of_packets(memory: u32, largest: &[u32], n2: u32, loop_slots: u64) -> Link {
        let (count, there) = (largest.len(), loop_slots / 2);
        let vcs: Vec<Sharer> = largest.iter().map(|units| sharer(n2, *units)).collect();
        let mut sharers = Sharers::default();
        for vc in &vcs {
            sharers.add(vc.units.largest());
        }
        let sender = |vc: &Sharer| {
            let share = sharers.first_share(Cells(memory), vc.units.largest());
            AdaptiveSender::new(Start { units: vc.units, ..start(share.0) })
        };
        let most = largest.iter().max().expect("a link has VCs");
        Link {
            shares: BufferShares::new(Cells(memory), &vcs),
            senders: vcs.iter().map(sender).collect(),
            on: vec![false; count],
            drain: vec![u32::MAX; count],
            line_stands: false,
            now: 0,
            sent: vec![0; count],
            credits_started: 0,
            memory,
            held: vec![0; count],
            there,
            back: loop_slots - there,
            interval: loop_slots + u64::from(*most) - 1,
            next: 0,
            largest: largest.to_vec(),
            are_varied: false,
            free_at: 0,
            packets: VecDeque::new(),
            lines: vec![VecDeque::new(); count],
            line: VecDeque::new(),
            credits: VecDeque::new(),
        }
    }

    /// One slot. The memory is counted here, independently of the shares, and never overflows.
    pub(super) fn step(&mut self) {
        if let Some(&(_, vc, value, _)) = self.credits.front().filter(|credit| credit.0 == self.now)
        {
            self.credits.pop_front();
            self.senders[vc].on_credit(NOW, value, Cells::ZERO);
        }
        if let Some(&(_, vc, units)) = self.packets.front().filter(|packet| packet.0 == self.now) {
            self.packets.pop_front();
            self.held[vc] += units;
            self.lines[vc].push_back(units);
            let is_over = self.shares.on_packet(vc as u32, UNIT * units);
            assert!(!is_over, "slot {}: the memory overflows", self.now);
            assert!(self.held.iter().sum::<u32>() <= self.memory);
        }
        for vc in 0..self.held.len() {
            for _ in 0..self.drain[vc].min(self.lines[vc].len() as u32) {
                let units = self.lines[vc].pop_front().expect("a packet is held");
                self.held[vc] -= units;
                if self.shares.on_freed(vc as u32, UNIT * units) {
                    self.line.push_back(vc as u32);
                }
            }
        }
        if self.now > 0 && self.now.is_multiple_of(self.interval) {
            let line = &mut self.line;
            self.shares.allot(|vc| line.push_back(vc));
        }
        if !self.line_stands {
            self.start_credit();
        }
        self.start_packet();
        self.assert_room();
        self.now += 1;
    }

    /// Asserts that the memory has room for all that may arrive before anything else is freed: each
    /// sender uses the highest limit that it has or that is in flight to it.
    fn assert_room(&self) {
        let reach = |vc: usize| {
            let coming = self.credits.iter().filter(|credit| credit.1 == vc).map(|credit| credit.3);
            let own = self.sent[vc].saturating_add_signed(self.senders[vc].ahead.into());
            let limit = coming.max().unwrap_or(0).max(own);
            limit.max(self.sent[vc]) - self.shares.members[vc].freed
        };
        let sum: u64 = (0..self.senders.len()).map(reach).sum();
        assert!(sum <= u64::from(self.memory), "slot {}: {sum} cells may come", self.now);
        // The room that is left is that of Eq. (5) at this instant.
        let owed: u64 = self.shares.members.iter().map(Member::owed).sum();
        assert_eq!(self.shares.spare, i64::from(self.memory) - owed.cast_signed());
    }

    pub(super) fn steps(&mut self, count: u64) {
        for _ in 0..count {
            self.step();
        }
    }

    fn start_credit(&mut self) {
        while let Some(vc) = self.line.pop_front() {
            if let Some(value) = self.shares.credit_value(vc) {
                self.credits_started += 1;
                let limit = self.shares.members[vc as usize].advertised;
                self.credits.push_back((self.now + self.back, vc as usize, value, limit));
                return;
            }
        }
    }

    /// Units of the next packet of a VC: the largest, or any.
    fn next_units(&self, vc: usize) -> u32 {
        let largest = self.largest[vc];
        if self.are_varied { (self.sent[vc] * 7 % u64::from(largest)) as u32 + 1 } else { largest }
    }

    fn start_packet(&mut self) {
        if self.now < self.free_at {
            return;
        }
        let count = self.senders.len();
        for turn in 0..count {
            let vc = (self.next + turn) % count;
            if self.on[vc] && self.senders[vc].permission(NOW) == Permission::Now {
                let units = self.next_units(vc);
                self.senders[vc].on_send(NOW, Cells(units));
                self.sent[vc] += u64::from(units);
                self.next = vc + 1;
                self.free_at = self.now + u64::from(units);
                let arrival = self.free_at - 1 + self.there;
                self.packets.push_back((arrival, vc, units));
                return;
            }
        }
    }

    /// The sender of a VC requests a credit; the receiver gets the request at once.
    pub(super) fn ask(&mut self, vc: usize) {
        if self.shares.ask(vc as u32) {
            self.line.push_back(vc as u32);
        }
    }

    /// Units started by each VC in the next `slots` slots.
    pub(super) fn sent_in(&mut self, slots: u64) -> Vec<u64> {
        let before = self.sent.clone();
        self.steps(slots);
        self.sent.iter().zip(before).map(|(after, before)| after - before).collect()
    }
}
