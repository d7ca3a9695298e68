//! The options of a search, and of the tables that it reads.

use std::time::Duration;

use clap::Args;
use cli::quantity::{count, seconds};
use puzzle::{Notation, Tray};
use solver::{Mode, SolveOptions};

use crate::mode::with_memory;

/// How tables are opened.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct OpenArgs {
    /// Build missing tables however long it takes, and keep them [default: up to 2 s]
    #[arg(long)]
    pub(crate) build: bool,
}

/// How moves are written.
#[derive(Args, Clone, Debug)]
pub(crate) struct NotationArgs {
    /// How moves are written: tile (letters for the way the tile goes), blank, or numbers
    #[arg(long, default_value = "tile")]
    pub(crate) notation: Notation,
}

/// How given moves are written.
#[derive(Args, Clone, Debug)]
pub(crate) struct GivenNotationArgs {
    /// How the moves are written: tile (letters for the way the tile goes), blank, or numbers
    /// [default: numbers where they are numbers, else tile]
    #[arg(long)]
    notation: Option<Notation>,
}

impl GivenNotationArgs {
    /// The notation of a text of moves.
    pub(crate) fn of(&self, text: &str) -> Notation {
        self.notation.unwrap_or_else(|| Notation::guess(text))
    }
}

/// What a search may take, and how it goes on.
#[derive(Args, Clone, Debug)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) open: OpenArgs,
    /// Give up on a board after about this many generated nodes, such as 100k or 1e6, which one
    /// thread generates
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) max_nodes: Option<u64>,
    /// Give up on a board after this time, such as 10s, 1.5m or 2h; a number alone is in seconds
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) max_time: Option<Duration>,
}

impl SearchArgs {
    /// The options for the library, without threads.
    pub(crate) fn options(&self) -> SolveOptions {
        let mut options = SolveOptions::default().cancel(&cli::cancel());
        (options.max_nodes, options.max_time) = (self.max_nodes, self.max_time);
        options
    }

    /// [`Self::options`] for advice on boards of a size: on those that are too large to prove most
    /// of, where no limit was given, `max_time` is one. Asked for when the tables are loaded.
    pub(crate) fn advice_options(&self, tray: Tray, max_time: Duration) -> SolveOptions {
        let mut options = self.options().mode(Mode::Anytime);
        let has_limit = self.max_time.is_some() || self.max_nodes.is_some();
        if tray.cells() > MAX_PROVED_CELLS && !has_limit {
            options = options.max_time(max_time);
        }
        with_memory(options)
    }
}

/// Boards of up to so many cells are solved to the optimum in a moment.
const MAX_PROVED_CELLS: usize = 16;
