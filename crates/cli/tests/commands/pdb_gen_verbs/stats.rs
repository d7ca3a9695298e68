//! `pdb-gen stats`: its numbers agree with the tables' histograms and with published numbers of
//! states per distance, and its plots show these numbers.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::pdb_gen_verbs::run::{
    Run, build_small_tables, command_at, finish, info, pdb_gen, run, start, states_of_3x3,
};
use crate::run::{files, folder, only_file};

fn stats(tables: &Path, arguments: &[&str]) -> Run {
    finish(start(command_at(tables, ["stats"]).args(arguments)))
}

#[test]
fn the_numbers_of_the_whole_3x3() {
    let folder = folder();
    pdb_gen(folder.path(), "--size 3x3 --partition 8").succeeds();
    let file = only_file(folder.path());
    let widths = states_of_3x3();
    let total: u64 = widths.iter().sum();
    let sum: u64 = widths.iter().zip(0..).map(|(n, value)| n * value).sum();
    let mean = sum as f64 / total as f64;
    // The mean distance is 21.97 moves, as in textbooks.
    assert!((mean - 21.97).abs() < 0.005);

    let text = run(["stats", file.to_str().unwrap()]).succeeds();
    assert!(text.starts_with(file.to_str().unwrap()), "{text}");
    assert!(
        text.contains("  3x3 zero-aware table of 8 tiles, 181440 entries reached\n"),
        "{text}"
    );
    let squares = widths.iter().zip(0..).map(|(n, value)| n * value * value);
    let variance = squares.sum::<u64>() as f64 / total as f64 - mean * mean;
    let deviation = variance.sqrt();
    let line =
        format!("  mean {mean:.4}, standard deviation {deviation:.4}, median 22, largest 31\n");
    assert!(text.contains(&line), "{line}: {text}");
    assert_eq!(text.lines().count(), 4 + widths.len());
    // The last three values have 760, 221 and 2 states.
    let last = text.lines().last().unwrap().split_whitespace();
    assert_eq!(
        last.collect::<Vec<_>>(),
        ["31", "2", "0.001%", "0.009", "0.051"]
    );

    let object = stats(folder.path(), &["--json"]).succeeds();
    let object: Value = serde_json::from_str(&object).unwrap();
    let close = |found: &Value, expected: f64| (found.as_f64().unwrap() - expected).abs() < 1e-9;
    assert!(close(&object["mean"], mean));
    assert_eq!(object["median"], 22);
    assert_eq!(object["growth"][0], Value::Null);
    assert!(close(&object["growth"][5], 20.0 / 16.0));
    assert_eq!(object["growth2"][1], Value::Null);
    assert!(close(&object["growth2"][5], (20.0_f64 / 8.0).sqrt()));
    // All fields of `info` are present too.
    for (field, value) in info(folder.path())[0].as_object().unwrap() {
        assert_eq!(&object[field], value, "{field}");
    }
}

#[test]
fn csv_has_a_line_for_every_value_of_every_table() {
    let folder = folder();
    // A name with a comma and quotes is one field.
    let tables = folder.path().join("a,\"b\"");
    build_small_tables(&tables);
    let mut expected = vec!["file,value,count,share,growth,growth2".to_owned()];
    for table in info(&tables) {
        let name = table["file"].as_str().unwrap().replace('"', "\"\"");
        let counts = table["histogram"].as_array().unwrap();
        let counts: Vec<f64> = counts.iter().map(|n| n.as_f64().unwrap()).collect();
        let total: f64 = counts.iter().sum();
        for (value, count) in counts.iter().enumerate() {
            let ratio = |back: usize| Some(count / counts[value.checked_sub(back)?]);
            let number = |n: Option<f64>| n.map_or(String::new(), |n| n.to_string());
            let (growth, growth2) = (number(ratio(1)), number(ratio(2).map(f64::sqrt)));
            let share = count / total;
            expected.push(format!(
                "\"{name}\",{value},{count},{share},{growth},{growth2}"
            ));
        }
    }
    let out = folder.path().join("out.csv");
    let said = stats(&tables, &["--format", "csv"]).succeeds();
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    // The extension of the file also selects the format.
    let told = stats(&tables, &["--out", out.to_str().unwrap()]).succeeds();
    assert!(told.ends_with("out.csv: 3 tables\n"), "{told}");
    assert_eq!(fs::read_to_string(&out).unwrap(), said);
}

