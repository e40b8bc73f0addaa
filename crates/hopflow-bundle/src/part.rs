//! Part: a run, or the runs of one seed under several controls, and the digest that it must have.

use hopflow::Scenario;
use hopflow::record::digest_of_all;
use hopflow_scenario::{AS_IS, ScenarioFile};
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{BundleError, Kind};

/// A unit of repetition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
#[shape(name = "BundlePart")]
pub struct Part {
    /// The seed, in digits.
    pub seed: String,
    /// The controls under which the scenario runs, one run each.
    pub controls: Vec<String>,
    /// The digest, 16 hexadecimal digits.
    pub digest: String,
}

/// The contents of a manifest of several runs: their kind, parts, duration and warm-up.
pub(crate) struct Runs {
    pub(crate) kind: Kind,
    pub(crate) parts: Vec<Part>,
    pub(crate) times: Times,
}

/// The duration of the runs, and the warm-up that their totals exclude; in ps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) duration: u64,
    pub(crate) warm_up: u64,
}

impl Runs {
    /// From a manifest of `run` or `compare`; `None` for any other.
    pub(crate) fn of(manifest: &Value) -> Option<Runs> {
        let list = |key: &str| -> Option<Vec<String>> {
            let words = manifest.get(key)?.as_array()?.iter();
            words.map(|word| word.as_str().map(str::to_owned)).collect()
        };
        let word = |key: &str| manifest.get(key)?.as_str().map(str::to_owned);
        let number = |key: &str| {
            let number = manifest.get(key)?;
            number.as_u64().or_else(|| number.as_str()?.parse().ok())
        };
        let control = manifest["scenario"]["control"].as_str().unwrap_or(AS_IS);
        let one = |seed: &String, controls: &[String], digest: &String| Part {
            seed: seed.clone(),
            controls: controls.to_vec(),
            digest: digest.clone(),
        };
        let digest = word("digest")?;
        let (kind, parts): (_, Vec<Part>) = match (list("seeds"), list("controls")) {
            (None, None) => {
                let part = one(&word("seed")?, &[control.to_owned()], &digest);
                (Kind::Run, vec![part])
            }
            (Some(seeds), None) => {
                let controls = [control.to_owned()];
                let parts = seeds.iter().zip(list("digests")?);
                (Kind::Seeds, parts.map(|(seed, digest)| one(seed, &controls, &digest)).collect())
            }
            (None, Some(controls)) => {
                let (seed, parts) = (word("seed")?, controls.into_iter().zip(list("digests")?));
                let part = |(control, digest): (String, String)| one(&seed, &[control], &digest);
                (Kind::Controls, parts.map(part).collect())
            }
            (Some(seeds), Some(controls)) => {
                let parts = seeds.iter().zip(list("digests")?);
                let part = |(seed, digest): (&String, String)| one(seed, &controls, &digest);
                (Kind::ControlsAndSeeds, parts.map(part).collect())
            }
        };
        let times = Times { duration: number("duration_ps")?, warm_up: number("warm_up_ps")? };
        (!parts.is_empty()).then_some(Runs { kind, parts, times })
    }
}

impl Part {
    /// Its name in messages.
    pub(crate) fn name(&self) -> String {
        match self.controls.as_slice() {
            [control] if control == AS_IS => format!("seed {}", self.seed),
            controls => format!("seed {} under {}", self.seed, controls.join(", ")),
        }
    }

    /// The digest of its runs, as in the manifest of its kind.
    pub(crate) fn digest_of(kind: Kind, runs: &[u64]) -> u64 {
        match (kind, runs) {
            (Kind::ControlsAndSeeds, runs) => digest_of_all(runs.iter().copied()),
            (_, runs) => runs[0],
        }
    }

    /// Its scenario under one of its controls, as the command makes it.
    pub(crate) fn scenario(
        &self,
        file: &ScenarioFile,
        control: &str,
        times: Times,
        read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Scenario, BundleError> {
        let wrong = || BundleError::Input(format!("`{}` is not a seed", self.seed));
        let seed: u64 = self.seed.parse().map_err(|_| wrong())?;
        let mut scenario = file.under_reading(control, read)?;
        if scenario.network.duration.0 != times.duration {
            scenario.set_duration(&format!("{} ps", times.duration))?;
        }
        if scenario.warm_up.0 != times.warm_up {
            scenario.set_warm_up(&format!("{} ps", times.warm_up))?;
        }
        if scenario.network.seed != seed {
            scenario = scenario.with_seed(seed)?;
        }
        Ok(scenario)
    }
}
