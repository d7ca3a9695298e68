//! `pdb-gen plan`: what is foretold is what is built, and what cannot be is refused.

use std::fs;

use serde_json::Value;

use crate::file::folder;
use crate::pdb_gen::run::{FORMS, command_at, finish, info, pdb_gen, start};

#[test]
fn entries_and_file_lengths_are_those_that_are_built() {
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
        // What is there needs nothing.
        let again = pdb_gen(folder.path(), &format!("plan --json {words}")).succeeds();
        let again: Value = serde_json::from_str(&again).unwrap();
        assert_eq!(again["tables"][0]["there"], true);
        assert_eq!((&again["disk"], &again["memory"]), (&0.into(), &0.into()));
    }
}

#[test]
fn a_plan_has_a_line_for_each_table_and_one_for_all() {
    let folder = folder();
    let tables = folder.path().join("not/there/yet");
    let said = pdb_gen(&tables, "plan --partition 7-8").succeeds();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[0].contains("139849920 entries, file 16.68 MiB, memory "));
    assert!(lines[1].contains("1425191040 entries, file 169.90 MiB, memory "));
    assert!(lines[2].starts_with("to build: ") && lines[2].contains("disk 186.58 MiB of "));
    assert!(!folder.path().join("not").exists());
}

/// No machine has the petabytes of twelve tiles on a 5x5.
#[test]
fn what_does_not_fit_is_refused_with_a_way_out() {
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
        // The builder says the same, but for the memory that is free at another time.
        let (way_out, said) = (line.split("free:").last(), run.err.split("free:").last());
        assert_eq!(said, way_out);
        if form == "--json" {
            let plan: Value = serde_json::from_str(&run.out).unwrap();
            assert_eq!(plan["fits"], false);
            assert!(run.err.contains(plan["message"].as_str().unwrap()));
        }
    }
}

#[test]
fn plans_of_nonsense_are_refused_like_builds() {
    let folder = folder();
    for words in ["--partition 6-6-4", "--partition manhattan", "--tiles 16"] {
        pdb_gen(folder.path(), &format!("plan {words}")).fails(2);
    }
}
