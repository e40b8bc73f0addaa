//! Failures: what is said on stderr, and the exit code.

use std::fmt::Display;
use std::io;

/// Why a command did not end well.
#[derive(Debug)]
pub(crate) enum Fail {
    /// A checked property failed; it has been said already. Exit 1.
    Property,
    /// Bad input, with what is wrong and the way out. Exit 2.
    Input(String),
    /// Bad input that has been said already. Exit 2.
    Said,
    /// What was called ended with this code, and has said why.
    Ended(u8),
    /// Something outside failed while starting threads or the like. Exit 3.
    Fault(String),
    /// Results could not be written, for instance because the disk is full. Exit 4.
    Unwritten(String),
    /// Interrupted; what is complete is kept. Exit 130.
    Interrupted,
    /// The reader of stdout went away: quiet, exit 0, as pipes expect.
    PipeClosed,
}

impl Fail {
    /// Says what is to be said and gives the exit code.
    pub(crate) fn finish(self) -> u8 {
        match self {
            Fail::Property => 1,
            Fail::Input(text) => say("error", &text, 2),
            Fail::Said => 2,
            Fail::Ended(code) => code,
            Fail::Fault(text) => say("error", &text, 3),
            Fail::Unwritten(text) => say("error", &text, 4),
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

    /// How a command ends whose runs reached their end or not, and kept what is checked or not.
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

fn say(kind: &str, text: &str, code: u8) -> u8 {
    eprintln!("{kind}: {text}");
    code
}

/// A panic is a broken invariant of ours: say so, say what to report, exit 3.
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
