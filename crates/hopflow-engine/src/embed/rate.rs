//! The parts of rate control that both engines use: the pacer of a VC, the algorithm of a port, and
//! the ends of a loop. See "Rate control" in docs/models/order.md.

use hopflow_control::external::Fault;
use hopflow_control::rate::{
    AbrDestination, AbrSource, AbrSpec, BackwardRm, BackwardRmSpec, RateControl, RmCell,
};
use hopflow_units::{CellRate, SimTime};

use hopflow_network::{
    DirectionId, NetworkSpec, Segment, VirtualInput, VirtualRate, VirtualSpec, VirtualUpdate,
};

/// The sending end of a loop: a source, or a virtual source.
#[derive(Clone, Debug)]
pub(crate) struct Pacer {
    spec: AbrSpec,
    source: AbrSource,
    /// Turns that were released and have not started.
    turns: u32,
    /// Whether the last released turn is for an out-of-rate cell.
    probes: bool,
    /// Cells started since the last forward RM cell, including it, and when that started.
    since: Option<(u32, SimTime)>,
}

impl Pacer {
    /// The pacer of a hop, if the hop is paced.
    pub(crate) fn new(spec: &NetworkSpec, vc: usize, hop: usize) -> Option<Pacer> {
        if !spec.is_paced(vc, hop) {
            return None;
        }
        let mut abr = spec.vcs[vc].rate.clone()?;
        let direction = spec.vcs[vc].hops[hop].direction_id();
        if let Some(icr) = spec.virtual_source(direction).filter(|_| hop > 0).and_then(|v| v.icr) {
            abr.icr = icr.min(abr.pcr).max(abr.mcr);
        }
        let source = AbrSource::new(&abr);
        Some(Pacer { spec: *abr, source, turns: 0, probes: false, since: None })
    }

    /// ACR.
    pub(crate) fn acr(&self) -> CellRate {
        self.source.acr()
    }

    /// Whether there is no turn.
    pub(crate) const fn is_shut(&self) -> bool {
        self.turns == 0
    }

    /// With `cells` waiting at `now`: releases a turn if one is requested and due. Returns whether
    /// it did, and the next instant to call it.
    pub(crate) fn pace(&mut self, now: SimTime, cells: u32) -> (bool, Option<SimTime>) {
        if self.turns >= cells {
            return (false, None);
        }
        let Some((at, probes)) = self.due() else { return (false, None) };
        if at > now {
            return (false, Some(at));
        }
        self.turns += 1;
        self.probes = probes;
        if !probes {
            self.source.release(now);
        }
        let again = (self.turns < cells && !probes).then(|| self.due()).flatten();
        (true, again.map(|(at, _)| at))
    }

    /// When the next turn is due, and whether it is for an out-of-rate cell.
    fn due(&self) -> Option<(SimTime, bool)> {
        let in_rate = self.source.due();
        let probe = self.source.out_of_rate_due(&self.spec).filter(|_| self.turns == 0);
        match (in_rate, probe) {
            (Some(at), Some(probe)) if probe < at => Some((probe, true)),
            (Some(at), _) => Some((at, false)),
            (None, probe) => Some((probe?, true)),
        }
    }

    /// A turn starts: a forward RM cell, or (`None`) data.
    pub(crate) fn start(&mut self, now: SimTime) -> Option<RmCell> {
        assert!(self.turns > 0, "a paced cell starts in its turn");
        self.turns -= 1;
        let is_due = |at: SimTime| at <= now;
        let probes = std::mem::take(&mut self.probes);
        // A backward RM cell that has arrived since may have made it a regular turn.
        if probes && self.source.out_of_rate_due(&self.spec).is_some_and(is_due) {
            return Some(self.source.out_of_rate(&self.spec, now));
        }
        let forward = self.source.start(&self.spec, now);
        if let (None, Some((cells, _))) = (forward, &mut self.since) {
            *cells += 1;
        }
        forward
    }

    /// The rate of its cells since the forward RM cell before the one that starts at `now`; the CCR
    /// of the latter if there is none before.
    fn measured(&mut self, now: SimTime, forward: &RmCell) -> CellRate {
        let last = self.since.replace((1, now));
        let measured = last.map(|(cells, from)| CellRate::mean(u64::from(cells), now.since(from)));
        measured.unwrap_or(forward.ccr)
    }

    /// A backward RM cell has arrived.
    pub(crate) fn on_backward(&mut self, rm: &RmCell) {
        self.source.on_backward(&self.spec, rm);
    }

    fn cap(&mut self, er: CellRate) {
        self.source.cap(&self.spec, er);
    }

    /// An unmarked backward RM cell.
    fn unmarked(&self) -> RmCell {
        let AbrSpec { pcr, mcr, sixteen_bit, .. } = self.spec;
        RmCell { backward: true, ..RmCell::new(pcr, self.acr(), mcr, sixteen_bit) }
    }
}

