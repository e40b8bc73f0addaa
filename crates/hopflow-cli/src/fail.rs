//! Failures: their message on stderr, and the exit code.

use std::fmt::Display;
use std::io;

use hopflow::Diagnostics;
use hopflow_scenario::ControlError;

use crate::{exit, starved};

/// Why a command did not end well.
#[derive(Debug)]
pub(crate) enum Fail {
    /// A checked property failed; it has been reported already. Exit 1.
    Property,
    /// Bad input, with what is wrong and the way out. Exit 2.
    Input(String),
    /// A scenario is wrong: as it stands, or under every control that was asked for. Exit 2.
    Wrong(Vec<Diagnostics>),
    /// Bad input that has been reported already. Exit 2.
    Said,
    /// The called program ended with this code, and has reported why.
    Ended(u8),
    /// Something outside failed while starting threads or the like. Exit 3.
    Fault(String),
    /// Results could not be written, for instance because the disk is full. Exit 4.
    Unwritten(String),
    /// The system refuses memory or threads. Exit 6.
    Starved(String),
    /// Interrupted; what is complete is kept. Exit 130.
    Interrupted,
    /// The reader of stdout closed it: no message, exit 0, as pipes expect.
    PipeClosed,
}

impl Fail {
    /// Prints the message and returns the exit code; `draw` draws what is wrong with a scenario.
    pub(crate) fn finish(self, draw: fn(&Diagnostics)) -> u8 {
        match self {
            Fail::Property => exit::PROPERTY,
            Fail::Input(text) => say(&text, exit::INPUT),
            Fail::Wrong(wrong) => {
                wrong.iter().for_each(draw);
                exit::INPUT
            }
            Fail::Said => exit::INPUT,
            Fail::Ended(code) => code,
            Fail::Fault(text) => say(&text, exit::FAULT),
            Fail::Unwritten(text) => say(&text, exit::UNWRITTEN),
            Fail::Starved(text) => say(&text, exit::STARVED),
            Fail::Interrupted => exit::INTERRUPTED,
            Fail::PipeClosed => exit::FINE,
        }
    }

    /// A failure to write to stdout.
    pub(crate) fn stdout(cause: &io::Error) -> Fail {
        if cause.kind() == io::ErrorKind::BrokenPipe {
            return Fail::PipeClosed;
        }
        Fail::Unwritten(format!("stdout cannot be written: {cause}"))
    }

    /// The outcome of a command: whether all runs are complete, and whether all properties hold.
    pub(crate) fn unless(complete: bool, fine: bool) -> Result<(), Fail> {
        match (complete, fine) {
            (false, _) => Err(Fail::Interrupted),
            (true, false) => Err(Fail::Property),
            (true, true) => Ok(()),
        }
    }

    /// Bad input.
    pub(crate) fn input(text: impl Display) -> Fail {
        Fail::Input(text.to_string())
    }
}

impl From<Diagnostics> for Fail {
    fn from(wrong: Diagnostics) -> Fail {
        Fail::Wrong(vec![wrong])
    }
}

impl From<ControlError> for Fail {
    fn from(error: ControlError) -> Fail {
        match error {
            ControlError::Wrong(wrong) | ControlError::NotModelled(wrong) => wrong.into(),
            unknown @ ControlError::Unknown { .. } => Fail::input(unknown),
        }
    }
}

#[cfg(feature = "results")]
impl From<hopflow_export::ExportError> for Fail {
    /// A place that was refused is bad input; one that cannot be written has another code.
    fn from(error: hopflow_export::ExportError) -> Fail {
        match error {
            hopflow_export::ExportError::Write { .. } => Fail::Unwritten(error.to_string()),
            other => Fail::input(other),
        }
    }
}

fn say(text: &str, code: u8) -> u8 {
    eprintln!("error: {text}");
    code
}

/// A panic is a bug in hopflow: reports this and how to report it, exit 3; unless the system
/// refused a thread.
pub(crate) fn explain_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let code = starved::code_of_panic(&panic.to_string());
        std::process::exit(code.into());
    }));
}
