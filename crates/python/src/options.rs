//! Converts Python's keywords to options and questions of the library.

use std::sync::Arc;

use puzzle::Metric;
use pyo3::prelude::*;
use solver::{Answer, GivenOptions, Question, Report, SearchStatus, SolveOptions, Within};

use crate::arguments::{Whole, named, read_time};
use crate::call::{Caller, EventSender};
use crate::call_error::CallError;
use crate::cancel::PyCancel;
use crate::progress::Stage;

/// Options of a search with limits.
pub(crate) fn search_options(
    max_time: Option<f64>,
    max_nodes: Option<Whole>,
    threads: usize,
    side: &str,
) -> PyResult<SolveOptions> {
    let mut options = SolveOptions::default().threads(threads).side(named(side)?);
    options.max_time = read_time("max_time", max_time)?;
    options.max_nodes = Whole::at_least_one("max_nodes", max_nodes)?;
    Ok(options)
}

/// Converts the keywords of `solve` and similar functions to a [`Question`]. The parameters are in
/// the order of the Python signatures.
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub(crate) fn question_of_mode(
    metric: Metric,
    mode: &str,
    max_time: Option<f64>,
    max_nodes: Option<Whole>,
    max_memory: Option<Whole>,
    threads: usize,
    side: &str,
    notation: &str,
    short: bool,
    explain: bool,
    within: Option<f64>,
    seed: u64,
) -> PyResult<Question> {
    let options = search_options(max_time, max_nodes, threads, side)?;
    let given = GivenOptions {
        mode: named(mode)?,
        max_memory: Whole::at_least_one("max_memory", max_memory)?,
        // An explicit 0 cannot be distinguished from the default.
        seed: (seed > 0).then_some(seed),
        short,
        explain,
        within: within.map(Within::Share),
        side: options.side,
        ..GivenOptions::default()
    };
    question(&given, metric, options, notation)
}

/// Converts keywords to a [`Question`]. Fails if a keyword is invalid for the mode or the metric.
pub(crate) fn question(
    given: &GivenOptions,
    metric: Metric,
    options: SolveOptions,
    notation: &str,
) -> PyResult<Question> {
    let question = given.question(metric, options).map_err(CallError::input)?;
    Ok(question.notation(named(notation)?))
}

/// Creates the caller for a search of one board. Sets the caller's token and progress counter in
/// `options`.
pub(crate) fn search_caller(
    options: &mut SolveOptions,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Caller> {
    let caller = Caller::new(cancel).listening(progress, Stage::SEARCH, None)?;
    let counter = Arc::clone(&caller.control.counter);
    options.cancel = caller.control.cancel.clone();
    options.progress = Some(Arc::new(move |status: &SearchStatus| {
        counter.record(status);
    }));
    Ok(caller)
}

/// Adds a listener that sends better solutions as events of the work.
pub(crate) fn with_improvements<T: Send + 'static>(
    question: Question,
    events: &EventSender<T, Report>,
) -> Question {
    let events = events.clone();
    question.improved(move |better: &Answer| events.send(better.report.clone()))
}
