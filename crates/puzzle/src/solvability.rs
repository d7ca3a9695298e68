//! Solvability: which states can reach the goal.
//!
//! Every move changes the parity of the arrangement and the colour of the blank's cell. So the goal
//! is reachable only if the number of swaps from the goal and the blank's distance from its goal
//! cell are both odd or both even. On trays of at least two rows and two columns this condition is
//! also sufficient (Johnson & Story 1879; Wilson 1974). On a tray of one line tiles cannot pass
//! each other.

use crate::board::Board;
use crate::goal::{Goal, State};
use crate::names::count_of;
use crate::tray::{Cell, Tray};

/// Reason why a state cannot reach the goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("unsolvable: {}", reason_message(*.parity))]
#[non_exhaustive]
pub struct Unsolvable {
    /// Whether the arrangement is an odd number of swaps from the goal, and the distance of the
    /// blank to its goal cell, whose parity differs. `None` on a tray of one line, whose tiles are
    /// in another order than in the goal.
    pub parity: Option<(bool, usize)>,
    /// The goal cells of two tiles whose swap makes the state solvable; `None` if more than one
    /// swap is needed.
    pub swap: Option<(Cell, Cell)>,
}

fn reason_message(parity: Option<(bool, usize)>) -> String {
    let Some((is_odd, blank_distance)) = parity else {
        return "on a tray of one line tiles cannot pass each other, and their order is not the \
                goal's"
            .to_owned();
    };
    let (odd, moves) = (
        if is_odd { "odd" } else { "even" },
        count_of(blank_distance, "move"),
    );
    format!(
        "the arrangement is an {odd} number of swaps from the goal, but the blank is {moves} from \
         its place, and both must be odd or both even"
    )
}

impl Unsolvable {
    /// The numbers that the goal gives to the two tiles of [`Self::swap`], the smaller first.
    #[must_use]
    pub fn swap_numbers(&self, goal: &Goal) -> Option<[u16; 2]> {
        let (a, b) = self.swap?;
        let (a, b) = (goal.number_at(a), goal.number_at(b));
        Some([a.min(b), a.max(b)])
    }

    /// One line with the reason, the named goals that the board can reach, and the swap that
    /// repairs the board. The swapped tiles are named by their numbers in the goal.
    #[must_use]
    pub fn describe(&self, goal: &Goal, board: &Board) -> String {
        let mut text = self.to_string();
        if let [first, others @ ..] = &goal.reachable_names(board)[..] {
            let form = match *first {
                "blank-last" => "1 2 3 ... 0",
                "blank-first" => "0 1 2 ...",
                "snail" => "1 2 3 ... along a spiral",
                _ => "1 2 3 ... by columns",
            };
            text += &format!("; it can be solved to {form}: goal {first}");
            others
                .iter()
                .for_each(|name| text += &format!(" or {name}"));
        }
        if let Some([a, b]) = self.swap_numbers(goal) {
            text += &format!("; swapping tiles {a} and {b} would repair it");
        }
        text
    }
}

impl State {
    /// Whether the goal can be reached. Time: O(N). The error contains two tiles whose swap makes
    /// the state solvable, unless more than one swap is needed.
    pub fn check_solvable(&self) -> Result<(), Unsolvable> {
        let tray = self.tray();
        if is_line(tray) {
            return self.check_line();
        }
        let is_odd = is_odd(self.pieces());
        let blank_distance = tray.distance(self.blank(), self.goal_blank());
        if is_odd == (blank_distance % 2 == 1) {
            return Ok(());
        }
        Err(Unsolvable {
            parity: Some((is_odd, blank_distance)),
            swap: self.repairing_swap(),
        })
    }

    /// Any swap of two tiles repairs the parity. Chooses two tiles that are on each other's goal
    /// cells, if there are such tiles, otherwise the last two tiles in the goal's order.
    fn repairing_swap(&self) -> Option<(Cell, Cell)> {
        let is_tile = |cell: Cell| cell != self.goal_blank();
        let crossed = self.tray().iter().find_map(|cell| {
            let piece = self.pieces()[cell.index()];
            let back = self.pieces()[piece.index()];
            (piece != cell && back == cell && is_tile(piece) && is_tile(cell))
                .then_some((cell, piece))
        });
        let mut last = self.tray().iter().rev().filter(|&cell| is_tile(cell));
        crossed.or_else(|| Some((last.next()?, last.next()?)))
    }

