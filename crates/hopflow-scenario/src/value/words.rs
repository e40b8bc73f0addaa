//! Words that are none of those to choose from: which one is meant.

use std::cmp::Reverse;

use hopflow_control::rate::RateRule;
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::transport::tcp::TcpVariant;

/// What is close enough to `word` to be meant by it; of several, what begins most alike. A name
/// that has nothing in common with it is not near, however short both are. Of up to 4 letters one
/// may be wrong, added, missing or swapped with the next, of up to 8 two, of more a third.
pub fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = match word.chars().count() {
        0..=4 => 1,
        5..=8 => 2,
        length => length / 3,
    };
    let lower = word.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&lower, &name.to_lowercase());
    let alike = |name: &str| word.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    names
        .take(2_000)
        .filter(|_| word.len() <= 64)
        .map(|name| (distance(name), Reverse(alike(name)), name))
        .filter(|(distance, _, name)| {
            *distance <= most && *distance < word.chars().count().max(name.chars().count())
        })
        .min()
        .map(|(.., name)| name)
}

/// Words that others use for ours; those for schedulers are in the facts of each.
const SYNONYMS: &[(&str, &str)] = &[
    ("erica+", "erica-plus"),
    ("rate", "abr"),
    ("cbr", "constant"),
    ("udp", "constant"),
    ("ftp", "tcp"),
    ("rpc", "nfs"),
    ("tahoe", "reno-without-fast-retransmit"),
    ("sack", "cubic"),
    ("llc", "llc-snap"),
    ("vc-mux", "vc-multiplexed"),
    ("delayed", "every-second"),
    ("saturated", "greedy"),
    ("vbr", "on-off"),
    ("tail-drop", "arriving"),
    ("drop-tail", "arriving"),
    ("push-out", "last-of-longest"),
    ("drop", "discard"),
    ("shape", "delay"),
    ("mark", "low-priority"),
    ("tag", "low-priority"),
];

const OF_PORTS: &str = "ports of switches allot rates to flows under `abr`: see `rate-control` \
                        of `[[switch]]`";
const OF_OWN: &str = "an algorithm of your own is a kind of `control`, `lanes`, `scheduler`, \
                      `marking`, `rate-control` or `source`, or a `variant` of TCP";
const OF_TCP: &str = "this is a congestion control of TCP: see `variant` of `source`";

/// Words that are no kind of control, but belong elsewhere.
const ELSEWHERE: &[(&str, &str)] = &[
    ("pfc", "PFC holds priorities of a link: see `pause` of `[[link]]`"),
    ("pause", "PFC holds priorities of a link: see `pause` of `[[link]]`"),
    ("infiniband", "one credit for a priority of a link: see `lanes` of `[[link]]`"),
    ("lanes", "one credit for a priority of a link: see `lanes` of `[[link]]`"),
    ("external", OF_OWN),
    ("cbfc", "credit of Ultra Ethernet for a priority of a link: see `lanes` of `[[link]]`"),
];

/// What is to be said of a word that is no choice here, but has a meaning elsewhere.
pub(crate) fn elsewhere(text: &str, is_kind: bool) -> Option<&'static str> {
    let lower = text.to_lowercase().replace([' ', '_'], "-");
    let of_ports = RateRule::NAMES.iter().map(|name| (*name, OF_PORTS));
    let of_tcp = TcpVariant::NAMES.iter().map(|name| (*name, OF_TCP));
    let mut places = ELSEWHERE.iter().copied().chain(of_ports).chain(of_tcp).filter(|_| is_kind);
    places.find(|(other, _)| *other == lower).map(|(_, place)| place)
}

/// The one of `words` for which others say `text`.
pub(crate) fn other_word(text: &str, words: &[&'static str]) -> Option<&'static str> {
    let lower = text.to_lowercase().replace([' ', '_'], "-");
    let schedulers = SchedulerSpec::ALL.iter();
    let schedulers =
        schedulers.flat_map(|facts| facts.also.iter().map(|other| (*other, facts.name)));
    let mut synonyms = SYNONYMS.iter().copied().chain(schedulers);
    let other = synonyms.find(|(other, ours)| *other == lower && words.contains(ours));
    other.map(|(_, ours)| ours)
}

/// The word that is meant by `text`: another's word for it, or the nearest.
pub(super) fn meant(text: &str, words: &[&'static str]) -> Option<&'static str> {
    let lower = text.to_lowercase().replace([' ', '_'], "-");
    // Of three letters most are names of something: one letter away is another thing.
    let is_name = lower.len() <= 3 && lower.bytes().all(|byte| byte.is_ascii_alphabetic());
    let near = || nearest(&lower, words.iter().copied()).filter(|_| !is_name);
    other_word(text, words).or_else(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a kind of another role leads to that role. `external`, which is a kind of several
    /// roles, leads to all of them.
    #[test]
    fn kinds_lead_to_their_role() {
        assert_eq!(elsewhere("newreno-ecn", true), Some(OF_TCP));
        assert_eq!(elsewhere("erica", true), Some(OF_PORTS));
        assert_eq!(elsewhere("external", true), Some(OF_OWN));
    }

    /// Claim: a name is near if it has something in common: one letter is never near another.
    #[test]
    fn one_letter_is_not_near_another() {
        let near = |word| nearest(word, ["A", "S1", "sender"].into_iter());
        assert_eq!((near("C"), near("Q"), near("a")), (None, None, Some("A")));
        assert_eq!((near("S2"), near("Xs"), near("sendre")), (Some("S1"), None, Some("sender")));
    }
}
