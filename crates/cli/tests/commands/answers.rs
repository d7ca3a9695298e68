//! Answers to the questions in data/answers.

use serde_json::{Value, json};

use crate::file::folder;
use crate::questions::{Question, SHARED, ask_all};
use crate::run::Run;
use crate::solver_verbs::run::solver;

/// The arguments for a question.
fn arguments(question: &Question) -> Vec<String> {
    let mut options = ["--json", "--threads", "1"].map(ToOwned::to_owned).to_vec();
    let mut given = vec!["--".to_owned()];
    let board = question.request.get("board");
    given.extend(board.map(|board| board.as_str().map_or(board.to_string(), ToOwned::to_owned)));
    let is_share = question.text("mode") == Some("anytime");
    for (name, value) in question.request {
        let text = value.as_str().map_or(value.to_string(), ToOwned::to_owned);
        options.push(match (name.as_str(), value) {
            ("board", _) => continue,
            ("moves", Value::String(_)) => {
                given.push(text);
                continue;
            }
            ("max_memory", _) => format!("--memory={text}B"),
            ("within", _) if is_share => format!("--within={}%", 100.0 * value.as_f64().unwrap()),
            (_, Value::Bool(true)) => format!("--{name}"),
            _ => format!("--{}={text}", name.replace('_', "-")),
        });
    }
    let verb = (question.ask != "solve").then(|| question.ask.to_owned());
    verb.into_iter().chain(options).chain(given).collect()
}

fn answer(question: &Question, run: &Run) -> Value {
    let mut lines = run.out.lines();
    if question.ask == "scramble" {
        let board = |line: &str| serde_json::from_str::<Value>(line).unwrap()["board"].clone();
        return json!({ "boards": lines.map(board).collect::<Vec<_>>() });
    }
    // Improvements of an anytime search precede the answer.
    serde_json::from_str(lines.next_back().unwrap()).unwrap()
}

#[test]
fn all_questions_have_their_answers() {
    let folder = folder();
    ask_all("command", SHARED, |question| {
        let run = solver(folder.path(), arguments(question));
        match run.code {
            Some(2 | 3) => Err("error".to_owned()),
            Some(code @ (0 | 1)) => {
                let answer = answer(question, &run);
                let status = answer["status"].as_str().unwrap_or("solved");
                assert_eq!(code == 0, status == "solved", "{answer}");
                Ok(answer)
            }
            code => panic!("{code:?}: {}", run.err),
        }
    });
}
