//! The solver for WebAssembly: a few plain exports, no imports, texts through one buffer.
//!
//! An instance has one text and at most one solver. The caller asks for room with [`text_buffer`],
//! writes UTF-8 there and calls [`build`] or [`solve`]; the answer, a JSON object, takes the text's
//! place, at the address returned and [`text_length`] bytes long. The tables of the solver can be
//! read through [`table_bytes`]. `scripts/wasm-test.mjs` shows all of it.
//!
//! Who owns what: every byte belongs to the module, and nothing is ever freed by the caller. The
//! text stays where it is until the next call of [`text_buffer`], [`build`] or [`solve`], a table
//! until the next [`build`]. Any call may let the memory grow, which detaches JavaScript's views:
//! make a new one of `memory.buffer` after each call. Addresses and lengths are unsigned 32-bit
//! numbers (`>>> 0` in JavaScript).
//!
//! Bad input gives an answer with `"status":"error"`. A trap is a defect or the end of memory: drop
//! the instance.

use std::cell::RefCell;
use std::ptr;
use std::sync::Arc;

use pdb_gen::estimate_memory;
use pdb_table::{Control, Encoding, Table};
use puzzle::{Board, Goal, HeuristicSpec, Metric, Notation, Tray};
use serde::{Deserialize, Serialize};
use solver::{Mode, Report, Solver, SolverError};

/// Makes room for a text of `length` bytes and returns its address, null if there is not so much
/// memory. The caller writes the text there, all of it, before the next call.
// SAFETY: the name is exported on wasm only, where nothing else in the module has it.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn text_buffer(length: usize) -> *mut u8 {
    with(|facade| {
        facade.text = Vec::new();
        if facade.text.try_reserve_exact(length).is_err() {
            return ptr::null_mut();
        }
        facade.text.resize(length, 0);
        facade.text.as_mut_ptr()
    })
}

/// Bytes of the text: as asked for, or those of the answer to the last [`build`] or [`solve`].
// SAFETY: the name is exported on wasm only, where nothing else in the module has it.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn text_length() -> usize {
    with(|facade| facade.text.len())
}

/// Makes a solver with its tables in place of the last one, which is dropped first. The text is a
/// JSON object with the strings `size`, `goal` and `partition`, which mean what they mean on the
/// command line, defaults included: `{"size":"4x4","goal":"blank-last","partition":"6-6-3"}`.
/// Returns the address of the answer, `{"status":"built","tables":[{"file","length"},...]}` or
/// `{"status":"error","message"}`.
// SAFETY: the name is exported on wasm only, where nothing else in the module has it.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn build() -> *const u8 {
    with(|facade| facade.answer(Facade::build))
}

/// Solves the board that the text is. Returns the address of the answer, a [`Report`]: the object
/// of `solver --json`, with the status `solved`, `unsolvable` or `error`. `moves` are letters for
/// the way the tile goes, with counts, such as `U2RD`.
// SAFETY: the name is exported on wasm only, where nothing else in the module has it.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn solve() -> *const u8 {
    with(|facade| facade.answer(|facade, board| facade.solve(board)))
}

/// The address of a table's file, by its place in the answer to [`build`], which has its name and
/// length; null if there is no such table. Not to be written to.
// SAFETY: the name is exported on wasm only, where nothing else in the module has it.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn table_bytes(index: usize) -> *const u8 {
    with(|facade| {
        let table = facade.tables.get(index);
        table.map_or(ptr::null(), |table| table.bytes().as_ptr())
    })
}

/// Memory that the tables' builds may take by [`estimate_memory`]. The truth is up to three times
/// as much and the finished files, which still fits the 4 GiB that 32-bit addresses reach.
const MAX_MEMORY: u64 = 1 << 30;

/// Everything an instance has.
#[derive(Default)]
struct Facade {
    text: Vec<u8>,
    solver: Option<Solver>,
    tables: Vec<Table<SharedBytes>>,
}

/// The bytes of a table, which the solver and the caller both read.
#[derive(Clone)]
struct SharedBytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// What [`build`] is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    size: Option<String>,
    goal: Option<String>,
    partition: Option<String>,
}

/// What [`build`] gives back. Errors are [`Report`]s.
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
enum Reply {
    Built { tables: Vec<TableFile> },
}

/// A table by the name and the length of its file.
#[derive(Serialize)]
struct TableFile {
    file: String,
    length: usize,
}

thread_local! {
    static FACADE: RefCell<Facade> = RefCell::default();
}

fn with<R>(work: impl FnOnce(&mut Facade) -> R) -> R {
    FACADE.with_borrow_mut(work)
}

/// The line of an error.
fn line(error: impl ToString) -> String {
    error.to_string()
}

impl Facade {
    /// Puts the answer to the text in its place.
    fn answer<A: Serialize>(
        &mut self,
        work: impl FnOnce(&mut Self, &str) -> Result<A, String>,
    ) -> *const u8 {
        let text = String::from_utf8(std::mem::take(&mut self.text));
        let answer = text.map_err(line).and_then(|text| work(self, &text));
        // Strings and numbers can always be written as JSON.
        self.text = match answer {
            Ok(answer) => serde_json::to_vec(&answer),
            Err(message) => serde_json::to_vec(&Report::error(message)),
        }
        .unwrap_or_default();
        self.text.as_ptr()
    }

