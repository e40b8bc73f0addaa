//! The network in real time: one thread that reads what hosts send, simulates up to now, and writes
//! what arrives.
//!
//! ```text
//! poll:  H                     now                              (times of the run, in ps)
//!        |---- simulated next --|
//!        packets found now are present from max(H, now - cap) on                      (1)
//! ```
//! A packet that is found now was sent after the last poll at H, at an unknown instant. It is taken
//! to be present since H, so that a late poll takes no capacity from the links: the network catches
//! up. It does not catch up by more than the cap: time lost beyond it is counted as skipped.
//!
//! A host is read while fewer packets wait at its endpoint than two plus the number that its link
//! can have sent since the previous poll. Anything more that it sends stays in its device and its
//! sockets: back-pressure reaches the program as on real hosts.

use std::collections::VecDeque;
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use hopflow::{RunError, RunOptions, RunResult, Scenario, Session};
use hopflow_network::DelayHistogram;
use hopflow_network::transport::live::{ArrivedPacket, Given, Line};
use hopflow_units::{Picos, SimTime};

use crate::autogroup::Raised;
use crate::evidence::{Counted, Evidence, Late};
use crate::join::Joined;
use crate::segments::{HEADER, cut};
use crate::system::{Tun, Watch, settle};
use crate::{Glance, Hosts, Pair};

/// Packets that may wait at an endpoint before its host is no longer read, in addition to those
/// that its link has time for.
const MOST_WAITING: usize = 2;
/// The cap of the time to catch up: 2 ms.
const CAP: Picos = Picos(2_000_000_000);
/// The largest possible packet, with its header.
const LARGEST: usize = 65_535 + HEADER;
/// Packets in a chunk of the record.
const PIECE: usize = 1 << 15;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The scenario cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A device failed.
    #[error("the device of a host failed: {0}")]
    Device(#[from] io::Error),
}

/// A scenario about to be run in real time.
pub struct Emulation {
    session: Session,
    ends: Vec<End>,
}

/// The result of a run.
pub struct Emulated {
    /// The usual result.
    pub result: RunResult,
    /// The evidence of its lateness.
    pub evidence: Evidence,
    /// The packets that hosts sent, by connection: the first host, the second.
    pub sent: Vec<[Arc<[Given]>; 2]>,
}

/// A host at its end of a connection.
struct End {
    line: Arc<Line>,
    mtu: usize,
    /// The transmit time of a packet on its link, in ps.
    packet_time: u64,
    /// Packets that the host has sent as one large one, and that wait here: the endpoint does not
    /// know them yet.
    held: VecDeque<Vec<u8>>,
    /// Packets that have not arrived at the other host, oldest first, and the number of the first.
    on_the_way: VecDeque<Vec<u8>>,
    first: u64,
    /// The packets that it sent, in chunks, so that nothing is ever moved.
    record: Vec<Vec<Given>>,
    /// Whether its device has a packet, as of the last check.
    is_ready: bool,
}

/// Counters of the thread.
#[derive(Default)]
struct Tally {
    late: DelayHistogram,
    packets: u64,
    skips: u64,
    skipped: u64,
    strange: u64,
    /// Memory of packets that have arrived.
    spare: Vec<Vec<u8>>,
}

/// Packets that arrive at one host in one poll.
struct Delivery {
    begun: Instant,
    arrived: Vec<ArrivedPacket>,
    joined: Joined,
    /// When the joined packets were due.
    due: Vec<SimTime>,
}

impl Emulation {
    /// A run of `scenario` between the hosts of `pairs`, both from `real_hosts`.
    pub fn new(scenario: &Scenario, pairs: &[Pair], describe: bool) -> Result<Emulation, Fault> {
        let options = RunOptions { describe, ..RunOptions::default() };
        let session = Session::new(scenario, &options)?;
        let end = |pair: &Pair, side: usize| End {
            line: Arc::clone(&pair.lines[side]),
            mtu: pair.mtu as usize,
            packet_time: pair.packet_time[side].0.max(1),
            held: VecDeque::new(),
            on_the_way: VecDeque::new(),
            first: 0,
            record: Vec::new(),
            is_ready: false,
        };
        let ends = pairs.iter().flat_map(|pair| [end(pair, 0), end(pair, 1)]).collect();
        Ok(Emulation { session, ends })
    }

