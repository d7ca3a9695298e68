//! Breadth-first search in a few cells: the corner of a line, or the last cells of the tray.

use puzzle::Direction;

use super::lines::LastBlock;
use super::play::Play;
use crate::boards::Grid;

/// The arrangement of a few cells, one label per cell: 0 for the blank, 1, 2, ... for the target
/// tiles, and the next number for all other tiles.
type Labels = [u8; LastBlock::MAX_CELLS];

/// A node of the search, with its parent and the blank's move from the parent.
struct ArrangementNode {
    labels: Labels,
    blank: usize,
    from: Option<(usize, Direction)>,
}

/// Moves the blank by a shortest path, within up to [`LastBlock::MAX_CELLS`] cells, until every
/// tile of `wanted` is on its cell. Returns whether such a path exists.
pub(super) fn arrange(
    grid: &Grid,
    play: &mut Play,
    cells: &[usize],
    wanted: &[(usize, usize)],
) -> bool {
    let place = |cell: usize| cells.iter().position(|&c| c == cell);
    let Some(start) = place(play.blank()).filter(|_| cells.len() <= LastBlock::MAX_CELLS) else {
        return false;
    };
    let mut labels = Labels::default();
    for (label, &cell) in labels.iter_mut().zip(cells) {
        let known = wanted
            .iter()
            .position(|&(tile, _)| tile == play.piece_at(cell));
        *label = known.unwrap_or(wanted.len()) as u8 + 1;
    }
    labels[start] = 0;
    let is_done = |labels: &Labels| {
        (1..)
            .zip(wanted)
            .all(|(label, &(_, cell))| place(cell).is_some_and(|place| labels[place] == label))
    };
    let base = labels
        .iter()
        .max()
        .map_or(1, |&label| usize::from(label) + 1);
    let code = |labels: &Labels| {
        let digits = labels[..cells.len()].iter();
        digits.fold(0, |code, &label| code * base + usize::from(label))
    };
    let mut seen = vec![false; base.pow(cells.len() as u32)];
    seen[code(&labels)] = true;
    let mut queue = vec![ArrangementNode {
        labels,
        blank: start,
        from: None,
    }];
    let mut next = 0;
    while let Some(&ArrangementNode { labels, blank, .. }) = queue.get(next) {
        if is_done(&labels) {
            let mut path = Vec::new();
            let mut from = queue[next].from;
            while let Some((parent, direction)) = from {
                path.push(direction);
                from = queue[parent].from;
            }
            path.reverse();
            play.walk(grid, &path);
            return true;
        }
        for direction in Direction::ALL {
            let Some(to) = grid.step(cells[blank], direction).and_then(place) else {
                continue;
            };
            let mut labels = labels;
            labels.swap(blank, to);
            if !std::mem::replace(&mut seen[code(&labels)], true) {
                queue.push(ArrangementNode {
                    labels,
                    blank: to,
                    from: Some((next, direction)),
                });
            }
        }
        next += 1;
    }
    false
}
