//! Forecast of memory and time for building a table.
//!
//! Memory is computed from the sweep's allocations, which follow from the number of rows and the
//! number of edges (moves from row to row). Time comes from a model of the sweep's work, scaled to
//! the machine by [`Calibration`]. A forecast takes O(shapes) time and constant memory.

use pdb_table::{Encoding, HEADER_LENGTH, size};
use puzzle::{Metric, Pattern, Ranking, TableId, TableKind, Tray, binomial, factorial};

use crate::sweep::multi_sweep::BlankStep;
use crate::sweep::row_graph::Edge;
use crate::sweep::scatter::{Word, words_of_row};

/// Forecast of building one table.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Forecast {
    /// Identity of the table.
    pub id: TableId,
    /// Encoding of the table.
    pub encoding: Encoding,
    /// Number of entries.
    pub entries: u64,
    /// Size of the file, in bytes.
    pub file: u64,
    /// Peak memory of the process during the build, in bytes.
    pub memory: u64,
    /// Seconds for building and writing.
    pub seconds: f64,
}

/// Speed of a machine at building tables.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Calibration {
    /// Sweep time on this machine, divided by the sweep time on one core of the machine on which
    /// the model was measured.
    pub sweep: f64,
    /// Bytes per second that the disk writes durably.
    pub disk: f64,
}

// The constants in seconds were measured on one core of the machine of docs/experiments.md.
/// Seconds per entry of the sweep.
const PER_ENTRY: f64 = 1.7e-9;
/// Seconds per edge and entry. An edge is a move into a row; its time is proportional to the row's
/// entries.
const PER_EDGE: f64 = 0.085e-9;
/// Seconds per byte of recorded values; only tables with one byte per entry record them.
const PER_BYTE: f64 = 2.2e-9;
/// Seconds per row.
const PER_ROW: f64 = 0.5e-6;
/// Seconds per byte of memory at its first access.
const PER_TOUCH: f64 = 1.2e-9;
/// Seconds per byte of the file for the checksum and the write calls. More threads do not reduce
/// this time.
const PER_FILE_BYTE: f64 = 2e-9;

/// Memory of a process that builds the smallest table, in bytes. Includes program, stacks and
/// buffers.
const PROCESS: u64 = 5 << 20;

impl Forecast {
    /// Forecast for one table.
    #[must_use]
    pub fn new(id: TableId, encoding: Encoding, calibration: &Calibration) -> Self {
        let sizes = Sizes::of(id);
        let file = HEADER_LENGTH as u64 + encoding.payload_length(id.entries());
        let writing = file as f64 * (PER_FILE_BYTE + 1.0 / calibration.disk);
        let seconds = sizes.seconds(encoding) * calibration.sweep + writing;
        Forecast {
            id,
            encoding,
            entries: id.entries(),
            file,
            memory: sizes.memory(encoding),
            seconds,
        }
    }
}

/// Estimated seconds of the sweep on one core of the machine on which the model was measured.
#[cfg(feature = "file")]
pub(crate) fn model_seconds(id: TableId, encoding: Encoding) -> f64 {
    Sizes::of(id).seconds(encoding)
}

/// Peak memory for building the table, in bytes.
#[must_use]
pub fn estimate_memory(id: TableId, encoding: Encoding) -> u64 {
    Sizes::of(id).memory(encoding)
}

/// Cautious estimate of the seconds for building the table on `threads` cores of a current machine.
#[must_use]
pub fn estimate_seconds(id: TableId, threads: usize) -> f64 {
    /// Factor for slower machines and for work that is not parallel.
    const MARGIN: f64 = 3.0;
    let encoding = Encoding::default_for(id.kind());
    let one_core = Sizes::of(id).seconds(encoding);
    one_core * MARGIN / threads.max(1) as f64
}

/// Largest number of tiles for which a table of this kind can be built in `memory` bytes, if any.
#[must_use]
pub fn max_tiles(tray: Tray, kind: TableKind, encoding: Encoding, memory: u64) -> Option<usize> {
    let tiles = 1..=Pattern::max_tiles(tray);
    tiles
        .take_while(|&tiles| Sizes::new(tray, tiles, kind).memory(encoding) <= memory)
        .last()
}

