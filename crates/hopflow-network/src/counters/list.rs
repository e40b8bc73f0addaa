//! Lists of counters: the syntax of a line, and the code that a list generates.
//!
//! ```text
//! /// What it counts.
//! NAME: TYPE = KIND, PLACE;                            a counter
//! NAME: TYPE = KIND, PLACE => MODE KEY "Meaning.";     one that results publish
//! ```
//! KIND specifies how the readings before and after a warm-up are combined, see [`super::reading`].
//!
//! PLACE is `digest N` for the N-th word of the digest, from 0 on; `digest_if_any N` for the same
//! unless all of it is zero; `apart` for a counter that is not in the digest. A line without a
//! place, a gap or a repeated place is an error of the compiler.
//!
//! KEY is its name in JSON and in the columns of Parquet, with its unit. MODE is `every` for a
//! number in the JSON of every run, `later` for one that results of older versions do not have,
//! `seldom` for a number that JSON leaves out when it is 0, and `instant` for a time that JSON
//! leaves out when there is none. The order of the lines is the order of the keys.

/// Generates a struct from a list of counters, with its combination and its folding.
macro_rules! counters {
    ({} $(#[$about:meta])* $vis:vis struct $name:ident { $(
        $(#[$doc:meta])*
        $field:ident: $type:ty = $kind:ident, $digest:ident $($place:literal)?
        $(=> $mode:ident $key:ident $meaning:literal)?;
    )* }) => {
        $(#[$about])*
        $vis struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl $crate::counters::Combined for $name {
            fn combined(before: &Self, after: &Self, part: $crate::counters::Part) -> Self {
                use $crate::counters::reading::kind;
                $name { $($field: kind::$kind(&before.$field, &after.$field, part),)* }
            }
        }

        impl $crate::counters::InDigest for $name {
            fn digest(&self, hash: &mut hopflow_kernel::OrderHash) {
                const PLACES: std::ops::Range<u32> = $crate::counters::digest::places(&[
                    $($crate::counters::list::place!($digest $($place)?),)*
                ]);
                // A list may have no place.
                let _ = &hash;
                for place in PLACES {
                    match place {
                        $($($place => $crate::counters::InDigest::$digest(&self.$field, hash),)?)*
                        _ => {}
                    }
                }
            }
        }
    };
}
pub(crate) use counters;

/// The place of a line in the digest.
macro_rules! place {
    (digest $place:literal) => {
        Some($place)
    };
    (digest_if_any $place:literal) => {
        Some($place)
    };
    (apart) => {
        None
    };
}
pub(crate) use place;

#[cfg(test)]
mod tests {
    use hopflow_kernel::OrderHash;
    use hopflow_units::SimTime;

    use crate::counters::InDigest as _;

    counters! { {}
        #[derive(Default, PartialEq)]
        struct Few {
            /// Folded last.
            wide: u128 = count, digest 2;
            /// Folded first.
            count: u64 = count, digest 0;
            /// Not folded.
            most: u32 = most, apart;
            /// Folded between the two.
            deleted: Option<SimTime> = now, digest 1;
        }
    }

    /// Claim: words are folded by their places, whatever the order of the lines, and counters
    /// marked `apart` are not folded.
    #[test]
    fn places_are_the_order_of_the_digest() {
        let few = Few { wide: (7 << 64) | 8, count: 5, most: 6, deleted: None };
        let (mut folded, mut expected) = (OrderHash::default(), OrderHash::default());
        few.digest(&mut folded);
        for word in [5, SimTime::NEVER.0, 7, 8] {
            expected.word(word);
        }
        assert_eq!(folded, expected);
        let before = folded;
        Few::default().digest_if_any(&mut folded);
        assert_eq!(folded, before);
    }
}
