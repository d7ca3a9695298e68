//! The paths of all nodes of a stack, as one tree of moves.
//!
//! A node's path is a chain of steps that ends with the step that the node names. Nodes nearer to
//! the top of the stack have later steps, so all steps after that of the top node are unused and
//! are forgotten at once. Unused steps in between stay until [`Trail::tidy`] removes them, which is
//! rare.

/// Steps of a trail before it is tidied: 1 MiB. The paths of the few hundred nodes of a stack have
/// some ten thousand steps.
const ROOM: usize = 1 << 17;

/// A tree of moves. Step 0 is its root, the path without moves.
pub(super) struct Trail {
    steps: Vec<TrailStep>,
    /// Steps from which on the trail is tidied.
    room: usize,
}

/// The last move of a path and the step of the path before it.
#[derive(Clone, Copy)]
struct TrailStep {
    before: u32,
    /// The number of the move in the search's order.
    by: u8,
}

impl Trail {
    pub(super) fn new() -> Self {
        Trail {
            steps: vec![TrailStep { before: 0, by: 0 }],
            room: ROOM,
        }
    }

    /// Adds a step after another one.
    #[inline(always)]
    pub(super) fn push(&mut self, before: u32, by: u8) -> u32 {
        self.steps.push(TrailStep { before, by });
        self.steps.len() as u32 - 1
    }

    /// Forgets all steps after one.
    #[inline(always)]
    pub(super) fn truncate(&mut self, last: u32) {
        self.steps.truncate(last as usize + 1);
    }

    /// Whether it should be tidied.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.steps.len() > self.room
    }

    /// The moves on the path to a step, by their numbers in the order.
    pub(super) fn path(&self, step: u32) -> Vec<u8> {
        let (mut path, mut at) = (Vec::new(), step);
        while at > 0 {
            let TrailStep { before, by } = self.steps[at as usize];
            path.push(by);
            at = before;
        }
        path.reverse();
        path
    }

    /// Removes the steps that are on no path to one of the `ends`, keeps the order of the others,
    /// and renumbers the ends.
    pub(super) fn tidy(&mut self, ends: &mut [u32]) {
        let mut is_used = vec![false; self.steps.len()];
        is_used[0] = true;
        for &mut end in &mut *ends {
            let mut at = end as usize;
            while !std::mem::replace(&mut is_used[at], true) {
                at = self.steps[at].before as usize;
            }
        }
        let mut moved = vec![0_u32; self.steps.len()];
        let mut used = 0;
        for (at, _) in is_used.iter().enumerate().filter(|&(_, &is_used)| is_used) {
            let TrailStep { before, by } = self.steps[at];
            // The step before is earlier and has been moved already.
            let before = moved[before as usize];
            self.steps[used] = TrailStep { before, by };
            moved[at] = used as u32;
            used += 1;
        }
        self.steps.truncate(used);
        for end in ends {
            *end = moved[*end as usize];
        }
        self.room = self.room.max(2 * used);
    }
}

#[cfg(test)]
impl Trail {
    /// A trail that is tidied as soon as it has more steps than this.
    pub(super) fn with_room(room: usize) -> Self {
        Trail {
            room,
            ..Trail::new()
        }
    }

    /// The most steps that it had or may have.
    pub(super) fn capacity(&self) -> usize {
        self.room.max(self.steps.capacity())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tidying_keeps_the_paths_and_their_order() {
        let mut trail = Trail::with_room(0);
        let mut ends = vec![0];
        for (before, by) in [(0, 1), (0, 2), (1, 3), (2, 0), (4, 1), (3, 2)] {
            ends.push(trail.push(before, by));
        }
        assert!(trail.is_full());
        let mut kept = vec![ends[0], ends[5], ends[6]];
        let paths = |trail: &Trail, ends: &[u32]| -> Vec<Vec<u8>> {
            ends.iter().map(|&end| trail.path(end)).collect()
        };
        let before = paths(&trail, &kept);
        assert_eq!(before, [vec![], vec![2, 0, 1], vec![1, 3, 2]]);
        trail.truncate(ends[6]);
        trail.tidy(&mut kept);
        assert_eq!(paths(&trail, &kept), before);
        assert!(kept.is_sorted());
        // Two of them share no step, and all seven are used: the root, three and three.
        assert_eq!((trail.steps.len(), trail.room), (7, 14));
        kept.pop();
        trail.tidy(&mut kept);
        assert_eq!(trail.steps.len(), 4);
        assert_eq!(trail.path(kept[1]), [2, 0, 1]);
    }
}
