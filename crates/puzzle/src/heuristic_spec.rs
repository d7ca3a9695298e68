//! Heuristic specifications: the partitions of a goal's heuristic.

mod builder;

use std::fmt;

use crate::goal::Goal;
use crate::move_order::MoveOrder;
use crate::names::join;
use crate::partition::{Partition, PartitionError};
use crate::pattern::{Pattern, TableId};
use crate::symmetry::Symmetry;
use crate::table_kind::{Metric, TableKind};
use crate::tray::{Cell, Direction, Tray};

pub use builder::HeuristicSpecBuilder;

/// The partitions of a heuristic for one goal and metric, and the order in which a search tries the
/// blank's moves. The heuristic is the maximum of the partitions' sums. Equality ignores names.
#[derive(Clone, Debug)]
pub struct HeuristicSpec {
    name: String,
    tray: Tray,
    goal_blank: Cell,
    /// The builder's kind. A name may imply another kind.
    kind: TableKind,
    partitions: Vec<Partition>,
    order: [Direction; 4],
}

impl HeuristicSpec {
    /// Reads one or more items, joined by `+`. An item is the name of a partition or a list of
    /// tiles. The tables are zero-aware, except for the name `fringe`. [`HeuristicSpec::builder`]
    /// has more options.
    ///
    /// ```
    /// use puzzle::{Goal, HeuristicSpec};
    /// let goal = Goal::blank_last("4x4".parse()?);
    /// let spec = HeuristicSpec::parse("6-6-3", &goal)?;
    /// assert_eq!(spec.partitions()[0].patterns().len(), 3);
    /// assert_eq!(spec.views().len(), 2); // itself and its reflection
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(text: &str, goal: &Goal) -> Result<HeuristicSpec, PartitionError> {
        HeuristicSpec::builder(goal).parse(text)
    }

    /// The name from which the specification was parsed, unchanged, such as `6-6-3`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tray.
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// The blank's goal cell.
    pub fn goal_blank(&self) -> Cell {
        self.goal_blank
    }

    /// The metric of the values.
    pub fn metric(&self) -> Metric {
        self.kind.metric()
    }

    /// The partitions of the specification, without views; empty for heuristics without tables.
    #[must_use]
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// The order in which a search tries the blank's moves. [`Self::with_order`] sets it. By
    /// default it is the order of the first preset or picture that has an order. If none has an
    /// order, it is up, left, right, down for a goal with the blank first. Each of these orders
    /// applies to one goal cell of the blank. For a symmetric goal cell, the same symmetry maps the
    /// order.
    pub fn order(&self) -> [Direction; 4] {
        self.order
    }

    /// The same heuristic with another move order. `order` is used unchanged, while a preset's
    /// order is mapped to the goal by symmetry. The move order affects node counts, but not the
    /// lengths of solutions; searches in the multi-tile metric ignore it.
    #[must_use]
    pub fn with_order(self, order: MoveOrder) -> HeuristicSpec {
        HeuristicSpec {
            order: order.directions(),
            ..self
        }
    }

    /// The partitions and their images under the symmetries that keep the goal's blank in place,
    /// without duplicates.
    #[must_use]
    pub fn views(&self) -> Vec<Partition> {
        let views = Partition::views(&self.partitions, self.tray, self.goal_blank);
        views.into_iter().map(|(_, _, view)| view).collect()
    }

    /// The tables of the partitions and of all their views, without duplicates.
    #[must_use]
    pub fn tables(&self) -> Vec<TableId> {
        HeuristicSpec::tables_of([self])
    }

