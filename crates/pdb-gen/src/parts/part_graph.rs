//! The row graph of one part: its own rows, the moves between them, and the rows that go to other
//! parts or come from there.
//!
//! A row is sent to each part that has a neighbour of it, and named by its number in the list of
//! the rows that go from the one part to the other, ascending. Both sides work the list out by
//! themselves: moves can be taken back, so the sender finds a row by its moves, and the receiver by
//! those of the neighbours.

use puzzle::{BlankClasses, Ranking, TableId};

use crate::parts::shape_partition::Deal;
use crate::sweep::row_graph::{ColourClass, Edge};
use crate::sweep::zeroed_pages::ZeroedPages;

/// A part that a row goes to, and the row's number in the list of those that go there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination {
    pub(crate) part: u32,
    pub(crate) number: u32,
}

/// The rows that come from one other part, and where their entries go.
#[derive(Default)]
pub(crate) struct Arrivals {
    /// First edge of each row, then the number of edges.
    first_edge: Vec<u32>,
    /// Their moves, each with its target.
    edges: Vec<Edge>,
}

impl Arrivals {
    /// The moves from a row; `None` if the list has no such number.
    #[inline]
    pub(crate) fn edges(&self, number: usize) -> Option<&[Edge]> {
        let (start, end) = (
            self.first_edge.get(number)?,
            self.first_edge.get(number + 1)?,
        );
        self.edges.get(*start as usize..*end as usize)
    }
}

/// The part's rows of one colour.
pub(crate) struct PartHalf {
    /// With the moves from rows of the same part.
    pub(crate) own: ColourClass,
    first_destination: Vec<u32>,
    destinations: Vec<Destination>,
    /// By part: the rows of the other colour whose moves lead into this half.
    pub(crate) arrivals: Vec<Arrivals>,
}

impl PartHalf {
    /// The parts that a row goes to.
    #[inline]
    pub(crate) fn destinations(&self, row: usize) -> &[Destination] {
        let (start, end) = (self.first_destination[row], self.first_destination[row + 1]);
        &self.destinations[start as usize..end as usize]
    }
}

/// The rows of one part in two colour classes.
pub(crate) struct PartGraph {
    pub(crate) ranking: Ranking,
    pub(crate) halves: [PartHalf; 2],
    /// The goal's half, and its row there if it is one of the part's.
    pub(crate) goal: (usize, Option<usize>),
}

/// A move from another part: the source's number in the table, and the move.
type Crossing = (u32, Edge);

impl PartGraph {
    /// The graph of a part. Memory in proportion to the part's rows, and some bytes for each row of
    /// the table. O(rows).
    pub(crate) fn new(id: TableId, deal: &Deal, part: usize) -> Self {
        let ranking = Ranking::new(id.tray(), id.tiles().len(), id.kind());
        let mut parts = vec![0_u16; ranking.rows()];
        // Of the part's own rows only.
        let mut places = vec![0_u32; ranking.rows()];
        let mut own = [ColourClass::default(), ColourClass::default()];
        for (index, &shape) in ranking.shapes().iter().enumerate() {
            let owner = deal.part(shape);
            let of_shape = ranking.shape_rows(index);
            parts[of_shape.clone()].fill(owner as u16);
            if owner != part {
                continue;
            }
            let own = &mut own[shape.colour(id.tray())];
            own.shapes.push(index as u32);
            own.groups.push(own.rows.len() as u32);
            for row in of_shape {
                places[row] = own.rows.len() as u32;
                own.rows.push(row as u32);
            }
        }
        let goal_row = ranking.goal_row(id);
        let goal_half = id.tiles().colour(id.tray());
        let goal = (parts[goal_row] == part as u16).then(|| places[goal_row] as usize);
        let finder = Finder {
            ranking: &ranking,
            classes: BlankClasses::new(id.tray(), id.kind()),
            parts: &parts,
            places: &places,
            part: part as u16,
            count: deal.parts(),
        };
        let halves = own.map(|own| finder.half(own));
        PartGraph {
            ranking,
            halves,
            goal: (goal_half, goal),
        }
    }
}

/// What the moves of a part's rows are found by.
struct Finder<'a> {
    ranking: &'a Ranking,
    classes: BlankClasses,
    /// The part of each row of the table.
    parts: &'a [u16],
    /// Where each of the part's own rows stands in its half.
    places: &'a [u32],
    part: u16,
    count: usize,
}

impl Finder<'_> {
    fn half(&self, mut own: ColourClass) -> PartHalf {
        own.groups.push(own.rows.len() as u32);
        let mut first_edge = Vec::with_capacity(own.rows.len() + 1);
        let mut edges = Vec::new();
        let mut first_destination = Vec::with_capacity(own.rows.len() + 1);
        let mut destinations: Vec<Destination> = Vec::new();
        let mut crossings: Vec<Vec<Crossing>> = vec![Vec::new(); self.count];
        let mut sent = vec![0_u32; self.count];
        let mut row = 0_u32;
        for &index in &own.shapes {
            let shape = self.ranking.shapes()[index as usize];
            for blank in self.classes.of(shape) {
                first_edge.push(edges.len() as u32);
                first_destination.push(destinations.len() as u32);
                let first = destinations.len();
                for out in self.ranking.row_moves(shape, blank) {
                    // Read backwards: a move into this row.
                    let edge = |row| Edge::new(row, out.to, out.from);
                    let other = self.parts[out.row];
                    if other == self.part {
                        edges.push(edge(self.places[out.row]));
                        continue;
                    }
                    crossings[usize::from(other)].push((out.row as u32, edge(row)));
                    let part = u32::from(other);
                    if destinations[first..].iter().all(|to| to.part != part) {
                        let number = &mut sent[usize::from(other)];
                        destinations.push(Destination {
                            part,
                            number: *number,
                        });
                        *number += 1;
                    }
                }
                row += 1;
            }
        }
        first_edge.push(edges.len() as u32);
        first_destination.push(destinations.len() as u32);
        own.edges = ZeroedPages::zeros(edges.len());
        own.edges.copy_from_slice(&edges);
        own.first_edge = first_edge;
        PartHalf {
            own,
            first_destination,
            destinations,
            arrivals: crossings.into_iter().map(arrivals).collect(),
        }
    }
}

fn arrivals(mut crossings: Vec<Crossing>) -> Arrivals {
    crossings.sort_unstable_by_key(|&(source, edge)| (source, edge.row()));
    let mut first_edge = Vec::new();
    let mut last = None;
    for (index, &(source, _)) in crossings.iter().enumerate() {
        if last != Some(source) {
            first_edge.push(index as u32);
            last = Some(source);
        }
    }
    first_edge.push(crossings.len() as u32);
    Arrivals {
        first_edge,
        edges: crossings.into_iter().map(|(_, edge)| edge).collect(),
    }
}
