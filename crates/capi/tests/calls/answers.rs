//! Asks the C library the questions of data/answers.

use ::session::Request;
use serde_json::{Map, Value, json};
use slidingtilepdb::{STP_OK, stp_code};

use super::questions::{Question, ask_all};
use super::{ALONE, Session, json_of};

/// The answer; of a board without a solution, its report; or the code of a failure.
fn found(code: stp_code, mut answer: Value) -> Result<Value, String> {
    match answer.as_object_mut() {
        Some(failure) if code != STP_OK => match failure.remove("code") {
            Some(_) if failure.contains_key("status") => Ok(answer),
            code => Err(code.unwrap().as_str().unwrap().to_owned()),
        },
        _ => Ok(answer),
    }
}

fn ask(session: &Session, question: &Question) -> Result<Value, String> {
    let mut request = question.request.clone();
    request.insert("ask".to_owned(), question.ask.into());
    let (code, mut answer) = session.ask_with(&Value::Object(request), ALONE);
    if let (STP_OK, "scramble") = (code, question.ask) {
        let boards = answer.as_array().unwrap().iter();
        let boards: Vec<&Value> = boards.map(|random| &random["board"]).collect();
        answer = json!({ "boards": boards });
    }
    found(code, answer)
}

/// Solves the board with a solver of its size and goal. `None` if the board is invalid.
fn solve(session: &Session, request: &Map<String, Value>) -> Option<Result<Value, String>> {
    let mut options = request.clone();
    let board = options.remove("board")?;
    let mut parse = json!({ "ask": "parse", "board": board });
    parse["size"] = options.get("size").cloned().unwrap_or_default();
    let (STP_OK, read) = session.ask_with(&parse, ALONE) else {
        return None;
    };
    for field in ["size", "goal"] {
        options.entry(field).or_insert(read[field].clone());
    }
    let solver = match session.try_solver(&Value::Object(options), ALONE) {
        Ok(solver) => solver,
        Err((code, _)) => return Some(Err(code.to_string())),
    };
    let text = board
        .as_str()
        .map_or_else(|| board.to_string(), str::to_owned);
    let (code, report, _) = solver.solve_with(&text, ALONE);
    Some(match report {
        Some(report) => found(code, json_of(report.0)),
        None => Err(code.to_string()),
    })
}

#[test]
fn all_questions_have_their_answers() {
    let session = Session::open(None, r#"{"threads": 1}"#).unwrap();
    ask_all("c", Request::NAMES, |question| ask(&session, question));
}

#[test]
fn solvers_give_the_same_answers() {
    let session = Session::open(None, r#"{"threads": 1}"#).unwrap();
    ask_all("c", &["solve"], |question| {
        let answer = ask(&session, question);
        match (&answer, solve(&session, question.request)) {
            (_, None) => answer,
            (Err(code), Some(Err(_))) => Err(code.clone()),
            (_, Some(solved)) => solved,
        }
    });
}
