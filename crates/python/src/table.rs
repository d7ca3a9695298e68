//! Tables, as Python sees them.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use numpy::PyArray1;
use numpy::ndarray::ArrayView1;
use pdb_gen::{RayonExecutor, TooLarge, build, free_memory, verify};
use pdb_table::{
    AtomicFile, Compression, Encoding, PackMethod, TableDirectory, TableError, TableFile,
    TableReader, decode_one_bit, hex, pack, pack_memory, size, write_table,
};
use puzzle::{CellSet, Goal, HeuristicSpec, Pattern, Symmetry, TableId, TableKind};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};
use solver::{Cancel, Control, SharedTable, number_of_threads};

use crate::arguments::{
    Whole, named, read_board, read_bytes, read_fixed, read_path, read_size_and_goal, read_threads,
    read_tile, wrong_type,
};
use crate::board::{equality, hash_of};
use crate::boards_array::{BoardArray, need_numpy, read_boards_array};
use crate::call::{Caller, on_threads};
use crate::cancel::PyCancel;
use crate::failure::{Failure, OrRaise as _};
use crate::goal::PyGoal;
use crate::lookup::Lookup;
use crate::parameters::parameter;
use crate::progress::{Counter, Listener, Stage};
use crate::results::{plain, to_json};

/// From where a table is seen.
#[derive(Clone, Debug)]
pub(crate) struct View {
    goal: Goal,
    /// The tiles, by goal cell.
    tiles: CellSet,
    /// Brings the pattern to the table's orientation.
    symmetry: Symmetry,
}

impl View {
    /// As the table is stored: its tiles are those of a goal that counts from 1.
    fn stored(id: TableId) -> View {
        let blank = id.blank().lowest().unwrap_or(id.tray().last());
        View {
            goal: Goal::with_blank(id.tray(), blank),
            tiles: id.tiles(),
            symmetry: Symmetry::IDENTITY,
        }
    }

    /// As a pattern of a goal.
    pub(crate) fn of_pattern(goal: &Goal, pattern: &Pattern, kind: TableKind) -> View {
        View {
            goal: goal.clone(),
            tiles: pattern.tiles(),
            symmetry: pattern.table(kind).1,
        }
    }

    /// As the first pattern of a specification that a table serves; as it is stored if it serves
    /// none.
    pub(crate) fn of_spec(goal: &Goal, spec: &HeuristicSpec, id: TableId) -> View {
        let mut patterns = spec.patterns();
        let found = patterns.find(|(pattern, kind)| pattern.table(*kind).0 == id);
        match found {
            Some((pattern, kind)) => View::of_pattern(goal, &pattern, kind),
            None => View::stored(id),
        }
    }

