//! What comes in at a plain node: packets of the window, in the order of docs/models/order.md.
//!
//! Few inputs are looked at one by one; of many, those whose bell was rung. Where there is more
//! than one, only the instants are read first and put in order (`wire/places.rs`); the packets
//! themselves are read from the rings in that order.

use hopflow_kernel::{Bells, InFlight, RingReader};

use crate::windowed::wire::NEVER;
use crate::windowed::wire::places::Places;
use crate::windowed::wire::unit::{plain_data, size_of_last};

/// So many inputs are looked at one by one.
pub(super) const FEW_INPUTS: usize = 16;

/// A data packet that arrives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// When.
    pub(super) due: u64,
    /// When it was born.
    pub(super) birth: u64,
    /// Index of its VC at this node.
    pub(super) to: u32,
    /// Its sequence number.
    pub(super) value: u32,
    /// Its size, 0 where its VC tells it.
    pub(super) bytes: u32,
}

impl Arrival {
    /// Asserts that the unit is uncorrupted data: nothing else may come to a plain node.
    #[expect(clippy::inline_always, reason = "it is on the way of every packet")]
    #[inline(always)]
    fn unpack(unit: InFlight, bytes: u32) -> Arrival {
        let data = plain_data(unit.words);
        let (to, value) = data.expect("a plain node takes in data only");
        Arrival { due: unit.due, birth: unit.words[1], to, value, bytes }
    }
}

/// Who takes packets in. A trait, not a closure, so that it can say that it is to be inlined.
pub(super) trait Taker {
    /// Takes one packet in.
    fn take(&mut self, arrival: Arrival);
}

/// One input.
#[derive(Debug)]
struct Input {
    ring: RingReader,
    /// Whether it may hold unread units.
    is_open: bool,
}

/// What must not happen.
const PAST: &str = "a unit arrives in the past of its node";

/// Which of many inputs have something.
#[derive(Debug)]
struct Rung {
    /// Rung by the other ends of links, by port.
    inbox: Bells,
    /// By port, which input it is.
    numbers: Vec<u32>,
    /// Inputs that may hold unread units, in order.
    open: Vec<u32>,
}

/// All inputs of a node by which VCs come in, in order.
#[derive(Debug)]
pub(super) struct Inputs {
    all: Box<[Input]>,
    /// Where inputs are many.
    rung: Option<Box<Rung>>,
    /// Everything before this instant has been taken.
    ran_to: u64,
    /// Taken last.
    units: u64,
    /// Whether units may come with sizes of their own.
    sized: bool,
}

impl Inputs {
    /// `rings`: by port; `None` where no VC comes in. `sized`: whether units may come with sizes of
    /// their own.
    pub(super) fn new(rings: Vec<Option<RingReader>>, inbox: Bells, sized: bool) -> Inputs {
        let mut numbers = vec![0; rings.len()];
        let mut all = Vec::new();
        for (ring, number) in rings.into_iter().zip(&mut numbers) {
            *number = all.len() as u32;
            all.extend(ring.map(|ring| Input { ring, is_open: false }));
        }
        let is_many = all.len() > FEW_INPUTS;
        let rung = is_many.then(|| Box::new(Rung { inbox, numbers, open: Vec::new() }));
        Inputs { all: all.into(), rung, ran_to: 0, units: 0, sized }
    }

    /// Units taken last.
    pub(super) const fn units(&self) -> u64 {
        self.units
    }

    /// Hands over all that arrives before `end`, by time, then by input. Returns when the first
    /// of the rest arrives.
    #[inline]
    pub(super) fn take(&mut self, end: u64, taker: &mut impl Taker) -> u64 {
        if self.all.len() == 1 {
            return self.take_unordered(end, taker);
        }
        self.open_rung();
        let mut places = Places::of_thread();
        let next = self.gather(end, &mut places);
        for place in places.in_order(end) {
            let ring = &self.all[place.input as usize].ring;
            let unit = ring.take_at(place.slot);
            let mut bytes = 0;
            if self.sized {
                if size_of_last(unit.words).is_some() {
                    continue;
                }
                bytes = ring.words_after(place.slot).and_then(size_of_last).unwrap_or(0);
            }
            taker.take(Arrival::unpack(unit, bytes));
        }
        places.give_back();
        self.close();
        next
    }

    /// The same where the order of different inputs makes no difference.
    #[inline]
    pub(super) fn take_unordered(&mut self, end: u64, taker: &mut impl Taker) -> u64 {
        self.open_rung();
        let (mut next, mut units) = (NEVER, 0);
        let window = [std::mem::replace(&mut self.ran_to, end), end];
        let mut take = |input: &mut Input| {
            let before = input.ring.read();
            next = next.min(input.take(window, self.sized, taker));
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

    /// Notes where units are that arrive before `end`. Returns when the first of the rest arrives.
    fn gather(&mut self, end: u64, places: &mut Places) -> u64 {
        let mut next = NEVER;
        let ran_to = std::mem::replace(&mut self.ran_to, end);
        let mut gather = |(index, input): (u32, &mut Input)| {
            let (first, rest) = places.note(index, &mut input.ring, end);
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

    /// Of many inputs, closes those without unread units.
    #[inline]
    fn close(&mut self) {
        if let Some(rung) = &mut self.rung {
            rung.open.retain(|index| self.all[*index as usize].is_open);
        }
    }
}

impl Input {
    /// Takes from this input. Returns when the first of the rest arrives.
    #[expect(clippy::inline_always, reason = "one of its calls is on the way of every packet")]
    #[inline(always)]
    fn take(&mut self, [ran_to, end]: [u64; 2], sized: bool, taker: &mut impl Taker) -> u64 {
        let rest = if sized {
            take_sized(&mut self.ring, [ran_to, end], taker)
        } else {
            self.ring.take_until(end, |unit| {
                assert!(unit.due >= ran_to, "{PAST}");
                taker.take(Arrival::unpack(unit, 0));
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

/// Takes from an input whose units may tell sizes: one behind its packet.
fn take_sized(
    ring: &mut RingReader,
    [ran_to, end]: [u64; 2],
    taker: &mut impl Taker,
) -> Option<u64> {
    let mut last = None;
    let rest = ring.take_until(end, |unit| {
        assert!(unit.due >= ran_to, "{PAST}");
        let size = size_of_last(unit.words);
        let before = if size.is_some() { last.take() } else { last.replace(unit) };
        if let Some(before) = before {
            taker.take(Arrival::unpack(before, size.unwrap_or(0)));
        }
    });
    if let Some(last) = last {
        taker.take(Arrival::unpack(last, 0));
    }
    rest
}
