//! External congestion controls: the engines agree on them, and report their failures.

use hopflow_control::external::MachineError;
use hopflow_network::transport::tcp::{Acked, ExternalCongestion, Loss, Reaction, Seq, TcpVariant};
use hopflow_network::{ConnectionFacts, Machine, NetworkSpec, ProtocolSpec};
use hopflow_testing::random_network;
use hopflow_units::SimTime;

use super::{fault_in_both, network_count, run_in_both};

/// Additive increase, multiplicative decrease; it counts how often it is called, on which its
/// answers depend. After an instant it fails.
struct Aimd {
    mss: u32,
    cwnd: u32,
    calls: u32,
    recover: Seq,
    is_recovering: bool,
    after: SimTime,
    how: u64,
}

impl Aimd {
    fn window(&mut self, now: SimTime) -> Result<Reaction, MachineError> {
        self.calls += 1;
        let reaction =
            Reaction { by_sack: self.is_recovering, ..Reaction::window(self.cwnd, self.cwnd) };
        match self.how {
            _ if now < self.after => Ok(reaction),
            0 => Err("it gives up".into()),
            1 => panic!("it panics"),
            _ => Ok(Reaction { cwnd: 0, ..reaction }),
        }
    }
}

impl ExternalCongestion for Aimd {
    fn on_ack(&mut self, acked: &Acked) -> Result<Reaction, MachineError> {
        self.is_recovering &= acked.ack.before(self.recover);
        if !self.is_recovering && acked.limited {
            self.cwnd += self.mss.pow(2) / self.cwnd + self.calls % 7;
        }
        self.window(acked.now)
    }

    fn on_duplicate(&mut self, loss: &Loss) -> Result<Reaction, MachineError> {
        let resend = !self.is_recovering && loss.duplicates >= 3 && loss.una.after(self.recover);
        if resend {
            (self.is_recovering, self.recover) = (true, loss.max);
            self.cwnd = (self.cwnd / 2).max(self.mss);
        }
        Ok(Reaction { resend, extra: self.calls % 3 * self.mss, ..self.window(loss.now)? })
    }

    fn on_timeout(&mut self, loss: &Loss) -> Result<Reaction, MachineError> {
        (self.is_recovering, self.recover, self.cwnd) = (false, loss.max, self.mss);
        self.window(loss.now)
    }

    fn on_restart(&mut self, initial: u32, now: SimTime) -> Result<Reaction, MachineError> {
        self.is_recovering = false;
        self.cwnd = self.cwnd.min(initial);
        self.window(now)
    }
}

/// Gives machine 0 to all TCP connections. Returns whether there is one.
fn aimd(spec: &mut NetworkSpec, after: SimTime, how: u64) -> bool {
    let mut found = false;
    for index in 0..spec.connections.len() {
        let connection = &mut spec.connections[index];
        if let ProtocolSpec::Tcp(tcp) = &mut connection.protocol {
            tcp.variant = TcpVariant::External(0);
            let forward = connection.forward;
            spec.vcs[forward].ecn_capable = true;
            found = true;
        }
    }
    let make = move |facts: &ConnectionFacts<'_>| {
        let (mss, cwnd, recover) = (facts.tcp.mss, facts.tcp.initial_cwnd(), Seq(facts.tcp.first));
        Ok(Aimd { mss, cwnd, calls: 0, recover, is_recovering: false, after, how })
    };
    spec.machines = vec![Machine::congestion("aimd", 1, make)].into();
    found
}

/// Claim: both engines ask a congestion control the same questions, the same number of times.
#[test]
fn a_congestion_control_is_asked_alike() {
    let mut compared = 0;
    for seed in 0..network_count() {
        let mut spec = random_network(seed);
        if !aimd(&mut spec, SimTime::NEVER, 0) {
            continue;
        }
        run_in_both(&spec, seed);
        compared += 1;
    }
    assert!(compared > network_count() / 40, "only {compared} networks have such a connection");
}

/// Claim: the first fault of a congestion control is reported, whatever the engine.
#[test]
fn faults_of_congestion_controls() {
    let mut failed = 0;
    for seed in 0..network_count() {
        let mut spec = random_network(seed);
        if !aimd(&mut spec, SimTime(1), seed % 3) {
            continue;
        }
        if let Some(fault) = fault_in_both(&spec, seed) {
            let said = ["it gives up", "it panics", "its cwnd is 0 B"][seed as usize % 3];
            assert!(fault.to_string().contains(said), "network {seed}: {fault}");
            assert_eq!((fault.role, &*fault.machine), ("congestion control", "aimd"));
            failed += 1;
        }
    }
    assert!(failed > 5, "only {failed} runs failed");
}
