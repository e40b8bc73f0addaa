//! Draws a network that is meant to have a cause. Whether it has is decided by counterfactuals.

use super::net::{Cause, Control, Link, Net, Source};

/// A small random stream (SplitMix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// From `least` to `most`, both included.
    fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most - least + 1)
    }

    /// One of `all`.
    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.between(0, all.len() as u64 - 1) as usize]
    }

    /// From `least` to `most` per cent of `value`.
    fn part(&mut self, value: f64, least: u64, most: u64) -> f64 {
        value * self.between(least, most) as f64 / 100.0
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.between(1, 100) <= percent
    }
}

/// Variants of TCP whose windows grow at usual speed.
const VARIANTS: [&str; 3] = ["newreno", "cubic", "dctcp"];

/// A network without a cause but its slowest link.
fn plain(dice: &mut Dice) -> Net {
    let count = dice.between(2, 4) as usize;
    let slow = dice.between(0, count as u64 - 1) as usize;
    let mbps = dice.one(&[20.0, 50.0, 100.0, 150.0]);
    let link = |place: usize, dice: &mut Dice| Link {
        mbps: if place == slow { mbps } else { mbps * dice.one(&[1.0, 2.0, 4.0]) },
        delay_us: dice.between(50, 2_000),
    };
    let links: Vec<Link> = (0..count).map(|place| link(place, dice)).collect();
    let mut net = Net {
        duration_us: 0,
        links,
        source: Source::Greedy,
        control: Control::None,
        packet: dice.one(&[500, 1_000, 1_500]),
        corrupt: None,
        marking: None,
        send_limit: None,
        lanes: None,
        pause: None,
        gates: None,
        drain: None,
        buffer: None,
        others: None,
        light: None,
    };
    if dice.chance(40) {
        net.light = Some(dice.part(mbps, 1, 5));
    }
    // 150 round trips, in which windows grow, and 4,000 packets.
    let packets_us = 4_000 * 8 * 1_500 / mbps as u64;
    net.duration_us = (150 * net.round_trip_us()).max(packets_us);
    net
}

/// Bytes that the slowest link carries in a round trip.
fn loop_bytes(net: &Net) -> f64 {
    net.slowest() * net.round_trip_us() as f64 / 8.0
}

fn tcp(dice: &mut Dice) -> Source {
    Source::Tcp { variant: dice.one(&VARIANTS), window: 2_000_000, part: None }
}

/// A source that limits nothing.
fn unlimited(dice: &mut Dice) -> Source {
    if dice.chance(50) { tcp(dice) } else { Source::Greedy }
}

/// A network that is meant to have this cause.
pub(crate) fn net(cause: Cause, dice: &mut Dice) -> Net {
    let mut net = plain(dice);
    of_endpoint(cause, &mut net, dice);
    of_control(cause, &mut net, dice);
    of_place(cause, &mut net, dice);
    net
}

/// A cause at an endpoint of a connection, or at a source.
fn of_endpoint(cause: Cause, net: &mut Net, dice: &mut Dice) {
    let slowest = net.slowest();
    match cause {
        Cause::ReceiveWindow => {
            let window = (dice.part(loop_bytes(net), 10, 60) as u64).max(6_000);
            net.source = Source::Tcp { variant: dice.one(&VARIANTS), window, part: None };
        }
        Cause::Loss => {
            net.source = tcp(dice);
            let place = dice.between(0, net.links.len() as u64 - 1) as usize;
            net.corrupt = Some((place, dice.part(1.0, 1, 4)));
        }
        Cause::Marks => {
            let (variant, window) = (dice.one(&["newreno-ecn", "dctcp"]), 2_000_000);
            net.source = Source::Tcp { variant, window, part: None };
            net.links[0].mbps = 4.0 * slowest;
            net.marking = Some(dice.between(1, 2));
        }
        Cause::Source => {
            let mbps = dice.part(slowest, 5, 70);
            net.source = if dice.chance(50) {
                let bytes = mbps * net.duration_us as f64 / 8.0 / 20.0;
                Source::Tcp {
                    variant: dice.one(&VARIANTS),
                    window: 2_000_000,
                    part: Some(bytes as u64),
                }
            } else {
                Source::Constant { mbps }
            };
        }
        Cause::Pacing => {
            net.source = tcp(dice);
            net.send_limit = Some(dice.part(slowest, 5, 70));
        }
        Cause::Server => {
            let service_us = net.round_trip_us() * dice.between(1, 4) + 1_000;
            net.source = Source::Calls { service_us, ahead: dice.between(4, 8) as u32 };
        }
        _ => {}
    }
}

