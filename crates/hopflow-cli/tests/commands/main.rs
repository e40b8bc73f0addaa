//! The built command as a user meets it: every command once, every exit code, wrong inputs.

mod answers;
#[cfg(unix)]
mod bundle;
mod compare;
mod csv;
mod documents;
#[cfg(unix)]
#[cfg(target_os = "linux")]
mod emulate;
mod examples;
#[cfg(unix)]
mod forged;
mod inputs;
#[cfg(unix)]
mod killed;
mod lab;
mod lanes;
#[cfg(target_os = "linux")]
mod memory;
mod readable;
mod replaced;
mod reproduce;
mod routing;
mod sizes;
#[cfg(unix)]
mod special_files;
mod stale;
#[cfg(target_os = "linux")]
mod stderr;
mod sweep;
mod traces;
mod typed;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

fn hopflow(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    command.current_dir(folder).args(args).env("NO_COLOR", "1");
    command.stdin(Stdio::null()).output().expect("the command was built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("hopflow prints UTF-8")
}

/// Runs a command that must end with `code`; gives stdout and stderr.
fn ends(folder: &Path, code: i32, args: &[&str]) -> (String, String) {
    let output = hopflow(folder, args);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "hopflow {args:?}\n{out}\n{err}");
    (out, err)
}

/// Waits until something is done, while `child` lives, 5 min at most: then the child is killed, and
/// the test fails. A loaded machine is slow, and this limit decides nothing else.
fn wait_for(child: &mut Child, what: &str, mut is_done: impl FnMut(&mut Child) -> bool) {
    for _ in 0..300_000 {
        if is_done(child) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().and_then(|()| child.wait()).expect("it is ours");
    panic!("not in 5 min: {what}");
}

/// The output of a command that must end by itself. It prints less than a pipe holds.
#[cfg(unix)]
fn ends_in_time(mut child: Child, what: &str) -> Output {
    wait_for(&mut child, what, |child| child.try_wait().expect("it is ours").is_some());
    child.wait_with_output().expect("it has ended")
}

fn example(name: &str) -> String {
    format!("{EXAMPLES}/{name}.toml")
}

/// Claim: the path of the tutorial in docs/index.md works: init, check, run, why, size; with seeds
/// and report.
#[test]
fn the_path_of_the_tutorial_works() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ends(here, 0, &["init", "first.toml"]);
    assert!(ends(here, 0, &["check", "first.toml"]).0.contains("fine"));
    ends(here, 0, &["run", "first.toml", "--out", "runs/first"]);
    for file in ["manifest.json", "summary.json", "report.html", "vcs.parquet"] {
        assert!(here.join("runs/first").join(file).exists(), "{file}");
    }
    let repeat = ["run", "first.toml", "--warm-up", "1 ms", "--seeds", "10", "--no-directory"];
    assert!(ends(here, 0, &repeat).0.contains("throughput_bps"));
    assert!(!ends(here, 0, &["why", "runs/first"]).0.is_empty());
    assert!(ends(here, 0, &["size", "first.toml"]).0.contains("N3 ="));
    ends(here, 0, &["report", "runs/first"]);
    assert!(here.join("runs/first/report-part.html").exists());
}

/// Claim: what `init` writes leads an editor to the schema beside it, in its first line; `init`
/// says how that file is written, until it is there. The rest is the template.
#[test]
fn init_leads_editors_to_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::create_dir(here.join("sub")).unwrap();
    let first_lines = |file: &str| {
        let text = std::fs::read_to_string(here.join(file)).unwrap();
        let (first, rest) = text.split_once('\n').unwrap();
        assert_eq!(first, "#:schema ./scenario.schema.json");
        rest.to_owned()
    };
    let (_, said) = ends(here, 0, &["init", "sub/mine.toml"]);
    assert!(said.contains("after: hopflow schema > sub/scenario.schema.json\n"), "{said}");
    assert_eq!(first_lines("sub/mine.toml"), hopflow::Scenario::template());
    std::fs::write(here.join("scenario.schema.json"), ends(here, 0, &["schema"]).0).unwrap();
    let (_, said) = ends(here, 0, &["init", "--template", "chain"]);
    assert!(said.contains("Wrote chain.toml") && !said.contains("editor"), "{said}");
    let template = hopflow_scenario::TEMPLATES.iter().find(|one| one.name == "chain").unwrap();
    assert_eq!(first_lines("chain.toml"), template.text);
    ends(here, 0, &["check", "sub/mine.toml", "chain.toml"]);
}

/// Claim: a built-in scenario runs, and is shared as its first lines say: the table and the JSON
/// have the fair share beside the rate, and the Jain index; none if one source stops at half of the
/// run. For an unknown name, all are listed.
#[test]
fn a_template_is_shared_fairly() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ends(here, 0, &["init", "--template", "parking-lot", "p.toml"]);
    let run = ["run", "p.toml", "--no-directory", "-q"];
    let table = ends(here, 0, &run).0;
    assert!(table.contains("Max-min fair shares: Jain index 1\n"), "{table}");
    let json = ends(here, 0, &[&run[..], &["--format", "json"]].concat()).0;
    let falls = [&run[..], &["--set", "flow.VC3.stop=\"60 ms\""]].concat();
    let table = ends(here, 0, &falls).0;
    let said = "Max-min fair shares: no Jain index, because some sources stop before others\n";
    assert!(table.contains(said), "{table}");
    let run: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(run["fairness"]["vcs"], 3);
    assert!(run["fairness"]["jain_index"].as_f64().unwrap() > 0.999);
    assert_eq!(run["vcs"][0]["fair"]["held_by"], "S3->S4");
    assert_eq!(run["vcs"][0]["fair"]["share_bps"], 5e7);
    assert!(ends(here, 2, &["init", "--template", "gfc-3"]).1.contains("gfc-2"));
}

