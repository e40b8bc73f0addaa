//! The events of one instant, by node and phase.

use std::collections::{BTreeMap, BTreeSet};

use super::{Event, LaneTimer, OnWire, Owner, ReferenceEngine, Timer};
use hopflow_network::DirectionId;

/// The events of one node at one instant, sorted by phase.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    pub(super) measures: BTreeSet<DirectionId>,
    pub(super) changes: BTreeSet<usize>,
    pub(super) completions: BTreeSet<DirectionId>,
    pub(super) arrivals: BTreeMap<DirectionId, OnWire>,
    pub(super) admissions: BTreeMap<(DirectionId, u64), OnWire>,
    /// Whether a job of its processor ends.
    pub(super) work: bool,
    pub(super) lanes: BTreeSet<(DirectionId, u16, LaneTimer)>,
    pub(super) shared_buffers: BTreeSet<DirectionId>,
    pub(super) rates: BTreeSet<DirectionId>,
    pub(super) timers: BTreeSet<Timer>,
    pub(super) endpoints: BTreeSet<usize>,
    pub(super) sources: BTreeSet<usize>,
}

impl ReferenceEngine {
    /// Sorts the events of one instant by node and phase.
    pub(super) fn agendas(&self, events: Vec<Event>) -> BTreeMap<usize, Agenda> {
        let mut agendas: BTreeMap<usize, Agenda> = BTreeMap::new();
        for event in events {
            let agenda = agendas.entry(self.node_of(&event)).or_default();
            let (is_fresh, may_repeat) = match event {
                Event::Measure(id) => (agenda.measures.insert(id), false),
                Event::Change(number) => (agenda.changes.insert(number), false),
                Event::Completion(id) => (agenda.completions.insert(id), false),
                Event::Arrival(id, on_wire) => {
                    (agenda.arrivals.insert(id, on_wire).is_none(), false)
                }
                Event::Admission(id, number, on_wire) => {
                    (agenda.admissions.insert((id, number), on_wire).is_none(), false)
                }
                Event::Timer(timer) => (agenda.timers.insert(timer), timer.owner == Owner::Sender),
                Event::Lane(id, lane, timer) => (agenda.lanes.insert((id, lane, timer)), true),
                Event::Allot(id) => (agenda.shared_buffers.insert(id), false),
                // The algorithm may have delayed its timer, and set it back.
                Event::Rates(id) => (agenda.rates.insert(id), true),
                // A message may have delayed a source after its event was set.
                Event::Source(vc) => (agenda.sources.insert(vc), true),
                Event::Work(_) => (!std::mem::replace(&mut agenda.work, true), false),
                Event::Endpoint(vc) => (agenda.endpoints.insert(vc), true),
                Event::Ask(_) => (true, true),
            };
            assert!(is_fresh || may_repeat, "two of a kind at one instant: {event:?}");
        }
        agendas
    }

    /// The node of an event.
    fn node_of(&self, event: &Event) -> usize {
        match event {
            Event::Measure(id)
            | Event::Completion(id)
            | Event::Ask(id)
            | Event::Rates(id)
            | Event::Lane(id, ..) => self.spec.from_node(*id),
            Event::Arrival(id, _) | Event::Admission(id, ..) | Event::Allot(id) => {
                self.spec.to_node(*id)
            }
            Event::Change(number) => {
                let event = &self.spec.events[*number];
                self.spec.from_node(DirectionId::new(event.link, event.direction))
            }
            Event::Timer(timer) => {
                let direction = self.hop(timer.id).direction;
                match timer.owner {
                    Owner::Receiver => self.spec.to_node(direction),
                    Owner::Sender => self.spec.from_node(direction),
                }
            }
            Event::Work(node) => *node,
            Event::Source(vc) | Event::Endpoint(vc) => self.vcs[*vc].forward.stations[0].node,
        }
    }
}
