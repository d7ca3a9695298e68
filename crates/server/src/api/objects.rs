//! The objects of docs/json.md, for the OpenAPI text. They are written by the libraries themselves;
//! these types say which fields they have, and a test that they say it rightly.

#![allow(
    dead_code,
    reason = "these types are descriptions: nothing is made of them"
)]

use serde::Deserialize;
use utoipa::ToSchema;

use crate::request::{ModeName, SideName};

/// Objects, with the names that the OpenAPI text has for them.
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
    /// The outcome of a board. Fields that do not apply are absent.
    ReportObject as Report {
        /// The board, in rows; after a reading error the text.
        board: Option<String>,
        /// The outcome.
        status: StatusName,
        /// The requested mode.
        mode: Option<ModeName>,
        /// The number of moves, in the metric asked for.
        length: Option<u32>,
        /// Whether it is proved that no solution is shorter.
        optimal: Option<bool>,
        /// The same.
        proved: Option<bool>,
        /// The method of the solution.
        method: Option<MethodName>,
        /// The moves.
        moves: Option<String>,
        /// The steps of a strategic solution, where they were asked for.
        steps: Option<Vec<StepObject>>,
        /// Number of shortest solutions.
        count: Option<u64>,
        /// Number of solutions with 0, 1, ... more moves than a shortest one.
        counts: Option<Vec<u64>>,
        /// The moves of the first solutions.
        solutions: Option<Vec<String>>,
        /// Generated nodes.
        nodes: Option<u64>,
        /// Expanded nodes.
        expanded: Option<u64>,
        /// Milliseconds.
        ms: Option<f64>,
        /// The heuristic's value of the board.
        h0: Option<u32>,
        /// No solution is shorter than this.
        bound: Option<u32>,
        /// The iterations of the search.
        iterations: Option<Vec<IterationObject>>,
        /// Number of threads that the search could use.
        threads: Option<usize>,
        /// The name of the partition.
        tables: Option<String>,
        /// The numbers of two tiles whose swap makes an unsolvable board solvable.
        swap: Option<[u16; 2]>,
        /// The line of a list where the board begins, from 1.
        line: Option<usize>,
        /// Why there is no solution, or why the search ended.
        message: Option<String>,
    }

    /// One iteration of a search.
    IterationObject as Iteration {
        /// The longest paths that were looked at.
        bound: u32,
        /// Nodes generated in it.
        nodes: u64,
        /// Nodes expanded in it.
        expanded: u64,
        /// `goal` if it was searched from there.
        side: Option<SideName>,
    }

    /// One step of a strategic solution.
    StepObject as Step {
        /// Action of the step.
        action: ActionName,
        /// Of `place`: the tile.
        tile: Option<u16>,
        /// Of `place`: the row of the cell, from 1.
        row: Option<usize>,
        /// Of `place`: the column of the cell, from 1.
        column: Option<usize>,
        /// Of `corner` and `finish`: the tiles.
        tiles: Option<Vec<u16>>,
        /// The number of its moves.
        length: u32,
        /// The moves.
        moves: String,
    }

    /// A move: the tiles that slide, the one next to the blank first.
    TileMoveObject as TileMove {
        /// The numbers on the tiles.
        tiles: Vec<u16>,
        /// The way they go.
        moves: String,
    }

    /// The distance to the goal, and the good moves.
    HintObject as Hint {
        /// The board.
        board: String,
        /// The name of the partition.
        tables: String,
        /// The length of the best solution known.
        distance: u32,
        /// No solution is shorter.
        bound: u32,
        /// Whether it is proved that no solution is shorter than `distance`.
        exact: bool,
        /// The good moves.
        moves: Vec<TileMoveObject>,
        /// Moves of the length `distance`.
        solution: String,
        /// Nodes generated in all searches.
        nodes: u64,
    }

    /// A game, judged move by move.
    RatingObject as Rating {
        /// The board.
        board: String,
        /// The moves as given.
        moves: String,
        /// The name of the partition.
        tables: String,
        /// The distance of the board.
        distance: u32,
        /// No solution is shorter.
        bound: u32,
        /// Whether all distances are proved.
        exact: bool,
        /// The number of moves made.
        length: u32,
        /// The distance where they end.
        left: u32,
        /// Number of moves that kept a shortest solution.
        kept: u32,
        /// Moves of the game beyond a shortest solution.
        lost: u32,
        /// The share of the moves that kept a shortest solution, in percent.
        credit: f64,
        /// 100 x `distance` / (`length` + `left`).
        efficiency: f64,
        /// The part with the greatest loss.
        worst: Option<LostStretchObject>,
        /// The moves.
        steps: Vec<RatedMoveObject>,
        /// Nodes generated in all searches.
        nodes: u64,
    }

    /// Moves in a row that lost.
    LostStretchObject as LostStretch {
        /// The first, from 1.
        first: u32,
        /// The last.
        last: u32,
        /// Moves lost in it.
        lost: u32,
    }

    /// A move of a game.
    RatedMoveObject as RatedMove {
        /// The numbers on the tiles.
        tiles: Vec<u16>,
        /// The way they go.
        moves: String,
        /// The distance after it.
        distance: u32,
        /// No solution is shorter there.
        bound: u32,
        /// Whether it kept a shortest solution.
        kept: bool,
        /// Moves that it added.
        lost: u32,
        /// A move that would have kept one.
        better: Option<TileMoveObject>,
    }

    /// The values in the tables for a board.
    ProbeObject as Probe {
        /// The board.
        board: String,
        /// The name of the partition.
        tables: String,
        /// The value of the heuristic.
        estimate: u32,
        /// The heuristic without tables, where it takes part.
        table_free: Option<u32>,
        /// The partitions and their images.
        views: Vec<ProbedViewObject>,
    }

    /// A partition, or its image.
    ProbedViewObject as ProbedView {
        /// Which of the partitions, from 0.
        partition: usize,
        /// Brings the partition to this view.
        symmetry: String,
        /// The kind of its tables.
        kind: String,
        /// The sum of the parts' values.
        sum: u32,
        /// The patterns.
        parts: Vec<ProbedPartObject>,
    }

    /// A pattern, and its entry.
    ProbedPartObject as ProbedPart {
        /// The numbers on its tiles.
        tiles: Vec<u16>,
        /// The name of its table.
        table: String,
        /// Representation of the table's entries.
        encoding: String,
        /// Carries the board into the table's orientation.
        symmetry: String,
        /// The number of the entry, from 0.
        entry: u64,
        /// Value of the file there.
        stored: u8,
        /// The value.
        value: u8,
    }

    /// The values of heuristics on a board, explained.
    ExplanationsObject as Explanations {
        /// The board.
        board: String,
        /// The goal.
        goal: String,
        /// The length of a shortest solution; null where none was found and proved soon.
        #[schema(required)]
        distance: Option<u32>,
        /// One explanation per heuristic.
        heuristics: Vec<ExplanationObject>,
    }

    /// Explanation of a heuristic's value.
    ExplanationObject as Explanation {
        /// Its name.
        heuristic: String,
        /// Its value.
        value: u32,
        /// Whether none of the others has a larger value.
        is_largest: bool,
        /// Whether values of neighbouring boards never differ by more than the move between them.
        is_consistent: bool,
        /// The authors who described it, and the publication.
        source: String,
        /// The terms of the value.
        terms: Vec<TermObject>,
    }

    /// A part of a heuristic's value.
    TermObject as Term {
        /// Description.
        words: String,
        /// The numbers on the tiles that it is about.
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

/// A hint, or why there is none.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum HintOrReport {
    Hint(HintObject),
    Report(Box<ReportObject>),
}

/// A rating, or why there is none.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum RatingOrReport {
    Rating(RatingObject),
    Report(Box<ReportObject>),
}

/// A probe, or why there is none.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum ProbeOrReport {
    Probe(ProbeObject),
    Report(Box<ReportObject>),
}

/// Explanations, or why there are none.
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
    /// An object as JSON: a report, a problem, or some fields.
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
    /// The answer, at the end.
    Report,
    /// Why there is none, at the end.
    Problem,
}

#[cfg(test)]
mod tests {
    use puzzle::{Board, Goal, HeuristicSpec, Metric, Notation};
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use solver::{GivenOptions, Mode, Report, SolveOptions, Solver, Within};

    use super::*;

    /// Unknown fields are refused, and those that are missing too, unless they may be absent.
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
