//! Scenario files: TOML to a validated network.
