//! Table files with correct checksums and arbitrary contents. Verification never accepts a wrong
//! table; reading a wrong table and solving with it are safe. Reference tables are built once, and
//! files are compared with fresh builds.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use pdb_gen::build;
use pdb_table::{Cancel, Control, Encoding, HEADER_LENGTH, Stats, Table, TableReader};
use puzzle::{
    Board, Cell, CellSet, Goal, HeuristicSpec, Pattern, Reindex, TableId, TableKind, Tray,
};
use sha2::{Digest as _, Sha256};
use solver::{SolveOptions, Solver, SolverError};

use crate::inputs::apply_edits;
use crate::text::assert_one_line;

/// Largest number of entries of tables that are built for comparison.
pub const MAX_ENTRIES: u64 = 20_000;
/// Largest number of builds that are kept.
const KEPT: usize = 256;

/// The committed files of an earlier format version.
const GOLDEN: [&[u8]; 4] = [
    include_bytes!("../../../data/golden/format-1/3x3-blank-compressed-0.1.2-blank3.pdb"),
    include_bytes!("../../../data/golden/format-1/3x3-full-0.1.2-blank6.pdb"),
    include_bytes!("../../../data/golden/format-1/3x3-zero-aware-0.1.2-blank3.pdb"),
    include_bytes!("../../../data/golden/format-1/3x3-zero-aware-0.1.2-blank3.u8.pdb"),
];

/// The table of a pattern. `tiles` contains the goal cells of the pattern's tiles, and `blank` is
/// the blank's goal cell.
#[must_use]
pub fn table_id(size: &str, tiles: &[usize], blank: usize, kind: TableKind) -> TableId {
    let tray: Tray = size.parse().expect("a size");
    let tiles: CellSet = tiles.iter().map(|&cell| Cell::new(cell)).collect();
    let pattern = Pattern::new(tray, tiles, Cell::new(blank)).expect("a pattern");
    pattern.table(kind).0
}

/// Valid table files: tables of every kind in every encoding, and the files in `GOLDEN`.
pub static TABLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut files: Vec<Vec<u8>> = GOLDEN.iter().map(|file| file.to_vec()).collect();
    for kind in TableKind::ALL {
        for encoding in Encoding::all_for(kind) {
            for (size, tiles, blank) in [("2x2", &[0, 1, 2][..], 3), ("3x2", &[0, 1, 3], 5)] {
                files.push(built(table_id(size, tiles, blank, kind), encoding));
            }
        }
    }
    files
});

fn built(id: TableId, encoding: Encoding) -> Vec<u8> {
    let table = build(id, encoding, &Control::default()).expect("a small table");
    table.into_table().bytes().to_vec()
}

/// Files by table and encoding.
type Built = HashMap<(TableId, Encoding), Arc<Vec<u8>>>;

/// The bytes of a fresh build; `None` if the table is too large for comparison.
#[must_use]
pub fn fresh(id: TableId, encoding: Encoding) -> Option<Arc<Vec<u8>>> {
    static BUILT: LazyLock<Mutex<Built>> = LazyLock::new(Mutex::default);
    if id.entries() > MAX_ENTRIES {
        return None;
    }
    let mut all = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= KEPT {
        all.clear();
    }
    let file = all.entry((id, encoding));
    Some(Arc::clone(
        file.or_insert_with(|| Arc::new(built(id, encoding))),
    ))
}

/// Checks that `verify` accepts a table if and only if it equals a fresh build.
pub fn assert_judged_rightly<D: AsRef<[u8]> + Sync>(table: &Table<D>) {
    let header = table.header();
    if header.entries > MAX_ENTRIES {
        return;
    }
    let verdict = pdb_gen::verify(table, &Control::default());
    if let Err(error) = &verdict {
        assert_one_line(error);
    }
    if let Some(fresh) = fresh(header.id, header.encoding) {
        let is_right = fresh.as_slice() == table.bytes();
        assert_eq!(verdict.is_ok(), is_right, "{}: {verdict:?}", header.id);
    }
}

/// Byte offsets in the header of a table file, in this order: the end of the fields before the
/// histogram, the number of reached entries, the largest value, the histogram, the checksum of the
/// payload, and the checksum of the header.
const FIELDS: usize = 64;
const REACHED: usize = 40;
const MAX: usize = 56;
const HISTOGRAM: usize = 64;
const PAYLOAD_SUM: usize = HISTOGRAM + 8 * 256;
const SUM: usize = HEADER_LENGTH - 32;

/// Flags in the second byte of the input.
const UNREPAIRED: u8 = 1;
const WHOLE_FILE: u8 = 2;
const RECOUNTED: u8 = 4;
const WIDE_HEAD: u8 = 8;

/// The first byte selects a valid table, and the second byte contains flags. With the flag
/// `WHOLE_FILE`, the rest of the input is a whole file. Otherwise the rest is a list of changes to
/// the selected table.
pub fn table(bytes: &[u8]) {
    let [choice, how, rest @ ..] = bytes else {
        return;
    };
    let sound = &TABLES[usize::from(*choice) % TABLES.len()];
    let file = match how & WHOLE_FILE {
        0 => {
            let mut file = sound.clone();
            let head = if how & WIDE_HEAD == 0 {
                FIELDS
            } else {
                PAYLOAD_SUM + 40
            };
            apply_edits(&mut file, head, HEADER_LENGTH, rest);
            file
        }
        _ => rest.to_vec(),
    };
    if how & UNREPAIRED != 0 {
        return check_unrepaired(&file);
    }
    let mut file = file;
    repair(&mut file, how & RECOUNTED != 0);
    match Table::new(&file[..]) {
        Ok(table) => check(&table),
        Err(error) => assert_one_line(error),
    }
}

