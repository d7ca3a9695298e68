//! `--mode strategic`: solutions without tables, with an explanation (`--explain`) or shortened
//! (`--short`).

use crate::solver_verbs::run::{folder, solver, string};

const FARTHEST: &str = "8 6 7/2 5 4/3 0 1";

#[test]
fn steps_are_explained_in_words_and_in_objects() {
    let folder = folder();
    let words = ["--mode", "strategic", "--explain", FARTHEST];
    let text = solver(folder.path(), words).succeeds();
    assert!(text.contains("   1. tile 1 to row 1, column 1 ("), "{text}");
    assert!(text.contains(". tiles 2 and 3 into the corner ("), "{text}");
    assert!(text.contains("found tile by tile: at most"), "{text}");
    let object = solver(folder.path(), ["--json"].iter().chain(&words)).object(0);
    assert_eq!(string(&object, "mode"), "strategic");
    assert_eq!(string(&object, "method"), "strategic");
    let steps = object["steps"].as_array().unwrap();
    assert_eq!(steps[0]["action"], "place");
    let lengths = steps.iter().map(|step| step["length"].as_u64().unwrap());
    assert_eq!(Some(lengths.sum()), object["length"].as_u64());
    assert!(
        std::fs::read_dir(folder.path()).unwrap().next().is_none(),
        "tables"
    );
}

#[test]
fn short_answers_are_shorter_and_alone() {
    let folder = folder();
    let length = |options: &[&str]| {
        let words = ["--json", "--mode", "strategic", FARTHEST];
        let object = solver(folder.path(), words.iter().chain(options)).object(0);
        assert!(object.get("steps").is_none());
        object["length"].as_u64().unwrap()
    };
    assert!((31..length(&[])).contains(&length(&["--short"])));
}

#[test]
fn options_of_the_mode_are_rejected_elsewhere() {
    let folder = folder();
    for option in ["--short", "--explain"] {
        let message = solver(folder.path(), [option, FARTHEST]).fails(2);
        assert!(
            message.contains(&format!("{option} is for the mode strategic")),
            "{message}"
        );
    }
}