    fn check_line(&self) -> Result<(), Unsolvable> {
        let is_tile = |cell: &Cell| *cell != self.goal_blank();
        let found = self.pieces().iter().copied().filter(is_tile);
        let wanted = self.tray().iter().filter(is_tile);
        let wrong = found.zip(wanted).filter(|(found, wanted)| found != wanted);
        let wrong: Vec<Cell> = wrong.map(|(found, _)| found).collect();
        let swap = match wrong[..] {
            [] => return Ok(()),
            [a, b] => Some((a, b)),
            _ => None,
        };
        Err(Unsolvable { parity: None, swap })
    }
}

/// Whether the tray is a single row or column.
pub(crate) fn is_line(tray: Tray) -> bool {
    tray.width() == 1 || tray.height() == 1
}

/// Parity of a permutation of `0..N`, computed from its cycles.
fn is_odd(pieces: &[Cell]) -> bool {
    let mut seen = vec![false; pieces.len()];
    let mut odd = false;
    for start in 0..pieces.len() {
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            at = pieces[at].index();
            odd ^= at != start;
        }
    }
    odd
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;
    use std::collections::HashSet;

    /// Checks every arrangement of a small tray against a search from the goal.
    fn check_against_search(width: usize, height: usize, goal_blank: usize) {
        let tray = Tray::new(width, height).unwrap();
        let goal = State::goal(tray, Cell::new(goal_blank));
        let mut reached = HashSet::from([goal.clone()]);
        let mut stack = vec![goal.clone()];
        while let Some(state) = stack.pop() {
            for direction in Direction::ALL {
                let mut next = state.clone();
                if next.slide(direction) && reached.insert(next.clone()) {
                    stack.push(next);
                }
            }
        }
        let mut pieces: Vec<Cell> = tray.iter().collect();
        let mut all = 0;
        for_each_permutation(&mut pieces, 0, &mut |pieces| {
            let state = State::new(tray, Cell::new(goal_blank), pieces.to_vec()).unwrap();
            all += 1;
            let Err(reason) = state.check_solvable() else {
                assert!(reached.contains(&state), "{state:?}");
                return;
            };
            assert!(!reached.contains(&state), "{state:?}");
            if let Some((a, b)) = reason.swap {
                let swap = |&p: &Cell| {
                    if p == a {
                        b
                    } else if p == b {
                        a
                    } else {
                        p
                    }
                };
                let repaired = state.pieces().iter().map(swap).collect();
                let repaired = State::new(tray, Cell::new(goal_blank), repaired).unwrap();
                assert!(reached.contains(&repaired), "{state:?} {reason:?}");
                assert!(a != state.goal_blank() && b != state.goal_blank());
            } else {
                assert!(is_line(tray) || tray.cells() < 3);
            }
        });
        assert_eq!(all, (1..=tray.cells()).product::<usize>());
    }

    fn for_each_permutation(items: &mut [Cell], from: usize, visit: &mut impl FnMut(&[Cell])) {
        if from == items.len() {
            return visit(items);
        }
        for i in from..items.len() {
            items.swap(from, i);
            for_each_permutation(items, from + 1, visit);
            items.swap(from, i);
        }
    }

    #[test]
    fn agrees_with_search_on_every_small_tray_and_goal() {
        for (width, height) in [(2, 2), (3, 2), (2, 3), (4, 2), (1, 2), (1, 5), (6, 1)] {
            for blank in 0..width * height {
                check_against_search(width, height, blank);
            }
        }
    }

    #[test]
    fn the_fourteen_fifteen_puzzle_is_explained() {
        let tray = Tray::new(4, 4).unwrap();
        let goal = Goal::blank_last(tray);
        let board = Board::parse("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", None).unwrap();
        let reason = goal.state(&board).unwrap().check_solvable().unwrap_err();
        let text = reason.describe(&goal, &board);
        assert!(text.contains("odd number of swaps"), "{text}");
        let other = "; it can be solved to 0 1 2 ...: goal blank-first; ";
        assert!(text.contains(other), "{text}");
        assert!(
            text.ends_with("swapping tiles 14 and 15 would repair it"),
            "{text}"
        );
    }
}
