//! Derives from the list of rules in `rate.rs` all code that names each of them.

/// Defines [`RateRule`], [`RateControl`] and the macro `of_each` from a list of rules and their
/// parameters. For each rule there is a machine of the same name, a [`Rule`].
///
/// [`RateRule`]: super::RateRule
/// [`RateControl`]: super::RateControl
/// [`Rule`]: super::Rule
macro_rules! rate_rules {
    ($($(#[doc = $doc:literal])+ $(#[serde($($form:tt)+)])? $kind:ident($spec:ident),)+) => {
        /// The rule of a switch port, in a scenario's words.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        pub enum RateRule {
            $($(#[doc = $doc])+ $(#[serde($($form)+)])? $kind($spec),)+
        }

        impl RateRule {
            /// The facts of all rules, in the order of the list.
            pub const ALL: &[Facts] = &[$($kind::FACTS),+];

            /// Their names, as scenarios write them.
            pub const NAMES: &[&str] = &[$($kind::FACTS.name),+];

            /// Its facts, which do not depend on its parameters.
            pub const fn facts(&self) -> &'static Facts {
                match self {
                    $(RateRule::$kind(_) => &$kind::FACTS,)+
                }
            }

            /// Its effects, which depend on its parameters.
            pub fn effect(&self) -> Effect {
                match self {
                    $(RateRule::$kind(spec) => $kind::effect(spec),)+
                }
            }

            /// Takes this settling time, if it has one.
            pub fn set_settle(&mut self, settle: Picos) {
                match self {
                    $(RateRule::$kind(spec) => $kind::set_settle(spec, settle),)+
                }
            }

            /// All that is wrong with it; empty if it is valid.
            pub fn mistakes(&self) -> Vec<RateMistake> {
                match self {
                    $(RateRule::$kind(spec) => spec.mistakes(),)+
                }
            }
        }

        /// The rule at work at one port, for rate-controlled VCs that are numbered from 0.
        #[derive(Debug)]
        pub enum RateControl {
            $($(#[doc = $doc])+ $kind($kind),)+
        }

        impl RateControl {
            fn make(rule: &RateRule, link: CellRate, flows: u32) -> RateControl {
                match rule {
                    $(RateRule::$kind(spec) => {
                        RateControl::$kind($kind::new(*spec, link, flows))
                    })+
                }
            }
        }

        /// Calls a method of whichever machine it is.
        macro_rules! of_each {
            ($control:expr, $machine:ident => $call:expr) => {
                match $control {
                    $(RateControl::$kind($machine) => $call,)+
                }
            };
        }
    };
}

pub(super) use rate_rules;
