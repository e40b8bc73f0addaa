//! Real hosts in real time: how late and how fast, and experiments with claims. On a quiet machine:
//!
//! ```sh
//! cargo bench -p hopflow-live --bench live -- speed [SECONDS [CASE]]
//! cargo bench -p hopflow-live --bench live -- experiments [--check] [RUNS [PART]]
//! ```
//! **Speed.** Bulk data of one connection crosses one bottleneck, whose name contains CASE.
//! "Carried" is the share of the bottleneck's capacity for IP packets that the second host received
//! after the first second. Beside it the same data crosses a pair of `veth` devices with the token
//! bucket `tbf` at the same rate, which is what the kernel itself achieves. The first row is a
//! thread that only reads the clock: the time from a random instant to the next reading. No program
//! on this machine is less late than that.
//!
//! **Experiments.** RUNS is the number of runs of Table 2 over which means are taken (10); PART
//! selects the claims whose name contains it. With `--check` the command fails when a claim
//! differs. A run with unreliable times is repeated, three times at most; then its claims are not
//! judged.

#[cfg(target_os = "linux")]
mod linux {
    pub(crate) mod bed;
    pub(crate) mod beside;
    pub(crate) mod case;
    pub(crate) mod claims;
    pub(crate) mod clock;
    pub(crate) mod creditnet;
    pub(crate) mod neighbours;
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("skipped: real hosts need Linux");
}

#[cfg(target_os = "linux")]
fn main() {
    let mut words: Vec<String> =
        std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let Err(why) = hopflow_live::can_make_hosts() {
        eprintln!("skipped: no real hosts here: {why}");
        return;
    }
    let is_check = words.iter().any(|word| word == "--check");
    words.retain(|word| word != "--check");
    let count = words.get(1).map_or(10, |word| word.parse().expect("a whole number"));
    let part = words.get(2).map_or("", String::as_str);
    match words.first().map(String::as_str) {
        Some("speed") => speed(count, part),
        Some("experiments") => {
            let all = experiments(count as usize, part);
            std::process::exit(i32::from(is_check && !all));
        }
        _ => panic!("the first word is `speed` or `experiments`"),
    }
}

#[cfg(target_os = "linux")]
fn speed(seconds: u64, part: &str) {
    use linux::{beside, case, clock};

    println!("| bottleneck | late p50, us | p99 | p99.9 | most | carried | limit | `tc tbf` |");
    println!("|---|---|---|---|---|---|---|---|\n{}", clock::row());
    for case in case::ALL.iter().filter(|case| case.name.contains(part)) {
        let done = case.run(seconds);
        let beside = beside::carried(case, seconds);
        case.row(&done, beside.as_ref());
    }
}

/// Whether no claim differs.
#[cfg(target_os = "linux")]
fn experiments(runs: usize, part: &str) -> bool {
    use linux::{claims, creditnet, neighbours};

    let mut claims = claims::Claims::new(part);
    creditnet::table2(runs, &mut claims);
    neighbours::blocked(&mut claims);
    neighbours::flooded(&mut claims);
    claims.end()
}
