//! Serialisation of types as text, for the feature `serde`.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::board::Board;
use crate::goal::Goal;
use crate::moves::Notation;
use crate::symmetry::Symmetry;
use crate::table_kind::Metric;
use crate::table_kind::TableKind;
use crate::tray::{Direction, Tray};

/// Serialises a type with `Display`.
macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string" })
            }
        }
    )*};
}

/// Deserialises a type with `FromStr`.
macro_rules! from_text {
    ($($type:ty),*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

as_text!(Direction, Metric, Notation, Symmetry, TableKind, Tray);
from_text!(
    Direction, Metric, Notation, Symmetry, TableKind, Tray, Board
);

/// The text of a board. A board of a single row or column is written with its size, which the
/// numbers alone do not show: `5x1: 1 2 3 4 0`.
impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.tray().height().min(self.tray().width()) {
            1 => serializer.collect_str(&format_args!("{}: {self}", self.tray())),
            _ => serializer.collect_str(self),
        }
    }
}

impl Serialize for Goal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.board().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Goal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Board::deserialize(deserializer).map(Goal::new)
    }
}
