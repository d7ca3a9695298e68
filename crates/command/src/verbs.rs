//! Shared options by verb. The help of a verb lists only the options that the verb accepts. Other
//! options are errors, except those in `HARMLESS`.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};

use crate::output::Failure;

/// Names of options, without dashes.
pub type OptionNames = &'static [&'static str];

/// Pairs of a verb's name and the groups of shared options that the verb accepts.
pub type VerbOptions = [(&'static str, &'static [OptionNames])];

/// Options that every verb accepts, even if they have no effect, because wrappers and aliases
/// always pass them.
const HARMLESS: [&str; 4] = ["json", "quiet", "tables", "threads"];

/// Options of other programs, and those that mean the same here, one group per line. Of these, the
/// first is named that the command has; a text with spaces stands for itself.
const SYNONYMS: &str = "\
--timeout --time-limit --time --limit: max-time; minutes; nothing limits the time here
--node-limit --nodes: max-nodes
--heuristic --heuristics -H: heuristics; partition
--pdb --database: tables are in --tables, their set is --partition
--pattern: --partition 6-6-3 names a partition, --tiles 1,2,5,6 a pattern; heuristics
-p: partition
--jobs --cores -j -t: threads
--suite: suite; solver --goal blank-first --file data/suites/korf100.txt solves a published list
--input --boards --list -i: file; solver --file FILE solves a list of boards
--number --count -n: number; solver scramble prints --number boards
--random --scramble --shuffle --length: solver scramble --help shows how to get boards
--output --out -o: out; results are printed (--json), tables are stored in --tables
--directory --dir -d: out; tables
--format --output-format: format; json
--csv --stats --statistics: summary; format; json
--anytime --optimal --algorithm --search: mode; searches
--multi: metric
--direction: notation
--width --height --side-length -s: size
--overwrite --rebuild: force
--force -y: yes
--verbose -v: -V prints the version, --json all figures";

/// A command's definition for completions and manual pages: each verb has only the options that it
/// accepts.
#[must_use]
pub fn definition<A: CommandFactory>(verbs: &VerbOptions) -> Command {
    let own = |arg: Arg, is_taken: bool| is_taken.then(|| arg.global(false));
    with_options(A::command(), verbs, own).mut_args(|arg| arg.global(false))
}

/// A command's definition for parsing. Shared options may precede the verb. The definition of each
/// verb contains all shared options. Options that the verb does not accept are hidden in its help.
fn parser<A: CommandFactory>(verbs: &VerbOptions) -> Command {
    let hidden = |arg: Arg, is_taken: bool| (!is_taken).then(|| arg.hide(true));
    with_options(A::command(), verbs, hidden)
}

/// Adds shared options to each verb. `option` is called for each pair of a verb and a shared
/// option; its second argument is true if the verb accepts the option. It returns the option to add
/// to the verb, if any.
fn with_options(
    command: Command,
    verbs: &VerbOptions,
    option: impl Fn(Arg, bool) -> Option<Arg>,
) -> Command {
    let shared = command.get_arguments().filter(|arg| arg.is_global_set());
    let shared: Vec<Arg> = shared.cloned().collect();
    verbs.iter().fold(command, |command, (verb, taken)| {
        let options = shared.iter().cloned().filter_map(|arg| {
            let is_taken = is_taken(&arg, taken);
            option(arg, is_taken)
        });
        command.mut_subcommand(verb, |verb| verb.args(options))
    })
}

/// The process's arguments. A board may begin with `-` for its blank; such a board is not an
/// option.
fn arguments() -> impl Iterator<Item = OsString> {
    std::env::args_os().map(|argument| {
        let rest = argument.to_str().and_then(|text| text.strip_prefix('-'));
        match rest.filter(|rest| rest.starts_with([' ', ',', '/', '\t', '\n'])) {
            Some(rest) => OsString::from(format!("0{rest}")),
            None => argument,
        }
    })
}

/// Parses the process's arguments. Ends the process after `--help` and `--version`.
///
/// # Errors
/// Bad usage, or an option that the verb does not accept.
pub fn parse<A: CommandFactory + FromArgMatches>(verbs: &VerbOptions) -> Result<A, Failure> {
    let command = parser::<A>(verbs);
    let matches = command.clone().try_get_matches_from(arguments());
    let refused = |error| usage_failure(&error, &command);
    let matches = matches.map_err(refused)?;
    if let Some((verb, given)) = matches.subcommand() {
        let taken = verbs.iter().find(|(name, _)| *name == verb);
        let taken = taken.map_or(&[][..], |(_, taken)| taken);
        let misplaced = command
            .get_arguments()
            .find(|&arg| match arg.is_global_set() {
                true => is_given(given, arg) && !is_taken(arg, taken) && !is_harmless(arg),
                false => is_given(&matches, arg),
            });
        if let Some(arg) = misplaced {
            let message = format!(
                "{} does not apply to {verb}: leave it out, or see {} {verb} --help",
                name(arg),
                command.get_name()
            );
            return Err(Failure::input(message));
        }
    }
    A::from_arg_matches(&matches).map_err(refused)
}

