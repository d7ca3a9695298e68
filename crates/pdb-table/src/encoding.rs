//! How values become a payload.

use std::fmt;
use std::str::FromStr;

use puzzle::TableKind;

/// The representation of one entry's value h.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Encoding {
    /// One byte an entry: h, or 255 for an entry that no position can have.
    U8,
    /// Bit 1 of h: bit e % 8 of byte e / 8 for entry e; 0 for an entry that no position can have. Enough for a search
    /// that carries h, because the values of zero-aware tables change by exactly one with every move of a tile of
    /// the pattern (Clausecker & Reinefeld 2019, section 4).
    OneBit,
    /// Two bits an entry: 1 + h mod 3, or 0 for an entry that no position can have; bits 2 (e % 4) and the next of byte e / 4
    /// for entry e. Enough for a search that carries h, because the values of tables in the multi-tile metric change by at
    /// most one with every move.
    Mod3,
}

/// The byte of an entry that no position can have.
pub(crate) const UNREACHED: u8 = u8::MAX;

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 3] = [Encoding::U8, Encoding::OneBit, Encoding::Mod3];

    /// The encoding in which tables of a kind are kept unless another is asked for.
    #[must_use]
    pub const fn default_for(kind: TableKind) -> Self {
        match kind {
            TableKind::ZeroAware => Encoding::OneBit,
            TableKind::BlankCompressed | TableKind::FullCost => Encoding::U8,
            TableKind::MultiTile => Encoding::Mod3,
        }
    }

    /// Whether tables of this kind can be encoded so.
    #[must_use]
    pub const fn suits(self, kind: TableKind) -> bool {
        matches!(
            (self, kind),
            (Encoding::U8, _)
                | (Encoding::OneBit, TableKind::ZeroAware)
                | (Encoding::Mod3, TableKind::MultiTile)
        )
    }

    /// The name on command lines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::U8 => "u8",
            Encoding::OneBit => "one-bit",
            Encoding::Mod3 => "mod-3",
        }
    }

    /// Bytes of a payload with this many entries.
    #[must_use]
    pub const fn payload_length(self, entries: u64) -> u64 {
        match self {
            Encoding::U8 => entries,
            Encoding::OneBit => entries.div_ceil(8),
            Encoding::Mod3 => entries.div_ceil(4),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name of no encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("encoding `{0}` is not known: u8, one-bit or mod-3")]
pub struct EncodingError(String);

impl FromStr for Encoding {
    type Err = EncodingError;

    fn from_str(text: &str) -> Result<Self, EncodingError> {
        Encoding::ALL
            .into_iter()
            .find(|encoding| encoding.name() == text)
            .ok_or_else(|| EncodingError(text.to_owned()))
    }
}