    /// The end of the scenario.
    pub fn end(&self) -> SimTime {
        self.session.end()
    }

    /// Runs it to the end of the scenario, or until `stop`, on its own thread, which stays on one
    /// processor. Others observe its progress in `glance`.
    pub fn run(
        self,
        hosts: &Hosts,
        processor: usize,
        stop: &AtomicBool,
        glance: &Glance,
    ) -> Result<Emulated, Fault> {
        let _raised = Raised::new();
        let network = || {
            settle(processor);
            self.run_here(hosts, stop, glance)
        };
        thread::scope(|scope| match scope.spawn(network).join() {
            Ok(done) => done,
            Err(panic) => resume_unwind(panic),
        })
    }

    fn run_here(
        mut self,
        hosts: &Hosts,
        stop: &AtomicBool,
        glance: &Glance,
    ) -> Result<Emulated, Fault> {
        let devices: Vec<&Tun> = hosts.devices().iter().flatten().collect();
        let mut watch = Watch::new(&devices)?;
        let (mut tally, mut buffer) = (Tally::default(), vec![0; LARGEST]);
        let end = self.session.end();
        let (before, begun) = (Counted::now(), Instant::now());
        let (arrived, joined, due) = (Vec::new(), Joined::default(), Vec::new());
        let mut delivery = Delivery { begun, arrived, joined, due };
        while !self.session.is_over() && !stop.load(Ordering::Relaxed) {
            let now = elapsed(begun).min(end);
            let from = since(self.session.now(), now, &mut tally);
            watch.ready()?.for_each(|place| self.ends[place].is_ready = true);
            for (end, device) in self.ends.iter_mut().zip(&devices) {
                end.read(device, from, now, &mut buffer, &mut tally)?;
                end.line.open_until(now);
            }
            self.session.step(now, &mut |_| ());
            for (side, device) in devices.iter().enumerate() {
                self.ends[side].line.take(&mut delivery.arrived);
                if !delivery.arrived.is_empty() {
                    // The other end of the same connection has sent them.
                    let sender = &mut self.ends[side ^ 1];
                    let bytes = delivery.bring(sender, device, &mut tally, glance)?;
                    glance.add(side / 2, side % 2, bytes.0, bytes.1);
                }
            }
            glance.set_now(now);
        }
        let seconds = begun.elapsed().as_secs_f64();
        let (waited_ns, steal) = Counted::now().since(before);
        let evidence = Evidence {
            seconds,
            late: Late::of(&tally.late, tally.packets),
            skips: tally.skips,
            skipped_ns: tally.skipped / 1_000,
            waited_ns,
            hosts_waited_ns: hosts.waited(),
            steal,
            host_lost_packets: hosts.lost(),
            strange_packets: tally.strange,
            disturbed: Vec::new(),
        };
        let mut ends = self.ends.into_iter().map(|end| end.record.concat().into());
        let mut sent = Vec::new();
        while let (Some(first), Some(second)) = (ends.next(), ends.next()) {
            sent.push([first, second]);
        }
        let (result, _) = self.session.finish();
        Ok(Emulated { result, evidence: evidence.judged(), sent })
    }
}

/// The time since the run began.
fn elapsed(begun: Instant) -> SimTime {
    SimTime(begun.elapsed().as_nanos() as u64 * 1_000)
}

/// The instant from which a packet found now is present, Eq. (1). Time beyond the cap is skipped.
fn since(looked: SimTime, now: SimTime, tally: &mut Tally) -> SimTime {
    let behind = now.0.saturating_sub(looked.0);
    if behind <= CAP.0 {
        return looked;
    }
    tally.skips += 1;
    tally.skipped += behind - CAP.0;
    SimTime(now.0 - CAP.0)
}

