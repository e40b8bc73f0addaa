//! Generates from the list of lane rules in `lane.rs` all that depends on every rule.

/// Generates [`LaneRule`], [`LaneSender`], [`LaneReceiver`] and the macros `of_spec`, `of_sender`
/// and `of_receiver` from a list of rules. Each rule has parameters (a [`Rule`]), a [`Sender`]
/// and a [`Receiver`]; the last word is its `kind` in manifests. Rules may share a `kind` if no
/// parameters fit two of them: parameters refuse keys that they do not have.
///
/// [`LaneRule`]: super::LaneRule
/// [`LaneSender`]: super::LaneSender
/// [`LaneReceiver`]: super::LaneReceiver
/// [`Rule`]: super::machine::Rule
/// [`Sender`]: super::machine::Sender
/// [`Receiver`]: super::machine::Receiver
macro_rules! lane_rules {
    ($(
        $(#[$doc:meta])* $rule:ident($spec:ident => $sender:ident, $receiver:ident)
            as $kind:literal,
    )+) => {
        /// The control of a lane.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(tag = "kind")]
        pub enum LaneRule {
            $($(#[$doc])* #[serde(rename = $kind)] $rule($spec),)+
        }

        impl<'de> Deserialize<'de> for LaneRule {
            /// Takes the first rule of the list that has this `kind` and exactly these parameters:
            /// rules may share a `kind`.
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<LaneRule, D::Error> {
                $(
                    #[derive(Deserialize)]
                    #[serde(tag = "kind")]
                    enum $rule {
                        #[serde(rename = $kind)]
                        Written($spec),
                    }
                )+
                #[derive(Deserialize)]
                #[serde(untagged)]
                enum Read {
                    $($rule($rule),)+
                }
                Ok(match Read::deserialize(from)? {
                    $(Read::$rule($rule::Written(spec)) => LaneRule::$rule(spec),)+
                })
            }
        }

        impl LaneRule {
            /// The facts of all rules, in the order of the list.
            pub const ALL: &[Facts] = &[$($spec::FACTS),+];

            /// The names of all rules, in the order of the list.
            pub const NAMES: &[&str] = &[$($spec::FACTS.name),+];

            /// The facts about the rule, whatever its parameters.
            pub const fn facts(&self) -> &'static Facts {
                match self {
                    $(LaneRule::$rule(_) => &$spec::FACTS,)+
                }
            }
        }

        /// The sending end of one lane.
        #[derive(Debug)]
        pub enum LaneSender {
            $($(#[$doc])* $rule($sender),)+
        }

        impl LaneSender {
            /// A sender that may send, on a link of this rate. Rules that promise a buffer ask for
            /// the largest packet of the lane.
            pub fn new(rule: LaneRule, rate: Rate, largest: impl FnOnce() -> Bytes) -> LaneSender {
                match rule {
                    $(LaneRule::$rule(spec) => {
                        LaneSender::$rule($sender::new(spec, rate, largest))
                    })+
                }
            }
        }

        /// The receiving end of one lane.
        #[derive(Debug)]
        pub enum LaneReceiver {
            $($(#[$doc])* $rule($receiver),)+
        }

        impl LaneReceiver {
            /// An empty buffer at the end of a link of this rate.
            pub fn new(rule: LaneRule, rate: Rate) -> LaneReceiver {
                match rule {
                    $(LaneRule::$rule(spec) => LaneReceiver::$rule($receiver::new(spec, rate)),)+
                }
            }
        }

        /// Calls a method of the parameters.
        macro_rules! of_spec {
            ($of:expr, $name:ident => $call:expr) => {
                match $of {
                    $(LaneRule::$rule($name) => $call,)+
                }
            };
        }

        /// Calls a method of the sending machine.
        macro_rules! of_sender {
            ($of:expr, $name:ident => $call:expr) => {
                match $of {
                    $(LaneSender::$rule($name) => $call,)+
                }
            };
        }

        /// Calls a method of the receiving machine.
        macro_rules! of_receiver {
            ($of:expr, $name:ident => $call:expr) => {
                match $of {
                    $(LaneReceiver::$rule($name) => $call,)+
                }
            };
        }
    };
}

pub(super) use lane_rules;
