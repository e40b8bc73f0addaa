//! The governor on machines made for it, and its states one by one.

use super::*;

/// Runs `total` on a machine that does `speed` units a second by threads; the time taken. It
/// does not tell which cores are free.
fn run(total: u64, speed: impl Fn(usize, Duration) -> f64) -> Duration {
    run_beside(total, None, Duration::ZERO, speed)
}

/// The same where `free` cores are free, by what the system tells, and a stretch on several
/// threads takes `least` at least: one of them has lost its core for so long.
fn run_beside(
    total: u64,
    free: Option<usize>,
    least: Duration,
    speed: impl Fn(usize, Duration) -> f64,
) -> Duration {
    let mut governor = Governor::new(4).unwrap();
    let (mut left, mut time) = (total as f64, Duration::ZERO);
    while left > 0.0 {
        let Stretch { threads, time: most } = governor.next();
        let speed = speed(threads, time);
        let most = if threads > 1 { most.max(least) } else { most };
        let units = (speed * most.as_secs_f64()).min(left);
        let span = Duration::from_secs_f64(units / speed);
        governor.note(units as u64, span, || free);
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
        let all: Vec<_> = chosen.borrow().iter().filter(|c| span.contains(&c.0)).copied().collect();
        all.iter().filter(|c| c.1 > 1).count() as f64 / all.len() as f64
    };
    assert!(share(0, 1) > 0.9);
    assert!(share(1, 4) < 0.1);
    assert!(share(8, 9) > 0.9);
}

/// Claim: where others have all cores and the system tells so, no other thread is tried; where
/// they have one of four, three threads are.
#[test]
fn cores_that_others_have_are_not_tried() {
    for (free, most) in [(0, 1), (1, 1), (3, 3), (9, 4)] {
        let tried = std::cell::Cell::new(1);
        run_beside(20_000_000, Some(free), Duration::ZERO, |threads, _| {
            tried.set(tried.get().max(threads));
            1e7 * threads as f64
        });
        assert_eq!(tried.get(), most);
    }
}

/// Claim: where it does not tell, and threads do a fifth of the work and lose their cores for 6
/// ms at a time, runs of a tenth of a second to two are at most 5 % slower than on one thread.
#[test]
fn short_runs_lose_little() {
    for millis in [100, 200, 450, 1_000, 2_000] {
        let lost = Duration::from_millis(6);
        let speed = |threads, _| if threads == 1 { 1e7 } else { 2e6 };
        let time = run_beside(10_000 * millis, None, lost, speed);
        assert!(time <= Duration::from_millis(millis).mul_f64(1.05), "{time:?}");
    }
}

/// A governor of four threads that is told speeds, in units per ms, stretch by stretch.
struct Told(Governor);

impl Told {
    fn new() -> Told {
        Told(Governor::new(4).unwrap())
    }

    /// A stretch of the length that it asked for, all cores free; what it does next.
    fn ran(&mut self, units_per_ms: u64) -> (Doing, usize) {
        self.ran_beside(units_per_ms, Some(4))
    }

    fn ran_beside(&mut self, units_per_ms: u64, free: Option<usize>) -> (Doing, usize) {
        let time = self.0.next().time;
        self.0.note(units_per_ms * time.as_millis() as u64, time, || free);
        (self.0.doing, self.0.next().threads)
    }

    /// Alone at 1,000 units a ms until it tries several; how long that takes.
    fn alone(&mut self) -> Duration {
        let mut time = Duration::ZERO;
        while self.0.doing == Doing::Alone {
            time += self.0.next().time;
            self.ran(1_000);
        }
        assert_eq!(self.0.doing, Doing::Warming);
        time
    }
}

/// Claim: a trial is one stretch to warm caches, which counts for nothing but hopelessness, and one
/// that counts; 1.05 times the speed of one thread pays, a little less does not.
#[test]
fn a_trial_ends_by_its_second_part() {
    for (speed, outcome) in [(1_050, (Doing::Many, 4)), (1_049, (Doing::Alone, 1))] {
        let mut told = Told::new();
        assert_eq!((told.0.doing, told.0.next().threads), (Doing::First, 1));
        assert_eq!(told.ran(1_000), (Doing::Warming, 4));
        assert_eq!(told.ran(300), (Doing::Trial, 4));
        assert_eq!(told.ran(speed), outcome);
    }
    let mut told = Told::new();
    told.ran(1_000);
    assert_eq!(told.ran(299), (Doing::Alone, 1), "hopeless");
}