impl Delivery {
    /// Writes arrived packets to their host; returns how many, and their bytes.
    fn bring(
        &mut self,
        sender: &mut End,
        device: &Tun,
        tally: &mut Tally,
        glance: &Glance,
    ) -> io::Result<(u64, u64)> {
        let mut arrived = std::mem::take(&mut self.arrived);
        let (packets, mut bytes) = (arrived.len() as u64, 0);
        for ArrivedPacket { at, number } in arrived.drain(..) {
            let packet = sender.find(number, tally);
            bytes += (packet.len() - HEADER) as u64;
            if !self.joined.continues(&packet) {
                self.write(device, tally, glance)?;
            }
            tally.spare.extend(self.joined.take(packet));
            self.due.push(at);
        }
        self.write(device, tally, glance)?;
        self.arrived = arrived;
        Ok((packets, bytes))
    }

    /// Writes the joined packets.
    fn write(&mut self, device: &Tun, tally: &mut Tally, glance: &Glance) -> io::Result<()> {
        let now = elapsed(self.begun);
        let first = self.due.first().map_or(0, |due| now.0.saturating_sub(due.0));
        glance.set_late(first);
        for due in self.due.drain(..) {
            tally.late.record(now.0.saturating_sub(due.0));
            tally.packets += 1;
        }
        let Some(frame) = self.joined.finish() else { return Ok(()) };
        let done = device.write(&frame);
        tally.spare.push(frame);
        done
    }
}

impl End {
    /// Reads what the host has sent since the previous poll, as long as its endpoint accepts it.
    fn read(
        &mut self,
        device: &Tun,
        from: SimTime,
        now: SimTime,
        buffer: &mut [u8],
        tally: &mut Tally,
    ) -> io::Result<()> {
        if self.held.is_empty() && !self.is_ready {
            return Ok(());
        }
        let most = MOST_WAITING + ((now.0 - from.0) / self.packet_time) as usize;
        let mut waiting = self.line.waiting();
        while waiting < most {
            let Some(packet) = self.held.pop_front() else {
                let bytes = if self.is_ready { device.read(buffer)? } else { None };
                self.is_ready = bytes.is_some();
                let Some(bytes) = bytes else { return Ok(()) };
                self.hold(&buffer[..bytes], tally);
                continue;
            };
            let given = Given { at: from, bytes: (packet.len() - HEADER) as u32 };
            self.on_the_way.push_back(packet);
            self.line.push(given);
            waiting += 1;
            if self.record.last().is_none_or(|piece| piece.len() == PIECE) {
                self.record.push(Vec::with_capacity(PIECE));
            }
            self.record.last_mut().expect("there is one").push(given);
        }
        Ok(())
    }

    /// Cuts a frame that the host has sent into packets.
    fn hold(&mut self, frame: &[u8], tally: &mut Tally) {
        let Tally { spare, strange, .. } = tally;
        let (held, mtu) = (&mut self.held, self.mtu);
        let room = || {
            let mut memory = spare.pop().unwrap_or_default();
            memory.clear();
            memory
        };
        let mut too_large = 0;
        let is_ip = cut(frame, room, |packet| {
            if packet.len() - HEADER <= mtu {
                held.push_back(packet);
            } else {
                too_large += 1;
            }
        });
        *strange += too_large + u64::from(is_ip.is_none());
    }

    /// The packet of this number; earlier ones that have not arrived were lost.
    fn find(&mut self, number: u64, tally: &mut Tally) -> Vec<u8> {
        while self.first < number {
            let lost = self.on_the_way.pop_front().expect("it was sent");
            tally.spare.push(lost);
            self.first += 1;
        }
        self.first += 1;
        self.on_the_way.pop_front().expect("it was sent")
    }
}
