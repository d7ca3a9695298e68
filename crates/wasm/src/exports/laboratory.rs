//! The exports of the laboratory.

use js_sys::Function;
use wasm_bindgen::prelude::*;

use super::engine::heard;
use crate::{Failure, Laboratory};

/// [`Laboratory`] for JavaScript.
#[wasm_bindgen(js_name = Lab)]
#[derive(Debug, Default)]
pub struct JsLaboratory(Laboratory);

#[wasm_bindgen(js_class = Lab)]
impl JsLaboratory {
    /// A laboratory without tables.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> JsLaboratory {
        JsLaboratory::default()
    }

    /// Names of heuristics.
    pub fn heuristics(&self, size: &str) -> Result<String, Failure> {
        Laboratory::heuristics(size)
    }

    /// What heuristics see.
    pub fn explain(&self, request: &str) -> Result<String, Failure> {
        self.0.explain(request)
    }

    /// Searches with heuristics.
    pub fn compare(&self, request: &str, on_record: Option<Function>) -> Result<String, Failure> {
        heard(on_record, || self.0.compare(request))
    }
}
