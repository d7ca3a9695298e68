use std::collections::HashMap;

use roxmltree::Document;

use super::*;
use crate::{Colours, Goal, Notation, Tray};

/// Keyframes in order of time: the time as a fraction of the duration, and the position.
type Keyframes = Vec<(f64, [f64; 2])>;

/// Parses an SVG as a browser does. Returns the position of each tile and its keyframes, if any.
fn read(svg: &str) -> HashMap<u16, ([f64; 2], Keyframes)> {
    let document = Document::parse(svg).unwrap();
    let style = document
        .descendants()
        .find(|node| node.has_tag_name("style"));
    let style = style.and_then(|node| node.text()).unwrap_or("");
    let mut keyframes = HashMap::new();
    for rule in style.split("@keyframes ").skip(1) {
        let (name, stops) = rule.split_once('{').unwrap();
        let mut found = Keyframes::new();
        for stop in stops.trim().trim_end_matches('}').split('}') {
            let Some((times, place)) = stop.split_once("{transform:") else {
                continue;
            };
            for time in times.split(',') {
                let share: f64 = time.strip_suffix('%').unwrap().parse().unwrap();
                found.push((share / 100.0, pair(place, "px,")));
            }
        }
        keyframes.insert(name.to_owned(), found);
    }
    let mut tiles = HashMap::new();
    for group in document.descendants().filter(|node| node.has_tag_name("g")) {
        let Some(text) = group.children().find(|node| node.has_tag_name("text")) else {
            continue;
        };
        let number = text.text().unwrap().parse().unwrap();
        let place = pair(group.attribute("transform").unwrap(), " ");
        let name = group.attribute("style").map(|style| {
            let name = style.strip_prefix("animation-name:").unwrap();
            assert!(style_has_class(svg, group.attribute("class").unwrap()));
            keyframes.remove(name).unwrap()
        });
        tiles.insert(number, (place, name.unwrap_or_default()));
    }
    assert!(keyframes.is_empty(), "keyframes of no tile: {keyframes:?}");
    tiles
}

fn style_has_class(svg: &str, class: &str) -> bool {
    svg.contains(&format!("\n.{class}{{animation:"))
}

/// The two numbers of a text such as `translate(1px,2px)`.
fn pair(text: &str, separator: &str) -> [f64; 2] {
    let inner = text.strip_prefix("translate(").unwrap();
    let inner = inner.trim_end_matches("px)").trim_end_matches(')');
    let (x, y) = inner.split_once(separator).unwrap();
    [x, y].map(|number| number.parse().unwrap())
}

/// Position of a tile at a fraction of the duration, by linear interpolation. The easing is
/// ignored, because it does not change the positions at the keyframes.
fn place_at(place: [f64; 2], keyframes: &Keyframes, share: f64) -> [f64; 2] {
    let mut last = (0.0, place);
    for &(time, place) in keyframes {
        if time >= share {
            let part = if time > last.0 {
                (share - last.0) / (time - last.0)
            } else {
                1.0
            };
            return [0, 1].map(|axis| last.1[axis] + part * (place[axis] - last.1[axis]));
        }
        last = (time, place);
    }
    last.1
}

fn check(drawing: &Drawing, board: &Board, moves: &[Direction]) {
    let svg = drawing.animated_svg(board, moves).unwrap();
    let tiles = read(&svg);
    assert_eq!(tiles.len(), board.numbers().len() - 1);
    let (step, pause) = (drawing.move_time.as_millis() as f64, PAUSE as f64);
    let length = moves.len() as f64 * step + 2.0 * pause;
    if !moves.is_empty() {
        assert!(svg.contains(&format!("{{animation:{length}ms ")), "{svg}");
    }
    let cell = drawing.cell();
    for made in 0..=moves.len() {
        let now = board.play(&moves[..made]).unwrap();
        let mut times = vec![pause + made as f64 * step];
        if made == 0 {
            times.push(0.0);
        }
        if made == moves.len() {
            times.push(length);
        }
        for time in times {
            for (place, &number) in board.tray().iter().zip(now.numbers()) {
                if number == 0 {
                    continue;
                }
                let expected = [board.tray().column(place), board.tray().row(place)];
                let (first, keyframes) = &tiles[&number];
                let found = place_at(*first, keyframes, time / length.max(1.0));
                for axis in [0, 1] {
                    let off = (found[axis] - (expected[axis] * cell) as f64).abs();
                    assert!(
                        off < 0.01,
                        "tile {number} after {made} moves: {found:?}\n{svg}"
                    );
                }
            }
        }
    }
    // A tile moves only when a move slides this tile, and it moves in a straight line.
    for (_, keyframes) in tiles.values() {
        let ways = keyframes.windows(2).map(|pair| {
            let [a, b] = [pair[0], pair[1]];
            assert!(a.0 < b.0, "{svg}");
            (a.1[0] - b.1[0]).abs() + (a.1[1] - b.1[1]).abs()
        });
        assert!(
            ways.into_iter().all(|way| way == 0.0 || way == cell as f64),
            "{svg}"
        );
    }
}

