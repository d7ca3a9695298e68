//! Named partitions, stored as pictures.

/// The named partitions, chosen by measurement (docs/results.md). Names that are words are valid on
/// every tray; without pictures for the tray they mean the default.
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

/// Names valid on every tray, with tables of at most 400 MiB on 4x4 and 2 GiB on 5x5: searches are
/// fastest with `best` and generate the fewest nodes with `fewest`; `small` has the fastest
/// searches on 4x4 with at most 8.5 MiB of tables. On larger trays they are the partitions with the
/// highest measured estimates; these consist of strips, except on 8x8. `best` on 7x7 gives the
/// shortest beam-search solutions, with 5.1 GiB of tables.
pub(crate) const PORTABLE_NAMES: [&str; 3] = ["best", "fewest", "small"];
