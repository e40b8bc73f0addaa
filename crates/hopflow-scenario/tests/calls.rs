//! Flows that ask for their reservation, and calls: what is read, drawn, refused and warned of.

use hopflow_kernel::RandomStream;
use hopflow_scenario::{Code, Diagnostic, Diagnostics, Scenario, Severity};
use hopflow_units::{Picos, SimTime};

/// Three hosts around a switch, 1 Mb/s, and this flow from H1 to H2.
fn text(flow: &str) -> String {
    format!(
        "version = 2\nduration = \"1 s\"\nseed = 7\n[[topology]]\nkind = \"star\"\nhosts = 3\n\
         rate = \"1 Mb/s\"\ndelay = \"1 us\"\n[[flow]]\nname = \"f{{}}\"\ncount = 40\n\
         from = \"H1\"\n{flow}\n"
    )
}

const TO: &str = "to = \"H2\"";
const RESERVED: &str = "reservation = { rate = \"100 kb/s\" }";
const CALLS: &str = "calls = { every = \"50 ms\", holding = \"100 ms\" }";

fn scenario(flow: &[&str]) -> Scenario {
    let text = text(&flow.join("\n"));
    Scenario::from_toml(&text, "calls.toml").unwrap_or_else(|wrong| panic!("{text}\n{wrong}"))
}

/// The code and the message of the mistake of a flow.
fn mistake(flow: &[&str]) -> (Code, String) {
    let text = text(&flow.join("\n"));
    let wrong = Scenario::from_toml(&text, "calls.toml").expect_err("it is a mistake");
    let found = errors(&wrong);
    let is_one = found.iter().all(|error| error.code == found[0].code);
    assert!(is_one, "{wrong}");
    (found[0].code, found[0].message.clone())
}

fn errors(wrong: &Diagnostics) -> Vec<&Diagnostic> {
    wrong.items.iter().filter(|item| item.severity == Severity::Error).collect()
}

/// Claim, Eq. (1) and (2) of `calls.rs`: copies begin after the sums of exponential gaps and end
/// after exponential holding times, each from a stream of the first copy; another seed draws anew.
#[test]
fn calls_are_one_poisson_process() {
    let read = scenario(&[TO, RESERVED, CALLS]);
    let drawn = |seed: u64| {
        let stream = |purpose| RandomStream::new(seed, "f1", purpose);
        let [mut gaps, mut holds] = ["calls", "holding times"].map(stream);
        let span = |stream: &mut RandomStream, mean: f64| stream.exponential(mean).ceil() as u64;
        let mut begins = 0;
        let call = |_| {
            begins += span(&mut gaps, 50e9);
            (SimTime(begins), SimTime(begins + span(&mut holds, 100e9)))
        };
        (0..40).map(call).collect::<Vec<_>>()
    };
    let calls = |scenario: &Scenario| -> Vec<(SimTime, SimTime)> {
        let vcs = scenario.network.vcs.iter();
        vcs.map(|vc| (vc.begins(), vc.stop.expect("calls end"))).collect()
    };
    assert_eq!(calls(&read), drawn(7));
    assert!(read.network.vcs.iter().all(|vc| vc.signalled && vc.start == SimTime::ZERO));
    assert!(read.draws() && (read.calls[0].erlang() - 2.0).abs() < 1e-12);
    let other = read.with_seed(8).expect("it is fine");
    assert_eq!(calls(&other), drawn(8));
    assert_eq!(other.with_seed(7).expect("it is fine"), read);
    assert_eq!(read.resolved()["flows"][0]["signalled"], true);
    let late = scenario(&[TO, RESERVED, CALLS, "start = \"10 ms\""]);
    let later = drawn(7).into_iter().map(|(from, to)| {
        let span = Picos(10_000_000_000);
        (from + span, to + span)
    });
    assert_eq!(calls(&late), later.collect::<Vec<_>>());
}

/// Claim: a flow that asks keeps its own start and stop, and what is asked for may add up to more
/// than a link carries; what exists for the whole run may not.
#[test]
fn what_is_asked_for_may_not_fit() {
    let asked = "reservation = { rate = \"100 kb/s\", signalled = true }";
    let read = scenario(&[TO, asked, "start = \"1 ms\"", "stop = \"2 ms\"", "exact-phase = true"]);
    let vc = &read.network.vcs[0];
    assert_eq!((vc.begins().0, vc.stop), (1_000_000_000, Some(SimTime(2_000_000_000))));
    assert!(vc.signalled && read.warnings.is_empty(), "{:?}", read.warnings);
    let (code, message) = mistake(&[TO, RESERVED]);
    assert_eq!(code, Code::OVERBOOKED, "{message}");
    let fits = "reservation = { rate = \"25 kb/s\" }";
    assert!(!scenario(&[TO, fits]).network.vcs[0].signalled);
}

