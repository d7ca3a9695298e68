//! `solver scramble`: prints random boards.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;

use clap::Args;
use command::options::{Asked, about};
use command::words::counted;
use command::{Failure, SharedArgs, interrupted, print_error, print_line, progress_bar};
use puzzle::{Board, Direction, Goal, Metric, Notation, Scrambler};
use serde_json::{Value, json};
use session::Opened;
use session::request::{Scramble, Solve, Tables};
use solver::{SolveError, SolveOptions};

use crate::caller::{Caller, OpenArgs};

#[derive(Args, Debug)]
#[command(mut_arg("number", |arg| arg.short('n')), mut_arg("moves", |arg| arg.conflicts_with("length")))]
pub(crate) struct ScrambleArguments {
    #[command(flatten)]
    asked: Asked<Scramble>,
    /// Print boards whose shortest solution has exactly L moves of --metric; some of these boards
    /// are more likely than others
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(..=MAX_LENGTH))]
    length: Option<u32>,
    /// Print boards of a suite, such as hardest80 (4x4, 80 moves) or korf100, in order; --seed
    /// chooses the first board
    #[cfg(feature = "full")]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["moves", "length"])]
    suite: Option<String>,
    #[command(flatten)]
    open: OpenArgs,
    #[arg(long, help = about::<Solve>("notation"), default_value = "tile")]
    notation: Notation,
}

/// Prints one board per line.
pub(crate) fn run(shared: SharedArgs, arguments: &ScrambleArguments) -> Result<u8, Failure> {
    let request: Scramble = arguments.asked.question(&shared, [])?;
    let seed = request.seed.unwrap_or_else(random_seed);
    let number = request.number.unwrap_or(1);
    if request.moves.is_some_and(|moves| moves > MAX_MOVES) {
        return Err(Failure::input(format!(
            "--moves must be at most {MAX_MOVES}"
        )));
    }
    let (json, quiet) = (shared.json, shared.quiet);
    let print_seed = || {
        if request.seed.is_none() && !json && !quiet {
            print_error(format_args!("solver: seed {seed}"));
        }
    };
    #[cfg(feature = "full")]
    if let Some(name) = &arguments.suite {
        let set = crate::compare::suite(name, &shared)?;
        print_seed();
        print_suite(&shared, &set, seed, number)?;
        return Ok(0);
    }
    print_seed();
    let goal = shared.goal(None)?;
    let mut scrambler = Scrambler::new(seed);
    let length = arguments.length;
    let finder = length.map(|length| Finder::new(shared, arguments, &goal, length));
    let finder = finder.transpose()?;
    for number in 1..=number {
        let mut object = json!({ "seed": seed, "number": number });
        let board = match (&finder, request.moves) {
            (Some(finder), _) => {
                let (board, solution) = finder.find(&mut scrambler)?;
                let moves = board.write_moves(&solution, arguments.notation);
                object["length"] = json!(finder.length);
                object["moves"] = json!(moves.map_err(Failure::input)?);
                board
            }
            (None, Some(count)) => {
                let start = goal.board();
                let moves = scrambler.walk(start, count as usize);
                let written = start.write_moves(&moves, arguments.notation);
                object["scramble"] = json!(written.map_err(Failure::input)?);
                start.play(&moves).map_err(Failure::input)?
            }
            (None, None) => draw(&mut scrambler, &goal),
        };
        print_board(json, &board, object);
        if interrupted() {
            break;
        }
    }
    Ok(0)
}

/// Prints a board, or an object with the board added.
fn print_board(json: bool, board: &Board, mut object: Value) {
    if !json {
        return print_line(board);
    }
    object["board"] = json!(board.to_string());
    print_line(object);
}

