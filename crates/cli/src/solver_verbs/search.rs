//! Options of searches and of their tables.

use std::time::Duration;

use clap::Args;
use command::quantity::{count, seconds};
use puzzle::{Notation, Tray};
use solver::{Mode, Side, SolveOptions};

use crate::mode::with_memory;

/// Options for opening tables.
#[derive(Args, Clone, Debug)]
pub(crate) struct OpenArgs {
    /// Build and store missing tables, even if the build takes long [default: build only tables
    /// that take up to 2 s]
    #[arg(long)]
    pub(crate) build: bool,
}

/// Notation of moves.
#[derive(Args, Clone, Debug)]
pub(crate) struct NotationArgs {
    /// Notation of printed moves: tile (letters for the direction of the tile), blank (letters for
    /// the direction of the blank), or numbers (the numbers of the moved tiles)
    #[arg(long, default_value = "tile")]
    pub(crate) notation: Notation,
}

/// Notation of input moves.
#[derive(Args, Clone, Debug)]
pub(crate) struct GivenNotationArgs {
    /// Notation of the moves: tile (letters for the direction of the tile), blank (letters for the
    /// direction of the blank), or numbers (the numbers of the moved tiles) [default: numbers if
    /// the moves are numbers, else tile]
    #[arg(long)]
    notation: Option<Notation>,
}

impl GivenNotationArgs {
    /// The notation of moves in a text.
    pub(crate) fn of(&self, text: &str) -> Notation {
        self.notation.unwrap_or_else(|| Notation::guess(text))
    }
}

/// Limits and threads of a search.
#[derive(Args, Clone, Debug)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) open: OpenArgs,
    /// Stop after about this number of generated nodes per board, such as 100k or 1e6; a search for
    /// an optimal solution then uses one thread
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) max_nodes: Option<u64>,
    /// Stop after this time per board, such as 10s, 1.5m or 2h; a number alone is in seconds
    /// [default: no limit; with --mode anytime 10s, unless another limit is given]
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) max_time: Option<Duration>,
    /// Side from which a board is searched: start, goal, or auto (the side that is expected to need
    /// fewer nodes)
    #[arg(long, default_value = "auto")]
    pub(crate) side: Side,
}

impl SearchArgs {
    /// The options for the library, except the number of threads.
    pub(crate) fn options(&self) -> SolveOptions {
        let mut options = SolveOptions::default()
            .cancel(&command::cancel())
            .side(self.side);
        (options.max_nodes, options.max_time) = (self.max_nodes, self.max_time);
        options
    }

    /// [`Self::options`] for boards of a size. If the user set no limit and the boards have more
    /// than [`MAX_PROVED_CELLS`] cells, the time limit is `max_time`.
    pub(crate) fn options_within(&self, tray: Tray, max_time: Duration) -> SolveOptions {
        let options = self.options();
        let has_limit = self.max_time.is_some() || self.max_nodes.is_some();
        match tray.cells() > MAX_PROVED_CELLS && !has_limit {
            true => options.max_time(max_time),
            false => options,
        }
    }

    /// [`Self::options_within`] in anytime mode. Call it after the tables are loaded: the default
    /// memory limit depends on the memory that is still free then.
    pub(crate) fn advice_options(&self, tray: Tray, max_time: Duration) -> SolveOptions {
        with_memory(self.options_within(tray, max_time).mode(Mode::Anytime))
    }
}

/// Default time limit of `check` and `hint`, on boards of more than [`MAX_PROVED_CELLS`] cells.
pub(crate) const MAX_TIME: Duration = Duration::from_secs(2);
/// Default time limit of `rate`, on boards of more than [`MAX_PROVED_CELLS`] cells.
pub(crate) const MAX_RATING_TIME: Duration = Duration::from_secs(10);

/// Help of `--max-time` in `check`, `hint` and `play`.
pub(crate) const MAX_TIME_HELP: &str = "Stop after this time, such as 10s, 1.5m or 2h; a number \
    alone is in seconds [default: no limit; 2s on boards of more than 16 cells, unless \
    --max-nodes is given]";
/// Help of `--max-time` in `rate`.
pub(crate) const MAX_RATING_TIME_HELP: &str = "Stop after this time, such as 10s, 1.5m or 2h; a \
    number alone is in seconds [default: no limit; 10s on boards of more than 16 cells, unless \
    --max-nodes is given]";

/// Boards of up to this number of cells are solved optimally within seconds.
const MAX_PROVED_CELLS: usize = 16;
