//! Parser of heuristics: names, lists of tiles and drawn partitions become checked patterns.

use std::fmt::Display;

use super::{HeuristicSpec, SMALL_CELLS, portable_sizes};
use crate::cell_set::CellSet;
use crate::goal::{Goal, PORTABLE_NAMES, PRESETS};
use crate::names::{join, printable, printable_sign};
use crate::partition::{Partition, PartitionError};
use crate::partition_picture::PartitionPicture;
use crate::pattern::{Pattern, PatternError};
use crate::ranking::{MAX_TILES, Ranking};
use crate::symmetry::Symmetry;
use crate::table_kind::{Metric, TableKind};
use crate::tray::{Cell, Direction, Tray};

/// Builder of a [`HeuristicSpec`]: set the metric or kind, add files, then [`parse`](Self::parse).
///
/// ```
/// use puzzle::{Goal, HeuristicSpec, Metric};
/// let goal = Goal::blank_last("2x2".parse()?);
/// let multi = HeuristicSpec::builder(&goal).metric(Metric::Multi).parse_default()?;
/// assert_eq!(multi.tables().len(), 1);
/// let drawn = HeuristicSpec::builder(&goal).file("mine.txt", Ok("a b\na .".to_owned()));
/// assert_eq!(drawn.parse("mine.txt")?.partitions()[0].patterns().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct HeuristicSpecBuilder<'a> {
    goal: &'a Goal,
    kind: TableKind,
    files: Vec<(String, Result<String, String>)>,
}

impl HeuristicSpec {
    /// A builder for a goal. It accepts any kind of table, any metric, and partitions from files.
    pub fn builder(goal: &Goal) -> HeuristicSpecBuilder<'_> {
        HeuristicSpecBuilder {
            goal,
            kind: TableKind::ZeroAware,
            files: Vec::new(),
        }
    }

    /// Reads a list of tile numbers, such as `1,2,5,6`; returns their goal cells in the same order.
    /// A 0 for the blank is accepted, because a pattern always includes the blank.
    pub fn parse_tiles(text: &str, goal: &Goal) -> Result<Vec<Cell>, PartitionError> {
        let tray = goal.tray();
        let mut tiles: Vec<Cell> = Vec::new();
        let words = text.split(|c: char| c == ',' || c.is_whitespace());
        for word in words.filter(|word| !word.is_empty()) {
            let Ok(number) = word.parse::<u32>() else {
                return PartitionError::other(format!(
                    "`{}` in the list of tiles is not a number",
                    printable(word)
                ));
            };
            let short = u16::try_from(number).unwrap_or(u16::MAX);
            match goal.cell_of(short) {
                _ if number == 0 => {}
                Some(tile) if tiles.contains(&tile) => return PartitionError::twice(short),
                Some(tile) => tiles.push(tile),
                None => {
                    return PartitionError::other(format!(
                        "{number} in the list is not a tile of a {tray} board (1 to {})",
                        tray.last()
                    ));
                }
            }
        }
        Ok(tiles)
    }
}

