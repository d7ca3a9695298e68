//! Export of tables for other programs: arrays and lists in the goal's orientation, with the tiles
//! in any order.
//!
//! `docs/export.md` describes the formats. For each exported entry, the cells are mapped to the
//! table's orientation, and the value is read from the table. The exported file is never held in
//! memory, so it can be many times larger than the table.

use std::io::{self, Write};

use puzzle::{
    Cell, CellSet, Goal, MAX_TILES, Pattern, PatternError, Ranking, Symmetry, TableId, TableKind,
    name_variants, rank_placement, unrank_permutation,
};

use crate::encoding::Encoding;
use crate::header::TableError;
use crate::table::Table;

/// The format of an exported file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// One byte per placement of the tiles, 255 if two tiles share a cell. With n cells and the
    /// tiles on p1, p2, ..., the byte is at `(p1 * n + p2) * n + ...`. For blank-compressed values
    /// only.
    Dense,
    /// One byte per entry in the order of `docs/ranking.md`, in the goal's orientation.
    Ranked,
    /// The array of [`Self::Dense`] with numpy's header. If values depend on the blank's cell, this
    /// cell is the last axis.
    Npy,
    /// One line per entry in the order of [`Self::Ranked`]. A line contains the cells of the tiles
    /// and of the blank, and the value.
    Csv,
}

name_variants! {
    "format", ExportFormat { Dense: "dense", Ranked: "ranked", Npy: "npy", Csv: "csv" }
}

/// Error of a table that cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The tiles are not a pattern of the goal.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A tile is listed twice.
    #[error("the tile of cell {} is listed twice", .0.index())]
    Twice(Cell),
    /// A dense array has no axis for the blank.
    #[error("the dense layout has no axis for the blank, on which {0} values depend")]
    Blank(TableKind),
    /// The file would be too large.
    #[error(
        "{format} would have {} GiB, more than {} GiB",
        length.div_ceil(1 << 30),
        Export::MAX_BYTES >> 30
    )]
    Bytes {
        /// The format.
        format: ExportFormat,
        /// Size of the file, in bytes.
        length: u64,
    },
    /// The list would be too long.
    #[error("csv would have {lines} lines, more than {}", Export::MAX_LINES)]
    Lines {
        /// Number of lines without the column names.
        lines: u64,
    },
    /// The table is damaged, or is not the table to be exported.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table does not have one byte per entry.
    #[error("cannot export a table of {0} values: u8 values are required")]
    Encoding(Encoding),
    /// An error of the writer.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Options of an export: the order of the tiles, and the format.
///
/// ```
/// use pdb_table::{Export, ExportFormat, Header, Table};
/// use puzzle::{Cell, Goal, TableKind};
///
/// // In the goal, the blank is on cell 0 and tile 1 on cell 1. In the table's orientation, the
/// // goal cell of tile 1 is cell 0.
/// let goal = Goal::blank_first("2x2".parse()?);
/// let tiles = vec![Cell::new(1)];
/// let export = Export::new(ExportFormat::Dense, TableKind::BlankCompressed, goal, tiles)?;
/// let values = [0, 1, 1, 2];
/// let header = Header::of_bytes(export.id(), &values);
/// let table = Table::new([&header.encode()[..], &values].concat())?;
/// let mut bytes = Vec::new();
/// export.write(&table, &mut bytes)?;
/// assert_eq!((export.axes(), bytes), (vec![4], vec![1, 0, 2, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Export {
    format: ExportFormat,
    goal: Goal,
    tiles: Vec<Cell>,
    id: TableId,
    symmetry: Symmetry,
}

impl Export {
    /// Maximum size of an array in bytes: 16 GiB. For n cells and k tiles, the size grows as n^k,
    /// much faster than the number of the table's entries.
    pub const MAX_BYTES: u64 = 16 << 30;
    /// Largest number of lines in a list.
    pub const MAX_LINES: u64 = 10_000_000;

