//! Sentences about a flow whose endpoint had nothing in its host's queue: by its windows, its
//! host, the other end, or its application.
//!
//! ```text
//! reason     the one with the most time of `VcSummary::holds`
//! bottleneck a link of the path that is busy at least 5/6 of the time, or before which the flow
//!            had a packet for as long; of several, that where it had one for longest     (1)
//! ```
//! The window that a receiver needs, and its loop, are those of `check` and `size`
//! (`spec/windows.rs` of `hopflow-network`); results of older versions have neither.
//!
//! A full window says how the sender is held. If there is a bottleneck, its packets wait there, and
//! a larger window alone would not help.

use std::borrow::Cow;

use hopflow_record::{ConnectionSummary, HopSummary, LinkSummary, TcpSummary};

use super::super::{BUSY, NEGLIGIBLE, Note, Report, Severity, percent, rate};
use crate::why::span::Span;

impl<'a> Report<'a> {
    /// Why its endpoint sent nothing; `false` if it has none.
    pub(super) fn endpoint(&mut self) -> bool {
        let spans = self.spans().filter(|(span, _)| span.is_of_endpoint());
        let Some((span, ps)) = spans.max_by_key(|(_, ps)| *ps) else { return false };
        if self.vc.holds.is_none() {
            return false;
        }
        let share = ps as f64 / self.measured() as f64;
        match span {
            Span::ReceiveWindow => self.receive_window(share),
            Span::Growth | Span::Marks | Span::Loss | Span::TimeOut => self.congestion(span),
            Span::Peer => self.peer(share),
            Span::Pacing => self.paced_by_host(share),
            Span::Host => self.full_host(share),
            _ => return false,
        }
        true
    }

