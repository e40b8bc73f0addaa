//! A second GPS, for tests: without tags and virtual time, but with an amount of fluid for every
//! packet, served step by step. In floating point: instants below 2^50 ps are exact to 2^-3 ps, and
//! a step adds an error of the same size.

use super::fair_tests::{Mix, time};
use super::trial::Input;

/// The service of one packet in the fluid system, by its number among the inputs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Served {
    pub(super) begin: f64,
    pub(super) end: f64,
}

/// The fluid system while it runs.
#[derive(Clone, Debug)]
pub(super) struct Fluid {
    now: f64,
    /// Integral of dt over the sum of the weights that are served.
    pub(super) clock: f64,
    weights: Vec<f64>,
    /// For each flow: number and remaining fluid of the packets that have not ended, oldest first.
    queues: Vec<Vec<(usize, f64)>>,
    /// Fluid served, by flow.
    pub(super) done: Vec<f64>,
    pub(super) packets: Vec<Served>,
}

impl Fluid {
    pub(super) fn new(mix: &Mix) -> Fluid {
        let flows = mix.weights.len();
        Fluid {
            now: 0.0,
            clock: 0.0,
            weights: mix.weights.iter().map(|weight| *weight as f64).collect(),
            queues: vec![Vec::new(); flows],
            done: vec![0.0; flows],
            packets: vec![Served::default(); mix.inputs.len()],
        }
    }

    /// Serves fluid until this instant.
    pub(super) fn run_until(&mut self, until: f64) {
        while self.now < until {
            let busy = |flow: &usize| !self.queues[*flow].is_empty();
            let flows: Vec<usize> = (0..self.queues.len()).filter(busy).collect();
            let sum: f64 = flows.iter().map(|flow| self.weights[*flow]).sum();
            if flows.is_empty() {
                self.now = until;
                return;
            }
            let left = |flow: &usize| self.queues[*flow][0].1 * sum / self.weights[*flow];
            let step = flows.iter().map(left).fold(until - self.now, f64::min);
            self.now += step;
            self.clock += step / sum;
            for flow in flows {
                let share = step * self.weights[flow] / sum;
                self.serve(flow, share);
            }
        }
    }

    /// One flow's part of a step, in which at most its first packet ends.
    fn serve(&mut self, flow: usize, share: f64) {
        self.done[flow] += share;
        let queue = &mut self.queues[flow];
        queue[0].1 -= share;
        if queue[0].1 <= 0.01 {
            self.packets[queue[0].0].end = self.now;
            queue.remove(0);
            if let Some((next, _)) = queue.first() {
                self.packets[*next].begin = self.now;
            }
        }
    }

    /// A packet arrives now.
    pub(super) fn arrive(&mut self, number: usize, flow: u32, bytes: u32) {
        let queue = &mut self.queues[flow as usize];
        if queue.is_empty() {
            self.packets[number].begin = self.now;
        }
        queue.push((number, time(bytes) as f64));
    }

    /// All arrivals of a mix, and then until the system is empty.
    pub(super) fn run(mix: &Mix) -> Vec<Served> {
        let mut fluid = Fluid::new(mix);
        for (number, (at, input)) in mix.inputs.iter().enumerate() {
            if let Input::Arrive(flow, bytes) = *input {
                fluid.run_until(*at as f64);
                fluid.arrive(number, flow, bytes);
            }
        }
        while fluid.queues.iter().any(|queue| !queue.is_empty()) {
            fluid.run_until(fluid.now + 1e12);
        }
        fluid.packets
    }
}