/// The table with all tiles of the 3x3 contains the exact distances, whose mean is known. For
/// larger trays, a test of the crate `solver` estimates each state of a sample, and compares the
/// mean of these estimates with the mean of the sample.
#[test]
fn samples_contain_states() {
    let folder = folder();
    let tables = folder.path();
    let line = stats(tables, &["--size", "3x3", "--sample", "10"]).fails(3);
    assert!(
        line.contains("build them with pdb-gen --size 3x3 --partition 8 --tables "),
        "{line}"
    );
    pdb_gen(tables, "--size 3x3 --partition 8+5-3").succeeds();
    let sample = |more: &str| {
        let words = format!("stats --size 3x3 --sample 20k {more}");
        pdb_gen(tables, &words).succeeds()
    };
    let widths = states_of_3x3();
    let total: u64 = widths.iter().sum();
    let mean = widths
        .iter()
        .zip(0..)
        .map(|(n, value)| n * value)
        .sum::<u64>() as f64
        / total as f64;
    let object: Value = serde_json::from_str(&sample("--json")).unwrap();
    let number = |field: &str| object[field].as_f64().unwrap();
    let error = number("standard_error");
    assert!((number("mean") - mean).abs() < 3.0 * error, "{object}");
    assert!(
        (error - number("deviation") / 20_000_f64.sqrt()).abs() < 1e-9,
        "{object}"
    );
    assert_eq!(
        (&object["states"], &object["seed"]),
        (&json!(20_000), &json!(1))
    );
    assert_eq!(
        (&object["tables"], &object["views"]),
        (&json!("8"), &json!(1))
    );
    assert_eq!(
        (&object["tray"], &object["metric"]),
        (&json!("3x3"), &json!("single"))
    );
    let counts: Vec<u64> = serde_json::from_value(object["histogram"].clone()).unwrap();
    assert_eq!(counts.iter().sum::<u64>(), 20_000);
    assert_eq!(object["max"], counts.len() - 1);
    // The numbers are the same in every format, and every run draws the same states.
    let text = sample("");
    assert_eq!(sample(""), text);
    assert_ne!(sample("--seed 2"), text);
    let line = format!(
        "3x3 8: 20000 random states, seed 1\n  mean {:.4}, standard error {error:.4}, ",
        number("mean")
    );
    assert!(text.starts_with(&line), "{text}");
    let csv = sample("--format csv");
    for (value, count) in counts.iter().enumerate() {
        let share = *count as f64 / 20_000.0;
        let found = csv.lines().nth(value + 1).unwrap();
        assert!(
            found.starts_with(&format!("{value},{count},{share},")),
            "{found}"
        );
        let in_text = text.contains(&format!("    {value:>5} {count:>14} "));
        assert_eq!(in_text, counts[..=value].iter().any(|&n| n > 0), "{text}");
    }
    // A partition's value never exceeds the distance. Adding views never decreases the maximum.
    let mean_of = |partition: &str| {
        let object = sample(&format!("--json --partition {partition}"));
        serde_json::from_str::<Value>(&object).unwrap()["mean"]
            .as_f64()
            .unwrap()
    };
    assert!(mean_of("manhattan") < mean_of("5-3") && mean_of("5-3") < number("mean"));
    assert_eq!(mean_of("5-3+8"), number("mean"));
    let plot = tables.join("plot.svg");
    let said = sample(&format!("--out {}", plot.display()));
    assert!(said.ends_with("plot.svg: 20000 states\n"), "{said}");
    let plot = fs::read_to_string(plot).unwrap();
    let document = roxmltree::Document::parse(&plot).unwrap();
    let words: String = document.descendants().filter_map(|n| n.text()).collect();
    for word in [
        "3x3 8: values of random states",
        "20,000 random states, mean 2",
        "states by",
    ] {
        assert!(words.contains(word), "{word}: {words}");
    }
}

