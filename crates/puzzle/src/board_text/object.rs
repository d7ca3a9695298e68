//! A board in a JSON object: `{"board": [[1,2],[3,0]], "size": "2x2", "goal": "blank-first"}`.

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
    // The text of an item in UTF-16, of which escapes are units.
    let (mut item, mut name) = (Vec::new(), None);
    let put = |item: &mut Vec<u16>, sign: char| item.extend(sign.encode_utf16(&mut [0; 2]).iter());
    let take = |item: &mut Vec<u16>| {
        let text = String::from_utf16_lossy(&std::mem::take(item));
        text.trim().to_owned()
    };
    let (mut depth, mut in_text) = (0_usize, false);
    let mut signs = text.trim().trim_start_matches('{').chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if depth == 0 => in_text = !in_text,
            '\\' if in_text => match signs.next() {
                Some('n' | 'r') => put(&mut item, '\n'),
                Some('t') => put(&mut item, '\t'),
                Some('u') => {
                    let escape = signs.as_str().split_at_checked(4);
                    let unit = escape.and_then(|(unit, rest)| {
                        signs = rest.chars();
                        u16::from_str_radix(unit, 16).ok()
                    });
                    item.push(unit.unwrap_or(0xfffd));
                }
                other => put(&mut item, other.unwrap_or(' ')),
            },
            ':' if !in_text && depth == 0 => name = Some(take(&mut item)),
            ',' | '}' if !in_text && depth == 0 => {
                // Text after the object, such as a second one, is not an object.
                if sign == '}' && !signs.as_str().trim().is_empty() {
                    return Vec::new();
                }
                let value = take(&mut item);
                values.extend(name.take().map(|name| (name, value)));
            }
            _ => {
                match sign {
                    '"' => in_text = !in_text,
                    '[' | '{' if !in_text => depth += 1,
                    ']' | '}' if !in_text => depth = depth.saturating_sub(1),
                    _ => {}
                }
                put(&mut item, sign);
            }
        }
    }
    values
}
