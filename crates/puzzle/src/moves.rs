//! Moves and their notations. A move is the direction in which a *tile* slides.

use std::ops::Range;

use crate::board::Board;
use crate::name_variants;
use crate::names::{join, printable, words};
use crate::tray::{Cell, Direction};

/// The notation of a list of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Notation {
    /// Letters for the direction of the tile, with counts for repeated letters: `U2RD`.
    #[default]
    Tile,
    /// Letters for the direction of the blank, with counts for repeated letters.
    Blank,
    /// The numbers of the tiles that move, separated by spaces.
    Numbers,
}

name_variants! { "notation", Notation { Tile: "tile", Blank: "blank", Numbers: "numbers" } }

impl Notation {
    /// The likely notation of a text: tile numbers if it has digits and no letters, else letters
    /// for the direction of the tile. The result is never [`Notation::Blank`], because the
    /// letters for the direction of the blank are the same letters.
    ///
    /// ```
    /// use puzzle::Notation;
    /// assert_eq!(Notation::guess("12 8, 7, 3"), Notation::Numbers);
    /// assert_eq!(Notation::guess("U2RD"), Notation::Tile);
    /// ```
    #[must_use]
    pub fn guess(text: &str) -> Notation {
        let is_number = |c: char| c.is_ascii_digit() || is_separator(c) || is_quote(c);
        match text.contains(|c: char| c.is_ascii_digit()) && text.chars().all(is_number) {
            true => Notation::Numbers,
            false => Notation::Tile,
        }
    }
}

/// The moves that undo `moves`: reversed in order and direction. Played from the goal, the inverse
/// of a solution leads back to the board.
///
/// ```
/// use puzzle::{Board, Notation, invert_moves};
/// let board: Board = "1 2 3/4 0 6/7 5 8".parse()?;
/// let solution = board.read_moves("UL", Notation::Tile)?;
/// let solved = board.play(&solution)?;
/// assert_eq!(solved.play(&invert_moves(&solution))?, board);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn invert_moves(moves: &[Direction]) -> Vec<Direction> {
    moves.iter().rev().map(|m| m.opposite()).collect()
}

/// [`invert_moves`] for a text in any notation. No board is needed.
///
/// ```
/// use puzzle::{Notation, invert_text};
/// assert_eq!(invert_text("U2RD", Notation::Tile)?, "ULD2");
/// assert_eq!(invert_text("12, 8, 7", Notation::Numbers)?, "7 8 12");
/// # Ok::<(), puzzle::MoveError>(())
/// ```
pub fn invert_text(text: &str, notation: Notation) -> Result<String, MoveError> {
    if notation != Notation::Numbers {
        return Ok(write_letters(&invert_moves(&read_letters(text)?)));
    }
    let numbers = read_numbers(text)
        .map(|(_, number)| number)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(join(numbers.iter().rev(), " "))
}

/// Error: moves that cannot be read or played. The numbers of moves start at 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// A word that is not a move, cut to 20 characters, and the number of the move.
    #[error(
        "`{0}` at move {1} is not a move: U, D, L, R or up, down, left, right, with an optional \
         count, such as U2RD"
    )]
    Word(String, usize),
    /// A word that is not a number, where tile numbers are expected, and the number of the move.
    #[error("`{0}` at move {1} is not a tile's number")]
    Number(String, usize),
    /// A numbered tile that is not adjacent to the blank, and the number of the move.
    #[error("tile {0} at move {1} is not next to the blank")]
    NotNeighbouring(u32, usize),
    /// A direction in which no tile can slide, because the blank is at the edge; the number of the
    /// move, and the count of the move's letter, if it has one.
    #[error("no tile can go {0} at move {1}: the blank is at the frame{note}", note = count_note(*.2))]
    Frame(Direction, usize, Option<usize>),
    /// The number of a move with a count beyond the maximum number of moves.
    #[error("the count at move {0} is too large")]
    Count(usize),
}

/// The part of a message that says what the number after a letter is; empty without a number.
fn count_note(count: Option<usize>) -> String {
    let note = |count| format!(" (the number {count} after the letter is a count of moves)");
    count.map_or_else(String::new, note)
}

/// The first unreadable or impossible move of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveFault {
    /// The reason.
    pub error: MoveError,
    /// Range of the move in the text, in bytes, including the move's count.
    pub span: Range<usize>,
    /// The board before the move.
    pub board: Board,
}

/// A slide of one tile by one cell.
pub(crate) struct Slide {
    direction: Direction,
    pub(crate) number: u16,
    pub(crate) from: Cell,
    pub(crate) to: Cell,
}

/// Slides in order, and the board after them.
type Slides = (Vec<Slide>, Board);

