//! Generates from the list of roles in `machines.rs` all that depends on every role whose machines
//! may be external.

/// Generates [`Make`], the constructors of [`Machine`], and the methods of [`NetworkSpec`] that
/// make a machine at its place. Each role has a name, the facts that a machine is made from, a
/// trait, and names for what is generated.
///
/// [`Make`]: super::Make
/// [`Machine`]: super::Machine
/// [`NetworkSpec`]: super::NetworkSpec
macro_rules! roles {
    ($(
        $(#[doc = $doc:literal])+ $role:ident, $name:literal: $facts:ident =>
        $machine:ident, $make:ident, $new:ident, $hold:ident;
    )+) => {
        $(
            #[doc = concat!("Makes a machine of the role ", $name, ".")]
            pub type $make =
                Arc<dyn Fn(&$facts<'_>) -> Result<Box<dyn $machine>, MachineError> + Send + Sync>;
        )+

        /// The constructor of an external machine, by role.
        #[derive(Clone)]
        pub enum Make {
            $($(#[doc = $doc])+ $role($make),)+
        }

        impl Make {
            /// The name of the role.
            pub const fn role(&self) -> &'static str {
                match self {
                    $(Make::$role(_) => $name,)+
                }
            }
        }

        impl Machine {
            $(
                $(#[doc = $doc])+
                /// `make` makes one for each use of it. See [`Machine::version`].
                pub fn $new<M: $machine + 'static>(
                    name: &str,
                    version: u64,
                    make: impl Fn(&$facts<'_>) -> Result<M, MachineError> + Send + Sync + 'static,
                ) -> Machine {
                    let boxed = move |facts: &$facts<'_>| -> Result<Box<dyn $machine>, _> {
                        Ok(Box::new(make(facts)?))
                    };
                    Machine::new(name, version, Make::$role(Arc::new(boxed)))
                }
            )+
        }

        impl NetworkSpec {
            $(
                /// A machine of its own for `place`, where it is used from `start` on.
                fn $hold(
                    &self,
                    index: u16,
                    place: String,
                    start: SimTime,
                    facts: &$facts<'_>,
                ) -> Held<dyn $machine> {
                    let machine = &self.machines[usize::from(index)];
                    let Make::$role(make) = &machine.make else {
                        panic!("`{}` has another role than {}", machine.name, $name);
                    };
                    Held::new($name, &machine.name, place, start, guarded(|| make(facts)))
                }
            )+
        }
    };
}

pub(super) use roles;
