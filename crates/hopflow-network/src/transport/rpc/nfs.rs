//! A client that reads every file of a directory tree over NFS.
//!
//! ```text
//! start + U(0, w)                                                                (1)
//! per file:  LOOKUP | think | GETATTR | think | READs | think                    (2)
//! READs: ceil(X / b) blocks in order, at most ra of them outstanding             (3)
//! X = m exp(s Z), rounded up to a whole byte                                     (4)
//! think = exponential of mean h                                                  (5)
//! epochs at e_1 < e_2 < ..., gaps exponential of mean g, the same for all        (6)
//! a client joins each with chance p, at e_i + U(0, j)                            (7)
//! ```
//! | symbol | meaning                                                    | unit   |
//! |--------|------------------------------------------------------------|--------|
//! | w      | window of the start                                        | ps     |
//! | X      | size of a file; median m, Z standard normal                | bytes  |
//! | s      | standard deviation of ln X                                 | 1      |
//! | b      | block; the last one of a file is shorter                   | bytes  |
//! | ra     | most READs outstanding                                     | calls  |
//! | h      | mean think time; none: it thinks until an epoch            | ps     |
//! | g      | mean gap between epochs                                    | ps     |
//! | p, j   | probability to join, most lateness                         | 1, ps  |
//!
//! At each "|" of (2) all replies have arrived. A client that is thinking when it joins an epoch
//! continues at once, and does not think again until the file is read. An epoch during calls is
//! ignored.
//!
//! Streams: purposes `nfs start`, `nfs size`, `nfs think`, `nfs epoch` of the client; `epochs` of
//! the name that the clients share, each of which draws its own copy.
//!
//! Source: clients that read each file in a directory hierarchy [KMCL94] 8.1; their traces are not
//! available, so laws and numbers are decided here (`docs/models/nfs.md`). Not modelled: READDIR
//! and the shape of the tree, caches, correlated sizes of neighbouring files. Checked by:
//! `rpc/tests/files.rs`.

use hopflow_kernel::RandomStream;
use hopflow_units::{Picos, Probability, SimTime};

use super::message::Request;
use super::{EpochSpec, NfsSpec, Procedure};

/// The greatest file of NFS version 2, in bytes.
const LARGEST_FILE: f64 = 2_147_483_647.0;

/// Where the client is in Eq. (2).
#[derive(Clone, Debug)]
pub(super) struct Nfs {
    /// The present or next group of calls.
    group: Procedure,
    /// When it stops thinking; `None`: it is calling.
    thinking: Option<SimTime>,
    /// Whether it does not think until the end of the file.
    is_hurried: bool,
    outstanding: u32,
    /// Bytes of the file that were not requested yet.
    left: u32,
    /// When the first READ of the file was made.
    reading_since: SimTime,
    files_left: u64,
    laws: Laws,
    epochs: Option<Box<Epochs>>,
}

/// Random sizes and think times.
#[derive(Clone, Debug)]
struct Laws {
    median: f64,
    sigma: f64,
    block: u32,
    read_ahead: u32,
    think: Option<Picos>,
    sizes: RandomStream,
    thoughts: RandomStream,
}

impl Nfs {
    /// The client `name`, before its first call.
    pub(super) fn new(spec: &NfsSpec, name: &str, start: SimTime, seed: u64) -> Nfs {
        check(spec);
        let mut epochs =
            spec.epochs.as_ref().map(|epochs| Box::new(Epochs::new(epochs, name, seed)));
        if let Some(epochs) = &mut epochs {
            epochs.pass(start);
        }
        let first = start.saturating_add(uniform(
            &mut RandomStream::new(seed, name, "nfs start"),
            spec.start_window,
        ));
        Nfs {
            group: Procedure::Lookup,
            thinking: Some(if spec.think.is_some() { first } else { SimTime::NEVER }),
            is_hurried: false,
            outstanding: 0,
            left: 0,
            reading_since: SimTime::ZERO,
            files_left: spec.files.unwrap_or(u64::MAX),
            laws: Laws {
                median: spec.size_median.0 as f64,
                sigma: spec.size_sigma,
                block: spec.block,
                read_ahead: spec.read_ahead,
                think: spec.think,
                sizes: RandomStream::new(seed, name, "nfs size"),
                thoughts: RandomStream::new(seed, name, "nfs think"),
            },
            epochs,
        }
    }

    /// When it stops thinking, if it does.
    pub(super) fn due(&self) -> Option<SimTime> {
        let until = self.thinking.filter(|_| self.files_left > 0)?;
        let epoch = self.epochs.as_ref().map_or(SimTime::NEVER, |epochs| epochs.joined);
        Some(until.min(epoch)).filter(|due| *due < SimTime::NEVER)
    }

