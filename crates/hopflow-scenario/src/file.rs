//! A scenario file: its text, read once, to be put under one control after the other.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use thiserror::Error;
use toml::de::DeTable;

use crate::diagnostic::Sink;
use crate::scenario::{MOST_BYTES, finished};
use crate::section::Section;
use crate::variant::{self, AS_IS, BUILT_IN, Variant};
use crate::{Code, Diagnostics, Scenario, keys};

/// The text of a scenario and where it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFile {
    name: String,
    text: String,
    folder: PathBuf,
}

/// Why a scenario cannot be put under a control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ControlError {
    /// There is no such control.
    #[error(
        "no control is named `{name}`{} There are: {}",
        meant(nearest.as_ref()),
        known.join(", ")
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// What is nearest to it.
        nearest: Option<String>,
        /// All there are.
        known: Vec<String>,
    },
    /// The scenario is wrong, as it stands or under this control.
    #[error(transparent)]
    Wrong(#[from] Diagnostics),
}

fn meant(nearest: Option<&String>) -> String {
    nearest.map_or_else(|| ".".to_owned(), |name| format!(": did you mean `{name}`?"))
}

impl ScenarioFile {
    /// A text that is read already. `name` is that of its file: it stands in messages, and files
    /// that the scenario names are looked up beside it.
    pub fn new(text: impl Into<String>, name: impl Into<String>) -> ScenarioFile {
        let (name, text) = (name.into(), text.into());
        let folder = Path::new(&name).parent().map(Path::to_path_buf).unwrap_or_default();
        ScenarioFile { name, text, folder }
    }

    /// Gets the text of a file.
    pub fn load(path: &Path) -> Result<ScenarioFile, Diagnostics> {
        let name = path.display().to_string();
        let unreadable = |reason: String| {
            let mut sink = Sink::new();
            let message = format!("`{name}` cannot be read: {reason}");
            sink.error(Code::UNREADABLE, &(0..0), message);
            let (items, left_out) = sink.finish("");
            Diagnostics { source_name: name.clone(), source: String::new(), items, left_out }
        };
        let bytes = read_at_most(path, MOST_BYTES).map_err(unreadable)?;
        let text = String::from_utf8(bytes)
            .map_err(|error| unreadable(format!("it is not UTF-8 text ({error})")))?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(ScenarioFile { name, text, folder })
    }

    /// The text of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The scenario as it stands.
    pub fn read(&self) -> Result<Scenario, Diagnostics> {
        self.put_under(None, "", &self.name)
    }

    /// The scenario under a control: a variant of the file, `as-is`, or one that is built in.
    pub fn under(&self, control: &str) -> Result<Scenario, ControlError> {
        let variants = self.variants();
        let name = self.name_under(control);
        let own = variants.iter().any(|variant| variant.name == control);
        if control == AS_IS {
            return Ok(self.read()?);
        } else if own {
            return Ok(self.put_under(Some(control), "", &name)?);
        }
        let Some(added) = added(control) else {
            let known = variant::known_controls(&variants);
            return Err(ControlError::Unknown {
                name: control.to_owned(),
                nearest: variant::nearest_control(control, &variants).map(str::to_owned),
                known: known.into_iter().map(str::to_owned).collect(),
            });
        };
        Ok(self.put_under(Some(control), &added, &name)?)
    }

    /// What messages of [`ScenarioFile::under`] call the file.
    pub fn name_under(&self, control: &str) -> String {
        if control == AS_IS {
            return self.name.clone();
        }
        format!("{} under `{control}`", self.name)
    }

    /// The text that places in the warnings of [`ScenarioFile::under`] point into.
    pub fn text_under(&self, control: &str) -> String {
        let own = self.variants().iter().any(|variant| variant.name == control);
        let added = added(control).filter(|_| !own).unwrap_or_default();
        format!("{}{added}", self.text)
    }

    /// The controls that the file names, as far as they can be read.
    pub fn variants(&self) -> Vec<Variant> {
        let (root, _) = DeTable::parse_recoverable(&self.text);
        let root = Section::new(root.get_ref(), 0..0, &keys::ROOT);
        variant::read(&root, &mut Sink::new())
    }

    fn put_under(
        &self,
        control: Option<&str>,
        added: &str,
        name: &str,
    ) -> Result<Scenario, Diagnostics> {
        finished([&self.text, added], control, name, &|path| {
            read_at_most(&self.folder.join(path), crate::source::MOST_CSV_BYTES)
        })
    }
}

/// What stands behind the text of a file for a control that is built in.
fn added(control: &str) -> Option<String> {
    let built_in = BUILT_IN.iter().find(|built_in| built_in.name == control)?;
    Some(format!(
        "\n# Not in the file: what `{control}` stands for.\n\
         [[variant]]\nname = \"{control}\"\n{}\n",
        built_in.body
    ))
}

/// The bytes of a file, or why they cannot be had.
fn read_at_most(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    file.take(limit).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > most {
        return Err(format!("it is larger than {} MiB", most >> 20));
    }
    Ok(bytes)
}
