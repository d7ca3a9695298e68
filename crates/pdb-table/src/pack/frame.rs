//! Frames: independent parts of a packed table.

use std::ops::Range;

use puzzle::{TableId, TableKind, ValueStep, factorial, unrank_permutation};

use super::PackError;
use super::coder::{DecisionReader, DecisionWriter};
use super::decode_order::DecodeOrder;
use super::model::{Counts, Model};
use super::predict::{CONTEXTS, DecisionSource, Predictor};
use crate::control::Cancel;
use crate::encoding::Encoding;
use crate::header::Header;

/// Packing method of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackMethod {
    /// Predicts values from neighbouring rows.
    Predicted {
        /// Number of fixed tiles: in all entries of a frame, the same tiles are on the first
        /// `fixed` cells of the shape.
        fixed: usize,
    },
    /// Codes the payload's bytes by frequency; a frame has [`BYTE_FRAME_LENGTH`] bytes. Used if
    /// values cannot be predicted: in the multi-tile metric, where a move can leave the value
    /// unchanged, and in incorrect tables.
    Bytes,
}

/// Length of a frame of [`PackMethod::Bytes`], except the last one, in bytes.
pub const BYTE_FRAME_LENGTH: u64 = 1 << 24;

/// Number of bytes packed between two checks of a [`Cancel`] in [`PackMethod::Bytes`]. The other
/// method checks once per row.
const PIECE: usize = 1 << 20;

/// Number of tiles that are never fixed. If other tiles are fixed, the length of a stretch is
/// therefore a multiple of 4! = 24 entries: whole bytes in every encoding.
const NEVER_FIXED: usize = 4;

/// Largest number of entries (and bytes of memory) of a frame in [`PackMethod::for_table`].
const MAX_FRAME_ENTRIES: u64 = 180_000_000;

impl PackMethod {
    /// Largest number of fixed tiles ([`Self::Predicted`]) for a pattern of `tiles` tiles.
    #[must_use]
    pub const fn max_fixed(tiles: usize) -> usize {
        tiles.saturating_sub(NEVER_FIXED)
    }

    /// Whether values can be predicted from neighbouring rows. Prediction is impossible if a move
    /// can leave the value unchanged.
    pub(crate) const fn can_predict(kind: TableKind) -> bool {
        !matches!(kind.value_step(), ValueStep::AtMostOne)
    }

    /// The method for this number of entries. It uses as few frames as possible, each with at most
    /// 180,000,000 entries.
    #[must_use]
    pub fn for_table(id: TableId, entries: u64) -> Self {
        if !PackMethod::can_predict(id.kind()) {
            return PackMethod::Bytes;
        }
        let tiles = id.tiles().len();
        let small = |&fixed: &usize| {
            let frames = PackMethod::Predicted { fixed }.frames(id, 0);
            entries / frames <= MAX_FRAME_ENTRIES
        };
        let max = PackMethod::max_fixed(tiles);
        let fixed = (0..max).find(small).unwrap_or(max);
        PackMethod::Predicted { fixed }
    }

    /// If `fixed` is given and the table's values can be predicted, returns prediction with this
    /// number of fixed tiles. Otherwise returns the method of [`Self::for_table`].
    pub(crate) fn choose(header: &Header, fixed: Option<usize>) -> Self {
        match fixed {
            Some(fixed) if PackMethod::can_predict(header.id.kind()) => {
                PackMethod::Predicted { fixed }
            }
            _ => PackMethod::for_table(header.id, header.entries),
        }
    }

    /// Number of frames of a table; only [`PackMethod::Bytes`] uses `payload_length`.
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

    /// Number of contexts in the method's model.
    pub(crate) fn contexts(self) -> usize {
        match self {
            PackMethod::Predicted { .. } => CONTEXTS,
            PackMethod::Bytes => 256,
        }
    }
}

/// The frames of a table.
pub(crate) enum Frames {
    Predicted(Box<DecodeOrder>),
    /// Frames of bytes, with the payload's length.
    Bytes(u64),
}

impl Frames {
    /// The frames of a valid table. [`PackMethod::Predicted`] takes O(rows) time.
    pub(crate) fn new(id: TableId, method: PackMethod, payload_length: u64) -> Self {
        match method {
            PackMethod::Predicted { fixed } => {
                Frames::Predicted(Box::new(DecodeOrder::new(id, fixed)))
            }
            PackMethod::Bytes => Frames::Bytes(payload_length),
        }
    }

