//! The row graph: which rows a table has and which moves lead from row to row. A sweep runs over it and knows
//! nothing else of tiles or trays.
//!
//! A move of a pattern's tile changes the checkerboard colour of its shape, and a step of the blank in a full-cost
//! table changes the colour of the blank's cell. So the rows fall in two halves, every move leads from one half to
//! the other, and the distances of a half's entries are all even or all odd.

use puzzle::{Kind, Ranking, TableId, Tray};

/// The rows of one table in two halves, with the moves into each row in one flat array.
pub(crate) struct RowGraph {
    ranking: Ranking,
    halves: [Half; 2],
    goal: RowPlace,
}

/// Where a row is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RowPlace {
    /// Which half.
    pub(crate) half: usize,
    /// Which row of the half.
    pub(crate) index: usize,
}

/// The rows of one colour, in ascending order.
pub(crate) struct Half {
    /// Number of each row in the table.
    rows: Vec<u32>,
    /// First row of each group, then the number of rows. A group is the rows of one shape.
    groups: Vec<u32>,
    /// First edge of each row, then the number of edges.
    first_edge: Vec<u32>,
    edges: Vec<Edge>,
}

/// A move into a row, from a row of the other half.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The row it comes from, counted in its half.
    pub(crate) source: u32,
    /// Reading position of the moved element in the source.
    pub(crate) from: u8,
    /// Its reading position in the target.
    pub(crate) to: u8,
}

impl RowGraph {
    /// The graph of this table. A blank-compressed table is made from the rows of the zero-aware one. O(rows).
    pub(crate) fn new(id: TableId) -> Self {
        let kind = match id.kind {
            Kind::BlankCompressed => Kind::ZeroAware,
            kind => kind,
        };
        let ranking = Ranking::new(id.tray, id.tiles.len(), kind);
        let goal_row = ranking.goal_row(id);

        let mut halves = [Half::empty(), Half::empty()];
        let mut places = Vec::with_capacity(ranking.rows());
        for shape in 0..ranking.shapes().len() {
            for row in ranking.shape_rows(shape) {
                let half = colour(&ranking, row, shape);
                let Half { rows, groups, .. } = &mut halves[half];
                let is_first = rows
                    .last()
                    .is_none_or(|&last| !ranking.shape_rows(shape).contains(&(last as usize)));
                if is_first {
                    groups.push(rows.len() as u32);
                }
                places.push(rows.len() as u32);
                rows.push(row as u32);
            }
        }
        for half in &mut halves {
            half.groups.push(half.rows.len() as u32);
            half.first_edge.push(0);
            for &row in &half.rows {
                let (shape, blank) = ranking.row_shape(row as usize);
                half.edges
                    .extend(ranking.row_moves(shape, blank).map(|out| Edge {
                        source: places[out.row],
                        from: out.to as u8,
                        to: out.from as u8,
                    }));
                half.first_edge.push(half.edges.len() as u32);
            }
        }
        let in_half = |half: usize| halves[half].rows.binary_search(&(goal_row as u32)).is_ok();
        let goal = RowPlace {
            half: usize::from(!in_half(0)),
            index: places[goal_row] as usize,
        };
        RowGraph {
            ranking,
            halves,
            goal,
        }
    }

    /// The numbering of the rows.
    pub(crate) fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// One of the two halves.
    pub(crate) fn half(&self, half: usize) -> &Half {
        &self.halves[half]
    }

    /// The goal's row; its entry of rank 0 is the goal.
    pub(crate) fn goal(&self) -> RowPlace {
        self.goal
    }
}

impl Half {
    fn empty() -> Self {
        Half {
            rows: Vec::new(),
            groups: Vec::new(),
            first_edge: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// Number of each of the half's rows in the table, ascending.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Number of groups; a group is the rows of one shape.
    pub(crate) fn groups(&self) -> usize {
        self.groups.len() - 1
    }

    /// The rows before a group; of the group after the last, all rows.
    pub(crate) fn group_start(&self, group: usize) -> usize {
        self.groups[group] as usize
    }

    /// The group that holds a row.
    pub(crate) fn group_of(&self, index: usize) -> usize {
        self.groups
            .partition_point(|&start| start as usize <= index)
            - 1
    }

    /// The moves into a row.
    #[inline]
    pub(crate) fn edges(&self, index: usize) -> &[Edge] {
        &self.edges[self.first_edge[index] as usize..self.first_edge[index + 1] as usize]
    }
}

fn colour(ranking: &Ranking, row: usize, shape: usize) -> usize {
    let tray: Tray = ranking.tray();
    if ranking.kind() == Kind::Full {
        let (_, blank) = ranking.row_shape(row);
        return blank.lowest().map_or(0, |cell| tray.colour(cell));
    }
    ranking.shapes()[shape].colour(tray)
}
