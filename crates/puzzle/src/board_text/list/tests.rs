use proptest::prelude::*;

use super::*;
use crate::Board;
use crate::board_text::clean::comment_start;
use crate::board_text::parse_listed;

/// All texts of a list that is read line by line.
fn read(list: &str, size: Option<Tray>) -> Vec<ListedText> {
    read_lines(list.lines(), size)
}

fn read_lines<'a>(lines: impl Iterator<Item = &'a str>, size: Option<Tray>) -> Vec<ListedText> {
    let mut reader = ListReader::new(size, false);
    for line in lines {
        reader.push(line);
    }
    reader.finish();
    std::iter::from_fn(|| reader.pop()).collect()
}

/// The board of each text; for an invalid text `FIRST-LAST: ERROR`, with its first and last line
/// numbers.
fn answers(list: &str, size: Option<Tray>) -> Vec<String> {
    let answer = |text: ListedText| match text.parse() {
        Ok(listed) => listed.board.to_string(),
        Err(error) => format!("{}-{}: {error}", text.first_line, text.last_line),
    };
    read(list, size).into_iter().map(answer).collect()
}

fn tray(text: &str) -> Option<Tray> {
    Some(text.parse().unwrap())
}

#[test]
fn a_whole_board_is_complete_at_once() {
    for (size, line) in [
        (None, "1 2/0 3"),
        (None, "[[1,2],[0,3]]"),
        (None, "1 2; 0 3"),
        (None, "1 2 3 4 5 6 7 8 0"),
        (None, "1,2,3,4,5,6,7,8,0,31"),
        (None, "17 1 2 3 4 5 6 7 8 0 31"),
        (None, "1 2 3 4 5 6 7 8 8"),
        (None, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"),
        (tray("2x2"), "1 2 3 0"),
        (tray("4x1"), "1 2 3 0"),
        (tray("3x2"), "1 2 3 4 5 0"),
        (None, "what is this"),
        (tray("9x9"), "what is this"),
        (None, "[1 2 3/4 5 6/7 8 0]"),
        (None, "[[1,2],[3,0"),
        (None, "]"),
    ] {
        let mut reader = ListReader::new(size, false);
        reader.push(line);
        let is_open = line.ends_with(",0");
        assert_eq!(reader.pop().is_some(), !is_open, "{line}");
    }
}

#[test]
fn rows_are_joined() {
    let list =
        "# boards\n1 2 3\n4 5 6\n7 8 0\n8 6 7\n2 5 4\n# within\n3 - 1\n\n1 2/0 3 1\n1 2\n_ 3\n";
    let expected = [
        "1 2 3/4 5 6/7 8 0",
        "8 6 7/2 5 4/3 0 1",
        "1 2/0 3",
        "1 2/0 3",
    ];
    assert_eq!(answers(list, None), expected);
    let lines: Vec<_> = read(list, None)
        .iter()
        .map(|text| (text.first_line, text.last_line))
        .collect();
    assert_eq!(lines, [(2, 4), (5, 8), (10, 10), (11, 12)]);
}

#[test]
fn rows_that_are_not_square_wait_for_the_next_line() {
    // The first two rows are the upper half of a 4x4 board, and are also a 4x2 board.
    let list = "1 2 3 4\n5 6 7 0\n9 10 11 8\n13 14 15 12\n1 2 3\n4 0 5\n1 2\n3 0\n";
    let expected = [
        "1 2 3 4/5 6 7 0/9 10 11 8/13 14 15 12",
        "1 2 3/4 0 5",
        "1 2/3 0",
    ];
    assert_eq!(answers(list, None), expected);
    let halves = "1 2 3 4\n5 6 7 0\n\n1 2 3 4\n0 5 6 7\n";
    let expected = ["1 2 3 4/5 6 7 0", "1 2 3 4/0 5 6 7"];
    assert_eq!(answers(halves, None), expected);
    assert_eq!(answers(&halves.replace("\n\n", "\n"), None), expected);
    assert_eq!(
        answers(&halves.replace("\n\n", "\n"), tray("4x2")),
        expected
    );
}

#[test]
fn errors_of_rows_name_the_lines_and_stay_in_their_block() {
    let good = "\n1 2/0 3\n";
    let said = |list: &str, size| {
        let mut answers = answers(&format!("{list}{good}"), size);
        assert_eq!(
            answers.pop().as_deref(),
            Some("1 2/0 3").filter(|_| size.is_none())
        );
        answers.join("; ")
    };
    assert_eq!(
        said("1 2 3 4\n5 6 7 8\n9 10 11 15\n", None),
        "1-3: the rows on lines 1 to 3 have 12 numbers: too few for tile 15"
    );
    assert_eq!(
        said("1 2 3 15\n", None),
        "1-1: the row on line 1 has 4 numbers: too few for tile 15"
    );
    assert_eq!(
        said("1 2 3 4\n5 6 7\n8 9 10 11\n12 13 14 0\n", None),
        "1-4: row 2 has 3 numbers, but row 1 has 4: one number is missing; write the blank as 0 or _"
    );
    assert_eq!(
        said("1 2 3\n4 2 6\n7 8 0\n", None),
        "1-3: tile 2 at row 1 column 2 is repeated at row 2 column 2; tile 5 is missing"
    );
    let with_size = answers(
        "\n# 4x4\n1 2 3 4\n5 6 7 8\n9 10 11 12\n\n1 2 3",
        tray("4x4"),
    );
    assert_eq!(
        with_size,
        [
            "3-5: a board of 4x4 has 16 numbers in 4 rows, the rows on lines 3 to 5 have 12 numbers",
            "7-7: a board of 4x4 has 16 numbers in 4 rows, the row on line 7 has 3 numbers",
        ]
    );
}

#[test]
fn a_bad_board_in_rows_does_not_shift_later_boards() {
    let good = "1 2 3\n4 5 6\n7 0 8\n";
    for bad in [
        "1 2 3\n4 2 6\n7 8 0\n",
        "1 2 3\n4 5\n7 8 0\n",
        "1 2 3\n4 5 60\n7 8 0\n",
        "1 2 3\n4 5 6 6\n7 8 0\n\n",
    ] {
        for size in [None, tray("3x3")] {
            let answers = answers(&[good, bad, good, good].concat(), size);
            assert_eq!(answers.len(), 4, "{answers:?}");
            assert!(answers[1].starts_with("4-6: "), "{answers:?}");
            for at in [0, 2, 3] {
                assert_eq!(answers[at], "1 2 3/4 5 6/7 0 8");
            }
        }
    }
}

#[test]
fn a_bad_board_ends_where_the_previous_ones_did() {
    let list = "1 2 3\n4 0 5\n\n1 2 3\n4 2 0\n1 2 3\n0 4 5\n";
    let answers = answers(list, None);
    assert_eq!([&answers[0], &answers[2]], ["1 2 3/4 0 5", "1 2 3/0 4 5"]);
    assert!(answers[1].starts_with("4-5: tile 2 at"), "{answers:?}");
    assert_eq!(answers.len(), 3);
}

#[test]
fn arrays_continue_until_they_are_closed() {
    let list = "[[1 2 3]\n [4 5 6]\n [7 8 0]]\n[\n  [\n 1,\n 2\n ],\n [3, 0]\n]\n[1, 2, 3]\n[4, 5, 6]\n\
                [7, 0, 8]\n[[1,2],[3,0]] 6\n";
    let expected = [
        "1 2 3/4 5 6/7 8 0",
        "1 2/3 0",
        "1 2 3/4 5 6/7 0 8",
        "1 2/3 0",
    ];
    assert_eq!(answers(list, None), expected);
    for torn in ["[[1,2],", "[[1,2],[3,0]", "[1,2,3,0", "[", "[[1,2\n]"] {
        for after in [
            "1 2/0 3",
            "\n1 2/0 3",
            "\n[[1,2],[0,3]]",
            "0 1/2 3\n1 2/0 3",
            "what\n1 2/0 3",
        ] {
            let answers = answers(&format!("{torn}\n{after}"), None);
            assert!(answers[0].contains("is not closed"), "{torn}: {answers:?}");
            assert_eq!(answers.last().unwrap(), "1 2/0 3", "{torn}: {answers:?}");
        }
    }
}

#[test]
fn an_incomplete_array_ends_where_the_next_begins() {
    for torn in ["[[1,2],", "[[1,2],[3,0]", "[[1,2", "[1,2,3,0"] {
        let answers = answers(&format!("{torn}\n[[1,2],[0,3]]"), None);
        assert_eq!(answers.len(), 2, "{torn}: {answers:?}");
        assert_eq!(answers[1], "1 2/0 3");
    }
    // An unclosed array ends when its text exceeds the maximum length.
    let list = format!("[\n{}1 2 3 4 5 6 7 8 0", "1 2 3 4\n".repeat(10_000));
    let board = answers(&list, None).pop();
    assert_eq!(board.as_deref(), Some("1 2 3/4 5 6/7 8 0"));
}

#[test]
fn rows_of_nine_and_more_are_read() {
    for side in [9_usize, 10, 13, 20] {
        let numbers: Vec<u32> = (0..(side * side) as u32).rev().collect();
        let board = Board::new(Tray::new(side, side).unwrap(), &numbers).unwrap();
        let rows = board.to_string().replace('/', "\n");
        assert_eq!(answers(&rows, None), [board.to_string()]);
        let straight: Vec<u32> = (0..(side * side) as u32).collect();
        let board = Board::new(board.tray(), &straight).unwrap();
        let rows = board.to_string().replace('/', "\n");
        assert_eq!(answers(&rows, Some(board.tray())), [board.to_string()]);
    }
}

/// A board whose numbers are in the order of their `keys`, which are random.
fn board(tray: Tray, keys: &[u32]) -> Board {
    let mut numbers: Vec<u32> = (0..tray.cells() as u32).collect();
    numbers.sort_by_key(|&number| keys[number as usize]);
    Board::new(tray, &numbers).unwrap()
}

const FORMS: usize = 14;

/// The text of a board in the form with this number. `has_size` means that the reader is given the
/// size of the board.
fn written(board: &Board, form: usize, has_size: bool) -> String {
    let (width, cells) = (board.tray().width(), board.tray().cells());
    let numbers: Vec<String> = board.numbers().iter().map(u16::to_string).collect();
    let rows = |separator: &str, begin: &str, end: &str| -> Vec<String> {
        let row = |row: &[String]| format!("{begin}{}{end}", row.join(separator));
        numbers.chunks(width).map(row).collect()
    };
    let is_flat = has_size || (Tray::square(cells).is_some() && cells >= WHOLE_BOARD);
    match form {
        0 if is_flat => numbers.join(" "),
        1 if is_flat => numbers.join(",") + "  99 4711 5,6,5",
        2 if is_flat => format!("{} {} 31", 400, numbers.join(" ")),
        3 if is_flat => format!("[{}]", numbers.join(", ")),
        4 if is_flat => numbers.join(";"),
        5 => rows(" ", "", "").join("\n"),
        6 => rows("\t", "", "").join("\n"),
        7 => {
            let frame = format!("+{}", "----+".repeat(width));
            let row = |row: String| format!("{row}\n{frame}\n");
            let rows: String = rows(" | ", "| ", " |").into_iter().map(row).collect();
            format!("{frame}\n{}", rows.replace("| 0 |", "|   |"))
        }
        8 => format!("┌───┐\n{}\n└───┘", rows("│", "│", "│").join("\n├─┼─┤\n")),
        9 => format!("[{}]", rows(" ", "[", "]").join("\n ")),
        10 => format!("[\n{}\n]", rows(",\n", "[\n", "\n]").join(",\n")),
        11 => rows(", ", "[", "]").join("\n"),
        12 => format!("[{}]", rows(",", "[", "]").join(",")),
        13 => rows(" ", "", "").join("; "),
        _ => board.to_string(),
    }
}

/// Whether the first rows of the board are a square board.
fn begins_with_a_square(board: &Board) -> bool {
    let (width, height) = (board.tray().width(), board.tray().height());
    height > width && {
        let upper = &board.numbers()[..width * width];
        upper.iter().all(|&n| usize::from(n) < width * width)
    }
}

proptest! {
    #[test]
    fn streams_of_all_forms_and_sizes_are_read_back(
        boards in prop::collection::vec(
            (2_usize..7, 2_usize..7, prop::collection::vec(any::<u32>(), 36), 0..FORMS, 0..4_usize),
            0..12,
        ),
        fixed in prop::option::of((2_usize..7, 2_usize..7)),
    ) {
        let (mut list, mut expected) = (String::new(), Vec::new());
        let size = fixed.map(|(width, height)| Tray::new(width, height).unwrap());
        for (width, height, keys, form, separator) in boards {
            let tray = size.unwrap_or(Tray::new(width, height).unwrap());
            let board = board(tray, &keys);
            if size.is_none() && begins_with_a_square(&board) {
                continue;
            }
            let text = written(&board, form, size.is_some());
            list.push_str(&text);
            let is_square = width == height || size.is_some();
            list.push_str(match separator {
                0 if is_square => "\n",
                1 => "\n\n",
                2 if is_square => "\n# next\n",
                _ => "\n   \n\n",
            });
            expected.push(board.to_string());
        }
        prop_assert_eq!(answers(&list, size), expected, "{}", list);
    }

    #[test]
    fn no_line_is_lost_or_repeated(
        lines in prop::collection::vec("[0-9 /,;|\\[\\](-]{0,12}|[0-9]( [0-9]){1,10}|\\PC{0,8}", 0..40),
        size in prop::option::of((1_usize..5, 1_usize..5)),
    ) {
        let size = size.and_then(|(width, height)| Tray::new(width, height).ok());
        let texts = read_lines(lines.iter().map(String::as_str), size);
        let mut next = 0;
        for text in &texts {
            prop_assert!(text.first_line > next && text.last_line >= text.first_line);
            let taken = (next..text.last_line).map(|at| lines[at].trim());
            let is_skipped = |line: &&str| line.is_empty() || is_comment(line) || is_frame(line);
            let taken: Vec<&str> = taken.filter(|line| !is_skipped(line)).collect();
            // The text of a row keeps its spaces, of any kind.
            let plain = |text: &str| text.replace(|c: char| c == '/' || c.is_whitespace(), "");
            let has_comment = taken.iter().any(|line| comment_start(line).is_some());
            // Lines before a board can be its header.
            let (own, taken) = (plain(&text.text()), plain(&taken.concat()));
            let header = taken.strip_suffix(&own);
            let is_number = |header: &str| header.bytes().all(|b| b.is_ascii_digit() || b",;-".contains(&b));
            prop_assert!(has_comment || header.is_some_and(is_number), "{taken} {own}");
            next = text.last_line;
            // Reading never panics; it returns a board or a printable error.
            if let Err(error) = text.parse() {
                prop_assert!(!error.to_string().is_empty());
            }
        }
        let is_skipped = |line: &str| line.is_empty() || is_comment(line) || is_frame(line);
        let are_skipped = lines[next..].iter().all(|line| is_skipped(line.trim()));
        prop_assert!(are_skipped);
    }

    #[test]
    fn any_text_is_read_or_rejected(text in "(\\PC|[0-9 \n\t/,;|+\\-\\[\\](){}_.x─│]){0,80}") {
        for size in [None, tray("3x3")] {
            let _ = Board::parse(&text, size).map_err(|error| error.to_string());
            for leading_id in [false, true] {
                let _ = parse_listed(&text, size, leading_id);
            }
            for text in read(&text, size) {
                let _ = text.parse().map_err(|error| error.to_string());
            }
        }
    }
}
