//! Command line that builds missing tables, for use in messages.

use std::fmt;

use puzzle::{Goal, HeuristicSpec, Metric, TableKind};

use crate::arguments::SharedArgs;

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
        let mut command = BuildCommand::from_words(words.map(ToString::to_string));
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
    pub fn from_words(words: impl IntoIterator<Item = String>) -> Self {
        BuildCommand(words.into_iter().collect())
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

impl SharedArgs {
    /// The `pdb-gen` command that builds the tables of a goal in the directory of `--tables` or,
    /// without this option, in the default directory.
    #[must_use]
    pub fn build_command(&self, goal: &Goal) -> BuildCommand {
        let mut command = BuildCommand::new(&[], self, goal, None);
        if let Some(tables) = &self.tables {
            command.add("--tables", tables.display());
        }
        command
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
