//! VirtualClock as a meter: how far a flow is ahead of its reservation.
//!
//! ```text
//! first packet           VC := t - P                                             (1)
//! every packet           VC := VC + Vtick,   Vtick = bits / AR                   (2)
//! at a check             VC - (t - P) > T:  the flow is too fast                 (3)
//!                        VC < t - P:        VC := t - P                          (4)
//! ```
//! | symbol | meaning                                              | unit    |
//! |--------|------------------------------------------------------|---------|
//! | VC     | the flow's VirtualClock; kept here with P added      | ps      |
//! | t      | real time                                            | ps      |
//! | P      | priority                                             | ps      |
//! | AR, AI | average rate and the interval it is averaged over    | b/s, ps |
//! | AIR    | AR x AI in packets of the largest size, rounded up   | packets |
//! | T      | threshold, AI unless set                             | ps      |
//!
//! A check follows every AIR packets, or falls on every whole multiple of a fixed period; the
//! second kind is evaluated when the flow's next packet arrives, as of the instant at which it was
//! due. A steady flow at m x AR, whose first packet arrives at 0, is ahead by k AI (1 - 1/m) +
//! Vtick / m at its k-th check. So with T = AI it is found at check ceil(m / (m - 1)), unless AIR
//! is very small.
//!
//! Source: [Zhang90] 2.2.1, 2.4; P as in 2.2.2. Differs: time is in whole picoseconds and Vtick is
//! rounded up, so a flow at exactly AR gets ahead by less than 1 ps per packet until the next
//! check. The paper does not define AIR for packets of several sizes. Not modelled: a timer that
//! expires while the flow is silent. Checked by: the checks by hand and the closed form, below.

use hopflow_units::{Bytes, Picos, SimTime};

use super::{MeterCheck, Reservation};

/// The meter of one flow.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// VC + P.
    clock: u64,
    started: bool,
    /// Packets since the last check.
    count: u32,
    air: u32,
    threshold: u64,
    /// Period of the checks and when the next is due; `None`: after every AIR packets.
    periodic: Option<(u64, u64)>,
}

/// The result of the meter for one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How far VC is ahead of t - P with this packet, before (4), in ps; negative: behind.
    pub lead_ps: i128,
    /// VC + P with this packet, before (4), in ps: the packet's stamp if the meter stamps.
    pub clock: u64,
    /// Whether a check was due.
    pub checked: bool,
    /// Whether a check found the flow too fast.
    pub too_fast: bool,
}

impl Meter {
    /// The meter of a flow whose largest packet is `largest`. Panics for a period of zero.
    pub fn new(
        reservation: &Reservation,
        largest: Bytes,
        check: MeterCheck,
        threshold: Option<Picos>,
    ) -> Meter {
        let periodic = match check {
            MeterCheck::EveryAir => None,
            MeterCheck::Every(period) => {
                assert!(period > Picos::ZERO, "a meter is checked after some time");
                Some((period.0, period.0))
            }
        };
        Meter {
            clock: 0,
            started: false,
            count: 0,
            air: packets_per_interval(reservation, largest),
            threshold: threshold.unwrap_or(reservation.interval).0,
            periodic,
        }
    }

    /// VC + P after the last packet and its check, in ps.
    pub const fn clock(&self) -> u64 {
        self.clock
    }

    /// A packet with this Vtick arrives.
    pub fn on_packet(&mut self, tick: Picos, now: SimTime) -> Reading {
        if !self.started {
            (self.started, self.clock) = (true, now.0);
            if let Some((period, due)) = &mut self.periodic {
                *due = (now.0 / *period + 1) * *period;
            }
        }
        let too_fast_before = self.check_periods(now.0);
        self.clock = self.clock.saturating_add(tick.0);
        let clock = self.clock;
        let lead_ps = i128::from(clock) - i128::from(now.0);
        if let Some(too_fast) = too_fast_before {
            return Reading { lead_ps, clock, checked: true, too_fast };
        }
        self.count += 1;
        let checked = self.periodic.is_none() && self.count >= self.air;
        if checked {
            self.count = 0;
            self.clock = self.clock.max(now.0);
        }
        let too_fast = checked && lead_ps > i128::from(self.threshold);
        Reading { lead_ps, clock, checked, too_fast }
    }

    /// The periodic checks that were due since the last packet: `None` if there was none; otherwise
    /// whether one found the flow too fast.
    fn check_periods(&mut self, now: u64) -> Option<bool> {
        let (period, due) = self.periodic.as_mut()?;
        if *due > now {
            return None;
        }
        let mut too_fast = false;
        if self.clock > *due {
            // The flow is furthest ahead at the first of these checks.
            too_fast = self.clock - *due > self.threshold;
            *due = self.clock.min(now + 1).div_ceil(*period) * *period;
        }
        if *due <= now {
            // Behind at this check and so at all later ones.
            let last = now / *period * *period;
            self.clock = self.clock.max(last);
            *due = last + *period;
        }
        Some(too_fast)
    }
}