    /// An export of the table of `tiles`. Tiles are named by their goal cells, and their order is
    /// the order of the axes or columns. Takes O(shapes) time for `csv`.
    ///
    /// # Errors
    /// [`ExportError`] if the tiles are not a pattern, or the format is not possible for the table.
    pub fn new(
        format: ExportFormat,
        kind: TableKind,
        goal: Goal,
        tiles: Vec<Cell>,
    ) -> Result<Self, ExportError> {
        let tray = goal.tray();
        Pattern::check_tray(tray)?;
        let mut set = CellSet::EMPTY;
        for &tile in &tiles {
            if tile > tray.last() {
                return Err(PatternError::Outside { cell: tile, tray }.into());
            }
            if set.contains(tile) {
                return Err(ExportError::Twice(tile));
            }
            set = set.with(tile);
        }
        let (id, symmetry) = Pattern::new(tray, set, goal.blank())?.table(kind);
        let export = Export {
            format,
            goal,
            tiles,
            id,
            symmetry,
        };
        export.check_size()?;
        Ok(export)
    }

    fn check_size(&self) -> Result<(), ExportError> {
        let format = self.format;
        let max = match format {
            ExportFormat::Dense if self.depends_on_blank() => {
                return Err(ExportError::Blank(self.id.kind()));
            }
            ExportFormat::Dense | ExportFormat::Npy => Self::MAX_BYTES,
            ExportFormat::Csv => Self::MAX_LINES,
            ExportFormat::Ranked => return Ok(()),
        };
        match (self.size(), format) {
            (size, _) if size <= max => Ok(()),
            (lines, ExportFormat::Csv) => Err(ExportError::Lines { lines }),
            (length, _) => Err(ExportError::Bytes { format, length }),
        }
    }

    /// Size of the file in bytes; for `csv`, the number of lines.
    fn size(&self) -> u64 {
        let (axes, k) = (self.axes(), self.tiles.len());
        let array = || axes.iter().map(|&cells| cells as u64).product::<u64>();
        match self.format {
            ExportFormat::Dense => array(),
            ExportFormat::Npy => npy_header(&axes).len() as u64 + array(),
            ExportFormat::Ranked | ExportFormat::Csv => {
                Ranking::count_entries(self.id.tray(), k, self.id.kind())
            }
        }
    }

    /// Size of the file in bytes; `None` for `csv`, whose size depends on the values. Takes
    /// O(shapes) time for `ranked`.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        (self.format != ExportFormat::Csv).then(|| self.size())
    }

    /// The required table, in [`Encoding::U8`].
    #[must_use]
    pub fn id(&self) -> TableId {
        self.id
    }

    /// The format.
    #[must_use]
    pub fn format(&self) -> ExportFormat {
        self.format
    }

    /// The goal cells of the tiles, in the order of the file's axes or columns.
    pub fn tiles(&self) -> &[Cell] {
        &self.tiles
    }

    /// Lengths of the array's axes. There is one axis per tile and, unless the table is
    /// blank-compressed, one for the blank. Each length is the number of cells. Lists do not use
    /// the axes.
    #[must_use]
    pub fn axes(&self) -> Vec<usize> {
        let blank = usize::from(self.depends_on_blank());
        vec![self.id.tray().cells(); self.tiles.len() + blank]
    }

    /// Whether values depend on the blank's cell.
    fn depends_on_blank(&self) -> bool {
        !self.id.kind().has_one_class()
    }

    /// Writes the file in O(bytes + entries x tiles) time. Allocates memory only for the table's
    /// ranking.
    ///
    /// # Errors
    /// [`ExportError`] if the table is not [`Self::id`] in [`Encoding::U8`], or the writer fails.
    pub fn write<D: AsRef<[u8]>>(
        &self,
        table: &Table<D>,
        to: &mut dyn Write,
    ) -> Result<(), ExportError> {
        table.check_id(self.id)?;
        if table.header().encoding != Encoding::U8 {
            return Err(ExportError::Encoding(table.header().encoding));
        }
        let view = ExportView::new(self, table.payload(), table.ranking()?);
        match self.format {
            ExportFormat::Dense => view.write_array(to)?,
            ExportFormat::Npy => {
                to.write_all(&npy_header(&self.axes()))?;
                view.write_array(to)?;
            }
            ExportFormat::Ranked => view.write_ranked(to)?,
            ExportFormat::Csv => view.write_csv(&self.goal, to)?,
        }
        Ok(())
    }
}

