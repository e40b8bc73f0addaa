//! The files that are broken.

use std::path::{Path, PathBuf};

use hopflow_scenario::Scenario;

/// One network with every key of traffic, for each of the schedulers.
const TRAFFIC: &str = r#"
version = 2
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
delay = "0.5 cells"
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
pub(crate) fn seeds() -> Vec<String> {
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
    assert!(texts.len() > 1, "the examples are found");
    texts.extend(traffic());
    texts
}

/// [`TRAFFIC`] with each of the schedulers.
pub(crate) fn traffic() -> impl Iterator<Item = String> {
    SCHEDULERS.iter().map(|scheduler| TRAFFIC.replace("SCHEDULER", scheduler))
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "claims") {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ext| ext == "toml")
            && path.file_name().is_some_and(|name| name != "claims.toml" && name != "primary.toml")
        {
            paths.push(path);
        }
    }
}
