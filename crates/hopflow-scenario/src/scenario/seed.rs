//! A scenario with another seed: its phases, and where routes follow the seed, all that depends on
//! them.

use hopflow_network::NetworkSpec;

use super::Scenario;
use crate::diagnostic::Sink;
use crate::origin::Source;
use crate::read::{Control, finished};
use crate::{Code, Diagnostics, build};

impl Scenario {
    /// Whether some run of the scenario draws random numbers: its network
    /// ([`NetworkSpec::draws`]), what the scenario draws, or routes that follow the seed. If not,
    /// all seeds give one run.
    pub fn draws(&self) -> bool {
        self.routing.follows_seed() || self.is_drawn() || self.network.draws()
    }

    /// Whether the scenario draws by its seed what is then fixed in the network: phases of sources,
    /// or calls.
    pub fn is_drawn(&self) -> bool {
        !self.phased.is_empty() || !self.calls.is_empty()
    }

    /// The same with another seed: phases of sources and calls are drawn anew. Where the choice
    /// among equal paths follows it ([`crate::Routing::follows_seed`]), the scenario is read anew:
    /// all that depends on its routes is worked out again, and times and what is recorded stay as
    /// they are set. Places of warnings are in the text with the settings in it.
    ///
    /// # Errors
    ///
    /// What is wrong with the scenario on the other routes; and a network that was changed after it
    /// was read, which cannot be read anew.
    pub fn with_seed(&self, seed: u64) -> Result<Scenario, Diagnostics> {
        let mut other = self.clone();
        if self.routing.follows_seed() && self.routing.seed != seed {
            let source = self.routing.origin.source();
            other = routed(self, source.expect("it is kept where routes follow the seed"), seed)?;
        }
        other.network.seed = seed;
        build::draw(&mut other.network, &other.phased, &other.calls);
        Ok(other)
    }
}

/// `scenario`, which was read from `source`, with the routes of another seed.
fn routed(scenario: &Scenario, source: &Source, seed: u64) -> Result<Scenario, Diagnostics> {
    let NetworkSpec { duration, seed: own, .. } = scenario.network;
    let as_read = NetworkSpec { duration, seed: own, ..source.network.clone() };
    if as_read != scenario.network {
        return Err(changed(&source.name, scenario.routing.seed, seed));
    }
    let (text, added) = (&source.text, &source.added);
    let read = |path: &str| {
        let absent = || Err("it was not read the first time".to_owned());
        source.files.get(path).cloned().unwrap_or_else(absent)
    };
    let control = Control { name: scenario.control.as_deref(), is_unlimited: false };
    let (name, machines) = (&source.name, &source.machines);
    let other = finished(text, added, control, name, Some(seed), &read, machines)?;
    Ok(Scenario {
        network: NetworkSpec { duration, ..other.network },
        warm_up: scenario.warm_up,
        record: scenario.record.clone(),
        title: scenario.title.clone(),
        notes: scenario.notes.clone(),
        ..other
    })
}

/// The network is not the one that was read.
fn changed(name: &str, own: u64, seed: u64) -> Diagnostics {
    let mut sink = Sink::new();
    let message = format!(
        "seed {seed} gives this scenario other routes than seed {own}, but its network was changed \
         after it was read"
    );
    let hint = format!("pin the routes with `route-seed = {own}`, or change the text instead");
    sink.error(Code::CONFLICT, &(0..0), message).hint(hint);
    sink.refused(name, "")
}
