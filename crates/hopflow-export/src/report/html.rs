//! A page as HTML.

use std::fmt::Write;

use hopflow_figures::escape;

use super::glossary::Words;
use super::{Block, Page, Section, Shares, Verdict};
#[cfg(test)]
use crate::chart::LineKind;
use crate::chart::{Band, Figure, legend_band, legend_swatch, plain_number};

mod table;

const STYLE: &str = include_str!("report.css");
/// What makes charts answer. The page is complete without it, and loads nothing from anywhere.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("script/lines.js"),
    include_str!("script/chart.js"),
    include_str!("script/picture.js"),
    include_str!("script/page.js"),
    "})();\n",
);
/// The most columns of a picture: half of its pixels, because the script draws it again in full.
const PICTURE_COLUMNS: usize = 540;

/// The most columns of the chart of a start: its lines are in the chart of all, too.
const START_COLUMNS: usize = 400;

/// A style sheet or script as it is written into a page: without indents and lines of comment.
fn packed(text: &str) -> String {
    let lines = text.lines().map(str::trim_start);
    let kept = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    kept.fold(String::with_capacity(text.len()), |page, line| page + line + "\n")
}

/// A short text: safe, with `code` between backquotes.
fn prose(text: &str) -> String {
    marked(text, escape)
}

/// A text in which microseconds have one sign, and a percent sign stays with its number: sentences
/// of results write `us` and ` %`.
fn micro(text: &str) -> String {
    let text = text.replace(" %", "\u{202f}%");
    let mut pieces = text.split(" us");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let ends = piece.chars().next().is_none_or(|next| !next.is_alphanumeric());
        let is_unit = ends && out.ends_with(|last: char| last.is_ascii_digit());
        out += if is_unit { "\u{202f}\u{b5}s" } else { " us" };
        out += piece;
    }
    out
}

/// A text whose names of links, such as `S->B`, stay whole.
fn unbroken(html: &str) -> String {
    html.replace("-&gt;", "<span class=\"arrow\">-&gt;</span>")
}

/// A paragraph's text: the same, its words linked to what they mean.
fn linked(text: &str, words: &mut Words) -> String {
    marked(text, |part| unbroken(&words.link(part)))
}

fn marked(text: &str, mut plain: impl FnMut(&str) -> String) -> String {
    let mut out = String::new();
    for (place, part) in text.split('`').enumerate() {
        if place % 2 == 1 {
            let _ = write!(out, "<code>{}</code>", unbroken(&escape(part)));
        } else {
            out += &plain(&micro(part));
        }
    }
    out
}

/// The whole page, series thinned to `columns`.
pub(super) fn page(page: &Page, columns: usize) -> String {
    let title = escape(&page.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"hopflow {}\">\n<title>{title}</title>\n\
         <style>\n{}{}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n",
        env!("CARGO_PKG_VERSION"),
        packed(STYLE),
        packed(hopflow_figures::STYLE)
    );
    if !page.subtitle.is_empty() {
        let _ = writeln!(out, "<p class=\"subtitle\">{}</p>", prose(&page.subtitle));
    }
    let mut words = Words::new();
    facts(&mut out, &page.facts, &mut words);
    let mut body = String::new();
    for part in &page.sections {
        section(&mut body, part, columns, &mut words);
    }
    let explained = !words.used().is_empty();
    contents(&mut out, &page.sections, explained);
    out += "</header>\n<main>\n";
    out += &body;
    if explained {
        explain(&mut out, &words);
    }
    out += "</main>\n";
    if !page.footer.is_empty() {
        let _ = writeln!(out, "<footer><p>{}</p></footer>", prose(&page.footer));
    }
    let _ = write!(out, "<script>\n{}</script>\n</body>\n</html>\n", packed(SCRIPT));
    out
}

/// What the words of the page mean.
fn explain(out: &mut String, words: &Words) {
    *out += "<section id=\"words\">\n<h2>Words</h2>\n<dl class=\"dictionary\">";
    for (index, word, meaning) in words.used() {
        let _ = write!(
            out,
            "<div id=\"word-{index}\"><dt><dfn>{}</dfn></dt><dd>{}</dd></div>",
            escape(word),
            prose(meaning)
        );
    }
    *out += "</dl>\n</section>\n";
}

