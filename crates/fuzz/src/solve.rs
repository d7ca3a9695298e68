//! Compares the solver with breadth-first search on small trays, for any goal and in both metrics.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use arbitrary::{Result, Unstructured};
use pdb_gen::build;
use pdb_table::{Control, Encoding, SharedTable};
use puzzle::{Board, Goal, HeuristicSpec, Metric, TableId, TableKind, Tray};
use solver::{
    DuplicatePruning, Mode, Question, Report, SolveError, SolveOptions, Solver, SolverError,
};

/// Sizes of the trays: columns and rows.
const TRAYS: [(usize, usize); 8] = [
    (3, 3),
    (2, 2),
    (3, 2),
    (2, 3),
    (4, 2),
    (2, 4),
    (5, 1),
    (1, 4),
];
const MAX_CELLS: usize = 9;
/// Distance of an arrangement that has not been reached.
const NEVER: u8 = u8::MAX;
/// Largest number of tables that are kept.
const KEPT: usize = 2000;
/// Largest solution length for which the number of shortest solutions is checked.
const COUNTED: u8 = 20;

/// For each cell, the goal cell of the tile or blank on it.
type Arrangement = [u8; MAX_CELLS];

/// Distances of all arrangements of a tray from the goal whose blank is on the cell `blank`.
struct Distances {
    tray: Tray,
    blank: u8,
    metric: Metric,
    of: Vec<u8>,
}