/// Prints `number` boards of a suite in the suite's order. The seed chooses the first board; after
/// the suite's last board, printing continues with the suite's first.
#[cfg(feature = "full")]
fn print_suite(
    shared: &SharedArgs,
    set: &lab::BoardSet,
    seed: u64,
    number: u64,
) -> Result<(), Failure> {
    if shared.goal(Some(set.goal.tray()))? != set.goal && !shared.quiet {
        print_error(format_args!(
            "solver: the goal of {} is {1}: solve with --goal \"{1}\"",
            set.name, set.goal
        ));
    }
    let first = seed as usize % set.boards.len().max(1);
    let boards = set.boards.iter().cycle().skip(first);
    for (number, known) in (1..=number).zip(boards) {
        let mut object = json!({ "seed": seed, "number": number });
        // Suites state lengths in single-tile moves.
        let is_single = shared.metric() == Metric::Single;
        if let Some(length) = known.length.filter(|_| is_single) {
            object["length"] = json!(length);
        }
        print_board(shared.json, &known.board, object);
    }
    Ok(())
}

/// A random seed. It is small enough for programs that store numbers as doubles.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 11
}

/// A uniformly random solvable board.
fn draw(scrambler: &mut Scrambler, goal: &Goal) -> Board {
    let state = scrambler.draw(goal.tray(), goal.blank());
    goal.board_of(&state)
        .unwrap_or_else(|| goal.board().clone())
}

/// Maximum number of random moves of a board.
const MAX_MOVES: u64 = 1_000_000;

/// Maximum number of random moves of a climb. A climb begins at the hardest board found so far.
const MAX_CLIMB: usize = 12;

/// Maximum distance of a board from the goal, in moves, for goals with the blank in a corner. An
/// element is (shorter side of the tray, longer side, distance). Sources: R. E. Korf and P.
/// Schultze, Large-Scale Parallel Breadth-First Search, AAAI 2005, and OEIS A151944.
///
/// For 5x5 the distance is the best known upper bound (OEIS A087725).
const LONGEST: [(usize, usize, u32); 12] = [
    (2, 2, 6),
    (2, 3, 21),
    (2, 4, 36),
    (2, 5, 55),
    (2, 6, 80),
    (2, 7, 108),
    (2, 8, 140),
    (3, 3, 31),
    (3, 4, 53),
    (3, 5, 84),
    (4, 4, 80),
    (5, 5, 208),
];
/// [`LONGEST`] in the multi-tile metric, where known. The number for 4x4 is by B. Norskog, 2010.
const LONGEST_MULTI: [(usize, usize, u32); 2] = [(3, 3, 24), (4, 4, 43)];
/// Maximum requested length on any tray: no search can prove a longer solution optimal.
const MAX_LENGTH: i64 = 1000;

/// Upper bound for the distance of any board from this goal, if one is known.
fn longest(goal: &Goal, metric: Metric) -> Option<u32> {
    let (tray, blank) = (goal.tray(), goal.blank());
    let (width, height) = (tray.width(), tray.height());
    let sides = (width.min(height), width.max(height));
    let find = |lengths: &[(usize, usize, u32)]| {
        let found = lengths.iter().find(|&&(a, b, _)| (a, b) == sides);
        found.map(|&(_, _, length)| length)
    };
    let of_multi = match metric {
        Metric::Single => None,
        Metric::Multi => find(&LONGEST_MULTI),
    };
    if sides.0 == 1 {
        // Only the blank's position varies.
        let end = tray.cells() - 1;
        let farthest = blank.index().max(end - blank.index()) as u32;
        return Some(match metric {
            Metric::Single => farthest,
            Metric::Multi => farthest.min(1),
        });
    }
    // Each single-tile move is also a multi-tile move, so single-tile lengths are upper bounds in
    // the multi-tile metric.
    let of_corner = of_multi.or_else(|| find(&LONGEST))?;
    // For other goals the bound is larger by the number of moves that take the blank from its goal
    // cell to the nearest corner. Renumbering the tiles does not change distances.
    let to_corner = |at: usize, side: usize| at.min(side - 1 - at) as u32;
    let (column, row) = (tray.column(blank), tray.row(blank));
    Some(of_corner + to_corner(column, width) + to_corner(row, height))
}