/// Claim: the same run on any number of threads gives the same JSON, and with another seed or
/// duration the manifest says so.
#[test]
fn json_is_the_same_on_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("incast");
    let run = |more: &[&str]| {
        let mut args = vec!["run", &file, "--no-directory", "-q", "--format", "json"];
        args.extend(more);
        ends(here, 0, &args).0
    };
    let one = run(&["--threads", "1"]);
    assert_eq!(one, run(&["--threads", "3"]));
    let document: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(document["version"], 2);
    assert_eq!(document["manifest"]["complete"], true);
    let other: Value = serde_json::from_str(&run(&["--seed", "9", "--duration", "1 ms"])).unwrap();
    assert_eq!(other["manifest"]["seed"], "9");
    assert_eq!(other["manifest"]["duration_ps"], 1_000_000_000);
}

/// Claim: a loss that `allow-small-buffer` accepts is a note and ends with 0, in the run and in
/// `why`: two VCs with a credit of 10 cells each meet at a switch with room for 4. The text never
/// speaks of a failed property.
#[test]
fn an_accepted_loss_is_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let flow = |name: &str| {
        format!(
            "[[flow]]\nname = \"{name}\"\nroute = [\"{name}h\", \"S\", \"B\"]\n\
             source = {{ kind = \"greedy\" }}\n\
             control = {{ kind = \"n23\", n2 = 2, n3 = 8, allow-small-buffer = true }}\n"
        )
    };
    let scenario = format!(
        "version = 2\nduration = \"1 ms\"\n[[host]]\nname = \"xh\"\n[[host]]\nname = \"yh\"\n\
         [[host]]\nname = \"B\"\n[[switch]]\nname = \"S\"\nbuffer = \"4 cells\"\n\
         [defaults.link]\nrate = \"100 Mb/s\"\ndelay = \"10 us\"\n\
         [[link]]\nbetween = [\"xh\", \"S\"]\n[[link]]\nbetween = [\"yh\", \"S\"]\n\
         [[link]]\nbetween = [\"S\", \"B\"]\n{}{}",
        flow("x"),
        flow("y")
    );
    std::fs::write(here.join("small.toml"), scenario).unwrap();
    let (out, err) = ends(here, 0, &["run", "small.toml", "--out", "small", "--format", "json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["violations"], serde_json::json!([]));
    assert_eq!(document["accepted_losses"][0]["property"], "no-congestion-loss");
    assert!(err.contains("note: VC `x` on `xh->S`: ") && !err.contains("property failed"), "{err}");
    let why = ends(here, 0, &["why", "small"]).0;
    assert!(why.contains("was full, which `allow-small-buffer` accepts"), "{why}");
    assert!(!why.contains("Broken") && !why.contains("although"), "{why}");
}

/// Claim: several seeds give one table, the same on any threads: the mean over the runs that each
/// seed gives alone, after the warm-up; and a directory that says what was run.
#[test]
fn several_seeds_give_means_and_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("incast");
    let json = |more: &[&str]| -> Value {
        let mut args =
            vec!["run", &file, "--duration", "2 ms", "--warm-up", "1 ms", "-q", "--format", "json"];
        args.extend(more);
        serde_json::from_str(&ends(here, 0, &args).0).unwrap()
    };
    let document = json(&["--seeds", "3", "--seed", "5", "--out", "three"]);
    assert_eq!(document["seeds"], serde_json::json!(["5", "6", "7"]));
    assert_eq!(document["manifest"]["warm_up_ps"], 1_000_000_000);
    assert_eq!(
        document,
        json(&["--seeds", "3", "--seed", "5", "--no-directory", "--threads", "1"])
    );
    let row = &document["estimates"][0];
    assert_eq!(row["quantity"], "throughput_bps");
    let alone = ["5", "6", "7"].map(|seed| {
        let run = json(&["--seed", seed, "--no-directory"]);
        assert_eq!(run["from_ps"], 1_000_000_000);
        run["vcs"][0]["throughput_bps"].clone()
    });
    assert_eq!(row["values"], serde_json::json!(alone));
    for name in ["manifest.json", "summary.json", "seed-6.json", "report.html", "seeds.parquet"] {
        assert!(here.join("three").join(name).exists(), "{name}");
    }
    assert!(ends(here, 2, &["report", "three"]).1.contains("several seeds"));
    let csv = ends(here, 0, &["run", &file, "--seeds", "2", "-q", "--format", "csv"]).0;
    assert!(csv.starts_with("of,name,quantity,runs,mean,"), "{csv}");
    assert!(ends(here, 2, &["run", &file, "--seeds", "0"]).1.contains("1 to 10000"));
    assert!(ends(here, 2, &["run", &file, "--warm-up", "9 s"]).1.contains("leaves nothing"));
}