/// The destination at the end of a hop, if loops of its VC end there: at its final host, or where
/// the next hop is paced.
pub(crate) fn loop_end(spec: &NetworkSpec, vc: usize, hop: usize) -> Option<AbrDestination> {
    let is_last = hop + 1 == spec.vcs[vc].hops.len();
    let ends = spec.vcs[vc].rate.is_some() && (is_last || spec.is_paced(vc, hop + 1));
    ends.then(AbrDestination::default)
}

/// What creates backward RM cells for these flows, VCs under rate control.
fn created(spec: &NetworkSpec, rm: BackwardRmSpec, flows: &[usize]) -> BackwardRm {
    let abr = |vc: &usize| spec.vcs[*vc].rate.as_deref().map(|abr| (abr.pcr, abr.sixteen_bit));
    BackwardRm::new(rm, flows.iter().filter_map(abr))
}

/// The algorithm of a port, with its inputs.
#[derive(Debug)]
pub(crate) struct PortRates {
    control: Option<RateControl>,
    segment: Segment,
    /// Its flows: VCs, ascending.
    vcs: Vec<usize>,
    /// For each flow, the state that a wall has saved: whether the last data cell that arrived had
    /// EFCI.
    saved: Vec<bool>,
    /// For each flow, the last allocation of a VS/VD port.
    allotted: Vec<Option<CellRate>>,
    /// The number of cells of the flows at the port; at a VS/VD port: of turns released and not
    /// finished.
    queue: u64,
    armed_for: Option<SimTime>,
    /// The backward RM cells that it creates itself.
    created: Option<Box<BackwardRm>>,
}

impl PortRates {
    /// The rate control of a port, if it has any. `flows`: those of [`NetworkSpec::rate_flows`].
    pub(crate) fn new(spec: &NetworkSpec, id: DirectionId, flows: &[usize]) -> Option<PortRates> {
        let rate = spec.direction(id).rate_control?;
        let vcs = flows.to_vec();
        let control = spec.new_rate_control(id, flows);
        Some(PortRates {
            control,
            segment: rate.segment,
            saved: vec![false; vcs.len()],
            allotted: vec![None; vcs.len()],
            vcs,
            queue: 0,
            armed_for: None,
            created: rate.backward_rm.map(|rm| Box::new(created(spec, rm, flows))),
        })
    }

    /// Whether it creates backward RM cells.
    pub(crate) const fn creates(&self) -> bool {
        self.created.is_some()
    }

    /// A cell of a flow has joined the port, which was notified of it: the backward RM cell that
    /// the port creates, if any.
    pub(crate) fn create(&mut self, now: SimTime, flow: u32) -> Option<RmCell> {
        let mut rm = self.created.as_mut()?.join(now, flow, self.queue)?;
        if let Some(control) = &mut self.control {
            rm.lower_er(control.allocation(now, flow, self.queue));
        }
        Some(rm)
    }

    /// The flow of a VC, if it has one.
    pub(crate) fn flow(&self, vc: usize) -> Option<u32> {
        self.vcs.binary_search(&vc).ok().map(|flow| flow as u32)
    }

    /// Whether loops end here.
    pub(crate) const fn is_virtual(&self) -> bool {
        matches!(self.segment, Segment::Virtual(_))
    }

    fn options(&self) -> VirtualSpec {
        match self.segment {
            Segment::Virtual(options) => options,
            segment => panic!("no loop ends at {segment:?}"),
        }
    }

    /// MACR, the congestion rate, or the fair share, in whole cells per second.
    pub(crate) fn reading(&self) -> Option<u64> {
        let rate = self.control.as_ref().and_then(RateControl::reading)?;
        Some(rate.get() as u64)
    }

