//! Reservations of ports that VCs ask for one, before the first set-up.

use hopflow_control::admission::PortReservations;

use super::{HopSpec, NetworkSpec, VcSpec};

impl NetworkSpec {
    /// For each link direction that some VC asks for a reservation: the reservations of its sending
    /// port before the first set-up, which are those of VCs that do not ask.
    pub fn port_reservations(&self) -> Vec<Option<PortReservations>> {
        let mut ports = vec![None; self.direction_count()];
        if !self.vcs.iter().any(|vc| vc.signalled) {
            return ports;
        }
        let mut standing = vec![0_u128; self.direction_count()];
        let of = |vc: &VcSpec| vc.reservation.filter(|_| !vc.signalled);
        for (vc, reservation) in self.vcs.iter().filter_map(|vc| Some((vc, of(vc)?))) {
            for id in vc.hops.iter().map(HopSpec::direction_id) {
                standing[id.0] += u128::from(reservation.rate.bps());
            }
        }
        let asked = self.vcs.iter().filter(|vc| vc.signalled).flat_map(|vc| &vc.hops);
        for id in asked.map(HopSpec::direction_id) {
            let rate = self.direction(id).rate;
            ports[id.0].get_or_insert_with(|| PortReservations::new(rate, standing[id.0]));
        }
        ports
    }
}
