//! The counters that a summary publishes, from the lists of `hopflow-network/src/counters.rs`.

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
/// `counters/list.rs` of `hopflow-network` documents the form of a list.
macro_rules! published {
    ({ $(#[$about:meta])* pub struct $name:ident { $($before:tt)* } { $($after:tt)* } }
     $(#[$_about:meta])* pub struct $counters:ident { $(
        $(#[$_doc:meta])*
        $field:ident: $_type:ty = $_kind:ident, $_digest:ident $($_place:literal)?
        $(=> $(every $every:ident)? $(later $later:ident)? $(seldom $seldom:ident)?
            $(instant $instant:ident)? $meaning:literal)?;
    )* }) => {
        $(#[$about])*
        pub struct $name {
            $($before)*
            $($(
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
            )?)*
            $($after)*
        }

        impl $name {
            /// The counters that it publishes.
            pub const COUNTERS: &'static [$crate::Counter] = &[$($($crate::Counter {
                key: stringify!($($every)? $($later)? $($seldom)? $($instant)?),
                meaning: $meaning,
                optional: !stringify!($($instant)?).is_empty(),
            },)?)*];

            /// Their values, in order.
            pub fn counters(&self) -> impl Iterator<Item = Option<u64>> + use<> {
                let values = [$($(
                    $(Some(self.$every))? $(Some(self.$later))?
                    $(Some(self.$seldom))? $(self.$instant)?,
                )?)*];
                values.into_iter()
            }

            /// A struct with these counters, and defaults in the other fields.
            pub(super) fn counted(count: &$counters) -> $name {
                $name {
                    $($(
                        $($every: count.$field,)?
                        $($later: count.$field,)?
                        $($seldom: count.$field,)?
                        $($instant: count.$field.map(|time| time.0),)?
                    )?)*
                    ..$name::default()
                }
            }
        }
    };
}
pub(super) use published;
