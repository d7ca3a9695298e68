//! `pdb-gen stats --sample`: how a heuristic's values are spread over random states.

use command::{Failure, until_interrupted};
use pdb_gen::free_memory;
use pdb_table::Stats;
use puzzle::{Goal, HeuristicSpec};
use serde_json::json;
use solver::{EstimateSample, OpenError, OpenOptions, Solver};

use crate::plot::{self, Subject};
use crate::selection::Selection;
use crate::stats::{Format, csv_columns, level_lines};

/// The values of a heuristic on a sample of states.
pub(crate) struct Sample {
    goal: Goal,
    /// The partition asked for.
    spec: HeuristicSpec,
    seed: u64,
    values: EstimateSample,
    stats: Stats,
}

impl Sample {
    /// Draws states and looks their values up.
    pub(crate) fn new(selection: &Selection, states: u64, seed: u64) -> Result<Self, Failure> {
        let shared = &selection.shared;
        let unused = [
            ("--tiles", selection.pattern.tiles.is_some()),
            ("--encoding", selection.encoding.is_some()),
            ("--zstd", selection.zstd.is_some()),
        ];
        if let Some((option, _)) = unused.iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::input(format!(
                "{option} means nothing to --sample, which is about a whole partition: leave it out"
            )));
        }
        let goal = shared.goal(None)?;
        let spec = shared.spec(&goal)?;
        let options = OpenOptions::new(shared.directory()?.path())
            .max_memory(free_memory())
            .max_build_seconds(0.0);
        let opened = Solver::open(goal.clone(), spec.clone(), &options);
        let solver = opened.map_err(|error| match error {
            OpenError::Missing(_) => Failure::table(format!(
                "tables of {} are missing: build them with {}",
                spec.name(),
                shared.build_command(&goal)
            )),
            error => Failure::table(error),
        })?;
        let values = until_interrupted(move || solver.sample(states, seed));
        let values = values
            .ok_or_else(|| Failure::interrupted("interrupted: the sample is not complete"))?;
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

    /// The sample in a format.
    pub(crate) fn bytes(&self, format: Format, json: bool) -> Result<Vec<u8>, Failure> {
        Ok(match format {
            Format::Text if json => self.as_json().into_bytes(),
            Format::Text => self.text().into_bytes(),
            Format::Csv => self.csv().into_bytes(),
            Format::Svg => plot::svg(&self.subject())?.into_bytes(),
            Format::Png => plot::png(&self.subject())?,
        })
    }

    fn subject(&self) -> Subject<'_> {
        let title = format!(
            "{} {}: values of random states",
            self.goal.tray(),
            self.spec.name()
        );
        Subject::sample(title, &self.stats)
    }

    fn text(&self) -> String {
        let (values, stats) = (&self.values, &self.stats);
        let views = self.spec.views().len();
        let views = if views > 1 {
            format!(", maximum over {views} views")
        } else {
            String::new()
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

    fn csv(&self) -> String {
        let mut text = "value,count,share,growth,growth2\n".to_owned();
        for level in self.stats.levels() {
            text += &format!("{}\n", csv_columns(&level));
        }
        text
    }

    fn as_json(&self) -> String {
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
