//! Licence expressions of SPDX: whether one can be met by licences that `deny.toml` allows.
//!
//! `OR` leaves a choice, `AND` does not and binds stronger, `WITH` is a part of the name, and `/`
//! is an old way to write `OR`.

/// The licences that the text of `deny.toml` allows.
pub(super) fn allow_list(deny: &str) -> Vec<String> {
    let lines = deny.lines().skip_while(|line| line.trim() != "allow = [").skip(1);
    let entries = lines.take_while(|line| line.trim() != "]");
    let name = |line: &str| Some(line.split('"').nth(1)?.to_owned());
    entries.filter_map(name).collect()
}

/// Whether `expression` can be met with licences of `allow`; what cannot be read is not allowed.
pub(super) fn is_allowed(expression: &str, allow: &[String]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, allow };
    reader.choice() == Some(true) && reader.words.is_empty()
}

struct Reader<'a> {
    words: &'a [&'a str],
    allow: &'a [String],
}

impl Reader<'_> {
    fn choice(&mut self) -> Option<bool> {
        let mut met = self.all()?;
        while self.skip("OR") {
            met |= self.all()?;
        }
        Some(met)
    }

    fn all(&mut self) -> Option<bool> {
        let mut met = self.one()?;
        while self.skip("AND") {
            met &= self.one()?;
        }
        Some(met)
    }

    fn one(&mut self) -> Option<bool> {
        if self.skip("(") {
            let met = self.choice()?;
            return self.skip(")").then_some(met);
        }
        let mut name = self.name()?.to_owned();
        if self.skip("WITH") {
            name = format!("{name} WITH {}", self.name()?);
        }
        Some(self.allow.contains(&name))
    }

    fn name(&mut self) -> Option<&str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        (!["AND", "OR", "WITH", "(", ")"].contains(first)).then_some(*first)
    }

    fn skip(&mut self, word: &str) -> bool {
        let there = self.words.first() == Some(&word);
        if there {
            self.words = &self.words[1..];
        }
        there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(expression: &str) -> bool {
        let allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        is_allowed(expression, &allow)
    }

    /// Claim: one side of OR is enough, AND needs both, and AND binds stronger.
    #[test]
    fn or_leaves_a_choice_and_and_does_not() {
        for good in ["MIT", "Unlicense/MIT", "MIT OR GPL-2.0", "(MIT OR GPL-2.0) AND Apache-2.0"] {
            assert!(allowed(good), "{good}");
        }
        for bad in ["GPL-2.0", "MIT AND GPL-2.0", "GPL-2.0 OR MIT AND GPL-2.0", "MITX"] {
            assert!(!allowed(bad), "{bad}");
        }
    }

    /// Claim: an exception is a part of the name.
    #[test]
    fn exception_is_a_part_of_the_name() {
        assert!(allowed("Apache-2.0 WITH LLVM-exception"));
        assert!(!allowed("MIT WITH LLVM-exception"));
    }

    /// Claim: what cannot be read is not allowed.
    #[test]
    fn what_cannot_be_read_is_not_allowed() {
        for bad in ["", "MIT OR", "OR MIT", "(MIT", "MIT)", "MIT Apache-2.0", "MIT WITH"] {
            assert!(!allowed(bad), "`{bad}`");
        }
    }

    /// Claim: the list of the project's own file is read, with nothing else of that file.
    #[test]
    fn list_of_the_project_is_read() {
        let deny = include_str!("../../../deny.toml");
        let allow = allow_list(deny);
        assert!(allow.contains(&"MIT".to_owned()) && allow.contains(&"Zlib".to_owned()));
        assert_eq!(allow.len(), 10, "{allow:?}");
    }
}