/// Claim: a run is repeated from its directory; of many VCs its manifest has the flows of the worst
/// hundred alone, its summary their rows, and `report` finds all flows in its scenario.
#[test]
fn a_run_is_repeated_from_its_directory() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let flow = "[[flow]]\nname = \"v{}\"\ncount = 50000\nroute = [\"A\", \"S\", \"B\"]\n\
                source = { kind = \"poisson\", rate = \"400 kb/s\" }";
    let one = std::fs::read_to_string(example("one-vc")).unwrap();
    let network = one.split("[[flow]]").next().unwrap();
    std::fs::write(here.join("large.toml"), [network, flow].concat()).unwrap();
    let manifest = |file: &str, out: &str| {
        ends(here, 0, &["run", file, "-q", "--seed", "7", "--duration", "1 ms", "--out", out]);
        std::fs::read_to_string(here.join(out).join("manifest.json")).unwrap()
    };
    let first = manifest("large.toml", "first");
    assert!(first.contains("\"flows_left_out\": 49900"));
    assert_eq!(manifest("first/scenario.toml", "second"), first);
    let summary = std::fs::read_to_string(here.join("first/summary.json")).unwrap();
    assert!(!summary.contains("\"scenario\""), "the scenario is in the manifest alone");
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["vcs"].as_array().unwrap().len(), 100);
    assert_eq!(
        (&summary["vcs_left_out"], &summary["totals"]["vcs"]),
        (&49_900.into(), &50_000.into())
    );
    let said = ends(here, 0, &["why", "first"]).0;
    assert!(said.contains("49900 more VCs are in vcs.parquet"), "{said}");
    // A table by cause, the worst 20, and how to see the rest of the 100 that the directory keeps.
    assert!(said.starts_with("100 flows by cause\n\n"), "{said}");
    assert!(said.contains("80 more flows: `--vc NAME` prints the sentences of one"), "{said}");
    let of_flows = said.lines().filter(|line| line.contains(" delivered ")).count();
    assert!(of_flows <= 20 + 2, "{said}");
    ends(here, 0, &["report", "first"]);
    let absent = summary["vcs"].as_array().unwrap().iter().all(|vc| vc["name"] != "v50000");
    assert!(absent, "the last of equal ones");
    let unknown = ends(here, 2, &["why", "first", "--vc", "v50000"]).1;
    assert!(unknown.contains("not among the 100 VCs"), "{unknown}");
    // Without a trace, but known.
    let known = ends(here, 2, &["report", "first", "--vc", "v50000"]).1;
    assert!(known.contains("no trace rows of this part"), "{known}");
    let args = ["run", "large.toml", "-q", "--duration", "1 ms", "--no-directory", "--format"];
    let csv = ends(here, 0, &[&args[..], &["csv"]].concat()).0;
    assert_eq!(csv.lines().count(), 50_001);
    let json = ends(here, 0, &[&args[..], &["json"]].concat()).0;
    assert_eq!(json.matches("\"delay_bound\":").count(), 50_000);
    assert!(!json.contains("vcs_left_out") && !json.contains("flows_left_out"));
}

/// Claim: controls are compared in one table, the same on any threads, with one directory that
/// holds each run as it would be alone; without names, the scenario and its variants.
#[test]
fn controls_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("controls");
    let json = |more: &[&str]| -> Value {
        let mut args = vec!["compare", &file, "--duration", "4 ms", "-q", "--format", "json"];
        args.extend(more);
        serde_json::from_str(&ends(here, 0, &args).0).unwrap()
    };
    let asked = ["--control", "none, n23,drop-tail", "--control", "fifo"];
    let document = json(&[&asked[..], &["--out", "three", "--threads", "1"]].concat());
    assert_eq!(document["manifest"]["controls"], serde_json::json!(["drop-tail", "n23", "fifo"]));
    assert_eq!(document, json(&[&asked[..], &["--no-directory", "--threads", "5"]].concat()));
    let run = ["run", &file, "--duration", "4 ms", "--no-directory", "-q", "--format", "json"];
    let alone: Value = serde_json::from_str(&ends(here, 0, &run).0).unwrap();
    assert_eq!(document["controls"][2]["digest"], alone["manifest"]["digest"]);
    let under = [&run[..], &["--control", "n23"]].concat();
    let under: Value = serde_json::from_str(&ends(here, 0, &under).0).unwrap();
    assert_eq!(document["controls"][1]["digest"], under["manifest"]["digest"]);
    let stored = std::fs::read_to_string(here.join("three/control-2.json")).unwrap();
    let stored: Value = serde_json::from_str(&stored).unwrap();
    assert_eq!(stored["manifest"]["scenario"]["control"], "n23");
    assert_eq!(stored["manifest"]["digest"], document["controls"][1]["digest"]);
    for name in ["manifest.json", "summary.json", "report.html", "curves.parquet"] {
        assert!(here.join("three").join(name).exists(), "{name}");
    }
    let page = std::fs::read_to_string(here.join("three/report.html")).unwrap();
    assert!(page.contains("Queue of S") && page.contains("Rate of VC1"));
    assert!(ends(here, 2, &["report", "three"]).1.contains("several controls"));
    let error = ends(here, 2, &["why", "three"]).1;
    assert!(error.contains("`hopflow why three/scenario.toml --control NAME`"), "{error}");
    assert!(here.join("three/scenario.toml").exists());
    let controls = &json(&["--no-directory"])["manifest"]["controls"];
    assert_eq!(controls.as_array().unwrap().len(), 5);
    let csv = ends(here, 0, &["compare", &file, "--no-directory", "-q", "--format", "csv"]).0;
    assert!(csv.starts_with("control,utilization,throughput_bps,"), "{csv}");
    let wrong = |args: &[&str], says: &str| {
        let (out, err) = ends(here, 2, args);
        assert!(out.is_empty() && err.contains(says), "hopflow {args:?} says:\n{err}");
    };
    wrong(&["compare", &file, "--control", "n32"], "did you mean `n23`?");
    wrong(&["compare", &example("one-vc")], "name the controls");
    wrong(&["compare", &example("mixed-sizes"), "--control", "efci"], "under `efci`");
    wrong(&["compare", &file, "--out", "three"], "--force");
}

