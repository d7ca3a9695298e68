//! Asks the C library the questions of data/answers.

use std::ffi::CString;
use std::ptr::{null, null_mut};

use serde_json::{Value, json};
use slidingtilepdb::*;

use super::questions::{Question, ask_all};
use super::{Reported, json_of, open_options, solve_options, taken, text, try_open};

fn failed<T>(code: stp_code) -> Result<T, String> {
    match code {
        STP_ERROR => Err("error".to_owned()),
        code => Err(code.to_string()),
    }
}

/// An optional text of the request; NULL if it is absent.
struct Given(Option<CString>);

impl Given {
    fn new(question: &Question, field: &str) -> Given {
        Given(question.text(field).map(|text| CString::new(text).unwrap()))
    }

    fn pointer(&self) -> *const std::ffi::c_char {
        self.0.as_ref().map_or(null(), |text| text.as_ptr())
    }
}

/// The index of the field's text in `names`; an invalid number if the text is not in `names`.
fn number_of(question: &Question, field: &str, names: [&str; 3]) -> i32 {
    let place = |text| names.iter().position(|&name| name == text);
    let number = question.text(field).map_or(Some(0), place);
    number.map_or(99, |place| place as i32)
}

fn scramble(question: &Question) -> Result<Value, String> {
    let [size, goal] = ["size", "goal"].map(|field| Given::new(question, field));
    let mut boards = Vec::new();
    // SAFETY: the stream is freed once, and each board is written to a variable of this function.
    unsafe {
        let stream = stp_scrambler_new(question.number("seed").unwrap() as u64);
        for _ in 0..question.number("number").unwrap_or(1.0) as usize {
            let (size, goal, mut board) = (size.pointer(), goal.pointer(), null_mut());
            let place = &raw mut board;
            let code = match question.number("moves") {
                None => stp_scrambler_draw(stream, size, goal, place, null_mut()),
                Some(moves) => {
                    let (moves, none) = (moves as u64, null_mut());
                    stp_scrambler_walk(stream, size, goal, moves, place, none, null_mut())
                }
            };
            if code != STP_OK {
                stp_scrambler_free(stream);
                return failed(code);
            }
            boards.push(text((*board).text));
            stp_board_free(board);
        }
        stp_scrambler_free(stream);
    }
    Ok(json!({ "boards": boards }))
}

fn options(question: &Question) -> stp_solve_options {
    let mut options = solve_options();
    options.mode = number_of(question, "mode", ["optimal", "strategic", "anytime"]);
    options.notation = number_of(question, "notation", ["tile", "blank", "numbers"]);
    options.side = number_of(question, "side", ["auto", "start", "goal"]);
    options.threads = 1;
    options.short_solution = question.flag("short").into();
    options.explain = question.flag("explain").into();
    let whole = |field| question.number(field).unwrap_or(0.0) as u64;
    options.max_nodes = whole("max_nodes");
    options.max_memory = whole("max_memory");
    options.seed = whole("seed");
    options
}

fn ask(question: &Question) -> Result<Value, String> {
    if question.ask == "scramble" {
        return scramble(question);
    }
    // A solver has one size: the size in the request or, without one, the size of the board.
    let size = question.text("size").map(ToOwned::to_owned).or_else(|| {
        let board = puzzle::Board::parse(question.text("board")?, None).ok()?;
        Some(board.tray().to_string())
    });
    let size = Given(size.map(|size| CString::new(size).unwrap()));
    let [goal, metric, partition, board, moves] =
        ["goal", "metric", "partition", "board", "moves"].map(|field| Given::new(question, field));
    let mut to_open = stp_open_options {
        size: size.pointer(),
        goal: goal.pointer(),
        metric: metric.pointer(),
        partition: partition.pointer(),
        ..open_options()
    };
    let mut options = options(question);
    let is_multi = question.text("metric") == Some("multi");
    let table_free = if is_multi { c"lines" } else { c"manhattan" };
    if options.mode == STP_MODE_STRATEGIC {
        // The other frontends open no tables for strategic solutions.
        to_open.partition = table_free.as_ptr();
    }
    let solver = try_open(&to_open).or_else(|(code, _)| failed(code))?;
    let solver = solver.0.cast_const();
    if question.ask != "solve" {
        let (mut written, none) = (null_mut(), null_mut());
        // SAFETY: the solver is open, and the result is written to a variable of this function.
        let code = unsafe {
            let (board, moves, place) = (board.pointer(), moves.pointer(), &raw mut written);
            match question.ask {
                "hint" => stp_solver_hint(solver, board, &raw const options, place, none),
                "rate" => stp_solver_rate(solver, board, moves, &raw const options, place, none),
                _ => stp_solver_probe(solver, board, place, none),
            }
        };
        return match code {
            STP_OK => Ok(serde_json::from_str(&taken(written)).unwrap()),
            code => failed(code),
        };
    }
    let within = question.number("within");
    let are_longer = within.is_some_and(|within| within.fract() == 0.0);
    let lists = question.flag("all") || question.flag("count") || are_longer;
    let lists = lists && options.mode == STP_MODE_OPTIMAL;
    let (board, mut report) = (board.pointer(), null_mut());
    // SAFETY: the solver is open, and the result is written to a variable of this function.
    let code = unsafe {
        let place = &raw mut report;
        if lists {
            let most = question.number("most").map_or(1000, |most| most as usize);
            let most = if question.flag("count") { 0 } else { most };
            let (within, given) = (within.unwrap_or(0.0) as u32, &raw const options);
            stp_solver_all_solutions(solver, board, within, most, given, place, null_mut())
        } else {
            options.within = within.unwrap_or(0.0);
            stp_solver_solve(solver, board, &raw const options, place, null_mut())
        }
    };
    match code {
        STP_OK | STP_UNSOLVABLE | STP_LIMIT => Ok(json_of(Reported(report).0)),
        code => failed(code),
    }
}

#[test]
fn all_questions_have_their_answers() {
    ask_all("c", SHARED, ask);
}
