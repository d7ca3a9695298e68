//! Answers that need only the rules of the puzzle.

use puzzle::board_text::{self, ListedBoard, ListedText};
use puzzle::{
    Board, BoardError, Direction, Drawing, Goal, HeuristicSpec, Metric, Notation, Scrambler, Tray,
    invert_text, write_letters,
};

use crate::request::{
    Apply, Convert, Draw, Invert, List, Parse, Partitions, Place, Scramble, Style, Subject,
};
use crate::response::{ListEntry, MovesResult, RandomBoard, Response, Solvability, WrittenBoard};
use crate::session::Session;
use crate::{BoardText, Cancel, Failure, MovesText};

/// Reads a goal. The default is `blank-last`, the default size is 4x4.
///
/// # Errors
/// An invalid goal, or one of another size.
pub fn read_goal(goal: Option<&BoardText>, size: Option<Tray>) -> Result<Goal, Failure> {
    let goal = Goal::parse(goal.map_or("blank-last", |goal| &goal.0), size);
    goal.map_err(|error| Failure::input(format_args!("goal: {error}")))
}

impl MovesText {
    /// The moves, and the board after them. A notation that is not given is guessed.
    ///
    /// # Errors
    /// The first wrong move.
    pub fn read(
        &self,
        board: &Board,
        notation: Option<Notation>,
    ) -> Result<(Vec<Direction>, Board), Failure> {
        let notation = notation.unwrap_or_else(|| Notation::guess(&self.0));
        let read = board.trace_moves(&self.0, notation);
        read.map_err(|fault| Failure::of_moves(&fault, &self.0))
    }
}

impl Place {
    /// The goal.
    ///
    /// # Errors
    /// An invalid goal, or one of another size.
    pub fn goal(&self) -> Result<Goal, Failure> {
        read_goal(self.goal.as_ref(), self.size)
    }
}

impl Session {
    /// Reads a board within the limit of cells.
    ///
    /// # Errors
    /// An invalid board, or one with too many cells.
    pub fn board(&self, text: &BoardText, size: Option<Tray>) -> Result<ListedBoard, Failure> {
        size.map_or(Ok(()), |size| self.check_cells(size))?;
        let read = board_text::parse(&text.0, size).map_err(Failure::input)?;
        self.check_cells(read.board.tray())?;
        Ok(read)
    }

    /// Checks the limit of cells.
    ///
    /// # Errors
    /// A tray with more cells.
    pub(crate) fn check_cells(&self, tray: Tray) -> Result<(), Failure> {
        let (cells, most) = (tray.cells(), self.limits.cells);
        match cells > most {
            true => Err(Failure::input(format_args!(
                "a {tray} board has {cells} cells, maximum {most}"
            ))),
            false => Ok(()),
        }
    }

    /// Reads a board and its goal, which is that of the board's text if the request has none.
    ///
    /// # Errors
    /// An invalid board or goal, or a board whose text states another goal.
    pub fn subject(&self, subject: &Subject) -> Result<(ListedBoard, Goal), Failure> {
        self.place(
            self.board(&subject.board, subject.size)?,
            subject.goal.as_ref(),
        )
    }

    /// A board that was read, and its goal: `goal`, or that of the board's text.
    ///
    /// # Errors
    /// As [`Self::subject`].
    pub fn place(
        &self,
        read: ListedBoard,
        goal: Option<&BoardText>,
    ) -> Result<(ListedBoard, Goal), Failure> {
        self.check_cells(read.board.tray())?;
        let goal = match (goal, &read.goal) {
            (None, Some(goal)) => goal.clone(),
            (goal, _) => read_goal(goal, Some(read.board.tray()))?,
        };
        Ok((read.for_goal(&goal).map_err(Failure::input)?, goal))
    }
}

pub(crate) fn parse(session: &Session, Parse { board, size }: &Parse) -> Result<Response, Failure> {
    Ok(Response::Board(session.board(board, *size)?.into()))
}

pub(crate) fn list(List { text, size }: &List) -> Response {
    let entry = |listed: &ListedText| {
        let read = listed.parse();
        ListEntry {
            line: listed.first_line,
            text: listed.text(),
            error: read.as_ref().err().map(BoardError::to_string),
            board: read.ok().map(WrittenBoard::from),
        }
    };
    Response::List(board_text::list(text, *size).iter().map(entry).collect())
}

