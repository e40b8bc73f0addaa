//! Generates from the list of schedulers in `scheduler.rs` all that depends on every scheduler.

/// Generates [`SchedulerSpec`], [`Scheduler`] and the macro `of_each` from a list of kinds, written
/// as variants of an enum. The first is plain round robin, which has no machine. Every other kind
/// has a type of the same name with `FACTS`, `guarantee(parameters)`, `new(port, parameters)` and
/// [`Machine`].
///
/// [`SchedulerSpec`]: super::SchedulerSpec
/// [`Scheduler`]: super::Scheduler
/// [`Machine`]: super::machine::Machine
macro_rules! schedulers {
    (
        $(#[$plain_doc:meta])* $plain:ident,
        $(
            $(#[$doc:meta])* $kind:ident
                $({ $($(#[$field_doc:meta])* $field:ident: $type:ty,)+ })?
                $(($whole:ident: $whole_type:ty))?,
        )+
    ) => {
        /// The scheduler of a port.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub enum SchedulerSpec {
            $(#[$plain_doc])*
            #[default]
            $plain,
            $(
                $(#[$doc])*
                $kind $({ $($(#[$field_doc])* $field: $type,)+ })? $(($whole_type))?,
            )+
        }

        impl SchedulerSpec {
            /// The facts of all schedulers, in the order of the list.
            pub const ALL: &[Facts] = &[$plain::FACTS, $($kind::FACTS),+];

            /// Their names in scenarios.
            pub const NAMES: &[&str] = &[$plain::FACTS.name, $($kind::FACTS.name),+];

            /// The facts about the scheduler, whatever its parameters.
            pub const fn facts(&self) -> &'static Facts {
                match self {
                    SchedulerSpec::$plain => &$plain::FACTS,
                    $(SchedulerSpec::$kind { .. } => &$kind::FACTS,)+
                }
            }

            /// Its guarantee.
            pub fn guarantee(&self) -> Guarantee {
                match self.clone() {
                    SchedulerSpec::$plain => $plain::guarantee(),
                    $(SchedulerSpec::$kind $({ $($field),+ })? $(($whole))? => {
                        $kind::guarantee($($($field),+)? $($whole)?)
                    })+
                }
            }

            /// The scheduler with this name, if it has no parameters.
            pub fn without_parameters(name: &str) -> Option<SchedulerSpec> {
                let all = [
                    Some(SchedulerSpec::$plain),
                    $(schedulers!(@bare $kind $({ $($field)+ })? $(($whole))?),)+
                ];
                all.into_iter().flatten().find(|spec| spec.facts().name == name)
            }
        }

        /// The scheduler of one port. A separate byte holds the kind: every call reads it, and
        /// reading it from a niche of another field takes five instructions.
        #[derive(Debug)]
        #[repr(u8)]
        pub enum Scheduler {
            $($(#[$doc])* $kind($kind),)+
        }

        impl Scheduler {
            fn make(spec: SchedulerSpec, port: &Port<'_>) -> Option<Scheduler> {
                match spec {
                    SchedulerSpec::$plain => None,
                    $(SchedulerSpec::$kind $({ $($field),+ })? $(($whole))? => {
                        Some(Scheduler::$kind($kind::new(port $($(, $field)+)? $(, $whole)?)))
                    })+
                }
            }
        }

        /// Calls a method of the machine.
        macro_rules! of_each {
            ($scheduler:expr, $machine:ident => $call:expr) => {
                match $scheduler {
                    $(Scheduler::$kind($machine) => $call,)+
                }
            };
        }
    };
    (@bare $kind:ident) => { Some(SchedulerSpec::$kind) };
    (@bare $kind:ident $parameters:tt) => { None };
}

pub(super) use schedulers;
