//! `hopflow emulate`, where hosts can be made, and what it refuses anywhere.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{ends, example, text, wait_for};

fn emulate(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    command.current_dir(folder).arg("emulate").args(args).env("NO_COLOR", "1");
    command.output().expect("the command was built")
}

/// Claim: mistakes are errors before any host is made, with what there is instead.
#[test]
fn emulate_refuses_what_it_cannot_do() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("tcp-over-atm");
    let none = ends(here, 2, &["emulate", &example("one-vc")]).1;
    assert!(none.contains("only connections have real hosts"), "{none}");
    let seeds = ends(here, 2, &["emulate", &file, "--seeds", "3"]).1;
    assert!(seeds.contains("--seeds"), "{seeds}");
    let nothing = ends(here, 2, &["emulate", &file, "--replay", "nowhere"]).1;
    assert!(nothing.contains("live.json") && nothing.contains("an emulated run"), "{nothing}");
    assert!(ends(here, 2, &["emulate", &file, "--at", "A1"]).1.contains("<PROGRAM>"));
    let unknown = ends(here, 2, &["emulate", &file, "--congestion", "S1=reno"]).1;
    assert!(unknown.contains("there are A1, A2, B1, B2"), "{unknown}");
    let unexpected = ends(here, 2, &["emulate", &file, "--expect"]).1;
    assert!(unexpected.contains("there is no `[expect]` table"), "{unexpected}");
    let who = ends(here, 0, &["emulate", &file, "--addresses"]).0;
    assert_eq!(who.lines().nth(1), Some("plain: A2 10.77.0.5, B2 10.77.0.6"), "{who}");
    assert!(std::fs::read_dir(here).unwrap().next().is_none(), "nothing is written");
}

