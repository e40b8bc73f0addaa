//! Trial of a headroom: a switch that a sender overloads, with frames on the way back.
//!
//! ```text
//!   A ----- S ----- B        A sends frames to B over a last link of a tenth of the rate
//!           |
//!           C                C sends frames to A, which a pause frame waits for
//!
//! delays = span - T(frame back) - T(control cell)         span: (1) of `pause/headroom.rs`   (1)
//! XOFF   = ceil(beyond / frame) x frame + 1                                                  (2)
//! ```
//! The simulated end stops at once, and a pause frame is a control cell of 53 B. So the interfaces,
//! the response and the rest of the pause frame are part of the delay, and the span is that of the
//! law (1). With (2) the frame that crosses XOFF adds a byte less than itself.

use hopflow_units::{Bytes, Picos};

use super::super::{Headroom, PausedLink};
use super::TrialError;

/// How often XOFF is crossed, about.
const CYCLES: u64 = 12;
/// The last link is slower by this factor.
const SLOWER: u64 = 10;

/// A paused link.
#[derive(Clone, Debug)]
pub(super) struct PauseTrial {
    link: PausedLink,
    span: Picos,
    beyond: Bytes,
}

impl PauseTrial {
    pub(super) const fn new(link: &PausedLink, needed: &Headroom) -> PauseTrial {
        PauseTrial { link: *link, span: needed.span, beyond: needed.beyond_xoff }
    }

    /// Eq. (2).
    fn xoff(&self) -> u64 {
        let frame = self.link.frame.0.max(1);
        (self.beyond.0.div_ceil(frame).saturating_mul(frame)).saturating_add(1)
    }

    /// The room by the law.
    pub(super) fn room(&self) -> u64 {
        self.xoff().saturating_add(self.beyond.0)
    }

    /// Bytes of the fast link in the time of the run: (XOFF / 2 + beyond) drain at a tenth of the
    /// rate, in each cycle.
    fn bytes(&self) -> u128 {
        let cycle = u128::from(self.xoff()) + u128::from(self.beyond.0);
        cycle * u128::from(SLOWER * CYCLES)
    }

    /// The time of the run; `None` on overflow.
    pub(super) fn span(&self) -> Option<Picos> {
        let time = self.link.rate.transmit_time(Bytes(u64::try_from(self.bytes()).ok()?))?;
        time.checked_add(self.span.checked_mul(CYCLES)?)
    }

    /// Packets in the run, at most.
    pub(super) fn packets(&self) -> u128 {
        let slower = u128::from(self.link.frame.0.max(1)) * u128::from(SLOWER);
        let back = u128::from(self.link.frame_back.0.max(1));
        self.bytes() / slower + self.bytes() / back
    }

    pub(super) fn text(&self, span: Picos, room: u64) -> Result<String, TrialError> {
        let PausedLink { rate, rate_back, frame, frame_back, .. } = self.link;
        let time = |size| rate_back.transmit_time(size).unwrap_or(Picos::MAX).0;
        let sent = time(frame_back).saturating_add(time(Bytes::CELL));
        let delays = self.span.0.checked_sub(sent).map(Picos).ok_or_else(|| {
            TrialError::TooShort(format!(
                "a span of {} is shorter than the {} of a frame and a control cell on the way \
                 back: no run has it; give a longer --delay, --response or --processing",
                self.span,
                Picos(sent)
            ))
        })?;
        let (xoff, there, back) = (self.xoff(), rate.bps(), rate_back.bps());
        let lines = [
            "version = 2",
            "title = \"An overloaded switch that pauses its sender\"",
            &format!("duration = \"{} ps\"\n", span.0),
            "[[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n[[host]]\nname = \"C\"",
            "[[switch]]\nname = \"S\"\n",
            "[[link]]\nbetween = [\"A\", \"S\"]",
            &format!("rate = [\"{there} b/s\", \"{back} b/s\"]"),
            &super::both_ways(delays),
            &format!(
                "pause = [{{ priorities = [0], xoff = \"{xoff} B\", xon = \"{} B\", room = \
                 \"{room} B\" }}, \"none\"]",
                xoff / 2
            ),
            "[[link]]\nbetween = [\"S\", \"B\"]",
            &format!("rate = \"{} b/s\"", (there / SLOWER).max(1)),
            "[[link]]\nbetween = [\"C\", \"S\"]",
            &format!("rate = \"{back} b/s\"\n"),
            "[[flow]]\nname = \"data\"\nfrom = \"A\"\nto = \"B\"",
            &format!("packet = \"{} B\"", frame.0),
            "[[flow]]\nname = \"back\"\nfrom = \"C\"\nto = \"A\"",
            &format!("packet = \"{} B\"", frame_back.0),
            "",
        ];
        Ok(lines.join("\n"))
    }
}
