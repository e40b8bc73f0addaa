//! Rows as columns: typed arrays that the page reads in place.

/// Columns of the last answer.
///
/// A flight is a packet or control cell on a link; a state is the value of something from an
/// instant on. Times are in ps, exact below 2^53 (two and a half hours).
///
/// | column | type | rows    | meaning                                                      |
/// |--------|------|---------|--------------------------------------------------------------|
/// | 0      | f64  | flights | start: the first bit leaves                                  |
/// | 1      | f64  | flights | end: the last bit arrives, or the end of the run             |
/// | 2      | u32  | flights | link direction                                               |
/// | 3      | u32  | flights | VC; `u32::MAX`: none                                         |
/// | 4      | u8   | flights | kind, as in `hopflow_network::CellKind`                      |
/// | 5      | u8   | flights | fate, 0: arrives, 1: corrupted, 2: dropped, 3: in flight     |
/// | 6      | f64  | states  | instant                                                      |
/// | 7      | u8   | states  | type, 0: queue, 1: credit, 2: lane shut or open, 3: drops    |
/// | 8      | u32  | states  | node of a queue or drop, otherwise the sending link direction |
/// | 9      | u32  | states  | VC; for type 2 the lane                                      |
/// | 10     | f64  | states  | packets held, credits left, closed until (ps), drops so far  |
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Column 0.
    pub start: Vec<f64>,
    /// Column 1.
    pub end: Vec<f64>,
    /// Column 2.
    pub direction: Vec<u32>,
    /// Column 3.
    pub vc: Vec<u32>,
    /// Column 4.
    pub kind: Vec<u8>,
    /// Column 5.
    pub fate: Vec<u8>,
    /// Column 6.
    pub time: Vec<f64>,
    /// Column 7.
    pub what: Vec<u8>,
    /// Column 8.
    pub place: Vec<u32>,
    /// Column 9.
    pub whose: Vec<u32>,
    /// Column 10.
    pub value: Vec<f64>,
}

impl Columns {
    /// The address of a column; null if the number is out of range.
    pub fn at(&self, index: usize) -> *const u8 {
        match index {
            0 => self.start.as_ptr().cast(),
            1 => self.end.as_ptr().cast(),
            2 => self.direction.as_ptr().cast(),
            3 => self.vc.as_ptr().cast(),
            4 => self.kind.as_ptr(),
            5 => self.fate.as_ptr(),
            6 => self.time.as_ptr().cast(),
            7 => self.what.as_ptr(),
            8 => self.place.as_ptr().cast(),
            9 => self.whose.as_ptr().cast(),
            10 => self.value.as_ptr().cast(),
            _ => std::ptr::null(),
        }
    }

    /// Removes all rows, and keeps the capacity.
    pub(crate) fn clear(&mut self) {
        for column in [&mut self.start, &mut self.end, &mut self.time, &mut self.value] {
            column.clear();
        }
        for column in [&mut self.direction, &mut self.vc, &mut self.place, &mut self.whose] {
            column.clear();
        }
        for column in [&mut self.kind, &mut self.fate, &mut self.what] {
            column.clear();
        }
    }
}