/// Maximum number of moves in a text: far more than in any optimal solution, and few enough to fit
/// in memory.
const MAX_MOVES: usize = 1_000_000;

impl Board {
    /// The board after `moves`.
    ///
    /// # Errors
    /// [`MoveError::Frame`] at the first move that no tile can make.
    pub fn play(&self, moves: &[Direction]) -> Result<Board, MoveError> {
        self.slides(moves).map(|(_, board)| board)
    }

    /// Like [`Self::play`], but also returns the tiles that move.
    pub(crate) fn slides(&self, moves: &[Direction]) -> Result<Slides, MoveError> {
        let mut steps = moves
            .iter()
            .map(|&tile| (0..0, Ok(Step::Slide(tile, None))));
        self.replay(&mut steps).map_err(|fault| fault.error)
    }

    /// Writes moves that start from this board; an empty list gives an empty text.
    pub fn write_moves(
        &self,
        moves: &[Direction],
        notation: Notation,
    ) -> Result<String, MoveError> {
        let (slides, _) = self.slides(moves)?;
        Ok(match notation {
            Notation::Tile => write_letters(moves),
            Notation::Blank => {
                let moves: Vec<Direction> = moves.iter().map(|m| m.opposite()).collect();
                write_letters(&moves)
            }
            Notation::Numbers => join(slides.iter().map(|slide| slide.number), " "),
        })
    }

    /// Reads moves that start from this board: letters in either case, the words `up`, `down`,
    /// `left`, `right`, arrows, or numbers. Spaces, commas, brackets and quotation marks may
    /// separate them.
    ///
    /// ```
    /// use puzzle::{Board, Notation};
    /// let board = Board::parse("1 2 3/4 0 6/7 5 8", None)?;
    /// let moves = board.read_moves("UL", Notation::Tile)?;
    /// assert_eq!(board.play(&moves)?.to_string(), "1 2 3/4 5 6/7 8 0");
    /// assert_eq!(board.write_moves(&moves, Notation::Numbers)?, "5 8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_moves(&self, text: &str, notation: Notation) -> Result<Vec<Direction>, MoveError> {
        let read = self.trace_moves(text, notation);
        read.map(|(moves, _)| moves).map_err(|fault| fault.error)
    }

    /// Like [`Self::read_moves`], but also returns the board after the moves.
    ///
    /// ```
    /// use puzzle::{Board, Notation};
    /// let board = Board::parse("1 2 3/4 0 6/7 5 8", None)?;
    /// let fault = board.trace_moves("U, D3", Notation::Tile).unwrap_err();
    /// assert_eq!(fault.span, 3..5);
    /// assert_eq!(fault.board.to_string(), "1 0 3/4 2 6/7 5 8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first unreadable or impossible move.
    pub fn trace_moves(
        &self,
        text: &str,
        notation: Notation,
    ) -> Result<(Vec<Direction>, Board), Box<MoveFault>> {
        let played = match notation {
            Notation::Numbers => self.replay(
                &mut read_numbers(text).map(|(span, number)| (span, number.map(Step::Number))),
            ),
            _ => self.replay(&mut letter_runs(text).flat_map(|(span, run)| {
                let repeats = run.as_ref().map_or(1, |(_, count)| count.unwrap_or(1));
                let step = run.map(|(direction, count)| match notation {
                    Notation::Blank => Step::Slide(direction.opposite(), count),
                    _ => Step::Slide(direction, count),
                });
                std::iter::repeat_n((span, step), repeats)
            })),
        };
        let moves = |slides: Vec<Slide>| slides.iter().map(|slide| slide.direction).collect();
        played.map(|(slides, board)| (moves(slides), board))
    }

    fn replay(
        &self,
        steps: &mut dyn Iterator<Item = Spanned<Step>>,
    ) -> Result<Slides, Box<MoveFault>> {
        let (mut board, mut blank) = (self.clone(), self.blank());
        let mut slides = Vec::new();
        for (span, step) in steps {
            let position = slides.len() + 1;
            let slide = |direction: Direction| {
                let from = board.tray().step(blank, direction.opposite())?;
                Some(Slide {
                    direction,
                    number: board.numbers()[from.index()],
                    from,
                    to: blank,
                })
            };
            let found = step.and_then(|step| match step {
                Step::Slide(direction, count) => {
                    slide(direction).ok_or(MoveError::Frame(direction, position, count))
                }
                Step::Number(number) => {
                    let mut slides = Direction::ALL.into_iter().filter_map(slide);
                    let found = slides.find(|slide| u32::from(slide.number) == number);
                    found.ok_or(MoveError::NotNeighbouring(number, position))
                }
            });
            match found {
                Ok(slide) => {
                    board.swap(slide.from, blank);
                    blank = slide.from;
                    slides.push(slide);
                }
                Err(error) => return Err(Box::new(MoveFault { error, span, board })),
            }
        }
        Ok((slides, board))
    }
}

