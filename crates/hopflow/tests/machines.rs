//! External machines of a program in Rust: registered with a scenario file, folded into the digest,
//! and an error of the run where they fail.

use hopflow::control::credit::ExternalCredit;
use hopflow::control::external::MachineError;
use hopflow::control::lane::{ExternalLane, Frame};
use hopflow::control::marking::{ExternalMarker, PacketAtPort};
use hopflow::control::rate::{ExternalRateRule, RmCell};
use hopflow::control::scheduler::{Answer, ExternalScheduler, Lost};
use hopflow::network::traffic::ExternalSource;
use hopflow::network::transport::tcp::{Acked, ExternalCongestion, Loss, Reaction};
use hopflow::network::{CreditSpec, LanesSpec, Machine, RateSpec};
use hopflow::scenario::{Code, ScenarioFile};
use hopflow::units::{CellRate, Picos, SimTime};
use hopflow::{EngineKind, RunError, RunOptions, run, run_in_both};

const TEXT: &str = r#"version = 2
duration = "1 ms"
[defaults.link]
rate = "424 Mb/s"
[defaults.switch]
scheduler = { kind = "external", machine = "last" }
marking = { kind = "external", machine = "each-third" }
rate-control = { kind = "external", machine = "constant" }
[[host]]
name = "A{}"
count = 2
[[switch]]
name = "S"
[[host]]
name = "B"
[[host]]
name = "C"
[[link]]
between = ["A{}", "S"]
count = 2
[[link]]
between = ["S", "B"]
[[link]]
between = ["C", "S"]
lanes = { kind = "external", machine = "window", priorities = [0], buffer = 20 }
[[flow]]
name = "f1"
from = "A1"
to = "B"
[[flow]]
name = "f2"
from = "A2"
to = "B"
control = { kind = "external", machine = "refill", n2 = 2, n3 = 9 }
source = { kind = "external", machine = "steady" }
[[flow]]
name = "f3"
from = "A1"
to = "B"
source = { kind = "tcp", variant = "external", machine = "fixed" }
[[flow]]
name = "f4"
from = "A2"
to = "B"
control = { kind = "abr" }
[[flow]]
name = "f5"
from = "C"
to = "A1"
start = "500 us"
"#;

/// The last of the ready flows; after a number of packets it fails.
struct Last(u32);

impl ExternalScheduler for Last {
    fn arrive(&mut self, _: u32, _: u32, _: SimTime) -> Result<(), MachineError> {
        Ok(())
    }

    fn next(&mut self, ready: &[u32], _: SimTime) -> Result<Answer, MachineError> {
        Ok(Answer::Flow(*ready.last().ok_or("nothing is ready")?))
    }

    fn start(&mut self, _: u32, _: u32, _: SimTime, _: SimTime) -> Result<(), MachineError> {
        self.0 = self.0.checked_sub(1).ok_or("tired")?;
        Ok(())
    }

    fn lost(&mut self, _: u32, _: u32, _: Lost) -> Result<(), MachineError> {
        Ok(())
    }
}

struct Steady;

impl ExternalSource for Steady {
    fn next(&mut self, last: SimTime, _: u32) -> Result<Option<SimTime>, MachineError> {
        Ok(Some(last.saturating_add(Picos(4_000_000))))
    }

    fn slow_down(&mut self, _: SimTime) -> Result<(), MachineError> {
        Ok(())
    }
}

/// Each third packet that finds others.
struct EachThird(u32);

impl ExternalMarker for EachThird {
    fn marks(&mut self, packet: &PacketAtPort) -> Result<bool, MachineError> {
        self.0 += u32::from(packet.queue.packets > 1);
        Ok(self.0.is_multiple_of(3))
    }
}

/// Each flow may send 100,000 cells per second.
struct Constant(CellRate);

impl ExternalRateRule for Constant {
    fn backward(
        &mut self,
        _: SimTime,
        _: u32,
        rm: &mut RmCell,
        _: u64,
    ) -> Result<(), MachineError> {
        rm.lower_er(self.0);
        Ok(())
    }
}

/// A window that stays; with SACK, what is lost goes again once.
struct Fixed(u32);

impl ExternalCongestion for Fixed {
    fn on_ack(&mut self, _: &Acked) -> Result<Reaction, MachineError> {
        Ok(Reaction::window(self.0, self.0))
    }

    fn on_duplicate(&mut self, loss: &Loss) -> Result<Reaction, MachineError> {
        Ok(Reaction { resend: loss.duplicates == 3, ..Reaction::window(self.0, self.0) })
    }

    fn on_timeout(&mut self, _: &Loss) -> Result<Reaction, MachineError> {
        Ok(Reaction::window(self.0, self.0))
    }

    fn on_restart(&mut self, _: u32, _: SimTime) -> Result<Reaction, MachineError> {
        Ok(Reaction::window(self.0, self.0))
    }
}

/// A credit cell returns what was freed since the last one.
struct Refill {
    credit: u32,
    freed: u32,
    n2: u32,
}

impl ExternalCredit for Refill {
    fn credit(&self) -> u32 {
        self.credit
    }

    fn on_send(&mut self, _: SimTime) -> Result<(), MachineError> {
        self.credit -= 1;
        Ok(())
    }

    fn on_credit(&mut self, _: SimTime, value: u32, _: u32) -> Result<(), MachineError> {
        self.credit += value;
        Ok(())
    }

    fn on_freed(&mut self, _: SimTime, _: u32) -> Result<bool, MachineError> {
        self.freed += 1;
        Ok(self.freed >= self.n2)
    }

    fn value(&mut self, _: SimTime, _: u32) -> Result<Option<u32>, MachineError> {
        Ok(Some(std::mem::take(&mut self.freed)))
    }
}

