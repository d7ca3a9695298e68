//! `solver explain`: shows the values of heuristics for a board, and the reasons for these values,
//! as text or as an SVG picture.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use command::words::counted;
use command::{Failure, SharedArgs, print_line};
use lab::Explanation;
use lab::heuristic::Term;
use puzzle::{Board, Drawing, Goal};
use serde_json::json;
use session::request::{Explain, Search, Solve};
use session::{Control, Request, Response};

use crate::caller::{BoardQuestion, MAX_PROVED_CELLS, MAX_TIME};
use crate::compare::factory;

#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    question: BoardQuestion<Explain>,
    /// SVG file to write, or - for standard output; the picture shows the board with the terms of
    /// each heuristic
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Explains a board. Returns 1 if it has no solution.
pub(crate) fn run(shared: SharedArgs, arguments: &ExplainArguments) -> Result<u8, Failure> {
    let (board, request, mut caller) = arguments.question.read(shared, None)?;
    caller.session.factory = factory(&caller.shared);
    let (_, goal) = caller.session.subject(&request.subject)?;
    let board = &board;
    let solve = Request::Solve(Solve {
        subject: request.subject.clone(),
        search: Search {
            max_time: Some(MAX_TIME),
            threads: Some(caller.shared.thread_count() as u64),
            ..Search::default()
        },
        ..Solve::default()
    });
    let Some(Response::Explanations(seen)) = caller.ask(&Request::Explain(request))? else {
        return Ok(1);
    };
    // The true distance, if it is found quickly.
    if board.tray().cells() > MAX_PROVED_CELLS && !arguments.question.open.build {
        caller.session.limits.build_time = [0.0; 2];
    }
    let silent = Control::new(command::cancel(), None);
    let distance = match caller.session.call(&solve, &silent) {
        Ok(Response::Report(report)) => report.length,
        _ => None,
    };
    let shared = &caller.shared;
    let object = json!({
        "board": board.to_string(),
        "goal": goal.to_string(),
        "distance": distance,
        "heuristics": seen,
    });
    if let Some(file) = &arguments.svg {
        let picture = svg(&goal, board, &seen, distance);
        let line = format!("wrote {}: {} bytes", file.display(), picture.len());
        shared.write(file, &picture, object, line)?;
    } else if shared.json {
        print_line(object);
    } else {
        print_words(&goal, board, &seen, distance);
    }
    Ok(0)
}

fn print_words(goal: &Goal, board: &Board, seen: &[Explanation], distance: Option<u32>) {
    print_line(Drawing::new(goal).text(board, false).trim_end());
    print_line(match distance {
        Some(distance) => format!("{} from the goal", counted(distance.into(), "move")),
        None => "distance to the goal: not found within 2 s".to_owned(),
    });
    for own in seen {
        let kind = if own.is_consistent {
            ""
        } else {
            ", not consistent"
        };
        let mark = if own.is_largest {
            "  <- the largest"
        } else {
            ""
        };
        let (value, name) = (own.value, &own.heuristic);
        print_line(format_args!("\n{value:3}  {name}{kind}{mark}"));
        for term in &own.terms {
            print_line(format_args!("     {:3}  {}", term.value, term.words));
        }
        print_line(format_args!("          ({})", own.source));
    }
}

/// Side of a cell. All lengths are in pixels.
const CELL: usize = 44;
const MARGIN: usize = 20;
const WIDTH: usize = 920;
const LINE: usize = 19;
/// Maximum number of text lines next to a board.
const MAX_LINES: usize = 12;
/// Minimum width of the text next to a board.
const MIN_WORDS: usize = 440;
/// Approximate width of a letter of this text.
const LETTER: usize = 7;
/// Colours of Okabe & Ito, which can be distinguished with every kind of colour vision and are
/// light enough for black text.
const COLOURS: [&str; 6] = [
    "#9ecae9", "#f4b183", "#8fd6bd", "#e6bcd3", "#f5cf7a", "#b9e0f7",
];
const PLAIN: &str = "#eeeeee";