/// A range of a text, in bytes, and the result of reading it.
type Spanned<T> = (Range<usize>, Result<T, MoveError>);

/// A move as it is written.
#[derive(Clone)]
enum Step {
    /// The direction of the tile, and the count of its letter.
    Slide(Direction, Option<usize>),
    /// The number of the tile.
    Number(u32),
}

/// Whether a character separates moves.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || ",;[](){}\u{fe0f}".contains(c)
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'')
}

/// The numbers of a text.
fn read_numbers(text: &str) -> impl Iterator<Item = Spanned<u32>> {
    let words = words(text, |c| is_separator(c) || is_quote(c));
    (1..).zip(words).map(|(position, (start, word))| {
        let number = word.parse();
        let number = number.map_err(|_| MoveError::Number(printable(word), position));
        (start..start + word.len(), number)
    })
}

/// The direction of a word or an arrow.
fn word_direction(word: &str) -> Option<Direction> {
    let names = [
        ("up", "↑⬆⇑"),
        ("down", "↓⬇⇓"),
        ("left", "←⬅⇐"),
        ("right", "→➡⇒"),
    ];
    let mut names = Direction::ALL.into_iter().zip(names);
    let is = |name: &str, arrows: &str| word.eq_ignore_ascii_case(name) || arrows.contains(word);
    names.find_map(|(direction, (name, arrows))| is(name, arrows).then_some(direction))
}

/// The letters, words and arrows of a text, each with its count if it has one. Callers stop at the
/// first error.
fn letter_runs(text: &str) -> impl Iterator<Item = Spanned<(Direction, Option<usize>)>> {
    let mut at = 0;
    let mut moves = 0_usize;
    // The end of the letters that are known to be moves, and the quotation mark that is open.
    let (mut known, mut quote) = (0, None);
    std::iter::from_fn(move || {
        let sign = loop {
            let sign = text[at..].chars().next()?;
            let is_mark = is_quote(sign) && (quote == Some(sign) || starts_word(text, at));
            if !is_separator(sign) && !is_mark {
                break sign;
            }
            if is_mark {
                quote = (quote != Some(sign)).then_some(sign);
            }
            at += sign.len_utf8();
        };
        let (start, rest) = (at, &text[at..]);
        let mut length = sign.len_utf8();
        let mut direction = Direction::from_letter(sign);
        if start >= known {
            let is_end = |c: char| !c.is_alphabetic();
            let word = &rest[..rest.find(is_end).unwrap_or(rest.len()).max(length)];
            if let Some(whole) = word_direction(word) {
                (direction, length) = (Some(whole), word.len());
            } else if word.chars().all(|c| Direction::from_letter(c).is_some()) {
                known = start + word.len();
            } else {
                direction = None;
            }
        }
        let position = moves + 1;
        let Some(direction) = direction else {
            let end = rest.find(is_separator).unwrap_or(rest.len());
            let error = MoveError::Word(printable(&rest[..end]), position);
            return Some((start..start + end, Err(error)));
        };
        at += length;
        // A count can follow after spaces.
        let after = text[at..].trim_start_matches(is_separator);
        let digits = after
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(after.len());
        let count = (digits > 0).then(|| after[..digits].parse().unwrap_or(usize::MAX));
        if digits > 0 {
            at = text.len() - after.len() + digits;
        }
        moves = moves.saturating_add(count.unwrap_or(1));
        let run = match moves > MAX_MOVES {
            true => Err(MoveError::Count(position)),
            false => Ok((direction, count)),
        };
        Some((start..at, run))
    })
}

/// Whether the character before this place separates words.
fn starts_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(is_separator)
}

/// Writes moves as letters, with counts for repeated letters: `U2RD`.
#[must_use]
pub fn write_letters(moves: &[Direction]) -> String {
    let mut text = String::new();
    for run in moves.chunk_by(|a, b| a == b) {
        text.push(run[0].letter());
        if run.len() > 1 {
            text += &run.len().to_string();
        }
    }
    text
}

