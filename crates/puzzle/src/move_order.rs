//! The order in which a search tries the blank's moves.

use std::fmt;
use std::str::FromStr;

use crate::names::printable;
use crate::tray::Direction;

/// An order of the four moves of the blank, written as letters: `ULRD`.
///
/// The order affects which of the shortest solutions a search finds, and how early its last
/// iteration finds this solution. It therefore affects the number of nodes.
///
/// ```
/// use puzzle::{Direction, Goal, HeuristicSpec, MoveOrder};
/// let order: MoveOrder = "ULRD".parse()?;
/// assert_eq!(order.directions()[0], Direction::Up);
/// let goal = Goal::blank_first("4x4".parse()?);
/// let spec = HeuristicSpec::parse("7-8", &goal)?;
/// assert_eq!(MoveOrder::new(spec.order()).unwrap().to_string(), "ULDR"); // the preset's
/// assert_eq!(spec.with_order(order).order(), order.directions());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveOrder([Direction; 4]);

/// Error: a text that is not a move order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("order `{0}` is not the letters U, D, L and R, each once, such as ULRD")]
pub struct MoveOrderError(
    /// The beginning of the text.
    pub String,
);

impl MoveOrder {
    /// The order with these directions; `None` if a direction is repeated.
    #[must_use]
    pub fn new(directions: [Direction; 4]) -> Option<MoveOrder> {
        let mut all = Direction::ALL.iter();
        let is_whole = all.all(|direction| directions.contains(direction));
        is_whole.then_some(MoveOrder(directions))
    }

    /// The directions of the blank, in the order in which they are tried.
    pub fn directions(self) -> [Direction; 4] {
        self.0
    }
}

impl fmt::Display for MoveOrder {
    /// The letters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|direction| direction.fmt(f))
    }
}

impl FromStr for MoveOrder {
    type Err = MoveOrderError;

    /// Reads the four letters, in either case.
    fn from_str(text: &str) -> Result<Self, MoveOrderError> {
        let letters = text.trim().chars().map(Direction::from_letter);
        let directions: Option<Vec<Direction>> = letters.take(5).collect();
        let directions = directions.and_then(|all| all.try_into().ok());
        directions
            .and_then(MoveOrder::new)
            .ok_or_else(|| MoveOrderError(printable(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_orders_are_read_as_they_are_written() {
        let mut count = 0;
        for number in 0..256 {
            let directions = [0, 2, 4, 6].map(|shift| Direction::ALL[number >> shift & 3]);
            let Some(order) = MoveOrder::new(directions) else {
                continue;
            };
            count += 1;
            assert_eq!(order.directions(), directions);
            let text = order.to_string();
            assert_eq!(text.parse(), Ok(order));
            assert_eq!(format!(" {} ", text.to_lowercase()).parse(), Ok(order));
        }
        assert_eq!(count, 24);
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in ["", "ULR", "ULRR", "ULRDU", "ULRX", "U L R D", "up"] {
            let error = text.parse::<MoveOrder>().unwrap_err();
            assert_eq!(error, MoveOrderError(text.to_owned()));
        }
        let error = "UDLL".parse::<MoveOrder>().unwrap_err().to_string();
        let expected = "order `UDLL` is not the letters U, D, L and R, each once, such as ULRD";
        assert_eq!(error, expected);
        let long = "U".repeat(1_000_000).parse::<MoveOrder>().unwrap_err();
        assert_eq!(long.0.len(), 20);
    }
}
