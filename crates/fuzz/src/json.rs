//! JSON of reports and of summaries of reports; questions in JSON, each of which has an answer in
//! JSON, or a failure of one line.

use std::sync::LazyLock;

use pdb_table::Control;
use serde_json::{Map, Value, from_slice, from_str, to_string};
use session::{Request, Session, Spelling};
use solver::{Report, Summary};

use crate::text::assert_one_line;

/// The whole input is JSON. Lists of reports are also summarised.
pub fn json(bytes: &[u8]) {
    if let Some(report) = read::<Report>(bytes) {
        summarise(&[report]);
    }
    if let Some(reports) = read::<Vec<Report>>(bytes) {
        summarise(&reports);
    }
}

/// Reads, writes, reads and writes again. Both written texts must be equal except for their digits,
/// because the last digit of a fraction can be read inexactly.
fn read<T: serde::de::DeserializeOwned + serde::Serialize>(bytes: &[u8]) -> Option<T> {
    let value = from_slice::<T>(bytes).ok()?;
    let written = to_string(&value).expect("a value that was read can be written");
    assert!(!written.contains('\n'), "JSON of more than one line");
    let again: T = from_str(&written).expect("a written value can be read");
    let again = to_string(&again).expect("a value that was read can be written");
    let shape = |text: &str| text.replace(|sign: char| sign.is_ascii_digit(), "");
    assert_eq!(shape(&again), shape(&written));
    Some(value)
}

fn summarise(reports: &[Report]) {
    let mut summary = Summary::default();
    reports.iter().for_each(|report| summary.add(report));
    assert!(summary.boards() <= reports.len());
}

/// Maximum number of nodes per search.
const MAX_NODES: u64 = 2000;

/// The session of all questions. Only small tables are built.
static SESSION: LazyLock<Session> = LazyLock::new(|| {
    let settings = from_str(r#"{"threads": 1, "max_build_time": 0.001}"#).expect("JSON");
    Session::with_settings(settings, Spelling::default()).expect("settings")
});

/// The whole input is a question.
pub fn contract(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let limited = from_str(text).map(|fields| Value::from(limited(fields)).to_string());
    let request = Request::from_json(limited.as_deref().unwrap_or(text));
    match request.and_then(|request| SESSION.call(&request, &Control::default())) {
        Ok(answer) => assert!(!to_string(&answer).expect("JSON").contains('\n')),
        Err(failure) => assert_one_line(failure),
    }
}

/// Limits the work of a question.
fn limited(mut fields: Map<String, Value>) -> Map<String, Value> {
    let ask = fields
        .get("ask")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let searches = ["solve", "hint", "rate", "compare"].contains(&ask);
    let has_number = ["scramble", "compare"].contains(&ask);
    // The texts of boards of any size can have thousands of cells.
    let has_sizes = ["heuristics", "explain", "compare"].contains(&ask);
    if searches {
        let nodes = fields.get("max_nodes").and_then(Value::as_u64);
        let nodes = nodes.unwrap_or(MAX_NODES).min(MAX_NODES);
        fields.insert("max_nodes".to_owned(), nodes.into());
    }
    if has_number {
        fields.insert("number".to_owned(), 2.into());
    }
    if has_sizes {
        fields.insert("size".to_owned(), "3x3".into());
        fields.remove("sizes");
    }
    fields
}
