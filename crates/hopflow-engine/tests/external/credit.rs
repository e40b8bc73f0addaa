//! External credit schemes: they can replicate built-in ones, the engines agree on them, and their
//! failures are reported as faults.

use std::collections::VecDeque;

use hopflow_control::credit::{CreditValue, End, ExternalCredit};
use hopflow_control::external::MachineError;
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    CreditFacts, CreditScheme, CreditSpec, HopControl, Machine, NetworkSpec, SourceSpec,
};
use hopflow_testing::{NetworkBuilder, credit, random_network};
use hopflow_units::{Picos, Rate, SimTime};

use super::{fault_in_both, full, network_count, run, run_in_both};

/// A built-in scheme, written again from its equations. What is not of the scheme itself:
/// `is_moody`: its answers depend on how often and when it was called. At or after an instant it
/// fails.
struct Own {
    scheme: CreditScheme,
    promised: u32,
    n2: u32,
    round_trip: Picos,
    // The sender.
    credit: u32,
    not_before: SimTime,
    starts: VecDeque<SimTime>,
    sent: u64,
    // The receiver.
    since_due: u32,
    freed: u64,
    // The test.
    is_moody: bool,
    calls: u64,
    after: SimTime,
    how: u64,
}

impl Own {
    fn new(scheme: CreditScheme, facts: &CreditFacts<'_>) -> Own {
        assert!(!facts.vc.is_empty() && facts.from != facts.to, "a hop joins two nodes");
        let promised = facts.n2.0 + facts.n3.0;
        Own {
            scheme,
            promised,
            n2: facts.n2.0,
            round_trip: facts.round_trip,
            credit: if facts.end == End::Sender { promised } else { 0 },
            not_before: SimTime::ZERO,
            starts: VecDeque::new(),
            sent: 0,
            since_due: 0,
            freed: 0,
            is_moody: false,
            calls: 0,
            after: SimTime::NEVER,
            how: 0,
        }
    }

