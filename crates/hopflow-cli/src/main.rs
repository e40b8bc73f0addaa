//! The `hopflow` command.

fn main() {}
