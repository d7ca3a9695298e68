//! Boards for comparisons: suites with known solution lengths, and random boards.

use puzzle::board_text::ListReader;
use puzzle::{Board, BoardError, Goal, Scrambler, Tray};

/// Boards of one tray with one goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardSet {
    /// Name of a suite, or `random`, or `walk-K`.
    pub name: String,
    /// The goal.
    pub goal: Goal,
    /// The boards.
    pub boards: Vec<KnownBoard>,
}

/// A board and its distance from the goal, if known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownBoard {
    /// The board.
    pub board: Board,
    /// Length of the board's shortest solutions, if known.
    pub length: Option<u32>,
}

/// A list of boards embedded in this crate.
struct Suite {
    name: &'static str,
    size: &'static str,
    goal: &'static str,
    /// Whether the number after a board is the length of its shortest solutions.
    has_lengths: bool,
    text: &'static str,
}

macro_rules! suite {
    ($name:literal, $size:literal, $goal:literal, $has_lengths:literal) => {
        Suite {
            name: $name,
            size: $size,
            goal: $goal,
            has_lengths: $has_lengths,
            text: include_str!(concat!("../suites/", $name, ".txt")),
        }
    };
}

/// The suites of data/suites in the single-tile metric. Their files state their sources.
const SUITES: [Suite; 7] = [
    suite!("korf100", "4x4", "blank-first", true),
    suite!("felner1000", "4x4", "blank-first", false),
    suite!("hardest80", "4x4", "blank-last", true),
    suite!("korf50_24", "5x5", "blank-first", true),
    suite!("deepcubea_5x5_sample", "5x5", "blank-last", true),
    suite!("deepcubea_6x6_sample", "6x6", "blank-last", false),
    suite!("deepcubea_7x7_sample", "7x7", "blank-last", false),
];

/// Error of a suite that does not exist or cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// No suite has this name.
    #[error(
        "there is no suite `{0}`: expected {names}",
        names = BoardSet::suite_names().collect::<Vec<_>>().join(", ")
    )]
    Unknown(String),
    /// A line of a suite is not a board.
    #[error("suite {name}: {source}")]
    Board {
        /// The suite.
        name: &'static str,
        /// The error of the board.
        source: BoardError,
    },
}

impl BoardSet {
    /// The names of all suites.
    pub fn suite_names() -> impl Iterator<Item = &'static str> {
        SUITES.iter().map(|suite| suite.name)
    }

    /// A suite by its name.
    ///
    /// # Errors
    /// [`SuiteError::Unknown`].
    ///
    /// ```
    /// use lab::BoardSet;
    /// let korf = BoardSet::suite("korf100")?;
    /// assert_eq!((korf.boards.len(), korf.boards[0].length), (100, Some(57)));
    /// assert_eq!(korf.goal.board().to_string(), "0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15");
    /// # Ok::<(), lab::SuiteError>(())
    /// ```
    pub fn suite(name: &str) -> Result<BoardSet, SuiteError> {
        let suite = SUITES.iter().find(|suite| suite.name == name);
        let suite = suite.ok_or_else(|| SuiteError::Unknown(name.to_owned()))?;
        let refused = |source| SuiteError::Board {
            name: suite.name,
            source,
        };
        let size: Tray = suite
            .size
            .parse()
            .map_err(BoardError::from)
            .map_err(refused)?;
        let goal = Goal::parse(suite.goal, Some(size)).map_err(refused)?;
        let mut reader = ListReader::new(Some(size), false);
        for line in suite.text.lines() {
            // The other columns contain figures from other programs, which are not always integers.
            let words = line.split_whitespace().take(size.cells() + 1);
            reader.push(&words.collect::<Vec<_>>().join(" "));
        }
        reader.finish();
        let mut boards = Vec::new();
        while let Some(listed) = reader.pop() {
            let listed = listed.parse().map_err(refused)?;
            boards.push(KnownBoard {
                board: listed.board,
                length: listed.known_length.filter(|_| suite.has_lengths),
            });
        }
        Ok(BoardSet {
            name: suite.name.to_owned(),
            goal,
            boards,
        })
    }

    /// Uniformly random solvable boards; a seed always gives the same boards.
    #[must_use]
    pub fn random(goal: Goal, number: usize, seed: u64) -> BoardSet {
        let mut scrambler = Scrambler::new(seed);
        let draw = |_| goal.board_of(&scrambler.draw(goal.tray(), goal.blank()));
        let boards = (0..number).filter_map(draw).collect();
        BoardSet::of("random", goal, boards)
    }

    /// Boards after this number of random moves from the goal. No move undoes the previous one.
    #[must_use]
    pub fn walks(goal: Goal, number: usize, moves: usize, seed: u64) -> BoardSet {
        let mut scrambler = Scrambler::new(seed);
        let walk = |_| goal.board().play(&scrambler.walk(goal.board(), moves)).ok();
        let boards = (0..number).filter_map(walk).collect();
        BoardSet::of(&format!("walk-{moves}"), goal, boards)
    }

    /// Boards without known solution lengths.
    #[must_use]
    pub fn of(name: &str, goal: Goal, boards: Vec<Board>) -> BoardSet {
        let boards = boards.into_iter().map(|board| KnownBoard {
            board,
            length: None,
        });
        BoardSet {
            name: name.to_owned(),
            goal,
            boards: boards.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_have_their_boards_and_all_are_solvable() {
        let sizes = [100, 1000, 17, 50, 20, 20, 20];
        for (suite, boards) in SUITES.iter().zip(sizes) {
            let set = BoardSet::suite(suite.name).unwrap();
            assert_eq!(set.boards.len(), boards, "{}", suite.name);
            for known in &set.boards {
                let state = set.goal.state(&known.board).unwrap();
                assert_eq!(state.check_solvable(), Ok(()));
                assert_eq!(known.length.is_some(), suite.has_lengths, "{}", suite.name);
            }
        }
        let lengths = BoardSet::suite("korf100").unwrap().boards;
        let sum: u32 = lengths.iter().filter_map(|known| known.length).sum();
        assert_eq!(sum, 5305);
    }
}
