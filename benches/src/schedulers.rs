//! The schedulers alone: packets per second of one port at 10, 1,000 and 100,000 flows.
//!
//! Every flow always has two packets waiting, of 64, 576 or 1,500 bytes, and link control lets it
//! send. A step asks the scheduler, starts the packet it names, and lets another packet of that
//! flow arrive when it ends. Flows have equal reservations that fill the port, and eight classes in
//! rotation. Each round interleaves schedulers and numbers of flows; medians are reported.
//!
//! Plain round robin is not here: it is implemented in the lists of the engine's port, which the
//! networks with N23 measure.

use std::time::Instant;

use hopflow_control::scheduler::{
    FlowShare, Next, Reservation, Scheduler, SchedulerSpec, VirtualClockSpec,
};
use hopflow_units::{Bytes, Picos, Rate, SimTime};

use crate::{Format, median};

const FLOWS: [u32; 3] = [10, 1_000, 100_000];
const BPS: u64 = 100_000_000_000;
const LARGEST: u64 = 1_500;
/// Sizes rotate in this order.
const SIZES: [u32; 7] = [64, 1_500, 64, 576, 64, 576, 1_500];
const STEPS: u64 = 300_000;

fn all(flows: u32) -> [SchedulerSpec; 14] {
    let virtual_clock = VirtualClockSpec { messages: false, ..VirtualClockSpec::default() };
    [
        SchedulerSpec::Fifo,
        SchedulerSpec::StrictPriority,
        SchedulerSpec::WeightedRoundRobin,
        SchedulerSpec::DeficitRoundRobin { quantum: Bytes(LARGEST) },
        SchedulerSpec::Wfq,
        SchedulerSpec::Wf2q,
        SchedulerSpec::Scfq,
        SchedulerSpec::Sfq,
        SchedulerSpec::VirtualClock(virtual_clock),
        SchedulerSpec::LeapForward,
        SchedulerSpec::Tdm { frame: flows },
        SchedulerSpec::ScheduleBased { frame: flows, window: 4 },
        SchedulerSpec::Ats { max_residence: None },
        SchedulerSpec::Cbs,
    ]
}

/// Packets per second, by scheduler, then by number of flows.
struct Row {
    name: &'static str,
    speeds: Vec<f64>,
}

/// Measures and prints all of them.
pub(crate) fn run(rounds: u32, divide: u64, format: Format) {
    let steps = (STEPS / divide).max(1);
    let mut nanos = vec![vec![Vec::new(); FLOWS.len()]; all(1).len()];
    for _ in 0..rounds {
        for (column, flows) in FLOWS.into_iter().enumerate() {
            for (row, spec) in all(flows).into_iter().enumerate() {
                nanos[row][column].push(timed(&mut Port::new(spec, flows), steps));
            }
        }
    }
    let rows: Vec<Row> = (all(1).into_iter().zip(nanos))
        .map(|(spec, times)| Row {
            name: spec.facts().name,
            speeds: times.into_iter().map(|times| 1e9 / median(times)).collect(),
        })
        .collect();
    print(&rows, format);
}

/// Nanoseconds per packet. As many packets as there are flows are sent before the clock starts, so
/// that the state is not the initial one.
fn timed(port: &mut Port, steps: u64) -> f64 {
    for _ in 0..port.waiting.len() {
        port.step();
    }
    let start = Instant::now();
    for _ in 0..steps {
        port.step();
    }
    start.elapsed().as_secs_f64() * 1e9 / steps as f64
}

/// A port that is never without work.
struct Port {
    scheduler: Scheduler,
    rate: Rate,
    now: SimTime,
    /// The two packets of each flow that wait, first one first.
    waiting: Vec<[u32; 2]>,
    count: usize,
}

impl Port {
    fn new(spec: SchedulerSpec, flows: u32) -> Port {
        let rate = Rate::from_bps(BPS).expect("not zero");
        let shares: Vec<FlowShare> = (0..flows).map(|flow| share(flow, flows)).collect();
        let scheduler = Scheduler::new(spec, rate, &shares, false);
        let scheduler = scheduler.expect("every scheduler but round robin is a machine");
        let mut port = Port {
            scheduler,
            rate,
            now: SimTime::ZERO,
            waiting: vec![[0; 2]; flows as usize],
            count: 0,
        };
        for flow in 0..flows {
            port.scheduler.permit(flow, port.now);
            for _ in 0..2 {
                port.come(flow);
            }
        }
        port
    }

    fn come(&mut self, flow: u32) {
        let bytes = SIZES[self.count % SIZES.len()];
        self.count += 1;
        let waiting = &mut self.waiting[flow as usize];
        *waiting = [waiting[1], bytes];
        self.scheduler.arrive(flow, bytes, self.now);
    }

    /// Sends one packet, and returns its flow.
    fn step(&mut self) -> u32 {
        loop {
            match self.scheduler.next(self.now) {
                Next::Flow(flow) => {
                    let bytes = Bytes(u64::from(self.waiting[flow as usize][0]));
                    let time = self.rate.transmit_time(bytes).expect("a short packet");
                    let end = self.now.saturating_add(time);
                    self.scheduler.start(flow, self.now, end);
                    self.now = end;
                    self.come(flow);
                    return flow;
                }
                Next::At(later) => self.now = later,
                Next::Nothing | Next::Check => panic!("packets wait, and none is ever sent"),
            }
        }
    }
}

fn share(flow: u32, flows: u32) -> FlowShare {
    let bps = BPS / u64::from(flows);
    let rate = Rate::from_bps(bps).expect("not zero");
    let reservation = Reservation {
        rate,
        interval: Picos(Picos::PER_SECOND),
        priority: Picos::ZERO,
        burst: Bytes(2 * LARGEST),
    };
    FlowShare {
        weight: bps,
        reservation: Some(reservation),
        class: (flow % 8) as u8,
        input: flow % 16,
        largest: Bytes(LARGEST),
    }
}

fn print(rows: &[Row], format: Format) {
    match format {
        Format::Json => {
            let row = |row: &Row| {
                let [few, many, most] = [row.speeds[0], row.speeds[1], row.speeds[2]];
                let speeds = serde_json::json!({ "10": few, "1000": many, "100000": most });
                serde_json::json!({ "scheduler": row.name, "packets_per_second": speeds })
            };
            let rows: Vec<_> = rows.iter().map(row).collect();
            println!("{:#}", serde_json::json!({ "version": 1, "schedulers": rows }));
        }
        Format::Markdown => {
            println!("| M packets/s by number of flows | 10 | 1,000 | 100,000 |");
            println!("|---|---:|---:|---:|");
            for row in rows {
                let cells: Vec<String> =
                    row.speeds.iter().map(|speed| format!("{:.1}", speed / 1e6)).collect();
                println!("| `{}` | {} |", row.name, cells.join(" | "));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: each scheduler keeps such a port busy and serves all of 10 equal flows, except strict
    /// priority, which serves only the two flows of class 0.
    #[test]
    fn every_scheduler_keeps_the_port_going() {
        for spec in all(10) {
            let name = spec.facts().name;
            let mut port = Port::new(spec, 10);
            let mut served = [0_u32; 10];
            for _ in 0..10_000 {
                served[port.step() as usize] += 1;
            }
            let busy = served.iter().filter(|count| **count > 100).count();
            let expected = if name == "strict-priority" { 2 } else { 10 };
            assert_eq!(busy, expected, "{name}: {served:?}");
        }
    }
}
