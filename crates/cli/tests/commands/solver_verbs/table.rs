//! Tables: slow builds need `--build`, tables in every file format are used, and damaged tables are
//! rejected.

use std::{fs, thread};

use pdb_table::{Control, Table};

use super::board::{FAR, FARTHEST_3X3, KORF_1};
use super::run::{batch, files, folder, lengths, solver, string};
use crate::file::sums;
use crate::pdb_gen_verbs::run::pdb_gen;

#[test]
fn missing_slow_tables_name_the_remedy() {
    let folder = folder();
    let tables = folder.path().join("none");
    let words = ["--threads", "1", "--partition", "7-8"];
    let remedy = "tables of 7-8 are missing and take about";
    let other_goal = ["--goal", "blank-first", "--kind", "blank-compressed"];
    for (further, board) in [(&[][..], FAR), (&other_goal, KORF_1)] {
        let run = solver(&tables, words.iter().chain(further).chain(&[board]));
        let line = run.fails(3);
        assert!(
            line.contains(remedy) && line.contains("give --build"),
            "{line}"
        );
        assert!(!tables.exists());
    }
    // With `--json` the object has the same message.
    let run = solver(&tables, ["--json"].iter().chain(&words).chain(&[FAR]));
    let object = run.object(3);
    assert_eq!(object["status"], "error");
    assert!(
        string(&object, "message").contains("give --build"),
        "{object}"
    );
}

/// More threads than cores are not faster, so the forecast ignores the additional threads.
#[test]
fn build_forecasts_use_the_existing_cores() {
    if thread::available_parallelism().unwrap().get() >= 8 {
        return;
    }
    let folder = folder();
    let tables = folder.path().join("none");
    // The program names the remedy; it would build tables that take less time.
    solver(&tables, ["--threads", "64", "--partition", "7-8", FAR]).fails(3);
    assert!(!tables.exists());
}

#[test]
fn tables_of_every_form_are_used() {
    let folder = folder();
    let plain = folder.path().join("plain");
    solver(&plain, ["--partition", "8", FARTHEST_3X3[0]]).solves();
    let name = files(&plain)[0]
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let table = Table::new(fs::read(plain.join(&name)).unwrap()).unwrap();
    // The same table with one byte per entry.
    let built = pdb_gen::build(table.id(), pdb_table::Encoding::U8, &Control::default()).unwrap();
    let bytes = folder.path().join("bytes");
    fs::create_dir(&bytes).unwrap();
    let stem = name.strip_suffix(".pdb").unwrap();
    fs::write(
        bytes.join(format!("{stem}.u8.pdb")),
        built.into_table().bytes(),
    )
    .unwrap();
    // The same table in a zstd frame.
    let built =
        pdb_gen::build(table.id(), pdb_table::Encoding::OneBit, &Control::default()).unwrap();
    let frame = folder.path().join("frame");
    fs::create_dir(&frame).unwrap();
    let path = frame.join(format!("{stem}.pdb.zst"));
    built.write(&path, pdb_table::Compression::Zstd(3)).unwrap();
    for tables in [plain, bytes, frame] {
        let run = solver(&tables, ["--json", "--partition", "8", FARTHEST_3X3[0]]);
        // The table is found, not built.
        assert_eq!(run.err, "");
        assert_eq!(run.object(0)["length"], 31);
        assert_eq!(files(&tables).len(), 1);
    }
}