impl HeuristicSpecBuilder<'_> {
    /// Sets the kind of the tables, and thereby the metric. In the single-tile metric, the name
    /// `fringe` always stands for a full-cost table.
    pub fn kind(self, kind: TableKind) -> Self {
        HeuristicSpecBuilder { kind, ..self }
    }

    /// Sets the metric. `Multi` also sets the multi-tile kind; `Single` replaces the multi-tile
    /// kind by zero-aware.
    pub fn metric(self, metric: Metric) -> Self {
        let kind = match metric {
            Metric::Multi => TableKind::MultiTile,
            Metric::Single if self.kind.metric() == metric => self.kind,
            Metric::Single => TableKind::ZeroAware,
        };
        self.kind(kind)
    }

    /// Adds a file of drawn partitions: its name, and its text or the reason why it cannot be read.
    /// The names of presets, and lists of sizes such as `6-6-3`, take precedence over the names of
    /// files.
    pub fn file(mut self, name: impl Into<String>, text: Result<String, String>) -> Self {
        self.files.push((name.into(), text));
        self
    }

    /// The heuristic of [`HeuristicSpec::default_name`].
    pub fn parse_default(&self) -> Result<HeuristicSpec, PartitionError> {
        let name = HeuristicSpec::default_name(self.kind.metric(), self.goal.tray());
        self.parse(&name)
    }

    /// The heuristics of [`HeuristicSpec::default_names`] that fit the tray.
    pub fn defaults(&self) -> impl Iterator<Item = HeuristicSpec> {
        let names = HeuristicSpec::default_names(self.kind.metric(), self.goal.tray());
        names.into_iter().filter_map(|name| self.parse(&name).ok())
    }

    /// The heuristic without tables, available for every goal.
    pub fn parse_table_free(&self) -> Result<HeuristicSpec, PartitionError> {
        self.parse(HeuristicSpec::table_free_name(self.kind.metric()))
    }

    /// Reads one or more items, joined by `+`. An item is a name, a list of tile numbers, or the
    /// name of a file that [`Self::file`] has added. The multi-tile metric has its own names:
    /// `runs`, and `lines` for no tables. In this metric, lists may omit tiles.
    pub fn parse(&self, text: &str) -> Result<HeuristicSpec, PartitionError> {
        let metric = self.kind.metric();
        let (tray, goal_blank) = (self.goal.tray(), self.goal.blank());
        let mut order = None;
        let mut partitions = Vec::new();
        for item in text.split('+').map(str::trim) {
            let is_unknown_here = PORTABLE_NAMES.contains(&item) && self.preset(item).is_none();
            let sizes = portable_sizes(item, tray);
            let item = if is_unknown_here { &sizes } else { item };
            if item == HeuristicSpec::table_free_name(metric) {
                continue;
            }
            Pattern::check_tray(tray)?;
            let (kind, found) = self.item(item, &mut order)?;
            for parts in found {
                // If values cannot be added, each pattern is a partition of its own.
                let all = parts.len().max(1);
                for parts in parts.chunks(if kind.is_additive() { all } else { 1 }) {
                    let pattern = |&tiles: &CellSet| Pattern::new(tray, tiles, goal_blank);
                    let patterns = parts.iter().map(pattern).collect::<Result<_, _>>()?;
                    partitions.push(Partition::new(kind, patterns)?);
                }
            }
        }
        Ok(HeuristicSpec {
            name: text.to_owned(),
            tray,
            goal_blank,
            kind: self.kind,
            partitions,
            order: order.unwrap_or_else(|| self.default_order()),
        })
    }

    /// The heuristic of the builder's kind for given partitions. A partition consists of parts, and
    /// a part is a list of tile numbers. Packed tables store partitions in this form. The
    /// heuristic's name contains the names of its partitions, such as `4-4`, or lists of tiles for
    /// partitions without a name.
    ///
    /// ```
    /// use puzzle::{Goal, HeuristicSpec};
    /// let goal = Goal::blank_first("3x3".parse()?);
    /// let builder = HeuristicSpec::builder(&goal);
    /// let named = builder.parse_parts(&[vec![vec![1, 2, 3, 4], vec![5, 6, 7, 8]]])?;
    /// assert_eq!(named.name(), "4-4");
    /// let listed = builder.parse_parts(&[vec![vec![1, 8, 3], vec![2, 4, 5, 6, 7]]])?;
    /// assert_eq!(listed.name(), "1,8,3/2,4,5,6,7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_parts(
        &self,
        partitions: &[Vec<Vec<u16>>],
    ) -> Result<HeuristicSpec, PartitionError> {
        let (mut names, mut rest) = (Vec::new(), partitions);
        while let [first, others @ ..] = rest {
            let (name, count) = self.name_of(rest).unwrap_or_else(|| {
                let parts = first.iter().map(|part| join(part, ","));
                (join(parts, "/"), 1)
            });
            names.push(name);
            rest = others.get(count - 1..).unwrap_or_default();
        }
        self.parse(&join(names, "+"))
    }

    /// Finds a name for the first partition of the list, or for several partitions at its
    /// beginning. Returns the name and the number of these partitions.
    fn name_of(&self, partitions: &[Vec<Vec<u16>>]) -> Option<(String, usize)> {
        let sizes = join(partitions.first()?.iter().map(Vec::len), "-");
        let presets = PRESETS.iter().map(|(name, _)| *name);
        let names = [sizes.as_str(), "fringe", "runs"].into_iter();
        let names = names.chain(presets);
        let is_same = |spec: &HeuristicSpec| {
            let own = spec.partitions();
            own.len() <= partitions.len()
                && own.iter().zip(partitions).all(|(partition, parts)| {
                    // The kinds can differ: the name `fringe` implies full-cost.
                    let is_of_kind = partition.kind() == self.kind;
                    let own = partition.patterns().iter().map(|own| Some(own.tiles()));
                    is_of_kind && own.eq(parts.iter().map(|part| self.cells_of(part)))
                })
        };
        let mut found = names
            .filter_map(|name| self.parse(name).ok())
            .filter(is_same);
        found.find_map(|spec| Some((spec.name, spec.partitions.len())).filter(|(_, n)| *n > 0))
    }

    /// The goal cells of the tiles; `None` if a tile does not exist.
    fn cells_of(&self, part: &[u16]) -> Option<CellSet> {
        let cells = part.iter().map(|&number| self.goal.cell_of(number));
        cells.collect()
    }

    /// Reads one item: a name, a list of tiles or a file. Returns the kind of the tables, and the
    /// parts of each partition.
    fn item(
        &self,
        item: &str,
        order: &mut Option<[Direction; 4]>,
    ) -> Result<(TableKind, Vec<Vec<CellSet>>), PartitionError> {
        let sizes: Option<Vec<usize>> = item.split('-').map(|s| s.parse().ok()).collect();
        let file = self.files.iter().find(|(name, _)| name == item);
        let mut kind = self.kind;
        let mut drawn = |pictures: Vec<PartitionPicture>| {
            *order = order.or_else(|| pictures.iter().find_map(|picture| picture.order));
            pictures.into_iter().map(|picture| picture.parts).collect()
        };
        let partitions = if item == "fringe" {
            if kind.metric() == Metric::Single {
                kind = TableKind::FullCost;
            }
            vec![vec![self.fringe()?]]
        } else if item == "runs" && kind == TableKind::MultiTile {
            vec![self.runs()]
        } else if let Some(pictures) = self.preset(item) {
            drawn(pictures)
        } else if let Some(sizes) = sizes {
            self.size_parts(item, &sizes)?
        } else if let Some((file, text)) = file {
            match text {
                Ok(text) if is_list_file(text) => self.file_lists(text)?,
                _ => drawn(self.file_pictures(file, text)?),
            }
        } else if is_list(item) {
            vec![self.list_parts(item)?]
        } else {
            let name = item.chars().map(printable_sign).collect();
            return Err(PartitionError::Unknown(name));
        };
        Ok((kind, partitions))
    }

    /// The parts of a list, which may omit tiles.
    fn list_parts_alone(&self, text: &str) -> Result<Vec<CellSet>, PartitionError> {
        let parts = text.split('/').filter(|part| !part.trim().is_empty());
        let tiles = parts.map(|part| HeuristicSpec::parse_tiles(part, self.goal));
        tiles
            .map(|tiles| Ok(tiles?.into_iter().collect()))
            .collect()
    }

    fn list_parts(&self, text: &str) -> Result<Vec<CellSet>, PartitionError> {
        let parts = self.list_parts_alone(text)?;
        // Multi-tile parts may overlap and omit tiles, because the heuristic is the maximum over
        // the parts.
        if self.kind != TableKind::MultiTile {
            self.check_cover(&parts)?;
        }
        Ok(parts)
    }

    /// Reads the lists of a file. A line with slashes is a partition, a line without is a part. A
    /// partition ends when its parts have all tiles, or at a blank line.
    fn file_lists(&self, text: &str) -> Result<Vec<Vec<CellSet>>, PartitionError> {
        let tiles = self.goal.tray().cells() - 1;
        let mut partitions = Vec::new();
        let mut parts = String::new();
        for line in list_lines(text).chain([""]) {
            let item = format!("{parts}/{line}");
            let own = self.list_parts_alone(&item)?;
            if line.is_empty() || own.iter().map(|part| part.len()).sum::<usize>() >= tiles {
                if !own.is_empty() {
                    partitions.push(self.list_parts(&item)?);
                }
                parts.clear();
            } else {
                parts = item;
            }
        }
        Ok(partitions)
    }

    /// Reads the pictures of a file that match this goal, and checks them.
    fn file_pictures(
        &self,
        file: &str,
        text: &Result<String, String>,
    ) -> Result<Vec<PartitionPicture>, PartitionError> {
        let of_file = |reason: &dyn Display| PartitionError::Other(format!("{file}: {reason}"));
        let text = text.as_ref().map_err(|reason| of_file(reason))?;
        let pictures = PartitionPicture::parse_all(text).map_err(|error| of_file(&error))?;
        let Some(found) = self.carry(&pictures) else {
            let (tray, blank) = (self.goal.tray(), self.goal.blank());
            let (row, column) = (tray.row(blank) + 1, tray.column(blank) + 1);
            return PartitionError::other(format!(
                "{file} has no picture of a {tray} tray with the blank on cell {blank} (row {row}, \
                 column {column}) or a symmetric cell"
            ));
        };
        for picture in &found {
            self.check_cover(&picture.parts)?;
        }
        Ok(found)
    }

    /// Checks that every tile is in exactly one part.
    fn check_cover(&self, parts: &[CellSet]) -> Result<(), PartitionError> {
        let goal = self.goal;
        let covered = CellSet::disjoint_union(parts.iter().copied())
            .or_else(|cell| PartitionError::twice(goal.number_at(cell)))?;
        let missing = CellSet::all(goal.tray()).difference(covered.with(goal.blank()));
        if missing.is_empty() {
            return Ok(());
        }
        let mut numbers: Vec<u16> = missing.iter().map(|cell| goal.number_at(cell)).collect();
        numbers.sort_unstable();
        Err(PartitionError::Missing(numbers))
    }

    /// The pictures of a preset for this goal, if any.
    fn preset(&self, name: &str) -> Option<Vec<PartitionPicture>> {
        let mut texts = PRESETS.iter().filter(|(preset, _)| *preset == name);
        texts.find_map(|(_, text)| self.carry(&PartitionPicture::parse_all(text).ok()?))
    }

    /// The partitions for sizes such as `6-6-3`. Each part consists of consecutive cells of
    /// [`cell_order`].
    fn size_parts(&self, name: &str, sizes: &[usize]) -> Result<Vec<Vec<CellSet>>, PartitionError> {
        let tray = self.goal.tray();
        if let Some(&found) = sizes.iter().find(|size| !(1..=MAX_TILES).contains(*size)) {
            let max = Pattern::max_tiles(tray);
            return Err(PatternError::Tiles { found, tray, max }.into());
        }
        let (found, expected) = (sizes.iter().sum::<usize>(), tray.cells() - 1);
        if found != expected {
            return PartitionError::other(format!(
                "the parts of {name} have {found} tiles together, but a {tray} board has {expected}"
            ));
        }
        let (home, back) = self.representative();
        let cut = |cells: Vec<Cell>| {
            let mut tiles = cells.into_iter().filter(|&cell| cell != home);
            let part = |&size: &usize| tiles.by_ref().take(size).collect::<CellSet>();
            let parts = sizes.iter().map(part);
            parts.map(|part| part.map(back, tray)).collect()
        };
        let mut partitions = vec![cut(cell_order(tray))];
        // If only the identity keeps the blank's cell, the partition has a single view. A second
        // partition, whose parts follow the columns, then adds a second view.
        let is_alone = Symmetry::keeping(tray, self.goal.blank()).count() == 1;
        if is_alone && sizes.len() > 1 {
            let transposed = Symmetry::Transpose.map_tray(tray);
            let columns = cell_order(transposed).into_iter();
            let columns = columns.map(|cell| Symmetry::Transpose.map(transposed, cell));
            partitions.push(cut(columns.collect()));
        }
        Ok(partitions)
    }

    /// The pictures for this goal. Pictures whose blank is on the goal's blank cell are returned
    /// unchanged. If there are none, the function finds the first picture whose blank cell a
    /// symmetry maps to the goal's blank cell. It applies this symmetry to all pictures that have
    /// the same blank cell as that picture.
    fn carry(&self, pictures: &[PartitionPicture]) -> Option<Vec<PartitionPicture>> {
        let goal_blank = self.goal.blank();
        let fits = |p: &&PartitionPicture| {
            p.tray == self.goal.tray() && self.leading_from(p.blank).is_some()
        };
        let exact = pictures.iter().filter(fits).find(|p| p.blank == goal_blank);
        let blank = exact.or_else(|| pictures.iter().find(fits))?.blank;
        let symmetry = self.leading_from(blank)?;
        let same = pictures.iter().filter(fits).filter(|p| p.blank == blank);
        Some(same.map(|p| p.map(symmetry)).collect())
    }

    /// A symmetry that maps `cell` to the blank's goal cell.
    fn leading_from(&self, cell: Cell) -> Option<Symmetry> {
        let (tray, goal_blank) = (self.goal.tray(), self.goal.blank());
        Symmetry::of(tray).find(|s| s.map(tray, cell) == goal_blank)
    }

    /// The first cell that a symmetry maps to the blank's goal cell, and this symmetry.
    fn representative(&self) -> (Cell, Symmetry) {
        let mut cells = self.goal.tray().iter();
        cells
            .find_map(|cell| Some((cell, self.leading_from(cell)?)))
            .unwrap_or((self.goal.blank(), Symmetry::Identity))
    }

    /// Up, left, right, down for a goal with the blank on the first cell, mapped to this goal.
    fn default_order(&self) -> [Direction; 4] {
        use Direction::{Down, Left, Right, Up};
        let (_, back) = self.representative();
        [Up, Left, Right, Down].map(|direction| back.map_direction(direction))
    }

    /// Full-cost patterns for the multi-tile metric. If a table of all tiles is small enough, the
    /// only pattern contains all tiles. For corner goals of the 15-puzzle the patterns were chosen
    /// by measurement. In all other cases there are four patterns: the first tiles in the order of
    /// rows, the last tiles in the order of rows, the first tiles in the order of columns, and the
    /// last tiles in the order of columns.
    fn runs(&self) -> Vec<CellSet> {
        let tray = self.goal.tray();
        let (home, back) = self.representative();
        let all = CellSet::all(tray).without(home);
        let fits = |&k: &usize| Ranking::count_entries(tray, k, self.kind) <= MAX_RUN_ENTRIES;
        let tiles = (1..=Pattern::max_tiles(tray)).rev().find(fits).unwrap_or(1);
        let set = |cells: &[usize]| cells.iter().map(|&cell| Cell::new(cell)).collect();
        let patterns: Vec<CellSet> = if tiles == all.len() {
            vec![all]
        } else if (tray.width(), tray.height(), home.index()) == (4, 4, 0) {
            FIFTEEN_RUNS.iter().map(|cells| set(cells)).collect()
        } else {
            let rows: Vec<Cell> = all.iter().collect();
            let mut columns = rows.clone();
            columns.sort_by_key(|&cell| (tray.column(cell), tray.row(cell)));
            let ends = |cells: Vec<Cell>| {
                let (first, last) = (&cells[..tiles], &cells[cells.len() - tiles..]);
                [first, last].map(|cells| cells.iter().copied().collect())
            };
            [rows, columns].into_iter().flat_map(ends).collect()
        };
        patterns.iter().map(|p| p.map(back, tray)).collect()
    }

    /// The tiles of the first row and the first column. If the blank's goal cell is there, the
    /// first symmetric image of these cells without the blank is used instead.
    fn fringe(&self) -> Result<CellSet, PartitionError> {
        let tray = self.goal.tray();
        let is_first = |&cell: &Cell| tray.row(cell) == 0 || tray.column(cell) == 0;
        let frame: CellSet = tray.iter().filter(is_first).collect();
        let mut images = Symmetry::of(tray).map(|symmetry| frame.map(symmetry, tray));
        images
            .find(|image| !image.contains(self.goal.blank()))
            .ok_or(PartitionError::Pattern(PatternError::Blank))
    }
}

