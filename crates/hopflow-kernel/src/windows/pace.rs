//! How many threads pay, found out while running.
//!
//! Threads meet at the end of every window. That pays where much happens in a window and the cores
//! are free; beside other work a thread that has lost its core holds up all others. Nobody can know
//! beforehand, so it is measured, in units taken in per second of wall time:
//! ```text
//! start alone -> try all threads, and all but one -> stay with the best -> try again ...
//!                                            ^ at once, when many are slower than one was
//! ```
//! One thread is left only for a gain of [`GAIN`]. Each time that many threads have not paid, the
//! time to the next trial is doubled, so that trials cost a few percent at first and next to
//! nothing later. What is chosen never influences results.

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
/// Of the speed of one thread, when it was measured to be less.
const LEFT: f64 = 0.75;
const FIRST: Duration = Duration::from_millis(2);
/// Shorter times say nothing.
const SHORTEST: Duration = Duration::from_millis(1);
const TRIAL: Duration = Duration::from_millis(5);
const STRETCH: Duration = Duration::from_millis(10);
const FIRST_STAY: Duration = Duration::from_millis(100);
const LONGEST_STAY: Duration = Duration::from_secs(4);

/// What to do next: threads, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) threads: usize,
    pub(super) time: Duration,
}

/// One number of threads that may be chosen.
#[derive(Clone, Copy, Debug)]
struct Choice {
    threads: usize,
    /// Units in a second when last measured.
    speed: f64,
}

/// Measures and chooses.
#[derive(Debug)]
pub(super) struct Governor {
    /// One thread first.
    choices: Vec<Choice>,
    chosen: usize,
    /// Choices yet to be tried in this trial; the last one first.
    to_try: Vec<usize>,
    /// Since the last trial.
    stayed: Duration,
    /// Until the next trial.
    stay: Duration,
    /// What was done since the last decision.
    done: (u64, Duration),
}

impl Governor {
    /// A governor of at most `threads` threads; of one there is nothing to choose.
    pub(super) fn new(threads: usize) -> Option<Governor> {
        if threads < 2 {
            return None;
        }
        let mut counts = vec![1, threads - 1, threads];
        counts.dedup();
        let choices: Vec<Choice> =
            counts.into_iter().map(|threads| Choice { threads, speed: 0.0 }).collect();
        let to_try = (0..choices.len()).rev().collect();
        let stay = FIRST_STAY;
        let done = (0, Duration::ZERO);
        Some(Governor { choices, chosen: 0, to_try, stayed: Duration::ZERO, stay, done })
    }

    /// All threads.
    pub(super) fn threads(&self) -> usize {
        self.choices.last().map_or(1, |choice| choice.threads)
    }

    /// What to do next.
    pub(super) fn next(&self) -> Stretch {
        let (choice, time) = match self.to_try.last() {
            Some(&choice) if self.choices[choice].speed == 0.0 && choice == 0 => (choice, FIRST),
            Some(&choice) => (choice, TRIAL),
            None => (self.chosen, STRETCH),
        };
        Stretch { threads: self.choices[choice].threads, time }
    }

    /// Takes note of what was done: units, in how much time. What is short waits for more.
    pub(super) fn note(&mut self, units: u64, time: Duration) {
        let (units, time) = (self.done.0 + units, self.done.1 + time);
        self.done = (units, time);
        if time < SHORTEST {
            return;
        }
        self.done = (0, Duration::ZERO);
        let speed = units as f64 / time.as_secs_f64();
        if let Some(tried) = self.to_try.pop() {
            self.measured(tried, speed);
            if self.to_try.is_empty() {
                self.choose();
            }
            return;
        }
        self.measured(self.chosen, speed);
        self.stayed += time;
        let is_slow = self.chosen > 0 && speed < GAIN * self.choices[0].speed;
        if is_slow || self.stayed >= self.stay {
            self.try_others(is_slow);
        }
    }

    /// One thread that just lost its core is not slow: its speed falls by steps only.
    fn measured(&mut self, choice: usize, speed: f64) {
        let known = &mut self.choices[choice].speed;
        *known = if choice == 0 { speed.max(LEFT * *known) } else { speed };
    }

