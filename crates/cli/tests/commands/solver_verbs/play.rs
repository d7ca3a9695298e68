//! `solver play` on a terminal: the tests press keys and read the screen.

use crate::solver_verbs::run::{folder, solver};

#[test]
fn play_requires_a_terminal() {
    let folder = folder();
    for words in [
        &["play"][..],
        &["play", "1 2 3/4 0 6/7 5 8"],
        &["play", "--json"],
    ] {
        let line = solver(folder.path(), words).fails(2);
        assert!(line.contains("play needs a terminal"), "{line}");
    }
    let line = solver(folder.path(), ["play", "-"]).fails(2);
    assert!(line.contains("give the board in quotes"), "{line}");
    let run = solver(folder.path(), ["play", "1 2 3/4 5 6/8 7 0"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.out.contains("unsolvable: "), "{}", run.out);
    for words in [
        &["play", "--arrows", "up"][..],
        &["play", "1 2 3/4 0 6/7 5 8", "UL"],
    ] {
        solver(folder.path(), words).fails_as_usage();
    }
}

#[cfg(target_os = "linux")]
mod on_a_terminal {
    use rustix::process::Signal;

    use crate::file::folder;
    use crate::pseudo_terminal::PseudoTerminal;

    /// Two moves from the goal: U, L.
    const EASY: &str = "1 2 3/4 0 6/7 5 8";
    const FARTHEST: &str = "8 6 7/2 5 4/3 0 1";

    fn play_with(
        size: (u16, u16),
        words: &[&str],
        variables: &[(&str, &str)],
    ) -> (PseudoTerminal, tempfile::TempDir) {
        let folder = folder();
        let tables = folder.path().to_str().unwrap();
        let arguments = [&["play", "--tables", tables], words].concat();
        let program = env!("CARGO_BIN_EXE_solver");
        let terminal = PseudoTerminal::start(size, program, &arguments, variables);
        (terminal, folder)
    }

    fn play(words: &[&str]) -> (PseudoTerminal, tempfile::TempDir) {
        play_with((80, 24), words, &[])
    }

    #[test]
    fn a_game_is_played_with_arrows_and_letters() {
        let (mut terminal, _folder) = play(&[EASY]);
        terminal.shows("0 moves");
        terminal.shows("│ 4 │   │ 6 │");
        terminal.press("\x1b[A");
        terminal.shows("1 move");
        terminal.shows("│ 4 │ 5 │ 6 │");
        // No tile can move in this direction.
        terminal.press("w");
        terminal.shows("no tile can go there");
        terminal.press("A");
        terminal.shows("2 moves - solved");
        terminal.shows("solved in 2 moves; the shortest solution has 2");
        terminal.shows("credit 100 %");
        // A key whose move is impossible changes nothing.
        terminal.press("a");
        terminal.shows("no tile can go there");
        terminal.shows("credit 100 %");
        terminal.press("q");
        let text = terminal.ends(0);
        assert!(text.contains("solved in 2 moves; the shortest"), "{text}");
        assert!(text.contains("moves UL"), "{text}");
        // The game was drawn on the alternate screen, so no drawing remains.
        assert!(!text.contains('┌'), "{text}");
    }

    #[test]
    fn arrows_move_the_blank_if_requested() {
        let (mut terminal, _folder) = play(&[EASY, "--arrows", "blank", "--json"]);
        terminal.shows("0 moves");
        terminal.press("\x1b[B\x1b[C");
        terminal.shows("credit 100 %");
        terminal.press("q");
        let text = terminal.ends(0).replace('\n', "");
        let object = &text[text.find('{').unwrap()..=text.rfind('}').unwrap()];
        let object: serde_json::Value = serde_json::from_str(object).unwrap();
        assert_eq!(object["moves"], "UL");
        assert_eq!(
            (&object["solved"], &object["helped"]),
            (&true.into(), &0.into())
        );
        assert_eq!(
            (&object["distance"], &object["credit"]),
            (&2.into(), &100.0.into())
        );
    }

    #[test]
    fn hints_grow_with_each_key() {
        let (mut terminal, _folder) = play(&[EASY]);
        terminal.shows("0 moves");
        for line in [
            "2 moves to the goal",
            "move tile 5",
            "move tile 5 up (U)",
            "it is the only good move",
        ] {
            terminal.press("h");
            terminal.shows(line);
        }
        // A hint applies to one board only.
        terminal.press("s");
        terminal.shows("\n1 move\n");
        terminal.hides("to the goal");
        terminal.press("u");
        terminal.shows("0 moves");
        terminal.press("n");
        terminal.shows("\n1 move\n");
        terminal.press("n");
        terminal.shows("2 moves - solved");
        terminal.press("h");
        terminal.shows("solved: r restarts");
        terminal.press("r");
        terminal.shows("0 moves");
        terminal.press("d");
        terminal.shows("\n1 move\n");
        terminal.press("q");
        let text = terminal.ends(0);
        assert!(text.contains("not solved: 1 move made"), "{text}");
        assert!(text.contains("moves R"), "{text}");
    }

    #[test]
    fn the_solution_is_played_and_paused() {
        let (mut terminal, _folder) = play(&[FARTHEST]);
        terminal.shows("0 moves");
        // Three times `-` selects the lowest speed.
        terminal.press("---p");
        terminal.shows(" to go, 1 per second");
        terminal.press(" ");
        terminal.shows("paused");
        terminal.press("++++++++p");
        terminal.shows("31 moves - solved");
        terminal.shows("with 0 hints and 31 moves by the solver");
        terminal.press("q");
        let text = terminal.ends(0);
        assert!(
            text.contains("with 0 hints and 31 moves by the solver"),
            "{text}"
        );
        assert!(!text.contains("credit"), "the player made no move: {text}");
    }

    #[test]
    fn mistakes_cost_credit_and_new_boards_come() {
        let (mut terminal, _folder) = play(&[EASY, "--seed", "7"]);
        terminal.shows("0 moves");
        terminal.press("ddd");
        terminal.shows("\n1 move\n");
        terminal.press("awa");
        terminal.shows("solved in 4 moves; the shortest solution has 2");
        terminal.shows("credit 75 %: 3 of 4 moves");
        terminal.shows("most was lost at move 1: 2 moves");
        terminal.press("m");
        terminal.shows("0 moves");
        terminal.hides("│ 4 │ 5 │ 6 │");
        // Undoes the new board and then two moves, and redoes one of these moves.
        terminal.press("u");
        terminal.shows("previous game restored");
        terminal.shows("credit 75 %");
        // Games without moves are not kept: after `m` and `r`, `u` restores the solved game.
        terminal.press("mru");
        terminal.shows("4 moves - solved");
        terminal.press("y");
        terminal.shows("nothing to redo");
        terminal.shows("credit 75 %");
        terminal.press("uuy");
        terminal.shows("\n3 moves\n");
        terminal.press("m");
        terminal.shows("0 moves");
        terminal.press("q");
        assert!(terminal.ends(0).contains("not solved: 0 moves made"));
    }

    #[test]
    fn interrupts_restore_the_terminal() {
        for is_key in [true, false] {
            let (mut terminal, _folder) = play(&[EASY]);
            terminal.shows("0 moves");
            match is_key {
                true => terminal.press("\x03"),
                false => terminal.signal(Signal::TERM),
            }
            let text = terminal.ends(130);
            assert!(text.contains("not solved"), "{text}");
        }
    }

    /// A search with Manhattan distance needs hours for this 15-puzzle board; keys still respond.
    #[test]
    fn keys_respond_while_the_solver_works() {
        let far = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
        let words = [far, "--partition", "manhattan", "--max-time", "1h"];
        let (mut terminal, _folder) = play(&words);
        terminal.shows("0 moves");
        terminal.press("h");
        terminal.shows("thinking");
        terminal.press("w");
        terminal.shows("\n1 move\n");
        terminal.hides("thinking");
        terminal.press("p");
        terminal.shows("thinking");
        terminal.press("q");
        terminal.ends(0);
    }

    #[test]
    fn the_board_fills_the_terminal() {
        let (mut terminal, _folder) = play_with((80, 24), &[EASY], &[("NO_COLOR", "1")]);
        terminal.shows("│ 4 │   │ 6 │");
        terminal.resize(40, 6);
        terminal.shows("4 . 6");
        terminal.hides("│");
        terminal.resize(10, 3);
        terminal.shows("too small");
        terminal.press("w");
        terminal.resize(80, 24);
        terminal.shows("│ 4 │ 5 │ 6 │");
        assert!(!terminal.bytes().contains("\x1b[38"));
        terminal.press("q");
        terminal.ends(0);
        let (mut terminal, _folder) = play(&["--size", "20x20", "--partition", "manhattan"]);
        terminal.shows("0 moves");
        terminal.shows("399");
        terminal.press("q");
        terminal.ends(0);
    }

    #[test]
    fn other_keys_do_nothing() {
        let (mut terminal, _folder) = play(&[EASY]);
        terminal.shows("0 moves");
        terminal.press("zxy\x1b[5~\x1b[1;5C\t\r\x1bOP");
        terminal.press_bytes(&[0xff, 0xfe, 0x00, 0x1a, 0xc3, 0x28]);
        terminal.press("w");
        terminal.shows("1 move");
        terminal.press("q");
        terminal.ends(0);
    }

    /// Closes the terminal with and without a pending question to the solver.
    #[test]
    fn a_closed_terminal_ends_the_game() {
        let far = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
        for keys in ["", "h"] {
            let words = [far, "--partition", "manhattan", "--max-time", "1h"];
            let (mut terminal, _folder) = play(&words);
            terminal.shows("0 moves");
            terminal.press(keys);
            if !keys.is_empty() {
                terminal.shows("thinking");
            }
            let status = terminal.close().expect("goes on without a terminal");
            assert_eq!(status.code(), Some(130), "{status}");
        }
    }

    #[test]
    fn dumb_terminals_are_rejected() {
        let (terminal, _folder) = play_with((80, 24), &[EASY], &[("TERM", "dumb")]);
        let text = terminal.ends(2);
        assert!(text.contains("TERM is dumb"), "{text}");
    }
}