/// Largest number of entries per table for the name `runs`: 16 MiB at two bits per entry.
const MAX_RUN_ENTRIES: u64 = 1 << 26;

/// The patterns of `runs` on the 15-puzzle, for the goal with the blank first. docs/experiments.md
/// compares other patterns.
const FIFTEEN_RUNS: [[usize; 6]; 3] = [
    [4, 8, 12, 13, 14, 15],
    [3, 7, 10, 11, 14, 15],
    [1, 2, 3, 4, 5, 6],
];

/// All cells in the order in which they are assigned to parts. On trays of up to 25 cells this is
/// reading order. Larger trays are divided into strips of two rows, so that the parts are compact.
/// The order begins with the strip at the bottom, which has three rows if the height is odd. It
/// passes the columns of one strip from left to right, those of the next strip from right to left,
/// and ends at the first cell.
fn cell_order(tray: Tray) -> Vec<Cell> {
    if tray.cells() <= SMALL_CELLS {
        return tray.iter().collect();
    }
    let (width, height) = (tray.width(), tray.height());
    let strips = (height / 2).max(1);
    let mut cells = Vec::new();
    for strip in (0..strips).rev() {
        let end = if strip + 1 == strips {
            height
        } else {
            2 * strip + 2
        };
        for at in 0..width {
            let column = if strip % 2 == 0 { width - 1 - at } else { at };
            cells.extend((2 * strip..end).rev().map(|row| tray.cell(column, row)));
        }
    }
    cells
}

/// Whether a name contains a list of tiles.
pub(super) fn has_list(name: &str) -> bool {
    name.split('+').any(|item| is_list(item.trim()))
}

/// The lines of a file of lists, without comments. `+` also ends a partition.
fn list_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(|line| line.split('+')).map(str::trim)
}

/// Whether a file has lists of tiles, and not pictures, which have a point for the blank.
fn is_list_file(text: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_digit() || c.is_whitespace() || c == ',' || c == '/';
    let has_digits = text.contains(|c: char| c.is_ascii_digit());
    has_digits && list_lines(text).all(|line| line.chars().all(is_sign))
}

/// Whether a text can only be a list of tiles.
fn is_list(text: &str) -> bool {
    text.contains([',', '/', ' ']) && text.starts_with(|c: char| c.is_ascii_digit())
}
