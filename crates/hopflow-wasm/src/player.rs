//! The film of a run: flights on links and the contents of queues, from the rows of its trace.
//!
//! Flights on a link direction end in the order of their starts, so the first open flight is the
//! one that ends. A part of a film begins with the complete state at its first instant, so it can
//! be shown without the parts before.

use std::collections::{BTreeMap, VecDeque};

use hopflow::control::lane::pause_span;
use hopflow::network::{CellKind, DirectionId, NetworkSpec, TraceEvent, TraceFilter, TraceRow};
use hopflow::record::RecordSpec;
use hopflow::units::SimTime;
use hopflow::{RunError, RunOptions, Scenario, Session};

use crate::columns::Columns;

/// Column 7.
const QUEUE: u8 = 0;
const CREDIT: u8 = 1;
const SHUT: u8 = 2;
const DROPS: u8 = 3;

/// Column 5.
const ARRIVED: u8 = 0;
const CORRUPTED: u8 = 1;
const DROPPED: u8 = 2;
const OPEN: u8 = 3;

/// The lane and value of a control frame share a word: the lane is above these bits.
const LANE_SHIFT: u32 = 25;

/// A run that is filmed.
pub(crate) struct Player {
    session: Session,
    film: Film,
    /// Where the states of the last part begin: they were known up to here before.
    states_from: SimTime,
}

/// A packet on a link.
struct Flight {
    start: SimTime,
    vc: u32,
    kind: CellKind,
}

/// The subject of a state: what, place and whose of [`Columns`].
type Key = (u8, u32, u32);

struct Film {
    network: NetworkSpec,
    /// For each link direction, the flights on it.
    open: Vec<VecDeque<Flight>>,
    /// All states, as of the last row.
    states: BTreeMap<Key, f64>,
    /// For each VC and node, the hops of a multicast VC that leave it, and the packets waiting for
    /// each.
    branches: BTreeMap<(u32, usize), BTreeMap<u32, u32>>,
    /// Rows from this instant on are shown.
    from: SimTime,
    columns: Columns,
}

impl Player {
    pub(crate) fn new(scenario: &Scenario) -> Result<Player, RunError> {
        let mut scenario = scenario.clone();
        let (vcs, directions) = (scenario.network.vcs.len(), scenario.network.direction_count());
        let trace = TraceFilter::all(vcs, directions);
        scenario.record = RecordSpec { trace, ..RecordSpec::default() };
        let options = RunOptions { describe: false, ..RunOptions::default() };
        let session = Session::new(&scenario, &options)?;
        let network = session.network().clone();
        let film = Film {
            open: (0..directions).map(|_| VecDeque::new()).collect(),
            states: BTreeMap::new(),
            branches: branches(&network),
            from: SimTime::ZERO,
            columns: Columns::default(),
            network,
        };
        Ok(Player { session, film, states_from: SimTime::ZERO })
    }

    /// Everything before this instant is known, including flights.
    pub(crate) fn known(&self) -> SimTime {
        let fronts = self.film.open.iter().filter_map(VecDeque::front).map(|flight| flight.start);
        if self.session.is_over() {
            return self.session.end();
        }
        fronts.min().unwrap_or(self.session.now()).min(self.session.now())
    }

    /// Films `[from, until)`: at least that part is known afterwards. Rows before `from` are not
    /// shown, except for states that still hold.
    pub(crate) fn film(&mut self, from: SimTime, until: SimTime) -> &Columns {
        self.film.columns.clear();
        if from > self.session.now() {
            self.film.from = SimTime::NEVER;
            let film = &mut self.film;
            self.session.step(from, &mut |rows| film.take(rows));
        }
        self.states_from = from.max(self.session.now());
        self.film.begin(self.states_from);
        let mut next = until.max(self.session.now());
        while self.known() < until.min(self.session.end()) {
            let film = &mut self.film;
            self.session.step(next, &mut |rows| film.take(rows));
            next = SimTime(next.0.saturating_add((next.0 - from.0).max(1)));
        }
        if self.session.is_over() {
            self.film.close(self.session.end());
        }
        &self.film.columns
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.film.columns
    }

    /// The instants between which the last part has states; flights are known up to
    /// [`Player::known`].
    pub(crate) fn states(&self) -> [SimTime; 2] {
        [self.states_from, self.session.now()]
    }

    pub(crate) fn end(&self) -> SimTime {
        self.session.end()
    }
}

/// The nodes at which VCs branch.
fn branches(network: &NetworkSpec) -> BTreeMap<(u32, usize), BTreeMap<u32, u32>> {
    let mut branches: BTreeMap<(u32, usize), BTreeMap<u32, u32>> = BTreeMap::new();
    for (vc, spec) in network.vcs.iter().enumerate() {
        for hop in &*spec.hops {
            let id = hop.direction_id();
            let node = (vc as u32, network.from_node(id));
            branches.entry(node).or_default().insert(id.0 as u32, 0);
        }
    }
    branches.retain(|_, hops| hops.len() > 1);
    branches
}

impl Film {
    /// Begins a part with the complete state at its first instant.
    fn begin(&mut self, from: SimTime) {
        self.from = from;
        for (&(what, place, whose), &value) in &self.states {
            self.columns.state(from, (what, place, whose), value);
        }
    }

