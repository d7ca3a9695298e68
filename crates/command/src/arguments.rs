//! Options shared by all commands.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use etcetera::BaseStrategy as _;
use etcetera::base_strategy::choose_native_strategy;
use pdb_table::TableDirectory;
use puzzle::{BoardError, Goal, HeuristicSpec, Metric, TableKind, Tray};

use crate::explain::{explain, explain_partition};
use crate::failure::Failure;
use crate::output::print_line;
use crate::quantity::count_within;
use crate::verbs::OptionNames;

/// Options with the same meaning in every command.
#[derive(Args, Clone, Debug)]
pub struct SharedArgs {
    /// Size in columns x rows, such as 4x4 or 5x3 [default: the size of the board or of the goal,
    /// else 4x4]
    #[arg(long, value_name = "WxH", global = true, allow_hyphen_values = true)]
    pub size: Option<Tray>,
    /// Goal: blank-last (1 2 3 ... 0), blank-first (0 1 2 ...), snail (1 2 3 ... along a spiral, the
    /// blank at its end), columns (1 2 3 ... 0 by columns), or a board
    #[arg(long, value_name = "GOAL", default_value = "blank-last", global = true)]
    pub goal: String,
    /// Partition: a name (6-6-3, 7-8, best, fewest, small, 8, 5-3, fringe, manhattan; with --metric
    /// multi: runs, lines), a list of tiles (1,2,5,6/3,4,...) or a picture file; + joins several
    /// partitions [default: depends on the size]
    #[arg(long, value_name = "NAME|LIST|FILE", global = true)]
    pub partition: Option<String>,
    /// Kind of tables: zero-aware, blank-compressed, full or runs. The kind runs implies --metric
    /// multi, and with --metric multi the kind is always runs. The partition fringe is always full
    /// [default: zero-aware]
    #[arg(long, global = true)]
    pub kind: Option<TableKind>,
    /// Unit of a move: with single, one tile moves by one cell; with multi, one or more tiles of a
    /// line move together by one cell
    #[arg(long, default_value = "single", global = true)]
    pub metric: Metric,
    /// Directory of the tables [default: environment variable PDB_TABLES, else sliding-tile-pdb in
    /// the user's data directory]
    #[arg(long, value_name = "DIR", global = true)]
    pub tables: Option<PathBuf>,
    /// Number of threads; if several threads search one board, node counts and the solution can
    /// vary between runs [default: all cores]
    #[arg(long, value_name = "N", value_parser = count_within(1..=1024),
          global = true, allow_negative_numbers = true)]
    pub threads: Option<u64>,
    /// Print JSON, one object per line
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only results and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

/// The options of [`SharedArgs`] that choose a heuristic, for [`verbs`](crate::verbs).
pub const HEURISTIC: OptionNames = &["size", "goal", "partition", "kind", "metric"];
/// The remaining options of [`SharedArgs`].
pub const SURROUNDINGS: OptionNames = &["tables", "threads", "json", "quiet"];

impl SharedArgs {
    /// The goal on a tray. `tray` is the size of the boards, if known.
    ///
    /// # Errors
    /// The goal cannot be read, or has another size than `--size`.
    pub fn goal(&self, tray: Option<Tray>) -> Result<Goal, Failure> {
        let size = self.size.or(tray);
        Goal::parse(&self.goal, size)
            .map_err(|error| Failure::input(format!("goal: {}", explain(&error))))
    }

    /// The size from `--size` or, if the goal is given as a board, the size of that board.
    #[must_use]
    pub fn known_size(&self) -> Option<Tray> {
        let goal = self.goal(None).ok();
        let is_name = |tray| Goal::named(self.goal.trim(), tray).is_some();
        let of_board = || goal.map(|goal| goal.tray()).filter(|&tray| !is_name(tray));
        self.size.or_else(of_board)
    }

    /// Explains a board error. The message names the options that avoid the error, or the option
    /// that determines the size.
    #[must_use]
    pub fn explain(&self, error: &BoardError) -> String {
        let by = match (error, self.size) {
            (BoardError::Size { .. }, Some(_)) => " by --size",
            (BoardError::Size { .. }, None) => " by --goal",
            _ => "",
        };
        format!("{}{by}", explain(error))
    }

    /// The metric: `multi` with `--metric multi` or `--kind runs`, otherwise `single`.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.kind().metric()
    }

    /// The table kind: `runs` with `--metric multi`, otherwise the value of `--kind` (default:
    /// zero-aware).
    #[must_use]
    pub fn kind(&self) -> TableKind {
        match self.metric {
            Metric::Multi => TableKind::MultiTile,
            Metric::Single => self.kind.unwrap_or(TableKind::ZeroAware),
        }
    }

    /// The specification for a goal. Without `--partition` it is the default for the goal's size.
    ///
    /// # Errors
    /// The partition cannot be read or used.
    pub fn spec(&self, goal: &Goal) -> Result<HeuristicSpec, Failure> {
        let mut builder = HeuristicSpec::builder(goal).kind(self.kind());
        let names = self.partition.iter().flat_map(|name| name.split('+'));
        for item in names.map(str::trim) {
            let path = Path::new(item);
            if path.exists() {
                builder = builder.file(item, read_picture(path));
            }
        }
        let spec = match &self.partition {
            Some(name) => builder.parse(name),
            None => builder.parse_default(),
        };
        spec.map_err(|error| Failure::input(explain_partition(&error)))
    }

    /// Prints a result: `object` with `--json`, otherwise `line`. With `--quiet` the line is
    /// omitted.
    pub fn report(&self, object: impl fmt::Display, line: impl fmt::Display) {
        if self.json {
            print_line(object);
        } else if !self.quiet {
            print_line(line);
        }
    }

    /// The tables directory.
    ///
    /// # Errors
    /// No directory is given, and the system has no data directory for the user.
    pub fn directory(&self) -> Result<TableDirectory, Failure> {
        let variable = std::env::var_os("PDB_TABLES").filter(|path| !path.is_empty());
        if let Some(path) = self.tables.clone().or(variable.map(PathBuf::from)) {
            return Ok(TableDirectory::new(path));
        }
        let base = choose_native_strategy().map_err(|_| {
            Failure::table("no home directory to keep tables in: give --tables DIR")
        })?;
        Ok(TableDirectory::new(
            base.data_dir().join("sliding-tile-pdb"),
        ))
    }

    /// Number of threads.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, |threads| threads as usize)
    }

    /// Sizes rayon's global pool to the requested threads. Call once, before anything runs in the
    /// pool.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn start_threads(&self) -> Result<(), Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.thread_count());
        pool.build_global()
            .map_err(|error| Failure::input(format!("cannot start threads: {error}")))
    }
}

/// Maximum size of a picture file, in bytes.
const MAX_PICTURE_LENGTH: u64 = 1 << 20;

fn read_picture(path: &Path) -> Result<String, String> {
    let metadata = fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() || metadata.len() > MAX_PICTURE_LENGTH {
        return Err("not a picture file: not a regular file, or larger than 1 MiB".to_owned());
    }
    fs::read_to_string(path).map_err(|error| error.to_string())
}
