//! Rows of a table that differ only in the number of a VC become one: `sender1..8`.

/// A row: names, and what follows them.
pub(super) struct Row {
    pub(super) vc: String,
    pub(super) link: String,
    pub(super) rest: Vec<String>,
}

/// Rows of one name, numbered from `first` to `last`.
struct Run {
    name: Numbered,
    last: u64,
    /// The nodes of the link of the first.
    nodes: Vec<String>,
    /// By node: whether the others have their own number there. Known from the second row on.
    follows: Option<Vec<bool>>,
    rest: Vec<String>,
}

/// A name around its last number.
struct Numbered {
    before: String,
    number: u64,
    after: String,
}

impl Numbered {
    /// `None` without a number, or where it has a leading zero.
    fn of(name: &str) -> Option<Numbered> {
        let is_digit = |letter: char| letter.is_ascii_digit();
        let head = name.trim_end_matches(|letter| !is_digit(letter));
        let before = head.trim_end_matches(is_digit);
        let digits = head.get(before.len()..)?;
        let number: u64 = digits.parse().ok()?;
        let after = name.get(head.len()..)?.to_owned();
        let plain = digits == number.to_string();
        plain.then(|| Numbered { before: before.to_owned(), number, after })
    }

    fn with(&self, number: &str) -> String {
        format!("{}{number}{}", self.before, self.after)
    }
}

/// A node with another number in place of its last one, if that is `first`.
fn renumbered(node: &str, first: u64, number: &str) -> Option<String> {
    Some(Numbered::of(node).filter(|found| found.number == first)?.with(number))
}

impl Run {
    /// Takes in a row that goes on where the run ends.
    fn takes(&mut self, row: &Row) -> bool {
        let Some(name) = Numbered::of(&row.vc) else { return false };
        let alike = name.before == self.name.before && name.after == self.name.after;
        if !alike || name.number != self.last + 1 || row.rest != self.rest {
            return false;
        }
        let nodes: Vec<&str> = row.link.split("->").collect();
        let follows = |(old, new): (&String, &&str)| {
            let own = renumbered(old, self.name.number, &name.number.to_string());
            if own.as_deref() == Some(*new) { Some(true) } else { (old == new).then_some(false) }
        };
        let found: Option<Vec<bool>> = self.nodes.iter().zip(&nodes).map(follows).collect();
        let Some(found) = found.filter(|found| found.len() == nodes.len()) else { return false };
        if self.follows.as_ref().is_some_and(|follows| *follows != found) {
            return false;
        }
        (self.follows, self.last) = (Some(found), name.number);
        true
    }

    fn row(self) -> Row {
        let Some(follows) = self.follows else {
            let vc = self.name.with(&self.name.number.to_string());
            return Row { vc, link: self.nodes.join("->"), rest: self.rest };
        };
        let numbers = format!("{}..{}", self.name.number, self.last);
        let node = |(node, follows): (String, bool)| {
            let own = renumbered(&node, self.name.number, &numbers).filter(|_| follows);
            own.unwrap_or(node)
        };
        let nodes: Vec<String> = self.nodes.into_iter().zip(follows).map(node).collect();
        Row { vc: self.name.with(&numbers), link: nodes.join("->"), rest: self.rest }
    }
}

/// The rows, in order of the first of each run.
pub(super) fn folded(rows: impl Iterator<Item = Row>) -> Vec<Row> {
    /// Runs that may still grow: those of the VC before have as many hops as a path.
    const OPEN: usize = 64;
    let mut runs: Vec<Result<Run, Row>> = Vec::new();
    for row in rows {
        let open = runs.len().saturating_sub(OPEN);
        let taken =
            runs[open..].iter_mut().any(|run| run.as_mut().is_ok_and(|run| run.takes(&row)));
        if taken {
            continue;
        }
        runs.push(match Numbered::of(&row.vc) {
            Some(name) => {
                let nodes = row.link.split("->").map(str::to_owned).collect();
                Ok(Run { last: name.number, name, nodes, follows: None, rest: row.rest })
            }
            None => Err(row),
        });
    }
    runs.into_iter().map(|run| run.map_or_else(|row| row, Run::row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(rows: &[(&str, &str, &str)]) -> Vec<String> {
        let row = |(vc, link, rest): &(&str, &str, &str)| Row {
            vc: (*vc).to_owned(),
            link: (*link).to_owned(),
            rest: vec![(*rest).to_owned()],
        };
        let name = |row: Row| format!("{} {} {}", row.vc, row.link, row.rest[0]);
        folded(rows.iter().map(row)).into_iter().map(name).collect()
    }

    /// Claim: equal senders are one row a link, in the order of their first; a sender that differs,
    /// a gap in the numbers, and a name without a number are rows of their own.
    #[test]
    fn equal_senders_are_one_row() {
        let mut rows = Vec::new();
        let names_of: Vec<(String, String)> =
            (1..=8).map(|n| (format!("sender{n}"), format!("H{n}->S1"))).collect();
        for (vc, link) in &names_of {
            rows.extend([(vc.as_str(), link.as_str(), "9"), (vc.as_str(), "S1->R", "7")]);
        }
        assert_eq!(names(&rows), ["sender1..8 H1..8->S1 9", "sender1..8 S1->R 7"]);
        rows[6].2 = "10";
        assert_eq!(
            names(&rows),
            [
                "sender1..3 H1..3->S1 9",
                "sender1..8 S1->R 7",
                "sender4 H4->S1 10",
                "sender5..8 H5..8->S1 9"
            ]
        );
        let odd =
            [("a", "A->B", "1"), ("a", "A->B", "1"), ("b2", "A->B", "1"), ("b4", "A->B", "1")];
        assert_eq!(names(&odd), ["a A->B 1", "a A->B 1", "b2 A->B 1", "b4 A->B 1"]);
        let acks = [("T1.ack", "S1->W1", "1"), ("T2.ack", "S2->W1", "1")];
        assert_eq!(names(&acks), ["T1..2.ack S1..2->W1 1"]);
        let zeros = [("v1", "A1->B", "1"), ("v02", "A2->B", "1"), ("v2", "A3->B", "1")];
        assert_eq!(names(&zeros), ["v1 A1->B 1", "v02 A2->B 1", "v2 A3->B 1"]);
    }
}
