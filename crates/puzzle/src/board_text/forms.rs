//! Forms of boards that need a guess: one character per cell, empty places, aligned columns.

use super::clean::{is_box, plain_signs};
use super::grid::Grid;
use super::lexer::{is_bar, is_frame, number};
use super::reading::Note;
use crate::names::words;
use crate::tray::Tray;

/// A grid, and the guess on which it rests.
pub(super) type Guess = (Grid, Option<Note>);

/// All readings of a text with a guess about its form. Whether the numbers are a board is not
/// checked.
pub(super) fn guesses(text: &str) -> Vec<Guess> {
    let text = plain_signs(text);
    let digits = characters(&text, |c| c.to_digit(36));
    let from_zero = digits.as_ref().and_then(from_zero);
    let letters = characters(&text, |c| c.to_digit(36)?.checked_sub(9).filter(|&n| n > 0));
    let with = |grid: Option<Grid>, note| grid.map(|grid| (grid, Some(note)));
    let separators = ['|', ',', ';', '\t', '-', '.', ':'];
    let fields = separators.map(|separator| fields(&text, separator));
    let words = [
        with(digits, Note::Digits),
        from_zero,
        with(letters, Note::Letters),
    ];
    words
        .into_iter()
        .chain(fields)
        .chain([columns(&text)])
        .flatten()
        .collect()
}

/// Tiles that are numbered from 0, beside one mark of the blank.
pub(super) fn from_zero(grid: &Grid) -> Option<Guess> {
    let [blank] = grid.marks[..] else {
        return None;
    };
    let mut grid = grid.clone();
    for number in &mut grid.numbers {
        *number = number.saturating_add(1);
    }
    grid.numbers[blank] = 0;
    Some((grid, Some(Note::FromZero)))
}

/// The lines of a text that are not frames, or the parts between slashes if there is one line.
pub(super) fn row_lines(text: &str) -> Vec<&str> {
    let is_row = |line: &&str| !line.trim().is_empty() && !is_frame(line);
    let lines = text.split(['\n', '\r']).filter(is_row);
    let lines: Vec<&str> = lines.collect();
    match lines[..] {
        [line] => line.split('/').filter(is_row).collect(),
        _ => lines,
    }
}

/// A row of words that are one digit each, some of them letters: `9 A B C`.
pub(super) fn digit_words(line: &str) -> Option<Grid> {
    let mut grid = Grid::default();
    for word in line.split_whitespace() {
        let mut digits = word.chars().map(|c| c.to_digit(36));
        grid.push(Some(digits.next()??));
        digits.next().is_none().then_some(())?;
    }
    grid.end_row();
    (grid.numbers.len() > 1).then_some(grid)
}

/// Whether a character can be a cell by itself.
pub(super) fn is_cell(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.-*#".contains(c) || is_box(c)
}

/// A text with one character per cell, such as `87_654321`, `1234/5678/9abc/def0` or `abc/d.f/ghe`.
/// `value` is the number of a character, `None` for a mark.
fn characters(text: &str, value: impl Fn(char) -> Option<u32>) -> Option<Grid> {
    let mut lines = row_lines(text);
    let width = lines.first()?.chars().count();
    let is_fixed = lines.len() > 1 && lines.iter().all(|line| line.chars().count() == width);
    // In rows of one width, a single space is the blank.
    let mut is_whole = is_fixed && text.matches(' ').count() == 1;
    if let [line] = lines[..] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let length = words.first().map_or(0, |word| word.len());
        if length > 1 && words.len() > 1 && words.iter().all(|word| word.len() == length) {
            (lines, is_whole) = (words, true);
        }
    }
    let is_kept = |c: &char| is_whole || !(c.is_whitespace() || *c == ',');
    let cells = lines
        .iter()
        .flat_map(|line| line.chars())
        .filter(is_kept)
        .count();
    let mut grid = Grid::default();
    for line in lines {
        for c in line.chars().filter(is_kept) {
            let number = value(c).filter(|&number| number as usize <= cells);
            let is_mark = !c.is_alphanumeric() || "0xXbBeE".contains(c);
            if !(is_cell(c) || c == ' ') || (number.is_none() && !is_mark) {
                return None;
            }
            grid.push(number);
        }
        grid.end_row();
    }
    // With one character per line, the line breaks show no rows.
    if grid.rows.iter().all(|&length| length == 1) {
        grid.rows = vec![cells];
    }
    Some(grid)
}

