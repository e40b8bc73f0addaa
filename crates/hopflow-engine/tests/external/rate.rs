//! External rate rules: the engines agree on them, and report their failures.

use hopflow_control::external::MachineError;
use hopflow_control::rate::{ExternalRateRule, ExternalSpec, RateRule, RmCell};
use hopflow_network::{Machine, NetworkSpec, RateRuleFacts};
use hopflow_testing::random_network;
use hopflow_units::{CellRate, Picos, SimTime};

use super::{fault_in_both, network_count, run_in_both};

/// An equal share of the link, less while the queue is long. It counts how often it is called, on
/// which its answers depend. At or after an instant it fails.
struct Share {
    rate: CellRate,
    calls: u64,
    next: SimTime,
    after: SimTime,
    how: u64,
}

impl Share {
    fn called(&mut self, now: SimTime) -> Result<(), MachineError> {
        self.calls += 1;
        match self.how {
            _ if now < self.after => Ok(()),
            0 => Err("it gives up".into()),
            1 => panic!("it panics"),
            _ => Ok(()),
        }
    }
}

impl ExternalRateRule for Share {
    fn arrive(&mut self, now: SimTime, _: u32, _: u64) -> Result<(), MachineError> {
        self.called(now)
    }

    fn arrive_other(&mut self, now: SimTime) -> Result<(), MachineError> {
        self.called(now)
    }

    fn forward(
        &mut self,
        now: SimTime,
        _: u32,
        rm: &mut RmCell,
        _: u64,
    ) -> Result<(), MachineError> {
        rm.ni |= self.calls.is_multiple_of(5);
        self.called(now)
    }

    fn backward(
        &mut self,
        now: SimTime,
        _: u32,
        rm: &mut RmCell,
        queue: u64,
    ) -> Result<(), MachineError> {
        let part = 1.0 / (1.0 + queue as f64 / 20.0 + (self.calls % 4) as f64 / 10.0);
        rm.lower_er(CellRate::new(self.rate.get() * part).ok_or("a rate")?);
        match self.how {
            2 if now >= self.after => rm.er = CellRate::MAX,
            4 if now >= self.after => rm.bn = true,
            _ => {}
        }
        self.called(now)
    }

    fn start(&mut self, now: SimTime, _: u32, _: u64) -> Result<bool, MachineError> {
        self.called(now)?;
        Ok(self.calls.is_multiple_of(7))
    }

    fn on_timer(&mut self, now: SimTime, _: u64) -> Result<(), MachineError> {
        assert_eq!(now, self.next, "a timer is due at its instant");
        let late = now >= self.after && self.how == 3;
        self.next = if late { now } else { now.saturating_add(Picos(30_000_000)) };
        self.called(now)
    }

    fn next_timer(&self) -> Option<SimTime> {
        Some(self.next)
    }

    fn reading(&self) -> Option<CellRate> {
        CellRate::new(self.calls as f64)
    }
}

/// Gives machine 0 to all ports with a rate rule. Returns whether there is one.
fn replace(spec: &mut NetworkSpec, after: SimTime, how: u64) -> bool {
    let mut found = false;
    for direction in spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        if let Some(rule) = direction.rate_control.as_mut().and_then(|rate| rate.rule.as_mut()) {
            *rule = RateRule::External(ExternalSpec { place: 0 });
            found = true;
        }
    }
    let make = move |port: &RateRuleFacts<'_>| {
        let flows = port.flows.len() as f64;
        let rate = CellRate::new(port.link.get() / flows).ok_or("a share")?;
        Ok(Share { rate, calls: 0, next: SimTime(7_000_000), after, how })
    };
    spec.machines = vec![Machine::rate_rule("share", 1, make)].into();
    found
}

/// Claim: both engines ask a rule the same questions, the same number of times.
#[test]
fn a_rate_rule_is_asked_alike() {
    let mut compared = 0;
    for seed in 0..network_count() {
        let mut spec = random_network(seed);
        if !replace(&mut spec, SimTime::NEVER, 0) {
            continue;
        }
        run_in_both(&spec, seed);
        compared += 1;
    }
    assert!(compared > network_count() / 20, "only {compared} networks have such a port");
}

/// Claim: the first fault of a rule is reported, whatever the engine: an error, a panic, a raised
/// ER or another change of an RM cell that no switch may make, a timer that is not in the future.
#[test]
fn faults_of_rate_rules() {
    let mut failed = [0; 5];
    for seed in 0..network_count() {
        let mut spec = random_network(seed);
        let (after, how) = (SimTime(spec.duration.0 / 3), seed / 3 % 5);
        if !replace(&mut spec, after, how) {
            continue;
        }
        if let Some(fault) = fault_in_both(&spec, seed) {
            let slower = "only lower ER";
            let said = ["it gives up", "it panics", slower, "its timer is due", slower];
            assert!(fault.to_string().contains(said[how as usize]), "network {seed}: {fault}");
            assert!(fault.role == "rate rule" && fault.place.contains("->"), "{fault}");
            assert!(fault.at >= after, "network {seed}: {fault}, not before {after}");
            failed[how as usize] += 1;
        }
    }
    assert!(failed.iter().all(|failed| *failed > 0), "{failed:?} runs failed");
}
