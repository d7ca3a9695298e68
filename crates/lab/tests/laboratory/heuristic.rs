//! Tests of the heuristics. A value must not exceed the true distance. A value that is updated move
//! by move must equal the value computed from scratch. Heuristics without pattern databases must
//! also have the values of a simple implementation.

use std::collections::{HashMap, VecDeque};

use crate::common::Space;
use lab::heuristic::WalkingDistance;
use lab::{AnyHeuristic, HeuristicChoice, HeuristicFactory, Position};
use puzzle::{Board, Cell, Goal, Scrambler, State, Tray};
use rustc_hash::FxBuildHasher;

use crate::IS_LONG;

/// Asserts that a heuristic is admissible and 0 at the goal, that its values along moves equal
/// those computed from scratch, and that it is consistent if it claims so. Returns the values, and
/// the number of pairs of neighbouring boards whose values differ by more than 1.
fn check(space: &Space, heuristic: &dyn AnyHeuristic) -> (Vec<u32>, usize) {
    let name = format!("{} for {}", heuristic.name(), space.goal.board());
    let mut values = Vec::new();
    let mut followed = Vec::new();
    let mut before = heuristic.carry_any(&space.position(0));
    let mut after = heuristic.carry_any(&space.position(0));
    for id in 0..space.len() {
        let mut position = space.position(id);
        heuristic.carry_into(&mut before, &position);
        values.push(heuristic.value_any(&before));
        for (next, cell) in space.neighbours(id) {
            let slide = position.slide(cell);
            let value = heuristic.follow_any(&before, &mut after, &position, slide);
            assert_eq!(heuristic.value_any(&after), value);
            followed.push((id, next, value));
            position.slide(slide.to);
        }
    }
    assert_eq!(values[0], 0, "{name} at the goal");
    for (id, &value) in values.iter().enumerate() {
        let distance = space.distance(id);
        assert!(
            value <= distance,
            "{name}: {value} for {}, which takes {distance}",
            space.board(id)
        );
    }
    let mut steep = 0;
    for (id, next, value) in followed {
        assert_eq!(
            value,
            values[next],
            "{name}: from {} to {}",
            space.board(id),
            space.board(next)
        );
        steep += usize::from(values[id].abs_diff(value) > 1);
    }
    if heuristic.is_consistent() {
        assert_eq!(steep, 0, "{name}: steep edges");
    }
    check_long_walk(space, heuristic, &values);
    (values, steep)
}

/// Checks the values that a heuristic updates move by move, along a random walk of 5000 moves.
fn check_long_walk(space: &Space, heuristic: &dyn AnyHeuristic, values: &[u32]) {
    let (mut id, mut random) = (space.len() - 1, 1_u64);
    let mut position = space.position(id);
    let mut before = heuristic.carry_any(&position);
    let mut after = heuristic.carry_any(&space.position(0));
    for _ in 0..5000 {
        let neighbours: Vec<(usize, u8)> = space.neighbours(id).collect();
        random = random.wrapping_mul(6_364_136_223_846_793_005) + 1;
        let (next, cell) = neighbours[(random >> 33) as usize % neighbours.len()];
        let slide = position.slide(cell);
        let value = heuristic.follow_any(&before, &mut after, &position, slide);
        assert_eq!(value, values[next], "{}", heuristic.name());
        std::mem::swap(&mut before, &mut after);
        id = next;
    }
    assert_eq!(heuristic.estimate(&position), values[id]);
}

/// Checks each heuristic that has no pattern database, and compares its values with those of
/// [`Definitions`].
fn check_plain(space: &Space, factory: &HeuristicFactory) {
    let own = Definitions::new(space);
    for name in HeuristicChoice::plain_names() {
        let (values, _) = check(space, &*space.heuristic(factory, name));
        for (id, value) in values.into_iter().enumerate() {
            let expected = own.value(name, &space.pieces(id));
            assert_eq!(value, expected, "{name} of {}", space.board(id));
        }
    }
}

/// Walking distances in one direction. The keys are those of [`walk_key`].
type Walks = HashMap<u128, u32, FxBuildHasher>;

/// A simple implementation of each heuristic that has no pattern database.
struct Definitions {
    width: usize,
    height: usize,
    blank: usize,
    /// Walking distances for vertical moves (lines are rows), then for horizontal moves (lines are
    /// columns).
    walks: [Walks; 2],
}