#[test]
fn impossible_samples_are_rejected() {
    let folder = folder();
    for (words, names) in [
        ("--sample 0", "from 1 to"),
        ("--sample 1e12", "from 1 to"),
        ("--sample -5", "found `-5`"),
        ("--sample some", "such as 1000, 10k"),
        ("--sample 10 x.pdb", "cannot be used with"),
        ("--seed 5", "--sample"),
    ] {
        let run = pdb_gen(folder.path(), &format!("stats {words}"));
        assert!(run.err.contains(names), "{}", run.err);
        run.fails_as_usage();
    }
    for (words, names) in [
        ("--tiles 1,2", "--tiles does not apply to --sample"),
        ("--encoding u8", "--encoding does not apply to --sample"),
        ("--partition 6-6-4", "16 tiles"),
        ("--json --format csv", "two formats"),
    ] {
        let line = pdb_gen(folder.path(), &format!("stats --sample 10 {words}")).fails(2);
        assert!(line.contains(names), "{line}");
    }
}

/// `-` means standard output, not a file with this name.
#[test]
fn a_dash_is_standard_output() {
    let folder = folder();
    pdb_gen(&folder.path().join("tables"), "--size 3x3 --partition 5-3").succeeds();
    let output = |words: &str| {
        let words = format!("stats --tables tables {words}");
        let mut command = crate::pdb_gen_verbs::run::command();
        let command = command.args(words.split_whitespace());
        let run = command.current_dir(folder.path()).output().unwrap();
        assert_eq!((run.status.code(), run.stderr.len()), (Some(0), 0));
        run.stdout
    };
    for format in ["text", "csv"] {
        let plain = output(&format!("--format {format}"));
        assert!(output(&format!("--format {format} --out -")) == plain);
    }
    output("--out plot.svg");
    let plot = fs::read(folder.path().join("plot.svg")).unwrap();
    assert!(output("--format svg --out -") == plot);
    assert!(!folder.path().join("-").exists());
}

#[test]
fn bars_of_a_plot_have_the_height_of_counts() {
    let folder = folder();
    pdb_gen(folder.path(), "--size 3x3 --partition 8").succeeds();
    let out = folder.path().join("plot.svg");
    stats(folder.path(), &["--out", out.to_str().unwrap()]).succeeds();
    let text = fs::read_to_string(&out).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let words: String = document.descendants().filter_map(|n| n.text()).collect();
    for word in [
        "3x3 zero-aware table",
        "8 tiles, 181,440 entries, mean 21.97, largest 31",
        "value, in moves",
        "entries by value, in percent; dashed: the mean",
    ] {
        assert!(words.contains(word), "{word}: {words}");
    }
    let widths = states_of_3x3();
    let shapes = document.descendants();
    let coloured = shapes.filter(|node| node.attribute("class") == Some("fill series-0"));
    // The pattern's eight tiles and the marker have no tooltip.
    let (bars, others): (Vec<_>, Vec<_>) = coloured.partition(roxmltree::Node::has_children);
    assert_eq!(others.iter().filter(|n| n.has_tag_name("path")).count(), 8);
    assert_eq!(bars.len(), widths.len());
    // Left, top, right and bottom of a bar.
    let corners = |bar: &roxmltree::Node<'_, '_>| -> Vec<f64> {
        let path = bar.attribute("d").unwrap().replace(['M', 'L', 'Z'], " ");
        let numbers = path.split_whitespace().map(|word| word.parse().unwrap());
        let numbers: Vec<f64> = numbers.collect();
        [0, 1, 4, 5].map(|place| numbers[place]).to_vec()
    };
    let bars: Vec<_> = bars.iter().map(corners).collect();
    let most = *widths.iter().max().unwrap() as f64;
    let highest = bars.iter().map(|bar| bar[3] - bar[1]).fold(0.0, f64::max);
    assert!(highest > 150.0);
    for (bar, &count) in bars.iter().zip(&widths) {
        let expected = count as f64 / most * highest;
        assert!(
            (bar[3] - bar[1] - expected).abs() <= 1.0,
            "{count}: {bar:?}"
        );
    }
    assert!(bars.windows(2).all(|pair| pair[0][2] < pair[1][0]));
}

