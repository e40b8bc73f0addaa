//! Parts of a document that a command writes, between the comments `<!-- name -->` and
//! `<!-- /name -->`, each on a line of its own.

/// The text between the anchors `name`; `None` if they are not there.
pub(crate) fn inside<'a>(document: &'a str, name: &str) -> Option<&'a str> {
    parts(document, name).map(|[_, part, _]| part)
}

/// The document with `text` between the anchors `name`; `None` if they are not there.
pub(crate) fn replaced(document: &str, name: &str, text: &str) -> Option<String> {
    let [before, _, after] = parts(document, name)?;
    Some(format!("{before}{}\n{after}", text.trim_end()))
}

/// The text before, between and after the anchors; these belong to the outer parts.
fn parts<'a>(document: &'a str, name: &str) -> Option<[&'a str; 3]> {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let begin = document.find(&open)? + open.len();
    let end = begin + document[begin..].find(&close)?;
    Some([&document[..begin], &document[begin..end], &document[end..]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the text between the anchors changes, and a second replacement with the same text
    /// changes nothing.
    #[test]
    fn only_the_part_between_anchors_is_replaced() {
        let document = "# A\n<!-- speed -->\nold\n<!-- /speed -->\nold\n";
        assert_eq!(inside(document, "speed"), Some("old\n"));
        let new = replaced(document, "speed", "| new |\n\n").unwrap();
        assert_eq!(new, "# A\n<!-- speed -->\n| new |\n<!-- /speed -->\nold\n");
        assert_eq!(replaced(&new, "speed", "| new |").as_ref(), Some(&new));
        assert_eq!(replaced(document, "verdicts", "x"), None);
    }
}
