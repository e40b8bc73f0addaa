//! Generates from the list of markers in `marking.rs` all that depends on every marker.

/// Generates [`MarkingRule`], [`Marker`] and the macro `of_each` from a list of kinds. Each kind
/// has a type of the same name that is a [`Machine`].
///
/// [`MarkingRule`]: super::MarkingRule
/// [`Marker`]: super::Marker
/// [`Machine`]: super::Machine
macro_rules! markers {
    ($($(#[$doc:meta])* $kind:ident($parameter:ident: $type:ty),)+) => {
        /// By which rule a port marks packets.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum MarkingRule {
            $($(#[$doc])* $kind($type),)+
        }

        impl MarkingRule {
            /// Their names, as scenarios write them.
            pub const NAMES: &[&str] = &[$($kind::FACTS.name),+];

            /// The facts about the rule.
            pub const fn facts(&self) -> &'static Facts {
                match self {
                    $(MarkingRule::$kind(_) => &$kind::FACTS,)+
                }
            }
        }

        /// The marker of one port.
        #[derive(Debug)]
        pub enum Marker {
            $($(#[$doc])* $kind($kind),)+
        }

        impl Marker {
            /// At the start.
            pub fn new(rule: MarkingRule) -> Marker {
                match rule {
                    $(MarkingRule::$kind($parameter) => Marker::$kind($kind::new($parameter)),)+
                }
            }
        }

        /// Calls a method of whichever machine it is.
        macro_rules! of_each {
            ($marker:expr, $machine:ident => $call:expr) => {
                match $marker {
                    $(Marker::$kind($machine) => $call,)+
                }
            };
        }
    };
}

pub(super) use markers;
