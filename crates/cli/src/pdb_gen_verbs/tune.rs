//! `pdb-gen tune`: searches for good partitions, prints a ranking and writes picture files.

use std::fmt::Display;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use command::quantity::{count, count_within, minutes};
use command::{Failure, SharedArgs, cancel, explain, explain_partition, print_line, progress_bar};
use lab::tune::{Candidate, Control, Stage, TuneError, TuneEvent, TuneOptions, TuneReport};
use pdb_gen::free_memory;
use pdb_table::AtomicFile;
use puzzle::board_text::list as list_boards;
use puzzle::{Cell, CellSet, Direction, Goal, HeuristicSpec, Pattern, Scrambler, State, Symmetry};
use serde_json::{Value, json};

use crate::selection::Selection;

#[derive(clap::Args, Debug)]
pub(crate) struct TuneArguments {
    /// Number of tiles in each part, such as 6-6-3
    #[arg(long, value_name = "SIZES")]
    parts: String,
    /// Number of partitions in a set; the heuristic is their maximum [default: 1, or 2 if no
    /// symmetry of the tray keeps the blank's goal cell]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    together: Option<u8>,
    /// Number of best partitions to print and write, besides the known partitions (the preset with
    /// the sizes of --parts, and --partition). With 0, only the known partitions are measured, to
    /// find the best order of their moves
    #[arg(long, value_name = "N", default_value = "10", value_parser = count_within(0..=1000),
          allow_negative_numbers = true)]
    top: u64,
    /// Boards to search: a number of random boards, such as 100 or 1k, or a file of boards
    /// [default: 100, or 0 on more than 16 cells]
    #[arg(long, value_name = "N|FILE", allow_negative_numbers = true)]
    boards: Option<String>,
    /// Number of random states in the sample, such as 8000 or 20k
    #[arg(long, value_name = "N", default_value = "20k",
          value_parser = count_within(1..=1_000_000), allow_negative_numbers = true)]
    states: u64,
    /// Seed of the sample and of the random boards
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    seed: u64,
    /// Approximate time limit, in minutes or with a unit such as 30s, 10m or 2h. The limit
    /// restricts the size of the tables that are built, and ends the search
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = working_time,
          allow_hyphen_values = true)]
    minutes: Duration,
    /// Directory for the partition files
    #[arg(long, value_name = "DIR", default_value = "tuned")]
    out: PathBuf,
}

/// Maximum of [`TuneArguments::minutes`]: a week.
const MAX_MINUTES: u64 = 10_000;

fn working_time(text: &str) -> Result<Duration, String> {
    let time = minutes(text)?;
    match time.is_zero() || time > Duration::from_secs(60 * MAX_MINUTES) {
        true => Err(format!(
            "expected a time above 0 and up to {MAX_MINUTES} minutes, found `{text}`"
        )),
        false => Ok(time),
    }
}

/// Entries swept per minute by two cores: less than half the speed of the machine in
/// docs/results.md. The value is fixed, so that the same options mean the same work on every
/// machine.
const ENTRIES_PER_MINUTE: u64 = 6_000_000_000;

/// Searches for good partitions, prints the best and writes a file for each.
pub(crate) fn tune(selection: &Selection, arguments: &TuneArguments) -> Result<(), Failure> {
    let shared = &selection.shared;
    let goal = shared.goal(None)?;
    let sizes = sizes(&arguments.parts)?;
    let options = options(shared, arguments, &goal, sizes)?;
    options.check().map_err(Failure::input)?;
    let write_error = |error| Failure::table(format!("{}: {error}", arguments.out.display()));
    fs::create_dir_all(&arguments.out).map_err(write_error)?;
    let start = Instant::now();
    let quiet = shared.quiet || shared.json;
    let bar = progress_bar("tune", "{prefix} {bar:10} {pos} of {len} {wide_msg}", quiet);
    let shown = bar.clone();
    let listener = move |event: &TuneEvent| {
        shown.set_message(match event.stage {
            Stage::Measure => "tables measured",
            Stage::Rank => "steps of the ranking",
            _ => "candidates searched with",
        });
        shown.set_length(event.total);
        shown.set_position(event.done);
    };
    let tuned = lab::tune::tune(&options, &Control::new(cancel(), Some(Arc::new(listener))));
    bar.finish_and_clear();
    let tuned = tuned.map_err(|error| match error {
        TuneError::Cancelled => Failure::interrupted("interrupted: nothing was written"),
        error => Failure::input(error),
    })?;
    if !shared.quiet && !shared.json {
        let compared = match (tuned.compared, tuned.is_exhaustive) {
            (0, _) => "no others".to_owned(),
            (1, true) => "the only partition".to_owned(),
            (1, false) => "1 partition".to_owned(),
            (many, true) => format!("all {many} partitions"),
            (many, false) => format!("{many} partitions"),
        };
        let cut = match tuned.is_cut {
            true => ", cut short by the time limit",
            false => "",
        };
        let known = tuned.candidates.iter().filter(|c| c.is_known).count();
        let shown = match tuned.candidates.len() - known {
            0 => format!("{known} known"),
            best => format!("the best {best} and {known} known"),
        };
        print_line(format_args!(
            "compared {compared}, built {} tables, {:.1} s{cut}; shown: {shown}, with files in {}",
            tuned.tables,
            start.elapsed().as_secs_f64(),
            arguments.out.display()
        ));
        print_line(" rank   mean h   of views   b^-h            nodes  order  partition");
    }
    report(shared, arguments, &goal, &options, &tuned)
}

