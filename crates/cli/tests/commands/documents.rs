//! Documents: the commands of README.md and of the guides work, their output is the program's, help and
//! documents name the same options, and readers written from the documents agree.
#![cfg(unix)]
#![allow(clippy::print_stderr)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::folder;
use crate::run::{clean, finish, start};
use crate::structure::{exact_rows, root, text};

/// Lines with one of these words are not run here, because they are slow, need gigabytes or install
/// something. Other tests run them.
const SKIPPED: [&str; 8] = [
    "cargo",
    "7-8",
    "best",
    "5x5",
    "tune",
    "completions",
    "man1",
    "--resume",
];

/// Parts of the README's command lines, with replacements that show the same behaviour in less
/// time.
const SMALLER: [(&str, &str); 4] = [
    (
        "--metric multi \"5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13\"",
        "--metric multi \"8 6 7/2 5 4/3 0 1\"",
    ),
    ("--length 66", "--length 56"),
    ("--number 1000 ", "--number 50 "),
    ("--max-time 2s", "--max-time 300ms"),
];

/// The commands in the `sh` blocks of README.md and of the guides. A command on several lines is
/// joined into one line.
fn commands() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = ["docs/solver.md", "README.md", "docs/pdb-gen.md"];
    let pages = pages.map(|page| fs::read_to_string(root.join(page)).unwrap());
    let text = pages.concat();
    let blocks = text.split("```sh\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap());
    let lines: String = blocks.map(|block| block.replace("\\\n", " ")).collect();
    let lines = lines.lines().map(str::trim);
    let commands = lines.filter(|line| line.starts_with("solver ") || line.starts_with("pdb-gen "));
    commands.map(ToOwned::to_owned).collect()
}

/// Runs the lines one after another in one directory.
fn run_lines(commands: &[String]) {
    let folder = folder();
    let path = std::env::var("PATH").unwrap_or_default();
    let binaries = Path::new(env!("CARGO_BIN_EXE_solver")).parent().unwrap();
    assert!(commands.len() > 30, "{commands:?}");
    let run = commands
        .iter()
        .filter(|line| !SKIPPED.iter().any(|word| line.contains(word)));
    let mut count = 0;
    for line in run {
        let mut shell = Command::new("sh");
        clean(&mut shell);
        shell.args(["-c", line]).current_dir(folder.path());
        shell.env("PATH", format!("{}:{path}", binaries.display()));
        shell.env("PDB_TABLES", folder.path().join("tables"));
        let run = finish("sh", start(&mut shell));
        assert_eq!(run.code, Some(0), "{line}: {}{}", run.out, run.err);
        assert!(!run.out.is_empty() || line.contains('>'), "{line}");
        count += 1;
    }
    assert!(count >= 25, "{count} lines");
}

#[test]
fn commands_of_the_guides_work_in_order() {
    let mut commands = commands();
    for (number, smaller) in SMALLER {
        let mut lines = commands.iter_mut().filter(|line| line.contains(number));
        let line = lines.next();
        let line = line.unwrap_or_else(|| panic!("no page has a line with {number}"));
        *line = line.replace(number, smaller);
        assert!(lines.next().is_none(), "several lines have {number}");
    }
    run_lines(&commands);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn commands_of_the_guides_work_with_their_own_numbers() {
    run_lines(&commands());
}

/// Runs a command line of `solver`, in which only double quotes are special, and returns its output.
fn run(command: &str, tables: &Path) -> String {
    let parts = command.split('"').enumerate();
    let mut words = parts.flat_map(|(index, part)| match index % 2 {
        1 => vec![part],
        _ => part.split_whitespace().collect(),
    });
    assert_eq!(words.next(), Some("solver"), "{command}");
    let mut solver = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut solver);
    let solver = solver.args(words).env("PDB_TABLES", tables);
    finish("solver", start(solver.current_dir(root()))).solves()
}

#[test]
fn quick_lines_of_the_results_equal_the_program() {
    let tables = tempfile::tempdir().unwrap();
    let mut quick = [exact_rows("korf100"), exact_rows("single")].concat();
    quick.retain(|row| row["preset"] == "6-6-3" || row["preset"] == "small");
    assert_eq!(quick.len(), 3, "{quick:?}");
    for row in quick {
        let command = row["command"].as_str().unwrap();
        // The first run builds the tables. The figures are those of runs that open their files.
        run(command, tables.path());
        let output = run(command, tables.path());
        for name in ["nodes", "expanded"] {
            // In JSON the count follows the name; in CSV the total is the last column.
            let json = output.split(&format!("\"{name}\":")).nth(1);
            let csv = output.lines().find(|line| line.starts_with(name));
            let found = match json {
                Some(rest) => rest.split([',', '}']).next(),
                None => csv.unwrap().rsplit(',').next(),
            };
            assert_eq!(found, Some(&*row[name].to_string()), "{command}: {name}");
        }
    }
}

