//! Manifest: the description of a run, with which it can be repeated. It contains no time, host or
//! number of threads: the same scenario, seed and version give the same bytes.

use std::fmt;
use std::sync::Arc;

use hopflow_network::NetworkSpec;
use hopflow_record::wire::integer;
use hopflow_scenario::Scenario;
use hopflow_units::SimTime;
use hopflow_units::shape::{Shape, Shaped};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The description of a run, and its digest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct Manifest {
    /// The version of hopflow.
    pub version: String,
    /// The scenario's title, if it has one.
    pub title: Option<String>,
    /// The resolved scenario; `None` if the network was not built from a scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<Resolved>,
    /// The seed that was used, as a string of decimal digits.
    pub seed: String,
    /// The requested duration, in ps.
    #[serde(with = "integer")]
    pub duration_ps: u64,
    /// The end of the warm-up, which the summary leaves out; in ps, 0 in results of versions
    /// without warm-up.
    #[serde(default, with = "integer")]
    pub warm_up_ps: u64,
    /// The run covers `[0, end)`; in ps.
    #[serde(with = "integer")]
    pub end_ps: u64,
    /// The digest, 16 hexadecimal digits.
    pub digest: String,
    /// Whether the run reached its duration.
    pub complete: bool,
}

/// The first 8 digits of a digest, for the names of directories.
pub fn digest8(digest: &str) -> &str {
    digest.get(..8).unwrap_or(digest)
}

/// A scenario with all defaults. It is computed while it is written, flow by flow.
#[derive(Clone)]
pub struct Resolved(Form);

#[derive(Clone)]
enum Form {
    /// With all flows, or with those of these indices.
    Scenario(Arc<Scenario>, Option<Vec<usize>>),
    /// A value that was read.
    Read(Value),
}

impl Resolved {
    /// The resolved form of `scenario`.
    pub fn new(scenario: Scenario) -> Resolved {
        Resolved(Form::Scenario(Arc::new(scenario), None))
    }

    /// The same with these flows only, by their indices in ascending order. A value that was read
    /// is unchanged.
    #[must_use]
    pub fn with_flows(&self, flows: Vec<usize>) -> Resolved {
        Resolved(match &self.0 {
            Form::Scenario(scenario, _) => Form::Scenario(Arc::clone(scenario), Some(flows)),
            Form::Read(value) => Form::Read(value.clone()),
        })
    }

    /// The whole scenario as JSON.
    pub fn value(&self) -> Value {
        match &self.0 {
            Form::Scenario(..) => serde_json::to_value(self).expect("a scenario is plain data"),
            Form::Read(value) => value.clone(),
        }
    }
}

impl Serialize for Resolved {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Form::Scenario(scenario, flows) => scenario.resolve(flows.as_deref()).serialize(to),
            Form::Read(value) => value.serialize(to),
        }
    }
}

/// Its keys are those of the scenario that was read, with every default: they are not listed here.
impl Shaped for Resolved {
    fn shape() -> Shape {
        Shape::Any
    }
}

impl<'de> Deserialize<'de> for Resolved {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Resolved, D::Error> {
        Ok(Resolved(Form::Read(Value::deserialize(from)?)))
    }
}

impl PartialEq for Resolved {
    fn eq(&self, other: &Resolved) -> bool {
        self.value() == other.value()
    }
}

impl fmt::Debug for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Resolved").field(&self.value()).finish()
    }
}

impl Manifest {
    /// The manifest of a run of `network`, without title and scenario.
    pub fn new(
        network: &NetworkSpec,
        digest: u64,
        from: SimTime,
        end: SimTime,
        complete: bool,
    ) -> Manifest {
        Manifest {
            version: env!("CARGO_PKG_VERSION").to_string(),
            title: None,
            scenario: None,
            seed: network.seed.to_string(),
            duration_ps: network.duration.0,
            warm_up_ps: from.0,
            end_ps: end.0,
            digest: format!("{digest:016x}"),
            complete,
        }
    }
}
