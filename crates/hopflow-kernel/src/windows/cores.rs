//! How many cores nobody uses, where the system tells.
//!
//! Linux says in `/proc/loadavg` how many threads run or wait for a core at this instant, and in
//! `/sys/devices/system/cpu/online` which cores there are. It is a hint, never more: others may
//! come and go, and what is chosen cannot influence results.

/// Cores for the thread that asks and as many others; `None` where the system does not tell.
pub(super) fn free() -> Option<usize> {
    let read = |path| std::fs::read_to_string(path).ok();
    let running = running(&read("/proc/loadavg")?)?;
    let online = online(read("/sys/devices/system/cpu/online")?.trim())?;
    // The one that asks runs, too.
    Some((online + 1).saturating_sub(running))
}

/// Of `0.20 0.18 0.12 3/80 11206`: 3.
fn running(text: &str) -> Option<usize> {
    let (running, _) = text.split_whitespace().nth(3)?.split_once('/')?;
    running.parse().ok()
}

/// Of `0-3,6`: 5.
fn online(text: &str) -> Option<usize> {
    let count = |range: &str| -> Option<usize> {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last] = [first, last].map(str::parse::<usize>);
        (last.ok()? + 1).checked_sub(first.ok()?)
    };
    text.split(',').map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: both files are read as proc(5) and the kernel's `cputopology.rst` have them; what is
    /// no such file tells nothing.
    #[test]
    fn files_are_read() {
        assert_eq!(running("0.20 0.18 0.12 3/80 11206\n"), Some(3));
        assert_eq!(["0-3,6", "0", "2,4-31,128-129"].map(online), [Some(5), Some(1), Some(31)]);
        assert_eq!(
            (running("0.20"), running("a b c 3"), online(""), online("3-1")),
            Default::default()
        );
    }
}