    fn take(&mut self, rows: &[TraceRow]) {
        for row in rows {
            self.row(row);
        }
    }

    fn row(&mut self, row: &TraceRow) {
        let direction = row.direction as usize;
        if row.kind == CellKind::FurtherCredit {
            // It flies with its cell.
            if row.event == TraceEvent::Arrived {
                self.arrived(row);
            }
            return;
        }
        match row.event {
            TraceEvent::Started => {
                let flight = Flight { start: row.time, vc: row.vc, kind: row.kind };
                self.open[direction].push_back(flight);
                if row.kind == CellKind::Data && row.credit != u32::MAX {
                    self.set(row.time, (CREDIT, row.direction, row.vc), f64::from(row.credit));
                }
            }
            TraceEvent::Arrived => {
                self.ends(row, ARRIVED);
                self.arrived(row);
            }
            TraceEvent::Corrupted => self.ends(row, CORRUPTED),
            TraceEvent::Dropped => {
                let id = DirectionId(direction);
                let node = if row.at_receiver {
                    self.ends(row, DROPPED);
                    self.network.to_node(id)
                } else {
                    self.queue(row, self.network.from_node(id));
                    self.network.from_node(id)
                };
                let key = (DROPS, node as u32, row.vc);
                let drops = self.states.get(&key).copied().unwrap_or(0.0);
                self.set(row.time, key, drops + 1.0);
            }
            TraceEvent::Born => self.queue(row, self.network.from_node(DirectionId(direction))),
            TraceEvent::Left => self.left(row),
        }
    }

    /// A unit has arrived and was accepted.
    fn arrived(&mut self, row: &TraceRow) {
        let id = DirectionId(row.direction as usize);
        let back = row.direction ^ 1;
        match row.kind {
            CellKind::Data => {
                let node = self.network.to_node(id);
                if let Some(hops) = self.branches.get_mut(&(row.vc, node)) {
                    for held in hops.values_mut() {
                        *held += 1;
                    }
                }
                self.queue(row, node);
            }
            CellKind::Credit | CellKind::FurtherCredit if row.credit != u32::MAX => {
                self.set(row.time, (CREDIT, back, row.vc), f64::from(row.credit));
            }
            CellKind::Pause => {
                let (lane, quanta) = (row.value >> LANE_SHIFT, row.value & ((1 << LANE_SHIFT) - 1));
                let rate = self.network.direction(DirectionId(back as usize)).rate;
                let until = row.time.0 + pause_span(quanta as u16, rate).0;
                let until = if quanta == 0 { row.time.0 } else { until };
                self.set(row.time, (SHUT, back, lane), until as f64);
            }
            _ => {}
        }
    }

    /// A packet has left; at a node where its VC branches, the slowest branch counts.
    fn left(&mut self, row: &TraceRow) {
        let node = self.network.from_node(DirectionId(row.direction as usize));
        let mut held = row.fill;
        if let Some(hops) = self.branches.get_mut(&(row.vc, node)) {
            hops.insert(row.direction, row.fill);
            held = hops.values().copied().max().unwrap_or(0);
        }
        self.set(row.time, (QUEUE, node as u32, row.vc), f64::from(held));
    }

    fn queue(&mut self, row: &TraceRow, node: usize) {
        self.set(row.time, (QUEUE, node as u32, row.vc), f64::from(row.fill));
    }

    fn set(&mut self, time: SimTime, key: Key, value: f64) {
        self.states.insert(key, value);
        if time >= self.from {
            self.columns.state(time, key, value);
        }
    }

    /// The first flight of a VC on a link direction ends. Others may have started earlier: a packet
    /// that waits for its admission with jitter is shown as in flight until then.
    fn ends(&mut self, row: &TraceRow, fate: u8) {
        let open = &mut self.open[row.direction as usize];
        let is_it = |flight: &Flight| (flight.vc, flight.kind) == (row.vc, row.kind);
        let place = open.iter().position(is_it);
        let flight = place.and_then(|place| open.remove(place));
        let flight = flight.expect("what arrives has started");
        if row.time >= self.from {
            self.columns.flight(row.direction, &flight, row.time, fate);
        }
    }

    /// The run is over: flights that have not ended stay open.
    fn close(&mut self, end: SimTime) {
        for direction in 0..self.open.len() {
            for flight in std::mem::take(&mut self.open[direction]) {
                self.columns.flight(direction as u32, &flight, end, OPEN);
            }
        }
    }
}

impl Columns {
    fn flight(&mut self, direction: u32, flight: &Flight, end: SimTime, fate: u8) {
        self.start.push(flight.start.0 as f64);
        self.end.push(end.0 as f64);
        self.direction.push(direction);
        self.vc.push(flight.vc);
        self.kind.push(flight.kind as u8);
        self.fate.push(fate);
    }

    fn state(&mut self, time: SimTime, (what, place, whose): Key, value: f64) {
        self.time.push(time.0 as f64);
        self.what.push(what);
        self.place.push(place);
        self.whose.push(whose);
        self.value.push(value);
    }
}

#[cfg(test)]
mod tests;
