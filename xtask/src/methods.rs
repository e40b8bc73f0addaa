//! The arrows between files that hold methods of one type: which calls methods of which. They need
//! no import, so [`crate::files`] does not see them.
//!
//! ```text
//! impl Node { fn fire(&mut self) { self.pass(0); } }    an arrow to the file that defines `pass`
//! Self::pass(node, 0), Node::pass(node, 0)              the same
//! node.pass(0), self.ports[0].pass()                    not seen
//! ```
//! A method that two files define, such as one of a trait, is none of these.

use std::collections::BTreeMap;

use crate::files::Arrow;
use crate::names::{Token, begins_item, is_word, tokens};
use crate::source::Source;

/// A type and one of its methods.
type Method<'a> = (&'a str, &'a str);

/// The methods of one file.
#[derive(Debug, Default)]
struct Methods<'a> {
    defined: Vec<Method<'a>>,
    /// Each with its line.
    called: Vec<(usize, Method<'a>)>,
}

/// The arrows between the product files of `folder`, such as `crates/hopflow-engine/src/windowed/
/// step`, and the file of the same name; in order, one for each pair. Paths are whole.
pub(crate) fn arrows(sources: &[Source], folder: &str) -> Vec<Arrow> {
    let files: Vec<(&str, Methods)> = sources
        .iter()
        .filter(|source| source.is_rust() && !source.is_test && is_in(&source.path, folder))
        .map(|source| (source.path.as_str(), Methods::read(&tokens(source.product_code()))))
        .collect();
    let mut homes: BTreeMap<Method, Vec<&str>> = BTreeMap::new();
    for (file, methods) in &files {
        for method in &methods.defined {
            let homes = homes.entry(*method).or_default();
            if !homes.contains(file) {
                homes.push(file);
            }
        }
    }
    let mut lines: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (from, methods) in &files {
        for (line, method) in &methods.called {
            if let Some([to]) = homes.get(method).map(Vec::as_slice)
                && to != from
            {
                lines.entry((from, to)).or_insert(*line);
            }
        }
    }
    let arrow = |((from, to), line): ((&str, &str), usize)| Arrow {
        from: from.to_owned(),
        to: to.to_owned(),
        line,
    };
    lines.into_iter().map(arrow).collect()
}

/// Whether a file is in a folder, or is the module that the folder is of.
pub(crate) fn is_in(file: &str, folder: &str) -> bool {
    file.strip_prefix(folder).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

impl<'a> Methods<'a> {
    fn read(tokens: &[Token<'a>]) -> Methods<'a> {
        let mut methods = Methods::default();
        let (mut depth, mut of) = (0_usize, None);
        for at in 0..tokens.len() {
            let text = |ahead: usize| tokens.get(at + ahead).map_or("", |token| token.text);
            match text(0) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "impl" if depth == 0 && begins_item(tokens, at) => of = type_of(&tokens[at + 1..]),
                "fn" if depth == 1 => methods.defined.extend(of.map(|of| (of, text(1)))),
                "self" if text(1) == "." && matches!(text(3), "(" | "::") => {
                    methods.called.extend(of.map(|of| (tokens[at].line, (of, text(2)))));
                }
                word if is_word(word) && text(1) == "::" => {
                    let named = if word == "Self" { of } else { Some(word) };
                    methods.called.extend(named.map(|of| (tokens[at].line, (of, text(2)))));
                }
                _ => {}
            }
            if depth == 0 && text(0) == "}" {
                of = None;
            }
        }
        methods
    }
}

/// The type that an `impl` is for, by what follows the word.
fn type_of<'a>(tokens: &[Token<'a>]) -> Option<&'a str> {
    let (mut depth, mut found) = (0_i32, None);
    for (at, token) in tokens.iter().enumerate() {
        let is_arrow = at > 0 && tokens[at - 1].text == "-";
        match token.text {
            "<" => depth += 1,
            ">" if !is_arrow => depth -= 1,
            "{" | "where" if depth == 0 => break,
            // What is before is a trait.
            "for" if depth == 0 => found = None,
            word if depth == 0 && is_word(word) && !matches!(word, "dyn" | "mut") => {
                found = Some(word);
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let source = |(file, text): &(&str, &str)| Source::new(&format!("x/{file}"), text);
        let sources: Vec<Source> = files.iter().map(source).collect();
        let arrows = arrows(&sources, "x/step");
        let short = |path: &str| path.trim_start_matches("x/").to_owned();
        let line = |one: &Arrow| format!("{}:{} {}", short(&one.from), one.line, short(&one.to));
        arrows.iter().map(line).collect()
    }

    /// Calls by `self`, `Self` and the name of the type lead to the file that defines the method;
    /// the file of the folder is one of them, and a neighbour is not.
    #[test]
    fn calls_are_followed() {
        let files = [
            ("step.rs", "impl Node {\n    fn run(&mut self) { self.fire(); self.emit(); }\n}\n"),
            ("step/fire.rs", "impl Node {\n    fn fire(&mut self) {\n self.pass::<u8>(1);\n}\n}\n"),
            ("step/pass.rs", "impl<T> Node<T> {\n    fn pass(&mut self) { Self::run(self) }\n}\n"),
            ("step/lane.rs", "impl Drop for Node {\n    fn lane(&self) { Node::pass(self) }\n}\n"),
            ("emit.rs", "impl Node {\n    fn emit(&self) { self.fire() }\n}\n"),
        ];
        let expected = [
            "step.rs:2 step/fire.rs",
            "step/fire.rs:3 step/pass.rs",
            "step/lane.rs:2 step/pass.rs",
            "step/pass.rs:2 step.rs",
        ];
        assert_eq!(found(&files), expected);
    }

    /// A field, a method of a field, a method of another type, one that two files define, a test
    /// and a comment are no calls.
    #[test]
    fn what_is_no_call_is_none() {
        let files = [
            (
                "step/a.rs",
                "impl Node {\n    fn a(&self) { self.pass; self.port.pass(); self.both(); }\n}\n\
                 impl Port {\n    fn b(&self) { self.pass(); } // self.fire()\n}\n\
                 #[cfg(test)]\nmod tests {\n    impl Node { fn c(&self) { self.pass(); } }\n}\n",
            ),
            ("step/b.rs", "impl Node {\n    fn pass(&self) {}\n    fn both(&self) {}\n}\n"),
            ("step/c.rs", "impl Node {\n    fn both(&self) {}\n}\n"),
        ];
        assert!(found(&files).is_empty(), "{:?}", found(&files));
    }
}