impl Definitions {
    fn new(space: &Space) -> Self {
        let (tray, blank) = (space.goal.tray(), space.goal.blank());
        let (width, height) = (tray.width(), tray.height());
        Definitions {
            walks: [
                walk_distances(height, width, tray.row(blank)),
                walk_distances(width, height, tray.column(blank)),
            ],
            ..Definitions::without_walks(tray, blank)
        }
    }

    /// All definitions except walking distance.
    fn without_walks(tray: Tray, blank: Cell) -> Self {
        Definitions {
            width: tray.width(),
            height: tray.height(),
            blank: blank.index(),
            walks: Default::default(),
        }
    }

    fn value(&self, name: &str, pieces: &[usize]) -> u32 {
        let tiles = || (0..).zip(pieces).filter(|&(_, &tile)| tile != self.blank);
        let (column, row) = (|cell| cell % self.width, |cell| cell / self.width);
        let manhattan = || {
            let distance = |(cell, &tile): (usize, &usize)| {
                column(cell).abs_diff(column(tile)) + row(cell).abs_diff(row(tile))
            };
            tiles().map(distance).sum::<usize>()
        };
        let value = match name {
            "zero" => 0,
            "misplaced" => tiles().filter(|&(cell, &tile)| cell != tile).count(),
            "manhattan" => manhattan(),
            "linear-conflict" => {
                let in_row = |line| {
                    let own =
                        tiles().filter(|&(cell, &tile)| row(cell) == line && row(tile) == line);
                    fewest_removed(&own.map(|(_, &tile)| column(tile)).collect::<Vec<_>>())
                };
                let in_column = |line| {
                    let own = tiles()
                        .filter(|&(cell, &tile)| column(cell) == line && column(tile) == line);
                    fewest_removed(&own.map(|(_, &tile)| row(tile)).collect::<Vec<_>>())
                };
                let rows: usize = (0..self.height).map(in_row).sum();
                let columns: usize = (0..self.width).map(in_column).sum();
                manhattan() + 2 * (rows + columns)
            }
            "inversion-distance" => {
                let by_rows: Vec<usize> = tiles().map(|(_, &tile)| tile).collect();
                let mut by_columns: Vec<(usize, usize)> = tiles()
                    .map(|(cell, &tile)| {
                        let place = |cell| column(cell) * self.height + row(cell);
                        (place(cell), place(tile))
                    })
                    .collect();
                by_columns.sort_unstable();
                let by_columns: Vec<usize> = by_columns.into_iter().map(|(_, own)| own).collect();
                fewest_line_changes(&by_rows, self.width - 1)
                    + fewest_line_changes(&by_columns, self.height - 1)
            }
            "walking-distance" => {
                let key = |lines: usize, line: &dyn Fn(usize) -> usize| {
                    let mut counts = vec![0; lines * lines];
                    tiles().for_each(|(cell, &tile)| counts[line(cell) * lines + line(tile)] += 1);
                    let blank = pieces
                        .iter()
                        .position(|&piece| piece == self.blank)
                        .unwrap();
                    walk_key(&counts, line(blank))
                };
                let rows = self.walks[0][&key(self.height, &row)];
                let columns = self.walks[1][&key(self.width, &column)];
                return rows + columns;
            }
            _ => panic!("{name} is not defined here"),
        };
        value as u32
    }
}

/// The minimum number of elements to remove so that a sequence increases. It is computed from the
/// length of the longest increasing subsequence that ends at each element.
fn fewest_removed(sequence: &[usize]) -> usize {
    let mut longest: Vec<usize> = Vec::new();
    for (at, element) in sequence.iter().enumerate() {
        let before = (0..at).filter(|&other| sequence[other] < *element);
        let before = before.map(|other| longest[other]).max();
        longest.push(before.unwrap_or(0) + 1);
    }
    sequence.len() - longest.into_iter().max().unwrap_or(0)
}

