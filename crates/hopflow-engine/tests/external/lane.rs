//! External lane rules: they can replicate a built-in one, the engines agree on them, and their
//! failures are reported as faults.

use hopflow_control::credit::End;
use hopflow_control::external::MachineError;
use hopflow_control::lane::{
    ExternalLane, ExternalLaneSpec, FRAME_BITS, Frame, LaneCreditSpec, LaneRule,
};
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{LaneFacts, Machine, NetworkSpec, RunCounters};
use hopflow_testing::random_network;
use hopflow_units::{Bytes, Picos, SimTime};

use super::{fault_in_both, full, network_count, run, run_in_both};

const MASK: u64 = (1 << FRAME_BITS) - 1;

/// Lane credit, written again from its equations. What is not of the rule itself: `is_moody`: its
/// answers depend on how often and when it was called, it begins without credit, and it may overrun
/// the buffer. At or after an instant it fails.
struct Own {
    rule: LaneCreditSpec,
    end: End,
    // The sender: FCTBS and FCCL.
    sent: u64,
    limit: u64,
    not_before: SimTime,
    // The receiver.
    received: u64,
    since_due: u32,
    timer: Option<SimTime>,
    // The test.
    is_moody: bool,
    calls: u64,
    after: SimTime,
    how: u64,
    has_failed: bool,
}

impl Own {
    fn new(rule: LaneCreditSpec, facts: &LaneFacts<'_>) -> Own {
        assert!(facts.from != facts.to && facts.largest >= Bytes::CELL, "a lane of a link");
        assert_eq!((facts.block, facts.buffer), (rule.block, rule.buffer));
        Own {
            rule,
            end: facts.end,
            sent: 0,
            limit: u64::from(rule.buffer),
            not_before: SimTime::ZERO,
            received: 0,
            since_due: 0,
            timer: rule.refresh.map(|span| SimTime(span.0)),
            is_moody: false,
            calls: 0,
            after: SimTime::NEVER,
            how: 0,
            has_failed: false,
        }
    }

    fn called(&mut self, now: SimTime, end: End) -> Result<(), MachineError> {
        assert!(self.end == end, "each end is called about its own");
        self.calls += if self.is_moody { 1 + now.0 % 3 } else { 1 };
        self.has_failed = now >= self.after;
        match self.how {
            _ if !self.has_failed => Ok(()),
            0 => Err("it gives up".into()),
            1 => panic!("it panics"),
            _ => Ok(()),
        }
    }

    /// A moody machine, each time that it was called this often.
    fn is_moved(&self, each: u64) -> bool {
        self.is_moody && self.calls.is_multiple_of(each)
    }
}

impl ExternalLane for Own {
    fn credit(&self) -> u32 {
        let credit = self.limit.saturating_sub(self.sent) as u32;
        match self.how {
            2 if self.has_failed => self.rule.buffer + 1,
            _ if self.is_moody && self.calls == 0 => 0,
            _ if self.is_moved(11) => self.rule.buffer,
            _ => credit,
        }
    }

    fn not_before(&self) -> SimTime {
        self.not_before
    }

    fn total(&self) -> Option<u32> {
        let total = (self.sent & MASK) as u32;
        Some(if self.how == 5 && self.has_failed { 1 << FRAME_BITS } else { total })
    }

    fn on_send(&mut self, now: SimTime, blocks: u32) -> Result<(), MachineError> {
        let is_allowed = self.credit() >= blocks && now >= self.not_before;
        assert!(is_allowed, "a packet starts with permission");
        self.called(now, End::Sender)?;
        self.sent += u64::from(blocks);
        Ok(())
    }

    fn on_frame(&mut self, now: SimTime, fccl: u32) -> Result<(), MachineError> {
        self.called(now, End::Sender)?;
        assert!(u64::from(fccl) <= MASK, "a frame has 25 bits");
        let distance = u64::from(fccl).wrapping_sub(self.limit) & MASK;
        if distance <= u64::from(LaneCreditSpec::BUFFER_MOST) {
            self.limit += distance;
        }
        if self.is_moved(3) {
            self.not_before = now.saturating_add(Picos(2_000_000 * (self.calls % 5)));
        }
        Ok(())
    }

    fn on_packet(&mut self, now: SimTime, blocks: u32, held: u32) -> Result<bool, MachineError> {
        assert!(held >= blocks && blocks > 0, "the packet is one of them");
        self.called(now, End::Receiver)?;
        self.received += u64::from(blocks);
        Ok(self.is_moved(5))
    }

    fn on_freed(&mut self, now: SimTime, blocks: u32, held: u32) -> Result<bool, MachineError> {
        assert!(self.is_moody || held + blocks <= self.rule.buffer, "it fits");
        self.called(now, End::Receiver)?;
        self.since_due += blocks;
        let is_due = self.since_due >= self.rule.update;
        self.since_due = if is_due { 0 } else { self.since_due };
        Ok(is_due)
    }

    fn on_total(&mut self, now: SimTime, total: u32) -> Result<bool, MachineError> {
        self.called(now, End::Receiver)?;
        let lost = u64::from(total).wrapping_sub(self.received) & MASK;
        self.received += lost;
        Ok(lost > 0)
    }

