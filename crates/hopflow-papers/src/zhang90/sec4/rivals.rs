//! Test-One and Test-Three under every scheduler, and under leaky buckets before FIFO.
//!
//! Only the ports between switches have the rival; the others, at 10 Mb/s, are FIFO. A full switch
//! drops the packet that the longest queue would serve last (round robin: the arriving one).
//! ATS keeps one queue for each input: without a limit of residence, one packet that is eligible
//! late holds up all that came in behind it.
//! *Idle with a queue*: the share of the time in which Link 12 stands idle though packets wait.

use hopflow_record::VcSummary;

use crate::observe::least;
use crate::zhang90::measure::{Waiting, effective, everyone, link_12, over, waiting};
use crate::zhang90::network::{DISCARD, INTERVAL, SCHEDULER, test_one, test_three};
use crate::{Exhibit, Measured, Run, Runs, ScenarioText};

const SEEDS: u32 = 4;
const TRUNKS: &str = "between = [\"S{}\", \"S{+1}\"]\ncount = 3\n";
const OBEYS: &str = "obeys = true";

/// A scheduler between switches, and what stands at the edge.
struct Rival {
    /// In file names and ids.
    key: &'static str,
    name: &'static str,
    /// The scheduler of the links between switches, as TOML.
    scheduler: &'static str,
    /// `policing` of every flow, as TOML; empty: none.
    policing: &'static str,
    /// Never idle while a packet waits inside the network.
    work_conserving: bool,
    /// Keeps flows apart: no normal flow should lose a packet.
    protects: bool,
}

const fn rival(key: &'static str, name: &'static str, scheduler: &'static str) -> Rival {
    Rival { key, name, scheduler, policing: "", work_conserving: true, protects: true }
}

impl Rival {
    const fn open(mut self) -> Rival {
        self.protects = false;
        self
    }

    const fn idles(mut self) -> Rival {
        self.work_conserving = false;
        self.protects = false;
        self
    }

    const fn behind(mut self, policing: &'static str) -> Rival {
        self.policing = policing;
        self.protects = false;
        self
    }
}

const VIRTUAL_CLOCK: &str = "virtual-clock";
const ATS_NAME: &str = "TSN ATS, burst of 10, at most 500 ms";
const ATS_WIDE_NAME: &str = "TSN ATS, burst of 100, at most 500 ms";
const RIVALS: [Rival; 22] = [
    rival(VIRTUAL_CLOCK, "VirtualClock", "\"virtual-clock\""),
    rival(
        "first-version",
        "VirtualClock, first version",
        "{ kind = \"virtual-clock\", stamp = \"meter\" }",
    ),
    rival(
        "admission",
        "VirtualClock, refusing from AI on",
        "{ kind = \"virtual-clock\", refuse-ahead = \"20 s\" }",
    ),
    rival("leap-forward", "Leap Forward VirtualClock", "\"leap-forward\""),
    rival("wfq", "WFQ (PGPS)", "\"wfq\""),
    rival("wf2q", "WF2Q", "\"wf2q\""),
    rival("scfq", "SCFQ", "\"scfq\""),
    rival("sfq", "SFQ", "\"sfq\""),
    rival("weighted-round-robin", "weighted round robin", "\"weighted-round-robin\""),
    rival(
        "deficit-round-robin",
        "deficit round robin",
        "{ kind = \"deficit-round-robin\", quantum = \"250 B\" }",
    ),
    rival("round-robin", "round robin, arriving packet dropped", "\"round-robin\"").open(),
    rival(
        "schedule-based",
        "schedule-based, window 10",
        "{ kind = \"schedule-based\", frame = 20, window = 10 }",
    )
    .idles(),
    rival("tdm", "TDM", "{ kind = \"tdm\", frame = 20 }").idles(),
    rival("ats", ATS_NAME, "{ kind = \"ats\", max-residence = \"500 ms\" }").idles(),
    rival("ats-wide", ATS_WIDE_NAME, "{ kind = \"ats\", max-residence = \"500 ms\" }").idles(),
    rival("ats-open", "TSN ATS, burst of 10, no limit", "\"ats\"").idles(),
    rival("cbs", "TSN CBS, one class", "\"cbs\"").idles(),
    rival("strict-priority", "strict priority, one class", "\"strict-priority\"").open(),
    rival("fifo", "FIFO", "\"fifo\"").open(),
    rival("leaky-a", "leaky bucket A before FIFO", "\"fifo\"")
        .behind("{ kind = \"leaky-bucket\", room = 20 }"),
    rival("leaky-b", "leaky bucket B before FIFO", "\"fifo\"")
        .behind("{ kind = \"token-bucket\", burst = \"2500 B\" }"),
    rival("leaky-b-low", "leaky bucket B, excess at low priority", "\"strict-priority\"")
        .behind("{ kind = \"token-bucket\", burst = \"2500 B\", excess = \"low-priority\" }"),
];

fn file(rival: &Rival, test: &str) -> String {
    format!("sec4-{}-{test}.toml", rival.key)
}

