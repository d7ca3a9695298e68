//! Lists of boards: grouping lines into the texts of boards, and reading these texts.

use puzzle::board_text::{ListReader, ListedText, parse, parse_listed};
use puzzle::{Board, Tray};

use crate::text::{assert_one_line, check_board, chosen_text, size};

/// The first byte selects the size and whether lines begin with an identifier.
pub fn lists(bytes: &[u8]) {
    let Some((choice, text)) = chosen_text(bytes) else {
        return;
    };
    let (size, leading_id) = (size(choice), choice >= usize::from(b'a'));
    let texts = read(text, |reader| *reader = ListReader::new(size, leading_id));
    check_lines(text, &texts);
    let mut boards: Vec<Board> = Vec::new();
    for listed in &texts {
        match listed.parse() {
            Ok(listed) => {
                assert!(size.is_none_or(|size| size == listed.board.tray()));
                check_board(&listed.board);
                boards.push(listed.board);
            }
            Err(error) => assert_one_line(error),
        }
    }
    if let Err(error) = parse_listed(text, size, leading_id) {
        assert_one_line(error);
    }
    check_printed(&boards);
    if !leading_id {
        check_alone(text, size, &texts);
    }
}

/// Checks that a text is never read as two different boards: as one board, it is either rejected or
/// the only board of the list, with the same notes, or the list has an error.
fn check_alone(text: &str, size: Option<Tray>, texts: &[ListedText]) {
    let listed: Vec<_> = texts.iter().map(ListedText::parse).collect();
    if let Ok(one) = parse(text, size) {
        assert!(
            listed.iter().any(Result::is_err) || listed == [Ok(one.clone())],
            "{text:?}: {one:?}, but {listed:?}"
        );
    }
}

/// Checks that boards printed one per line are read as the same list. Boards of one row or
/// column are not checked, because their text does not show their size.
fn check_printed(boards: &[Board]) {
    let printed = || {
        boards
            .iter()
            .filter(|board| board.tray().height().min(board.tray().width()) > 1)
    };
    let lines: String = printed().map(|board| format!("{board}\n")).collect();
    let again = read(&lines, |_| {});
    let again: Vec<Board> = again
        .iter()
        .map(|listed| listed.parse().expect("it was printed").board)
        .collect();
    assert!(again.iter().eq(printed()), "{lines}");
}

fn read(text: &str, begin: impl FnOnce(&mut ListReader)) -> Vec<ListedText> {
    let mut reader = ListReader::new(None, false);
    begin(&mut reader);
    let mut texts = Vec::new();
    for line in text.lines() {
        reader.push(line);
        texts.extend(std::iter::from_fn(|| reader.pop()));
    }
    reader.finish();
    texts.extend(std::iter::from_fn(|| reader.pop()));
    texts
}

/// Checks that every line with content is in exactly one of `texts`, and that the lines are in
/// order.
fn check_lines(text: &str, texts: &[ListedText]) {
    let lines: Vec<&str> = text.lines().collect();
    let mut next = 1;
    let mut skipped = Vec::new();
    for listed in texts {
        let (first, last) = (listed.first_line, listed.last_line);
        assert!(
            next <= first && first <= last && last <= lines.len(),
            "{first} to {last}"
        );
        skipped.extend(next..first);
        next = last + 1;
    }
    skipped.extend(next..=lines.len());
    for number in skipped {
        let line = lines[number - 1].trim();
        let says_something = line.contains(|sign: char| sign.is_ascii_digit());
        let is_comment = ["#", "%", "//"].iter().any(|sign| line.starts_with(sign));
        // A line of numbers before a board is its header.
        let words = line.split(|sign: char| sign.is_whitespace() || sign == ',');
        let is_header = words.filter(|word| !word.is_empty()).count() < 3
            && !line.starts_with(',')
            && !line.ends_with(',')
            && number < lines.len();
        assert!(
            is_comment || is_header || !says_something,
            "line {number} is lost: {line:?}"
        );
    }
}
