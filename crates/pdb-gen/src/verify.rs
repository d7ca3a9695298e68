//! Proves that a table's values are the true distances, independently of its checksums.
//!
//! Zero-aware and full-cost tables in `U8` are proved by local invariants, without a sweep:
//!
//! - the goal is 0;
//! - entries joined by a move differ by exactly 1, or both are unreachable;
//! - every reachable entry except the goal has a neighbour that is smaller by 1.
//!
//! No value is too small: from an entry of value h, a walk to ever smaller neighbours reaches the
//! goal after exactly h moves. No value is too large: along a shortest path from the goal, values
//! grow by at most 1 per move.
//!
//! Tables of one bit per entry cannot be proved locally: after a bit is flipped, the entry's
//! distance mod 4 is often still plausible. A one-bit table is therefore built again, and the two
//! tables are compared. If they differ, a second sweep finds the true value of the first wrong
//! entry. Tables in the multi-tile metric are also built again. Blank-compressed tables are not
//! consistent heuristics, so these invariants do not hold for them. Instead, a sweep over the
//! zero-aware rows computes the minimum over the rows of each shape and compares it with the
//! table's values.

use std::fmt;

use pdb_table::{Code, Control, Encoding, Table, TableError, codes};
use puzzle::{Ranking, Reindex, ValueStep, factorial};

use crate::build::{BuildError, build};
use crate::event::{BuildEvent, LevelReport};
use crate::parallel::{alongside, map_range};
use crate::sweep::buffers::Buffers;
use crate::sweep::kernel::{Mismatch, Recorder};
use crate::sweep::move_sweep::{Stop, sweep};
use crate::sweep::recorder::{CompareMinimum, CompareRows, ones_of};
use crate::sweep::row_graph::RowGraph;
use crate::sweep::scatter::Word;

/// Error of [`verify`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The file is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The value of an entry is wrong.
    #[error("entry {entry} is wrong: {truth}")]
    Entry {
        /// Number of the entry.
        entry: u64,
        /// The true value.
        truth: Truth,
    },
    /// The header's histogram differs from that of the values.
    #[error("the header's histogram differs from that of the true values")]
    Histogram,
    /// The check was cancelled.
    #[error("interrupted")]
    Cancelled,
}

codes! { VerifyError { VerifyError::Cancelled => Code::Cancelled, _ => Code::Table } }

/// True value of a wrong entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// A distance.
    Distance(u8),
    /// Unreachable.
    Unreachable,
    /// Not known: local invariants and byte comparison find the wrong entry but not its true value.
    Unknown,
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Truth::Distance(value) => write!(f, "its distance is {value}"),
            Truth::Unreachable => f.write_str("it is unreachable"),
            Truth::Unknown => f.write_str("it does not fit its neighbours"),
        }
    }
}

impl From<Mismatch> for VerifyError {
    fn from(Mismatch { entry, expected }: Mismatch) -> Self {
        let truth = expected.map_or(Truth::Unreachable, Truth::Distance);
        VerifyError::Entry { entry, truth }
    }
}

/// A wrong entry whose true value is not known.
fn wrong(entry: u64) -> VerifyError {
    let truth = Truth::Unknown;
    VerifyError::Entry { entry, truth }
}

/// Proves a table and checks its checksums. For a correct table this takes at most the time and
/// memory of building it. For a wrong entry in a one-bit table it takes up to twice the time, since
/// a second sweep finds the true value.
///
/// # Errors
/// [`VerifyError`], with the first wrong entry found.
pub fn verify<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    control: &Control<BuildEvent>,
) -> Result<(), VerifyError> {
    verify_bytes(&table.borrowed(), control)
}

/// This function is not generic, so that the sweep is not compiled again for each caller.
fn verify_bytes(table: &Table<&[u8]>, control: &Control<BuildEvent>) -> Result<(), VerifyError> {
    let encoding = table.header().encoding;
    match (table.id().kind().value_step(), encoding) {
        (ValueStep::One, Encoding::U8) => {
            let prove = || check_locally(table, &table.ranking()?, control);
            beside_sum(table, control, prove)
        }
        (ValueStep::One | ValueStep::AtMostOne, _) => build_again(table, control),
        (ValueStep::Several, _) => beside_sum(table, control, || replay_minimum(table, control)),
    }
}

