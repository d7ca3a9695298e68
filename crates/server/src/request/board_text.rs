//! Texts in requests, which can also be written as JSON arrays: boards, goals and moves.

use puzzle::Tray;
use puzzle::board_text::{ListedBoard, parse};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::Value;
use utoipa::ToSchema;

use crate::problem::Problem;

/// A board, a goal or moves: a text in any usual form, such as `1 2 3/4 5 6/7 8 0`, or an array.
#[derive(Clone, Debug, Default, ToSchema)]
#[schema(value_type = Value, example = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13")]
pub(crate) struct BoardText(String);

impl<'de> Deserialize<'de> for BoardText {
    /// An array becomes its JSON text, which the reader of texts reads and whose errors it names.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(BoardText(text)),
            array @ Value::Array(_) => Ok(BoardText(array.to_string())),
            _ => Err(D::Error::custom(
                "expected a board, a goal or moves: a text such as `1 2 3/4 5 6/7 8 0`, or an array",
            )),
        }
    }
}

impl BoardText {
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    pub(crate) fn read(&self, size: Option<Tray>) -> Result<ListedBoard, Problem> {
        parse(&self.0, size).map_err(Problem::input)
    }
}
