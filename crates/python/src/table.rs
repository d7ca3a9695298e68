//! The class `Table`.

use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;

use numpy::ndarray::ArrayView1;
use numpy::{Element, PyArray1};
use pdb_gen::RayonExecutor;
use pdb_table::{Compression, Encoding, TableDirectory, hex, pack, write_table};
use puzzle::{CellSet, Goal, HeuristicSpec, Pattern, Symmetry, TableId, TableKind};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};
use session::{Cancel, Failure};
use solver::SharedTable;

use crate::board::{read_board, read_goal};
use crate::error::CallError;
use crate::job::{Job, PyCancel, Work, on_threads};
use crate::lookup::{Lookup, TableView};
use crate::session::read_bytes;
use crate::tables::{
    ZSTD_LEVEL, build_table, check_pack_memory, decode, in_pieces, open_table, table_of_bytes,
    verify_tables, write_file,
};
use crate::value::{Numbers, named, wrong_type};

/// A pattern database: a lower bound of the number of moves for every position of a pattern's
/// tiles.
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
/// Boards are looked up for one pattern: the tiles `tiles` of the goal `goal`. A pattern, its
/// mirror images and its rotations have the same table. The cells in the table's `name` show the
/// orientation in which the entries are stored. Tables are equal if their entries are equal, even
/// if their goals differ.
#[pyclass(frozen, eq, hash, module = "sliding_tile_pdb", name = "Table")]
#[derive(Debug)]
pub(crate) struct PyTable {
    pub(crate) table: SharedTable,
    view: TableView,
    /// The file from which the table was opened, if any.
    #[pyo3(get)]
    pub(crate) path: Option<PathBuf>,
    /// Created at the first look-up.
    lookup: OnceLock<Lookup>,
}

impl PyTable {
    /// A table with the goal and orientation of `view`.
    pub(crate) fn new(table: SharedTable, view: TableView, path: Option<PathBuf>) -> PyTable {
        PyTable {
            table,
            view,
            path,
            lookup: OnceLock::new(),
        }
    }

    /// A table in its stored orientation.
    pub(crate) fn stored(table: SharedTable, path: Option<PathBuf>) -> PyTable {
        let view = TableView::stored(table.id());
        PyTable::new(table, view, path)
    }

    /// The boards as a contiguous array of bytes.
    fn array_of<'py>(&self, boards: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let tray = self.table.id().tray();
        let array = boards
            .py()
            .import("sliding_tile_pdb._board")?
            .getattr("array_of")?;
        array.call1((boards, tray.width(), tray.height()))
    }

    fn lookup(&self) -> Result<&Lookup, CallError> {
        if let Some(lookup) = self.lookup.get() {
            return Ok(lookup);
        }
        let lookup = Lookup::new(&self.table, &self.view)?;
        Ok(self.lookup.get_or_init(|| lookup))
    }

    /// Looks up boards: up to `FEW` boards on the calling thread, more on another thread. `boards`
    /// are the numbers of one board after the other.
    fn look_up<N: Element + Send + 'static>(
        this: &Bound<'_, Self>,
        boards: &Bound<'_, PyAny>,
        cancel: Option<&Bound<'_, PyCancel>>,
        work: impl FnOnce(&Lookup, &SharedTable, &[u8], &Cancel) -> Result<Vec<N>, CallError>
        + Send
        + 'static,
    ) -> PyResult<Py<PyAny>> {
        /// Number of boards whose look-up takes a millisecond or less.
        const FEW: usize = 10_000;
        let (py, own) = (this.py(), this.get());
        let boards = Numbers::<u8>::of(boards)?;
        let number = boards.get().len() / own.table.id().tray().cells();
        // The first look-up creates the ranking, which can take long. That look-up therefore runs
        // on another thread.
        if let Some(lookup) = own.lookup.get().filter(|_| number <= FEW) {
            let cancel = cancel
                .map(|cancel| cancel.get().0.clone())
                .unwrap_or_default();
            let numbers = boards.get();
            let found = py.detach(|| work(lookup, &own.table, numbers, &cancel))?;
            return Ok(PyArray1::from_vec(py, found).into_any().unbind());
        }
        let this = this.clone().unbind();
        let work = move |control: &Work| {
            let own = this.get();
            work(own.lookup()?, &own.table, boards.get(), &control.cancel)
        };
        let finish = |py: Python<'_>, found| Ok(PyArray1::from_vec(py, found).into_any().unbind());
        Job::start(cancel, work, finish)?.wait(py, None)
    }

    /// Starts work that makes a table.
    fn made(
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
        work: impl FnOnce(&Work) -> Result<PyTable, CallError> + Send + 'static,
    ) -> PyResult<Py<PyAny>> {
        let finish = |py: Python<'_>, table| Ok(Py::new(py, table)?.into_any());
        Job::start(cancel, work, finish)?.wait(py, progress)
    }

    /// A read-only array over bytes of the table. The array keeps the table alive.
    #[allow(unsafe_code, reason = "the array does not own its bytes")]
    fn array<'py>(this: &Bound<'py, Self>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        // Without this line, the first use of a missing numpy would panic.
        this.py().import("numpy")?;
        let container = this.clone().into_any();
        // SAFETY: the bytes belong to the table, which the array keeps alive. They never change:
        // nothing writes to them, and the code below makes the array read-only. The table is not a
        // buffer, so numpy cannot make the array writable again.
        let array = unsafe { PyArray1::borrow_from_array(&ArrayView1::from(bytes), container) };
        let array = array.into_any();
        array.call_method1("setflags", (false,))?;
        Ok(array)
    }
}

