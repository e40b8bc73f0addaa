//! Makes of the list of credit schemes in `credit.rs` all that must know every one of them.

/// Makes [`CreditScheme`], [`Sender`] and the macro `of_each` of a list of schemes and their
/// sending ends. Large ones are kept `in Box`. Each is a type with `FACTS`, `new(start)` and
/// [`Machine`].
///
/// [`CreditScheme`]: super::CreditScheme
/// [`Sender`]: super::Sender
/// [`Machine`]: super::machine::Machine
macro_rules! credit_schemes {
    ($($(#[$doc:meta])* $scheme:ident => $sender:ident $(in $box:ident)?,)+) => {
        /// Which credit scheme.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum CreditScheme {
            $($(#[$doc])* $scheme,)+
        }

        impl CreditScheme {
            /// All of them, in the order of the list.
            pub const ALL: &[CreditScheme] = &[$(CreditScheme::$scheme),+];

            /// What holds for it.
            pub const fn facts(self) -> &'static Facts {
                match self {
                    $(CreditScheme::$scheme => &$sender::FACTS,)+
                }
            }
        }

        /// The sending end of one VC on one link.
        #[derive(Clone, Debug)]
        pub enum Sender {
            /// No control: always allowed.
            Free,
            $($(#[$doc])* $scheme(credit_schemes!(@held $sender $($box)?)),)+
            /// End-to-end sliding window.
            Window(WindowSender),
        }

        impl Sender {
            /// The sending end of a scheme.
            pub fn new(scheme: CreditScheme, start: Start) -> Sender {
                match scheme {
                    $(CreditScheme::$scheme => {
                        Sender::$scheme($($box::new)?($sender::new(start)))
                    })+
                }
            }

            /// Whether E must be kept for this sender.
            pub const fn needs_in_flight(&self) -> bool {
                match self {
                    $(Sender::$scheme(_) => $sender::FACTS.needs_in_flight,)+
                    Sender::Free | Sender::Window(_) => false,
                }
            }
        }

        /// Calls a method of whichever machine it is; without control gives `$free`.
        macro_rules! of_each {
            ($of:expr, $free:expr, $machine:ident => $call:expr) => {
                match $of {
                    Sender::Free => $free,
                    $(Sender::$scheme($machine) => $call,)+
                    Sender::Window($machine) => $call,
                }
            };
        }
    };
    (@held $sender:ident) => { $sender };
    (@held $sender:ident $box:ident) => { $box<$sender> };
}

pub(super) use credit_schemes;
