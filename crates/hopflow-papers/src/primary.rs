//! Primary readings: of every printed number one, chosen before any run.
//!
//! Two readers got a paper, the list of its printed numbers and the list of keys of a scenario, and
//! no result of a run. Each alone wrote what a number measures and with which settings. A third
//! reader, who had seen no result either, compared the two. Where they differ, the number is
//! ambiguous: the paper does not say what its reader would have to set.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::Range;

/// The version of files of primary readings.
const VERSION: u32 = 1;

/// What two readers took a printed number for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Primary {
    /// The place of the number, as in its claims.
    #[serde(rename = "where")]
    pub place: String,
    /// What it is counted by at its place, as in its claims.
    pub number: String,
    /// The values that are printed so, in the unit of the claims: half a unit of the last digit
    /// either way, or half a division of the scale of a figure.
    pub printed: Range,
    /// The common part of both readings: object, statistic, and settings that the paper leaves out.
    pub reading: String,
    /// What the two differ in. `None`: they are the same experiment.
    pub differ: Option<String>,
    /// Why no run can give the number: it contradicts others of its own table.
    pub slip: Option<String>,
    /// The claim that measures the reading. `None`: no run of this project has all of its settings.
    pub claim: Option<String>,
    /// Of a claim with a free parameter: the value that the reading has.
    pub at: Option<String>,
    /// The place and the reason of the first reader.
    pub a: String,
    /// Those of the second.
    pub b: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrimaryFile {
    version: u32,
    paper: String,
    number: Vec<Primary>,
}

/// What is wrong with a file of primary readings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PrimaryError {
    /// Not the TOML of a file of primary readings, or of another version or paper.
    #[error("{0}")]
    Format(String),
    /// A number twice.
    #[error("`{number}` of `{place}` is there twice: rename one of them")]
    Twice {
        /// Its place.
        place: String,
        /// The number.
        number: String,
    },
    /// A range that a value cannot be in.
    #[error("`printed` of `{0}` is not [least, greatest], both ends finite")]
    Range(String),
    /// A claim of a number on whose reading the two differ, or which is a slip.
    #[error(
        "`{0}` is ambiguous or a slip, so that no claim is its primary reading: remove `claim`"
    )]
    Undecided(String),
}

/// Reads a file of the primary readings of `paper`.
pub fn load_primary(text: &str, paper: &str) -> Result<Vec<Primary>, PrimaryError> {
    let file: PrimaryFile =
        toml::from_str(text).map_err(|error| PrimaryError::Format(error.to_string()))?;
    if file.version != VERSION || file.paper != paper {
        let (version, of) = (file.version, file.paper);
        let found = format!("version {version} of `{of}` is not version {VERSION} of `{paper}`");
        return Err(PrimaryError::Format(found));
    }
    let mut seen = BTreeSet::new();
    for one in &file.number {
        let number = one.number.clone();
        if !one.printed.is_closed() || one.printed.low > one.printed.high {
            return Err(PrimaryError::Range(number));
        }
        if one.claim.is_some() && (one.differ.is_some() || one.slip.is_some()) {
            return Err(PrimaryError::Undecided(number));
        }
        if !seen.insert((&one.place, &one.number)) {
            return Err(PrimaryError::Twice { place: one.place.clone(), number });
        }
    }
    Ok(file.number)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// One number of the paper `p`.
    pub(crate) fn primary(place: &str, number: &str, more: &str) -> String {
        format!(
            "[[number]]\nwhere = \"{place}\"\nnumber = \"{number}\"\nprinted = [1.3, 1.7]\n\
             reading = \"r\"\na = \"a\"\nb = \"b\"\n{more}\n"
        )
    }

    fn load(numbers: &[String]) -> Result<Vec<Primary>, PrimaryError> {
        load_primary(&format!("version = 1\npaper = \"p\"\n{}", numbers.concat()), "p")
    }

    /// Claim: a number is there once; a reading on which the two differ has no claim; the range is
    /// one.
    #[test]
    fn files_that_are_wrong_are_refused() {
        let claim = "claim = \"p.a\"";
        assert_eq!(load(&[primary("w", "5", claim), primary("v", "5", "")]).unwrap().len(), 2);
        let twice = load(&[primary("w", "5", ""), primary("w", "5", claim)]);
        assert!(matches!(twice, Err(PrimaryError::Twice { .. })), "{twice:?}");
        for undecided in ["differ = \"d\"", "slip = \"s\""] {
            assert!(load(&[primary("w", "5", undecided)]).is_ok());
            let with_claim = load(&[primary("w", "5", &format!("{claim}\n{undecided}"))]);
            assert_eq!(with_claim, Err(PrimaryError::Undecided("5".into())));
        }
        let open = primary("w", "5", "").replace("[1.3, 1.7]", "[1, inf]");
        assert_eq!(load(&[open]), Err(PrimaryError::Range("5".into())));
        assert!(load_primary("version = 1\npaper = \"q\"\nnumber = []", "p").is_err());
    }
}
