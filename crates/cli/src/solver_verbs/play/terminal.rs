//! The terminal while a game is on: a screen of its own, and keys as they are pressed.

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

/// Whether the terminal is the game's.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether any thread has panicked since.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

/// The terminal, which is given back as it was when this is dropped, and before the words of a
/// panic of any thread.
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
    /// A defect has ended a thread, and the terminal is given back.
    Panic,
}

/// Refuses to play where there is no terminal.
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
        // From here on it is given back, whatever fails.
        let terminal = Terminal { shown: Vec::new() };
        enable_raw_mode()?;
        // The process ends here, not where keys are read: that may never return.
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
        // Terminals that do not know their size say 0.
        match (columns, rows) {
            (0, _) | (_, 0) => (80, 24),
            (columns, rows) => (columns.into(), rows.into()),
        }
    }

    /// Shows lines from the top; those that changed are written.
    pub(super) fn show(&mut self, lines: Vec<String>) -> io::Result<()> {
        if lines == self.shown {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        for (row, line) in (0..).zip(&lines) {
            if self.shown.get(usize::from(row)) != Some(line) {
                // Cleared first: behind a line that ends in the last column it would lose that.
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

    /// Forgets what is on the screen, and clears it.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.shown.clear();
        execute!(io::stdout(), Clear(ClearType::All))
    }

    /// The next event within this time, if there is one.
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

/// Makes the terminal what it was, once.
fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        // There is nothing to be done about a terminal that is gone.
        let _ = execute!(io::stdout(), cursor::Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}
