//! Estimates of random boards.

use pdb_gen::build;
use pdb_table::{Control, Encoding, Stats};
use puzzle::{Goal, HeuristicSpec, Metric, Scrambler};
use solver::Solver;

fn solver(size: &str, metric: Metric, name: &str) -> Solver {
    let goal = Goal::blank_last(size.parse().unwrap());
    let spec = HeuristicSpec::builder(&goal).metric(metric).parse(name);
    Solver::build(goal, spec.unwrap()).unwrap()
}

/// A sample contains the boards that a `Scrambler` draws with the same seed. The sampled values
/// equal the results of `Solver::estimate`.
#[test]
fn samples_are_the_estimates_of_the_boards_of_a_seed() {
    for (size, metric, name) in [
        ("3x3", Metric::Single, "5-3"),
        ("3x3", Metric::Multi, "runs"),
        ("4x3", Metric::Single, "6-5"),
        ("12x12", Metric::Single, "manhattan"),
        ("6x1", Metric::Single, "manhattan"),
    ] {
        let solver = solver(size, metric, name);
        let goal = solver.goal();
        let sample = solver.sample(300, 9).unwrap();
        let mut drawn = Scrambler::new(9);
        let mut values = Vec::new();
        for _ in 0..300 {
            let board = goal
                .board_of(&drawn.draw(goal.tray(), goal.blank()))
                .unwrap();
            values.push(solver.estimate(&board).unwrap());
        }
        assert_eq!(sample.boards(), 300);
        assert_eq!(
            sample.counts().len(),
            *values.iter().max().unwrap() as usize + 1
        );
        for (value, &count) in sample.counts().iter().enumerate() {
            let of_value = values.iter().filter(|&&found| found as usize == value);
            assert_eq!(of_value.count() as u64, count);
        }
        let mean = f64::from(values.iter().sum::<u32>()) / 300.0;
        let squares = values
            .iter()
            .map(|&value| (f64::from(value) - mean).powi(2));
        let deviation = (squares.sum::<f64>() / 299.0).sqrt();
        assert!((sample.mean() - mean).abs() < 1e-9);
        assert!((sample.deviation() - deviation).abs() < 1e-9);
        assert!((sample.standard_error() - deviation / 300_f64.sqrt()).abs() < 1e-9);
    }
}

/// A table of all eight tiles contains the distances of all boards. The means of many samples
/// deviate from the true mean as the standard error predicts.
#[test]
fn means_are_within_their_standard_errors() {
    let solver = solver("3x3", Metric::Single, "8");
    let id = solver.spec().tables()[0];
    let built = build(id, Encoding::OneBit, &Control::default()).unwrap();
    let whole = Stats::new(&built.into_table().header().histogram);
    assert_eq!(whole.entries(), 181_440);
    let mean = whole.mean();
    let mut squares = 0.0;
    for seed in 0..100 {
        let sample = solver.sample(200, seed).unwrap();
        squares += ((sample.mean() - mean) / sample.standard_error()).powi(2) / 100.0;
    }
    assert!((0.6..1.5).contains(&squares), "{squares}");
}

#[test]
fn small_samples_have_statistics() {
    let solver = solver("3x3", Metric::Single, "manhattan");
    let none = solver.sample(0, 1).unwrap();
    assert_eq!(
        (none.boards(), none.mean(), none.standard_error()),
        (0, 0.0, 0.0)
    );
    let one = solver.sample(1, 1).unwrap();
    assert_eq!(
        (one.boards(), one.deviation(), one.standard_error()),
        (1, 0.0, 0.0)
    );
    assert_eq!(one.mean(), (one.counts().len() - 1) as f64);
}
