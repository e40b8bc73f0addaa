//! The calls that an external machine receives, and the handling of one that fails.

use std::sync::mpsc::{Sender, channel};

use hopflow_units::SimTime;

use super::*;
use crate::external::{Cause, guarded};

/// Answers from a script, and records its calls.
struct Scripted {
    calls: Sender<String>,
    answers: Vec<Result<Answer, &'static str>>,
}

impl ExternalScheduler for Scripted {
    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Result<(), MachineError> {
        Ok(self.calls.send(format!("{}: arrive {flow} {bytes}", now.0))?)
    }

    fn next(&mut self, ready: &[u32], now: SimTime) -> Result<Answer, MachineError> {
        self.calls.send(format!("{}: next {ready:?}", now.0))?;
        assert!(!self.answers.is_empty(), "the script is over");
        Ok(self.answers.remove(0)?)
    }

    fn start(
        &mut self,
        flow: u32,
        bytes: u32,
        now: SimTime,
        end: SimTime,
    ) -> Result<(), MachineError> {
        Ok(self.calls.send(format!("{}: start {flow} {bytes} until {}", now.0, end.0))?)
    }

    fn lost(&mut self, flow: u32, bytes: u32, which: Lost) -> Result<(), MachineError> {
        Ok(self.calls.send(format!("lost {flow} {bytes} {which:?}"))?)
    }
}

fn made(flows: usize, made: Result<Box<dyn ExternalScheduler>, Cause>) -> External {
    External::made(Held::new("scheduler", "mine", "A->B".to_owned(), SimTime::ZERO, made), flows)
}

/// A port of three flows, all permitted, whose machine answers this.
fn port(
    answers: Vec<Result<Answer, &'static str>>,
) -> (External, std::sync::mpsc::Receiver<String>) {
    let (calls, seen) = channel();
    let mut port = made(3, Ok(Box::new(Scripted { calls, answers })));
    (0..3).for_each(|flow| port.permit(flow, SimTime(0)));
    (port, seen)
}

/// The answer to an engine that finds every flow permitted.
fn next(port: &mut External, now: SimTime) -> Next {
    match port.next(now) {
        Next::Check => {
            port.check();
            port.next(now)
        }
        answer => answer,
    }
}

/// Claim: the machine is asked once for each change, with the flows that may send; its answer holds
/// until something changes or its instant comes.
#[test]
fn asked_once_for_each_change() {
    let answers = vec![
        Ok(Answer::At(SimTime(40))),
        Ok(Answer::Nothing),
        Ok(Answer::Flow(2)),
        Ok(Answer::Flow(0)),
    ];
    let (mut port, seen) = port(answers);
    assert_eq!(next(&mut port, SimTime(5)), Next::Nothing, "nothing waits: it is not asked");
    port.arrive(2, 100, SimTime(10));
    port.arrive(2, 60, SimTime(10));
    assert_eq!(next(&mut port, SimTime(10)), Next::At(SimTime(40)));
    port.forbid(2);
    port.permit(2, SimTime(20));
    assert_eq!(next(&mut port, SimTime(39)), Next::At(SimTime(40)), "not asked again");
    assert_eq!(next(&mut port, SimTime(40)), Next::Nothing);
    assert_eq!(next(&mut port, SimTime(41)), Next::Nothing, "not asked again");
    port.arrive(0, 53, SimTime(50));
    assert_eq!(next(&mut port, SimTime(50)), Next::Flow(2));
    port.start(2, SimTime(50), SimTime(70));
    port.drop_first(2);
    assert_eq!(next(&mut port, SimTime(70)), Next::Flow(0));
    port.arrive(0, 54, SimTime(70));
    port.drop_last(0);
    port.forbid(0);
    assert_eq!(next(&mut port, SimTime(70)), Next::Nothing, "nobody may send: it is not asked");
    assert!(port.fault().is_none());
    drop(port);
    let expected = [
        "10: arrive 2 100",
        "10: arrive 2 60",
        "10: next [2]",
        "40: next [2]",
        "50: arrive 0 53",
        "50: next [0, 2]",
        "50: start 2 100 until 70",
        "lost 2 60 First",
        "70: next [0]",
        "70: arrive 0 54",
        "lost 0 54 Last",
    ];
    assert_eq!(seen.iter().collect::<Vec<_>>(), expected);
}

/// Claim: an error, a panic and an answer outside the contract are faults that name machine, place,
/// instant and answer; the machine is then dropped, and the port stays idle.
#[test]
fn faults() {
    let cases: [(Vec<Result<Answer, &'static str>>, &str); 4] = [
        (vec![Err("no idea")], "it failed: no idea"),
        (vec![], "it panicked: the script is over"),
        (
            vec![Ok(Answer::Flow(1))],
            "it answered flow 1, which may not send: answer a flow of [0, 2]",
        ),
        (
            vec![Ok(Answer::At(SimTime(7)))],
            "it asked to be asked again at 7 ps, but it is 7 ps: answer a later instant",
        ),
    ];
    for (answers, text) in cases {
        let (mut port, seen) = port(answers);
        port.arrive(2, 53, SimTime(7));
        port.arrive(0, 53, SimTime(7));
        assert_eq!(next(&mut port, SimTime(7)), Next::Nothing);
        let fault = port.fault().expect("it failed").clone();
        let at = SimTime(7);
        assert_eq!(
            fault.to_string(),
            format!("the external scheduler `mine` at `A->B`, at {at}: {text}")
        );
        port.arrive(1, 53, SimTime(8));
        assert_eq!(next(&mut port, SimTime(8)), Next::Nothing);
        assert_eq!(port.fault(), Some(&fault), "the first fault stays");
        assert_eq!(seen.iter().count(), 3, "no call after the fault");
    }
}

/// Claim: a machine that cannot be made is a fault at instant 0.
#[test]
fn a_machine_that_cannot_be_made() {
    let port = made(1, guarded(|| Err("no room".into())));
    let text = port.fault().expect("there is none").to_string();
    assert!(text.ends_with("it failed: no room"), "{text}");
}

/// Claim: the variant of external machines takes no more room in the enum than a box.
#[test]
fn the_arm_is_small() {
    assert!(size_of::<External>() > 100, "else this says nothing");
    assert!(size_of::<Box<External>>() < size_of::<crate::scheduler::Fifo>());
}

/// Claim: flows are checked before each question, even if the check before it found that none may
/// send: a later permission may be early, and is checked again.
#[test]
fn a_look_counts_for_one_question() {
    let (mut port, seen) = port(vec![Ok(Answer::Flow(1))]);
    port.arrive(1, 100, SimTime(10));
    assert_eq!(port.next(SimTime(10)), Next::Check);
    assert_eq!(port.check(), [1]);
    port.forbid(1);
    assert_eq!(port.next(SimTime(10)), Next::Nothing, "the look found that it may not send");
    port.permit(1, SimTime(20));
    assert_eq!(port.next(SimTime(20)), Next::Check, "nothing was asked without a look");
    assert_eq!(port.check(), [1]);
    assert_eq!(port.next(SimTime(20)), Next::Flow(1));
    drop(port);
    assert_eq!(seen.iter().collect::<Vec<_>>(), ["10: arrive 1 100", "20: next [1]"]);
}
