//! A board in a JSON object: `{"board": [[1,2],[3,0]], "size": "2x2", "goal": "blank-first"}`.

use super::listed::ListedBoard;
use super::reading::parse_text;
use crate::board::BoardError;
use crate::goal::Goal;
use crate::tray::Tray;

/// Reads a text that is a JSON object with the name `board`; `None` for any other text. Of its
/// other names, `size` and `goal` are read.
pub(super) fn read(text: &str, size: Option<Tray>) -> Option<Result<ListedBoard, BoardError>> {
    if !is_object(text) {
        return None;
    }
    let values = values(text);
    let value = |name| {
        values
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value)
    };
    let board = value("board")?;
    Some((|| {
        let own: Option<Tray> = value("size").map(|size| size.parse()).transpose()?;
        if let (Some(expected), Some(found)) = (size, own)
            && expected != found
        {
            return Err(BoardError::Size { found, expected });
        }
        let mut read = parse_text(board, own.or(size))?;
        if let Some(goal) = value("goal").filter(|goal| goal.as_str() != "null") {
            read.goal = Some(Goal::parse(goal, Some(read.board.tray()))?);
        }
        Ok(read)
    })())
}

/// Whether a text can be a JSON object with a board.
pub(super) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"board\"")
}

/// The names and values of an object. Texts are without their quotation marks, arrays as they are
/// written.
fn values(text: &str) -> Vec<(String, String)> {
    let mut values = Vec::new();
    let inner = text.trim().trim_start_matches('{');
    let (mut item, mut name) = (String::new(), None);
    let (mut depth, mut in_text) = (0_usize, false);
    let mut signs = inner.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => {
                in_text = !in_text;
                if depth > 0 {
                    item.push(sign);
                }
            }
            '\\' if in_text => item.extend(signs.next().map(|escaped| match escaped {
                'n' | 'r' => '\n',
                't' => '\t',
                other => other,
            })),
            ':' if !in_text && depth == 0 => name = Some(std::mem::take(&mut item)),
            ',' | '}' if !in_text && depth == 0 => {
                let value = std::mem::take(&mut item).trim().to_owned();
                values.extend(name.take().map(|name| (name.trim().to_owned(), value)));
            }
            _ => {
                if !in_text {
                    depth += usize::from(matches!(sign, '[' | '{'));
                    depth = depth.saturating_sub(usize::from(matches!(sign, ']' | '}')));
                }
                item.push(sign);
            }
        }
    }
    values
}
