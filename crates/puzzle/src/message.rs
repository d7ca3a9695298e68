//! Helpers for messages.

/// The start of an input word, with control characters replaced, so that messages stay on one line.
pub(crate) fn printable(word: &str) -> String {
    word.chars().take(20).map(printable_sign).collect()
}

/// [`printable`] for one character.
pub(crate) fn printable_sign(sign: char) -> char {
    if sign.is_control() { '\u{fffd}' } else { sign }
}

/// `1 number` or `2 numbers`.
pub(crate) fn count_of(count: usize, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{s}")
}

/// The items as words, joined by a separator.
pub(crate) fn join<T: ToString>(things: impl IntoIterator<Item = T>, separator: &str) -> String {
    let words: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    words.join(separator)
}

/// The words of a text, each with the byte at which it starts. `is_between` tells the characters
/// between words.
pub(crate) fn words(
    text: &str,
    is_between: fn(char) -> bool,
) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    text.split_inclusive(is_between).filter_map(move |part| {
        let start = end;
        end += part.len();
        let word = part.trim_end_matches(is_between);
        (!word.is_empty()).then_some((start, word))
    })
}
