//! Arrays on several lines of a list.

use super::clean;
use super::lexer::{Token, closing, has_brackets, number, tokens};

/// An array on several lines.
#[derive(Clone, Debug, Default)]
pub(super) struct ListArray {
    pub(super) text: String,
    pub(super) first: usize,
    pub(super) last: usize,
    /// Brackets that are still open.
    open: Vec<char>,
    /// Number of brackets around each number, once there is a number.
    numbers_at: Option<usize>,
}

impl ListArray {
    /// An array that starts on this line and continues on the next.
    pub(super) fn begin(line: &str, number: usize) -> Option<ListArray> {
        if !has_brackets(line) {
            return None;
        }
        let mut array = ListArray {
            first: number,
            ..ListArray::default()
        };
        (array.push(line, number) && !array.is_closed()).then_some(array)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.open.is_empty()
    }

    /// Adds a line. Returns `false` without a change if the line cannot belong to the array.
    pub(super) fn push(&mut self, line: &str, number: usize) -> bool {
        let code = clean::uncommented(line);
        self.push_plain(line, line, number)
            || self.push_plain(line, &clean::plain(line), number)
            || self.push_plain(&code, &clean::plain(&code), number)
    }

    fn push_plain(&mut self, line: &str, plain: &str, number: usize) -> bool {
        let (mut open, mut numbers_at) = (self.open.clone(), self.numbers_at);
        if !tokens(plain).all(|token| step(token, &mut open, &mut numbers_at)) {
            return false;
        }
        (self.open, self.numbers_at, self.last) = (open, numbers_at, number);
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(line);
        true
    }
}

/// Updates the open brackets for a token; `false` if the token is not valid at this position. All
/// numbers are at one depth, `numbers_at`.
fn step(token: Token<'_>, open: &mut Vec<char>, numbers_at: &mut Option<usize>) -> bool {
    match (token, open.len()) {
        (Token::Open(bracket), depth) => {
            open.push(bracket);
            numbers_at.is_none_or(|numbers| depth < numbers)
        }
        (Token::Close(bracket), _) => open.pop().map(closing) == Some(bracket),
        (Token::Word(word), depth) => {
            number(word).is_some() && (depth == 0 || *numbers_at.get_or_insert(depth) == depth)
        }
        (Token::Slash | Token::Bar, _) => false,
        _ => true,
    }
}
