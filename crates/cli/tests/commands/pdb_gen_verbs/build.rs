//! Built tables, the output of `info`, and `plan`, whose forecasts match the builds.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::pdb_gen_verbs::run::{
    FORMS, Run, command_at, finish, info, pdb_gen, start, states_of_3x3, verify,
};
use crate::run::{files, folder, only_file, sums};

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

#[test]
fn forecast_entries_and_lengths_equal_the_build() {
    for form in FORMS {
        let folder = folder();
        let words = format!("--size 4x3 --tiles 3,7,11 {form}");
        let planned = pdb_gen(folder.path(), &format!("plan --json {words}")).succeeds();
        let planned: Value = serde_json::from_str(&planned).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        pdb_gen(folder.path(), &words).succeeds();
        let built = &info(folder.path())[0];
        let length = fs::metadata(built["file"].as_str().unwrap()).unwrap().len();
        let table = &planned["tables"][0];
        assert_eq!(table["entries"], built["entries"], "{words}");
        assert_eq!(table["file"], length, "{words}");
        assert_eq!(planned["disk"], length);
        assert_eq!(
            (&table["there"], &planned["fits"]),
            (&false.into(), &true.into())
        );
        // Existing tables need no disk space and no memory.
        let again = pdb_gen(folder.path(), &format!("plan --json {words}")).succeeds();
        let again: Value = serde_json::from_str(&again).unwrap();
        assert_eq!(again["tables"][0]["there"], true);
        assert_eq!((&again["disk"], &again["memory"]), (&0.into(), &0.into()));
    }
}

#[test]
fn a_plan_has_a_line_per_table_and_a_total() {
    let folder = folder();
    let tables = folder.path().join("not/there/yet");
    let said = pdb_gen(&tables, "plan --quiet --partition 7-8").succeeds();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[0].contains("139849920 entries, file 16.68 MiB, memory "));
    assert!(lines[1].contains("1425191040 entries, file 169.90 MiB, memory "));
    assert!(lines[2].starts_with("to build: ") && lines[2].contains("disk 186.58 MiB of "));
    assert!(!folder.path().join("not").exists());
}

#[test]
fn partitions_are_drawn_with_the_tables_of_their_parts() {
    let folder = folder();
    let tables = folder.path();
    let said = pdb_gen(tables, "plan --size 3x3 --partition 5-3").succeeds();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[3], "    (.: the blank at home)", "{said}");
    assert_eq!(
        lines[4], "    h is the maximum over 2 views: this and its images",
        "{said}"
    );
    assert!(
        lines[5].ends_with(", for a (tiles 4,5,6,7,8)")
            && lines[6].ends_with(", for b (tiles 1,2,3)"),
        "{said}"
    );
    // The printed picture of the partition is valid input for `--partition`.
    let picture = tables.join("picture.txt");
    fs::write(&picture, lines[..3].join("\n")).unwrap();
    let words = format!("--size 3x3 --partition {}", picture.display());
    pdb_gen(tables, &words).succeeds();
    let listed = pdb_gen(tables, "list --size 3x3 --partition 5-3").succeeds();
    assert_eq!(listed.lines().take(5).collect::<Vec<_>>(), lines[..5]);
    assert!(
        listed
            .lines()
            .skip(6)
            .take(2)
            .all(|l| l.contains("  for a (tiles ") || l.contains("  for b (tiles "))
    );

    // A tile that belongs to no part is drawn as `-`.
    let one = pdb_gen(tables, "list --size 3x3 --tiles 1,2").out;
    assert!(
        one.starts_with("    a a -\n    - - -\n    - - .\n"),
        "{one}"
    );
    // Every part of every partition is listed with exactly one table.
    let words = "plan --size 4x4 --partition small";
    let said = pdb_gen(tables, words).succeeds();
    let object = pdb_gen(tables, &format!("{words} --json")).object(0);
    assert!(said.starts_with("small: the fastest searches, as measured, with up to 8.5 MiB"));
    assert!(
        said.contains("parts with one table are images of each other"),
        "{said}"
    );
    let mut served = Vec::new();
    for table in object["tables"].as_array().unwrap() {
        let name = table["table"].as_str().unwrap();
        let line = said.lines().find(|line| line.starts_with(name)).unwrap();
        let mut names = Vec::new();
        for pair in table["serves"].as_array().unwrap() {
            let [partition, part] = [0, 1].map(|i| pair[i].as_u64().unwrap() as usize);
            served.push((partition, part));
            let tiles = &object["partitions"][partition][part];
            let list = tiles.to_string();
            let letter = ["a", "b", "c"][part];
            let list = list.trim_matches(['[', ']']);
            names.push(format!("{}{letter} (tiles {list})", partition + 1));
            let count = name.split('-').nth(3).unwrap().split('.').count();
            assert_eq!(tiles.as_array().unwrap().len(), count, "{name}");
        }
        if names.is_empty() {
            names.push("other goal cells of the blank".to_owned());
        }
        assert!(
            line.ends_with(&format!(", for {}", names.join(", "))),
            "{line}"
        );
    }
    served.sort_unstable();
    let partitions = object["partitions"].as_array().unwrap();
    assert_eq!(
        served.len(),
        partitions
            .iter()
            .map(|p| p.as_array().unwrap().len())
            .sum::<usize>()
    );
    for partition in partitions {
        let parts = partition.as_array().unwrap().iter();
        let mut tiles: Vec<u64> = parts
            .flat_map(|part| part.as_array().unwrap())
            .map(|tile| tile.as_u64().unwrap())
            .collect();
        tiles.sort_unstable();
        assert_eq!(tiles, (1..16).collect::<Vec<_>>());
    }
}