    /// The numbers on the tiles, ascending.
    fn numbers(&self) -> Vec<u16> {
        let mut numbers: Vec<u16> = self.tiles.iter().map(|t| self.goal.number_at(t)).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// A pattern database: for some tiles, how many moves they at least take from everywhere.
///
/// >>> from sliding_tile_pdb import Table
/// >>> table = Table.build([1, 2, 3, 4], "3x3", encoding="u8")
/// >>> table.name, table.entries, table.max
/// ('3x3-zero-aware-0.1.2.3-blank4', 5520, 15)
/// >>> table.values.flags.writeable
/// False
/// >>> table.value("8 6 7/2 5 4/3 0 1")
/// 14
/// >>> table.lookup([[8, 6, 7, 2, 5, 4, 3, 0, 1], [1, 2, 3, 4, 5, 6, 7, 8, 0]])
/// array([14,  0], dtype=uint8)
///
/// `tiles` and `goal` say what the table is looked up for; the entries are stored in an orientation
/// of their own, that of `name`, which all mirror images and rotations of a pattern share. Tables
/// are equal where their entries are, whatever goal they are seen from.
#[pyclass(frozen, module = "sliding_tile_pdb", name = "Table")]
#[derive(Debug)]
pub(crate) struct PyTable {
    table: SharedTable,
    view: View,
    path: Option<PathBuf>,
    /// Made when boards are looked up for the first time.
    lookup: OnceLock<Arc<Lookup>>,
}

/// Refuses what would run out of memory.
fn check_memory(what: &str, verb: &str, needed: u64) -> Result<(), Failure> {
    match free_memory().filter(|&free| needed > free) {
        None => Ok(()),
        Some(free) => Err(Failure::memory(format!(
            "{what} needs about {} of memory to {verb}, and {} are free: choose smaller parts, or \
             make memory free",
            size(needed),
            size(free)
        ))),
    }
}

/// Builds a table in memory, if it fits.
pub(crate) fn build_table(
    id: TableId,
    encoding: Encoding,
    cancel: &Cancel,
    counter: &Arc<Counter>,
    before: u64,
) -> Result<SharedTable, Failure> {
    TooLarge::check(id, encoding, free_memory())?;
    let built = build(id, encoding, &counter.control(cancel, before))?;
    Ok(built.into_table().shared())
}

/// The table in bytes, those of a table file or of a packed table. All sums are checked.
pub(crate) fn table_of_bytes<'a>(
    bytes: impl Into<Cow<'a, [u8]>>,
    cancel: &Cancel,
) -> Result<SharedTable, Failure> {
    Ok(TableReader::new(bytes)?.read(free_memory(), &RayonExecutor, cancel)?)
}

/// Opens a table file and, if wanted, checks every sum.
pub(crate) fn open_table(
    path: &Path,
    is_checked: bool,
    cancel: &Cancel,
) -> Result<SharedTable, Failure> {
    let table = TableFile::open(path)?;
    let refused = |error: TableError| Failure::table(format!("{}: {error}", path.display()));
    table.check_entries().map_err(refused)?;
    if is_checked {
        table.check_payload_unless(cancel).map_err(refused)?;
        // A table whose check was cancelled may be damaged.
        if cancel.is_cancelled() {
            return Err(Failure::cancelled());
        }
    }
    Ok(table.shared())
}

/// Writes bytes, until the call is cancelled.
fn in_pieces(file: &mut dyn Write, bytes: &[u8], cancel: &Cancel) -> io::Result<()> {
    /// Bytes between two looks at the token.
    const PIECE: usize = 1 << 20;
    for piece in bytes.chunks(PIECE) {
        if cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        file.write_all(piece)?;
    }
    Ok(())
}

/// Writes a file, whole or not at all; not at all if the call is cancelled meanwhile.
pub(crate) fn write_file(path: &Path, bytes: &[u8], cancel: &Cancel) -> Result<(), Failure> {
    let mut whole = AtomicFile::create(path)?;
    let file = whole.file_mut();
    let written = in_pieces(file, bytes, cancel).and_then(|()| file.sync_all());
    if cancel.is_cancelled() {
        return Err(Failure::cancelled());
    }
    written.map_err(|error| Failure::system(path, error))?;
    Ok(whole.finish()?)
}

impl PyTable {
    /// A table as seen from somewhere.
    pub(crate) fn new(table: SharedTable, view: View, path: Option<PathBuf>) -> PyTable {
        PyTable {
            table,
            view,
            path,
            lookup: OnceLock::new(),
        }
    }

    /// A table as it is stored.
    pub(crate) fn stored(table: SharedTable, path: Option<PathBuf>) -> PyTable {
        let view = View::stored(table.id());
        PyTable::new(table, view, path)
    }

    pub(crate) fn table(&self) -> &SharedTable {
        &self.table
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn lookup(&self) -> Result<Arc<Lookup>, Failure> {
        if let Some(lookup) = self.lookup.get() {
            return Ok(Arc::clone(lookup));
        }
        let View {
            goal,
            tiles,
            symmetry,
        } = &self.view;
        let lookup = Arc::new(Lookup::new(&self.table, goal, *tiles, *symmetry)?);
        Ok(Arc::clone(self.lookup.get_or_init(|| lookup)))
    }

    /// Does a look-up of many boards: on the calling thread if they are few.
    fn look_up<T: Send + 'static>(
        this: &Bound<'_, Self>,
        boards: &Bound<'_, PyAny>,
        cancel: Option<&Bound<'_, PyCancel>>,
        work: impl FnOnce(&Lookup, &SharedTable, &[u8], &Cancel) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        /// A look-up of so many boards takes a millisecond or less.
        const FEW: usize = 10_000;
        let py = this.py();
        need_numpy(py)?;
        let own = this.get();
        let tray = own.table.id().tray();
        let boards: BoardArray = read_boards_array(boards, tray)?;
        let table = own.table.clone();
        let caller = Caller::new(cancel.map(|cancel| cancel.get().token()));
        let token = caller.cancel.clone();
        let number = boards.bytes().len() / tray.cells();
        // The ranking of a large tray takes a moment to make.
        match own.lookup.get() {
            Some(lookup) if number <= FEW => {
                let lookup = Arc::clone(lookup);
                py.detach(|| work(&lookup, &table, boards.bytes(), &token))
                    .or_raise(py)
            }
            _ => {
                let this = this.clone().unbind();
                caller.run_quietly(py, move || {
                    let lookup = this.get().lookup()?;
                    work(&lookup, &table, boards.bytes(), &token)
                })
            }
        }
    }

