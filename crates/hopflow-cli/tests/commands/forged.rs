//! Forged bundles: whatever a reader of a bundle sees and another has changed, with its sums made
//! again, is reported by the check with the file, the place and both values.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::bundle::{packed, unpack};
use super::{ends, example};

/// A bundle that is unpacked, to be forged.
struct Forger {
    here: tempfile::TempDir,
    unpacked: PathBuf,
}

impl Forger {
    /// Makes results by these words, and their bundle.
    fn new(command: &[&str]) -> Forger {
        let here = tempfile::tempdir().expect("a forger works with what is there");
        ends(here.path(), 0, &[command, &["-q", "--out", "a"]].concat());
        ends(here.path(), 0, &["bundle", "a", "-q"]);
        let unpacked = unpack(here.path(), "a.tar");
        let forger = Forger { here, unpacked };
        packed(forger.here.path(), &forger.unpacked);
        ends(forger.here.path(), 0, &["bundle", "--check", "changed.tar"]);
        forger
    }

    /// Checks the folder as it is now, and returns what the check says, which must be that it
    /// differs.
    fn caught(&self, what: &str) -> String {
        packed(self.here.path(), &self.unpacked);
        let said = ends(self.here.path(), 1, &["bundle", "--check", "changed.tar"]).0;
        assert!(said.starts_with("not the same: "), "{what}: {said}");
        said
    }

    /// Replaces the bytes of a file for one check, which must name the file.
    fn forge(&self, file: &str, forged: impl FnOnce(Vec<u8>) -> Vec<u8>) -> String {
        let path = self.unpacked.join(file);
        let was = fs::read(&path).expect("a forger works with what is there");
        let forged = forged(was.clone());
        assert!(forged != was, "{file} was not changed");
        fs::write(&path, forged).expect("a forger works with what is there");
        let said = self.caught(file);
        fs::write(&path, was).expect("a forger works with what is there");
        assert!(said.contains(&format!("  {file}: ")), "{said}");
        said
    }

    fn replace(&self, file: &str, from: &str, to: &str) -> String {
        self.forge(file, |was| {
            let was = String::from_utf8(was).expect("a forger works with what is there");
            assert!(was.contains(from), "{file} has no {from}");
            was.replacen(from, to, 1).into_bytes()
        })
    }

    /// Changes each of some values of a JSON file, spread over it, and all of its numbers.
    fn forge_json(&self, file: &str) {
        let read = |bytes: &[u8]| -> Value {
            serde_json::from_slice(bytes).expect("a forger works with what is there")
        };
        let text = |value: &Value| {
            (serde_json::to_string_pretty(value).expect("a forger works with what is there") + "\n")
                .into_bytes()
        };
        let bytes = fs::read(self.unpacked.join(file)).expect("a forger works with what is there");
        let count = leaves(&mut read(&bytes)).len();
        for place in [0, count / 3, 2 * count / 3, count - 1] {
            let (mut was, mut is) = (read(&bytes), read(&bytes));
            let (path, was) = leaves(&mut was).swap_remove(place);
            let forged = other(was);
            *leaves(&mut is).swap_remove(place).1 = forged.clone();
            let said = self.forge(file, |_| text(&is));
            assert!(said.contains(&format!("`{path}`\n    {forged}\n    {was}\n")), "{said}");
        }
        self.forge(file, |bytes| {
            let mut value = read(&bytes);
            for (_, leaf) in leaves(&mut value).into_iter().filter(|(_, leaf)| leaf.is_number()) {
                *leaf = other(leaf);
            }
            text(&value)
        });
    }