/// Claim: the help of `compare` names every control that is built in.
#[test]
fn the_help_names_every_control() {
    let folder = tempfile::tempdir().unwrap();
    let help = ends(folder.path(), 0, &["compare", "--help"]).0;
    let words: Vec<&str> = help.split([' ', ',', '\n']).collect();
    for built_in in hopflow_scenario::BUILT_IN {
        assert!(words.contains(&built_in.name), "{} in:\n{help}", built_in.name);
    }
}

/// Claim: the demo shows three controls with a sparkline and a sentence each, keeps a report and
/// names the next command, which works; what JSON tells is what the sentences say.
#[test]
fn the_demo_shows_three_controls() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (screen, err) = ends(here, 0, &["demo", "--out", "d"]);
    for row in ["\ndrop tail", "\nPFC", "\ncredit per VC"] {
        assert!(screen.contains(row), "{row} in:\n{screen}");
    }
    assert_eq!(screen.matches("Nothing is lost").count(), 2, "{screen}");
    assert!(err.contains("Open: d/report.html") && here.join("d/report.html").exists(), "{err}");
    let next = err.lines().find_map(|line| line.strip_prefix("Next: hopflow ")).unwrap();
    let next: Vec<&str> = next.split(' ').collect();
    assert!(ends(here, 0, &next).0.contains("victim"));
    let json = ["demo", "--no-directory", "--threads", "1", "--format", "json"];
    let document: Value = serde_json::from_str(&ends(here, 0, &json).0).unwrap();
    let [tail, pfc, credit] = &document["controls"].as_array().unwrap()[..] else { panic!() };
    let share = |row: &Value, key: &str| row[key].as_f64().unwrap();
    assert!(share(tail, "incast_lost_share") > 0.5 && share(tail, "victim_lost_share") > 0.0);
    for lossless in [pfc, credit] {
        let lost = share(lossless, "incast_lost_share") + share(lossless, "victim_lost_share");
        assert!(lost <= 0.0, "{lossless}");
    }
    assert!(share(pfc, "fair_share") < 0.5 && share(credit, "fair_share") > 0.98);
    for row in [tail, pfc, credit] {
        assert!(screen.contains(row["sentence"].as_str().unwrap().split(' ').next().unwrap()));
        assert_eq!(row["curve_bps"].as_array().unwrap().len(), 200);
    }
}

/// Claim: bad input ends with 2, names what is wrong, and leaves nothing behind.
#[test]
fn bad_input_ends_with_2_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let good = std::fs::read_to_string(example("one-vc")).unwrap();
    std::fs::write(here.join("typo.toml"), good.replace("duration", "durration")).unwrap();
    std::fs::write(here.join("binary.toml"), [0xFF, 0xFE, 0]).unwrap();
    let before = std::fs::read_dir(here).unwrap().count();
    let pfc = ["size", "--pfc", "--delay", "9 m", "--rate", "1 Gb/s", "--response", "0 s"];
    let cases: [(&[&str], &str); 17] = [
        (&["why", "."], "`.` is not a run directory"),
        (&["run", "typo.toml", "--seed", "x"], "whole number"),
        (&["run", "absent.toml"], "absent.toml"),
        (&["run", "typo.toml"], "duration"),
        (&["run", "binary.toml"], "UTF-8"),
        (&["check", "typo.toml", "absent.toml"], "HF00"),
        (&["run", "typo.toml", "--threads", "0"], "at least 1"),
        (&["reproduce", "kung95"], "did you mean `kung94`?"),
        (&["reproduce", "kung94", "fig14"], "did you mean `kung94.fig14`?"),
        (&["reproduce", "--list", "--times"], "cannot be used with"),
        (&["size", "--delay", "10", "--rate", "1 Gb/s"], "no unit"),
        (&pfc, "--frame <SIZE>"),
        (&[&pfc[..], &["--frame", "0 B"]].concat(), "0 bytes"),
        (&[&pfc[..], &["--frame", "9 kB", "--n2", "3"]].concat(), "cannot be used with '--n2"),
        (&["size", "typo.toml", "--frame", "9 kB"], "--pfc"),
        (&["why", "absent"], "absent"),
        (&["report", "."], "manifest.json"),
    ];
    for (args, says) in cases {
        let (out, err) = ends(here, 2, args);
        assert!(err.contains(says), "hopflow {args:?} says:\n{err}");
        assert!(out.is_empty(), "hopflow {args:?} prints:\n{out}");
    }
    assert_eq!(std::fs::read_dir(here).unwrap().count(), before);
}