/// Fields that do not depend on the machine.
#[test]
fn the_anytime_series_in_json_md_equals_the_program() {
    let document = text("docs/json.md");
    let mut examples = document.split("    $ ");
    let example = examples.find(|own| own.starts_with("solver --json --mode any"));
    let (command, example) = example.unwrap().split_once('\n').unwrap();
    let (example, _) = example.split_once("\n\n").unwrap();
    // The document breaks lines inside an object.
    let fields = |objects: &str| -> Vec<[String; 5]> {
        let field = |object: &str, name: &str| {
            let (_, rest) = object.split_once(&format!("\"{name}\":")).unwrap();
            rest.split(',').next().unwrap().to_owned()
        };
        let names = ["status", "length", "proved", "method", "bound"];
        let objects = objects.split("{\"board\":").skip(1);
        objects
            .map(|object| names.map(|name| field(object, name)))
            .collect()
    };
    let tables = tempfile::tempdir().unwrap();
    assert_eq!(fields(example), fields(&run(command, tables.path())));
}

/// Runs `line` followed by `more` in a shell, and returns the standard output.
fn printed(line: &str, more: &str) -> String {
    let mut shell = Command::new("sh");
    clean(&mut shell);
    let binaries = Path::new(env!("CARGO_BIN_EXE_solver")).parent().unwrap();
    shell.args(["-c", &format!("{line} {more} </dev/null")]);
    let path = std::env::var("PATH").unwrap_or_default();
    shell.env("PATH", format!("{}:{path}", binaries.display()));
    let run = finish("sh", start(&mut shell));
    assert_eq!(run.code, Some(0), "{line}: {}", run.err);
    run.out
}

/// The help of both commands and of all their verbs.
fn helps() -> Vec<(String, String)> {
    let mut helps = Vec::new();
    for command in ["solver", "pdb-gen"] {
        let help = printed(command, "--help");
        let (_, verbs) = help.split_once("Commands:\n").unwrap();
        let verbs = verbs.split("\n\n").next().unwrap();
        // Lines that continue a description are indented further.
        let lines = verbs.lines().filter_map(|line| line.strip_prefix("  "));
        let names = lines.filter_map(|line| line.split(' ').next());
        for verb in names.filter(|verb| !["", "help"].contains(verb)) {
            let verb = format!("{command} {verb}");
            helps.push((verb.clone(), printed(&verb, "--help")));
        }
        helps.push((command.to_owned(), help));
    }
    assert_eq!(
        helps.len(),
        12 + 12 + 2,
        "verbs of both commands, and the commands"
    );
    helps
}

#[test]
fn examples_are_understood() {
    for (verb, help) in helps() {
        let Some((_, examples)) = help.split_once("Examples:\n") else {
            let last = verb.split(' ').next_back().unwrap();
            assert!(["completions", "man", "help"].contains(&last), "{verb}");
            continue;
        };
        for example in examples.lines() {
            assert!(example.trim_start().starts_with(&verb), "{verb}: {example}");
            // The program parses the words before --help, and rejects wrong ones.
            let line = example.split(" < ").next().unwrap();
            assert!(printed(line, "--help").contains("Usage: "), "{example}");
        }
    }
}

#[test]
fn documents_name_every_option() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = fs::read_dir(root.join("docs")).unwrap();
    let pages = pages.map(|page| page.unwrap().path());
    let is_text = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    let pages = pages.filter(|path| is_text(path) && !path.ends_with("changelog.md"));
    let text: String = pages
        .chain([root.join("README.md")])
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let named: BTreeSet<&str> = text.split(|letter| !is_part(letter)).collect();
    let mut missing = BTreeSet::new();
    for (_, help) in helps() {
        let words = help.split(|letter: char| !letter.is_ascii_lowercase() && letter != '-');
        let options = words.filter(|word| word.len() > 2 && word.starts_with("--"));
        missing.extend(
            options
                .filter(|option| !named.contains(option))
                .map(ToOwned::to_owned),
        );
    }
    missing.remove("--version");
    assert!(missing.is_empty(), "{missing:?}");
}

/// Runs all tests of a file, or only the named tests.
fn passes(script: &str, names: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = Command::new("python3")
        .arg(script)
        .args(names)
        .env("PDB_GEN", env!("CARGO_BIN_EXE_pdb-gen"))
        .current_dir(root)
        .output();
    let Ok(output) = run else {
        assert!(std::env::var_os("CI").is_none(), "python3 is needed here");
        eprintln!("skipped: python3 is not on this machine");
        return;
    };
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}");
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn the_reader_written_from_the_documentation_agrees() {
    passes("scripts/readers/test_read_table.py", &[]);
}

/// Runs the quick tests of the reader. The long set runs all tests of the reader.
#[test]
fn the_reader_written_from_the_documentation_agrees_on_small_tables() {
    let names = [
        "AgainstSearch.test_small_tables",
        "Damage",
        "Command",
        "Documents",
    ];
    let slow = ["Numbers", "Exports"];
    let script = include_str!("../../../../scripts/readers/test_read_table.py");
    let classes = script.lines().filter_map(|line| {
        let class = line.strip_prefix("class ")?;
        class.strip_suffix("(unittest.TestCase):")
    });
    let classes: Vec<&str> = classes.collect();
    let named = names.map(|name| name.split('.').next().unwrap());
    let is_listed = |class: &&str| named.contains(class) || slow.contains(class);
    assert!(
        classes.iter().all(is_listed),
        "a class of tests is in no list"
    );
    passes("scripts/readers/test_read_table.py", &names);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn the_unpacker_written_from_the_documentation_agrees() {
    passes("scripts/readers/test_unpack_table.py", &[]);
}