    /// What every kind of bundle has.
    fn forge_the_rest(&self) {
        let here = |name: &str| self.unpacked.join(name);
        let card: Value = serde_json::from_slice(
            &fs::read(here("bundle.json")).expect("a forger works with what is there"),
        )
        .expect("a forger works with what is there");
        let said = self.replace("bundle.json", "\"command\": \"hopflow ", "\"command\": \"other ");
        assert!(said.contains("`command`\n    \"other ") && said.contains("\"hopflow "), "{said}");
        let runs = card["runs"].to_string();
        let said = self.replace("bundle.json", &format!("\"runs\": {runs}"), "\"runs\": 99");
        assert!(said.contains(&format!("`runs`\n    99\n    {runs}\n")), "{said}");
        self.replace("bundle.json", "\"title\": ", "\"title\": \"x\", \"was\": ");
        let digest = card["digest"].as_str().expect("a forger works with what is there");
        let said = self.replace("README.md", digest, "0123456789abcdef");
        assert!(said.contains("0123456789abcdef") && said.contains("README.md: line "), "{said}");
        let said = self.forge("README.md", |was| [was, b"All is well.\n".to_vec()].concat());
        assert!(said.contains("    All is well.\n    nothing\n"), "{said}");
        self.forge("README.md", |_| Vec::new());
        self.forge_json("resolved.json");
        // A file too many, and one too few.
        for more in ["results/report.html", "NOTES.md", "scenario/other.csv"] {
            fs::write(here(more), "best of all").expect("a forger works with what is there");
            let said = self.caught(more);
            fs::remove_file(here(more)).expect("a forger works with what is there");
            assert!(said.contains(&format!("{more}: the file\n    a file\n    no file")), "{said}");
        }
        let was = fs::read(here("resolved.json")).expect("a forger works with what is there");
        fs::remove_file(here("resolved.json")).expect("a forger works with what is there");
        let said = self.caught("resolved.json");
        fs::write(here("resolved.json"), was).expect("a forger works with what is there");
        assert!(said.contains("resolved.json: the file\n    no file\n    a file"), "{said}");
    }

    /// What bundles of `run` and `compare` have in addition.
    fn forge_results(&self) {
        for file in ["results/summary.json", "results/manifest.json"] {
            self.forge_json(file);
            self.forge(file, |was| was.iter().map(|byte| byte ^ 0x5a).collect());
            // The same values with other spaces.
            let said = self.forge(file, |was| [was, b" ".to_vec()].concat());
            assert!(said.contains(": line "), "{said}");
        }
        self.forge("results/summary.json", |_| Vec::new());
        self.forge_the_rest();
    }

    /// The command on the card makes the same files in the unpacked folder.
    fn repeat(&self) {
        let card =
            fs::read(self.unpacked.join("bundle.json")).expect("a forger works with what is there");
        let card: Value = serde_json::from_slice(&card).expect("a forger works with what is there");
        let command = card["command"].as_str().expect("a forger works with what is there");
        let binary = Path::new(env!("CARGO_BIN_EXE_hopflow"))
            .parent()
            .expect("a forger works with what is there");
        let path = format!(
            "{}:{}",
            binary.display(),
            std::env::var("PATH").expect("a forger works with what is there")
        );
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("{command} -q")]).current_dir(&self.unpacked).env("PATH", path);
        assert!(
            shell.output().expect("a forger works with what is there").status.success(),
            "{command}"
        );
        for file in
            fs::read_dir(self.unpacked.join("results")).expect("a forger works with what is there")
        {
            let name = file.expect("a forger works with what is there").file_name();
            let of = |folder| {
                fs::read(self.unpacked.join(folder).join(&name))
                    .expect("a forger works with what is there")
            };
            let is_plan = name == "sweep.json";
            assert!(is_plan || of("again") == of("results"), "{command}: {}", name.display());
        }
        fs::remove_dir_all(self.unpacked.join("again")).expect("a forger works with what is there");
    }
}

/// All values of a document that hold no others, with their paths, in order.
fn leaves(value: &mut Value) -> Vec<(String, &mut Value)> {
    fn walk<'v>(path: &str, value: &'v mut Value, found: &mut Vec<(String, &'v mut Value)>) {
        let below = |key: &str| if path.is_empty() { key.into() } else { format!("{path}/{key}") };
        match value {
            Value::Object(map) => {
                map.iter_mut().for_each(|(key, one)| walk(&below(key), one, found));
            }
            Value::Array(list) => {
                let each = list.iter_mut().enumerate();
                each.for_each(|(index, one)| walk(&below(&index.to_string()), one, found));
            }
            leaf => found.push((path.to_owned(), leaf)),
        }
    }
    let mut found = Vec::new();
    walk("", value, &mut found);
    found
}

/// Another value of the same type: a number x becomes 3 x + 1.
fn other(value: &Value) -> Value {
    match value {
        Value::Null => 7.into(),
        Value::Bool(is) => (!is).into(),
        Value::Number(number) => match number.as_u64() {
            Some(whole) => (3 * whole + 1).into(),
            None => {
                (3.0 * number.as_f64().expect("a forger works with what is there") + 1.0).into()
            }
        },
        Value::String(text) => format!("{text}x").into(),
        _ => unreachable!("it holds others"),
    }
}

