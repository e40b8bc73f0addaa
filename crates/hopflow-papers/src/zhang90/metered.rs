//! A flow alone with a VirtualClock meter: a source as the network has it, whose packets
//! reach the meter as they are born, with no network in between.
//!
//! [Zhang90] 2.2.1 and 2.3.2 argue about the meter and the traffic only; what a queue does to
//! the packets before they reach a switch would blur both. Packets have 250 bytes (3.1.2).

use hopflow_control::scheduler::{Meter, MeterCheck, Reading, Reservation};
use hopflow_network::traffic::Source;
use hopflow_network::{EnvelopeRule, EnvelopeSpec, SizeLaw, SourceSpec, VcSpec, Wire};
use hopflow_units::{Bytes, Picos, Rate, SimTime};

/// Every packet.
pub(super) const PACKET: Bytes = Bytes(250);
/// A link so fast that it does not count: nothing but on-off sources ask for it.
const FIRST_LINK_BPS: u64 = 10_000_000;

/// A source with its reservation.
#[derive(Clone, Debug)]
pub(super) struct Lone {
    /// AR in packets/s.
    pub(super) per_second: u64,
    /// AI.
    pub(super) interval: Picos,
    /// What it sends.
    pub(super) source: SourceSpec,
    /// Whether it keeps the envelope of its reservation.
    pub(super) envelope: bool,
}

/// What the meter of a flow reported.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Seen {
    /// Checks.
    pub(super) checks: u64,
    /// Checks that found the flow too fast.
    pub(super) flags: u64,
    /// When and at which check (from 1 on) the first did.
    pub(super) first: Option<(SimTime, u64)>,
    /// The most that VirtualClock was ahead of real time, in s.
    pub(super) lead_max_s: f64,
}

/// The rate of `per_second` packets of 250 bytes.
pub(super) fn rate(per_second: u64) -> Rate {
    Rate::from_bps(per_second * PACKET.bits()).expect("a rate is above zero")
}

/// The time of one packet at `per_second`.
pub(super) fn gap(per_second: u64) -> Picos {
    rate(per_second).transmit_time(PACKET).expect("a packet at 1 b/s or more")
}

/// A train source as `kind = "train"` has it: packets 1 / (`burstiness` x rate) apart in a train,
/// the mean rate as given.
pub(super) fn train(per_second: u64, length: f64, burstiness: f64) -> SourceSpec {
    let mean = gap(per_second).0 as f64;
    let spacing = mean / burstiness;
    let pause = length * (mean - spacing);
    SourceSpec::Train {
        length,
        spacing: Picos(spacing.round() as u64),
        pause: Picos(pause.round() as u64),
    }
}

impl Lone {
    fn reservation(&self) -> Reservation {
        Reservation {
            rate: rate(self.per_second),
            interval: self.interval,
            priority: Picos::ZERO,
            burst: PACKET,
        }
    }

    /// AIR, in packets.
    pub(super) fn air(&self) -> u64 {
        self.interval.0.div_ceil(gap(self.per_second).0)
    }

    /// The births of flow `name` under a seed, before `until`.
    pub(super) fn births(&self, name: &str, seed: u64, until: SimTime) -> Births {
        let mut vc = VcSpec::new(name, Vec::new(), self.source.clone());
        vc.traffic.size = SizeLaw::Fixed(PACKET);
        vc.stop = Some(until);
        let average_gap = gap(self.per_second);
        vc.traffic.envelope = self.envelope.then(|| EnvelopeSpec {
            packets: u32::try_from(self.air()).expect("AIR fits 32 bits"),
            interval: self.interval,
            rule: EnvelopeRule::Gaps { least_gap: Picos(average_gap.0 / 2), average_gap },
        });
        vc.reservation = Some(self.reservation());
        let rate = Rate::from_bps(FIRST_LINK_BPS).expect("above zero");
        let first = Wire { rate, overhead: Bytes(0) };
        Births(Source::new(&vc, first, seed))
    }

    /// What a meter reports as each packet of flow `name` is born, before `until`. `threshold`: T;
    /// AI where it is `None`.
    pub(super) fn readings(
        &self,
        name: &str,
        seed: u64,
        check: MeterCheck,
        threshold: Option<Picos>,
        until: SimTime,
    ) -> impl Iterator<Item = (SimTime, Reading)> {
        let mut meter = Meter::new(&self.reservation(), PACKET, check, threshold);
        let tick = gap(self.per_second);
        self.births(name, seed, until).map(move |now| (now, meter.on_packet(tick, now)))
    }

    /// The same in short.
    pub(super) fn metered(
        &self,
        name: &str,
        seed: u64,
        check: MeterCheck,
        threshold: Option<Picos>,
        until: SimTime,
    ) -> Seen {
        let mut seen = Seen::default();
        let mut lead_max: i128 = 0;
        for (now, reading) in self.readings(name, seed, check, threshold, until) {
            seen.checks += u64::from(reading.checked);
            seen.flags += u64::from(reading.too_fast);
            lead_max = lead_max.max(reading.lead_ps);
            if reading.too_fast && seen.first.is_none() {
                seen.first = Some((now, seen.checks));
            }
        }
        seen.lead_max_s = lead_max as f64 / Picos::PER_SECOND as f64;
        seen
    }
}

/// When the packets of a source are born, in order.
pub(super) struct Births(Source);

impl Iterator for Births {
    type Item = SimTime;

    fn next(&mut self) -> Option<SimTime> {
        let due = self.0.due()?;
        self.0.advance();
        Some(due)
    }
}
