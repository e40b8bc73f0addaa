//! Hosts that work in a file: what is read, and mistakes.

use hopflow_network::WorkSpec;
use hopflow_scenario::Scenario;
use hopflow_units::Picos;

/// A and B beside a switch; B has `host`, and a flow from B to A has `source`.
fn scenario(defaults: &str, host: &str, source: &str) -> Result<Scenario, String> {
    let text = format!(
        "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"100 Mb/s\"\n{defaults}\n\
         [[host]]\nname = \"A\"\n[[switch]]\nname = \"S\"\n[[host]]\nname = \"B\"\n{host}\n\
         [[link]]\nbetween = [\"A\", \"S\"]\n[[link]]\nbetween = [\"S\", \"B\"]\n\
         [[flow]]\nname = \"f\"\nfrom = \"B\"\nto = \"A\"\n{source}\n"
    );
    Scenario::from_toml(&text, "work.toml").map_err(|wrong| wrong.to_string())
}

const CONSTANT: &str = "source = { kind = \"constant\", rate = \"10 Mb/s\" }";

/// Microseconds of work.
fn work(send: u64, receive: u64, credit: u64) -> WorkSpec {
    let [send, receive, credit] = [send, receive, credit].map(|it| Picos(it * 1_000_000));
    WorkSpec { send, receive, credit }
}

/// Claim: a time is the work for a packet either way; a table says each, and leaves out what needs
/// none; work of 0 is none, also where the defaults have some. A default is for hosts alone.
#[test]
fn work_is_a_time_or_a_table() {
    let of_b = |defaults: &str, host: &str| {
        let network = scenario(defaults, host, CONSTANT).unwrap().network;
        assert_eq!(network.nodes[1].work, None, "a switch");
        network.nodes[2].work
    };
    assert_eq!(of_b("", ""), None);
    assert_eq!(of_b("", "work = \"50 us\""), Some(work(50, 50, 0)));
    assert_eq!(of_b("", "work = { send = \"50 us\", credit = \"5 us\" }"), Some(work(50, 0, 5)));
    assert_eq!(of_b("", "work = \"0 us\""), None);
    let defaults = "[defaults.host]\nwork = { receive = \"7 us\" }";
    assert_eq!(of_b(defaults, ""), Some(work(0, 7, 0)));
    assert_eq!(of_b(defaults, "work = \"0 us\""), None);
}

/// Claim: results have the work, in picoseconds, and a host without it has no such key.
#[test]
fn results_have_the_work() {
    let resolved = scenario("", "work = { receive = \"7 us\" }", CONSTANT).unwrap().resolved();
    let expected = serde_json::json!({ "send_ps": 0, "receive_ps": 7_000_000, "credit_ps": 0 });
    assert_eq!(resolved["nodes"][2]["work"], expected);
    assert!(resolved["nodes"][0].get("work").is_none());
}

/// Claim: each mistake is reported with its values and a way out.
#[test]
fn mistakes_are_reported() {
    let said = |host: &str, source: &str, parts: &[&str]| {
        let wrong = scenario("", host, source).unwrap_err();
        for part in parts {
            assert!(wrong.contains(part), "{wrong}");
        }
    };
    let both = "`work` and `drain` of `B` exclude each other";
    said("work = \"50 us\"\ndrain = \"50 %\"", CONSTANT, &["HF0009", both, "keep one of them"]);
    said("work = \"-1 us\"", CONSTANT, &["`work`"]);
    said("work = { sent = \"1 us\" }", CONSTANT, &["HF0003", "`send`"]);
    said("work = 50", CONSTANT, &["`work`"]);
}
