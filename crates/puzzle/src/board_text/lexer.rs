//! Tokens of a text, and lines of ASCII art that contain no tokens.

/// A token of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    /// A number, a blank, or something else.
    Word(&'a str),
    /// An opening bracket.
    Open(char),
    /// A closing bracket.
    Close(char),
    Slash,
    Semicolon,
    /// A vertical line of ASCII art.
    Bar,
    /// The end of a line.
    Line,
    /// Spaces within a line.
    Space,
    /// Any other separator: a comma, or a box-drawing character that is not a bar.
    Other,
}

/// The tokens of a text, in order. No token is empty.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    written_tokens(text).map(|(token, _)| token)
}

/// The tokens of a text as [`tokens`], each with its own text.
pub(super) fn written_tokens(text: &str) -> impl Iterator<Item = (Token<'_>, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = match sign(first) {
            Some(_) => first.len_utf8(),
            None => rest.find(|c| sign(c).is_some()).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some((sign(first).unwrap_or(Token::Word(token)), token))
    })
}

/// The token of a character that is not part of a word.
fn sign(c: char) -> Option<Token<'static>> {
    Some(match c {
        '\n' | '\r' => Token::Line,
        ',' => Token::Other,
        '/' => Token::Slash,
        ';' => Token::Semicolon,
        '[' | '(' | '{' => Token::Open(c),
        ']' | ')' | '}' => Token::Close(c),
        _ if is_bar(c) => Token::Bar,
        _ if is_box_drawing(c) => Token::Other,
        _ if c.is_whitespace() => Token::Space,
        _ => return None,
    })
}

/// The bracket that closes `open`.
pub(crate) const fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '{' => '}',
        _ => ']',
    }
}

pub(crate) fn has_brackets(text: &str) -> bool {
    text.contains(['[', ']', '(', ')', '{', '}'])
}

pub(crate) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋')
}

pub(super) fn is_box_drawing(c: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&c)
}

/// The number that a word stands for, if any. Numbers that are too large become `u32::MAX`.
pub(crate) fn number(word: &str) -> Option<u32> {
    match word {
        "_" | "__" | "-" | "--" | "." | "x" | "X" => Some(0),
        digits if digits.bytes().all(|b| b.is_ascii_digit()) => {
            Some(digits.parse().unwrap_or(u32::MAX))
        }
        _ => None,
    }
}

/// Whether a line contains only parts of a drawn frame: `+--+--+`, `|---|---|`, `├──┼──┤`, or
/// `|    |    |` if the drawn cells are several lines high.
pub(crate) fn is_frame(line: &str) -> bool {
    let line = line.trim();
    let is_sign = |c: char| matches!(c, '+' | '-' | '=' | ':') || is_box_drawing(c) || is_bar(c);
    let is_rule = |c: char| matches!(c, '+' | '=') || (is_box_drawing(c) && !is_bar(c));
    let bars = line.chars().filter(|&c| is_bar(c)).count();
    !line.is_empty()
        && line.chars().all(|c| is_sign(c) || c.is_whitespace())
        && (line.contains(is_rule)
            || line.contains("--")
            || (bars > 2 && !line.contains(['-', ':'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_rows_are_distinguished() {
        for frame in [
            "+--+--+",
            "+----+",
            "  +-+-+ ",
            "|---|---|",
            "|:--|--:|",
            "├──┼──┤",
            "┌─┐",
            "═══",
            "-----",
            "|    |    |",
            "=====",
        ] {
            assert!(is_frame(frame), "{frame}");
        }
        for row in ["", "-", "| - |", "| - | 1 |", "|   |", "1 2", "- 1", "_ _"] {
            assert!(!is_frame(row), "{row}");
        }
    }
}
