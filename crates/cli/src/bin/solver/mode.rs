//! What kind of answer is wanted, and the options that only one kind has.

use clap::Args;
use cli::quantity::{bytes, count};
use cli::{Failure, free_memory};
use solver::{Mode, SolveOptions};

/// What kind of answer is wanted.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModeArgs {
    /// optimal: a shortest solution, proved; strategic: one at once, by a method that people can
    /// follow; anytime: one at once, then shorter ones until one is proved optimal or a limit is
    /// reached (without any, 10s)
    #[arg(long, default_value = "optimal")]
    mode: Mode,
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
    /// The mode.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// Refuses options that belong to another mode.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let of_modes = [
            ("--memory", Mode::Anytime, self.memory.is_some()),
            ("--seed", Mode::Anytime, self.seed.is_some()),
            ("--short", Mode::Strategic, self.short),
        ];
        let misplaced = |(_, mode, is_given): &&(_, Mode, bool)| *is_given && *mode != self.mode;
        match of_modes.iter().find(misplaced) {
            Some((option, mode, _)) => Err(Failure::input(format!(
                "{option} is for --mode {mode}: leave it out, or give that"
            ))),
            None => Ok(()),
        }
    }

    /// The options of a search for such an answer. Without any limit an anytime search would be
    /// without end on most boards, so it has one.
    pub(crate) fn apply(&self, options: SolveOptions) -> SolveOptions {
        let options = options.mode(self.mode).short(self.short);
        let mut options = options.seed(self.seed.unwrap_or(0));
        if self.mode == Mode::Anytime {
            options.max_memory = self.memory;
        }
        options.or_anytime_limit()
    }
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