/// One panel per heuristic: the board, whose tiles show the heuristic's terms, and a text.
fn svg(goal: &Goal, board: &Board, seen: &[Explanation], distance: Option<u32>) -> String {
    let tray = board.tray();
    let (width, height) = (tray.width() * CELL, tray.height() * CELL);
    let lines = |own: &Explanation| words(own).len() + 2;
    let panel = |own: &Explanation| height.max(lines(own) * LINE) + MARGIN;
    let total: usize = seen.iter().map(panel).sum::<usize>() + MARGIN + 2 * LINE;
    let far = match distance {
        Some(distance) => format!("{distance} moves from the goal"),
        None => "distance to the goal unknown".to_owned(),
    };
    let left = MARGIN + width + MARGIN;
    let page = WIDTH.max(left + MIN_WORDS + MARGIN);
    let most = (page - left - MARGIN) / LETTER;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{page}\" height=\"{total}\" \
         viewBox=\"0 0 {page} {total}\" role=\"img\" font-family=\"DejaVu Sans, Verdana, \
         sans-serif\">\n<title>{board}: {far}</title>\n\
         <rect width=\"{page}\" height=\"{total}\" fill=\"#ffffff\"/>\n"
    );
    let heading = format!("{tray}: {far}");
    write_text(&mut svg, (MARGIN, MARGIN + 4), 17, BOLD, &heading);
    let mut top = MARGIN + 2 * LINE - 8;
    for own in seen {
        draw_board(&mut svg, goal, board, own, top);
        let mark = if own.is_largest { ", the largest" } else { "" };
        let heading = format!("{}: {}{mark}", own.heuristic, own.value);
        write_text(&mut svg, (left, top + LINE - 4), 15, BOLD, &heading);
        let texts = words(own);
        for (number, text) in (2..).zip(&texts) {
            let place = (left, top + number * LINE - 4);
            write_text(&mut svg, place, 13, NORMAL, &cut(text, most));
        }
        top += panel(own);
    }
    svg + "</svg>\n"
}

/// Whether a term concerns exactly one tile. The picture shows the term's value on that tile.
fn is_of_tile(term: &Term) -> bool {
    term.tiles.len() == 1
}

/// The text next to the board.
fn words(own: &Explanation) -> Vec<String> {
    let terms = own.terms.iter().filter(|term| !is_of_tile(term));
    let mut words: Vec<String> = terms
        .map(|term| format!("{}  {}", term.value, term.words))
        .collect();
    if own.terms.iter().any(is_of_tile) {
        words.push("on each tile: its moves".to_owned());
    }
    if words.len() > MAX_LINES {
        let more = words.len() - MAX_LINES + 1;
        words.truncate(MAX_LINES - 1);
        words.push(format!("and {more} more"));
    }
    words
}

/// Shortens a text to `most` letters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let begin: String = text.chars().take(most - 4).collect();
    format!("{} ...", begin.trim_end_matches([',', ' ']))
}

/// Attributes of headings and of lines.
const BOLD: &str = "font-weight=\"bold\" fill=\"#222222\" xml:space=\"preserve\"";
const NORMAL: &str = "font-weight=\"normal\" fill=\"#222222\" xml:space=\"preserve\"";

fn write_text(svg: &mut String, (x, y): (usize, usize), size: usize, style: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" {style}>{text}</text>"
    );
}

/// Draws the board. A term of two or more tiles gives its colour to these tiles. If several terms
/// contain a tile, the first of them colours the tile.
fn draw_board(svg: &mut String, goal: &Goal, board: &Board, own: &Explanation, top: usize) {
    let tray = board.tray();
    let several = own.terms.iter().filter(|term| term.tiles.len() > 1);
    let several: Vec<&Term> = several.collect();
    let cells = tray.iter().zip(board.numbers());
    for (cell, &number) in cells.filter(|&(_, &number)| number != 0) {
        let x = MARGIN + tray.column(cell) * CELL;
        let y = top + tray.row(cell) * CELL;
        let coloured = several.iter().position(|term| term.tiles.contains(&number));
        let mut terms = own.terms.iter();
        let single = terms.find(|term| is_of_tile(term) && term.tiles[0] == number);
        let fill = match (coloured, single) {
            (Some(term), _) => COLOURS[term % COLOURS.len()],
            (None, Some(_)) => COLOURS[0],
            (None, None) => PLAIN,
        };
        let side = CELL - 3;
        let is_home = goal.cell_of(number) == Some(cell);
        let stroke = if is_home { "#888888" } else { "#333333" };
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"5\" \
             fill=\"{fill}\" stroke=\"{stroke}\"/>"
        );
        let middle = (x + side / 2, y + side / 2 + 6);
        let style = "text-anchor=\"middle\" fill=\"#000000\"";
        write_text(svg, middle, 17, style, &number.to_string());
        if let Some(term) = single {
            let corner = (x + side - 3, y + side - 4);
            let style = "text-anchor=\"end\" fill=\"#333333\"";
            write_text(svg, corner, 10, style, &term.value.to_string());
        }
    }
    let (width, height) = (tray.width() * CELL + 3, tray.height() * CELL + 3);
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"7\" fill=\"none\" \
         stroke=\"#555555\"/>",
        MARGIN - 3,
        top - 3
    );
}
