//! Options shared by all commands, the pattern that an option names, and the command line that
//! builds missing tables, for use in messages.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use etcetera::BaseStrategy as _;
use etcetera::base_strategy::choose_native_strategy;
use pdb_table::{AtomicFile, TableDirectory};
use puzzle::{BoardError, Cell, Goal, HeuristicSpec, Metric, Pattern, TableId, TableKind, Tray};
use serde_json::{Map, Value as Json};
use session::request::Choose;
use session::{BoardText, read_goal};

use crate::options::about;
use crate::output::{Failure, is_standard_output, print_line};
use crate::quantity::count_within;
use crate::verbs::OptionNames;
use crate::words::{explain, explain_partition};

/// Heading of the help above options that limit a search.
pub const LIMITS: &str = "Limits";
/// Heading of the help above options of what is printed.
pub const OUTPUT: &str = "Output";

/// The end of a program's help: the partitions that most people use, and examples.
#[must_use]
pub fn help_end(examples: &str) -> String {
    format!(
        "Partitions of 4x4, with the disk space and time of their tables on two cores:\n\
         \x20 6-6-3  8.5 MiB, 0.3 s: random boards in milliseconds; the default\n\
         \x20 7-8    187 MiB, 2 s: 8 times fewer nodes (9 times, 407 MiB, with --both-sides)\n\
         \x20 best   373 MiB, 4 s: 12 times fewer nodes\n\n\
         Examples:\n{examples}"
    )
}

