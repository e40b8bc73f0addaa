//! The regression guard: an optimised build gives the pinned digests and takes no more instructions
//! per cell-hop than pinned (`benches/src/digests.rs`, `benches/src/guard.rs`).
//!
//! Only the benchmarks are built, for x86-64-v3, which every x86-64 server of the last ten years
//! supports: counts depend on it. Their profile `guard` is that of what is shipped without the
//! optimisation across crates, which takes most of a build: counts are 2 to 4 % above those of
//! `dist`. Without valgrind the count is skipped, with a note on how to install it. On another
//! processor there is nothing to compare with.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::{Chore, root};

const TARGET_CPU: (&str, &str) = ("RUSTFLAGS", "-C target-cpu=x86-64-v3");
const FOLDER: (&str, &str) = ("CARGO_TARGET_DIR", "target/guard");
const PROGRAM: &str = "target/guard/guard/hopflow-bench";

/// `cargo xtask guard [--renew]`.
pub(crate) fn guard(args: &[&str]) -> Result<()> {
    let renew = match args {
        [] => false,
        ["--renew"] => true,
        _ => bail!("`guard` takes `--renew` or nothing, not `{}`", args.join(" ")),
    };
    let mut chore = Chore::begin("guard");
    if renew {
        match can_count() {
            Count::Yes => {}
            Count::No(why) | Count::Never(why) => bail!("nothing can be counted: {why}"),
        }
        build(&mut chore)?;
        run(&mut chore, "the pinned instructions", &["--guard", "--renew"])?;
    } else {
        steps(&mut chore)?;
    }
    chore.end();
    Ok(())
}

/// The steps that are also part of `cargo xtask test`.
pub(crate) fn steps(chore: &mut Chore) -> Result<()> {
    build(chore)?;
    run(chore, "digests of the benchmarks, optimised", &["--digests"])?;
    match can_count() {
        Count::Yes => run(chore, "instructions per cell-hop against their pins", &["--guard"])?,
        Count::No(why) | Count::Never(why) => {
            chore.skip("instructions per cell-hop against their pins", why);
        }
    }
    Ok(())
}

/// Whether instructions can be counted here.
enum Count {
    Yes,
    /// The way out.
    No(&'static str),
    /// Why not.
    Never(&'static str),
}

fn can_count() -> Count {
    if !is_v3() {
        return Count::Never("the pins are for processors of level x86-64-v3 (with AVX2)");
    }
    match Command::new("valgrind").arg("--version").output() {
        Ok(output) if output.status.success() => Count::Yes,
        _ => Count::No("there is no valgrind; on Debian: apt-get install valgrind"),
    }
}

#[cfg(target_arch = "x86_64")]
fn is_v3() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2")
}

#[cfg(not(target_arch = "x86_64"))]
const fn is_v3() -> bool {
    false
}

fn build(chore: &mut Chore) -> Result<()> {
    let args = ["build", "--quiet", "--profile", "guard", "-p", "hopflow-bench"];
    let env = if is_v3() { vec![FOLDER, TARGET_CPU] } else { vec![FOLDER] };
    chore.cargo_with("the benchmarks, optimised", &args, &env)
}

fn run(chore: &mut Chore, title: &str, args: &[&str]) -> Result<()> {
    chore.step(title, &format!("{PROGRAM} {}", args.join(" ")), || {
        let status = Command::new(root().join(PROGRAM)).args(args).current_dir(root()).status();
        let status = status.with_context(|| format!("`{PROGRAM}` could not be started"))?;
        if !status.success() {
            bail!("`{PROGRAM}` gave {status}");
        }
        Ok(())
    })
}
