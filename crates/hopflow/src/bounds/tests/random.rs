//! Random networks whose flows keep their contracts: a line of one to four switches, flows from
//! anywhere to anywhere in one direction, all ports of the line with one scheduler.

use hopflow_control::scheduler::tdm::slots;
use hopflow_control::scheduler::{Reservation, SchedulerSpec};
use hopflow_network::{
    EnvelopeRule, EnvelopeSpec, Excess, HopControl, LengthLaw, LinkSpec, NetworkSpec, PolicingRule,
    PolicingSpec, RoundTrip, SizeLaw, SourceSpec, SpanLaw, VcSpec, port_flows,
};
use hopflow_testing::{NetworkBuilder, plain_direction};
use hopflow_units::{Bytes, Picos, Rate, SimTime};

/// Numbers from a seed (SplitMix64).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `least` to `most`, both included.
    pub(super) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most - least + 1)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.between(1, 100) <= percent
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.between(0, of.len() as u64 - 1) as usize].clone()
    }
}

/// A network of this seed, all its ports with one of these schedulers.
pub(super) fn random_network(seed: u64, schedulers: &[SchedulerSpec]) -> NetworkSpec {
    let mut dice = Dice(seed);
    let switches = dice.between(1, 4) as usize;
    let rate = dice.pick(&[1_000_000, 8_000_000, 99_999_999, 155_520_000, 622_080_000, 7_777_777]);
    let mut network = NetworkBuilder::new(1);
    let line: Vec<usize> = (0..switches).map(|n| network.switch(&format!("S{n}"))).collect();
    for pair in line.windows(2) {
        add_link(&mut network, pair[0], pair[1], rate, schedulers, &mut dice);
    }
    let flows = dice.between(2, 9);
    let last = network.host("last");
    add_link(&mut network, line[switches - 1], last, rate, schedulers, &mut dice);
    let largest = dice.pick(&[53, 250, 1_000, 1_500]);
    let slots = schedulers.iter().any(|one| matches!(one, SchedulerSpec::Tdm { .. }));
    let full = dice.chance(30) && !slots;
    let budget = if full { rate } else { rate * dice.between(20, 90) / 100 };
    for flow in 0..flows {
        let from = dice.between(0, switches as u64 - 1) as usize;
        let to = dice.between(from as u64, switches as u64 - 1) as usize;
        let host = network.host(&format!("h{flow}"));
        let fast = rate * dice.pick(&[1, 2, 10, 100]);
        let own = [SchedulerSpec::RoundRobin, SchedulerSpec::Fifo, dice.pick(schedulers)];
        add_link(&mut network, host, line[from], fast, &own, &mut dice);
        let mut route = vec![host];
        route.extend(&line[from..=to]);
        let end = if to + 1 < switches && dice.chance(60) {
            let end = network.host(&format!("e{flow}"));
            let fast = rate * dice.pick(&[1, 3]);
            add_link(&mut network, line[to], end, fast, schedulers, &mut dice);
            end
        } else {
            route.extend(&line[to + 1..]);
            last
        };
        route.push(end);
        let number = network.vc(&format!("f{flow}"), &route, HopControl::None, SourceSpec::Greedy);
        let share = budget / flows;
        let reserved = if full { share } else { share * dice.between(10, 100) / 100 };
        add_traffic(&mut network.spec.vcs[number], reserved.max(1), rate, largest, &mut dice);
    }
    finish(&mut network.spec, rate, largest, &mut dice);
    network.spec
}

fn add_link(
    network: &mut NetworkBuilder,
    from: usize,
    to: usize,
    bps: u64,
    schedulers: &[SchedulerSpec],
    dice: &mut Dice,
) {
    let mut direction = plain_direction(bps, Picos(dice.between(0, 3_000_000)));
    direction.processing = Picos(dice.pick(&[0, 0, 12_345]));
    let back = direction.clone();
    direction.scheduler = dice.pick(schedulers);
    let round_trip = RoundTrip::Loop;
    network.link_of(LinkSpec { ends: [from, to], directions: [direction, back], round_trip });
}

fn sizes(largest: u64, dice: &mut Dice) -> SizeLaw {
    let smaller = dice.between(largest / 4, largest);
    match dice.between(0, 5) {
        0 => SizeLaw::Uniform { least: Bytes(smaller), most: Bytes(largest) },
        1 => SizeLaw::Mix(vec![(Bytes(smaller), 1), (Bytes(largest), 2)]),
        2 => SizeLaw::Fixed(Bytes(smaller)),
        _ => SizeLaw::Fixed(Bytes(largest)),
    }
}

