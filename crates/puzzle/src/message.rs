//! Pieces of messages.

/// The start of a word of the input, fit for a message: it stays on its line and moves no cursor.
pub(crate) fn printable(word: &str) -> String {
    word.chars().take(20).map(printable_sign).collect()
}

/// The same of one sign.
pub(crate) fn printable_sign(sign: char) -> char {
    if sign.is_control() { '\u{fffd}' } else { sign }
}

/// `1 number` or `2 numbers`.
pub(crate) fn count_of(count: usize, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{s}")
}

/// The things as words with a separator between them.
pub(crate) fn join<T: ToString>(things: impl IntoIterator<Item = T>, separator: &str) -> String {
    let words: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    words.join(separator)
}