/// Corrects the checksums. If `recount` is set, also corrects the histogram of a `u8` table.
pub(crate) fn repair(file: &mut [u8], recount: bool) {
    if file.len() < HEADER_LENGTH {
        return;
    }
    let (head, payload) = file.split_at_mut(HEADER_LENGTH);
    if recount {
        let mut counts = [0_u64; 256];
        for &byte in payload.iter().filter(|&&byte| byte != u8::MAX) {
            counts[usize::from(byte)] += 1;
        }
        let max = counts.iter().rposition(|&count| count > 0).unwrap_or(0) as u32;
        let reached: u64 = counts.iter().sum();
        head[REACHED..][..8].copy_from_slice(&reached.to_le_bytes());
        head[MAX..][..4].copy_from_slice(&max.to_le_bytes());
        for (place, count) in head[HISTOGRAM..].chunks_exact_mut(8).zip(counts) {
            place.copy_from_slice(&count.to_le_bytes());
        }
    }
    head[PAYLOAD_SUM..][..32].copy_from_slice(&Sha256::digest(payload));
    let sum = Sha256::digest(&head[..SUM]);
    head[SUM..].copy_from_slice(&sum);
}

/// Checks that the checksums detect every change, and that [`TableReader`] accepts every valid
/// table unchanged.
fn check_unrepaired(file: &[u8]) {
    /// Memory limit in bytes, more than any valid table needs.
    const MEMORY: u64 = 1 << 24;
    let sums = Table::new(file).and_then(|table| table.check_payload());
    let read = TableReader::new(file);
    let read = read.and_then(|reader| reader.read(Some(MEMORY), &(), &Cancel::default()));
    match (sums, &read) {
        (Ok(()), Ok(table)) => {
            assert!(
                TABLES.iter().any(|sound| sound == file),
                "a change was not detected"
            );
            assert_eq!(table.bytes(), file);
        }
        (Ok(()), Err(error)) => panic!("a valid table was rejected: {error}"),
        (Err(error), _) => assert_one_line(error),
    }
    if let Err(error) = read {
        assert_one_line(error);
    }
}

fn check(table: &Table<&[u8]>) {
    let header = table.header();
    assert_eq!(
        header.encode(),
        table.bytes()[..HEADER_LENGTH],
        "a header is written as it was read"
    );
    if let Err(error) = table.check_payload() {
        assert_one_line(error);
    }
    let stats = Stats::new(&header.histogram);
    assert_eq!(stats.max(), usize::from(header.histogram.max()));
    read(table);
    assert_judged_rightly(table);
    solve_with(table);
}

/// Reads entries throughout the table and past its end.
fn read(table: &Table<&[u8]>) {
    let entries = table.header().entries;
    let ranking = match table.ranking() {
        Ok(ranking) => ranking,
        Err(error) => return assert_one_line(error),
    };
    let id = table.id();
    let reindex = Reindex::for_tray(id.tray(), id.tiles().len());
    let row_entries = ranking.row_entries() as u64;
    for entry in (0..entries).step_by((entries / 16).max(1) as usize) {
        match table.header().encoding {
            Encoding::U8 => assert!(table.byte(entry).is_some()),
            Encoding::OneBit => {
                let (row, rank) = ((entry / row_entries) as usize, (entry % row_entries) as u32);
                let value = table.value_by_descent(&ranking, &reindex, row, rank);
                assert!(value.is_none_or(|value| value <= table.header().histogram.max()));
            }
            _ => assert!(table.mod3_code(entry).is_some()),
        }
    }
    assert_eq!(
        table.header().encoding.read(table.payload(), u64::MAX),
        None
    );
}

/// A goal, a heuristic with one of the valid tables, and a board.
struct Task {
    goal: Goal,
    spec: HeuristicSpec,
    board: Board,
}

static TASKS: LazyLock<Vec<Task>> = LazyLock::new(|| {
    let task = |(size, partition, board): (&str, &str, &str)| {
        let goal = Goal::blank_last(size.parse().expect("a size"));
        let board = board.parse().expect("a board");
        let specs = TableKind::ALL.map(|kind| {
            HeuristicSpec::builder(&goal)
                .kind(kind)
                .parse(partition)
                .expect("a partition")
        });
        specs.map(|spec| Task {
            goal: goal.clone(),
            spec,
            board: Board::clone(&board),
        })
    };
    let tasks = [
        ("3x2", "1,2,4/3,5", "3 2 1/5 4 0"),
        ("2x2", "1,2,3", "0 3/2 1"),
    ];
    tasks.into_iter().flat_map(task).collect()
});

/// Solves boards with a possibly wrong table. Each search must end, and its solution must lead to
/// the goal.
fn solve_with(table: &Table<&[u8]>) {
    for task in TASKS
        .iter()
        .filter(|task| task.spec.tables().contains(&table.id()))
    {
        let solver = Solver::with_tables(task.goal.clone(), task.spec.clone(), |id| {
            let bytes = if id == table.id() {
                table.bytes().to_vec()
            } else {
                let encoding = Encoding::default_for(id.kind());
                fresh(id, encoding).expect("it is small").to_vec()
            };
            Table::new(bytes).map_err(SolverError::from)
        });
        let solver = match solver {
            Ok(solver) => solver,
            Err(error) => return assert_one_line(error),
        };
        let options = SolveOptions::default().max_nodes(2000);
        match solver.solve_with(&task.board, &options) {
            Ok(solution) => {
                let end = task.board.play(&solution.moves);
                assert_eq!(end.as_ref(), Ok(task.goal.board()));
            }
            Err(error) => assert_one_line(error),
        }
    }
}
