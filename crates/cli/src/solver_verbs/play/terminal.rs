//! The terminal during a game: the alternate screen, and single key presses.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use command::{EXIT_INTERRUPTED, Failure};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode, size,
};
use crossterm::{cursor, execute, queue};

use super::terminal_watch;

/// Whether the game controls the terminal.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether any thread has panicked since the game began.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

/// The terminal. Its state is restored when this value is dropped, and before any thread prints a
/// panic message.
pub(super) struct Terminal {
    shown: Vec<String>,
}

/// An event of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Input {
    Key(KeyCode),
    /// Ctrl-C.
    Interrupt,
    Resize,
    /// A thread has panicked, and the terminal is restored.
    Panic,
}

/// Fails without a terminal.
pub(super) fn check() -> Result<(), Failure> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    match (is_terminal, is_dumb) {
        (true, false) => Ok(()),
        (false, _) => Err(Failure::input(
            "play needs a terminal as its standard input and output: solver show draws boards \
             anywhere, and solver hint helps without a terminal",
        )),
        (true, true) => Err(Failure::input(
            "play needs a full-screen terminal, and TERM is dumb; solver show works anywhere",
        )),
    }
}

impl Terminal {
    pub(super) fn take() -> io::Result<Terminal> {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            HAS_PANICKED.store(true, Ordering::SeqCst);
            give_back();
            report(panic);
        }));
        IS_TAKEN.store(true, Ordering::SeqCst);
        // From here on, dropping `terminal` restores the terminal, even after errors.
        let terminal = Terminal { shown: Vec::new() };
        enable_raw_mode()?;
        // The watching thread ends the process, because the read of a key may never return.
        terminal_watch::watch(|| {
            give_back();
            std::process::exit(EXIT_INTERRUPTED.into());
        });
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(terminal)
    }

    /// Columns and rows.
    pub(super) fn size() -> (usize, usize) {
        let (columns, rows) = size().unwrap_or((80, 24));
        // Terminals of unknown size report 0.
        match (columns, rows) {
            (0, _) | (_, 0) => (80, 24),
            (columns, rows) => (columns.into(), rows.into()),
        }
    }

    /// Shows lines from the top; only changed lines are written.
    pub(super) fn show(&mut self, lines: Vec<String>) -> io::Result<()> {
        if lines == self.shown {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        for (row, line) in (0..).zip(&lines) {
            if self.shown.get(usize::from(row)) != Some(line) {
                // Clears the line before it is written. After a line of full width, the cursor is
                // still on the last column, and clearing would erase the character there.
                let to = cursor::MoveTo(0, row);
                queue!(out, to, Clear(ClearType::UntilNewLine))?;
                write!(out, "{line}")?;
            }
        }
        if lines.len() < self.shown.len() {
            let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX);
            let to = cursor::MoveTo(0, rows);
            queue!(out, to, Clear(ClearType::FromCursorDown))?;
        }
        self.shown = lines;
        out.flush()
    }

    /// Clears the screen.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.shown.clear();
        execute!(io::stdout(), Clear(ClearType::All))
    }

    /// The next event within this time, if any.
    pub(super) fn wait(&self, time: Duration) -> io::Result<Option<Input>> {
        if HAS_PANICKED.load(Ordering::SeqCst) {
            return Ok(Some(Input::Panic));
        }
        if !poll(time)? {
            return Ok(None);
        }
        Ok(match read()? {
            Event::Key(key) if key.kind == KeyEventKind::Release => None,
            Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => {
                let is_c = matches!(key.code, KeyCode::Char('c' | 'C'));
                is_c.then_some(Input::Interrupt)
            }
            Event::Key(key) => Some(Input::Key(key.code)),
            Event::Resize(..) => Some(Input::Resize),
            _ => None,
        })
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal if it is not restored yet.
fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        // A closed terminal cannot be restored.
        let _ = execute!(io::stdout(), cursor::Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}
