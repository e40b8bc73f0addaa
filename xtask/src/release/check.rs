//! Whether the files of a release work: they are unpacked, installed and run, away from the
//! project.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{LIBRARY_NOTICE, LICENCES, NOTICE, Release, VERSION, empty, exe, pack, printed, share};
use crate::python::{self, BIN};
use crate::steps::{Chore, root};

/// Contains the digest of the first scenario.
const DOCUMENT: &str = include_str!("../../../docs/python.md");

/// Steps that fail if the packed files do not work.
pub(super) fn check(
    chore: &mut Chore,
    interpreter: &Path,
    release: &Release,
    wheel: &Path,
) -> Result<()> {
    let repeat = "cargo xtask release";
    let wanted = digest_in(DOCUMENT).context("docs/python.md tells no digest of the first run")?;
    let folder = release.inside.with_file_name("check");
    let packed = |args: &[&Path]| pack(interpreter, args);
    chore.step("the sums of the files", repeat, || packed(&["check".as_ref(), &release.out]))?;
    chore.step("the command from the archive: doctor and digest", repeat, || {
        empty(&folder)?;
        packed(&["unpack".as_ref(), &release.archive(), &folder])?;
        let name = release.inside.file_name().context("the archive has a name")?;
        let top = folder.join(name);
        works(&top.join(exe("hopflow")), &folder, wanted)?;
        let example = ["check", "examples/victim.toml"];
        printed(Command::new(top.join(exe("hopflow"))).args(example).current_dir(&top))?;
        complete(release, &top.join(exe("hopflow")), &top)
    })?;
    chore.step("licences and notices in the wheel", repeat, || {
        let notices = [NOTICE, LIBRARY_NOTICE].map(|name| release.inside.join(name));
        let notices = notices.into_iter().filter(|path| path.is_file());
        let licences = LICENCES[1..].iter().map(|name| root().join(name));
        let files: Vec<PathBuf> = licences.chain(notices).collect();
        let files = files.iter().map(PathBuf::as_path);
        packed(&["licences".as_ref(), wheel].into_iter().chain(files).collect::<Vec<_>>())
    })?;
    chore.step("the command from the wheel: doctor and digest", repeat, || {
        let (folder, place) = (folder.join("wheel"), python::folder("release-check"));
        empty(&folder)?;
        python::fresh(interpreter, &place)?;
        let mut pip = Command::new(place.join(BIN).join("python"));
        pip.args(["-m", "pip", "install", "--quiet", "--no-index"]).arg(wheel);
        python::run(&mut pip)?;
        works(&place.join(BIN).join(exe("hopflow")), &folder, wanted)?;
        complete(release, &place.join(BIN).join(exe("hopflow")), &place)?;
        let mut import = Command::new(place.join(BIN).join("python"));
        import.args(["-c", python::FIRST_LINES]).current_dir(&folder);
        python::run(&mut import)
    })
}

/// Runs a command in `folder`: its version, `doctor`, and the digest of its first scenario.
fn works(command: &Path, folder: &Path, wanted: &str) -> Result<()> {
    let run = |args: &[&str]| printed(Command::new(command).args(args).current_dir(folder));
    let version = run(&["--version"])?;
    if version != format!("hopflow {VERSION}") {
        bail!("`--version` prints `{version}`, but this is hopflow {VERSION}");
    }
    println!("{version}\n{}", run(&["doctor"])?);
    run(&["init", "first.toml"])?;
    let result = run(&["run", "first.toml", "--format", "json"])?;
    let result: Value = serde_json::from_str(&result).context("read the result of the run")?;
    let digest = result["manifest"]["digest"].as_str().unwrap_or_default();
    if digest != wanted {
        bail!("the first scenario has the digest `{digest}`, docs/python.md says `{wanted}`");
    }
    println!("the first scenario has its digest {digest}");
    Ok(())
}

/// Whether all man pages are below `prefix`, and `hopflow lab` serves its page.
fn complete(release: &Release, command: &Path, prefix: &Path) -> Result<()> {
    let [made, packed] =
        [&release.inside, prefix].map(|top| share::pages(&top.join(share::FOLDER)));
    let (made, packed) = (made?, packed?);
    if packed != made {
        bail!("{} has {packed} man pages, but {made} were made", prefix.display());
    }
    if release.lab {
        let title = served(command).context("`hopflow lab` serves no page")?;
        println!("`hopflow lab` serves {title}");
    }
    Ok(())
}

/// The title of the page that `hopflow lab` serves.
fn served(command: &Path) -> Result<String> {
    let mut lab = Command::new(command);
    lab.args(["lab", "--port", "0"]).stderr(Stdio::piped()).stdin(Stdio::null());
    let mut lab = lab.spawn().context("start it")?;
    let title = title(lab.stderr.take().context("it has a stderr")?);
    lab.kill().context("end it")?;
    lab.wait().context("end it")?;
    title
}

/// The title of the page at the address that the first line of `said` names.
fn title(said: impl Read) -> Result<String> {
    let mut line = String::new();
    BufReader::new(said).read_line(&mut line).context("read what it says")?;
    let host = line.split_once("http://").and_then(|(_, rest)| rest.split_once('/'));
    let (host, _) = host.with_context(|| format!("it says `{}`", line.trim_end()))?;
    let mut stream = TcpStream::connect(host).with_context(|| format!("connect to {host}"))?;
    stream.set_read_timeout(Some(Duration::from_secs(30))).context("set a time")?;
    write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").context("ask")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).context("read the page")?;
    let title = answer.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    Ok(title.with_context(|| format!("the answer has no title: {answer}"))?.0.to_owned())
}

/// The digest in the line of the document that prints it.
fn digest_in(document: &str) -> Option<&str> {
    let line = document.lines().find(|line| line.contains("print(result.digest)"))?;
    let digest = line.split_once("# ")?.1.get(..16)?;
    digest.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(digest)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Claim: the title is that of the page at the printed address; other words and an answer
    /// without a title are errors that show them.
    #[test]
    fn title_is_read_from_the_server() {
        let served = |answer: &'static str| {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            let address = listener.local_addr().expect("it has one");
            let server = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().expect("one comes");
                // All of the request: what is unread as a server closes resets the connection.
                let asked = BufReader::new(stream.try_clone().expect("it reads"));
                let mut lines = asked.lines().map(|line| line.expect("it asks"));
                assert!(lines.any(|line| line.is_empty()), "a request ends with an empty line");
                stream.write_all(answer.as_bytes()).expect("it reads");
            });
            let said = format!("The lab is at http://{address}/ for this machine only.\n");
            let title = title(said.as_bytes());
            server.join().expect("it ends");
            title
        };
        assert_eq!(served("HTTP/1.1 200 OK\r\n\r\n<title>a b</title>").expect("a page"), "a b");
        let bare = served("HTTP/1.1 404 Not Found\r\n\r\n").expect_err("no page").to_string();
        assert!(bare.contains("404"), "{bare}");
        let said = title("built without the lab\n".as_bytes()).expect_err("no address").to_string();
        assert!(said.contains("built without the lab"), "{said}");
    }

    /// Claim: the document contains a digest of 16 digits; another text in its place is refused.
    #[test]
    fn digest_is_read_from_the_document() {
        assert_eq!(digest_in(DOCUMENT).map(str::len), Some(16));
        let line = "print(result.digest)    # 0123456789abcdef, as ever";
        assert_eq!(digest_in(line), Some("0123456789abcdef"));
        assert_eq!(digest_in("print(result.digest)    # a digest of the run"), None);
        assert_eq!(digest_in("print(result.digest)"), None);
    }
}
