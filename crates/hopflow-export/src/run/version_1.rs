//! Directories of version 1 of the contract: their keys and words, converted to those of today.
//!
//! Counts of packets ended in `_cells`, whatever the packets were; frames were called packets; two
//! schemes had other names in results than in scenarios; and times of the manifest were strings,
//! which every reader of integers accepts. `docs/results.md` has the same table.

use serde_json::{Map, Value};

/// Keys of any object that have another name today.
const KEYS: &[(&str, &str)] = &[
    ("created_cells", "created_packets"),
    ("sent_cells", "sent_packets"),
    ("received_cells", "received_packets"),
    ("dropped_cells", "dropped_packets"),
    ("pushed_out_cells", "pushed_out_packets"),
    ("policed_cells", "policed_packets"),
    ("corrupted_cells", "corrupted_packets"),
    ("given_up_cells", "given_up_packets"),
    ("overrun_cells", "overrun_packets"),
    ("initial_credit_cells", "initial_credit_packets"),
    ("throughput_cells_per_second", "throughput_packets_per_second"),
    ("data_cells", "data_packets"),
    ("control_cells", "control_packets"),
    ("watchdog_cells", "watchdog_packets"),
    ("wasted_cells", "wasted_packets"),
    ("mean_cells", "mean_packets"),
    ("max_cells", "max_packets"),
    ("end_cells", "end_packets"),
    ("min_cells", "min_packets"),
    ("deviation_cells", "deviation_packets"),
    ("p50_cells", "p50_packets"),
    ("p90_cells", "p90_packets"),
    ("p99_cells", "p99_packets"),
    ("buffer_cells", "buffer_packets"),
    ("port_buffer_cells", "port_buffer_packets"),
    ("vc_buffer_cells", "vc_buffer_packets"),
    ("run_ahead_cells", "run_ahead_packets"),
    ("ack_every_cells", "ack_every_packets"),
    ("burst_cells", "burst_packets"),
    ("threshold_cells", "threshold_packets"),
    ("vc_threshold_cells", "vc_threshold_packets"),
];

/// Keys of frames, which were called packets.
const FRAMES: &[(&str, &str)] = &[
    ("sent_packets", "sent_frames"),
    ("whole_packets", "whole_frames"),
    ("broken_packets", "broken_frames"),
];

/// Schemes by their former names.
const SCHEMES: &[(&str, &str)] = &[("n123-plus", "n123+"), ("n23, e continuous", "n23-continuous")];

/// A document of version 1, a summary or a manifest, in the words of today.
pub(super) fn upgraded(document: Value) -> Value {
    object("", document)
}

/// `value`, which was under the key `place`.
fn object(place: &str, value: Value) -> Value {
    match value {
        Value::Object(keys) => {
            let renamed = keys.into_iter().map(|(key, value)| {
                let (new, inner) = (renamed(place, &key, &value), key.as_str());
                (new.to_owned(), object(inner, value))
            });
            Value::Object(renamed.collect::<Map<_, _>>())
        }
        Value::Array(list) => {
            Value::Array(list.into_iter().map(|value| object(place, value)).collect())
        }
        Value::String(name) if matches!(place, "control" | "scheme") => {
            Value::String(today(SCHEMES, &name).unwrap_or(&name).to_owned())
        }
        other => other,
    }
}

/// The name of today of `key`, whose value is `value`, of an object under `place`.
fn renamed<'a>(place: &str, key: &'a str, value: &Value) -> &'a str {
    match (place, key) {
        // For a VC; for its source it is a number.
        ("vcs", "packets") if value.is_object() => "frames",
        ("packets", _) => today(FRAMES, key).or_else(|| today(KEYS, key)).unwrap_or(key),
        // The packets that a VC sent over a link, that a window allows, or that a file repeats.
        ("vcs" | "window" | "source", "cells") => "packets",
        _ => today(KEYS, key).unwrap_or(key),
    }
}

