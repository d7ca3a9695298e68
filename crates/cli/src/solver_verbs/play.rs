//! `solver play`: a game in the terminal with the solver's help.

mod adviser;
mod game;
mod screen;
mod terminal;
mod terminal_watch;

use std::io;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use command::quantity::count;
use command::words::counted;
use command::{EXIT_INTERRUPTED, Failure, SharedArgs, interrupted, print_line};
use crossterm::event::KeyCode;
use puzzle::{Board, Direction, Drawing, Scrambler, write_letters};
use serde_json::json;
use solver::{Mode, SolveError};

use crate::answer::can_be_solved;
use crate::board::read_board;
use crate::opener::Opener;
use crate::rate::summary;
use crate::scramble::{draw, random_seed};
use crate::search::{MAX_TIME, MAX_TIME_HELP, SearchArgs};
use crate::show::is_coloured;

use adviser::{Adviser, Question, Reply};
use game::Game;
use screen::ScreenState;
use terminal::{Input, Terminal};

/// The arguments of `play`.
///
/// Keys: arrows or WASD move, u undoes a move, y redoes it, r restarts, m starts a new board (u at
/// the start restores the previous game), h gives a hint and more of it each time, n makes the next
/// best move, p or space plays the solution and pauses, + and - change its speed, q quits.
#[derive(Args, Debug)]
#[command(mut_arg("max_time", |arg| arg.help(MAX_TIME_HELP)))]
pub(crate) struct PlayArguments {
    /// The board, in quotes [default: a random board]
    #[arg(value_name = "BOARD")]
    board: Option<String>,
    /// Seed of the random boards [default: a different seed each time]
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    seed: Option<u64>,
    /// Piece that the arrow keys move: tile, or blank
    #[arg(long, default_value = "tile")]
    arrows: Arrows,
    #[command(flatten)]
    search: SearchArgs,
}

/// Piece moved by an arrow key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Arrows {
    Tile,
    Blank,
}

/// Moves per second while a solution is played.
const SPEEDS: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// Maximum wait for a key before signals and answers are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// End of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Quit,
    Interrupted,
    Defect,
}

/// Plays until the user quits.
pub(crate) fn run(shared: SharedArgs, arguments: &PlayArguments) -> Result<u8, Failure> {
    if arguments.board.as_deref() == Some("-") {
        return Err(Failure::input(
            "play reads keys from standard input: give the board in quotes",
        ));
    }
    let board = arguments.board.as_deref();
    let board = board.map(|text| read_board(text, &shared)).transpose()?;
    let goal = shared.goal(board.as_ref().map(Board::tray))?;
    let mut scrambler = Scrambler::new(arguments.seed.unwrap_or_else(random_seed));
    let board = board.unwrap_or_else(|| draw(&mut scrambler, &goal));
    if !can_be_solved(&shared, &goal, &board)? {
        return Ok(1);
    }
    terminal::check()?;
    let (json, quiet) = (shared.json, shared.quiet);
    let opener = Opener::new(Mode::Anytime, shared, arguments.search.open.clone(), false)?;
    let opener = opener.with_side(arguments.search.side);
    let solver = opener.open(&goal)?;
    let options = arguments.search.advice_options(goal.tray(), MAX_TIME);
    let options = options.threads(opener.shared.thread_count());
    let mut session = GameSession {
        game: Game::new(&goal, solver.metric(), &board),
        previous_game: None,
        view: ScreenState::default(),
        adviser: Adviser::new(solver, options),
        request: None,
        scrambler,
        arrows: arguments.arrows,
        speed: 2,
        next: None,
        drawing: Drawing::new(&goal),
        is_coloured: is_coloured(),
    };
    let end = Terminal::take().and_then(|mut terminal| session.play(&mut terminal));
    if terminal_watch::is_gone() {
        // The terminal is closed, so no result is printed.
        return Ok(EXIT_INTERRUPTED);
    }
    let end = end.map_err(|error| Failure::input(format!("terminal: {error}")))?;
    if end == End::Defect {
        return Err(Failure::input("a defect ended the game: please report it"));
    }
    session.print(json, quiet);
    Ok(match end {
        End::Interrupted => EXIT_INTERRUPTED,
        _ => 0,
    })
}