/// A text whose cells are separated by one character, with an empty cell for the blank or with a
/// separator that numbers otherwise do not have, such as `1-2-3`.
fn fields(text: &str, separator: char) -> Option<Guess> {
    let is_separator = |c: char| c == separator || (separator == '|' && is_bar(c));
    if !text.contains(is_separator) {
        return None;
    }
    let lines = row_lines(text).into_iter();
    let mut rows: Vec<Vec<&str>> = lines
        .map(|line| line.split(is_separator).collect())
        .collect();
    if let ([row], '|') = (&rows[..], separator) {
        rows = unbroken(row)?;
    }
    // Separators at the ends of all rows are a frame.
    let is_empty = |cell: Option<&&str>| cell.is_some_and(|cell| cell.trim().is_empty());
    if rows.len() > 1 && rows.iter().all(|row| is_empty(row.first())) {
        rows.iter_mut().for_each(|row| *row = row.split_off(1));
    }
    if rows.len() > 1 && rows.iter().all(|row| is_empty(row.last())) {
        rows.iter_mut().for_each(|row| row.truncate(row.len() - 1));
    }
    // A bar before a row is either an outer bar or an empty cell that lost its space.
    let is_unclear = separator == '|' && rows.iter().any(|row| row.first() == Some(&""));
    let guess = of_cells(&rows).filter(|_| !is_unclear);
    guess.filter(|(_, gap)| gap.is_some() || "-.:".contains(separator))
}

/// The grid of these cells. One of them may be empty: the blank.
fn of_cells(rows: &[Vec<&str>]) -> Option<Guess> {
    let mut grid = Grid::default();
    let mut gap = None;
    for (row, cells) in (1..).zip(rows) {
        for (column, cell) in (1..).zip(cells) {
            let quotes = |c: char| c.is_whitespace() || "[](){}\"'".contains(c);
            let cell = cell.trim_matches(quotes);
            if cell.is_empty() && gap.replace(Note::Gap { row, column }).is_some() {
                return None;
            }
            let is_digits = cell.starts_with(|c: char| c.is_ascii_digit());
            grid.push(Some(number(cell)?).filter(|_| is_digits));
        }
        grid.end_row();
    }
    Some((grid, gap))
}

/// The rows of a drawn table without line breaks, `| 1 | 2 | | 3 |   |`, from its cells.
fn unbroken<'a>(cells: &[&'a str]) -> Option<Vec<Vec<&'a str>>> {
    let is_empty = |cell: &&str| cell.trim().is_empty();
    let [first, inner @ .., last] = cells else {
        return None;
    };
    let widths = 2..inner.len() / 2;
    let fits = |&width: &usize| {
        let mut ends = inner.iter().skip(width).step_by(width + 1);
        (inner.len() + 1) % (width + 1) == 0 && ends.all(is_empty)
    };
    let width = widths
        .into_iter()
        .find(fits)
        .filter(|_| is_empty(first) && is_empty(last))?;
    let rows = inner.chunks(width + 1).map(|row| row[..width].to_vec());
    Some(rows.collect())
}

/// Rows in aligned columns, of which one has a gap instead of the blank.
fn columns(text: &str) -> Option<Guess> {
    let unframed = text.replace(is_bar, " ");
    let (framed, lines) = (row_lines(text), row_lines(&unframed));
    let rows = lines
        .iter()
        .map(|line| words(line, char::is_whitespace).collect());
    let rows: Vec<Vec<(usize, &str)>> = rows.collect();
    let width = rows.iter().map(Vec::len).max()?;
    let short: Vec<usize> = (0..rows.len())
        .filter(|&at| rows[at].len() != width)
        .collect();
    let [at] = short[..] else {
        return None;
    };
    let is_number = |(_, word): &(usize, &str)| word.parse::<u32>().is_ok();
    if rows.len() < 2 || width > Tray::MAX_SIDE || !rows.iter().flatten().all(is_number) {
        return None;
    }
    // The characters that each column has in the full rows.
    let mut spans = vec![(usize::MAX, 0); width];
    for row in rows.iter().filter(|row| row.len() == width) {
        for ((first, end), (start, word)) in spans.iter_mut().zip(row) {
            (*first, *end) = ((*first).min(*start), (*end).max(start + word.len()));
        }
    }
    let column_of = |&(start, word): &(usize, &str)| {
        let overlaps = |&column: &usize| {
            let (first, end) = spans[column];
            start < end && first < start + word.len()
        };
        let mut columns = (0..width).filter(overlaps);
        columns.next().filter(|_| columns.next().is_none())
    };
    let found: Option<Vec<usize>> = rows[at].iter().map(column_of).collect();
    let found = found?;
    let is_gap = |gap: &usize| {
        (0..width)
            .filter(|column| column != gap)
            .eq(found.iter().copied())
    };
    let gap = (0..width).find(is_gap)?;
    // At the end of a row, only spaces or the end of the text show a gap.
    let row_end = framed
        .get(at)
        .map_or("", |row| row.trim_end_matches(is_bar));
    let has_end = row_end.ends_with("  ") || lines[at].ends_with("  ") || at + 1 == lines.len();
    if gap + 1 == width && !has_end {
        return None;
    }
    // A number may have a plus.
    let cells = rows.iter().map(|row| {
        let words = row.iter().map(|(_, word)| word.trim_start_matches('+'));
        words.collect()
    });
    let mut cells: Vec<Vec<&str>> = cells.collect();
    cells[at].insert(gap, "");
    of_cells(&cells)
}
