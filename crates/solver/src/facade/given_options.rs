//! Options and the modes and metrics that they apply to.

use std::fmt;

use puzzle::Metric;

use super::question::{AllSolutions, Question};
use crate::calls::{Mode, Side, SolveOptions};

/// Options of a question that apply to some modes only; `None` or `false` if not given.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GivenOptions {
    /// Kind of answer.
    pub mode: Mode,
    /// [`SolveOptions::short`].
    pub short: bool,
    /// [`Question::explain`].
    pub explain: bool,
    /// Requests all shortest solutions.
    pub all: bool,
    /// Requests only the number of solutions, without their moves.
    pub count: bool,
    /// Maximum excess of the lengths of the requested solutions.
    pub within: Option<Within>,
    /// Maximum number of solutions to write.
    pub most: Option<usize>,
    /// [`SolveOptions::max_memory`].
    pub max_memory: Option<u64>,
    /// [`SolveOptions::seed`].
    pub seed: Option<u64>,
    /// [`SolveOptions::side`]; [`Side::Auto`] is valid in every mode.
    pub side: Side,
}

/// Maximum excess of a solution's length, in moves or as a share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Within {
    /// All solutions that exceed a shortest one by at most this number of moves.
    Moves(u32),
    /// One solution that exceeds the proved lower bound by at most this share of the bound.
    Share(f64),
}

impl Within {
    /// Largest value of [`Within::Moves`] and of [`Within::Share`].
    pub const MAX: u32 = 1000;

    /// Interprets a number as moves or as a share, depending on the mode.
    ///
    /// # Errors
    /// [`OptionError::Value`] for a number that is out of range.
    pub fn of(mode: Mode, number: f64) -> Result<Within, OptionError> {
        let is_in_range = (0.0..=Within::MAX.into()).contains(&number);
        let expected = match mode {
            Mode::Optimal if !is_in_range || number.fract() != 0.0 => {
                "a number of moves up to 1000"
            }
            Mode::Optimal => return Ok(Within::Moves(number as u32)),
            _ if !is_in_range => "a share from 0 to 1000, such as 0.05 for 5 %",
            _ => return Ok(Within::Share(number)),
        };
        Err(OptionError::Value {
            option: "within",
            found: number.to_string(),
            expected,
        })
    }
}

