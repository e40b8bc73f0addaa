//! The scoreboard against the definitions of [RFC6675] 2 to 4, read byte by byte.

use proptest::prelude::*;

use super::*;

/// The definitions: one flag per byte, from the first byte of the stream on.
struct Bytes {
    mss: usize,
    held: Vec<bool>,
    una: usize,
    /// `held.len()` is max.
    high: usize,
    rescue: Option<usize>,
}

impl Bytes {
    fn is_held(&self, byte: usize) -> bool {
        byte >= self.una && self.held.get(byte).is_some_and(|held| *held)
    }

    /// The bytes in `una..max` that are not held, each with [RFC6675] 4, IsLost, from the last on.
    fn missing(&self) -> Vec<(usize, bool)> {
        let (mut bytes, mut runs) = (0, 0);
        let mut missing = Vec::new();
        for byte in (self.una..self.held.len()).rev() {
            if self.held[byte] {
                bytes += 1;
                runs += usize::from(!self.is_held(byte + 1));
            } else {
                missing.push((byte, runs >= 3 || bytes > 2 * self.mss));
            }
        }
        missing
    }

    fn first_lost(&self) -> bool {
        let bytes = self.held_below(self.held.len());
        let ends = |byte: &usize| self.is_held(*byte) && !self.is_held(byte + 1);
        (self.una..self.held.len()).filter(ends).count() >= 3 || bytes > 2 * self.mss
    }

    fn held_below(&self, end: usize) -> usize {
        (self.una..end).filter(|byte| self.is_held(*byte)).count()
    }

    fn pipe(&self) -> usize {
        let counted =
            |(byte, lost): (usize, bool)| usize::from(!lost) + usize::from(byte < self.high);
        self.missing().into_iter().map(counted).sum()
    }

    fn gap_from(&self, byte: usize) -> (usize, Option<usize>) {
        let start = (byte..=self.held.len()).find(|byte| !self.is_held(*byte));
        let start = start.expect("nothing is held above the data");
        (start, (start..self.held.len()).find(|byte| self.is_held(*byte)))
    }

    fn pick(&self, new: usize) -> Option<(usize, usize, Rule)> {
        let missing = self.missing();
        let last = (0..self.held.len()).rev().find(|byte| self.is_held(*byte)).unwrap_or(0);
        let fits = |(byte, _): &&(usize, bool)| *byte >= self.high && *byte < last;
        let next = missing.iter().rev().find(fits);
        let fill = next.map(|(byte, _)| {
            let end = self.gap_from(*byte).1.unwrap_or(self.held.len());
            (*byte, (end - byte).min(self.mss), Rule::Fill)
        });
        let lost = next.is_some_and(|(_, lost)| *lost);
        let new = (new > 0).then_some((self.held.len(), new, Rule::New));
        let end = missing.first().map(|(byte, _)| byte + 1);
        let rescue = end.filter(|_| self.rescue.is_some_and(|rescue| self.una > rescue));
        let rescue = rescue.map(|end| {
            let least = end.saturating_sub(self.mss).max(self.una);
            let start = (least..end).rev().take_while(|byte| !self.is_held(*byte)).last();
            let start = start.expect("the last byte is missing");
            (start, end - start, Rule::Rescue)
        });
        fill.filter(|_| lost).or(new).or(fill).or(rescue)
    }
}

/// What happens to a connection; numbers are fractions of what is possible, or bytes.
#[derive(Clone, Debug)]
enum Step {
    Send(usize),
    Acknowledge { advance: usize, blocks: Vec<(usize, usize)> },
    Recover,
    Repair { new: usize },
    TimeOut,
}

/// The most bytes outstanding.
const MOST: usize = 64;

fn any_step() -> impl Strategy<Value = Step> {
    let block = (0..MOST, 1..12_usize);
    let advance = prop_oneof![6 => Just(0), 2 => 1..4_usize, 1 => 4..MOST];
    prop_oneof![
        3 => (1..12_usize).prop_map(Step::Send),
        9 => (advance, prop::collection::vec(block, 0..4))
            .prop_map(|(advance, blocks)| Step::Acknowledge { advance, blocks }),
        2 => Just(Step::Recover),
        6 => prop_oneof![2 => Just(0), 1 => 1..4_usize].prop_map(|new| Step::Repair { new }),
        1 => Just(Step::TimeOut),
    ]
}

/// Both, in step.
struct Pair {
    first: Seq,
    board: Scoreboard,
    bytes: Bytes,
}

