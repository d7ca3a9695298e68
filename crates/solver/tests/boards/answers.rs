//! Answers of the library to the questions of data/answers.

use puzzle::{Board, Goal, HeuristicSpec, Metric, Notation, Scrambler, Tray};
use serde_json::{Value, json};
use solver::{
    Answer, GivenOptions, Mode, Report, SolveError, SolveOptions, Solver, Within, check_board,
};

use crate::questions::{Question, ask_all};

fn parsed<T: std::str::FromStr<Err: ToString> + Default>(
    question: &Question,
    field: &str,
) -> Result<T, String> {
    let text = question.text(field);
    text.map_or(Ok(T::default()), |text| {
        text.parse().map_err(|e: T::Err| e.to_string())
    })
}

fn input(error: impl ToString) -> String {
    error.to_string()
}

/// The goal of a question. `size` is the size of the question's board, if the question has a board.
fn goal(question: &Question, size: Option<Tray>) -> Result<Goal, String> {
    Goal::parse(question.text("goal").unwrap_or("blank-last"), size).map_err(input)
}

fn size(question: &Question) -> Result<Option<Tray>, String> {
    let size = question.text("size").map(str::parse).transpose();
    size.map_err(|error: puzzle::TrayError| error.to_string())
}

fn scramble(question: &Question) -> Result<Value, String> {
    let goal = goal(question, size(question)?)?;
    let mut scrambler = Scrambler::new(question.number("seed").unwrap() as u64);
    let boards = (0..question.number("number").unwrap() as usize).map(|_| {
        let board = match question.number("moves") {
            None => goal
                .board_of(&scrambler.draw(goal.tray(), goal.blank()))
                .unwrap(),
            Some(moves) => {
                let moves = scrambler.walk(goal.board(), moves as usize);
                goal.board().play(&moves).unwrap()
            }
        };
        board.to_string()
    });
    Ok(json!({ "boards": boards.collect::<Vec<_>>() }))
}

/// The options that apply to some modes only.
fn given(question: &Question) -> Result<GivenOptions, String> {
    let mode: Mode = parsed(question, "mode")?;
    let within = question
        .number("within")
        .map(|number| Within::of(mode, number));
    let whole = |field| question.number(field).map(|number| number as u64);
    Ok(GivenOptions {
        mode,
        short: question.flag("short"),
        explain: question.flag("explain"),
        all: question.flag("all"),
        count: question.flag("count"),
        within: within.transpose().map_err(input)?,
        most: whole("most").map(|most| most as usize),
        max_memory: whole("max_memory"),
        seed: whole("seed"),
        side: parsed(question, "side")?,
    })
}

fn written(answer: Answer) -> Result<Value, String> {
    match answer.error {
        None | Some(SolveError::Unsolvable(_) | SolveError::Limit(_)) => Ok(json!(answer.report)),
        Some(error) => Err(error.to_string()),
    }
}

fn ask(question: &Question) -> Result<Value, String> {
    if question.ask == "scramble" {
        return scramble(question);
    }
    let board = Board::parse(question.text("board").unwrap(), size(question)?).map_err(input)?;
    let goal = goal(question, Some(board.tray()))?;
    let metric = match question.text("metric") {
        Some(name) => name.parse().map_err(input)?,
        None => Metric::Single,
    };
    let mut options = SolveOptions::default();
    options.max_nodes = match question.number("max_nodes") {
        Some(nodes) if nodes < 0.0 => return Err("max_nodes".to_owned()),
        nodes => nodes.map(|nodes| nodes as u64),
    };
    let asked = given(question)?.question(metric, options).map_err(input)?;
    let asked = asked.notation(parsed(question, "notation")?);
    let name = match (question.text("partition"), asked.options.mode) {
        (_, Mode::Strategic) => HeuristicSpec::table_free_name(metric).to_owned(),
        (Some(name), _) => name.to_owned(),
        (None, _) => HeuristicSpec::default_name(metric, goal.tray()),
    };
    let spec = HeuristicSpec::builder(&goal)
        .metric(metric)
        .parse(&name)
        .map_err(input)?;
    if question.ask == "solve" {
        return match asked.refusal(&goal, &board) {
            Some(refusal) => written(refusal),
            None => written(
                Solver::build(goal, spec)
                    .map_err(input)?
                    .answer(&board, &asked),
            ),
        };
    }
    if let Err(error) = check_board(&goal, &board) {
        return Ok(json!(Report::failure(
            &goal,
            &board,
            &error,
            Notation::Tile
        )));
    }
    let solver = Solver::build(goal, spec).map_err(input)?;
    let advice = match question.ask {
        "hint" => json!(
            solver
                .advice(&board, None, solver.hint(&board, &asked.options))
                .map_err(|answer| input(answer.error.unwrap()))?
        ),
        "rate" => {
            let text = question.text("moves").unwrap();
            let moves = board
                .read_moves(text, Notation::guess(text))
                .map_err(input)?;
            let rating = solver.rate(&board, &moves, &asked.options);
            json!(solver.advice(&board, Some(text), rating).unwrap())
        }
        "probe" => {
            let mut advice = solver.advice(&board, None, solver.probe(&board)).unwrap();
            advice.board = None;
            json!(advice)
        }
        other => panic!("{other}"),
    };
    Ok(advice)
}

#[test]
fn all_questions_have_their_answers() {
    ask_all("rust", |question| {
        ask(question).map_err(|_| "error".to_owned())
    });
}
