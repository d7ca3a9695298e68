//! Statistics of histograms, compared with values computed by hand.

use pdb_table::{Histogram, Stats};

#[test]
fn statistics_of_a_small_histogram() {
    let stats = Stats::of_counts(&[1, 2, 0, 8, 5, 0, 0]);
    assert_eq!((stats.entries(), stats.max(), stats.median()), (16, 4, 3));
    // Mean: (2 + 24 + 20) / 16. Sum of squared differences: 8.265625 + 7.03125 + 0.125 + 6.328125 =
    // 21.75.
    assert_eq!(stats.mean(), 2.875);
    assert_eq!(stats.deviation(), (21.75_f64 / 16.0).sqrt());
    let levels: Vec<_> = stats.levels().collect();
    assert_eq!(levels.len(), 5);
    let shares: Vec<f64> = levels.iter().map(|level| level.share * 16.0).collect();
    assert_eq!(shares, [1.0, 2.0, 0.0, 8.0, 5.0]);
    for (at, growth, growth2) in [
        (0, None, None),
        (1, Some(2.0), None),
        (2, Some(0.0), Some(0.0)),
        (3, None, Some(2.0)),
        (4, Some(0.625), None),
    ] {
        let level = &levels[at];
        assert_eq!((level.value, level.count), (at, [1, 2, 0, 8, 5][at]));
        assert_eq!(
            (level.growth, level.growth2),
            (growth, growth2),
            "level {at}"
        );
    }
    // With an even number of entries, the median is the lower of the two middle values.
    assert_eq!(Stats::of_counts(&[4, 4]).median(), 0);
    assert_eq!(Stats::of_counts(&[3, 4]).median(), 1);
    assert_eq!(Stats::of_counts(&[4, 5]).median(), 1);
    let empty = Stats::of_counts(&[]);
    assert_eq!((empty.entries(), empty.max(), empty.median()), (0, 0, 0));
    assert_eq!((empty.mean(), empty.deviation()), (0.0, 0.0));
    assert_eq!(empty.levels().count(), 1);
}

#[test]
fn histograms_count_every_byte_except_unreachable_entries() {
    for length in 0..=19 {
        let bytes: Vec<u8> = (0..length).map(|at| [3, 3, 255, 0, 7][at % 5]).collect();
        let mut expected = Histogram::default();
        for &byte in bytes.iter().filter(|&&byte| byte != 255) {
            expected.add(byte, 1);
        }
        let counted = Histogram::count(&bytes);
        assert_eq!(counted, expected);
        let total = bytes.iter().filter(|&&byte| byte != 255).count() as u64;
        assert_eq!(counted.total(), total);
        assert_eq!(counted.counts().len(), usize::from(counted.max()) + 1);
        assert_eq!(Stats::new(&counted).entries(), total);
        assert_eq!(Stats::new(&counted).max(), usize::from(counted.max()));
    }
    let all: Vec<u8> = (0..=255).collect();
    let counted = Histogram::count(&all);
    assert_eq!((counted.total(), counted.max()), (255, 254));
    assert_eq!(counted.counts(), [1; 255]);
    assert_eq!(Histogram::default().counts(), [0]);
}
