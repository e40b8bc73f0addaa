//! The command with algorithms of its user, `examples/own_scheduler`: scenarios may name them in
//! every command, and the command without them refuses the file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program, an example of this package, which `cargo test` builds beside its tests.
fn own_scheduler() -> PathBuf {
    let command = Path::new(env!("CARGO_BIN_EXE_hopflow"));
    let folder = command.parent().expect("a program is in a folder");
    let name = format!("own_scheduler{}", std::env::consts::EXE_SUFFIX);
    let program = folder.join("examples").join(name);
    assert!(program.exists(), "`cargo build -p hopflow-cli --examples` builds {program:?}");
    program
}

fn scenario() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/own_scheduler/scenario.toml")
}

fn output(program: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(args).arg(scenario()).output().expect("the program starts")
}

/// Claim: `run` and `compare` give results in the program that has the machine, with its name and
/// version in the manifest; the command without it names it in one error.
#[test]
fn a_scenario_names_a_machine_of_the_program() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().join("run").display().to_string();
    let run = output(&own_scheduler(), &["run", "--out", &place]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let manifest = std::fs::read_to_string(folder.path().join("run/manifest.json"));
    let manifest: serde_json::Value =
        serde_json::from_str(&manifest.expect("a manifest is written")).expect("it is JSON");
    let of_switch = &manifest["scenario"]["links"][3]["directions"][0]["scheduler"];
    assert_eq!(
        (&of_switch["machine"], &of_switch["version"]),
        (&"longest-queue".into(), &1.into())
    );

    let place = folder.path().join("compare").display().to_string();
    // 20, 40 and 80 Mb/s into 100 Mb/s: all queues grow alike, by 40 / 3 Mb/s, for 100 ms.
    let summary = std::fs::read_to_string(folder.path().join("run/summary.json"));
    let summary: serde_json::Value =
        serde_json::from_str(&summary.expect("a summary is written")).expect("it is JSON");
    for (vc, expected) in [83, 333, 833].into_iter().enumerate() {
        let received = summary["vcs"][vc]["received_packets"].as_u64().expect("a count");
        assert!(received.abs_diff(expected) <= 2, "flow {vc}: {received}, not {expected}");
    }

    let args = ["compare", "--control", "as-is,pfc", "--out", &place];
    let compared = output(&own_scheduler(), &args);
    assert!(compared.status.success(), "{}", String::from_utf8_lossy(&compared.stderr));

    let plain = output(Path::new(env!("CARGO_BIN_EXE_hopflow")), &["check"]);
    assert_eq!(plain.status.code(), Some(2));
    let said = String::from_utf8_lossy(&plain.stderr).into_owned();
    assert!(said.contains("HF0096") && said.contains("longest-queue"), "{said}");
}
