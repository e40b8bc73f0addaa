//! The definitions, imports and written-out paths of a Rust file, read from its tokens.
//!
//! Not a parser: it knows `use` trees, items that begin outside of braces, calls of macros there,
//! and words joined by `::`. What a macro makes of its arguments is not read; [`crate::files`]
//! finds the names that it must make.

use std::collections::BTreeSet;

/// A path, word by word: `["super", "port", "Port"]`.
pub(crate) type Path<'a> = Vec<&'a str>;

/// One name that a `use` imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use<'a> {
    pub(crate) line: usize,
    pub(crate) path: Path<'a>,
    /// Its local name; `*` for all names of the path.
    pub(crate) name: &'a str,
    /// Whether it re-exports the name.
    pub(crate) is_public: bool,
}

/// The names of one file.
#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    /// The items that it defines, inline modules included.
    pub(crate) items: BTreeSet<&'a str>,
    pub(crate) uses: Vec<Use<'a>>,
    /// Paths outside of `use`, with their lines.
    pub(crate) paths: Vec<(usize, Path<'a>)>,
    /// All words outside of `use`.
    pub(crate) words: BTreeSet<&'a str>,
    /// Whether it calls macros where items stand: they may make more items.
    pub(crate) has_makers: bool,
    /// All words in the arguments of these calls.
    pub(crate) arguments: BTreeSet<&'a str>,
}

/// A word or a sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) line: usize,
    pub(crate) text: &'a str,
}

impl<'a> Names<'a> {
    /// Reads code without comments and literals, given line by line.
    pub(crate) fn read(code: impl Iterator<Item = (usize, &'a str)>) -> Names<'a> {
        let tokens = tokens(code);
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
                _ if depth == 0 => {
                    names.items.extend(item(&tokens, at));
                    names.take_call(&tokens, at);
                }
                _ => {}
            }
            at = names.take_path(&tokens, at);
        }
        names
    }

    /// Takes the `use` at `at`. Returns where it ends.
    fn take_use(&mut self, tokens: &[Token<'a>], at: usize) -> usize {
        let line = tokens[at].line;
        let is_public = at > 0 && matches!(tokens[at - 1].text, "pub" | ")");
        let mut found = Vec::new();
        let end = take_tree(tokens, at + 1, &[], &mut found);
        self.uses.extend(found.into_iter().map(|(path, name)| Use { line, path, name, is_public }));
        end
    }

    /// Takes the arguments of the macro whose path begins at `at`, if one is called there.
    fn take_call(&mut self, tokens: &[Token<'a>], at: usize) {
        let is_path = |token: &Token| is_word(token.text) || matches!(token.text, "::" | "$");
        let path = tokens[at..].iter().take_while(|token| is_path(token)).count();
        let [sign, open, arguments @ ..] = &tokens[at + path..] else { return };
        let is_call = path > 0 && sign.text == "!" && matches!(open.text, "{" | "(" | "[");
        if !is_call || !begins_item(tokens, at) {
            return;
        }
        self.has_makers = true;
        let mut depth = 1_usize;
        for token in arguments {
            match token.text {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                word if is_word(word) => drop(self.arguments.insert(word)),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }

    /// Takes the word at `at`, with all that is joined to it by `::`. Returns where it ends.
    fn take_path(&mut self, tokens: &[Token<'a>], at: usize) -> usize {
        let (mut path, mut end) = (Vec::new(), at);
        while let Some(token) = tokens.get(end).filter(|token| is_word(token.text)) {
            path.push(token.text);
            end += 1;
            if tokens.get(end).is_none_or(|token| token.text != "::") {
                break;
            }
            end += 1;
        }
        self.words.extend(&path);
        if path.len() > 1 {
            self.paths.push((tokens[at].line, path));
        }
        end.max(at + 1)
    }
}

pub(crate) fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Words, `::`, and all other signs one by one, of code without comments and literals.
pub(crate) fn tokens<'a>(code: impl Iterator<Item = (usize, &'a str)>) -> Vec<Token<'a>> {
    let mut tokens = Vec::new();
    for (line, text) in code {
        take_tokens(line, text, &mut tokens);
    }
    tokens
}

fn take_tokens<'a>(line: usize, text: &'a str, tokens: &mut Vec<Token<'a>>) {
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
}

pub(crate) fn begins_item(tokens: &[Token], at: usize) -> bool {
    at == 0 || matches!(tokens[at - 1].text, ";" | "}" | "{" | "]" | ")" | "pub")
}

/// The name of the item whose keyword stands at `at`.
fn item<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    const KEYWORDS: [&str; 9] =
        ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules"];
    if tokens[at].text == "mod" {
        let [name, open, ..] = &tokens[at + 1..] else { return None };
        return (open.text == "{").then_some(name.text);
    }
    if !KEYWORDS.contains(&tokens[at].text) {
        return None;
    }
    let next = tokens[at + 1..].iter().find(|token| is_word(token.text))?;
    (next.text != "fn").then_some(next.text)
}

/// Takes one tree of a `use`. Returns where it ends.
fn take_tree<'a>(
    tokens: &[Token<'a>],
    mut at: usize,
    prefix: &[&'a str],
    found: &mut Vec<(Path<'a>, &'a str)>,
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
                name = tokens.get(at).map(|token| token.text);
            }
            "*" => name = Some("*"),
            word => path.push(word),
        }
        at += 1;
    }
    if path.len() > 1 && path.last() == Some(&"self") {
        path.pop();
    }
    if let Some(name) = name.or_else(|| path.last().copied()) {
        found.push((path, name));
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Names<'_> {
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
        let text = "pub const fn a() { b::c(); }\nconst D: u8 = 1;\nimpl E { fn f() {} }\n\
                    mod g { fn h() {} }\nmod i;";
        let names = read(text);
        assert_eq!(names.items.into_iter().collect::<Vec<_>>(), ["D", "a", "g"]);
        assert_eq!(names.paths, [(1, vec!["b", "c"])]);
    }

    /// A macro that is called where items stand may make some of the words that it is given; one in
    /// a value, in a function or in a definition of a macro makes none.
    #[test]
    fn arguments_of_macros_are_read() {
        let text = "#[a(b)]\nkeys! { C: d(E) = { f }; }\npub const G: H = i!(J);\n\
                    fn k() { l! { M } }\nmacro_rules! n { () => { keys! { O } } }\n";
        let names = read(text);
        assert!(names.has_makers);
        assert_eq!(names.arguments.into_iter().collect::<Vec<_>>(), ["C", "E", "d", "f"]);
        assert!(!read("const G: H = i!(J);\nfn k() { l!(M); }").has_makers);
        assert!(read("crate::a::b!(c);").has_makers);
    }
}
