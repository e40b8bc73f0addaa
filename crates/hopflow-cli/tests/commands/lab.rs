//! `hopflow lab`, built with the page and without it.

use super::ends;

/// Claim: a command without the lab says how to get it.
#[cfg(not(feature = "lab"))]
#[test]
fn without_the_page_it_says_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    for args in [&["lab"][..], &["lab", "--port", "0"]] {
        let (out, err) = ends(folder.path(), 2, args);
        assert_eq!(out, "");
        for way in ["the archive", "the wheel", "cargo xtask lab", "--features lab"] {
            assert!(err.contains(way), "{way}: {err}");
        }
    }
    assert!(ends(folder.path(), 2, &["lab", "--port", "70000"]).1.contains("65535"));
}

/// Claim: what is no IP address is one error that names the value and shows a right one.
#[test]
fn a_wrong_address_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    for wrong in
        ["localhost", "192.168.1", "192.168.1.300", "192.168.1.20:4994", "fe80::1%eth0", ""]
    {
        let (out, err) = ends(folder.path(), 2, &["lab", "--bind", wrong]);
        assert_eq!(out, "");
        assert_eq!(err.matches("error:").count(), 1, "{err}");
        for part in [&format!("'{wrong}'"), "--bind", "192.168.1.20", "0.0.0.0"] {
            assert!(err.contains(part), "{part}: {err}");
        }
    }
}

/// Claim: the page is served at the address that is printed, stdout stays empty, a port that is
/// taken is an error with the way out, and Ctrl-C is the good end.
#[cfg(all(feature = "lab", unix))]
#[test]
fn the_page_is_served_until_interrupted() {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::net::TcpStream;
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
    command.args(["lab", "--port", "0"]).current_dir(folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let (_, rest) = line.split_once("http://").expect(&line);
    let (host, _) = rest.split_once('/').unwrap();
    let (_, port) = host.split_once(':').unwrap();

    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("<title>hopflow lab</title>"), "{answer}");

    let taken = ends(folder.path(), 2, &["lab", "--port", port]).1;
    assert!(taken.contains(port) && taken.contains("`--port 0`"), "{taken}");

    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty());
}

/// Claim: the page reaches others only where that is requested, with a warning; an address of
/// another machine is one error.
#[cfg(all(feature = "lab", unix))]
#[test]
fn others_reach_it_only_on_request_with_a_warning() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let lines = |args: &[&str], count: usize| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hopflow"));
        command.args(["lab", "--port", "0"]).args(args).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let read = BufReader::new(child.stderr.take().unwrap()).lines();
        let lines: Vec<String> = read.take(count).map(Result::unwrap).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        lines.join("\n")
    };
    let local = lines(&[], 1);
    assert!(local.contains("127.0.0.1") && local.contains("this machine only"), "{local}");
    let public = lines(&["--bind", "0.0.0.0"], 2);
    assert!(public.contains("all machines that reach it"), "{public}");
    assert!(public.contains("\nwarning: others on the network can open"), "{public}");
    let other = ends(folder.path(), 2, &["lab", "--bind", "198.51.100.77"]).1;
    assert_eq!(other.matches("error: ").count(), 1, "{other}");
    assert!(other.contains("198.51.100.77 is not an address of this machine"), "{other}");
}