    /// Begins a trial. The choice that was made stands as it was just measured.
    fn try_others(&mut self, is_slow: bool) {
        let others = (0..self.choices.len()).rev().filter(|choice| *choice != self.chosen);
        // Many threads are slow: whether one is faster is all there is to know.
        self.to_try = if is_slow { vec![0] } else { others.collect() };
    }

    fn choose(&mut self) {
        let before = self.chosen;
        let mut best = 0;
        for choice in 1..self.choices.len() {
            let least = if best == 0 { GAIN } else { 1.0 };
            if self.choices[choice].speed > least * self.choices[best].speed {
                best = choice;
            }
        }
        // Threads that seemed to pay and then did not are a failed trial, too.
        let failed = best == 0;
        if failed || best == before {
            self.stay = (self.stay * 2).min(LONGEST_STAY);
        }
        (self.chosen, self.stayed) = (best, Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs `total` on a machine that does `speed` units a second by threads; the time taken.
    fn run(total: u64, speed: impl Fn(usize, Duration) -> f64) -> Duration {
        let mut governor = Governor::new(4).unwrap();
        let (mut left, mut time) = (total as f64, Duration::ZERO);
        while left > 0.0 {
            let Stretch { threads, time: most } = governor.next();
            let speed = speed(threads, time);
            let units = (speed * most.as_secs_f64()).min(left);
            let span = Duration::from_secs_f64(units / speed);
            governor.note(units as u64, span);
            left -= units;
            time += span;
        }
        time
    }

    /// Claim: where four threads are three times as fast as one, a run of a second on one thread
    /// takes at most a third and 30 ms.
    #[test]
    fn threads_that_pay_are_used() {
        let time = run(
            10_000_000,
            |threads, _| if threads == 1 { 1e7 } else { 1e7 * threads as f64 * 0.75 },
        );
        assert!(time <= Duration::from_millis(365), "{time:?}");
    }

    /// Claim: where threads only cost, at a tenth of the speed, a run of two seconds is at most 3 %
    /// slower than on one thread.
    #[test]
    fn threads_that_do_not_pay_are_left() {
        let time = run(20_000_000, |threads, _| if threads == 1 { 1e7 } else { 1e6 });
        assert!(time <= Duration::from_millis(2_060), "{time:?}");
    }

    /// Claim: where threads seem to pay for 8 ms at a time and then nearly stand still, as on cores
    /// that others want, a run of two seconds is at most 5 % slower.
    #[test]
    fn threads_that_pay_for_a_moment_are_left() {
        let since = std::cell::Cell::new(None);
        let time = run(20_000_000, |threads, now| {
            if threads == 1 {
                since.set(None);
                return 1e7;
            }
            let begun = since.get().unwrap_or(now);
            since.set(Some(begun));
            if now < begun + Duration::from_millis(8) { 3e7 } else { 1e6 }
        });
        assert!(time <= Duration::from_millis(2_100), "{time:?}");
    }

    /// Claim: when others take the cores half way, one thread takes over; when they are free again
    /// threads come back.
    #[test]
    fn it_follows_the_machine() {
        let busy = Duration::from_secs(1)..Duration::from_secs(4);
        let chosen = std::cell::RefCell::new(Vec::new());
        run(200_000_000, |threads, now| {
            chosen.borrow_mut().push((now, threads));
            match threads {
                1 => 1e7,
                _ if busy.contains(&now) => 2e6,
                _ => 2.5e7,
            }
        });
        let share = |from: u64, to: u64| {
            let span = Duration::from_secs(from)..Duration::from_secs(to);
            let all: Vec<_> =
                chosen.borrow().iter().filter(|c| span.contains(&c.0)).copied().collect();
            all.iter().filter(|c| c.1 > 1).count() as f64 / all.len() as f64
        };
        assert!(share(0, 1) > 0.9);
        assert!(share(1, 4) < 0.1);
        assert!(share(8, 9) > 0.9);
    }
}
