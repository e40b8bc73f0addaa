//! A mistake for every code: a scenario without fault, and what is changed in it.

use hopflow_scenario::Code;

mod expect;
mod network;
mod rate;
mod shared;
mod traffic;
mod transport;

/// The code, what is taken out of [`BASE`] (nothing: the end), and what is put in.
type Case = (Code, &'static str, &'static str);

/// A scenario without fault: A1, A2 - S - B, loop of 8 cell times of 1 us.
pub(crate) const BASE: &str = r#"version = 2
duration = "1 ms"

[[host]]
name = "A1"
[[host]]
name = "A2"
[[switch]]
name = "S"
[[host]]
name = "B"

[[link]]
between = ["A1", "S"]
rate = "424 Mb/s"
delay = "3 us"
[[link]]
between = ["A2", "S"]
rate = "424 Mb/s"
delay = "3 us"
[[link]]
between = ["S", "B"]
rate = "424 Mb/s"
delay = "3 us"

[[flow]]
name = "f1"
route = ["A1", "S", "B"]
control = { kind = "n23", n2 = 10, n3 = 8 }
[[flow]]
name = "f2"
from = "A2"
to = "B"
"#;

/// All cases: code and text.
pub(crate) fn all() -> Vec<(Code, String)> {
    let single = [expect::CASES, network::CASES, rate::CASES, shared::CASES];
    let single = [&single[..], &[traffic::CASES, transport::CASES]].concat().concat();
    let single = single.into_iter().map(|(code, out, put)| (code, changed(&[(out, put)])));
    let several = [network::SEVERAL, rate::SEVERAL, transport::SEVERAL].concat().into_iter();
    single.chain(several.map(|(code, changes)| (code, changed(changes)))).collect()
}

/// [`BASE`] with these changes, one after the other.
pub(crate) fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(BASE.to_owned(), |text, (out, put)| {
        assert!(text.contains(out), "{out}");
        if out.is_empty() { format!("{text}{put}\n") } else { text.replacen(out, put, 1) }
    })
}
