//! Tar: several files in one, in the format `ustar` of POSIX.1-1988, as far as a bundle needs it.
//!
//! ```text
//! archive = (header | contents | zeros up to a multiple of 512)... | 1024 zeros
//! header  = name 100 | mode 8 | uid 8 | gid 8 | size 12 | mtime 12 | sum 8 | type 1 | link 100 |
//!           "ustar\0" "00" | user 32 | group 32 | major 8 | minor 8 | prefix 155 | zeros 12
//! sum     = the sum of the bytes of the header, with blanks in place of the sum
//! ```
//! Numbers are octal digits. Fields that depend on a machine are constant: mode 644, owner 0, time
//! 0, no names. So the same files give the same bytes, which every `tar` reads.
//!
//! Reading is strict: regular files only, each with a correct sum, a relative name without `..`, in
//! ascending order of names. Not supported: files of 8 GiB or more.

use std::path::{Component, Path};

const BLOCK: usize = 512;
/// The positions of name, size, sum, type, magic and prefix in a header.
const NAME: std::ops::Range<usize> = 0..100;
const SIZE: std::ops::Range<usize> = 124..136;
const SUM: std::ops::Range<usize> = 148..156;
const KIND: usize = 156;
const MAGIC: std::ops::Range<usize> = 257..265;
const PREFIX: std::ops::Range<usize> = 345..500;
/// Eleven octal digits.
const MOST: u64 = (1 << 33) - 1;

/// Joins files into one; an error is a sentence. Names ascend.
pub(crate) fn write(files: &[(String, &[u8])]) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    for (name, bytes) in files {
        out.extend(header(name, bytes.len() as u64)?);
        out.extend(*bytes);
        out.resize(out.len().next_multiple_of(BLOCK), 0);
    }
    out.resize(out.len() + 2 * BLOCK, 0);
    Ok(out)
}

