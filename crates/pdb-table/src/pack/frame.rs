//! Frames: independent parts of a packed table.

use std::ops::Range;

use puzzle::{TableId, TableKind, ValueStep, factorial, unrank_permutation};

use super::coder::{Reader, Writer};
use super::decode_order::Rows;
use super::model::{Counts, Model};
use super::predict::{CONTEXTS, DecisionSource, Predictor};
use crate::Encoding;
use crate::encoding::UNREACHED;

/// How a packed file's frames are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackMethod {
    /// Histogram are foreseen from rows beside each other. A frame holds the entries whose first tiles in reading order are
    /// the same; so many are.
    Predicted {
        /// Number of tiles that are the same throughout a frame.
        fixed: usize,
    },
    /// The payload's bytes by how often each occurs; a frame holds [`BYTE_FRAME_LENGTH`] of them. For payloads that no
    /// true table has, and for tables in the multi-tile metric, where values beside each other may be equal.
    Bytes,
}

/// Bytes of a frame of [`PackMethod::Bytes`], except for the last.
pub const BYTE_FRAME_LENGTH: u64 = 1 << 24;

/// Tiles at the end of the reading order that are never the same throughout a frame, so that stretches are whole bytes
/// in every encoding.
const NEVER_FIXED: usize = 4;

/// Entries of a frame in [`PackMethod::for_table`], at most: a frame is unpacked in so many bytes of memory.
const FRAME_ENTRIES: u64 = 180_000_000;

impl PackMethod {
    /// The most tiles that may be fixed in tables of `tiles` tiles.
    #[must_use]
    pub const fn max_fixed(tiles: usize) -> usize {
        tiles.saturating_sub(NEVER_FIXED)
    }

    /// Whether rows of tables of this kind are foreseen from the rows beside them, which takes that moves change a value by
    /// exactly one.
    pub(crate) const fn can_predict(kind: TableKind) -> bool {
        !matches!(kind.value_step(), ValueStep::AtMostOne)
    }

    /// The method for a table of so many entries: as few frames as 256 Mi entries a frame allow.
    #[must_use]
    pub fn for_table(id: TableId, entries: u64) -> Self {
        if !PackMethod::can_predict(id.kind()) {
            return PackMethod::Bytes;
        }
        let tiles = id.tiles().len();
        let small = |&fixed: &usize| {
            let frames = PackMethod::Predicted { fixed }.frames(id, 0);
            entries / frames <= FRAME_ENTRIES
        };
        let most = PackMethod::max_fixed(tiles);
        let fixed = (0..most).find(small).unwrap_or(most);
        PackMethod::Predicted { fixed }
    }

    /// Frames of a table; `payload_length` is only looked at if they are plain.
    pub(crate) fn frames(self, id: TableId, payload_length: u64) -> u64 {
        let tiles = id.tiles().len();
        match self {
            PackMethod::Predicted { fixed } => {
                let frames = factorial(tiles) / factorial(tiles.saturating_sub(fixed));
                frames.into()
            }
            PackMethod::Bytes => payload_length.div_ceil(BYTE_FRAME_LENGTH),
        }
    }

    /// Number of contexts of the method's model.
    pub(crate) fn contexts(self) -> usize {
        match self {
            PackMethod::Predicted { .. } => CONTEXTS,
            PackMethod::Bytes => 256,
        }
    }
}

/// The frames of a table.
pub(crate) enum Frames {
    Predicted(Box<Rows>),
    /// By the payload's length.
    Bytes(u64),
}