/// The path of a file, as `pathlib.Path`.
pub(crate) fn path_object(py: Python<'_>, path: PathBuf) -> PyResult<Py<PyAny>> {
    Ok(path.into_pyobject(py)?.into_any().unbind())
}

/// The goal cells of tiles, from a text such as `1,2,5,6`, or from numbers.
fn read_tiles(tiles: &Bound<'_, PyAny>, goal: &Goal) -> PyResult<CellSet> {
    let text = match tiles.cast::<PyString>() {
        Ok(text) => text.to_cow()?.into_owned(),
        Err(_) => {
            let expected = "tiles are a text such as `1,2,3`, or their numbers";
            let Ok(items) = tiles.try_iter() else {
                return Err(wrong_type(expected, tiles));
            };
            // Iterators can be infinite; no tray has that number of tiles.
            let numbers = items.take(CellSet::MAX_CELLS + 1);
            let numbers = numbers.map(|number| Ok(number?.str()?.to_string()));
            numbers.collect::<PyResult<Vec<_>>>()?.join(",")
        }
    };
    let cells = HeuristicSpec::parse_tiles(&text, goal).map_err(CallError::input);
    Ok(cells?.into_iter().collect())
}

/// The pattern of tiles of a goal.
fn read_pattern(tiles: &Bound<'_, PyAny>, goal: &Goal) -> PyResult<Pattern> {
    let pattern = Pattern::new(goal.tray(), read_tiles(tiles, goal)?, goal.blank());
    Ok(pattern.map_err(CallError::input)?)
}

