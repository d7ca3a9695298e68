//! Letter widths of DejaVu Sans, the first font of plots.

/// Widths of the ASCII characters, beginning with the space, in hundredths of the font size.
const WIDTHS: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75,
    79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,
    63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
];

/// Assumed width of letters outside the table; few are wider.
const OTHERS: u8 = 100;

/// Width of a text in a font size.
pub(crate) fn width_of(words: &str, size: u32) -> f64 {
    let width = |letter: char| {
        let place = (letter as usize).checked_sub(usize::from(b' '));
        *place.and_then(|place| WIDTHS.get(place)).unwrap_or(&OTHERS)
    };
    let hundredths: u32 = words.chars().map(|letter| u32::from(width(letter))).sum();
    f64::from(hundredths * size) / 100.0
}

/// Whether a character is allowed in XML and is not a control character.
pub(crate) fn has_letter(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// A text on one line, shortened with an ellipsis to fit a width. Characters that XML does not
/// allow become spaces.
pub(crate) fn fitting(words: &str, size: u32, width: f64) -> String {
    let mut words = words.replace(|c| !has_letter(c), " ");
    if width_of(&words, size) <= width {
        return words;
    }
    while words.pop().is_some() {
        let shorter = format!("{}…", words.trim_end());
        if width_of(&shorter, size) <= width {
            return shorter;
        }
    }
    words
}

/// The text of a number, with separated thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
