//! The checked options of a search.

use std::sync::{Arc, OnceLock};
use std::time::Duration;
#[cfg(not(feature = "web"))]
use std::time::Instant;

use pdb_table::Control;
use puzzle::Metric;
use solver::{AllSolutions, Answer, Mode, Question, SearchStatus, Side, SolveOptions};

use crate::Failure;
use crate::request::{Search, Solve};
use crate::response::Event;
use crate::session::Session;
#[cfg(feature = "web")]
use web_time::Instant;

/// The options of `solve` that apply to some modes only, with these modes.
pub(crate) const OPTIONS_OF_MODES: [(&str, &[Mode]); 9] = [
    ("max_memory", &[Mode::Anytime]),
    ("seed", &[Mode::Anytime]),
    ("short", &[Mode::Strategic]),
    ("explain", &[Mode::Strategic]),
    ("all", &[Mode::Optimal]),
    ("count", &[Mode::Optimal]),
    ("most", &[Mode::Optimal]),
    ("within", &[Mode::Optimal, Mode::Anytime]),
    ("side", &[Mode::Optimal, Mode::Anytime]),
];

/// Largest value of `within`, in moves and as a share.
const MOST_WITHIN: f64 = 1000.0;

impl Session {
    /// The options of a search, within the session's limits. Progress is reported to the control.
    ///
    /// # Errors
    /// A value outside its range.
    pub fn search_options(
        &self,
        search: &Search,
        control: &Control<Event>,
    ) -> Result<SolveOptions, Failure> {
        let limits = &self.limits;
        let most = limits.max_time.unwrap_or(Duration::MAX);
        match search.max_time {
            Some(Duration::ZERO) => return Err(self.wrong("max_time", &0, &"more than 0")),
            Some(time) if time > most => {
                let (found, most) = (time.as_secs_f64(), most.as_secs_f64());
                let expected = format_args!("at most {most} seconds");
                return Err(self.wrong("max_time", &found, &expected));
            }
            _ => {}
        }
        if search.max_nodes == Some(0) {
            return Err(self.wrong("max_nodes", &0, &"at least 1"));
        }
        let options = SolveOptions::default()
            .threads(self.threads(search.threads)?)
            .side(search.side.unwrap_or_default())
            .max_memory(limits.memory)
            .max_nodes(search.max_nodes)
            .max_time(search.max_time.or(limits.time))
            .cancel(&control.cancel);
        if !control.has_listener() {
            return Ok(options);
        }
        // Tables may be opened before the search begins.
        let (control, begun) = (control.clone(), OnceLock::new());
        Ok(options.progress(move |status: &SearchStatus| {
            control.report(&Event::Progress {
                bound: status.bound,
                nodes: status.generated,
                ms: begun.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3,
                longest: status.longest,
                left: (status.expected()).and_then(|nodes| nodes.checked_sub(status.in_iteration)),
            });
        }))
    }

    /// The checked question of a request, with the session's limits. An anytime search without a
    /// limit ends after [`SolveOptions::ANYTIME_LIMIT`].
    ///
    /// # Errors
    /// An option that the mode, the metric or another option excludes, or a value outside its range.
    pub fn question(&self, request: &Solve, control: &Control<Event>) -> Result<Question, Failure> {
        let options = self.search_options(&request.search, control)?;
        self.check_combination(request)?;
        self.check_values(request)?;
        let mode = request.mode.unwrap_or_default();
        let is_share = mode == Mode::Anytime;
        let options = options
            .mode(mode)
            .short(request.short)
            .seed(request.seed.unwrap_or(0))
            .max_memory(request.max_memory.or(self.limits.memory))
            .within(request.within.filter(|_| is_share))
            .or_anytime_limit();
        let moves = request.within.filter(|_| !is_share);
        let within = moves.map(|moves| moves as u32);
        let most = match (request.count, request.most) {
            (true, _) => 0,
            (false, None) => AllSolutions::MOST,
            (false, Some(most)) => usize::try_from(most).unwrap_or(usize::MAX),
        };
        let are_wanted = request.all || request.count || within.is_some();
        let mut question = Question::new(options);
        question.notation = request.notation.unwrap_or_default();
        question.explain = request.explain;
        question.all = are_wanted.then_some(AllSolutions { within, most });
        if !control.has_listener() {
            return Ok(question);
        }
        let control = control.clone();
        question.improved = Some(Arc::new(move |better: &Answer| {
            control.report(&Event::Improved {
                report: Box::new(better.report.clone()),
            });
        }));
        Ok(question)
    }

    /// Rejects options that the mode, the metric or another option excludes.
    fn check_combination(&self, request: &Solve) -> Result<(), Failure> {
        let mode = request.mode.unwrap_or_default();
        let name = |option| self.spelling.name(option);
        let is_given = |option: &str| match option {
            "max_memory" => request.max_memory.is_some(),
            "seed" => request.seed.is_some(),
            "short" => request.short,
            "explain" => request.explain,
            "all" => request.all,
            "count" => request.count,
            "most" => request.most.is_some(),
            "within" => request.within.is_some(),
            _ => request.search.side.unwrap_or_default() != Side::Auto,
        };
        for (option, modes) in OPTIONS_OF_MODES {
            if is_given(option) && !modes.contains(&mode) {
                let modes: Vec<&str> = modes.iter().map(|mode| mode.name()).collect();
                let (option, modes) = (name(option), modes.join(" or "));
                return Err(Failure::input(format_args!(
                    "{option} is for the mode {modes}, not for {mode}: leave it out"
                )));
            }
        }
        let is_longer = mode == Mode::Optimal && request.within.is_some_and(|moves| moves > 0.0);
        if is_longer && request.tables.metric() == Metric::Multi {
            let within = name("within");
            return Err(Failure::input(format_args!(
                "{within} is for the metric single: leave it out"
            )));
        }
        for (a, b) in [("short", "explain"), ("count", "most")] {
            if is_given(a) && is_given(b) {
                let (a, b) = (name(a), name(b));
                return Err(Failure::input(format_args!(
                    "{a} and {b} exclude each other: leave one out"
                )));
            }
        }
        match is_given("most") && !is_given("all") && !is_given("within") {
            true => Err(Failure::input(format_args!(
                "{} requires {} or {}",
                name("most"),
                name("all"),
                name("within")
            ))),
            false => Ok(()),
        }
    }