/// Options with the same meaning in every command.
#[allow(
    missing_docs,
    reason = "the sentences of some options are those of the contract"
)]
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Goal and tables")]
pub struct SharedArgs {
    #[arg(long, help = about::<Choose>("size"), value_name = "WxH", global = true,
          allow_hyphen_values = true)]
    pub size: Option<Tray>,
    #[arg(long, help = about::<Choose>("goal"), value_name = "GOAL", global = true)]
    pub goal: Option<String>,
    #[arg(long, help = about::<Choose>("partition"), value_name = "NAME|LIST|FILE", global = true)]
    pub partition: Option<String>,
    #[arg(long, help = about::<Choose>("kind"), global = true)]
    pub kind: Option<TableKind>,
    #[arg(long, help = about::<Choose>("metric"), global = true)]
    pub metric: Option<Metric>,
    /// Directory of the tables [default: environment variable PDB_TABLES, else sliding-tile-pdb in
    /// the user's data directory]
    #[arg(long, value_name = "DIR", global = true)]
    pub tables: Option<PathBuf>,
    /// Number of threads, 0 for all cores [default: all cores]
    #[arg(long, value_name = "N", value_parser = count_within(0..=1024),
          global = true, allow_negative_numbers = true, help_heading = LIMITS)]
    pub threads: Option<u64>,
    /// Print JSON, one object per line
    #[arg(long, global = true, help_heading = OUTPUT)]
    pub json: bool,
    /// Print only results and errors
    #[arg(long, short, global = true, help_heading = OUTPUT)]
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
        let goal = self.goal.clone().map(BoardText);
        Ok(read_goal(goal.as_ref(), self.size.or(tray))?)
    }

    /// The size from `--size` or, if the goal is given as a board, the size of that board.
    #[must_use]
    pub fn known_size(&self) -> Option<Tray> {
        let text = self.goal.as_deref().unwrap_or_default().trim();
        let is_name = |tray| text.is_empty() || Goal::named(text, tray).is_some();
        let of_board = || self.goal(None).ok().map(|goal| goal.tray());
        self.size
            .or_else(|| of_board().filter(|&tray| !is_name(tray)))
    }

    /// The shared options as fields of questions.
    pub(crate) fn fields(&self) -> Map<String, Json> {
        let text = |value: Option<String>| value.map(Json::from);
        let fields = [
            ("size", text(self.size.map(|size| size.to_string()))),
            ("goal", text(self.goal.clone())),
            ("partition", text(self.partition.clone())),
            ("kind", text(self.kind.map(|kind| kind.to_string()))),
            ("metric", text(self.metric.map(|metric| metric.to_string()))),
            ("threads", Some(self.thread_count().into())),
        ];
        let given = |(name, value): (&str, Option<Json>)| Some((name.to_owned(), value?));
        fields.into_iter().filter_map(given).collect()
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
    pub fn metric(&self) -> Metric {
        self.kind().metric()
    }

    /// The table kind: `runs` with `--metric multi`, otherwise the value of `--kind` (default:
    /// zero-aware).
    pub fn kind(&self) -> TableKind {
        match self.metric {
            Some(Metric::Multi) => TableKind::MultiTile,
            _ => self.kind.unwrap_or(TableKind::ZeroAware),
        }
    }

    /// The specification for a goal. Without `--partition` it is the default for the goal's size.
    ///
    /// # Errors
    /// The partition cannot be read or used.
    pub fn spec(&self, goal: &Goal) -> Result<HeuristicSpec, Failure> {
        let mut builder = HeuristicSpec::builder(goal).kind(self.kind());
        for (name, text) in self.files() {
            builder = builder.file(name, text);
        }
        let spec = match &self.partition {
            Some(name) => builder.parse(name),
            None => builder.parse_default(),
        };
        spec.map_err(|error| Failure::input(explain_partition(&error)))
    }

    /// The files that `--partition` names: their names, and their texts or why they cannot be read.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Result<String, String>)> {
        let names = self.partition.iter().flat_map(|name| name.split('+'));
        let is_path = |name: &str| {
            let is_of_list = |c: char| c.is_ascii_digit() || " ,/".contains(c);
            name.contains(['/', '\\']) && !name.chars().all(is_of_list)
        };
        let is_file = |name: &&str| Path::new(name).exists() || is_path(name);
        let files = names.map(str::trim).filter(is_file);
        let file = |name: &str| (name.to_owned(), read_picture(Path::new(name)));
        files.map(file).collect()
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

    /// Writes a text to a file or standard output. After writing a file, reports it as
    /// [`Self::report`] does.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(
        &self,
        out: &Path,
        text: &str,
        object: impl fmt::Display,
        line: impl fmt::Display,
    ) -> Result<(), Failure> {
        if is_standard_output(out) {
            print_line(text.trim_end());
            return Ok(());
        }
        AtomicFile::write(out, &[text.as_bytes()]).map_err(Failure::table)?;
        self.report(object, line);
        Ok(())
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
        let threads = self.threads.filter(|&threads| threads > 0);
        threads.map_or_else(all, |threads| threads as usize)
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

/// The option that selects one pattern.
#[derive(Args, Clone, Debug)]
pub struct PatternArgs {
    /// Tile numbers of one pattern, such as 1,2,5,6, instead of a partition
    #[arg(long, value_name = "LIST", conflicts_with = "partition", global = true)]
    pub tiles: Option<String>,
}

impl PatternArgs {
    /// The goal cells of the tiles in `--tiles`, in the order of that list, and the pattern of
    /// these cells. `None` if `--tiles` is not given.
    ///
    /// # Errors
    /// The list is not a pattern.
    pub fn get(&self, goal: &Goal) -> Result<Option<(Vec<Cell>, Pattern)>, Failure> {
        let Some(list) = &self.tiles else {
            return Ok(None);
        };
        let tiles = HeuristicSpec::parse_tiles(list, goal).map_err(Failure::input)?;
        let pattern = Pattern::new(goal.tray(), tiles.iter().copied().collect(), goal.blank());
        Ok(Some((tiles, pattern.map_err(Failure::input)?)))
    }

    /// The tables of the pattern or, if no pattern is given, of the partition in the shared
    /// options. Each table is listed once.
    ///
    /// # Errors
    /// The options are invalid, or they name a heuristic without tables.
    pub fn tables(&self, shared: &SharedArgs) -> Result<Vec<TableId>, Failure> {
        let goal = shared.goal(None)?;
        let tables = match self.get(&goal)? {
            Some((_, pattern)) => vec![pattern.table(shared.kind()).0],
            None => shared.spec(&goal)?.tables(),
        };
        if tables.is_empty() {
            Pattern::check_tray(goal.tray()).map_err(Failure::input)?;
            return Err(Failure::input(
                "manhattan distance needs no tables; name a partition, such as --partition 6-6-3",
            ));
        }
        Ok(tables)
    }
}

/// The words of a `pdb-gen` command line. `Display` quotes them for a shell where needed.
#[derive(Clone, Debug)]
pub struct BuildCommand(Vec<String>);

impl BuildCommand {
    /// The `pdb-gen` command that applies `verb` to the tables of a goal in the default directory;
    /// an empty `verb` builds the tables. `tiles` is the list of tile numbers of one pattern;
    /// without it, the command is for the requested partition. Options at their defaults are
    /// omitted.
    #[must_use]
    pub fn new(verb: &[&str], shared: &SharedArgs, goal: &Goal, tiles: Option<String>) -> Self {
        let words = ["pdb-gen"].iter().chain(verb);
        let mut command = BuildCommand::from_words(words.copied());
        let (tray, metric) = (goal.tray(), shared.metric());
        if tray.to_string() != "4x4" {
            command.add("--size", tray);
        }
        if let Some(goal) = shared.goal.as_ref().filter(|goal| *goal != "blank-last") {
            command.add("--goal", goal);
        }
        if metric != Metric::Single {
            command.add("--metric", metric);
        }
        match (tiles, &shared.partition) {
            (Some(tiles), _) => command.add("--tiles", tiles),
            (None, Some(name)) => command.add("--partition", name),
            (None, None) => command.add("--partition", HeuristicSpec::default_name(metric, tray)),
        }
        if metric == Metric::Single && shared.kind() != TableKind::ZeroAware {
            command.add("--kind", shared.kind());
        }
        command
    }

    /// The command with these words. The first word is the program.
    #[must_use]
    pub fn from_words(words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        BuildCommand(words.into_iter().map(Into::into).collect())
    }

    /// Adds an option with a value.
    pub fn add(&mut self, option: &str, value: impl fmt::Display) {
        self.0.extend([option.to_owned(), value.to_string()]);
    }

    /// Adds an option without a value.
    pub fn add_flag(&mut self, option: &str) {
        self.0.push(option.to_owned());
    }
}

impl fmt::Display for BuildCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(|word| quoted(word)).collect();
        f.write_str(&words.join(" "))
    }
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
