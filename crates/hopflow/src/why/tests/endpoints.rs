//! What is said of connections: by which window, or by whom else, a sender was held.

use hopflow_record::Summary;

use crate::why::{Span, flows, groups, spans, why};
use crate::{RunOptions, run};

pub(super) fn run_text(text: &str) -> Summary {
    let scenario = hopflow_scenario::Scenario::from_toml(text, "why.toml").expect("it is valid");
    run(&scenario, &RunOptions::default()).expect("it runs").summary
}

/// Two hosts, one link, one flow over it from this source.
fn pair(head: &str, link: &str, source: &str) -> String {
    format!(
        "version = 2\n{head}\n[[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n[[link]]\n\
         between = [\"A\", \"B\"]\n{link}\n[[flow]]\nname = \"f\"\nfrom = \"A\"\nto = \"B\"\n\
         source = {source}\n"
    )
}

/// The share of a span of the flow `f`, after a check that all spans add up to the measured time.
fn share(summary: &Summary, span: Span) -> f64 {
    let vc = summary.vc("f").expect("the flow");
    let measured = summary.measured().0;
    assert_eq!(spans(vc).map(|(_, ps)| ps).sum::<u64>(), measured, "{:?}", vc.holds);
    let ps = spans(vc).find(|(one, _)| *one == span).expect("all spans are there").1;
    ps as f64 / measured as f64
}

/// The cause of the limit of a flow, its closer cause, and the sentence.
fn limit(summary: &Summary, vc: &str) -> (&'static str, Option<&'static str>, String) {
    let mut notes = why(summary).into_iter().filter(|note| note.vc.as_deref() == Some(vc));
    let note = notes.nth(1).expect("the limit follows the outcome");
    (note.cause, note.by, note.to_string())
}

/// The link of the flow's bottleneck.
fn bottleneck(summary: &Summary, vc: &str) -> Option<String> {
    let mut notes = why(summary).into_iter().filter(|note| note.vc.as_deref() == Some(vc));
    notes.find(|note| matches!(note.cause, "bottleneck" | "link-full"))?.link
}

/// Claim: a window of 65,535 B over 1 Gb/s and 10 ms is the cause. It holds 44 segments of 1,460 B.
/// One loop of 10.0x ms sends these, 44 x 12 us = .528 ms of it, so the flow sends 5.2 to 5.28 % of
/// the time. From ten segments to 44 the congestion window takes at most 4 loops of 2 s, 2 %. The
/// rest is the receiver's window: 92.7 to 94.8 %. The loop is 10 ms, a segment of 12 us and its
/// acknowledgement of .32 us: 834.36 segments. 835 and one for an acknowledgement of two segments
/// are 836 x 1,460 B = 1,220,560 B of data.
#[test]
fn a_receive_window_is_named() {
    let link = "rate = \"1 Gb/s\"\ndelay = \"5 ms\"";
    let source = "{ kind = \"tcp\", variant = \"cubic\", window = \"65535 B\" }";
    let summary = run_text(&pair("duration = \"2 s\"", link, source));
    let (cause, by, text) = limit(&summary, "f");
    assert_eq!((cause, by), ("receive-window", None), "{text}");
    let held = share(&summary, Span::ReceiveWindow);
    assert!((0.927..=0.948).contains(&held), "{held}");
    assert!(share(&summary, Span::Growth) <= 0.02, "{text}");
    let start = format!(
        "f was held by its receiver's window of 65535 B, which was full {:.1} % of the time: one \
         window passes in a loop of 10.012 ms. A `window` of 1220560 B would fill its share of the \
         path.",
        100.0 * held
    );
    assert_eq!(text, start);
    assert_eq!(bottleneck(&summary, "f"), None);
}

/// Claim: NewReno with the default window over 100 Mb/s and 200 ms. 65,535 B hold 44 segments of
/// 1,460 B, 1,500 B with headers: 44 x .12 ms = 5.28 ms of each loop of 200.1 ms or, with a delayed
/// acknowledgement, up to 200.3 ms: 2.6 %. After the start the rest of the time, 97.4 %, is the
/// receiver's window, and all of it: nothing cut the congestion window.
#[test]
fn a_receive_window_is_all_of_the_rest() {
    let link = "rate = \"100 Mb/s\"\ndelay = \"100 ms\"";
    let head = "duration = \"20 s\"\nwarm-up = \"5 s\"";
    let summary = run_text(&pair(head, link, "{ kind = \"tcp\", variant = \"newreno\" }"));
    let held = share(&summary, Span::ReceiveWindow);
    assert!((0.973..=0.975).contains(&held), "{held}");
    let f = summary.vc("f").expect("the flow");
    let others = spans(f).filter(|(_, ps)| *ps > 0).map(|(span, _)| span);
    assert_eq!(others.collect::<Vec<_>>(), [Span::Sending, Span::ReceiveWindow]);
    assert_eq!(limit(&summary, "f").0, "receive-window");
}