#[test]
fn damaged_and_swapped_tables_are_rejected_by_name() {
    let folder = folder();
    let arguments = ["--partition", "5-3", FARTHEST_3X3[0]];
    solver(folder.path(), arguments).solves();
    let [first, second, ..] = &files(folder.path())[..] else {
        panic!("two tables were expected");
    };
    let (sound, other) = (fs::read(first).unwrap(), fs::read(second).unwrap());
    let flipped = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        bytes
    };
    let mut variants = vec![
        sound[..sound.len() - 1].to_vec(),
        sound[..4096].to_vec(),
        sound[..100].to_vec(),
        [&sound[..], b"x"].concat(),
        Vec::new(),
        b"no table\n".to_vec(),
        other,
    ];
    variants.extend(
        [
            0,
            8,
            17,
            40,
            56,
            64,
            2112,
            3000,
            4095,
            4096,
            sound.len() - 1,
        ]
        .map(flipped),
    );
    for (index, bytes) in variants.into_iter().enumerate() {
        fs::write(first, &bytes).unwrap();
        let line = solver(folder.path(), arguments).fails(3);
        assert!(line.contains(first.to_str().unwrap()), "{index}: {line}");
        assert!(line.contains("pdb-gen"), "{index}: {line}");
        // The solver does not change a damaged file.
        assert!(fs::read(first).unwrap() == bytes, "{index}");
    }
    let object = solver(folder.path(), ["--json"].iter().chain(&arguments)).object(3);
    assert_eq!(object["status"], "error");
}

const LIST: &str = "8 6 7/2 5 4/3 0 1\n1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/8 7 0\n";

#[test]
fn summaries_follow_or_replace_the_answers() {
    let folder = folder();
    let run = batch(folder.path(), "--summary text", LIST);
    assert_eq!(run.code, Some(1));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[1], "1 L");
    assert!(lines[2].contains("swapping tiles"));
    let head = "3 boards: 2 solved, 1 unsolvable, 0 over a limit, 0 with errors";
    assert_eq!(lines[3], head);
    let row: Vec<&str> = lines[5].split_whitespace().collect();
    assert_eq!(row, ["length", "16.00", "1", "31", "31"]);

    let quiet = batch(folder.path(), "--summary text --quiet", LIST);
    assert_eq!(quiet.out.lines().next(), Some(head));

    let markdown = batch(folder.path(), "--summary markdown --quiet", LIST).out;
    assert!(
        markdown.contains("| length | 16.00 | 1 | 31 | 31 |"),
        "{markdown}"
    );
    let csv = batch(folder.path(), "--summary csv --quiet", LIST).out;
    assert!(csv.contains("\nlength,2,16,1,31,31,32\n"), "{csv}");
}

/// Standard output contains only objects, and the summary agrees with them.
#[test]
fn with_json_the_summary_is_on_standard_error() {
    let folder = folder();
    let run = batch(folder.path(), "--json --summary csv --threads 1", LIST);
    let objects = run.objects(1);
    assert_eq!(lengths(&[objects[0].clone(), objects[1].clone()]), [31, 1]);
    let nodes = objects.iter().filter_map(|object| object["nodes"].as_u64());
    let total: u64 = nodes.sum();
    let row = run
        .err
        .lines()
        .find(|line| line.starts_with("nodes,"))
        .unwrap();
    assert!(row.ends_with(&format!(",{total}")), "{row}");
}

#[test]
fn errors_are_still_shown() {
    let folder = folder();
    let run = batch(
        folder.path(),
        "--summary text --quiet",
        "1 2 3/4 5 6/7 8 8\n",
    );
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("line 1: "), "{}", run.err);
    assert!(run.out.starts_with("1 board"), "{}", run.out);
}

/// `pdb-gen` and `solver` have the same default set of tables.
#[test]
fn tables_of_pdb_gen_are_all_that_a_board_needs() {
    let folder = folder();
    let partition = ["--partition", "6-6-3"];
    pdb_gen(folder.path(), "--partition 6-6-3").succeeds();
    let before = sums(folder.path());
    assert_eq!(before.len(), 7);
    let run = solver(folder.path(), partition.iter().chain(&[FAR]));
    assert!(
        !run.err.contains("building") && !run.err.contains("wrote"),
        "{}",
        run.err
    );
    run.solves();
    assert_eq!(sums(folder.path()), before);
}