fn sizes(text: &str) -> Result<Vec<usize>, Failure> {
    let sizes = text.split('-').map(|size| size.trim().parse().ok());
    sizes.collect::<Option<_>>().ok_or_else(|| {
        let shown: String = text.chars().take(30).collect();
        Failure::input(format!(
            "--parts {shown}: give sizes joined by -, such as 6-6-3"
        ))
    })
}

/// The sizes as a name such as `6-6-3`, largest first.
fn joined(sizes: &[usize]) -> String {
    let mut sizes = sizes.to_vec();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let words: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    words.join("-")
}

fn options(
    shared: &SharedArgs,
    arguments: &TuneArguments,
    goal: &Goal,
    sizes: Vec<usize>,
) -> Result<TuneOptions, Failure> {
    let (tray, goal_blank) = (goal.tray(), goal.blank());
    // The current preset and the partition of `--partition` are compared with the partitions found.
    let name = match joined(&sizes).as_str() {
        // `7-8` is the only preset whose name begins with the smaller part.
        "8-7" => "7-8".to_owned(),
        name => name.to_owned(),
    };
    let named = HeuristicSpec::builder(goal).kind(shared.kind());
    let named = named.parse(&name);
    let mut known = vec![named.map_err(|error| Failure::input(explain_partition(&error)))?];
    if shared.partition.is_some() {
        known.push(shared.spec(goal)?);
    }
    let mut sets = Vec::new();
    for spec in known {
        if let Some(partition) = spec.partitions().iter().find(|p| !p.kind().is_additive()) {
            return Err(Failure::input(TuneError::TableKind(partition.kind())));
        }
        let partitions = spec.partitions().iter();
        let parts = partitions.map(|p| p.patterns().iter().map(Pattern::tiles).collect());
        sets.push(parts.collect::<Vec<_>>());
    }
    sets.retain(|set| !set.is_empty());
    let is_alone = Symmetry::keeping(tray, goal_blank).count() == 1 && sizes.len() > 1;
    let mut options = TuneOptions::new(tray, goal_blank, sizes);
    options.kind = shared.kind();
    let together = arguments.together.map(usize::from);
    options.together = together.unwrap_or(1 + usize::from(is_alone));
    options.seed = arguments.seed;
    options.states = arguments.states as usize;
    options.max_entries = ENTRIES_PER_MINUTE / 60_000 * arguments.minutes.as_millis() as u64;
    options.max_time = Some(arguments.minutes);
    options.max_memory = free_memory();
    options.finalists = arguments.top as usize;
    options.searched = boards(arguments, goal)?;
    options.known = sets;
    Ok(options)
}

/// Maximum number of random boards; more would exhaust the memory.
const MAX_BOARDS: u64 = 10_000_000;

/// The states to search from.
fn boards(arguments: &TuneArguments, goal: &Goal) -> Result<Vec<State>, Failure> {
    let tray = goal.tray();
    let default = if tray.cells() <= 16 { "100" } else { "0" };
    let text = arguments.boards.as_deref().unwrap_or(default);
    if let Ok(count) = count(text) {
        if count > MAX_BOARDS {
            return Err(Failure::input(format!(
                "--boards {text}: at most {MAX_BOARDS} can be drawn"
            )));
        }
        // The seed differs from the sample's seed: the sample selects the candidates, so they must
        // be measured on other states.
        let mut scrambler = Scrambler::new(!arguments.seed);
        let states = (0..count).map(|_| scrambler.draw(tray, goal.blank()));
        return Ok(states.collect());
    }
    let lines = fs::read_to_string(text);
    let refused = |error| format!("--boards {text}: not a number; as a file: {error}");
    let lines = lines.map_err(|error| Failure::input(refused(error)))?;
    let mut states = Vec::new();
    for listed in list_boards(&lines, Some(tray)) {
        let place = format!("{text}, line {}", listed.first_line);
        let at = |error: &dyn Display| Failure::input(format!("{place}: {error}"));
        let board = listed.parse().map_err(|error| at(&explain(&error)))?.board;
        let state = goal.state(&board);
        let state = state.ok_or_else(|| at(&"different board size"))?;
        state.check_solvable().map_err(|error| at(&error))?;
        states.push(state);
    }
    Ok(states)
}

