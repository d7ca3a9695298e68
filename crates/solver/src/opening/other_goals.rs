//! Tables for other goal cells of the blank, needed by searches from the goal to the board.

use pdb_table::{Control, SharedTable};
use puzzle::{HeuristicSpec, TableId};

use super::open_event::OpenError;
use super::open_options::{OpenOptions, OtherGoals};
use super::open_tables::open_tables;
use crate::facade::Solver;
use crate::metric_search::MetricSearch;
use crate::sides::MadeSearch;
use crate::tables::DamagedTable;

impl OpenOptions {
    /// Heuristics for other goal cells of the blank. [`Solver::open`] opens them in addition to the
    /// specification's own heuristic: those that [`OpenOptions::both_sides`] selects. A candidate
    /// is included if the budget suffices for all tables together: those of the specification, of the
    /// candidates already included, and of this candidate. Existing tables need no build time. If
    /// the budget has no time limit, the additional tables may take [`OpenOptions::usual_seconds`]
    /// to build. If there is no writable directory and all tables of the specification exist, no
    /// additional tables are built, because every call would have to build them again.
    #[must_use]
    pub fn other_goals(&self, spec: &HeuristicSpec) -> Vec<HeuristicSpec> {
        #[cfg(feature = "file")]
        let is_kept = || {
            let directory = self.directory.as_ref();
            directory.is_some_and(pdb_table::TableDirectory::is_writable)
        };
        #[cfg(not(feature = "file"))]
        let is_kept = || false;
        let exists = |id: &TableId| self.encoding_of(*id).is_some();
        let mut others = match self.both_sides {
            OtherGoals::Never => return Vec::new(),
            OtherGoals::Usual => spec.usual_goals(),
            OtherGoals::All => spec.other_goals(),
        };
        if others.is_empty() || !is_kept() && spec.tables().iter().all(exists) {
            others = spec.other_goals();
            others.retain(|other| other.tables().iter().all(exists));
        }
        self.within_budget(spec, others)
    }

    /// The heuristics of `others` whose tables are within the budget.
    fn within_budget(
        &self,
        spec: &HeuristicSpec,
        candidates: Vec<HeuristicSpec>,
    ) -> Vec<HeuristicSpec> {
        let Ok(own) = self.check(spec.name(), &spec.tables()) else {
            return Vec::new();
        };
        let mut limited = self.clone();
        if limited.budget.max_seconds.is_infinite() {
            limited.budget.max_seconds = own.seconds + OpenOptions::usual_seconds(spec.metric());
        }
        let mut others = Vec::new();
        for other in candidates {
            let all = [spec].into_iter().chain(&others).chain([&other]);
            let all = HeuristicSpec::tables_of(all);
            if limited.check(other.name(), &all).is_ok() {
                others.push(other);
            }
        }
        others
    }

    /// Number of bytes that are read when the tables of a specification are opened.
    #[cfg(feature = "file")]
    fn opening_bytes(&self, spec: &HeuristicSpec) -> u64 {
        let Some(store) = self.store(spec) else {
            return 0;
        };
        let tables = spec.tables().into_iter();
        let closed = tables.filter(|&id| self.given_table(id).is_none());
        closed.map(|id| store.directory.bytes_to_open(id)).sum()
    }

    #[cfg(not(feature = "file"))]
    fn opening_bytes(&self, _: &HeuristicSpec) -> u64 {
        0
    }
}

impl Solver {
    /// Adds the tables of other goal cells of the blank (see [`OpenOptions::other_goals`]), even if
    /// tables cannot be kept. Missing tables are built and kept as described for [`Solver::open`].
    /// If the options request both sides, [`Solver::open`] has already added all these tables.
    /// Files are opened when a board first needs them. A board is searched from the start if the
    /// tables for its search from the goal cannot be built.
    ///
    /// # Errors
    /// [`OpenError::Damaged`] and [`OpenError::Cancelled`].
    pub fn open_other_goals(&mut self, options: &OpenOptions) -> Result<(), OpenError> {
        let options = self.with_own_tables(options);
        let others = options.within_budget(self.spec(), self.spec().other_goals());
        self.add_others(others, &options)
    }

