//! How many cores are idle, where the system reports it.
//!
//! Linux reports in `/proc/loadavg` how many threads run or wait for a core at this instant, and in
//! `/sys/devices/system/cpu/online` which cores there are. The number is only a hint: other
//! processes start and stop, and the choice cannot influence results.

/// The calling thread's core and the idle ones; `None` where the system does not report them.
pub(super) fn free() -> Option<usize> {
    let read = |path| std::fs::read_to_string(path).ok();
    let running = running(&read("/proc/loadavg")?)?;
    let online = online(read("/sys/devices/system/cpu/online")?.trim())?;
    // The calling thread runs, too.
    Some((online + 1).saturating_sub(running))
}

/// The number of running threads: 3 in `0.20 0.18 0.12 3/80 11206`.
fn running(text: &str) -> Option<usize> {
    let (running, _) = text.split_whitespace().nth(3)?.split_once('/')?;
    running.parse().ok()
}

/// The number of cores online: 5 in `0-3,6`.
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

    /// Claim: both files are parsed as proc(5) and the kernel's `cputopology.rst` define them;
    /// other text gives `None`.
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
