//! Generates from the list of credit schemes in `credit.rs` all that depends on every scheme.

/// Generates [`CreditScheme`], [`Sender`] and the macro `of_each` from a list of schemes and their
/// sending ends. Large ends are kept `in Box`. Each end is a type with `FACTS`, `new(start)` and
/// [`Machine`]. A scheme may have a number.
///
/// [`CreditScheme`]: super::CreditScheme
/// [`Sender`]: super::Sender
/// [`Machine`]: super::machine::Machine
macro_rules! credit_schemes {
    ($($(#[$doc:meta])* $scheme:ident $(($number:ty))? => $sender:ident $(in $box:ident)?,)+) => {
        /// A credit scheme.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum CreditScheme {
            $($(#[$doc])* $scheme $(($number))?,)+
        }

        impl CreditScheme {
            /// All schemes, in the order of the list; a number is zero.
            pub const ALL: &[CreditScheme] =
                &[$(CreditScheme::$scheme $((<$number>::MIN))?),+];

            /// The facts about the scheme.
            pub const fn facts(self) -> &'static Facts {
                match self {
                    $(CreditScheme::$scheme { .. } => &$sender::FACTS,)+
                }
            }
        }

        /// The sending end of one VC on one link.
        #[derive(Debug, Default)]
        pub enum Sender {
            /// No control: always allowed.
            #[default]
            Free,
            $($(#[$doc])* $scheme(credit_schemes!(@held $sender $($box)?)),)+
            /// End-to-end sliding window.
            Window(WindowSender),
            /// A scheme whose packets take several units.
            InUnits(Box<InUnits>),
        }

        impl Sender {
            /// The sending end of a scheme.
            pub fn new(scheme: CreditScheme, start: Start) -> Sender {
                let sender = Sender::of_scheme(scheme, start);
                if start.units.are_packets() {
                    return sender;
                }
                Sender::InUnits(Box::new(InUnits::new(sender, start.units)))
            }

            /// The same, which is asked in units.
            fn of_scheme(scheme: CreditScheme, start: Start) -> Sender {
                match scheme {
                    $(CreditScheme::$scheme { .. } => {
                        Sender::$scheme($($box::new)?($sender::new(start)))
                    })+
                }
            }

            /// Whether the sender needs E.
            pub const fn needs_in_flight(&self) -> bool {
                match self {
                    $(Sender::$scheme(_) => $sender::FACTS.needs_in_flight,)+
                    Sender::Free | Sender::Window(_) => false,
                    Sender::InUnits(of) => of.scheme.needs_in_flight(),
                }
            }
        }

        /// Calls a method of the machine; without control it yields `$free`.
        macro_rules! of_each {
            ($of:expr, $free:expr, $machine:ident => $call:expr) => {
                match $of {
                    Sender::Free => $free,
                    $(Sender::$scheme($machine) => $call,)+
                    Sender::Window($machine) => $call,
                    Sender::InUnits($machine) => $call,
                }
            };
        }
    };
    (@held $sender:ident) => { $sender };
    (@held $sender:ident $box:ident) => { $box<$sender> };
}

pub(super) use credit_schemes;
