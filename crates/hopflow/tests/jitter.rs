//! Equal senders at a full buffer: admission with jitter ends the lockout by phases [FJ92].
//!
//! Ranges were written before the first run, from a model of arrivals in which a packet waits for a
//! time uniform in the gap of its flow (`docs/models/jitter.md`).

use hopflow::{RunOptions, RunResult, jain_index, run};
use hopflow_scenario::Scenario;

/// N senders with links of 10 Gb/s into one port of 10 Gb/s with 100 packets of room.
fn network(senders: usize, source: &str, more: &str) -> String {
    format!(
        "version = 2\nduration = \"20 ms\"\nwarm-up = \"2 ms\"\n{more}\
         [defaults.link]\nrate = \"10 Gb/s\"\ndelay = \"1 us\"\n\
         [[topology]]\nkind = \"star\"\nhosts = {}\n\
         [defaults.switch]\nport-buffer = \"100 packets\"\n\
         [[flow]]\nname = \"f{{}}\"\ncount = {senders}\nfrom = \"H{{}}\"\nto = \"H{}\"\n{source}\n",
        senders + 1,
        senders + 1
    )
}

fn result(text: &str, seed: u64) -> RunResult {
    let scenario = Scenario::from_toml(text, "jitter.toml")
        .expect("it is fine")
        .with_seed(seed)
        .expect("it is fine");
    run(&scenario, &RunOptions::default()).expect("it runs")
}

fn jain(result: &RunResult) -> f64 {
    let rates = result.summary.vcs.iter().filter(|vc| !vc.name.contains("ack"));
    jain_index(rates.map(|vc| (vc.throughput_bps, 1.0))).expect("something is delivered")
}

/// The mean and the least Jain index of ten seeds.
fn jains(text: &str) -> [f64; 2] {
    let all: Vec<f64> = (1..=10).map(|seed| jain(&result(text, seed))).collect();
    [all.iter().sum::<f64>() / 10.0, all.iter().copied().fold(1.0, f64::min)]
}

/// Claim: N equal senders into one tail-drop port share it, whether they send as fast as their
/// links or at a constant rate, 125 or 160 % of the port together: Jain at least .98 in the mean of
/// ten seeds, and in no seed below .95.
#[test]
fn equal_senders_share_a_full_buffer() {
    for senders in [2, 4, 8, 16] {
        for load in [None, Some(1.25), Some(1.6)] {
            let source = load.map_or(String::from("packet = \"1500 B\""), |load| {
                let rate = (10e9 * load / senders as f64) as u64;
                format!(
                    "packet = \"1500 B\"\nsource = {{ kind = \"constant\", rate = \"{rate} b/s\" }}"
                )
            });
            let [mean, least] = jains(&network(senders, &source, ""));
            println!("{senders} senders, {load:?}: mean {mean:.4}, least {least:.4}");
            assert!(mean >= 0.98 && least >= 0.95, "{senders} at {load:?}: {mean} {least}");
        }
    }
}

/// Claim: with exact admission one of two greedy senders has the whole port, in every seed: the
/// fault that the jitter mends is there without it.
#[test]
fn exact_admission_locks_out() {
    let text = network(2, "packet = \"1500 B\"", "jitter = \"exact\"\n");
    let [mean, _] = jains(&text);
    assert!(mean < 0.52, "{mean}");
}

/// Claim: two equal transfers of 20,000 packets lose equally: within 5 % of each other in the mean
/// of ten seeds.
#[test]
fn equal_transfers_lose_alike() {
    let source = "packet = \"1500 B\"\nsource = { kind = \"greedy\", packets = 20000 }";
    let text = network(2, source, "").replace("20 ms", "60 ms").replace("warm-up = \"2 ms\"\n", "");
    let apart = |seed| {
        let lost: Vec<f64> =
            result(&text, seed).summary.vcs.iter().map(|vc| vc.dropped_packets as f64).collect();
        assert!(lost[0] > 5_000.0, "{lost:?}");
        (lost[0] - lost[1]).abs() / lost[0].max(lost[1])
    };
    let mean = (1..=10).map(apart).sum::<f64>() / 10.0;
    println!("losses apart {mean:.4}");
    assert!(mean <= 0.05, "{mean}");
}

