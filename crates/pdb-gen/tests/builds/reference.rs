//! Compares every entry of small tables with a plain search that shares no code with the sweep. The
//! search has one state per placement of tiles and blank, no rows and no regions; moves of the
//! blank alone cost 0.

use std::collections::HashSet;

use pdb_gen::build;
use pdb_table::{Control, Encoding, Table};
use puzzle::{Cell, CellSet, Pattern, TableKind, Tray};

use crate::proof::Reference;

/// Compares all entries of a pattern's tables with a plain search, for every kind and encoding.
/// `tiles` are goal cells, ascending.
fn check(size: &str, tiles: &[usize], goal_blank: usize) {
    let tray: Tray = size.parse().unwrap();
    let set: CellSet = tiles.iter().map(|&tile| Cell::new(tile)).collect();
    let pattern = Pattern::new(tray, set, Cell::new(goal_blank)).unwrap();
    // Tables in the multi-tile metric are tested in runs.rs.
    for kind in TableKind::ALL
        .into_iter()
        .filter(|&k| k != TableKind::MultiTile)
    {
        for encoding in [Encoding::U8, Encoding::OneBit] {
            if !encoding.suits(kind) {
                continue;
            }
            let (id, _) = pattern.table(kind);
            let table = build(id, encoding, &Control::default())
                .unwrap()
                .into_table();
            table.check_payload().unwrap();
            pdb_gen::verify(&table, &Control::default()).unwrap();
            let mut goal: Vec<usize> = id.tiles().iter().map(Cell::index).collect();
            goal.push(id.blank().lowest().unwrap().index());
            let reference = Reference::new(tray, &goal, u8::from(kind == TableKind::FullCost));
            compare(
                &table,
                &reference,
                &format!("{size} {tiles:?} {kind} {encoding}"),
            );
        }
    }
}

fn compare(table: &Table<Vec<u8>>, reference: &Reference, name: &str) {
    let ranking = table.ranking().unwrap();
    let id = table.id();
    let k = id.tiles().len();
    let mut seen = vec![false; ranking.entries() as usize];
    let mut order = vec![0; k];
    for row in 0..ranking.rows() {
        let (shape, blanks) = ranking.row_shape(row);
        let shape: Vec<usize> = shape.iter().map(Cell::index).collect();
        for rank in 0..ranking.row_entries() as u32 {
            puzzle::unrank_permutation(rank, &mut order);
            let mut state = vec![0; k + 1];
            for (&tile, &cell) in order.iter().zip(&shape) {
                state[usize::from(tile)] = cell;
            }
            let mut expected = u8::MAX;
            for blank in blanks.iter() {
                state[k] = blank.index();
                expected = expected.min(reference.distance(&state));
                // In zero-aware tables the value is the same for all blank cells of a region. A
                // full-cost row has only one blank cell, and a blank-compressed value is the
                // minimum over the blank's cells.
                if id.kind() == TableKind::ZeroAware {
                    assert_eq!(expected, reference.distance(&state), "{name}");
                }
            }
            let entry = row * ranking.row_entries() + rank as usize;
            assert!(!std::mem::replace(&mut seen[entry], true));
            let expected = (expected != u8::MAX).then_some(expected);
            assert!(
                table.entry_matches(entry as u64, expected),
                "{name}: entry {entry} {expected:?}"
            );
        }
    }
    assert!(seen.into_iter().all(|s| s));
}

#[test]
fn tables_of_the_2x2_equal_a_plain_search() {
    for blank in 0..4 {
        for bits in 1..16_usize {
            let tiles: Vec<usize> = (0..4).filter(|&c| bits >> c & 1 == 1).collect();
            if !tiles.contains(&blank) {
                check("2x2", &tiles, blank);
            }
        }
    }
}

#[test]
fn tables_of_the_3x3_equal_a_plain_search() {
    check("3x3", &[0, 1, 2], 8);
    check("3x3", &[0, 4, 8], 1);
    check("3x3", &[1, 3, 5, 7], 4);
    check("3x3", &[0, 1, 2, 3, 6], 8);
    check("3x3", &[3, 4, 5, 6, 7], 0);
}

#[test]
fn tables_of_the_4x3_and_3x4_equal_a_plain_search() {
    check("4x3", &[1, 2, 3], 0);
    check("4x3", &[4, 5, 6, 7], 11);
    check("4x3", &[0, 1, 4, 5, 8], 6);
    check("3x4", &[1, 4, 7, 10, 11], 0);
}

#[test]
fn tables_of_the_5x2_and_2x5_equal_a_plain_search() {
    check("5x2", &[0, 1, 2, 3, 4], 9);
    check("5x2", &[1, 2, 6, 7], 0);
    check("2x5", &[0, 3, 4, 7], 1);
}

