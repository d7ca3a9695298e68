//! `solver show`: draws boards and solutions.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use command::options::about;
use command::quantity::seconds;
use command::words::counted;
use command::{Failure, SharedArgs, is_standard_output, print_line};
use console::Term;
use puzzle::{Board, Colours, Direction, Drawing, Goal, Notation, write_letters};
use serde_json::json;
use session::request::{Draw, Hint, Solve};
use session::{Request, Response};
use solver::Mode;

use crate::caller::BoardQuestion;

#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    question: BoardQuestion<Hint>,
    /// Moves to show from the board, such as U2RD
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
    /// Solve the board in the mode of --mode, and show the solution
    #[arg(long, conflicts_with = "moves")]
    solve: bool,
    #[arg(long, help = about::<Solve>("mode"), default_value = "optimal")]
    mode: Mode,
    #[arg(long, help = about::<Solve>("short"))]
    short: bool,
    /// Draw the board after each move, not only after the last move
    #[arg(long)]
    steps: bool,
    /// SVG file to write, or - for standard output; the picture is animated if there are moves
    /// [default: a drawing of characters on standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Groups of tiles that share a colour: fringe (L-shaped layers), rows (rows of the goal),
    /// partition (parts of --partition) or plain (all tiles)
    #[arg(long, alias = "colors", default_value = "fringe", value_name = "NAME")]
    colours: String,
    /// Width and height of a cell in pixels, 16 to 512
    #[arg(long, value_name = "PIXELS", default_value_t = 64, requires = "out",
          value_parser = clap::value_parser!(u32).range(16..=512))]
    cell: u32,
    /// Time per move in an animated picture
    #[arg(long, value_name = "TIME", default_value = "300ms", requires = "out",
          value_parser = animation_time)]
    move_time: Duration,
    #[arg(long, help = about::<Draw>("notation"))]
    notation: Option<Notation>,
}

fn animation_time(text: &str) -> Result<Duration, String> {
    let time = seconds(text)?;
    match (Duration::from_millis(1)..=Duration::from_secs(60)).contains(&time) {
        true => Ok(time),
        false => Err(format!("expected a time from 1ms to 60s, found `{text}`")),
    }
}

/// Draws a board and its moves. Returns 1 if no solution was found.
pub(crate) fn run(shared: SharedArgs, arguments: &ShowArguments) -> Result<u8, Failure> {
    let (board, hint, caller) = arguments.question.read(shared, None)?;
    let shared = &caller.shared;
    if let Some(out) = &arguments.out {
        check_name(out)?;
    }
    let (_, goal) = caller.session.subject(&hint.subject)?;
    let drawing = arguments.drawing(shared, &goal)?;
    let (moves, notation) = match arguments.solve {
        true => {
            let solve = Request::Solve(Solve {
                subject: hint.subject,
                tables: hint.tables,
                search: hint.search,
                mode: Some(arguments.mode),
                short: arguments.short,
                ..Solve::default()
            });
            match caller.ask(&solve)? {
                Some(Response::Report(report)) => (report.moves.unwrap_or_default(), None),
                _ => return Ok(1),
            }
        }
        false => (arguments.moves.join(" "), arguments.notation),
    };
    let notation = notation.unwrap_or_else(|| Notation::guess(&moves));
    let moves = board.read_moves(&moves, notation).map_err(Failure::input)?;
    match &arguments.out {
        Some(out) => {
            let svg = match moves.is_empty() {
                true => Ok(drawing.svg(&board)),
                false => drawing.animated_svg(&board, &moves),
            };
            let svg = svg.map_err(Failure::input)?;
            let object = json!({
                "file": out.display().to_string(),
                "bytes": svg.len(),
                "board": board.to_string(),
                "moves": write_letters(&moves),
                "length": shared.metric().length(&moves),
            });
            let line = format!("wrote {}: {} bytes", out.display(), svg.len());
            shared.write(out, &svg, object, line)?;
        }
        None => print_drawing(shared, arguments.steps, &drawing, &board, &moves)?,
    }
    Ok(0)
}

impl ShowArguments {
    fn drawing(&self, shared: &SharedArgs, goal: &Goal) -> Result<Drawing, Failure> {
        let mut drawing = Drawing::new(goal);
        drawing.colours = match self.colours.as_str() {
            "partition" => {
                let spec = shared.spec(goal)?;
                let partition = spec.partitions().first().ok_or_else(|| {
                    Failure::input(
                        "this partition has no parts to colour: name one that has tables",
                    )
                })?;
                Colours::of_partition(partition)
            }
            name => name.parse().map_err(|_| {
                Failure::input(format_args!(
                    "--colours must be fringe, rows, partition or plain, not `{name}`"
                ))
            })?,
        };
        (drawing.cell_size, drawing.move_time) = (self.cell, self.move_time);
        Ok(drawing)
    }
}

fn check_name(out: &Path) -> Result<(), Failure> {
    let ending = out.extension();
    let is_svg = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    match is_svg || is_standard_output(out) {
        true => Ok(()),
        false => Err(Failure::input(format!(
            "pictures are SVG files: expected a name such as board.svg, found {}",
            out.display()
        ))),
    }
}

/// Whether drawings on standard output have colours.
fn is_coloured() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Number of spaces between boards side by side.
const GAP: usize = 3;

fn print_drawing(
    shared: &SharedArgs,
    has_steps: bool,
    drawing: &Drawing,
    board: &Board,
    moves: &[Direction],
) -> Result<(), Failure> {
    let is_coloured = is_coloured() && !shared.json;
    // Consecutive moves in the same direction are one step.
    let mut boards = vec![(String::new(), board.clone())];
    for run in moves.chunk_by(|a, b| a == b) {
        let (_, last) = &boards[boards.len() - 1];
        let next = last.play(run).map_err(Failure::input)?;
        boards.push((write_letters(run), next));
    }
    if !has_steps && boards.len() > 2 {
        boards.drain(1..boards.len() - 1);
        boards[1].0 = String::new();
    }
    let texts = boards
        .iter()
        .map(|(_, board)| drawing.text(board, is_coloured));
    let texts: Vec<String> = texts.collect();
    if shared.json {
        print_line(json!({
            "board": board.to_string(),
            "moves": write_letters(moves),
            "length": shared.metric().length(moves),
            "drawings": texts,
        }));
        return Ok(());
    }
    if !moves.is_empty() {
        let length = counted(shared.metric().length(moves) as u64, "move");
        print_line(format_args!("{length}: {}", write_letters(moves)));
    }
    // Colour codes have no width on screen, so the width is measured without them.
    let plain = drawing.text(board, false);
    let width = plain.lines().next().map_or(0, |line| line.chars().count());
    let size = Term::stdout().size_checked();
    let room = size.map_or(80, |(_, columns)| usize::from(columns));
    let in_row = ((room + GAP) / (width + GAP)).max(1);
    let gap = " ".repeat(GAP);
    let rows = boards.chunks(in_row).zip(texts.chunks(in_row));
    for (boards, texts) in rows {
        if has_steps && !moves.is_empty() {
            let captions = boards.iter().map(|(run, _)| format!("{run:width$}"));
            let captions: Vec<String> = captions.collect();
            print_line(captions.join(&gap).trim_end());
        }
        let columns: Vec<Vec<&str>> = texts.iter().map(|text| text.lines().collect()).collect();
        for line in 0..columns[0].len() {
            let parts: Vec<&str> = columns.iter().map(|column| column[line]).collect();
            print_line(parts.join(&gap));
        }
    }
    Ok(())
}
