//! The definitions, imports and written-out paths of a Rust file, read from its tokens.
//!
//! Not a parser: it knows `use` trees, items that begin outside of braces, and words joined by
//! `::`. Not seen: the output of macros.

use std::collections::BTreeSet;

/// A path, word by word: `["super", "port", "Port"]`.
pub(crate) type Path = Vec<String>;

/// One name that a `use` imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) line: usize,
    pub(crate) path: Path,
    /// Its local name; `*` for all names of the path.
    pub(crate) name: String,
    /// Whether it re-exports the name.
    pub(crate) is_public: bool,
}

/// The names of one file.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// The items that it defines.
    pub(crate) items: BTreeSet<String>,
    pub(crate) uses: Vec<Use>,
    /// Paths outside of `use`, with their lines.
    pub(crate) paths: Vec<(usize, Path)>,
    /// All words outside of `use`.
    pub(crate) words: BTreeSet<String>,
}

struct Token<'a> {
    line: usize,
    text: &'a str,
}

impl Names {
    /// Reads code without comments and literals, given line by line.
    pub(crate) fn read<'a>(code: impl Iterator<Item = (usize, &'a str)>) -> Names {
        let tokens: Vec<Token> = code.flat_map(|(line, text)| tokens(line, text)).collect();
        let mut names = Names::default();
        let (mut at, mut depth) = (0, 0_usize);
        while at < tokens.len() {
            match tokens[at].text {
                "use" if begins_item(&tokens, at) => {
                    at = names.take_use(&tokens, at);
                    continue;
                }
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ if depth == 0 => names.items.extend(item(&tokens, at)),
                _ => {}
            }
            at = names.take_path(&tokens, at);
        }
        names
    }

    /// Takes the `use` at `at`. Returns where it ends.
    fn take_use(&mut self, tokens: &[Token], at: usize) -> usize {
        let line = tokens[at].line;
        let is_public = at > 0 && matches!(tokens[at - 1].text, "pub" | ")");
        let mut found = Vec::new();
        let end = take_tree(tokens, at + 1, &[], &mut found);
        self.uses.extend(found.into_iter().map(|(path, name)| Use { line, path, name, is_public }));
        end
    }

    /// Takes the word at `at`, with all that is joined to it by `::`. Returns where it ends.
    fn take_path(&mut self, tokens: &[Token], at: usize) -> usize {
        let (mut path, mut end) = (Vec::new(), at);
        while let Some(token) = tokens.get(end).filter(|token| is_word(token.text)) {
            path.push(token.text.to_owned());
            end += 1;
            if tokens.get(end).is_none_or(|token| token.text != "::") {
                break;
            }
            end += 1;
        }
        self.words.extend(path.iter().cloned());
        if path.len() > 1 {
            self.paths.push((tokens[at].line, path));
        }
        end.max(at + 1)
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Words, `::`, and all other signs one by one.
fn tokens(line: usize, text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if is_word(rest) {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(Token { line, text: &rest[..length] });
        rest = rest[length..].trim_start();
    }
    tokens
}

fn begins_item(tokens: &[Token], at: usize) -> bool {
    at == 0 || matches!(tokens[at - 1].text, ";" | "}" | "{" | "]" | ")" | "pub")
}

/// The name of the item whose keyword stands at `at`.
fn item(tokens: &[Token], at: usize) -> Option<String> {
    const KEYWORDS: [&str; 9] =
        ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules"];
    if !KEYWORDS.contains(&tokens[at].text) {
        return None;
    }
    let next = tokens[at + 1..].iter().find(|token| is_word(token.text))?;
    (next.text != "fn").then(|| next.text.to_owned())
}

/// Takes one tree of a `use`. Returns where it ends.
fn take_tree(
    tokens: &[Token],
    mut at: usize,
    prefix: &[String],
    found: &mut Vec<(Path, String)>,
) -> usize {
    let (mut path, mut name) = (prefix.to_vec(), None);
    while let Some(token) = tokens.get(at) {
        match token.text {
            "::" => {}
            "," | "}" | ";" => break,
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token.text != "}") {
                    at = take_tree(tokens, at, &path, found);
                    at += usize::from(tokens.get(at).is_some_and(|token| token.text == ","));
                }
                return at + 1;
            }
            "as" => {
                at += 1;
                name = tokens.get(at).map(|token| token.text.to_owned());
            }
            "*" => name = Some("*".to_owned()),
            word => path.push(word.to_owned()),
        }
        at += 1;
    }
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if let Some(name) = name.or_else(|| path.last().cloned()) {
        found.push((path, name));
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Names {
        Names::read((1..).zip(text.lines()))
    }

    /// A tree is taken apart; `self`, `as`, `*` and `pub` are known.
    #[test]
    fn use_trees_are_read() {
        let text =
            "use a::{b::{self, C as D}, e::*};\npub(crate) use f::G;\nlet x: impl H + use<'_>;";
        let uses = read(text).uses;
        let short = |one: &Use| format!("{} {} {}", one.line, one.path.join("::"), one.name);
        let found: Vec<String> = uses.iter().map(short).collect();
        assert_eq!(found, ["1 a::b b", "1 a::b::C D", "1 a::e *", "2 f::G G"]);
        let public: Vec<bool> = uses.iter().map(|one| one.is_public).collect();
        assert_eq!(public, [false, false, false, true]);
    }

    /// Only what begins outside of braces is an item.
    #[test]
    fn items_and_paths_are_read() {
        let text = "pub const fn a() { b::c(); }\nconst D: u8 = 1;\nimpl E { fn f() {} }";
        let names = read(text);
        assert_eq!(names.items.iter().map(String::as_str).collect::<Vec<_>>(), ["D", "a"]);
        assert_eq!(names.paths, [(1, vec!["b".to_owned(), "c".to_owned()])]);
    }
}