/// A cause in the control of a hop, or of the flow.
fn of_control(cause: Cause, net: &mut Net, dice: &mut Dice) {
    let slowest = net.slowest();
    match cause {
        Cause::Credit => {
            net.packet = 53;
            // N3 of every hop: the longest loop is the limit.
            let longest = net.links.iter().map(|link| link.delay_us).max().unwrap_or(1);
            let cells = slowest * 2.0 * longest as f64 / 424.0;
            net.control = Control::Credit { n3: (dice.part(cells, 10, 60) as u64).max(2) };
            (net.source, net.light) = (Source::Greedy, None);
        }
        Cause::LaneCredit => {
            let longest = net.links.iter().map(|link| link.delay_us).max().unwrap_or(1);
            let blocks = slowest * 2.0 * longest as f64 / 512.0;
            net.lanes = Some((dice.part(blocks, 10, 60) as u64).max(60));
            (net.source, net.light) = (Source::Greedy, None);
        }
        Cause::Pause => {
            net.source = Source::Greedy;
            net.light = None;
            // Each packet pauses the first link, whose loop is long: of rho / (1 + rho) of the next
            // link, rho times slower than the first, less passes than the slowest one carries.
            let (next, rho) = (dice.one(&[1.2, 1.3, 1.4]), dice.one(&[1.25, 1.5]));
            net.links[0] = Link { mbps: slowest * next * rho, delay_us: dice.between(500, 2_000) };
            net.links[1].mbps = slowest * next;
            net.links.push(Link { mbps: slowest, delay_us: dice.between(50, 2_000) });
            net.pause = Some(net.packet);
        }
        Cause::Window => {
            let packets = loop_bytes(net) / net.packet as f64;
            net.control = Control::Window { packets: (dice.part(packets, 10, 60) as u64).max(1) };
        }
        Cause::Rate => {
            net.packet = 53;
            net.light = None;
            net.control = Control::Rate { mbps: dice.part(slowest, 10, 70) };
        }
        _ => {}
    }
}

/// A cause at a port, a receiver or a node.
fn of_place(cause: Cause, net: &mut Net, dice: &mut Dice) {
    let slowest = net.slowest();
    match cause {
        Cause::Link => {
            net.source = unlimited(dice);
            if net.source == Source::Greedy && dice.chance(60) {
                net.control = if dice.chance(50) {
                    let packets = 2.0 * loop_bytes(net) / net.packet as f64;
                    Control::Window { packets: packets as u64 + 8 }
                } else {
                    (net.packet, net.light) = (53, None);
                    let cells = slowest * 4.0 * net.round_trip_us() as f64 / 424.0;
                    Control::Credit { n3: cells as u64 + 20 }
                };
            }
        }
        Cause::Gates => {
            let place = dice.between(0, net.links.len() as u64 - 1) as usize;
            net.links[place].mbps = 4.0 * slowest;
            // Open for 5 to 18 % of the time at four times the least rate.
            let open = dice.between(300, 1_000);
            net.gates = Some((place, open, dice.between(5, 18) * open));
            net.source = unlimited(dice);
        }
        Cause::Drain => {
            net.source = unlimited(dice);
            net.drain = Some(dice.part(slowest, 10, 70));
        }
        Cause::Others => {
            net.light = None;
            // No queue of its own at the first switch, and the slowest link is not the first.
            (net.links[0].mbps, net.links[1].mbps) = (2.0 * slowest, 4.0 * slowest);
            net.links.push(Link { mbps: slowest, delay_us: dice.between(50, 2_000) });
            net.buffer = Some(dice.between(20, 100));
            net.others = Some((dice.between(5, 8) as u32, dice.part(slowest, 5, 20)));
        }
        _ => {}
    }
}
