//! The examples of docs/notation.md.

use puzzle::Board;
use puzzle::board_text::{ListReader, ListedText};

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

fn read(list: &str) -> Vec<ListedText> {
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
        let texts = read(example);
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
    let texts = read(&examples.concat());
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
        let found = read(list).into_iter().map(|text| {
            let listed = text.parse().unwrap();
            assert!(matches!(listed.known_length, None | Some(31)), "{listed:?}");
            listed.board.to_string()
        });
        assert_eq!(
            found.collect::<Vec<_>>(),
            boards.lines().collect::<Vec<_>>()
        );
    }
    let texts = read("1 2 3 0");
    assert_eq!(texts[0].parse().unwrap().board.to_string(), "1 2/3 0");
}