    /// The tables of several heuristics, without duplicates, in the order of first use.
    #[must_use]
    pub fn tables_of<'a>(specs: impl IntoIterator<Item = &'a HeuristicSpec>) -> Vec<TableId> {
        let mut tables: Vec<TableId> = Vec::new();
        for (pattern, kind) in specs.into_iter().flat_map(HeuristicSpec::patterns) {
            let (id, _) = pattern.table(kind);
            if !tables.contains(&id) {
                tables.push(id);
            }
        }
        tables
    }

    /// The part of [`Self::other_goals`] whose tables belong to the default set of this heuristic:
    /// all if the tables for all goals together have at most 2^27 entries (16 MiB at one bit each),
    /// otherwise none. With the larger tables of `7-8`, for example, searches from both sides need
    /// 12 % fewer nodes and 2.5 times the space.
    #[must_use]
    pub fn usual_goals(&self) -> Vec<HeuristicSpec> {
        const MOST_ENTRIES: u64 = 1 << 27;
        let others = self.other_goals();
        let tables = HeuristicSpec::tables_of([self].into_iter().chain(&others));
        let mut entries = tables.iter().map(TableId::entries);
        let all = entries.try_fold(0_u64, u64::checked_add);
        match all.is_some_and(|all| all <= MOST_ENTRIES) {
            true => others,
            false => Vec::new(),
        }
    }

    /// The heuristics of the same name for goals with the blank on the cells of
    /// [`Symmetry::other_classes`]. With their tables, a search can also run from the goal to the
    /// board, whose blank can be on any cell. The list is empty in three cases: for lists of tiles
    /// and for files, which apply to one goal only; for heuristics without tables, which do not
    /// depend on the blank's goal cell; and for a single part with all tiles, because its table
    /// already stores every distance.
    ///
    /// ```
    /// use puzzle::{Goal, HeuristicSpec};
    ///
    /// let goal = Goal::blank_last("4x4".parse()?);
    /// let others = HeuristicSpec::parse("6-6-3", &goal)?.other_goals();
    /// let blanks: Vec<usize> = others.iter().map(|spec| spec.goal_blank().index()).collect();
    /// assert_eq!(blanks, [1, 5]);
    /// assert_eq!(others[0].views().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn other_goals(&self) -> Vec<HeuristicSpec> {
        let tiles = self.tray.cells() - 1;
        let mut patterns = self.patterns();
        let is_exact = patterns.any(|(pattern, _)| pattern.tiles().len() == tiles);
        if self.partitions.is_empty() || is_exact || builder::has_list(&self.name) {
            return Vec::new();
        }
        let cells = Symmetry::other_classes(self.tray, self.goal_blank);
        let spec = |cell| {
            let goal = Goal::with_blank(self.tray, cell);
            HeuristicSpec::builder(&goal)
                .kind(self.kind)
                .parse(&self.name)
                .ok()
        };
        cells.into_iter().filter_map(spec).collect()
    }

    /// All patterns of the partitions, with the kind of their tables.
    pub fn patterns(&self) -> impl Iterator<Item = (Pattern, TableKind)> {
        self.partitions.iter().flat_map(|partition| {
            let patterns = partition.patterns().iter();
            patterns.map(|&pattern| (pattern, partition.kind()))
        })
    }
}

/// Up to this number of cells, default parts were chosen for each size of the tray separately.
const SMALL_CELLS: usize = 25;
/// Largest number of cells of trays whose default parts have six tiles (tables of about 200 MB).
/// Larger trays have parts of five tiles.
const SIX_TILE_CELLS: usize = 36;

impl HeuristicSpec {
    /// The default name for a tray. In the single-tile metric, it depends on the size:
    ///
    /// - up to 9 tiles: a partition into one part;
    /// - 10 to 14 tiles: a partition into two parts;
    /// - more than 14 tiles, up to 36 cells: a partition into parts of six tiles;
    /// - more than 36 cells: a partition into parts of five tiles, except on 8x8: `best`;
    /// - trays that do not support tables: `manhattan`.
    ///
    /// In the multi-tile metric, the name is `runs` on trays of up to 25 cells that support tables,
    /// and `lines` on all others.
    #[must_use]
    pub fn default_name(metric: Metric, tray: Tray) -> String {
        let is_small = tray.cells() <= SMALL_CELLS;
        let name = match metric {
            _ if Pattern::check_tray(tray).is_err() => HeuristicSpec::table_free_name(metric),
            Metric::Multi if is_small => "runs",
            Metric::Multi => HeuristicSpec::table_free_name(metric),
            // The default for 8x8 is a preset, whose parts have different sizes.
            Metric::Single if (tray.width(), tray.height()) == (8, 8) => "best",
            Metric::Single => return default_sizes(tray),
        };
        name.to_owned()
    }

