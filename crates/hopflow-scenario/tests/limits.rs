//! Scenarios that ask for too much, or for a lot: refused with a message, or read within a moment.

use hopflow_scenario::{Code, Scenario};

const HEAD: &str = "version = 2\nduration = \"1 ms\"\n[defaults.link]\nrate = \"1 Gb/s\"\n";

fn codes(body: &str) -> Vec<Code> {
    let read = |_: &str| Err("no files".to_owned());
    match Scenario::from_toml_with(&format!("{HEAD}{body}"), "limits.toml", &read) {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics.items.iter().map(|item| item.code).collect(),
    }
}

/// Claim: a scenario that would fill the memory is refused before it is built.
#[test]
fn bombs_are_refused() {
    for body in [
        "[[host]]\nname = \"H{}\"\ncount = 1000000000000",
        "[[host]]\nname = \"H{}\"\ncount = 60000\n[[host]]\nname = \"G{}\"\ncount = 60000",
        "[[topology]]\nkind = \"fat-tree\"\nk = 1000000",
        "[[topology]]\nkind = \"fat-tree\"\nk = 64\n[[topology]]\nkind = \"star\"\nhosts = 90000",
        "[[topology]]\nkind = \"star\"\nhosts = 2\n\
         [[link]]\nbetween = [\"H1\", \"S\"]\ncount = 1000000",
        // 3,000 flows over 10,000 links each are 30 million hops.
        "[[topology]]\nkind = \"chain\"\nswitches = 9999\n\
         [[flow]]\nname = \"f{}\"\ncount = 3000\nfrom = \"A\"\nto = \"B\"",
    ] {
        assert!(codes(body).contains(&Code::TOO_MUCH), "{body}: {:?}", codes(body));
    }
}

/// Claim: a large network with many flows is read; a shortest path does not visit every host.
#[test]
fn much_is_read() {
    let star =
        "[[topology]]\nkind = \"star\"\nhosts = 50000\n[[flow]]\nname = \"f{}\"\ncount = 49999\n";
    assert_eq!(codes(&format!("{star}from = \"H{{}}\"\nto = \"H{{+1}}\"")), []);
    assert_eq!(codes(&format!("{star}route = [\"H{{}}\", \"S\", \"H{{+1}}\"]")), []);
    let tree =
        "[[topology]]\nkind = \"fat-tree\"\nk = 16\n[[flow]]\nname = \"f{}\"\ncount = 1000\n";
    assert_eq!(codes(&format!("{tree}from = \"H{{}}\"\nto = \"H{{+24}}\"")), []);
}

/// Claim: checks of the whole network take a step for each hop, not for each pair: paths of 10,000
/// links, and 50,000 hosts that push out and schedule by weight, are read in a moment.
#[test]
fn long_paths_and_many_ports_are_read() {
    let chain = "[[topology]]\nkind = \"chain\"\nswitches = 9999\n\
                 [[flow]]\nname = \"f{}\"\ncount = 300\nfrom = \"A\"\nto = \"B\"";
    assert_eq!(codes(chain), []);
    let star = "[defaults.host]\nscheduler = \"wfq\"\ndiscard = \"last-of-own\"\n\
                [[topology]]\nkind = \"star\"\nhosts = 50000\n[[flow]]\nname = \"f{}\"\n\
                count = 49999\nfrom = \"H{}\"\nto = \"H{+1}\"\n\
                source = { kind = \"constant\", rate = \"1 Mb/s\" }\n\
                reservation = { rate = \"1 Mb/s\" }";
    assert_eq!(codes(star), []);
}

/// Claim: the same mistake in every one of many flows is reported, and this does not take long.
#[test]
fn many_mistakes_are_reported_soon() {
    let star =
        "[[topology]]\nkind = \"star\"\nhosts = 50000\n[[flow]]\nname = \"f{}\"\ncount = 49999\n";
    let found = codes(&format!("{star}from = \"H{{}}\"\nto = \"Z{{}}\""));
    assert!(!found.is_empty() && found.iter().all(|code| *code == Code::UNKNOWN_NAME));
    let found = codes(&format!("{star}from = \"H{{}}\"\nto = \"Z\""));
    assert_eq!(found, [Code::UNKNOWN_NAME]);
}
