//! Makes of the list of schedulers in `scheduler.rs` all that must know every one of them.

/// Makes [`SchedulerSpec`], [`Scheduler`] and the macro `of_each` of a list of kinds, written as
/// variants of an enum. The first is plain round robin, which has no machine. Of each other kind
/// there is a type of the same name with `FACTS`, `guarantee(parameters)`, `new(port, parameters)`
/// and [`Machine`].
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
        /// Which scheduler a port has.
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
            /// What holds for all schedulers, in the order of the list.
            pub const ALL: &[Facts] = &[$plain::FACTS, $($kind::FACTS),+];

            /// Their names, as scenarios write them.
            pub const NAMES: &[&str] = &[$plain::FACTS.name, $($kind::FACTS.name),+];

            /// What holds for it whatever its parameters.
            pub const fn facts(&self) -> &'static Facts {
                match self {
                    SchedulerSpec::$plain => &$plain::FACTS,
                    $(SchedulerSpec::$kind { .. } => &$kind::FACTS,)+
                }
            }

            /// What it promises.
            pub fn guarantee(&self) -> Guarantee {
                match self.clone() {
                    SchedulerSpec::$plain => $plain::guarantee(),
                    $(SchedulerSpec::$kind $({ $($field),+ })? $(($whole))? => {
                        $kind::guarantee($($($field),+)? $($whole)?)
                    })+
                }
            }

            /// The scheduler of this name, if it has no parameters.
            pub fn without_parameters(name: &str) -> Option<SchedulerSpec> {
                let all = [
                    Some(SchedulerSpec::$plain),
                    $(schedulers!(@bare $kind $({ $($field)+ })? $(($whole))?),)+
                ];
                all.into_iter().flatten().find(|spec| spec.facts().name == name)
            }
        }

        /// The scheduler of one port. A byte of its own says which kind it is: every call reads it,
        /// and to read it from a field of another kind takes five instructions.
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

        /// Calls a method of whichever machine it is.
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
