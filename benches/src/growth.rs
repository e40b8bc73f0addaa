//! Growth curves: nanoseconds per cell-hop, set-up time and peak memory of the windowed engine
//! against the number of hosts, VCs, flows of a port, cells and threads.
//!
//! | curve     | variable                                        | constant                      |
//! |-----------|-------------------------------------------------|-------------------------------|
//! | `hosts`   | hosts of a fat tree, 16 to 10,000               | 300,000 packets in all        |
//! | `vcs`     | VCs of the mostly idle network, 10 to 1,000,000 | one cell per cell time in all |
//! | `flows`   | flows over one port, 10 to 10,000               | 300,000 cells in all, load .9 |
//! | `cells`   | the length of a run of the tandem               | the network                   |
//! | `threads` | threads, 1 to 4                                 | the fabric of 1,024 hosts     |
//!
//! Every point runs in its own process, so that peak memory is its own. Every round measures all
//! points, and results are medians. Nanoseconds cover the event loop only. Saved in
//! `target/growth`: `table.md`, `growth.json`, `growth.csv` and `growth.svg`.

mod svg;

use std::fmt::Write;
use std::process::Command;

use serde_json::{Value, json};

use crate::workloads::growing::{CURVES, Curve};
use crate::{median, once, peers};

/// One run: a curve, by its place, and the value of its variable.
struct Point {
    curve: &'static Curve,
    at: u64,
    samples: Vec<Sample>,
}

/// The measurements of one run.
#[derive(Clone, Copy, Debug)]
struct Sample {
    nanos_per_hop: f64,
    setup_seconds: f64,
    peak_mib: f64,
}

impl Point {
    fn middle(&self, of: fn(&Sample) -> f64) -> f64 {
        median(self.samples.iter().map(of).collect())
    }
}

/// Measures all points this number of times, prints the table and saves everything.
pub(crate) fn run(rounds: u32) -> Result<(), String> {
    let points = CURVES.iter().flat_map(|curve| {
        curve.values.iter().map(move |at| Point { curve, at: *at, samples: Vec::new() })
    });
    let mut points: Vec<Point> = points.collect();
    let before = peers::load();
    for round in 1..=rounds {
        for point in &mut points {
            point.samples.push(sample(point)?);
        }
        eprintln!("round {round} of {rounds}");
    }
    let about = about(rounds, [before, peers::load()]);
    let table = format!("{}\n{about}", table(&points));
    print!("{table}");
    let folder = crate::root().join("target/growth");
    let data = format!("{:#}\n", to_json(&points, &about));
    let saved = std::fs::create_dir_all(&folder).and_then(|()| {
        std::fs::write(folder.join("table.md"), table)?;
        std::fs::write(folder.join("growth.json"), data)?;
        std::fs::write(folder.join("growth.csv"), to_csv(&points))?;
        std::fs::write(folder.join("growth.svg"), picture(&points))
    });
    saved.map_err(|cause| format!("`{}`: {cause}", folder.display()))
}

/// Runs one point in this process, and prints the result in one line.
pub(crate) fn one(point: &str) -> Result<(), String> {
    let mut words = point.split(' ');
    let curve = CURVES.iter().find(|curve| {
        [curve.axis, curve.network].map(Some) == [words.clone().next(), words.clone().nth(1)]
    });
    let curve = curve.ok_or_else(|| format!("there is no curve `{point}`"))?;
    let at = words.nth(2).and_then(|at| at.parse::<u64>().ok());
    let at = at.ok_or_else(|| format!("`{point}` does not end in a number"))?;
    let (spec, threads) = curve.at(at);
    println!("{}", once::measure(&spec, threads));
    Ok(())
}

fn sample(point: &Point) -> Result<Sample, String> {
    let words = format!("{} {} {}", point.curve.axis, point.curve.network, point.at);
    let myself = std::env::current_exe().map_err(|cause| cause.to_string())?;
    let output = Command::new(myself).args(["--point", &words]).output();
    let output = output.map_err(|cause| format!("{words}: {cause}"))?;
    let line: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        format!("{words}: {} {}", output.status, String::from_utf8_lossy(&output.stderr))
    })?;
    let number = |key: &str| line[key].as_f64().ok_or_else(|| format!("{words}: no `{key}`"));
    Ok(Sample {
        nanos_per_hop: 1e9 / number("hops_per_s")?,
        setup_seconds: number("setup_s")?,
        // Without a reported peak there is nothing to plot.
        peak_mib: line["rss_mb"].as_f64().unwrap_or(0.0),
    })
}

fn about(rounds: u32, load: [Option<String>; 2]) -> String {
    let [before, after] = load.map(|load| load.unwrap_or_else(|| "unknown".to_owned()));
    let date = peers::today();
    format!(
        "* {date}, `cargo xtask bench --growth --rounds {rounds}`: medians, all points \
         alternately\n\
         * {}; load average {before} before, {after} after\n",
        peers::machine()
    )
}

fn table(points: &[Point]) -> String {
    let mut text = String::from(
        "| what grows | network | to | ns per cell-hop | set-up, s | peak MiB |\n\
         |---|---|---:|---:|---:|---:|\n",
    );
    for point in points {
        let [nanos, setup, peak] = figures(point);
        let (Curve { axis, network, .. }, at) = (point.curve, point.at);
        writeln!(text, "| {axis} | {network} | {at} | {nanos:.1} | {setup:.3} | {peak:.0} |")
            .expect("a string takes it all");
    }
    text
}

fn to_csv(points: &[Point]) -> String {
    let mut text = String::from("axis,network,value,ns_per_cell_hop,setup_s,peak_mib\n");
    for point in points {
        let [nanos, setup, peak] = figures(point);
        let (Curve { axis, network, .. }, at) = (point.curve, point.at);
        writeln!(text, "{axis},{network},{at},{nanos},{setup},{peak}").expect("a string");
    }
    text
}

fn to_json(points: &[Point], about: &str) -> Value {
    let row = |point: &Point| {
        let samples = point.samples.iter().map(|sample| {
            json!({ "ns_per_cell_hop": sample.nanos_per_hop, "setup_s": sample.setup_seconds,
                    "peak_mib": sample.peak_mib })
        });
        json!({ "axis": point.curve.axis, "network": point.curve.network, "value": point.at,
                "samples": samples.collect::<Vec<_>>() })
    };
    let about: Vec<&str> = about.lines().collect();
    json!({ "version": 1, "about": about, "points": points.iter().map(row).collect::<Vec<_>>() })
}

/// Medians: nanoseconds per cell-hop, seconds of set-up, peak memory in MiB.
fn figures(point: &Point) -> [f64; 3] {
    [|s: &Sample| s.nanos_per_hop, |s: &Sample| s.setup_seconds, |s: &Sample| s.peak_mib]
        .map(|of| point.middle(of))
}

/// Time above, memory below, one column for each variable.
fn picture(points: &[Point]) -> String {
    let mut columns: Vec<svg::Column> = Vec::new();
    for curve in CURVES {
        let own = || points.iter().filter(|point| std::ptr::eq(point.curve, curve));
        let line = |figure: usize| {
            own().map(|point| (point.at as f64, figures(point)[figure])).collect::<Vec<_>>()
        };
        let series = svg::Series { name: curve.network, time: line(0), memory: line(2) };
        match columns.iter_mut().find(|column| column.axis == curve.axis) {
            Some(column) => column.series.push(series),
            None => columns.push(svg::Column { axis: curve.axis, series: vec![series] }),
        }
    }
    svg::draw(&columns)
}
