//! A scenario file: its text, read once, changed by settings, and put under one control after the
//! other.

mod bytes;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hopflow_network::Machine;
use thiserror::Error;
use toml::de::DeTable;

use crate::diagnostic::Sink;
use crate::not_modelled::{not_modelled, refuse};
use crate::read::{Control, MOST_BYTES, finished};
use crate::replay::{MOST_CSV_BYTES, ReadFile};
use crate::section::Section;
use crate::setting::{self, Pieces, Place};
use crate::variant::{self, AS_IS, BuiltIn, Variant};
use crate::{Code, Diagnostic, Diagnostics, Expect, Label, SETTING, Scenario, keys};
use bytes::{bytes_at_most, read_at_most, read_regular, utf8};

/// What messages call the name of a control.
const CONTROL: &str = "--control";
/// What messages call a scenario that is read from the standard input.
const STDIN: &str = "<stdin>";

/// The text of a scenario and where it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFile {
    name: String,
    /// The text as it was read.
    original: String,
    /// The same with the settings put in.
    pieces: Pieces,
    settings: Vec<String>,
    /// A seed in place of the text's, which a file cannot hold.
    seed: Option<u64>,
    folder: PathBuf,
    /// External machines that it may name.
    machines: Arc<[Machine]>,
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
    /// The name stands for something that is not modelled.
    #[error(transparent)]
    NotModelled(Diagnostics),
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
        ScenarioFile::in_folder(name, text, folder)
    }

    fn in_folder(name: String, text: String, folder: PathBuf) -> ScenarioFile {
        let (original, pieces) = (text.clone(), Pieces::new(text));
        let (settings, machines) = (Vec::new(), Arc::new([]));
        ScenarioFile { name, original, pieces, settings, seed: None, folder, machines }
    }

    /// The same, but files that it names are looked up as if `folder` were the working directory.
    #[must_use]
    pub fn from_folder(mut self, folder: &Path) -> ScenarioFile {
        self.folder = folder.join(self.folder);
        self
    }

    /// Gets the text of a file.
    pub fn load(path: &Path) -> Result<ScenarioFile, Diagnostics> {
        let name = path.display().to_string();
        let bytes = read_at_most(path, MOST_BYTES);
        let text = bytes.and_then(utf8).map_err(|reason| unreadable(&name, &reason))?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(ScenarioFile::in_folder(name, text, folder))
    }

    /// Gets the text from the standard input, `input`. Messages call it `<stdin>`; files that the
    /// scenario names are looked up in the working directory.
    pub fn from_stdin(input: impl Read) -> Result<ScenarioFile, Diagnostics> {
        let bytes = bytes_at_most(input, MOST_BYTES);
        let text = bytes.and_then(utf8).map_err(|reason| unreadable(STDIN, &reason))?;
        Ok(ScenarioFile::in_folder(STDIN.to_owned(), text, PathBuf::new()))
    }

    /// Registers the external machines that the scenario may name, in place of those before. Of two
    /// with the same role and name the first counts. Experimental.
    #[must_use]
    pub fn with_machines(self, machines: Vec<Machine>) -> ScenarioFile {
        ScenarioFile { machines: machines.into(), ..self }
    }

    /// The external machines that the scenario may name.
    pub fn machines(&self) -> &[Machine] {
        &self.machines
    }

    /// Puts settings into the text, such as `flow.VC1.control.n3=80`, one after the other, as if
    /// the file had them. What is wrong with a key is an error here, and what is wrong with a value
    /// is one as the scenario is read; both have their place in the setting.
    pub fn with_settings(mut self, settings: &[String]) -> Result<ScenarioFile, Diagnostics> {
        for text in settings {
            let mut sink = Sink::new();
            setting::apply(&mut self.pieces, self.settings.len(), text, &mut sink);
            if sink.has_errors() {
                return Err(sink.refused(SETTING, text));
            }
            self.settings.push(text.clone());
        }
        Ok(self)
    }

    /// The same with another seed. The text has it, so that it repeats the run with its routes; one
    /// above 2^63 - 1, which a file cannot hold, is kept beside the text.
    ///
    /// # Errors
    ///
    /// As of [`ScenarioFile::with_settings`].
    pub fn with_seed(self, seed: u64) -> Result<ScenarioFile, Diagnostics> {
        if i64::try_from(seed).is_ok() {
            return self.with_settings(&[format!("seed={seed}")]);
        }
        Ok(ScenarioFile { seed: Some(seed), ..self })
    }

    /// The value that the file has under a key as of [`ScenarioFile::with_settings`], as it is
    /// written there. `None`: the file leaves it to a default, or has no such key.
    pub fn written(&self, key: &str) -> Option<&str> {
        setting::written(self.text(), key)
    }

    /// What messages call the file: its path, or `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What results of the file are called: its name without folder and ending, or `stdin`.
    pub fn stem(&self) -> String {
        if self.name == STDIN {
            return "stdin".to_owned();
        }
        let stem = Path::new(&self.name).file_stem();
        stem.map_or_else(|| "run".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    /// The text of the file, with the settings in it: it repeats what was run.
    pub fn text(&self) -> &str {
        self.pieces.text()
    }

    /// The scenario as it stands.
    pub fn read(&self) -> Result<Scenario, Diagnostics> {
        self.put_under("", &self.name, None, false, &|path| self.beside(path))
    }

    /// The scenario under a control: a variant of the file, `as-is`, or one that is built in.
    pub fn under(&self, control: &str) -> Result<Scenario, ControlError> {
        self.under_with(control, false, &|path| self.beside(path))
    }

    /// The same, with `read` to get the bytes of files that the scenario names, by the path as
    /// written, or the reason why not.
    pub fn under_reading(
        &self,
        control: &str,
        read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Scenario, ControlError> {
        self.under_with(control, false, read)
    }

    /// The same with switches that have room for everything, whatever their tables say: what a
    /// control needs that does not fit.
    pub fn under_unlimited(&self, control: &str) -> Result<Scenario, ControlError> {
        self.under_with(control, true, &|path| self.beside(path))
    }

    /// The bytes of a file that the scenario names.
    fn beside(&self, path: &str) -> Result<Vec<u8>, String> {
        read_regular(&self.folder.join(path), MOST_CSV_BYTES)
    }

    fn under_with(
        &self,
        control: &str,
        is_unlimited: bool,
        read: ReadFile<'_>,
    ) -> Result<Scenario, ControlError> {
        let variants = self.variants();
        let control = variant::known_as(control, &variants);
        let name = self.name_under(control);
        let own = variants.iter().any(|variant| variant.name == control);
        let put = |control, added: &str| self.put_under(added, &name, control, is_unlimited, read);
        if control == AS_IS {
            return Ok(put(None, "")?);
        } else if own {
            return Ok(put(Some(control), "")?);
        }
        let Some(added) = added(control) else {
            if let Some(entry) = not_modelled(control, CONTROL) {
                let mut sink = Sink::new();
                refuse(control, entry, &(0..control.len()), &mut sink);
                return Err(ControlError::NotModelled(sink.refused(CONTROL, control)));
            }
            let known = variant::known_controls(&variants);
            return Err(ControlError::Unknown {
                name: control.to_owned(),
                nearest: variant::nearest_control(control, &variants).map(str::to_owned),
                known: known.into_iter().map(str::to_owned).collect(),
            });
        };
        Ok(put(Some(control), &added)?)
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
        format!("{}{added}", self.original)
    }

    /// The controls that the file names, as far as they can be read.
    pub fn variants(&self) -> Vec<Variant> {
        let (root, _) = DeTable::parse_recoverable(self.text());
        let root = Section::new(root.get_ref(), 0..0, &keys::ROOT);
        variant::read(&root, &mut Sink::new())
    }

    /// What `scenario`, which was read from this file, expects of an answer.
    ///
    /// # Errors
    ///
    /// The file has no `[expect]`.
    pub fn expected<'s>(&self, scenario: &'s Scenario) -> Result<&'s Expect, Diagnostics> {
        scenario.expect.as_ref().ok_or_else(|| {
            let mut sink = Sink::new();
            let message = "there is no `[expect]` table that specifies a right answer";
            sink.error(Code::EXPECTS_NOTHING, &(0..0), message)
                .hint("add one, or name the file that has one: `--expect FILE`");
            sink.refused(self.name(), "")
        })
    }

    fn put_under(
        &self,
        added: &str,
        name: &str,
        control: Option<&str>,
        is_unlimited: bool,
        read: ReadFile<'_>,
    ) -> Result<Scenario, Diagnostics> {
        let control = Control { name: control, is_unlimited };
        let machines = &self.machines;
        let read = finished(self.text(), added, control, name, self.seed, read, machines);
        if self.settings.is_empty() {
            return read;
        }
        match read {
            Ok(mut scenario) => {
                scenario.warnings.iter_mut().for_each(|item| self.place(item));
                Ok(scenario)
            }
            Err(mut wrong) => {
                wrong.items.iter_mut().for_each(|item| self.place(item));
                wrong.source = format!("{}{added}", self.original);
                Err(wrong)
            }
        }
    }

    /// Moves the places of a finding from the text with the settings to the file as it was read, or
    /// to the setting that the first of them is from.
    fn place(&self, item: &mut Diagnostic) {
        let place = |label: &Label| self.pieces.place(&label.span, self.original.len());
        let places: Vec<Place> = item.labels.iter().map(place).collect();
        let from = places.first().and_then(|place| match place {
            Place::Setting(index, _) => Some(*index),
            Place::File(_) => None,
        });
        item.setting = from.map(|index| self.settings[index].clone());
        let labels = item.labels.drain(..).zip(places);
        let kept = labels.filter_map(|(label, place)| match (place, from) {
            (Place::File(span), None) => Some(Label { span, ..label }),
            (Place::Setting(index, span), Some(first)) if index == first => {
                Some(Label { span, ..label })
            }
            _ => None,
        });
        item.labels = kept.collect();
    }
}

