//! JSON of reports, of summaries of reports, and of types whose JSON form is a string.

use std::fmt::Debug;

use puzzle::{Board, Direction, Goal, Metric, Notation, Symmetry, TableKind, Tray};
use serde_json::{from_slice, from_str, to_string};
use solver::{Report, Summary};

use crate::text::assert_one_line;

/// The whole input is JSON. Lists of reports are also summarised.
pub fn body(bytes: &[u8]) {
    if let Some(report) = read::<Report>(bytes) {
        summarise(&[report]);
    }
    if let Some(reports) = read::<Vec<Report>>(bytes) {
        summarise(&reports);
    }
    as_text::<Board>(bytes);
    as_text::<Goal>(bytes);
    as_text::<Tray>(bytes);
    as_text::<Direction>(bytes);
    as_text::<Metric>(bytes);
    as_text::<Notation>(bytes);
    as_text::<Symmetry>(bytes);
    as_text::<TableKind>(bytes);
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

/// Like [`read`], for types whose JSON form is a string.
fn as_text<T>(bytes: &[u8])
where
    T: serde::de::DeserializeOwned + serde::Serialize + PartialEq + Debug,
{
    match from_slice::<T>(bytes) {
        Ok(value) => {
            let written = to_string(&value).expect("a value that was read can be written");
            let again: T = from_str(&written).expect("a written value can be read");
            assert_eq!(again, value, "{written}");
        }
        Err(error) => assert_one_line(error),
    }
}

fn summarise(reports: &[Report]) {
    let mut summary = Summary::default();
    reports.iter().for_each(|report| summary.add(report));
    assert!(summary.boards() <= reports.len());
}
