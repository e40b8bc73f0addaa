//! Diagnostics of scenarios, drawn with their place in the source.

use std::fmt;
use std::path::Path;

use hopflow::{Diagnostic, Diagnostics, Scenario};
use hopflow_scenario::{AS_IS, ControlError, ScenarioFile, Severity};
use miette::{LabeledSpan, NamedSource, Report, SourceCode};

use crate::fail::Fail;

/// Chooses how reports are drawn: with a line of source around each place.
pub(crate) fn install() {
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
    source: NamedSource<String>,
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.item.message)
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
        (!self.source.inner().is_empty()).then_some(&self.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        if self.source.inner().is_empty() {
            return None;
        }
        Some(Box::new(self.item.labels.iter().map(|label| {
            let text = (!label.text.is_empty()).then(|| label.text.clone());
            LabeledSpan::new(text, label.span.start, label.span.len())
        })))
    }
}

fn draw(item: &Diagnostic, name: &str, source: &str) {
    let source = NamedSource::new(name, source.to_owned()).with_language("TOML");
    eprintln!("{:?}", Report::new(Drawn { item: item.clone(), source }));
}

/// Draws everything that is wrong with a scenario.
pub(crate) fn draw_all(wrong: &Diagnostics) {
    for item in &wrong.items {
        draw(item, &wrong.source_name, &wrong.source);
    }
    let errors = wrong.items.iter().filter(|item| item.severity == Severity::Error).count();
    let noun = if errors == 1 { "error" } else { "errors" };
    eprintln!("{}: {errors} {noun}; nothing was run or written.", wrong.source_name);
}

/// Loads a scenario; what is wrong or doubtful is drawn.
pub(crate) fn load(path: &Path) -> Result<Scenario, Fail> {
    under(&load_file(path)?, AS_IS)
}

/// Gets the text of a scenario's file.
pub(crate) fn read_file(path: &Path) -> Result<ScenarioFile, Diagnostics> {
    ScenarioFile::load(path)
}

/// Gets the text of a scenario's file; what is wrong is drawn.
pub(crate) fn load_file(path: &Path) -> Result<ScenarioFile, Fail> {
    read_file(path).map_err(|wrong| {
        draw_all(&wrong);
        Fail::Said
    })
}

/// Puts a scenario under a control; what is wrong or doubtful is drawn.
pub(crate) fn under(file: &ScenarioFile, control: &str) -> Result<Scenario, Fail> {
    let scenario = file.under(control).map_err(|error| match error {
        ControlError::Wrong(wrong) => {
            draw_all(&wrong);
            Fail::Said
        }
        unknown @ ControlError::Unknown { .. } => Fail::input(unknown),
    })?;
    if !scenario.warnings.is_empty() {
        let (name, text) = (file.name_under(control), file.text_under(control));
        scenario.warnings.iter().for_each(|item| draw(item, &name, &text));
    }
    Ok(scenario)
}