/// Finds boards of a given length. If the shortest solution of a board is too long, its first moves
/// are made until the requested length remains. The remaining moves are a shortest solution of the
/// new board.
struct Finder {
    opened: Arc<Opened>,
    length: u32,
    /// Maximum number of searches for one board.
    max_searches: u32,
    /// Whether uniformly random boards are solved. On large trays, where they take too long to
    /// solve, random walks from the goal produce the boards instead.
    has_draws: bool,
    options: SolveOptions,
    is_quiet: bool,
}

impl Finder {
    fn new(
        shared: SharedArgs,
        arguments: &ScrambleArguments,
        goal: &Goal,
        length: u32,
    ) -> Result<Self, Failure> {
        let tray = goal.tray();
        if let Some(longest) = longest(goal, shared.metric()).filter(|&most| length > most) {
            return Err(Failure::input(format!(
                "no {tray} board needs more than {longest} moves, but --length is {length}"
            )));
        }
        let (max_searches, max_nodes) = match tray.cells() {
            // Only a few of the 181,440 boards of the 3x3 tray have the maximum length, so the
            // limit is high. All searches together take a second.
            0..=9 => (400_000, None),
            // The searches take a few minutes.
            10..=16 => (20_000, None),
            _ => (400, Some(1_000_000)),
        };
        let tables = Tables {
            metric: shared.metric,
            kind: shared.kind,
            partition: shared.partition.clone(),
            parts: None,
        };
        let is_quiet = shared.quiet || shared.json;
        let caller = Caller::new(shared, &arguments.open, true);
        let control = caller.control(None);
        Ok(Finder {
            opened: caller.session.open_solver(goal, &tables, &control)?,
            length,
            max_searches,
            has_draws: max_nodes.is_none(),
            // With one thread the same seed always gives the same solutions.
            options: SolveOptions::default()
                .max_nodes(max_nodes)
                .cancel(&command::cancel()),
            is_quiet,
        })
    }

    /// A board of the requested length and a shortest solution.
    fn find(&self, scrambler: &mut Scrambler) -> Result<(Board, Vec<Direction>), Failure> {
        let bar = progress_bar("", "{wide_msg}", self.is_quiet);
        let (goal, metric) = (self.opened.solver.goal(), self.opened.solver.metric());
        let wanted = counted(self.length.into(), "move");
        let mut longest = (0, goal.board().clone());
        for search in 0..self.max_searches {
            if search % 64 == 63 {
                bar.set_message(format!(
                    "looking for {wanted}: {search} boards solved, the longest has {}",
                    longest.0
                ));
            }
            let walk = match self.has_draws {
                // Climbs alternate with random boards, because a climb may end below the maximum
                // length.
                true if search % 2 == 1 => {
                    Some((&longest.1, 1 + (search as usize / 2) % MAX_CLIMB))
                }
                true => None,
                // The first walks have the requested length. Because a walk may come back towards
                // the goal, later walks have more moves.
                false => Some((goal.board(), self.length as usize + search as usize / 8)),
            };
            let board = match walk {
                Some((from, steps)) => {
                    let moves = scrambler.walk(from, steps);
                    from.play(&moves).map_err(Failure::input)?
                }
                None => draw(scrambler, goal),
            };
            let solution = match self.opened.solver.solve_with(&board, &self.options) {
                Ok(solution) => solution,
                Err(SolveError::Limit(_)) if !interrupted() => continue,
                Err(SolveError::Limit(_)) => return Err(Failure::interrupted("interrupted")),
                Err(error) => return Err(Failure::table(error)),
            };
            if solution.length >= self.length {
                let moves = solution.moves;
                let is_left =
                    |&start: &usize| metric.length(&moves[start..]) == self.length as usize;
                let start = (0..=moves.len()).find(is_left).unwrap_or(0);
                let board = board.play(&moves[..start]).map_err(Failure::input)?;
                bar.finish_and_clear();
                return Ok((board, moves[start..].to_vec()));
            }
            if solution.length >= longest.0 {
                longest = (solution.length, board);
            }
        }
        bar.finish_and_clear();
        Err(Failure::input(format!(
            "no board of {wanted} found in {} searches, the longest has {}: ask for a shorter one",
            self.max_searches, longest.0
        )))
    }
}
