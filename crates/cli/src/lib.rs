//! What the two commands share: options, exit codes, the progress bar, Ctrl-C.

use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use clap::Args;
use etcetera::BaseStrategy as _;
use etcetera::base_strategy::choose_native_strategy;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use pdb_table::{Cancel, Control, TableDirectory};
use puzzle::board_text::TextError;
use puzzle::{BoardError, Goal, HeuristicSpec, Metric, PartitionError, TableKind, Tray};

use pdb_gen::BuildEvent;

/// Options that mean the same everywhere.
#[derive(Args, Clone, Debug)]
pub struct SharedArgs {
    /// Columns x rows, such as 4x4 or 5x3 [default: from the board's rows, else 4x4]
    #[arg(long, value_name = "WxH", global = true)]
    pub size: Option<Tray>,
    /// blank-last (1 2 3 ... 0), blank-first (0 1 2 ...), or any board
    #[arg(long, value_name = "GOAL", default_value = "blank-last", global = true)]
    pub goal: String,
    /// Name (6-6-3, 7-8, best, fewest, small, 8, 5-3, fringe, manhattan; with --metric multi runs, lines), list of tiles
    /// (1,2,5,6/3,4,...) or picture file; several joined by + [default: by size]
    #[arg(long, value_name = "NAME|LIST|FILE", global = true)]
    pub partition: Option<String>,
    /// zero-aware, blank-compressed or full; the partition fringe is always full. With --metric multi all are runs, and
    /// runs means that metric
    #[arg(long, default_value = "zero-aware", global = true)]
    pub kind: TableKind,
    /// What counts as a move: single, one tile, or multi, one or more tiles of a line that slide together
    #[arg(long, default_value = "single", global = true)]
    pub metric: Metric,
    /// Directory of the tables [default: PDB_TABLES, else the user's data directory for this program]
    #[arg(long, value_name = "DIR", global = true)]
    pub tables: Option<PathBuf>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), global = true)]
    pub threads: Option<u16>,
    /// Print JSON, one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Print results and errors only
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

/// A command's end that is no success: one line and an exit code.
#[derive(Clone, Debug)]
pub struct Failure {
    exit: u8,
    message: String,
}

impl Failure {
    /// Bad input or usage: exit code 2.
    pub fn input(error: impl fmt::Display) -> Self {
        Failure {
            exit: 2,
            message: error.to_string(),
        }
    }

    /// A table that is bad, missing or cannot be written: exit code 3.
    pub fn table(error: impl fmt::Display) -> Self {
        Failure {
            exit: 3,
            message: error.to_string(),
        }
    }

    /// Stopped by Ctrl-C: exit code 130, as shells have it.
    pub fn interrupted(message: impl Into<String>) -> Self {
        Failure {
            exit: EXIT_INTERRUPTED,
            message: message.into(),
        }
    }

    /// Prints the line to standard error, after the command's name, and gives the exit code.
    pub fn report(&self, command: &str) -> ExitCode {
        print_error(format_args!("{command}: {}", self.message));
        ExitCode::from(self.exit)
    }

    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> u8 {
        self.exit
    }

    /// The line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// What is wrong with a board, and the options that help.
#[must_use]
pub fn explain(error: &BoardError) -> String {
    let way_out = match *error {
        BoardError::Text(TextError::Ambiguous) => {
            ": say --leading-id, or remove the number".to_owned()
        }
        BoardError::Count { found, .. } => {
            let side = found.isqrt();
            let is_square = side * side == found && (2..=Tray::MAX_SIDE).contains(&side);
            let size = is_square.then(|| format!("{side}x{side}"));
            size.map_or_else(String::new, |size| {
                format!(" (for a {size} board part the rows with / or give --size {size})")
            })
        }
        _ => String::new(),
    };
    format!("{error}{way_out}")
}

impl SharedArgs {
    /// The goal on a tray; `tray` is what the boards show, if they do.
    ///
    /// # Errors
    /// A goal that cannot be read, or that is of another size than `--size`.
    pub fn goal(&self, tray: Option<Tray>) -> Result<Goal, Failure> {
        let size = self.size.or(tray);
        Goal::parse(&self.goal, size)
            .map_err(|error| Failure::input(format!("goal: {}", explain(&error))))
    }

    /// Whether the goal is an arrangement of its own, which fixes the size.
    #[must_use]
    pub fn goal_is_board(&self) -> bool {
        !matches!(self.goal.trim(), "blank-last" | "blank-first")
    }