    fn called(&mut self, now: SimTime) -> Result<(), MachineError> {
        self.calls += if self.is_moody { 1 + now.0 % 3 } else { 1 };
        match self.how {
            _ if now < self.after => Ok(()),
            0 => Err("it gives up".into()),
            1 => panic!("it panics"),
            2 => {
                self.credit = self.promised + 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Eq. (3) of N23 with continuous E: the C-th youngest start has left (t - R, t].
    fn wait_for_oldest(&mut self) {
        let oldest = self.starts.len().checked_sub(self.credit as usize);
        let free_at = oldest.and_then(|oldest| self.starts.get(oldest));
        self.not_before =
            free_at.map_or(SimTime::ZERO, |start| start.saturating_add(self.round_trip));
    }
}

impl ExternalCredit for Own {
    fn credit(&self) -> u32 {
        self.credit
    }

    fn not_before(&self) -> SimTime {
        self.not_before
    }

    fn on_send(&mut self, now: SimTime) -> Result<(), MachineError> {
        assert!(self.credit > 0 && now >= self.not_before, "a cell starts with permission");
        self.sent += 1;
        if self.scheme == CreditScheme::N23Continuous {
            self.starts.push_back(now);
            self.wait_for_oldest();
        } else {
            self.credit -= 1;
        }
        self.called(now)?;
        if self.is_moody && self.calls.is_multiple_of(3) {
            self.not_before = now.saturating_add(Picos(2_000_000 * (self.calls % 5)));
        }
        Ok(())
    }

    fn on_credit(&mut self, now: SimTime, value: u32, in_flight: u32) -> Result<(), MachineError> {
        match self.scheme {
            CreditScheme::N23 => self.credit = value.saturating_sub(in_flight),
            CreditScheme::N23Continuous => {
                self.credit = value;
                self.wait_for_oldest();
            }
            _ => {
                let behind = (self.sent as u32).wrapping_sub(value) & CreditValue::MAX.bits();
                self.credit = self.promised - behind;
            }
        }
        self.called(now)
    }

    fn on_cell(&mut self, now: SimTime, held: u32) -> Result<bool, MachineError> {
        assert!(held > 0, "the cell is one of them");
        self.called(now)?;
        Ok(self.is_moody && self.calls.is_multiple_of(5))
    }

    fn on_freed(&mut self, now: SimTime, _: u32) -> Result<bool, MachineError> {
        self.called(now)?;
        self.freed += 1;
        self.since_due += 1;
        let is_due = self.since_due == self.n2;
        self.since_due %= self.n2;
        Ok(is_due)
    }

    fn on_request(&mut self, now: SimTime, _: u32) -> Result<bool, MachineError> {
        self.called(now)?;
        Ok(!self.is_moody || !self.calls.is_multiple_of(4))
    }

    fn value(&mut self, now: SimTime, held: u32) -> Result<Option<u32>, MachineError> {
        self.called(now)?;
        if self.how == 3 && now >= self.after {
            return Ok(Some(CreditValue::MAX.bits() + 1));
        }
        if self.scheme == CreditScheme::Cup {
            return Ok(Some((self.freed % (1 << CreditValue::BITS)) as u32));
        }
        let free = self.promised.saturating_sub(held);
        if free == 0 || self.is_moody && self.calls.is_multiple_of(7) {
            self.since_due = self.n2 - 1;
            return Ok(None);
        }
        Ok(Some(free))
    }
}

/// The schemes that [`Own`] replicates; a machine has the place of its scheme.
const SCHEMES: [CreditScheme; 3] =
    [CreditScheme::N23, CreditScheme::N23Continuous, CreditScheme::Cup];

/// Gives hops under these schemes machines that replicate them, changed by `change`. Returns the
/// number of these hops.
fn replace(
    spec: &mut NetworkSpec,
    change: impl Fn(&mut Own) + Copy + Send + Sync + 'static,
) -> usize {
    let mut replaced = 0;
    for vc in &mut *spec.vcs {
        for hop in &mut *vc.hops {
            let HopControl::Credit(of) = hop.control else { continue };
            let Some(place) = SCHEMES.iter().position(|scheme| *scheme == of.scheme) else {
                continue;
            };
            let scheme = CreditScheme::External(place as u16);
            hop.control = HopControl::Credit(CreditSpec { scheme, ..of });
            replaced += 1;
        }
    }
    let machine = |scheme: CreditScheme| {
        Machine::credit(scheme.facts().name, 1, move |facts: &CreditFacts<'_>| {
            let mut own = Own::new(scheme, facts);
            change(&mut own);
            Ok(own)
        })
    };
    spec.machines = SCHEMES.into_iter().map(machine).collect();
    replaced
}

/// Claim: external machines give every start and every counter of the built-in N23, N23 with
/// continuous E and CUP that they replicate, in both engines: with lost credits and cells,
/// requests, redundant credits, small buffers, multicast VCs and an R that is not the true loop.
/// Rows of N23 with continuous E may show another count, which there is one of the present instant.
#[test]
fn a_credit_scheme_made_outside_is_that_scheme() {
    let (mut compared, mut credits) = (0, 0);
    for seed in 0..network_count() {
        let own = random_network(seed);
        let mut spec = own.clone();
        if replace(&mut spec, |_| {}) == 0 {
            continue;
        }
        let built_in = run(&mut ReferenceEngine::new(&own, full(&own)), &own, 1);
        let slow = run_in_both(&spec, seed);
        assert!(slow.0 == built_in.0, "network {seed}: reference engine");
        let is_continuous = |of: CreditSpec| of.scheme == CreditScheme::N23Continuous;
        let rows_differ = own
            .vcs
            .iter()
            .flat_map(|vc| &vc.hops)
            .any(|hop| matches!(hop.control, HopControl::Credit(of) if is_continuous(of)));
        assert!(rows_differ || slow.1 == built_in.1, "network {seed}: rows");
        let hops = built_in.0.vcs.iter().flat_map(|vc| &vc.hops);
        credits += hops.map(|hop| hop.credits_taken).sum::<u64>();
        compared += 1;
    }
    assert!(compared > network_count() / 2, "only {compared} networks have such a hop");
    assert!(credits > 10_000, "only {credits} credits were taken");
}

/// A greedy VC over one switch with a slow output, under a scheme.
fn by_hand(scheme: CreditScheme) -> NetworkSpec {
    let mut network = NetworkBuilder::new(800);
    let [a, b] = ["A", "B"].map(|name| network.host(name));
    let s = network.switch("S");
    network.link(a, s, 8);
    let slow = network.link(s, b, 8);
    network.spec.links[slow].directions[0].rate =
        Rate::from_bps(hopflow_testing::RATE_BPS / 3).expect("above zero");
    network.vc("VC", &[a, s, b], credit(scheme, 3, 20), SourceSpec::Greedy);
    network.spec
}

/// Claim: by hand, external N23 holds a greedy VC to the slow link like the built-in N23, loses
/// nothing, and is blocked as often.
#[test]
fn n23_made_outside_holds_a_greedy_vc() {
    let own = by_hand(CreditScheme::N23);
    let mut spec = own.clone();
    assert_eq!(replace(&mut spec, |_| {}), 2);
    let built_in = run(&mut WindowedEngine::new(&own, full(&own), 1), &own, 1);
    let made = run(&mut WindowedEngine::new(&spec, full(&spec), 1), &spec, 1);
    assert!(made == built_in);
    let first = &made.0.vcs[0].hops[0];
    assert!(first.credits_taken > 30 && first.no_credit_count > 30, "{first:?}");
    assert_eq!(first.overrun_packets + first.dropped_packets, 0);
}

/// Claim: both engines ask a scheme the same questions, the same number of times, at the same
/// instants: one whose answers depend on these gives the same rows. In network 2263 the arrival of
/// a cell makes a credit due at a port to which a cell of another VC could pass at the same
/// instant.
#[test]
fn a_credit_scheme_is_asked_alike() {
    let (mut compared, mut differ) = (0, 0_u64);
    for seed in (0..network_count()).chain([2263]) {
        let mut spec = random_network(seed);
        if replace(&mut spec, |own| own.is_moody = true) == 0 {
            continue;
        }
        let slow = run_in_both(&spec, seed);
        let own = random_network(seed);
        let built_in = run(&mut WindowedEngine::new(&own, full(&own), 1), &own, 1);
        differ += u64::from(slow.0 != built_in.0);
        compared += 1;
    }
    assert!(compared > network_count() / 2, "only {compared} networks have such a hop");
    assert!(differ > compared / 2, "only {differ} runs depend on the calls");
}

/// Claim: the first fault of a scheme is reported, whatever the engine: an error, a panic, more
/// credit than the receiver has promised room for, a value that no credit cell can carry.
#[test]
fn faults_of_credit_schemes() {
    let mut failed = [0; 4];
    for seed in 0..network_count() {
        let mut spec = random_network(seed);
        let (after, how) = (SimTime(spec.duration.0 / 3), seed % 4);
        if replace(&mut spec, move |own| (own.after, own.how) = (after, how)) == 0 {
            continue;
        }
        if let Some(fault) = fault_in_both(&spec, seed) {
            let (most, value) = ("has promised room for", "its credit has the value");
            let said = ["it gives up", "it panics", most, value];
            assert!(fault.to_string().contains(said[how as usize]), "network {seed}: {fault}");
            let ends =
                fault.place.contains(", sender of ") || fault.place.contains(", receiver of ");
            assert!(fault.role == "credit scheme" && ends, "{fault}");
            assert!(fault.at >= after, "network {seed}: {fault}, not before {after}");
            failed[how as usize] += 1;
        }
    }
    assert!(failed.iter().all(|failed| *failed > 10), "{failed:?} runs failed");
}
