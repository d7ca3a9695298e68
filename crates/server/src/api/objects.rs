//! The objects of docs/json.md, for the OpenAPI description. The libraries write the objects; these
//! types only describe their fields. A test compares the types with the objects.

#![allow(dead_code, reason = "these types only describe; they have no values")]

use serde::Deserialize;
use utoipa::ToSchema;

use crate::request::{ModeName, SideName};

/// Declares objects, with their names in the OpenAPI description.
macro_rules! objects {
    ($($(#[$meta:meta])* $name:ident as $schema:ident { $($fields:tt)* })*) => { $(
        #[derive(Deserialize, ToSchema)]
        #[schema(as = $schema)]
        #[serde(deny_unknown_fields)]
        $(#[$meta])*
        pub(crate) struct $name { $($fields)* }
    )* };
}

objects! {
    /// Outcome of solving a board. Fields that do not apply are absent.
    ReportObject as Report {
        /// The board, row by row; after a parse error, the original text.
        board: Option<String>,
        /// The outcome.
        status: StatusName,
        /// The requested mode.
        mode: Option<ModeName>,
        /// Number of moves in the requested metric.
        length: Option<u32>,
        /// Whether the solution is proved to be shortest.
        optimal: Option<bool>,
        /// Same as `optimal`.
        proved: Option<bool>,
        /// The method of the solution.
        method: Option<MethodName>,
        /// The moves.
        moves: Option<String>,
        /// The steps of a strategic solution, if requested.
        steps: Option<Vec<StepObject>>,
        /// Number of shortest solutions.
        count: Option<u64>,
        /// Number of solutions with 0, 1, ... more moves than a shortest one.
        counts: Option<Vec<u64>>,
        /// The moves of the listed solutions.
        solutions: Option<Vec<String>>,
        /// Generated nodes.
        nodes: Option<u64>,
        /// Expanded nodes.
        expanded: Option<u64>,
        /// Time in milliseconds.
        ms: Option<f64>,
        /// The heuristic's value for the board.
        h0: Option<u32>,
        /// Proved lower bound of the length.
        bound: Option<u32>,
        /// The iterations of the search.
        iterations: Option<Vec<IterationObject>>,
        /// Number of available search threads.
        threads: Option<usize>,
        /// Name of the partition.
        tables: Option<String>,
        /// The numbers of two tiles whose swap makes an unsolvable board solvable.
        swap: Option<[u16; 2]>,
        /// Names of other goals that an unsolvable board can reach.
        reachable_goals: Option<Vec<String>>,
        /// Guesses about the form of the board's text.
        notes: Option<Vec<String>>,
        /// The line of the list where the board starts, from 1.
        line: Option<usize>,
        /// Why there is no solution, or why the search ended.
        message: Option<String>,
    }

    /// One iteration of a search.
    IterationObject as Iteration {
        /// Maximum path length of the iteration.
        bound: u32,
        /// Generated nodes.
        nodes: u64,
        /// Expanded nodes.
        expanded: u64,
        /// `goal` if the search started from the goal.
        side: Option<SideName>,
    }

    /// One step of a strategic solution.
    StepObject as Step {
        /// Action of the step.
        action: ActionName,
        /// For `place`: the tile.
        tile: Option<u16>,
        /// For `place`: the row of the cell, from 1.
        row: Option<usize>,
        /// For `place`: the column of the cell, from 1.
        column: Option<usize>,
        /// For `corner` and `finish`: the tiles.
        tiles: Option<Vec<u16>>,
        /// Number of moves.
        length: u32,
        /// The moves.
        moves: String,
    }

    /// A move of one or more tiles. The tile next to the blank is listed first.
    TileMoveObject as TileMove {
        /// The numbers on the tiles.
        tiles: Vec<u16>,
        /// Direction of the tiles.
        moves: String,
    }

    /// Hint: the distance to the goal, and the best moves.
    HintObject as Hint {
        /// Guesses about the form of the board's text.
        notes: Option<Vec<String>>,
        /// The board.
        board: String,
        /// Name of the partition.
        tables: String,
        /// Length of the best known solution.
        distance: u32,
        /// Proved lower bound of the distance.
        bound: u32,
        /// Whether the distance is proved and the list of best moves is complete.
        exact: bool,
        /// The best moves.
        moves: Vec<TileMoveObject>,
        /// A solution of length `distance`.
        solution: String,
        /// Generated nodes of all searches.
        nodes: u64,
    }

    /// Rating of a game, move by move.
    RatingObject as Rating {
        /// Guesses about the form of the board's text.
        notes: Option<Vec<String>>,
        /// The board.
        board: String,
        /// The moves, as in the request.
        moves: String,
        /// Name of the partition.
        tables: String,
        /// Distance from the board to the goal.
        distance: u32,
        /// Proved lower bound of the distance.
        bound: u32,
        /// Whether all distances are proved.
        exact: bool,
        /// Number of moves of the game.
        length: u32,
        /// Distance to the goal after the last move.
        left: u32,
        /// Number of moves that stayed on a shortest solution.
        kept: u32,
        /// Excess moves over a shortest solution.
        lost: u32,
        /// Percentage of moves that stayed on a shortest solution.
        credit: f64,
        /// 100 x `distance` / (`length` + `left`).
        efficiency: f64,
        /// The consecutive losing moves with the greatest total loss.
        worst: Option<LostStretchObject>,
        /// The moves.
        steps: Vec<RatedMoveObject>,
        /// Generated nodes of all searches.
        nodes: u64,
    }

    /// Consecutive moves, each of which lengthened the solution.
    LostStretchObject as LostStretch {
        /// Number of the first of these moves, from 1.
        first: u32,
        /// Number of the last of these moves.
        last: u32,
        /// Number of excess moves that these moves caused.
        lost: u32,
    }

    /// A move of a game.
    RatedMoveObject as RatedMove {
        /// The numbers on the tiles.
        tiles: Vec<u16>,
        /// Direction of the tiles.
        moves: String,
        /// Distance to the goal after the move.
        distance: u32,
        /// Proved lower bound of that distance.
        bound: u32,
        /// Whether the move stayed on a shortest solution.
        kept: bool,
        /// Number of excess moves that the move caused.
        lost: u32,
        /// A move that stays on a shortest solution.
        better: Option<TileMoveObject>,
    }

    /// Table entries and values for a board.
    ProbeObject as Probe {
        /// Guesses about the form of the board's text.
        notes: Option<Vec<String>>,
        /// The board.
        board: String,
        /// Name of the partition.
        tables: String,
        /// Value of the heuristic.
        estimate: u32,
        /// Value of the heuristic without tables, if `estimate` includes it.
        table_free: Option<u32>,
        /// The partitions, and their images under the symmetries of the tray.
        views: Vec<ProbedViewObject>,
    }

    /// A partition, or its image under a symmetry.
    ProbedViewObject as ProbedView {
        /// Index of the partition, from 0.
        partition: usize,
        /// The symmetry that maps the partition to this view.
        symmetry: String,
        /// The kind of its tables.
        kind: String,
        /// Sum of the values of the patterns.
        sum: u32,
        /// The patterns.
        parts: Vec<ProbedPartObject>,
    }

    /// A pattern and its table entry.
    ProbedPartObject as ProbedPart {
        /// The numbers on its tiles.
        tiles: Vec<u16>,
        /// Name of the table.
        table: String,
        /// Encoding of the table's entries.
        encoding: String,
        /// The symmetry that is applied to the board before the look-up in the table.
        symmetry: String,
        /// Index of the entry, from 0.
        entry: u64,
        /// Stored value of the entry.
        stored: u8,
        /// Decoded value.
        value: u8,
    }

    /// Explained values of heuristics on a board.
    ExplanationsObject as Explanations {
        /// Guesses about the form of the board's text.
        notes: Option<Vec<String>>,
        /// The board.
        board: String,
        /// The goal.
        goal: String,
        /// Length of a shortest solution; null if none was found and proved within the time limit.
        #[schema(required)]
        distance: Option<u32>,
        /// One explanation per heuristic.
        heuristics: Vec<ExplanationObject>,
    }

    /// Explanation of a heuristic's value.
    ExplanationObject as Explanation {
        /// Name of the heuristic.
        heuristic: String,
        /// Value for the board.
        value: u32,
        /// Whether no other heuristic has a larger value.
        is_largest: bool,
        /// Whether the values of neighbouring boards differ by at most the cost of the move between
        /// them.
        is_consistent: bool,
        /// Authors and publication.
        source: String,
        /// The terms of the value.
        terms: Vec<TermObject>,
    }

    /// One term of a heuristic's value.
    TermObject as Term {
        /// Description of the term.
        words: String,
        /// The numbers on the tiles concerned.
        tiles: Vec<u16>,
        /// Value of the term.
        value: u32,
    }
}

/// Outcome of solving a board.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StatusName {
    Solved,
    Improved,
    Unsolvable,
    Limit,
    Error,
}

/// Method of a solution.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MethodName {
    Search,
    Strategic,
    Beam,
    Window,
}