    /// The name of the heuristic without tables: `manhattan`, or `lines` in the multi-tile metric.
    #[must_use]
    pub const fn table_free_name(metric: Metric) -> &'static str {
        match metric {
            Metric::Single => "manhattan",
            Metric::Multi => "lines",
        }
    }

    /// The name of the partition of a tray's tiles into parts of `size` tiles, such as `5-5-5`; the
    /// last part may be smaller.
    ///
    /// # Panics
    /// If the size is 0.
    #[must_use]
    pub fn equal_parts_name(tray: Tray, size: usize) -> String {
        let tiles = tray.cells() - 1;
        let before = (0..tiles).step_by(size);
        join(before.map(|before| size.min(tiles - before)), "-")
    }

    /// The names to try on a tray, the best first. The first name is the default. In the
    /// single-tile metric, the other names have parts of at most 5, 4 and 3 tiles. Empty if the
    /// tray supports no tables. If all tables are too large, use [`Self::table_free_name`].
    ///
    /// ```
    /// use puzzle::{HeuristicSpec, Metric};
    ///
    /// let names = HeuristicSpec::default_names(Metric::Single, "4x4".parse()?);
    /// assert_eq!(names, ["6-6-3", "5-5-5", "4-4-4-3", "3-3-3-3-3"]);
    /// assert_eq!(HeuristicSpec::default_names(Metric::Multi, "4x4".parse()?), ["runs"]);
    /// assert!(HeuristicSpec::default_names(Metric::Single, "9x9".parse()?).is_empty());
    /// # Ok::<(), puzzle::TrayError>(())
    /// ```
    #[must_use]
    pub fn default_names(metric: Metric, tray: Tray) -> Vec<String> {
        let default = HeuristicSpec::default_name(metric, tray);
        if default == HeuristicSpec::table_free_name(metric) {
            return Vec::new();
        }
        let mut names = vec![default];
        if metric == Metric::Single {
            names.extend([5, 4, 3].map(|size| HeuristicSpec::equal_parts_name(tray, size)));
        }
        names
    }
}

/// The sizes of the default parts in the single-tile metric, joined by `-`.
fn default_sizes(tray: Tray) -> String {
    let size = match tray.cells() - 1 {
        tiles @ 0..=9 => tiles,
        tiles @ 10..=14 => tiles.div_ceil(2),
        tiles if tiles < SIX_TILE_CELLS => 6,
        _ => 5,
    };
    HeuristicSpec::equal_parts_name(tray, size)
}

/// The parts that a portable name stands for on a tray without drawn presets. On trays of more than
/// 25 cells, `small` stands for parts with one tile fewer than the default parts. In all other
/// cases, a portable name stands for the default parts.
fn portable_sizes(name: &str, tray: Tray) -> String {
    match Pattern::check_tray(tray) {
        Err(_) => HeuristicSpec::table_free_name(Metric::Single).to_owned(),
        Ok(()) if name == "small" && tray.cells() > SMALL_CELLS => {
            let size = if tray.cells() <= SIX_TILE_CELLS { 5 } else { 4 };
            HeuristicSpec::equal_parts_name(tray, size)
        }
        Ok(()) => default_sizes(tray),
    }
}

impl PartialEq for HeuristicSpec {
    fn eq(&self, other: &Self) -> bool {
        let parts = |spec: &Self| (spec.tray, spec.goal_blank, spec.metric(), spec.order);
        parts(self) == parts(other) && self.partitions == other.partitions
    }
}

