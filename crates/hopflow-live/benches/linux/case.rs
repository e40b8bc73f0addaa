//! One connection over one bottleneck, in real time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use hopflow::Scenario;
use hopflow_live::{Bulk, Emulation, Evidence, Glance, Hosts, Profile, real_hosts};
use hopflow_units::Picos;

/// A bottleneck.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// Of the link, in Mb/s.
    pub(crate) rate: f64,
    /// The largest packet, from the IP header on, in bytes.
    pub(crate) mtu: u32,
    /// With cells of AAL5 under N23.
    is_cells: bool,
    /// The share of what can be carried that is to be carried; 0: no limit.
    least: f64,
    /// The 99 % and the 99.9 % quantile of lateness that are to be held, in us; 0: no limit.
    most_late: [f64; 2],
}

/// All of them.
pub(crate) const ALL: [Case; 6] = [
    Case::new("155.52 Mb/s, packets, MTU 9180", 155.52, 9_180, false).late(5.0, 50.0),
    Case::new("155.52 Mb/s, packets, MTU 1500", 155.52, 1_500, false).late(5.0, 50.0),
    Case::new("155.52 Mb/s, cells, N23, MTU 9180", 155.52, 9_180, true).late(5.0, 50.0),
    Case::new("1 Gb/s, cells, N23, MTU 9180", 1_000.0, 9_180, true).carries(0.99),
    Case::new("1 Gb/s, cells, N23, MTU 1500", 1_000.0, 1_500, true).carries(0.99),
    Case::new("5 Gb/s, packets, MTU 1500", 5_000.0, 1_500, false).carries(0.99),
];

/// What came of one.
pub(crate) struct Done {
    evidence: Evidence,
    carried: f64,
    lost: u64,
}

impl Case {
    const fn new(name: &'static str, rate: f64, mtu: u32, is_cells: bool) -> Case {
        Case { name, rate, mtu, is_cells, least: 0.0, most_late: [0.0; 2] }
    }

    const fn late(self, p99: f64, p999: f64) -> Case {
        Case { most_late: [p99, p999], ..self }
    }

    const fn carries(self, least: f64) -> Case {
        Case { least, ..self }
    }

    fn scenario(&self, seconds: u64) -> Scenario {
        let Case { rate, mtu, .. } = self;
        let (room, framing, control) = if self.is_cells {
            let credit = "control = { kind = \"n23\", n2 = 100, n3 = 4000 }\n";
            ("6000 cells", "framing = \"aal5\"\n", credit)
        } else {
            ("100 packets", "", "")
        };
        let text = format!(
            "version = 2\nduration = \"{seconds} s\"\n\
             [defaults.link]\nrate = \"{rate} Mb/s\"\ndelay = \"5 us\"\n\
             [defaults.host]\nvc-buffer = \"{room}\"\n\
             [[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n[[switch]]\nname = \"S\"\n\
             [[link]]\nbetween = [\"A\", \"S\"]\n[[link]]\nbetween = [\"S\", \"B\"]\n\
             [[flow]]\nname = \"bulk\"\nroute = [\"A\", \"S\", \"B\"]\n{framing}{control}\
             source = {{ kind = \"tcp\", mtu = \"{mtu} B\" }}\n"
        );
        Scenario::from_toml(&text, "case.toml").expect("the scenario of a case is right")
    }

    /// The largest share of the rate that IP packets have.
    fn ideal(&self) -> f64 {
        if !self.is_cells {
            return 1.0;
        }
        let cells = (f64::from(self.mtu) + 8.0) / 48.0;
        f64::from(self.mtu) / (cells.ceil() * 53.0)
    }

    pub(crate) fn run(&self, seconds: u64) -> Done {
        let (live, pairs) = real_hosts(&self.scenario(seconds)).expect("it has a connection");
        let hosts = Hosts::new(&live.network, &pairs, Profile::LinuxDefault, None).expect("hosts");
        let emulation = Emulation::new(&live, &pairs, false).expect("it can be run");
        let (glance, over) = (Glance::new(1), AtomicBool::new(false));
        let bulk = Bulk::default();
        let done = thread::scope(|scope| {
            scope.spawn(|| bulk.receive(&hosts, &pairs[0], 0, &over));
            scope.spawn(|| bulk.send(&hosts, &pairs[0], 0, &over));
            let first = scope.spawn(|| {
                while glance.now().0 < Picos::PER_SECOND && !over.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(1));
                }
                (glance.now().0, glance.came(0)[0].1)
            });
            let done = emulation.run(&hosts, 0, &AtomicBool::new(false), &glance);
            over.store(true, Ordering::Relaxed);
            done.map(|done| (done, first.join().expect("it only looks")))
        });
        let (done, (from, before)) = done.expect("it ran");
        let time = (done.result.end.0 - from) as f64 / 1e12;
        let bits = 8.0 * (glance.came(0)[0].1 - before) as f64;
        let lost = done.result.summary.vcs.iter().map(|vc| vc.dropped_packets).sum();
        let carried = bits / (time * self.rate * 1e6 * self.ideal());
        Done { evidence: done.evidence, carried, lost }
    }

    /// Prints its row; whether all limits were held.
    pub(crate) fn row(&self, done: &Done, beside: Result<&f64, &String>) -> bool {
        let late = done.evidence.late;
        let us = |ns: u64| ns as f64 / 1e3;
        let [p99, p999] = self.most_late;
        let is_early = p99 == 0.0 || us(late.p99_ns) <= p99 && us(late.p999_ns) <= p999;
        let is_full = done.carried >= self.least;
        let limit = match (p99 > 0.0, is_early && is_full) {
            (true, fits) => format!("p99 {p99}, p99.9 {p999}: {}", verdict(fits)),
            (false, fits) => format!("{:.0} %: {}", self.least * 100.0, verdict(fits)),
        };
        let beside = match beside {
            Ok(share) => format!("{:.2} %", share * 100.0),
            Err(why) => format!("not measured: {why}"),
        };
        println!(
            "| {} | {:.1} | {:.1} | {:.1} | {:.0} | {:.2} %, {} lost | {limit} | {beside} |",
            self.name,
            us(late.p50_ns),
            us(late.p99_ns),
            us(late.p999_ns),
            us(late.max_ns),
            done.carried * 100.0,
            done.lost,
        );
        for why in &done.evidence.disturbed {
            eprintln!("{}: disturbed: {why}", self.name);
        }
        let Evidence { waited_ns, steal, skips, host_lost_packets, .. } = &done.evidence;
        eprintln!(
            "{}: waited {waited_ns:?} ns, steal {steal:?}, {skips} skips, hosts lost \
             {host_lost_packets}",
            self.name
        );
        is_early && is_full
    }
}

fn verdict(fits: bool) -> &'static str {
    if fits { "held" } else { "missed" }
}