/// AIR = AR x AI in packets of this size, rounded up.
fn packets_per_interval(reservation: &Reservation, size: Bytes) -> u32 {
    let bit_picos = u128::from(reservation.rate.bps()) * u128::from(reservation.interval.0);
    let packet = u128::from(size.bits()) * u128::from(Picos::PER_SECOND);
    u32::try_from(bit_picos.div_ceil(packet)).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_units::Rate;

    const SECOND: u64 = Picos::PER_SECOND;

    /// 10 packets of 250 bytes a second over 20 s: Vtick = 100 ms, AIR = 200.
    fn reservation() -> Reservation {
        Reservation {
            rate: Rate::from_bps(20_000).unwrap(),
            interval: Picos(20 * SECOND),
            priority: Picos::ZERO,
            burst: Bytes(250),
        }
    }

    fn meter(check: MeterCheck) -> Meter {
        Meter::new(&reservation(), Bytes(250), check, None)
    }

    const TICK: Picos = Picos(SECOND / 10);

    /// When, in ps, and at which check a steady flow that sends `times`/`of` times its rate is
    /// found.
    fn found(check: MeterCheck, times: u64, of: u64) -> (u64, u32) {
        let mut meter = meter(check);
        let mut checks = 0;
        for n in 0.. {
            let now = n * TICK.0 * of / times;
            let reading = meter.on_packet(TICK, SimTime(now));
            checks += u32::from(reading.checked);
            if reading.too_fast {
                return (now, checks);
            }
        }
        unreachable!("the loop has no end")
    }

    /// Claim (closed form): at m x AR check ceil(m / (m - 1)) finds it: m = 5: the 2nd, m = 2: the
    /// 2nd (ahead by AI + Vtick / 2), m = 5/4: the 5th, m = 13/10: the 5th, m = 11/10: the 11th;
    /// the k-th check falls on packet 200 k, which arrives at (200 k - 1) x 100 ms / m.
    #[test]
    fn a_steady_flow_is_found_at_the_check_of_the_closed_form() {
        for (times, of, check) in [(5, 1, 2), (2, 1, 2), (5, 4, 5), (13, 10, 5), (11, 10, 11)] {
            let at = (200 * u64::from(check) - 1) * TICK.0 * of / times;
            assert_eq!(found(MeterCheck::EveryAir, times, of), (at, check), "{times}/{of}");
        }
    }

    /// Claim: with a check every 20 s the same flow at 5 x AR is found at the first check, t = 20 s
    /// (evaluated with the packet of that instant): it is 80 s ahead, compared with two checks of 4
    /// s each.
    #[test]
    fn a_fixed_period_finds_it_later() {
        let (at, checks) = found(MeterCheck::Every(Picos(20 * SECOND)), 5, 1);
        assert_eq!((at, checks), (20 * SECOND, 1));
        assert!(found(MeterCheck::EveryAir, 5, 1).0 < 8 * SECOND);
    }

    /// Claim: checks more frequent than packets are evaluated in one step: every picosecond for
    /// 1,000 s takes no time. The flow is furthest ahead, 100 ms, at the first of them.
    #[test]
    fn many_checks_take_no_time() {
        for (threshold, too_fast) in [(TICK.0 - 2, true), (TICK.0 - 1, false)] {
            let check = MeterCheck::Every(Picos(1));
            let mut meter = Meter::new(&reservation(), Bytes(250), check, Some(Picos(threshold)));
            meter.on_packet(TICK, SimTime(0));
            let reading = meter.on_packet(TICK, SimTime(1_000 * SECOND));
            assert_eq!((reading.checked, reading.too_fast), (true, too_fast));
            assert_eq!(meter.clock(), 1_000 * SECOND + TICK.0);
        }
    }

    /// Claim: a flow that keeps its rate is never found, and a check sets a meter that is behind to
    /// real time: after a silence of 100 s the lead is one tick again at the next check.
    #[test]
    fn a_meter_that_is_behind_is_reset() {
        let mut meter = meter(MeterCheck::EveryAir);
        let mut now = 0;
        for _ in 0..399 {
            assert!(!meter.on_packet(TICK, SimTime(now)).too_fast);
            now += TICK.0;
        }
        let after = SimTime(now + 100 * SECOND);
        let reading = meter.on_packet(TICK, after);
        assert_eq!((reading.lead_ps, reading.checked), (-(999 * i128::from(TICK.0)), true));
        assert_eq!(meter.clock(), after.0);
    }

    /// Claim: checks that fell due during a silence are evaluated as of their own instants: 30 s
    /// ahead at 0 s, so 20 s at 10 s, 10 s at 20 s, 0 at 30 s, behind at 40 s.
    #[test]
    fn periodic_checks_are_made_up_for() {
        for (threshold, too_fast) in [(19, true), (20, false)] {
            let check = MeterCheck::Every(Picos(10 * SECOND));
            let threshold = Some(Picos(threshold * SECOND));
            let mut meter = Meter::new(&reservation(), Bytes(250), check, threshold);
            for _ in 0..300 {
                assert!(!meter.on_packet(TICK, SimTime(0)).too_fast);
            }
            let reading = meter.on_packet(TICK, SimTime(45 * SECOND));
            assert_eq!((reading.checked, reading.too_fast), (true, too_fast));
            assert_eq!(meter.clock(), 40 * SECOND + TICK.0);
        }
    }
}