    pub(super) fn with_own_tables(&self, options: &OpenOptions) -> OpenOptions {
        let mut options = options.clone();
        options.given.extend(self.tables());
        options
    }

    /// Adds heuristics for other goal cells. They reuse the tables of `options.given`, which
    /// include the solver's own tables.
    pub(super) fn add_others(
        &mut self,
        others: Vec<HeuristicSpec>,
        options: &OpenOptions,
    ) -> Result<(), OpenError> {
        let mut given = options.given.clone();
        for other in others {
            if self.search.has(other.goal_blank()) {
                continue;
            }
            let needed = other.tables();
            let found = options.clone().given(take_needed(&given, &other));
            if needed.iter().any(|&id| found.encoding_of(id).is_none()) {
                match open_tables(&other, &found) {
                    Ok(tables) => given.extend(tables),
                    Err(OpenError::Cancelled) => return Err(OpenError::Cancelled),
                    #[cfg(feature = "file")]
                    Err(error @ OpenError::Damaged(_)) => return Err(error),
                    Err(_) => continue,
                }
            }
            // Tables that were just built count as files, so that later runs search as this one does.
            let opening = options.opening_bytes(&other) / BYTES_PER_NODE;
            let options = found.given(take_needed(&given, &other));
            let options = options.max_build_seconds(0.0).control(Control::default());
            let goal_blank = other.goal_blank();
            let make = move |start: &MetricSearch| search_of(&other, &options, start);
            self.search.add_lazily(goal_blank, opening, make);
        }
        Ok(())
    }
}

/// Bytes of tables that are opened in the time that the choice of the better side saves per node.
/// A node takes 60 to 130 ns, and the choice saves a quarter of the nodes, so 25 ns per node.
/// Loading a large file takes 0.35 ns per byte, so 70 bytes per node, if the system has the file in
/// memory. Checking a smaller file takes 0.75 to 1.2 ns per byte, so 20 to 33 bytes per node.
const BYTES_PER_NODE: u64 = 48;

fn take_needed(given: &[SharedTable], spec: &HeuristicSpec) -> Vec<SharedTable> {
    let needed = spec.tables();
    let found = needed
        .iter()
        .filter_map(|&id| given.iter().find(|table| table.id() == id));
    found.cloned().collect()
}

