//! Admission of reservations at an output port: a flow that asks for its rate is admitted if the
//! rate fits beside those that the port has reserved already.
//!
//! ```text
//! admitted   iff  R + r <= C                                                             (1)
//! ```
//! | symbol          | meaning                                                     | unit  |
//! |-----------------|-------------------------------------------------------------|-------|
//! | C, `capacity`   | the rate of the link                                        | b/s   |
//! | R, `reserved`   | the sum of all rates that are reserved now                  | b/s   |
//! | r               | the rate of the flow that asks ([`super::scheduler::Reservation`]) | b/s |
//!
//! R begins with the reservations that exist for the whole run. They are not asked for, and may
//! exceed C; then nothing is admitted.
//!
//! Source: [Zhang90] 2.1, 3: flows reserve resources before they send, and the reservation control
//! keeps the sum of all reservations of a link within its capacity. Its rule is not in the paper;
//! Eq. (1) is the least one. Not modelled: admission by measured load, priorities of
//! reservations, flows that wait until their rate fits.
//! Checked by: the tests below, `hopflow-engine/tests/admission.rs`, `docs/models/admission.md`.

use hopflow_units::Rate;

/// The reservations of one port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortReservations {
    capacity: u128,
    reserved: u128,
    most: u128,
    refused: u64,
}

impl PortReservations {
    /// A port of a link of this rate, with `standing` b/s that are reserved for the whole run.
    pub fn new(capacity: Rate, standing: u128) -> PortReservations {
        let capacity = u128::from(capacity.bps());
        PortReservations { capacity, reserved: standing, most: standing, refused: 0 }
    }

    /// A flow asks for a rate. Returns whether it is admitted, Eq. (1); if so, its rate is reserved
    /// from now on.
    pub fn ask(&mut self, rate: Rate) -> bool {
        let sum = self.reserved + u128::from(rate.bps());
        if sum > self.capacity {
            self.refused += 1;
            return false;
        }
        self.reserved = sum;
        self.most = self.most.max(sum);
        true
    }

    /// Frees the rate of an admitted flow.
    pub fn free(&mut self, rate: Rate) {
        let rate = u128::from(rate.bps());
        assert!(self.reserved >= rate, "a port frees {rate} b/s, but reserves less");
        self.reserved -= rate;
    }

    /// R, in b/s; at most 2^64 - 1 is read.
    pub fn reserved_bps(&self) -> u64 {
        read(self.reserved)
    }

    /// The greatest R since the start, or since the last [`PortReservations::restart`], in b/s; at
    /// most 2^64 - 1 is read.
    pub fn most_bps(&self) -> u64 {
        read(self.most)
    }

    /// The number of flows that were refused.
    pub const fn refused(&self) -> u64 {
        self.refused
    }

    /// The greatest R is from now on that of the time to come.
    pub const fn restart(&mut self) {
        self.most = self.reserved;
    }
}

fn read(bps: u128) -> u64 {
    u64::try_from(bps).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(bps: u64) -> Rate {
        Rate::from_bps(bps).expect("a rate is above 0")
    }

    /// Claim, Eq. (1): 64 kb/s fits ten times into 640 kb/s, and an eleventh time only after one of
    /// the ten was freed. The greatest sum stays.
    #[test]
    fn ten_circuits_fit_and_an_eleventh_does_not() {
        let mut port = PortReservations::new(rate(640_000), 0);
        assert!((0..10).all(|_| port.ask(rate(64_000))));
        assert!(!port.ask(rate(64_000)) && !port.ask(rate(1)));
        assert_eq!((port.reserved_bps(), port.refused()), (640_000, 2));
        port.free(rate(64_000));
        assert!(port.ask(rate(64_000)));
        port.free(rate(64_000));
        assert_eq!((port.reserved_bps(), port.most_bps()), (576_000, 640_000));
        port.restart();
        assert_eq!(port.most_bps(), 576_000);
    }

    /// Claim: what is reserved for the whole run comes first, and where it exceeds the link,
    /// nothing is admitted.
    #[test]
    fn standing_reservations_come_first() {
        let mut port = PortReservations::new(rate(100), 60);
        assert!(!port.ask(rate(41)) && port.ask(rate(40)));
        let mut over = PortReservations::new(rate(100), 1 << 70);
        assert!(!over.ask(rate(1)));
        assert_eq!(over.reserved_bps(), u64::MAX);
    }

    /// Claim: over random operations a port admits exactly what a list of the flows in progress,
    /// summed anew each time, has room for.
    #[test]
    fn a_list_of_flows_admits_the_same() {
        let mut word = 1_u64;
        let mut below = |bound: u64| {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (word >> 33) % bound
        };
        let mut port = PortReservations::new(rate(1_000), 100);
        let (mut flows, mut refused) = (Vec::<u64>::new(), 0);
        for _ in 0..10_000 {
            if below(2) == 0 && !flows.is_empty() {
                let gone = flows.swap_remove(below(flows.len() as u64) as usize);
                port.free(rate(gone));
                continue;
            }
            let asked = 1 + below(300);
            let fits = 100 + flows.iter().sum::<u64>() + asked <= 1_000;
            assert_eq!(port.ask(rate(asked)), fits);
            refused += u64::from(!fits);
            flows.extend(fits.then_some(asked));
        }
        assert_eq!(port.reserved_bps(), 100 + flows.iter().sum::<u64>());
        assert!(port.refused() == refused && refused > 500, "{refused} refused");
    }

    /// Claim: a rate that was never reserved cannot be freed.
    #[test]
    #[should_panic(expected = "a port frees 2 b/s, but reserves less")]
    fn what_is_not_reserved_is_not_freed() {
        PortReservations::new(rate(10), 1).free(rate(2));
    }
}
