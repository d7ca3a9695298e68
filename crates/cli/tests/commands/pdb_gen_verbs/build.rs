//! Built tables, and the output of `info`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::file::{files, folder, only_file, sums};
use crate::pdb_gen_verbs::run::{
    FORMS, Run, command_at, finish, info, pdb_gen, start, states_of_3x3, verify,
};

#[test]
fn builds_into_a_missing_directory_and_keeps_existing_tables() {
    let folder = folder();
    let tables = folder.path().join("a/b c/d");
    let first = pdb_gen(&tables, "--partition 6-6-3").succeeds();
    let files = files(&tables);
    assert_eq!(files.len(), 7);
    assert_eq!(first.lines().count(), 7);
    for (path, line) in files.iter().zip({
        let mut lines: Vec<&str> = first.lines().collect();
        lines.sort_unstable();
        lines
    }) {
        assert!(line.starts_with("wrote"), "{line}");
        assert!(line.contains(path.to_str().unwrap()), "{line}");
    }
    let length = |path: &PathBuf| fs::metadata(path).unwrap().len();
    let together: u64 = files.iter().map(length).sum();
    assert_eq!(together, 8_891_626);

    let built = sums(&tables);
    let modified = |path: &PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    let times: Vec<_> = files.iter().map(modified).collect();
    let second = pdb_gen(&tables, "--partition 6-6-3").succeeds();
    assert_eq!(second.lines().count(), 7);
    assert!(second.lines().all(|l| l.starts_with("kept")), "{second}");
    assert_eq!(times, files.iter().map(modified).collect::<Vec<_>>());

    let forced = pdb_gen(&tables, "--partition 6-6-3 --force").succeeds();
    assert!(forced.lines().all(|l| l.starts_with("wrote")), "{forced}");
    assert_eq!(sums(&tables), built);
    assert_ne!(times, files.iter().map(modified).collect::<Vec<_>>());
    assert_eq!(verify(&files).succeeds().matches("proved").count(), 7);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for words in [
        "--partition 6-6-3",
        "--tiles 1,2,3,5,6 --kind blank-compressed",
        "--tiles 1,2,3,5,6 --encoding u8",
        "--tiles 1,2,5 --kind full",
        "--tiles 1,2,5,6 --zstd 3",
        "--size 5x3 --partition 5-5-4",
    ] {
        let built = [1, 2, 5].map(|threads| {
            let folder = folder();
            pdb_gen(folder.path(), &format!("{words} --threads {threads}")).succeeds();
            sums(folder.path())
        });
        assert!(!built[0].is_empty());
        assert!(built[0] == built[1] && built[1] == built[2], "{words}");
    }
}

#[test]
fn quiet_prints_nothing_and_json_one_object_per_table() {
    let folder = folder();
    assert_eq!(
        pdb_gen(folder.path(), "--size 3x3 --partition 5-3 --quiet").succeeds(),
        ""
    );
    assert_eq!(files(folder.path()).len(), 4);
    let objects = pdb_gen(folder.path(), "--size 3x3 --partition 5-3 --json").succeeds();
    assert_eq!(objects.lines().count(), 4);
    for line in objects.lines() {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["tray"], "3x3");
        assert!(Path::new(object["file"].as_str().unwrap()).is_file());
    }
}

