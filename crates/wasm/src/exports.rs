//! The module's exports: this crate's calls, for JavaScript.

#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "laboratory")]
pub mod laboratory;

use wasm_bindgen::prelude::*;

use crate::{Failure, defect, rules};

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> JsValue {
        JsValue::from_str(&failure.to_string())
    }
}

/// The version of the package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    rules::version().to_owned()
}

/// Keeps what a defect has to say, for [`last_panic`].
#[wasm_bindgen(start)]
pub fn start() {
    defect::keep_panics();
}

/// What a defect had to say before it trapped; empty if there was none, as at the end of memory.
#[wasm_bindgen]
#[must_use]
pub fn last_panic() -> String {
    defect::last_panic()
}

/// Reads a board.
#[wasm_bindgen]
pub fn parse(board: &str, size: Option<String>) -> Result<String, Failure> {
    rules::parse(board, size.as_deref())
}

/// Reads a goal.
#[wasm_bindgen]
pub fn goal(goal: &str, size: Option<String>) -> Result<String, Failure> {
    rules::goal(goal, size.as_deref())
}

/// Whether a board can be solved.
#[wasm_bindgen]
pub fn solvability(board: &str, goal: Option<String>) -> Result<String, Failure> {
    rules::solvability(board, goal.as_deref())
}

/// Random boards.
#[wasm_bindgen]
pub fn scramble(request: &str) -> Result<String, Failure> {
    rules::scramble(request)
}

/// Where moves lead.
#[wasm_bindgen]
pub fn apply(request: &str) -> Result<String, Failure> {
    rules::apply(request)
}

/// Moves in another notation.
#[wasm_bindgen]
pub fn convert(request: &str) -> Result<String, Failure> {
    rules::convert(request)
}

/// The moves back.
#[wasm_bindgen]
pub fn invert(moves: &str, notation: Option<String>) -> Result<String, Failure> {
    rules::invert(moves, notation.as_deref())
}

/// A board drawn.
#[wasm_bindgen]
pub fn draw(request: &str) -> Result<String, Failure> {
    rules::draw(request)
}

/// The partitions that come into question.
#[wasm_bindgen]
pub fn partitions(size: &str, metric: Option<String>) -> Result<String, Failure> {
    rules::partitions(size, metric.as_deref())
}

/// Bytes of the instance's memory.
#[wasm_bindgen]
#[must_use]
pub fn memory_bytes() -> f64 {
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0);
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0_usize;
    pages as f64 * 65536.0
}