impl Frames {
    /// The frames of a valid table. O(rows) for [`PackMethod::Predicted`].
    pub(crate) fn new(id: TableId, method: PackMethod, payload_length: u64) -> Self {
        match method {
            PackMethod::Predicted { fixed } => Frames::Predicted(Box::new(Rows::new(id, fixed))),
            PackMethod::Bytes => Frames::Bytes(payload_length),
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        match self {
            Frames::Predicted(rows) => rows.ranking().row_entries() / rows.stretch(),
            Frames::Bytes(length) => length.div_ceil(BYTE_FRAME_LENGTH) as usize,
        }
    }

    /// The bytes of a plain frame.
    fn plain(&self, frame: usize, length: u64) -> Range<usize> {
        let start = frame as u64 * BYTE_FRAME_LENGTH;
        start as usize..length.min(start + BYTE_FRAME_LENGTH) as usize
    }

    /// The bytes of a frame, rows in order, out of those of a whole table: entries or, if plain, bytes of the payload.
    fn gather(&self, frame: usize, all: &[u8]) -> Vec<u8> {
        match self {
            Frames::Predicted(rows) => {
                let stretch = rows.stretch();
                let whole = all.chunks_exact(rows.ranking().row_entries());
                whole
                    .flat_map(|row| &row[frame * stretch..][..stretch])
                    .copied()
                    .collect()
            }
            Frames::Bytes(length) => all[self.plain(frame, *length)].to_vec(),
        }
    }

    /// Counts the decisions of a frame; `all` has a byte for each entry or, if plain, the payload's. `None` if the values
    /// are not foreseeable, as those of all true tables are.
    pub(crate) fn tally(&self, frame: usize, all: &[u8]) -> Option<Counts> {
        let truth = self.gather(frame, all);
        let mut tally = CountSink {
            counts: Counts::new(self.contexts()),
        };
        self.tell(frame, &truth, &mut tally).then_some(tally.counts)
    }

    /// Packs a frame.
    pub(crate) fn pack(&self, frame: usize, all: &[u8], model: &Model) -> Vec<u8> {
        let truth = self.gather(frame, all);
        let mut note = EncodeSink {
            model,
            writer: Writer::default(),
        };
        self.tell(frame, &truth, &mut note);
        note.writer.finish()
    }

    fn contexts(&self) -> usize {
        match self {
            Frames::Predicted(_) => CONTEXTS,
            Frames::Bytes(_) => PackMethod::Bytes.contexts(),
        }
    }

    /// Goes through the decisions of a frame, and says whether they lead to its values.
    fn tell(&self, frame: usize, truth: &[u8], hear: &mut impl DecisionSink) -> bool {
        match self {
            Frames::Predicted(rows) => {
                let mut told = FromValues {
                    truth,
                    stretch: rows.stretch(),
                    row: 0,
                    hear,
                };
                let mut values = vec![0; truth.len()];
                Predictor::new(rows).run(&self.prefix(frame), &mut values, &mut told);
                values == truth
            }
            Frames::Bytes(_) => {
                for &byte in truth {
                    let mut node = 1;
                    for bit in (0..8).rev() {
                        let yes = byte >> bit & 1 == 1;
                        hear.hear(node, yes);
                        node = node << 1 | usize::from(yes);
                    }
                }
                true
            }
        }
    }

    /// The tiles with which a frame's entries begin.
    fn prefix(&self, frame: usize) -> Vec<usize> {
        let Frames::Predicted(rows) = self else {
            return Vec::new();
        };
        let mut order = vec![0; rows.ranking().tiles()];
        unrank_permutation((frame * rows.stretch()) as u32, &mut order);
        let fixed = order.iter().take(rows.fixed());
        fixed.map(|&tile| usize::from(tile)).collect()
    }

    /// The payload of a frame: its entries end to end, encoded like those of a whole table, or if plain the bytes.
    /// `None` if the packed bytes do not end where the frame does. `room` is used for values and may hold anything before:
    /// memory that was touched once is not paid for again.
    pub(crate) fn unpack(
        &self,
        frame: usize,
        packed: &[u8],
        model: &Model,
        encoding: Encoding,
        room: &mut Vec<u8>,
    ) -> Option<Vec<u8>> {
        let mut heard = FromStream {
            model,
            reader: Reader::new(packed)?,
        };
        let bytes = match self {
            Frames::Predicted(rows) => {
                room.resize(rows.ranking().rows() * rows.stretch(), 0);
                Predictor::new(rows).run(&self.prefix(frame), room, &mut heard);
                match encoding {
                    Encoding::OneBit => to_bits(room),
                    // Those of the third encoding are packed plainly.
                    Encoding::U8 | Encoding::Mod3 => std::mem::take(room),
                }
            }
            Frames::Bytes(length) => {
                let bytes = self.plain(frame, *length).map(|_| {
                    let node = (0..8).fold(1, |node, _| node << 1 | usize::from(heard.next(node)));
                    node as u8
                });
                bytes.collect()
            }
        };
        heard.reader.is_finished().then_some(bytes)
    }

    /// Adds the table's payload, from those of all its frames in order.
    pub(crate) fn assemble(&self, frames: &[Vec<u8>], encoding: Encoding, payload: &mut Vec<u8>) {
        match self {
            Frames::Predicted(rows) if frames.len() > 1 => {
                let piece = encoding.payload_length(rows.stretch() as u64) as usize;
                for row in 0..rows.ranking().rows() {
                    for frame in frames {
                        payload.extend_from_slice(&frame[row * piece..][..piece]);
                    }
                }
            }
            _ => frames
                .iter()
                .for_each(|frame| payload.extend_from_slice(frame)),
        }
    }
}

/// Bit 1 of each value, eight to a byte; 0 for an entry that no position can have.
pub(crate) fn to_bits(values: &[u8]) -> Vec<u8> {
    let bit = |value: u8| u8::from(value & 2 != 0 && value != UNREACHED);
    let byte = |eight: &[u8]| {
        let mut bits = [0; 8];
        for (to, &value) in bits.iter_mut().zip(eight) {
            *to = bit(value);
        }
        gather_bits(bits)
    };
    let eights = values.chunks_exact(8);
    let rest = eights.remainder();
    let mut bytes: Vec<u8> = eights.map(byte).collect();
    bytes.extend((!rest.is_empty()).then(|| byte(rest)));
    bytes
}

/// Bit i of the result is byte i, which is 0 or 1.
pub(crate) fn gather_bits(bits: [u8; 8]) -> u8 {
    // Byte i is moved up to bit 56 + i; no two of the products' bits meet.
    (u64::from_le_bytes(bits).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// What is done with decisions whose answers are known.
trait DecisionSink {
    fn hear(&mut self, context: usize, yes: bool);
}

/// Counts them.
struct CountSink {
    counts: Counts,
}

impl DecisionSink for CountSink {
    #[inline]
    fn hear(&mut self, context: usize, yes: bool) {
        self.counts.add(context, yes);
    }
}

/// Writes them.
struct EncodeSink<'a> {
    model: &'a Model,
    writer: Writer,
}

impl DecisionSink for EncodeSink<'_> {
    #[inline]
    fn hear(&mut self, context: usize, yes: bool) {
        self.writer.put(self.model.yes(context), yes);
    }
}

/// Answers from the values.
struct FromValues<'a, H> {
    truth: &'a [u8],
    stretch: usize,
    row: usize,
    hear: &'a mut H,
}

