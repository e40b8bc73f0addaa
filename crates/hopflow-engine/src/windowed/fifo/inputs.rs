//! Arrivals at a FIFO-only node: the packets of a window, in the order of docs/models/order.md.
//!
//! A few inputs are polled one by one; of many, only those whose bell was rung. If there is more
//! than one, only the due times are read first and sorted (`wire/places.rs`); the packets
//! themselves are read from the rings in that order.

use hopflow_kernel::{Bells, InFlight, RingReader};

use crate::windowed::wire::NEVER;
use crate::windowed::wire::places::{Place, Places};
use crate::windowed::wire::unit::{size_of_last, whole_data};

/// Up to this number, inputs are polled one by one.
pub(super) const FEW_INPUTS: usize = 16;

/// A data packet that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arrival {
    /// The instant of its arrival.
    pub(super) due: u64,
    /// The instant of its birth.
    pub(super) birth: u64,
    /// Index of its VC at this node.
    pub(super) to: u32,
    /// Its sequence number.
    pub(super) value: u32,
    /// Its size, with its marks; 0 where the size is that of its VC and there is no mark.
    pub(super) bytes: u32,
    /// The number of its input, where the order between inputs makes a difference.
    pub(super) input: u32,
}

impl Arrival {
    /// Asserts that the unit is uncorrupted data: no other unit may arrive at a FIFO-only node.
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    fn unpack(unit: InFlight, bytes: u32, input: u32) -> Arrival {
        let data = whole_data(unit.words);
        let (to, value) = data.expect("a fifo_nodes node takes in data only");
        Arrival { due: unit.due, birth: unit.words[1], to, value, bytes, input }
    }
}

/// The receiver of packets. It is a trait, not a closure, so that its method can be marked as
/// inlined.
pub(super) trait ArrivalSink {
    /// Receives one packet.
    fn accept(&mut self, arrival: Arrival);
}

/// The ring of one input.
#[derive(Debug)]
struct Input {
    ring: RingReader,
    /// Whether it may hold unread units.
    is_open: bool,
}

/// The message of an assertion.
const PAST: &str = "a unit arrives in the past of its node";

/// The inputs that may contain units, where inputs are many.
#[derive(Debug)]
struct Rung {
    /// The other ends of links ring these bells, by port.
    inbox: Bells,
    /// For each port, the number of its input.
    numbers: Vec<u32>,
    /// Inputs that may hold unread units, in order.
    open: Vec<u32>,
}

/// All inputs by which VCs arrive at a node, in order.
#[derive(Debug)]
pub(super) struct Inputs {
    all: Box<[Input]>,
    /// Present where inputs are many.
    rung: Option<Box<Rung>>,
    /// Everything before this instant has been read.
    ran_to: u64,
    /// The number of units read last.
    units: u64,
    /// Whether units may be followed by size records.
    sized: bool,
}

impl Inputs {
    /// `rings`: by port; `None` where no VC arrives. `sized`: whether units may be followed by size
    /// records.
    pub(super) fn new(rings: Vec<Option<RingReader>>, inbox: Bells, sized: bool) -> Inputs {
        let mut numbers = vec![0; rings.len()];
        let mut all = Vec::with_capacity(rings.iter().flatten().count());
        for (ring, number) in rings.into_iter().zip(&mut numbers) {
            *number = all.len() as u32;
            all.extend(ring.map(|ring| Input { ring, is_open: false }));
        }
        let is_many = all.len() > FEW_INPUTS;
        let rung = is_many.then(|| Box::new(Rung { inbox, numbers, open: Vec::new() }));
        Inputs { all: all.into(), rung, ran_to: 0, units: 0, sized }
    }

    /// The number of inputs.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// The number of units read last.
    pub(super) const fn units(&self) -> u64 {
        self.units
    }

    /// Passes all packets that arrive before `end` to `sink`, by time, then by input. Returns when
    /// the first of the rest arrives.
    #[inline]
    pub(super) fn take(&mut self, end: u64, sink: &mut impl ArrivalSink) -> u64 {
        if self.all.len() == 1 {
            return self.take_unordered(end, sink);
        }
        self.open_rung();
        let mut places = Places::of_thread();
        let next = if self.sized {
            let next = self.gather::<true>(end, &mut places);
            self.take_places::<true>(places.in_order(end), sink);
            next
        } else {
            let next = self.gather::<false>(end, &mut places);
            self.take_places::<false>(places.in_order(end), sink);
            next
        };
        places.give_back();
        self.close();
        next
    }