fn header(name: &str, size: u64) -> Result<[u8; BLOCK], String> {
    if !is_safe(name) {
        return Err(format!("`{name}` is not a valid file name in an archive"));
    }
    if size > MOST {
        return Err(format!("`{name}` has {size} bytes, and an archive holds files of {MOST}"));
    }
    let (prefix, short) = split(name)
        .ok_or_else(|| format!("the name `{name}` is too long for an archive: shorten it"))?;
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &str| {
        header[at..at + text.len()].copy_from_slice(text.as_bytes());
    };
    put(NAME.start, short);
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(SIZE.start, &format!("{size:011o}"));
    put(136, "00000000000");
    put(SUM.start, "        ");
    put(KIND, "0");
    put(MAGIC.start, "ustar\x0000");
    put(329, "0000000");
    put(337, "0000000");
    put(PREFIX.start, prefix);
    let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
    header[SUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

/// Splits a long name in two at one of its slashes.
fn split(name: &str) -> Option<(&str, &str)> {
    if name.len() <= NAME.len() {
        return Some(("", name));
    }
    let cuts = name.match_indices('/').map(|(at, _)| (&name[..at], &name[at + 1..]));
    cuts.into_iter().find(|(head, tail)| head.len() <= PREFIX.len() && tail.len() <= NAME.len())
}

/// Whether a file of this name is below the folder into which it is unpacked, on every system.
pub(crate) fn is_safe(name: &str) -> bool {
    let parts = name.split('/');
    let is_plain = |part: &str| !["", ".", ".."].contains(&part);
    let is_odd = |letter: char| letter.is_control() || letter == '\\';
    let is_normal = |part: Component<'_>| matches!(part, Component::Normal(_));
    parts.into_iter().all(is_plain)
        && !name.contains(is_odd)
        && Path::new(name).components().all(is_normal)
}

/// Splits an archive into files; an error is a sentence.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<(String, &[u8])>, String> {
    let mut files: Vec<(String, &[u8])> = Vec::new();
    let mut rest = bytes;
    loop {
        let Some((block, behind)) = rest.split_at_checked(BLOCK) else {
            return Err("it is cut off: get it again".to_owned());
        };
        if block.iter().all(|byte| *byte == 0) {
            let is_end = behind.len() >= BLOCK && behind.iter().all(|byte| *byte == 0);
            let wrong = "it is cut off, or something stands behind its end";
            return if is_end { Ok(files) } else { Err(wrong.to_owned()) };
        }
        let (name, size) = entry(block).ok_or_else(|| {
            format!("it is damaged at byte {}: get it again", bytes.len() - rest.len())
        })?;
        if !is_safe(&name) {
            return Err(format!(
                "its file `{name}` would lie outside the folder that it is unpacked in, so \
                 hopflow did not write it"
            ));
        }
        if files.last().is_some_and(|(before, _)| *before >= name) {
            return Err(format!("its file `{name}` is out of order: hopflow did not write it"));
        }
        let Some((contents, behind)) = behind.split_at_checked(size) else {
            return Err(format!("it is cut off within `{name}`: get it again"));
        };
        let padding = size.next_multiple_of(BLOCK) - size;
        let Some(behind) = behind.get(padding..) else {
            return Err(format!("it is cut off behind `{name}`: get it again"));
        };
        files.push((name, contents));
        rest = behind;
    }
}

/// Name and size of a regular file from its header; `None` for a header that was not written here.
fn entry(block: &[u8]) -> Option<(String, usize)> {
    let octal = |range: std::ops::Range<usize>| {
        let text = std::str::from_utf8(&block[range]).ok()?;
        usize::from_str_radix(text.trim_matches([' ', '\0']), 8).ok()
    };
    let text = |range: std::ops::Range<usize>| {
        let all = &block[range];
        let end = all.iter().position(|byte| *byte == 0).unwrap_or(all.len());
        std::str::from_utf8(&all[..end]).ok()
    };
    let blank = SUM.len() * usize::from(b' ');
    let others = block[..SUM.start].iter().chain(&block[SUM.end..]);
    let sum = blank + others.map(|byte| usize::from(*byte)).sum::<usize>();
    if octal(SUM)? != sum || block[KIND] != b'0' || &block[MAGIC] != b"ustar\x0000" {
        return None;
    }
    let (prefix, name) = (text(PREFIX)?, text(NAME)?);
    let name = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") };
    Some((name, octal(SIZE)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let long = format!("{}/{}", "d".repeat(99), "f".repeat(99));
        let files: [(String, &[u8]); 4] = [
            ("a".into(), b""),
            ("b/c.txt".into(), b"words\n"),
            (long, &[7; 512]),
            ("e".into(), &[1; 513]),
        ];
        let mut files = files.to_vec();
        files.sort();
        write(&files).unwrap()
    }

    /// Claim: a written archive reads back, with long names and sizes on both sides of a block.
    #[test]
    fn an_archive_reads_back() {
        let bytes = sample();
        let files = read(&bytes).unwrap();
        let sizes: Vec<usize> = files.iter().map(|(_, contents)| contents.len()).collect();
        assert_eq!((sizes, files[0].0.as_str()), (vec![0, 6, 512, 513], "a"));
        assert_eq!((files[1].0.as_str(), files[1].1), ("b/c.txt", &b"words\n"[..]));
    }

    /// Claim: an archive that is truncated anywhere is refused, and so is one with a bit flipped in
    /// any header; nothing panics.
    #[test]
    fn a_damaged_archive_is_refused() {
        let bytes = sample();
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_err(), "{end}");
        }
        let first = 0..BLOCK;
        let second = BLOCK..2 * BLOCK;
        for at in first.chain(second) {
            let mut turned = bytes.clone();
            turned[at] ^= 4;
            assert!(read(&turned).is_err(), "{at}");
        }
    }

    /// Claim: a name that leads out of the folder is refused when writing and when reading,
    /// whatever its header's sum.
    #[test]
    fn no_name_leads_out() {
        for name in ["../x", "/etc/x", "a/../../x", "a//b", "./a", "", "a/", "a\\b", "a\nb"] {
            assert!(write(&[(name.to_owned(), b"x")]).is_err(), "{name}");
        }
        let mut bytes = write(&[("aaax".to_owned(), b"x")]).unwrap();
        bytes[..4].copy_from_slice(b"../x");
        bytes[SUM].copy_from_slice(b"        ");
        let sum: u64 = bytes[..BLOCK].iter().map(|byte| u64::from(*byte)).sum();
        bytes[SUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let said = read(&bytes).unwrap_err();
        assert!(said.contains("`../x`") && said.contains("outside"), "{said}");
        assert!(write(&[("x".repeat(101), b"")]).is_err());
    }
}