    /// The range of a frame of [`PackMethod::Bytes`] in a payload of this length.
    fn byte_range(frame: usize, length: u64) -> Range<usize> {
        let start = frame as u64 * BYTE_FRAME_LENGTH;
        start as usize..length.min(start + BYTE_FRAME_LENGTH) as usize
    }

    /// Copies a frame's bytes from `all`. For [`PackMethod::Bytes`], `all` is the payload. For
    /// [`PackMethod::Predicted`], `all` has one byte per entry of the table, and the copied bytes
    /// are in the order of the rows.
    fn gather(&self, frame: usize, all: &[u8], cancel: &Cancel) -> Result<Vec<u8>, PackError> {
        match self {
            Frames::Predicted(order) => {
                let stretch = order.stretch();
                let mut bytes = Vec::with_capacity(order.ranking.rows() * stretch);
                for row in all.chunks_exact(order.ranking.row_entries()) {
                    PackError::unless_cancelled(cancel)?;
                    bytes.extend_from_slice(&row[frame * stretch..][..stretch]);
                }
                Ok(bytes)
            }
            Frames::Bytes(length) => Ok(all[Frames::byte_range(frame, *length)].to_vec()),
        }
    }

    /// Counts a frame's decisions. `None` if they do not reproduce the values, which happens only
    /// for incorrect tables.
    pub(crate) fn count_decisions(
        &self,
        frame: usize,
        all: &[u8],
        contexts: usize,
        cancel: &Cancel,
    ) -> Result<Option<Counts>, PackError> {
        let mut counts = Counts::new(contexts);
        let truth = self.gather(frame, all, cancel)?;
        let mut count = |context, yes| counts.add(context, yes);
        let is_replayed = self.replay(frame, &truth, &mut count, cancel)?;
        Ok(is_replayed.then_some(counts))
    }