/// The minimum number of moves that can remove all inversions of `order`. An inversion is a pair in
/// the wrong order. Each move takes one tile past `passed` other tiles.
fn fewest_line_changes(order: &[usize], passed: usize) -> usize {
    let behind = |at: usize| {
        order[at..]
            .iter()
            .filter(|&&other| other < order[at])
            .count()
    };
    let pairs: usize = (0..order.len()).map(behind).sum();
    // `moves` moves can remove `moves * passed` inversions, or 2, 4, 6, ... fewer.
    let suffice = |moves: &usize| pairs <= moves * passed && (moves * passed - pairs) % 2 == 0;
    match passed {
        0 => 0,
        _ => (0..).find(suffice).unwrap(),
    }
}

/// Combines the blank's line and the counts in one key. There is one count per ordered pair of
/// lines: the number of tiles that are in the first line of the pair and have their goal cells in
/// the second.
fn walk_key(counts: &[u8], blank: usize) -> u128 {
    let counts = counts.iter();
    counts.fold(blank as u128, |key, &own| key << 4 | u128::from(own))
}

/// Walking distances: for each key of [`walk_key`], the minimum number of moves to the goal's key.
/// Each move takes a tile from one line to the blank's line.
fn walk_distances(lines: usize, length: usize, blank_line: usize) -> Walks {
    let mut goal = vec![0; lines * lines];
    for line in 0..lines {
        goal[line * lines + line] = length as u8 - u8::from(line == blank_line);
    }
    let mut known = Walks::default();
    known.insert(walk_key(&goal, blank_line), 0);
    let mut queue = VecDeque::from([(goal, blank_line, 0)]);
    while let Some((counts, blank, distance)) = queue.pop_front() {
        for from in 0..lines {
            for tile in 0..lines {
                if from.abs_diff(blank) != 1 || counts[from * lines + tile] == 0 {
                    continue;
                }
                let mut after = counts.clone();
                after[from * lines + tile] -= 1;
                after[blank * lines + tile] += 1;
                known.entry(walk_key(&after, from)).or_insert_with(|| {
                    queue.push_back((after, from, distance + 1));
                    distance + 1
                });
            }
        }
    }
    known
}

/// All heuristics with tables that are checked on the 3x3.
const TABLES_OF_3X3: [&str; 12] = [
    "5-3",
    "4-4",
    "8",
    "fringe",
    "blank-compressed:5-3",
    "blank-compressed:4-4",
    "blank-compressed:8",
    "full:fringe",
    "full:8",
    "5-3+4-4",
    "manhattan+fringe",
    "walking-distance+inversion-distance",
];

fn check_3x3(goal_blank: usize) {
    let space = Space::whole(3, 3, goal_blank);
    assert_eq!(space.len(), 181_440);
    let factory = HeuristicFactory::default();
    check_plain(&space, &factory);
    for name in TABLES_OF_3X3 {
        let heuristic = space.heuristic(&factory, name);
        let (values, steep) = check(&space, &*heuristic);
        // Blank-compressed tables are inconsistent, except for a pattern of all tiles, where the
        // blank has only one region.
        let is_steep = ["blank-compressed:5-3", "blank-compressed:4-4"].contains(&name);
        assert_eq!(steep > 0, is_steep, "{name}: {steep} steep edges");
        // A pattern of eight tiles covers the whole board, so its values are the distances.
        if name.ends_with('8') {
            let mut values = (0..).zip(values);
            assert!(
                values.all(|(id, value)| value == space.distance(id)),
                "{name}"
            );
        }
    }
}

