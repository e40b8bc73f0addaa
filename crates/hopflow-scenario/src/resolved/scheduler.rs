//! Schedulers, written out.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::Machine;
use serde_json::{Map, Value, json};

use crate::keys::scheduler;

/// Its kind, and its parameters where it has any.
pub(super) fn scheduler(spec: &SchedulerSpec, machines: &[Machine]) -> Value {
    let mut map = Map::new();
    map.insert("kind".to_owned(), json!(spec.facts().name));
    scheduler::write(spec, &mut map);
    let mut value = Value::Object(map);
    super::put_machine(&mut value, spec.external(), machines);
    value
}