    fn build(&mut self, request: &str) -> Result<Reply, String> {
        (self.solver, self.tables) = (None, Vec::new());
        let request: Call = serde_json::from_str(request).map_err(line)?;
        let goal = request.goal()?;
        let default = HeuristicSpec::default_name(Metric::Single, goal.tray());
        let partition = request.partition.as_deref().unwrap_or(&default);
        let mut spec = HeuristicSpec::parse(partition, &goal).map_err(line)?;
        let fits = check_memory(&spec);
        if request.partition.is_none() && fits.is_err() {
            // Easy boards of large trays are solved without tables.
            spec = HeuristicSpec::parse("manhattan", &goal).map_err(line)?;
        } else {
            fits?;
        }

        let mut tables = Vec::new();
        let solver = Solver::with_tables(goal, spec, |id| {
            let built = pdb_gen::build(id, Encoding::default_for(id.kind()), &Control::default())?;
            let table = built.into_table();
            let table = table.map_data(|bytes| SharedBytes(Arc::new(bytes)));
            tables.push(table.clone());
            Ok::<_, SolverError>(table)
        });
        self.solver = Some(solver.map_err(line)?);
        self.tables = tables;
        let tables = self.tables.iter().map(|table| TableFile {
            file: table.id().name() + ".pdb",
            length: table.bytes().len(),
        });
        Ok(Reply::Built {
            tables: tables.collect(),
        })
    }

    fn solve(&self, board: &str) -> Result<Report, String> {
        let solver = self.solver.as_ref().ok_or("no solver was built")?;
        let board = Board::parse(board, Some(solver.goal().tray())).map_err(line)?;
        let result = solver.solve(&board);
        let report = Report::new(solver.goal(), &board, &result, Notation::Tile);
        Ok(report.with_mode(Mode::Optimal))
    }
}

impl Call {
    fn goal(&self) -> Result<Goal, String> {
        let size: Option<Tray> = match &self.size {
            Some(size) => Some(size.parse().map_err(line)?),
            None => None,
        };
        let goal = self.goal.as_deref().unwrap_or("blank-last");
        Goal::parse(goal, size).map_err(|error| format!("goal: {error}"))
    }
}

/// Refuses what would run out of memory, which traps.
fn check_memory(spec: &HeuristicSpec) -> Result<(), String> {
    let ids = spec.tables();
    let needs = ids
        .iter()
        .map(|id| estimate_memory(*id, Encoding::default_for(id.kind())));
    let needed: u64 = needs.sum();
    if needed <= MAX_MEMORY {
        return Ok(());
    }
    Err(format!(
        "the tables need more than {} MiB of memory to build, too much for WebAssembly: choose smaller parts",
        needed >> 20
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn call(facade: &mut Facade, text: &str, is_board: bool) -> Value {
        facade.text = text.into();
        if is_board {
            facade.answer(|facade, board| facade.solve(board));
        } else {
            facade.answer(Facade::build);
        }
        serde_json::from_slice(&facade.text).unwrap()
    }

    #[test]
    fn builds_and_solves() {
        let facade = &mut Facade::default();
        let request = r#"{"size":"3x3","goal":"blank-last","partition":"8"}"#;
        let built = call(facade, request, false);
        assert_eq!(built["status"], "built");
        assert_eq!(built["tables"][0]["length"], facade.tables[0].bytes().len());
        let answer = call(facade, "8 6 7/2 5 4/3 0 1", true);
        assert_eq!(
            (&answer["status"], &answer["length"]),
            (&json!("solved"), &json!(31))
        );
        let answer = call(facade, "1 2 3/4 5 6/8 7 0", true);
        assert_eq!(answer["status"], "unsolvable");
    }

    #[test]
    fn goals_show_their_size() {
        let facade = &mut Facade::default();
        let built = call(facade, r#"{"goal":"0 8 7/6 5 4/3 2 1"}"#, false);
        assert_eq!(built["tables"].as_array().unwrap().len(), 1);
        let answer = call(facade, "8 0 7/6 5 4/3 2 1", true);
        assert_eq!(
            (&answer["length"], &answer["moves"]),
            (&json!(1), &json!("R"))
        );
    }

    #[test]
    fn errors_are_answers() {
        let facade = &mut Facade::default();
        let error = |facade: &mut Facade, text, is_board| {
            let answer = call(facade, text, is_board);
            assert_eq!(answer["status"], "error", "{text}");
            answer["message"].as_str().unwrap().to_owned()
        };
        assert_eq!(error(facade, "1 2/3 0", true), "no solver was built");
        for (request, part) in [
            ("", "EOF"),
            (r#"{"sise":"4x4"}"#, "sise"),
            (r#"{"size":"4"}"#, "4"),
            (r#"{"goal":"what"}"#, "goal: "),
            (r#"{"partition":"6-6-4"}"#, "16 tiles"),
            (r#"{"partition":"12-3"}"#, "too much for WebAssembly"),
        ] {
            let message = error(facade, request, false);
            assert!(message.contains(part), "{message}");
        }
        facade.text = vec![0xff];
        facade.answer(Facade::build);
        assert!(String::from_utf8_lossy(&facade.text).contains("utf-8"));
    }
}
