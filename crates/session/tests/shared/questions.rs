//! The questions of data/answers, which every frontend answers identically. Tests of several crates
//! use this module.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Map, Value};

pub(crate) const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../data/answers/questions.jsonl"
);

/// A question. `ask` names the requested operation, and `request` contains its arguments.
pub(crate) struct Question<'a> {
    pub(crate) ask: &'a str,
    pub(crate) request: &'a Map<String, Value>,
}

#[allow(dead_code, reason = "not all frontends need all of them")]
impl Question<'_> {
    /// A text field.
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        self.request.get(field)?.as_str()
    }

    /// A numeric field.
    pub(crate) fn number(&self, field: &str) -> Option<f64> {
        self.request.get(field)?.as_f64()
    }

    /// A boolean field.
    pub(crate) fn flag(&self, field: &str) -> bool {
        self.request.get(field) == Some(&Value::Bool(true))
    }
}

/// Asks all questions of the kinds `asks`, except those that a frontend does not support. `ask`
/// returns an answer or an error code. Returns the lines with the actual answers.
///
/// # Panics
/// If an answer differs from the file.
pub(crate) fn ask_all(
    frontend: &str,
    asks: &[&str],
    mut ask: impl FnMut(&Question) -> Result<Value, String>,
) -> Vec<Value> {
    let (mut lines, mut wrong) = (Vec::new(), String::new());
    for line in fs::read_to_string(FILE).unwrap().lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let name = line["ask"].as_str().unwrap();
        if line["not"].get(frontend).is_some() || !asks.contains(&name) {
            continue;
        }
        let question = Question {
            ask: name,
            request: line["request"].as_object().unwrap(),
        };
        let (field, other, mut found) = match ask(&question) {
            Ok(answer) => ("answer", "error", answer),
            Err(code) => ("error", "answer", code.into()),
        };
        strip(&mut found);
        if line.get(field) != Some(&found) {
            writeln!(wrong, "{}: {found}", line["name"]).unwrap();
        }
        let fields = line.as_object_mut().unwrap();
        fields.remove(other);
        fields.insert(field.to_owned(), found);
        lines.push(line);
    }
    let writes = std::env::var_os("WRITE_ANSWERS").is_some() && frontend == "session";
    assert!(writes || wrong.is_empty(), "{frontend}: {wrong}");
    assert!(lines.len() > 100);
    lines
}

/// Kinds of questions that every frontend can ask.
#[allow(dead_code, reason = "not all frontends need it")]
pub(crate) const SHARED: &[&str] = &["solve", "hint", "rate", "probe", "scramble"];

/// Removes fields that vary between machines.
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
