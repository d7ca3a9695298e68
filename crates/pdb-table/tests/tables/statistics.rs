//! Statistics of histograms, compared with values computed by hand.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use pdb_table::{Cancel, Control, Encoding, Executor, Header, Histogram, Stats, Table};
use puzzle::{Cell, CellSet, Direction, Pattern, Ranking, TableId, TableKind, Tray};
use sha2::{Digest, Sha256};

#[test]
fn statistics_of_a_small_histogram() {
    let stats = Stats::of_counts(&[1, 2, 0, 8, 5, 0, 0]);
    assert_eq!((stats.entries(), stats.max(), stats.median()), (16, 4, 3));
    // Mean: (2 + 24 + 20) / 16. Sum of squared differences: 8.265625 + 7.03125 + 0.125 + 6.328125 =
    // 21.75.
    assert_eq!(stats.mean(), 2.875);
    assert_eq!(stats.deviation(), (21.75_f64 / 16.0).sqrt());
    let levels: Vec<_> = stats.levels().collect();
    assert_eq!(levels.len(), 5);
    let shares: Vec<f64> = levels.iter().map(|level| level.share * 16.0).collect();
    assert_eq!(shares, [1.0, 2.0, 0.0, 8.0, 5.0]);
    for (at, growth, growth2) in [
        (0, None, None),
        (1, Some(2.0), None),
        (2, Some(0.0), Some(0.0)),
        (3, None, Some(2.0)),
        (4, Some(0.625), None),
    ] {
        let level = &levels[at];
        assert_eq!((level.value, level.count), (at, [1, 2, 0, 8, 5][at]));
        assert_eq!(
            (level.growth, level.growth2),
            (growth, growth2),
            "level {at}"
        );
    }
    // With an even number of entries, the median is the lower of the two middle values.
    assert_eq!(Stats::of_counts(&[4, 4]).median(), 0);
    assert_eq!(Stats::of_counts(&[3, 4]).median(), 1);
    assert_eq!(Stats::of_counts(&[4, 5]).median(), 1);
    let empty = Stats::of_counts(&[]);
    assert_eq!((empty.entries(), empty.max(), empty.median()), (0, 0, 0));
    assert_eq!((empty.mean(), empty.deviation()), (0.0, 0.0));
    assert_eq!(empty.levels().count(), 1);
}

#[test]
fn histograms_count_every_byte_except_unreachable_entries() {
    for length in 0..=19 {
        let bytes: Vec<u8> = (0..length).map(|at| [3, 3, 255, 0, 7][at % 5]).collect();
        let mut expected = Histogram::default();
        for &byte in bytes.iter().filter(|&&byte| byte != 255) {
            expected.add(byte, 1);
        }
        let counted = Histogram::count(&bytes);
        assert_eq!(counted, expected);
        let total = bytes.iter().filter(|&&byte| byte != 255).count() as u64;
        assert_eq!(counted.total(), total);
        assert_eq!(counted.counts().len(), usize::from(counted.max()) + 1);
        assert_eq!(Stats::new(&counted).entries(), total);
        assert_eq!(Stats::new(&counted).max(), usize::from(counted.max()));
    }
    let all: Vec<u8> = (0..=255).collect();
    let counted = Histogram::count(&all);
    assert_eq!((counted.total(), counted.max()), (255, 254));
    assert_eq!(counted.counts(), [1; 255]);
    assert_eq!(Histogram::default().counts(), [0]);
}

#[test]
fn cancelling_a_parent_cancels_its_children_but_not_the_reverse() {
    let all = Cancel::default();
    let (one, other) = (all.child(), all.child());
    let grandchild = one.child();
    one.clone().cancel();
    assert!(one.is_cancelled() && grandchild.is_cancelled());
    assert!(!all.is_cancelled() && !other.is_cancelled());
    all.cancel();
    assert!(other.is_cancelled() && all.child().is_cancelled());
}

#[test]
fn cancellation_is_permanent() {
    static ANSWER: AtomicBool = AtomicBool::new(false);
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let cancel = Cancel::asking(|| {
        ASKED.fetch_add(1, Ordering::Relaxed);
        ANSWER.load(Ordering::Relaxed)
    });
    let child = cancel.child();
    assert!(!cancel.is_cancelled() && !child.is_cancelled());
    ANSWER.store(true, Ordering::Relaxed);
    assert!(child.is_cancelled() && cancel.is_cancelled());
    let asked = ASKED.load(Ordering::Relaxed);
    ANSWER.store(false, Ordering::Relaxed);
    assert!(cancel.is_cancelled() && child.is_cancelled());
    assert_eq!(ASKED.load(Ordering::Relaxed), asked);
}

#[test]
fn controls_have_a_token_and_a_listener() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let to = heard.clone();
    let control = Control::listening(move |event: &u32| to.lock().unwrap().push(*event));
    control.report(&1);
    control.clone().report(&2);
    assert_eq!(*heard.lock().unwrap(), [1, 2]);
    assert!(!control.is_cancelled());
    control.cancel.cancel();
    assert!(control.clone().is_cancelled());
    assert!(format!("{control:?}").contains("listens: true"));
    let cancel = Cancel::default();
    let silent = Control::<u32>::stopped_by(&cancel);
    silent.report(&3);
    assert!(!silent.is_cancelled() && format!("{silent:?}").contains("listens: false"));
    cancel.cancel();
    assert!(silent.is_cancelled());
    assert!(!Control::<u32>::default().is_cancelled());
    assert_eq!(().map(3, |job| job * job), [0, 1, 4]);
}

// Tables built by a reference search. Its states are placements of the tiles and the blank, in
// place of rows and ranks.

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
