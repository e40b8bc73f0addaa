//! The counters that a summary publishes, from the lists of `hopflow-network/src/counters.rs`, or
//! from a list of sums of these.

/// A counter that a summary publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name in JSON and of its column; ends in its unit where it has one.
    pub key: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// Whether it may be empty.
    pub optional: bool,
}

/// Defines a struct with the published counters of a list, between two groups of other fields.
/// `counters/list.rs` of `hopflow-network` documents the form of a list. A list of sums is between
/// the two groups; each VALUE is computed from the counters NAME:
///
/// ```text
/// NAME: COUNTERS { MODE KEY "Meaning." = VALUE; ... }
/// ```
macro_rules! published {
    ({ $(#[$about:meta])* pub struct $name:ident { $($before:tt)* } { $($after:tt)* } }
     $(#[$_about:meta])* pub struct $counters:ident { $(
        $(#[$_doc:meta])*
        $field:ident: $_type:ty = $_kind:ident, $_digest:ident $($_place:literal)?
        $(=> $mode:ident $key:ident $meaning:tt)?;
    )* }) => {
        published! {
            $(#[$about])*
            pub struct $name { $($before)* }
            count: $counters { $($($mode $key $meaning = count.$field;)?)* }
            { $($after)* }
        }
    };
    ($(#[$about:meta])* pub struct $name:ident { $($before:tt)* }
     $count:ident: $counters:ident { $(
        $(every $every:ident)? $(later $later:ident)? $(seldom $seldom:ident)?
        $(instant $instant:ident)? $meaning:literal = $value:expr;
    )* }
     { $($after:tt)* }) => {
        $(#[$about])*
        pub struct $name {
            $($before)*
            $(
                $(
                    #[doc = $meaning]
                    #[serde(with = "crate::wire::integer")]
                    pub $every: u64,
                )?
                $(
                    #[doc = $meaning]
                    #[serde(default, with = "crate::wire::integer")]
                    pub $later: u64,
                )?
                $(
                    #[doc = $meaning]
                    #[serde(default, with = "crate::wire::integer")]
                    #[serde(skip_serializing_if = "crate::wire::is_zero")]
                    pub $seldom: u64,
                )?
                $(
                    #[doc = $meaning]
                    #[serde(default, with = "crate::wire::optional_integer")]
                    #[serde(skip_serializing_if = "Option::is_none")]
                    pub $instant: Option<u64>,
                )?
            )*
            $($after)*
        }

        impl $name {
            /// The counters that it publishes.
            pub const COUNTERS: &'static [$crate::Counter] = &[$($crate::Counter {
                key: stringify!($($every)? $($later)? $($seldom)? $($instant)?),
                meaning: $meaning,
                optional: !stringify!($($instant)?).is_empty(),
            },)*];

            /// Their values, in order.
            pub fn counters(&self) -> impl Iterator<Item = Option<u64>> + use<> {
                let values = [$(
                    $(Some(self.$every))? $(Some(self.$later))?
                    $(Some(self.$seldom))? $(self.$instant)?,
                )*];
                values.into_iter()
            }

            /// A struct with these counters, and defaults in the other fields.
            #[allow(clippy::needless_update, reason = "a list may have no other fields")]
            pub(super) fn counted($count: &$counters) -> $name {
                $name {
                    $(
                        $($every: $value,)?
                        $($later: $value,)?
                        $($seldom: $value,)?
                        $($instant: $value.map(|time| time.0),)?
                    )*
                    ..$name::default()
                }
            }
        }
    };
}
pub(super) use published;
