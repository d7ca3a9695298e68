//! The module's exports: this crate's calls, for JavaScript.
//!
//! Functions of the host are called while a call runs, on the same thread. An error that they throw
//! is ignored.

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::{Engine, Failure, Laboratory, Loader, host, rules};

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> JsValue {
        JsValue::from_str(&failure.to_string())
    }
}

/// Does a call whose reports the host hears.
fn heard<R>(listener: Option<Function>, call: impl FnOnce() -> R) -> R {
    let Some(listener) = listener else {
        return call();
    };
    let listener = move |event: &str| {
        let _ = listener.call1(&JsValue::NULL, &JsValue::from_str(event));
    };
    host::listening(listener, call)
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
    host::keep_panics();
}

/// What a defect had to say before it trapped; empty if there was none, as at the end of memory.
#[wasm_bindgen]
#[must_use]
pub fn last_panic() -> String {
    host::last_panic()
}

/// Asks this function whether to stop, from now on.
#[wasm_bindgen]
pub fn on_cancel(asked: Function) {
    host::on_cancel(move || {
        let answer = asked.call0(&JsValue::NULL);
        answer.is_ok_and(|answer| answer.is_truthy())
    });
}

/// Makes the pool for as many workers as are in [`work`].
#[cfg(feature = "threads")]
#[wasm_bindgen]
pub fn start_threads(threads: usize) -> Result<(), Failure> {
    crate::threads::start(threads)
}

/// Works in the pool; does not return.
#[cfg(feature = "threads")]
#[wasm_bindgen]
pub fn work() {
    crate::threads::work();
}

/// The SHA-256 of bytes, in hexadecimal.
#[wasm_bindgen]
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    rules::sha256(bytes)
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

/// [`Loader`] for JavaScript.
#[wasm_bindgen(js_name = Loader)]
#[derive(Debug)]
pub struct JsLoader(Loader);

#[wasm_bindgen(js_class = Loader)]
impl JsLoader {
    /// What tables are needed.
    #[wasm_bindgen(constructor)]
    pub fn new(request: &str) -> Result<JsLoader, Failure> {
        Loader::new(request).map(JsLoader)
    }

    /// The tables.
    pub fn needed(&self) -> Result<String, Failure> {
        self.0.needed()
    }

    /// Takes a table.
    pub fn add(&mut self, bytes: &[u8]) -> Result<String, Failure> {
        self.0.add(bytes)
    }

    /// Builds those that are missing.
    pub fn build(&mut self, on_progress: Option<Function>) -> Result<(), Failure> {
        heard(on_progress, || self.0.build())
    }

    /// The solver.
    pub fn finish(self) -> Result<JsEngine, Failure> {
        self.0.finish().map(JsEngine)
    }
}

/// [`Engine`] for JavaScript.
#[wasm_bindgen(js_name = Engine)]
#[derive(Debug)]
pub struct JsEngine(Engine);

#[wasm_bindgen(js_class = Engine)]
impl JsEngine {
    /// Goal and tables.
    pub fn info(&self) -> Result<String, Failure> {
        self.0.info()
    }

    /// Solves a board.
    pub fn solve(
        &self,
        board: &str,
        request: &str,
        on_event: Option<Function>,
    ) -> Result<String, Failure> {
        heard(on_event, || self.0.solve(board, request))
    }

    /// All solutions.
    pub fn all_solutions(
        &self,
        board: &str,
        request: &str,
        on_event: Option<Function>,
    ) -> Result<String, Failure> {
        heard(on_event, || self.0.all_solutions(board, request))
    }

    /// Help with a board.
    pub fn hint(
        &self,
        board: &str,
        request: &str,
        on_event: Option<Function>,
    ) -> Result<String, Failure> {
        heard(on_event, || self.0.hint(board, request))
    }

    /// Judges a game.
    pub fn rate(
        &self,
        board: &str,
        moves: &str,
        request: &str,
        on_event: Option<Function>,
    ) -> Result<String, Failure> {
        heard(on_event, || self.0.rate(board, moves, request))
    }

    /// What the tables say.
    pub fn probe(&self, board: &str) -> Result<String, Failure> {
        self.0.probe(board)
    }

    /// Proves the tables.
    pub fn verify(&mut self, on_progress: Option<Function>) -> Result<String, Failure> {
        heard(on_progress, || self.0.verify())
    }

    /// A copy of a table's file.
    pub fn table(&self, file: &str) -> Result<Uint8Array, Failure> {
        self.0.table(file).map(Uint8Array::from)
    }
}

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
