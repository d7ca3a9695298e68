//! Shell completions and manual pages, generated from a command's definition.

use std::fs;
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use pdb_table::AtomicFile;

use crate::output::{Failure, print_line};

/// The verbs that print completions and write manual pages.
#[derive(clap::Subcommand, Debug)]
pub enum ShellVerb {
    /// Print a script that completes command lines in a shell
    Completions(Completions),
    /// Write manual pages: one for this command, and one for each verb
    Man(ManPages),
}

impl ShellVerb {
    /// Runs the verb for a command.
    ///
    /// # Errors
    /// A manual page cannot be written.
    pub fn run(&self, definition: Command) -> Result<(), Failure> {
        match self {
            ShellVerb::Completions(completions) => completions.print(definition),
            ShellVerb::Man(pages) => pages.write(definition)?,
        }
        Ok(())
    }
}

/// The arguments of `completions`.
#[derive(clap::Args, Debug)]
pub struct Completions {
    /// Shell: bash, zsh, fish, powershell or elvish
    #[arg(hide_possible_values = true)]
    shell: Shell,
}

impl Completions {
    /// Prints the completions of a command.
    fn print(&self, mut command: Command) {
        let name = command.get_name().to_owned();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        print_line(String::from_utf8_lossy(&script).trim_end());
    }
}

/// The arguments of `man`.
#[derive(clap::Args, Debug)]
pub struct ManPages {
    /// Directory for the pages, such as ~/.local/share/man/man1; a missing directory is created
    directory: PathBuf,
}

impl ManPages {
    /// Writes a page for a command and one for each of its verbs.
    fn write(&self, mut command: Command) -> Result<(), Failure> {
        let refuse = |error| Failure::table(format!("{}: {error}", self.directory.display()));
        fs::create_dir_all(&self.directory).map_err(refuse)?;
        // `help` is a verb that clap adds; it needs no page.
        command = command.disable_help_subcommand(true);
        command.build();
        let verbs = command.get_subcommands().cloned().collect::<Vec<_>>();
        for command in std::iter::once(command).chain(verbs) {
            let page = Man::new(command);
            let mut text = Vec::new();
            page.render(&mut text).map_err(refuse)?;
            let path = self.directory.join(page.get_filename());
            AtomicFile::write(&path, &[&text]).map_err(Failure::table)?;
            print_line(format_args!("wrote {}", path.display()));
        }
        Ok(())
    }
}
