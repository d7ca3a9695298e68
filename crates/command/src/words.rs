//! Counts, percentages and JSON objects as text; messages about boards and partitions, with hints
//! about command-line options, which the library's own messages do not name.

use puzzle::{BoardError, PartitionError, Tray};
use serde_json::Value;

/// A count with its noun, such as `1 move` and `2 moves`.
#[must_use]
pub fn counted(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{ending}")
}

/// The excess of a length over a bound in percent of the bound, such as `3.1 %`; `None` if the
/// bound is 0 or larger than the length.
#[must_use]
pub fn percent_over(length: u32, bound: u32) -> Option<String> {
    let excess = f64::from(length.checked_sub(bound)?);
    (bound > 0).then(|| format!("{:.1} %", 100.0 * excess / f64::from(bound)))
}

/// Adds `fields` to a JSON object.
#[must_use]
pub fn with_fields(mut object: Value, fields: Value) -> Value {
    if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), fields) {
        object.extend(fields);
    }
    object
}

/// The message of a board error, with a hint about the options that avoid the error.
#[must_use]
pub fn explain(error: &BoardError) -> String {
    let way_out = match *error {
        BoardError::Ambiguous(_) => ": give --leading-id, or remove the number".to_owned(),
        BoardError::Count { found, .. } => {
            let side = found.isqrt();
            let is_square = side * side == found && (2..=Tray::MAX_SIDE).contains(&side);
            let size = is_square.then(|| format!("{side}x{side}"));
            size.map_or_else(String::new, |size| {
                format!(" (for a {size} board separate the rows with / or give --size {size})")
            })
        }
        BoardError::NoSize(_) => {
            " (for another size separate the rows with / or give --size WxH)".to_owned()
        }
        _ => String::new(),
    };
    format!("{error}{way_out}")
}

/// The message of a partition error, with a hint about the option that avoids the error.
#[must_use]
pub fn explain_partition(error: &PartitionError) -> String {
    let message = error.to_string();
    match error {
        PartitionError::Unknown(_) => message.replace(
            "(in the multi-tile metric runs",
            "(with --metric multi: runs",
        ),
        PartitionError::Missing(_) => {
            format!("{message} (separate parts with /; pdb-gen --tiles builds one part alone)")
        }
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_square_boards_name_the_option() {
        let error = puzzle::Board::parse("1 2 3 4 5 0", None).unwrap_err();
        let message = explain(&error);
        assert!(
            message.contains("separate the rows with / or give --size WxH"),
            "{message}"
        );
    }

    #[test]
    fn unknown_partitions_name_the_option() {
        let message = explain_partition(&PartitionError::Unknown("x".to_owned()));
        assert!(message.contains("manhattan (with --metric multi: runs or lines), a list"));
    }
}
