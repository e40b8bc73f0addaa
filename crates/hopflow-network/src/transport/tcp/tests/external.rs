//! A congestion control from outside hopflow, on one connection.

use hopflow_control::external::{Held, MachineError};
use hopflow_units::{Picos, SimTime};

use super::super::congestion::{Congestion, Start, Window};
use super::super::{Acked, ExternalCongestion, Loss, Reaction, Seq, TcpSpec, TcpVariant, Transfer};
use super::channel::{Connection, Link, Losses, MILLI};

/// A built-in control behind the trait of external ones.
struct Wrapped(Congestion);

impl Wrapped {
    fn reaction(&self, duplicates: u32, resend: bool) -> Reaction {
        let Window { cwnd, ssthresh, .. } = self.0.window();
        let extra = self.0.allowance(duplicates) - cwnd;
        Reaction { cwnd, ssthresh, extra, resend, by_sack: self.0.recovering_by_sack() }
    }
}

impl ExternalCongestion for Wrapped {
    fn on_ack(&mut self, acked: &Acked) -> Result<Reaction, MachineError> {
        let resend = self.0.on_ack(acked).resend;
        Ok(self.reaction(0, resend))
    }

    fn on_duplicate(&mut self, loss: &Loss) -> Result<Reaction, MachineError> {
        let resend = self.0.on_duplicate(loss);
        Ok(self.reaction(loss.duplicates, resend))
    }

    fn on_timeout(&mut self, loss: &Loss) -> Result<Reaction, MachineError> {
        self.0.on_timeout(loss);
        Ok(self.reaction(0, false))
    }

    fn on_restart(&mut self, initial: u32, now: SimTime) -> Result<Reaction, MachineError> {
        self.0.on_restart(initial, now);
        Ok(self.reaction(0, false))
    }
}

/// A connection over a bottleneck of 1 B/us with this machine; the built-in CUBIC if none.
fn connection(losses: Losses, machine: Option<Box<dyn ExternalCongestion>>) -> Connection {
    let mut there = Link::new(1_000_000, Picos(10 * MILLI), losses);
    there.limit = 12;
    let back = Link::new(0, Picos(10 * MILLI), Losses::None);
    let variant = machine.as_ref().map_or(TcpVariant::Cubic, |_| TcpVariant::External(0));
    let late = (SimTime(20_000 * MILLI), 400_000);
    let transfer = Transfer::Schedule(vec![(SimTime::ZERO, 4_000_000), late]);
    let spec = TcpSpec { transfer, ..TcpSpec::new(variant) };
    let mut connection = Connection::new(&spec, there, back);
    if let Some(machine) = machine {
        let place = "A->B".to_owned();
        let held = Held::new("congestion control", "mine", place, SimTime::ZERO, Ok(machine));
        connection.sender.install(held);
    }
    connection.run(SimTime(60_000 * MILLI));
    connection
}

fn cubic() -> Box<dyn ExternalCongestion> {
    let spec = TcpSpec::new(TcpVariant::Cubic);
    let (mss, cwnd, most) = (spec.mss, spec.initial_cwnd(), spec.most_window());
    let window = Window { mss, cwnd, ssthresh: most, most };
    let start = Start { window, first: Seq(spec.first), impatient: false };
    Box::new(Wrapped(Congestion::new(TcpVariant::Cubic, &start)))
}

/// Claim: an external control that decides as CUBIC does sends every segment when the built-in one
/// does, with a short queue, random losses, time-outs and an idle time.
#[test]
fn cubic_made_outside_is_cubic() {
    let (mut timeouts, mut recoveries) = (0, 0);
    for seed in 0..20 {
        let losses = || Losses::Random(seed, seed * 5);
        let outside = connection(losses(), Some(cubic()));
        let own = connection(losses(), None);
        assert!(outside.data == own.data, "seed {seed}: other segments");
        let counters = outside.sender.counters();
        assert_eq!(counters, own.sender.counters(), "seed {seed}");
        assert_eq!(outside.sender.fault(), None);
        timeouts += counters.timeouts;
        recoveries += counters.fast_retransmits;
    }
    assert!(timeouts > 10 && recoveries > 100, "{timeouts} {recoveries}");
}

/// CUBIC up to an instant; then it does this.
struct Failing(Wrapped, SimTime, fn() -> Result<Reaction, MachineError>);