    /// A read-only array over bytes of the table, which keeps it.
    fn array<'py>(this: &Bound<'py, Self>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        need_numpy(this.py())?;
        let container = this.clone().into_any();
        // SAFETY: the bytes are the table's, which the array keeps alive, and which never change:
        // nothing writes to them, and below the array loses its permission to. The table is no
        // buffer, so that numpy never gives the permission back.
        let array = unsafe { PyArray1::borrow_from_array(&ArrayView1::from(bytes), container) };
        let array = array.into_any();
        array.call_method1("setflags", (false,))?;
        Ok(array)
    }
}

/// The goal cells of tiles, from a text such as `1,2,5,6` or numbers.
fn read_tiles(tiles: &Bound<'_, PyAny>, goal: &Goal) -> PyResult<CellSet> {
    let text = match tiles.cast::<PyString>() {
        Ok(text) => text.to_cow()?.into_owned(),
        Err(_) => {
            let expected = "tiles are a text such as `1,2,3`, or their numbers";
            let Ok(items) = tiles.try_iter() else {
                return Err(wrong_type(expected, tiles));
            };
            let mut numbers: Vec<String> = Vec::new();
            // Iterators may have no end; no tray has so many tiles.
            for number in items.take(CellSet::MAX_CELLS + 1) {
                numbers.push(read_tile(&number?)?.to_string());
            }
            numbers.join(",")
        }
    };
    let cells = HeuristicSpec::parse_tiles(&text, goal).map_err(Failure::input);
    Ok(cells.or_raise(tiles.py())?.into_iter().collect())
}

#[pymethods]
impl PyTable {
    /// Builds the table of these tiles in memory. By default the encoding is the kind's usual one;
    /// the values of a table of the encoding `u8` are an array.
    ///
    #[doc = parameter!(tiles)]
    #[doc = parameter!(size)]
    #[doc = parameter!(goal)]
    #[doc = parameter!(kind)]
    #[doc = parameter!(encoding)]
    #[doc = parameter!(threads)]
    #[doc = parameter!(progress)]
    #[doc = parameter!(cancel)]
    #[classmethod]
    #[pyo3(signature = (
        tiles, size = None, *, goal = None, kind = "zero-aware", encoding = None, threads = 0,
        progress = None, cancel = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn build(
        class: &Bound<'_, PyType>,
        tiles: &Bound<'_, PyAny>,
        size: Option<&Bound<'_, PyAny>>,
        goal: Option<&Bound<'_, PyAny>>,
        kind: &str,
        encoding: Option<&str>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<PyTable> {
        let py = class.py();
        let goal = read_size_and_goal(py, size, goal)?;
        let kind: TableKind = named(py, kind)?;
        let pattern = Pattern::new(goal.tray(), read_tiles(tiles, &goal)?, goal.blank());
        let pattern = pattern.map_err(Failure::input).or_raise(py)?;
        let encoding = match encoding {
            Some(name) => named(py, name)?,
            None => Encoding::default_for(kind),
        };
        let (id, _) = pattern.table(kind);
        let counter = Arc::new(Counter::default());
        let listener = Listener::new(progress, &counter, Stage::BUILD, Some(id.entries()))?;
        let caller = Caller::new(cancel.map(|cancel| cancel.get().token()));
        let token = caller.cancel.clone();
        let table = caller.listening(listener).run_quietly(py, move || {
            on_threads(threads, || build_table(id, encoding, &token, &counter, 0))
        })?;
        Ok(PyTable::new(
            table,
            View::of_pattern(&goal, &pattern, kind),
            None,
        ))
    }

    /// Maps a table file (`.pdb`; `.pdb.zst` is read into memory), and checks every sum unless
    /// `check` is False. The file must not become shorter while it is mapped: the system would end
    /// the process. `save` and `build` replace files and never shorten them.
    ///
    #[doc = parameter!(path)]
    #[doc = parameter!(check)]
    #[classmethod]
    #[pyo3(signature = (path, *, check = true))]
    fn open(class: &Bound<'_, PyType>, path: &Bound<'_, PyAny>, check: bool) -> PyResult<PyTable> {
        let path = read_path(path)?;
        let (of, caller) = (path.clone(), Caller::default());
        let token = caller.cancel.clone();
        let work = move || open_table(&of, check, &token);
        let table = caller.run_quietly(class.py(), work)?;
        Ok(PyTable::stored(table, Some(path)))
    }

    /// The table in these bytes, those of a table file (`.pdb` or `.pdb.zst`) or of a packed table.
    /// Every sum is checked.
    #[classmethod]
    fn from_bytes(class: &Bound<'_, PyType>, data: &Bound<'_, PyAny>) -> PyResult<PyTable> {
        let Some(data) = read_bytes(data)? else {
            return Err(wrong_type("data are bytes", data));
        };
        let caller = Caller::default();
        let token = caller.cancel.clone();
        let work = move || on_threads(0, || table_of_bytes(data, &token));
        let table = caller.run_quietly(class.py(), work)?;
        Ok(PyTable::stored(table, None))
    }

    /// Writes the table's file, whole or not at all; into a directory under its own name. Returns
    /// the path. A process that ends by Ctrl-C meanwhile may leave a file `.unfinished-*`, which
    /// the next call that writes there removes.
    ///
    #[doc = parameter!(path)]
    #[doc = parameter!(compress)]
    #[pyo3(signature = (path, *, compress = false))]
    fn save(&self, py: Python<'_>, path: &Bound<'_, PyAny>, compress: bool) -> PyResult<PathBuf> {
        let mut path = read_path(path)?;
        let header = self.table.header();
        if path.is_dir() {
            path = TableDirectory::new(path).file(header.id, header.encoding, compress);
        }
        let (table, to) = (self.table.clone(), path.clone());
        let caller = Caller::default();
        let token = caller.cancel.clone();
        caller.run_quietly(py, move || match compress {
            false => write_file(&to, table.bytes(), &token),
            true => {
                let header = table.header().clone();
                let compression = Compression::Zstd(ZSTD_LEVEL);
                let payload = |file: &mut dyn Write| in_pieces(file, table.payload(), &token);
                match write_table(&to, compression, payload, |_| header) {
                    Err(_) if token.is_cancelled() => Err(Failure::cancelled()),
                    written => written.map(drop).map_err(Failure::from),
                }
            }
        })?;
        Ok(path)
    }

    /// The bytes of the table's file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.table.bytes())
    }