/// The search of `spec`; `None` if a table no longer exists or no longer fits in memory.
fn search_of(spec: &HeuristicSpec, options: &OpenOptions, start: &MetricSearch) -> MadeSearch {
    match open_tables(spec, options) {
        Ok(tables) => {
            let search = MetricSearch::new(spec, &tables, Some(start));
            search.map(Some).map_err(|_| DamagedTable(None))
        }
        #[cfg(feature = "file")]
        Err(OpenError::Damaged(error)) => {
            let path = error.path.display().to_string();
            Err(DamagedTable(Some(path)))
        }
        // Files were removed, or memory became too small, after the solver was opened.
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use puzzle::{Goal, Metric};

    use super::*;

    fn goal(size: &str) -> Goal {
        Goal::blank_first(size.parse().unwrap())
    }

    fn blanks(options: &OpenOptions, name: &str) -> Vec<usize> {
        let spec = HeuristicSpec::parse(name, &goal("4x4")).unwrap();
        let others = options.other_goals(&spec).into_iter();
        others.map(|other| other.goal_blank().index()).collect()
    }

    #[test]
    fn tables_of_other_goals_share_the_budget() {
        let options = || OpenOptions::in_memory().threads(1);
        assert_eq!(blanks(&options(), "6-6-3"), [1, 5]);
        assert_eq!(
            blanks(&options().both_sides(OtherGoals::Never), "6-6-3"),
            [0; 0]
        );
        // If the budget has no time limit, additional tables may take `usual_seconds` to build. The
        // centre needs less time than the edge, because it shares a table with the solver's own
        // goal.
        let every = || options().both_sides(OtherGoals::All);
        assert_eq!(blanks(&every(), "7-8"), [5]);
        assert_eq!(blanks(&every(), "best"), [0; 0]);
        assert_eq!(blanks(&every().max_build_seconds(1e4), "7-8"), [1, 5]);
        // The default set of 7-8 has only its own tables, whatever the budget.
        assert_eq!(blanks(&options().max_build_seconds(1e4), "7-8"), [0; 0]);
        let name = "6-6-3";
        let own = options().check(
            name,
            &HeuristicSpec::parse(name, &goal("4x4")).unwrap().tables(),
        );
        let own = own.unwrap();
        let only_own = options().max_build_seconds(own.seconds);
        assert_eq!(blanks(&only_own, name), [0; 0]);
        // In addition to the corner's tables, the centre needs one table and the edge needs three
        // tables.
        let one_more = options().max_build_seconds(1.6 * own.seconds);
        assert_eq!(blanks(&one_more, name), [5]);
        let all = options().max_bytes(Some(own.bytes));
        assert_eq!(blanks(&all, name), [0; 0]);
        let too_slow = options().max_build_seconds(0.9 * own.seconds);
        assert_eq!(blanks(&too_slow, name), [0; 0]);
    }

    #[test]
    fn tables_of_other_goals_are_built_for_runs_too() {
        let goal = goal("3x3");
        let builder = HeuristicSpec::builder(&goal).metric(Metric::Multi);
        let spec = builder.parse("1,2,3").unwrap();
        assert_eq!(OpenOptions::in_memory().other_goals(&spec), []);
        let spec = builder.parse("5-3").unwrap();
        let solver = Solver::open(goal.clone(), spec, &OpenOptions::in_memory()).unwrap();
        assert!(!solver.other_tables().unwrap().is_empty());
    }

    #[cfg(feature = "file")]
    mod files {
        use std::path::PathBuf;
        use std::sync::Arc;
        use std::sync::atomic::{AtomicUsize, Ordering};

        use puzzle::Board;

        use super::*;
        use crate::calls::{Side, SolveError, SolveOptions};
        use crate::opening::OpenEvent;

        /// A board whose blank is on an edge.
        const EDGE: &str = "8 12 5 2/6 1 14 10/11 4 3 0/9 7 13 15";

        struct Folder {
            folder: tempfile::TempDir,
            goal: Goal,
            spec: HeuristicSpec,
        }

        impl Folder {
            /// A folder with the tables that were written when a solver was opened.
            fn filled(size: &str, name: &str) -> Folder {
                let goal = goal(size);
                let spec = HeuristicSpec::parse(name, &goal).unwrap();
                let folder = tempfile::tempdir().unwrap();
                let folder = Folder { folder, goal, spec };
                folder.open(&folder.options());
                folder
            }

            fn options(&self) -> OpenOptions {
                OpenOptions::new(self.folder.path()).max_build_seconds(1e4)
            }

            fn open(&self, options: &OpenOptions) -> Solver {
                Solver::open(self.goal.clone(), self.spec.clone(), options).unwrap()
            }

            /// Files of the tables that only other goal cells need.
            fn others(&self) -> Vec<PathBuf> {
                let own: Vec<String> = self.spec.tables().iter().map(TableId::name).collect();
                let files = std::fs::read_dir(self.folder.path()).unwrap();
                let files = files.map(|file| file.unwrap().path());
                let is_own = |file: &PathBuf| {
                    let stem = file.file_stem().unwrap().to_string_lossy();
                    own.iter().any(|own| *own == stem)
                };
                files.filter(|file| !is_own(file)).collect()
            }
        }

        fn sides(solver: &Solver, board: &str) -> [Result<u64, SolveError>; 2] {
            let board = Board::parse(board, None).unwrap();
            [Side::Start, Side::Auto].map(|side| {
                let options = SolveOptions::default().side(side);
                let solution = solver.solve_with(&board, &options)?;
                Ok(solution.stats.generated)
            })
        }

        #[test]
        fn tables_of_other_goals_are_built_once_and_kept() {
            let folder = Folder::filled("4x4", "4-4-4-3");
            assert!(!folder.others().is_empty());
            let events = Arc::new(AtomicUsize::new(0));
            let count = Arc::clone(&events);
            let listener = move |_: &OpenEvent| {
                count.fetch_add(1, Ordering::SeqCst);
            };
            let options = folder.options().max_build_seconds(0.0);
            let solver = folder.open(&options.control(Control::listening(listener)));
            assert_eq!(events.load(Ordering::SeqCst), 0);
            let tables = solver.other_tables().unwrap();
            assert_eq!(tables.len(), folder.others().len());
        }

        // The first boards of felner1000 whose blank is on a corner, on an edge and in the middle.
        const CORNER_1000: &str = "15 1 8 10/7 11 14 2/12 5 9 13/4 6 3 0";
        const EDGE_1000: &str = "4 3 14 13/9 1 5 10/0 15 7 12/11 6 8 2";
        const MIDDLE_1000: &str = "8 12 13 6/11 4 3 2/7 0 10 1/5 14 9 15";

        #[test]
        fn the_better_side_is_found_after_opening() {
            let folder = Folder::filled("4x4", "6-6-3");
            let solver = folder.open(&folder.options());
            solver.other_tables().unwrap();
            let boards = [CORNER_1000, EDGE_1000, MIDDLE_1000];
            assert_eq!(
                boards.map(|board| sides(&solver, board).map(Result::unwrap)),
                [[58_181, 50_852], [26_271, 26_400], [60_619, 10_893]]
            );
        }

        /// The edge needs three tables of 1.5 MB, which 93,000 nodes pay for; the middle needs one
        /// of them.
        #[test]
        fn tables_of_other_goals_are_opened_when_the_boards_of_their_class_pay_for_them() {
            let folder = Folder::filled("4x4", "6-6-3");
            for options in [folder.options(), folder.options().load_from(Some(1))] {
                let solver = folder.open(&options);
                let auto = |board| sides(&solver, board)[1].clone().unwrap();
                let edge = [26_271, 26_271, 31_502, 26_400];
                assert_eq!([EDGE_1000; 4].map(auto), edge);
                assert_eq!([MIDDLE_1000; 2].map(auto), [22_615, 10_893]);
            }
        }

        #[test]
        fn damaged_tables_of_other_goals_are_rejected() {
            let folder = Folder::filled("4x4", "4-4-4-3");
            for file in folder.others() {
                let mut bytes = std::fs::read(&file).unwrap();
                *bytes.last_mut().unwrap() ^= 1;
                std::fs::write(&file, bytes).unwrap();
            }
            let solver = folder.open(&folder.options());
            let [start, auto] = sides(&solver, EDGE);
            assert!(start.is_ok());
            let Err(SolveError::Damaged(error)) = auto else {
                panic!("{auto:?}");
            };
            assert!(error.to_string().contains(".pdb"), "{error}");
            assert!(solver.other_tables().is_err());
        }

        #[test]
        fn boards_without_tables_of_other_goals_are_searched_from_the_start() {
            let folder = Folder::filled("4x4", "4-4-4-3");
            let removed_later = folder.open(&folder.options());
            for file in folder.others() {
                std::fs::remove_file(file).unwrap();
            }
            let none = folder.options().max_build_seconds(0.0);
            for solver in [removed_later, folder.open(&none)] {
                let [start, auto] = sides(&solver, EDGE);
                assert_eq!(start.unwrap(), auto.unwrap());
                assert!(solver.other_tables().unwrap().is_empty());
            }
            let mut solver = folder.open(&folder.options().both_sides(OtherGoals::Never));
            assert!(solver.other_tables().unwrap().is_empty());
            // The solver has already searched with its tables.
            let [start, _] = sides(&solver, EDGE).map(Result::unwrap);
            solver.open_other_goals(&folder.options()).unwrap();
            assert!(!folder.others().is_empty());
            let auto = sides(&solver, EDGE)[1].clone().unwrap();
            assert_ne!(auto, start);
        }

        #[test]
        fn nothing_is_opened_without_a_gain() {
            for name in ["8", "manhattan"] {
                let folder = Folder::filled("3x3", name);
                assert!(folder.others().is_empty(), "{name}");
            }
        }
    }
}
