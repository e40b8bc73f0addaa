//! Names of link directions in scenario files and results.

use hopflow_network::NetworkSpec;

/// The name of every link direction, in order, see [`NetworkSpec::direction_names`].
pub fn direction_names(spec: &NetworkSpec) -> Vec<String> {
    spec.direction_names().collect()
}
