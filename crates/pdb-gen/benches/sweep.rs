//! How fast tables are built in memory: `cargo bench -p pdb-gen`, or `cargo bench -p pdb-gen --
//! 5x5` for those of one tray. Each line is a table, and the throughput is its entries a second.

use std::fmt;

use divan::Bencher;
use divan::counter::ItemsCount;
use pdb_gen::{Calibration, Forecast, build};
use pdb_table::{Control, Encoding};
use puzzle::{Goal, HeuristicSpec, Pattern, TableId, TableKind};
use rayon::ThreadPoolBuilder;

/// A table to build, with the blank last.
#[derive(Clone, Copy)]
struct Case {
    size: &'static str,
    kind: TableKind,
    /// Numbers on the pattern's tiles.
    tiles: &'static str,
}

const fn case(size: &'static str, kind: TableKind, tiles: &'static str) -> Case {
    Case { size, kind, tiles }
}

/// From a table whose rows are hardly a word to one of half a gigabyte while it is built.
const CASES: [Case; 12] = [
    case("3x3", TableKind::ZeroAware, "1,2,3"),
    case("3x3", TableKind::ZeroAware, "1,2,3,4,5"),
    case("3x3", TableKind::ZeroAware, "1,2,3,4,5,6,7,8"),
    case("3x3", TableKind::FullCost, "1,2,3,4,7"),
    case("4x4", TableKind::ZeroAware, "1,2,3"),
    case("4x4", TableKind::ZeroAware, "1,2,3,4,5,6"),
    case("4x4", TableKind::BlankCompressed, "1,2,3,4,5,6"),
    case("4x4", TableKind::ZeroAware, "1,2,3,4,5,6,7"),
    case("4x4", TableKind::ZeroAware, "1,2,3,4,5,6,7,8"),
    case("5x5", TableKind::ZeroAware, "1,2,3,6"),
    case("5x5", TableKind::ZeroAware, "1,2,3,6,7"),
    case("5x5", TableKind::ZeroAware, "1,2,3,6,7,8"),
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles = self.tiles.split(',').count();
        write!(f, "{} {} {tiles} tiles", self.size, self.kind)
    }
}

impl Case {
    #[expect(clippy::expect_used, reason = "the cases above are tables")]
    fn id(&self) -> TableId {
        let tray = self.size.parse().expect("a size");
        let goal = Goal::blank_last(tray);
        let tiles = HeuristicSpec::parse_tiles(self.tiles, &goal).expect("tiles of the tray");
        let pattern = Pattern::new(tray, tiles.into_iter().collect(), goal.blank());
        pattern.expect("tiles without the blank").table(self.kind).0
    }
}

fn main() {
    divan::main();
}

#[divan::bench(args = CASES, sample_count = 100, sample_size = 1, max_time = 2)]
fn one_thread(bencher: Bencher<'_, '_>, case: &Case) {
    bench(bencher, case, 1);
}

#[divan::bench(args = CASES, sample_count = 100, sample_size = 1, max_time = 2)]
fn all_cores(bencher: Bencher<'_, '_>, case: &Case) {
    bench(bencher, case, 0);
}

/// As many threads as there are cores if `threads` is 0.
fn bench(bencher: Bencher<'_, '_>, case: &Case, threads: usize) {
    let id = case.id();
    let encoding = Encoding::default_for(case.kind);
    #[expect(
        clippy::expect_used,
        reason = "nothing can be measured without threads"
    )]
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads");
    bencher
        .counter(ItemsCount::new(
            Forecast::new(id, encoding, &Calibration::UNIT).entries,
        ))
        .bench(|| pool.install(|| build(id, encoding, &Control::default()).ok()));
}