#[test]
fn info_of_the_fringe_has_the_fields_of_the_contract() {
    let folder = folder();
    pdb_gen(folder.path(), "--size 3x3 --partition fringe").succeeds();
    let objects = info(folder.path());
    assert_eq!(objects.len(), 3);
    let has_own_goal = |table: &&Value| table["goal"] == serde_json::json!([8]);
    let table = objects.iter().find(has_own_goal).unwrap();
    assert_eq!(table["tray"], "3x3");
    assert_eq!(table["tiles"], serde_json::json!([0, 1, 2, 3, 6]));
    assert_eq!(table["kind"], "full");
    assert_eq!(table["encoding"], "u8");
    assert_eq!(table["entries"], 60_480);
    assert_eq!(table["reached"], 60_480);
    let bytes = fs::read(table["file"].as_str().unwrap()).unwrap();
    let payload = &bytes[4096..];
    assert_eq!(payload.len(), 60_480);
    assert_eq!(table["sha256"], hex(&Sha256::digest(payload)));
    let count = |value: usize| payload.iter().filter(|&&b| usize::from(b) == value).count();
    let max = table["max"].as_u64().unwrap() as usize;
    let counted: Vec<usize> = (0..=max).map(count).collect();
    assert_eq!(table["histogram"], serde_json::json!(counted));
    assert_eq!(counted.iter().sum::<usize>(), 60_480);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn all_eight_tiles_of_the_3x3_reach_half_the_entries_at_the_known_distances() {
    let known = states_of_3x3();
    for words in FORMS {
        let folder = folder();
        pdb_gen(folder.path(), &format!("--size 3x3 --partition 8 {words}")).succeeds();
        let table = &info(folder.path())[0];
        assert_eq!(table["entries"], 362_880, "{words}");
        assert_eq!(table["reached"], 181_440, "{words}");
        assert_eq!(table["max"], 31, "{words}");
        assert_eq!(table["histogram"], serde_json::json!(known), "{words}");
        verify(&files(folder.path())).succeeds();
    }
}

#[test]
fn all_kinds_encodings_and_layers_are_built_described_and_proved() {
    let folder = folder();
    for (words, kind, encoding, ending) in [
        ("", "zero-aware", "one-bit", ".pdb"),
        ("--encoding one-bit", "zero-aware", "one-bit", ".pdb"),
        ("--encoding u8", "zero-aware", "u8", ".pdb"),
        ("--kind blank-compressed", "blank-compressed", "u8", ".pdb"),
        ("--kind full", "full", "u8", ".pdb"),
        ("--zstd", "zero-aware", "one-bit", ".pdb.zst"),
        ("--zstd 1 --encoding u8", "zero-aware", "u8", ".pdb.zst"),
        ("--zstd=22 --kind full", "full", "u8", ".pdb.zst"),
    ] {
        let tables = folder.path().join(words.replace(' ', "_"));
        pdb_gen(&tables, &format!("--size 4x3 --tiles 1,2,5,6,9 {words}")).succeeds();
        let file = only_file(&tables);
        assert!(file.to_str().unwrap().ends_with(ending), "{file:?}");
        let table = &info(&tables)[0];
        assert_eq!(
            (&table["kind"], &table["encoding"]),
            (&kind.into(), &encoding.into())
        );
        assert_eq!(table["tray"], "4x3");
        assert_eq!(table["tiles"].as_array().unwrap().len(), 5);
        assert_eq!(table["entries"], table["reached"]);
        let sum: u64 = table["histogram"]
            .as_array()
            .unwrap()
            .iter()
            .map(|count| count.as_u64().unwrap())
            .sum();
        assert_eq!(table["reached"], sum);
        // The first `verify` checks the named file, the second one all files of the directory.
        verify(std::slice::from_ref(&file)).succeeds();
        let all = pdb_gen(&tables, "verify").succeeds();
        assert!(
            all.contains("proved") && all.contains(file.to_str().unwrap()),
            "{all}"
        );
    }
}

#[test]
fn compressed_tables_are_smaller_and_hold_the_same_payload() {
    let folder = folder();
    let (plain, compressed) = (
        folder.path().join("plain"),
        folder.path().join("compressed"),
    );
    pdb_gen(&plain, "--tiles 1,2,3,4,5,6 --encoding u8").succeeds();
    pdb_gen(&compressed, "--tiles 1,2,3,4,5,6 --encoding u8 --zstd 3").succeeds();
    assert_eq!(info(&plain)[0]["sha256"], info(&compressed)[0]["sha256"]);
    let length = |at: &Path| fs::metadata(only_file(at)).unwrap().len();
    assert!(length(&compressed) < length(&plain) / 2);
    verify(&[only_file(&compressed)]).succeeds();
    let again = pdb_gen(&compressed, "--tiles 1,2,3,4,5,6 --encoding u8 --zstd 3").succeeds();
    assert!(again.starts_with("kept"), "{again}");
}

#[test]
fn lists_pictures_and_names_of_a_partition_give_the_same_files() {
    let folder = folder();
    let named = folder.path().join("named");
    pdb_gen(&named, "--size 3x3 --partition 5-3+fringe").succeeds();
    assert_eq!(files(&named).len(), 7);
    let picture = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../puzzle/partitions/3x3-5-3.txt"
    );
    let all_are_kept = |run: Run| {
        let same = run.succeeds();
        assert!(same.lines().all(|line| line.starts_with("kept")), "{same}");
    };
    all_are_kept(pdb_gen(
        &named,
        &format!("--size 3x3 --partition {picture}"),
    ));
    // The file has no picture for the default goal, which has the blank last. The picture with the
    // blank first is rotated instead; the rotated parts are 1 2 3 and 4 5 6 7 8.
    all_are_kept(pdb_gen(&named, "--size 3x3 --partition 1,2,3/4,5,6,7,8"));
    // The numbers in a list are the numbers written on the goal's tiles.
    let goal = ["--size", "3x3", "--goal", "8 7 6/5 4 3/2 1 0"];
    let list = ["--partition", "8,7,6/5,4,3,2,1"];
    let mut command = command_at(&named, goal.into_iter().chain(list));
    all_are_kept(finish(start(&mut command)));
    assert_eq!(files(&named).len(), 7);
}
