//! A seeded mutator: broken files of every sort are refused with a place and a code, or taken, and
//! then they run for a while; they never panic, and never take long.
//!
//! `HOPFLOW_MUTANTS` sets how many (20,000 without it), `HOPFLOW_MUTANT` runs that one alone.

use std::path::{Path, PathBuf};

use hopflow_network::{Engine, NetworkSpec, SourceSpec, TraceFilter, VcSpec, WindowedEngine};
use hopflow_scenario::{Diagnostic, Scenario};
use hopflow_units::SimTime;

/// `SplitMix64`: enough for choosing where to break a file.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }
}

const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "nan",
    "inf",
    "1e400",
    "-1e400",
    "1e-400",
    "0.1",
    "1e12",
    "4294967296",
    "268435456",
    "18446744073709551616",
    "9223372036854775807",
    "999999999999999999999999999999",
    "100000",
    "3.5",
    "0x10",
    "1_000",
    "\"auto\"",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"5\"",
];
const UNITS: &[&str] =
    &["", "cells", "s", "ps", "km", "Mb/s", "%", "kB", "parsec", "Mbps", "\u{b5}s"];
const WORDS: &[&str] = &[
    "window",
    "n123+",
    "n123",
    "cup",
    "additive",
    "none",
    "greedy",
    "on-off",
    "replay",
    "constant",
    "every-kth",
    "alternating",
    "loop",
    "measured",
    "A",
    "S",
    "B",
    "A{}",
    "S#2",
    "A->S",
    "fat-tree",
    "parking-lot",
    "dumbbell",
    "star",
    "chain",
    "{+1}",
    "geometric",
    "exponential",
    "fifo",
    "strict-priority",
    "weighted-round-robin",
    "deficit-round-robin",
    "wfq",
    "wf2q",
    "leap-forward",
    "scfq",
    "sfq",
    "virtual-clock",
    "tdm",
    "ats",
    "cbs",
    "train",
    "poisson",
    "last-of-longest",
    "last-of-own",
    "token-bucket",
    "gcra",
    "leaky-bucket",
    "low-priority",
    "delay",
    "never",
    "meter",
];
const KEYS: &[&str] = &[
    "count",
    "route",
    "from",
    "to",
    "kind",
    "n1",
    "n2",
    "n3",
    "target",
    "cells",
    "buffer",
    "vc-buffer",
    "round-trip",
    "delay",
    "rate",
    "processing",
    "start",
    "stop",
    "priority",
    "k",
    "file",
    "burst",
    "off",
    "blocked",
    "corrupt-next-credits",
    "flow",
    "name",
    "window",
    "hosts",
    "switches",
    "routes",
    "run-ahead",
    "request-after",
    "seed",
    "duration",
    "cell-time-of",
    "scheduler",
    "discard",
    "port-buffer",
    "packet",
    "reservation",
    "weight",
    "envelope",
    "policing",
    "obeys",
    "misbehaves",
    "allow-overbooking",
    "quantum",
    "frame",
    "interval",
    "burst",
    "limit",
    "excess",
    "room",
    "threshold",
    "length",
    "phase",
];
const LINES: &[&str] = &[
    "[[topology]]\nkind = \"fat-tree\"\nk = 1000000\nrate = \"1 Gb/s\"",
    "[[topology]]\nkind = \"star\"\nhosts = 20\nrate = \"1 Gb/s\"\nprefix = \"T\"",
    "[[host]]\nname = \"X{}\"\ncount = 1000000000000",
    "[[flow]]\nname = \"F{}\"\ncount = 50\nfrom = \"A1\"\nto = \"B\"",
    "[[event]]\nat = \"1 ms\"\nfrom = \"S\"\nto = \"A1\"\nblocked = true",
    "[record]\ntrace = true\nqueues = true",
    "[[flow.hop]]\nlink = [\"A1\", \"S\"]\nn3 = 50",
    "control = { kind = \"n123+\", n1 = \"auto\", target = \"50 %\" }",
    "source = { kind = \"on-off\", burst = { kind = \"geometric\", mean = 0.5 }, off = \"0 us\" }",
    "source = { kind = \"replay\", file = \"trace.csv\" }",
    "source = { kind = \"poisson\", rate = \"1e-3 packets/s\" }",
    "source = { kind = \"train\", rate = \"50 %\", length = 3 }",
    "packet = { sizes = [\"40 B\", \"1500 B\"], weights = [4294967295, 1] }",
    "packet = \"1048576 B\"",
    "reservation = { rate = \"1 b/s\" }",
    "reservation = { rate = \"1 Mb/s\", priority = \"99 days\" }",
    "policing = { kind = \"gcra\", rate = \"1 b/s\", limit = \"99 days\" }",
    "policing = { kind = \"token-bucket\", rate = \"1 Mb/s\", burst = \"1 MB\", \
     excess = \"low-priority\" }",
    "policing = { kind = \"leaky-bucket\", rate = \"1 b/s\", room = 1000000 }",
    "scheduler = { kind = \"tdm\", frame = 100000 }",
    "scheduler = { kind = \"schedule-based\", frame = 10, window = 2 }",
    "scheduler = { kind = \"deficit-round-robin\", quantum = \"1500 B\" }",
    "scheduler = { kind = \"virtual-clock\", threshold = \"1 ps\", delete-after = 0 }",
    "scheduler = [\"wfq\", \"ats\"]",
    "[defaults.switch]\nscheduler = \"virtual-clock\"\ndiscard = \"last-of-longest\"\n\
     port-buffer = \"3 packets\"",
    "[defaults.flow]\nreservation = { rate = \"1 Mb/s\", burst = \"2 kB\" }",
];