/// Action of a step.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ActionName {
    Place,
    Corner,
    Finish,
    Slide,
}

/// A hint; if there is no hint, a report with the reason.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum HintOrReport {
    Hint(HintObject),
    Report(Box<ReportObject>),
}

/// A rating; if there is no rating, a report with the reason.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum RatingOrReport {
    Rating(RatingObject),
    Report(Box<ReportObject>),
}

/// A probe; if there is no probe, a report with the reason.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum ProbeOrReport {
    Probe(ProbeObject),
    Report(Box<ReportObject>),
}

/// Explanations; if there are no explanations, a report with the reason.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum ExplanationsOrReport {
    Explanations(ExplanationsObject),
    Report(Box<ReportObject>),
}

/// An event of a stream.
#[derive(Deserialize, ToSchema)]
#[schema(as = Event)]
pub(crate) struct EventObject {
    /// Kind of event.
    event: EventName,
    /// JSON object: a report, a problem, the id of the search, or the progress.
    data: String,
}

/// Kind of an event.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EventName {
    /// The id of the search.
    Search,
    /// A better solution.
    Improved,
    /// Progress of the search.
    Progress,
    /// The final answer.
    Report,
    /// The error that ended the search.
    Problem,
}

#[cfg(test)]
mod tests {
    use puzzle::{Board, Goal, HeuristicSpec, Metric, Notation};
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use solver::{GivenOptions, Mode, Report, SolveOptions, Solver, Within};