    /// The TCP connection that sends on this VC.
    fn tcp(&self) -> Option<&'a TcpSummary> {
        self.connection().and_then(|connection| connection.tcp.as_ref())
    }

    /// The connection of which it is the forward VC.
    fn connection(&self) -> Option<&'a ConnectionSummary> {
        self.index.connections.get(self.vc.name.as_str()).copied()
    }

    /// Eq. (1).
    fn bottleneck(&self) -> Option<&'a HopSummary> {
        let vc: &'a hopflow_record::VcSummary = self.vc;
        let is_busy = |link: &LinkSummary| link.busy_share >= BUSY;
        let is_full = |hop: &&HopSummary| {
            hop.no_cell_share <= 1.0 - BUSY || self.link(hop).is_some_and(is_busy)
        };
        let full = vc.hops.iter().filter(is_full);
        full.min_by(|a, b| a.no_cell_share.total_cmp(&b.no_cell_share))
    }

    /// Adds the sentence about a bottleneck.
    fn at(&mut self, hop: &HopSummary) {
        if hop.no_cell_share.max(hop.waiting_share) < NEGLIGIBLE {
            self.fills(hop);
        } else if self.link(hop).is_some_and(|link| link.busy_share >= BUSY) {
            self.is_bottleneck(hop);
        } else {
            self.shares(hop);
        }
    }

    fn receive_window(&mut self, share: f64) {
        let tcp = self.tcp();
        let window = tcp.map_or(0, |tcp| tcp.window_bytes);
        let (needed, loop_ps) = tcp.map_or((0, 0), |tcp| (tcp.needed_window_bytes, tcp.loop_ps));
        let name = &self.vc.name;
        let full = format!(
            "{name} was held by its receiver's window of {window} B, which was full {} of the time",
            percent(share)
        );
        let note = |severity, text| {
            let note = Note::new(severity, "receive-window", text).with("full_share", share);
            let note = note.with("window_bytes", f64::from(window));
            let known = |note: Note| note.with("needed_window_bytes", needed as f64);
            if needed > 0 { known(note) } else { note }
        };
        if let Some(hop) = self.bottleneck() {
            let text = format!("{full}: its {} waited for {}.", self.index.unit.word(), hop.link);
            self.say(note(Severity::Info, text).on(&hop.link));
            return self.at(hop);
        }
        let text = match loop_ps {
            0 => format!("{full}."),
            _ => format!("{full}: one window passes in a loop of {:.3} ms.", loop_ps as f64 / 1e9),
        };
        let note = note(Severity::Warning, text).on(&self.vc.hops[0].link);
        let change = format!("A `window` of {needed} B would fill its share of the path.");
        self.say(if u64::from(window) < needed { note.change(change) } else { note });
    }

    /// The congestion window was full; `span`: what had reduced it for most of this time.
    fn congestion(&mut self, span: Span) {
        let spans = self.spans().filter(|(span, _)| span.is_of_congestion());
        let share = spans.map(|(_, ps)| ps).sum::<u64>() as f64 / self.measured() as f64;
        let Some(tcp) = self.tcp() else { return };
        let cuts = [
            ("marks", tcp.mark_cuts),
            ("losses", tcp.fast_retransmits),
            ("time-outs", tcp.timeouts),
        ];
        let by: Vec<String> = cuts
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(by, count)| format!("{by} cut it {count} times"))
            .collect();
        let by: Cow<'_, str> = if by.is_empty() {
            "nothing cut it, and it was still growing".into()
        } else {
            by.join(", ").into()
        };
        let name = &self.vc.name;
        let place = self.reduced_at(span);
        let at = match (&place, span) {
            (Some(hop), Span::Marks) => format!(". {} marked most packets", hop.link),
            (Some(hop), _) => {
                format!(". Most {} were lost on {}", self.index.unit.word(), hop.link)
            }
            (None, _) => String::new(),
        };
        let text = format!(
            "{name} was held by its congestion window {} of the time: {by}{at}.",
            percent(share)
        );
        let bottleneck = self.bottleneck();
        let link = bottleneck.or(place).map_or(&self.vc.hops[0].link, |hop| &hop.link);
        let severity = if bottleneck.is_some() { Severity::Info } else { Severity::Warning };
        let mut note = Note::new(severity, "congestion-window", text).on(link);
        note = note.with("full_share", share).by(span.key());
        for (cut, (_, count)) in ["mark_cuts", "loss_cuts", "time_outs"].into_iter().zip(cuts) {
            note = note.with(cut, count as f64);
        }
        self.say(note);
        if let Some(hop) = bottleneck {
            self.at(hop);
        }
    }

    /// The hop where most of its packets were marked or lost.
    fn reduced_at(&self, span: Span) -> Option<&'a HopSummary> {
        let vc: &'a hopflow_record::VcSummary = self.vc;
        let count = |hop: &HopSummary| match span {
            Span::Growth => 0,
            Span::Marks => self.link(hop).map_or(0, |link| link.marked_packets),
            _ => hop.dropped_packets + hop.corrupted_packets + hop.given_up_packets,
        };
        vc.hops.iter().filter(|hop| count(hop) > 0).max_by_key(|hop| count(hop))
    }

    fn peer(&mut self, share: f64) {
        let name = &self.vc.name;
        let answers = self.connection().and_then(|connection| {
            let answers = self.index.vcs.iter().find(|vc| vc.name == connection.vcs[1]);
            answers?.holds
        });
        let waited = percent(share);
        let (cause, text) = match answers {
            Some(server) if server.application_ps >= server.peer_ps => (
                "server",
                format!(
                    "{name} waited for replies {waited} of the time: its server had no reply ready \
                     while it served calls, {} of the time, and no call to serve {}.",
                    percent(server.application_ps as f64 / self.measured() as f64),
                    percent(server.peer_ps as f64 / self.measured() as f64)
                ),
            ),
            Some(_) => (
                "replies",
                format!(
                    "{name} waited for replies {waited} of the time: its calls and their replies \
                     were on the way, and it makes no more calls at once."
                ),
            ),
            None => (
                "peer",
                format!("{name} answers: it waited for the other end {waited} of the time."),
            ),
        };
        let note = Note::new(Severity::Info, cause, text).on(&self.vc.hops[0].link);
        self.say(note.with("held_share", share));
        if let Some(hop) = self.bottleneck().filter(|_| cause == "replies") {
            self.at(hop);
        }
    }

    fn paced_by_host(&mut self, share: f64) {
        let text = format!(
            "{} was paced by its host, which had a packet and held it back {} of the time; it \
             delivered {}.",
            self.vc.name,
            percent(share),
            rate(self.vc.throughput_bps)
        );
        let note = Note::new(Severity::Info, "pacing", text).on(&self.vc.hops[0].link);
        self.say(
            note.with("held_share", share).change("A greater `send-limit` lets more through."),
        );
    }

    fn full_host(&mut self, share: f64) {
        let text = format!(
            "{} had a packet for which its host had no room {} of the time, while its own queue \
             was empty.",
            self.vc.name,
            percent(share)
        );
        let note = Note::new(Severity::Info, "host-queue", text).on(&self.vc.hops[0].link);
        self.say(note.with("held_share", share));
    }
}
