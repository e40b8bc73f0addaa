//! Which run is next: on one thread the lightest experiments first, on the others the heaviest.
//!
//! A bag is what one experiment must run; the weight of a run follows from the plan, never from a
//! clock. A thread that is free takes, in this order:
//!
//! 1. the heaviest run left in the bag that it took its last run from;
//! 2. if it opens: the lightest bag that is not begun, as long as these bags are together no
//!    heavier than the opening;
//! 3. the heaviest bag that is not begun, and of it the heaviest run;
//! 4. the heaviest run of the bag with the most weight left: it helps.
//!
//! So a reader sees results at once, a thread alone does not hold the results of many experiments,
//! and no thread is idle before the last runs. Where weights are equal, the order of the papers
//! decides. The results do not depend on any of this.

use std::cmp::Reverse;

/// The runs of every experiment that are not taken yet.
#[derive(Debug)]
pub(crate) struct Schedule {
    bags: Vec<Bag>,
    /// What the thread that opens may still begin, in units of weight.
    opening: u64,
}

/// What is left of an experiment.
#[derive(Debug)]
struct Bag {
    /// Weight and number of each run, the heaviest last.
    left: Vec<(u64, usize)>,
    begun: bool,
}

impl Bag {
    fn new(weights: &[u64]) -> Bag {
        let numbers = weights.iter().copied().enumerate();
        let mut left: Vec<(u64, usize)> =
            numbers.map(|(number, weight)| (weight, number)).collect();
        left.sort_by_key(|(weight, number)| (*weight, Reverse(*number)));
        Bag { left, begun: false }
    }

    fn weight(&self) -> u64 {
        self.left.iter().map(|(weight, _)| weight).sum()
    }
}

/// What a thread knows of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    opens: bool,
    bag: Option<usize>,
}

impl Turn {
    /// A thread that has done nothing yet. `opens`: it takes the lightest experiments first.
    pub(crate) const fn new(opens: bool) -> Turn {
        Turn { opens, bag: None }
    }
}

impl Schedule {
    /// The weights of the runs of every experiment, and how much of them the opening is.
    pub(crate) fn new(experiments: &[Vec<u64>], opening: u64) -> Schedule {
        Schedule { bags: experiments.iter().map(|weights| Bag::new(weights)).collect(), opening }
    }

    /// The next run for this thread: the experiment, and the number of the run in it. `None`: all
    /// runs are taken.
    pub(crate) fn next(&mut self, turn: &mut Turn) -> Option<(usize, usize)> {
        let own = turn.bag.filter(|bag| !self.bags[*bag].left.is_empty());
        let bag = own
            .or_else(|| self.opening(turn))
            .or_else(|| self.heaviest(|bag| !bag.begun))
            .or_else(|| self.heaviest(|_| true))?;
        turn.bag = Some(bag);
        self.bags[bag].begun = true;
        let (_, run) = self.bags[bag].left.pop()?;
        Some((bag, run))
    }

    /// The lightest bag not begun, if the opening has room for it.
    fn opening(&mut self, turn: &mut Turn) -> Option<usize> {
        if !turn.opens {
            return None;
        }
        let waiting = (0..self.bags.len()).filter(|bag| self.waits(*bag, |bag| !bag.begun));
        let lightest = waiting.min_by_key(|bag| self.bags[*bag].weight());
        let within = lightest.filter(|bag| self.bags[*bag].weight() <= self.opening);
        match within {
            Some(bag) => self.opening -= self.bags[bag].weight(),
            None => turn.opens = false,
        }
        within
    }

    fn heaviest(&self, of: fn(&Bag) -> bool) -> Option<usize> {
        let waiting = (0..self.bags.len()).filter(|bag| self.waits(*bag, of));
        waiting.max_by_key(|bag| (self.bags[*bag].weight(), Reverse(*bag)))
    }

    fn waits(&self, bag: usize, of: fn(&Bag) -> bool) -> bool {
        !self.bags[bag].left.is_empty() && of(&self.bags[bag])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the schedule on `threads` threads that each take as long as the weight says; gives the
    /// instant at which each thread ended, and every (thread, experiment, run) in order of start.
    fn played(
        experiments: &[Vec<u64>],
        opening: u64,
        threads: usize,
    ) -> (Vec<u64>, Vec<(usize, usize, usize)>) {
        let mut schedule = Schedule::new(experiments, opening);
        let mut turns: Vec<Turn> = (0..threads).map(|n| Turn::new(n + 1 == threads)).collect();
        let (mut free, mut ended) = (vec![0; threads], vec![false; threads]);
        let mut order = Vec::new();
        while let Some(thread) = (0..threads).filter(|n| !ended[*n]).min_by_key(|n| (free[*n], *n))
        {
            match schedule.next(&mut turns[thread]) {
                Some((experiment, run)) => {
                    free[thread] += experiments[experiment][run];
                    order.push((thread, experiment, run));
                }
                None => ended[thread] = true,
            }
        }
        (free, order)
    }

    /// Claim: one thread opens with the lightest experiments (weights 1 and 2), which are all that
    /// an opening of 4 has room for; the other begins with the heaviest. Then both take the
    /// heaviest, and at the end the thread without an experiment helps the other.
    #[test]
    fn short_ones_first_on_one_thread_and_long_ones_first_on_the_other() {
        let experiments = [vec![5, 6], vec![2], vec![40, 30, 20, 10], vec![1], vec![7]];
        let (_, order) = played(&experiments, 4, 2);
        let expected = [
            (0, 2, 0),
            (1, 3, 0),
            (1, 1, 0),
            (1, 0, 1),
            (1, 0, 0),
            (1, 4, 0),
            (1, 2, 1),
            (0, 2, 2),
            (1, 2, 3),
        ];
        assert_eq!(order, expected);
    }

    /// Claim: on any number of threads every run is taken once.
    #[test]
    fn every_run_is_taken_once() {
        let experiments = [vec![3; 7], vec![], vec![0], vec![9, 1, 4], vec![2; 5]];
        for threads in 1..=9 {
            let (_, order) = played(&experiments, 5, threads);
            let mut taken: Vec<_> = order.iter().map(|(_, bag, run)| (*bag, *run)).collect();
            taken.sort_unstable();
            let all = experiments.iter().enumerate();
            let all: Vec<_> =
                all.flat_map(|(bag, runs)| (0..runs.len()).map(move |run| (bag, run))).collect();
            assert_eq!(taken, all, "{threads} threads");
        }
    }

    /// Claim: one thread opens too, so that results come at once there.
    #[test]
    fn a_thread_alone_opens() {
        let (_, order) = played(&[vec![9, 8], vec![1]], 2, 1);
        assert_eq!(order, [(0, 1, 0), (0, 0, 0), (0, 0, 1)]);
    }
}
