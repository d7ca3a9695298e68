//! Plans: which partitions make a goal's heuristic, read from names, lists and pictures.

use crate::preset::{PRESETS, WORDS};
use crate::{
    Cell, CellSet, Direction, Goal, Kind, MAX_TILES, Metric, Partition, PartitionError, Pattern,
    PatternError, Picture, Symmetry, TableId, Tray, binomial, factorial,
};

/// What a heuristic is made of: the partitions whose sums it takes the maximum of, for one goal, and the order in
/// which a search tries the blank's moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    tray: Tray,
    goal_blank: Cell,
    partitions: Vec<Partition>,
    order: [Direction; 4],
}

/// Tries the blank's moves up, left, right, down where the goal has its blank on the first cell.
const DEFAULT_ORDER: [Direction; 4] = [
    Direction::Up,
    Direction::Left,
    Direction::Right,
    Direction::Down,
];

/// Entries of a full-cost table.
fn entries_with_blank(tray: Tray, tiles: usize) -> u64 {
    let rows = binomial(tray.cells(), tiles) * (tray.cells() - tiles) as u64;
    rows * u64::from(factorial(tiles))
}

/// Entries of the tables that the plan `runs` names, at most: 16 MiB in two bits each.
const MOST_RUN_ENTRIES: u64 = 1 << 26;

/// The patterns of the plan `runs` for the 15-puzzle with the blank on the first cell; docs/results.md has the others that were
/// tried.
const FIFTEEN_RUNS: [[usize; 6]; 3] = [
    [4, 8, 12, 13, 14, 15],
    [3, 7, 10, 11, 14, 15],
    [1, 2, 3, 4, 5, 6],
];

impl Plan {
    /// The partition that suits a tray when none is named: one table for up to 9 tiles, two for up to 14, else parts
    /// of six; `manhattan` where no tables are possible.
    #[must_use]
    pub fn default_name(tray: Tray) -> String {
        if Pattern::check_tray(tray).is_err() {
            return "manhattan".to_owned();
        }
        let tiles = tray.cells() - 1;
        let sizes: Vec<usize> = match tiles {
            0..=9 => vec![tiles],
            10..=14 => vec![tiles.div_ceil(2), tiles / 2],
            _ => {
                let mut sizes = vec![6; tiles / 6];
                sizes.extend((tiles % 6 > 0).then_some(tiles % 6));
                sizes
            }
        };
        let words: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        words.join("-")
    }

    /// [`Plan::default_name`] in a metric: the plan `runs` in the multi-tile metric.
    #[must_use]
    pub fn default_name_in(metric: Metric, tray: Tray) -> String {
        match metric {
            Metric::Single => Plan::default_name(tray),
            Metric::Multi if Pattern::check_tray(tray).is_ok() => "runs".to_owned(),
            Metric::Multi => "lines".to_owned(),
        }
    }

