//! `hopflow man`: the man pages, made from the arguments of the commands, one page for each.
//!
//! A page has what `--help` prints. What follows the options there is set as it is, under EXIT
//! STATUS for `hopflow`, under EXAMPLES for a command.

use std::fs;
use std::io;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::Outcome;
use crate::args::{Args, ManArgs};
use crate::fail::Fail;

/// The day of the version in CHANGELOG.md, which is the date of the pages.
const DATE: &str = "2026-11-28";

pub(crate) fn man(args: &ManArgs) -> Outcome {
    let unwritten = |path: &std::path::Path, cause: io::Error| {
        Fail::Unwritten(format!("`{}` cannot be written: {cause}", path.display()))
    };
    fs::create_dir_all(&args.dir).map_err(|cause| unwritten(&args.dir, cause))?;
    let pages = pages().map_err(|cause| Fail::Fault(format!("a page cannot be made: {cause}")))?;
    for (name, page) in &pages {
        let path = args.dir.join(name);
        fs::write(&path, page).map_err(|cause| unwritten(&path, cause))?;
    }
    eprintln!("Wrote {} man pages into {}.", pages.len(), args.dir.display());
    Ok(())
}

/// Name and text of each page.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    // `help` prints what the pages say.
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    add(&program, &mut pages)?;
    Ok(pages)
}

/// Adds the page of a command and those of its own commands.
fn add(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    pages.push((format!("{name}.1"), page(name, command)?));
    command.get_subcommands().try_for_each(|one| add(one, pages))
}

fn page(name: &str, command: &Command) -> io::Result<Vec<u8>> {
    let version = format!("hopflow {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).title(name.to_uppercase()).section("1");
    let man = man.date(DATE).source(version).manual("hopflow");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    let mut rest = Roff::new();
    if let Some(after) = command.get_after_help() {
        let title = if name == "hopflow" { "EXIT STATUS" } else { "EXAMPLES" };
        rest.control("SH", [title]).control("nf", []);
        for line in after.to_string().lines() {
            rest.text([roman(line)]);
        }
        rest.control("fi", []);
    }
    if let Some((above, _)) = name.rsplit_once('-') {
        rest.control("SH", ["SEE ALSO"]).text([bold(above), roman("(1)")]);
    }
    rest.to_writer(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::process::Command as Process;

    use super::*;

    /// Claim: `hopflow` and each command has a page with its name, its options and its examples.
    #[test]
    fn every_command_has_a_page() {
        let pages = pages().expect("they are made");
        let of = |name: &str| {
            let found = pages.iter().find(|(file, _)| file == &format!("{name}.1"));
            String::from_utf8(found.expect(name).1.clone()).expect("it is text").replace('\\', "")
        };
        assert!(of("hopflow").contains("EXIT STATUS") && of("hopflow").contains("hopflow-run(1)"));
        for command in Args::command().get_subcommands().filter(|one| one.get_name() != "help") {
            let page = of(&format!("hopflow-{}", command.get_name()));
            let shown = command.get_arguments().filter(|one| !one.is_hide_set());
            let options = shown.filter_map(clap::Arg::get_long);
            let missing: Vec<&str> =
                options.filter(|long| !page.contains(&format!("--{long}"))).collect();
            assert_eq!(missing, [""; 0], "{}", command.get_name());
            let has_example = page.contains("SH EXAMPLES") && page.contains("\n  hopflow ");
            assert!(has_example || command.get_after_help().is_none(), "{page}");
        }
        assert!(of("hopflow-sweep-status").contains("SEE ALSO"));
    }

    /// Claim: the version is that of the citation and of the page of the lab; its date, which the
    /// pages have, that of the changelog and of the citation.
    #[test]
    fn version_and_date_are_the_same_everywhere() {
        let version = env!("CARGO_PKG_VERSION");
        let changes = include_str!("../../../../CHANGELOG.md");
        let heading = format!("\n## [{version}] - {DATE}\n");
        assert!(changes.contains(&heading), "no heading{heading}in CHANGELOG.md");
        let cited = include_str!("../../../../CITATION.cff");
        let lines = format!("\nversion: {version}\ndate-released: {DATE}\n");
        assert!(cited.contains(&lines), "no lines{lines}in CITATION.cff");
        let page = include_str!("../../../../lab/package.json");
        assert!(page.contains(&format!("\"version\": \"{version}\"")), "{version}");
    }

    /// Claim: groff and mandoc, where they are installed, set every page: groff without a warning,
    /// mandoc without an error. (It warns of blank lines around possible values, which the library
    /// sets.)
    #[test]
    fn pages_are_set_without_a_mistake() {
        let folder = tempfile::tempdir().expect("a folder");
        man(&ManArgs { dir: folder.path().join("man1") }).expect("they are written");
        let checks: [&[&str]; 2] =
            [&["groff", "-man", "-Tutf8", "-ww", "-z"], &["mandoc", "-T", "lint", "-W", "error"]];
        for check in checks {
            for entry in fs::read_dir(folder.path().join("man1")).expect("it is there") {
                let path = entry.expect("an entry").path();
                let output = Process::new(check[0]).args(&check[1..]).arg(&path).output();
                let Ok(output) = output else {
                    let test = "pages_are_set_without_a_mistake";
                    hopflow_testing::skip(test, format!("{} is not installed", check[0]));
                    break;
                };
                let said = [output.stdout, output.stderr].concat();
                let said = String::from_utf8_lossy(&said);
                assert!(said.is_empty() && output.status.success(), "{check:?}: {said}");
            }
        }
    }
}