/// The runs of a rival in a test, `test1` or `test3`.
fn of<'a>(runs: &'a Runs, key: &str, test: &str) -> &'a [Run] {
    let rival = RIVALS.iter().find(|rival| rival.key == key);
    let rival = rival.unwrap_or_else(|| panic!("there is no rival `{key}`"));
    runs.all(&file(rival, test))
}

pub(super) fn scenarios() -> Vec<ScenarioText> {
    let (one, three) = (test_one().with_seeds(SEEDS), test_three().with_seeds(SEEDS));
    let both = |rival: &Rival| [with(&one, rival, "test1"), with(&three, rival, "test3")];
    RIVALS.iter().flat_map(both).collect()
}

fn with(base: &ScenarioText, rival: &Rival, test: &str) -> ScenarioText {
    let trunks = format!("{TRUNKS}scheduler = {}\n", rival.scheduler);
    let mut text =
        base.variant(file(rival, test), &[(SCHEDULER, "scheduler = \"fifo\""), (TRUNKS, &trunks)]);
    let mut edit = |old: &str, new: &str| text = text.variant(text.file.clone(), &[(old, new)]);
    match rival.key {
        "round-robin" => edit(DISCARD, "discard = \"arriving\""),
        "ats-wide" => edit(INTERVAL, "interval = \"20 s\", burst = \"25 kB\""),
        "ats" | "ats-open" => edit(INTERVAL, "interval = \"20 s\", burst = \"2500 B\""),
        _ => {}
    }
    if !rival.policing.is_empty() {
        edit(OBEYS, &format!("policing = {}", rival.policing));
    }
    text
}

/// The number in a flow's name, such as `F6` or `F6.excess`.
fn number(vc: &VcSummary) -> u32 {
    let name = vc.name.split('.').next().unwrap_or_default().trim_start_matches('F');
    name.parse().expect("flows are F1 to F60")
}

/// Summaries of the flows that are a multiple of 6, or of the others.
fn sixths(run: &Run, wanted: bool) -> impl Iterator<Item = &VcSummary> {
    run.summary.vcs.iter().filter(move |vc| number(vc).is_multiple_of(6) == wanted)
}

/// The normal flows of Test-Three, parts at low priority included.
fn normal(run: &Run) -> Vec<usize> {
    let is_normal = |vc: &usize| !number(&run.summary.vcs[*vc]).is_multiple_of(6);
    everyone(run).into_iter().filter(is_normal).collect()
}

fn dropped(run: &Run) -> f64 {
    sixths(run, false).map(|vc| vc.dropped_packets as f64).sum()
}

fn policed(run: &Run) -> f64 {
    sixths(run, false).map(|vc| vc.policed_packets as f64).sum()
}

/// Least over greatest throughput of a normal flow, its part at low priority included.
fn evenness(run: &Run) -> f64 {
    let mut rates = vec![0.0; 61];
    for vc in sixths(run, false) {
        rates[number(vc) as usize] += vc.throughput_packets_per_second;
    }
    rates.retain(|rate| *rate > 0.0);
    let least = least(rates.iter().copied());
    least / rates.into_iter().fold(0.0, f64::max)
}

/// Packets per second that the misbehaving flows deliver together.
fn misbehaving(run: &Run) -> f64 {
    sixths(run, true).map(|vc| vc.throughput_packets_per_second).sum()
}

/// Share of the time in which Link 12 is idle though packets wait for it.
fn idle(run: &Run) -> f64 {
    link_12(run, |link| 1.0 - link.over_time.shares.first().unwrap_or(&0.0) - link.busy)
}

fn queue(run: &Run) -> f64 {
    link_12(run, |link| link.over_time.mean_packets)
}

/// Mean waiting of normal packets, in ms.
fn waited(runs: &[Run]) -> f64 {
    over(runs, |run| waiting(run, &normal(run)).mean_ms).mean
}

pub(super) fn measure(measured: &mut Measured, runs: &Runs) {
    measured.exhibits.push(well_behaved(runs));
    measured.exhibits.push(misbehaved(runs));
    let lost = |key: &str, test: &str| -> f64 {
        of(runs, key, test).iter().map(|run| dropped(run) + policed(run)).sum()
    };
    let protecting = || RIVALS.iter().filter(|rival| rival.protects).map(|rival| rival.key);
    let all: f64 = protecting().map(|key| lost(key, "test3") + lost(key, "test1")).sum();
    measured.claim("rivals.lost_where_protected", all);
    let per_run = |key: &str| lost(key, "test3") / f64::from(SEEDS);
    measured.claim("rivals.lost_under_fifo", per_run("fifo"));
    let clock = waited(of(runs, VIRTUAL_CLOCK, "test3"));
    let others = protecting().filter(|key| !CLOCKS.contains(key));
    let least = least(others.map(|key| waited(of(runs, key, "test3"))));
    measured.claim("rivals.waiting_over_virtual_clock", least / clock);
    conserving(measured, runs);
    measured.claim("mukherji.lost_normal", lost("schedule-based", "test3"));
    measured.claim("mukherji.evenness", over(of(runs, "schedule-based", "test3"), evenness).mean);
    measured.claim("mukherji.waiting_ratio", waited(of(runs, "schedule-based", "test3")) / clock);
    buckets(measured, runs, &lost);
}