    /// Reads what `--partition` takes: one or several names, lists or files joined by `+`. Numbers in lists are
    /// those on the tiles of `goal`. `kind` is the tables' kind where a name does not imply one; with [`Kind::Runs`] the
    /// names `runs` and, for no tables, `lines` are known, and lists may leave tiles out. `read_file`
    /// gives the text of a file, or why it cannot be read, or `None` when there is no such file.
    ///
    /// # Errors
    /// [`PartitionError`] says what is wrong with the first part that cannot be used.
    ///
    /// ```
    /// use puzzle::{Goal, Kind, Plan};
    /// let goal = Goal::blank_last("4x4".parse()?);
    /// let plan = Plan::parse("6-6-3", &goal, Kind::ZeroAware, |_| None)?;
    /// assert_eq!(plan.partitions()[0].parts.len(), 3);
    /// assert_eq!(plan.views().len(), 2); // itself and its reflection
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(
        text: &str,
        goal: &Goal,
        kind: Kind,
        read_file: impl Fn(&str) -> Option<Result<String, String>>,
    ) -> Result<Plan, PartitionError> {
        let mut plan = Plan {
            tray: goal.tray(),
            goal_blank: goal.blank(),
            partitions: Vec::new(),
            order: DEFAULT_ORDER,
        };
        plan.order = plan.carried_order();
        let mut order = None;
        for item in text.split('+') {
            let item = item.trim();
            let default = Plan::default_name(plan.tray);
            let is_unknown_here = WORDS.contains(&item) && plan.preset(item).is_none();
            let item = if is_unknown_here { &default } else { item };
            let preset = plan.preset(item);
            let sizes: Option<Vec<usize>> = item.split('-').map(|s| s.parse().ok()).collect();
            let table_free = match kind {
                Kind::Runs => "lines",
                _ => "manhattan",
            };
            if item == table_free {
                continue;
            }
            Pattern::check_tray(plan.tray)?;
            if item == "fringe" {
                let parts = vec![plan.fringe()?];
                let kind = match kind {
                    Kind::Runs => kind,
                    _ => Kind::Full,
                };
                plan.partitions.push(Partition { kind, parts });
            } else if item == "runs" && kind == Kind::Runs {
                let parts = plan.runs();
                plan.partitions.push(Partition { kind, parts });
            } else if let Some(pictures) = preset {
                plan.add(pictures, kind, &mut order);
            } else if let Some(sizes) = sizes {
                plan.add(plan.named(item, &sizes)?, kind, &mut order);
            } else if let Some(text) = read_file(item) {
                let file = item.to_owned();
                let text = text.map_err(|reason| PartitionError::File { file, reason })?;
                plan.add(plan.pictured(item, &text, goal)?, kind, &mut order);
            } else if is_list(item) {
                let parts = plan.listed(item, goal, kind)?;
                plan.partitions.push(Partition { kind, parts });
            } else {
                return Err(PartitionError::Unknown(item.to_owned()));
            }
        }
        for partition in &plan.partitions {
            for &part in &partition.parts {
                Pattern::new(plan.tray, part, plan.goal_blank)?;
            }
        }
        plan.order = order.unwrap_or(plan.order);
        plan.split_full_cost();
        Ok(plan)
    }

    /// One pattern by the numbers on its tiles in `goal`, such as `1,2,5,6`: the pattern's tiles in that order.
    ///
    /// # Errors
    /// [`PartitionError`] names the number.
    pub fn parse_tiles(text: &str, goal: &Goal) -> Result<Vec<Cell>, PartitionError> {
        let tray = goal.tray();
        let mut tiles: Vec<Cell> = Vec::new();
        let words = text.split(|c: char| c == ',' || c.is_whitespace());
        for word in words.filter(|word| !word.is_empty()) {
            let number: u32 = word
                .parse()
                .map_err(|_| PartitionError::Word(word.chars().take(20).collect()))?;
            let short = u16::try_from(number).ok().filter(|&n| n > 0);
            let Some((short, tile)) = short.and_then(|n| Some((n, goal.cell_of(n)?))) else {
                return Err(PartitionError::Tile { number, tray });
            };
            if tiles.contains(&tile) {
                return Err(PartitionError::Twice(short));
            }
            tiles.push(tile);
        }
        Ok(tiles)
    }

    /// Full-cost tables count every move, so their values must not be added up: each part is a partition of its own,
    /// and the maximum is taken.
    fn split_full_cost(&mut self) {
        let split = |partition: Partition| -> Vec<Partition> {
            if partition.kind.is_additive() {
                return vec![partition];
            }
            let kind = partition.kind;
            let parts = partition.parts.into_iter();
            let alone = parts.map(|part| Partition {
                kind,
                parts: vec![part],
            });
            alone.collect()
        };
        let partitions = std::mem::take(&mut self.partitions);
        self.partitions = partitions.into_iter().flat_map(split).collect();
    }

    fn add(&mut self, pictures: Vec<Picture>, kind: Kind, order: &mut Option<[Direction; 4]>) {
        for picture in pictures {
            *order = order.or(picture.order);
            let parts = picture.parts;
            self.partitions.push(Partition { kind, parts });
        }
    }

    fn listed(&self, text: &str, goal: &Goal, kind: Kind) -> Result<Vec<CellSet>, PartitionError> {
        let mut parts = Vec::new();
        for part in text.split('/').filter(|part| !part.trim().is_empty()) {
            parts.push(Plan::parse_tiles(part, goal)?.into_iter().collect());
        }
        // Of these the maximum is taken, so they may overlap and leave tiles out.
        if kind != Kind::Runs {
            self.check_cover(&parts, goal)?;
        }
        Ok(parts)
    }

    /// The pictures of a file that are for this goal, checked.
    fn pictured(
        &self,
        file: &str,
        text: &str,
        goal: &Goal,
    ) -> Result<Vec<Picture>, PartitionError> {
        let file = file.to_owned();
        let pictures = match Picture::parse_all(text) {
            Ok(pictures) => pictures,
            Err(source) => return Err(PartitionError::Picture { file, source }),
        };
        let Some(found) = self.carry(&pictures) else {
            let (tray, blank) = (self.tray, self.goal_blank);
            return Err(PartitionError::NoPicture { file, tray, blank });
        };
        for picture in &found {
            self.check_cover(&picture.parts, goal)?;
        }
        Ok(found)
    }

