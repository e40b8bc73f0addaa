//! What is said of each mistake, in the program that leaves no command out that is named here.

#![cfg(feature = "results")]

use clap::Parser as _;

use super::*;

fn of(args: &[&str]) -> Option<String> {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let wrong = Args::try_parse_from(args.clone()).expect_err("it is a mistake");
    said(&wrong, &args)
}

/// Claim: a scenario in place of a command, and a key in place of an option, have their way
/// out; other mistakes are left to clap. A directory is no scenario.
#[test]
fn a_scenario_and_a_key_have_their_way_out() {
    let said = of(&["hopflow", "my.toml"]).expect("it is known");
    assert!(said.contains("`hopflow run my.toml` runs it"), "{said}");
    let said = of(&["hopflow", "run", "my.toml", "--rate", "10"]).expect("it is known");
    assert!(said.contains("`--set \"defaults.link.rate=VALUE\"`"), "{said}");
    let said = of(&["hopflow", "run", "my.toml", "--n3", "10"]).expect("it is known");
    assert!(said.contains("`--set \"defaults.flow.control.n3=VALUE\"`"), "{said}");
    let said = of(&["hopflow", "src/lib.rs"]).expect("it is a file");
    assert!(said.starts_with("`src/lib.rs` is a file, not a command"), "{said}");
    assert_eq!(of(&["hopflow", "src"]), None);
    assert_eq!(of(&["hopflow", "run", "my.toml", "--verbose"]), None);
    assert_eq!(of(&["hopflow", "explain", "--rate"]), None);
}

/// Claim: a mistyped command and another program's word for it are answered by the command; what
/// is near none is left to clap.
#[test]
fn a_command_that_is_nearly_written_is_found() {
    for (written, meant) in
        [("rum", "run"), ("rnu", "run"), ("rn", "run"), ("simulate", "run"), ("lint", "check")]
    {
        let said = of(&["hopflow", written, "my.toml"]).expect("it is known");
        assert!(said.contains(&format!("did you mean `hopflow {meant}`?")), "{said}");
    }
    assert_eq!(of(&["hopflow", "frobnicate"]), None);
    // Each word of others stands for a command or an option that there is.
    let program = Args::command();
    for (other, ours) in COMMANDS {
        assert!(program.find_subcommand(ours).is_some(), "{ours}");
        assert!(program.find_subcommand(other).is_none(), "{other} is a command");
    }
    for (other, ours) in OPTIONS {
        assert!(program.get_subcommands().any(|command| takes(command, ours)), "{other}: {ours}");
    }
}

/// Claim: another program's word for an option is answered by ours where the command has it, with
/// the value it then takes; `why` has no CSV.
#[test]
fn an_option_of_another_name_is_found() {
    let said = |args: &[&str]| of(args).unwrap_or_default();
    assert!(said(&["hopflow", "why", "r", "--flow", "a"]).contains("did you mean `--vc`?"));
    assert!(said(&["hopflow", "run", "a", "--until", "1 s"]).contains("`--duration`?"));
    assert!(said(&["hopflow", "run", "a", "-o", "x"]).contains("did you mean `--out`?"));
    assert!(said(&["hopflow", "why", "r", "--json"]).contains("did you mean `--format json`?"));
    assert_eq!(of(&["hopflow", "why", "r", "--csv"]), None);
}

/// Claim: a second scenario, a key without `--set`, YAML and a shell without completions each have
/// their way out.
#[test]
fn a_word_too_many_has_its_way_out() {
    let said = |args: &[&str]| of(args).unwrap_or_default();
    let two = said(&["hopflow", "run", "a.toml", "b.toml"]);
    assert!(two.contains("takes one scenario, and `b.toml` is a second one"), "{two}");
    assert!(said(&["hopflow", "run", "a.toml", "seed=3"]).contains("`--set \"seed=3\"`"));
    let yaml = said(&["hopflow", "run", "a.toml", "--format", "yaml"]);
    assert!(yaml.contains("`--format json` prints JSON"), "{yaml}");
    let vary = said(&["hopflow", "sweep", "a.toml", "--vary", "n2=1..9"]);
    assert!(vary.contains("did you mean `--axis \"KEY=FROM..TO/COUNT\"`?"), "{vary}");
    let tcsh = said(&["hopflow", "completions", "tcsh"]);
    assert!(tcsh.contains("no completions for `tcsh`, but for: bash, elvish"), "{tcsh}");
    assert_eq!(of(&["hopflow", "explain", "HF0001", "HF0002"]), None);
}

/// Claim: an option that is far from what was written is not suggested; one that is near is.
#[test]
fn only_what_is_near_is_suggested() {
    let shown = |args: &[&str]| {
        let mut wrong = Args::try_parse_from(args).expect_err("it is a mistake");
        keep_near(&mut wrong);
        wrong.to_string()
    };
    let far = shown(&["hopflow", "why", "r", "--flows", "a"]);
    assert!(!far.contains("--all-rows") && far.contains("unexpected argument '--flows'"), "{far}");
    let near = shown(&["hopflow", "why", "r", "--hosp"]);
    assert!(near.contains("a similar argument exists: '--hops'"), "{near}");
    let near = shown(&["hopflow", "run", "r", "--format", "jsn"]);
    assert!(near.contains("a similar value exists: 'json'"), "{near}");
}