/// Checks the payload's checksum on one thread and runs `prove` meanwhile. An error of the checksum
/// takes precedence.
fn beside_sum(
    table: &Table<&[u8]>,
    control: &Control<BuildEvent>,
    prove: impl FnOnce() -> Result<(), VerifyError>,
) -> Result<(), VerifyError> {
    let sum = || table.check_payload_unless(&control.cancel);
    let (sums, proof) = alongside(sum, prove);
    sums.transpose()?;
    if control.is_cancelled() {
        return Err(VerifyError::Cancelled);
    }
    proof
}

/// Builds the table again, and compares `table` with the new one byte by byte. If `table` is a
/// mapped file, its bytes are read after the build has released half of its memory, so that the
/// file's pages fit into memory.
fn build_again(table: &Table<&[u8]>, control: &Control<BuildEvent>) -> Result<(), VerifyError> {
    table.check_entries()?;
    let encoding = table.header().encoding;
    let built = build(table.id(), encoding, control).map_err(|error| match error {
        BuildError::TooFar => VerifyError::Histogram,
        _ => VerifyError::Cancelled,
    })?;
    let compare = || {
        let mut rest = table.payload();
        built.each_piece(|piece| {
            if control.is_cancelled() {
                return Err(VerifyError::Cancelled);
            }
            if let Some(after) = rest.strip_prefix(piece) {
                rest = after;
                return Ok(());
            }
            let same = piece.iter().zip(rest).take_while(|(a, b)| a == b).count();
            let at = table.payload().len() - rest.len() + same;
            Err(wrong(encoding.entries_per_byte() * at as u64))
        })?;
        let same = built.header([0; 32]).histogram == table.header().histogram;
        same.then_some(()).ok_or(VerifyError::Histogram)
    };
    let compared = beside_sum(table, control, compare);
    match (&compared, table.id().kind().value_step()) {
        (Err(VerifyError::Entry { .. }), ValueStep::One) => {
            drop(built);
            find_wrong_entry(table, control).and(compared)
        }
        _ => compared,
    }
}

fn check_locally(
    table: &Table<&[u8]>,
    ranking: &Ranking,
    control: &Control<BuildEvent>,
) -> Result<(), VerifyError> {
    let check = LocalCheck {
        payload: table.payload(),
        ranking,
        places: Places::new(ranking),
        goal: ranking.goal_row(table.id()) * ranking.row_entries(),
    };
    if check.payload[check.goal] != 0 {
        let (entry, expected) = (check.goal as u64, Some(0));
        return Err(Mismatch { entry, expected }.into());
    }
    // Large tables are checked in stretches, so that the check can be cancelled.
    let shapes = ranking.shapes().len();
    let stretch = (shapes / 100).max(1);
    for start in (0..shapes).step_by(stretch) {
        let end = (start + stretch).min(shapes);
        let rows = |shape| ranking.shape_rows(shape);
        let shape = |shape| rows(shape).try_for_each(|row| check.row(row));
        let checked: Result<(), usize> = map_range(start..end, &shape).into_iter().collect();
        checked.map_err(|entry| wrong(entry as u64))?;
        let found = (ranking.shape_rows(end - 1).end * ranking.row_entries()) as u64;
        control.report(&BuildEvent::Level(LevelReport {
            level: 0,
            new: found,
            found,
            entries: ranking.entries(),
        }));
        if control.is_cancelled() {
            return Err(VerifyError::Cancelled);
        }
    }
    Ok(())
}

struct LocalCheck<'a> {
    payload: &'a [u8],
    ranking: &'a Ranking,
    places: Places,
    goal: usize,
}

impl LocalCheck<'_> {
    /// Checks a row. The error is the number of an entry that violates an invariant.
    fn row(&self, row: usize) -> Result<(), usize> {
        let size = self.ranking.row_entries();
        let values = |row: usize| &self.payload[row * size..][..size];
        let here = values(row);
        let mut has_smaller = vec![false; size];
        let (shape, blank) = self.ranking.row_shape(row);
        for out in self.ranking.row_moves(shape, blank) {
            let there = values(out.row);
            for (rank, (&value, smaller)) in here.iter().zip(&mut has_smaller).enumerate() {
                let other = there[self.places.target(out.from, out.to, rank)];
                let fits = if value == u8::MAX || other == u8::MAX {
                    value == other
                } else {
                    value.abs_diff(other) == 1
                };
                if !fits {
                    return Err(row * size + rank);
                }
                *smaller |= other < value;
            }
        }
        for (rank, (&value, smaller)) in here.iter().zip(has_smaller).enumerate() {
            let entry = row * size + rank;
            if value != u8::MAX && !smaller && entry != self.goal {
                return Err(entry);
            }
        }
        Ok(())
    }
}