    /// The metric: also `multi` where tables of its kind are asked for.
    #[must_use]
    pub fn metric(&self) -> Metric {
        match self.kind {
            TableKind::MultiTile => Metric::Multi,
            _ => self.metric,
        }
    }

    /// The kind of the tables: that of the metric where it has only one.
    #[must_use]
    pub fn kind(&self) -> TableKind {
        match self.metric {
            Metric::Multi => TableKind::MultiTile,
            Metric::Single => self.kind,
        }
    }

    /// The plan for a goal: the partition asked for, or the default of the size.
    ///
    /// # Errors
    /// A partition that cannot be read or used.
    pub fn spec(&self, goal: &Goal) -> Result<HeuristicSpec, PartitionError> {
        let mut builder = HeuristicSpec::builder(goal).kind(self.kind());
        let Some(name) = &self.partition else {
            return builder.parse_default();
        };
        for item in name.split('+').map(str::trim) {
            let path = std::path::Path::new(item);
            if path.exists() {
                builder = builder.file(item, read_picture(path));
            }
        }
        builder.parse(name)
    }

    /// The `pdb-gen` command that builds the tables of a goal.
    #[must_use]
    pub fn build_command(&self, goal: &Goal) -> String {
        let mut command = "pdb-gen".to_owned();
        let mut add = |option: &str, value: &str| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,+".contains(c);
            let value = if !value.is_empty() && value.chars().all(plain) {
                value.to_owned()
            } else {
                format!("'{}'", value.replace('\'', r"'\''"))
            };
            command.push_str(&format!(" {option} {value}"));
        };
        if goal.tray().to_string() != "4x4" {
            add("--size", &goal.tray().to_string());
        }
        if self.goal != "blank-last" {
            add("--goal", &self.goal);
        }
        let metric = self.metric();
        if metric != Metric::Single {
            add("--metric", metric.name());
        }
        let default = HeuristicSpec::default_name(metric, goal.tray());
        add("--partition", self.partition.as_ref().unwrap_or(&default));
        if metric == Metric::Single && self.kind != TableKind::ZeroAware {
            add("--kind", self.kind.name());
        }
        if let Some(tables) = &self.tables {
            add("--tables", &tables.to_string_lossy());
        }
        command
    }

    /// The tables directory.
    ///
    /// # Errors
    /// When none is given and the system has no data directory for the user.
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

    /// Threads to use.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    /// Does something on other threads, so many, than those of [`Self::start_threads`].
    ///
    /// # Errors
    /// When threads cannot be started.
    pub fn on_threads<T: Send>(
        &self,
        threads: usize,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T, Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool =
            pool.map_err(|error| Failure::input(format!("cannot start threads: {error}")))?;
        Ok(pool.install(work))
    }

    /// Makes rayon's pool as large as asked for. Call once, before anything runs in it.
    ///
    /// # Errors
    /// When threads cannot be started.
    pub fn start_threads(&self) -> Result<(), Failure> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.thread_count())
            .build_global()
            .map_err(|error| Failure::input(format!("cannot start threads: {error}")))
    }
}

/// Prints a line to standard output. When nobody reads any more the process ends, as programs in a pipe do.
pub fn print_line(line: impl fmt::Display) {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
        let quietly = error.kind() == std::io::ErrorKind::BrokenPipe;
        if !quietly {
            let _ = writeln!(std::io::stderr(), "standard output: {error}");
        }
        std::process::exit(if quietly { 0 } else { 2 });
    }
}

/// Prints a line to standard error, if that can be.
pub fn print_error(line: impl fmt::Display) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The largest file that can be meant as a picture.
const LARGEST_PICTURE: u64 = 1 << 20;

fn read_picture(path: &std::path::Path) -> Result<String, String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() || metadata.len() > LARGEST_PICTURE {
        return Err("not a picture file: it is no file, or larger than 1 MiB".to_owned());
    }
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

/// Bytes of memory that are free for a build, where the system tells.
#[must_use]
pub fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    // A container may have less; its file says `max` where there is no limit.
    let number = |file| std::fs::read_to_string(file).ok()?.trim().parse().ok();
    let limit: Option<u64> = number("/sys/fs/cgroup/memory.max");
    let used: u64 = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
    // Pages of files that were read or written are given up when memory is wanted.
    let stat = std::fs::read_to_string("/sys/fs/cgroup/memory.stat").unwrap_or_default();
    let cached = stat.lines().find_map(|l| l.strip_prefix("inactive_file "));
    let cached: u64 = cached.and_then(|bytes| bytes.parse().ok()).unwrap_or(0);
    let used = used.saturating_sub(cached);
    let left = limit.map_or(u64::MAX, |limit| limit.saturating_sub(used));
    Some(left.min(kib * 1024))
}

