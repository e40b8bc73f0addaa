//! How many threads pay, found out while running.
//!
//! Threads wait for each other. That pays where much happens in a window and the cores are free;
//! beside other work a thread that has lost its core holds up all others. Nobody can know
//! beforehand, so it is measured, in units taken in per second of wall time:
//! ```text
//! alone --> trial of as many threads as cores are free --> stay with them, if they pay
//!   ^         | hopeless after 2 ms, or slow in 4 ms more       | slow twice
//!   '---------'<------ one thread is faster, in 4 ms <----------'
//! ```
//! Many threads pay when they do [`GAIN`] times the work of one. The first part of a trial warms
//! caches, for nodes have just moved to other cores, and is not counted. Where others have cores
//! (`cores.rs`), as many threads fewer are tried, or none. Each time that threads have not paid,
//! the time to the next trial is doubled, so that trials cost a few percent at first and next to
//! nothing later. What is chosen never influences results.
//!
//! The governor reads no clock and asks for no load itself: what it does follows from what it is
//! told. Checked by: `pace/tests.rs`.

use std::time::Duration;

/// How many threads run the next windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// As many as pay, by measurement.
    #[default]
    Measured,
    /// All of them.
    All,
    /// One more after every few windows, and one again after all: for tests.
    Changing,
}

/// Many threads must do so many times the work of one.
const GAIN: f64 = 1.05;
/// Less than so many times its work on cold caches is hopeless.
const HOPELESS: f64 = 0.3;
/// Of the speed of one thread, when it was measured to be less.
const LEFT: f64 = 0.75;
const FIRST: Duration = Duration::from_millis(2);
/// Shorter times say nothing.
const SHORTEST: Duration = Duration::from_millis(1);
const WARMING: Duration = Duration::from_millis(2);
const TRIAL: Duration = Duration::from_millis(4);
const STRETCH: Duration = Duration::from_millis(10);
/// Until it is looked again for free cores, when there were none.
const NO_CORES: Duration = Duration::from_millis(50);
const FIRST_STAY: Duration = Duration::from_millis(100);
const LONGEST_STAY: Duration = Duration::from_secs(4);

/// What to do next: threads, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) threads: usize,
    pub(super) time: Duration,
}

/// What the present stretch is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    /// Finding out how fast one thread is.
    First,
    /// Running alone until it is time for a trial.
    Alone,
    /// The first part of a trial.
    Warming,
    /// The second.
    Trial,
    /// Running on many threads.
    Many,
    /// Many were slow: only for a moment?
    Slow,
    /// They were again: is one faster?
    Doubt,
}

/// Measures and chooses.
#[derive(Debug)]
pub(super) struct Governor {
    most: usize,
    doing: Doing,
    /// Tried or chosen last, at least 2.
    many: usize,
    /// Units in a second when last measured: of one thread, and of many.
    speed: [f64; 2],
    /// Since the last trial, and until the next.
    stayed: Duration,
    stay: Duration,
    /// Doubled each time that threads do not pay.
    patience: Duration,
    /// What was done since the last decision.
    done: (u64, Duration),
}

impl Governor {
    /// A governor of at most `threads` threads; of one there is nothing to choose.
    pub(super) fn new(threads: usize) -> Option<Governor> {
        (threads > 1).then_some(Governor {
            most: threads,
            doing: Doing::First,
            many: threads,
            speed: [0.0; 2],
            stayed: Duration::ZERO,
            stay: Duration::ZERO,
            patience: FIRST_STAY,
            done: (0, Duration::ZERO),
        })
    }

    /// All threads.
    pub(super) const fn threads(&self) -> usize {
        self.most
    }

    /// What to do next.
    pub(super) const fn next(&self) -> Stretch {
        let (threads, time) = match self.doing {
            Doing::First => (1, FIRST),
            Doing::Alone => (1, STRETCH),
            Doing::Warming => (self.many, WARMING),
            Doing::Trial | Doing::Slow => (self.many, TRIAL),
            Doing::Many => (self.many, STRETCH),
            Doing::Doubt => (1, TRIAL),
        };
        Stretch { threads, time }
    }

    /// Takes note of what was done: units, in how much time. What is short waits for more. `free`
    /// tells how many cores are.
    pub(super) fn note(
        &mut self,
        units: u64,
        time: Duration,
        free: impl FnOnce() -> Option<usize>,
    ) {
        let (units, time) = (self.done.0 + units, self.done.1 + time);
        self.done = (units, time);
        if time < SHORTEST {
            return;
        }
        self.done = (0, Duration::ZERO);
        self.stayed += time;
        let speed = units as f64 / time.as_secs_f64();
        if self.next().threads == 1 {
            // One thread that just lost its core is not slow: its speed falls by steps only.
            self.speed[0] = speed.max(LEFT * self.speed[0]);
        } else {
            self.speed[1] = speed;
        }
        let [one, many] = self.speed;
        let (pays, is_time) = (many >= GAIN * one, self.stayed >= self.stay);
        match self.doing {
            Doing::First => self.try_many(free),
            Doing::Alone if is_time => self.try_many(free),
            Doing::Alone => {}
            Doing::Warming if many < HOPELESS * one => self.give_up(),
            Doing::Warming => self.doing = Doing::Trial,
            Doing::Many if pays && is_time && self.many < self.most => self.try_many(free),
            Doing::Trial | Doing::Many | Doing::Slow | Doing::Doubt if pays => {
                self.doing = Doing::Many;
            }
            Doing::Many => self.doing = Doing::Slow,
            Doing::Slow => self.doing = Doing::Doubt,
            Doing::Trial | Doing::Doubt => self.give_up(),
        }
    }

    /// Begins a trial of as many threads as cores are free.
    fn try_many(&mut self, free: impl FnOnce() -> Option<usize>) {
        let free = free().map_or(self.most, |free| free.min(self.most));
        let had = if self.doing == Doing::Many { self.many } else { 1 };
        self.stayed = Duration::ZERO;
        if free > had {
            (self.many, self.doing, self.stay) = (free, Doing::Warming, self.patience);
        } else {
            (self.doing, self.stay) =
                if had > 1 { (Doing::Many, self.patience) } else { (Doing::Alone, NO_CORES) };
        }
    }

    /// Many threads did not pay.
    fn give_up(&mut self) {
        self.patience = (self.patience * 2).min(LONGEST_STAY);
        (self.doing, self.stayed, self.stay) = (Doing::Alone, Duration::ZERO, self.patience);
    }
}

#[cfg(test)]
mod tests;