/// Reads moves as letters: directions of the tiles or of the blank. No board is needed.
///
/// ```
/// use puzzle::{read_letters, write_letters};
/// assert_eq!(write_letters(&read_letters("u u R d")?), "U2RD");
/// # Ok::<(), puzzle::MoveError>(())
/// ```
pub fn read_letters(text: &str) -> Result<Vec<Direction>, MoveError> {
    let mut moves = Vec::new();
    for (_, run) in letter_runs(text) {
        let (direction, count) = run?;
        moves.extend(std::iter::repeat_n(direction, count.unwrap_or(1)));
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors_name_the_position_of_the_move() {
        let board = Board::parse("1 2 3/4 5 6/7 8 0", None).unwrap();
        let read = |text, notation| board.read_moves(text, notation).unwrap_err().to_string();
        assert!(read("DXR", Notation::Tile).contains("`DXR` at move 1"));
        assert!(read("down, lift", Notation::Tile).contains("`lift` at move 2"));
        let count = read("R3 D4", Notation::Tile);
        assert!(
            count.ends_with("(the number 3 after the letter is a count of moves)"),
            "{count}"
        );
        assert!(read("U", Notation::Tile).contains("no tile can go U at move 1"));
        assert!(read("D'", Notation::Tile).contains("`'` at move 2"));
        assert!(read("2U", Notation::Tile).contains("`2U` at move 1"));
        assert!(read("6 1", Notation::Numbers).contains("tile 1 at move 2"));
        let message = "`U` at move 2 is not a tile's number";
        assert_eq!(read("6 U", Notation::Numbers), message);
        assert!(read("R9999999999999999999999", Notation::Tile).contains("too large"));
    }

    #[test]
    fn faults_have_their_place_in_the_text_and_the_board_before_them() {
        let board = Board::parse("1 2 3/4 5 6/7 8 0", None).unwrap();
        for (text, notation, sign, before) in [
            (
                "d, R\u{2003}D 4 X",
                Notation::Tile,
                "D 4",
                "1 0 3/4 2 5/7 8 6",
            ),
            ("D, X3", Notation::Tile, "X3", "1 2 3/4 5 0/7 8 6"),
            ("l l r9", Notation::Blank, "r9", "1 2 3/4 5 6/7 8 0"),
            (
                "8\u{a0}7,, 12 1",
                Notation::Numbers,
                "12",
                "1 2 3/4 5 6/0 7 8",
            ),
            ("6 é", Notation::Numbers, "é", "1 2 3/4 5 0/7 8 6"),
        ] {
            let fault = board.trace_moves(text, notation).unwrap_err();
            assert_eq!(&text[fault.span], sign, "{text}");
            assert_eq!(fault.board.to_string(), before, "{text}");
        }
    }

    #[test]
    fn moves_are_read_in_all_usual_forms() {
        let board = Board::parse("1 2 3/4 5 6/7 8 0", None).unwrap();
        let moves = board.read_moves("D2RURD", Notation::Tile).unwrap();
        for text in [
            "DDRURD",
            " d2 r u r d\n",
            "D D,R,U,R,D",
            "D 2 R\nU\tRD",
            "down, down, right, up, right, down",
            "Down2 Right UP r d",
            "['D', 'D', 'R', 'U', 'R', 'D']",
            "[\"D\",\"D\",\"R\",\"U\",\"R\",\"D\"]",
            "↓↓→↑→↓",
            "⬇\u{fe0f}2 ➡ ⬆ ➡ ⬇",
        ] {
            assert_eq!(Notation::guess(text), Notation::Tile);
            assert_eq!(
                board.read_moves(text, Notation::Tile).unwrap(),
                moves,
                "{text}"
            );
        }
        for text in ["6 3 2 5 4 1", "6,3,2,5,4,1,", " 6  3\n2 5\t4 1"] {
            assert_eq!(Notation::guess(text), Notation::Numbers);
            assert_eq!(
                board.read_moves(text, Notation::Numbers).unwrap(),
                moves,
                "{text}"
            );
        }
        for text in ["", " , ", "U", "3x", "?"] {
            assert_eq!(Notation::guess(text), Notation::Tile, "{text}");
        }
        assert_eq!(board.read_moves("", Notation::Numbers), Ok(Vec::new()));
    }

    proptest! {
        #[test]
        fn every_notation_reads_back(steps in proptest::collection::vec(0_usize..4, 0..60)) {
            let board = Board::parse("1 2 3 4/5 6 7 8/9 10 11 0", None).unwrap();
            let mut moves = Vec::new();
            let mut now = board.clone();
            for step in steps {
                let direction = Direction::ALL[step];
                if let Ok(next) = now.play(&[direction]) {
                    moves.push(direction);
                    now = next;
                }
            }
            for notation in [Notation::Tile, Notation::Blank, Notation::Numbers] {
                let text = board.write_moves(&moves, notation).unwrap();
                prop_assert_eq!(&board.read_moves(&text, notation).unwrap(), &moves);
            }
            let back = invert_moves(&moves);
            prop_assert_eq!(now.play(&back), Ok(board));
            prop_assert_eq!(invert_moves(&back), moves);
        }
    }
}