/// On trays without their own `best` partition, `best` means the default partition.
#[test]
fn partition_names_are_explained() {
    let folder = folder();
    for (words, meaning) in [
        (
            "--partition best",
            "best: the fastest searches, as measured, with up to 400 MiB of ",
        ),
        (
            "--partition fewest",
            "fewest: the searches that generate the fewest nodes, as mea",
        ),
        (
            "--size 5x5 --partition best",
            "best: the fastest searches, as measured, with up to 2.2 GiB",
        ),
        (
            "--size 3x3 --partition small",
            "small: on a 3x3 tray the default, 8\n",
        ),
        (
            "--size 5x5 --partition small",
            "small: the fastest searches, as measured, with up to 240 MiB",
        ),
    ] {
        let run = pdb_gen(folder.path(), &format!("list {words}"));
        assert!(run.out.starts_with(meaning), "{}", run.out);
    }
}

/// A table of twelve tiles on the 5x5 tray needs petabytes, which no machine has.
#[test]
fn tables_without_space_are_rejected_with_a_remedy() {
    let folder = folder();
    let words = "--size 5x5 --tiles 1,2,3,4,5,6,7,8,9,10,11,12";
    let line = pdb_gen(folder.path(), words).fails(2);
    assert!(line.contains("choose parts of at most"), "{line}");
    for form in ["", "--json"] {
        let plan = format!("plan {form} {words}");
        let run = finish(start(&mut command_at(
            folder.path(),
            plan.split_whitespace(),
        )));
        assert_eq!(run.code, Some(2), "{}", run.out);
        // The build prints the same message, except for numbers that depend on the free memory.
        let way_out = |line: &str| {
            let (_, way_out) = line.split_once("free:").unwrap();
            way_out.replace(|c: char| c.is_ascii_digit(), "")
        };
        assert_eq!(way_out(&run.err), way_out(&line));
        if form == "--json" {
            let plan: Value = serde_json::from_str(&run.out).unwrap();
            assert_eq!(plan["fits"], false);
            assert!(run.err.contains(plan["message"].as_str().unwrap()));
        }
    }
}

#[test]
fn impossible_plans_are_rejected_like_builds() {
    let folder = folder();
    for words in ["--partition 6-6-4", "--partition manhattan", "--tiles 16"] {
        pdb_gen(folder.path(), &format!("plan {words}")).fails(2);
    }
}

#[test]
fn tables_of_both_sides_are_planned_built_listed_and_packed() {
    let folder = folder();
    let tables = folder.path().join("tables");
    let words = "--size 3x3 --partition 5-3";
    let both = format!("{words} --both-sides");
    let plan = |words: &str| -> Value {
        let planned = pdb_gen(&tables, &format!("plan --json {words}")).succeeds();
        serde_json::from_str(&planned).unwrap()
    };
    let (usual, all) = (plan(words), plan(&both));
    let count = |plan: &Value| plan["tables"].as_array().unwrap().len();
    // Small tables for other goal cells belong to the default set, large ones do not.
    assert_eq!((count(&usual), count(&all)), (4, 4));
    assert_eq!(all["disk"], usual["disk"]);
    assert_eq!(all["tables"][3]["serves"], Value::Array(Vec::new()));
    let large = "--partition 7-8";
    let (usual, both_sides) = (plan(large), plan(&format!("{large} --both-sides")));
    assert_eq!((count(&usual), count(&both_sides)), (2, 6));

    for tiles in ["1,2,3", "4,5,6,7,8"] {
        pdb_gen(&tables, &format!("--size 3x3 --tiles {tiles}")).succeeds();
    }
    let listed = pdb_gen(&tables, &format!("list {words}")).succeeds();
    let last = listed.lines().last().unwrap();
    let line = "other goal cells of the blank, for searches from both sides: ";
    assert_eq!(
        last,
        format!("{line}0 of 2; --both-sides builds the others")
    );
    let missing = pdb_gen(&tables, &format!("verify --quiet {both}"));
    let command = "pdb-gen --size 3x3 --partition 5-3 --both-sides --tables";
    assert_eq!(missing.code, Some(3));
    assert!(missing.err.contains(command), "{}", missing.err);

    let built = pdb_gen(&tables, &both).succeeds();
    assert_eq!(
        built
            .lines()
            .filter(|line| line.starts_with("wrote"))
            .count(),
        2,
        "{built}"
    );
    assert_eq!(plan(&both)["disk"], 0);
    let listed = pdb_gen(&tables, &format!("list {both}")).succeeds();
    assert!(
        listed.contains("for other goal cells of the blank"),
        "{listed}"
    );
    assert_eq!(
        listed.lines().last(),
        Some(format!("{line}2 of 2").as_str())
    );

    let packed = folder.path().join("packed");
    pdb_gen(&tables, &format!("pack {both} --out {}", packed.display())).succeeds();
    let unpacked = folder.path().join("unpacked");
    pdb_gen(&unpacked, &format!("unpack {}", packed.display())).succeeds();
    assert_eq!(fs::read_dir(unpacked).unwrap().count(), 4);

    // Here one part contains all tiles. Its table stores every distance, so the plan contains no
    // tables for other goal cells of the blank.
    assert_eq!(count(&plan("--size 3x3 --both-sides")), 1);
    pdb_gen(&tables, "plan --tiles 1,2 --both-sides").fails(2);
}
