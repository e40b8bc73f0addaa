//! Arguments of `hopflow completions`.

use clap_complete::Shell;

/// `hopflow completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: Shell,
}
