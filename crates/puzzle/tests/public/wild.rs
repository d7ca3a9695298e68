//! Boards as people write them (`data/wild`): every text gives the boards that its author means.

use puzzle::board_text::{ListReader, ListedBoard, ListedText, parse};
use puzzle::{BoardError, Goal};
use serde_json::Value;

const CASES: &str = include_str!("../../../../data/wild/boards_as_written.jsonl");

fn list(text: &str) -> Vec<ListedText> {
    let mut reader = ListReader::new(None, false);
    text.lines().for_each(|line| reader.push(line));
    reader.finish();
    std::iter::from_fn(|| reader.pop()).collect()
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
            .map(|b| b.as_str().unwrap())
            .collect();
        let read: Vec<Result<ListedBoard, BoardError>> =
            list(text).iter().map(ListedText::parse).collect();
        let found: Vec<String> = read
            .iter()
            .flatten()
            .map(|read| read.board.to_string())
            .collect();
        if found != expected {
            println!(
                "LIST {}: {found:?} {:?}",
                case["id"],
                read.iter()
                    .filter_map(|r| r.as_ref().err().map(|e| e.to_string()))
                    .collect::<Vec<_>>()
            );
        }
        let one = parse(text, None);
        match (&one, &expected[..]) {
            (Ok(read), [board]) if read.board.to_string() == *board => println!(
                "{} {}",
                case["id"],
                read.notes
                    .iter()
                    .map(|n| n.to_string())
                    .collect::<Vec<_>>()
                    .join("; ")
            ),
            (Err(e), []) => println!("{}: {e}", case["id"]),
            (Err(e), [_, _]) => println!("{}: {e}", case["id"]),
            _ => println!(
                "ONE {}: {:?}",
                case["id"],
                one.map(|r| r.board.to_string()).map_err(|e| e.to_string())
            ),
        }
        if let Some(goal) = case["goal"].as_str() {
            Goal::parse(goal, "4x4".parse().ok().filter(|_| !goal.contains('/'))).unwrap();
        }
    }
    for text in std::fs::read_to_string("/tmp/more.txt")
        .unwrap_or_default()
        .split("\n====\n")
    {
        let read: Vec<String> = list(text)
            .iter()
            .map(|t| match t.parse() {
                Ok(r) => format!(
                    "{} {}",
                    r.board,
                    r.notes
                        .iter()
                        .map(|n| n.to_string())
                        .collect::<Vec<_>>()
                        .join("; ")
                ),
                Err(e) => format!("{}-{} E: {e}", t.first_line(), t.last_line()),
            })
            .collect();
        let one = parse(text, None)
            .map(|r| r.board.to_string())
            .map_err(|e| e.to_string());
        println!("---\n{text}\n   => {one:?}\n   list {read:#?}");
    }
    panic!("look");
}
