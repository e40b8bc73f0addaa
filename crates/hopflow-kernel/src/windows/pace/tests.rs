//! The governor on simulated machines, and its states one by one.

use super::*;

/// Runs `total` units on a machine whose `speed` in units per second depends on the threads;
/// returns the time taken.
fn run(total: u64, speed: impl Fn(usize, Duration) -> f64) -> Duration {
    run_beside(total, Duration::ZERO, speed)
}

/// The same where a stretch on several threads takes at least `least`, because one of them has lost
/// its core for that time.
fn run_beside(total: u64, least: Duration, speed: impl Fn(usize, Duration) -> f64) -> Duration {
    let mut governor = Governor::new(4).unwrap();
    let (mut left, mut time) = (total as f64, Duration::ZERO);
    while left > 0.0 {
        let Stretch { threads, time: most } = governor.next();
        let speed = speed(threads, time);
        let most = if threads > 1 { most.max(least) } else { most };
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
    let time =
        run(10_000_000, |threads, _| if threads == 1 { 1e7 } else { 1e7 * threads as f64 * 0.75 });
    assert!(time <= Duration::from_millis(365), "{time:?}");
}

/// Claim: where threads only cost, at a tenth of the speed, a run of two seconds is at most 3 %
/// slower than on one thread.
#[test]
fn threads_that_do_not_pay_are_left() {
    let time = run(20_000_000, |threads, _| if threads == 1 { 1e7 } else { 1e6 });
    assert!(time <= Duration::from_millis(2_060), "{time:?}");
}

/// Claim: where threads seem to pay for 8 ms at a time and then nearly stall, as on cores that
/// other processes use, a run of two seconds is at most 5 % slower.
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

/// Claim: when other processes take the cores half way, one thread takes over; when the cores are
/// idle again threads come back.
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
        let all: Vec<_> = chosen.borrow().iter().filter(|c| span.contains(&c.0)).copied().collect();
        all.iter().filter(|c| c.1 > 1).count() as f64 / all.len() as f64
    };
    assert!(share(0, 1) > 0.9);
    assert!(share(1, 4) < 0.1);
    assert!(share(8, 9) > 0.9);
}

/// Claim: where threads do a fifth of the work and lose their cores for 6 ms at a time, runs of a
/// tenth of a second to two are at most 5 % slower than on one thread.
#[test]
fn short_runs_lose_little() {
    for millis in [100, 200, 450, 1_000, 2_000] {
        let lost = Duration::from_millis(6);
        let speed = |threads, _| if threads == 1 { 1e7 } else { 2e6 };
        let time = run_beside(10_000 * millis, lost, speed);
        assert!(time <= Duration::from_millis(millis).mul_f64(1.05), "{time:?}");
    }
}

/// A governor of four threads that is given speeds, in units per ms, stretch by stretch.
struct Driven(Governor);

impl Driven {
    fn new() -> Driven {
        Driven(Governor::new(4).unwrap())
    }

    /// Runs a stretch of the requested length; returns the next phase and threads.
    fn ran(&mut self, units_per_ms: u64) -> (Phase, usize) {
        let time = self.0.next().time;
        self.0.note(units_per_ms * time.as_millis() as u64, time);
        (self.0.phase, self.0.next().threads)
    }

    /// Runs on one thread at 1,000 units per ms until the next trial; returns how long that takes.
    fn alone(&mut self) -> Duration {
        let mut time = Duration::ZERO;
        while self.0.phase == Phase::Alone {
            time += self.0.next().time;
            self.ran(1_000);
        }
        assert_eq!(self.0.phase, Phase::Warming);
        time
    }
}