impl Scenario {
    /// Reads a scenario. `name` is that of its file: it stands in messages, and files that the
    /// scenario names are looked up beside it.
    pub fn from_toml(text: &str, name: &str) -> Result<Scenario, Diagnostics> {
        ScenarioFile::new(text, name).read()
    }

    /// As [`Scenario::from_toml`], with `read` to get the bytes of files that the scenario names,
    /// by the path as written, or the reason why not.
    pub fn from_toml_with(
        text: &str,
        name: &str,
        read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Scenario, Diagnostics> {
        finished(text, "", Control::default(), name, None, read, &Arc::from([]))
    }

    /// Reads a scenario from its file.
    pub fn load(path: &Path) -> Result<Scenario, Diagnostics> {
        ScenarioFile::load(path)?.read()
    }
}

/// What stands behind the text of a file for a control that is built in.
fn added(control: &str) -> Option<String> {
    let built_in = BuiltIn::named(control)?;
    let control = built_in.name;
    Some(format!(
        "\n# Not in the file: what `{control}` stands for.\n\
         [[variant]]\nname = \"{control}\"\n{}\n",
        built_in.body
    ))
}

/// A scenario that cannot be read, and why.
fn unreadable(name: &str, reason: &str) -> Diagnostics {
    let mut sink = Sink::new();
    sink.error(Code::UNREADABLE, &(0..0), format!("`{name}` cannot be read: {reason}"));
    sink.refused(name, "")
}