    /// Every tile is in exactly one part.
    fn check_cover(&self, parts: &[CellSet], goal: &Goal) -> Result<(), PartitionError> {
        let mut covered = CellSet::EMPTY.with(self.goal_blank);
        for &part in parts {
            if let Some(cell) = covered.intersection(part).lowest() {
                return Err(PartitionError::Twice(goal.number_at(cell)));
            }
            covered = covered.union(part);
        }
        let missing = CellSet::all(self.tray).difference(covered);
        if missing.is_empty() {
            return Ok(());
        }
        let mut numbers: Vec<u16> = missing.iter().map(|cell| goal.number_at(cell)).collect();
        numbers.sort_unstable();
        Err(PartitionError::Missing(numbers))
    }

    /// A preset's pictures, where it has some for this goal.
    fn preset(&self, name: &str) -> Option<Vec<Picture>> {
        let texts = PRESETS.iter().filter(|(preset, _)| *preset == name);
        texts
            .filter_map(|(_, text)| self.carry(&Picture::parse_all(text).ok()?))
            .next()
    }

    /// The partitions of a name such as `6-6-3` that is no preset: the tiles in reading order.
    fn named(&self, name: &str, sizes: &[usize]) -> Result<Vec<Picture>, PartitionError> {
        if let Some(&found) = sizes.iter().find(|size| !(1..=MAX_TILES).contains(*size)) {
            let (tray, most) = (self.tray, Pattern::most_tiles(self.tray));
            return Err(PatternError::Tiles { found, tray, most }.into());
        }
        let (found, expected) = (sizes.iter().sum::<usize>(), self.tray.cells() - 1);
        if found != expected {
            return Err(PartitionError::Sum {
                name: name.to_owned(),
                found,
                expected,
                tray: self.tray,
            });
        }
        let (home, back) = self.representative();
        let tray = self.tray;
        let cut = |cells: &[Cell]| {
            let mut tiles = cells.iter().filter(|&&cell| cell != home);
            let parts = sizes
                .iter()
                .map(|&size| tiles.by_ref().take(size).copied().collect());
            let picture = Picture {
                tray,
                blank: home,
                parts: parts.collect(),
                order: None,
            };
            picture.map(back)
        };
        let rows: Vec<Cell> = tray.iter().collect();
        let columns: Vec<Cell> = (0..tray.width())
            .flat_map(|x| (0..tray.height()).map(move |y| tray.cell(x, y)))
            .collect();
        let mut pictures = vec![cut(&rows)];
        // Without a symmetry that keeps the blank's cell, a second partition takes the reflection's place.
        if self.stabiliser().count() == 1 && sizes.len() > 1 {
            pictures.push(cut(&columns));
        }
        Ok(pictures)
    }

    /// The pictures that are for this goal, brought to it by symmetry: those of the goal's own blank cell, else those
    /// of the first blank cell in its orbit that has any.
    fn carry(&self, pictures: &[Picture]) -> Option<Vec<Picture>> {
        let to_goal = |blank: Cell| {
            Symmetry::of(self.tray).find(|s| s.map(self.tray, blank) == self.goal_blank)
        };
        let fits = |p: &&Picture| p.tray == self.tray && to_goal(p.blank).is_some();
        let exact = pictures
            .iter()
            .filter(fits)
            .find(|p| p.blank == self.goal_blank);
        let blank = exact.or_else(|| pictures.iter().find(fits))?.blank;
        let symmetry = to_goal(blank)?;
        let same = pictures.iter().filter(fits).filter(|p| p.blank == blank);
        Some(same.map(|p| p.map(symmetry)).collect())
    }

    /// The first cell of the blank's orbit, and a symmetry that leads from it to the goal's blank cell.
    fn representative(&self) -> (Cell, Symmetry) {
        let leads = |from: Cell| {
            Symmetry::of(self.tray).find(|s| s.map(self.tray, from) == self.goal_blank)
        };
        self.tray
            .iter()
            .find_map(|cell| Some((cell, leads(cell)?)))
            .unwrap_or((self.goal_blank, Symmetry::IDENTITY))
    }

