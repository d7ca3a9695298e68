//! Questions and answers: the contract of all frontends.
//!
//! Every question that a frontend can ask is a variant of [`Request`], and every option is a field
//! with one sentence. [`Session::call`] answers a request with a [`Response`], or with a
//! [`Failure`] that has one of six [`Code`]s. The command line, HTTP, Python, C and WebAssembly
//! translate between their users and this crate; they decide nothing.
//!
//! ```
//! use session::{Request, Session};
//!
//! let session = Session::default();
//! let request = Request::from_json(r#"{ "ask": "solve", "board": "8 6 7/2 5 4/3 0 1" }"#)?;
//! let answer = session.call(&request, &Default::default())?;
//! let answer = serde_json::to_value(&answer)?;
//! assert_eq!(answer["length"], 31);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - To add an option, add a field in [`request`].
//! - To add a question, add a variant in [`request`], and an arm in `Session::call`.
//!
//! Features: `solver` (tables and searches; without it only the rules of the puzzle), `lab`
//! (textbook heuristics and searches), `file` (a directory of tables), `schema` (descriptions of
//! all fields, for tools).

mod failure;
mod field;
#[cfg(feature = "lab")]
mod laboratory;
#[cfg(feature = "solver")]
mod open_solvers;
#[cfg(any(feature = "solver", feature = "lab"))]
mod pool;
#[cfg(feature = "solver")]
mod question;
pub mod request;
mod response;
mod rules;
#[cfg(feature = "schema")]
pub mod schema;
mod session;
#[cfg(feature = "solver")]
mod solving;
#[cfg(feature = "solver")]
mod tables;

pub use failure::{Cause, Failure, Fault};
pub use field::{BoardText, Field, Fields, Kind, MovesText, Reader, Spelling};
#[cfg(feature = "lab")]
pub use laboratory::{PlottedSeries, WrittenPlot};
#[cfg(feature = "solver")]
pub use open_solvers::{CheckLevel, Opened};
pub use pdb_table::{Cancel, Code, Control, Progress, lock};
pub use request::Request;
pub use response::{
    Event, ListEntry, MovesResult, RandomBoard, Response, Solvability, WrittenBoard,
};
pub use rules::read_goal;
pub use session::{Limits, Session};
#[cfg(feature = "solver")]
pub use solving::report;
#[cfg(feature = "solver")]
pub use tables::{TableInfo, TableProgress, TablesInfo};
