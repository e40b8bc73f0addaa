//! The machine of the measurements, as far as the system reports it.

use std::fmt;
use std::process::Command;

use super::Request;

/// The lines below the tables.
#[derive(Debug, Default)]
pub(super) struct About {
    lines: Vec<String>,
}

impl About {
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// The words before a command that keep it on one core: the last one this process may use. Empty
/// without `taskset`.
pub(super) fn pin() -> Vec<String> {
    let last = std::fs::read_to_string("/proc/self/status").ok().and_then(|text| last_core(&text));
    let works = Command::new("taskset").arg("--version").output().is_ok();
    match last.filter(|_| works) {
        Some(core) => ["taskset", "-c", &core].map(str::to_owned).to_vec(),
        None => Vec::new(),
    }
}

/// The last core of `Cpus_allowed_list`: 8 for `0-3,8`.
fn last_core(status: &str) -> Option<String> {
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let last = list.trim().rsplit([',', '-']).next()?;
    last.parse::<u32>().ok().map(|core| core.to_string())
}

/// Jobs that ran or waited in the last minute, on average.
pub(crate) fn load() -> Option<String> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next().map(str::to_owned)
}

/// Machine, versions, date, command and method.
pub(super) fn about(
    pin: &[String],
    load: [Option<String>; 2],
    rounds: u32,
    request: &Request,
) -> About {
    let unknown = || "unknown".to_owned();
    let date = today();
    let load = load.map(|load| load.unwrap_or_else(unknown));
    let pinned = if pin.is_empty() { "not pinned (no taskset)" } else { "pinned to one core" };
    let Request { only, divide, .. } = request;
    let names: Vec<&str> = only.iter().map(|workload| workload.name).collect();
    let only = if names.is_empty() { "" } else { &format!(" --workload {}", names.join(",")) };
    let command = format!("cargo xtask bench-peers --rounds {rounds} --divide {divide}{only}");
    About {
        lines: vec![
            format!("* {date}, `{command}`: alternately in every round, medians, {pinned}"),
            format!("* {}", machine()),
            format!("* {}", versions().join("; ")),
            format!("* load average {} before, {} after", load[0], load[1]),
        ],
    }
}

/// The date and time.
pub(crate) fn today() -> String {
    let date = first_line("date", &["-u", "+%Y-%m-%d %H:%M UTC"]);
    date.unwrap_or_else(|| "some day".to_owned())
}

/// Processor, cores and system.
pub(crate) fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let (cpus, release) = (read("/proc/cpuinfo"), read("/etc/os-release"));
    let named = |text: &str, key: &str, mark: char| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        line.split_once(mark).map(|(_, value)| value.trim().trim_matches('"').to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let cpu = named(&cpus, "model name", ':').unwrap_or_else(|| "unknown processor".to_owned());
    let system = named(&release, "PRETTY_NAME", '=').unwrap_or_else(|| "unknown".to_owned());
    format!("{cpu}, {cores} virtual cores; {system}")
}

/// Compilers and simulators.
fn versions() -> Vec<String> {
    let tools = ["rustc", "g++", "python3"];
    let mut lines: Vec<_> =
        tools.iter().filter_map(|tool| first_line(tool, &["--version"])).collect();
    let ns3 = first_line("dpkg-query", &["-W", "-f", "ns-3 ${Version}", "libns3-dev"]);
    lines.extend(ns3);
    let own = |path: &str| {
        let text = std::fs::read_to_string(crate::root().join("benches/peers").join(path));
        text.unwrap_or_default()
    };
    let nexosim = own("nexosim/Cargo.toml");
    let nexosim = nexosim.lines().find(|line| line.starts_with("nexosim = "));
    lines.extend(nexosim.map(|line| line.replace(['"', '='], "").replace("  ", " ")));
    let python = own("requirements.txt");
    lines.extend(python.lines().filter(|l| l.contains("==")).map(|l| l.replace("==", " ")));
    lines
}

fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the last core is found at the end of a list or of a range.
    #[test]
    fn the_last_core_is_found() {
        assert_eq!(last_core("Cpus_allowed_list:\t0-3\n").as_deref(), Some("3"));
        assert_eq!(last_core("Name:\tx\nCpus_allowed_list:\t0-1,8\n").as_deref(), Some("8"));
        assert_eq!(last_core("Cpus_allowed_list:\t5\n").as_deref(), Some("5"));
        assert_eq!(last_core("Name:\tx\n"), None);
    }
}
