//! Runs the solver on another thread, so that keys respond immediately.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use puzzle::{Board, Direction};
use solver::{Cancel, Hint, Rating, SolveError, SolveOptions, Solver};

pub(super) enum Question {
    /// The good moves of a board.
    Hint(Board),
    /// The rating of a game.
    Rate(Board, Vec<Direction>),
}

pub(super) enum Reply {
    Hint(Hint),
    Rating(Rating),
}

/// A reply with the number of its question.
type NumberedReply = (u64, Result<Reply, SolveError>);

/// Answers one question at a time; a new question cancels the previous one.
pub(super) struct Adviser {
    solver: Arc<Solver>,
    options: SolveOptions,
    /// The number of the last question. Answers to earlier questions are discarded.
    number: u64,
    is_busy: bool,
    cancel: Cancel,
    sender: Sender<NumberedReply>,
    answers: Receiver<NumberedReply>,
}

impl Adviser {
    pub(super) fn new(solver: Solver, options: SolveOptions) -> Adviser {
        let (sender, answers) = channel();
        Adviser {
            solver: Arc::new(solver),
            options,
            number: 0,
            is_busy: false,
            cancel: Cancel::default(),
            sender,
            answers,
        }
    }

    /// Begins to work on a question. Returns `false` if no thread can be started.
    pub(super) fn ask(&mut self, question: Question) -> bool {
        self.stop();
        self.cancel = Cancel::default();
        let options = self.options.clone().cancel(&self.cancel);
        let (solver, sender) = (Arc::clone(&self.solver), self.sender.clone());
        let number = self.number;
        let work = move || {
            let answer = match question {
                Question::Hint(board) => solver.hint(&board, &options).map(Reply::Hint),
                Question::Rate(start, moves) => {
                    // A rating solves many boards.
                    let mut options = options;
                    options.max_time = options.max_time.map(|time| time * RATING_FACTOR);
                    solver.rate(&start, &moves, &options).map(Reply::Rating)
                }
            };
            // The receiver is gone when the game is over.
            let _ = sender.send((number, answer));
        };
        self.is_busy = thread::Builder::new().spawn(work).is_ok();
        self.is_busy
    }

    /// Cancels the last question; it gets no answer.
    pub(super) fn stop(&mut self) {
        self.cancel.cancel();
        self.number += 1;
        self.is_busy = false;
    }

    /// Whether an answer is pending.
    pub(super) fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// The answer to the last question, if available.
    pub(super) fn answer(&mut self) -> Option<Result<Reply, SolveError>> {
        let number = self.number;
        let (_, answer) = self.answers.try_iter().find(|&(of, _)| of == number)?;
        self.is_busy = false;
        Some(answer)
    }
}

impl Drop for Adviser {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Time limit of a rating, as a multiple of the time limit of a hint.
const RATING_FACTOR: u32 = 5;
