//! The smallest packet of a lane, by whose it is: buffers count packets of any size, so it decides
//! how many packets a promise in bytes may become.

use hopflow_units::Bytes;

use crate::spec::{NetworkSpec, ProtocolSpec};

/// The smallest packet of some place of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Smallest {
    /// Its size.
    pub size: Bytes,
    /// Its VC.
    pub vc: usize,
    /// It is an ACK cell of the VC, on the way back.
    pub is_ack: bool,
}

impl Smallest {
    /// Flow, part and size: `an ACK of `f1`, 40 B`.
    fn words(&self, network: &NetworkSpec) -> String {
        let answers = network.connections.iter().find(|one| one.backward == self.vc);
        let (part, name) = match answers {
            _ if self.is_ack => ("an ACK", &network.vcs[self.vc].name),
            Some(one) if matches!(one.protocol, ProtocolSpec::Tcp(_)) => ("an ACK", &one.name),
            _ => ("a packet", &network.vcs[self.vc].name),
        };
        format!("{part} of `{name}`, {} B", self.size.0)
    }

    /// What a message about a need in packets says too. `bytes`: the need in bytes of the packets
    /// that pass, whatever their sizes.
    pub fn note(&self, network: &NetworkSpec, bytes: u64) -> String {
        format!(
            "buffers count packets of any size, and the smallest is {}; in bytes the need is \
             {bytes} B",
            self.words(network)
        )
    }
}