/// Computes the rank of a permutation after an element has moved.
struct Places {
    reindex: Reindex,
    tiles: usize,
    /// For each pair of positions, a table with the target of each rank. The table is empty if no
    /// move has this pair. With more than [`TABLE_TILES`] tiles, the list contains no tables.
    tables: Vec<Box<[u16]>>,
}

/// Largest number of tiles for which `tables` are filled. For more tiles they would exceed the
/// cache, so each rank is computed when it is needed.
const TABLE_TILES: usize = 8;

impl Places {
    fn new(ranking: &Ranking) -> Self {
        let tiles = ranking.tiles();
        let jump = ranking.tray().width() - 1;
        let reindex = Reindex::new(tiles, jump);
        let pairs = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let table = |(from, to): (usize, usize)| match from.abs_diff(to) <= jump {
            true => (0..factorial(tiles))
                .map(|rank| reindex.apply(from, to, rank) as u16)
                .collect(),
            false => Box::default(),
        };
        Places {
            tables: match tiles <= TABLE_TILES {
                true => pairs.map(table).collect(),
                false => Vec::new(),
            },
            reindex,
            tiles,
        }
    }

    #[inline]
    fn target(&self, from: usize, to: usize, rank: usize) -> usize {
        match self.tables.get(from * self.tiles + to) {
            Some(table) => usize::from(table[rank]),
            None => self.reindex.apply(from, to, rank as u32) as usize,
        }
    }
}

/// Repeats the sweep of a one-bit table and compares each entry found with the table. The error
/// contains the true value of the first wrong entry. Called for a table that differs from a new
/// build. Returns `Ok` if every entry is right: the table and the new build then differ only in the
/// unused bits after the last entry.
fn find_wrong_entry(
    table: &Table<&[u8]>,
    control: &Control<BuildEvent>,
) -> Result<(), VerifyError> {
    let graph = RowGraph::new(table.id());
    let entries = graph.ranking.row_entries();
    let halves = replay(&graph, &CompareRows { table, entries }, control)?;
    for (buffers, half) in halves.iter().zip(&graph.halves) {
        let rows = half.rows().iter();
        let chunks = |plane| <[Word]>::chunks(plane, buffers.sizes.words);
        let planes = chunks(&buffers.ones).zip(chunks(&buffers.zeros));
        for (&row, (ones, zeros)) in rows.zip(planes) {
            let visited: Vec<Word> = ones.iter().zip(zeros).map(|(a, b)| a | b).collect();
            check_unreached(table, u64::from(row), entries, &visited)?;
        }
    }
    Ok(())
}

fn replay_minimum(table: &Table<&[u8]>, control: &Control<BuildEvent>) -> Result<(), VerifyError> {
    let graph = RowGraph::new(table.id());
    let ranking = &graph.ranking;
    let entries = ranking.row_entries();
    table.expect_entries(ranking.shapes().len() as u64 * entries as u64)?;
    let compare = CompareMinimum { table, ranking };
    // The histogram follows from the bytes, and every byte is compared, so the histogram needs no
    // check.
    let halves = replay(&graph, &compare, control)?;
    for (buffers, half) in halves.iter().zip(&graph.halves) {
        for (group, met) in buffers.by_group.chunks(buffers.sizes.words).enumerate() {
            let row = half.rows()[half.group_start(group)] as usize;
            check_unreached(table, ranking.row_shape_index(row) as u64, entries, met)?;
        }
    }
    Ok(())
}

/// Checks that every entry that the repeated sweep never reached is unreachable in the table.
fn check_unreached(
    table: &Table<&[u8]>,
    row: u64,
    entries: usize,
    met: &[Word],
) -> Result<(), VerifyError> {
    let unmet = ones_of(met.iter().map(|word| !word));
    for rank in unmet.take_while(|&rank| rank < entries) {
        let entry = row * entries as u64 + rank as u64;
        if !table.entry_matches(entry, None) {
            let expected = None;
            return Err(Mismatch { entry, expected }.into());
        }
    }
    Ok(())
}

fn replay<R: Recorder>(
    graph: &RowGraph,
    recorder: &R,
    control: &Control<BuildEvent>,
) -> Result<[Buffers<R::Element>; 2], VerifyError> {
    let swept = sweep(graph, recorder, control, &mut ()).map_err(|stop| match stop {
        Stop::Cancelled { .. } | Stop::Restore(_) => VerifyError::Cancelled,
        Stop::Mismatch(mismatch) => mismatch.into(),
        Stop::TooFar => VerifyError::Histogram,
    })?;
    Ok(swept.1.halves)
}
