//! Chores of the project: `cargo xtask check`, `test`, `bench`, `fuzz`.

fn main() {}