impl Eq for HeuristicSpec {}

impl fmt::Display for HeuristicSpec {
    /// The partitions, joined by ` + `, with tiles named by their goal cells. Without partitions,
    /// `manhattan` or `lines`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.partitions.is_empty() {
            true => f.write_str(HeuristicSpec::table_free_name(self.metric())),
            false => f.write_str(&join(&self.partitions, " + ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellSet, PatternError};

    fn spec(text: &str, size: &str, blank: usize) -> Result<HeuristicSpec, PartitionError> {
        let tray: Tray = size.parse().unwrap();
        let goal = Goal::with_blank(tray, Cell::new(blank));
        HeuristicSpec::parse(text, &goal)
    }

    #[test]
    fn names_work_for_every_goal() {
        for (name, size) in [
            ("6-6-3", "4x4"),
            ("7-8", "4x4"),
            ("5-5-5", "4x4"),
            ("6-6-6-6", "5x5"),
            ("8", "3x3"),
            ("5-3", "3x3"),
            ("fringe", "3x3"),
            ("3", "2x2"),
            ("6-5", "4x3"),
            ("6-6-3+7-8", "4x4"),
        ] {
            let tray: Tray = size.parse().unwrap();
            let mut tables = std::collections::HashSet::new();
            for cell in tray.iter() {
                let spec = spec(name, size, cell.index()).unwrap();
                for partition in spec.partitions() {
                    let tiles = partition.patterns().iter().map(Pattern::tiles);
                    let sum: usize = tiles.clone().map(CellSet::len).sum();
                    let all = tiles.fold(CellSet::EMPTY, CellSet::union);
                    assert_eq!(sum, all.len());
                    assert!(!all.contains(cell));
                    assert!(name == "fringe" || sum == tray.cells() - 1);
                }
                if name == "6-6-3" || name == "7-8" {
                    assert!(spec.views().len() >= 2, "{name} {cell:?}");
                }
                tables.extend(spec.patterns().map(|(pattern, kind)| pattern.table(kind).0));
            }
            if name == "6-6-3" {
                // Corner and centre goals have one partition, and edge goals have two partitions.
                assert!(tables.len() <= 12, "{}", tables.len());
            }
        }
    }

    #[test]
    fn parts_are_named_only_for_their_own_kind() {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let fringe = spec("fringe", "3x3", 8).unwrap();
        let cells = fringe.partitions()[0].patterns()[0].tiles();
        let parts = [vec![
            cells.iter().map(|cell| goal.number_at(cell)).collect(),
        ]];
        let of = |kind| HeuristicSpec::builder(&goal).kind(kind).parse_parts(&parts);
        assert_eq!(of(TableKind::FullCost).unwrap(), fringe);
        // `fringe` implies full-cost. For zero-aware tables the part is therefore read as a list of
        // tiles, and a list must contain all tiles.
        assert!(matches!(
            of(TableKind::ZeroAware),
            Err(PartitionError::Missing(_))
        ));
    }

    #[test]
    fn orders_are_mapped_with_the_goal() {
        use Direction::{Down, Left, Right, Up};
        let first = spec("5-5-5", "4x4", 0).unwrap().order();
        let last = spec("5-5-5", "4x4", 15).unwrap().order();
        assert_eq!(first, [Up, Left, Right, Down]);
        assert_eq!(last, first.map(Direction::opposite));
    }

    #[test]
    fn lists_use_the_goals_numbers() {
        let spec = spec("1,2,3/4 5 6/7,8", "3x3", 8).unwrap();
        assert_eq!(
            spec.partitions()[0].patterns()[2].tiles().bits(),
            0b1100_0000
        );
        assert_eq!(spec.views().len(), 2);
    }

    #[test]
    fn the_fringe_equals_that_of_the_article() {
        let spec = spec("fringe", "3x3", 8).unwrap();
        let partition = &spec.partitions()[0];
        assert_eq!(partition.kind(), TableKind::FullCost);
        let fringe: CellSet = [0, 1, 2, 3, 6].map(Cell::new).into_iter().collect();
        assert_eq!(partition.patterns().len(), 1);
        assert_eq!(partition.patterns()[0].tiles(), fringe);
    }

    #[test]
    fn full_cost_parts_are_never_added() {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let spec = HeuristicSpec::builder(&goal)
            .kind(TableKind::FullCost)
            .parse("5-3")
            .unwrap();
        assert_eq!(spec.partitions().len(), 2);
        assert!(spec.views().iter().all(|view| view.patterns().len() == 1));
    }

    #[test]
    fn errors_state_the_fault_of_a_partition() {
        let error = |text| spec(text, "4x4", 15).unwrap_err().to_string();
        assert!(error("6-6-4").contains("16 tiles together, but a 4x4 board has 15"));
        assert!(error("6-6").contains("12 tiles"));
        assert!(error("13-2").contains("must have 1 to 12 tiles, not 13"));
        assert!(error("1,2,3/3,4").contains("tile 3 is listed twice"));
        assert!(error("1,2,3").contains("tiles in no part: 4, 5"));
        assert!(error("1,2,16").contains("16 in the list"));
        assert!(error("16,2").contains("16 in the list"));
        assert!(error("1,a").contains("`a`"));
        assert!(error("what").contains("`what` is not known"));
        let tray = Tray::new(13, 5).unwrap();
        let goal = Goal::blank_last(tray);
        let large = HeuristicSpec::parse("7-8", &goal);
        assert!(matches!(
            large,
            Err(PartitionError::Pattern(PatternError::Tray(_)))
        ));
        assert!(
            HeuristicSpec::parse(&HeuristicSpec::default_name(Metric::Single, tray), &goal).is_ok()
        );
    }

    #[test]
    fn pictures_must_cover_the_tiles() {
        let goal = Goal::blank_last("2x2".parse().unwrap());
        let parse = |picture: &str| {
            HeuristicSpec::builder(&goal)
                .file("p.txt", Ok(picture.to_owned()))
                .parse("p.txt")
        };
        // The picture has the blank in the first corner, and the goal in the last corner. A
        // symmetry maps the picture to the goal.
        let spec = parse("order LRUD\n. a\na b\n").unwrap();
        assert_eq!(spec.partitions()[0].patterns().len(), 2);
        assert!(!spec.partitions()[0].tiles().contains(Cell::new(3)));
        let error = |text| parse(text).unwrap_err().to_string();
        assert!(error("nonsense!").starts_with("p.txt: line 1: `!`"));
        assert!(error(". a a\nb b b\n").starts_with("p.txt has no picture of a 2x2 tray"));
    }

    /// Packed tables store the parts without the names; `parse_parts` finds the names again.
    #[test]
    fn partitions_are_named_by_their_parts() {
        for (size, goal, kind, name) in [
            ("3x3", "blank-last", TableKind::ZeroAware, "8"),
            ("3x3", "1 2 3/8 0 4/7 6 5", TableKind::ZeroAware, "5-3"),
            ("3x3", "blank-first", TableKind::FullCost, "fringe"),
            ("3x3", "blank-last", TableKind::MultiTile, "8"),
            ("4x4", "blank-last", TableKind::ZeroAware, "6-6-3"),
            (
                "4x4",
                "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7",
                TableKind::ZeroAware,
                "7-8",
            ),
            (
                "4x4",
                "1 0 2 3/4 5 6 7/8 9 10 11/12 13 14 15",
                TableKind::BlankCompressed,
                "6-6-3",
            ),
            ("4x4", "blank-last", TableKind::ZeroAware, "6-6-3+7-8"),
            ("4x4", "blank-last", TableKind::MultiTile, "runs"),
            ("4x4", "blank-last", TableKind::ZeroAware, "small"),
            (
                "4x3",
                "blank-last",
                TableKind::ZeroAware,
                "6-5+1,2,3,5/4,6,7/8,9,10,11",
            ),
        ] {
            let goal = Goal::parse(goal, Some(size.parse().unwrap())).unwrap();
            let builder = HeuristicSpec::builder(&goal).kind(kind);
            let spec = builder.parse(name).unwrap();
            let numbers = |pattern: &Pattern| -> Vec<u16> {
                pattern
                    .tiles()
                    .iter()
                    .map(|cell| goal.number_at(cell))
                    .collect()
            };
            let parts = |partition: &Partition| partition.patterns().iter().map(numbers).collect();
            let parts: Vec<Vec<Vec<u16>>> = spec.partitions().iter().map(parts).collect();
            let again = builder.parse_parts(&parts).unwrap();
            assert_eq!(again.partitions(), spec.partitions(), "{size} {name}");
            assert_eq!(again.name(), name, "{size}");
        }
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let wrong = HeuristicSpec::builder(&goal).parse_parts(&[vec![vec![1, 2], vec![9]]]);
        let wrong = wrong.unwrap_err().to_string();
        assert!(wrong.starts_with("9 in the list is not a tile"), "{wrong}");
    }

    #[test]
    fn an_explicit_order_is_kept() {
        let spec = spec("5-5-5", "4x4", 15).unwrap();
        assert_eq!(spec.name(), "5-5-5");
        let order: MoveOrder = "LURD".parse().unwrap();
        let other = spec.clone().with_order(order);
        assert_ne!(spec.order(), order.directions());
        assert_eq!(other.order(), order.directions());
        assert_eq!(other.views(), spec.views());
    }

    #[test]
    fn views_are_partitions_of_the_same_goal() {
        let spec = spec("6-6-3", "4x4", 15).unwrap();
        let (tray, blank) = (spec.tray(), spec.goal_blank());
        assert_eq!((tray.to_string().as_str(), blank), ("4x4", Cell::new(15)));
        for (number, symmetry, view) in
            Partition::views(spec.partitions(), spec.tray(), spec.goal_blank())
        {
            assert!(view.is_same(&spec.partitions()[number].map(symmetry)));
            for pattern in view.patterns() {
                assert_eq!((pattern.tray(), pattern.goal_blank()), (tray, blank));
            }
        }
        let tables: Vec<TableId> = spec.tables();
        for (pattern, kind) in spec.patterns() {
            assert!(tables.contains(&pattern.table(kind).0));
        }
        assert!((1..=tables.len()).all(|at| !tables[at..].contains(&tables[at - 1])));
    }

    #[test]
    fn default_names_by_tray() {
        let default =
            |size: &str, metric| HeuristicSpec::default_name(metric, size.parse().unwrap());
        for (size, name) in [
            ("2x2", "3"),
            ("5x2", "9"),
            ("4x3", "6-5"),
            ("5x3", "7-7"),
            ("4x4", "6-6-3"),
            ("6x6", "6-6-6-6-6-5"),
            ("9x5", "5-5-5-5-5-5-5-5-4"),
            ("8x8", "best"),
            ("9x8", "manhattan"),
            ("9x1", "manhattan"),
        ] {
            assert_eq!(default(size, Metric::Single), name, "{size}");
        }
        assert_eq!(default("5x5", Metric::Multi), "runs");
        assert_eq!(default("6x5", Metric::Multi), "lines");
        assert_eq!(default("9x1", Metric::Multi), "lines");
        let tray = "4x3".parse().unwrap();
        assert_eq!(HeuristicSpec::equal_parts_name(tray, 4), "4-4-3");
        let names = HeuristicSpec::default_names(Metric::Single, tray);
        assert_eq!(names, ["6-5", "5-5-1", "4-4-3", "3-3-3-2"]);
    }

    #[test]
    fn lists_of_tiles_are_read_by_the_goals_numbers() {
        let goal = Goal::blank_first("3x3".parse().unwrap());
        let read = |text: &str| HeuristicSpec::parse_tiles(text, &goal);
        assert_eq!(read("3, 1 8"), Ok([3, 1, 8].map(Cell::new).to_vec()));
        assert_eq!(read(""), Ok(Vec::new()));
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(error("1,1").starts_with("tile 1 is listed twice"));
        assert_eq!(read("0,3,1"), Ok([3, 1].map(Cell::new).to_vec()));
        for number in [9, 70_000] {
            let message = format!("{number} in the list is not a tile of a 3x3 board (1 to 8)");
            assert_eq!(error(&number.to_string()), message);
        }
        let message = format!("`{}` in the list of tiles is not a number", "x".repeat(20));
        assert_eq!(error(&"x".repeat(50)), message);
    }

    #[test]
    fn parts_of_large_trays_are_connected() {
        for (name, size) in [
            ("5-5-5-5-5-4", "6x5"),
            ("6-6-6-6-6-5", "6x6"),
            ("5-5-5-5-5-5-5-5-5-3", "7x7"),
            ("5-5-5-5-5-1", "3x9"),
        ] {
            let tray: Tray = size.parse().unwrap();
            let classes = crate::BlankClasses::new(tray, TableKind::ZeroAware);
            for blank in [0, tray.last().index()] {
                let spec = spec(name, size, blank).unwrap();
                for pattern in spec.partitions()[0].patterns() {
                    let others = CellSet::all(tray).difference(pattern.tiles());
                    let count = classes.of(others).count();
                    assert_eq!(count, 1, "{name} {size} {blank}: {}", pattern.tiles());
                }
            }
        }
    }

    #[test]
    fn other_goals_have_the_partitions_of_the_name() {
        let blanks = |text: &str, size: &str, blank: usize| -> Vec<usize> {
            let others = spec(text, size, blank).unwrap().other_goals();
            for other in &others {
                assert_eq!(
                    *other,
                    spec(text, size, other.goal_blank().index()).unwrap()
                );
            }
            others
                .iter()
                .map(|spec| spec.goal_blank().index())
                .collect()
        };
        assert_eq!(blanks("6-6-3", "4x4", 15), [1, 5]);
        assert_eq!(blanks("best", "4x4", 5), [0, 1]);
        assert_eq!(blanks("6-6-3+7-8", "4x4", 0), [1, 5]);
        assert_eq!(blanks("6-6-6-6", "5x5", 24), [1, 2, 6, 7, 12]);
        assert_eq!(blanks("5-3", "3x3", 8), [1, 4]);
        assert_eq!(blanks("fringe", "3x3", 8), [1, 4]);
        // The result is empty if one part has all tiles, if there are no tables, and for lists of
        // tiles.
        for none in [
            "8",
            "8+5-3",
            "manhattan",
            "1,2,3,4/5,6,7,8",
            "5-3+1,2,3,4/5,6,7,8",
        ] {
            assert_eq!(blanks(none, "3x3", 8), [0; 0], "{none}");
        }
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let file = HeuristicSpec::builder(&goal).file("p.txt", Ok("a a b\na b b\na b .".into()));
        assert_eq!(file.parse("p.txt").unwrap().other_goals(), []);
        let goal = Goal::blank_last("4x4".parse().unwrap());
        let runs = HeuristicSpec::builder(&goal)
            .metric(Metric::Multi)
            .parse("runs");
        let kinds = runs.unwrap().other_goals().into_iter().flat_map(|spec| {
            let kinds = spec.patterns().map(|(_, kind)| kind);
            kinds.collect::<Vec<_>>()
        });
        let kinds: Vec<TableKind> = kinds.collect();
        assert!(!kinds.is_empty() && kinds.iter().all(|&kind| kind == TableKind::MultiTile));
    }
}