/// Claim: CUBIC over a link that loses packets is held by its congestion window, which losses cut,
/// and the link has room: at a loss of .1 % and 40 ms of loop the response of CUBIC is far below
/// 1 Gb/s.
#[test]
fn a_congestion_window_cut_by_loss_is_named() {
    let link = "rate = \"1 Gb/s\"\ndelay = \"20 ms\"\ncorrupt-data = 0.001";
    let summary = run_text(&pair(
        "duration = \"10 s\"",
        link,
        "{ kind = \"tcp\", variant = \"cubic\", window = \"60 MB\" }",
    ));
    let (cause, by, text) = limit(&summary, "f");
    assert_eq!((cause, by), ("congestion-window", Some("loss")), "{text}");
    let cuts = summary.connections[0].tcp.as_ref().expect("TCP").fast_retransmits;
    assert!(text.contains(&format!("losses cut it {cuts} times")) && cuts > 10, "{text}");
    assert!(text.ends_with("Most packets were lost on A->B."), "{text}");
    assert_eq!(bottleneck(&summary, "f"), None);
    assert!(share(&summary, Span::Loss) > 0.7);
}

/// Claim: each of 64 DCTCP senders into one port is held by its congestion window, cut by marks,
/// and the port is the bottleneck: 64 windows of at least 2 segments are more than the loop of 10
/// Gb/s x 30 us = 25 segments and the threshold of 65, so the port never idles. A sender has 64th
/// of the time of a link as fast as the port: 1.6 %.
#[test]
fn an_incast_is_cut_by_marks_at_its_port() {
    let text = r#"
version = 2
duration = "100 ms"
warm-up = "20 ms"
[defaults.link]
rate = "10 Gb/s"
delay = "5 us"
[[host]]
name = "A{}"
count = 64
[[host]]
name = "B"
[[switch]]
name = "S"
marking = { kind = "step", threshold = "65 packets" }
[[link]]
between = ["A{}", "S"]
count = 64
[[link]]
between = ["S", "B"]
[[flow]]
name = "f{}"
count = 64
from = "A{}"
to = "B"
source = { kind = "tcp", variant = "dctcp", window = "1 MB", min-rto = "10 ms" }
"#;
    let summary = run_text(text);
    for flow in 1..=64 {
        let name = format!("f{flow}");
        let (cause, by, text) = limit(&summary, &name);
        assert_eq!((cause, by), ("congestion-window", Some("marks")), "{text}");
        assert_eq!(bottleneck(&summary, &name).as_deref(), Some("S->B"), "{text}");
        let tcp = summary.connections[flow - 1].tcp.as_ref().expect("TCP");
        assert!(text.contains(&format!("marks cut it {} times", tcp.mark_cuts)), "{text}");
        let vc = summary.vc(&name).expect("the flow");
        let measured = summary.measured().0;
        assert_eq!(spans(vc).map(|(_, ps)| ps).sum::<u64>(), measured);
    }
    let notes = why(&summary);
    let flows = flows(&summary, &notes);
    let [group] = &groups(&summary, &flows)[..] else { panic!("{flows:?}") };
    assert_eq!((flows.len(), group.flows), (64, 64), "the VCs of acknowledgements are no flows");
    assert_eq!((group.cause, group.held_by), ("bottleneck", "congestion-window"));
    assert_eq!((group.by, group.bottleneck.as_deref()), (Some("marks"), Some("S->B")));
    // Each sends 1/64 of the time, and nearly all of the rest is the congestion window's.
    assert!((0.9..=1.0 - 0.9 / 64.0).contains(&group.held_share), "{}", group.held_share);
    let all: f64 = flows.iter().map(|flow| flow.vc.throughput_bps).sum();
    assert!((group.throughput_bps / all - 1.0).abs() < 1e-9);
}

