//! Times in parts of a cell: wherever a time may be given in cells, a fraction is taken as the time
//! that it is.

use hopflow_engine::WindowedEngine;
use hopflow_network::{Engine, TraceFilter};
use hopflow_scenario::{Code, Scenario};
use hopflow_units::SimTime;
use proptest::prelude::*;

/// A cell on links of 424 Mb/s: 1 us.
const CELL_PS: u64 = 1_000_000;

/// A network with every sort of time; `times` writes thousandths of a cell, in turn.
fn text(thousandths: &[u64; 13], times: fn(u64) -> String) -> String {
    let [delay, back, processing, start, _, off, half, latest, at, window, warm, silent, _] =
        thousandths.map(times);
    // These have a least value: the loop of the link, 1 us, or the start of what they end.
    let longer = |index: usize, cells: u64| times(thousandths[index] + 1_000 * cells);
    let [interval, loop_or_more] = [3, 5].map(|index| longer(index, 20));
    let [stop, ack] = [4, 12].map(|index| longer(index, 1));
    format!(
        r#"version = 2
duration = "{end}"
warm-up = "{warm}"
[record]
window = "{window}"
[defaults.link]
rate = "424 Mb/s"
[[switch]]
name = "S"
[[host]]
name = "A{{}}"
count = 5
[[host]]
name = "B"
[[link]]
between = ["A1", "S"]
delay = ["{delay}", "{back}"]
processing = "{processing}"
round-trip = "{loop_or_more}"
[[link]]
between = ["A2", "S"]
pool = {{ memory = "50 cells", interval = "{interval}", allow-small-buffer = true }}
[[link]]
between = ["A{{+2}}", "S"]
count = 3
delay = "{delay}"
[[link]]
between = ["S", "B"]
[[flow]]
name = "a"
route = ["A1", "S", "B"]
start = "{start}"
stop = "{stop}"
control = {{ kind = "n23", request-after = "{half}" }}
[[flow]]
name = "b"
route = ["A2", "S", "B"]
source = {{ kind = "on-off", burst = 3, off = "{off}" }}
[[flow]]
name = "c"
route = ["A3", "S", "B"]
source = {{ kind = "alternating", low = "1 %", high = "20 %", half-period = "{half}" }}
[[flow]]
name = "d"
route = ["A4", "S", "B"]
source = {{ kind = "on-off", burst = 2, off = {{ kind = "exponential", mean = "{silent}" }} }}
policing = {{ kind = "gcra", rate = "9 Mb/s", limit = "{latest}" }}
[[flow]]
name = "e"
route = ["A5", "S", "B"]
source = {{ kind = "tcp", acks = "every-second", ack-delay = "{ack}" }}
[[event]]
at = "{at}"
from = "S"
to = "A1"
corrupt-credits = 0.5
"#,
        end = times(90_000),
    )
}

/// A scenario as its reader understands it.
fn resolved(text: &str) -> serde_json::Value {
    let read = Scenario::from_toml(text, "part.toml");
    read.unwrap_or_else(|wrong| panic!("{wrong}\nin {text}")).resolved()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Claim: 0.001 to 0.999 cells of 1 us, and whole cells with such a part, are read as 1,000
    /// to 999,000 ps are, whichever key has them.
    #[test]
    fn a_part_of_a_cell_is_the_time_it_is(parts in prop::array::uniform13(1_u64..1_000)) {
        let cells = text(&parts, |part| format!("{}.{:03} cells", part / 1_000, part % 1_000));
        let picos = text(&parts, |part| format!("{} ps", part * CELL_PS / 1_000));
        prop_assert_eq!(resolved(&cells), resolved(&picos));
    }
}

fn one_link(delay: &str) -> String {
    format!(
        "version = 2\nduration = \"1 ms\"\n[[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n\
         [[link]]\nbetween = [\"A\", \"B\"]\nrate = \"424 Mb/s\"\ndelay = \"{delay}\"\n\
         [[flow]]\nname = \"V\"\nroute = [\"A\", \"B\"]\n"
    )
}

/// Claim: with a delay of half a cell of 1 us, 1,000 cells start in 1 ms, and the first is there
/// after 1 us + .5 us.
#[test]
fn half_a_cell_is_half_a_microsecond() {
    for delay in ["0.5 cells", "500 ns"] {
        let network = Scenario::from_toml(&one_link(delay), "half.toml").unwrap().network;
        let mut engine = WindowedEngine::new(&network, TraceFilter::default(), 1);
        engine.run_until(SimTime(network.duration.0));
        let counters = engine.counters();
        assert_eq!(counters.vcs[0].hops[0].sent_packets, 1_000, "{delay}");
        assert_eq!(counters.vcs[0].leaves[0].first, Some(SimTime(1_500_000)), "{delay}");
    }
}

/// Claim: a time that is below 1 ps on its link, or on every link, is still refused, and so is a
/// time that is too long on every link. A cell of 1 b/s takes 424 s.
#[test]
fn no_time_is_below_a_picosecond() {
    for (delay, said) in [
        ("1e-7 cells", "0 or at least 1 ps"),
        ("1e-15 cells", "0 or at least 1 ps"),
        ("1e-99 cells", "0 or at least 1 ps"),
        ("1e19 cells", "at most 100 days"),
    ] {
        let wrong = Scenario::from_toml(&one_link(delay), "short.toml").unwrap_err();
        assert_eq!(wrong.items[0].code, Code::OUT_OF_RANGE, "{delay}");
        assert!(wrong.to_string().contains(said), "{delay}: {wrong}");
        assert_eq!(wrong.items.len(), 1, "{delay}: {wrong}");
    }
}
