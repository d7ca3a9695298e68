//! Boards as people write them: every text of `data/wild` gives the boards that its author means.

use puzzle::board_text::{ListReader, ListedBoard, ListedText, Note, list, parse};
use puzzle::{Board, BoardError, Cell, CellSet, Goal, Ranking, TableKind, Tray};
use serde_json::Value;

const CASES: &str = include_str!("../../../../data/wild/boards_as_written.jsonl");

fn read(text: &str) -> Vec<Result<ListedBoard, BoardError>> {
    list(text, None).iter().map(ListedText::parse).collect()
}

#[test]
fn boards_as_written_are_read_as_meant() {
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap();
        let expected: Vec<&str> = case["boards"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let found = read(text);
        let boards: Vec<String> = found
            .iter()
            .flatten()
            .map(|read| read.board.to_string())
            .collect();
        assert_eq!(boards, expected, "{line}");
        let is_whole = !expected.is_empty();
        assert!(!is_whole || found.iter().all(Result::is_ok), "{line}");
        // Alone, the text is the same board, with the same notes.
        match (parse(text, None), &found[..]) {
            (Ok(one), [Ok(listed)]) => assert_eq!(&one, listed, "{line}"),
            (one, _) => {
                let error = one.unwrap_err().to_string();
                let several = format!("the text has {} boards, but one", expected.len());
                assert!(!is_whole || error.starts_with(&several), "{line}: {error}");
            }
        }
        if let Some(goal) = case["goal"].as_str() {
            assert!(Goal::parse(goal, None).is_ok(), "{goal}");
        }
    }
}

#[test]
fn guesses_have_notes() {
    let tray: Tray = "3x3".parse().unwrap();
    let (row, column) = (2, 2);
    for (text, notes) in [
        ("1 2 3/4 * 6/7 5 8", &[][..]),
        ("3\n1 2 3\n4 0 6\n7 5 8", &[Note::Size(tray)]),
        (
            "7\n3\n1 2 3\n4 0 6\n7 5 8",
            &[Note::Count(7), Note::Size(tray)],
        ),
        ("1\n2\n3\n4\n0\n6\n7\n5\n8", &[Note::Column(tray)]),
        ("1234_6758", &[Note::Digits]),
        ("abc/d_f/geh", &[Note::Letters]),
        ("1 2 3\n4   6\n7 5 8", &[Note::Gap { row, column }]),
        ("1 2 3/4 9 6/7 5 8", &[Note::Highest(9)]),
        ("0 1 2/3 _ 5/6 4 7", &[Note::FromZero]),
        (
            "8\n4\n1 2 3\n4 0 6\n7 5 8",
            &[Note::GoalBlank(Cell::new(4))],
        ),
    ] {
        let read = parse(text, None).unwrap();
        assert_eq!(read.board.to_string(), "1 2 3/4 0 6/7 5 8", "{text}");
        assert_eq!(read.notes, notes, "{text}");
    }
    let read = parse("1,2\n3", None).unwrap();
    assert_eq!(
        (read.board.to_string(), &read.notes[..]),
        ("1 2/3 0".into(), &[Note::LeftOut][..])
    );
}

#[test]
fn long_texts_without_a_board_are_rejected_quickly() {
    for text in [
        "2x2 ".repeat(100_000),
        "# 1 2\n".repeat(100_000),
        "{\"board\":".repeat(20_000),
    ] {
        assert!(parse(&text, None).is_err());
    }
    let wide = "1 ".repeat(30_000);
    assert!(parse(&format!("{wide}\n{wide}1"), None).is_err());
}

