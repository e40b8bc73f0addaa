//! Diagnostics of scenarios, drawn with their place in the source.

mod cut;

use std::collections::BTreeSet;
use std::fmt;
use std::io::IsTerminal as _;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use hopflow::{Diagnostic, Diagnostics, Scenario};
use hopflow_scenario::{AS_IS, ControlError, SETTING, ScenarioFile, Severity};
use miette::{LabeledSpan, Report, SourceCode};

use crate::args::{ScenarioArgs, SetArgs};
use crate::fail::Fail;
use crate::say::readable;
use crate::{machines, mistake};
use cut::Cut;

/// The most errors and warnings of one file that are drawn, without `--all-errors`.
const MOST_DRAWN: usize = 20;

/// The most that are drawn in this process.
static DRAWN: OnceLock<usize> = OnceLock::new();

/// The file and the text of each warning that was drawn in this process.
static SAID: Mutex<BTreeSet<(String, String)>> = Mutex::new(BTreeSet::new());

/// Sets how reports are drawn, with a line of source around each place, and the most of them.
pub(crate) fn install(all: bool) {
    DRAWN.get_or_init(|| if all { usize::MAX } else { MOST_DRAWN });
    let draw: miette::ErrorHook = Box::new(|_| {
        let width = crate::output::terminal_width();
        Box::new(miette::MietteHandlerOpts::new().width(width).context_lines(1).build())
    });
    if miette::set_hook(draw).is_err() {
        unreachable!("the hook is set once, at the start");
    }
}

/// One diagnostic as `miette` takes it.
#[derive(Debug)]
struct Drawn {
    item: Diagnostic,
    source: Option<Cut>,
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.item.headline())
    }
}

impl std::error::Error for Drawn {}

impl miette::Diagnostic for Drawn {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.item.code.to_string()))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.item.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.item.hint.as_ref().map(|hint| Box::new(hint) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let spans = &self.source.as_ref()?.spans;
        Some(Box::new(self.item.labels.iter().zip(spans).map(|(label, span)| {
            let text = (!label.text.is_empty()).then(|| label.text.clone());
            LabeledSpan::new(text, span.start, span.len())
        })))
    }
}

/// Draws a finding in the source, or in the setting that its place is in.
fn draw(item: &Diagnostic, name: &str, source: &str) {
    let (name, source) = match &item.setting {
        Some(setting) => (SETTING, setting.as_str()),
        None => (name, source),
    };
    let spans: Vec<Range<usize>> = item.labels.iter().map(|label| label.span.clone()).collect();
    let source = (!source.is_empty()).then(|| Cut::new(&readable(name), source, &spans));
    // Before they are broken into lines, of which none is long.
    let mut item = item.clone();
    item.message = readable(&item.message);
    item.hint = item.hint.as_deref().map(readable);
    for label in &mut item.labels {
        label.text = readable(&label.text);
    }
    eprintln!("{:?}", Report::new(Drawn { item, source }));
}

/// Draws the first findings, and reports the number of the others: those that are hidden here, and
/// those that were left out because there are too many.
fn draw_some(items: &[Diagnostic], left_out: u64, name: &str, source: &str) {
    let most = *DRAWN.get_or_init(|| MOST_DRAWN);
    items.iter().take(most).for_each(|item| draw(item, name, source));
    let hidden = items.len().saturating_sub(most) as u64;
    match (hidden, left_out) {
        (0, 0) => {}
        (0, _) => eprintln!("{name}: and {left_out} more, which are not listed."),
        (_, 0) => eprintln!("{name}: and {hidden} more: `--all-errors` shows them."),
        _ => {
            let more = hidden + left_out;
            eprintln!("{name}: and {more} more: `--all-errors` shows {hidden} of them.");
        }
    }
}

/// Draws what is wrong with a scenario.
pub(crate) fn draw_all(wrong: &Diagnostics) {
    draw_some(&wrong.items, wrong.left_out, &wrong.source_name, &wrong.source);
    let errors: Vec<&Diagnostic> =
        wrong.items.iter().filter(|item| item.severity == Severity::Error).collect();
    let noun = if errors.len() == 1 { "error" } else { "errors" };
    let least = if wrong.left_out > 0 { "at least " } else { "" };
    let (name, count) = (&wrong.source_name, errors.len());
    eprintln!("{name}: {least}{count} {noun}; nothing was run or written.");
    if let Some(first) = errors.first() {
        eprintln!("More about the first: hopflow explain {}", first.code);
    }
}

/// Loads a scenario with settings; what is doubtful is drawn.
pub(crate) fn load(path: &Path, settings: &SetArgs) -> Result<Scenario, Fail> {
    Ok(under(&load_file(path, settings)?, AS_IS)?)
}

/// Gets the text of a scenario's file, of stdin for `-`, and puts the settings in.
pub(crate) fn read_file(path: &Path, settings: &SetArgs) -> Result<ScenarioFile, Diagnostics> {
    read_bare(path)?.with_settings(&settings.set)
}