/// A request that waits for the solver's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Request {
    Hint,
    Next,
    Play,
    Rating,
}

/// The game with its screen, adviser and pending request.
struct GameSession {
    game: Game,
    /// The last game that a restart or a new board replaced. Games without moves are not stored.
    previous_game: Option<Game>,
    view: ScreenState,
    adviser: Adviser,
    request: Option<Request>,
    scrambler: Scrambler,
    arrows: Arrows,
    /// Index into [`SPEEDS`].
    speed: usize,
    /// While a solution is played: the time of its next move.
    next: Option<Instant>,
    drawing: Drawing,
    is_coloured: bool,
}

impl GameSession {
    fn play(&mut self, terminal: &mut Terminal) -> io::Result<End> {
        loop {
            if interrupted() {
                return Ok(End::Interrupted);
            }
            if let Some(answer) = self.adviser.answer() {
                self.hear(answer);
            }
            let now = Instant::now();
            if self.next.is_some_and(|next| next <= now) {
                self.step(now);
            }
            self.view.playing = self.next.map(|_| SPEEDS[self.speed]);
            self.view.is_thinking = self.adviser.is_busy();
            let size = Terminal::size();
            let drawing = (&self.drawing, self.is_coloured);
            terminal.show(screen::lines(&self.game, &self.view, drawing, size))?;
            let until_next = self.next.map(|next| next.saturating_duration_since(now));
            match terminal.wait(until_next.unwrap_or(POLL_INTERVAL).min(POLL_INTERVAL))? {
                None => {}
                Some(Input::Interrupt) => return Ok(End::Interrupted),
                Some(Input::Panic) => return Ok(End::Defect),
                Some(Input::Resize) => terminal.clear()?,
                Some(Input::Key(KeyCode::Char('q' | 'Q'))) => return Ok(End::Quit),
                Some(Input::Key(key)) => self.press(key),
            }
        }
    }

    fn press(&mut self, key: KeyCode) {
        let lower = match key {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
            other => other,
        };
        self.view.message.clear();
        match lower {
            KeyCode::Up | KeyCode::Char('w') => self.slide(Direction::Up),
            KeyCode::Down | KeyCode::Char('s') => self.slide(Direction::Down),
            KeyCode::Left | KeyCode::Char('a') => self.slide(Direction::Left),
            KeyCode::Right | KeyCode::Char('d') => self.slide(Direction::Right),
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(),
            KeyCode::Char('y') => {
                let is_moved = self.game.redo();
                self.after_move(is_moved, "nothing to redo");
            }
            KeyCode::Char('r') => self.begin(&self.game.start().clone()),
            KeyCode::Char('m') => {
                let board = draw(&mut self.scrambler, self.game.goal());
                self.begin(&board);
            }
            KeyCode::Char('h') => self.want(Request::Hint),
            KeyCode::Char('n') => {
                self.next = None;
                self.want(Request::Next);
            }
            KeyCode::Char('p' | ' ') => match self.next.take() {
                Some(_) => "paused".clone_into(&mut self.view.message),
                None => self.want(Request::Play),
            },
            KeyCode::Char('+' | '=') => self.set_speed(self.speed + 1),
            KeyCode::Char('-' | '_') => self.set_speed(self.speed.saturating_sub(1)),
            _ => {}
        }
    }

    /// Begins a game. The previous game can be restored if moves were made in it.
    fn begin(&mut self, board: &Board) {
        self.leave();
        let previous = self.game.begin(board);
        if previous.has_moves() {
            self.previous_game = Some(previous);
        }
    }

    /// Undoes the last move or, at the start, the last restart or new board.
    fn undo(&mut self) {
        if self.game.undo() {
            self.leave();
        } else if let Some(previous) = self.previous_game.take() {
            self.game = previous;
            self.after_move(true, "");
            "previous game restored".clone_into(&mut self.view.message);
        } else {
            "nothing to undo".clone_into(&mut self.view.message);
        }
    }

    fn set_speed(&mut self, speed: usize) {
        self.speed = speed.min(SPEEDS.len() - 1);
        self.view.message = format!("{} per second", counted(SPEEDS[self.speed].into(), "move"));
    }