/// One network with every key of traffic, for each of the schedulers.
const TRAFFIC: &str = r#"
version = 1
duration = "1 ms"
[defaults.switch]
scheduler = SCHEDULER
discard = "last-of-longest"
buffer = "9 packets"
port-buffer = "5 packets"
vc-buffer = "4 packets"
[[host]]
name = "A{}"
count = 5
[[switch]]
name = "S"
[[host]]
name = "B"
scheduler = "fifo"
[[link]]
between = ["A{}", "S"]
count = 5
rate = "100 Mb/s"
delay = "1 us"
[[link]]
between = ["S", "B"]
rate = "20 Mb/s"
scheduler = [SCHEDULER, "fifo"]
allow-overbooking = false
[[flow]]
name = "a"
route = ["A1", "S", "B"]
packet = "250 B"
reservation = { rate = "1000 packets/s", interval = "5 ms", priority = "1 ms", burst = "500 B" }
source = { kind = "train", rate = "1000 packets/s", length = 3, burstiness = 2 }
envelope = true
obeys = true
[[flow]]
name = "b"
route = ["A2", "S", "B"]
priority = 1
packet = { sizes = ["40 B", "576 B", "1500 B"], weights = [7, 4, 1] }
reservation = { rate = "3 Mb/s" }
source = { kind = "poisson", rate = "3 Mb/s" }
misbehaves = 5
policing = { kind = "token-bucket", rate = "20 Mb/s", burst = "3 kB", excess = "discard" }
[[flow]]
name = "c"
route = ["A3", "S", "B"]
packet = { least = "40 B", most = "1500 B" }
reservation = { rate = "2 Mb/s", interval = "20 ms" }
source = { kind = "on-off", burst = 5, off = "1 ms" }
policing = { kind = "gcra", limit = "1 ms", excess = "delay", room = 7 }
[[flow]]
name = "d"
route = ["A4", "S", "B"]
reservation = { rate = "1 Mb/s" }
source = { kind = "constant", rate = "10 %", phase = "random" }
policing = { kind = "leaky-bucket", room = 3 }
[[flow]]
name = "e"
route = ["A5", "S", "B"]
reservation = { rate = "1 Mb/s" }
source = { kind = "alternating", low = "1 Mb/s", high = "20 Mb/s", half-period = "100 us" }
envelope = { packets = 20, interval = "1 ms" }
"#;
const SCHEDULERS: &[&str] = &[
    "\"fifo\"",
    "\"strict-priority\"",
    "\"weighted-round-robin\"",
    "{ kind = \"deficit-round-robin\", quantum = \"1500 B\" }",
    "\"wfq\"",
    "\"wf2q\"",
    "\"leap-forward\"",
    "\"scfq\"",
    "\"sfq\"",
    "{ kind = \"virtual-clock\", threshold = \"2 ms\", delete-after = 1 }",
    "{ kind = \"virtual-clock\", stamp = \"meter\", check = \"1 ms\", refuse-ahead = \"9 ms\" }",
    "{ kind = \"tdm\", frame = 20 }",
    "{ kind = \"schedule-based\", frame = 20, window = 3 }",
    "{ kind = \"ats\", max-residence = \"5 ms\" }",
    "\"cbs\"",
];

