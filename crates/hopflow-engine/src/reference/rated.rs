//! The state of a hop of a VC under rate control.

use hopflow_control::rate::AbrDestination;
use hopflow_units::CellRate;

use crate::embed::rate::{Pacer, loop_end};
use hopflow_network::NetworkSpec;

/// The state of a hop of a VC under rate control.
#[derive(Debug)]
pub(super) struct AbrState {
    /// At its sending end, if it is paced.
    pub(super) pacer: Option<Pacer>,
    /// At its receiving end, if loops end there.
    pub(super) end: Option<AbrDestination>,
}

impl AbrState {
    pub(super) fn new(spec: &NetworkSpec, vc: usize, hop: usize) -> Option<Box<AbrState>> {
        spec.vcs[vc].rate.as_ref()?;
        Some(Box::new(AbrState { pacer: Pacer::new(spec, vc, hop), end: loop_end(spec, vc, hop) }))
    }

    /// ACR, zero at a hop that is not paced.
    pub(super) fn acr(&self) -> CellRate {
        self.pacer.as_ref().map_or(CellRate::ZERO, Pacer::acr)
    }
}
