//! The bytes of memory that this process may still take.
//!
//! ```text
//! left = min( MemAvailable of /proc/meminfo,
//!             limit - anonymous memory, of its control group and of each group above that,
//!             limit - size, of the address space and of the data of this process )
//! ```
//! Memory that holds files does not count as used, because the kernel reclaims it on demand. Both
//! versions of control groups are read. The limits of a process are those of `ulimit -v` and
//! `ulimit -d` (RLIMIT_AS, RLIMIT_DATA): they count what is reserved, such as stacks of threads,
//! whether it is used or not. Where the files do not exist, such as on macOS and
//! Windows, nothing is known and the answer is `None`.
//!
//! Sources: proc_meminfo(5), proc_pid_limits(5), proc_pid_status(5), getrlimit(2); the
//! kernel's `cgroup-v2.rst` and `cgroup-v1/memory.rst`.

use std::fs::read_to_string;
use std::path::Path;

/// The files of one version of control groups.
struct Version {
    /// Where the groups are mounted.
    mount: &'static str,
    /// The limit of a group, in bytes; `max` if there is none.
    limit: &'static str,
    /// The line of `memory.stat` that counts anonymous memory, in bytes.
    anonymous: &'static str,
    /// The controllers of its line in `/proc/self/cgroup`.
    controllers: &'static str,
}

const VERSIONS: [Version; 2] = [
    Version { mount: "sys/fs/cgroup", limit: "memory.max", anonymous: "anon", controllers: "" },
    Version {
        mount: "sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        anonymous: "total_rss",
        controllers: "memory",
    },
];

/// The limits of a process, as `/proc/self/limits` names them, and the line of
/// `/proc/self/status` that has the size which is limited.
const OWN_LIMITS: [(&str, &str); 2] =
    [("Max address space", "VmSize:"), ("Max data size", "VmData:")];

/// The bytes of memory that this process may still take; `None` where that is unknown.
pub(super) fn left() -> Option<u64> {
    left_under(Path::new("/"))
}

/// The same for the system whose files are under `root`.
fn left_under(root: &Path) -> Option<u64> {
    let groups = read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let of_groups = VERSIONS.iter().filter_map(|version| left_in_groups(root, version, &groups));
    let of_process = OWN_LIMITS.iter().filter_map(|(limit, size)| of_process(root, limit, size));
    of_machine(root).into_iter().chain(of_groups).chain(of_process).min()
}

fn of_machine(root: &Path) -> Option<u64> {
    let text = read_to_string(root.join("proc/meminfo")).ok()?;
    // The file has "kB" and means 1024 bytes.
    Some(value(&text, "MemAvailable:")?.saturating_mul(1024))
}

/// What a limit of this process leaves of it; `None` if it is unlimited.
fn of_process(root: &Path, limit: &str, size: &str) -> Option<u64> {
    let limits = read_to_string(root.join("proc/self/limits")).ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix(limit))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let status = read_to_string(root.join("proc/self/status")).ok()?;
    Some(limit.saturating_sub(value(&status, size)?.saturating_mul(1024)))
}

/// The least that is left in the group of this process and in the groups above it.
fn left_in_groups(root: &Path, version: &Version, groups: &str) -> Option<u64> {
    let mount = root.join(version.mount);
    let line = groups.lines().filter_map(|line| line.split_once(':')?.1.split_once(':'));
    let mut line = line.filter(|(names, _)| names.split(',').any(|n| n == version.controllers));
    // A container may see its own group as the root, at another place than the line says.
    let path = line.next().map_or("", |(_, path)| path.trim_start_matches('/'));
    let group = mount.join(path);
    let ancestors = group.ancestors().take_while(|group| group.starts_with(&mount));
    ancestors.filter_map(|group| left_in_group(group, version)).min()
}

fn left_in_group(group: &Path, version: &Version) -> Option<u64> {
    let limit = read_to_string(group.join(version.limit)).ok()?;
    let limit: u64 = limit.trim().parse().ok()?;
    let used = value(&read_to_string(group.join("memory.stat")).ok()?, version.anonymous)?;
    Some(limit.saturating_sub(used))
}