/// The files that are broken: the examples, those of the papers, the template, and [`TRAFFIC`].
fn seeds() -> Vec<String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in [root.join("examples"), root.join("papers")] {
        collect(&folder, &mut paths);
    }
    paths.sort();
    let mut texts: Vec<String> = paths
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a seed can be read"))
        .collect();
    texts.push(Scenario::template().to_owned());
    texts.extend(SCHEDULERS.iter().map(|scheduler| TRAFFIC.replace("SCHEDULER", scheduler)));
    assert!(texts.len() >= 7, "the examples are found");
    texts
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "claims") {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ext| ext == "toml")
            && path.file_name().is_some_and(|name| name != "claims.toml")
        {
            paths.push(path);
        }
    }
}

/// Words of the text: runs of characters that make up keys, numbers and names.
fn words(text: &str, keep: impl Fn(&str) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, char) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = char.is_alphanumeric() || matches!(char, '.' | '-' | '_');
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if keep(&text[from..at]) {
                    found.push(from..at);
                }
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn replace_word(text: &mut String, dice: &mut Dice, keep: impl Fn(&str) -> bool, new: &str) {
    let found = words(text, keep);
    if !found.is_empty() {
        let word = found[dice.below(found.len())].clone();
        text.replace_range(word, new);
    }
}

fn change_lines(text: &mut String, dice: &mut Dice, how: usize) {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
    match how {
        0 => drop(lines.remove(a)),
        1 => lines.insert(b, lines[a]),
        2 => lines.swap(a, b),
        3 => lines.insert(a, dice.pick(LINES)),
        _ => lines.truncate(a),
    }
    *text = lines.join("\n");
}

fn flip_bytes(text: &mut String, dice: &mut Dice) {
    let mut bytes = std::mem::take(text).into_bytes();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << dice.below(8);
        }
    }
    *text = String::from_utf8_lossy(&bytes).into_owned();
}

fn misspell(text: &mut String, dice: &mut Dice) {
    let found = words(text, |word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    if found.is_empty() {
        return;
    }
    let word = found[dice.below(found.len())].clone();
    let mut letters: Vec<char> = text[word.clone()].chars().collect();
    let at = dice.below(letters.len());
    match dice.below(3) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, 'x'),
        _ => letters.swap(at, 0),
    }
    text.replace_range(word, &letters.into_iter().collect::<String>());
}

