//! The kind of answer, and the options of one kind only.

use clap::Args;
use command::Failure;
use command::quantity::{bytes, count};
use pdb_gen::free_memory;
use puzzle::Metric;
use solver::{GivenOptions, Mode, Question, SolveOptions};

/// The kind of answer.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModeArgs {
    /// optimal: a shortest solution, proved; strategic: one at once, by a method that people can
    /// follow; anytime: one at once, then shorter ones until one is proved optimal or a limit is
    /// reached (without any, 10s)
    #[arg(long, default_value = "optimal")]
    pub(crate) mode: Mode,
    /// With --mode strategic: about 60 % as long, instead of easy to follow
    #[arg(long)]
    short: bool,
    /// With --mode anytime: memory that the search may take besides the tables, such as 512MiB
    /// [default: half of what is free; with --max-nodes 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = memory, allow_hyphen_values = true)]
    memory: Option<u64>,
    /// With --mode anytime: choose by this number where there is a choice. The same seed and
    /// --max-nodes give the same solution [default: 0]
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    seed: Option<u64>,
}

/// A size that a search can do something with.
fn memory(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        0..0x10_0000 => Err(format!("expected at least 1MiB, found `{text}`")),
        size => Ok(size),
    }
}

impl ModeArgs {
    /// The options that not every mode has.
    pub(crate) fn given(&self) -> GivenOptions {
        GivenOptions {
            mode: self.mode,
            short: self.short,
            max_memory: self.memory,
            seed: self.seed,
            ..GivenOptions::default()
        }
    }
}

/// The question that options ask. Fails if some of them exclude each other.
pub(crate) fn question(
    given: &GivenOptions,
    metric: Metric,
    options: SolveOptions,
) -> Result<Question, Failure> {
    let name = |option| match option {
        "max_memory" => "--memory".to_owned(),
        option => format!("--{option}"),
    };
    let question = given.question(metric, options);
    question.map_err(|error| Failure::input(error.describe(name)))
}

/// With the memory that an anytime search may use where the user does not say: half of what is free
/// just before it begins, when the tables are loaded. What depends on the machine must not decide
/// on a solution that is to be the same everywhere, so with a limit of nodes the library's own
/// default stays.
pub(crate) fn with_memory(mut options: SolveOptions) -> SolveOptions {
    let is_free = options.max_memory.is_none() && options.max_nodes.is_none();
    if options.mode == Mode::Anytime && is_free {
        options.max_memory = free_memory().map(|free| free / 2);
    }
    options
}
