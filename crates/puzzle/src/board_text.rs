//! Text notations of boards.
//!
//! Numbers are separated by spaces, tabs, commas or semicolons. Rows end at slashes or line breaks.
//! They can also be written as nested arrays or in a drawn frame (`+--+--+`, `|`, box-drawing
//! characters). The blank is `0`, `_`, `-`, `.` or `x`, or an empty cell between two bars.
//!
//! In a list, a board is on one line or on several lines. On one line, an identifier may precede
//! the board, and further columns may follow it ([`parse_listed`]). On several lines, each line is
//! a row ([`ListReader`]).

mod clean;
mod forms;
mod grid;
mod lexer;
mod list;
mod listed;
mod parse;
mod reading;
mod rows;

pub use list::{ListReader, ListedText, list};
pub use listed::ListedBoard;
pub use parse::parse;
pub use reading::{Note, parse_listed};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Tray};

    fn on_one_line(text: &str) -> String {
        text.replace('\n', if text.contains('[') { " " } else { "/" })
    }

    fn tray(text: &str) -> Option<Tray> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn all_notations_give_the_same_board() {
        let same = [
            "1 2 3/4 5 6/7 8 0",
            "1 2 3\n4 5 6\n7 8 _\n",
            "1,2,3/4,5,6/7,8,.",
            "[[1,2,3],[4,5,6],[7,8,0]]",
            " [ [1, 2, 3],\n [4, 5, 6],\n [7, 8, x] ]\n",
            "1 2 3 / 4 5 6 / 7 8 X /",
            "[1 2 3/4 5 6/7 8 0]",
            "[\n [\n  1,\n  2,\n  3\n ],\n [4, 5,\n 6],\n [7, 8, 0]\n]\n",
            "1 2 3\r\n4 5 6\r\n7 8 -\r\n",
            "1\t2\t3\n4\t5\t6\n7\t8\t--",
            "1;2;3\n4;5;6\n7;8;0",
            "1 2 3; 4 5 6; 7 8 0",
            "[1 2 3; 4 5 6; 7 8 0]",
            "((1, 2, 3), (4, 5, 6), (7, 8, 0))",
            "{{1, 2, 3}, {4, 5, 6}, {7, 8, 0}}",
            "[[1 2 3]\n [4 5 6]\n [7 8 0]]",
            "[1, 2, 3]\n[4, 5, 6]\n[7, 8, 0]",
            "+---+---+---+\n| 1 | 2 | 3 |\n+---+---+---+\n| 4 | 5 | 6 |\n+---+---+---+\n\
             | 7 | 8 |   |\n+---+---+---+\n",
            "┌─┬─┬─┐\n│1│2│3│\n├─┼─┼─┤\n│4│5│6│\n├─┼─┼─┤\n│7│8│ │\n└─┴─┴─┘",
            "╔═══════╗\n║ 1 2 3 ║\n║ 4 5 6 ║\n║ 7 8 _ ║\n╚═══════╝",
            "1 | 2 | 3\n--+---+--\n4 | 5 | 6\n--+---+--\n7 | 8 | -",
            "|   |   |   |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 | |",
            "1|2|3/4|5|6/7|8|0",
            "|| 1 | 2 | 3 ||\n|| 4 | 5 | 6 ||\n|| 7 | 8 |   ||",
        ];
        let board = Board::new(tray("3x3").unwrap(), &[1, 2, 3, 4, 5, 6, 7, 8, 0]).unwrap();
        for text in same {
            for size in [None, tray("3x3")] {
                assert_eq!(Board::parse(text, size).as_ref(), Ok(&board), "{text}");
            }
        }
        for text in &same[..8] {
            let line = on_one_line(text);
            assert_eq!(parse_listed(&line, None, false).unwrap().board, board);
        }
        for flat in [
            "1 2 3 4 5 6 7 8 0",
            "[1,2,3,4,5,6,7,8,0]",
            "(1, 2, 3, 4, 5, 6, 7, 8, 0)",
            "1;2;3;4;5;6;7;8;0",
            "1,2,3,4,5,6,7,8,0",
            "[[1,2,3,4,5,6,7,8,0]]",
        ] {
            assert_eq!(Board::parse(flat, None).as_ref(), Ok(&board));
            assert_eq!(Board::parse(flat, tray("3x3")).as_ref(), Ok(&board));
        }
    }

    #[test]
    fn one_row_without_size_is_a_square() {
        for side in 2..=Tray::MAX_SIDE {
            let tray = Tray::new(side, side).unwrap();
            let board = crate::Goal::blank_last(tray).board().clone();
            let flat = board.to_string().replace('/', " ");
            assert_eq!(Board::parse(&flat, None).unwrap(), board);
            let with_columns = format!("{flat} 31 1000");
            if side > 2 {
                let listed = parse_listed(&with_columns, None, false).unwrap();
                assert_eq!((listed.board, listed.known_length), (board, Some(31)));
            }
        }
        let message = |text: &str| Board::parse(text, None).unwrap_err().to_string();
        assert_eq!(
            message("1 2 3 4 5 0"),
            "6 numbers without rows make no square board: 9 make a 3x3, 16 a 4x4"
        );
        assert!(message("0").starts_with("1 number without rows makes"));
        assert!(message(&"1 ".repeat(441)).starts_with("441 numbers"));
    }

    #[test]
    fn columns_after_a_board_do_not_change_its_size() {
        // 24puzzle prints the board, its length, a node count and the tile of each move.
        let tiles: Vec<u32> = (0..25).rev().collect();
        let columns = vec!["7"; 97].join(",");
        let line = format!(
            "{},0  95     53848738 {columns}",
            crate::names::join(&tiles[..24], ",")
        );
        let listed = parse_listed(&line, None, false).unwrap();
        assert_eq!(
            (listed.board.tray(), listed.known_length),
            (tray("5x5").unwrap(), Some(95))
        );
        // Errors refer to the likely size.
        let message = |line| parse_listed(line, None, false).unwrap_err().to_string();
        assert!(message("1 2 3 4 5 6 7 8 8").contains("tile 8 at row 3 column 2 is repeated"));
        assert!(message("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15").starts_with("15 numbers without"));
    }

    #[test]
    fn errors_name_the_position() {
        let message = |text: &str, size| Board::parse(text, size).unwrap_err().to_string();
        assert!(message("", None).contains("empty"));
        assert!(message("1 2/foo 0", None).contains("word 3 `foo` (row 2 column 1)"));
        let short = message("1 2 3/4 5/6 7 0", None);
        assert!(short.starts_with("row 2 has 2 numbers, but row 1 has 3: one number is missing"));
        assert!(message("1 2/3 0/4 5 6", None).ends_with("row 3 has 3 numbers, but row 1 has 2"));
        assert!(message("1 2/3 0", tray("3x3")).contains("2x2 board, but 3x3"));
        assert_eq!(
            message("1 2 3 4 5 6 7 8 0", tray("4x4")),
            "9 numbers found, but a 4x4 board has 16"
        );
        let all = message("1 2 3/4 2 9/7 8 0", None);
        assert_eq!(
            all,
            "9 at row 2 column 3 is not a tile of a 3x3 board (0 to 8); tile 2 at row 1 column 2 \
             is repeated at row 2 column 2; tile 5, tile 6 are missing"
        );
        assert!(message("1 2/3 -2", None).contains("`-2`"));
        assert_eq!(
            message("1 2/3 99999999999999999999", None),
            "word 4 `99999999999999999999` is not a tile of a 2x2 board (0 to 3)"
        );
        assert_eq!(message("[[1,2],[3,0]", None), "bracket `[` is not closed");
        assert_eq!(
            message("[[1,2],[3,0]]]", None),
            "bracket `]` was never opened"
        );
        assert_eq!(message("[1 2)", None), "bracket `)` was never opened");
        assert_eq!(message("+--+--+", None), message("", None));
        assert!(message("| 1 | 2 |\n| 3 | ? |", None).contains("word 4 `?`"));
    }

    #[test]
    fn lists_may_have_ids_and_lengths() {
        let two = tray("2x2");
        let read = |line, id| parse_listed(line, two, id);
        let found = read("1 2 3 0 7", false).unwrap();
        assert_eq!((found.id, found.known_length), (None, Some(7)));
        let found = read("12 1 2 3 0 7 99", false).unwrap();
        assert_eq!((found.id, found.known_length), (Some(12), Some(7)));
        let ambiguous = read("0 1 2 3 0 7", false).unwrap_err().to_string();
        let both = "as 0 1/2 3, and as 1 2/3 0 after its first number";
        assert!(ambiguous.ends_with(both), "{ambiguous}");
        assert_eq!(read("0 1 2 3 0 7", true).unwrap().known_length, Some(7));
        assert!(read("1 2 3", false).is_err());
        assert!(read("1 2 3 0", true).is_err());
        let found = parse_listed("1 2/3 0 5", None, false).unwrap();
        assert_eq!(found.known_length, Some(5));
        let found = parse_listed("7 1 2/3 0 5", None, true).unwrap();
        assert_eq!((found.id, found.known_length), (Some(7), Some(5)));
        let found = parse_listed("7 1 2/3 0", None, false).unwrap();
        assert_eq!((found.id, found.known_length), (Some(7), None));
        let found = parse_listed("7 1 2/3 0 5", None, false).unwrap();
        assert_eq!((found.id, found.known_length), (Some(7), Some(5)));
        for line in ["[[1,2],[3,0]],5", "[[1,2],[3,0]] 5 6", "[1,2,3,0],5"] {
            assert_eq!(read(line, false).unwrap().known_length, Some(5), "{line}");
        }
        let three = parse_listed("1 2/3 0 5", tray("3x3"), false).unwrap_err();
        assert!(three.to_string().contains("2x2 board, but 3x3"), "{three}");
        let ragged = parse_listed("1 2 3/4 0", None, false).unwrap_err();
        assert!(
            ragged.to_string().contains("row 2 has 2 numbers"),
            "{ragged}"
        );
    }
}