/// The rivals that are VirtualClock.
const CLOCKS: [&str; 3] = [VIRTUAL_CLOCK, "first-version", "admission"];

fn conserving(measured: &mut Measured, runs: &Runs) {
    let kept = || RIVALS.iter().filter(|rival| rival.work_conserving);
    let idles = kept().flat_map(|rival| {
        let of = |test: &str| over(runs.all(&file(rival, test)), idle).mean;
        [of("test1"), of("test3")]
    });
    measured.claim("rivals.idle_where_conserving", idles.fold(0.0, |m, i| f64::max(m, i.abs())));
    let open = kept().filter(|rival| rival.policing.is_empty());
    let queues: Vec<f64> =
        open.map(|rival| over(runs.all(&file(rival, "test1")), queue).mean).collect();
    let least = least(queues.iter().copied());
    measured.claim("rivals.queue_spread", queues.into_iter().fold(0.0, f64::max) / least);
    measured.claim("tdm.idle", over(of(runs, "tdm", "test1"), idle).mean);
    let slower = waited(of(runs, "tdm", "test1")) / waited(of(runs, VIRTUAL_CLOCK, "test1"));
    measured.claim("tdm.waiting_ratio", slower);
}

fn buckets(measured: &mut Measured, runs: &Runs, lost: &dyn Fn(&str, &str) -> f64) {
    let one = |key: &str| waited(of(runs, key, "test1"));
    measured.claim("leaky_a.waiting_ratio", one("leaky-a") / one(VIRTUAL_CLOCK));
    measured.claim("leaky_b.policed", lost("leaky-b", "test1") / f64::from(SEEDS));
    let three = of(runs, "leaky-b-low", "test3");
    measured.claim("ats.wide.waiting_ratio", one("ats-wide") / one("fifo"));
    measured.claim("ats.waiting_ratio", one("ats") / one("fifo"));
    measured.claim("leaky_b_low.misbehaving", over(three, misbehaving).mean);
    measured.claim("admission.misbehaving", over(of(runs, "admission", "test3"), misbehaving).mean);
}

/// Mean, deviation, 99 % and worst waiting of normal packets, in ms.
fn delays(runs: &[Run]) -> Vec<f64> {
    let of = |value: fn(Waiting) -> f64| over(runs, |run| value(waiting(run, &normal(run)))).mean;
    let max = runs.iter().map(|run| waiting(run, &normal(run)).max_ms).fold(0.0, f64::max);
    vec![of(|w| w.mean_ms), of(|w| w.deviation_ms), of(|w| w.p99_ms), max]
}

const DELAYS: [(&str, &str); 4] =
    [("mean", "ms"), ("deviation", "ms"), ("99 %", "ms"), ("worst", "ms")];

/// A column of a table: heading, unit, and the value in a run.
type Value = (&'static str, &'static str, fn(&Run) -> f64);

/// Every rival in a test: delays, then these values, and how long Link 12 was idle with a queue.
fn exhibit(runs: &Runs, test: &str, values: &[Value]) -> Exhibit {
    let row = |rival: &Rival| {
        let runs = runs.all(&file(rival, test));
        let mut row = delays(runs);
        row.extend(values.iter().map(|(_, _, value)| over(runs, value).mean));
        row.push(100.0 * over(runs, idle).mean.max(0.0));
        (rival.name.to_owned(), row)
    };
    let heads = values.iter().map(|(heading, unit, _)| (*heading, *unit));
    Exhibit::default()
        .columns("rival", DELAYS.into_iter().chain(heads).chain([("idle with a queue", "%")]))
        .rows(RIVALS.iter().map(row))
}

fn well_behaved(runs: &Runs) -> Exhibit {
    let values: [Value; 3] = [
        ("lost or policed", "packets", |run| dropped(run) + policed(run)),
        ("delivered", "packets/s", effective),
        ("queue of Link 12", "packets", queue),
    ];
    Exhibit {
        title: "Test-One under every rival".to_owned(),
        ..exhibit(runs, "test1", &values).note(format!(
            "Waiting of packets of the 50 flows whose number is not a multiple of 6, their \
             shaping included; all 600 s, means over {SEEDS} seeds, worst of all."
        ))
    }
}

fn misbehaved(runs: &Runs) -> Exhibit {
    let values: [Value; 4] = [
        ("lost", "packets", dropped),
        ("policed", "packets", policed),
        ("least / most", "", evenness),
        ("misbehaving", "packets/s", misbehaving),
    ];
    Exhibit {
        title: "Test-Three under every rival".to_owned(),
        ..exhibit(runs, "test3", &values).note(format!(
            "Everything but `misbehaving` is about the 50 normal flows; least / most is of their \
             throughputs. 300 s, means over {SEEDS} seeds, worst of all."
        ))
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    /// Every rival differs from every other in what is run.
    #[test]
    fn rivals_differ() {
        let texts: std::collections::BTreeSet<String> =
            scenarios().into_iter().map(|scenario| scenario.text).collect();
        assert_eq!(texts.len(), 2 * RIVALS.len());
    }
}