/// Claim: CUBIC through 5 Mb/s with room for 208 packets is limited by that link, not by its
/// source: the link is busy all the time, and the queue before it is never empty.
#[test]
fn a_slow_link_behind_a_deep_queue_is_named() {
    let text = r#"
version = 2
duration = "120 s"
warm-up = "20 s"
[[host]]
name = "A"
[[switch]]
name = "S"
port-buffer = "208 packets"
[[host]]
name = "B"
[[link]]
between = ["A", "S"]
rate = "1 Gb/s"
[[link]]
between = ["S", "B"]
rate = "5 Mb/s"
delay = "50 ms"
[[flow]]
name = "f"
from = "A"
to = "B"
source = { kind = "tcp", variant = "cubic", mtu = "1500 B" }
"#;
    let summary = run_text(text);
    assert_eq!(bottleneck(&summary, "f").as_deref(), Some("S->B"));
    assert!(share(&summary, Span::Sending) < 0.01);
}

/// Claim: a host that paces its packets, and an application that writes 1 MB in 10 s, are named. At
/// 10 Mb/s of packets of 1,500 B a link of 100 Mb/s is busy 10 % of the time, so the host holds a
/// packet back for 90 %. 1 MB are 80 ms at 100 Mb/s, .8 % of 10 s.
#[test]
fn a_host_and_an_application_are_named() {
    let link = "rate = \"100 Mb/s\"\ndelay = \"1 ms\"";
    let source = "{ kind = \"tcp\", variant = \"cubic\" }\nsend-limit = \"10 Mb/s\"";
    let summary = run_text(&pair("duration = \"10 s\"", link, source));
    let (cause, _, text) = limit(&summary, "f");
    assert_eq!(cause, "pacing", "{text}");
    let held = share(&summary, Span::Pacing);
    assert!((0.88..=0.90).contains(&held), "{held}");
    let source = "{ kind = \"tcp\", variant = \"cubic\", transfer = \"1 MB\" }";
    let summary = run_text(&pair("duration = \"10 s\"", link, source));
    let (cause, _, text) = limit(&summary, "f");
    assert_eq!(cause, "source", "{text}");
    let held = share(&summary, Span::Application);
    assert!((0.98..=0.992).contains(&held), "{held}");
}

/// Claim: 4 MiB of window over 10 Gb/s and 100 ms is the cause. It holds 2,872 segments of 1,460
/// bytes, 1,500 with headers. They take 3.446 ms of each loop of 100.00x ms: 3.44 to 3.45 % of the
/// time. Its windows grow in less than 5 s, and the rest of the time is the receiver's.
#[test]
fn a_receive_window_over_100_ms_is_named() {
    let link = "rate = \"10 Gb/s\"\ndelay = \"50 ms\"";
    let head = "duration = \"20 s\"\nwarm-up = \"5 s\"";
    let source = "{ kind = \"tcp\", variant = \"cubic\", window = \"4194304 B\" }";
    let summary = run_text(&pair(head, link, source));
    let (cause, _, text) = limit(&summary, "f");
    assert_eq!(cause, "receive-window", "{text}");
    let held = share(&summary, Span::ReceiveWindow);
    assert!((0.965..=0.9657).contains(&held), "{held}");
    // 83,334.4 segments of 1.2 us in R: 83,335 and one more, of 1,460 B of data.
    assert!(text.contains("A `window` of 121670560 B"), "{text}");
}

/// Claim: ten DCTCP senders over links ten times as fast as the port that marks above 40 packets
/// are held by windows that marks cut, and the port is the bottleneck: the threshold is more than a
/// seventh of the loop of 10 Gb/s x 100 us = 83 packets, so it never idles [Alizadeh10].
#[test]
fn ten_windows_are_cut_by_marks_at_one_port() {
    let text = r#"
version = 2
duration = "40 ms"
warm-up = "10 ms"
[[host]]
name = "A{}"
count = 10
[[host]]
name = "B"
[[switch]]
name = "S"
scheduler = "fifo"
marking = { kind = "step", threshold = "40 packets", at = "arrival" }
[[link]]
between = ["A{}", "S"]
count = 10
rate = "100 Gb/s"
delay = "19728960 ps"
[[link]]
between = ["S", "B"]
rate = "10 Gb/s"
delay = "29593440 ps"
[[flow]]
name = "f{}"
count = 10
from = "A{}"
to = "B"
[flow.source]
kind = "tcp"
variant = "dctcp"
mtu = "1500 B"
window = "60 MB"
acks = "every-segment"
"#;
    let summary = run_text(text);
    let notes = why(&summary);
    let flows = flows(&summary, &notes);
    let [group] = &groups(&summary, &flows)[..] else { panic!("{flows:?}") };
    assert_eq!((group.flows, group.cause, group.by), (10, "bottleneck", Some("marks")));
    assert_eq!(group.bottleneck.as_deref(), Some("S->B"));
}