    /// Rejects values outside their ranges.
    fn check_values(&self, request: &Solve) -> Result<(), Failure> {
        let most = self.limits.solutions;
        if let Some(found) = request.most.filter(|found| !(1..=most).contains(found)) {
            return Err(self.wrong("most", &found, &format_args!("1 to {most}")));
        }
        let most = self.limits.max_memory.unwrap_or(u64::MAX);
        let range = 1 << 20..=most;
        if let Some(found) = request.max_memory.filter(|found| !range.contains(found)) {
            let expected = match most {
                u64::MAX => "at least 1048576 bytes".to_owned(),
                most => format!("bytes from 1048576 to {most}"),
            };
            return Err(self.wrong("max_memory", &found, &expected));
        }
        let (expected, step) = match request.mode.unwrap_or_default() {
            Mode::Optimal => ("a number of moves up to 1000", 1.0),
            _ => ("a share from 0 to 1000, such as 0.05 for 5 %", 0.0),
        };
        let is_wrong = |within: &f64| {
            let is_in_range = (0.0..=MOST_WITHIN).contains(within);
            !is_in_range || (step > 0.0 && within.fract() != 0.0)
        };
        match request.within.filter(is_wrong) {
            Some(found) => Err(self.wrong("within", &found, &expected)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{Fields, Spelling};

    fn question(fields: Value) -> Result<Question, String> {
        let Value::Object(mut fields) = fields else {
            panic!("no object")
        };
        fields.insert("board".to_owned(), json!("1 2/0 3"));
        let request = Solve::from_fields(fields, Spelling::Snake).unwrap();
        let question = Session::default().question(&request, &Control::default());
        question.map_err(|failure| failure.message)
    }

    /// Each option in each mode, against the list in the documentation.
    #[test]
    fn options_belong_to_their_modes() {
        for (option, value, expected) in [
            ("short", json!(true), [false, true, false]),
            ("explain", json!(true), [false, true, false]),
            ("all", json!(true), [true, false, false]),
            ("count", json!(true), [true, false, false]),
            ("seed", json!(0), [false, false, true]),
            ("max_memory", json!(1 << 20), [false, false, true]),
            ("within", json!(1), [true, false, true]),
            ("side", json!("goal"), [true, false, true]),
        ] {
            for (mode, is_right) in Mode::ALL.into_iter().zip(expected) {
                let found = question(json!({ "mode": mode.name(), option: value }));
                assert_eq!(found.is_ok(), is_right, "{option} {mode}: {found:?}");
            }
        }
    }

    #[test]
    fn impossible_options_are_named() {
        for (fields, message) in [
            (
                json!({ "mode": "strategic", "short": true, "explain": true }),
                "short and explain exclude each other: leave one out",
            ),
            (
                json!({ "all": true, "count": true, "most": 2 }),
                "count and most exclude each other: leave one out",
            ),
            (json!({ "most": 2 }), "most requires all or within"),
            (
                json!({ "metric": "multi", "within": 1 }),
                "within is for the metric single: leave it out",
            ),
            (
                json!({ "within": 0.05 }),
                "within is 0.05: expected a number of moves up to 1000",
            ),
            (
                json!({ "mode": "anytime", "within": 1000.5 }),
                "within is 1000.5: expected a share from 0 to 1000, such as 0.05 for 5 %",
            ),
            (
                json!({ "mode": "anytime", "max_memory": 5 }),
                "max_memory is 5: expected at least 1048576 bytes",
            ),
        ] {
            assert_eq!(question(fields).unwrap_err(), message);
        }
    }

    #[test]
    fn questions_keep_the_options() {
        let all = |fields| {
            question(fields)
                .unwrap()
                .all
                .map(|all| (all.within, all.most))
        };
        assert_eq!(all(json!({})), None);
        assert_eq!(all(json!({ "count": true })), Some((None, 0)));
        assert_eq!(all(json!({ "all": true })), Some((None, 1000)));
        assert_eq!(all(json!({ "within": 2, "most": 3 })), Some((Some(2), 3)));
        // The options themselves cannot be read, but they can be shown.
        let options = |fields| format!("{:?}", question(fields).unwrap().options);
        let shown = options(json!({ "mode": "anytime" }));
        let limit = format!("max_time: Some({:?})", SolveOptions::ANYTIME_LIMIT);
        assert!(shown.contains(&limit), "{shown}");
        let fields = json!({ "mode": "anytime", "within": 0.1, "seed": 7, "max_memory": 1 << 21 });
        let shown = options(fields);
        for kept in [
            "within: Some(0.1)",
            "max_time: None",
            "seed: 7",
            "max_memory: Some(2097152)",
        ] {
            assert!(shown.contains(kept), "{shown}");
        }
    }
}