pub(crate) fn solvability(session: &Session, subject: &Subject) -> Result<Response, Failure> {
    let (read, goal) = session.subject(subject)?;
    let solvability = Solvability::of(&goal, &read.board);
    let solvability = solvability.ok_or_else(|| Failure::input("board and goal differ in size"));
    Ok(Response::Solvability(solvability?))
}

pub(crate) fn apply(session: &Session, request: &Apply) -> Result<Response, Failure> {
    let (read, goal) = session.subject(&request.subject)?;
    let (moves, result) = request.moves.read(&read.board, request.notation)?;
    Ok(Response::Moves(MovesResult {
        board: read.board.to_string(),
        moves: request.moves.0.clone(),
        length: moves.len(),
        result: result.to_string(),
        solved: &result == goal.board(),
    }))
}

pub(crate) fn convert(session: &Session, request: &Convert) -> Result<Response, Failure> {
    let board = session.subject(&request.subject)?.0.board;
    let (moves, _) = request.moves.read(&board, request.from)?;
    let text = board.write_moves(&moves, request.to.unwrap_or_default());
    text.map(Response::Text).map_err(Failure::input)
}

pub(crate) fn invert(Invert { moves, notation }: &Invert) -> Result<Response, Failure> {
    let notation = notation.unwrap_or_else(|| Notation::guess(&moves.0));
    let text = invert_text(&moves.0, notation).map_err(Failure::input);
    text.map(Response::Text)
}

pub(crate) fn draw(session: &Session, request: &Draw) -> Result<Response, Failure> {
    let (read, goal) = session.subject(&request.subject)?;
    let (board, mut drawing) = (&read.board, Drawing::new(&goal));
    if let Some(size) = request.cell_size {
        let size = u32::try_from(size)
            .ok()
            .filter(|size| (16..=512).contains(size));
        drawing.cell_size = size.ok_or_else(|| {
            let name = session.spelling.name("cell_size");
            Failure::input(format_args!("{name} must be 16 to 512 pixels"))
        })?;
    }
    let text = match (request.style.unwrap_or_default(), &request.moves) {
        (Style::Text, None) => drawing.text(board, request.ansi),
        (Style::Svg, None) => drawing.svg(board),
        (Style::Svg, Some(moves)) => {
            let moves = moves.read(board, request.notation)?.0;
            drawing
                .animated_svg(board, &moves)
                .map_err(Failure::input)?
        }
        (Style::Text, Some(_)) => {
            return Err(Failure::input("moves are drawn in the style svg only"));
        }
    };
    Ok(Response::Text(text))
}

pub(crate) fn scramble(
    session: &Session,
    request: &Scramble,
    cancel: &Cancel,
) -> Result<Response, Failure> {
    let goal = request.place.goal()?;
    session.check_cells(goal.tray())?;
    let (number, seed) = (request.number.unwrap_or(1), request.seed.unwrap_or(0));
    let moves = request.moves.unwrap_or(0);
    let (boards, walks) = (session.limits.boards, session.limits.walks);
    if number > boards || number.saturating_mul(moves) > walks {
        return Err(Failure::input(format_args!(
            "{number} boards of {moves} moves are too many for one call: at most {boards} boards, \
             and {walks} moves together"
        )));
    }
    let mut scrambler = Scrambler::new(seed);
    let mut board = |number| {
        if cancel.is_cancelled() {
            return Err(Failure::cancelled());
        }
        let Some(walk) = request.moves else {
            let state = scrambler.draw(goal.tray(), goal.blank());
            let board = goal.board_of(&state);
            let board = board.as_ref().unwrap_or(goal.board());
            return Ok(RandomBoard::new(seed, number, board, None));
        };
        let moves = scrambler.walk(goal.board(), walk as usize);
        let board = goal
            .board()
            .play(&moves)
            .unwrap_or_else(|_| goal.board().clone());
        let moves = Some(write_letters(&moves));
        Ok(RandomBoard::new(seed, number, &board, moves))
    };
    let boards = (1..=number).map(&mut board).collect::<Result<_, _>>();
    boards.map(Response::Boards)
}

/// The partitions are not parsed, because parsing needs all presets, which would add 25 kB to the
/// WebAssembly module of the rules.
pub(crate) fn partitions(request: &Partitions) -> Response {
    let metric = request.metric.unwrap_or(Metric::Single);
    let names = |tray| HeuristicSpec::default_names(metric, tray);
    Response::Names(
        request
            .size
            .or(Tray::square(16))
            .map(names)
            .unwrap_or_default(),
    )
}