static INTERRUPTED: OnceLock<Cancel> = OnceLock::new();
static BUSY: AtomicUsize = AtomicUsize::new(0);
/// The exit code after Ctrl-C, as shells have it: 128 and the signal's number.
pub const EXIT_INTERRUPTED: u8 = 130;

/// What Ctrl-C does while no [`ActiveGuard`] is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdleInterrupt {
    /// It is only noted; the command is always at work.
    Finish,
    /// It ends the process, which may be waiting for input.
    Exit,
}

/// Makes Ctrl-C end work at the next safe point instead of killing the process; pressed again, it kills.
pub fn catch_interrupts(when_idle: IdleInterrupt) {
    // Without a handler Ctrl-C kills at once, and the files are still whole or not there.
    let _ = ctrlc::set_handler(move || {
        let again = interrupted();
        cancel().cancel();
        let idle = when_idle == IdleInterrupt::Exit && BUSY.load(Ordering::SeqCst) == 0;
        if again || idle {
            std::process::exit(EXIT_INTERRUPTED.into());
        }
    });
}

/// Held while something is being worked on. When the last is dropped after Ctrl-C the process ends, since the others
/// may be waiting for input that never comes.
#[derive(Debug)]
pub struct ActiveGuard(());

impl ActiveGuard {
    /// Begins a piece of work.
    #[must_use]
    pub fn begin() -> Self {
        BUSY.fetch_add(1, Ordering::SeqCst);
        ActiveGuard(())
    }
}

impl Drop for ActiveGuard {
    fn drop(&mut self) {
        if BUSY.fetch_sub(1, Ordering::SeqCst) == 1 && interrupted() {
            std::process::exit(EXIT_INTERRUPTED.into());
        }
    }
}

/// The token that Ctrl-C cancels.
#[must_use]
pub fn cancel() -> Cancel {
    INTERRUPTED.get_or_init(Cancel::default).clone()
}

/// Whether Ctrl-C was pressed since [`catch_interrupts`].
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.get().is_some_and(Cancel::is_cancelled)
}

/// A progress bar on standard error if that is a terminal, nothing otherwise.
pub struct BuildBar {
    bar: ProgressBar,
    quiet: bool,
}

impl BuildBar {
    /// A bar under a title; hidden if `quiet`.
    #[must_use]
    pub fn new(title: &str, quiet: bool) -> Self {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        let template = "{prefix} {bar:20} {percent:>3}% {human_pos} of {human_len} entries, {rate}, {left}, {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(
                style
                    .with_key("rate", write_rate)
                    .with_key("left", write_left),
            );
        }
        bar.set_prefix(title.to_owned());
        BuildBar { bar, quiet }
    }

    /// What a build is given: it reports to the bar, and Ctrl-C stops it.
    #[must_use]
    pub fn control(&self) -> Control<BuildEvent> {
        let (bar, quiet) = (self.bar.clone(), self.quiet);
        let note = move |bar: &ProgressBar, line: fmt::Arguments<'_>| {
            if !quiet {
                bar.suspend(|| print_error(format_args!("pdb-gen: {line}")));
            }
        };
        let listener = move |event: &BuildEvent| match event {
            BuildEvent::Level(report) => {
                bar.set_length(report.entries);
                let new = HumanCount(report.new);
                bar.set_message(match report.level {
                    0 => format!("{new} checked"),
                    level => format!("level {level}: {new} new"),
                });
                bar.set_position(report.found);
            }
            BuildEvent::Note(line) => note(&bar, format_args!("{line}")),
            BuildEvent::CheckpointIgnored(path) => note(
                &bar,
                format_args!(
                    "building anew, since --resume is not given: {} will be replaced",
                    path.display()
                ),
            ),
            _ => {}
        };
        Control::new(cancel(), Some(Arc::new(listener)))
    }
}

/// Entries a second since the start.
fn write_rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    let rate = state.pos() as f64 / state.elapsed().as_secs_f64().max(1e-3);
    let _ = write!(out, "{:.1} M/s", rate / 1e6);
}

/// Time left at the rate so far. The first levels have few entries and tell nothing.
fn write_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    let done = f64::from(state.fraction());
    let _ = if done < 0.02 {
        write!(out, "- s left")
    } else {
        let left = state.elapsed().as_secs_f64() * (1.0 - done) / done;
        write!(out, "{left:.0} s left")
    };
}

impl Drop for BuildBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