fn facts(out: &mut String, facts: &[(String, String)], words: &mut Words) {
    if facts.is_empty() {
        return;
    }
    *out += "<dl class=\"facts\">";
    for (name, value) in facts {
        let _ = write!(out, "<div><dt>{}</dt><dd>{}</dd></div>", words.link(name), prose(value));
    }
    *out += "</dl>\n";
}

fn contents(out: &mut String, sections: &[Section], explained: bool) {
    if sections.len() < 2 {
        return;
    }
    *out += "<nav aria-label=\"Contents\"><ol>";
    for part in sections {
        let _ = write!(out, "<li><a href=\"#{}\">{}</a>", escape(&part.id), escape(&part.title));
        let mut seen = part.verdicts.clone();
        seen.sort_unstable();
        seen.dedup();
        for verdict in seen {
            let count = part.verdicts.iter().filter(|v| **v == verdict).count();
            let word = verdict.word();
            let _ = write!(
                out,
                " <span class=\"tally {}\" title=\"{count} {word}\">{}\u{202f}{count}</span>",
                class(verdict),
                verdict.sign()
            );
        }
        *out += "</li>";
    }
    if explained {
        *out += "<li><a href=\"#words\">Words</a></li>";
    }
    *out += "</ol></nav>\n";
}

fn section(out: &mut String, part: &Section, columns: usize, words: &mut Words) {
    words.restart();
    let id = escape(&part.id);
    let _ = writeln!(out, "<section id=\"{id}\">\n<h2>{}</h2>", escape(&part.title));
    blocks(out, &part.blocks, columns, words);
    *out += "</section>\n";
}

fn blocks(out: &mut String, blocks: &[Block], columns: usize, words: &mut Words) {
    for one in blocks {
        block(out, one, columns, words);
    }
}

fn block(out: &mut String, block: &Block, columns: usize, words: &mut Words) {
    match block {
        Block::Text(text) => {
            let _ = writeln!(out, "<p>{}</p>", linked(text, words));
        }
        Block::List(items) => {
            *out += "<ul class=\"sentences\">";
            for item in items {
                let _ = write!(out, "<li>{}</li>", linked(item, words));
            }
            *out += "</ul>\n";
        }
        Block::Note(text) => {
            let _ = writeln!(out, "<p class=\"note\">{}</p>", linked(text, words));
        }
        Block::Alarm(text) => {
            let _ = writeln!(out, "<p class=\"note alarm\">{}</p>", linked(text, words));
        }
        Block::Table(one) => table::table(out, one, words),
        Block::Figure(one) => figure(out, one, columns),
        Block::Drawing { svg, caption } => {
            let _ = write!(out, "<figure class=\"drawing\"><div>{svg}</div>");
            caption_of(out, caption);
            *out += "</figure>\n";
        }
        Block::Shares(one) => shares(out, one),
        Block::Beside(left, right) => {
            *out += "<div class=\"beside\"><div>\n";
            blocks(out, left, columns, words);
            *out += "</div><div>\n";
            blocks(out, right, columns, words);
            *out += "</div></div>\n";
        }
        Block::Grid(inside) => {
            *out += "<div class=\"grid\">\n";
            blocks(out, inside, columns, words);
            *out += "</div>\n";
        }
        Block::Folded(summary, inside) => {
            let _ = writeln!(out, "<details><summary>{}</summary>", prose(summary));
            blocks(out, inside, columns, words);
            *out += "</details>\n";
        }
        Block::Dictionary(terms) => dictionary(out, terms),
    }
}

fn caption_of(out: &mut String, caption: &str) {
    if !caption.is_empty() {
        let _ = write!(out, "<figcaption>{}</figcaption>", prose(caption));
    }
}

fn dictionary(out: &mut String, terms: &[(String, String)]) {
    *out += "<dl class=\"dictionary\">";
    for (term, meaning) in terms {
        let _ = write!(
            out,
            "<div><dt><code>{}</code></dt><dd>{}</dd></div>",
            escape(term),
            prose(meaning)
        );
    }
    *out += "</dl>\n";
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "good",
        Verdict::Differs => "fair",
        Verdict::NotReproduced | Verdict::Fails => "bad",
    }
}

