//! VC counting and ERICA on every built-in scenario: how far from the max-min shares rates rest.
//!
//! VC counting gives f = 0.98 of the fair rate; ERICA U = 0.9 of the link. As they are by default,
//! the first alternates between 0.9 and 1 of a link, and the second rests anywhere from U to
//! U (1 + delta): these are held against links that have what they carry (`network.rs`).

use hopflow::jain_index;

use super::network::{off, rates, settled, shares, under};
use crate::{Exhibit, Experiment, Measured, Run, Runs, ScenarioText};

/// A network: its part of claim ids, and the built-in scenario.
const NETWORKS: [(&str, &str); 9] = [
    ("n-source", "n-source"),
    ("parking-lot", "parking-lot"),
    ("chain", "chain"),
    ("upstream-bottleneck", "upstream-bottleneck"),
    ("gfc-1", "gfc-1"),
    ("gfc-2", "gfc-2"),
    (LIMITED, LIMITED),
    ("source-limited-no-more", LIMITED),
    (VBR, VBR),
];
const LIMITED: &str = "source-limited";
const VBR: &str = "two-source-vbr";

/// An algorithm: its part of claim ids, its keys, the keys added where sources send less than they
/// state, and which parts of a link it may give.
const ALGORITHMS: [(&str, &str, &str, (f64, f64)); 4] = [
    ("vc-counting", "kind = \"vc-counting\", drain = \"always\"", COUNTED, (0.98, 0.98)),
    ("erica", "kind = \"erica\", delta = 0.01", MEASURED, (0.9, 0.9)),
    ("drain", "kind = \"vc-counting\"", COUNTED, (0.9, 1.0)),
    ("band", "kind = \"erica\"", MEASURED, (0.9, 0.99)),
];
const MEASURED: &str = ", vc-rate = \"measured\"";
const COUNTED: &str = ", vc-rate = \"measured\", tolerance = 0.1";

/// Rates at rest against max-min shares.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["fair.shares"], scenarios, measure);

fn file(network: &str, algorithm: &str) -> String {
    format!("{network}-{algorithm}.toml")
}

/// Whether it is run: where VBR comes and goes, what a link carries in the mean says nothing.
fn is_run(network: &str, (low, high): (f64, f64)) -> bool {
    network != VBR || low.to_bits() == high.to_bits()
}

fn scenario(network: &str, template: &str, algorithm: usize) -> ScenarioText {
    let (id, keys, for_limited, _) = ALGORITHMS[algorithm];
    let text = |keys: String| under(template, &file(network, id), &format!("{{ {keys} }}"));
    let spans = |text: ScenarioText, duration: &str, warm_up: &str| {
        let edits = [
            ("duration = \"800 ms\"", format!("duration = \"{duration}\"")),
            ("warm-up = \"0 s\"", format!("warm-up = \"{warm_up}\"")),
        ];
        text.variant(text.file.clone(), &edits)
    };
    match network {
        VBR if id == "erica" => text(format!("{keys}, interval = \"1 ms\"")),
        VBR => text(keys.to_owned()),
        LIMITED => spans(text(format!("{keys}{for_limited}")), "400 ms", "200 ms"),
        _ if template == LIMITED => spans(text(format!("{keys}{for_limited}")), "800 ms", "600 ms"),
        _ => settled(&text(keys.to_owned())),
    }
}

/// The VCs under rate control: rates and shares.
fn rated(run: &Run, band: (f64, f64)) -> (Vec<f64>, Vec<f64>) {
    let pairs = rates(run).into_iter().zip(shares(run, band)).zip(&run.network.vcs);
    pairs.filter(|(_, vc)| vc.rate.is_some()).map(|(pair, _)| pair).unzip()
}

fn scenarios() -> Vec<ScenarioText> {
    let of = |(network, template): (&'static str, &'static str)| {
        let run = (0..ALGORITHMS.len()).filter(move |a| is_run(network, ALGORITHMS[*a].3));
        run.map(move |algorithm| scenario(network, template, algorithm))
    };
    NETWORKS.into_iter().flat_map(of).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("fair.shares");
    for (network, _) in NETWORKS {
        for (id, _, _, band) in ALGORITHMS.into_iter().filter(|a| is_run(network, a.3)) {
            let (rates, shares) = rated(runs.one(&file(network, id)), band);
            measured.claim(format!("{network}.{id}.off"), off(&rates, &shares));
        }
    }
    measured.exhibits = vec![exhibit(runs)];
    measured
}

fn exhibit(runs: &Runs) -> Exhibit {
    let row = |(network, _): (&str, &str)| {
        let jain = |(id, _, _, band): (&str, &str, &str, (f64, f64))| {
            let run = runs.first(&file(network, id));
            let (rates, shares) = run.map(|run| rated(run, band)).unwrap_or_default();
            jain_index(rates.into_iter().zip(shares)).unwrap_or(f64::NAN)
        };
        (network.to_owned(), ALGORITHMS.map(jain).to_vec())
    };
    Exhibit::new("Jain index of rates over max-min shares")
        .note("Of VCs under rate control, from 200 ms on.")
        .columns(
            "scenario",
            [
                ("VC counting, 98 %", ""),
                ("ERICA, delta 0.01", ""),
                ("VC counting, 90 % to drain", ""),
                ("ERICA, delta 0.1", ""),
            ],
        )
        .rows(NETWORKS.map(row))
}
