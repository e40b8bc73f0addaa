//! How late real-time runs are, and how much they carry, beside `tc` of the kernel:
//! `cargo bench -p hopflow-live --bench speed [-- SECONDS [CASE]]`. Run it on a quiet machine;
//! `CASE` is a part of the name of those that are run.
//!
//! Bulk data of one connection goes over one bottleneck. "Carried" is what IP packets the second
//! host got after the first second, of what the bottleneck can carry of them. Beside it the same
//! data goes over a pair of `veth` devices with the token bucket `tbf` at the same rate: what the
//! kernel itself offers. The first row is of a thread that only reads the clock: for an instant at
//! random, how long after it the next look is. No program here is less late than that.
//!
//! A row names its limit, and the command fails when one is missed.

#[cfg(target_os = "linux")]
mod linux {
    pub(crate) mod beside;
    pub(crate) mod case;
    pub(crate) mod clock;
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("skipped: real hosts need Linux");
}

#[cfg(target_os = "linux")]
fn main() {
    use linux::{beside, case, clock};

    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let seconds = words.first().map_or(10, |word| word.parse().expect("a number of seconds"));
    if let Err(why) = hopflow_live::can_make_hosts() {
        eprintln!("skipped: no real hosts here: {why}");
        return;
    }
    println!("| bottleneck | late p50, us | p99 | p99.9 | most | carried | limit | `tc tbf` |");
    println!("|---|---|---|---|---|---|---|---|");
    println!("{}", clock::row());
    let mut failed = false;
    let wanted = words.get(1).map_or("", String::as_str);
    for case in case::ALL.iter().filter(|case| case.name.contains(wanted)) {
        let done = case.run(seconds);
        let beside = beside::carried(case, seconds);
        failed |= !case.row(&done, beside.as_ref());
    }
    std::process::exit(i32::from(failed));
}
