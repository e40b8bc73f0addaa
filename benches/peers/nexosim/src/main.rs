//! The workloads in nexosim: `nexobench 1 CELLS 0 [THREADS]`, `nexobench 2 CELLS FLOWS [THREADS]`.
//!
//! 1 is the tandem, 2 many flows (see `../README.md`). A link is one model: an unlimited FIFO, the
//! time on the wire (`done`, which it schedules for itself) and the propagation (`deliver`).
//! nexosim counts whole nanoseconds, so a cell takes 2,726 ns instead of 2,726.337. Prints one line
//! of JSON; only the event loop is timed.

use std::collections::VecDeque;
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::Output;
use nexosim::simulation::{Mailbox, SimInit};
use nexosim::time::MonotonicTime;
use serde::{Deserialize, Serialize};

/// The transmit time of one cell at 155.52 Mb/s.
const CELL_TIME: Duration = Duration::from_nanos(2726);
const BURST: u64 = 100;
const FUTURE: &str = "an instant later than now can be scheduled";

static RECEIVED: AtomicU64 = AtomicU64::new(0);
static LAST: AtomicU64 = AtomicU64::new(0);

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Cell {
    flow: u32,
    sequence: u32,
}

#[derive(Serialize, Deserialize)]
struct Link {
    out: Output<Cell>,
    queue: VecDeque<Cell>,
    delay: Duration,
}

#[Model]
impl Link {
    fn new(micros: u64) -> Self {
        let delay = Duration::from_micros(micros);
        Self { out: Output::default(), queue: VecDeque::new(), delay }
    }

    pub fn input(&mut self, cell: Cell, cx: &Context<Self>) {
        self.queue.push_back(cell);
        if self.queue.len() == 1 {
            cx.schedule_event(CELL_TIME, schedulable!(Self::done), ()).expect(FUTURE);
        }
    }

    #[nexosim(schedulable)]
    fn done(&mut self, _: (), cx: &Context<Self>) {
        let cell = self.queue.pop_front().expect("a cell was on the wire");
        cx.schedule_event(self.delay, schedulable!(Self::deliver), cell).expect(FUTURE);
        if !self.queue.is_empty() {
            cx.schedule_event(CELL_TIME, schedulable!(Self::done), ()).expect(FUTURE);
        }
    }

    #[nexosim(schedulable)]
    async fn deliver(&mut self, cell: Cell) {
        self.out.send(cell).await;
    }
}

#[derive(Serialize, Deserialize)]
struct Source {
    out: Output<Cell>,
    left: u64,
    /// Mean silence in seconds before each burst; `None`: no bursts, cells back to back.
    silence: Option<f64>,
    in_burst: u64,
    random: u64,
    flow: u32,
    sequence: u32,
}

#[Model]
impl Source {
    fn new(cells: u64, silence: Option<f64>, flow: u32) -> Self {
        let random = u64::from(flow) + 1;
        let out = Output::default();
        Self { out, left: cells, silence, in_burst: 0, random, flow, sequence: 0 }
    }

    fn exponential(&mut self, mean: f64) -> Duration {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        let uniform = ((z >> 11) as f64 + 1.0) / 9_007_199_254_740_993.0;
        Duration::from_secs_f64(-mean * uniform.ln())
    }

    #[nexosim(init)]
    async fn init(&mut self, cx: &Context<Self>) {
        let least = Duration::from_nanos(1);
        let wait = self.silence.map_or(least, |mean| self.exponential(mean).max(least));
        cx.schedule_event(wait, schedulable!(Self::fire), ()).expect(FUTURE);
    }

    #[nexosim(schedulable)]
    async fn fire(&mut self, _: (), cx: &Context<Self>) {
        self.left -= 1;
        let cell = Cell { flow: self.flow, sequence: self.sequence };
        self.sequence += 1;
        self.out.send(cell).await;
        if self.left == 0 {
            return;
        }
        let mut wait = CELL_TIME;
        self.in_burst += 1;
        if let Some(mean) = self.silence
            && self.in_burst == BURST
        {
            self.in_burst = 0;
            wait += self.exponential(mean);
        }
        cx.schedule_event(wait, schedulable!(Self::fire), ()).expect(FUTURE);
    }
}