    /// Why its external rule is no longer called.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.control.as_ref().and_then(RateControl::fault)
    }

    /// The instant for which a timer must be set, if it is a new one.
    pub(crate) fn arm(&mut self) -> Option<SimTime> {
        let next = self.control.as_ref().and_then(RateControl::next_timer);
        let is_new = next != self.armed_for;
        self.armed_for = next;
        next.filter(|_| is_new)
    }

    /// A timer expires; one that was postponed since does nothing.
    pub(crate) fn fire(&mut self, now: SimTime) {
        let Some(control) = &mut self.control else { return };
        if control.next_timer() == Some(now) {
            control.on_timer(now, self.queue);
        }
    }

    /// A cell that belongs to no flow has joined the port.
    pub(crate) fn other(&mut self, now: SimTime) {
        if let Some(control) = &mut self.control {
            control.arrive_other(now);
        }
    }

    /// A data cell of a flow arrives. Returns whether it keeps its EFCI.
    pub(crate) fn on_data(&mut self, flow: u32, marked: bool) -> bool {
        if self.segment != Segment::Wall {
            return marked;
        }
        self.saved[flow as usize] = marked;
        false
    }

    /// A cell of a flow has joined the port, `forward` if it is an RM cell.
    pub(crate) fn on_enqueue(&mut self, now: SimTime, flow: u32, forward: Option<&mut RmCell>) {
        if let Segment::Virtual(options) = self.segment {
            if options.input == VirtualInput::Vc {
                self.on_packet(now, flow);
            }
            return;
        }
        self.queue += 1;
        self.on_packet(now, flow);
        if let (Some(control), Some(rm)) = (&mut self.control, forward) {
            control.forward(now, flow, rm, self.queue);
        }
    }

    fn on_packet(&mut self, now: SimTime, flow: u32) {
        if let Some(control) = &mut self.control {
            control.arrive(now, flow, self.queue);
        }
    }

    /// A virtual source has released a turn.
    pub(crate) fn release(&mut self, now: SimTime, flow: u32) {
        self.queue += 1;
        if self.options().input == VirtualInput::Class {
            self.on_packet(now, flow);
        }
    }

    /// A cell of a flow has left, or was lost at the port.
    pub(crate) fn leave(&mut self) {
        assert!(self.queue > 0, "a cell leaves a port that holds none");
        self.queue -= 1;
    }

    /// A data cell of a flow starts. Returns whether it gets EFCI.
    pub(crate) fn start(&mut self, now: SimTime, flow: u32) -> bool {
        let queue = self.queue;
        self.control.as_mut().is_some_and(|control| control.start(now, flow, queue))
    }

    /// A virtual source starts a forward RM cell.
    pub(crate) fn start_forward(
        &mut self,
        now: SimTime,
        flow: u32,
        pacer: &mut Pacer,
        rm: &mut RmCell,
    ) {
        let measured = pacer.measured(now, rm);
        let rate = match self.options().rate {
            VirtualRate::Previous => return,
            VirtualRate::Next => rm.ccr,
            VirtualRate::Measured => measured,
        };
        let ccr = std::mem::replace(&mut rm.ccr, rate);
        if let Some(control) = &mut self.control {
            control.forward(now, flow, rm, self.queue);
        }
        rm.ccr = ccr;
    }

    /// A backward RM cell of a flow passes. One that a switch created is none of this port.
    pub(crate) fn backward(&mut self, now: SimTime, flow: u32, rm: &mut RmCell) {
        if rm.bn {
            return;
        }
        if let Some(control) = &mut self.control {
            control.backward(now, flow, rm, self.queue);
        }
        rm.ci |= std::mem::take(&mut self.saved[flow as usize]);
    }

    /// The present allocation of a flow: ER, and whether it is congested.
    fn allot(&mut self, now: SimTime, flow: u32, pacer: &Pacer) -> RmCell {
        let mut rm = pacer.unmarked();
        self.backward(now, flow, &mut rm);
        self.allotted[flow as usize] = Some(rm.er);
        rm
    }

    /// The virtual destination turns a forward RM cell around: returns the backward cell.
    pub(crate) fn turn_around(
        &mut self,
        now: SimTime,
        flow: u32,
        forward: RmCell,
        end: &mut AbrDestination,
        pacer: &mut Pacer,
    ) -> RmCell {
        let options = self.options();
        if options.rate == VirtualRate::Previous
            && let Some(control) = &mut self.control
        {
            let mut heard = forward;
            control.forward(now, flow, &mut heard, self.queue);
        }
        let mut back = end.turn_around(&forward);
        if options.update == VirtualUpdate::Backward {
            let allotted = self.allotted[flow as usize];
            back.er = allotted.map_or(back.er, |er| back.er.min(er));
        } else {
            let allotted = self.allot(now, flow, pacer);
            back.er = back.er.min(allotted.er);
            back.ci |= allotted.ci;
            if options.update == VirtualUpdate::Both {
                pacer.cap(allotted.er);
            }
        }
        back.er = back.er.min(pacer.acr());
        back
    }

    /// A backward RM cell ends at a virtual source.
    pub(crate) fn end_backward(&mut self, now: SimTime, flow: u32, pacer: &mut Pacer, rm: &RmCell) {
        pacer.on_backward(rm);
        if self.options().update != VirtualUpdate::TurnAround {
            let allotted = self.allot(now, flow, pacer);
            pacer.cap(allotted.er);
        }
    }
}

/// A rate in trace rows: whole cells per second, rounded down, at most 2^32 - 1.
pub(crate) fn trace_value(rate: CellRate) -> u32 {
    rate.get().min(f64::from(u32::MAX)) as u32
}
