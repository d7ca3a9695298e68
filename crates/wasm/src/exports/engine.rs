//! The exports of tables and searches.
//!
//! Functions of the host are called while a call runs, on the same thread. An error that they throw
//! is ignored.

use js_sys::{Function, Uint8Array};
use sha2::{Digest as _, Sha256};
use wasm_bindgen::prelude::*;

use crate::{Engine, Failure, Loader, host};

/// Does a call whose reports the host hears.
pub(super) fn heard<R>(listener: Option<Function>, call: impl FnOnce() -> R) -> R {
    let Some(listener) = listener else {
        return call();
    };
    let listener = move |event: &str| {
        let _ = listener.call1(&JsValue::NULL, &JsValue::from_str(event));
    };
    host::listening(listener, call)
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
    pdb_table::hex(&Sha256::digest(bytes))
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