#[test]
fn plots_are_deterministic() {
    let folder = folder();
    let tables = folder.path().join("tables");
    for words in [
        "--size 2x2",
        "--size 5x3 --tiles 1,2,6 --kind blank-compressed",
        "--size 2x5 --tiles 1",
    ] {
        pdb_gen(&tables, words).succeeds();
    }
    build_small_tables(&tables);
    let all = files(&tables);
    let one = all.first().unwrap().to_str().unwrap();
    for (files, count) in [(&[][..], 6), (&[one], 1)] {
        let [first, again] = ["first.svg", "again.svg"].map(|name| {
            let out = folder.path().join(name);
            let place = ["--out", out.to_str().unwrap(), "--threads", "1"];
            stats(&tables, &[files, &place].concat()).succeeds();
            fs::read_to_string(out).unwrap()
        });
        assert_eq!(first, again);
        let document = roxmltree::Document::parse(&first).unwrap();
        let texts = document
            .descendants()
            .filter(|node| node.has_tag_name("text"));
        let legends = texts.filter(|node| node.text().unwrap().contains(" entries, mean "));
        assert_eq!(legends.count(), count);
    }
    // --format overrides the extension.
    let out = folder.path().join("plot.png");
    let place = ["--format", "svg", "--out", out.to_str().unwrap(), "--json"];
    let object = stats(&tables, &place).succeeds();
    let text = fs::read_to_string(&out).unwrap();
    roxmltree::Document::parse(&text).unwrap();
    let object: Value = serde_json::from_str(&object).unwrap();
    assert_eq!(
        object,
        json!({ "file": out, "tables": 6, "bytes": text.len() })
    );
}

#[test]
fn bad_files_are_named_and_others_reported() {
    let folder = folder();
    pdb_gen(folder.path(), "--size 3x3 --partition 5-3").succeeds();
    let bad = folder.path().join("bad.pdb");
    fs::write(&bad, "not a table at all").unwrap();
    let told = stats(folder.path(), &["--format", "csv"]);
    assert_eq!(told.code, Some(3));
    assert_eq!(told.err.lines().count(), 1, "{}", told.err);
    assert!(told.err.contains("bad.pdb"), "{}", told.err);
    for file in files(folder.path()).iter().filter(|file| **file != bad) {
        assert!(told.out.contains(file.to_str().unwrap()), "{}", told.out);
    }
    // Without results nothing is written.
    let out = folder.path().join("out.svg");
    let line = run([
        "stats",
        bad.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ])
    .fails(3);
    assert!(line.contains("bad.pdb"), "{line}");
    assert!(!out.exists());
}

#[test]
fn impossible_statistics_are_rejected_in_one_line() {
    let folder = folder();
    let tables = folder.path().join("tables");
    stats(&tables, &[]).fails(3);
    for tiles in ["1", "2", "5", "6", "1,2", "1,5", "2,6", "1,6", "2,5"] {
        pdb_gen(&tables, &format!("--size 4x3 --tiles {tiles}")).succeeds();
    }
    let all = files(&tables).len().to_string();
    let [svg, png] = ["out.svg", "out.png"].map(|name| folder.path().join(name));
    let line = stats(&tables, &["--out", svg.to_str().unwrap()]).fails(2);
    assert!(line.contains(&format!("{all} tables")), "{line}");
    let line = stats(&tables, &["--format", "svg"]).fails(2);
    assert!(line.contains("--out"), "{line}");
    let line = stats(&tables, &["--out", png.to_str().unwrap()]).fails(2);
    assert!(line.contains("add --format text, csv or svg"), "{line}");
    let line = stats(&tables, &["--format", "csv", "--json"]).fails(2);
    assert!(line.contains("--json"), "{line}");
    stats(&tables, &["--format", "png"]).fails_as_usage();
    let below = tables.join("missing/out.csv");
    let line = stats(&tables, &["--out", below.to_str().unwrap()]).fails(3);
    assert!(line.contains("missing/out.csv"), "{line}");
    assert_eq!(files(folder.path()), [tables]);
}
