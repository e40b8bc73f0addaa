//! Credits that events make wrong: those still to be falsified at the ports of a node.
//!
//! A port is a number that the engine chooses. Events of one VC, or of one lane, are used up in the
//! order in which they were added; those of any VC after those of the VC itself.
//!
//! What the error does to a value is an answer of the scheme (`Grant::falsified`) or of the lane
//! rule (`LaneRule::falsified`).

use hopflow_network::CreditsOf;

/// Credits that will start with a wrong value. Empty where no event falsifies any.
#[derive(Debug, Default)]
pub(crate) struct FalseCredits(Vec<Named>);

#[derive(Debug)]
struct Named {
    port: u32,
    of: CreditsOf,
    error: i32,
    left: u32,
}

impl FalseCredits {
    /// The next `count` credits of a port will be wrong by `error`.
    pub(crate) fn add(&mut self, port: u32, of: CreditsOf, error: i32, count: u32) {
        self.0.push(Named { port, of, error, left: count });
    }

    /// The error of the credit of a VC that starts at a port, if it has one.
    #[inline]
    pub(crate) fn of_vc(&mut self, port: u32, vc: usize) -> Option<i32> {
        if self.0.is_empty() {
            return None;
        }
        self.take(port, CreditsOf::Vc(vc)).or_else(|| self.take(port, CreditsOf::AnyVc))
    }

    /// The error of the lane credit that starts at a port, if it has one.
    #[inline]
    pub(crate) fn of_lane(&mut self, port: u32, lane: u16) -> Option<i32> {
        if self.0.is_empty() {
            return None;
        }
        self.take(port, CreditsOf::Lane(lane))
    }

    fn take(&mut self, port: u32, of: CreditsOf) -> Option<i32> {
        let place = self.0.iter().position(|named| named.port == port && named.of == of)?;
        let named = &mut self.0[place];
        named.left -= 1;
        let (left, error) = (named.left, named.error);
        if left == 0 {
            self.0.remove(place);
        }
        Some(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: credits of a VC take the errors that name it, in order, then those of any VC; lanes
    /// and other ports have their own.
    #[test]
    fn errors_are_used_up_in_order() {
        let mut named = FalseCredits::default();
        assert_eq!(named.of_vc(0, 3), None);
        named.add(0, CreditsOf::AnyVc, 1, 2);
        named.add(0, CreditsOf::Vc(3), 2, 1);
        named.add(0, CreditsOf::Vc(3), 3, 1);
        named.add(1, CreditsOf::AnyVc, 4, 1);
        named.add(0, CreditsOf::Lane(3), 5, 1);
        assert_eq!(named.of_vc(0, 2), Some(1));
        let of_three: Vec<_> = (0..4).map(|_| named.of_vc(0, 3)).collect();
        assert_eq!(of_three, [Some(2), Some(3), Some(1), None]);
        assert_eq!([named.of_lane(0, 2), named.of_lane(0, 3)], [None, Some(5)]);
        assert_eq!([named.of_lane(0, 3), named.of_vc(1, 3)], [None, Some(4)]);
        assert!(named.0.is_empty());
    }
}
