//! Steps with headings: what runs, how long it took, and the command that repeats it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::skipped;

/// Builds `hopflow` of the folder `debug` as all tests do, with the same features: after them
/// nothing is left to compile.
pub(crate) const COMMAND: [&str; 6] =
    ["test", "--locked", "--workspace", "--no-run", "--test", "commands"];

/// A chore: a row of steps that stops at the first failure.
pub(crate) struct Chore {
    name: &'static str,
    began: Instant,
    /// What was done, and how long it took.
    done: Vec<(String, Duration)>,
    /// What was not done, and why.
    skipped: Vec<(String, String)>,
}

impl Chore {
    /// Begins a chore.
    pub(crate) fn begin(name: &'static str) -> Chore {
        // Those of a chore that failed are not of this one.
        skipped::taken(&target_folder());
        Chore { name, began: Instant::now(), done: Vec::new(), skipped: Vec::new() }
    }

    /// Runs `work` under a heading. `repeat` is the command that repeats it.
    pub(crate) fn step(
        &mut self,
        title: &str,
        repeat: &str,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let (number, began) = (self.done.len() + 1, Instant::now());
        eprintln!("\n==> {} {number}: {title}\n    {repeat}", self.name);
        work().with_context(|| {
            let after = seconds(began.elapsed());
            format!("step {number} ({title}) failed after {after}; to repeat it: {repeat}")
        })?;
        eprintln!("    done in {}", seconds(began.elapsed()));
        self.done.push((title.to_owned(), began.elapsed()));
        Ok(())
    }

    /// Reports that a step was skipped, here and at the end.
    pub(crate) fn skip(&mut self, title: &str, why: &str) {
        eprintln!("\n==> SKIPPED: {title}: {why}");
        self.skipped.push((title.to_owned(), why.to_owned()));
    }

    /// Runs cargo with `args` as a step.
    pub(crate) fn cargo(&mut self, title: &str, args: &[&str]) -> Result<()> {
        self.cargo_with(title, args, &[])
    }

    /// Runs cargo with `args` and environment variables as a step.
    pub(crate) fn cargo_with(
        &mut self,
        title: &str,
        args: &[&str],
        env: &[(&str, &str)],
    ) -> Result<()> {
        let mut words: Vec<String> =
            env.iter().map(|(key, value)| format!("{key}={value}")).collect();
        words.push(format!("cargo {}", args.join(" ")));
        let repeat = words.join(" ");
        self.step(title, &repeat, || {
            let mut command = Command::new(cargo());
            command.env(skipped::VARIABLE, skipped::file(&target_folder()));
            let status = command.args(args).envs(env.iter().copied()).current_dir(root()).status();
            let status = status.context("cargo could not be started")?;
            if !status.success() {
                bail!("cargo gave {status}");
            }
            Ok(())
        })?;
        for (test, why) in skipped::taken(&target_folder()) {
            // More than one step may have it.
            if !self.skipped.iter().any(|(title, _)| *title == test) {
                self.skip(&test, &why);
            }
        }
        Ok(())
    }

    /// Lists the time of each step and what was skipped.
    pub(crate) fn end(self) {
        let Chore { name, began, done, skipped } = self;
        eprintln!();
        for (title, time) in &done {
            eprintln!("{:>9}  {title}", seconds(*time));
        }
        for (title, why) in &skipped {
            eprintln!("  skipped  {title}: {why}");
        }
        eprintln!("\n{name}: all {} steps passed in {}", done.len(), seconds(began.elapsed()));
    }
}

fn seconds(span: Duration) -> String {
    format!("{:.1} s", span.as_secs_f64())
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

/// What cargo prints with `args`; its messages go where ours go.
pub(crate) fn output(args: &[&str]) -> Result<String> {
    let mut command = Command::new(cargo());
    let output = command.args(args).current_dir(root()).stderr(Stdio::inherit()).output();
    let output = output.context("cargo could not be started")?;
    if !output.status.success() {
        bail!("cargo gave {}", output.status);
    }
    String::from_utf8(output.stdout).context("cargo printed something that is no text")
}

/// The root of the project.
pub(crate) fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().expect("xtask is a folder of the project")
}

/// Where cargo puts what it builds.
pub(crate) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