/// Random-looking moves that never undo the previous one.
fn walk(board: &Board, count: usize) -> Vec<Direction> {
    let (mut now, mut moves) = (board.clone(), Vec::<Direction>::new());
    for step in 0_usize.. {
        if moves.len() == count {
            break;
        }
        let direction = Direction::ALL[(step * step / 3 + step) % 4];
        let undoes = moves
            .last()
            .is_some_and(|last| *last == direction.opposite());
        if let Some(next) = now.play(&[direction]).ok().filter(|_| !undoes) {
            moves.push(direction);
            now = next;
        }
    }
    moves
}

/// Visits all lists of up to `depth` moves from a board.
fn visit(
    board: &Board,
    moves: &mut Vec<Direction>,
    depth: usize,
    check: &mut dyn FnMut(&[Direction]),
) {
    check(moves);
    if depth == 0 {
        return;
    }
    for direction in Direction::ALL {
        if let Ok(next) = board.play(&[direction]) {
            moves.push(direction);
            visit(&next, moves, depth - 1, check);
            moves.pop();
        }
    }
}

#[test]
fn tiles_are_where_the_moves_put_them_at_every_step() {
    for (size, depth) in [("3x2", 7), ("2x2", 8), ("3x1", 6)] {
        let tray: Tray = size.parse().unwrap();
        let mut drawing = Drawing::new(&Goal::blank_last(tray));
        let board = drawing.goal.board().clone();
        visit(&board, &mut Vec::new(), depth, &mut |moves| {
            check(&drawing, &board, moves);
        });
        drawing.cell_size = 33;
        drawing.move_time = Duration::from_millis(7);
        visit(&board, &mut Vec::new(), 5, &mut |moves| {
            check(&drawing, &board, moves);
        });
    }
    let hardest = "15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0".parse().unwrap();
    let moves = walk(&hardest, 500);
    check(
        &Drawing::new(&Goal::blank_last(hardest.tray())),
        &hardest,
        &moves,
    );
}

#[test]
fn pictures_are_valid_and_deterministic() {
    for (width, height) in [(1, 2), (3, 3), (4, 4), (5, 3), (20, 20)] {
        let tray = Tray::new(width, height).unwrap();
        for goal in [Goal::blank_last(tray), Goal::blank_first(tray)] {
            let mut drawing = Drawing::new(&goal);
            for colours in [
                Colours::Plain,
                Colours::Fringe,
                Colours::Rows,
                Colours::Classes(vec![Some(usize::MAX), None, Some(2)]),
            ] {
                drawing.colours = colours;
                for cell_size in [0, 16, 64, u32::MAX] {
                    drawing.cell_size = cell_size;
                    let svg = drawing.svg(goal.board());
                    assert_eq!(svg, drawing.svg(goal.board()));
                    let document = Document::parse(&svg).unwrap();
                    let tiles = document.descendants().filter(|n| n.has_tag_name("text"));
                    assert_eq!(tiles.count(), tray.cells() - 1);
                    check(&drawing, goal.board(), &[]);
                }
            }
        }
    }
    // A board whose size differs from the size of the goal can also be drawn.
    let drawing = Drawing::new(&Goal::blank_last("2x2".parse().unwrap()));
    let board = Goal::blank_last("4x3".parse().unwrap());
    assert!(drawing.svg(board.board()).contains(">11</text>"));
    assert!(drawing.text(board.board(), true).contains("11"));
}

#[test]
fn two_animations_in_a_page_are_independent_and_bad_moves_are_errors() {
    let drawing = Drawing::new(&Goal::blank_last("2x2".parse().unwrap()));
    let board = drawing.goal.board().clone();
    let name = |moves: &str| {
        let moves = board.read_moves(moves, Notation::Tile).unwrap();
        Animation::new(&drawing, &board, &moves).unwrap().name
    };
    assert_ne!(name("D"), name("R"));
    assert_eq!(name("DR"), name("D R"));
    assert!(matches!(
        drawing.animated_svg(&board, &[Direction::Up]),
        Err(MoveError::Frame(_, 1, _))
    ));
}

#[test]
fn a_long_solution_stays_small() {
    let board: Board = "15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0".parse().unwrap();
    let moves = walk(&board, 80);
    let drawing = Drawing::new(&Goal::blank_last(board.tray()));
    let length = drawing.animated_svg(&board, &moves).unwrap().len();
    assert!(length < 12_000, "{length} bytes");
}
