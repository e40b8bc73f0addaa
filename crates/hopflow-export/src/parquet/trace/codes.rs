//! Codes for the entries that a row group uses, in the order of their first use.

/// Not seen in this group.
pub(super) const NEW: u32 = u32::MAX;

/// Numbers for entries, in the order of their first use.
pub(super) struct Codes {
    /// The code of each entry, or [`NEW`].
    pub(super) code: Vec<u32>,
    /// The entries, by their codes.
    pub(super) used: Vec<u32>,
}

impl Codes {
    /// For this number of entries.
    pub(super) fn new(all: usize) -> Codes {
        Codes { code: vec![NEW; all], used: Vec::new() }
    }

    /// The code of an entry.
    pub(super) fn of(&mut self, index: u32) -> u32 {
        let code = &mut self.code[index as usize];
        if *code == NEW {
            *code = self.used.len() as u32;
            self.used.push(index);
        }
        *code
    }

    /// No entry has a code any more.
    pub(super) fn clear(&mut self) {
        for index in self.used.drain(..) {
            self.code[index as usize] = NEW;
        }
    }
}
