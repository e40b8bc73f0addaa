//! The papers as claims: scenario, what the paper says, verdict.
