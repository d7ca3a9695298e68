//! Which of the options that all verbs share a verb takes: the others are not in its help, and
//! refused where they would change nothing.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};

use crate::failure::Failure;

/// The shared options that each verb takes, by their names without dashes.
pub type VerbOptions = [(&'static str, &'static [&'static str])];

/// Options that do no harm where they mean nothing: wrappers and aliases give them to every verb.
const HARMLESS: [&str; 4] = ["json", "quiet", "tables", "threads"];

/// A command's definition, for parsing, completions and man pages.
#[must_use]
pub fn definition<A: CommandFactory>(verbs: &VerbOptions) -> Command {
    let mut command = A::command();
    let shared: Vec<Arg> = shared_options(&command).cloned().collect();
    for (verb, taken) in verbs {
        let others = shared.iter().filter(|arg| !is_taken(arg, taken));
        let hidden: Vec<Arg> = others.map(|arg| arg.clone().hide(true)).collect();
        command = command.mut_subcommand(verb, |verb| verb.args(hidden));
    }
    command
}

/// Parses the process's arguments. Ends the process after `--help`, `--version` and bad usage.
///
/// # Errors
/// An option that the verb does not take.
pub fn parse<A: CommandFactory + FromArgMatches>(verbs: &VerbOptions) -> Result<A, Failure> {
    let command = definition::<A>(verbs);
    let matches = command.clone().get_matches();
    if let Some((verb, given)) = matches.subcommand() {
        let taken = verbs.iter().find(|(name, _)| *name == verb);
        let taken = taken.map_or(&[][..], |(_, taken)| taken);
        let is_shared = |arg: &Arg| arg.is_global_set();
        let misplaced = command.get_arguments().find(|&arg| match is_shared(arg) {
            true => is_given(given, arg) && !is_taken(arg, taken) && !is_harmless(arg),
            false => is_given(&matches, arg),
        });
        if let Some(arg) = misplaced {
            let message = format!(
                "{} means nothing to {verb}: leave it out, or see {} {verb} --help",
                name(arg),
                command.get_name()
            );
            return Err(Failure::input(message));
        }
    }
    A::from_arg_matches(&matches).map_err(|error| error.exit())
}

fn shared_options(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| arg.is_global_set())
}

fn is_taken(arg: &Arg, taken: &[&str]) -> bool {
    taken.contains(&arg.get_id().as_str())
}

fn is_harmless(arg: &Arg) -> bool {
    HARMLESS.contains(&arg.get_id().as_str())
}

fn is_given(matches: &ArgMatches, arg: &Arg) -> bool {
    matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
}

/// How an argument is called on the command line.
fn name(arg: &Arg) -> String {
    match arg.get_long() {
        Some(long) => format!("--{long}"),
        None => format!("a {}", arg.get_id().as_str().trim_end_matches('s')),
    }
}