/// The mutant of this number: one to four changes of one of the seeds.
fn mutant(number: u64, seeds: &[String]) -> String {
    let mut dice = Dice(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut text = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(4) {
        let digit = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        match dice.below(12) {
            0 => flip_bytes(&mut text, &mut dice),
            how @ 1..=4 => change_lines(&mut text, &mut dice, how - 1),
            5 if dice.below(4) == 0 => change_lines(&mut text, &mut dice, 4),
            6 | 7 => {
                let new = dice.pick(NUMBERS);
                replace_word(&mut text, &mut dice, digit, new);
            }
            8 => {
                let new = dice.pick(UNITS);
                let unit = |word: &str| matches!(word, "cells" | "us" | "ms" | "s" | "Mb" | "Gb");
                replace_word(&mut text, &mut dice, unit, new);
            }
            9 => {
                let new = dice.pick(WORDS);
                replace_word(&mut text, &mut dice, |_| true, new);
            }
            10 => {
                let new = dice.pick(KEYS);
                let key = |word: &str| KEYS.contains(&word);
                replace_word(&mut text, &mut dice, key, new);
            }
            _ => misspell(&mut text, &mut dice),
        }
    }
    text
}

fn check(text: &str, diagnostic: &Diagnostic) {
    assert!(!diagnostic.message.is_empty(), "{} says nothing", diagnostic.code);
    assert!(!diagnostic.labels.is_empty(), "{} points nowhere", diagnostic.code);
    for label in &diagnostic.labels {
        assert!(text.get(label.span.clone()).is_some(), "{} points outside", diagnostic.code);
    }
}

/// The start of a run, as long as the engine is small and events are few.
fn simulate(network: &NetworkSpec) {
    let hops: usize = network.vcs.iter().map(|vc| vc.hops.len()).sum();
    if network.nodes.len() > 200 || hops > 1_000 {
        return;
    }
    let gap = |vc: &VcSpec| match &vc.source {
        SourceSpec::Poisson { gap } | SourceSpec::Phased { gap } => gap.0,
        SourceSpec::Train { spacing, .. } => spacing.0,
        SourceSpec::Constant { rate } | SourceSpec::Alternating { high: rate, .. } => {
            (8 * vc.traffic.size.least().0 * 1_000_000_000_000) / rate.bps()
        }
        _ => u64::MAX,
    };
    let links = network.least_transmit_times().into_iter().map(|time| time.0);
    let least = network.vcs.iter().map(gap).chain(links).min().unwrap_or(1).max(1);
    let mut engine = WindowedEngine::new(network, TraceFilter::default(), 1);
    engine.run_until(SimTime(least.saturating_mul(300).min(network.duration.0)));
    engine.counters();
}

/// Runs one mutant. Whether it was taken.
fn run(text: &str) -> bool {
    let trace = |path: &str| match path {
        "trace.csv" => Ok(b"time_cells\n0\n1.5\n2\n".to_vec()),
        _ => Err("there are no files here".to_owned()),
    };
    match Scenario::from_toml_with(text, "mutant.toml", &trace) {
        Ok(scenario) => {
            simulate(&scenario.network);
            scenario.warnings.iter().for_each(|warning| check(text, warning));
            assert_eq!(scenario.resolved(), scenario.resolved());
            true
        }
        Err(diagnostics) => {
            diagnostics.items.iter().for_each(|item| check(text, item));
            assert!(diagnostics.to_string().contains("error[HF"), "a refusal has a code");
            false
        }
    }
}

/// Claim: what is broken here is whole to begin with, and runs.
#[test]
fn the_seeds_are_taken() {
    for scheduler in SCHEDULERS {
        let text = TRAFFIC.replace("SCHEDULER", scheduler);
        let scenario = Scenario::from_toml(&text, "seed.toml");
        simulate(&scenario.unwrap_or_else(|wrong| panic!("{scheduler}: {wrong}")).network);
    }
}

/// Claim: no broken file makes the reader panic, and both outcomes occur. A mutant that fails
/// is named, so that `HOPFLOW_MUTANT=N cargo test -p hopflow-scenario mutants` replays it.
#[test]
fn mutants_are_taken_or_refused() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = seeds();
    if let Some(one) = number("HOPFLOW_MUTANT") {
        let text = mutant(one, &seeds);
        println!("{text}");
        run(&text);
        return;
    }
    let count = number("HOPFLOW_MUTANTS").unwrap_or(20_000);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let taken: u64 = std::thread::scope(|scope| {
        let seeds = &seeds;
        let worker = |first: u64| {
            scope.spawn(move || {
                let mut taken = 0;
                for number in (first..count).step_by(threads as usize) {
                    eprintln!("M {number}");
                    let text = mutant(number, seeds);
                    let outcome = std::panic::catch_unwind(|| run(&text));
                    let Ok(fine) = outcome else { panic!("mutant {number} failed:\n{text}") };
                    taken += u64::from(fine);
                }
                taken
            })
        };
        let workers: Vec<_> = (0..threads).map(worker).collect();
        workers.into_iter().map(|worker| worker.join().expect("no mutant failed")).sum()
    });
    assert!(taken > count / 50 && taken < count / 2, "{taken} of {count} mutants were taken");
}