/// Formats an error of the parser as one line that ends with the help command. Ends the process
/// after `--help` and `--version`.
fn usage_failure(error: &clap::Error, command: &Command) -> Failure {
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() || is_help {
        error.exit();
    }
    let verb = arguments()
        .skip(1)
        .find_map(|word| command.find_subcommand(word));
    let help = format!(
        "see {} --help",
        [command.get_name()]
            .into_iter()
            .chain(verb.map(Command::get_name))
            .collect::<Vec<_>>()
            .join(" ")
    );
    if let (ErrorKind::UnknownArgument, Some(ContextValue::String(unknown))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    {
        let options = accepted(command, verb);
        let is_number = unknown.bytes().all(|byte| byte.is_ascii_digit());
        let in_quotes = || is_number.then(|| "put the board in quotes".to_owned());
        let known = meant(unknown, &options).or_else(|| similar(unknown, &options));
        let known = known.or_else(in_quotes);
        let known = known.map_or(String::new(), |known| format!(": {known}"));
        return Failure::input(format!("unexpected argument '{unknown}'{known}; {help}"));
    }
    let text = error.render().to_string();
    // The third pattern matches clap's tip to pass an unknown option as a value.
    let left_out = ["Usage: ", "For more information", "tip: to pass '"];
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines = lines.filter(|line| !left_out.iter().any(|start| line.starts_with(start)));
    let lines = lines.map(|line| {
        line.trim_start_matches("error: ")
            .trim_start_matches("tip: ")
    });
    let message = lines.collect::<Vec<_>>().join("; ").replace(":; ", ": ");
    Failure::input(format!("{message}; {help}"))
}

/// Names of the options that a command or its verb accepts.
fn accepted<'a>(command: &'a Command, verb: Option<&'a Command>) -> Vec<&'a str> {
    let of_verb: Vec<&Arg> = verb.into_iter().flat_map(Command::get_arguments).collect();
    let is_replaced = |arg: &Arg| of_verb.iter().any(|own| own.get_id() == arg.get_id());
    let shared = command.get_arguments().filter(|&arg| match verb {
        Some(_) => arg.is_global_set() && !is_replaced(arg),
        None => true,
    });
    let is_accepted = |arg: &&Arg| !arg.is_hide_set() || is_harmless(arg);
    let all = of_verb.iter().copied().chain(shared).filter(is_accepted);
    all.filter_map(Arg::get_long).collect()
}

/// What to use instead of an option of other programs.
fn meant(unknown: &str, options: &[&str]) -> Option<String> {
    let (_, same) = SYNONYMS
        .lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(names, _)| names.split(' ').any(|name| name == unknown))?;
    let has = |name: &&str| name.contains(' ') || options.contains(name);
    same.split("; ")
        .find(has)
        .map(|name| match name.contains(' ') {
            true => name.to_owned(),
            false => format!("the option is --{name}"),
        })
}

/// The option that the unknown one is the start of, or that has one letter more.
fn similar(unknown: &str, options: &[&str]) -> Option<String> {
    let unknown = unknown.strip_prefix("--")?;
    let lacks_letter = |name: &str| {
        let shorter = (0..name.len()).map(|at| [&name[..at], &name[at + 1..]].concat());
        shorter.into_iter().any(|shorter| shorter == unknown)
    };
    let is_start = unknown.len() > 2;
    let is_similar = |name: &&&str| is_start && name.starts_with(unknown) || lacks_letter(name);
    let name = options.iter().find(is_similar)?;
    Some(format!("the option is --{name}"))
}

fn is_taken(arg: &Arg, taken: &[OptionNames]) -> bool {
    let name = arg.get_id().as_str();
    taken.iter().any(|group| group.contains(&name))
}

fn is_harmless(arg: &Arg) -> bool {
    HARMLESS.contains(&arg.get_id().as_str())
}

fn is_given(matches: &ArgMatches, arg: &Arg) -> bool {
    matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
}

/// Name of an argument on the command line.
fn name(arg: &Arg) -> String {
    match arg.get_long() {
        Some(long) => format!("--{long}"),
        None => format!("a {}", arg.get_id().as_str().trim_end_matches('s')),
    }
}