/// Numbers of shapes, rows and edges in the sweep for a table. An edge is a move from row to row.
struct Sizes {
    tiles: usize,
    kind: TableKind,
    shapes: u64,
    rows: u64,
    edges: u64,
}

impl Sizes {
    fn of(id: TableId) -> Self {
        Sizes::new(id.tray(), id.tiles().len(), id.kind())
    }

    fn new(tray: Tray, tiles: usize, kind: TableKind) -> Self {
        let (cells, width, height) = (tray.cells(), tray.width(), tray.height());
        // A tile moves between two neighbouring cells, one in the shape and one outside; the other
        // cells of the shape are arbitrary. In a full-cost table the blank also moves between two
        // neighbouring cells that are both outside the shape.
        let steps = 2 * ((width - 1) * height + (height - 1) * width) as u64;
        let mut edges = steps * binomial(cells - 2, tiles - 1);
        if kind.has_blank() {
            edges += steps * binomial(cells - 2, tiles);
        }
        Sizes {
            tiles,
            kind,
            shapes: binomial(cells, tiles),
            rows: Ranking::count_rows(tray, tiles, kind.swept()),
            edges,
        }
    }

    fn row_entries(&self) -> u64 {
        factorial(self.tiles).into()
    }

    fn memory(&self, encoding: Encoding) -> u64 {
        let row_bytes = (words_of_row(self.row_entries() as usize) * size_of::<Word>()) as u64;
        let recorded = match encoding {
            _ if self.kind.is_minimum() => self.shapes * self.row_entries(),
            // No records: the payload is one of the planes.
            Encoding::OneBit => 0,
            Encoding::Mod3 => self.rows * self.row_entries().div_ceil(8) * 2,
            Encoding::U8 => self.rows * self.row_entries(),
        };
        // The graph needs 16 bytes per row: number, first edge, state. It needs 20 bytes per shape:
        // mask and first row in the ranking, first row and shape number in the colour class. It
        // needs 8 bytes per region that is not the last of its shape. The block tables of the
        // scatter need 1 MiB. The run tables of about twelve pairs of positions together need 2
        // bytes per entry of a row.
        let regions = match self.kind.has_blank() {
            true => 0,
            false => self.rows - self.shapes,
        };
        // Bit strings per row: two planes, and in the multi-tile metric a copy of the frontier.
        let (strings, edge_bytes) = match self.kind.metric() {
            Metric::Single => (2, size_of::<Edge>()),
            Metric::Multi => (3, size_of::<BlankStep>()),
        };
        let edges = self.edges * edge_bytes as u64;
        let graph = self.rows * 16 + self.shapes * 20 + regions * 8 + edges;
        let scatter = (1 << 20) + 2 * self.row_entries();
        let bytes = PROCESS + strings * self.rows * row_bytes + recorded + graph + scatter;
        // The system allocates in larger units than requested.
        bytes + bytes / 64
    }

    fn seconds(&self, encoding: Encoding) -> f64 {
        let (rows, row_entries) = (self.rows as f64, self.row_entries() as f64);
        let bytes = match encoding == Encoding::U8 {
            true => rows * row_entries,
            false => 0.0,
        };
        let by_row = rows * (PER_ENTRY * row_entries + PER_ROW);
        let by_byte = bytes * PER_BYTE + self.memory(encoding) as f64 * PER_TOUCH;
        by_row + self.edges as f64 * row_entries * PER_EDGE + by_byte
    }
}

/// A table, or the missing tables of a partition, need more memory than is free.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not enough memory: building {name} needs about {}, {} are free: choose {}, or free memory",
    size(*needed), size(*free),
    max_tiles.map_or("smaller parts".to_owned(), |tiles| format!("parts of at most {tiles} tiles"))
)]
#[non_exhaustive]
pub struct TooLarge {
    /// The table or the partition.
    pub name: String,
    /// Bytes needed, by [`estimate_memory`].
    pub needed: u64,
    /// Bytes free.
    pub free: u64,
    /// Largest number of tiles of a table of this kind that fits in the free memory. `None` if no
    /// such table fits, and for partitions.
    pub max_tiles: Option<usize>,
}

