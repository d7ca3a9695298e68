//! Python's keywords as a question of the library.

use std::sync::Arc;

use puzzle::Metric;
use pyo3::prelude::*;
use solver::{Answer, GivenOptions, Question, Report, SolveOptions};

use crate::arguments::{Whole, named, read_time};
use crate::call::Mail;
use crate::failure::{Failure, OrRaise as _};

/// Python's keywords for a board, or each of many.
pub(crate) struct Keywords<'a> {
    pub(crate) mode: &'a str,
    pub(crate) max_time: Option<f64>,
    pub(crate) max_nodes: Option<Whole>,
    pub(crate) max_memory: Option<Whole>,
    pub(crate) threads: usize,
    pub(crate) notation: &'a str,
    /// 0 where the caller gives none.
    pub(crate) seed: u64,
    /// Keywords that the library has under the same names.
    pub(crate) given: GivenOptions,
}

impl Default for Keywords<'_> {
    fn default() -> Self {
        Keywords {
            mode: "optimal",
            max_time: None,
            max_nodes: None,
            max_memory: None,
            threads: 0,
            notation: "tile",
            seed: 0,
            given: GivenOptions::default(),
        }
    }
}

impl Keywords<'_> {
    /// The question that the keywords ask.
    pub(crate) fn question(self, py: Python<'_>, metric: Metric) -> PyResult<Question> {
        let mut options = SolveOptions::default().threads(self.threads);
        options.max_time = read_time(py, "max_time", self.max_time)?;
        options.max_nodes = Whole::at_least_one(py, "max_nodes", self.max_nodes)?;
        let given = GivenOptions {
            mode: named(py, self.mode)?,
            max_memory: Whole::at_least_one(py, "max_memory", self.max_memory)?,
            seed: (self.seed > 0).then_some(self.seed),
            ..self.given
        };
        let question = given.question(metric, options).map_err(Failure::input);
        Ok(question.or_raise(py)?.notation(named(py, self.notation)?))
    }
}

/// The question whose better solutions are mailed while the search continues.
pub(crate) fn mailing<T: Send + 'static>(
    question: Question,
    mail: &Arc<Mail<T, Report>>,
) -> Question {
    let mail = Arc::clone(mail);
    question.improved(move |better: &Answer| mail.send(better.report.clone()))
}
