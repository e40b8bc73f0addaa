//! Checks that the page was built before it is embedded in the binary.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_PAGE").is_none() {
        return;
    }
    let own = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it for build scripts");
    let dist = Path::new(&own).join("../../lab/dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    if !dist.join("index.html").is_file() {
        println!("cargo::error=lab/dist has no page yet: run `cargo xtask lab` first");
    }
}