#[derive(Serialize, Deserialize)]
struct Sink;

#[Model]
impl Sink {
    pub fn input(&mut self, _: Cell, cx: &Context<Self>) {
        RECEIVED.fetch_add(1, Relaxed);
        let now = cx.time().duration_since(MonotonicTime::EPOCH);
        LAST.store(now.as_nanos() as u64, Relaxed);
    }
}

/// Adds the tandem, and returns its hops.
fn tandem(mut bench: SimInit, cells: u64) -> (SimInit, u64) {
    let sink = Mailbox::new();
    let boxes: Vec<Mailbox<Link>> = (0..6).map(|_| Mailbox::new()).collect();
    let mut links: Vec<Link> = (0..6).map(|_| Link::new(50)).collect();
    for (index, link) in links.iter_mut().enumerate() {
        match boxes.get(index + 1) {
            Some(next) => link.out.connect(Link::input, next),
            None => link.out.connect(Sink::input, &sink),
        };
    }
    let mut source = Source::new(cells, None, 0);
    source.out.connect(Link::input, &boxes[0]);
    for (index, (link, mailbox)) in links.into_iter().zip(boxes).enumerate() {
        bench = bench.add_model(link, mailbox, &format!("link {index}"));
    }
    bench = bench.add_model(source, Mailbox::new(), "source").add_model(Sink, sink, "sink");
    (bench, 6 * cells)
}

/// Adds many flows over one trunk, and returns their hops.
fn many_flows(mut bench: SimInit, cells: u64, flows: u64) -> (SimInit, u64) {
    let (mut trunk, mut leave) = (Link::new(50), Link::new(5));
    let (trunk_box, leave_box, sink) = (Mailbox::new(), Mailbox::new(), Mailbox::new());
    trunk.out.connect(Link::input, &leave_box);
    leave.out.connect(Sink::input, &sink);
    let burst = BURST as f64 * CELL_TIME.as_secs_f64();
    let silence = burst * flows as f64 / 0.9 - burst;
    for flow in 0..flows {
        let mailbox = Mailbox::new();
        let mut access = Link::new(5);
        access.out.connect(Link::input, &trunk_box);
        let mut source = Source::new(cells / flows, Some(silence), flow as u32);
        source.out.connect(Link::input, &mailbox);
        bench = bench.add_model(source, Mailbox::new(), &format!("source {flow}")).add_model(
            access,
            mailbox,
            &format!("access {flow}"),
        );
    }
    bench = bench
        .add_model(trunk, trunk_box, "trunk")
        .add_model(leave, leave_box, "leave")
        .add_model(Sink, sink, "sink");
    (bench, 3 * (cells / flows) * flows)
}

/// The most memory this process has ever held, in MiB.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok().map(|kib: f64| kib / 1024.0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<u64> =
        std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let [number, cells, flows, ..] = args[..] else {
        return Err("usage: nexobench 1|2 CELLS FLOWS [THREADS]".into());
    };
    let bench = SimInit::with_num_threads(args.get(3).map_or(1, |count| *count as usize));
    let (bench, hops) = match number {
        1 => tandem(bench, cells),
        _ => many_flows(bench, cells, flows),
    };
    let mut simulation = bench.init(MonotonicTime::EPOCH)?;
    let start = Instant::now();
    simulation.run()?;
    let seconds = start.elapsed().as_secs_f64();
    let (received, last) = (RECEIVED.load(Relaxed), LAST.load(Relaxed) as f64 * 1e-9);
    println!(
        "{{\"peer\":\"nexosim\",\"w\":{number},\"n\":{cells},\"rx\":{received},\"hops\":{hops},\
         \"run_s\":{seconds},\"hops_per_s\":{},\"sim_s\":{last:.9},\"rss_mb\":{}}}",
        hops as f64 / seconds,
        peak_memory().unwrap_or_default()
    );
    Ok(())
}
