//! Generates from the list of controls in `congestion.rs` all that depends on every control.

/// Generates [`TcpVariant`], [`Congestion`] and the macro `of_each` from a list of kinds. Each kind
/// has a type of the same name with `FACTS`, `new(start)` and [`Control`]. The one after the `;` is
/// that of external controls.
///
/// [`TcpVariant`]: super::TcpVariant
/// [`Congestion`]: super::Congestion
/// [`Control`]: super::Control
macro_rules! congestions {
    ($($(#[$doc:meta])* $kind:ident),+; $(#[$outside_doc:meta])* $outside:ident,) => {
        /// How the congestion window moves, and how lost segments are found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum TcpVariant {
            $($(#[$doc])* $kind,)+
            $(#[$outside_doc])* $outside(u16),
        }

        impl TcpVariant {
            /// All built-in controls, in the order of the list.
            pub const ALL: &[TcpVariant] = &[$(TcpVariant::$kind),+];

            /// The facts about each, those of external controls last.
            pub const FACTS: &[&TcpFacts] = &[$(&$kind::FACTS,)+ &$outside::FACTS];

            /// Their names in scenarios.
            pub const NAMES: &[&str] = &[$($kind::FACTS.name,)+ $outside::FACTS.name];

            /// The facts about the control.
            pub const fn facts(self) -> &'static TcpFacts {
                match self {
                    $(TcpVariant::$kind => &$kind::FACTS,)+
                    TcpVariant::$outside(_) => &$outside::FACTS,
                }
            }

            /// The built-in control with this name.
            pub fn named(name: &str) -> Option<TcpVariant> {
                TcpVariant::ALL.iter().copied().find(|variant| variant.facts().name == name)
            }
        }

        /// The congestion control of a connection.
        #[derive(Debug)]
        pub(crate) enum Congestion {
            $($(#[$doc])* $kind($kind),)+
            $(#[$outside_doc])* $outside(Box<$outside>),
        }

        impl Congestion {
            /// The state at the start of a connection.
            pub(crate) fn new(variant: TcpVariant, start: &Start) -> Congestion {
                match variant {
                    $(TcpVariant::$kind => Congestion::$kind($kind::new(start)),)+
                    TcpVariant::$outside(_) => {
                        Congestion::$outside(Box::new($outside::new(start)))
                    }
                }
            }
        }

        /// Calls a method of the control.
        macro_rules! of_each {
            ($congestion:expr, $control:ident => $call:expr) => {
                match $congestion {
                    $(Congestion::$kind($control) => $call,)+
                    Congestion::$outside($control) => $call,
                }
            };
        }
    };
}

pub(super) use congestions;
