//! Headroom: what PFC needs above its XOFF threshold.
//!
//! When the buffer of a priority reaches XOFF, a pause frame is sent; data keeps arriving until it
//! takes effect, and must fit the headroom:
//! ```text
//! span     = T(frame back) + (1 + frames ahead) x T(pause frame)
//!          + delay back + delay there + interface + response                        (1)
//! headroom = ceil(span x rate / 8 bits x frame / (frame + o)) + frame               (2)
//! room     = XOFF + frame + headroom                                                (3)
//! ```
//! | symbol          | meaning                                                     | unit  |
//! |-----------------|-------------------------------------------------------------|-------|
//! | T               | transmit time on the way back, its overhead included        | ps    |
//! | o               | bytes of the link that a frame takes beside its own         | bytes |
//! | frame back      | largest frame on the way back, which has just started       | bytes |
//! | frames ahead    | control frames queued before the pause frame                |       |
//! | delay           | propagation, each way                                       | ps    |
//! | interface       | time of both ends to handle a frame                         | ps    |
//! | response        | time of the paused end to stop                              | ps    |
//! | frame           | largest of the priority: one starts last (2), one crosses XOFF (3) | bytes |
//!
//! Of the bytes of a link, the largest share is of frames if all are the largest. With frames as on
//! the wire o is 0.
//!
//! Source: (1) and (2) are the sum of [PFC-BT], which uses bit times of one rate in both
//! directions. Differs: (3) counts the frame that crosses the threshold, which a table of bit times
//! includes in XOFF. Not modelled: buffers in blocks of more than a byte. Checked by, against runs:
//! `hopflow/src/size/pause/tests.rs`, `docs/models/pfc.md`.

use hopflow_units::{Bytes, Picos, Rate};

/// A link direction that can be paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PausedLink {
    /// The rate of the data.
    pub rate: Rate,
    /// Bytes that each frame takes of the link in addition to its own: 0 if `frame` has them.
    pub overhead: Bytes,
    /// The same on the way back.
    pub overhead_back: Bytes,
    /// The rate of the way back, which carries the pause frame.
    pub rate_back: Rate,
    /// Propagation in both directions, added.
    pub delay: Picos,
    /// The time of both ends to handle a frame, added.
    pub interface: Picos,
    /// The time of the paused end to stop.
    pub response: Picos,
    /// The largest frame of the priority, in bytes of the buffer.
    pub frame: Bytes,
    /// The largest frame on the way back.
    pub frame_back: Bytes,
    /// The size of a pause frame.
    pub pause_frame: Bytes,
    /// Control frames that may wait before the pause frame.
    pub frames_ahead: u32,
}

/// The headroom of a priority.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headroom {
    /// The time from the crossing of XOFF until the last data that started before the pause has
    /// arrived. Eq. (1).
    pub span: Picos,
    /// Eq. (2), in bytes.
    pub headroom: Bytes,
    /// The room needed above XOFF: the headroom and the frame that crosses XOFF. Eq. (3).
    pub beyond_xoff: Bytes,
    /// The formulas, each followed by the same with numbers.
    pub formula: String,
}

/// Why no headroom can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadroomError {
    /// A frame of zero bytes.
    NoFrame,
    /// The span of Eq. (1) does not fit 2^64 ps (213 days).
    TooLate,
    /// Eq. (2) or (3) does not fit 2^64 bytes.
    TooLarge {
        /// Eq. (1).
        span: Picos,
    },
}

/// The headroom of a priority on a link.
pub fn headroom(link: &PausedLink) -> Result<Headroom, HeadroomError> {
    if link.frame == Bytes(0) || link.frame_back == Bytes(0) || link.pause_frame == Bytes(0) {
        return Err(HeadroomError::NoFrame);
    }
    let terms = terms(link).ok_or(HeadroomError::TooLate)?;
    let sum = terms.iter().try_fold(Picos::ZERO, |sum, term| sum.checked_add(*term));
    let span = sum.ok_or(HeadroomError::TooLate)?;
    let bits = u128::from(span.0) * u128::from(link.rate.bps());
    let too_large = HeadroomError::TooLarge { span };
    let frame = u128::from(link.frame.0);
    let bits = bits.checked_mul(frame).ok_or(too_large)?;
    let on_link = frame + u128::from(link.overhead.0);
    let bytes = bits.div_ceil(8 * u128::from(Picos::PER_SECOND) * on_link);
    let bytes = u64::try_from(bytes).map_err(|_| too_large)?;
    let headroom = bytes.checked_add(link.frame.0).ok_or(too_large)?;
    let beyond = headroom.checked_add(link.frame.0).ok_or(too_large)?;
    let (headroom, beyond_xoff) = (Bytes(headroom), Bytes(beyond));
    let mut sizes = Headroom { span, headroom, beyond_xoff, formula: String::new() };
    sizes.formula = formula(link, &terms, &sizes);
    Ok(sizes)
}

/// The five terms of Eq. (1); `None` on overflow.
fn terms(link: &PausedLink) -> Option<[Picos; 5]> {
    let time = |size: Bytes| {
        let size = size.0.checked_add(link.overhead_back.0)?;
        link.rate_back.transmit_time(Bytes(size))
    };
    let pauses = time(link.pause_frame)?.checked_mul(u64::from(link.frames_ahead) + 1)?;
    Some([time(link.frame_back)?, pauses, link.delay, link.interface, link.response])
}

fn formula(link: &PausedLink, terms: &[Picos; 5], sizes: &Headroom) -> String {
    let Headroom { span, headroom, beyond_xoff, .. } = sizes;
    let pauses = u64::from(link.frames_ahead) + 1;
    let spans = terms.map(|term| term.to_string()).join(" + ");
    let (rate, frame) = (link.rate, link.frame.0);
    let [part, numbers] = match link.overhead.0 {
        0 => [String::new(), String::new()],
        overhead => [
            " x frame / (frame + overhead)".to_owned(),
            format!(" x {frame} / ({frame} + {overhead})"),
        ],
    };
    format!(
        "span = T(frame back) + {pauses} x T(pause frame) + delays + interface + response \
         = {spans} = {span}\n\
         headroom = ceil(span x rate / 8 bits{part}) + frame = \
         ceil({span} x {rate} / 8 bits{numbers}) + {frame} = {} bytes\n\
         room = XOFF + frame + headroom = XOFF + {frame} + {} = XOFF + {} bytes",
        headroom.0, headroom.0, beyond_xoff.0
    )
}