/// Options that contradict each other, or an invalid value. [`Self::describe`] uses the frontend's
/// names of the options.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OptionError {
    /// The option belongs to other modes.
    Mode {
        /// Name of the option's field in [`GivenOptions`].
        option: &'static str,
        /// Kind of value that the mode excludes: ` as a share` or ` as a number of moves`. Empty if
        /// the mode excludes all values of the option.
        form: &'static str,
        /// The modes that the option applies to.
        modes: &'static [Mode],
        /// The requested mode.
        found: Mode,
    },
    /// The option belongs to another metric.
    Metric {
        /// The option.
        option: &'static str,
        /// The metric that the option applies to.
        metric: Metric,
    },
    /// Two options that exclude each other.
    Both([&'static str; 2]),
    /// The first option requires the second or the third, and neither of these is present.
    Alone([&'static str; 3]),
    /// The value is invalid.
    Value {
        /// The option.
        option: &'static str,
        /// The given value.
        found: String,
        /// The possible values.
        expected: &'static str,
    },
}

impl OptionError {
    /// The error in one line; `name` returns the frontend's name of an option.
    #[must_use]
    pub fn describe<N: fmt::Display>(&self, name: impl Fn(&'static str) -> N) -> String {
        match self {
            OptionError::Mode {
                option,
                form,
                modes,
                found,
            } => {
                let modes: Vec<&str> = modes.iter().map(|mode| mode.name()).collect();
                let (option, modes) = (name(option), modes.join(" or "));
                format!("{option}{form} is for the mode {modes}, not for {found}: leave it out")
            }
            OptionError::Metric { option, metric } => {
                format!("{} is for the metric {metric}: leave it out", name(option))
            }
            OptionError::Both([a, b]) => {
                format!(
                    "{} and {} exclude each other: leave one out",
                    name(a),
                    name(b)
                )
            }
            OptionError::Alone([option, a, b]) => {
                format!("{} requires {} or {}", name(option), name(a), name(b))
            }
            OptionError::Value {
                option,
                found,
                expected,
            } => format!("{} is {found}: expected {expected}", name(option)),
        }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(|option| option))
    }
}

impl std::error::Error for OptionError {}

/// An option, the modes that it applies to, and a function that returns whether it is given.
type ModeOption = (&'static str, &'static [Mode], fn(&GivenOptions) -> bool);

impl GivenOptions {
    /// The options that apply to some modes only.
    const OF_MODES: [ModeOption; 9] = [
        ("max_memory", &[Mode::Anytime], |o| o.max_memory.is_some()),
        ("seed", &[Mode::Anytime], |o| o.seed.is_some()),
        ("short", &[Mode::Strategic], |o| o.short),
        ("explain", &[Mode::Strategic], |o| o.explain),
        ("all", &[Mode::Optimal], |o| o.all),
        ("count", &[Mode::Optimal], |o| o.count),
        ("most", &[Mode::Optimal], |o| o.most.is_some()),
        ("within", &[Mode::Optimal, Mode::Anytime], |o| {
            o.within.is_some()
        }),
        ("side", &[Mode::Optimal, Mode::Anytime], |o| {
            o.side != Side::Auto
        }),
    ];

    /// The names of the options that apply to some modes only, with their modes.
    pub fn of_modes() -> impl Iterator<Item = (&'static str, &'static [Mode])> {
        let all = GivenOptions::OF_MODES.into_iter();
        all.map(|(option, modes, _)| (option, modes))
    }

    /// Combines these options and the search options `options` into a question. If an anytime
    /// search has no limit, its time limit is [`SolveOptions::ANYTIME_LIMIT`].
    ///
    /// # Errors
    /// [`OptionError`] for the first option that the mode, the metric or another option excludes.
    ///
    /// ```
    /// use puzzle::Metric;
    /// use solver::{GivenOptions, Mode, SolveOptions, Within};
    ///
    /// let mut given = GivenOptions { within: Some(Within::Moves(2)), ..GivenOptions::default() };
    /// let question = given.question(Metric::Single, SolveOptions::default())?;
    /// assert_eq!(question.all.unwrap().within, Some(2));
    /// given.mode = Mode::Strategic;
    /// let error = given.question(Metric::Single, SolveOptions::default()).unwrap_err();
    /// assert_eq!(
    ///     error.describe(|option| format!("--{option}")),
    ///     "--within is for the mode optimal or anytime, not for strategic: leave it out"
    /// );
    /// # Ok::<(), solver::OptionError>(())
    /// ```
    pub fn question(&self, metric: Metric, options: SolveOptions) -> Result<Question, OptionError> {
        self.check(metric)?;
        let options = options.mode(self.mode).short(self.short).side(self.side);
        let mut options = options.seed(self.seed.unwrap_or(0));
        options.max_memory = self.max_memory.or(options.max_memory);
        let within = match self.within {
            Some(Within::Moves(moves)) => Some(moves),
            Some(Within::Share(share)) => {
                options.within = Some(share);
                None
            }
            None => None,
        };
        let most = match self.count {
            true => 0,
            false => self.most.unwrap_or(AllSolutions::MOST),
        };
        let are_wanted = self.all || self.count || within.is_some();
        Ok(Question {
            all: are_wanted.then_some(AllSolutions { within, most }),
            explain: self.explain,
            ..Question::new(options.or_anytime_limit())
        })
    }

    fn check(&self, metric: Metric) -> Result<(), OptionError> {
        let found = self.mode;
        let misplaced = |option, form, modes| OptionError::Mode {
            option,
            form,
            modes,
            found,
        };
        let is_misplaced =
            |(_, modes, is_given): &ModeOption| is_given(self) && !modes.contains(&found);
        let mut of_modes = GivenOptions::OF_MODES.into_iter();
        if let Some((option, modes, _)) = of_modes.find(is_misplaced) {
            return Err(misplaced(option, "", modes));
        }
        match (found, self.within) {
            (Mode::Optimal, Some(Within::Share(_))) => {
                Err(misplaced("within", " as a share", &[Mode::Anytime]))
            }
            (Mode::Anytime, Some(Within::Moves(_))) => Err(misplaced(
                "within",
                " as a number of moves",
                &[Mode::Optimal],
            )),
            (_, Some(Within::Moves(1..))) if metric == Metric::Multi => Err(OptionError::Metric {
                option: "within",
                metric: Metric::Single,
            }),
            (_, Some(Within::Share(share))) if !(0.0..=Within::MAX.into()).contains(&share) => {
                // Rejects NaN too.
                Within::of(found, share).map(|_| ())
            }
            _ if self.short && self.explain => Err(OptionError::Both(["short", "explain"])),
            _ if self.count && self.most.is_some() => Err(OptionError::Both(["count", "most"])),
            _ if self.most.is_some() && !self.all && self.within.is_none() => {
                Err(OptionError::Alone(["most", "all", "within"]))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests each option in each mode against the list in the frontends' documentation.
    #[test]
    fn options_belong_to_their_modes() {
        let given = GivenOptions::default;
        let cases = [
            (
                GivenOptions {
                    short: true,
                    ..given()
                },
                [false, true, false],
            ),
            (
                GivenOptions {
                    explain: true,
                    ..given()
                },
                [false, true, false],
            ),
            (
                GivenOptions {
                    all: true,
                    ..given()
                },
                [true, false, false],
            ),
            (
                GivenOptions {
                    count: true,
                    ..given()
                },
                [true, false, false],
            ),
            (
                GivenOptions {
                    seed: Some(0),
                    ..given()
                },
                [false, false, true],
            ),
            (
                GivenOptions {
                    max_memory: Some(1),
                    ..given()
                },
                [false, false, true],
            ),
            (
                GivenOptions {
                    within: Some(Within::Moves(2)),
                    ..given()
                },
                [true, false, false],
            ),
            (
                GivenOptions {
                    within: Some(Within::Share(0.1)),
                    ..given()
                },
                [false, false, true],
            ),
            (
                GivenOptions {
                    side: Side::Goal,
                    ..given()
                },
                [true, false, true],
            ),
            (
                GivenOptions {
                    all: true,
                    most: Some(3),
                    ..given()
                },
                [true, false, false],
            ),
        ];
        for (mut given, expected) in cases {
            for (mode, is_right) in Mode::ALL.into_iter().zip(expected) {
                given.mode = mode;
                let question = given.question(Metric::Single, SolveOptions::default());
                assert_eq!(question.is_ok(), is_right, "{given:?}: {question:?}");
            }
        }
    }

    #[test]
    fn options_that_exclude_each_other_are_named() {
        let error = |given: GivenOptions, metric| {
            let question = given.question(metric, SolveOptions::default());
            question
                .unwrap_err()
                .describe(|option| format!("<{option}>"))
        };
        let given = GivenOptions::default;
        let strategic = GivenOptions {
            mode: Mode::Strategic,
            ..given()
        };
        for (given, metric, message) in [
            (
                GivenOptions {
                    short: true,
                    explain: true,
                    ..strategic
                },
                Metric::Single,
                "<short> and <explain> exclude each other: leave one out",
            ),
            (
                GivenOptions {
                    all: true,
                    count: true,
                    most: Some(2),
                    ..given()
                },
                Metric::Single,
                "<count> and <most> exclude each other: leave one out",
            ),
            (
                GivenOptions {
                    most: Some(2),
                    ..given()
                },
                Metric::Single,
                "<most> requires <all> or <within>",
            ),
            (
                GivenOptions {
                    within: Some(Within::Moves(1)),
                    ..given()
                },
                Metric::Multi,
                "<within> is for the metric single: leave it out",
            ),
            (
                GivenOptions {
                    within: Some(Within::Share(0.05)),
                    ..given()
                },
                Metric::Single,
                "<within> as a share is for the mode anytime, not for optimal: leave it out",
            ),
        ] {
            assert_eq!(error(given, metric), message);
        }
        let within = |mode, number| Within::of(mode, number).map_err(|error| error.to_string());
        assert_eq!(within(Mode::Optimal, 2.0), Ok(Within::Moves(2)));
        assert_eq!(within(Mode::Anytime, 0.05), Ok(Within::Share(0.05)));
        let moves = "expected a number of moves up to 1000";
        assert_eq!(
            within(Mode::Optimal, 1.5),
            Err(format!("within is 1.5: {moves}"))
        );
        for number in [-0.5, 1000.5, f64::NAN, f64::INFINITY] {
            assert!(within(Mode::Anytime, number).is_err(), "{number}");
            let share = Within::Share(number);
            let given = GivenOptions {
                mode: Mode::Anytime,
                within: Some(share),
                ..given()
            };
            assert!(
                given
                    .question(Metric::Single, SolveOptions::default())
                    .is_err()
            );
        }
    }

    #[test]
    fn questions_keep_the_given_options() {
        let given = GivenOptions {
            count: true,
            ..GivenOptions::default()
        };
        let question = given
            .question(Metric::Multi, SolveOptions::default())
            .unwrap();
        assert_eq!(
            question.all,
            Some(AllSolutions {
                within: None,
                most: 0
            })
        );
        let given = GivenOptions {
            all: true,
            ..GivenOptions::default()
        };
        let question = given
            .question(Metric::Multi, SolveOptions::default())
            .unwrap();
        assert_eq!(question.all.map(|all| all.most), Some(1000));
        let given = GivenOptions {
            mode: Mode::Anytime,
            within: Some(Within::Share(0.1)),
            seed: Some(7),
            max_memory: Some(1 << 20),
            side: Side::Goal,
            ..GivenOptions::default()
        };
        let options = given
            .question(Metric::Single, SolveOptions::default())
            .unwrap()
            .options;
        assert_eq!((options.mode, options.within), (Mode::Anytime, Some(0.1)));
        assert_eq!((options.seed, options.max_memory), (7, Some(1 << 20)));
        assert_eq!(options.side, Side::Goal);
        assert_eq!(options.max_time, None);
        let given = GivenOptions {
            mode: Mode::Anytime,
            ..GivenOptions::default()
        };
        let options = given
            .question(Metric::Single, SolveOptions::default())
            .unwrap()
            .options;
        assert_eq!(options.max_time, Some(SolveOptions::ANYTIME_LIMIT));
    }
}