/// Claim: each mistake is one error that says what cannot ask, and why.
#[test]
fn what_cannot_ask_is_an_error() {
    let asked = "reservation = { rate = \"25 kb/s\", signalled = true }";
    let expected = [
        (&[TO, CALLS][..], Code::NO_RESERVATION, "calls ask for a reservation"),
        (&["to = [\"H2\", \"H3\"]", asked], Code::UNICAST_ONLY, "the ports of one path"),
        (&[TO, asked, "control = { kind = \"abr\" }"], Code::CONFLICT, "exclude each other"),
        (
            &[TO, RESERVED, CALLS, "stop = \"1 ms\""],
            Code::CONFLICT,
            "`stop` and `calls` exclude each other",
        ),
        (
            &[TO, asked, "source = { kind = \"tcp\", variant = \"cubic\" }"],
            Code::CONFLICT,
            "a connection does not ask",
        ),
        (
            &[
                TO,
                asked,
                "source = { kind = \"poisson\", rate = \"20 kb/s\" }",
                "policing = { kind = \"token-bucket\", excess = \"low-priority\" }",
            ],
            Code::CONFLICT,
            "as a second flow",
        ),
    ];
    for (flow, code, words) in expected {
        let (found, message) = mistake(flow);
        assert_eq!(found, code, "{message}");
        assert!(message.contains(words), "{message}");
    }
    let alone = text(&[TO, RESERVED, CALLS].join("\n")).replace("count = 40\n", "");
    let alone = alone.replace("f{}", "f");
    let wrong = Scenario::from_toml(&alone, "calls.toml").expect_err("calls are copies");
    assert_eq!(errors(&wrong)[0].code, Code::MISSING_KEY);
}

/// Claim, Eq. (4): of 2 erlang on a link of 1 Mb/s with room for ten calls of 100 kb/s, and where
/// half of it is reserved, with room for five:
/// B(2, 5) = (32 / 120) / (1 + 2 + 2 + 4/3 + 2/3 + 4/15) = .0367.
/// Where other flows ask, too, the formula does not apply.
#[test]
fn the_tightest_link_blocks_what_the_formula_says() {
    let read = scenario(&[TO, RESERVED, CALLS]);
    let tightest = read.calls[0].tightest(&read.network).expect("calls ask");
    assert_eq!(tightest.circuits, 10);
    assert!((tightest.blocked - 3.8e-5).abs() < 1e-6, "{}", tightest.blocked);
    let half = "[[flow]]\nname = \"half\"\nfrom = \"H1\"\nto = \"H2\"\nreservation = { rate = ";
    let standing = format!("{half}\"500 kb/s\" }}");
    let read = scenario(&[TO, RESERVED, CALLS, &standing]);
    let tightest = read.calls[0].tightest(&read.network).expect("calls ask");
    assert_eq!((tightest.circuits, tightest.link.0), (5, 0));
    assert!((tightest.blocked - 0.0367).abs() < 5e-5, "{}", tightest.blocked);
    let asks = "\"500 kb/s\", signalled = true }";
    let other = format!("{half}{asks}");
    let read = scenario(&[TO, RESERVED, CALLS, &other]);
    assert_eq!(read.calls[0].tightest(&read.network), None);
}

/// Claim: 40 calls, one in 50 ms, last for 1 s: 20 come on average, and 4 sqrt(20) = 17.9 more are
/// enough. One in 40 ms are 25, with 20 more, so 45 are needed.
#[test]
fn few_calls_are_a_warning() {
    assert!(scenario(&[TO, RESERVED, CALLS]).warnings.is_empty());
    let more = "calls = { every = \"40 ms\", holding = \"100 ms\" }";
    let warnings = scenario(&[TO, RESERVED, more]).warnings;
    assert_eq!(warnings[0].code, Code::FEW_CALLS);
    assert_eq!(warnings.len(), 1);
    let hint = warnings[0].hint.as_deref().unwrap_or_default();
    assert!(hint.contains("`count = 45`"), "{hint}");
}