impl Distances {
    fn search(tray: Tray, blank: u8, metric: Metric) -> Distances {
        let mut all = Distances {
            tray,
            blank,
            metric,
            of: Vec::new(),
        };
        let factorial: usize = (1..=tray.cells()).product();
        all.of = vec![NEVER; factorial];
        let goal: Arrangement = std::array::from_fn(|cell| cell as u8);
        let goal_rank = all.rank(&goal);
        all.of[goal_rank] = 0;
        let mut level = vec![goal];
        for distance in 1.. {
            let mut next = Vec::new();
            for arrangement in &level {
                for moved in all.neighbours(arrangement) {
                    let rank = all.rank(&moved);
                    if all.of[rank] == NEVER {
                        all.of[rank] = distance;
                        next.push(moved);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        all
    }

    /// Lehmer rank of an arrangement among all permutations.
    fn rank(&self, arrangement: &Arrangement) -> usize {
        let cells = self.tray.cells();
        let mut left: u32 = (1 << cells) - 1;
        arrangement[..cells]
            .iter()
            .zip((1..=cells).rev())
            .fold(0, |rank, (&piece, base)| {
                let smaller = (left & ((1 << piece) - 1)).count_ones();
                left &= !(1 << piece);
                rank * base + smaller as usize
            })
    }

    fn distance(&self, arrangement: &Arrangement) -> u8 {
        self.of[self.rank(arrangement)]
    }

    /// All arrangements that are one move away.
    fn neighbours(&self, arrangement: &Arrangement) -> Vec<Arrangement> {
        let (width, height) = (self.tray.width() as isize, self.tray.height() as isize);
        let blank = arrangement
            .iter()
            .position(|&piece| piece == self.blank)
            .unwrap_or(0) as isize;
        let mut all = Vec::with_capacity(4);
        for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (mut column, mut row) = (blank % width, blank / width);
            let mut moved = *arrangement;
            loop {
                let from = (row * width + column) as usize;
                (column, row) = (column + right, row + down);
                if !(0..width).contains(&column) || !(0..height).contains(&row) {
                    break;
                }
                moved.swap(from, (row * width + column) as usize);
                all.push(moved);
                if self.metric == Metric::Single {
                    break;
                }
            }
        }
        all
    }

    /// Neighbours that are nearer to the goal.
    fn nearer(&self, arrangement: &Arrangement) -> impl Iterator<Item = Arrangement> {
        let distance = self.distance(arrangement);
        let all = self.neighbours(arrangement).into_iter();
        all.filter(move |moved| self.distance(moved) + 1 == distance)
    }

    /// Number of shortest paths to the goal.
    fn count(&self, arrangement: &Arrangement) -> u64 {
        match self.distance(arrangement) {
            0 => 1,
            _ => self
                .nearer(arrangement)
                .map(|moved| self.count(&moved))
                .sum(),
        }
    }
}

/// Distances by tray index, the blank's goal cell and metric; computed by a search on first use.
fn distances(tray: usize, blank: usize, metric: Metric) -> &'static Distances {
    static ALL: [OnceLock<Distances>; TRAYS.len() * MAX_CELLS * 2] =
        [const { OnceLock::new() }; TRAYS.len() * MAX_CELLS * 2];
    let place = (tray * MAX_CELLS + blank) * 2 + usize::from(metric == Metric::Multi);
    ALL[place].get_or_init(|| {
        let (width, height) = TRAYS[tray];
        let tray = Tray::new(width, height).expect("a small tray");
        Distances::search(tray, blank as u8, metric)
    })
}

/// A table in its default encoding, built once.
fn table(id: TableId) -> std::result::Result<SharedTable, SolverError> {
    static BUILT: LazyLock<Mutex<HashMap<TableId, SharedTable>>> = LazyLock::new(Mutex::default);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if built.len() >= KEPT {
        built.clear();
    }
    let table = built.entry(id).or_insert_with(|| {
        let table = build(id, Encoding::default_for(id.kind()), &Control::default());
        table.expect("a small table").into_table().shared()
    });
    Ok(table.clone())
}

/// The bytes select tray, goal, board, metric, partition and options.
pub fn solve(bytes: &[u8]) {
    // `run` returns an error only if the input is too short. Such inputs are ignored.
    let _ = run(&mut Unstructured::new(bytes));
}

fn run(choices: &mut Unstructured<'_>) -> Result<()> {
    let number = usize::from(choices.arbitrary::<u8>()?) % TRAYS.len();
    let (width, height) = TRAYS[number];
    let tray = Tray::new(width, height).expect("a small tray");
    let metric = if choices.arbitrary::<u8>()? % 3 == 0 {
        Metric::Multi
    } else {
        Metric::Single
    };
    let heuristic = choices.arbitrary::<u8>()?;
    let how = choices.arbitrary::<u8>()?;
    let goal = match choices.arbitrary::<u8>()? % 4 {
        0 => Goal::blank_last(tray),
        1 => Goal::blank_first(tray),
        _ => Goal::new(permutation(tray, choices)?),
    };
    let board = permutation(tray, choices)?;
    let spec = spec(&goal, metric, heuristic, choices)?;
    let solver = Solver::with_tables(goal.clone(), spec, table).expect("any tables are accepted");
    let truth = distances(number, goal.blank().index(), metric);
    check(&solver, &board, truth, how);
    Ok(())
}

/// Creates a board. For each cell in reading order, one byte of `choices` selects one of the
/// numbers that are not used yet.
fn permutation(tray: Tray, choices: &mut Unstructured<'_>) -> Result<Board> {
    let mut left: Vec<u32> = (0..tray.cells() as u32).collect();
    let mut numbers = Vec::new();
    while !left.is_empty() {
        let place = usize::from(choices.arbitrary::<u8>()?) % left.len();
        numbers.push(left.remove(place));
    }
    Ok(Board::new(tray, &numbers).expect("each number once"))
}

/// Chooses a heuristic from the input: a partition by name, or a list of pairs and triples of the
/// goal's tiles in any order.
fn spec(
    goal: &Goal,
    metric: Metric,
    heuristic: u8,
    choices: &mut Unstructured<'_>,
) -> Result<HeuristicSpec> {
    let tray = goal.tray();
    let kinds = [
        TableKind::ZeroAware,
        TableKind::BlankCompressed,
        TableKind::FullCost,
    ];
    let kind = kinds[usize::from(heuristic / 8) % kinds.len()];
    let builder = HeuristicSpec::builder(goal).kind(kind).metric(metric);
    let has_tables = tray.width() > 1 && tray.height() > 1;
    let name = match heuristic % 8 {
        _ if !has_tables => HeuristicSpec::table_free_name(metric).to_owned(),
        0 => HeuristicSpec::table_free_name(metric).to_owned(),
        1 => HeuristicSpec::default_name(metric, tray),
        2 if metric == Metric::Single => HeuristicSpec::equal_parts_name(tray, 2),
        3 if metric == Metric::Single => HeuristicSpec::equal_parts_name(tray, 3),
        other => {
            let order = permutation(tray, choices)?;
            let tiles: Vec<String> = order
                .numbers()
                .iter()
                .filter(|&&tile| tile > 0)
                .map(u16::to_string)
                .collect();
            let parts: Vec<String> = tiles
                .chunks(2 + usize::from(other % 2))
                .map(|part| part.join(","))
                .collect();
            parts.join("/")
        }
    };
    Ok(builder.parse(&name).expect("a partition of all tiles"))
}

/// Queries the solver in several ways and compares the answers.
fn check(solver: &Solver, board: &Board, truth: &Distances, how: u8) {
    let goal = solver.goal();
    let mut arrangement = [0; MAX_CELLS];
    for (place, &number) in arrangement.iter_mut().zip(board.numbers()) {
        *place = goal.cell_of(number).expect("a number of the size").index() as u8;
    }
    let options = match how & 1 {
        0 => SolveOptions::default(),
        _ => SolveOptions::default().pruning(DuplicatePruning::ParentOnly),
    };
    check_report(solver, board, &options);
    let solved = solver.solve_with(board, &options);
    let distance = truth.distance(&arrangement);
    if distance == NEVER {
        assert!(
            matches!(solved, Err(SolveError::Unsolvable(_))),
            "{board}: {solved:?}"
        );
        return;
    }
    let solution = solved.unwrap_or_else(|error| panic!("{board} to {goal}: {error}"));
    let length = u32::from(distance);
    let place = format!("{board} to {goal}, {}", solver.spec());
    assert!(solution.is_optimal && solution.lower_bound == solution.length);
    assert_eq!(solution.length, length, "{place}");
    check_moves(solver, board, &solution.moves, length);
    let estimate = solver.estimate(board).expect("it can be solved");
    assert!(estimate <= length, "{estimate} for {place}");
    if solver.metric() == Metric::Single {
        assert_eq!(estimate % 2, length % 2, "the parity of {place}");
    }
    let probe = solver.probe(board).expect("it can be solved");
    assert_eq!(probe.estimate, estimate);
    if how & 2 != 0 && distance <= COUNTED {
        let found = solver.all_solutions(board, 0, 3, &options);
        let found = found.expect("it was solved");
        let count = truth.count(&arrangement);
        assert_eq!((found.length, found.counts[0]), (length, count));
        for moves in &found.moves {
            check_moves(solver, board, moves, length);
        }
    }
    if how & 4 != 0 {
        let hint = solver.hint(board, &options).expect("it can be solved");
        assert!(hint.is_exact && hint.distance == length && hint.lower_bound == length);
        let nearer = truth.nearer(&arrangement).count();
        assert_eq!(hint.moves.len(), nearer, "good moves of {place}");
    }
    for (mode, bit) in [(Mode::Strategic, 8), (Mode::Anytime, 16)] {
        if how & bit != 0 {
            let options = options.clone().mode(mode).max_nodes(500);
            check_heuristic_mode(solver, board, &options.short(how & 32 != 0), length);
        }
    }
}

/// Checks a mode that always finds a solution, not necessarily a shortest one.
fn check_heuristic_mode(solver: &Solver, board: &Board, options: &SolveOptions, shortest: u32) {
    let solution = solver.solve_with(board, options);
    let solution = solution.expect("it always has one");
    check_moves(solver, board, &solution.moves, solution.length);
    assert!(solution.length >= shortest && solution.lower_bound <= shortest);
    assert!(!solution.is_optimal || solution.length == shortest);
}

fn check_moves(solver: &Solver, board: &Board, moves: &[puzzle::Direction], length: u32) {
    let end = board.play(moves);
    assert_eq!(
        end.as_ref(),
        Ok(solver.goal().board()),
        "the moves lead elsewhere"
    );
    assert_eq!(solver.metric().length(moves), length as usize);
}

/// Checks that the JSON of a report is one line, and that reading it returns the same report.
fn check_report(solver: &Solver, board: &Board, options: &SolveOptions) {
    let report = solver.answer(board, &Question::new(options.clone())).report;
    let line = serde_json::to_string(&report).expect("reports can be written");
    assert!(!line.contains('\n'));
    assert_eq!(serde_json::from_str::<Report>(&line).ok(), Some(report));
}
