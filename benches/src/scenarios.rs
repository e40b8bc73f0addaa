//! Workloads as scenario files, so that `hopflow run benches/scenarios/NAME.toml` runs them.
//!
//! `cargo xtask bench --scenarios` writes the files of [`WRITTEN`] from the networks of the table
//! of workloads, at full size. Rows that differ only in consecutive numbers are one row with
//! `count` (`{}` is its number). `tandem-fifo.toml` is written by hand and is itself the workload.
//! The largest are not written: a million flows of all-to-all, ten thousand hosts with a flow each.
//!
//! Checked by: the tests below: files are up to date, and are read as exactly these networks.

use std::fmt::Write;
use std::path::PathBuf;

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{
    DirectionId, HopControl, LaneRule, LengthLaw, NetworkSpec, NodeKind, SourceSpec, SpanLaw,
    VcSpec,
};

use crate::workloads::{self, Workload};

/// The workloads that are written, and what each shows.
const WRITTEN: [(&str, &str); 18] = [
    ("tandem-n23", "A greedy VC over five switches, N23 on every hop"),
    ("tandem-abr", "A greedy VC over five switches, ABR with ERICA+ at every switch"),
    ("tandem-pfc", "A constant source over five switches, PFC on every link"),
    ("tandem-virtual-clock", "A constant source over five switches that serve by VirtualClock"),
    ("many-flows-fifo", "Bursts of 1,000 flows over one trunk, FIFO"),
    ("many-flows-n23", "Bursts of 1,000 flows over one trunk, N23 on every hop"),
    ("many-flows-pfc", "Bursts of 1,000 flows over one trunk, PFC on every link"),
    ("many-flows-erica", "Bursts of 1,000 flows over one trunk, ABR with ERICA+ at every switch"),
    ("many-flows-virtual-clock", "Bursts of 1,000 flows over one trunk, VirtualClock"),
    ("fabric-fifo", "A fat tree of 64 hosts, a random permutation, FIFO"),
    ("fabric-fifo-shift", "A fat tree of 64 hosts, each to the one half of all further, FIFO"),
    ("fabric-n23", "A fat tree of 64 hosts, a random permutation, N23 on every hop"),
    ("fabric-pfc", "A fat tree of 64 hosts, a random permutation, PFC on every link"),
    ("fabric-erica", "A fat tree of 64 hosts, a random permutation, ABR with ERICA+"),
    ("fabric-virtual-clock", "A fat tree of 64 hosts, a random permutation, VirtualClock"),
    ("large-fabric-fifo", "A fat tree of 1,024 hosts, a random permutation, FIFO"),
    (
        "large-fabric-fifo-shift",
        "A fat tree of 1,024 hosts, each to the one half of all further, FIFO",
    ),
    ("large-fabric-incast", "A fat tree of 1,024 hosts, all others to the first, FIFO"),
];

/// Writes all of them.
pub(crate) fn run() -> Result<(), String> {
    for (name, title) in WRITTEN {
        let path = path(name);
        std::fs::write(&path, text(named(name), title))
            .map_err(|cause| format!("`{}`: {cause}", path.display()))?;
    }
    eprintln!("{} files are written in benches/scenarios", WRITTEN.len());
    Ok(())
}

fn path(name: &str) -> PathBuf {
    crate::root().join("benches/scenarios").join(format!("{name}.toml"))
}

fn named(name: &str) -> &'static Workload {
    workloads::named(name).expect("every name of WRITTEN is in the table of workloads")
}

/// The whole file.
fn text(workload: &Workload, title: &str) -> String {
    let spec = workload.network(workload.full_size);
    let mut text = format!(
        "#:schema ../../docs/scenario.schema.json\n\
         # Written by `cargo xtask bench --scenarios`; what it is: benches/peers/README.md and\n\
         # benches/src/workloads.rs. `{{}}` counts the copies of a row from 1, `{{+4}}` from 5.\n\
         version = 2\njitter = \"exact\"\ntitle = \"{title}\"\nduration = \"{} ps\"\nseed = {}\n",
        spec.duration.0, spec.seed
    );
    text += &table("link", links(&spec));
    text += &table("flow", flows(&spec));
    text += &defaults(&spec);
    for (kind, name, count) in nodes(&spec) {
        let count = if count > 1 { format!("count = {count}\n") } else { String::new() };
        write!(text, "\n[[{kind}]]\nname = \"{name}\"\n{count}").expect("a string takes it all");
    }
    text
}

/// One row of a table: names, and the rest of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    names: Vec<String>,
    rest: String,
    count: usize,
}

