//! The table of options in docs/http.md matches the program.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::path::Path;

use server::Config;

#[test]
fn docs_list_all_options() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/http.md");
    let document = std::fs::read_to_string(&path).unwrap();
    let (_, after) = document.split_once("<!-- options -->\n\n").unwrap();
    let (found, _) = after.split_once("\n<!-- end -->").unwrap();
    let expected = table();
    assert!(
        found == expected,
        "the table of options in {} should be:\n\n{expected}",
        path.display()
    );
}

fn table() -> String {
    let mut table = String::from("| option | environment | default | meaning |\n");
    table.push_str("| --- | --- | --- | --- |\n");
    for option in Config::options().get_arguments() {
        let Some(long) = option.get_long() else {
            continue;
        };
        let names = option.get_value_names().unwrap_or_default();
        let takes_value = option.get_action().takes_values();
        // Names that only repeat the option are omitted.
        let value = names
            .iter()
            .find(|name| takes_value && **name != long.to_uppercase().replace('-', "_"));
        let value = value.map_or_else(String::new, |name| format!(" {name}"));
        let help = option.get_help().unwrap().to_string();
        let (help, said) = match help.split_once(" [default: ") {
            Some((help, said)) => (help.to_owned(), said.trim_end_matches(']').to_owned()),
            None => (help, String::new()),
        };
        let default: Vec<_> = option
            .get_default_values()
            .iter()
            .map(|value| value.to_string_lossy())
            .collect();
        let default = match (takes_value, default.is_empty()) {
            (false, _) => String::new(),
            (true, true) => said,
            (true, false) => format!("`{}`", default.join(" ")),
        };
        let environment = option
            .get_env()
            .map_or_else(String::new, |name| format!("`{}`", name.to_string_lossy()));
        writeln!(
            table,
            "| `--{long}{value}` | {environment} | {default} | {help} |"
        )
        .unwrap();
    }
    table
}