    fn carried_order(&self) -> [Direction; 4] {
        let (_, back) = self.representative();
        self.order.map(|direction| back.map_direction(direction))
    }

    /// The symmetries of the tray that leave the blank's goal cell in place, the identity first.
    fn stabiliser(&self) -> impl Iterator<Item = Symmetry> {
        let (tray, blank) = (self.tray, self.goal_blank);
        Symmetry::of(tray).filter(move |s| s.map(tray, blank) == blank)
    }

    /// Patterns for full-cost tables in the multi-tile metric: all tiles where that is one small table, those chosen by
    /// measurement, else the first and the last tiles by rows and by columns.
    fn runs(&self) -> Vec<CellSet> {
        let tray = self.tray;
        let (home, back) = self.representative();
        let all = CellSet::all(tray).without(home);
        let sizes = 1..=MAX_TILES.min(all.len());
        let tiles = sizes
            .rev()
            .find(|&k| entries_with_blank(tray, k) <= MOST_RUN_ENTRIES);
        let tiles = tiles.unwrap_or(1);
        let set = |cells: &[usize]| cells.iter().map(|&cell| Cell::new(cell)).collect();
        let patterns: Vec<CellSet> = if tiles == all.len() {
            vec![all]
        } else if (tray.width(), tray.height(), home.index()) == (4, 4, 0) {
            FIFTEEN_RUNS.iter().map(|cells| set(cells)).collect()
        } else {
            let mut rows: Vec<Cell> = all.iter().collect();
            let mut columns = rows.clone();
            columns.sort_by_key(|&cell| (tray.column(cell), tray.row(cell)));
            let mut patterns = Vec::new();
            for order in [&mut rows, &mut columns] {
                patterns.push(order.iter().take(tiles).copied().collect());
                order.reverse();
                patterns.push(order.iter().take(tiles).copied().collect());
            }
            patterns
        };
        patterns.iter().map(|p| p.map(back, tray)).collect()
    }

    /// First row and first column, by a symmetry that keeps the blank outside.
    fn fringe(&self) -> Result<CellSet, PartitionError> {
        let tray = self.tray;
        let frame = tray
            .iter()
            .filter(|&c| tray.row(c) == 0 || tray.column(c) == 0);
        let frame: CellSet = frame.collect();
        let mut images = Symmetry::of(tray).map(|symmetry| frame.map(symmetry, tray));
        images
            .find(|image| !image.contains(self.goal_blank))
            .ok_or(PartitionError::Pattern(PatternError::Blank))
    }

    /// The size.
    #[must_use]
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// The blank's goal cell.
    #[must_use]
    pub fn goal_blank(&self) -> Cell {
        self.goal_blank
    }

    /// The partitions as asked for; none for plain Manhattan distance.
    #[must_use]
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// The order in which a search should try the blank's moves.
    #[must_use]
    pub fn order(&self) -> [Direction; 4] {
        self.order
    }

    /// The partitions and their images under all symmetries that keep the goal's blank, each once: every one is a
    /// heuristic that the same tables serve.
    #[must_use]
    pub fn views(&self) -> Vec<Partition> {
        let mut views: Vec<Partition> = Vec::new();
        for symmetry in self.stabiliser() {
            for partition in &self.partitions {
                let image = partition.map(symmetry, self.tray);
                if !views.iter().any(|view| view.is_same(&image)) {
                    views.push(image);
                }
            }
        }
        views
    }

    /// The tables that serve the partitions and all their views, each once.
    #[must_use]
    pub fn tables(&self) -> Vec<TableId> {
        let mut tables: Vec<TableId> = Vec::new();
        for (pattern, kind) in self.patterns() {
            let (id, _) = pattern.table(kind);
            if !tables.contains(&id) {
                tables.push(id);
            }
        }
        tables
    }

    /// All patterns of the partitions with the kind of their tables.
    pub fn patterns(&self) -> impl Iterator<Item = (Pattern, Kind)> {
        self.partitions.iter().flat_map(move |partition| {
            let pattern = |&tiles| Pattern::new(self.tray, tiles, self.goal_blank).ok();
            let patterns = partition.parts.iter().filter_map(pattern);
            patterns.map(|pattern| (pattern, partition.kind))
        })
    }
}

