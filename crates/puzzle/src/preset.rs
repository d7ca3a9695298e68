//! Names of goals and of partitions, and the pictures of the partitions.

/// Names of goals for any tray, see [`Goal::NAMES`](crate::Goal::NAMES).
pub(crate) const GOAL_NAMES: [&str; 4] = ["blank-last", "blank-first", "snail", "columns"];

/// The named partitions, chosen by measurement (docs/results.md). The names in [`PORTABLE_NAMES`]
/// are valid on every tray. If the list has no picture of a portable name for a tray,
/// `portable_sizes` determines the parts.
pub(crate) const PRESETS: [(&str, &str); 12] = [
    ("best", include_str!("../partitions/4x4-best.txt")),
    ("best", include_str!("../partitions/5x5-best.txt")),
    ("best", include_str!("../partitions/7x7-best.txt")),
    ("best", include_str!("../partitions/8x8-best.txt")),
    ("fewest", include_str!("../partitions/4x4-fewest.txt")),
    ("fewest", include_str!("../partitions/5x5-best.txt")),
    ("small", include_str!("../partitions/4x4-small.txt")),
    ("small", include_str!("../partitions/5x5-small.txt")),
    ("6-6-3", include_str!("../partitions/4x4-6-6-3.txt")),
    ("7-8", include_str!("../partitions/4x4-7-8.txt")),
    ("6-6-6-6", include_str!("../partitions/5x5-6-6-6-6.txt")),
    ("5-3", include_str!("../partitions/3x3-5-3.txt")),
];

/// Names that are valid on every tray. Their tables need at most 400 MiB on 4x4 and 2.2 GiB on 5x5.
/// Searches are fastest with `best`, and generate the fewest nodes with `fewest`. Searches with
/// `small` are the fastest among partitions whose tables need at most 8.5 MiB on 4x4, and 240 MiB
/// on 5x5. On larger trays the names stand for the partitions with the highest measured estimates;
/// these partitions consist of strips, except on 8x8. On 7x7, beam search finds shorter solutions
/// with `best` than with the other measured partitions; the tables of `best` need 5.1 GiB there.
pub(crate) const PORTABLE_NAMES: [&str; 3] = ["best", "fewest", "small"];
