//! Schedulers, written out.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::Machine;
use serde_json::{Map, Value, json};

use crate::keys;

/// Its kind, and its parameters where it has any.
pub(super) fn scheduler(spec: &SchedulerSpec, machines: &[Machine]) -> Value {
    let mut map = Map::new();
    map.insert("kind".to_owned(), json!(spec.facts().name));
    if let Some(place) = spec.external() {
        let Machine { name, version, .. } = &machines[usize::from(place)];
        map.insert("machine".to_owned(), json!(name));
        map.insert("version".to_owned(), super::int(*version));
    }
    keys::write_scheduler(spec, &mut map);
    Value::Object(map)
}