    /// The call to make now, if any.
    pub(super) fn take(&mut self, now: SimTime) -> Option<Request> {
        if self.due().is_some_and(|due| due <= now) {
            self.is_hurried |= self.thinking.is_some_and(|until| until > now);
            self.thinking = None;
        }
        let most = if self.group == Procedure::Read { self.laws.read_ahead } else { 1 };
        let is_done = self.group == Procedure::Read && self.left == 0;
        if self.thinking.is_some() || self.outstanding == most || is_done {
            return None;
        }
        let data = if self.group == Procedure::Read { self.next_block(now) } else { 0 };
        self.outstanding += 1;
        Some(Request { procedure: self.group, data })
    }

    fn next_block(&mut self, now: SimTime) -> u32 {
        if self.outstanding == 0 && self.reading_since == SimTime::NEVER {
            self.reading_since = now;
        }
        let data = self.left.min(self.laws.block);
        self.left -= data;
        data
    }

    /// One of its calls was answered. Returns the time for the file, if this was the last reply.
    pub(super) fn answered(&mut self, now: SimTime) -> Option<Picos> {
        self.outstanding -= 1;
        if self.outstanding > 0 || self.left > 0 {
            return None;
        }
        let transfer = self.end_group(now);
        if !self.is_hurried {
            self.thinking = Some(self.laws.think_until(now));
            if let Some(epochs) = &mut self.epochs {
                epochs.pass(now);
            }
        }
        transfer
    }

    /// All replies of a group have arrived: begins the next group.
    fn end_group(&mut self, now: SimTime) -> Option<Picos> {
        match self.group {
            Procedure::Lookup => self.group = Procedure::GetAttributes,
            Procedure::GetAttributes => {
                self.group = Procedure::Read;
                self.left = self.laws.size();
                self.reading_since = SimTime::NEVER;
            }
            Procedure::Read | Procedure::Write => {
                self.group = Procedure::Lookup;
                self.is_hurried = false;
                self.files_left -= 1;
                return Some(now.since(self.reading_since));
            }
        }
        None
    }
}

impl Laws {
    /// X, Eq. (4).
    fn size(&mut self) -> u32 {
        let drawn = self.sizes.lognormal(self.median, self.sigma);
        drawn.ceil().clamp(1.0, LARGEST_FILE) as u32
    }

    /// The end of Eq. (5), rounded up; never if there is no mean.
    fn think_until(&mut self, now: SimTime) -> SimTime {
        let Some(mean) = self.think else {
            return SimTime::NEVER;
        };
        now.saturating_add(exponential(&mut self.thoughts, mean))
    }
}

/// The epochs as one client sees them.
#[derive(Clone, Debug)]
struct Epochs {
    /// e_i, the same for all clients.
    last: SimTime,
    common: RandomStream,
    own: RandomStream,
    gap: Picos,
    join: Probability,
    jitter: Picos,
    /// When it joins the next one.
    joined: SimTime,
}

impl Epochs {
    fn new(spec: &EpochSpec, name: &str, seed: u64) -> Epochs {
        assert!(spec.gap > Picos::ZERO, "epochs have gaps between them");
        assert!(!spec.join.is_zero(), "a client joins epochs now and then");
        Epochs {
            last: SimTime::ZERO,
            common: RandomStream::new(seed, &spec.stream, "epochs"),
            own: RandomStream::new(seed, name, "nfs epoch"),
            gap: spec.gap,
            join: spec.join,
            jitter: spec.jitter,
            joined: SimTime::ZERO,
        }
    }

    /// Finds the first epoch to join after `now`, Eqs. (6) and (7).
    fn pass(&mut self, now: SimTime) {
        while self.joined <= now && self.joined < SimTime::NEVER {
            self.last = self.last.saturating_add(exponential(&mut self.common, self.gap));
            if self.join.hits(self.own.next_u64()) {
                self.joined = self.last.saturating_add(uniform(&mut self.own, self.jitter));
            } else if self.last == SimTime::NEVER {
                self.joined = SimTime::NEVER;
            }
        }
    }
}

/// A span that is uniform up to `most`, rounded down.
fn uniform(stream: &mut RandomStream, most: Picos) -> Picos {
    Picos((stream.unit() * most.0 as f64) as u64)
}

/// An exponential span, rounded up.
fn exponential(stream: &mut RandomStream, mean: Picos) -> Picos {
    Picos(stream.exponential(mean.0 as f64).ceil() as u64)
}

fn check(spec: &NfsSpec) {
    assert!((1..=8_192).contains(&spec.block), "a block of {} bytes is out of range", spec.block);
    assert!(spec.read_ahead >= 1, "a client has at least one READ outstanding");
    assert!(spec.files != Some(0), "a client reads at least one file");
    assert!(
        spec.think.is_some() || spec.epochs.is_some(),
        "a client that does not think has to wait for epochs"
    );
}