fn today(names: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    names.iter().find(|(former, _)| *former == name).map(|(_, today)| *today)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use serde_json::{Value, json};

    use super::upgraded;
    use crate::run::StoredRun;

    /// A run that hopflow 0.1.0 wrote: TCP and NFS over AAL5, N123+, N23 with continuous E, a
    /// window, and PFC.
    fn directory() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/version-1")
    }

    fn document(name: &str) -> Value {
        let text = fs::read_to_string(directory().join(name)).expect("it is there");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Whether `whole` has all of `part` with the same values; it may have newer keys.
    fn is_in(part: &Value, whole: &Value) -> Result<(), String> {
        match (part, whole) {
            (Value::Object(part), Value::Object(whole)) => {
                part.iter().try_for_each(|(key, one)| {
                    let other = whole.get(key).ok_or_else(|| format!("`{key}` was not read"))?;
                    is_in(one, other).map_err(|why| format!("{key}: {why}"))
                })
            }
            (Value::Array(part), Value::Array(whole)) if part.len() == whole.len() => {
                part.iter().zip(whole).try_for_each(|(one, other)| is_in(one, other))
            }
            // Floats keep their value, not their digits.
            (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => Ok(()),
            (one, other) if one == other => Ok(()),
            (one, other) => Err(format!("{one} became {other}")),
        }
    }

    /// Claim: a directory of version 1 is read whole: every key is read under its name of today,
    /// with its value, and no key that counts packets says cells.
    #[test]
    fn a_directory_of_version_1_is_read_whole() {
        let stored = StoredRun::read(&directory()).expect("it can be read");
        let mut summary = upgraded(document("summary.json"));
        summary
            .as_object_mut()
            .expect("an object")
            .retain(|key, _| !["version", "manifest"].contains(&key.as_str()));
        let again = serde_json::to_value(&stored.summary).expect("plain data");
        assert_eq!(is_in(&summary, &again), Ok(()));

        let former = document("summary.json");
        for (place, was, is) in [
            ("sent", "/vcs/0/sent_cells", "/vcs/0/sent_packets"),
            ("whole", "/vcs/0/packets/whole_packets", "/vcs/0/frames/whole_frames"),
            ("share", "/links/0/vcs/0/cells", "/links/0/vcs/0/packets"),
            (
                "credit",
                "/vcs/4/hops/0/initial_credit_cells",
                "/vcs/4/hops/0/initial_credit_packets",
            ),
            ("length", "/ports/6/lengths/time/p99_cells", "/ports/6/lengths/time/p99_packets"),
        ] {
            let value = former.pointer(was).unwrap_or_else(|| panic!("{place}: no {was}"));
            assert_ne!(*value, json!(0), "{place}");
            assert_eq!(again.pointer(is), Some(value), "{place}");
        }
        let schemes = stored.summary.vcs.iter().map(|vc| vc.hops[0].control.as_str());
        let schemes: Vec<&str> = schemes.collect();
        assert!(schemes.contains(&"n123+") && schemes.contains(&"n23-continuous"), "{schemes:?}");
        assert_eq!(
            (stored.manifest.end_ps, stored.summary.end_ps),
            (300_000_000_000, 300_000_000_000)
        );
    }

    /// Claim: the network of a run of version 1 is found, with its schemes, buffers and window.
    #[test]
    fn the_network_of_a_directory_of_version_1_is_found() {
        let stored = StoredRun::read(&directory()).expect("it can be read");
        let network = stored.network(&directory()).expect("a network");
        let manifest = crate::run::tests::network_of(&stored.manifest).expect("of the manifest");
        for network in [network, manifest] {
            assert_eq!(network.vcs.len(), 8);
            let named = |name: &str| network.vcs.iter().find(|vc| vc.name == name).expect("a VC");
            let window = named("window").window.expect("a window");
            assert_eq!((window.cells.0, window.ack_every.0), (10, 2));
            let scheme = |name| match named(name).hops[0].control {
                hopflow::network::HopControl::Credit(credit) => credit.scheme.facts().name,
                hopflow::network::HopControl::None => "none",
            };
            assert_eq!([scheme("plus"), scheme("continuous")], ["n123+", "n23-continuous"]);
        }
    }
}
