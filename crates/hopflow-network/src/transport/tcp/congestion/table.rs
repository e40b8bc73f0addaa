//! Makes of the list of controls in `congestion.rs` all that must know every one of them.

/// Makes [`TcpVariant`], [`Congestion`] and the macro `of_each` of a list of kinds. Of each there
/// is a type of the same name with `FACTS`, `new(start)` and [`Control`].
///
/// [`TcpVariant`]: super::TcpVariant
/// [`Congestion`]: super::Congestion
/// [`Control`]: super::Control
macro_rules! congestions {
    ($($(#[$doc:meta])* $kind:ident,)+) => {
        /// How the congestion window moves, and how lost segments are found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum TcpVariant {
            $($(#[$doc])* $kind,)+
        }

        impl TcpVariant {
            /// All of them, in the order of the list.
            pub const ALL: &[TcpVariant] = &[$(TcpVariant::$kind),+];

            /// Their names, as scenarios write them.
            pub const NAMES: &[&str] = &[$($kind::FACTS.name),+];

            /// What others ask about it.
            pub const fn facts(self) -> &'static TcpFacts {
                match self {
                    $(TcpVariant::$kind => &$kind::FACTS,)+
                }
            }

            /// The one of this name.
            pub fn named(name: &str) -> Option<TcpVariant> {
                TcpVariant::ALL.iter().copied().find(|variant| variant.facts().name == name)
            }
        }

        /// The congestion control of a connection.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Congestion {
            $($(#[$doc])* $kind($kind),)+
        }

        impl Congestion {
            /// At the start of a connection.
            pub(crate) fn new(variant: TcpVariant, start: &Start) -> Congestion {
                match variant {
                    $(TcpVariant::$kind => Congestion::$kind($kind::new(start)),)+
                }
            }
        }

        /// Calls a method of whichever control it is.
        macro_rules! of_each {
            ($congestion:expr, $control:ident => $call:expr) => {
                match $congestion {
                    $(Congestion::$kind($control) => $call,)+
                }
            };
        }
    };
}

pub(super) use congestions;