#[test]
fn every_heuristic_is_right_on_the_whole_3x3_with_its_blank_last() {
    check_3x3(8);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn every_heuristic_is_right_on_the_whole_3x3_with_its_blank_first() {
    check_3x3(0);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn every_heuristic_is_right_on_the_whole_3x3_with_its_blank_at_an_edge() {
    check_3x3(1);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn every_heuristic_is_right_on_the_whole_3x3_with_its_blank_in_the_centre() {
    check_3x3(4);
}

fn check_4x4(goal_blank: usize, depth: u8, boards: usize) {
    let space = Space::within(4, 4, goal_blank, depth);
    assert_eq!(space.len(), boards);
    let factory = HeuristicFactory::default();
    check_plain(&space, &factory);
    for name in [
        "6-6-3",
        "blank-compressed:6-6-3",
        "linear-conflict+walking-distance",
    ] {
        let (_, steep) = check(&space, &*space.heuristic(&factory, name));
        let is_steep = name.starts_with("blank-compressed");
        assert_eq!(steep > 0, is_steep, "{name}: {steep} steep edges");
    }
}

#[test]
fn every_heuristic_is_right_near_the_goal_of_the_4x4_with_its_blank_last() {
    match IS_LONG {
        true => check_4x4(15, 16, 241_707),
        false => check_4x4(15, 14, 61_865),
    }
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn every_heuristic_is_right_near_the_goal_of_the_4x4_with_its_blank_first() {
    check_4x4(0, 16, 241_707);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn every_heuristic_is_right_near_the_goal_of_the_4x4_with_its_blank_at_an_edge() {
    check_4x4(1, 16, 302_413);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn every_heuristic_is_right_near_the_goal_of_the_4x4_with_its_blank_inside() {
    check_4x4(5, 16, 375_108);
}

#[test]
fn every_heuristic_without_tables_is_right_on_small_trays() {
    let factory = HeuristicFactory::default();
    let trays = [
        (1, 2),
        (2, 1),
        (2, 2),
        (2, 3),
        (3, 2),
        (1, 5),
        (5, 1),
        (2, 4),
        (4, 2),
    ];
    let boards = [2, 2, 12, 360, 360, 5, 5, 20_160, 20_160];
    for ((width, height), boards) in trays.into_iter().zip(boards) {
        for goal_blank in 0..width * height {
            let space = Space::whole(width, height, goal_blank);
            assert_eq!(space.len(), boards, "{width}x{height}");
            check_plain(&space, &factory);
        }
    }
}

#[test]
fn every_heuristic_without_tables_is_right_near_the_goal_of_oblong_trays() {
    let factory = HeuristicFactory::default();
    let trays = [
        (5, 2, 18),
        (2, 5, 18),
        (4, 3, 15),
        (3, 4, 15),
        (5, 3, 13),
        (3, 5, 13),
    ];
    for (width, height, depth) in trays {
        let blanks = [width * height - 1, 1].into_iter();
        for goal_blank in blanks.take(if IS_LONG { 2 } else { 1 }) {
            check_plain(&Space::within(width, height, goal_blank, depth), &factory);
        }
    }
}

/// Checks heuristics along random walks from the goal.
fn check_walks(tray: Tray, goal_blank: usize, names: &[&str], walks: usize, length: usize) {
    let (goal, factory) = (
        Goal::with_blank(tray, Cell::new(goal_blank)),
        HeuristicFactory::default(),
    );
    let home = Position::new(&State::goal(tray, goal.blank())).unwrap();
    let own = Definitions::without_walks(tray, goal.blank());
    let walks = if IS_LONG { walks } else { walks.div_ceil(3) };
    for name in names {
        let choice: HeuristicChoice = name.parse().unwrap();
        let heuristic = factory.heuristic(&choice, &goal).unwrap();
        assert!(heuristic.is_consistent());
        let mut scrambler = Scrambler::new(11);
        for _ in 0..walks {
            let mut position = home.clone();
            let mut before = heuristic.carry_any(&home);
            let mut after = heuristic.carry_any(&home);
            assert_eq!(heuristic.value_any(&before), 0);
            for (moves, tile) in (1..).zip(scrambler.walk(goal.board(), length)) {
                let blank = Cell::new(position.blank().into());
                let from = tray.step(blank, tile.opposite()).unwrap();
                let slide = position.slide(from.index() as u8);
                let value = heuristic.follow_any(&before, &mut after, &position, slide);
                assert_eq!(value, heuristic.estimate(&position), "{name} on {tray}");
                assert!(
                    value <= moves,
                    "{name} on {tray}: {value} after {moves} moves"
                );
                assert!(value.abs_diff(heuristic.value_any(&before)) <= 1);
                if *name != "walking-distance" {
                    let pieces = position.pieces().iter().map(|&piece| piece.into());
                    let pieces: Vec<usize> = pieces.collect();
                    assert_eq!(value, own.value(name, &pieces), "{name} on {tray}");
                }
                std::mem::swap(&mut before, &mut after);
            }
        }
    }
}

const WITHOUT_MEMORY: [&str; 5] = [
    "zero",
    "misplaced",
    "manhattan",
    "linear-conflict",
    "inversion-distance",
];

#[test]
fn heuristics_of_larger_trays_are_right_along_random_walks() {
    let tray = |width, height| Tray::new(width, height).unwrap();
    for goal_blank in [24, 0, 2, 12] {
        check_walks(tray(5, 5), goal_blank, &WITHOUT_MEMORY, 40, 300);
    }
    check_walks(tray(6, 4), 23, &WITHOUT_MEMORY, 20, 300);
    check_walks(tray(7, 9), 30, &WITHOUT_MEMORY, 5, 1000);
    check_walks(tray(16, 16), 255, &WITHOUT_MEMORY, 2, 2000);
    check_walks(tray(5, 4), 19, &["walking-distance"], 100, 200);
}

/// Lines of more than 16 cells have separate code.
#[test]
fn linear_conflict_is_right_on_lines_of_17_cells_in_any_order() {
    for (width, height) in [(17, 2), (2, 17)] {
        let tray = Tray::new(width, height).unwrap();
        let own = Definitions::without_walks(tray, tray.last());
        let goal = Goal::blank_last(tray);
        let factory = HeuristicFactory::default();
        let choice = "linear-conflict".parse().unwrap();
        let heuristic = factory.heuristic(&choice, &goal).unwrap();
        for factor in 1..17 {
            // Each long line contains the pieces whose goal cells are in it, in an order that
            // depends on `factor`.
            let pieces = tray.iter().map(|cell| match width {
                17 => tray.cell(tray.column(cell) * factor % 17, tray.row(cell)),
                _ => tray.cell(tray.column(cell), tray.row(cell) * factor % 17),
            });
            let state = State::new(tray, goal.blank(), pieces.collect()).unwrap();
            let mut position = Position::new(&state).unwrap();
            let mut before = heuristic.carry_any(&position);
            let mut after = heuristic.carry_any(&position);
            let board = goal.board_of(&state).unwrap();
            for tile in Scrambler::new(5).walk(&board, 2) {
                let blank = Cell::new(position.blank().into());
                let from = tray.step(blank, tile.opposite()).unwrap();
                let slide = position.slide(from.index() as u8);
                let value = heuristic.follow_any(&before, &mut after, &position, slide);
                let pieces = position.pieces().iter().map(|&piece| piece.into());
                let pieces: Vec<usize> = pieces.collect();
                assert_eq!(value, own.value("linear-conflict", &pieces), "{board}");
                assert_eq!(value, heuristic.estimate(&position));
                std::mem::swap(&mut before, &mut after);
            }
        }
    }
}

fn value(name: &str, board: &str) -> u32 {
    let board = Board::parse(board, None).unwrap();
    let goal = Goal::blank_last(board.tray());
    let position = Position::new(&goal.state(&board).unwrap()).unwrap();
    let choice = name.parse().unwrap();
    let heuristic = HeuristicFactory::default().heuristic(&choice, &goal);
    heuristic.unwrap().estimate(&position)
}

#[test]
fn linear_conflict_does_not_count_pairs() {
    let text = "1 2 11 3/5 6 15 4/9 10 7 0/13 14 12 8";
    let board = Board::parse(text, None).unwrap();
    let space = Space::within(4, 4, 15, 13);
    let id = (0..space.len()).rev().find(|&id| space.board(id) == board);
    assert_eq!(space.distance(id.unwrap()), 13);
    // A count of all conflicting pairs would yield 15.
    assert_eq!(value("linear-conflict", text), 13);
}

#[test]
fn known_values_are_found() {
    let farthest = "8 6 7/2 5 4/3 0 1"; // 31 moves
    assert_eq!(value("zero", farthest), 0);
    assert_eq!(value("misplaced", farthest), 7);
    assert_eq!(value("manhattan", farthest), 21);
    assert_eq!(value("8", farthest), 31);
}

#[test]
fn walking_distance_of_the_4x4_has_24964_entries_in_each_direction() {
    let tray = Tray::new(4, 4).unwrap();
    for goal_blank in [15, 0, 1, 5] {
        let walking = WalkingDistance::new(tray, Cell::new(goal_blank)).unwrap();
        assert_eq!(walking.entries(), 2 * 24_964);
        // All states are reachable.
        assert_eq!(walk_distances(4, 4, goal_blank / 4).len(), 24_964);
    }
}

#[test]
fn manhattan_has_its_known_mean_over_the_3x3() {
    // For each pair of a tile and a cell, the tile is on the cell in 8!/2 solvable arrangements.
    // `distances` is the sum of the Manhattan distances of all pairs. The sum over all solvable
    // arrangements is therefore 8!/2 times `distances`.
    for (goal_blank, distances) in [(8, 126), (1, 129), (4, 132)] {
        let space = Space::whole(3, 3, goal_blank);
        let heuristic = space.heuristic(&HeuristicFactory::default(), "manhattan");
        let values = (0..space.len()).map(|id| heuristic.estimate(&space.position(id)));
        assert_eq!(values.sum::<u32>(), distances * 20_160);
    }
}

#[test]
fn better_heuristics_never_have_smaller_values() {
    let pairs = [
        ("zero", "misplaced"),
        ("misplaced", "manhattan"),
        ("manhattan", "linear-conflict"),
        ("manhattan", "5-3"),
        ("manhattan", "4-4"),
        ("blank-compressed:5-3", "5-3"),
        ("manhattan", "blank-compressed:5-3"),
        ("5-3", "5-3+4-4"),
        ("4-4", "5-3+4-4"),
        ("5-3+4-4", "8"),
    ];
    let factory = HeuristicFactory::default();
    for goal_blank in [8, 4].into_iter().take(if IS_LONG { 2 } else { 1 }) {
        let space = Space::whole(3, 3, goal_blank);
        let [lower, upper] = [pairs.map(|pair| pair.0), pairs.map(|pair| pair.1)]
            .map(|names| names.map(|name| space.heuristic(&factory, name)));
        let mut is_more = [false; 10];
        for id in 0..space.len() {
            let position = space.position(id);
            for (at, (lower, upper)) in lower.iter().zip(&upper).enumerate() {
                let values = (lower.estimate(&position), upper.estimate(&position));
                assert!(values.0 <= values.1, "{:?}: {}", pairs[at], space.board(id));
                is_more[at] |= values.0 < values.1;
            }
        }
        // In each pair, the better heuristic has a larger value on at least one board.
        assert_eq!(is_more, [true; 10]);
    }
}

#[test]
fn choices_are_written_as_they_are_read() {
    for text in [
        "zero",
        "manhattan+linear-conflict",
        "misplaced+6-6-3+fringe+inversion-distance",
        "blank-compressed:5-3+blank-compressed:fringe+walking-distance+7-8",
    ] {
        let choice: HeuristicChoice = text.parse().unwrap();
        assert_eq!(choice.to_string(), text);
    }
}

#[test]
fn a_factory_lists_its_tables() {
    let factory = HeuristicFactory::default();
    let choice = "8".parse().unwrap();
    let goal = Goal::blank_last("3x3".parse().unwrap());
    factory.heuristic(&choice, &goal).unwrap();
    let text = format!("{factory:?}");
    assert!(
        text.starts_with("HeuristicFactory") && text.contains("TableId"),
        "{text}"
    );
}

#[test]
fn cheap_heuristics_are_created_quickly() {
    let plain = [
        "zero",
        "misplaced",
        "manhattan",
        "linear-conflict",
        "inversion-distance",
    ];
    for (size, more) in [
        ("2x2", &["walking-distance", "3"][..]),
        ("3x3", &["walking-distance", "fringe", "5-3", "8"]),
        ("4x4", &["walking-distance", "6-6-3"]),
        ("5x4", &["walking-distance"]),
        ("5x5", &[]),
        ("8x2", &["6-6-3"]),
    ] {
        let names = HeuristicChoice::names_at_hand(size.parse().unwrap());
        assert_eq!(names, [&plain, more].concat(), "{size}");
    }
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn all_available_heuristics_can_be_created() {
    // This test leaves out pattern databases and trays of up to 5x5, because their tables take too
    // long to build.
    let sizes = (1..=20).flat_map(|width| (1..=20).map(move |height| (width, height)));
    for (width, height) in sizes.filter(|(width, height)| width.max(height) > &5) {
        let Ok(tray) = Tray::new(width, height) else {
            continue;
        };
        let names = HeuristicChoice::names_at_hand(tray);
        for name in names
            .iter()
            .filter(|name| HeuristicChoice::plain_names().any(|own| own == **name))
        {
            let goal = Goal::blank_last(tray);
            let made = HeuristicFactory::default().heuristic(&name.parse().unwrap(), &goal);
            assert!(made.is_ok(), "{name} on {tray}: {:?}", made.err());
        }
    }
}