/// Claim [PFC-BT]: a frame of 9216 bytes on the way back, a pause frame of 64, 100 m of cable, 8192
/// bit times at the interfaces, 30720 of response and a frame of 2300, 20 bytes of preamble and gap
/// with each frame, are 142032 bit times at 10 Gb/s: 17754 bytes, in every format. A threshold of
/// 20 kB and the frame that crosses it make it 40074 bytes, of which 1 MB holds 24.
#[test]
fn headroom_is_sized_as_published() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let frames = ["--frame", "2320 B", "--frame-back", "9236 B", "--pause-frame", "84 B"];
    let spans = ["--delay", "100 m", "--processing", "819.2 ns", "--response", "3072 ns"];
    let base = [&["size", "--pfc", "--rate", "10 Gb/s"], &frames[..], &spans[..]].concat();
    let table = ends(here, 0, &base).0;
    assert!(table.contains("+ 2320 = 17754 bytes"), "{table}");
    let more = ["--xoff", "20 kB", "--memory", "1 MB", "--format"];
    let of = |format| ends(here, 0, &[&base[..], &more[..], &[format]].concat()).0;
    assert!(
        of("csv").ends_with("\n,,20000,17754,20074,40074,,24,12347200,,,979926\n"),
        "{}",
        of("csv")
    );
    assert!(of("markdown").contains(" 17754 |"));
    let json: Value = serde_json::from_str(&of("json")).unwrap();
    let sized = &json["headrooms"][0];
    assert_eq!((&sized["headroom_bytes"], &sized["fit_priorities"]), (&17_754.into(), &24.into()));
    assert_eq!((&sized["room_bytes"], &sized["span_ps"]), (&40_074.into(), &12_347_200.into()));
}

/// Claim: of a scenario under PFC every paused priority is sized below the VCs. On S1->S2 that is a
/// cell on its way back, a pause frame, 153 cells of delay, a cell that starts last and the one
/// that crosses XOFF: 157 cells, 8321 bytes, beside XOFF of 165 cells, which `auto` gives it.
#[test]
fn headroom_of_a_scenario_stands_beside_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ends(here, 0, &["reproduce", "creditnet.hol", "--write-scenarios", "s"]);
    let size = ["size", "s/creditnet-hol-pfc.toml", "--format", "csv"];
    let csv = ends(here, 0, &[&size[..], &["--table", "headrooms"]].concat()).0;
    let (xoff, headroom, room) = (165 * 53, 156 * 53, 322 * 53);
    let line = format!("\nS1->S2,0,{xoff},{headroom},8321,{room},{room},,");
    assert!(csv.contains(&line), "{line} in:\n{csv}");
    assert!(ends(here, 0, &size).0.starts_with("link,priority,xoff_bytes,"), "no VC has credit");
    let json = ends(here, 0, &["size", "s/creditnet-hol-pfc.toml", "--format", "json"]).0;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["headrooms"].as_array().unwrap().len(), 7, "a way back without VCs has none");
    assert_eq!(json["headrooms"][2]["given_bytes"], 322 * 53);
    let none = ends(here, 0, &["size", "s/creditnet-hol.toml", "--format", "json"]).0;
    assert!(none.contains("\"headrooms\": []"), "{none}");
}

/// Claim: a delay bound stands beside the greatest delay, in tables, JSON and the report; without
/// any there is no such column, and JSON says why.
#[test]
fn bounds_stand_beside_delays() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let bounded = example("tsn-ats");
    let table = ends(here, 0, &["run", &bounded, "--out", "r", "-q", "--format", "markdown"]).0;
    let head = |table: &str| table.lines().nth(2).unwrap().replace(' ', "");
    assert!(head(&table).contains("|max|bound|waiting|"), "{table}");
    let page = std::fs::read_to_string(here.join("r/report.html")).unwrap();
    assert!(page.contains("Greatest delays and their bounds"));
    let json = |file: &str| -> Value {
        let args = ["run", file, "--no-directory", "-q", "--format", "json"];
        serde_json::from_str(&ends(here, 0, &args).0).unwrap()
    };
    for vc in json(&bounded)["vcs"].as_array().unwrap() {
        let (most, bound) = (vc["delay_ps"]["max"].as_u64(), vc["delay_bound_ps"].as_u64());
        assert!(bound.is_some() && most <= bound, "{vc}");
        assert!(vc["delay_bound"].as_str().unwrap().contains("ATS"), "{vc}");
    }
    let close = json(&example("delay-bounds"));
    let (most, bound) = (&close["vcs"][4]["delay_ps"]["max"], &close["vcs"][4]["delay_bound_ps"]);
    let share = most.as_f64().unwrap() / bound.as_f64().unwrap();
    assert!((0.99..=1.0).contains(&share), "{most} of {bound}");
    let held = example("one-vc");
    let table = ends(here, 0, &["run", &held, "--no-directory", "-q", "--format", "markdown"]).0;
    assert!(head(&table).contains("|max|waiting|"), "{table}");
    let vc = &json(&held)["vcs"][0];
    assert!(vc["delay_bound_ps"].is_null());
    assert_eq!(vc["delay_bound"], "credit may hold it back on `A->S`");
}

