//! Tables built by a reference search. Its states are placements of the tiles and the blank, in
//! place of rows and ranks.

use std::collections::{HashMap, VecDeque};

use pdb_table::{Encoding, Header, Histogram, Table};
use puzzle::{Cell, CellSet, Direction, Pattern, Ranking, TableId, TableKind, Tray};
use sha2::{Digest, Sha256};

/// The byte of an entry without a position.
pub(crate) const UNREACHABLE: u8 = 255;

/// The identity of the table of these tiles, with the blank's goal on the last cell.
pub(crate) fn id(size: &str, tiles: &[usize], kind: TableKind) -> TableId {
    let tray: Tray = size.parse().unwrap();
    let tiles = tiles.iter().map(|&tile| Cell::new(tile)).collect();
    let (id, _) = Pattern::new(tray, tiles, tray.last()).unwrap().table(kind);
    id
}

/// All values of a table as bytes, by a search from its goal.
pub(crate) fn values(id: TableId) -> Vec<u8> {
    let (tray, kind) = (id.tray(), id.kind());
    let tiles: Vec<Cell> = id.tiles().iter().collect();
    let ranking = Ranking::new(tray, tiles.len(), kind);
    let mut home = tiles.clone();
    home.push(id.blank().lowest().unwrap());
    let mut found: HashMap<Vec<Cell>, u8> = HashMap::from([(home.clone(), 0)]);
    let mut queue = VecDeque::from([home]);
    while let Some(place) = queue.pop_front() {
        let steps = found[&place];
        for direction in Direction::ALL {
            let mut next = place.clone();
            let blank = next.len() - 1;
            let mut moved = false;
            // In the multi-tile metric the blank can pass several cells in one direction. Each of
            // them is the end of one move.
            while let Some(to) = tray.step(next[blank], direction) {
                let from = std::mem::replace(&mut next[blank], to);
                for tile in &mut next[..blank] {
                    if *tile == to {
                        (*tile, moved) = (from, true);
                    }
                }
                let costs = u8::from(moved || !kind.is_additive());
                let known = found.get(&next).copied().unwrap_or(u8::MAX);
                if steps + costs < known {
                    found.insert(next.clone(), steps + costs);
                    match costs {
                        0 => queue.push_front(next.clone()),
                        _ => queue.push_back(next.clone()),
                    }
                }
                if kind != TableKind::MultiTile {
                    break;
                }
            }
        }
    }
    let mut values = vec![UNREACHABLE; ranking.entries() as usize];
    for (place, steps) in found {
        let at = |tile: Cell| place[tiles.iter().position(|&t| t == tile).unwrap()];
        let (row, rank) = ranking.locate(id.tiles(), place[tiles.len()], at);
        let value = &mut values[row * ranking.row_entries() + rank as usize];
        *value = steps.min(*value);
    }
    values
}

/// A table of these values in this encoding.
pub(crate) fn table(id: TableId, encoding: Encoding, values: &[u8]) -> Table<Vec<u8>> {
    let mut payload = vec![0; encoding.payload_length(values.len() as u64) as usize];
    let per_byte = encoding.entries_per_byte() as usize;
    for (entry, &value) in values.iter().enumerate() {
        let stored = match (encoding, value) {
            (Encoding::U8, value) => value,
            (_, UNREACHABLE) => 0,
            (Encoding::OneBit, value) => value / 2 % 2,
            (Encoding::Mod3, value) => value % 3 + 1,
        };
        payload[entry / per_byte] |= stored << (8 / per_byte * (entry % per_byte));
    }
    let header = Header {
        id,
        encoding,
        entries: values.len() as u64,
        histogram: Histogram::count(values),
        payload_sha256: Sha256::digest(&payload).into(),
    };
    Table::new([header.encode(), payload].concat()).unwrap()
}

/// The patterns of the tests: in a corner, spread out, and with parts of the tray cut off.
pub(crate) const PATTERNS: [(&str, &[usize]); 7] = [
    ("3x3", &[0]),
    ("3x3", &[0, 1, 2]),
    ("3x3", &[1, 3, 4, 7]),
    ("3x3", &[0, 1, 2, 3, 5]),
    ("4x2", &[0, 1, 4, 5]),
    ("2x3", &[0, 1, 2, 3, 4]),
    ("3x2", &[0, 2]),
];

/// A set of cells by their numbers.
pub(crate) fn cells(numbers: &[usize]) -> CellSet {
    numbers.iter().map(|&number| Cell::new(number)).collect()
}