/// A frame returns the blocks that were freed since the last one.
struct Window {
    credit: u32,
    freed: u32,
}

impl ExternalLane for Window {
    fn credit(&self) -> u32 {
        self.credit
    }

    fn on_send(&mut self, _: SimTime, blocks: u32) -> Result<(), MachineError> {
        self.credit -= blocks;
        Ok(())
    }

    fn on_frame(&mut self, _: SimTime, value: u32) -> Result<(), MachineError> {
        self.credit += value;
        Ok(())
    }

    fn on_freed(&mut self, _: SimTime, blocks: u32, _: u32) -> Result<bool, MachineError> {
        self.freed += blocks;
        Ok(true)
    }

    fn frame(&mut self, _: SimTime, _: u32) -> Result<Option<Frame>, MachineError> {
        let value = std::mem::take(&mut self.freed);
        Ok(Some(Frame { value, is_pause: false, carries_total: false }))
    }
}

fn machines(name: &str, version: u64, most: u32, lane: u64) -> Vec<Machine> {
    vec![
        Machine::scheduler(name, version, move |_| Ok(Last(most))),
        Machine::congestion("fixed", 1, |connection| Ok(Fixed(4 * connection.tcp.mss))),
        Machine::credit("refill", 1, |hop| {
            assert_eq!((hop.vc, hop.n2.0, hop.n3.0), ("f2", 2, 9), "it is the only one");
            Ok(Refill { credit: 11, freed: 0, n2: hop.n2.0 })
        }),
        Machine::lane_rule("window", lane, |lane| {
            assert!([lane.from, lane.to].contains(&"C"), "no other link has lanes");
            Ok(Window { credit: lane.buffer, freed: 0 })
        }),
        Machine::marker("each-third", 1, |_| Ok(EachThird(0))),
        Machine::rate_rule("constant", 1, |port| {
            assert_eq!(port.flows[0].vc, "f4", "it is the only flow under rate control");
            Ok(Constant(CellRate::new(1e5).ok_or("a rate")?))
        }),
        Machine::source("unused", 7, |_| Ok(Steady)),
        Machine::source("steady", 1, |_| Ok(Steady)),
    ]
}

fn file(version: u64, most: u32, lane: u64) -> ScenarioFile {
    ScenarioFile::new(TEXT, "machines.toml").with_machines(machines("last", version, most, lane))
}

/// Claim: without its machines a file is refused, each by name and place; with them it runs in both
/// engines to one digest, to which the version belongs, and those that it does not name do not.
#[test]
fn registered_machines_run() {
    let wrong = ScenarioFile::new(TEXT, "machines.toml").read().expect_err("it names machines");
    let codes: Vec<Code> = wrong.items.iter().map(|item| item.code).collect();
    assert_eq!(codes, [Code::UNKNOWN_MACHINE; 7]);
    let first = &TEXT[wrong.items[0].labels[0].span.clone()];
    assert_eq!(first, "\"last\"");
    let digest = |version, lane| {
        let scenario = file(version, u32::MAX, lane).read().expect("its machines are registered");
        assert_eq!(scenario.network.machines.len(), 7);
        let written = scenario.resolved().to_string();
        for name in ["fixed", "each-third", "constant", "refill", "window"] {
            assert!(written.contains(&format!(r#""machine":"{name}""#)), "{written}");
        }
        let port = scenario.resolved()["links"][2]["directions"][0]["rate_control"].take();
        let rule = serde_json::from_value::<RateSpec>(port).expect("manifests can be read").rule;
        assert_eq!(rule.and_then(|rule| rule.external()), Some(0), "a place that is not written");
        let hop = scenario.resolved()["flows"][1]["hops"][0]["control"].take();
        let control = serde_json::from_value::<CreditSpec>(hop).expect("manifests can be read");
        assert_eq!(control.scheme.external(), Some(0), "a place that is not written");
        let lanes = scenario.resolved()["links"][3]["directions"][1]["lanes"].take();
        let lanes = serde_json::from_value::<LanesSpec>(lanes).expect("manifests can be read");
        assert_eq!(lanes.rule.external(), Some(0), "a place that is not written");
        let result = run_in_both(&scenario).expect("nothing fails");
        let link = result.summary.link("C->S").expect("it is there");
        let [lane] = &link.lanes[..] else { panic!("one priority is a lane") };
        assert_eq!((lane.control.as_str(), lane.buffer_blocks), ("external", Some(20)));
        assert!(lane.frames_taken > 9 && lane.needed_blocks.is_none(), "{lane:?}");
        assert!(result.violations().is_empty(), "{:?}", result.violations());
        let [first, second] = &result.summary.vcs[1].hops[..] else { panic!("f2 has two hops") };
        assert!(first.control == "external" && second.credits_sent > 0, "{first:?}, {second:?}");
        result.digest
    };
    assert!(digest(1, 1) != digest(2, 1) && digest(1, 1) != digest(1, 2));
}

/// Claim: a machine that fails is an error of the run that names it, and no result.
#[test]
fn a_failing_machine_is_an_error() {
    let scenario = file(1, 20, 1).read().expect("its machines are registered");
    for engine in [EngineKind::Windowed, EngineKind::Reference] {
        let options = RunOptions { engine, ..RunOptions::default() };
        let error = run(&scenario, &options).expect_err("it gives up");
        let RunError::Machine(fault) = &error else { panic!("{error}") };
        assert_eq!((fault.machine.as_str(), fault.place.as_str()), ("last", "S->B"));
        assert!(error.to_string().ends_with("it failed: tired"), "{error}");
    }
}
