//! State shared by all boards: the options, and one solver per size.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use command::Failure;
use puzzle::board_text::{ListedBoard, Note};
use puzzle::{Board, Goal};
use solver::{Question, Report, Solver, Status};

use crate::answer::{Answer, print_object, report_of};
use crate::board::{print_notes, read_text};
use crate::boards::{BoardInput, BoardText};
use crate::mode::with_memory;
use crate::opener::Opener;
use crate::status_line::lock;

/// The options, and the solvers opened so far.
pub(crate) struct Session {
    pub(crate) opener: Opener,
    pub(crate) question: Question,
    /// Whether boards come from a list, one per line.
    pub(crate) in_list: bool,
    /// Notes that were printed; each is printed once.
    pub(crate) printed_notes: Mutex<HashSet<Note>>,
    pub(crate) solvers: Mutex<HashMap<Goal, SolverResult>>,
}

type SolverResult = Result<Arc<Solver>, Failure>;

impl Session {
    /// Rejects options that fail for every board, before any board is read.
    pub(crate) fn check_options(&self) -> Result<(), Failure> {
        // If the size is unknown, the options are checked later, for the size of each board.
        let Some(size) = self.opener.shared.known_size() else {
            return Ok(());
        };
        let goal = self.opener.shared.goal(Some(size))?;
        self.opener.shared.spec(&goal)?;
        Ok(())
    }

    pub(crate) fn answer(&self, input: &BoardInput) -> Answer {
        let mut answer = self.try_answer(input).unwrap_or_else(Answer::from);
        let report = &mut answer.report;
        report.line = input.line;
        report.mode = Some(self.question.options.mode);
        if report.status == Status::Error && report.board.is_none() {
            let text = match &input.text {
                BoardText::Argument(text) => Some(text.clone()),
                BoardText::Listed(listed) => Some(listed.text()),
                BoardText::Unreadable(_) => None,
            };
            report.board = text.map(|text| text.trim().chars().take(2000).collect());
        }
        answer
    }

    fn try_answer(&self, input: &BoardInput) -> Result<Answer, Failure> {
        let listed: ListedBoard = match &input.text {
            BoardText::Argument(text) => read_text(text, &self.opener.shared)?,
            BoardText::Listed(listed) => listed
                .parse()
                .map_err(|error| Failure::input(self.opener.shared.explain(&error)))?,
            BoardText::Unreadable(reason) => return Err(Failure::input(reason)),
        };
        self.print_notes(&listed.notes, input.line);
        let goal = match &listed.goal {
            Some(goal) => goal.clone(),
            None => self.opener.shared.goal(Some(listed.board.tray()))?,
        };
        let report = self.solve(&listed.board, &goal, input.line)?;
        let report = report.with_notes(&listed.notes);
        Ok(report.compared_with(listed.known_length).into())
    }

    /// Prints the notes about a board that no earlier board had.
    fn print_notes(&self, notes: &[Note], line: Option<usize>) {
        let mut printed = lock(&self.printed_notes);
        let is_new = |note: &&Note| printed.insert(**note);
        let new: Vec<Note> = notes.iter().filter(is_new).copied().collect();
        if !self.opener.shared.json {
            self.opener.status_line.print(|| print_notes(&new, line));
        }
    }

    fn solve(&self, board: &Board, goal: &Goal, line: Option<usize>) -> Result<Report, Failure> {
        // A board that cannot be solved is answered without tables.
        if let Some(refusal) = self.question.refusal(goal, board) {
            return report_of(refusal);
        }
        let solver = self.solver(goal)?;
        let name = line.map(|line| format!("line {line}"));
        let watch = Arc::new(self.opener.status_line.watch(name));
        let mut question = self.question.clone();
        question.options = watch.listen(with_memory(question.options));
        if self.opener.shared.json {
            let status_line = Arc::clone(&self.opener.status_line);
            question = question.improved(move |better: &solver::Answer| {
                let mut report = better.report.clone();
                report.line = line;
                status_line.print(|| print_object(&report));
            });
        }
        report_of(solver.answer(board, &question))
    }

    /// The solver for a goal, opened on first use.
    fn solver(&self, goal: &Goal) -> SolverResult {
        let mut solvers = lock(&self.solvers);
        let open = || self.opener.open(goal).map(Arc::new);
        solvers.entry(goal.clone()).or_insert_with(open).clone()
    }

    pub(crate) fn print(&self, answer: &Answer) {
        self.opener
            .status_line
            .print(|| answer.print(&self.opener.shared, self.in_list));
    }
}
