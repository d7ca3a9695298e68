//! `solver scramble`: random boards.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use clap::Args;
use cli::quantity::count;
use cli::words::counted;
use cli::{EXIT_INTERRUPTED, Failure, SharedArgs, interrupted, print_error, print_line};
use puzzle::{Board, Direction, Goal, Scrambler};
use serde_json::json;
use solver::{SolveError, SolveOptions, Solver};

use crate::opener::Opener;
use crate::search::{NotationArgs, OpenArgs};

/// The arguments of `scramble`.
#[derive(Args, Debug)]
pub(crate) struct ScrambleArguments {
    /// How many boards
    #[arg(long, short, value_name = "N", default_value = "1", value_parser = count)]
    number: u64,
    /// The same seed gives the same boards on every machine [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Boards after K random moves from the goal, none of which undoes the one before [default:
    /// all boards that can be solved are equally likely]
    #[arg(long, value_name = "K", conflicts_with = "length",
          value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    moves: Option<u32>,
    /// Boards whose shortest solution has exactly L moves, in --metric
    #[arg(long, value_name = "L")]
    length: Option<u32>,
    #[command(flatten)]
    open: OpenArgs,
    #[command(flatten)]
    notation: NotationArgs,
}

/// Prints boards, one a line.
pub(crate) fn run(shared: SharedArgs, arguments: &ScrambleArguments) -> Result<u8, Failure> {
    let goal = shared.goal(None)?;
    // Seeded by the system, as hash maps are.
    let random = || RandomState::new().build_hasher().finish();
    // Programs that keep numbers as doubles read the seed back.
    let seed = arguments.seed.unwrap_or_else(|| random() >> 11);
    let mut scrambler = Scrambler::new(seed);
    let (json, quiet) = (shared.json, shared.quiet);
    if arguments.seed.is_none() && !json && !quiet {
        print_error(format_args!("solver: seed {seed}"));
    }
    let finder = arguments
        .length
        .map(|length| Finder::new(shared, arguments, &goal, length));
    let finder = finder.transpose()?;
    for number in 1..=arguments.number {
        let mut object = json!({ "seed": seed, "number": number });
        let board = match (&finder, arguments.moves) {
            (Some(finder), _) => {
                let (board, solution) = finder.find(&mut scrambler)?;
                let moves = board.write_moves(&solution, arguments.notation.notation);
                object["length"] = json!(finder.length);
                object["moves"] = json!(moves.map_err(Failure::input)?);
                board
            }
            (None, Some(count)) => {
                let moves = scrambler.walk(goal.board(), count as usize);
                let written = goal
                    .board()
                    .write_moves(&moves, arguments.notation.notation);
                object["scramble"] = json!(written.map_err(Failure::input)?);
                goal.board().play(&moves).map_err(Failure::input)?
            }
            (None, None) => draw(&mut scrambler, &goal),
        };
        if interrupted() {
            return Ok(EXIT_INTERRUPTED);
        }
        if json {
            object["board"] = json!(board.to_string());
            print_line(object);
        } else {
            print_line(board);
        }
    }
    Ok(0)
}

/// A uniformly random board that can be solved.
fn draw(scrambler: &mut Scrambler, goal: &Goal) -> Board {
    let state = scrambler.draw(goal.tray(), goal.blank());
    goal.board_of(&state)
        .unwrap_or_else(|| goal.board().clone())
}

/// Searches for one board, after which it is given up: some minutes on 4x4.
const MAX_SEARCHES: u32 = 20_000;
/// The same on trays of up to 9 cells, where the longest boards are some of 181,440: a second.
const MAX_SMALL_SEARCHES: u32 = 400_000;
/// A climb leaves the longest board met so far by this many random moves at most.
const MAX_CLIMB: usize = 12;

/// Finds boards of a wanted length: any state on a shortest solution is itself as far from the goal
/// as moves are left, so a board that is longer is followed until the rest has the wanted length.
struct Finder {
    solver: Solver,
    length: u32,
    options: SolveOptions,
}

impl Finder {
    fn new(
        shared: SharedArgs,
        arguments: &ScrambleArguments,
        goal: &Goal,
        length: u32,
    ) -> Result<Self, Failure> {
        let opener = Opener::new(shared, arguments.open.clone(), true)?;
        Ok(Finder {
            solver: opener.open(goal.tray())?,
            length,
            // One thread, so that the same seed always finds the same solutions.
            options: SolveOptions::default().cancel(&cli::cancel()),
        })
    }

    /// A board of the wanted length and a shortest solution.
    fn find(&self, scrambler: &mut Scrambler) -> Result<(Board, Vec<Direction>), Failure> {
        let goal = self.solver.goal();
        let mut longest: Option<(u32, Board)> = None;
        let max_searches = match goal.tray().cells() {
            0..=9 => MAX_SMALL_SEARCHES,
            _ => MAX_SEARCHES,
        };
        for search in 0..max_searches {
            let board = match &longest {
                // In turn with draws, since a climb may end below the top.
                Some((_, board)) if search % 2 == 1 => {
                    let moves = scrambler.walk(board, 1 + (search as usize / 2) % MAX_CLIMB);
                    board.play(&moves).map_err(Failure::input)?
                }
                _ => draw(scrambler, goal),
            };
            let solution = match self.solver.solve_with(&board, &self.options) {
                Ok(solution) => solution,
                Err(SolveError::Limit(_)) => return Err(Failure::interrupted("interrupted")),
                Err(error) => return Err(Failure::table(error)),
            };
            if solution.length >= self.length {
                return self.cut(&board, solution.moves);
            }
            if longest
                .as_ref()
                .is_none_or(|(length, _)| *length <= solution.length)
            {
                longest = Some((solution.length, board));
            }
        }
        let longest = longest.map_or(0, |(length, _)| length);
        Err(Failure::input(format!(
            "no board of {} found in {max_searches} searches, the longest has {longest}: \
             ask for a shorter one",
            counted(self.length.into(), "move")
        )))
    }

    /// Follows a solution until what is left of it has the wanted length.
    fn cut(
        &self,
        board: &Board,
        moves: Vec<Direction>,
    ) -> Result<(Board, Vec<Direction>), Failure> {
        let metric = self.solver.metric();
        let is_left = |&start: &usize| metric.length(&moves[start..]) == self.length as usize;
        let start = (0..=moves.len()).find(is_left).unwrap_or(0);
        let board = board.play(&moves[..start]).map_err(Failure::input)?;
        Ok((board, moves[start..].to_vec()))
    }
}