/// Claim: real hosts send through the network of the scenario; a program on one of them gets its
/// address; what was sent gives the same digest again, and another digest once it is changed.
#[test]
fn real_hosts_send_and_are_simulated_again() {
    if let Err(why) = hopflow_live::can_make_hosts() {
        let why = format!("no real hosts here: {why}");
        hopflow_testing::skip("real_hosts_send_and_are_simulated_again", why);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("tcp-over-atm");
    let done = emulate(here, &[&file, "--duration", "1 s", "--out", "bulk"]);
    let said = text(&done.stderr);
    // A busy machine is late: then the code is 5, and it says so.
    assert!(matches!(done.status.code(), Some(0 | 5)), "{said}");
    assert_eq!(done.status.code() == Some(5), said.contains("disturbed:"), "{said}");
    assert!(said.contains("late: ") && said.contains("credit: "), "{said}");
    let page = std::fs::read_to_string(here.join("bulk/report.html")).unwrap();
    assert!(page.contains("How late packets were written to their host"));
    assert_eq!(page.contains("Disturbed: "), said.contains("disturbed:"));
    let again = ends(here, 0, &["emulate", &file, "--replay", "bulk", "--no-directory"]).0;
    assert_eq!(again, text(&done.stdout));
    let path = here.join("bulk/sent.csv");
    let sent = std::fs::read_to_string(&path).unwrap();
    assert!(sent.lines().count() > 100, "{} lines", sent.lines().count());
    let less: Vec<&str> = sent.lines().take(50).collect();
    std::fs::write(&path, less.join("\n") + "\n").unwrap();
    let other = ends(here, 1, &["emulate", &file, "--replay", "bulk", "--no-directory"]).1;
    assert!(other.contains("another digest"), "{other}");
    std::fs::write(&path, sent.replace("plain,", "plane,")).unwrap();
    let other = ends(here, 2, &["emulate", &file, "--replay", "bulk", "--no-directory"]).1;
    assert!(other.contains("connection `plane`"), "{other}");

    // What is expected is judged, beside the evidence of the run.
    let expected = |least: f64| {
        let text = std::fs::read_to_string(&file).unwrap();
        let path = here.join("expected.toml");
        let values = "[[expect.values]]\npath = \"live/connections/credit/read_bps\"\n";
        let lost = "[[expect.values]]\npath = \"vcs/credit/dropped_packets\"\nmost = 0\n";
        let text = format!("{text}\n{values}least = {least:e}\n{lost}");
        std::fs::write(&path, text).unwrap();
        emulate(here, &["expected.toml", "--duration", "1 s", "--no-directory", "--expect"])
    };
    let met = text(&expected(1.0).stderr);
    assert_eq!(met.lines().filter(|line| line.starts_with("met: ")).count(), 2, "{met}");
    let missed = expected(1e9);
    let said = text(&missed.stderr);
    assert!(said.contains("missed: `live/connections/credit/read_bps` is"), "{said}");
    assert!(matches!(missed.status.code(), Some(1 | 5)), "{said}");

    let script = "echo from $HOPFLOW_ADDRESS to $HOPFLOW_PEER; exit 3";
    let done =
        emulate(here, &[&file, "-q", "--no-directory", "--at", "B2", "--", "sh", "-c", script]);
    assert!(text(&done.stdout).starts_with("from 10.77.0.6 to 10.77.0.5\n"));
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    let none = emulate(here, &[&file, "--at", "A1", "--", "no-such-program"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("no-such-program"), "{}", text(&none.stderr));
    let none = emulate(here, &[&file, "--at", "S1", "--", "true"]);
    assert!(text(&none.stderr).contains("there are A1, A2, B1, B2"), "{}", text(&none.stderr));
    let none = emulate(here, &[&file, "--congestion", "none-such"]);
    assert!(text(&none.stderr).contains("modprobe tcp_NAME"), "{}", text(&none.stderr));
}

/// Claim: a killed run leaves nothing: its program ends, too, and with the last process its
/// networks and devices. Ctrl-C ends it as any run, with what was done kept.
#[test]
#[cfg(unix)]
fn nothing_is_left_of_a_killed_run() {
    if let Err(why) = hopflow_live::can_make_hosts() {
        let why = format!("no real hosts here: {why}");
        hopflow_testing::skip("nothing_is_left_of_a_killed_run", why);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("tcp-over-atm");
    // A program that nobody else has started.
    let time = format!("1{:09}", std::process::id());
    for (signal, code) in [("KILL", None), ("INT", Some(130))] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
        command.current_dir(here).args(["emulate", &file, "--duration", "60 s", "--out", signal]);
        command.args(["--at", "A1", "--", "sleep", &time]);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for(&mut run, "the program starts", |_| is_running(&time));
        let mut kill = Command::new("kill");
        kill.args([format!("-{signal}"), run.id().to_string()]);
        assert!(kill.status().unwrap().success());
        wait_for(&mut run, "the run ends", |run| run.try_wait().unwrap().is_some());
        assert_eq!(run.wait().unwrap().code(), code, "{signal}");
        wait_for(&mut run, "the program ends", |_| !is_running(&time));
    }
    assert!(here.join("INT/live.json").exists(), "what was done is kept");
}

/// Claim: a killed run leaves its session with the priority that it had.
#[test]
#[cfg(unix)]
fn a_killed_run_leaves_the_priority_of_its_session() {
    let test = "a_killed_run_leaves_the_priority_of_its_session";
    if let Err(why) = hopflow_live::can_make_hosts() {
        hopflow_testing::skip(test, format!("no real hosts here: {why}"));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // A session of its own: other tests raise that of all tests.
    let script = "nice() { sed 's/.* nice //' /proc/self/autogroup; }; before=$(nice); \
                  \"$0\" \"$@\" & run=$!; \
                  for _ in $(seq 3000); do [ \"$(nice)\" = -20 ] && break; sleep .01; done; \
                  echo raised to \"$(nice)\"; kill -9 $run; \
                  for _ in $(seq 3000); do [ \"$(nice)\" = $before ] && break; sleep .01; done; \
                  echo restored to \"$(nice)\", before \"$before\"";
    let mut session = Command::new("setsid");
    session.current_dir(folder.path()).args(["-w", "sh", "-c", script]);
    session.args([env!("CARGO_BIN_EXE_hopflow"), "emulate", &example("tcp-over-atm"), "-q"]);
    let done = session.args(["--no-directory", "--duration", "60 s"]).output();
    let Ok(done) = done else {
        hopflow_testing::skip(test, "there is no setsid".to_owned());
        return;
    };
    let said = text(&done.stdout);
    if !said.starts_with("raised to -20") {
        hopflow_testing::skip(test, format!("only root raises a session: {said}"));
        return;
    }
    let (_, after) = said.split_once("restored to ").expect("it is said");
    let (after, before) = after.trim().split_once(", before ").expect("it is said");
    assert_eq!(after, before);
}

/// Claim: what a program has started ends with it, at a normal end and as the command is killed;
/// the program starts once a server listens, and a socket that never listens is an error.
#[test]
#[cfg(unix)]
fn nothing_is_left_of_what_a_program_starts() {
    if let Err(why) = hopflow_live::can_make_hosts() {
        let why = format!("no real hosts here: {why}");
        hopflow_testing::skip("nothing_is_left_of_what_a_program_starts", why);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = example("tcp-over-atm");
    let time = format!("2{:09}", std::process::id());
    let short = ["-q", "--no-directory", "--duration", "20 s"];
    let children = format!("sleep {time} & (sleep {time} &) ; echo both; sleep .2");
    let args = [&[&file[..]], &short[..], &["--at", "A1", "--", "sh", "-c", &children]].concat();
    let done = emulate(here, &args);
    assert!(text(&done.stdout).starts_with("both\n"), "{}", text(&done.stderr));
    let mut nobody = Command::new("true").spawn().unwrap();
    wait_for(&mut nobody, "its children end", |_| !is_running(&time));

    let forever = format!("sleep {time} & (sleep {time} &) ; sleep {time}");
    let args = [&[&file[..]], &short[..], &["--at", "A1", "--", "sh", "-c", &forever]].concat();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    command.current_dir(here).arg("emulate").args(args);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(&mut run, "the program starts", |_| is_running(&time));
    run.kill().unwrap();
    run.wait().unwrap();
    wait_for(&mut run, "its children end", |_| !is_running(&time));

    // A server that listens late, in Python as no other server is everywhere.
    let serve = "B1=python3 -S late.py";
    let late = "import socket, time\ntime.sleep(1)\nsocket.create_server(('', 5201)).accept()\n";
    std::fs::write(here.join("late.py"), late).unwrap();
    let connect = "import os, socket; socket.create_connection((os.environ['HOPFLOW_PEER'], 5201))";
    let program = ["--serve", serve, "--ready", "B1:5201", "--at", "A1", "--", "python3", "-c"];
    let args = [&[&file[..]], &short[..], &program[..], &[connect]].concat();
    let done = emulate(here, &args);
    assert!(matches!(done.status.code(), Some(0 | 5)), "{}", text(&done.stderr));
    let never = ["--duration", "1 s", "--serve", serve, "--ready", "B1:5202", "--at", "A1", "--"];
    let args = [&[&file[..], "-q", "--no-directory"], &never[..], &["true"]].concat();
    let done = emulate(here, &args);
    assert_eq!(done.status.code(), Some(2));
    let said = text(&done.stderr);
    assert!(said.contains("--ready B1:5202: no socket listened there during the run"), "{said}");
    let wrong = ends(here, 2, &["emulate", &file, "--serve", serve, "--ready", "B1", "--at", "A1"]);
    assert!(wrong.1.contains("<PROGRAM>"), "{}", wrong.1);
    let args = [&file[..], "--serve", serve, "--ready", "B1:x", "--at", "A1", "--", "true"];
    let wrong = emulate(here, &args);
    assert!(text(&wrong.stderr).contains("give HOST:PORT"), "{}", text(&wrong.stderr));
}

/// Whether there is a process `sleep TIME`.
#[cfg(unix)]
fn is_running(time: &str) -> bool {
    let line = format!("sleep\0{time}\0");
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let read = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("cmdline"));
    all.filter_map(|entry| read(entry).ok()).any(|found| found == line)
}