/// Claim: a trial is one stretch to warm caches, which only shows whether it is hopeless, and one
/// that is measured; 1.05 times the speed of one thread pays, a little less does not.
#[test]
fn a_trial_ends_by_its_second_part() {
    for (speed, outcome) in [(1_050, (Phase::Many, 4)), (1_049, (Phase::Alone, 1))] {
        let mut governor = Driven::new();
        assert_eq!((governor.0.phase, governor.0.next().threads), (Phase::First, 1));
        assert_eq!(governor.ran(1_000), (Phase::Warming, 4));
        assert_eq!(governor.ran(300), (Phase::Trial, 4));
        assert_eq!(governor.ran(speed), outcome);
    }
    let mut governor = Driven::new();
    governor.ran(1_000);
    assert_eq!(governor.ran(299), (Phase::Alone, 1), "hopeless");
}

/// Claim: threads that are slow once stay; slow twice, the speed of one thread is measured, and
/// they come back only if it is slower still.
#[test]
fn slow_threads_are_doubted_before_they_are_left() {
    for (alone, outcome) in [(1_000, (Phase::Alone, 1)), (500, (Phase::Many, 4))] {
        let mut governor = Driven::new();
        for speed in [1_000, 3_000, 3_000] {
            governor.ran(speed);
        }
        assert_eq!(governor.ran(3_000), (Phase::Many, 4));
        assert_eq!(governor.ran(900), (Phase::Slow, 4));
        assert_eq!(governor.ran(3_000), (Phase::Many, 4), "only for a moment");
        assert_eq!(governor.ran(900), (Phase::Slow, 4));
        assert_eq!(governor.ran(900), (Phase::Doubt, 1));
        assert_eq!(governor.ran(alone), outcome);
    }
}

/// Claim: the speed of one thread falls by at most a quarter at each measurement, so that one that
/// just lost its core is not considered slow.
#[test]
fn the_speed_of_one_thread_falls_by_steps() {
    let mut governor = Driven::new();
    for speed in [1_000, 3_000, 3_000, 780, 780] {
        governor.ran(speed);
    }
    assert_eq!(governor.0.phase, Phase::Doubt);
    // 780 is less than 1.05 x 750, and more than 1.05 x 10.
    assert_eq!(governor.ran(10), (Phase::Alone, 1));
    assert_eq!(governor.0.speed[0] as u64, 750_000);
}

/// Claim: each time that threads do not pay, the time until the next trial doubles, from 200 ms to
/// 4 s.
#[test]
fn patience_doubles() {
    let mut governor = Driven::new();
    governor.ran(1_000);
    for wait in [200, 400, 800, 1_600, 3_200, 4_000, 4_000] {
        assert_eq!(governor.ran(100), (Phase::Alone, 1));
        assert_eq!(governor.alone(), Duration::from_millis(wait));
    }
}

/// Claim: a measurement shorter than 1 ms is accumulated with the next: 400 units in 0.4 ms and 200
/// in 0.6 ms are 600 in a ms.
#[test]
fn short_stretches_are_put_together() {
    let mut governor = Driven::new();
    let micros = Duration::from_micros;
    governor.0.note(400, micros(400));
    assert_eq!((governor.0.phase, governor.0.speed[0] as u64), (Phase::First, 0));
    governor.0.note(200, micros(600));
    assert_eq!((governor.0.phase, governor.0.speed[0] as u64), (Phase::Warming, 600_000));
}

/// Claim: a governor is a function of its inputs: two with the same inputs decide the same, for
/// 10,000 random stretches; it chooses one thread or all. One thread has no governor.
#[test]
fn decisions_are_a_function_of_the_inputs() {
    let mut dice = crate::RandomStream::new(1, "pace", "test");
    let mut below = |bound: u64| dice.next_u64() % bound;
    let [mut one, mut other] = [(); 2].map(|()| Governor::new(4).unwrap());
    let mut seen = [false; 5];
    for _ in 0..10_000 {
        let (units, time) = (below(50_000), Duration::from_micros(below(20_000)));
        one.note(units, time);
        other.note(units, time);
        assert_eq!(one.next(), other.next());
        seen[one.next().threads] = true;
    }
    assert_eq!(seen, [false, true, false, false, true]);
    assert!(Governor::new(1).is_none());
}
