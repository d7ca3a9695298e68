//! The questions of data/answers, asked through `Session::call`. If the environment variable
//! `WRITE_ANSWERS` is set, the answers are written to data/answers/questions.jsonl.
#![allow(clippy::unwrap_used)]

#[path = "shared/questions.rs"]
mod questions;

use serde_json::{Value, json};
use session::{Control, Failure, Request, Response, Session, Spelling};

use questions::{FILE, Question, ask_all};

/// The answer in JSON; of a board without a solution, its report.
fn ask(session: &Session, question: &Question) -> Result<Value, Failure> {
    let request = Request::read(question.ask, question.request.clone(), Spelling::Snake)?;
    match session.call(&request, &Control::default()) {
        Ok(Response::Boards(boards)) => {
            let boards: Vec<_> = boards.iter().map(|random| &random.board).collect();
            Ok(json!({ "boards": boards }))
        }
        Ok(answer) => Ok(json!(answer)),
        Err(failure) => failure.into_report().map(|report| json!(report)),
    }
}

#[test]
fn all_questions_have_their_answers() {
    let session = Session::default();
    let lines = ask_all("session", Request::NAMES, |question| {
        ask(&session, question).map_err(|failure| failure.code.to_string())
    });
    if std::env::var_os("WRITE_ANSWERS").is_some() {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(FILE, text).unwrap();
    }
}

/// Every question is asked with good and with bad input.
#[test]
fn every_question_is_asked() {
    let text = std::fs::read_to_string(FILE).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for ask in Request::NAMES {
        for field in ["answer", "error"] {
            let is_asked = |line: &Value| line["ask"] == **ask && line.get(field).is_some();
            assert!(lines.iter().any(is_asked), "{ask}: no {field}");
        }
    }
}
