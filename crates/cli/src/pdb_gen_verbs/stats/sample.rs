//! `pdb-gen stats --sample`: the distribution of a heuristic's values over random states.

use command::{Failure, until_interrupted};
use pdb_gen::free_memory;
use pdb_table::Stats;
use puzzle::{Goal, HeuristicSpec};
use serde_json::json;
use solver::{EstimateSample, OpenError, OpenOptions, OtherGoals, Solver};

use super::{csv_lines, level_lines, plot_of_sample};
use crate::selection::Selection;

/// The values of a heuristic on a sample of states.
pub(super) struct Sample {
    goal: Goal,
    /// The requested partition.
    spec: HeuristicSpec,
    seed: u64,
    values: EstimateSample,
    stats: Stats,
}

impl Sample {
    /// Draws random states and looks up their values.
    pub(super) fn new(selection: &Selection, states: u64, seed: u64) -> Result<Self, Failure> {
        let shared = &selection.shared;
        let unused = [
            ("--tiles", selection.pattern.tiles.is_some()),
            ("--encoding", selection.encoding.is_some()),
            ("--zstd", selection.zstd.is_some()),
        ];
        if let Some((option, _)) = unused.iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::input(format!(
                "{option} does not apply to --sample, which covers a whole partition: leave it out"
            )));
        }
        let goal = shared.goal(None)?;
        let spec = shared.spec(&goal)?;
        let options = OpenOptions::new(shared.directory()?.path())
            .both_sides(OtherGoals::Never)
            .max_memory(free_memory())
            .max_build_seconds(0.0);
        let opened = Solver::open(goal.clone(), spec.clone(), &options);
        let solver = opened.map_err(|error| match error {
            OpenError::Missing(_) => Failure::table(format!(
                "tables of {} are missing: build them with {}",
                spec.name(),
                selection.build_command(&goal)
            )),
            error => Failure::table(error),
        })?;
        let values = until_interrupted(move || solver.sample(states, seed));
        let values =
            values.ok_or_else(|| Failure::interrupted("interrupted: the sample is incomplete"))?;
        let values = values.map_err(Failure::table)?;
        let stats = Stats::of_counts(values.counts());
        Ok(Sample {
            goal,
            spec,
            seed,
            values,
            stats,
        })
    }

    pub(super) fn svg(&self) -> String {
        let (tray, name) = (self.goal.tray(), self.spec.name());
        let title = format!("{tray} {name}: values of random states");
        plot_of_sample(&title, &self.stats)
    }

    pub(super) fn text(&self) -> String {
        let (values, stats) = (&self.values, &self.stats);
        let views = match self.spec.views().len() {
            0 | 1 => String::new(),
            views => format!(", maximum over {views} views"),
        };
        format!(
            "{} {}: {} random states, seed {}{views}\n\
             \x20 mean {:.4}, standard error {:.4}, standard deviation {:.4}, \
             median {}, largest {}\n{}",
            self.goal.tray(),
            self.spec.name(),
            values.boards(),
            self.seed,
            values.mean(),
            values.standard_error(),
            values.deviation(),
            stats.median(),
            stats.max(),
            level_lines(stats)
        )
    }

    pub(super) fn csv(&self) -> String {
        let lines = csv_lines(&self.stats, "");
        format!("value,count,share,growth,growth2\n{lines}")
    }

    pub(super) fn json_line(&self) -> String {
        let (values, stats) = (&self.values, &self.stats);
        let object = json!({
            "tray": self.goal.tray().to_string(),
            "tables": self.spec.name(),
            "metric": self.spec.metric().to_string(),
            "views": self.spec.views().len(),
            "states": values.boards(),
            "seed": self.seed,
            "mean": values.mean(),
            "standard_error": values.standard_error(),
            "deviation": values.deviation(),
            "median": stats.median(),
            "max": stats.max(),
            "histogram": values.counts(),
        });
        format!("{object}\n")
    }
}