/// Whether a text can only be meant as a list of tiles.
fn is_list(text: &str) -> bool {
    text.contains([',', '/', ' ']) && text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str, size: &str, blank: usize) -> Result<Plan, PartitionError> {
        let tray: Tray = size.parse().unwrap();
        let goal = Goal::with_blank(tray, Cell::new(blank));
        Plan::parse(text, &goal, Kind::ZeroAware, |_| None)
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
                let plan = plan(name, size, cell.index()).unwrap();
                for partition in plan.partitions() {
                    let sum: usize = partition.parts.iter().map(|p| p.len()).sum();
                    let all = partition
                        .parts
                        .iter()
                        .copied()
                        .fold(CellSet::EMPTY, CellSet::union);
                    assert_eq!(sum, all.len());
                    assert!(!all.contains(cell));
                    assert!(name == "fringe" || sum == tray.cells() - 1);
                }
                if name == "6-6-3" || name == "7-8" {
                    assert!(plan.views().len() >= 2, "{name} {cell:?}");
                }
                tables.extend(plan.patterns().map(|(pattern, kind)| pattern.table(kind).0));
            }
            if name == "6-6-3" {
                // Corner and centre goals take one set, edge goals two partitions.
                assert!(tables.len() <= 12, "{}", tables.len());
            }
        }
    }

    #[test]
    fn orders_are_carried_with_the_goal() {
        use Direction::{Down, Left, Right, Up};
        let first = plan("5-5-5", "4x4", 0).unwrap().order();
        let last = plan("5-5-5", "4x4", 15).unwrap().order();
        assert_eq!(first, [Up, Left, Right, Down]);
        assert_eq!(last, first.map(Direction::opposite));
    }

    #[test]
    fn lists_use_the_goals_numbers() {
        let plan = plan("1,2,3/4 5 6/7,8", "3x3", 8).unwrap();
        assert_eq!(plan.partitions()[0].parts[2].bits(), 0b1100_0000);
        assert_eq!(plan.views().len(), 2);
    }

    #[test]
    fn the_fringe_is_the_articles() {
        let plan = plan("fringe", "3x3", 8).unwrap();
        let partition = &plan.partitions()[0];
        assert_eq!(partition.kind, Kind::Full);
        assert_eq!(
            partition.parts,
            [[0, 1, 2, 3, 6].map(Cell::new).into_iter().collect()]
        );
    }

    #[test]
    fn full_cost_parts_are_never_added_up() {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let plan = Plan::parse("5-3", &goal, Kind::Full, |_| None).unwrap();
        assert_eq!(plan.partitions().len(), 2);
        assert!(plan.views().iter().all(|view| view.parts.len() == 1));
    }

    #[test]
    fn bad_partitions_say_why() {
        let error = |text| plan(text, "4x4", 15).unwrap_err().to_string();
        assert!(error("6-6-4").contains("16 tiles together, but a 4x4 board has 15"));
        assert!(error("6-6").contains("12 tiles"));
        assert!(error("13-2").contains("13 tiles"));
        assert!(error("1,2,3/3,4").contains("tile 3 is listed twice"));
        assert!(error("1,2,3").contains("tiles in no part: 4, 5"));
        assert!(error("1,2,16").contains("16 in the list"));
        assert!(error("0,2").contains("0 in the list"));
        assert!(error("1,a").contains("`a`"));
        assert!(error("what").contains("`what` is not known"));
        let tray = Tray::new(6, 6).unwrap();
        let goal = Goal::blank_last(tray);
        let large = Plan::parse("7-8", &goal, Kind::ZeroAware, |_| None);
        assert!(matches!(
            large,
            Err(PartitionError::Pattern(PatternError::Tray(_)))
        ));
        assert!(Plan::parse(&Plan::default_name(tray), &goal, Kind::ZeroAware, |_| None).is_ok());
    }

    #[test]
    fn pictures_must_cover_the_tiles() {
        let goal = Goal::blank_last("2x2".parse().unwrap());
        let parse = |picture: &str| {
            Plan::parse("p.txt", &goal, Kind::ZeroAware, |name| {
                (name == "p.txt").then(|| Ok(picture.to_owned()))
            })
        };
        // A picture of another corner is carried.
        let plan = parse("order LRUD\n. a\na b\n").unwrap();
        assert_eq!(plan.partitions()[0].parts.len(), 2);
        assert!(
            !plan.partitions()[0]
                .parts
                .iter()
                .any(|p| p.contains(Cell::new(3)))
        );
        assert!(matches!(
            parse("nonsense!"),
            Err(PartitionError::Picture { .. })
        ));
        let other = parse(". a a\nb b b\n");
        assert!(matches!(other, Err(PartitionError::NoPicture { .. })));
    }
}
