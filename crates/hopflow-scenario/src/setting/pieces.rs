//! A text put together from a file and from settings, each byte with the place it is from.

use std::ops::Range;

/// The text, in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pieces {
    text: String,
    pieces: Vec<Piece>,
}

/// Bytes that are from one place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    length: usize,
    /// Where in the file it begins; of a setting, where it was put in.
    file: usize,
    /// The setting, and the place in its text.
    setting: Option<(usize, Range<usize>)>,
}

/// Where a part of the text is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// These bytes of the file.
    File(Range<usize>),
    /// The setting of this number, and these bytes of it.
    Setting(usize, Range<usize>),
}

impl Pieces {
    /// A file without settings.
    pub(crate) fn new(text: String) -> Pieces {
        let whole = Piece { length: text.len(), file: 0, setting: None };
        Pieces { text, pieces: vec![whole] }
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Puts parts of the setting `index` in the place of `at`, each with its place in the setting.
    pub(crate) fn splice(
        &mut self,
        at: Range<usize>,
        index: usize,
        parts: [(String, Range<usize>); 3],
    ) {
        let first = self.cut(at.start);
        let last = self.cut(at.end);
        let file = self.pieces.get(first).map_or_else(|| self.end_of_file(), |piece| piece.file);
        let new: String = parts.iter().map(|(text, _)| text.as_str()).collect();
        let pieces = parts.into_iter().filter(|(text, _)| !text.is_empty());
        let piece = |(text, span): (String, Range<usize>)| Piece {
            length: text.len(),
            file,
            setting: Some((index, span)),
        };
        self.pieces.splice(first..last, pieces.map(piece));
        self.text.replace_range(at, &new);
    }

    fn end_of_file(&self) -> usize {
        let last = self.pieces.iter().rfind(|piece| piece.setting.is_none());
        last.map_or(0, |piece| piece.file + piece.length)
    }

    /// The piece that begins at `offset`, after one that reaches over it was cut in two.
    fn cut(&mut self, offset: usize) -> usize {
        let mut start = 0;
        for index in 0..self.pieces.len() {
            if start >= offset {
                return index;
            }
            let piece = &mut self.pieces[index];
            let front = offset - start;
            if piece.length > front {
                let mut back = piece.clone();
                back.length -= front;
                back.file += if back.setting.is_none() { front } else { 0 };
                piece.length = front;
                self.pieces.insert(index + 1, back);
                return index + 1;
            }
            start += piece.length;
        }
        self.pieces.len()
    }

    /// The piece of a byte, and where the piece begins; the last one for what is beyond.
    fn piece(&self, offset: usize) -> Option<(usize, &Piece)> {
        let mut start = 0;
        let mut found = None;
        for piece in self.pieces.iter().filter(|piece| piece.length > 0) {
            found = Some((start, piece));
            if offset < start + piece.length {
                break;
            }
            start += piece.length;
        }
        found
    }

    /// Where `span` of the text, or of what was added behind it, is from. `file`: the length of the
    /// file's own text.
    pub(crate) fn place(&self, span: &Range<usize>, file: usize) -> Place {
        let beyond = |offset: usize| offset - self.text.len() + file;
        if span.start >= self.text.len() && !self.text.is_empty() {
            return Place::File(beyond(span.start)..beyond(span.end.max(span.start)));
        }
        let Some((start, first)) = self.piece(span.start) else { return Place::File(span.clone()) };
        if let Some((index, place)) = &first.setting {
            return Place::Setting(*index, place.clone());
        }
        let begin = first.file + (span.start - start);
        let end = match self.piece(span.end.saturating_sub(1).max(span.start)) {
            Some((start, last)) if last.setting.is_none() => last.file + (span.end - start),
            Some((_, last)) => last.file,
            None => begin,
        };
        Place::File(begin..end.max(begin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(pieces: &mut Pieces, at: Range<usize>, index: usize, value: &str) {
        let empty = || (String::new(), 0..0);
        pieces.splice(at, index, [empty(), (value.to_owned(), 2..2 + value.len()), empty()]);
    }

    /// Claim: what is from the file keeps its place in the file, whatever is put in before it; what
    /// is put in has its place in the setting, and a later setting may replace it.
    #[test]
    fn every_byte_keeps_its_place() {
        let mut text = Pieces::new("a = 10\nb = 20\nc = 30\n".to_owned());
        put(&mut text, 4..6, 0, "12345");
        assert_eq!(text.text(), "a = 12345\nb = 20\nc = 30\n");
        let at = text.text().find("20").unwrap();
        put(&mut text, at..at + 2, 1, "7");
        assert_eq!(text.text(), "a = 12345\nb = 7\nc = 30\n");
        let place = |text: &Pieces, word: &str| {
            let at = text.text().find(word).unwrap();
            text.place(&(at..at + word.len()), 21)
        };
        assert_eq!(place(&text, "12345"), Place::Setting(0, 2..7));
        assert_eq!(place(&text, "7"), Place::Setting(1, 2..3));
        assert_eq!(place(&text, "b"), Place::File(7..8));
        assert_eq!(place(&text, "30"), Place::File(18..20));
        put(&mut text, 4..9, 2, "8");
        assert_eq!(text.text(), "a = 8\nb = 7\nc = 30\n");
        assert_eq!(place(&text, "8"), Place::Setting(2, 2..3));
        // From the file to the file, over a setting; up to a setting; behind the text.
        assert_eq!(place(&text, "a = 8\nb = 7\nc"), Place::File(0..15));
        assert_eq!(place(&text, "b = 7"), Place::File(7..11));
        assert_eq!(text.place(&(25..30), 21), Place::File(27..32));
    }
}