fn table(key: &str, rows: Vec<Row>) -> String {
    let mut text = format!("\n{key} = [\n");
    for Row { names, rest, count } in merged(rows) {
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let keys = match key {
            "link" => format!("between = [{}]", quoted.join(", ")),
            _ => format!("name = {}, route = [{}]", quoted[0], quoted[1..].join(", ")),
        };
        let count = if count > 1 { format!(", count = {count}") } else { String::new() };
        writeln!(text, "  {{ {keys}{rest}{count} }},").expect("a string takes it all");
    }
    text + "]\n"
}

fn links(spec: &NetworkSpec) -> Vec<Row> {
    let first = &spec.links[0].directions[0];
    let row = |link: &hopflow_network::LinkSpec| {
        let names = link.ends.map(|end| spec.nodes[end].name.clone()).to_vec();
        let delay = link.directions[0].delay;
        let rest = if delay == first.delay {
            String::new()
        } else {
            format!(", delay = \"{} ps\"", delay.0)
        };
        Row { names, rest, count: 1 }
    };
    spec.links.iter().map(row).collect()
}

fn flows(spec: &NetworkSpec) -> Vec<Row> {
    let common = &spec.vcs[0];
    let row = |vc: &VcSpec| {
        let from = spec.from_node(vc.hops[0].direction_id());
        let to = vc.hops.iter().map(|hop| spec.to_node(hop.direction_id()));
        let route = std::iter::once(from).chain(to).map(|node| spec.nodes[node].name.clone());
        let names = std::iter::once(vc.name.clone()).chain(route).collect();
        let stop = vc.stop.filter(|_| vc.stop != common.stop);
        let stop = stop.map(|stop| format!(", stop = \"{} ps\"", stop.0)).unwrap_or_default();
        let own = (vc.reservation != common.reservation)
            .then(|| format!(", reservation = {{ {} }}", reservation(vc)));
        let rest = stop + &own.unwrap_or_default();
        Row { names, rest, count: 1 }
    };
    spec.vcs.iter().map(row).collect()
}

fn reservation(vc: &VcSpec) -> String {
    let Some(reservation) = vc.reservation else { return String::new() };
    format!("rate = \"{} b/s\"", reservation.rate.bps())
}

/// Kind, name and number of nodes, in order.
fn nodes(spec: &NetworkSpec) -> Vec<(String, String, usize)> {
    let rows = spec.nodes.iter().map(|node| {
        let kind = if node.kind == NodeKind::Host { "host" } else { "switch" };
        Row { names: vec![node.name.clone()], rest: kind.to_owned(), count: 1 }
    });
    let rows = merged(rows.collect()).into_iter();
    rows.map(|mut row| (row.rest, row.names.remove(0), row.count)).collect()
}

/// Properties that all links or all flows share.
fn defaults(spec: &NetworkSpec) -> String {
    let direction = spec.direction(DirectionId(0));
    let mut text = format!(
        "\n[defaults.link]\nrate = \"{} b/s\"\ndelay = \"{} ps\"\n",
        direction.rate.bps(),
        direction.delay.0
    );
    text += match direction.scheduler {
        SchedulerSpec::Fifo => "scheduler = \"fifo\"\n",
        SchedulerSpec::VirtualClock(_) => {
            "scheduler = { kind = \"virtual-clock\", messages = false, delete-after = 3 }\n"
        }
        _ => "",
    };
    if let Some(LaneRule::Pause(pause)) = direction.lanes.map(|lanes| lanes.rule) {
        let (xoff, xon) = (pause.xoff.0, pause.xon.0);
        writeln!(
            text,
            "pause = {{ priorities = [0], xoff = \"{xoff} B\", xon = \"{xon} B\", \
             room = \"auto\" }}"
        )
        .expect("a string takes it all");
    }
    let vc = &spec.vcs[0];
    if vc.rate.is_some() {
        text += "\n[defaults.switch]\nrate-control = \"erica-plus\"\n";
    }
    let control = match vc.hops[0].control {
        _ if vc.rate.is_some() => "control = { kind = \"abr\" }\n",
        HopControl::Credit(_) => "control = { kind = \"n23\", n2 = 10 }\n",
        HopControl::None => "",
    };
    let size = vc.traffic.size.most().0;
    let flow = "[defaults.flow]\nexact-phase = true\n";
    write!(text, "\n{flow}packet = \"{size} B\"\n{}{control}", source(&vc.source))
        .expect("a string takes it all");
    if let Some(stop) = vc.stop {
        writeln!(text, "stop = \"{} ps\"", stop.0).expect("a string takes it all");
    }
    if let Some(reserved) = vc.reservation {
        let (burst, interval) = (reserved.burst.0, reserved.interval.0);
        writeln!(
            text,
            "reservation = {{ {}, interval = \"{interval} ps\", burst = \"{burst} B\" }}",
            reservation(vc)
        )
        .expect("a string takes it all");
    }
    text
}

