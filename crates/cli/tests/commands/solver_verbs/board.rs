//! Independent implementation of boards, moves and searches, without code of the program.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Index;

/// Directions of tiles.
pub(crate) const WAYS: [char; 4] = ['U', 'D', 'L', 'R'];

/// The opposite direction; other characters stay the same.
pub(crate) fn opposite(letter: char) -> char {
    match letter {
        'U' => 'D',
        'D' => 'U',
        'L' => 'R',
        'R' => 'L',
        other => other,
    }
}

/// Numbers in reading order, 0 for the blank.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Board {
    pub(crate) width: usize,
    pub(crate) numbers: Vec<u16>,
}

impl Board {
    pub(crate) fn read(rows: &str) -> Board {
        let width = rows.split('/').next().unwrap().split_whitespace().count();
        let words = rows.split(|c: char| c == '/' || c.is_whitespace());
        let words = words.filter(|word| !word.is_empty());
        let numbers = words.map(|word| word.parse().unwrap()).collect();
        Board { width, numbers }
    }

    /// 1 2 3 ... in reading order, with the blank on this cell.
    pub(crate) fn goal(width: usize, height: usize, blank: usize) -> Board {
        let mut numbers: Vec<u16> = (1..(width * height) as u16).collect();
        numbers.insert(blank, 0);
        Board { width, numbers }
    }

    pub(crate) fn rows(&self) -> String {
        let row = |row: &[u16]| row.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        self.numbers
            .chunks(self.width)
            .map(row)
            .collect::<Vec<_>>()
            .join("/")
    }

    pub(crate) fn flat(&self) -> String {
        self.rows().replace('/', " ")
    }

    pub(crate) fn cell_of(&self, number: u16) -> usize {
        self.numbers.iter().position(|&n| n == number).unwrap()
    }

    pub(crate) fn blank(&self) -> usize {
        self.cell_of(0)
    }

    /// Cell of the tile that moves in this direction.
    pub(crate) fn source(&self, tile_goes: char) -> Option<usize> {
        let (blank, width) = (self.blank(), self.width);
        match tile_goes {
            'U' => Some(blank + width).filter(|&cell| cell < self.numbers.len()),
            'D' => blank.checked_sub(width),
            'L' => Some(blank + 1).filter(|cell| cell % width != 0),
            'R' => blank.checked_sub(1).filter(|_| blank % width != 0),
            _ => panic!("{tile_goes} is no move"),
        }
    }

    pub(crate) fn moved(&self, tile_goes: char) -> Option<Board> {
        let from = self.source(tile_goes)?;
        let mut board = self.clone();
        board.numbers.swap(from, self.blank());
        Some(board)
    }