impl ExternalCongestion for Failing {
    fn on_ack(&mut self, acked: &Acked) -> Result<Reaction, MachineError> {
        if acked.now >= self.1 { (self.2)() } else { self.0.on_ack(acked) }
    }

    fn on_duplicate(&mut self, loss: &Loss) -> Result<Reaction, MachineError> {
        self.0.on_duplicate(loss)
    }

    fn on_timeout(&mut self, loss: &Loss) -> Result<Reaction, MachineError> {
        self.0.on_timeout(loss)
    }

    fn on_restart(&mut self, initial: u32, now: SimTime) -> Result<Reaction, MachineError> {
        self.0.on_restart(initial, now)
    }
}

/// What a [`Failing`] control answers from some instant on.
type Answer = fn() -> Result<Reaction, MachineError>;

/// Claim: an error, a panic and answers outside of the contract are faults that name role, machine,
/// place and instant; the connection goes on with the window that it has.
#[test]
fn faults() {
    let cases: [(Answer, &str); 4] = [
        (|| Err("no idea".into()), "it failed: no idea"),
        (|| panic!("too much"), "it panicked: too much"),
        (
            || Ok(Reaction::window(1_459, 0)),
            "its cwnd is 1459 B: answer a full segment, 1460 B, or more",
        ),
        (
            || Ok(Reaction { by_sack: true, resend: true, ..Reaction::window(9_000, 0) }),
            "it answered `by_sack`, which begins with a duplicate that resends",
        ),
    ];
    for (answer, text) in cases {
        let window = Window { mss: 1_460, cwnd: 14_600, ssthresh: 1 << 20, most: 1 << 20 };
        let start = Start { window, first: Seq(1), impatient: false };
        let wrapped = Wrapped(Congestion::new(TcpVariant::Cubic, &start));
        let machine = Box::new(Failing(wrapped, SimTime(300 * MILLI), answer));
        let connection = connection(Losses::None, Some(machine));
        let fault = connection.sender.fault().expect("it failed");
        assert!(fault.at >= SimTime(300 * MILLI) && fault.at < SimTime(330 * MILLI));
        let start = "the external congestion control `mine` at `A->B`, at ";
        let message = fault.to_string();
        assert!(message.starts_with(start) && message.ends_with(text), "{message}");
    }
}

/// Claim: `extra` adds to the window while duplicates arrive, and at no other time; a window above
/// what the receiver can advertise counts as that.
#[test]
fn windows_and_what_is_extra() {
    struct Wide;
    impl ExternalCongestion for Wide {
        fn on_ack(&mut self, _: &Acked) -> Result<Reaction, MachineError> {
            Ok(Reaction { extra: 3_000, ..Reaction::window(u32::MAX, 7_000) })
        }
        fn on_duplicate(&mut self, _: &Loss) -> Result<Reaction, MachineError> {
            Ok(Reaction { extra: 3_000, ..Reaction::window(5_000, 7_000) })
        }
        fn on_timeout(&mut self, _: &Loss) -> Result<Reaction, MachineError> {
            Err("no time-out".into())
        }
        fn on_restart(&mut self, _: u32, _: SimTime) -> Result<Reaction, MachineError> {
            Err("no restart".into())
        }
    }
    let window = Window { mss: 1_000, cwnd: 1_000, ssthresh: 65_535, most: 65_535 };
    let start = Start { window, first: Seq(1), impatient: false };
    let mut control = Congestion::new(TcpVariant::External(0), &start);
    let place = "A->B".to_owned();
    control.install(Held::new(
        "congestion control",
        "wide",
        place,
        SimTime::ZERO,
        Ok(Box::new(Wide)),
    ));
    let (una, max, now) = (Seq(1), Seq(9), SimTime::ZERO);
    let loss = Loss { duplicates: 1, una, max, window: 0, lost: false, again: false, now };
    assert!(!control.on_duplicate(&loss));
    assert_eq!([0, 1, 2].map(|n| control.allowance(n)), [5_000, 8_000, 8_000]);
    let acked = Acked {
        bytes: 8,
        ack: max,
        flight: 0,
        duplicates: 1,
        limited: true,
        marked: false,
        now,
        srtt: Picos::ZERO,
        rtt: None,
    };
    control.on_ack(&acked);
    assert_eq!((control.allowance(0), control.window().ssthresh), (65_535, 7_000));
}
