//! Slow hosts of a network: the rates of their applications and links, and their stops.

use std::fmt;

use hopflow_network::{Change, DirectionId, Limit, NetworkSpec};
use hopflow_units::{Picos, Rate};

/// A host whose application accepts less than its link delivers, or stops for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowHost {
    /// Its name.
    pub name: String,
    /// The rate of its application, in bits per second.
    pub drain: Rate,
    /// The rate of its fastest link towards it, in bits per second.
    pub link: Rate,
    /// The limit of its receive buffer; `None`: no limit.
    pub buffer: Option<Limit>,
    /// The number of stops of its application in the run.
    pub stalls: usize,
    /// The total time of all stops, in picoseconds.
    pub stalled: Picos,
}

/// The hosts that accept less than their fastest link delivers, or stop, in the network's order.
pub fn slow_hosts(network: &NetworkSpec) -> Vec<SlowHost> {
    let hosts = (0..network.nodes.len()).filter_map(|node| Some((node, network.drain(node)?)));
    let hosts = hosts.filter_map(|(node, drain)| {
        let others = (0..network.direction_count()).map(DirectionId);
        let into = others.filter(|id| network.to_node(*id) == node && *id != drain.reverse());
        let link = into.map(|id| network.direction(id).rate).max()?;
        let (stalls, stalled) = stalls(network, drain);
        Some(SlowHost {
            name: network.nodes[node].name.clone(),
            drain: network.direction(drain).rate,
            link,
            buffer: network.direction(drain).buffer,
            stalls,
            stalled,
        })
    });
    hosts.filter(|host| host.drain < host.link || host.stalls > 0).collect()
}

/// The number and the total time of the stops of a direction within the run.
fn stalls(network: &NetworkSpec, id: DirectionId) -> (usize, Picos) {
    let end = network.duration.0;
    let (mut count, mut sum, mut since) = (0, 0, None);
    let events = network.events.iter().filter(|event| event.at.0 < end);
    for event in events.filter(|event| DirectionId::new(event.link, event.direction) == id) {
        match (event.change, since) {
            (Change::Blocked(true), None) => {
                (count, since) = (count + 1, Some(event.at.0));
            }
            (Change::Blocked(false), Some(from)) => {
                (sum, since) = (sum + event.at.0 - from, None);
            }
            _ => {}
        }
    }
    (count, Picos(sum + since.map_or(0, |from| end - from)))
}

impl fmt::Display for SlowHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.drain.bps() as f64 / self.link.bps() as f64;
        write!(f, "slow host: {} takes {}, {share:.1} % of its link", self.name, self.drain)?;
        match self.buffer {
            Some(limit) => write!(f, "; receive buffer of {limit}")?,
            None => write!(f, "; receive buffer without limit")?,
        }
        match self.stalls {
            0 => Ok(()),
            1 => write!(f, "; stops once, for {}", self.stalled),
            stalls => write!(f, "; stops {stalls} times, for {} in all", self.stalled),
        }
    }
}
