//! `verify` rejects tables with wrong entries, even if checksums and histograms match the entries.

use std::collections::VecDeque;

use pdb_gen::{Truth, VerifyError, build, verify};
use pdb_table::{Control, Encoding, Header, Histogram, Table};
use puzzle::{Cell, CellSet, Pattern, TableKind, Tray};
use sha2::{Digest, Sha256};

fn table(size: &str, tiles: &[usize], kind: TableKind, encoding: Encoding) -> Table<Vec<u8>> {
    let tray: Tray = size.parse().unwrap();
    let tiles: CellSet = tiles.iter().map(|&tile| Cell::new(tile)).collect();
    let (id, _) = Pattern::new(tray, tiles, tray.last()).unwrap().table(kind);
    build(id, encoding, &Control::default())
        .unwrap()
        .into_table()
}

/// The table with another payload and a header that matches this payload.
fn forged(table: &Table<Vec<u8>>, payload: &[u8], values: Histogram) -> Table<Vec<u8>> {
    let header = Header {
        histogram: values,
        payload_sha256: Sha256::digest(payload).into(),
        ..table.header().clone()
    };
    Table::new([&header.encode()[..], payload].concat()).unwrap()
}

#[test]
fn one_wrong_bit_is_found_despite_matching_checksums() {
    // Rows of 1, 2, 6, 24, 120, 720 and 5040 bits: some fill bytes and words, others do not.
    for tiles in 1..=7 {
        let tiles: Vec<usize> = (0..tiles).collect();
        let size = if tiles.len() == 7 { "4x2" } else { "3x3" };
        let bits = table(size, &tiles, TableKind::ZeroAware, Encoding::OneBit);
        let bytes = table(size, &tiles, TableKind::ZeroAware, Encoding::U8);
        let entries = bits.header().entries as usize;
        for entry in (0..entries).step_by((entries / 40).max(1)) {
            let mut payload = bits.payload().to_vec();
            payload[entry / 8] ^= 1 << (entry % 8);
            let values = bits.header().histogram.clone();
            let wrong = forged(&bits, &payload, values);
            wrong.check_payload().unwrap();
            let expected = VerifyError::Entry {
                entry: entry as u64,
                truth: match bytes.byte(entry as u64) {
                    Some(u8::MAX) => Truth::Unreachable,
                    value => Truth::Distance(value.unwrap()),
                },
            };
            assert_eq!(verify(&wrong, &Control::default()), Err(expected));
        }
    }
}

#[test]
fn unreachable_entries_with_a_value_are_rejected() {
    // Half of the entries of an eight-tile table of the 3x3 have the wrong parity.
    let tiles = [0, 1, 2, 3, 4, 5, 6, 7];
    for encoding in [Encoding::OneBit, Encoding::U8] {
        let table = table("3x3", &tiles, TableKind::ZeroAware, encoding);
        assert_eq!(table.header().reached(), 181_440);
        assert_eq!(table.header().entries, 362_880);
        let bytes = build(table.id(), Encoding::U8, &Control::default())
            .unwrap()
            .into_table();
        let unreached = (0..362_880).find(|&e| bytes.byte(e) == Some(255)).unwrap() as usize;
        let mut payload = table.payload().to_vec();
        let mut values = table.header().histogram.clone();
        match encoding {
            Encoding::OneBit => payload[unreached / 8] ^= 1 << (unreached % 8),
            Encoding::Mod3 => payload[unreached / 4] ^= 1 << (2 * (unreached % 4)),
            Encoding::U8 => {
                payload[unreached] = 7;
                values.add(7, 1);
            }
        }
        let wrong = forged(&table, &payload, values);
        assert!(verify(&wrong, &Control::default()).is_err(), "{encoding}");
    }
}

#[test]
fn one_wrong_byte_is_found_despite_matching_checksums() {
    for (kind, tiles) in [
        (TableKind::ZeroAware, &[0, 1, 2, 3][..]),
        (TableKind::BlankCompressed, &[0, 1, 2, 3]),
        (TableKind::FullCost, &[0, 1, 3]),
        // Some entries of this table are unreachable.
        (TableKind::BlankCompressed, &[0, 1, 2, 3, 4, 5, 6, 7]),
    ] {
        let table = table("3x3", tiles, kind, Encoding::U8);
        let entries = table.header().entries as usize;
        let count = if cfg!(feature = "long-tests") {
            150
        } else {
            60
        };
        for entry in (0..entries).step_by(entries / count) {
            for value in [0, 2, table.payload()[entry].wrapping_add(2), 254, 255] {
                let mut payload = table.payload().to_vec();
                if std::mem::replace(&mut payload[entry], value) == value {
                    continue;
                }
                let wrong = forged(&table, &payload, Histogram::count(&payload));
                wrong.check_payload().unwrap();
                assert!(
                    verify(&wrong, &Control::default()).is_err(),
                    "{kind} entry {entry} = {value}"
                );
            }
        }
    }
}

#[test]
fn a_wrong_histogram_is_rejected() {
    let table = table("3x3", &[0, 1, 2], TableKind::ZeroAware, Encoding::OneBit);
    let mut values = Histogram::default();
    for (value, &count) in table.header().histogram.counts().iter().enumerate() {
        values.add(
            value as u8,
            count - u64::from(value == 3) + u64::from(value == 4),
        );
    }
    let wrong = forged(&table, table.payload(), values);
    wrong.check_payload().unwrap();
    assert!(verify(&wrong, &Control::default()).is_err());
}

/// Distance of every placement from the goal; `u8::MAX` if unreachable.
pub(crate) struct Reference {
    cells: usize,
    distance: Vec<u8>,
}

impl Reference {
    /// Breadth-first search in which a move of the blank alone costs `blank_cost` (0 or 1). A state
    /// is a number in base `cells`. Its digits are the tiles' cells, followed by the blank's cell.
    pub(crate) fn new(tray: Tray, goal: &[usize], blank_cost: u8) -> Self {
        let cells = tray.cells();
        let mut distance = vec![u8::MAX; cells.pow(goal.len() as u32)];
        let number = |state: &[usize]| state.iter().fold(0, |n, cell| n * cells + cell);
        let mut queue = VecDeque::from([goal.to_vec()]);
        distance[number(goal)] = 0;
        while let Some(state) = queue.pop_front() {
            let here = distance[number(&state)];
            let (blank, tiles) = (state.len() - 1, &state[..state.len() - 1]);
            for next in tray.neighbours(Cell::new(state[blank])) {
                let mut moved = state.clone();
                let mut cost = blank_cost;
                if let Some(tile) = tiles.iter().position(|&cell| cell == next.index()) {
                    moved[tile] = state[blank];
                    cost = 1;
                }
                moved[blank] = next.index();
                let known = &mut distance[number(&moved)];
                if here + cost < *known {
                    *known = here + cost;
                    if cost == 0 {
                        queue.push_front(moved);
                    } else {
                        queue.push_back(moved);
                    }
                }
            }
        }
        Reference { cells, distance }
    }

    /// Distance of a placement. `state` contains the cells in the order of [`Self::new`].
    pub(crate) fn distance(&self, state: &[usize]) -> u8 {
        self.distance[state.iter().fold(0, |n, cell| n * self.cells + cell)]
    }
}
