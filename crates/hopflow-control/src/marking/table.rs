//! Makes of the list of markers in `marking.rs` all that must know every one of them.

/// Makes [`MarkingRule`], [`Marker`] and the macro `of_each` of a list of kinds. Of each there is a
/// type of the same name with `NAME`, `new(parameter)` and `marks(packet)`.
///
/// [`MarkingRule`]: super::MarkingRule
/// [`Marker`]: super::Marker
macro_rules! markers {
    ($($(#[$doc:meta])* $kind:ident($parameter:ident: $type:ty),)+) => {
        /// By which rule a port marks packets.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum MarkingRule {
            $($(#[$doc])* $kind($type),)+
        }

        impl MarkingRule {
            /// Their names, as scenarios write them.
            pub const NAMES: &[&str] = &[$($kind::NAME),+];

            /// Its name, as scenarios write it.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(MarkingRule::$kind(_) => $kind::NAME,)+
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