impl Pair {
    fn new(first: Seq, mss: u32) -> Pair {
        let board = Scoreboard::new(mss, first);
        let bytes = Bytes { mss: mss as usize, held: Vec::new(), una: 0, high: 0, rescue: None };
        Pair { first, board, bytes }
    }

    fn seq(&self, byte: usize) -> Seq {
        self.first.plus(byte as u32)
    }

    fn ends(&self) -> (Seq, Seq) {
        (self.seq(self.bytes.una), self.seq(self.bytes.held.len()))
    }

    fn take(&mut self, step: &Step) {
        let (una, max) = self.ends();
        let bytes = &mut self.bytes;
        match step {
            Step::Send(count) => {
                let out = bytes.held.len() - bytes.una;
                let count = (*count).min(MOST.saturating_sub(out));
                bytes.held.resize(bytes.held.len() + count, false);
            }
            Step::Acknowledge { advance, blocks } => self.acknowledge(*advance, blocks),
            Step::Recover => {
                let gap = bytes.gap_from(bytes.una).1.unwrap_or(bytes.held.len());
                let len = bytes.mss.min(gap - bytes.una);
                bytes.high = bytes.una + len;
                bytes.rescue = Some(bytes.high);
                self.board.begin(una, max, len as u32);
            }
            Step::Repair { new } => {
                let Some(pick) = self.board.pick(una, max, *new as u32) else { return };
                let end = pick.seq.plus(pick.len).since(self.first) as usize;
                match pick.rule {
                    Rule::Fill => bytes.high = end,
                    Rule::New => bytes.held.resize(end, false),
                    Rule::Rescue => bytes.rescue = None,
                }
                self.board.sent(&pick);
            }
            Step::TimeOut => {
                bytes.held.fill(false);
                self.board.forget();
            }
        }
    }

    fn acknowledge(&mut self, advance: usize, blocks: &[(usize, usize)]) {
        let (before, max) = (self.bytes.una, self.bytes.held.len());
        let una = (before + advance).min(max);
        let was_delivered = |bytes: &Bytes, byte| byte < before || bytes.is_held(byte);
        let old = (0..max).filter(|byte| was_delivered(&self.bytes, *byte)).count();
        let at = |(offset, len): &(usize, usize)| (before + offset, before + offset + len);
        let blocks: Vec<(usize, usize)> = blocks.iter().map(at).collect();
        self.bytes.una = una;
        let mut held = false;
        for (start, end) in blocks.iter().filter(|(start, end)| *start > una && *end <= max) {
            held |= (*start..*end).any(|byte| !self.bytes.is_held(byte));
            self.bytes.held[*start..*end].fill(true);
        }
        let now = (0..max).filter(|byte| *byte < una || self.bytes.is_held(*byte)).count();
        let block = |(start, end)| Block { start: self.seq(start), end: self.seq(end) };
        let blocks: Vec<Block> = blocks.into_iter().map(block).collect();
        let news = self.board.update(self.seq(before), self.seq(una), self.seq(max), &blocks);
        assert_eq!(news, News { held, delivered: (now - old) as u32 });
    }

    /// Every answer of the scoreboard.
    fn compare(&self) {
        let (una, max) = self.ends();
        let (board, bytes) = (&self.board, &self.bytes);
        assert_eq!(board.first_lost(), bytes.first_lost());
        assert_eq!(board.pipe(una, max), bytes.pipe() as u32);
        for new in [0, 5] {
            let pick = board.pick(una, max, new);
            let pick = pick
                .map(|pick| (pick.seq.since(self.first) as usize, pick.len as usize, pick.rule));
            assert_eq!(pick, bytes.pick(new as usize));
        }
        for byte in bytes.una..=bytes.held.len() {
            assert_eq!(board.held_below(self.seq(byte)), bytes.held_below(byte) as u32);
            let (start, end) = bytes.gap_from(byte);
            let gap = (self.seq(start), end.map(|end| self.seq(end)));
            assert_eq!(board.gap_from(self.seq(byte)), gap);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Claim [RFC6675] 2 to 4: after any history of sends, acknowledgements with blocks in any
    /// order, recoveries, repairs and time-outs, also across the wrap, the scoreboard answers as
    /// the definitions do.
    #[test]
    fn the_scoreboard_answers_as_the_definitions(
        first in prop_oneof![Just(0), Just(u32::MAX - 30), any::<u32>()],
        mss in 1..6_u32,
        steps in prop::collection::vec(any_step(), 0..80),
    ) {
        let mut pair = Pair::new(Seq(first), mss);
        for step in steps {
            pair.take(&step);
            pair.compare();
        }
    }
}