/// A source that may send too much, and what makes it keep a bucket within its reservation.
fn add_traffic(vc: &mut VcSpec, reserved: u64, rate: u64, largest: u64, dice: &mut Dice) {
    let bps = |bps: u64| Rate::from_bps(bps).expect("above zero");
    vc.traffic.size = sizes(largest, dice);
    let most = vc.traffic.size.most();
    let packet = bps(reserved).transmit_time(most).expect("in range");
    let burst = Bytes(most.0 * dice.between(1, 8));
    let ahead = if dice.chance(20) { packet.0 * dice.between(1, 5) } else { 0 };
    vc.reservation = Some(Reservation {
        rate: bps(reserved),
        interval: Picos(packet.0 * dice.between(1, 20)),
        priority: Picos(ahead),
        burst,
    });
    vc.priority = dice.between(0, 3) as u8;
    let line = bps(rate).transmit_time(most).expect("in range").0;
    let room = dice.between(1, 10) as u32;
    let excess = dice.pick(&[Excess::Discarded, Excess::Delayed { packets: room }]);
    let rule = match dice.between(0, 3) {
        0 => PolicingRule::LeakyBucket { period: packet, packets: room },
        1 => PolicingRule::Gcra { increment: packet, limit: Picos(packet.0 * burst.0 / most.0) },
        _ => PolicingRule::TokenBucket { rate: bps(reserved), burst },
    };
    vc.traffic.policing = Some(PolicingSpec { rule, excess });
    vc.source = match dice.between(0, 6) {
        0 => SourceSpec::Poisson { gap: Picos(packet.0 / 2 + 1) }.into(),
        1 => SourceSpec::Train { length: 4.0, spacing: Picos(line), pause: packet }.into(),
        2 => SourceSpec::OnOff {
            burst: LengthLaw::Geometric(5.0),
            off: SpanLaw::Exponential(packet),
            burst_first: dice.chance(50),
        }
        .into(),
        3 => {
            vc.traffic.policing = None;
            SourceSpec::Constant { rate: bps(reserved) }.into()
        }
        4 => {
            vc.traffic.policing = None;
            SourceSpec::Phased { gap: packet }.into()
        }
        5 => on_off(vc, dice, packet).into(),
        _ => SourceSpec::Replay { times: greedy_times(packet, dice) }.into(),
    };
    if dice.chance(15)
        && matches!(*vc.source, SourceSpec::Train { .. } | SourceSpec::Poisson { .. })
    {
        vc.traffic.envelope = Some(EnvelopeSpec {
            packets: dice.between(1, 10) as u32,
            interval: Picos(packet.0 * 12),
            rule: EnvelopeRule::Gaps { least_gap: Picos(packet.0 / 2), average_gap: packet },
        });
    }
    vc.start = SimTime(dice.pick(&[0, 0, packet.0 / 3]));
}

/// Bursts of a fixed length whose mean is the reserved rate.
fn on_off(vc: &mut VcSpec, dice: &mut Dice, packet: Picos) -> SourceSpec {
    vc.traffic.policing = None;
    let burst = dice.between(1, 6);
    SourceSpec::OnOff {
        burst: LengthLaw::Fixed(burst),
        off: SpanLaw::Fixed(Picos(packet.0 * burst)),
        burst_first: dice.chance(80),
    }
}

/// Bursts with pauses, as much as a bucket may take.
fn greedy_times(packet: Picos, dice: &mut Dice) -> Vec<Picos> {
    let mut now = 0;
    let mut times = Vec::new();
    for _ in 0..dice.between(2, 8) {
        times.extend(vec![Picos(now); dice.between(1, 12) as usize]);
        now += packet.0 * dice.between(1, 12);
    }
    times
}

/// Lasts some packets of the slowest flow; where a scheduler needs it, reservations fit.
fn finish(spec: &mut NetworkSpec, rate: u64, largest: u64, dice: &mut Dice) {
    let slowest = spec.vcs.iter().filter_map(|vc| vc.reservation).map(|r| r.rate.bps()).min();
    let packet = largest * 8 * 1_000_000 / slowest.unwrap_or(rate) * 1_000_000;
    spec.duration = Picos(packet * dice.between(5, 40));
    spec.seed = dice.next();
    refit(spec);
}

/// Ports whose flows do not fit their frame take turns instead.
pub(super) fn refit(spec: &mut NetworkSpec) {
    let flows = port_flows(spec);
    let mut unfit = Vec::new();
    for (index, flows) in flows.iter().enumerate() {
        let direction = &mut spec.links[index / 2].directions[index % 2];
        let (SchedulerSpec::Tdm { frame } | SchedulerSpec::ScheduleBased { frame, .. }) =
            direction.scheduler
        else {
            continue;
        };
        if slots(direction.wire(), frame, flows).is_err() {
            unfit.push(index);
        }
    }
    for index in unfit {
        spec.links[index / 2].directions[index % 2].scheduler = SchedulerSpec::RoundRobin;
    }
}