    /// The table packed: 3 to 20 times smaller than one bit an entry. `fixed` tiles keep their
    /// cells throughout a frame: more make smaller frames, and more bytes.
    ///
    #[doc = parameter!(fixed)]
    #[doc = parameter!(threads)]
    #[doc = parameter!(cancel)]
    #[pyo3(signature = (*, fixed = None, threads = 0, cancel = None))]
    fn pack<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = read_fixed)] fixed: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let caller = Caller::new(cancel.map(|cancel| cancel.get().token()));
        let (table, token) = (self.table.clone(), caller.cancel.clone());
        let fixed = fixed.map(Whole::index);
        let packed = caller.run_quietly(py, move || {
            check_pack_memory(&table, fixed, threads)?;
            table.check_payload_unless(&token)?;
            on_threads(threads, || Ok(pack(&table, fixed, &RayonExecutor, &token)?))
        })?;
        Ok(PyBytes::new(py, &packed))
    }

    /// Proves every entry by the puzzle's moves, or raises TableError.
    ///
    #[doc = parameter!(threads)]
    #[doc = parameter!(progress)]
    #[doc = parameter!(cancel)]
    #[pyo3(signature = (*, threads = 0, progress = None, cancel = None))]
    fn verify(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<()> {
        verify_tables(py, vec![self.table.clone()], threads, progress, cancel)
    }

    /// The same table with a byte an entry, whose `values` can be read; itself if it has.
    #[pyo3(signature = (*, cancel = None))]
    fn decode(
        this: &Bound<'_, Self>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyTable>> {
        let py = this.py();
        let own = this.get();
        let table = own.table.clone();
        if table.header().encoding == Encoding::U8 {
            return Ok(this.clone().unbind());
        }
        let caller = Caller::new(cancel.map(|cancel| cancel.get().token()));
        let token = caller.cancel.clone();
        let decoded = caller.run_quietly(py, move || decode(&table, &token))?;
        Py::new(py, PyTable::new(decoded, own.view.clone(), None))
    }

    /// The same table as seen from another goal whose pattern it serves: of these tiles, or of the
    /// first that there are.
    ///
    #[doc = parameter!(goal)]
    #[doc = parameter!(tiles)]
    #[pyo3(signature = (goal, tiles = None))]
    fn for_goal(
        &self,
        py: Python<'_>,
        goal: &Bound<'_, PyAny>,
        tiles: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyTable> {
        let (id, size) = (self.table.id(), self.table.id().tray());
        let goal = crate::arguments::read_goal(py, Some(goal), Some(size))?;
        let view = match tiles {
            Some(tiles) => {
                let pattern = Pattern::new(size, read_tiles(tiles, &goal)?, goal.blank());
                let pattern = pattern.map_err(Failure::input).or_raise(py)?;
                let serves = pattern.table(id.kind()).0 == id;
                serves.then(|| View::of_pattern(&goal, &pattern, id.kind()))
            }
            None => Symmetry::of(size).find_map(|symmetry| {
                let tiles = id.tiles().map(symmetry, size);
                let pattern = Pattern::new(size, tiles, goal.blank()).ok()?;
                let serves = pattern.table(id.kind()).0 == id;
                serves.then(|| View::of_pattern(&goal, &pattern, id.kind()))
            }),
        };
        let view = view.ok_or_else(|| {
            let name = id.name();
            Failure::input(format!(
                "{name} serves no such pattern of the goal {goal}: build a table of its own"
            ))
        });
        let view = view.or_raise(py)?;
        Ok(PyTable::new(self.table.clone(), view, self.path.clone()))
    }

    /// What it is called, such as `4x4-zero-aware-1.2.3.4.5.6-blank0`.
    #[getter]
    fn name(&self) -> String {
        self.table.id().name()
    }

    /// Its file, if it was opened from one.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.path.clone()
    }

    /// The goal that it is seen from.
    #[getter]
    fn goal(&self) -> PyGoal {
        PyGoal::new(self.view.goal.clone())
    }

    /// The numbers on its tiles in that goal, ascending.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.view.numbers())
    }

    /// Columns x rows.
    #[getter]
    fn size(&self) -> String {
        self.table.id().tray().to_string()
    }

    /// What its values count: `zero-aware`, `blank-compressed`, `full` or `runs`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.table.id().kind().name()
    }

    /// How its entries are represented: `one-bit`, `mod-3` or `u8`.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.table.header().encoding.name()
    }

    /// Number of entries.
    #[getter]
    fn entries(&self) -> u64 {
        self.table.header().entries
    }

    /// Entries that some position has.
    #[getter]
    fn reached(&self) -> u64 {
        self.table.header().reached()
    }

    /// The largest value.
    #[getter]
    fn max(&self) -> u8 {
        self.table.header().histogram.max()
    }

    /// Reached entries by value, from 0 to `max`.
    #[getter]
    fn histogram<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.table.header().histogram.counts())
    }

    /// Bytes of the payload.
    #[getter]
    fn nbytes(&self) -> u64 {
        self.table.header().payload_length()
    }

    /// Checksum of the payload, hexadecimal.
    #[getter]
    fn sha256(&self) -> String {
        hex(&self.table.header().payload_sha256)
    }

    /// All values, by number of entry (docs/ranking.md), 255 for unreachable ones: a read-only
    /// array over the table's own bytes. Of tables with the encoding `u8` alone; others `decode()`.
    #[getter]
    fn values<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let table = &this.get().table;
        match table.header().encoding {
            Encoding::U8 => PyTable::array(this, table.payload()),
            encoding => Err(Failure::input(format!(
                "a {encoding} table has no byte for each value: see table.decode().values, or \
                 table.payload for the bytes as they are"
            )))
            .or_raise(this.py()),
        }
    }

    /// The bytes of the payload, in any encoding: a read-only array over the table's own.
    #[getter]
    fn payload<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        PyTable::array(this, this.get().table.payload())
    }

    /// The value for each of many boards, 255 for unreachable entries.
    ///
    /// Every board is checked. A table of bytes takes some 20 ns a board, one of bits about a
    /// microsecond.
    ///
    #[doc = parameter!(boards)]
    #[doc = parameter!(cancel)]
    #[pyo3(name = "lookup", signature = (boards, *, cancel = None))]
    fn look_up_values<'py>(
        this: &Bound<'py, Self>,
        boards: &Bound<'_, PyAny>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let values = PyTable::look_up(this, boards, cancel, |lookup, table, boards, token| {
            lookup.values(table, boards, token)
        })?;
        Ok(PyArray1::from_vec(this.py(), values))
    }

    /// The number of the entry for each of many boards: `values[entries_of(boards)]`.
    ///
    #[doc = parameter!(boards)]
    #[doc = parameter!(cancel)]
    #[pyo3(signature = (boards, *, cancel = None))]
    fn entries_of<'py>(
        this: &Bound<'py, Self>,
        boards: &Bound<'_, PyAny>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let entries = PyTable::look_up(this, boards, cancel, |lookup, _, boards, token| {
            lookup.entries(boards, token)
        })?;
        Ok(PyArray1::from_vec(this.py(), entries))
    }

    /// The value for one board; None for an unreachable entry.
    fn value(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
        let board = read_board(board, Some(self.table.id().tray()))?;
        let numbers: Vec<u8> = board.numbers().iter().map(|&number| number as u8).collect();
        let found = py.detach(|| {
            let cancel = Cancel::default();
            self.lookup()?.values(&self.table, &numbers, &cancel)
        });
        let value = found.or_raise(py)?.first().copied();
        Ok(value.filter(|&value| value != u8::MAX))
    }

    /// The object of `pdb-gen info --json`.
    fn to_dict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let described = self.table.header().describe(self.file());
        plain(py, &to_json(&described).or_raise(py)?)
    }

    fn __repr__(&self) -> String {
        let numbers: Vec<String> = self.view.numbers().iter().map(u16::to_string).collect();
        format!(
            "Table({}, {}, tiles {} of the goal {})",
            self.name(),
            self.encoding(),
            numbers.join(","),
            self.view.goal
        )
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, op: CompareOp) -> Py<PyAny> {
        let other = other.cast::<PyTable>();
        let other = other.as_ref().map(|other| other.get()).ok();
        equality(py, other.map(|other| self.key() == other.key()), op)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.key())
    }
}

