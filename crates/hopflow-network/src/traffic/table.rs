//! Makes of the list of sources in `traffic.rs` all that must know every one of them.

/// Makes [`SourceSpec`], [`Plan`] and the macro `of_each` of a list of kinds, written as variants
/// of an enum, with `serde` attributes for results. The first ones, up to the `;`, have no instants
/// of their own. A parameter that is not small is handed out `as ref`; a large plan is kept `in
/// Box`. Of each kind there is a type of the same name with `FACTS`, `arrivals(parameters)` and
/// `faster(by, parameters)`; of one that has instants also `new(start, parameters)` and
/// [`Machine`].
///
/// [`SourceSpec`]: super::SourceSpec
/// [`Plan`]: super::Plan
/// [`Machine`]: super::machine::Machine
macro_rules! sources {
    (
        $($(#[$bare_doc:meta])* $bare:ident),+;
        $(
            $(#[$doc:meta])* $kind:ident
                $({ $($(#[$field_doc:meta])* $field:ident: $type:ty $(as $by:tt)?,)+ })?
                $(in $box:ident)?,
        )+
    ) => {
        /// Where the cells of a VC come from. Every span of cells at the source's speed uses the
        /// cell time of the first hop's link.
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        pub enum SourceSpec {
            $($(#[$bare_doc])* $bare,)+
            $($(#[$doc])* $kind $({ $($(#[$field_doc])* $field: $type,)+ })?,)+
        }

        impl SourceSpec {
            /// The facts of all sources, in the order of the list.
            pub const ALL: &[Facts] = &[$($bare::FACTS,)+ $($kind::FACTS),+];

            /// Its facts, which do not depend on its parameters.
            pub const fn facts(&self) -> &'static Facts {
                match self {
                    $(SourceSpec::$bare => &$bare::FACTS,)+
                    $(SourceSpec::$kind { .. } => &$kind::FACTS,)+
                }
            }

            /// When its packets come, before anything holds it back.
            pub fn arrivals(&self) -> Arrivals<'_> {
                match *self {
                    $(SourceSpec::$bare => $bare::arrivals(),)+
                    $(SourceSpec::$kind $({ $($($by)? $field),+ })? => {
                        $kind::arrivals($($($field),+)?)
                    })+
                }
            }

            /// The same source at a greater rate.
            pub fn faster(&self, by: Faster) -> Result<SourceSpec, NotFaster> {
                match *self {
                    $(SourceSpec::$bare => $bare::faster(by),)+
                    $(SourceSpec::$kind $({ $($($by)? $field),+ })? => {
                        $kind::faster(by $($(, $field)+)?)
                    })+
                }
            }
        }

        /// The instants of a source without its `stop`, in order.
        #[derive(Debug)]
        enum Plan {
            $($kind(sources!(@held $kind $($box)?)),)+
        }

        impl Plan {
            /// The plan before the first packet, if there are instants.
            fn new(spec: &SourceSpec, start: &Start<'_>) -> Option<Plan> {
                match *spec {
                    $(SourceSpec::$bare)|+ => None,
                    $(SourceSpec::$kind $({ $($($by)? $field),+ })? => {
                        let plan = $kind::new(start $($(, $field)+)?);
                        Some(Plan::$kind(sources!(@hold plan $($box)?)))
                    })+
                }
            }
        }

        /// Calls a method of whichever plan it is.
        macro_rules! of_each {
            ($of:expr, $plan:ident => $call:expr) => {
                match $of {
                    $(Plan::$kind($plan) => $call,)+
                }
            };
        }
    };
    (@held $kind:ident) => { $kind };
    (@held $kind:ident $box:ident) => { $box<$kind> };
    (@hold $plan:ident) => { $plan };
    (@hold $plan:ident $box:ident) => { $box::new($plan) };
}

pub(super) use sources;