impl<H: DecisionSink> FromValues<'_, H> {
    #[inline]
    fn answer(&mut self, context: usize, entry: usize, test: impl Fn(u8) -> bool) -> bool {
        let yes = test(self.truth[self.row * self.stretch + entry]);
        self.hear.hear(context, yes);
        yes
    }
}

impl<H: DecisionSink> DecisionSource for FromValues<'_, H> {
    fn begin_row(&mut self, row: usize) {
        self.row = row;
    }

    #[inline]
    fn is(&mut self, context: usize, entry: usize, value: u8) -> bool {
        self.answer(context, entry, |truth| truth == value)
    }

    #[inline]
    fn is_above(&mut self, context: usize, entry: usize, value: u8) -> bool {
        self.answer(context, entry, |truth| truth > value)
    }
}

/// Answers from a packed frame.
struct FromStream<'a> {
    model: &'a Model,
    reader: Reader<'a>,
}

impl FromStream<'_> {
    #[inline]
    fn next(&mut self, context: usize) -> bool {
        self.reader.get(self.model.yes(context))
    }
}

impl DecisionSource for FromStream<'_> {
    fn begin_row(&mut self, _: usize) {}

    #[inline]
    fn is(&mut self, context: usize, _: usize, _: u8) -> bool {
        self.next(context)
    }

    #[inline]
    fn is_above(&mut self, context: usize, _: usize, _: u8) -> bool {
        self.next(context)
    }
}
