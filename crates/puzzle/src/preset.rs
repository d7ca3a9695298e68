//! Partitions known by name, as pictures.

/// The named partitions that were chosen by measurement (docs/results.md). Words are known on every
/// tray: without pictures there they mean the default.
pub(crate) const PRESETS: [(&str, &str); 11] = [
    ("best", include_str!("../partitions/4x4-best.txt")),
    ("best", include_str!("../partitions/5x5-best.txt")),
    ("best", include_str!("../partitions/7x7-best.txt")),
    ("best", include_str!("../partitions/8x8-best.txt")),
    ("fewest", include_str!("../partitions/4x4-fewest.txt")),
    ("fewest", include_str!("../partitions/5x5-best.txt")),
    ("small", include_str!("../partitions/4x4-small.txt")),
    ("6-6-3", include_str!("../partitions/4x4-6-6-3.txt")),
    ("7-8", include_str!("../partitions/4x4-7-8.txt")),
    ("6-6-6-6", include_str!("../partitions/5x5-6-6-6-6.txt")),
    ("5-3", include_str!("../partitions/3x3-5-3.txt")),
];

/// With tables of at most 400 MiB on 4x4 and 2 GiB on 5x5: the fastest (`best`), the fewest nodes
/// (`fewest`), the fastest on 4x4 with 8.5 MiB (`small`). On larger trays the highest estimates of
/// those measured, strips except on 8x8; `best` on 7x7 guides beams best, with 5.1 GiB of tables.
pub(crate) const PORTABLE_NAMES: [&str; 3] = ["best", "fewest", "small"];