fn read_bare(path: &Path) -> Result<ScenarioFile, Diagnostics> {
    let file = if is_stdin(path) { from_stdin() } else { from_path(path) };
    file.map(machines::known_to)
}

/// The file at a path. One that is not there is answered by those that are.
fn from_path(path: &Path) -> Result<ScenarioFile, Diagnostics> {
    ScenarioFile::load(path).map_err(|mut wrong| {
        if let (false, [only]) = (path.exists(), wrong.items.as_mut_slice()) {
            only.hint = mistake::instead_of(path);
        }
        wrong
    })
}

/// The same for a command. A default that changes nothing is reported.
pub(crate) fn load_file(path: &Path, settings: &SetArgs) -> Result<ScenarioFile, Fail> {
    if let Some(kind) = path.extension().filter(|kind| *kind == "html" || *kind == "json") {
        return Err(Fail::Input(format!(
            "`{}` is not a scenario, which is TOML: for a run, name its directory or the \
             scenario.toml in it, not its .{}",
            path.display(),
            kind.display()
        )));
    }
    if path.is_dir() {
        return Err(Fail::Input(of_folder(path)));
    }
    let bare = read_bare(path)?;
    let file = bare.clone().with_settings(&settings.set)?;
    for setting in idle_settings(&bare, &settings.set) {
        eprintln!(
            "warning: `--set {setting}` changes nothing: the file has this value, or each entry \
             that the default is for has its own: set `flow.NAME.KEY` and the like"
        );
    }
    Ok(file)
}

/// That a folder is no scenario, and which file in it is.
fn of_folder(path: &Path) -> String {
    let scenario = path.join("scenario.toml");
    let way_out = if scenario.is_file() {
        format!("the scenario of this run is `{}`", scenario.display())
    } else {
        "name the .toml file of a scenario; `hopflow init my.toml` writes one".to_owned()
    };
    format!("`{}` is a folder, not a scenario: {way_out}", path.display())
}

fn is_default(setting: &str) -> bool {
    setting.trim_start().starts_with("defaults")
}

/// The defaults that do not change the scenario, because every entry that they apply to has its own
/// value. Other keys are not examined, because the scenario is read again for each.
fn idle_settings<'a>(bare: &ScenarioFile, settings: &'a [String]) -> Vec<&'a String> {
    if !settings.iter().any(|setting| is_default(setting)) {
        return Vec::new();
    }
    let under = |settings: &[String]| {
        let scenario = bare.clone().with_settings(settings).ok()?.read().ok()?;
        let Scenario { title, notes, network, record, warm_up, variants, warnings, .. } = scenario;
        Some((title, notes, network, record, warm_up, variants, warnings.len()))
    };
    let Some(with) = under(settings) else { return Vec::new() };
    let is_idle = |(index, _): &(usize, &String)| {
        let mut others = settings.to_vec();
        others.remove(*index);
        under(&others).is_some_and(|without| without == with)
    };
    let defaults = settings.iter().enumerate().filter(|(_, setting)| is_default(setting));
    defaults.filter(is_idle).map(|(_, setting)| setting).collect()
}

/// The same with another seed.
pub(crate) fn load_seeded(args: &ScenarioArgs) -> Result<ScenarioFile, Fail> {
    seeded(load_file(&args.file, &args.settings)?, args.seed)
}

/// The file with this seed, if one is given.
pub(crate) fn seeded(file: ScenarioFile, seed: Option<u64>) -> Result<ScenarioFile, Fail> {
    match seed {
        Some(seed) => Ok(file.with_seed(seed)?),
        None => Ok(file),
    }
}

/// Whether a path names stdin.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn from_stdin() -> Result<ScenarioFile, Diagnostics> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        eprintln!("note: type the scenario, then end it with Ctrl-D on a line of its own");
    }
    ScenarioFile::from_stdin(stdin.lock())
}

/// Puts a scenario under a control; what is doubtful is drawn.
pub(crate) fn under(file: &ScenarioFile, control: &str) -> Result<Scenario, ControlError> {
    let scenario = file.under(control)?;
    draw_warnings(&scenario, file, control);
    Ok(scenario)
}

/// Draws what is doubtful in a scenario that is read already: each warning once in this process,
/// although every control of a file reads the file again.
pub(crate) fn draw_warnings(scenario: &Scenario, file: &ScenarioFile, control: &str) {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = |item: &&Diagnostic| said.insert((file.name().to_owned(), as_read(item)));
    let new: Vec<Diagnostic> = scenario.warnings.iter().filter(is_new).cloned().collect();
    if !new.is_empty() {
        let (name, text) = (file.name_under(control), file.text_under(control));
        draw_some(&new, 0, &name, &text);
    }
}

/// All that a reader sees of a warning, but under which control it is.
fn as_read(item: &Diagnostic) -> String {
    let Diagnostic { code, labels, hint, setting, .. } = item;
    let labels = labels.iter().map(|label| (label.span.clone(), &label.text)).collect::<Vec<_>>();
    format!("{code} {} {labels:?} {hint:?} {setting:?}", item.headline())
}
