//! Failures: their message on stderr, and the exit code.

use std::fmt::Display;
use std::io;

use hopflow::Diagnostics;
use hopflow_scenario::ControlError;

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
    /// Interrupted; what is complete is kept. Exit 130.
    Interrupted,
    /// The reader of stdout closed it: no message, exit 0, as pipes expect.
    PipeClosed,
}

impl Fail {
    /// Prints the message and returns the exit code; `draw` draws what is wrong with a scenario.
    pub(crate) fn finish(self, draw: fn(&Diagnostics)) -> u8 {
        match self {
            Fail::Property => 1,
            Fail::Input(text) => say(&text, 2),
            Fail::Wrong(wrong) => {
                wrong.iter().for_each(draw);
                2
            }
            Fail::Said => 2,
            Fail::Ended(code) => code,
            Fail::Fault(text) => say(&text, 3),
            Fail::Unwritten(text) => say(&text, 4),
            Fail::Interrupted => 130,
            Fail::PipeClosed => 0,
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
            ControlError::Wrong(wrong) => wrong.into(),
            unknown @ ControlError::Unknown { .. } => Fail::input(unknown),
        }
    }
}

fn say(text: &str, code: u8) -> u8 {
    eprintln!("error: {text}");
    code
}

/// A panic is a bug in hopflow: reports this and how to report it, exit 3.
pub(crate) fn explain_panics() {
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("internal fault: {panic}");
        eprintln!(
            "This is a mistake in hopflow {}, not in your input. Please report it with the \
             scenario, the command and this message.",
            env!("CARGO_PKG_VERSION")
        );
        std::process::exit(3);
    }));
}
