//! Finds lines of a figure that coincide: the legend reports them, and dashes keep all visible.
//!
//! Both lines are divided into [`COLUMNS`] columns. They coincide in a column if their least and
//! greatest values there are less than [`NEAR`] of the axis apart. They must coincide in all but a
//! hundredth ([`Same::All`]) or in three quarters ([`Same::Most`]) of the columns in which either
//! has a value.

use super::dense::{Bucket, Curve};
use super::thin::finite;
use super::{Figure, LineKind, Ranges, Side};

const COLUMNS: usize = 240;
/// Part of the axis within which two values look the same: about a pixel.
const NEAR: f64 = 0.006;

/// How much of a line coincides with an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Same {
    /// All the time.
    All,
    /// Most of the time.
    Most,
}

/// A line that coincides with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// The first line of the group.
    pub(crate) leader: usize,
    /// Its position in the group; the leader has 0.
    pub(crate) place: usize,
    /// The number of lines in the group.
    pub(crate) count: usize,
    /// How much of it coincides with the leader.
    pub(crate) same: Same,
}

type Profile = Vec<Option<Bucket>>;

/// The group of every line of the figure that coincides with another.
pub(crate) fn groups(figure: &Figure, ranges: Ranges) -> Vec<Option<Member>> {
    let profiles: Vec<Option<Profile>> = figure
        .series
        .iter()
        .map(|line| {
            (line.kind.joins() && line.points.len() > 1)
                .then(|| profile(&line.points, line.kind, ranges.x))
        })
        .collect();
    let mut found: Vec<Option<Member>> = vec![None; profiles.len()];
    for index in 0..profiles.len() {
        let same = |leader: &usize| {
            let leads = found[*leader].is_none_or(|member| member.place == 0);
            if !leads || figure.series[*leader].axis != figure.series[index].axis {
                return None;
            }
            let right = ranges.y_right.filter(|_| figure.series[index].axis == Side::Right);
            let (low, high) = right.unwrap_or(ranges.y);
            let near = NEAR * (high - low);
            compare(profiles[*leader].as_ref()?, profiles[index].as_ref()?, near)
        };
        let leader = (0..index).find_map(|leader| same(&leader).map(|same| (leader, same)));
        let Some((leader, same)) = leader else { continue };
        let of = |member: &&mut Option<Member>| member.is_some_and(|m| m.leader == leader);
        let count = found.iter_mut().filter(of).count().max(1) + 1;
        let place = count - 1;
        found[leader].get_or_insert(Member { leader, place: 0, count, same: Same::All });
        found[index] = Some(Member { leader, place, count, same });
        for member in found.iter_mut().flatten().filter(|member| member.leader == leader) {
            member.count = count;
        }
    }
    found
}

/// The name of a leader without what it shares with `name` up to a ` = `: `1` of `n2 = 1` beside
/// `n2 = 2`.
pub(crate) fn shorter<'n>(name: &str, leader: &'n str) -> &'n str {
    let is_shared = |end: &usize| name.get(..*end) == leader.get(..*end);
    let ends = leader.match_indices(EQUALS).map(|(at, _)| at + EQUALS.len());
    ends.take_while(is_shared).last().map_or(leader, |end| &leader[end..])
}

/// What is between a key and its value in the name of a line.
const EQUALS: &str = " = ";

fn profile(points: &[(f64, f64)], kind: LineKind, x: (f64, f64)) -> Profile {
    let points = finite(points);
    let curve = Curve::new(&points, kind, x.1);
    (0..COLUMNS).map(|index| curve.column(index, x, COLUMNS)).collect()
}

fn compare(one: &Profile, other: &Profile, near: f64) -> Option<Same> {
    let (mut all, mut equal) = (0_usize, 0_usize);
    for (one, other) in one.iter().zip(other) {
        if one.is_none() && other.is_none() {
            continue;
        }
        all += 1;
        let close = |a: f64, b: f64| (a - b).abs() <= near;
        let same = one.zip(*other).is_some_and(|(a, b)| {
            close(a.y.0, b.y.0) && close(a.y.1, b.y.1) && close(a.mean, b.mean)
        });
        equal += usize::from(same);
    }
    if all == 0 || 4 * equal < 3 * all {
        return None;
    }
    Some(if 100 * equal >= 99 * all { Same::All } else { Same::Most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Line;

    fn line(points: &[(f64, f64)]) -> Line {
        Line { kind: LineKind::Step, points: points.to_vec(), ..Line::default() }
    }

    /// Claim: a legend does not repeat a key: `n2 = 2 (the same line as 1)`; names that differ
    /// before a ` = ` are whole.
    #[test]
    fn a_shared_key_is_not_repeated() {
        assert_eq!(shorter("n2 = 2", "n2 = 1"), "1");
        assert_eq!(shorter("n2 = 2, control = n23", "n2 = 2, control = pfc"), "pfc");
        assert_eq!(shorter("n2 = 2, n3 = 5", "n2 = 1, n3 = 5"), "1, n3 = 5");
        assert_eq!(shorter("VC2", "VC1"), "VC1");
        assert_eq!(shorter("n3 = 2", "n2 = 2"), "n2 = 2");
    }

    /// Claim: equal lines form one group with a leader. A line that differs for a tenth of the time
    /// coincides mostly, one that is half a scale away does not, nor does one of the other axis.
    #[test]
    fn equal_lines_are_found() {
        let base = [(0.0, 4.0), (5.0, 8.0)];
        let mut right = line(&base);
        right.axis = Side::Right;
        let series = vec![
            line(&base),
            line(&[(0.0, 9.0), (5.0, 3.0)]),
            line(&base),
            line(&[(0.0, 4.0), (5.0, 8.0), (9.0, 2.0)]),
            right,
        ];
        let figure = Figure { series, ..Figure::default() };
        let ranges = Ranges { x: (0.0, 10.0), y: (0.0, 10.0), y_right: Some((0.0, 10.0)) };
        let member = |place, same| Some(Member { leader: 0, place, count: 3, same });
        let expected =
            [member(0, Same::All), None, member(1, Same::All), member(2, Same::Most), None];
        assert_eq!(groups(&figure, ranges), expected);
    }
}
