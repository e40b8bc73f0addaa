//! The source of one ABR VC on one hop: it paces the VC and sends its FRMs.
//!
//! ```text
//! a turn is due      1/ACR after the last turn                                      (1)
//! it is an FRM       first of all; after Nrm - 1 in-rate cells; or after Mrm cells
//!                    when Trm has gone by since the last FRM. Else data             (2)
//! as an FRM starts, in this order:
//!   rule 5   ACR > ICR, last FRM more than ADTF ago:   ACR = ICR                    (3)
//!   rule 6   CRM or more FRMs since the last BRM:      ACR = max(MCR, ACR - CDF ACR) (4)
//!   rule 7   CCR = ACR, ER = PCR, MCR, CI = NI = 0                                  (5)
//! as a BRM arrives, in this order:
//!   rule 8   CI = 1:               ACR = max(MCR, ACR - RDF ACR)                    (6)
//!            CI = 0 and NI = 0:    ACR = min(PCR, ACR + RIF PCR)                    (7)
//!   rule 9                         ACR = max(MCR, min(ACR, ER))                     (8)
//!            BN = 0:               FRMs since the last BRM = 0                      (9)
//! while ACR < TCR:   out-of-rate FRMs, 1/TCR apart or more                          (10)
//! ```
//! | symbol              | meaning                                     | unit    |
//! |---------------------|---------------------------------------------|---------|
//! | ACR, `acr`          | allowed cell rate: MCR <= ACR <= PCR always | cells/s |
//! | `last_turn`, `due`  | the last turn; the next may go from then on | ps      |
//! | `since_frm`         | in-rate cells since the last in-rate FRM    | cells   |
//! | `unanswered`        | in-rate FRMs since the last BRM with BN = 0 | cells   |
//!
//! The other symbols are those of `abr.rs`. A turn waits in the port's queue before it starts, so
//! rules 5 to 7 use the time at which the FRM starts, not the time at which its turn was taken.
//! When ACR changes, (1) is computed anew from the last turn: time already waited counts.
//! Source: [TM4.0] as [Kalyanaraman97] pp. 381-382 and a vendor's manual [NEC98501] describe it;
//! (5) except for CCR, (8) and (10) from memory. Differs: BRMs use the VC's reverse direction,
//! outside ACR, so a turned-around cell of the other direction never waits for a turn. Not
//! modelled: rate changes that take time, and a source that sets NI or an ER below PCR.
//! Checked by: `source/tests.rs`, `docs/models/abr.md`.

use hopflow_units::{CellRate, SimTime};

use super::{AbrSpec, RmCell};

#[cfg(test)]
mod tests;

/// The rate of one VC at its source, or at the virtual source of a switch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AbrSource {
    acr: CellRate,
    last_turn: Option<SimTime>,
    due: Option<SimTime>,
    last_frm: Option<SimTime>,
    last_out_of_rate: Option<SimTime>,
    since_frm: u32,
    unanswered: u64,
}

impl AbrSource {
    /// A source that has sent nothing: ACR = ICR.
    pub fn new(spec: &AbrSpec) -> AbrSource {
        let mut source = AbrSource {
            acr: CellRate::ZERO,
            last_turn: None,
            due: None,
            last_frm: None,
            last_out_of_rate: None,
            since_frm: 0,
            unanswered: 0,
        };
        source.set(spec, spec.icr);
        source
    }

    /// ACR, the allowed cell rate.
    pub const fn acr(&self) -> CellRate {
        self.acr
    }

    /// The earliest time of the next turn; before the first turn, the start of the run. If it is in
    /// the past, the turn may be taken at once. `None`: ACR is zero, and no turn is due until a BRM
    /// raises it.
    pub const fn due(&self) -> Option<SimTime> {
        self.due
    }

    /// Takes a turn. Panics before it is due: a bug in the caller. Eq. (1).
    pub fn release(&mut self, now: SimTime) {
        assert!(self.due.is_some_and(|due| due <= now), "a turn before it was due, at {now}");
        self.last_turn = Some(now);
        self.update_due();
    }

