//! What an experiment is called: the figures and sections of its claims, in words.

/// The words for the beginnings of places.
const WORDS: [(&str, &str); 32] = [
    ("fig", "Figure "),
    ("sec", "Section "),
    ("test", "Test "),
    ("table", "Table "),
    ("pattern", "Patterns"),
    ("calls", "Calls"),
    ("udp", "UDP beside TCP"),
    ("backpressure", "Backpressure"),
    ("window", "Windows"),
    ("becn", "Marked backward RM cells"),
    ("pipe", "A start from idle"),
    ("startup", "Loss by start-up rate"),
    ("beatdown", "Beat-down"),
    ("wall", "Walls"),
    ("codec", "Video"),
    ("coder", "Video, the coder in the loop"),
    ("hol", "One buffer for all VCs"),
    ("adaptive", "Adaptive credit"),
    ("closed", "the closed form"),
    ("loop", "the previous loop"),
    ("shares", "Max-min shares"),
    ("stall", "ERICA without MaxAlloc"),
    ("efci", "EFCI"),
    ("law", "Queue and feedback delay"),
    ("vbr", "VBR bursts"),
    ("response", "Response"),
    ("headroom", "Headroom of PFC in public tables"),
    ("bursts", "Bursts"),
    ("heirs", "Today's controls"),
    ("lan", "LAN"),
    ("sensitivity", "What is left open"),
    ("wan", "WAN"),
];

/// `kung94.fig14`, `kung94.fig15` become `kung94: Figure 14, Figure 15`.
pub fn title(prefixes: &[&str]) -> String {
    let paper = prefixes.first().and_then(|prefix| prefix.split_once('.')).map_or("", |p| p.0);
    let places: Vec<String> = prefixes.iter().map(|prefix| place(prefix)).collect();
    format!("{paper}: {}", places.join(", "))
}

fn place(prefix: &str) -> String {
    let (_, place) = prefix.split_once('.').unwrap_or(("", prefix));
    let found = WORDS.iter().find_map(|(short, word)| {
        place.strip_prefix(short).map(|number| format!("{word}{number}"))
    });
    found.unwrap_or_else(|| place.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: figures and sections have their numbers.
    #[test]
    fn places_are_in_words() {
        assert_eq!(title(&["kung94.fig14", "kung94.sec4.5"]), "kung94: Figure 14, Section 4.5");
    }
}
