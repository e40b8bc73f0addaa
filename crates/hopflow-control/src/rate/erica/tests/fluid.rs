//! A slow network of ports under ERICA or ERICA+, for tests: sources send at their ACR for a whole
//! interval, then take the lowest ER of their ports, as with RIF = 1. Cells are not delayed.

use hopflow_units::SimTime;

use crate::rate::fixture::frm;
use crate::rate::{Algorithm, EricaPort, TargetCapacity};

/// A VC of the network.
pub(in crate::rate) struct Source {
    /// ACR, in cells/s.
    pub(in crate::rate) acr: f64,
    /// It never sends more than this, in cells/s.
    pub(in crate::rate) demand: f64,
    /// The ports on its path, with its number at each.
    route: Vec<(usize, u32)>,
    /// Its RM cells carry rates in 16 bits.
    pub(in crate::rate) sixteen_bit: bool,
    part: f64,
}

/// Ports with the same interval, and their sources.
pub(in crate::rate) struct Fluid<T> {
    pub(in crate::rate) ports: Vec<EricaPort<T>>,
    pub(in crate::rate) sources: Vec<Source>,
    /// Queues, in cells; a link serves `service` cells/s.
    pub(in crate::rate) queues: Vec<f64>,
    service: f64,
    /// CBR cells per interval at every port.
    pub(in crate::rate) other_cells: u64,
    now: SimTime,
}

impl<T: TargetCapacity> Fluid<T> {
    pub(in crate::rate) fn new(ports: Vec<EricaPort<T>>, service: f64) -> Fluid<T> {
        let queues = vec![0.0; ports.len()];
        Fluid { ports, sources: Vec::new(), queues, service, other_cells: 0, now: SimTime::ZERO }
    }

    /// Adds a greedy source that starts with `acr` cells/s.
    pub(in crate::rate) fn add(&mut self, acr: f64, route: &[usize]) {
        let number = |port: usize| {
            self.sources.iter().filter(|s| s.route.iter().any(|r| r.0 == port)).count() as u32
        };
        let route = route.iter().map(|&port| (port, number(port))).collect();
        let source = Source { acr, demand: f64::MAX, route, sixteen_bit: false, part: 0.0 };
        self.sources.push(source);
    }

    pub(in crate::rate) fn acrs(&self) -> Vec<f64> {
        self.sources.iter().map(|source| source.acr).collect()
    }

    /// One interval: cells, the timer, one BRM of every VC.
    pub(in crate::rate) fn step(&mut self) {
        let end = self.ports[0].next_timer().unwrap();
        let secs = end.since(self.now).as_secs_f64();
        let mut came = vec![self.other_cells; self.ports.len()];
        for source in &mut self.sources {
            source.part += source.acr.min(source.demand) * secs;
            let cells = source.part as u64;
            source.part -= cells as f64;
            for &(port, vc) in &source.route {
                came[port] += cells;
                (0..cells).for_each(|_| self.ports[port].arrive(self.now, vc, 0));
                self.ports[port].forward(self.now, vc, &mut frm(source.acr), 0);
            }
        }
        self.now = end;
        for (at, port) in self.ports.iter_mut().enumerate() {
            (0..self.other_cells).for_each(|_| port.arrive_other(end));
            let served = self.service * secs;
            self.queues[at] = (self.queues[at] + came[at] as f64 - served).max(0.0);
            port.on_timer(end, self.queues[at] as u64);
        }
        for source in &mut self.sources {
            let mut rm = frm(source.acr);
            rm.sixteen_bit = source.sixteen_bit;
            for &(port, vc) in source.route.iter().rev() {
                self.ports[port].backward(end, vc, &mut rm, self.queues[port] as u64);
            }
            source.acr = rm.er.get();
        }
    }

    pub(in crate::rate) fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| self.step());
    }
}