    fn frame(&mut self, now: SimTime, held: u32) -> Result<Option<Frame>, MachineError> {
        self.called(now, End::Receiver)?;
        if self.is_moved(7) {
            return Ok(None);
        }
        let fccl = self.received - u64::from(held) + u64::from(self.rule.buffer);
        let long = u32::from(self.how == 3 && self.has_failed) << FRAME_BITS;
        let (is_pause, carries_total) = (self.is_moved(2), !self.is_moved(4));
        if self.is_moved(6) {
            self.timer = Some(now.saturating_add(Picos(1_000_000 * (1 + self.calls % 3))));
        }
        Ok(Some(Frame { value: (fccl & MASK) as u32 | long, is_pause, carries_total }))
    }

    fn next_timer(&self) -> Option<SimTime> {
        if self.how == 4 && self.has_failed { Some(SimTime::ZERO) } else { self.timer }
    }

    fn on_timer(&mut self, now: SimTime, _: u32) -> Result<bool, MachineError> {
        self.called(now, End::Receiver)?;
        assert_eq!(self.timer, Some(now), "no other instant is in force");
        self.timer = self.rule.refresh.map(|span| now.saturating_add(span));
        Ok(!self.is_moved(3))
    }
}

/// Gives lanes under credit machines that replicate it, changed by `change`. Returns their number.
fn replace(
    spec: &mut NetworkSpec,
    change: impl Fn(&mut Own) + Copy + Send + Sync + 'static,
) -> usize {
    let (mut rules, mut replaced) = (Vec::new(), 0);
    for direction in spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        let Some(lanes) = &mut direction.lanes else { continue };
        let LaneRule::Credit(rule) = lanes.rule else { continue };
        let place = rules.len() as u16;
        let LaneCreditSpec { block, buffer, .. } = rule;
        lanes.rule = LaneRule::External(ExternalLaneSpec { place, block, buffer });
        replaced += lanes.each_priority().count();
        rules.push(rule);
    }
    let machine = |(place, rule)| {
        Machine::lane_rule(&format!("own-{place}"), 1, move |facts: &LaneFacts<'_>| {
            let mut own = Own::new(rule, facts);
            change(&mut own);
            Ok(own)
        })
    };
    spec.machines =
        (0..).zip(rules).map(|(place, rule): (u16, _)| machine((place, rule))).collect();
    replaced
}

fn frames(counters: &RunCounters) -> u64 {
    let lanes = counters.directions.iter().flat_map(|direction| &direction.lanes);
    lanes.map(|lane| lane.frames_taken).sum()
}

/// Claim: external machines give every row and every counter of the built-in lane credit that they
/// replicate, in both engines: with several lanes, lost frames and data, refreshed credits,
/// multicast VCs, small buffers of nodes, and lanes of one direction only.
#[test]
fn a_lane_rule_made_outside_is_that_rule() {
    let (mut compared, mut taken) = (0, 0);
    for seed in 0..network_count() {
        let own = random_network(seed);
        let mut spec = own.clone();
        if replace(&mut spec, |_| {}) == 0 {
            continue;
        }
        let built_in = run(&mut ReferenceEngine::new(&own, full(&own)), &own, 1);
        let slow = run_in_both(&spec, seed);
        assert!(slow == built_in, "network {seed}");
        taken += frames(&built_in.0);
        compared += 1;
    }
    assert!(compared > network_count() / 10, "only {compared} networks have such a lane");
    assert!(taken > 10_000, "only {taken} frames were taken");
}

/// Claim: both engines ask a rule the same questions, the same number of times, at the same
/// instants: one whose answers depend on these gives the same rows, even if it begins without
/// credit, moves its timer, stops for a time and overruns its buffer.
#[test]
fn a_lane_rule_is_asked_alike() {
    let (mut compared, mut differ) = (0, 0_u64);
    for seed in 0..network_count() {
        let mut spec = random_network(seed);
        let moody = |own: &mut Own| {
            own.is_moody = true;
            own.timer = own.timer.or(Some(SimTime(3_000_000)));
        };
        if replace(&mut spec, moody) == 0 {
            continue;
        }
        let slow = run_in_both(&spec, seed);
        let own = random_network(seed);
        let built_in = run(&mut WindowedEngine::new(&own, full(&own), 1), &own, 1);
        differ += u64::from(slow.0 != built_in.0);
        compared += 1;
    }
    assert!(compared > network_count() / 10, "only {compared} networks have such a lane");
    assert!(differ > compared / 2, "only {differ} runs depend on the calls");
}

/// Claim: the first fault of a rule is reported, whatever the engine: an error, a panic, more
/// credit than the buffer, a value or a total that no frame can carry, a timer that has passed.
#[test]
fn faults_of_lane_rules() {
    let said = [
        "it gives up",
        "it panics",
        "blocks, but the receiver has a buffer of",
        "the value of its frame is",
        "answer a later instant",
        "its total is",
    ];
    let mut failed = [0; 6];
    for seed in 0..network_count() {
        let mut spec = random_network(seed);
        let (after, how) = (SimTime(spec.duration.0 / 3), seed % 6);
        if replace(&mut spec, move |own| (own.after, own.how) = (after, how)) == 0 {
            continue;
        }
        if let Some(fault) = fault_in_both(&spec, seed) {
            assert!(fault.to_string().contains(said[how as usize]), "network {seed}: {fault}");
            let is_lane = fault.place.starts_with("lane ") && fault.place.contains("er of ");
            assert!(fault.role == "lane rule" && is_lane, "{fault}");
            assert!(fault.at >= after, "network {seed}: {fault}, not before {after}");
            failed[how as usize] += 1;
        }
    }
    assert!(failed.iter().all(|failed| *failed > 5), "{failed:?} runs failed");
}