#[test]
fn a_goal_in_the_text_is_not_ignored() {
    let text = "8\n4\n1 2 3\n4 0 6\n7 5 8";
    let read = parse(text, None).unwrap();
    assert_eq!(read.goal.unwrap().to_string(), "1 2 3/4 0 5/6 7 8");
    let error = Board::parse(text, None).unwrap_err().to_string();
    let own = "the text states its own goal, 1 2 3/4 0 5/6 7 8: ";
    assert!(error.starts_with(own), "{error}");
    let object = r#"{"board": [[1,0],[3,2]], "goal": "blank-first"}"#;
    assert_eq!(
        parse(object, None).unwrap().goal.unwrap().to_string(),
        "0 1/2 3"
    );
    for escaped in [r"1 2/3 \u25a1", r"1 2/3 \ud83d\udd32", r"\u0031 2/3 \u0030"] {
        let object = format!(r#"{{"board": "{escaped}"}}"#);
        assert_eq!(
            parse(&object, None).unwrap().board.to_string(),
            "1 2/3 0",
            "{escaped}"
        );
    }
    for wrong in [
        r"1 2/3 \u",
        r"1 2/3 \u25",
        r"1 2/3 \ud83d",
        r"1 2/3 \uzzzz",
        r"1 2/3 \u□□□",
    ] {
        assert!(
            parse(&format!(r#"{{"board": "{wrong}"}}"#), None).is_err(),
            "{wrong}"
        );
    }
    let other = parse(r#"{"board": [1,0,3,2], "size": "2x2"}"#, "4x1".parse().ok());
    assert!(matches!(other, Err(BoardError::Size { .. })));
}

#[test]
fn a_wrong_line_costs_only_its_board() {
    let good = "1 2 3/4 5 6/7 0 8";
    let rows = "1 2 3\n4 5 6\n7 0 8\n";
    for (bad, count) in [
        ("20\n", 0),
        ("what is this\n", 1),
        ("3\n1 2 3\n4 5 6\n\n", 1),
        ("3\n1 2 3\n4 5\n7 0 8\n", 1),
        ("5\n\n1 2 3\n4 4 6\n7 0 8\n", 1),
        ("12X45378\n", 1),
    ] {
        let found = read(&[rows, bad, rows, rows].concat());
        let boards = found.iter().flatten().map(|read| read.board.to_string());
        assert_eq!(boards.collect::<Vec<_>>(), [good; 3], "{bad}");
        assert_eq!(found.len(), 3 + count, "{bad}");
    }
}

#[test]
fn ambiguous_and_incomplete_texts_say_what_is_missing() {
    let message = |text| parse(text, None).unwrap_err().to_string();
    let lost = message("1|2|3\n4|5|6\n|8|7\n");
    assert!(lost.starts_with("row 3 has 2 numbers, but row 1 has 3: one number is missing"));
    assert!(message("# a map\n3").contains("3 on line 2 is read as a size"));
    assert!(message("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15").ends_with("write the blank as 0 or _"));
}

#[test]
fn the_worked_example_of_the_documentation_holds() {
    let tray = Tray::new(3, 3).unwrap();
    let ranking = Ranking::new(tray, 3, TableKind::ZeroAware);
    let set = |cells: &[usize]| -> CellSet { cells.iter().map(|&c| Cell::new(c)).collect() };
    let shape = set(&[1, 4, 7]);
    assert_eq!(shape.bits(), 146);
    assert_eq!(ranking.shape_index(shape), 42);
    assert_eq!(ranking.shape_rows(42), 63..65);
    assert_eq!(ranking.row_shape(63), (shape, set(&[0, 3, 6])));
    assert_eq!(ranking.row_shape(64), (shape, set(&[2, 5, 8])));
    // Tile 4 on cell 1, tile 1 on cell 4, tile 3 on cell 7, blank on cell 3.
    let place = |tile: Cell| Cell::new([9, 4, 9, 7, 1][tile.index()]);
    let (row, rank) = ranking.locate(set(&[1, 3, 4]), Cell::new(3), place);
    assert_eq!((row, rank), (63, 4));
    assert_eq!(row * ranking.row_entries() + rank as usize, 382);
}

const DOCUMENT: &str = include_str!("../../../../docs/notation.md");

/// The fenced blocks with this language tag, in order.
fn blocks(word: &str) -> Vec<&'static str> {
    let fence = format!("```{word}\n");
    let blocks = DOCUMENT.split(&fence).skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

fn board() -> Board {
    Board::parse("1 2 3/4 5 6/7 8 0", None).unwrap()
}

fn page(list: &str) -> Vec<ListedText> {
    let mut reader = ListReader::new(None, false);
    list.lines().for_each(|line| reader.push(line));
    reader.finish();
    std::iter::from_fn(|| reader.pop()).collect()
}

#[test]
fn forms_in_the_table_give_the_same_board() {
    let (_, table) = DOCUMENT.split_once("| form | example |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let examples: Vec<&str> = table.split('`').skip(1).step_by(2).collect();
    assert_eq!(examples.len(), 5);
    for example in examples {
        assert_eq!(Board::parse(example, None), Ok(board()), "{example}");
        let texts = page(example);
        assert_eq!(texts.len(), 1, "{example}");
        assert_eq!(texts[0].parse().unwrap().board, board(), "{example}");
    }
}

#[test]
fn boards_on_several_lines_are_read_both_alone_and_in_lists() {
    let examples = blocks("board");
    assert_eq!(examples.len(), 3);
    for example in &examples {
        assert_eq!(Board::parse(example, None), Ok(board()), "{example}");
    }
    let texts = page(&examples.concat());
    assert_eq!(texts.len(), examples.len());
    for text in texts {
        assert_eq!(text.parse().unwrap().board, board(), "{text:?}");
    }
}

#[test]
fn lists_give_the_boards_shown_after_them() {
    let (lists, boards) = (blocks("list"), blocks("boards"));
    assert_eq!((lists.len(), boards.len()), (1, 1));
    for (list, boards) in lists.into_iter().zip(boards) {
        let found = page(list).into_iter().map(|text| {
            let listed = text.parse().unwrap();
            assert!(matches!(listed.known_length, None | Some(31)), "{listed:?}");
            listed.board.to_string()
        });
        assert_eq!(
            found.collect::<Vec<_>>(),
            boards.lines().collect::<Vec<_>>()
        );
    }
    let texts = page("1 2 3 0");
    assert_eq!(texts[0].parse().unwrap().board.to_string(), "1 2/3 0");
}