/// The number behind `key` at the beginning of a line.
fn value(text: &str, key: &str) -> Option<u64> {
    let words = text.lines().map(str::split_whitespace);
    let mut values = words.filter_map(|mut words| (words.next()? == key).then_some(words.next()?));
    values.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A system with these files.
    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("files are in folders")).expect("a folder");
            fs::write(path, text).expect("written");
        }
        root
    }

    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal:       8000 kB\nMemFree: 1 kB\nMemAvailable:   6000 kB\n");

    fn left_with(files: &[(&str, &str)]) -> Option<u64> {
        left_under(system(files).path())
    }

    /// Claim: without control groups, or in one without a limit, the machine decides; without any
    /// of the files nothing is known.
    #[test]
    fn the_machine_decides_where_no_group_has_a_limit() {
        assert_eq!(left_with(&[]), None);
        assert_eq!(left_with(&[("proc/meminfo", "MemTotal: 8000 kB\n")]), None);
        assert_eq!(left_with(&[MEMINFO]), Some(6_144_000));
        let group = ("proc/self/cgroup", "0::/a\n");
        let limit = ("sys/fs/cgroup/a/memory.max", "max\n");
        let used = ("sys/fs/cgroup/a/memory.stat", "anon 5\n");
        assert_eq!(left_with(&[MEMINFO, group, limit, used]), Some(6_144_000));
    }

    /// Claim: the limit of the group and of each group above it counts, less the anonymous memory
    /// in it; what files hold does not count.
    #[test]
    fn the_tightest_group_decides() {
        let of_process = ("proc/self/cgroup", "0::/a/b\n");
        let inner = ("sys/fs/cgroup/a/b/memory.max", "5000000\n");
        let inner_used = ("sys/fs/cgroup/a/b/memory.stat", "file 900000\nanon 1000000\n");
        let files = [MEMINFO, of_process, inner, inner_used];
        assert_eq!(left_with(&files), Some(4_000_000));
        let outer = ("sys/fs/cgroup/a/memory.max", "3000000\n");
        let outer_used = ("sys/fs/cgroup/a/memory.stat", "anon 2000000\nfile 1\n");
        let files = [MEMINFO, of_process, inner, inner_used, outer, outer_used];
        assert_eq!(left_with(&files), Some(1_000_000));
        let over = ("sys/fs/cgroup/a/memory.max", "1999999\n");
        let files = [MEMINFO, of_process, inner, inner_used, over, outer_used];
        assert_eq!(left_with(&files), Some(0));
    }

    /// Claim: the limit of the address space counts, less its size, and so does that of the data,
    /// whichever is tighter; of the two columns the first, which is in force; `unlimited` is none.
    /// 8,000,000 - 2,000 x 1024 = 5,952,000 and 3,000,000 - 1,000 x 1024 = 1,976,000.
    #[test]
    fn limits_of_the_process_count() {
        let status = ("proc/self/status", "VmPeak: 9 kB\nVmSize:   2000 kB\nVmData: 1000 kB\n");
        let left = |space: &str, data: &str| {
            let limits = format!(
                "Limit                     Soft Limit           Hard Limit           Units\n\
                 Max data size             {data}              unlimited            bytes\n\
                 Max address space         {space}              9000000            bytes\n"
            );
            left_with(&[MEMINFO, status, ("proc/self/limits", &limits)])
        };
        assert_eq!(left("unlimited", "unlimited"), Some(6_144_000));
        assert_eq!(left("8000000", "unlimited"), Some(5_952_000));
        assert_eq!(left("8000000", "3000000"), Some(1_976_000));
        assert_eq!(left("1", "unlimited"), Some(0));
    }

    /// Claim: version 1 has other names, and a container sees its group as the root of the mount
    /// while the line names another place.
    #[test]
    fn version_one_and_containers_are_read() {
        let of_process = ("proc/self/cgroup", "9:cpu,memory:/docker/123\n1:cpuset:/\n0::/\n");
        let limit = ("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n");
        let used = ("sys/fs/cgroup/memory/memory.stat", "rss 7\ntotal_rss 500000\n");
        assert_eq!(left_with(&[MEMINFO, of_process, limit, used]), Some(1_500_000));
    }

    /// Claim: the files of this machine are read as bytes, whatever they hold: no machine has a
    /// petabyte.
    #[test]
    fn the_memory_of_this_machine_is_read() {
        assert!(left().is_none_or(|bytes| bytes < 1 << 50));
    }
}
