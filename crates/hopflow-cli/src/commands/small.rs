//! Commands that print or write one text: `schema`, `init`, `completions`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;
use hopflow::Scenario;
use hopflow_scenario::TEMPLATES;

use crate::args::{Args, InitArgs, SchemaArgs};
use crate::fail::Fail;
use crate::{Outcome, documents, output};

/// The file beside a scenario that its first line leads an editor to.
const SCHEMA: &str = "scenario.schema.json";

pub(crate) fn schema(args: &SchemaArgs) -> Outcome {
    let schema = if args.results { documents::schema() } else { Scenario::json_schema() };
    output::write(&format!("{schema:#}\n"))
}

pub(crate) fn init(args: &InitArgs) -> Outcome {
    let named = args.template.as_deref().map(|name| {
        let found = TEMPLATES.iter().find(|template| template.name == name);
        found.expect("the arguments take no other name")
    });
    let text = named.map_or(Scenario::template(), |template| template.text);
    let text = format!("#:schema ./{SCHEMA}\n{text}");
    let default = || format!("{}.toml", named.map_or("scenario", |template| template.name)).into();
    let path = &args.file.clone().unwrap_or_else(default);
    let name = path.display();
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => file,
        Err(cause) if cause.kind() == ErrorKind::AlreadyExists => {
            return Err(Fail::Input(format!(
                "`{name}` exists and is not overwritten: give another name"
            )));
        }
        Err(cause) => return Err(Fail::Unwritten(format!("`{name}` cannot be written: {cause}"))),
    };
    if let Err(cause) = file.write_all(text.as_bytes()) {
        // No incomplete file stays; the first cause is reported.
        let _ = std::fs::remove_file(path);
        return Err(Fail::Unwritten(format!("`{name}` cannot be written: {cause}")));
    }
    eprintln!("Wrote {name}. Next: hopflow check {name} && hopflow run {name}");
    let schema = path.parent().unwrap_or(Path::new("")).join(SCHEMA);
    if !schema.exists() {
        eprintln!("An editor completes its keys after: hopflow schema > {}", schema.display());
    }
    Ok(())
}

pub(crate) fn completions(shell: Shell) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "hopflow", &mut text);
    output::write(&String::from_utf8_lossy(&text))
}
