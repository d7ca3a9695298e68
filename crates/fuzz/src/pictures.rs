//! Drawn partitions: reading, printing, mirroring and use.

use puzzle::{CellSet, Goal, HeuristicSpec, PartitionPicture, Symmetry};

use crate::partitions;
use crate::text::{assert_one_line, chosen_text};

/// The first byte selects a goal. The rest of the input is the text of a file with pictures, which
/// is used for this goal.
pub fn body(bytes: &[u8]) {
    let Some((choice, text)) = chosen_text(bytes) else {
        return;
    };
    match PartitionPicture::parse_all(text) {
        Ok(pictures) => pictures.iter().for_each(check),
        Err(error) => assert_one_line(error),
    }
    let goal = partitions::goal(choice);
    use_file(&goal, text);
}

fn check(picture: &PartitionPicture) {
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
    partitions::check(goal, builder.parse("drawn"));
}