    /// Plays moves written as `U2RD`; returns the final board and the number of moves.
    pub(crate) fn play(&self, moves: &str) -> (Board, usize) {
        let mut board = self.clone();
        let mut count = 0;
        let mut rest = moves;
        while let Some(letter) = rest.chars().next() {
            rest = &rest[1..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let times = if digits == 0 {
                1
            } else {
                rest[..digits].parse().unwrap()
            };
            rest = &rest[digits..];
            for _ in 0..times {
                board = board.moved(letter).unwrap();
                count += 1;
            }
        }
        (board, count)
    }

    /// A random walk of this number of moves, none of which undoes the previous move.
    pub(crate) fn walk(&self, steps: usize, random: &mut Random) -> Board {
        let mut board = self.clone();
        let mut last = None;
        for _ in 0..steps {
            let ways = WAYS.into_iter();
            let ways = ways.filter(|&way| Some(opposite(way)) != last);
            let ways: Vec<char> = ways.filter(|&way| board.source(way).is_some()).collect();
            // On a tray of one row or column, a walk ends at the edge.
            let Some(&way) = ways.get(random.below(ways.len().max(1))) else {
                break;
            };
            board = board.moved(way).unwrap();
            last = Some(way);
        }
        board
    }

    /// Length of a shortest solution, by IDA* with Manhattan distance.
    pub(crate) fn distance_to(&self, goal: &Board) -> usize {
        fn visit(board: &mut Board, home: &[usize], came: char, left: usize) -> bool {
            let (blank, width) = (board.blank(), board.width);
            let far = |number: u16, cell: usize| {
                let home = home[usize::from(number)];
                (home % width).abs_diff(cell % width) + (home / width).abs_diff(cell / width)
            };
            let tiles = board
                .numbers
                .iter()
                .enumerate()
                .filter(|(_, number)| **number != 0);
            let estimate: usize = tiles.map(|(cell, &number)| far(number, cell)).sum();
            if estimate > left {
                return false;
            }
            if estimate == 0 && blank == home[0] {
                return left == 0;
            }
            for way in WAYS {
                if way == came {
                    continue;
                }
                if let Some(from) = board.source(way) {
                    board.numbers.swap(from, blank);
                    let found = left > 0 && visit(board, home, opposite(way), left - 1);
                    board.numbers.swap(from, blank);
                    if found {
                        return true;
                    }
                }
            }
            false
        }
        let mut home = vec![0; self.numbers.len()];
        for (cell, &number) in goal.numbers.iter().enumerate() {
            home[usize::from(number)] = cell;
        }
        let mut board = self.clone();
        (0..)
            .find(|&length| visit(&mut board, &home, ' ', length))
            .unwrap()
    }

    /// Distances of all boards that reach this one, by breadth-first search.
    pub(crate) fn all_distances(&self) -> Distances {
        let mut of_code = HashMap::default();
        of_code.insert(code(self), 0);
        let mut layer = vec![(code(self), self.blank())];
        for distance in 1.. {
            let mut next = Vec::new();
            for &(code, blank) in &layer {
                for from in neighbours(blank, self.width, self.numbers.len()) {
                    let number = code >> (BITS * from) & ((1 << BITS) - 1);
                    let moved = code ^ (number << (BITS * from)) ^ (number << (BITS * blank));
                    if let Entry::Vacant(place) = of_code.entry(moved) {
                        place.insert(distance);
                        next.push((moved, from));
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        Distances { of_code }
    }
}

/// Bits per cell in a code.
const BITS: usize = 4;

/// A board of at most 16 cells as one integer. In tests, which are compiled without optimisation,
/// the search is several times faster on integers than on boards.
fn code(board: &Board) -> u64 {
    assert!(board.numbers.len() <= 16);
    let numbers = board.numbers.iter().enumerate();
    numbers.fold(0, |code, (cell, &number)| {
        code | u64::from(number) << (BITS * cell)
    })
}

/// Cells beside a cell.
fn neighbours(cell: usize, width: usize, cells: usize) -> impl Iterator<Item = usize> {
    let left = (cell % width > 0).then(|| cell - 1);
    let right = ((cell + 1) % width > 0).then_some(cell + 1);
    let up = cell.checked_sub(width);
    let down = Some(cell + width).filter(|&below| below < cells);
    [left, right, up, down].into_iter().flatten()
}

/// Distance to the goal for every board that can reach it.
pub(crate) struct Distances {
    of_code: HashMap<u64, usize, BuildHasherDefault<CodeHasher>>,
}

impl Distances {
    pub(crate) fn contains(&self, board: &Board) -> bool {
        self.of_code.contains_key(&code(board))
    }

    pub(crate) fn largest(&self) -> usize {
        self.of_code.values().copied().max().unwrap()
    }
}

impl Index<&Board> for Distances {
    type Output = usize;

    fn index(&self, board: &Board) -> &usize {
        &self.of_code[&code(board)]
    }
}

/// Hashes codes in a few instructions.
#[derive(Default)]
pub(crate) struct CodeHasher(u64);

impl Hasher for CodeHasher {
    fn write(&mut self, _: &[u8]) {
        unreachable!("codes are integers");
    }

    fn write_u64(&mut self, code: u64) {
        self.0 = code.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

/// Random numbers, generated by SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

/// 3x3 boards reached by many walks of all lengths, one per line.
pub(crate) fn small_list(boards: usize) -> String {
    let goal = Board::goal(3, 3, 8);
    let mut random = Random(7);
    let board = |index: usize| goal.walk(index % 60, &mut random).rows() + "\n";
    (0..boards).map(board).collect()
}

pub(crate) const FAR: &str = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";
pub(crate) const FARTHEST_3X3: [&str; 2] = ["8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1"];
/// Korf's first board, for the goal with the blank first.
pub(crate) const KORF_1: &str = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";
/// A board that is too hard for any search.
pub(crate) const HARD_6X6: &str = "35 34 33 32 31 30/29 28 27 26 25 24/23 22 21 20 19 18/\
                        17 16 15 14 13 12/11 10 9 8 7 6/5 4 3 1 2 0";
/// Korf and Felner's first board, for the goal with the blank first.
pub(crate) const HARD_5X5: &str =
    "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";