/// Byte of an impossible placement, such as two tiles on one cell.
const NO_POSITION: u8 = u8::MAX;

/// View of a table in the orientation of the export. Cells and tiles are mapped at each lookup.
struct ExportView<'a> {
    export: &'a Export,
    payload: &'a [u8],
    ranking: Ranking,
    /// The table's cell for each cell of the export.
    table_cells: Vec<Cell>,
}

/// The cell of each tile in the table's orientation, indexed by the tile's goal cell.
type Placement = [Cell; CellSet::MAX_CELLS];

const NOWHERE: Placement = [Cell::new(0); CellSet::MAX_CELLS];

impl<'a> ExportView<'a> {
    fn new(export: &'a Export, payload: &'a [u8], ranking: Ranking) -> Self {
        let tray = export.id.tray();
        let table_cells = tray.iter().map(|cell| export.symmetry.map(tray, cell));
        ExportView {
            export,
            payload,
            ranking,
            table_cells: table_cells.collect(),
        }
    }

    fn to_table(&self, cell: Cell) -> Cell {
        self.table_cells[cell.index()]
    }

    /// The shape of a placement, and the rank of the tiles' permutation on it.
    fn rank(&self, placement: &Placement) -> (CellSet, u32) {
        let place = |tile: Cell| placement[tile.index()];
        rank_placement(self.export.id.tiles(), place)
    }

    fn value(&self, shape_index: usize, rank: u32, blank: Cell) -> u8 {
        let row = self.ranking.row(shape_index, blank);
        self.payload[row * self.ranking.row_entries() + rank as usize]
    }

    fn write_array(&self, to: &mut dyn Write) -> io::Result<()> {
        self.write_axes(0, CellSet::EMPTY, &mut NOWHERE.clone(), to)
    }

    /// Writes the bytes of all placements in which the first `depth` tiles are on the cells that
    /// `placement` stores for them. `shape` is the set of these cells.
    fn write_axes(
        &self,
        depth: usize,
        shape: CellSet,
        placement: &mut Placement,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let tiles = &self.export.tiles;
        let axes = tiles.len() + usize::from(self.export.depends_on_blank());
        let cells = self.table_cells.len();
        let Some(&tile) = tiles.get(depth) else {
            let (shape, rank) = self.rank(placement);
            let shape_index = self.ranking.shape_index(shape);
            return self.write_line(shape, |blank| self.value(shape_index, rank, blank), to);
        };
        let tile = self.to_table(tile);
        if depth + 1 == axes {
            // The other tiles do not move here, so the rank depends only on the number of their
            // cells that precede the cell of the last tile.
            let mut ranks = [None; MAX_TILES];
            let value = |cell| {
                let rank = *ranks[shape.count_before(cell)].get_or_insert_with(|| {
                    placement[tile.index()] = cell;
                    self.rank(placement).1
                });
                let shape_index = self.ranking.shape_index(shape.with(cell));
                // The table is blank-compressed: the row is the same for every cell of the blank,
                // so any cell is correct here.
                self.value(shape_index, rank, cell)
            };
            return self.write_line(shape, value, to);
        }
        for &cell in &self.table_cells {
            if shape.contains(cell) {
                let left = cells.pow((axes - depth - 1) as u32) as u64;
                io::copy(&mut io::Read::take(io::repeat(NO_POSITION), left), to)?;
            } else {
                placement[tile.index()] = cell;
                self.write_axes(depth + 1, shape.with(cell), placement, to)?;
            }
        }
        Ok(())
    }

