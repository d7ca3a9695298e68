//! `pdb-gen plan`: its forecasts match the builds, and it rejects impossible builds.

use std::fs;

use serde_json::Value;

use crate::file::folder;
use crate::pdb_gen_verbs::run::{FORMS, command_at, finish, info, pdb_gen, start};

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