    use super::*;

    /// Asserts that `T` describes `object`: all fields of `object` are known, and no required field
    /// is missing.
    fn is_described_by<T: DeserializeOwned>(object: &impl Serialize) {
        let text = serde_json::to_string(object).unwrap();
        if let Err(error) = serde_json::from_str::<T>(&text) {
            panic!("{error}: {text}");
        }
    }

    fn report(report: &Report) {
        let text = serde_json::to_string(report).unwrap();
        if let Err(error) = serde_json::from_str::<ReportObject>(&text) {
            panic!("{error}: {text}");
        }
    }

    #[test]
    fn objects_have_the_fields_that_are_described() {
        let board = Board::parse("8 6 7/2 5 4/3 0 1", None).unwrap();
        let goal = Goal::blank_last(board.tray());
        let spec = HeuristicSpec::parse("5-3", &goal).unwrap();
        let solver = Solver::build(goal.clone(), spec).unwrap();
        let given = GivenOptions::default();
        let answer = |board: &Board, given: &GivenOptions, options: SolveOptions| {
            let question = given.question(Metric::Single, options).unwrap();
            report(&solver.answer(board, &question).report.with_line(1));
        };
        let options = SolveOptions::default();
        for mode in Mode::ALL {
            let explain = mode == Mode::Strategic;
            let given = GivenOptions {
                mode,
                explain,
                ..given
            };
            answer(&board, &given, options.clone());
        }
        let all = GivenOptions {
            within: Some(Within::Moves(2)),
            most: Some(3),
            ..given
        };
        answer(&board, &all, options.clone());
        answer(&board, &given, options.clone().max_nodes(1));
        let unsolvable = Board::parse("1 2 3/4 5 6/8 7 0", None).unwrap();
        answer(&unsolvable, &given, options.clone());
        report(&Report::error("no board"));

        let hint = solver.hint(&board, &options);
        is_described_by::<HintObject>(&solver.advice(&board, None, hint).unwrap());
        let moves = board.read_moves("RLLDR", Notation::Tile).unwrap();
        let mut rating = solver.rate(&board, &moves, &options).unwrap();
        rating.steps.truncate(5);
        let rating = solver.advice(&board, Some("RLLDR"), Ok(rating));
        is_described_by::<RatingObject>(&rating.unwrap());
        let mut probe = solver.advice(&board, None, solver.probe(&board)).unwrap();
        probe.board = None;
        is_described_by::<ProbeObject>(&probe);
        let multi = HeuristicSpec::builder(&goal).metric(Metric::Multi);
        let multi = Solver::build(goal.clone(), multi.parse("lines").unwrap()).unwrap();
        let probe = serde_json::to_value(multi.probe(&board).unwrap()).unwrap();
        assert!(probe.get("table_free").is_some());
    }
}
