//! Commands that print or write one text: `schema`, `init`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use hopflow::Scenario;
use hopflow_scenario::TEMPLATES;
use serde_json::Value;

use crate::args::{InitArgs, SchemaArgs};
use crate::fail::Fail;
use crate::{Outcome, output};

/// The file beside a scenario that its first line leads an editor to.
const SCHEMA: &str = "scenario.schema.json";

pub(crate) fn schema(args: &SchemaArgs) -> Outcome {
    let schema = if args.results { of_results()? } else { Scenario::json_schema() };
    output::write(&format!("{schema:#}\n"))
}

#[cfg(feature = "papers")]
#[expect(clippy::unnecessary_wraps, reason = "a program without all commands refuses")]
fn of_results() -> Result<Value, Fail> {
    Ok(crate::documents::schema())
}

/// The documents of all commands are described together.
#[cfg(not(feature = "papers"))]
fn of_results() -> Result<Value, Fail> {
    let what = "this program has not all commands whose documents `schema --results` describes. \
                To have them";
    Err(Fail::Input(crate::left_out::refusal(what, "papers")))
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