/// How hard compressed files are compressed: as `pdb-gen --compress` does.
pub(crate) const ZSTD_LEVEL: i32 = 9;

impl PyTable {
    /// What tables that are equal have in common.
    fn key(&self) -> (TableId, Encoding, [u8; 32]) {
        let header = self.table.header();
        (header.id, header.encoding, header.payload_sha256)
    }
}

/// Refuses a table that is too large to pack.
pub(crate) fn check_pack_memory(
    table: &SharedTable,
    fixed: Option<usize>,
    threads: usize,
) -> Result<(), Failure> {
    let header = table.header();
    let fixed = fixed.map(|fixed| fixed.min(PackMethod::max_fixed(header.id.tiles().len())));
    let needed = pack_memory(header, fixed, number_of_threads(threads));
    check_memory(&header.id.name(), "pack", needed)
}

/// The same table with a byte an entry.
fn decode(table: &SharedTable, cancel: &Cancel) -> Result<SharedTable, Failure> {
    let (id, header) = (table.id(), table.header());
    check_memory(&id.name(), "decode", 2 * header.entries)?;
    if header.encoding == Encoding::OneBit {
        return Ok(decode_one_bit(table, cancel)?.shared());
    }
    // Modulo 3 there is no telling from one entry: it is built again, and compared.
    let control = Control::stopped_by(cancel);
    let built = build(id, Encoding::U8, &control)?.into_table();
    for (entry, &value) in (0..).zip(built.payload()) {
        if !table.entry_matches(entry, (value != u8::MAX).then_some(value)) {
            return Err(Failure::table(format!(
                "{}: entry {entry} is wrong",
                id.name()
            )));
        }
    }
    Ok(built.shared())
}

/// Proves tables, one after the other, each on all threads.
pub(crate) fn verify_tables(
    py: Python<'_>,
    tables: Vec<SharedTable>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<()> {
    let total = tables.iter().map(|table| table.header().entries).sum();
    let counter = Arc::new(Counter::default());
    let listener = Listener::new(progress, &counter, Stage::VERIFY, Some(total))?;
    let caller = Caller::new(cancel.map(|cancel| cancel.get().token()));
    let token = caller.cancel.clone();
    caller.listening(listener).run_quietly(py, move || {
        on_threads(threads, || {
            let mut before = 0;
            for table in &tables {
                let proved = verify(table, &counter.control(&token, before));
                proved.map_err(|error| match Failure::from(error) {
                    Failure::Message(kind, message) => {
                        Failure::Message(kind, format!("{}: {message}", table.id().name()))
                    }
                    failure => failure,
                })?;
                before += table.header().entries;
                counter.reach(before);
            }
            Ok(())
        })
    })
}