/// Prints the ranking and writes a file for each candidate.
fn report(
    shared: &SharedArgs,
    arguments: &TuneArguments,
    goal: &Goal,
    options: &TuneOptions,
    tuned: &TuneReport,
) -> Result<(), Failure> {
    for (rank, candidate) in (1..).zip(&tuned.candidates) {
        let sizes = joined(&options.sizes);
        let blank = options.goal_blank.index();
        let name = format!("{}-{sizes}-blank{blank}-{rank}.txt", options.tray);
        let path = arguments.out.join(name);
        let text = text(goal, options, candidate, tuned);
        AtomicFile::write(&path, &[text.as_bytes()]).map_err(Failure::table)?;
        let list = list(goal, candidate);
        let best = candidate.nodes.first();
        let letters = |order: [Direction; 4]| String::from_iter(order.map(Direction::letter));
        if shared.json {
            let mut object = json!({
                "rank": rank,
                "partition": list,
                "file": path.display().to_string(),
                "mean": candidate.means,
                "exact": candidate.is_exact,
                "views_mean": candidate.mean,
                "effort": candidate.effort,
                "known": candidate.is_known,
                "exhaustive": tuned.is_exhaustive,
                "cut": tuned.is_cut,
            });
            if let Some(&(order, nodes)) = best {
                object["nodes"] = json!(nodes);
                object["boards"] = json!(tuned.searched);
                object["order"] = json!(letters(order));
                let by_order = candidate.nodes.iter();
                let by_order = by_order.map(|&(order, nodes)| (letters(order), nodes));
                object["orders"] = Value::from_iter(by_order);
            }
            print_line(object);
        } else {
            let nodes = best.map_or("-".to_owned(), |(_, nodes)| format!("{nodes:.1}"));
            let order = best.map_or("-".to_owned(), |&(order, _)| letters(order));
            let means: Vec<String> = candidate.means.iter().map(|m| format!("{m:.4}")).collect();
            let known = if candidate.is_known { "  (known)" } else { "" };
            print_line(format_args!(
                "{rank:>5}  {}  {:>9.4}  {:.4e}  {nodes:>11}  {order:<5}  {list}{known}",
                means.join(" "),
                candidate.mean,
                candidate.effort
            ));
        }
    }
    Ok(())
}

/// The partitions of a candidate, as an argument of `--partition`. Tiles are named by their numbers
/// in `goal`.
fn list(goal: &Goal, candidate: &Candidate) -> String {
    let numbers = |cell: Cell| goal.number_at(cell).to_string();
    let part = |tiles: &CellSet| tiles.iter().map(numbers).collect::<Vec<_>>().join(",");
    let partition = |parts: &Vec<_>| parts.iter().map(part).collect::<Vec<_>>().join("/");
    let partitions = candidate.partitions.iter().map(partition);
    partitions.collect::<Vec<_>>().join("+")
}

/// A partition file: the measurements as comments, then the pictures.
fn text(goal: &Goal, options: &TuneOptions, candidate: &Candidate, tuned: &TuneReport) -> String {
    let exact = if candidate.is_exact {
        "exact"
    } else {
        "sampled"
    };
    let means: Vec<String> = candidate.means.iter().map(|m| format!("{m:.6}")).collect();
    let compared = match tuned.compared {
        0 => "not compared with others".to_owned(),
        1 => "the only partition compared".to_owned(),
        many => format!("one of {many} partitions compared"),
    };
    let mut text = format!(
        "# pdb-gen tune: {compared}; seed {}, a sample of {} states.\n\
         # Mean h of one view: {} ({exact}); of the maximum over the views: {:.4} (sample).\n\
         # Mean of b^-h over the views: {:.4e} (sample).\n",
        options.seed,
        options.states,
        means.join(" and "),
        candidate.mean,
        candidate.effort
    );
    if let Some((_, nodes)) = candidate.nodes.first() {
        let worst = candidate.nodes.last().map_or(*nodes, |&(_, nodes)| nodes);
        text += &format!(
            "# Generated nodes per board over {} boards: \
             {nodes:.1} in the order below, {worst:.1} in the worst.\n",
            tuned.searched
        );
    }
    for picture in candidate.pictures(goal.tray(), goal.blank()) {
        text += &format!("\n{picture}");
    }
    text
}