    /// Writes one byte per cell of the array's last axis: [`NO_POSITION`] for a cell in `shape`,
    /// otherwise the cell's `value`.
    fn write_line(
        &self,
        shape: CellSet,
        mut value: impl FnMut(Cell) -> u8,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let mut line = [NO_POSITION; CellSet::MAX_CELLS];
        for (byte, &cell) in line.iter_mut().zip(&self.table_cells) {
            if !shape.contains(cell) {
                *byte = value(cell);
            }
        }
        to.write_all(&line[..self.table_cells.len()])
    }

    /// Visits the export's entries in order. `visit` receives the cells of the tiles, the cells of
    /// the blank, and the value.
    fn each_entry(
        &self,
        mut visit: impl FnMut(&[Cell], CellSet, u8) -> io::Result<()>,
    ) -> io::Result<()> {
        let tray = self.export.id.tray();
        let tiles: CellSet = self.export.tiles.iter().copied().collect();
        let tiles: Vec<Cell> = tiles.iter().map(|tile| self.to_table(tile)).collect();
        let (mut order, mut cells) = (vec![0; tiles.len()], vec![Cell::new(0); tiles.len()]);
        let mut placement = NOWHERE;
        // The export has the same rows as the table, because the symmetry does not change the size
        // of the tray, the kind or the number of tiles.
        for row in 0..self.ranking.rows() {
            let (shape, blanks) = self.ranking.row_shape(row);
            let shape: Vec<Cell> = shape.iter().collect();
            let blank = self.to_table(blanks.lowest().unwrap_or(tray.last()));
            for rank in 0..self.ranking.row_entries() as u32 {
                unrank_permutation(rank, &mut order);
                for (&number, &cell) in order.iter().zip(&shape) {
                    let number = usize::from(number);
                    cells[number] = cell;
                    placement[tiles[number].index()] = self.to_table(cell);
                }
                let (shape, rank) = self.rank(&placement);
                let shape_index = self.ranking.shape_index(shape);
                visit(&cells, blanks, self.value(shape_index, rank, blank))?;
            }
        }
        Ok(())
    }

    fn write_ranked(&self, to: &mut dyn Write) -> io::Result<()> {
        if self.export.symmetry == Symmetry::Identity {
            return to.write_all(self.payload);
        }
        self.each_entry(|_, _, value| to.write_all(&[value]))
    }

    /// Writes a line of column names, then one line per entry. The column name `tileN` contains the
    /// number N on the tile. Cells are numbered from 0.
    fn write_csv(&self, goal: &Goal, to: &mut dyn Write) -> io::Result<()> {
        let tiles = &self.export.tiles;
        for &tile in tiles {
            write!(to, "tile{},", goal.number_at(tile))?;
        }
        let has_blank = self.export.depends_on_blank();
        writeln!(to, "{}value", if has_blank { "blank," } else { "" })?;
        let set: CellSet = tiles.iter().copied().collect();
        let columns: Vec<usize> = tiles.iter().map(|&tile| set.count_before(tile)).collect();
        self.each_entry(|cells, blanks, value| {
            for &column in &columns {
                write!(to, "{},", cells[column].index())?;
            }
            if has_blank {
                for (number, cell) in blanks.iter().enumerate() {
                    let space = if number > 0 { " " } else { "" };
                    write!(to, "{space}{}", cell.index())?;
                }
                to.write_all(b",")?;
            }
            match value {
                NO_POSITION => writeln!(to),
                value => writeln!(to, "{value}"),
            }
        })
    }
}

/// The header of numpy's format 1.0: magic, version, length, a Python dictionary, and spaces that
/// align the data to 64 bytes.
fn npy_header(axes: &[usize]) -> Vec<u8> {
    let axes: Vec<String> = axes.iter().map(|axis| format!("{axis},")).collect();
    let axes = axes.join(" ");
    let mut text = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({axes}), }}");
    const START: usize = 10;
    while (START + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    // The text contains at most 13 axis lengths of two digits each, so 16 bits are sufficient for
    // the length of the text.
    let length = (text.len() as u16).to_le_bytes();
    [&b"\x93NUMPY\x01\x00"[..], &length, text.as_bytes()].concat()
}
