//! The command line that builds tables, as a command tells it to the user.

use std::fmt;

use puzzle::{Goal, HeuristicSpec, Metric, TableKind};

use crate::arguments::SharedArgs;

/// A command line of `pdb-gen`. `Display` writes it for a shell: values are quoted where needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildCommand {
    verb: Option<&'static str>,
    options: Vec<(&'static str, Option<String>)>,
}

impl BuildCommand {
    /// The command that builds the tables of a goal in the default directory: those of the
    /// partition asked for, or with `tiles` (a list of numbers) that of one pattern. Options at
    /// their defaults are left out.
    #[must_use]
    pub fn new(shared: &SharedArgs, goal: &Goal, tiles: Option<String>) -> Self {
        let mut command = BuildCommand {
            verb: None,
            options: Vec::new(),
        };
        let tray = goal.tray();
        if tray.to_string() != "4x4" {
            command = command.option("--size", tray);
        }
        if shared.goal != "blank-last" {
            command = command.option("--goal", &shared.goal);
        }
        let metric = shared.metric();
        if metric != Metric::Single {
            command = command.option("--metric", metric.name());
        }
        command = match (tiles, &shared.partition) {
            (Some(tiles), _) => command.option("--tiles", tiles),
            (None, Some(name)) => command.option("--partition", name),
            (None, None) => {
                command.option("--partition", HeuristicSpec::default_name(metric, tray))
            }
        };
        if metric == Metric::Single && shared.kind != TableKind::ZeroAware {
            command = command.option("--kind", shared.kind.name());
        }
        command
    }

    /// The command with a subcommand.
    #[must_use]
    pub fn verb(self, verb: &'static str) -> Self {
        let verb = Some(verb);
        BuildCommand { verb, ..self }
    }

    /// The command with one more option, such as `--encoding`, and its value.
    #[must_use]
    pub fn option(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.options.push((name, Some(value.to_string())));
        self
    }

    /// The command with one more option that has no value.
    #[must_use]
    pub fn flag(mut self, name: &'static str) -> Self {
        self.options.push((name, None));
        self
    }
}

impl fmt::Display for BuildCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pdb-gen")?;
        if let Some(verb) = self.verb {
            write!(f, " {verb}")?;
        }
        for (name, value) in &self.options {
            write!(f, " {name}")?;
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,+".contains(c);
            match value {
                None => {}
                Some(value) if !value.is_empty() && value.chars().all(is_plain) => {
                    write!(f, " {value}")?;
                }
                Some(value) => write!(f, " '{}'", value.replace('\'', r"'\''"))?,
            }
        }
        Ok(())
    }
}
