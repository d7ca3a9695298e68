//! Row graph of one part: its own rows, the moves between them, and the rows exchanged with other
//! parts.
//!
//! A row is sent to each part that owns a neighbour of it. The block identifies the row by its
//! number in the ascending list of all rows that the sending part sends to the receiving part. Both
//! parts compute this list themselves. The sender lists its own rows that have a move into the
//! other part. The receiver lists the rows of the other part that a move of its own rows reaches.
//! Both lists are equal, because moves are reversible.

use puzzle::{Ranking, TableId};

use crate::parts::shape_partition::ShapePartition;
use crate::sweep::row_graph::{ColourClass, Edge, Moves, RowGraph};

/// A part to which a row is sent, and the row's number in the list of all rows sent to that part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination {
    pub(crate) part: u32,
    pub(crate) number: u32,
}

/// Moves between the part's rows of one colour and the rows of other parts.
pub(crate) struct PartLinks {
    first_destination: Vec<u32>,
    destinations: Vec<Destination>,
    /// `arrivals[p]` contains the moves from rows of part p into this part's rows of this colour.
    /// `arrivals[p].get(i)` returns the moves from row i in the list of rows that part p sends to
    /// this part.
    pub(crate) arrivals: Vec<Moves>,
}

impl PartLinks {
    /// Parts to which a row is sent.
    #[inline]
    pub(crate) fn destinations(&self, row: usize) -> &[Destination] {
        let (start, end) = (self.first_destination[row], self.first_destination[row + 1]);
        &self.destinations[start as usize..end as usize]
    }
}

/// The rows of one part, the moves between them, and the moves from and to other parts.
pub(crate) struct PartGraph {
    pub(crate) own: RowGraph,
    /// For each colour class, the moves from and to other parts.
    pub(crate) links: [PartLinks; 2],
}

/// A move from a row of another part. The first element is the number of that row in the table.
type Crossing = (u32, Edge);

impl PartGraph {
    /// Builds the graph of a part in O(rows of the table) time. The memory is proportional to the
    /// part's rows, plus a few bytes per row of the table.
    pub(crate) fn new(id: TableId, shape_partition: &ShapePartition, part: usize) -> Self {
        let ranking = Ranking::new(id.tray(), id.tiles().len(), id.kind());
        let mut parts = vec![0_u16; ranking.rows()];
        for (index, &shape) in ranking.shapes().iter().enumerate() {
            parts[ranking.shape_rows(index)].fill(shape_partition.part(shape) as u16);
        }
        let part = part as u16;
        let is_own = |shape| parts[ranking.shape_rows(shape).start] == part;
        let (halves, places) = ColourClass::both(&ranking, is_own);
        // Finds the moves into the rows of a colour class, from rows of this part and of other
        // parts.
        let find = |own: &ColourClass| {
            let mut first_edge = Vec::with_capacity(own.rows().len() + 1);
            let mut edges = Vec::new();
            let mut first_destination = Vec::with_capacity(own.rows().len() + 1);
            let mut destinations: Vec<Destination> = Vec::new();
            let mut crossings: Vec<Vec<Crossing>> = vec![Vec::new(); shape_partition.parts()];
            let mut sent = vec![0_u32; shape_partition.parts()];
            own.each_row(&ranking, 0..own.groups(), |shape, blank| {
                let row = first_edge.len() as u32;
                first_edge.push(edges.len() as u32);
                let first = destinations.len();
                first_destination.push(first as u32);
                for out in ranking.row_moves(shape, blank) {
                    // The reverse move leads into this row.
                    let edge = |row| Edge::new(row, out.to, out.from);
                    let other = parts[out.row];
                    if other == part {
                        edges.push(edge(places[out.row]));
                        continue;
                    }
                    crossings[usize::from(other)].push((out.row as u32, edge(row)));
                    let part = u32::from(other);
                    if destinations[first..].iter().all(|to| to.part != part) {
                        let next = &mut sent[usize::from(other)];
                        let number = *next;
                        *next += 1;
                        destinations.push(Destination { part, number });
                    }
                }
            });
            first_destination.push(destinations.len() as u32);
            let links = PartLinks {
                first_destination,
                destinations,
                arrivals: crossings.into_iter().map(arrivals).collect(),
            };
            (Moves::new(first_edge, &edges), links)
        };
        let [(first, first_links), (second, second_links)] = halves.each_ref().map(find);
        PartGraph {
            own: RowGraph::of_rows(id, ranking, halves, [first, second]),
            links: [first_links, second_links],
        }
    }
}

/// Groups the moves from another part by source row.
fn arrivals(mut crossings: Vec<Crossing>) -> Moves {
    crossings.sort_unstable_by_key(|&(source, edge)| (source, edge.row()));
    let mut first_edge = Vec::new();
    let mut last = None;
    for (index, &(source, _)) in crossings.iter().enumerate() {
        if last.replace(source) != Some(source) {
            first_edge.push(index as u32);
        }
    }
    let edges: Vec<Edge> = crossings.into_iter().map(|(_, edge)| edge).collect();
    Moves::new(first_edge, &edges)
}
