//! Compares tables in the multi-tile metric with breadth-first searches over placements. These
//! searches do not use rows.

use std::collections::HashMap;

use pdb_gen::{VerifyError, build, verify};
use pdb_table::{Control, Encoding, Table, TableError};
use puzzle::{
    Cell, CellSet, Direction, Goal, HeuristicSpec, Pattern, Ranking, TableId, TableKind, Tray,
};

/// The blank's cell, and the cells of the pattern's tiles, by ascending tile.
type Placement = (Cell, Vec<Cell>);

/// Distances of all placements that are reachable from the goal.
fn distances(id: TableId) -> HashMap<Placement, u8> {
    let goal = (id.blank().lowest().unwrap(), id.tiles().iter().collect());
    let mut distances = HashMap::from([(goal, 0)]);
    let mut level: Vec<Placement> = distances.keys().cloned().collect();
    for distance in 1.. {
        let mut next = Vec::new();
        for placement in &level {
            for direction in Direction::ALL {
                let (mut blank, mut tiles) = placement.clone();
                while let Some(cell) = id.tray().step(blank, direction) {
                    if let Some(tile) = tiles.iter_mut().find(|tile| **tile == cell) {
                        *tile = blank;
                    }
                    blank = cell;
                    let placement = (blank, tiles.clone());
                    if !distances.contains_key(&placement) {
                        distances.insert(placement.clone(), distance);
                        next.push(placement);
                    }
                }
            }
        }
        if next.is_empty() {
            return distances;
        }
        level = next;
    }
    distances
}

fn id(size: &str, tiles: &[usize], blank: usize) -> TableId {
    let tray: Tray = size.parse().unwrap();
    let tiles: CellSet = tiles.iter().map(|&cell| Cell::new(cell)).collect();
    let pattern = Pattern::new(tray, tiles, Cell::new(blank)).unwrap();
    pattern.table(TableKind::MultiTile).0
}

fn table(id: TableId, encoding: Encoding) -> Table<Vec<u8>> {
    build(id, encoding, &Control::default())
        .unwrap()
        .into_table()
}

/// Tests both encodings with patterns of all sizes. Small rows end inside a byte, larger rows
/// consist of whole bytes, and the largest pattern contains all tiles.
#[test]
fn every_entry_equals_a_search_over_placements() {
    for id in [
        id("3x3", &[0, 1, 2, 3, 4, 5, 6, 7], 8),
        id("3x3", &[1, 2, 3, 4], 0),
        id("3x3", &[0, 4, 5, 6, 7], 1),
        id("3x3", &[0, 1, 8], 4),
        id("3x3", &[5, 7], 8),
        id("3x3", &[3], 8),
        id("2x2", &[0, 1, 2], 3),
        id("2x3", &[0, 1, 2, 4], 5),
        id("4x2", &[0, 1, 2, 5, 7], 3),
        id("5x2", &[0, 1, 5, 9], 3),
        id("4x4", &[0, 3, 12], 15),
        id("5x5", &[7, 13], 24),
    ] {
        let name = id.name();
        let distances = distances(id);
        let ranking = Ranking::new(id.tray(), id.tiles().len(), TableKind::MultiTile);
        let mut values = vec![None; ranking.entries() as usize];
        for ((blank, cells), &distance) in &distances {
            let (row, rank) = ranking.locate(id.tiles(), *blank, |tile| {
                let index = id.tiles().iter().position(|other| other == tile).unwrap();
                cells[index]
            });
            values[row * ranking.row_entries() + rank as usize] = Some(distance);
        }
        for encoding in [Encoding::U8, Encoding::Mod3] {
            let table = table(id, encoding);
            let header = table.header();
            assert_eq!(header.reached(), distances.len() as u64, "{name}");
            assert_eq!(Some(&header.histogram.max()), distances.values().max());
            for (entry, &value) in values.iter().enumerate() {
                assert!(table.entry_matches(entry as u64, value), "{name} {entry}");
            }
            assert_eq!(verify(&table, &Control::default()), Ok(()));
        }
    }
}

#[test]
fn multi_tile_tables_support_two_encodings() {
    let id = id("3x3", &[0, 1, 2], 8);
    assert!(build(id, Encoding::OneBit, &Control::default()).is_err());
    for kind in [
        TableKind::ZeroAware,
        TableKind::BlankCompressed,
        TableKind::FullCost,
    ] {
        assert!(!Encoding::Mod3.suits(kind));
    }
}

#[test]
fn wrong_multi_tile_entries_are_found() {
    let id = id("3x3", &[0, 1, 2, 3, 4], 8);
    for encoding in [Encoding::U8, Encoding::Mod3] {
        let right = table(id, encoding);
        for place in [0, 1000, right.payload().len() - 1] {
            let mut bytes = right.bytes().to_vec();
            let start = bytes.len() - right.payload().len();
            bytes[start + place] ^= 1;
            let damaged = Table::new(bytes.clone()).unwrap();
            let found = verify(&damaged, &Control::default());
            assert!(matches!(
                found,
                Err(VerifyError::Table(TableError::PayloadSum))
            ));
            // If the checksum matches, only the values reveal the error.
            let mut header = damaged.header().clone();
            header.payload_sha256 = sum(damaged.payload());
            bytes[..start].copy_from_slice(&header.encode());
            let forged = Table::new(bytes).unwrap();
            assert!(
                verify(&forged, &Control::default()).is_err(),
                "{encoding} {place}"
            );
        }
    }
}

fn sum(payload: &[u8]) -> [u8; 32] {
    use sha2::Digest as _;
    sha2::Sha256::digest(payload).into()
}

#[test]
fn mirror_images_share_a_table() {
    let goal = Goal::blank_last("4x4".parse().unwrap());
    let plan = HeuristicSpec::builder(&goal)
        .kind(TableKind::MultiTile)
        .parse("1,2,3,4/1,5,9,13")
        .unwrap();
    assert_eq!(plan.tables().len(), 1);
    assert_eq!(plan.views().len(), 2);
}

#[cfg(feature = "parallel")]
#[test]
fn tables_do_not_depend_on_the_number_of_threads() {
    let id = id("4x4", &[0, 1, 2, 3, 7], 15);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| table(id, Encoding::Mod3)).bytes().to_vec()
    };
    let one = on(1);
    assert!(one == on(2) && one == on(5));
}