fn source(source: &SourceSpec) -> String {
    match source {
        SourceSpec::Greedy => "source = { kind = \"greedy\" }\n".to_owned(),
        SourceSpec::EveryKth { k } => format!("source = {{ kind = \"every-kth\", k = {k} }}\n"),
        SourceSpec::OnOff {
            burst: LengthLaw::Fixed(burst),
            off: SpanLaw::Exponential(off),
            ..
        } => {
            format!(
                "source = {{ kind = \"on-off\", burst = {burst}, off = {{ kind = \"exponential\", \
                 mean = \"{} ps\" }} }}\n",
                off.0
            )
        }
        other => panic!("no scenario is written with {other:?}"),
    }
}

/// Merges consecutive rows that differ only in consecutive numbers.
fn merged(rows: Vec<Row>) -> Vec<Row> {
    let mut merged: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        match merged.last_mut() {
            Some(run) if continues(run, &row) => run.push(row),
            _ => merged.push(vec![row]),
        }
    }
    merged.into_iter().map(|run| template(&run)).collect()
}

/// Whether a row continues a run: every name is constant, or its number is one higher.
fn continues(run: &[Row], row: &Row) -> bool {
    let (first, last) = (&run[0], &run[run.len() - 1]);
    let steps = |from: &str, to: &str, by: u64| {
        let ((a, m), (b, n)) = (numbered(from), numbered(to));
        a == b && m.zip(n).is_some_and(|(m, n)| m + by == n)
    };
    let by = run.len() as u64;
    let alike = |index: usize| {
        let [from, before, name] = [first, last, row].map(|row| row.names[index].as_str());
        (from == name && from == before) || (steps(from, name, by) && steps(before, name, 1))
    };
    let same = row.rest == first.rest && row.names.len() == first.names.len();
    same && row.names != first.names && (0..row.names.len()).all(alike)
}

fn template(run: &[Row]) -> Row {
    let mut row = run[0].clone();
    row.count = run.len();
    if let Some(second) = run.get(1) {
        for (name, next) in row.names.iter_mut().zip(&second.names) {
            if name != next {
                let (stem, number) = numbered(name);
                let number = number.expect("a name that counts up has a number");
                *name = match number {
                    0 => format!("{stem}{{-1}}"),
                    1 => format!("{stem}{{}}"),
                    more => format!("{stem}{{+{}}}", more - 1),
                };
            }
        }
    }
    row
}

/// A name as its stem and its final number.
fn numbered(name: &str) -> (&str, Option<u64>) {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    (stem, name[stem.len()..].parse().ok())
}

#[cfg(test)]
mod tests {
    use hopflow_scenario::Scenario;

    use super::*;

    /// Claim: rows with consecutive numbers are one row: H5-E2 to H8-E2 are "H{+4}" four times; a
    /// number that is not one higher begins a new row.
    #[test]
    fn rows_that_count_up_are_one() {
        let row = |a: &str, b: &str| Row {
            names: vec![a.to_owned(), b.to_owned()],
            rest: String::new(),
            count: 1,
        };
        let rows = vec![row("H5", "E2"), row("H6", "E2"), row("H7", "E2"), row("H9", "E2")];
        let merged = merged(rows);
        assert_eq!(merged, [Row { count: 3, ..row("H{+4}", "E2") }, row("H9", "E2")]);
    }

    /// Claim: every written file is the writer's output, and is read as the network of its
    /// workload, to the last field.
    #[test]
    fn files_are_the_workloads() {
        for (name, title) in WRITTEN {
            let text = text(named(name), title);
            let network = named(name).network(named(name).full_size);
            let scenario = Scenario::from_toml(&text, name);
            let scenario = scenario.unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
            same(name, &scenario.network, &network);
            let file = std::fs::read_to_string(path(name)).unwrap_or_default();
            assert!(file == text, "{name}: write it with `cargo xtask bench --scenarios`");
        }
    }

    /// Fails with the first difference, not with two networks.
    fn same(name: &str, read: &NetworkSpec, made: &NetworkSpec) {
        for (read, made) in read.nodes.iter().zip(&made.nodes) {
            assert_eq!(read, made, "{name}");
        }
        for (read, made) in read.links.iter().zip(&made.links) {
            assert_eq!(read, made, "{name}");
        }
        for (read, made) in read.vcs.iter().zip(&made.vcs) {
            assert_eq!(read, made, "{name}");
        }
        assert_eq!(read.jitter, made.jitter, "{name}");
        assert!(read == made, "{name}");
    }
}
