//! The CPU time of this process, if the system reports it in a file (Linux).

use std::time::Duration;

/// `/proc` counts CPU time in hundredths of a second (`USER_HZ`), whatever the kernel's own clock.
const TICK: Duration = Duration::from_millis(10);

/// CPU time of all threads so far, ended ones included, in steps of 10 ms; `None` where it is not
/// known.
pub(crate) fn cpu_time() -> Option<Duration> {
    time_of(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The sum of `utime` and `stime`, the 14th and 15th field: the 2nd is a name in brackets, which
/// may hold blanks.
fn time_of(stat: &str) -> Option<Duration> {
    let (_, after) = stat.rsplit_once(')')?;
    let mut fields = after.split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    Some(TICK * (ticks()?.checked_add(ticks()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: 1.5 s of user time and 0.25 s in the kernel are 1.75 s, whatever the program's name.
    #[test]
    fn user_and_system_time_are_added() {
        let stat = "7 (a b) c) R 1 7 7 0 -1 4194304 87 0 0 0 150 25 9 9 20 0 1 0 1 2 3";
        assert_eq!(time_of(stat), Some(Duration::from_millis(1750)));
        assert_eq!(time_of("7 (a) R 1"), None);
    }
}
