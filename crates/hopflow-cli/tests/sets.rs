//! The command with all of its features, and without: `cargo test -p hopflow-cli` and
//! `cargo test -p hopflow-cli --no-default-features`.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/figure-14.toml");

fn hopflow(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    command.current_dir(folder).args(args).env("NO_COLOR", "1").output().expect("it was built")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn digest(folder: &Path, args: &[&str]) -> Value {
    let output = hopflow(folder, args);
    assert!(output.status.success(), "{args:?}: {}", said(&output));
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    document["manifest"]["digest"].clone()
}

/// Claim: features change what is kept and never what is run: `run`, and `compare` of several
/// controls, have one digest whatever features the command is built with.
#[test]
fn features_change_no_digest() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let json = ["--no-directory", "--format", "json"];
    let run = [&["run", EXAMPLE, "--duration", "5 ms"], &json[..]].concat();
    assert_eq!(digest(folder, &run), "0097fbaad43e2ee1");
    let compare = ["compare", EXAMPLE, "--control", "drop-tail,n23", "--duration", "5 ms"];
    assert_eq!(digest(folder, &[&compare, &json[..]].concat()), "b913854a42a16751");
}

/// Claim: without the feature `results` a run is printed with a note that nothing is kept, and no
/// directory is left; what keeps or reads directories is refused by one error that names the
/// feature and the line of Cargo.toml.
#[cfg(not(feature = "results"))]
#[test]
fn what_is_left_out_names_its_feature() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let run = hopflow(folder, &["run", EXAMPLE, "--duration", "1 ms"]);
    assert!(run.status.success() && !run.stdout.is_empty(), "{}", said(&run));
    assert!(said(&run).contains("not kept"), "{}", said(&run));
    let quiet = hopflow(folder, &["run", EXAMPLE, "--duration", "1 ms", "--no-directory"]);
    assert!(!said(&quiet).contains("not kept"), "{}", said(&quiet));
    let left = std::fs::read_dir(folder).expect("it is there").count();
    assert_eq!(left, 0, "files are left");

    let line = |features: &str| {
        format!("hopflow-cli = {{ ..., default-features = false, features = [{features}] }}")
    };
    for (args, features) in [
        (&["sweep", EXAMPLE][..], "\"results\""),
        (&["reproduce", "--list"], "\"papers\""),
        (&["schema", "--results"], "\"papers\""),
        (&["emulate", EXAMPLE], "\"live\""),
        (&["run", EXAMPLE, "--out", "here"], "\"results\""),
        (&["compare", EXAMPLE, "--force"], "\"results\""),
        (&["run", EXAMPLE, "--trace-format", "pcapng"], "\"results\""),
        (&["why", "."], "\"results\""),
    ] {
        let refused = hopflow(folder, args);
        let said = said(&refused);
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.starts_with("error: ") && said.contains(&line(features)), "{args:?}: {said}");
        assert_eq!(said.matches("error").count(), 1, "{args:?}: {said}");
    }
    let help = hopflow(folder, &["--help"]);
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(help.contains("papers   reproduce") && !help.contains("with SQL"), "{help}");
}
