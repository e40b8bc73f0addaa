//! Reservations that VCs ask for: what a port has reserved is what its VCs hold, it fits the link,
//! and no VC is half admitted.
//!
//! ```text
//! reserved at a port = for the whole run + held by VCs that asked                          (1)
//! most reserved     <= the rate of the link, or what is reserved for the whole run         (2)
//! hops held          = all     from the answer "admitted" to the release                   (3)
//!                    = none    before the set-up, and after the answer "refused"           (4)
//!                    = neighbours, whatever messages are on their way                      (5)
//! ```

use hopflow_network::counters::{SetUpCounters, VcCounters};
use hopflow_network::{DirectionId, NetworkSpec, RunCounters, VcSpec};

use super::{Imbalance, at_least, equal};

/// The sums of reservations of all VCs so far.
#[derive(Debug)]
pub(super) struct Reservations {
    /// By link direction: b/s reserved for the whole run, and held by VCs that asked.
    sums: Vec<[u128; 2]>,
    /// Whether some VC asks for its reservation.
    is_asked: Vec<bool>,
}

impl Reservations {
    pub(super) fn new(spec: &NetworkSpec) -> Reservations {
        let count = spec.direction_count();
        Reservations { sums: vec![[0; 2]; count], is_asked: vec![false; count] }
    }

    /// Adds a VC, and checks it. Eq. (3) to (5).
    pub(super) fn take(&mut self, vc: &VcSpec, count: &VcCounters) -> Result<(), Imbalance> {
        let Some(reservation) = vc.reservation else { return Ok(()) };
        let rate = u128::from(reservation.rate.bps());
        for (hop, count) in vc.hops.iter().zip(&count.hops) {
            let id = hop.direction_id().0;
            let [standing, held] = &mut self.sums[id];
            if vc.signalled {
                self.is_asked[id] = true;
                *held += if count.is_reserved { rate } else { 0 };
            } else {
                *standing += rate;
            }
        }
        if vc.signalled { check_vc(vc, count) } else { Ok(()) }
    }

    /// Checks a link direction after all VCs. Eq. (1), (2).
    pub(super) fn close(
        &self,
        spec: &NetworkSpec,
        counters: &RunCounters,
        id: DirectionId,
        place: &dyn Fn() -> String,
    ) -> Result<(), Imbalance> {
        let count = &counters.directions[id.0];
        if !self.is_asked[id.0] {
            return equal(place, "b/s reserved where no flow asks", count.reserved_bps, 0);
        }
        let read = |bps: u128| u64::try_from(bps).unwrap_or(u64::MAX);
        let [standing, held] = self.sums[id.0];
        let law = "b/s reserved = for the whole run + held by flows that asked";
        equal(place, law, count.reserved_bps, read(standing + held))?;
        let most = read(standing.max(u128::from(spec.direction(id).rate.bps())));
        at_least(place, "the rate of the link >= b/s reserved", most, count.reserved_max_bps)
    }
}

fn check_vc(vc: &VcSpec, count: &VcCounters) -> Result<(), Imbalance> {
    let place = || format!("VC `{}`", vc.name);
    let hops = count.hops.len() as u64;
    let is_reserved = || count.hops.iter().map(|hop| hop.is_reserved);
    let held = is_reserved().filter(|held| *held).count() as u64;
    let SetUpCounters { asked, admitted, refused, released, .. } = count.set_up;
    at_least(&place, "set-ups >= answers", asked, admitted + refused)?;
    if admitted > released {
        equal(&place, "hops reserved of an admitted flow", held, hops)?;
    }
    if asked == refused {
        equal(&place, "hops reserved of a refused flow", held, 0)?;
    }
    let begins = is_reserved().scan(false, |before, held| {
        let begins = held && !*before;
        *before = held;
        Some(begins)
    });
    let runs = begins.filter(|begins| *begins).count() as u64;
    at_least(&place, "reserved hops are neighbours", 1, runs)
}