/// Claim: threads that are slow once stay; slow twice, one thread is asked for its speed, and they
/// come back if it is slower still, else not.
#[test]
fn slow_threads_are_doubted_before_they_are_left() {
    for (alone, outcome) in [(1_000, (Doing::Alone, 1)), (500, (Doing::Many, 4))] {
        let mut told = Told::new();
        for speed in [1_000, 3_000, 3_000] {
            told.ran(speed);
        }
        assert_eq!(told.ran(3_000), (Doing::Many, 4));
        assert_eq!(told.ran(900), (Doing::Slow, 4));
        assert_eq!(told.ran(3_000), (Doing::Many, 4), "only for a moment");
        assert_eq!(told.ran(900), (Doing::Slow, 4));
        assert_eq!(told.ran(900), (Doing::Doubt, 1));
        assert_eq!(told.ran(alone), outcome);
    }
}

/// Claim: the speed of one thread falls by a quarter at most each time that it is measured, so that
/// one that just lost its core is not taken for slow.
#[test]
fn the_speed_of_one_thread_falls_by_steps() {
    let mut told = Told::new();
    for speed in [1_000, 3_000, 3_000, 780, 780] {
        told.ran(speed);
    }
    assert_eq!(told.0.doing, Doing::Doubt);
    // 780 is less than 1.05 x 750, and more than 1.05 x 10.
    assert_eq!(told.ran(10), (Doing::Alone, 1));
    assert_eq!(told.0.speed[0] as u64, 750_000);
}

/// Claim: each time that threads do not pay, it is twice as long until they are tried again, from
/// 200 ms to 4 s.
#[test]
fn patience_doubles() {
    let mut told = Told::new();
    told.ran(1_000);
    for wait in [200, 400, 800, 1_600, 3_200, 4_000, 4_000] {
        assert_eq!(told.ran(100), (Doing::Alone, 1));
        assert_eq!(told.alone(), Duration::from_millis(wait));
    }
}

/// Claim: where no core is free nothing is tried for 50 ms, and patience stays; then as many as are
/// free are tried, and more once more are, but not before the stay is over.
#[test]
fn free_cores_bound_a_trial() {
    let mut told = Told::new();
    assert_eq!(told.ran_beside(1_000, Some(1)), (Doing::Alone, 1));
    for _ in 0..4 {
        assert_eq!(told.ran_beside(1_000, Some(4)), (Doing::Alone, 1));
    }
    assert_eq!(told.ran_beside(1_000, Some(2)), (Doing::Warming, 2));
    assert_eq!(told.0.patience, FIRST_STAY);
    assert_eq!([told.ran(2_000), told.ran(2_000)], [(Doing::Trial, 2), (Doing::Many, 2)]);
    // 6 ms of the trial and nine times 10 ms: less than 100 ms.
    for _ in 0..9 {
        assert_eq!(told.ran(2_000), (Doing::Many, 2));
    }
    assert_eq!(told.ran(2_000), (Doing::Warming, 4));
}

/// Claim: what is shorter than 1 ms waits for more, and both count together: 400 units in 0.4 ms
/// and 200 in 0.6 ms are 600 in a ms.
#[test]
fn short_stretches_are_put_together() {
    let mut told = Told::new();
    let micros = Duration::from_micros;
    told.0.note(400, micros(400), || unreachable!("it says nothing yet"));
    assert_eq!((told.0.doing, told.0.speed[0] as u64), (Doing::First, 0));
    told.0.note(200, micros(600), || Some(4));
    assert_eq!((told.0.doing, told.0.speed[0] as u64), (Doing::Warming, 600_000));
}

/// Claim: a governor is a function of what it is told: two that are told the same do the same, for
/// 10,000 random stretches; it never asks for none or for more than all threads. One thread has no
/// governor.
#[test]
fn what_it_does_follows_from_what_it_is_told() {
    let mut dice = crate::RandomStream::new(1, "pace", "test");
    let mut below = |bound: u64| dice.next_u64() % bound;
    let [mut one, mut other] = [(); 2].map(|()| Governor::new(4).unwrap());
    let mut seen = [false; 5];
    for _ in 0..10_000 {
        let (units, time) = (below(50_000), Duration::from_micros(below(20_000)));
        let free = [None, Some(below(6) as usize)][below(2) as usize];
        one.note(units, time, || free);
        other.note(units, time, || free);
        assert_eq!(one.next(), other.next());
        assert!((1..=4).contains(&one.next().threads));
        seen[one.next().threads] = true;
    }
    assert_eq!(seen, [false, true, true, true, true]);
    assert!(Governor::new(1).is_none());
}