/// Claim: a failed property ends with 1: with R forced below the loop a buffer overflows.
#[test]
fn a_failed_property_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let scenario = r#"
version = 2
duration = "5000 cells"
[defaults.link]
rate = "622.08 Mb/s"
delay = "76 cells"
round-trip = "100 cells"
allow-short-round-trip = true
[[switch]]
name = "S"
[[host]]
name = "A"
[[host]]
name = "B"
[[link]]
between = ["A", "S"]
[[link]]
between = ["S", "B"]
[[flow]]
name = "VC"
route = ["A", "S", "B"]
source = { kind = "greedy" }
control = { kind = "n23", n2 = 10, n3 = 155 }
[[event]]
at = "2000 cells"
from = "S"
to = "B"
blocked = true
"#;
    std::fs::write(here.join("short.toml"), scenario).unwrap();
    let (_, err) = ends(here, 1, &["run", "short.toml", "--no-directory"]);
    assert!(err.contains("property failed"), "{err}");
    // The same with several seeds, and under several controls, of which one fails; and both.
    let compare = ["compare", "short.toml", "--no-directory", "-q", "--control"];
    ends(here, 1, &["run", "short.toml", "--seeds", "2", "--no-directory", "-q"]);
    ends(here, 1, &[&compare[..], &["as-is,none"]].concat());
    let (_, err) = ends(here, 1, &[&compare[..], &["none,as-is", "--seeds", "2"]].concat());
    assert!(err.contains("property failed under `as-is` with seed 2"), "{err}");
    ends(here, 0, &[&compare[..], &["drop-tail"]].concat());
    ends(here, 0, &[&compare[..], &["drop-tail", "--seeds", "2"]].concat());
}

/// Claim: every command stands in the help, and the commands without input work.
#[test]
fn help_and_small_commands_work() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let help = ends(here, 0, &["--help"]).0;
    let commands = [
        "run",
        "check",
        "compare",
        "report",
        "reproduce",
        "size",
        "why",
        "demo",
        "explain",
        "schema",
        "init",
        "doctor",
        "completions",
        "man",
    ];
    for command in commands {
        assert!(help.contains(&format!("\n  {command} ")), "{command} in:\n{help}");
        ends(here, 0, &[command, "--help"]);
    }
    assert!(ends(here, 0, &["--version"]).0.starts_with("hopflow "));
    assert!(ends(here, 0, &["completions", "bash"]).0.contains("hopflow"));
    let _: Value = serde_json::from_str(&ends(here, 0, &["schema"]).0).unwrap();
    assert!(ends(here, 0, &["doctor"]).0.contains("ok   digests"));
    ends(here, 2, &["rum"]);
}

/// Claim: every code that a message shows is explained; an unknown one gives the nearest.
#[test]
fn codes_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let page = ends(here, 0, &["explain", "HF0050"]).0;
    for part in ["HF0050 (error)", "\nCause: ", "n3 = 7", "\nWay out: "] {
        assert!(page.contains(part), "{part} in:\n{page}");
    }
    assert_eq!(ends(here, 0, &["explain", "50"]).0, page);
    let list = ends(here, 0, &["explain"]).0;
    assert!(list.lines().count() > 60 && list.contains("HF0112  "), "{list}");
    let (out, err) = ends(here, 2, &["explain", "HF0500"]);
    assert!(out.is_empty() && err.contains("did you mean HF0050"), "{err}");
}

