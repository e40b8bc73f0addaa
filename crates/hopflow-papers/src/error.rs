//! Why an experiment could not be reproduced.

use hopflow::RunError;
use hopflow::compare::CompareError;

use crate::judge::JudgeError;

/// Why an experiment could not be reproduced. All but the last are mistakes in hopflow itself: its
/// scenarios and experiments are part of it.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// A scenario of a paper that does not pass its check.
    #[error("the scenario `{file}` does not pass its check: {messages}")]
    Scenario {
        /// The scenario's file.
        file: String,
        /// What is wrong with it, one message a line.
        messages: String,
    },
    /// A run that could not be made.
    #[error("the scenario `{file}` could not be run: {source}")]
    Run {
        /// The scenario's file.
        file: String,
        /// Why.
        source: RunError,
    },
    /// Controls that could not be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// What was measured does not fit the claims.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The run was cancelled before its end.
    #[error("cancelled")]
    Cancelled,
}