/// Claim: NewReno and CUBIC senders whose time-outs last 1 ms share the port: Jain at least .95 in
/// the mean of three seeds. With exact admission one of two, or of eight, CUBIC senders has all of
/// it: 1/N. Time-outs of 200 ms are another matter, see `docs/models/jitter.md`.
#[test]
fn tcp_senders_share_a_full_buffer() {
    for (variant, senders) in [("newreno", 8), ("cubic", 2), ("cubic", 8)] {
        let source = format!(
            "source = {{ kind = \"tcp\", variant = \"{variant}\", min-rto = \"1 ms\", \
             granularity = \"10 us\" }}"
        );
        let text = network(senders, &source, "")
            .replace("duration = \"20 ms\"", "duration = \"200 ms\"")
            .replace("warm-up = \"2 ms\"", "warm-up = \"20 ms\"");
        let mean = (1..=3).map(|seed| jain(&result(&text, seed))).sum::<f64>() / 3.0;
        println!("{senders} {variant}: {mean:.4}");
        assert!(mean >= 0.95, "{senders} {variant}: {mean}");
        if variant == "cubic" {
            let exact = jain(&result(&format!("jitter = \"exact\"\n{text}"), 1));
            assert!(exact < 1.1 / senders as f64, "{senders}, exact: {exact}");
        }
    }
}

/// Claim: a flow alone keeps its throughput, to the packet and the digest: nothing waits where
/// nobody competes, however small the buffer is.
#[test]
fn a_lone_flow_keeps_its_throughput() {
    for source in [
        "packet = \"1500 B\"",
        "packet = \"1500 B\"\nsource = { kind = \"constant\", rate = \"9 Gb/s\" }",
    ] {
        for room in ["100 packets", "2 packets", "1 packet"] {
            let text = network(1, source, "").replace("100 packets", room);
            let exact = format!("jitter = \"exact\"\n{text}");
            assert_eq!(result(&text, 1).digest, result(&exact, 1).digest, "{room}");
            // The same where another flow could compete and sends nothing for most of the time.
            let other = "[[flow]]\nname = \"rare\"\nfrom = \"H2\"\nto = \"H3\"\n\
                         packet = \"1500 B\"\n\
                         source = { kind = \"constant\", rate = \"10 kb/s\" }\n";
            let two = network(2, source, "").replace("count = 2", "count = 1") + other;
            let two = two.replace("100 packets", room);
            let of = |text: &str| result(text, 1).summary.vcs[0].throughput_bps;
            let (with, without) = (of(&two), of(&format!("jitter = \"exact\"\n{two}")));
            assert!((with - without).abs() <= 0.001 * without, "{room}: {with} {without}");
        }
    }
}

/// Claim: packets of one input and output keep their order, also where one arrives at the instant
/// at which another is admitted: cells of frames of AAL5 over short buffers at 800 Gb/s, whose
/// times are a few hundred picoseconds, are put together again. An overtaken cell would panic.
#[test]
fn no_packet_overtakes_one_of_its_input() {
    let source = "packet = \"900 B\"\nframing = \"aal5\"\n\
                  source = { kind = \"poisson\", rate = \"200 Gb/s\" }";
    let text = network(3, source, "")
        .replace("10 Gb/s", "800 Gb/s")
        .replace("delay = \"1 us\"", "delay = \"100 ns\"")
        .replace("duration = \"20 ms\"", "duration = \"400 us\"")
        .replace("warm-up = \"2 ms\"\n", "");
    for room in [6, 8, 10, 20] {
        let text = text.replace("100 packets", &format!("{room} packets"));
        for seed in 1..=3 {
            assert!(result(&text, seed).summary.vcs.iter().any(|vc| vc.dropped_packets > 0));
        }
    }
}