/// Claim: `check`, `why`, `doctor` and `report` answer in JSON: one document on stdout, whatever is
/// wrong, nothing on stderr, and the exit code of the same command in words.
#[test]
fn sentences_are_data_too() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let json = |code: i32, args: &[&str]| -> Value {
        let (out, err) = ends(here, code, &[args, &["--format", "json"]].concat());
        assert!(err.is_empty(), "hopflow {args:?}:\n{err}");
        serde_json::from_str(&out).unwrap()
    };
    let good = std::fs::read_to_string(example("victim")).unwrap();
    std::fs::write(here.join("good.toml"), &good).unwrap();
    std::fs::write(here.join("typo.toml"), good.replace("duration", "durration")).unwrap();
    let found = json(2, &["check", "good.toml", "typo.toml", "absent.toml"]);
    assert_eq!(found["fine"], false);
    let [fine, typo, absent] = &found["files"].as_array().unwrap()[..] else { panic!() };
    assert_eq!((&fine["fine"], &fine["vcs"]), (&Value::Bool(true), &9.into()));
    assert_eq!(fine["variants"], serde_json::json!(["pfc", "credit"]));
    assert!(fine["memory_bytes"].as_u64() > Some(1_000_000), "{fine}");
    let key = typo["errors"].as_array().unwrap().iter().find(|one| one["code"] == "HF0003");
    let line = 1 + good.lines().position(|line| line.starts_with("duration")).unwrap();
    let place = &key.unwrap()["places"][0];
    assert_eq!(
        [&place["line"], &place["column"], &place["end_column"]],
        [line, 1, 10].map(|n| n as u64)
    );
    assert!(typo["vcs"].is_null() && key.unwrap()["hint"].is_string(), "{typo}");
    assert_eq!(absent["errors"][0]["code"], "HF0002");
    assert_eq!(absent["errors"][0]["places"], serde_json::json!([]));

    let said = json(0, &["why", "good.toml", "--control", "pfc", "--vc", "victim"]);
    let sentences = said["sentences"].as_array().unwrap();
    assert!(sentences.iter().any(|one| one["vc"] == "victim" && one["text"].is_string()), "{said}");
    assert!(sentences.iter().any(|one| one["vc"].is_null() && one["link"] == "S1->S2"), "{said}");
    let cause = sentences.iter().find(|one| one["cause"] == "lane-shared").unwrap();
    assert!(cause["numbers"]["held_share"].as_f64() > Some(0.1), "{cause}");
    assert_eq!((&cause["severity"], &cause["at_ps"]), (&"warning".into(), &Value::Null));
    assert!(sentences.iter().all(|one| one["link"] != "D1->S3"), "not on the way of the victim");
    let text = |more: &[&str]| ends(here, 0, &[&["why", "good.toml"], more].concat()).0;
    assert!(text(&["--hops"]).contains("it was sending") && !text(&[]).contains("it was sending"));

    let part = ["run", "good.toml", "-q", "--out", "whole"];
    ends(here, 0, &part);
    let manifest = std::fs::read_to_string(here.join("whole/manifest.json")).unwrap();
    let cut = manifest.replace("\"complete\": true", "\"complete\": false");
    assert_ne!(cut, manifest);
    std::fs::write(here.join("whole/manifest.json"), cut).unwrap();
    let first = ends(here, 0, &["why", "whole"]).0;
    assert!(first.starts_with("The run is incomplete: it was interrupted after "), "{first}");

    let doctor = json(0, &["doctor"]);
    assert_eq!((&doctor["fine"], &doctor["writable"]), (&Value::Bool(true), &Value::Bool(true)));
    assert_eq!(doctor["digest"].as_str().map(str::len), Some(16));
    assert_eq!(doctor["checks"].as_array().unwrap().len(), 6);

    ends(here, 0, &["run", "good.toml", "-q", "--out", "r", "--trace", "--duration", "100 us"]);
    let page = json(0, &["report", "r", "--vc", "victim", "--to", "50 us"]);
    assert_eq!(page["to_ps"], 50_000_000);
    assert!(here.join(page["report"].as_str().unwrap()).exists(), "{page}");
}

/// Claim: `diff` says that two runs are the same, also on other threads; of a shorter one it names
/// the first event that it has not, the keys and the cells of tables, and ends with 1.
#[test]
fn runs_are_compared_cell_by_cell() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("incast");
    let run = |out: &str, duration: &str, threads: &str| {
        let more = ["--duration", duration, "--threads", threads];
        ends(here, 0, &[&["run", &file, "--trace", "-q", "--out", out], &more[..]].concat());
    };
    run("a", "1 ms", "1");
    run("b", "1 ms", "2");
    run("c", "999 us", "1");
    assert!(ends(here, 0, &["diff", "a", "b"]).0.starts_with("same: digest "));
    let found = ends(here, 1, &["diff", "a", "c", "--format", "json"]).0;
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["same"], false);
    let of = |file: &str| {
        let mut all = found["differences"].as_array().unwrap().iter();
        all.find(|one| one["file"] == file).unwrap_or_else(|| panic!("{file}: {found}"))
    };
    assert_eq!(of("manifest.json")["place"], "digest");
    assert!(of("trace-00001.parquet")["place"].as_str().unwrap().starts_with("row "), "{found}");
    assert!(of("vcs.parquet")["a"].as_str().unwrap().contains("_packets "), "{found}");
    let event = of("trace-00001.parquet");
    let at = event["a"].as_str().unwrap().split_once(',').unwrap().0;
    let at: u64 = at.strip_prefix("time_ps ").unwrap().parse().unwrap();
    assert!((999_000_000..1_000_000_000).contains(&at) && event["b"].is_null(), "{event}");
    let summary = of("summary.json")["place"].as_str().unwrap().to_owned();
    assert!(summary.contains("ps") || summary.contains("cells"), "{summary}");
    let words = ends(here, 1, &["diff", "a", "c"]).0;
    assert!(words.contains("trace-00001.parquet, row "), "{words}");
    assert!(ends(here, 2, &["diff", "a", &file]).1.contains("give two directories"));
    assert!(ends(here, 2, &["diff", "a", "."]).1.contains("not a run directory"));
}

