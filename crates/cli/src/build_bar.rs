//! The progress bar of a build or a check.

use std::fmt;
use std::sync::Arc;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use pdb_gen::BuildEvent;
use pdb_table::Control;

use crate::interrupt::cancel;
use crate::output::print_error;

/// A bar on standard error if that is a terminal, under a title; hidden if `quiet`. Its template
/// can have `{rate}`, positions a second, and `{left}`, the time left.
#[must_use]
pub fn progress_bar(title: &str, template: &str, quiet: bool) -> ProgressBar {
    let target = match quiet {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let bar = ProgressBar::with_draw_target(Some(1), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        let style = style.with_key("rate", write_rate);
        bar.set_style(style.with_key("left", write_left));
    }
    bar.set_prefix(title.to_owned());
    bar
}

/// A progress bar on standard error if that is a terminal, nothing otherwise.
#[derive(Debug)]
pub struct BuildBar {
    bar: ProgressBar,
    quiet: bool,
}

impl BuildBar {
    /// A bar under a title; hidden if `quiet`.
    #[must_use]
    pub fn new(title: &str, quiet: bool) -> Self {
        let template = "{prefix} {bar:20} {percent:>3}% {human_pos} of {human_len} entries, \
                        {rate}, {left}, {msg}";
        let bar = progress_bar(title, template, quiet);
        BuildBar { bar, quiet }
    }

    /// What a build or a check takes: it reports to the bar, and Ctrl-C stops it.
    #[must_use]
    pub fn control(&self) -> Control<BuildEvent> {
        let (bar, quiet) = (self.bar.clone(), self.quiet);
        let listener = move |event: &BuildEvent| {
            let line = match event {
                BuildEvent::Level(report) => {
                    bar.set_length(report.entries);
                    let new = HumanCount(report.new);
                    bar.set_message(match report.level {
                        0 => format!("{new} checked"),
                        level => format!("level {level}: {new} new"),
                    });
                    return bar.set_position(report.found);
                }
                BuildEvent::Note(line) => line.clone(),
                BuildEvent::CheckpointIgnored(path) => format!(
                    "building anew, since --resume is not given: {} will be replaced",
                    path.display()
                ),
                _ => return,
            };
            if !quiet {
                bar.suspend(|| print_error(format_args!("pdb-gen: {line}")));
            }
        };
        Control::new(cancel(), Some(Arc::new(listener)))
    }
}

/// Entries a second since the start.
fn write_rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    let rate = state.pos() as f64 / state.elapsed().as_secs_f64().max(1e-3);
    let _ = write!(out, "{:.1} M/s", rate / 1e6);
}

/// Time left at the rate so far. The first levels have too few entries for an estimate.
fn write_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    let done = f64::from(state.fraction());
    let _ = if done < 0.02 {
        write!(out, "- s left")
    } else {
        let left = state.elapsed().as_secs_f64() * (1.0 - done) / done;
        write!(out, "{left:.0} s left")
    };
}

impl Drop for BuildBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
