//! Card of a bundle, `bundle.json`: its kind, versions, digests, and the command that repeats its
//! runs. It contains no time, host or user.

use hopflow::CONTRACT_VERSION;
use hopflow::record::wire::integer;
use hopflow_kernel::DIGEST_VERSION;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::part::Part;
use crate::{BundleError, Kind};

/// The file.
pub(crate) const CARD: &str = "bundle.json";
/// The version of bundles.
pub(crate) const FORMAT: u32 = 2;

/// `bundle.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
#[shape(name = "BundleCard")]
pub struct Card {
    /// The version of bundles.
    pub format: u32,
    /// The kind.
    pub kind: Kind,
    /// The scenario's title, if it has one.
    pub title: Option<String>,
    /// The version of hopflow.
    pub version: String,
    /// The version of digests.
    pub digest_version: u32,
    /// The version of the keys of results.
    pub contract_version: u32,
    /// The digest of the run or of all runs, 16 hexadecimal digits; for a sweep the key of its
    /// plan, 32 digits.
    pub digest: String,
    /// The number of its runs.
    pub runs: u64,
    /// The command that repeats the results, typed in the folder that the bundle unpacks to.
    pub command: String,
    /// The duration of each run, in ps; for a sweep, of its first run.
    #[serde(with = "integer")]
    pub duration_ps: u64,
    /// The end of the warm-up, in ps; for a sweep, of its first run.
    #[serde(with = "integer")]
    pub warm_up_ps: u64,
    /// The runs with their digests; for a sweep they are the rows of `results/runs.parquet`.
    pub parts: Vec<Part>,
}

impl Card {
    pub(crate) fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("a card is plain data") + "\n"
    }

    /// Reads a card that this version can check.
    pub(crate) fn read(bytes: &[u8]) -> Result<Card, BundleError> {
        let wrong = |cause: serde_json::Error| {
            BundleError::Input(format!("its `{CARD}` is wrong: {cause}"))
        };
        let card: Value = serde_json::from_slice(bytes).map_err(wrong)?;
        let own = env!("CARGO_PKG_VERSION");
        let version = card["version"].as_str().unwrap_or("an unknown version");
        if card["format"] != FORMAT {
            return Err(BundleError::Input(format!(
                "it is a bundle of format {}, and this hopflow {own} reads format {FORMAT}: check \
                 it with the hopflow {version} that made it",
                card["format"]
            )));
        }
        let card: Card = serde_json::from_value(card.clone()).map_err(wrong)?;
        let versions = [card.digest_version, card.contract_version];
        if card.version != own || versions != [DIGEST_VERSION, CONTRACT_VERSION] {
            return Err(BundleError::Input(format!(
                "it was made by hopflow {} (digests of version {}), and this is hopflow {own} \
                 (digests of version {DIGEST_VERSION}): check it with hopflow {}",
                card.version, card.digest_version, card.version
            )));
        }
        Ok(card)
    }
}
