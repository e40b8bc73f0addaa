//! How many threads pay, measured during the run.
//!
//! Threads wait for each other. Several threads pay where windows contain much work and cores are
//! idle; beside other work a thread that has lost its core delays all others. That cannot be
//! predicted, so it is measured, in units received per second of wall time:
//! ```text
//! alone --> trial of all threads --> stay with them, if they pay
//!   ^         | hopeless after 2 ms,         | slow twice
//!   |         v or slow in 4 ms more         v
//!   '---------'<------ one thread is faster, in 4 ms
//! ```
//! Several threads pay when they do [`GAIN`] times the work of one. The first part of a trial warms
//! caches, because nodes have just moved to other cores, and is not counted. Each time that threads
//! have not paid, the time to the next trial is doubled, so that trials cost a few percent at first
//! and almost nothing later. The choice never influences results.
//!
//! The governor reads no clock itself: its decisions are a function of its inputs.
//! Checked by: `pace/tests.rs`.

use std::time::Duration;

/// How many threads run the next windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// As many as pay, by measurement.
    #[default]
    Measured,
    /// All of them.
    All,
    /// One more after every few windows, then one again after the maximum: for tests.
    Changing,
}

/// Several threads pay from this multiple of the work of one.
const GAIN: f64 = 1.05;
/// Below this multiple of its work, on cold caches, a trial is hopeless.
const HOPELESS: f64 = 0.3;
/// The measured speed of one thread falls at most to this fraction of its last value.
const LEFT: f64 = 0.75;
const FIRST: Duration = Duration::from_millis(2);
/// Shorter measurements are too inexact.
const SHORTEST: Duration = Duration::from_millis(1);
const WARMING: Duration = Duration::from_millis(2);
const TRIAL: Duration = Duration::from_millis(4);
const STRETCH: Duration = Duration::from_millis(10);
const FIRST_STAY: Duration = Duration::from_millis(100);
const LONGEST_STAY: Duration = Duration::from_secs(4);

/// The next stretch: threads, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) threads: usize,
    pub(super) time: Duration,
}

/// The purpose of the present stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Measures how fast one thread is.
    First,
    /// Runs on one thread until the next trial.
    Alone,
    /// The first part of a trial.
    Warming,
    /// The second part of a trial.
    Trial,
    /// Running on many threads.
    Many,
    /// Several threads were slow once.
    Slow,
    /// Several threads were slow twice: measures one thread again.
    Doubt,
}

/// Measures speeds and chooses the number of threads.
#[derive(Debug)]
pub(super) struct Governor {
    most: usize,
    phase: Phase,
    /// Units per second as last measured: of one thread, and of several.
    speed: [f64; 2],
    /// The time since the last trial.
    stayed: Duration,
    /// The time between trials; doubled each time that threads do not pay.
    patience: Duration,
    /// Units and time since the last decision.
    done: (u64, Duration),
}

impl Governor {
    /// A governor of at most `threads` threads; `None` for one thread.
    pub(super) fn new(threads: usize) -> Option<Governor> {
        (threads > 1).then_some(Governor {
            most: threads,
            phase: Phase::First,
            speed: [0.0; 2],
            stayed: Duration::ZERO,
            patience: FIRST_STAY,
            done: (0, Duration::ZERO),
        })
    }

    /// The number of all threads.
    pub(super) const fn threads(&self) -> usize {
        self.most
    }

    /// The next stretch.
    pub(super) const fn next(&self) -> Stretch {
        let (threads, time) = match self.phase {
            Phase::First => (1, FIRST),
            Phase::Alone => (1, STRETCH),
            Phase::Warming => (self.most, WARMING),
            Phase::Trial | Phase::Slow => (self.most, TRIAL),
            Phase::Many => (self.most, STRETCH),
            Phase::Doubt => (1, TRIAL),
        };
        Stretch { threads, time }
    }

    /// Records the units of a stretch and its duration. Short stretches are accumulated.
    pub(super) fn note(&mut self, units: u64, time: Duration) {
        let (units, time) = (self.done.0 + units, self.done.1 + time);
        self.done = (units, time);
        if time < SHORTEST {
            return;
        }
        self.done = (0, Duration::ZERO);
        self.stayed += time;
        let speed = units as f64 / time.as_secs_f64();
        if self.next().threads == 1 {
            // One thread that just lost its core is not slow: its speed falls only in steps.
            self.speed[0] = speed.max(LEFT * self.speed[0]);
        } else {
            self.speed[1] = speed;
        }
        let [one, many] = self.speed;
        let pays = many >= GAIN * one;
        match self.phase {
            Phase::First => self.phase = Phase::Warming,
            Phase::Alone if self.stayed >= self.patience => self.phase = Phase::Warming,
            Phase::Alone => {}
            Phase::Warming if many < HOPELESS * one => self.give_up(),
            Phase::Warming => self.phase = Phase::Trial,
            Phase::Trial | Phase::Many | Phase::Slow | Phase::Doubt if pays => {
                self.phase = Phase::Many;
            }
            Phase::Many => self.phase = Phase::Slow,
            Phase::Slow => self.phase = Phase::Doubt,
            Phase::Trial | Phase::Doubt => self.give_up(),
        }
    }

    /// Ends a trial: several threads did not pay.
    fn give_up(&mut self) {
        self.patience = (self.patience * 2).min(LONGEST_STAY);
        (self.phase, self.stayed) = (Phase::Alone, Duration::ZERO);
    }
}

#[cfg(test)]
mod tests;
