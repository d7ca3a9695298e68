//! Partitions, written as names, as lists of tiles or as pictures. Checks their contents, and that a
//! partition is unchanged after it is written and read again.

use puzzle::{
    CellSet, Goal, HeuristicSpec, Metric, MoveOrder, PartitionError, PartitionPicture, Pattern,
    Symmetry, TableKind,
};

use crate::text::{assert_one_line, chosen_text};

/// Goals: pairs of a size and a text.
const GOALS: [(&str, &str); 8] = [
    ("4x4", "blank-last"),
    ("3x3", "blank-last"),
    ("3x3", "1 2 3/8 0 4/7 6 5"),
    ("4x4", "blank-first"),
    ("2x3", "5 0/2 1/4 3"),
    ("5x5", "blank-first"),
    ("8x8", "blank-last"),
    ("9x9", "blank-last"),
];

/// The goal selected by a byte.
pub(crate) fn goal(choice: usize) -> Goal {
    let (size, goal) = GOALS[choice % GOALS.len()];
    let size = size.parse().expect("a size");
    Goal::parse(goal, Some(size)).expect("a goal")
}

/// The lowest three bits of the first byte select the goal, and its other bits select the kind of
/// the tables. The rest of the input is the text of a specification, which can name a file `f`. The
/// contents of this file are the text after the first empty line, if the input contains one.
pub fn partitions(bytes: &[u8]) {
    let Some((choice, text)) = chosen_text(bytes) else {
        return;
    };
    let goal = goal(choice);
    let kind = TableKind::ALL[choice / GOALS.len() % TableKind::ALL.len()];
    let (text, file) = text.split_once("\n\n").unwrap_or((text, ""));
    if let Err(error) = text.parse::<MoveOrder>() {
        assert_one_line(error);
    }
    let read = || {
        let builder = HeuristicSpec::builder(&goal).kind(kind);
        builder.file("f", Ok(file.to_owned())).parse(text)
    };
    let found = read();
    assert_eq!(found, read());
    check(&goal, found);
}

/// Checks the invariants of heuristics.
pub(crate) fn check(goal: &Goal, found: Result<HeuristicSpec, PartitionError>) {
    let spec = match found {
        Ok(spec) => spec,
        Err(error) => return assert_one_line(error),
    };
    assert_eq!(
        (spec.tray(), spec.goal_blank()),
        (goal.tray(), goal.blank())
    );
    assert_one_line(&spec);
    let tables = spec.tables();
    for partition in spec.partitions() {
        let patterns = partition.patterns();
        let together = patterns
            .iter()
            .map(|pattern| pattern.tiles().len())
            .sum::<usize>();
        assert_eq!(together, partition.tiles().len(), "two parts share a tile");
        assert!(!partition.tiles().contains(goal.blank()));
        assert!(partition.kind().is_additive() || patterns.len() == 1);
        for pattern in patterns {
            let (id, _) = pattern.table(partition.kind());
            assert!(tables.contains(&id));
            assert_one_line(id.name());
        }
        check_list(goal, partition.kind(), patterns);
    }
    if spec.metric() == Metric::Single {
        assert!(spec.views().len() >= spec.partitions().len().min(1));
    }
}

/// Checks that a partition written as a list of tile numbers is read as the same partition.
fn check_list(goal: &Goal, kind: TableKind, patterns: &[Pattern]) {
    let all = patterns
        .iter()
        .map(Pattern::tiles)
        .fold(CellSet::EMPTY, CellSet::union);
    if kind.metric() == Metric::Single && all.len() + 1 < goal.tray().cells() {
        return; // Lists must name all tiles there.
    }
    let part = |pattern: &Pattern| {
        let numbers = pattern
            .tiles()
            .iter()
            .map(|cell| goal.number_at(cell).to_string());
        numbers.collect::<Vec<_>>().join(",")
    };
    // A text without a comma or slash is read as a partition's name, not as a list of tiles.
    let list = patterns.iter().map(part).collect::<Vec<_>>().join("/");
    if !list.contains([',', '/']) {
        return;
    }
    let again = HeuristicSpec::builder(goal).kind(kind).parse(&list);
    let again = again.expect("the list of a partition");
    assert_eq!(again.partitions()[0].patterns(), patterns, "{list}");
}

/// The first byte selects a goal. The rest of the input is the text of a file with pictures, which
/// is used for this goal.
pub fn pictures(bytes: &[u8]) {
    let Some((choice, text)) = chosen_text(bytes) else {
        return;
    };
    match PartitionPicture::parse_all(text) {
        Ok(pictures) => pictures.iter().for_each(check_picture),
        Err(error) => assert_one_line(error),
    }
    let goal = goal(choice);
    use_file(&goal, text);
}

fn check_picture(picture: &PartitionPicture) {
    let printed = picture.to_string();
    let again = PartitionPicture::parse_all(&printed);
    assert_eq!(
        again.as_deref(),
        Ok(std::slice::from_ref(picture)),
        "{printed}"
    );
    let cells = picture
        .parts
        .iter()
        .copied()
        .fold(CellSet::EMPTY, CellSet::union);
    assert_eq!(cells.with(picture.blank), CellSet::all(picture.tray));
    for symmetry in Symmetry::of(picture.tray) {
        let image = picture.map(symmetry);
        let sizes = |picture: &PartitionPicture| picture.parts.iter().map(|part| part.len()).sum();
        let (image_cells, cells): (usize, usize) = (sizes(&image), sizes(picture));
        assert_eq!(image_cells, cells);
        assert!(!image.parts.iter().any(|part| part.contains(image.blank)));
    }
    let goal = Goal::with_blank(picture.tray, picture.blank);
    use_file(&goal, &printed);
}

fn use_file(goal: &Goal, text: &str) {
    let builder = HeuristicSpec::builder(goal).file("drawn", Ok(text.to_owned()));
    check(goal, builder.parse("drawn"));
}
