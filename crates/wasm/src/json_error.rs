//! Errors and answers as JSON for the host.

use std::fmt;

use serde::Serialize;
use wasm_bindgen::JsValue;

/// The error of a call: a JSON object with `code` and `message`. If a board has no answer, the
/// object also contains the fields of the board's report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError(String);

/// An answer in JSON.
pub type JsonAnswer = Result<String, JsonError>;

#[derive(Serialize)]
struct Reason<'a> {
    code: &'static str,
    message: &'a str,
}

impl JsonError {
    /// The request is wrong or impossible.
    pub fn input(message: impl fmt::Display) -> JsonError {
        JsonError::new("error", &message.to_string())
    }

    /// A table is damaged or of another puzzle.
    pub fn table(message: impl fmt::Display) -> JsonError {
        JsonError::new("table", &message.to_string())
    }

    /// Not enough memory.
    pub fn memory(message: impl fmt::Display) -> JsonError {
        JsonError::new("memory", &message.to_string())
    }

    /// The caller has cancelled the call.
    #[must_use]
    pub fn cancelled() -> JsonError {
        JsonError::new("cancelled", "cancelled")
    }

    fn new(code: &'static str, message: &str) -> JsonError {
        JsonError::of_object(&Reason { code, message })
    }

    /// Serialises an object that has the fields `code` and `message`.
    pub(crate) fn of_object(object: &impl Serialize) -> JsonError {
        // Serialising strings cannot fail.
        JsonError(serde_json::to_string(object).unwrap_or_default())
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<JsonError> for JsValue {
    fn from(error: JsonError) -> JsValue {
        JsValue::from_str(&error.to_string())
    }
}

/// An answer as JSON. Cannot fail for the answers of this crate, which consist of strings, numbers
/// and lists.
pub(crate) fn to_json(answer: &impl Serialize) -> JsonAnswer {
    serde_json::to_string(answer).map_err(JsonError::input)
}
