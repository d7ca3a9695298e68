//! The mode of solving, and the options that apply to only one mode.

use clap::Args;
use command::Failure;
use command::quantity::{bytes, count};
use pdb_gen::free_memory;
use puzzle::Metric;
use solver::{GivenOptions, Mode, Question, SolveOptions};

/// The mode of solving.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModeArgs {
    /// Kind of solution. optimal: a shortest solution, with proof. strategic: an immediate
    /// solution, by a method that people can follow. anytime: an immediate solution, then shorter
    /// solutions, until a solution is proved optimal or a limit is reached (10s by default)
    #[arg(long, default_value = "optimal")]
    pub(crate) mode: Mode,
    /// With --mode strategic: shorten the solution to about 60 % of its length; it is then harder
    /// to follow
    #[arg(long)]
    short: bool,
    /// With --mode anytime: memory limit of the search, without the tables, such as 512MiB
    /// [default: half of the free memory, or 1GiB with --max-nodes]
    #[arg(long, value_name = "SIZE", value_parser = memory, allow_hyphen_values = true)]
    memory: Option<u64>,
    /// With --mode anytime: seed of the random choices. Runs with equal --seed and --max-nodes find
    /// the same solution [default: 0]
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    seed: Option<u64>,
}

/// Parses a memory limit of at least 1 MiB.
fn memory(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        0..0x10_0000 => Err(format!("expected at least 1MiB, found `{text}`")),
        size => Ok(size),
    }
}

impl ModeArgs {
    /// The options that are specific to some modes.
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

/// Converts the options to a [`Question`]. Fails if options exclude each other.
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

/// Adds the default memory limit of an anytime search: half of the memory that is free after the
/// tables are loaded. If a node limit is set, the library's default memory limit applies instead,
/// so that the result does not depend on the machine.
pub(crate) fn with_memory(mut options: SolveOptions) -> SolveOptions {
    let is_free = options.max_memory.is_none() && options.max_nodes.is_none();
    if options.mode == Mode::Anytime && is_free {
        options.max_memory = free_memory().map(|free| free / 2);
    }
    options
}