    /// Passes the packets at these places to `sink`. `SIZED`: units may be followed by size
    /// records.
    #[inline]
    fn take_places<const SIZED: bool>(&self, places: &[Place], sink: &mut impl ArrivalSink) {
        for place in places {
            let ring = &self.all[place.input as usize].ring;
            let unit = ring.take_at(place.slot());
            let mut bytes = 0;
            if SIZED && place.is_pair() {
                let size = size_of_last(ring.take_after(place.slot()).words);
                bytes = size.expect("packets take time: only a size is due with a packet");
            }
            sink.accept(Arrival::unpack(unit, bytes, place.input));
        }
    }

    /// The same where the order between inputs makes no difference.
    #[inline]
    pub(super) fn take_unordered(&mut self, end: u64, sink: &mut impl ArrivalSink) -> u64 {
        self.open_rung();
        let (mut next, mut units) = (NEVER, 0);
        let ran_to = std::mem::replace(&mut self.ran_to, end);
        let mut take = |input: &mut Input| {
            let before = input.ring.read();
            next = next.min(input.take(ran_to, end, self.sized, sink));
            units += input.ring.read() - before;
        };
        match &self.rung {
            None => self.all.iter_mut().for_each(&mut take),
            Some(rung) => rung.open.iter().for_each(|i| take(&mut self.all[*i as usize])),
        }
        self.units = units;
        self.close();
        next
    }

    /// Opens inputs whose bells were rung.
    #[inline]
    fn open_rung(&mut self) {
        if let Some(rung) = &mut self.rung {
            rung.open(&mut self.all);
        }
    }

    /// Records the places of units that arrive before `end`. Returns when the first of the rest
    /// arrives.
    fn gather<const SIZED: bool>(&mut self, end: u64, places: &mut Places) -> u64 {
        let mut next = NEVER;
        let ran_to = std::mem::replace(&mut self.ran_to, end);
        let mut gather = |(index, input): (u32, &mut Input)| {
            let noted = places.note::<SIZED>(index, &mut input.ring, end);
            let (first, rest) = noted.expect("rings of FIFO-only nodes never grow");
            assert!(first >= ran_to, "{PAST}");
            input.is_open = rest.is_some();
            next = next.min(rest.unwrap_or(NEVER));
        };
        match &self.rung {
            None => {
                self.all.iter_mut().enumerate().for_each(|(i, input)| gather((i as u32, input)));
            }
            Some(rung) => rung.open.iter().for_each(|i| gather((*i, &mut self.all[*i as usize]))),
        }
        self.units = places.count() as u64;
        next
    }

    /// If inputs are many, closes those without unread units.
    #[inline]
    fn close(&mut self) {
        if let Some(rung) = &mut self.rung {
            rung.open.retain(|index| self.all[*index as usize].is_open);
        }
    }
}

impl Input {
    /// Reads from this input. Returns when the first of the rest arrives.
    #[expect(clippy::inline_always, reason = "one of its calls is on the way of every packet")]
    #[inline(always)]
    fn take(&mut self, ran_to: u64, end: u64, sized: bool, sink: &mut impl ArrivalSink) -> u64 {
        let rest = if sized {
            take_sized(&mut self.ring, ran_to, end, sink)
        } else {
            self.ring.take_until(end, |unit| {
                assert!(unit.due >= ran_to, "{PAST}");
                sink.accept(Arrival::unpack(unit, 0, 0));
            })
        };
        self.is_open = rest.is_some();
        rest.unwrap_or(NEVER)
    }
}

impl Rung {
    /// Opens inputs whose bells were rung.
    fn open(&mut self, all: &mut [Input]) {
        let (numbers, open) = (&self.numbers, &mut self.open);
        let before = open.len();
        self.inbox.take(0, numbers.len(), |port| {
            let input = numbers[port];
            if !std::mem::replace(&mut all[input as usize].is_open, true) {
                open.push(input);
            }
        });
        if before > 0 && open.len() > before {
            open.sort_unstable();
        }
    }
}

/// Reads from an input whose units may be followed by size records.
fn take_sized(
    ring: &mut RingReader,
    ran_to: u64,
    end: u64,
    sink: &mut impl ArrivalSink,
) -> Option<u64> {
    let mut last = None;
    let rest = ring.take_until(end, |unit| {
        assert!(unit.due >= ran_to, "{PAST}");
        let size = size_of_last(unit.words);
        let before = if size.is_some() { last.take() } else { last.replace(unit) };
        if let Some(before) = before {
            sink.accept(Arrival::unpack(before, size.unwrap_or(0), 0));
        }
    });
    if let Some(last) = last {
        sink.accept(Arrival::unpack(last, 0, 0));
    }
    rest
}