    /// Packs a frame.
    pub(crate) fn pack(
        &self,
        frame: usize,
        all: &[u8],
        model: &Model,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, PackError> {
        let truth = self.gather(frame, all, cancel)?;
        let mut writer = DecisionWriter::default();
        let mut write = |context, yes| writer.put(model.yes(context), yes);
        self.replay(frame, &truth, &mut write, cancel)?;
        Ok(writer.finish())
    }

    /// Passes the decisions of a frame to `sink`. Returns whether decoding these decisions would
    /// produce the frame's values.
    fn replay(
        &self,
        frame: usize,
        truth: &[u8],
        sink: &mut impl FnMut(usize, bool),
        cancel: &Cancel,
    ) -> Result<bool, PackError> {
        PackError::unless_cancelled(cancel)?;
        match self {
            Frames::Predicted(order) => {
                let mut source = ValueSource {
                    truth,
                    stretch: order.stretch(),
                    row: 0,
                    sink,
                };
                let mut values = vec![0; truth.len()];
                let prefix = self.prefix(frame);
                Predictor::new(order).run(&prefix, &mut values, &mut source, cancel)?;
                Ok(values == truth)
            }
            Frames::Bytes(_) => {
                for piece in truth.chunks(PIECE) {
                    PackError::unless_cancelled(cancel)?;
                    for &byte in piece {
                        let mut node = 1;
                        for bit in (0..8).rev() {
                            let yes = byte >> bit & 1 == 1;
                            sink(node, yes);
                            node = node << 1 | usize::from(yes);
                        }
                    }
                }
                Ok(true)
            }
        }
    }

    /// The tiles that all entries of a frame have on the first `fixed` cells of the shape.
    fn prefix(&self, frame: usize) -> Vec<usize> {
        let Frames::Predicted(order) = self else {
            return Vec::new();
        };
        let mut tiles = vec![0; order.ranking.tiles()];
        unrank_permutation((frame * order.stretch()) as u32, &mut tiles);
        let fixed = tiles.iter().take(order.fixed);
        fixed.map(|&tile| usize::from(tile)).collect()
    }

    /// The payload of a frame. It contains the frame's entries without gaps, encoded like the
    /// entries of a whole table. `buffer` is reused to save allocations; its contents do not
    /// matter.
    ///
    /// # Errors
    /// [`PackError::Frame`] if the packed bytes are not exactly one frame.
    pub(crate) fn unpack(
        &self,
        frame: usize,
        packed: &[u8],
        model: &Model,
        encoding: Encoding,
        buffer: &mut Vec<u8>,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, PackError> {
        let damaged = PackError::Frame(frame);
        let reader = DecisionReader::new(packed).ok_or_else(|| damaged.clone())?;
        let mut source = FrameSource { model, reader };
        let bytes = match self {
            Frames::Predicted(order) => {
                buffer.resize(order.ranking.rows() * order.stretch(), 0);
                let prefix = self.prefix(frame);
                Predictor::new(order).run(&prefix, buffer, &mut source, cancel)?;
                encoding.encode(buffer)
            }
            Frames::Bytes(length) => {
                let bytes = Frames::byte_range(frame, *length).map(|_| {
                    let next = |node, _| node << 1 | usize::from(source.next(node));
                    (0..8).fold(1, next) as u8
                });
                bytes.collect()
            }
        };
        let is_finished = source.reader.is_finished();
        is_finished.then_some(bytes).ok_or(damaged)
    }

    /// Appends the table's payload, assembled from the payloads of all frames in order.
    pub(crate) fn assemble(&self, frames: &[Vec<u8>], encoding: Encoding, payload: &mut Vec<u8>) {
        match self {
            Frames::Predicted(order) if frames.len() > 1 => {
                let piece = encoding.payload_length(order.stretch() as u64) as usize;
                for row in 0..order.ranking.rows() {
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

/// Source for packing: derives each decision from the values, and passes the decision to `sink`.
struct ValueSource<'a, S> {
    truth: &'a [u8],
    stretch: usize,
    row: usize,
    sink: &'a mut S,
}

impl<S: FnMut(usize, bool)> DecisionSource for ValueSource<'_, S> {
    fn begin_row(&mut self, row: usize) {
        self.row = row;
    }

    #[inline]
    fn answer(&mut self, context: usize, entry: usize, test: impl Fn(u8) -> bool) -> bool {
        let yes = test(self.truth[self.row * self.stretch + entry]);
        (self.sink)(context, yes);
        yes
    }
}

/// Source that decodes the decisions from a packed frame.
struct FrameSource<'a> {
    model: &'a Model,
    reader: DecisionReader<'a>,
}

impl FrameSource<'_> {
    #[inline]
    fn next(&mut self, context: usize) -> bool {
        self.reader.get(self.model.yes(context))
    }
}

impl DecisionSource for FrameSource<'_> {
    fn begin_row(&mut self, _: usize) {}

    #[inline]
    fn answer(&mut self, context: usize, _: usize, _: impl Fn(u8) -> bool) -> bool {
        self.next(context)
    }
}

#[cfg(test)]
mod tests {
    use puzzle::{Cell, Pattern};

    use super::*;

    /// Packing one frame of a real table takes seconds, so cancelling must not wait for the end of
    /// a frame.
    #[test]
    fn packing_can_be_cancelled_within_a_frame() {
        let tiles = [1, 2, 3, 4].map(Cell::new).into_iter().collect();
        let pattern = Pattern::new("3x3".parse().unwrap(), tiles, Cell::new(0)).unwrap();
        let (id, _) = pattern.table(TableKind::ZeroAware);
        let method = PackMethod::Predicted { fixed: 0 };
        let frames = Frames::new(id, method, 0);
        let Frames::Predicted(order) = &frames else {
            panic!("predicted");
        };
        let rows = order.ranking.rows();
        for (frames, length, most) in [
            // Each entry of a row needs one or two decisions.
            (&frames, rows * 24, 2 * 24),
            (&Frames::Bytes(3 * PIECE as u64), 3 * PIECE, 8 * PIECE),
        ] {
            let (cancel, mut decisions) = (Cancel::default(), 0);
            // Cancels at the first decision.
            let mut sink = |_, _| {
                cancel.cancel();
                decisions += 1;
            };
            let replayed = frames.replay(0, &vec![0; length], &mut sink, &cancel);
            assert_eq!(replayed, Err(PackError::Cancelled));
            assert!((1..=most).contains(&decisions), "{decisions}");
        }
    }
}