#[test]
fn tables_of_the_4x4_equal_a_plain_search() {
    check("4x4", &[13, 14, 15], 0);
    check("4x4", &[1, 4, 5], 0);
    check("4x4", &[0, 5, 10, 15], 6);
    if cfg!(feature = "long-tests") {
        check("4x4", &[1, 2, 3, 4, 5], 0);
    }
}

#[test]
fn tables_of_the_5x5_equal_a_plain_search() {
    check("5x5", &[1, 5, 6], 0);
    check("5x5", &[12, 18, 24], 3);
}

/// Counts the entries of the first levels without the code of the sweep, and compares the counts
/// with a file that another program has written. The complete table has 10 GiB; scripts/bench.py
/// compares all its level counts with this file.
#[test]
fn the_first_levels_of_eight_tiles_of_the_5x5_are_as_published() {
    let published = widths(include_str!(
        "../../../../data/level_counts/5x5-zero-aware-1.2.5.6.7.10.11.12-blank0.txt"
    ));
    let tray: Tray = "5x5".parse().unwrap();
    let goal: Vec<Cell> = [1, 2, 5, 6, 7, 10, 11, 12].map(Cell::new).to_vec();
    // The blank's region: all cells that it reaches without moving a tile of the pattern.
    let region = |tiles: &[Cell], blank: Cell| {
        let mut reached = CellSet::EMPTY.with(blank);
        let mut open = vec![blank];
        while let Some(cell) = open.pop() {
            for next in tray.neighbours(cell) {
                if !tiles.contains(&next) && !reached.contains(next) {
                    reached = reached.with(next);
                    open.push(next);
                }
            }
        }
        reached
    };
    let mut level = vec![(goal.clone(), region(&goal, Cell::new(0)))];
    let mut seen: HashSet<_> = level.iter().cloned().collect();
    let last = if cfg!(feature = "long-tests") { 10 } else { 9 };
    for &count in &published[..=last] {
        assert_eq!(level.len() as u64, count);
        let mut next_level = Vec::new();
        for (tiles, blanks) in level {
            for blank in blanks.iter() {
                for from in tray.neighbours(blank) {
                    let Some(tile) = tiles.iter().position(|&cell| cell == from) else {
                        continue;
                    };
                    let mut moved = tiles.clone();
                    moved[tile] = blank;
                    let state = (moved.clone(), region(&moved, from));
                    if seen.insert(state.clone()) {
                        next_level.push(state);
                    }
                }
            }
        }
        level = next_level;
    }
}

/// The cell masks have more than 32 bits. The last of 64 cells is also tested.
#[test]
fn tables_of_trays_up_to_8x8_equal_a_plain_search() {
    check("6x6", &[28, 34], 35);
    check("6x6", &[1, 6, 7], 0);
    check("7x7", &[24, 40], 48);
    check("8x8", &[55, 62], 63);
    check("8x8", &[36, 63], 27);
    check("8x5", &[33, 38], 39);
    check("10x6", &[48, 59], 58);
}

/// A zero-aware table with all tiles counts every move. Its histogram is therefore the number of
/// boards at each distance from the goal.
#[test]
fn complete_tables_have_the_published_level_counts() {
    for (size, name) in [
        ("2x2", "2x2"),
        ("2x3", "2x3"),
        ("3x2", "2x3"),
        ("2x4", "2x4"),
        ("5x2", "2x5"),
        ("2x5", "2x5"),
        ("3x3", "3x3"),
        ("4x3", "3x4"),
    ] {
        let tray: Tray = size.parse().unwrap();
        let tiles = CellSet::all(tray).without(tray.last());
        let (id, _) = Pattern::new(tray, tiles, tray.last())
            .unwrap()
            .table(TableKind::ZeroAware);
        let built = build(id, Encoding::OneBit, &Control::default()).unwrap();
        let found = built.header([0; 32]).histogram;
        assert_eq!(found.counts(), states_per_distance(name), "{size}");
    }
}

#[test]
fn complete_3x3_tables_have_the_published_level_counts_for_every_goal() {
    for cell in 0..9 {
        let name = match cell {
            4 => "3x3-centre",
            1 | 3 | 5 | 7 => "3x3-edge",
            _ => "3x3",
        };
        let tray: Tray = "3x3".parse().unwrap();
        let tiles = CellSet::all(tray).without(Cell::new(cell));
        let (id, _) = Pattern::new(tray, tiles, Cell::new(cell))
            .unwrap()
            .table(TableKind::ZeroAware);
        let built = build(id, Encoding::OneBit, &Control::default()).unwrap();
        let found = built.header([0; 32]).histogram;
        assert_eq!(found.counts(), states_per_distance(name));
    }
}

/// A line of data/suites/widths.txt.
fn states_per_distance(name: &str) -> Vec<u64> {
    let mut lines = include_str!("../../../../data/suites/widths.txt").lines();
    let counts = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let counts = counts.unwrap().split_whitespace();
    counts.map(|count| count.parse().unwrap()).collect()
}

fn widths(file: &str) -> Vec<u64> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap())
        .collect()
}
