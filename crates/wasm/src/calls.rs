//! Calls: requests, answers and failures as JSON texts.

#[cfg(any(feature = "solver", feature = "laboratory"))]
use js_sys::Function;
#[cfg(feature = "solver")]
use js_sys::Uint8Array;
use session::{Failure, Limits, Request, Spelling};
use wasm_bindgen::prelude::*;

#[cfg(any(feature = "solver", feature = "laboratory"))]
use crate::host::{control, heard};

/// Memory of all tables, in bytes. Building them takes up to three times as much, plus the size of
/// the finished files. This fits into the 4 GiB of 32-bit addresses.
const TABLE_MEMORY: u64 = 1 << 30;

/// Answers questions. Open solvers and their tables belong to the session.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    /// The session that answers.
    #[wasm_bindgen(skip)]
    pub session: session::Session,
}

/// The limits of a session whose searches can use this number of threads.
fn limits(threads: usize) -> Limits {
    let mut limits = Limits::default();
    limits.max_threads = threads;
    limits.threads = threads;
    // Enough for a beam search of a few seconds, and acceptable for a page.
    limits.memory = Some(256 << 20);
    // For one core of a desktop machine. WebAssembly takes about twice as long, and phones several
    // times as long. Searches in the metric `multi` depend on tables, so their limit is that of the
    // other frontends.
    limits.build_time[0] = 1.5;
    limits.table_memory = Some(TABLE_MEMORY);
    limits
}

fn json(failure: &Failure) -> String {
    // Serialising texts and numbers cannot fail.
    serde_json::to_string(failure).unwrap_or_default()
}

#[wasm_bindgen]
impl Session {
    /// A session without tables.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(threads: usize) -> Session {
        #[cfg_attr(
            not(feature = "solver"),
            expect(unused_mut, reason = "no sources of tables")
        )]
        let mut session = session::Session::new(limits(threads), Spelling::Camel);
        // Build times are estimated for one thread.
        #[cfg(feature = "solver")]
        {
            session.sources.budget.threads = 1;
        }
        Session { session }
    }

    /// Answers a question. The host receives the events of the call.
    ///
    /// # Errors
    /// The failure as JSON.
    #[cfg(any(feature = "solver", feature = "laboratory"))]
    pub fn call(&self, request: &str, on_event: Option<Function>) -> Result<String, String> {
        heard(on_event, || self.answer(request)).map_err(|failure| json(&failure))
    }

    /// Answers a question about the rules, which has no events.
    ///
    /// # Errors
    /// The failure as JSON.
    #[cfg(not(any(feature = "solver", feature = "laboratory")))]
    pub fn call(&self, request: &str) -> Result<String, String> {
        self.answer(request).map_err(|failure| json(&failure))
    }

    /// Adds a table from the bytes of its file, packed or not. Returns the name of the file.
    ///
    /// # Errors
    /// The failure as JSON.
    #[cfg(feature = "solver")]
    pub fn add(&self, bytes: &[u8]) -> Result<String, String> {
        let name = self.session.give_bytes(bytes, &control().cancel);
        name.map_err(|failure| json(&failure))
    }

    /// A copy of the file of an open table.
    ///
    /// # Errors
    /// The failure as JSON.
    #[cfg(feature = "solver")]
    pub fn table(&self, file: &str) -> Result<Uint8Array, String> {
        let table = self.session.table(file);
        let missing = || json(&Failure::input(format_args!("there is no table {file}")));
        table.ok_or_else(missing).map(|table| table.bytes().into())
    }
}

impl Session {
    fn answer(&self, request: &str) -> Result<String, Failure> {
        let fields = serde_json::from_str(request).map_err(Failure::input)?;
        let request = Request::from_object(fields, self.session.spelling)?;
        #[cfg(not(any(feature = "solver", feature = "laboratory")))]
        let control = session::Control::default;
        let answer = self.session.call(&request, &control())?;
        serde_json::to_string(&answer).map_err(Failure::input)
    }
}