/// Claim: CSV is one table with one heading, whose cells are names or bare numbers; every name of
/// `--table` gives one, the numbers are those of JSON, and a wrong name gives the right ones.
#[test]
fn csv_is_data() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("victim");
    let cells = |args: &[&str]| -> Vec<Vec<String>> {
        let text = ends(here, 0, &[args, &["--format", "csv"]].concat()).0;
        let mut reader =
            ::csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let rows = reader.records().map(|row| row.expect("rows are as long as the heading"));
        rows.map(|row| row.iter().map(str::to_owned).collect()).collect()
    };
    let run = ["run", &file, "--no-directory", "-q", "--control", "pfc", "--duration", "600 us"];
    let size = ["size", &file];
    let compare = ["compare", &file, "--no-directory", "-q", "--duration", "600 us"];
    for (command, own) in [(&run[..], "vcs"), (&compare[..], "controls"), (&size[..], "vcs")] {
        let err = ends(here, 2, &[command, &["--format", "csv", "--table", "vc"]].concat()).1;
        let names = err.split("[possible values: ").nth(1).unwrap().split(']').next().unwrap();
        for name in names.split(", ") {
            let table = cells(&[command, &["--table", name]].concat());
            let titles = &table[0];
            assert!(titles.iter().all(|title| title == &title.to_lowercase()), "{titles:?}");
            for (column, title) in titles.iter().enumerate() {
                let units = ["_packets", "_cells", "_ps", "_bps", "_bytes", "_share", "_count"];
                if !units.iter().any(|unit| title.ends_with(unit)) || title == "fair_share" {
                    continue;
                }
                for row in &table[1..] {
                    let bare = row[column].is_empty() || row[column].parse::<f64>().is_ok();
                    assert!(bare, "{name} {title}: {}", row[column]);
                }
            }
            assert!(name != own || table == cells(command), "{name} is the default");
        }
        assert!(ends(here, 2, &[command, &["--table", own]].concat()).1.contains("--format csv"));
    }
    let json = ends(here, 0, &[&run[..], &["--format", "json"]].concat()).0;
    let json: Value = serde_json::from_str(&json).unwrap();
    let vcs = cells(&run);
    let column = vcs[0].iter().position(|title| title == "throughput_bps").unwrap();
    assert_eq!(vcs[1][column].parse::<f64>().ok(), json["vcs"][0]["throughput_bps"].as_f64());
    assert_eq!(vcs.len(), 1 + json["vcs"].as_array().unwrap().len());
    ends(here, 2, &["run", &file, "--seeds", "2", "--format", "csv", "--table", "vcs"]);
}

/// Claim: of many mistakes 20 are drawn and the others counted, unless all are asked for; a mistake
/// in a long line is shown with the place, and no line is longer than 200 columns and its frame.
#[test]
fn many_mistakes_and_long_lines_fit_a_screen() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let good = std::fs::read_to_string(example("one-vc")).unwrap();
    let unknown: Vec<String> = (0..50).map(|n| format!("unknown-{n} = 1\n")).collect();
    let many = good.replace("version = 2\n", &format!("version = 2\n{}", unknown.concat()));
    std::fs::write(here.join("many.toml"), many).unwrap();
    let drawn = |args: &[&str]| {
        let err = ends(here, 2, &[args, &["check", "many.toml"]].concat()).1;
        (err.matches("[many.toml:").count(), err)
    };
    let (some, err) = drawn(&[]);
    assert!(some == 20 && err.contains("and 30 more: `--all-errors` shows them"), "{some}: {err}");
    assert!(err.contains("50 errors") && err.contains("hopflow explain HF0003"), "{err}");
    assert_eq!(drawn(&["--all-errors"]).0, 50);
    // 100 are kept of one file; the others are counted.
    let unknown: Vec<String> = (0..150).map(|n| format!("unknown-{n} = 1\n")).collect();
    let many = good.replace("version = 2\n", &format!("version = 2\n{}", unknown.concat()));
    std::fs::write(here.join("many.toml"), many).unwrap();
    let (some, err) = drawn(&[]);
    assert!(some == 20 && err.contains("and 130 more: `--all-errors` shows 80 of"), "{err}");
    let (all, err) = drawn(&["--all-errors"]);
    assert!(all == 100 && err.contains("and 50 more") && err.contains("at least 100"), "{err}");
    let json = ends(here, 2, &["check", "many.toml", "--format", "json"]).0;
    let json: Value = serde_json::from_str(&json).unwrap();
    let found = &json["files"][0];
    assert_eq!((&found["left_out"], &found["errors"][0]["more"]), (&50.into(), &0.into()));
    let long = format!("title = [\"{}\", 3]\nversion = 1\n", "x".repeat(3000));
    let long = good.replace("version = 2\n", &long).replace("title = \"", "# \"");
    std::fs::write(here.join("long.toml"), long).unwrap();
    let err = ends(here, 2, &["check", "long.toml"]).1;
    let widest = err.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(210) && err.contains("HF0005") && err.contains('…'), "{err}");
}

/// Claim: without a command the first screen is data on stdout, and nothing has failed.
#[test]
fn the_first_screen_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let (screen, err) = ends(folder.path(), 0, &[]);
    assert!(screen.starts_with("hopflow simulates") && err.is_empty(), "{screen}{err}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Claim: a reader that goes away ends the command quietly; a full device is an error.
#[cfg(target_os = "linux")]
#[test]
fn stdout_may_go_away_but_not_be_full() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    command.current_dir(folder.path()).arg("schema").stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    let output = command.arg("schema").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("stdout cannot be written"));
}