    /// Cancels pending requests before the board changes.
    fn leave(&mut self) {
        self.adviser.stop();
        (self.request, self.next, self.view.rating) = (None, None, None);
    }

    /// Makes a move of the player.
    fn slide(&mut self, arrow: Direction) {
        let tile = match self.arrows {
            Arrows::Tile => arrow,
            Arrows::Blank => arrow.opposite(),
        };
        self.next = None;
        let is_moved = self.game.slide(tile);
        self.after_move(is_moved, "no tile can go there");
    }

    /// Cancels pending requests after a move. If no move was made, shows `refusal`.
    fn after_move(&mut self, is_moved: bool, refusal: &str) {
        if is_moved {
            self.leave();
            self.rate_if_solved();
        } else {
            refusal.clone_into(&mut self.view.message);
        }
    }

    /// Fulfils a request, or asks the solver for the advice that the request needs.
    fn want(&mut self, request: Request) {
        if self.game.is_solved() && request != Request::Rating {
            "solved: r restarts, m starts a new board".clone_into(&mut self.view.message);
            return;
        }
        let is_done = match request {
            Request::Hint => self.game.show_hint(),
            Request::Next => self.game.follow(),
            Request::Play if self.game.path().is_some() => {
                self.next = Some(Instant::now());
                true
            }
            Request::Play | Request::Rating => false,
        };
        if is_done {
            self.request = None;
            self.rate_if_solved();
            return;
        }
        let is_same = self.request.is_some() && request != Request::Rating;
        self.request = Some(request);
        if is_same && self.adviser.is_busy() {
            return;
        }
        let question = match request {
            Request::Rating => {
                Question::Rate(self.game.start().clone(), self.game.moves().to_vec())
            }
            _ => Question::Hint(self.game.board().clone()),
        };
        if !self.adviser.ask(question) {
            "cannot start a thread for the solver".clone_into(&mut self.view.message);
        }
    }

    /// Handles the solver's answer.
    fn hear(&mut self, answer: Result<Reply, SolveError>) {
        let request = self.request.take();
        match answer {
            Ok(Reply::Hint(hint)) => {
                self.game.advise(hint);
                if let Some(request) = request {
                    self.want(request);
                }
            }
            Ok(Reply::Rating(rating)) => self.view.rating = Some(rating),
            Err(SolveError::Limit(limit)) => self.view.message = format!("no help: {limit}"),
            Err(error) => self.view.message = format!("no help: {error}"),
        }
    }

    /// Makes a move of the solution being played.
    fn step(&mut self, now: Instant) {
        let pause = Duration::from_secs(1) / SPEEDS[self.speed];
        self.next = self.game.follow().then(|| now + pause);
        self.rate_if_solved();
    }

    fn rate_if_solved(&mut self) {
        if self.game.is_solved() && self.view.rating.is_none() {
            self.next = None;
            self.want(Request::Rating);
        }
    }

    /// Prints the result after the terminal is restored.
    fn print(&self, json: bool, quiet: bool) {
        let (game, moves) = (&self.game, write_letters(self.game.moves()));
        let (hints, helped) = game.help();
        if json {
            let mut object = json!({
                "board": game.start().to_string(),
                "moves": moves,
                "length": game.length(),
                "result": game.board().to_string(),
                "solved": game.is_solved(),
                "hints": hints,
                "helped": helped,
            });
            if let Some(rating) = self.view.rating.as_ref().filter(|_| !game.is_all_helped()) {
                object["distance"] = rating.distance.into();
                object["credit"] = json!(rating.credit);
            }
            print_line(object);
            return;
        }
        let made = counted(game.length(), "move");
        match (&self.view.rating, game.is_solved()) {
            (Some(rating), true) if !game.is_all_helped() => {
                summary(rating).into_iter().for_each(print_line);
            }
            (_, true) => print_line(format_args!("solved in {made}")),
            (_, false) => print_line(format_args!("not solved: {made} made")),
        }
        if let Some(line) = game.help_line() {
            print_line(line);
        }
        if !quiet {
            print_line(format_args!("board {}", game.start()));
            if !moves.is_empty() {
                print_line(format_args!("moves {moves}"));
            }
        }
    }
}
