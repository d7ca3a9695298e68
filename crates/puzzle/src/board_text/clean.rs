//! Spellings of numbers, blanks and arrays in programs and documents.

use super::lexer::{Token, has_brackets, is_bar, is_box_drawing, number, written_tokens};
use crate::names::join;

/// The text with plain spelling, which [`Grid::read`](super::grid::Grid::read) reads: full-width
/// digits, emoji, floats, quoted cells and all marks of the blank are replaced, and the names that
/// programs write around arrays are removed.
pub(super) fn plain(text: &str) -> String {
    let text = unquoted(&plain_signs(text));
    let has_brackets = has_brackets(&text);
    let text = match assigned(&text) {
        Some(value) if has_brackets => value,
        _ => text.as_str(),
    };
    let words: Vec<_> = written_tokens(text).collect();
    let mut plain = String::new();
    let mut depth = 0_usize;
    for (at, &(token, written)) in words.iter().enumerate() {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        let Token::Word(word) = token else {
            plain.push_str(written);
            continue;
        };
        let is_open = |token: Option<&(Token<'_>, _)>| matches!(token, Some((Token::Open(_), _)));
        let opens = is_open(words.get(at + 1));
        let is_opened = at > 0 && is_open(words.get(at - 1));
        let is_name =
            |word: &str| has_brackets && (word.contains(char::is_alphabetic) || word == "#");
        match plain_word(word) {
            Some(word) if !(opens && word == "_") => plain.push_str(word),
            _ if is_rule(word) => plain.push('/'),
            _ if is_name(word) && (opens || is_opened || depth == 0 || word.contains('=')) => {}
            _ => plain.push_str(word),
        }
    }
    plain
}

/// A word as a number or `_`; `None` for other words.
fn plain_word(word: &str) -> Option<&str> {
    let is_zeros = |digits: &str| digits.bytes().all(|digit| digit == b'0');
    let word = match word.split_once('.') {
        Some((whole, zeros)) if !whole.is_empty() && is_zeros(zeros) => whole,
        _ => word,
    };
    let is_blank = || {
        let marks = [
            "*", "#", "b", "B", "e", "E", "-1", "nil", "NIL", "–", "—", "−",
        ];
        let names = ["null", "none", "nan", "blank", "empty"];
        marks.contains(&word)
            || names.iter().any(|name| word.eq_ignore_ascii_case(name))
            || word.chars().all(is_box)
    };
    match number(word) {
        Some(_) => Some(word),
        None => is_blank().then_some("_"),
    }
}

/// Whether a character is a box that stands for the blank.
pub(super) fn is_box(c: char) -> bool {
    "\u{25a0}\u{25a1}\u{25a2}\u{25a3}\u{2610}\u{2588}\u{2591}\u{2592}\u{2593}\u{2b1b}\u{2b1c}\u{1f532}\u{1f533}\u{2423}"
        .contains(c)
}

/// Whether a word is a rule of a drawn frame, which ends a row: `+--+--+`, `-----`.
fn is_rule(word: &str) -> bool {
    word.len() > 2 && word.chars().all(|c| matches!(c, '+' | '-' | '='))
}

/// The text after the assignment of an array: `{{1,2},{3,0}}` of `int a[2][2] = {{1,2},{3,0}}`.
fn assigned(text: &str) -> Option<&str> {
    let (name, value) = text.split_once('=')?;
    let count = |signs: [char; 3]| name.matches(signs).count();
    let is_closed = count(['[', '(', '{']) == count([']', ')', '}']);
    (is_closed && name.contains(char::is_alphabetic)).then_some(value)
}

/// Replaces characters that stand for plain ones.
pub(super) fn plain_signs(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut in_rule = false;
    for c in text.chars() {
        // A run of box-drawing characters between rows ends a row.
        let was_rule = std::mem::replace(&mut in_rule, is_box_drawing(c) && !is_bar(c));
        let code = u32::from(c);
        match c {
            _ if in_rule => plain.push_str(if was_rule { "" } else { "/" }),
            // Full-width forms of ASCII characters.
            '\u{ff01}'..='\u{ff5e}' => plain.extend(char::from_u32(code - 0xfee0)),
            '\u{2460}'..='\u{2473}' => plain.push_str(&format!(" {} ", code - 0x245f)),
            '\u{1f51f}' => plain.push_str(" 10 "),
            '\u{20e3}' => plain.push(' '),
            '\u{fe0f}' | '\u{feff}' | '\u{200b}' => {}
            '¦' => plain.push('|'),
            '、' | '،' => plain.push(','),
            _ => plain.push(c),
        }
    }
    plain
}

/// Removes quotation marks. A pair of them with nothing or only spaces within is the blank.
fn unquoted(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'', '`']) {
        let quote = &rest[at..=at];
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some((quoted, after)) = rest.split_once(quote) {
            let is_blank = quoted.trim().is_empty();
            plain.push_str(if is_blank { "_" } else { quoted });
            rest = after;
        }
    }
    plain + rest
}

/// The text without the comments at the ends of its lines, which begin with `#`, `%` or `//`.
pub(super) fn uncommented(text: &str) -> String {
    let code = |line: &str| line[..comment_start(line).unwrap_or(line.len())].to_owned();
    join(text.split('\n').map(code), "\n")
}

/// Where the comment of a line begins.
pub(super) fn comment_start(line: &str) -> Option<usize> {
    let signs = [line.find('#'), line.find('%'), line.find("//")];
    signs.into_iter().flatten().min()
}