    /// The in-rate cell that starts now: an FRM, by Eqs. (2) to (5), or a data cell (`None`).
    pub fn start(&mut self, spec: &AbrSpec, now: SimTime) -> Option<RmCell> {
        if !self.frm_is_next(spec, now) {
            self.since_frm += 1;
            return None;
        }
        if self.acr > spec.icr && self.last_frm.is_some_and(|last| now.since(last) > spec.adtf) {
            self.set(spec, spec.icr);
        }
        if self.unanswered >= spec.crm {
            self.set(spec, self.acr.minus(self.acr.times(spec.cdf)));
        }
        self.last_frm = Some(now);
        self.since_frm = 0;
        self.unanswered += 1;
        Some(self.frm(spec, true))
    }

    /// Eq. (2).
    fn frm_is_next(&self, spec: &AbrSpec, now: SimTime) -> bool {
        let Some(last) = self.last_frm else { return true };
        let late = self.since_frm >= spec.mrm && now.since(last) >= spec.trm;
        late || self.since_frm >= spec.nrm - 1
    }

    /// Takes a BRM, in-rate or not. Eqs. (6) to (9).
    pub fn on_backward(&mut self, spec: &AbrSpec, rm: &RmCell) {
        let mut acr = self.acr;
        if rm.ci {
            acr = acr.minus(acr.times(spec.rdf)).max(spec.mcr);
        } else if !rm.ni {
            acr = acr.plus(spec.pcr.times(spec.rif)).min(spec.pcr);
        }
        self.set(spec, acr.min(rm.er));
        if !rm.bn {
            self.unanswered = 0;
        }
    }

    /// The earliest time of the next out-of-rate FRM; `None` while ACR is at least TCR. Eq. (10).
    /// Send one only while a cell waits.
    pub fn out_of_rate_due(&self, spec: &AbrSpec) -> Option<SimTime> {
        if self.acr >= spec.tcr {
            return None;
        }
        match self.last_out_of_rate {
            None => Some(SimTime::ZERO),
            Some(last) => spec.tcr.interval().map(|interval| last.saturating_add(interval)),
        }
    }

    /// The out-of-rate FRM that starts now. Rules 5 and 6 concern in-rate FRMs: they neither act
    /// nor count here. Panics before it is due: a bug in the caller.
    pub fn out_of_rate(&mut self, spec: &AbrSpec, now: SimTime) -> RmCell {
        let due = self.out_of_rate_due(spec).is_some_and(|due| due <= now);
        assert!(due, "an out-of-rate FRM before it was due, at {now}");
        self.last_out_of_rate = Some(now);
        self.frm(spec, false)
    }

    /// For a virtual source: lowers ACR to the rate that its link has for the VC now.
    pub fn cap(&mut self, spec: &AbrSpec, er: CellRate) {
        self.set(spec, self.acr.min(er));
    }

    /// Eq. (5).
    fn frm(&self, spec: &AbrSpec, in_rate: bool) -> RmCell {
        let encoded = |rate: CellRate| if spec.sixteen_bit { rate.quantized() } else { rate };
        let [er, ccr, mcr] = [spec.pcr, self.acr, spec.mcr].map(encoded);
        RmCell { in_rate, ..RmCell::new(er, ccr, mcr, spec.sixteen_bit) }
    }

    /// ACR becomes `rate`, but stays within MCR and PCR.
    fn set(&mut self, spec: &AbrSpec, rate: CellRate) {
        self.acr = rate.max(spec.mcr).min(spec.pcr);
        self.update_due();
    }

    /// Eq. (1).
    fn update_due(&mut self) {
        self.due = match (self.acr.interval(), self.last_turn) {
            (None, _) => None,
            (Some(_), None) => Some(SimTime::ZERO),
            (Some(interval), Some(last)) => Some(last.saturating_add(interval)),
        };
    }
}