/// A chart, and its start as a second one where that is too short to be seen.
fn figure(out: &mut String, figure: &Figure, columns: usize) {
    let start = figure.start();
    let mut caption = figure.caption.clone();
    let mut add = |sentence: &str| {
        let gap = if caption.is_empty() { "" } else { " " };
        caption = format!("{caption}{gap}{sentence}");
    };
    if figure.has_bands() {
        add(band_words(figure));
    }
    if start.is_some() {
        add("The start is drawn larger below.");
    }
    plot(out, figure, &caption, columns);
    if let Some(start) = start {
        let caption = if start.has_bands() { band_words(&start) } else { "" };
        plot(out, &start, caption, columns.min(START_COLUMNS));
    }
}

/// What a band is, for the reader of a chart, or what is drawn in its place.
fn band_words(figure: &Figure) -> &'static str {
    if figure.only_means {
        "Where a line changes faster than the picture can show, its mean is drawn; zoom for more."
    } else {
        "Shaded: from the least to the greatest value, where a line changes faster than the \
         picture can show; the line inside is its mean."
    }
}

fn plot(out: &mut String, figure: &Figure, caption: &str, columns: usize) {
    let id = escape(&figure.id);
    let _ = writeln!(out, "<figure class=\"plot\" id=\"fig-{id}\">");
    let _ = write!(out, "<h3>{}</h3>", unbroken(&prose(&figure.title)));
    *out += "<ul class=\"legend\">";
    for (index, (line, same)) in figure.series.iter().zip(figure.same_as()).enumerate() {
        let _ = write!(
            out,
            "<li><button type=\"button\" aria-pressed=\"true\" data-line=\"{index}\">{}{}{}\
             </button></li>",
            legend_swatch(line.kind, figure.look(index)),
            unbroken(&escape(&line.name)),
            escape(&same)
        );
    }
    for (index, band) in figure.bands.iter().enumerate() {
        // Equal marks, such as the points of a line, have one entry.
        let known = |other: &Band| other.name == band.name && other.look == band.look;
        if band.name.is_empty() || figure.bands[..index].iter().any(known) {
            continue;
        }
        let _ = write!(out, "<li><span>{}{}</span></li>", legend_band(band), escape(&band.name));
    }
    let _ = write!(
        out,
        "</ul><div class=\"frame\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">{}\
         <div class=\"readout\" hidden></div></div>",
        escape(&format!("Chart: {}", figure.title)),
        figure.picture(columns.min(PICTURE_COLUMNS))
    );
    caption_of(out, caption);
    let data = figure.data(columns).to_string().replace('<', "\\u003c");
    let _ = writeln!(out, "<script type=\"application/json\">{data}</script></figure>");
}

fn shares(out: &mut String, shares: &Shares) {
    *out += "<figure class=\"shares\">";
    if !shares.title.is_empty() {
        let _ = write!(out, "<h3>{}</h3>", prose(&shares.title));
    }
    *out += "<ul class=\"legend\">";
    for (index, part) in shares.parts.iter().enumerate() {
        let _ = write!(
            out,
            "<li><span><i class=\"swatch part p{}\"></i>{}</span></li>",
            index % 6,
            escape(part)
        );
    }
    *out += "</ul>";
    for (name, row) in &shares.rows {
        let _ = write!(out, "<div class=\"share\"><span>{}</span><div>", escape(name));
        for (index, share) in row.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let percent = plain_number(100.0 * share, 1);
            let label =
                if *share >= 0.07 { format!("<b>{percent}\u{202f}%</b>") } else { String::new() };
            let part = shares.parts.get(index).map_or("", String::as_str);
            let _ = write!(
                out,
                "<i class=\"part p{}\" style=\"flex-grow:{:.5}\" title=\"{}: {percent} %\">\
                 {label}</i>",
                index % 6,
                share,
                escape(part)
            );
        }
        *out += "</div></div>";
    }
    caption_of(out, &shares.caption);
    *out += "</figure>\n";
}

/// Kept beside the writer so that a new kind of line cannot be forgotten in the script.
#[cfg(test)]
pub(super) fn script_knows(kind: LineKind) -> bool {
    SCRIPT.contains(&format!("\"{}\"", kind.name()))
}
