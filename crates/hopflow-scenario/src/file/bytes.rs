//! The bytes of files, as far as they may go.

use std::io::Read;
use std::path::Path;

use crate::regular;

/// The text that they are.
pub(super) fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| format!("it is not UTF-8 text ({error})"))
}

/// As [`read_at_most`], of a file that can be read again, for another seed or control.
pub(super) fn read_regular(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let file = regular::open(path).map_err(|error| error.to_string())?;
    bytes_at_most(file, most)
}

/// The bytes of a file or a pipe, or why they cannot be had.
pub(super) fn read_at_most(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    bytes_at_most(file, most)
}

/// The same of what is open already.
pub(super) fn bytes_at_most(input: impl Read, most: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    input.take(limit).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > most {
        return Err(format!("it is larger than {} MiB", most >> 20));
    }
    Ok(bytes)
}
