//! The nodes stored by a search, one per board.

use std::hash::Hasher as _;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::limit::Limit;
use crate::position::Position;

/// The number of a node.
pub(crate) type NodeId = u32;

/// No node: the parent of the first node.
pub(crate) const NO_NODE: NodeId = u32::MAX;

/// A node, without its board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredNode {
    pub(crate) parent: NodeId,
    /// Moves from the start.
    pub(crate) g: u16,
    /// The heuristic's value.
    pub(crate) h: u16,
    pub(crate) is_closed: bool,
    /// The blank's cell in the parent's board. The first node has no parent; it stores the blank's
    /// cell in its own board.
    pub(crate) back: u8,
}

/// Nodes, numbered in order of discovery, and their boards.
///
/// A board is packed into the minimum number of words with one field per cell. The last cell has no
/// field, because the other cells determine its piece.
pub(crate) struct NodeStore {
    packing: Packing,
    boards: Vec<u64>,
    nodes: Vec<StoredNode>,
    by_board: HashTable<NodeId>,
    /// The packed words of the board being looked up.
    key: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Packing {
    cells: usize,
    bits: usize,
    words: usize,
    /// Exclusive OR of the numbers of all pieces.
    all: u8,
}

/// Bytes per node in the hash table of boards. A node occupies five bytes, four of them for its
/// number, and at most 7/8 of the table is occupied.
const BYTES_IN_TABLE: u64 = 6;

impl Packing {
    fn new(cells: usize) -> Self {
        let bits = match cells {
            0..=16 => 4,
            17..=32 => 5,
            33..=64 => 6,
            _ => 8,
        };
        let in_word = 64 / bits;
        Packing {
            cells,
            bits,
            words: (cells - 1).div_ceil(in_word).max(1),
            all: (0..cells).fold(0, |all, piece| all ^ piece as u8),
        }
    }

    fn pack(self, position: &Position, key: &mut [u64]) {
        let pieces = &position.pieces()[..self.cells - 1];
        for (word, pieces) in key.iter_mut().zip(pieces.chunks(64 / self.bits)) {
            let fields = pieces.iter().rev();
            *word = fields.fold(0, |word, &piece| word << self.bits | u64::from(piece));
        }
    }

    fn unpack(self, key: &[u64], position: &mut Position) {
        let (in_word, mask) = (64 / self.bits, (1 << self.bits) - 1);
        let mut last = self.all;
        let pieces = (0..self.cells).map(|cell| {
            if cell + 1 == self.cells {
                return last;
            }
            let word = key[cell / in_word] >> (self.bits * (cell % in_word));
            let piece = (word & mask) as u8;
            last ^= piece;
            piece
        });
        position.set(pieces);
    }
}

fn hash(key: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    key.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

impl NodeStore {
    /// An empty store for boards of a tray.
    pub(crate) fn new(cells: usize) -> Self {
        let packing = Packing::new(cells);
        NodeStore {
            packing,
            boards: Vec::new(),
            nodes: Vec::new(),
            by_board: HashTable::new(),
            key: vec![0; packing.words],
        }
    }

    /// The node of a board, and whether it is new. A new node is closed and has no parent; its g
    /// and h are 0.
    ///
    /// # Errors
    /// [`Limit::Memory`] if a new node would exceed the memory limit.
    pub(crate) fn entry(
        &mut self,
        position: &Position,
        max_bytes: u64,
    ) -> Result<(NodeId, bool), Limit> {
        self.packing.pack(position, &mut self.key);
        let hash = hash(&self.key);
        if let Some(found) = self.find_key(hash) {
            return Ok((found, false));
        }
        self.make_room(max_bytes)?;
        let id = self.nodes.len() as NodeId;
        self.boards.extend_from_slice(&self.key);
        self.nodes.push(StoredNode {
            parent: NO_NODE,
            g: 0,
            h: 0,
            is_closed: true,
            back: position.blank(),
        });
        let (boards, words) = (&self.boards, self.packing.words);
        let rehash = |&id: &NodeId| self::hash(&boards[id as usize * words..][..words]);
        self.by_board.insert_unique(hash, id, rehash);
        Ok((id, true))
    }

    /// The node of a board.
    pub(crate) fn find(&mut self, position: &Position) -> Option<NodeId> {
        self.packing.pack(position, &mut self.key);
        self.find_key(hash(&self.key))
    }

    fn find_key(&self, hash: u64) -> Option<NodeId> {
        let is_same = |&id: &NodeId| self.board(id) == self.key;
        self.by_board.find(hash, is_same).copied()
    }

    #[inline]
    fn board(&self, id: NodeId) -> &[u64] {
        let words = self.packing.words;
        &self.boards[id as usize * words..][..words]
    }

    /// Makes room for one more node.
    fn make_room(&mut self, max_bytes: u64) -> Result<(), Limit> {
        if self.nodes.len() < self.nodes.capacity()
            && self.by_board.len() < self.by_board.capacity()
        {
            return Ok(());
        }
        if self.nodes.len() >= NO_NODE as usize {
            return Err(Limit::Memory);
        }
        let nodes = self.nodes.len();
        if nodes == self.nodes.capacity() {
            let more = (nodes / 4).max(1024);
            let bytes = more * (size_of::<StoredNode>() + self.packing.words * size_of::<u64>());
            self.expect_room(bytes as u64, max_bytes)?;
            self.nodes.reserve_exact(more);
            self.boards.reserve_exact(more * self.packing.words);
        }
        if self.by_board.len() == self.by_board.capacity() {
            // While the hash table grows, the old table and a new one of twice its size exist at
            // once.
            let bytes = (2 * self.by_board.capacity()).max(1024) as u64 * BYTES_IN_TABLE;
            self.expect_room(bytes, max_bytes)?;
        }
        Ok(())
    }

    fn expect_room(&self, more: u64, max_bytes: u64) -> Result<(), Limit> {
        Limit::check_memory(self.bytes() + more, max_bytes)
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<StoredNode>();
        let boards = self.boards.capacity() * size_of::<u64>();
        (nodes + boards) as u64 + self.by_board.capacity() as u64 * BYTES_IN_TABLE
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, id: NodeId) -> StoredNode {
        self.nodes[id as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut StoredNode {
        &mut self.nodes[id as usize]
    }

    /// Writes the board of a node into a position of the same puzzle.
    pub(crate) fn place(&self, id: NodeId, position: &mut Position) {
        self.packing.unpack(self.board(id), position);
    }

    /// The blank's cells from the first node to this one. `position` is any position of the same
    /// puzzle, and is overwritten.
    pub(crate) fn path(&self, id: NodeId, position: &mut Position) -> Vec<u8> {
        let parent = |&id: &NodeId| Some(self.node(id).parent).filter(|&id| id != NO_NODE);
        let nodes = std::iter::successors(Some(id), parent);
        let mut path: Vec<u8> = nodes
            .map(|id| {
                self.place(id, position);
                position.blank()
            })
            .collect();
        path.reverse();
        path
    }
}
