//! The parameters that VirtualClock leaves open, see `virtual_clock.rs`.

use hopflow_units::Picos;

/// The parameters that VirtualClock leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VirtualClockSpec {
    /// Which clock stamps packets.
    pub stamp: StampClock,
    /// When the meter is read.
    pub check: MeterCheck,
    /// T: how far the meter may be ahead of real time. `None`: the flow's AI.
    pub threshold: Option<Picos>,
    /// Whether a flow whose meter is too far ahead is sent a message.
    pub messages: bool,
    /// A flow that is found too fast again after this number of times is deleted. `None`: never.
    pub delete_after: Option<u32>,
    /// Admission control: a packet that would put auxVC further ahead than this is refused.
    pub refuse_ahead: Option<Picos>,
}

impl Default for VirtualClockSpec {
    /// The final version of [Zhang90] 2.4, with three messages before a deletion.
    fn default() -> VirtualClockSpec {
        VirtualClockSpec {
            stamp: StampClock::Auxiliary,
            check: MeterCheck::EveryAir,
            threshold: None,
            messages: true,
            delete_after: Some(3),
            refuse_ahead: None,
        }
    }
}

/// Which clock stamps packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StampClock {
    /// auxVC: the final version, [Zhang90] 2.3.1.
    Auxiliary,
    /// VirtualClock itself: the first version, [Zhang90] 2.2.
    Meter,
}

/// When the VirtualClock meter of a flow is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeterCheck {
    /// After every AIR = AR x AI packets.
    EveryAir,
    /// At every whole multiple of this span; evaluated when the flow's next packet arrives.
    Every(Picos),
}