/// Claim: every forgery of a bundle of one run ends with exit code 1, and names the file, the place
/// and both values.
#[test]
fn a_forged_run_is_found() {
    let forger = Forger::new(&["run", &example("figure-14"), "--duration", "2 ms"]);
    forger.forge_results();
    forger.repeat();
}

/// Claim: the same of several seeds, whose numbers are in no digest.
#[test]
fn forged_seeds_are_found() {
    let file = example("figure-14");
    let forger = Forger::new(&["run", &file, "--duration", "1 ms", "--seeds", "2", "--seed", "5"]);
    forger.forge_results();
    forger.repeat();
}

/// Claim: the same of several controls, one of which does not fit; and titles of controls.
#[test]
fn a_forged_comparison_is_found() {
    let file = example("controls");
    let controls = "as-is,drop-tail,n23";
    let small = "defaults.switch.buffer=20 cells";
    let forger = Forger::new(&[
        "compare",
        &file,
        "--control",
        controls,
        "--duration",
        "1 ms",
        "--set",
        small,
    ]);
    let summary = fs::read_to_string(forger.unpacked.join("results/summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["unfit"][0]["control"], "n23", "{}", summary["unfit"]);
    let title = summary["controls"][0]["title"].as_str().unwrap();
    let said = forger.replace("results/summary.json", title, "the winner");
    assert!(said.contains("`controls/0/title`\n    \"the winner\"\n"), "{said}");
    forger.forge_results();
    forger.repeat();
}

/// Claim: the same of several controls and seeds.
#[test]
fn a_forged_comparison_of_seeds_is_found() {
    let file = example("controls");
    let controls = "as-is,drop-tail";
    let forger = Forger::new(&[
        "compare",
        &file,
        "--control",
        controls,
        "--duration",
        "1 ms",
        "--seeds",
        "2",
    ]);
    forger.forge_results();
    forger.repeat();
}

/// Claim: the titles of the demo are of the demo alone: its bundle is the same, its command is
/// `demo`, and a title that is changed is found.
#[test]
fn a_forged_demo_is_found() {
    let forger = Forger::new(&["demo"]);
    forger.replace("results/summary.json", "credit per VC", "credit");
    forger.replace("results/summary.json", "drop tail", "the scenario as it stands");
    forger.repeat();
}

/// Claim: the same of a sweep. Its scenario is in three places, each of which is compared, and the
/// columns of its axes are compared as well as those that were measured.
#[test]
fn a_forged_sweep_is_found() {
    let file = example("figure-14");
    let axis = "title=\"a\",\"b\"";
    let sweep = |axis| ["sweep", &file, "--set", "duration=1 ms", "--axis", axis, "--seeds", "2"];
    let forger = Forger::new(&sweep(axis));
    let said = forger.forge("scenario/scenario.toml", |_| b"version = 2\nduration = 9\n".to_vec());
    assert!(said.contains("scenario/scenario.toml: line 1\n"), "{said}");
    forger.replace("scenario/scenario.toml", "n3 = 155", "n3 = 154");
    let said = forger.replace("results/scenario.toml", "n3 = 155", "n3 = 154");
    assert!(said.contains("n3 = 154") && said.contains("n3 = 155"), "{said}");
    forger.forge("results/scenario.toml", |_| Vec::new());
    // The copy in the plan: all runs are of it, so all of them differ.
    forger.replace("results/sweep.json", "n3 = 155", "n3 = 154");
    let said = forger.replace("results/sweep.json", "\"file\": \"", "\"file\": \"else/");
    assert!(said.contains("`file`\n    \"else/scenario/"), "{said}");
    // A title is in no key: the rows of another sweep differ in the column of the axis alone.
    let another = tempfile::tempdir().unwrap();
    let other = another.path();
    ends(other, 0, &[&sweep("title=\"a\",\"c\"")[..], &["-q", "--out", "a"]].concat());
    let said =
        forger.forge("results/runs.parquet", |_| fs::read(other.join("a/runs.parquet")).unwrap());
    assert!(said.contains("title \"\"c\"\"\n") && said.contains("title \"\"b\"\"\n"), "{said}");
    forger.forge_the_rest();
    forger.repeat();
}
