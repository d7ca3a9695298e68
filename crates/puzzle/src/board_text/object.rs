//! A board in a JSON object: `{"board": [[1,2],[3,0]], "size": "2x2", "goal": "blank-first"}`.

use std::str::Chars;

/// The texts of a JSON object.
pub(super) struct Object {
    pub(super) board: String,
    pub(super) size: Option<String>,
    pub(super) goal: Option<String>,
}

impl Object {
    /// Reads a text that is a JSON object with the name `board`; `None` for any other text.
    pub(super) fn read(text: &str) -> Option<Object> {
        let mut values = if is_object(text) {
            values(text)
        } else {
            Vec::new()
        };
        let mut value = |name| {
            let at = values.iter().position(|(found, _)| found == name)?;
            Some(values.swap_remove(at).1).filter(|value| value != "null")
        };
        Some(Object {
            board: value("board")?,
            size: value("size"),
            goal: value("goal"),
        })
    }
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
            '\\' if in_text => match signs.next() {
                Some('n' | 'r') => item.push('\n'),
                Some('t') => item.push('\t'),
                Some('u') => item.push(escaped(&mut signs)),
                other => item.extend(other),
            },
            ':' if !in_text && depth == 0 => name = Some(std::mem::take(&mut item)),
            ',' | '}' if !in_text && depth == 0 => {
                // Text after the object, such as a second one, is not an object.
                if sign == '}' && !signs.as_str().trim().is_empty() {
                    return Vec::new();
                }
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

/// The character of the four hexadecimal digits after `\\u`. Both halves of a pair for characters
/// beyond 16 bits are needed.
fn escaped(signs: &mut Chars<'_>) -> char {
    let unit = |signs: &mut Chars<'_>| {
        let (digits, rest) = signs.as_str().split_at_checked(4)?;
        *signs = rest.chars();
        u16::from_str_radix(digits, 16).ok()
    };
    let mut units: Vec<u16> = unit(signs).into_iter().collect();
    if let (Some(0xd800..0xdc00), Some(rest)) = (units.first(), signs.as_str().strip_prefix("\\u"))
    {
        *signs = rest.chars();
        units.extend(unit(signs));
    }
    let mut decoded = char::decode_utf16(units);
    let character = decoded.next().and_then(Result::ok);
    character.unwrap_or(char::REPLACEMENT_CHARACTER)
}