#[pymethods]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
impl PyTable {
    /// Builds the table of these tiles in memory. The default encoding depends on the kind. With
    /// the encoding `u8`, `values` provides the values as an array.
    ///
    /// - `tiles`: the numbers on the pattern's tiles, as a text `"1,2,5"` or a list.
    /// - `size`: columns x rows, as `"4x4"` or `(4, 4)`; by default that of the goal, else 4x4.
    /// - `goal`: `blank-last` (default), `blank-first`, `snail`, `columns`, a board or a `Goal`.
    /// - `kind`: kind of the table: `zero-aware` (default), `blank-compressed`, `full` or `runs`.
    /// - `encoding`: `one-bit`, `mod-3` or `u8`; the default depends on the kind.
    /// - `threads`: number of threads, at most one per core; 0 (default) is one per core.
    /// - `progress`: a class of progress bars such as tqdm, a bar, or a function that takes
    ///   `Progress`.
    /// - `cancel`: a `Cancel`, which cancels the call from another thread.
    #[classmethod]
    #[pyo3(signature = (
        tiles, size = None, *, goal = None, kind = "zero-aware", encoding = None, threads = 0,
        progress = None, cancel = None
    ))]
    fn build(
        class: &Bound<'_, PyType>,
        tiles: &Bound<'_, PyAny>,
        size: Option<&Bound<'_, PyAny>>,
        goal: Option<&Bound<'_, PyAny>>,
        kind: &str,
        encoding: Option<&str>,
        threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let goal = read_goal(size, goal)?;
        let kind: TableKind = named(kind)?;
        let pattern = read_pattern(tiles, &goal)?;
        let encoding = match encoding {
            Some(name) => named(name)?,
            None => Encoding::default_for(kind),
        };
        let (id, _) = pattern.table(kind);
        let view = TableView::of_pattern(&goal, &pattern, kind);
        PyTable::made(class.py(), progress, cancel, move |work| {
            let control = work.entries("build", 0, id.entries());
            let table = on_threads(threads, || build_table(id, encoding, &control))?;
            Ok(PyTable::new(table, view, None))
        })
    }

    /// Maps a `.pdb` file, or reads a `.pdb.zst` file into memory. Checks every checksum unless
    /// `check` is False. A mapped file must not be truncated, or the system ends the process.
    /// `save` and `build` replace files and never truncate them.
    ///
    /// - `path`: the path of the file or directory.
    /// - `check`: whether the checksums of the file are checked (default: yes).
    #[classmethod]
    #[pyo3(signature = (path, *, check = true))]
    fn open(class: &Bound<'_, PyType>, path: PathBuf, check: bool) -> PyResult<Py<PyAny>> {
        PyTable::made(class.py(), None, None, move |work| {
            let table = open_table(&path, check, &work.cancel)?;
            Ok(PyTable::stored(table, Some(path)))
        })
    }

    /// Reads the table from the bytes of a table file (`.pdb` or `.pdb.zst`) or of a packed table.
    /// Every checksum is checked.
    #[classmethod]
    fn from_bytes(class: &Bound<'_, PyType>, data: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Some(data) = read_bytes(data)? else {
            return Err(wrong_type("data are bytes", data));
        };
        PyTable::made(class.py(), None, None, move |work| {
            let table = on_threads(0, || table_of_bytes(data, &work.cancel))?;
            Ok(PyTable::stored(table, None))
        })
    }

    /// Writes the table's file atomically. If `path` is a directory, the file is created there with
    /// the table's name. Returns the path of the file. If Ctrl-C ends the process, a file
    /// `.unfinished-*` can remain. The next call that writes to the directory removes it.
    ///
    /// - `path`: the path of the file or directory.
    /// - `compress`: whether the file is compressed with zstd (default: no).
    #[pyo3(signature = (path, *, compress = false))]
    fn save(&self, py: Python<'_>, mut path: PathBuf, compress: bool) -> PyResult<Py<PyAny>> {
        let header = self.table.header();
        if path.is_dir() {
            path = TableDirectory::new(path).file(header.id, header.encoding, compress);
        }
        let table = self.table.clone();
        let work = move |work: &Work| {
            let cancel = &work.cancel;
            if !compress {
                write_file(&path, table.bytes(), cancel)?;
                return Ok(path);
            }
            let header = table.header().clone();
            let compression = Compression::Zstd(ZSTD_LEVEL);
            let payload = |file: &mut dyn Write| in_pieces(file, table.payload(), cancel);
            match write_table(&path, compression, payload, |_| header) {
                Err(_) if cancel.is_cancelled() => Err(Failure::cancelled().into()),
                written => Ok(written.map(|_| path)?),
            }
        };
        Job::start(None, work, path_object)?.wait(py, None)
    }

    /// The bytes of the table's file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.table.bytes())
    }

    /// Packs the table. The result is 3 to 20 times smaller than a table with one bit per entry. A
    /// larger `fixed` divides the table into more and smaller frames, which need more bytes in
    /// total.
    ///
    /// - `fixed`: number of tiles that keep their cells within a frame. The default depends on the size.
    /// - `threads`: number of threads, at most one per core; 0 (default) is one per core.
    /// - `cancel`: a `Cancel`, which cancels the call from another thread.
    #[pyo3(signature = (*, fixed = None, threads = 0, cancel = None))]
    fn pack(
        &self,
        py: Python<'_>,
        fixed: Option<usize>,
        threads: usize,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let table = self.table.clone();
        let work = move |work: &Work| {
            check_pack_memory(&table, fixed, threads)?;
            table.check_payload_unless(&work.cancel)?;
            on_threads(threads, || {
                Ok(pack(&table, fixed, &RayonExecutor, &work.cancel)?)
            })
        };
        let finish =
            |py: Python<'_>, packed: Vec<u8>| Ok(PyBytes::new(py, &packed).into_any().unbind());
        Job::start(cancel, work, finish)?.wait(py, None)
    }

    /// Proves every entry by the moves of the puzzle, or raises TableError.
    ///
    /// - `threads`: number of threads, at most one per core; 0 (default) is one per core.
    /// - `progress`: a class of progress bars such as tqdm, a bar, or a function that takes
    ///   `Progress`.
    /// - `cancel`: a `Cancel`, which cancels the call from another thread.
    #[pyo3(signature = (*, threads = 0, progress = None, cancel = None))]
    fn verify(
        &self,
        py: Python<'_>,
        threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        verify_tables(vec![self.table.clone()], threads, cancel)?.wait(py, progress)
    }

    /// A copy of the table with one byte per entry, so that `values` can be read. If the entries
    /// are bytes already, returns the table itself.
    #[pyo3(signature = (*, cancel = None))]
    fn decode(this: &Bound<'_, Self>, cancel: Option<&Bound<'_, PyCancel>>) -> PyResult<Py<PyAny>> {
        let own = this.get();
        if own.table.header().encoding == Encoding::U8 {
            return Ok(this.clone().into_any().unbind());
        }
        let (table, view) = (own.table.clone(), own.view.clone());
        PyTable::made(this.py(), None, cancel, move |work| {
            Ok(PyTable::new(decode(&table, &work.cancel)?, view, None))
        })
    }

    /// This table for look-ups of boards with another goal. `tiles` selects a pattern of that goal.
    /// By default, a pattern whose values are in this table is selected.
    ///
    /// - `goal`: `blank-last` (default), `blank-first`, `snail`, `columns`, a board or a `Goal`.
    /// - `tiles`: the numbers on the pattern's tiles, as a text `"1,2,5"` or a list.
    #[pyo3(signature = (goal, tiles = None))]
    fn for_goal(
        &self,
        goal: &Bound<'_, PyAny>,
        tiles: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyTable> {
        let (id, size) = (self.table.id(), self.table.id().tray());
        let given = size.to_string().into_pyobject(goal.py())?.into_any();
        let goal = read_goal(Some(&given), Some(goal))?;
        let serves = |pattern: &Pattern| pattern.table(id.kind()).0 == id;
        let pattern = match tiles {
            Some(tiles) => Some(read_pattern(tiles, &goal)?).filter(serves),
            None => Symmetry::of(size).find_map(|symmetry| {
                let tiles = id.tiles().map(symmetry, size);
                let pattern = Pattern::new(size, tiles, goal.blank()).ok();
                pattern.filter(serves)
            }),
        };
        let Some(pattern) = pattern else {
            let name = id.name();
            return Err(CallError::input(format!(
                "{name} does not serve this pattern of the goal {goal}: build a new table"
            ))
            .into());
        };
        let view = TableView::of_pattern(&goal, &pattern, id.kind());
        Ok(PyTable::new(self.table.clone(), view, self.path.clone()))
    }

    /// Name, such as `4x4-zero-aware-1.2.3.4.5.6-blank0`.
    #[getter]
    fn name(&self) -> String {
        self.table.id().name()
    }

    /// The goal whose boards can be looked up in the table.
    #[getter]
    fn goal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let goal = &self.view.goal;
        let class = py.import("sliding_tile_pdb._board")?.getattr("Goal")?;
        class.call1((goal.to_string(), goal.tray().to_string()))
    }

    /// The numbers on the pattern's tiles, ascending.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.view.numbers())
    }

    /// Columns x rows.
    #[getter]
    fn size(&self) -> String {
        self.table.id().tray().to_string()
    }

    /// Kind of the table, which determines the moves that the values count: `zero-aware`,
    /// `blank-compressed`, `full` or `runs`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.table.id().kind().name()
    }

    /// Representation of the table's entries: `one-bit`, `mod-3` or `u8`.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.table.header().encoding.name()
    }

    /// Number of entries.
    #[getter]
    fn entries(&self) -> u64 {
        self.table.header().entries
    }

    /// Number of reachable entries.
    #[getter]
    fn reached(&self) -> u64 {
        self.table.header().reached()
    }

    /// The largest value.
    #[getter]
    fn max(&self) -> u8 {
        self.table.header().histogram.max()
    }

    /// Number of reachable entries by value, from 0 to `max`.
    #[getter]
    fn histogram<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.table.header().histogram.counts())
    }

    /// Size of the payload in bytes.
    #[getter]
    fn nbytes(&self) -> u64 {
        self.table.header().payload_length()
    }

    /// SHA-256 of the payload, hexadecimal.
    #[getter]
    fn sha256(&self) -> String {
        hex(&self.table.header().payload_sha256)
    }

    /// A read-only array of all values by entry number (docs/ranking.md), 255 for unreachable
    /// entries. The array uses the table's own bytes. Only for the encoding `u8`; for other tables,
    /// call `decode()` first.
    #[getter]
    fn values<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let table = &this.get().table;
        match table.header().encoding {
            Encoding::U8 => PyTable::array(this, table.payload()),
            encoding => Err(CallError::input(format!(
                "a {encoding} table does not have one byte per value: use table.decode().values, \
                 or table.payload for the stored bytes"
            ))
            .into()),
        }
    }

    /// A read-only array of the stored bytes, for every encoding. The array uses the table's own
    /// bytes.
    #[getter]
    fn payload<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        PyTable::array(this, this.get().table.payload())
    }

    /// The values of many boards, 255 for unreachable entries.
    ///
    /// Raises InputError if a board is invalid. A look-up takes about 20 ns per board with a byte
    /// table, and about a microsecond with a one-bit table.
    ///
    /// - `boards`: any iterable of boards, or an array of shape (n, cells) or (n, rows, columns), best
    ///   of uint8.
    /// - `cancel`: a `Cancel`, which cancels the call from another thread.
    #[pyo3(name = "lookup", signature = (boards, *, cancel = None))]
    fn look_up_values(
        this: &Bound<'_, Self>,
        boards: &Bound<'_, PyAny>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let boards = &this.get().array_of(boards)?;
        PyTable::look_up(this, boards, cancel, |lookup, table, boards, token| {
            lookup.values(table, boards, token)
        })
    }

    /// The entry numbers of many boards; `values[entries_of(boards)]` contains the boards' values.
    ///
    /// - `boards`: any iterable of boards, or an array of shape (n, cells) or (n, rows, columns), best
    ///   of uint8.
    /// - `cancel`: a `Cancel`, which cancels the call from another thread.
    #[pyo3(signature = (boards, *, cancel = None))]
    fn entries_of(
        this: &Bound<'_, Self>,
        boards: &Bound<'_, PyAny>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let boards = &this.get().array_of(boards)?;
        PyTable::look_up(this, boards, cancel, |lookup, _, boards, token| {
            lookup.entries(boards, token)
        })
    }

    /// The value of one board; None for an unreachable entry.
    fn value(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
        let board = read_board(board, Some(self.table.id().tray()))?.board;
        let numbers: Vec<u8> = board.numbers().iter().map(|&number| number as u8).collect();
        let found = py.detach(|| {
            let cancel = Cancel::default();
            self.lookup()?.values(&self.table, &numbers, &cancel)
        });
        let value = found?.first().copied();
        Ok(value.filter(|&value| value != u8::MAX))
    }

    /// The table's properties as a dict: the JSON object that `pdb-gen info --json` prints.
    fn to_dict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let described = self.table.header().describe(self.path.as_deref());
        let json = serde_json::to_string(&described).unwrap_or_default();
        Ok(py
            .import("json")?
            .getattr("loads")?
            .call1((json,))?
            .unbind())
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
}

impl PyTable {
    /// Key for equality and hashing.
    fn key(&self) -> (TableId, Encoding, &[u8; 32]) {
        let header = self.table.header();
        (header.id, header.encoding, &header.payload_sha256)
    }
}

impl PartialEq for PyTable {
    fn eq(&self, other: &PyTable) -> bool {
        self.key() == other.key()
    }
}

impl Hash for PyTable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