impl TooLarge {
    /// Rejects a table whose build needs more than `free` bytes. If `free` is `None` (unknown),
    /// every table is accepted.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn check(id: TableId, encoding: Encoding, free: Option<u64>) -> Result<(), TooLarge> {
        let name = id.name();
        TooLarge::refuse(&name, estimate_memory(id, encoding), free).map_err(|refused| TooLarge {
            max_tiles: max_tiles(id.tray(), id.kind(), encoding, refused.free),
            ..refused
        })
    }

    /// Rejects a partition whose tables need more than `free` bytes. If `free` is `None`, every
    /// partition is accepted.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn refuse(name: &str, needed: u64, free: Option<u64>) -> Result<(), TooLarge> {
        match free.filter(|&free| needed > free) {
            None => Ok(()),
            Some(free) => Err(TooLarge {
                name: name.to_owned(),
                needed,
                free,
                max_tiles: None,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecast(size: &str, tiles: usize, kind: TableKind, encoding: Encoding) -> Forecast {
        let tray: Tray = size.parse().unwrap();
        let pattern = Pattern::new(tray, tray.iter().take(tiles).collect(), tray.last());
        Forecast::new(pattern.unwrap().table(kind).0, encoding, &Calibration::UNIT)
    }

    /// Expected values come from a separate program that counts the rows cell by cell.
    #[test]
    fn forecasts_follow_the_model() {
        let (additive, minimum) = (TableKind::ZeroAware, TableKind::BlankCompressed);
        for (size, tiles, kind, encoding, entries, file, memory, sweep) in [
            (
                "4x4",
                6,
                additive,
                Encoding::OneBit,
                11_816_640,
                1_481_176,
                10_577_190,
                0.046_867_991_2,
            ),
            (
                "4x4",
                6,
                additive,
                Encoding::Mod3,
                11_816_640,
                2_958_256,
                13_577_508,
                0.050_468_372_8,
            ),
            (
                "3x3",
                4,
                TableKind::FullCost,
                Encoding::U8,
                15_120,
                19_216,
                6_436_730,
                0.008_101_471_2,
            ),
            (
                "4x3",
                5,
                minimum,
                Encoding::U8,
                95_040,
                99_136,
                6_623_211,
                0.009_565_609_2,
            ),
        ] {
            let it = forecast(size, tiles, kind, encoding);
            assert_eq!((it.entries, it.file), (entries, file), "{size} {kind}");
            assert_eq!(it.memory, memory, "{size} {kind}");
            assert_eq!(estimate_memory(it.id, encoding), memory);
            let seconds = sweep + file as f64 * PER_FILE_BYTE;
            let differs = (it.seconds / seconds - 1.0).abs();
            assert!(
                differs < 1e-9,
                "{size} {kind}: {} and {seconds}",
                it.seconds
            );
        }
    }

    #[test]
    fn calibration_scales_sweep_and_disk_time() {
        let id = forecast("4x4", 6, TableKind::ZeroAware, Encoding::OneBit).id;
        let seconds = |sweep, disk| {
            let calibration = Calibration { sweep, disk };
            Forecast::new(id, Encoding::OneBit, &calibration).seconds
        };
        let (once, never) = (seconds(1.0, f64::INFINITY), seconds(0.0, f64::INFINITY));
        assert!((seconds(3.0, f64::INFINITY) - never - 3.0 * (once - never)).abs() < 1e-9);
        assert!((seconds(0.0, 1e6) - never - 1.481_176).abs() < 1e-9);
        let usual = estimate_seconds(id, 1);
        assert!((usual - 3.0 * (once - never)).abs() < 1e-9);
        assert!((estimate_seconds(id, 4) - usual / 4.0).abs() < 1e-9);
        assert!((estimate_seconds(id, 0) - usual).abs() < 1e-9);
    }

    #[test]
    fn max_tiles_is_the_largest_pattern_that_fits() {
        let (tray, kind) = ("4x4".parse().unwrap(), TableKind::ZeroAware);
        let most = |memory| max_tiles(tray, kind, Encoding::OneBit, memory);
        assert_eq!(most(10_577_190), Some(6));
        assert_eq!(most(10_577_189), Some(5));
        assert_eq!(most(1 << 20), None);
    }
}
