//! Video: a coder whose frames follow the rate that the network allows.
//!
//! ```text
//! frame k is coded at   t_k = start + k g                                        (1)
//! its cells             n_k = max(least, min(most, floor(p ACR(t_k) g)))         (2)
//! all of them fall due at t_k
//! ```
//! | symbol      | meaning                                               | unit    |
//! |-------------|-------------------------------------------------------|---------|
//! | g           | from frame to frame: 1 / frame rate                   | ps      |
//! | ACR(t)      | allowed cell rate of the VC's source at t             | cells/s |
//! | p           | part of ACR that is coded; else (Nrm - 1) / Nrm       | 1       |
//! | least, most | bounds of a frame, at least 1                         | cells   |
//!
//! The quality of a frame is its bits: 424 for each cell. The rest of ACR, 1 / Nrm, is RM cells.
//! The coder does not look at the queue: a frame that is coded while the one before waits follows
//! it. It counts what it coded, whether or not the host had room.
//!
//! Source: [Roberts96] ("a video codec is compressing each video frame based on the then current
//! rate request from the network"). Differs: the paper gives no frame rate and no bounds. Not
//! modelled: frames of different kinds, a coder that knows its queue, packets of a frame (AAL5).
//! Checked by: `traffic/tests/video.rs`.

use hopflow_units::{CellRate, Picos, SimTime};

use super::SourceSpec;
use super::coded::CodedCounters;
use super::facts::{Arrivals, Facts, Faster, NotFaster};
use super::machine::{FirstLink, Machine, Start};

/// The frames of Eqs. (1) and (2).
#[derive(Clone, Debug)]
pub(super) struct Video {
    /// The instants of the present frame and of the next.
    frame: SimTime,
    next: SimTime,
    /// Its cells still to come; `None`: its size is not known yet.
    left: Option<u64>,
    gap: Picos,
    part: f64,
    bounds: [u64; 2],
    /// The size of the last frame that was coded.
    last_cells: Option<u64>,
    coded: CodedCounters,
}

impl Video {
    pub(super) const FACTS: Facts = Facts { follows_rate: true, ..Facts::new("video") };

    pub(super) const fn arrivals(
        _frame: Picos,
        _part: Option<f64>,
        _least: u64,
        _most: Option<u64>,
    ) -> Arrivals<'static> {
        Arrivals::Unlimited("a coder sends what its allowed rate permits")
    }

    pub(super) const fn faster(
        _by: Faster,
        _frame: Picos,
        _part: Option<f64>,
        _least: u64,
        _most: Option<u64>,
    ) -> Result<SourceSpec, NotFaster> {
        Err(NotFaster::NoLaw)
    }

    /// The plan before frame 0.
    pub(super) fn new(
        start: &Start<'_>,
        gap: Picos,
        part: Option<f64>,
        least: u64,
        most: Option<u64>,
    ) -> Video {
        let most = most.unwrap_or(u64::MAX);
        assert!(gap > Picos::ZERO, "frames come one after the other");
        assert!((1..=most).contains(&least), "a frame has a cell");
        Video {
            frame: start.at,
            next: start.at,
            left: Some(0),
            gap,
            part: part.unwrap_or(start.data_part),
            bounds: [least, most],
            last_cells: None,
            coded: CodedCounters::default(),
        }
    }

    /// Codes the present frame. Eq. (2).
    fn code(&mut self, acr: CellRate) {
        let [least, most] = self.bounds;
        let room = acr.get() * self.part * self.gap.as_secs_f64();
        let cells = (room.floor() as u64).min(most).max(least);
        // One is on its way already.
        self.left = Some(cells - 1);
        let coded = &mut self.coded;
        coded.frames += 1;
        coded.cells += cells;
        coded.least_cells = Some(coded.least_cells.map_or(cells, |least| least.min(cells)));
        coded.most_cells = coded.most_cells.max(cells);
        if let Some(last) = self.last_cells.replace(cells) {
            coded.changes += 1;
            coded.changed_cells += last.abs_diff(cells);
        }
    }
}

impl Machine for Video {
    /// Eq. (1): the next cell of the present frame, or the first of the next.
    fn next_packet(&mut self, _bytes: u32, _first: &mut FirstLink) -> SimTime {
        match &mut self.left {
            None => panic!("a frame is coded before its second cell"),
            Some(0) => {
                self.left = None;
                self.frame = self.next;
                self.next = self.next.saturating_add(self.gap);
            }
            Some(left) => *left -= 1,
        }
        self.frame
    }

    fn on_rate(&mut self, acr: CellRate) {
        if self.left.is_none() {
            self.code(acr);
        }
    }

    fn coded(&self) -> Option<CodedCounters> {
        Some(self.coded)
    }

    fn restart_statistics(&mut self) {
        (self.coded.least_cells, self.coded.most_cells) = (None, 0);
    }
}
