//! The questions of data/answers, which every frontend answers alike. With the variable
//! `WRITE_ANSWERS` the answers of this command become those of the file.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::file::folder;
use crate::run::Run;
use crate::solver::run::solver;

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../data/answers/questions.jsonl"
);

/// The arguments that ask a question.
fn arguments(ask: &str, request: &Map<String, Value>) -> Vec<String> {
    let mut options = vec!["--json".to_owned(), "--threads".to_owned(), "1".to_owned()];
    let (mut given, mut moves) = (Vec::new(), Vec::new());
    let is_share = request.get("mode") == Some(&json!("anytime"));
    for (name, value) in request {
        let text = value.as_str().map_or(value.to_string(), ToOwned::to_owned);
        match (name.as_str(), value) {
            ("board", _) => given.push(text),
            ("moves", Value::String(_)) => moves.push(text),
            ("max_memory", _) => options.push(format!("--memory={text}B")),
            ("within", _) if is_share => {
                let percent = 100.0 * value.as_f64().unwrap();
                options.push(format!("--within={percent}%"));
            }
            (_, Value::Bool(true)) => options.push(format!("--{name}")),
            _ => options.push(format!("--{}={text}", name.replace('_', "-"))),
        }
    }
    let verb = (ask != "solve").then(|| ask.to_owned());
    let words = verb.into_iter().chain(options).chain(["--".to_owned()]);
    words.chain(given).chain(moves).collect()
}

/// The command's answer without times, threads and files.
fn answer(ask: &str, run: &Run) -> Value {
    let mut lines = run.out.lines();
    if ask == "scramble" {
        let board = |line: &str| serde_json::from_str::<Value>(line).unwrap()["board"].clone();
        return json!({ "boards": lines.map(board).collect::<Vec<_>>() });
    }
    // Better solutions of an anytime search come before.
    let mut object: Value = serde_json::from_str(lines.next_back().unwrap()).unwrap();
    strip(&mut object);
    object
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !["ms", "threads", "file"].contains(&name.as_str()));
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

#[test]
fn all_questions_have_their_answers() {
    let (folder, path) = (folder(), Path::new(FILE));
    let (mut written, mut wrong) = (String::new(), String::new());
    for line in fs::read_to_string(path).unwrap().lines() {
        let mut question: Value = serde_json::from_str(line).unwrap();
        let ask = question["ask"].as_str().unwrap().to_owned();
        let request = question["request"].as_object().unwrap();
        let run = solver(folder.path(), arguments(&ask, request));
        let (code, found) = match run.code {
            Some(2) => (2, json!({ "error": "error" })),
            Some(code @ (0 | 1)) => (code, json!({ "answer": answer(&ask, &run) })),
            _ => panic!("{}: {:?} {}", question["name"], run.code, run.err),
        };
        let expected = ["answer", "error"].map(|field| question.get(field).cloned());
        let all = [found.get("answer").cloned(), found.get("error").cloned()];
        let status = found["answer"]["status"].as_str().unwrap_or("solved");
        let is_solved = code == 2 || (code == 0) == (status == "solved");
        if all != expected || !is_solved {
            writeln!(wrong, "{}: exit code {code}, {found}", question["name"]).unwrap();
        }
        let fields = question.as_object_mut().unwrap();
        fields.retain(|name, _| name != "answer" && name != "error");
        fields.extend(found.as_object().unwrap().clone());
        writeln!(written, "{question}").unwrap();
    }
    match std::env::var_os("WRITE_ANSWERS") {
        Some(_) => fs::write(path, written).unwrap(),
        None => assert!(wrong.is_empty(), "{wrong}"),
    }
}
