//! Answers to the questions in data/answers.

use serde_json::{Value, json};

use crate::questions::{Question, ask_all};
use crate::run::Run;
use crate::run::folder;
use crate::solver_verbs::run::solver;

/// The arguments for a question.
fn arguments(question: &Question) -> Vec<String> {
    let mut options = ["--json", "--threads", "1"].map(ToOwned::to_owned).to_vec();
    let mut given = vec!["--".to_owned()];
    let text = |value: &Value| value.as_str().map_or(value.to_string(), ToOwned::to_owned);
    let list = |value: &Value, between: &str| match value.as_array() {
        Some(items) => items.iter().map(text).collect::<Vec<_>>().join(between),
        None => text(value),
    };
    // The board is the first argument.
    let fields = question.request;
    given.extend(fields.get("board").map(text));
    for (name, value) in fields {
        options.push(match (name.as_str(), value) {
            ("board", _) => continue,
            ("boards", Value::Array(boards)) => {
                given.extend(boards.iter().map(text));
                continue;
            }
            ("moves", _) if ["apply", "rate", "invert"].contains(&question.ask) => {
                given.push(list(value, " "));
                continue;
            }
            (_, Value::Bool(true)) => format!("--{name}"),
            _ => format!("--{}={}", name.replace('_', "-"), list(value, ",")),
        });
    }
    let verb = (question.ask != "solve").then(|| question.ask.to_owned());
    verb.into_iter().chain(options).chain(given).collect()
}

fn answer(question: &Question, run: &Run) -> Value {
    let mut lines = run.out.lines();
    let object = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    match question.ask {
        "scramble" => {
            let boards = lines.map(|line| object(line)["board"].clone());
            return json!({ "boards": boards.collect::<Vec<_>>() });
        }
        "compare" => return lines.map(object).collect(),
        _ => {}
    }
    // Improvements of an anytime search precede the answer.
    let mut answer = object(lines.next_back().unwrap());
    match question.ask {
        "invert" => answer["inverse"].take(),
        "explain" if run.code == Some(0) => answer["heuristics"].take(),
        _ => answer,
    }
}

/// The questions that are verbs of `solver`.
const ASKS: &[&str] = &[
    "solve", "hint", "rate", "probe", "apply", "invert", "scramble", "explain", "compare",
];

#[test]
fn all_questions_have_their_answers() {
    let folder = folder();
    ask_all("command", ASKS, |question| {
        let run = solver(folder.path(), arguments(question));
        match run.code {
            Some(2) => Err("error".to_owned()),
            Some(3) => Err("table".to_owned()),
            Some(code @ (0 | 1)) => {
                let answer = answer(question, &run);
                let status = answer["status"].as_str().unwrap_or("solved");
                // A comparison ends with 1 if a search reached a limit.
                let is_solved = status == "solved";
                assert!(
                    question.ask == "compare" || is_solved == (code == 0),
                    "{answer}"
                );
                Ok(answer)
            }
            code => panic!("{code:?}: {}", run.err),
        }
    });
}
