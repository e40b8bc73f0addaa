//! Grid: the numbered points of several axes, each computed on request.
//!
//! ```text
//! points = n_1 n_2 ... n_k                                                               (1)
//! point  = (...(i_1 n_2 + i_2) n_3 + ...) n_k + i_k,   0 <= i_j < n_j                    (2)
//! ```
//! n_j is the number of values of axis j and i_j the index of its value: the last axis varies
//! fastest. All random axes together are one axis, at the position of the first of them: each point
//! along it takes the next draw of each.

use crate::{Axis, MOST_POINTS};

/// The points of several axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    axes: Vec<Axis>,
    /// Groups of axes that advance together, and the number of their values.
    steps: Vec<(Vec<usize>, u64)>,
    points: u64,
}

impl Grid {
    /// The grid of these axes; without axes it has one point, the unchanged scenario.
    pub fn new(axes: Vec<Axis>) -> Result<Grid, String> {
        let mut steps: Vec<(Vec<usize>, u64)> = Vec::new();
        let mut random: Option<usize> = None;
        for (index, axis) in axes.iter().enumerate() {
            if axes[..index].iter().any(|other| other.key() == axis.key()) {
                return Err(format!("--axis `{}` is there twice: give it all values", axis.key()));
            }
            match random {
                Some(step) if axis.is_random() => {
                    let (together, count) = &mut steps[step];
                    if *count != axis.count() {
                        return Err(format!(
                            "random axes go forward together, so each has as many draws: `{}` has \
                             {}, `{}` has {count}",
                            axis.key(),
                            axis.count(),
                            axes[together[0]].key()
                        ));
                    }
                    together.push(index);
                }
                _ => {
                    random = if axis.is_random() { Some(steps.len()) } else { random };
                    steps.push((vec![index], axis.count()));
                }
            }
        }
        let all = steps.iter().try_fold(1_u64, |all, (_, count)| all.checked_mul(*count));
        match all {
            Some(points) if points <= MOST_POINTS => Ok(Grid { axes, steps, points }),
            _ => {
                let counts: Vec<String> =
                    steps.iter().map(|(_, count)| count.to_string()).collect();
                let product = all.map_or_else(String::new, |all| format!(" = {all}"));
                Err(format!(
                    "a sweep has at most {MOST_POINTS} points, and this one {}{product}: give \
                     fewer values, or draw them with `random FROM..TO/COUNT`",
                    counts.join(" x ")
                ))
            }
        }
    }

    /// The axes, in order.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The number of points. Eq. (1).
    pub fn points(&self) -> u64 {
        self.points
    }

    /// The value of each axis at a point, as text. Eq. (2).
    pub fn values(&self, point: u64) -> Vec<String> {
        let places = self.places(point);
        let of = |(axis, place): (&Axis, u64)| axis.value(place).into_owned();
        self.axes.iter().zip(places).map(of).collect()
    }

    /// For each axis, or all random axes together: its indices, and at most `most` points along it,
    /// from the first to the last value, with the first value of the others.
    pub(crate) fn samples(&self, most: u64) -> Vec<(&[usize], Vec<u64>)> {
        let mut weight = 1;
        let mut found = Vec::new();
        for (together, count) in self.steps.iter().rev() {
            let tried = (*count).min(most);
            let place = |k: u64| if tried < 2 { 0 } else { k * (count - 1) / (tried - 1) };
            found.push((&together[..], (0..tried).map(|k| place(k) * weight).collect()));
            weight *= count;
        }
        found.reverse();
        found
    }

    /// The index of the value of each axis at a point, from 0 on.
    pub fn places(&self, point: u64) -> Vec<u64> {
        assert!(point < self.points, "point {point} of {}", self.points);
        let mut places = vec![0; self.axes.len()];
        let mut rest = point;
        for (together, count) in self.steps.iter().rev() {
            for axis in together {
                places[*axis] = rest % count;
            }
            rest /= count;
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(axes: &[&str]) -> Result<Grid, String> {
        Grid::new(axes.iter().map(|text| Axis::parse(text, 5).expect(text)).collect())
    }

    /// Claim, by hand: with axes of 2 and 3 values the last axis varies fastest.
    #[test]
    fn points_are_numbered_by_hand() {
        let grid = grid(&["a=1,2", "b=x,y,z"]).unwrap();
        let all: Vec<String> = (0..grid.points()).map(|p| grid.values(p).join("")).collect();
        assert_eq!(all, ["1x", "1y", "1z", "2x", "2y", "2z"]);
        assert_eq!(Grid::new(Vec::new()).unwrap().points(), 1);
        assert!(Grid::new(Vec::new()).unwrap().values(0).is_empty());
    }

    /// Claim, by hand: samples go along one axis each, with both ends.
    #[test]
    fn samples_go_along_one_axis() {
        let grid = grid(&["a=1,2", "b=1..9/9"]).unwrap();
        let found = grid.samples(3);
        assert_eq!(found, [(&[0][..], vec![0, 9]), (&[1][..], vec![0, 4, 8])]);
        assert_eq!(grid.samples(1)[1].1, [0]);
    }

    /// Claim: random axes advance together and are crossed with the others; the k-th point along
    /// them takes the k-th draw of each.
    #[test]
    fn random_axes_go_together() {
        let grid = grid(&["a=random 0.0..1.0/4", "b=p,q", "c=random 1..1000/4"]).unwrap();
        assert_eq!(grid.points(), 8);
        for point in 0..8 {
            let places = grid.places(point);
            assert_eq!(places, [point / 2, point % 2, point / 2]);
        }
        let drawn = Axis::parse("a=random 0.0..1.0/4", 5).unwrap();
        assert_eq!(grid.values(6)[0], drawn.value(3));
    }

    /// Claim: a grid of a million points is accepted, and one more point is refused with the count,
    /// as are unequal numbers of draws and a repeated axis.
    #[test]
    fn a_grid_has_its_limits() {
        let million = grid(&["a=1..1000/1000", "b=1..1000/1000"]).unwrap();
        assert_eq!(million.values(999_999), ["1000", "1000"]);
        assert_eq!(million.values(1_001), ["2", "2"]);
        let more = grid(&["a=1..1000/1000", "b=1..1001/1001"]).unwrap_err();
        assert!(more.contains("1000 x 1001 = 1001000"), "{more}");
        let huge = ["a", "b", "c", "d"].map(|key| format!("{key}=1..1000000/1000000"));
        let huge = grid(&huge.each_ref().map(String::as_str)).unwrap_err();
        assert!(huge.contains("1000000 x 1000000 x"), "{huge}");
        let unequal = grid(&["a=random 1..9/3", "b=random 1..9/4"]).unwrap_err();
        assert!(unequal.contains("`b` has 4, `a` has 3"), "{unequal}");
        assert!(grid(&["a=1,2", "a=3"]).unwrap_err().contains("twice"));
    }
}
