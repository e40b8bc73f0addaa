//! One connection over one bottleneck, in real time.

use hopflow::Scenario;
use hopflow_live::{Evidence, TcpSettings};

use super::bed;

/// The congestion control of all hosts, which every system has.
pub(crate) const CONGESTION: &str = "reno";

/// A bottleneck.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The rate of the link, in Mb/s.
    pub(crate) rate: f64,
    /// The largest packet, from the IP header on, in bytes.
    pub(crate) mtu: u32,
    /// Whether it uses AAL5 cells under N23.
    is_cells: bool,
    /// The least share of the possible rate; 0: no limit.
    least: f64,
    /// Limits of the 99 % and the 99.9 % quantile of lateness, in us; 0: no limit.
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

/// The result of one case.
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
            "version = 2\n\
             [defaults.link]\nrate = \"{rate} Mb/s\"\ndelay = \"5 us\"\n\
             [defaults.host]\nvc-buffer = \"{room}\"\n\
             [[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n[[switch]]\nname = \"S\"\n\
             [[link]]\nbetween = [\"A\", \"S\"]\n[[link]]\nbetween = [\"S\", \"B\"]\n\
             [[flow]]\nname = \"bulk\"\nroute = [\"A\", \"S\", \"B\"]\n{framing}{control}\
             source = {{ kind = \"tcp\", mtu = \"{mtu} B\" }}\n"
        );
        bed::scenario(&text, seconds)
    }

    /// The largest share of the rate that IP packets can use.
    fn ideal(&self) -> f64 {
        if !self.is_cells {
            return 1.0;
        }
        let cells = (f64::from(self.mtu) + 8.0) / 48.0;
        f64::from(self.mtu) / (cells.ceil() * 53.0)
    }

    pub(crate) fn run(&self, seconds: u64) -> Done {
        let congestion = Some(CONGESTION.to_owned());
        let settings = TcpSettings { congestion, ..TcpSettings::default() };
        let live = bed::run(&self.scenario(seconds), &settings);
        let carried = live.came[0] * 8.0 / (self.rate * self.ideal());
        Done { evidence: live.evidence, carried, lost: live.lost }
    }

    /// Prints its row.
    pub(crate) fn row(&self, done: &Done, beside: Result<&f64, &String>) {
        let late = &done.evidence.late;
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
    }
}

fn verdict(fits: bool) -> &'static str {
    if fits { "held" } else { "missed" }
}
