//! The estimate of memory against what runs take: `cargo bench -p hopflow --bench memory`.
//!
//! The peak of a process depends on the allocator and the pages of the machine, so this is no test;
//! `cargo xtask test --all` runs it. It reads /proc, which only Linux has.

use std::fmt::Write as _;

use hopflow::{RunOptions, Scenario, memory_estimate, run};

/// `count` VCs over three links, of which next to none has a cell.
fn idle_vcs(count: u64) -> Scenario {
    let mut text = String::from("version = 2\nduration = \"200 us\"\n");
    text.push_str("[defaults.link]\nrate = \"622.08 Mb/s\"\ndelay = \"20 us\"\n");
    for host in ["A{%8}", "B{%8}"] {
        let _ = write!(text, "[[host]]\nname = \"{host}\"\ncount = 8\n");
    }
    text.push_str("[[switch]]\nname = \"S{}\"\ncount = 2\n[[link]]\nbetween = [\"S1\", \"S2\"]\n");
    for (switch, host) in [(1, "A"), (2, "B")] {
        let between = format!("between = [\"{host}{{}}\", \"S{switch}\"]");
        let _ = write!(text, "[[link]]\n{between}\ncount = 8\n");
    }
    let _ = write!(text, "[[flow]]\nname = \"V{{}}\"\ncount = {count}\n");
    text.push_str("from = \"A{%8}\"\nto = \"B{%8}\"\n");
    text.push_str("source = { kind = \"poisson\", rate = \"400 b/s\" }\n");
    text.push_str("control = { kind = \"n23\" }\n");
    Scenario::from_toml(&text, "idle.toml").expect("the scenario is right")
}

/// The most memory that this process has held so far, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells of a process");
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.expect("Linux tells the peak in kB") << 10
}

/// Claim: with and without the rows of all VCs in the result, at sizes from 3,000 VCs to 400,000,
/// the estimate is within a factor of 2 of the peak of the process. They take more and more, so
/// that each peak is that of its own run.
fn main() {
    for (count, keep_vcs) in [(3_000, true), (60_000, false), (400_000, false), (120_000, true)] {
        let scenario = idle_vcs(count);
        let estimate = memory_estimate(&scenario, keep_vcs);
        let options = RunOptions { keep_vcs, ..RunOptions::default() };
        run(&scenario, &options).expect("the scenario runs");
        let peak = peak();
        println!("{count} VCs: estimate {estimate} bytes, peak {peak} bytes");
        assert!(estimate < 2 * peak && peak < 2 * estimate, "{count}: {estimate}, {peak}");
    }
}
