//! `solver` as its users run it: boards in; exit code, lines and tables out.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use pdb_table::{Header, Table, Values};
use serde_json::Value;
use tempfile::TempDir;

// ---- running the program ----

/// How a run ended. `code` is `None` after a signal.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

/// No run here takes longer than this, even on a slow machine: whatever does hangs.
const PATIENCE: Duration = Duration::from_secs(120);

fn command(tables: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut command);
    command.arg("--tables").arg(tables);
    command
}

/// Nothing of the user's own settings or tables is met.
fn clean(command: &mut Command) {
    command
        .env_remove("PDB_TABLES")
        .env_remove("XDG_DATA_HOME")
        .env("HOME", "/nonexistent-home")
        .stdin(Stdio::null());
}

fn start(command: &mut Command) -> Child {
    let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    pipes.spawn().unwrap()
}

fn finish(child: Child) -> Run {
    finish_within(child, PATIENCE).expect("the program did not end")
}

/// `None`, and the program killed, when it takes longer.
fn finish_within(mut child: Child, limit: Duration) -> Option<Run> {
    fn reader(mut pipe: impl std::io::Read + Send + 'static) -> thread::JoinHandle<String> {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        })
    }
    let (out, err) = (
        reader(child.stdout.take().unwrap()),
        reader(child.stderr.take().unwrap()),
    );
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > limit {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    };
    let (out, err) = (out.join().unwrap(), err.join().unwrap());
    assert!(!err.contains("panicked"), "{err}");
    let code = status.code();
    Some(Run { code, out, err })
}

/// Runs with these arguments and nothing on standard input.
fn solver<A: AsRef<OsStr>>(tables: &Path, arguments: impl IntoIterator<Item = A>) -> Run {
    finish(start(command(tables).args(arguments)))
}

/// Runs with these words as options and a list of boards on standard input.
fn batch(tables: &Path, words: &str, list: impl AsRef<[u8]>) -> Run {
    let mut command = command(tables);
    command.args(words.split_whitespace()).stdin(Stdio::piped());
    let mut child = start(&mut command);
    let mut input = child.stdin.take().unwrap();
    let list = list.as_ref().to_vec();
    // A program that refuses its options reads nothing.
    let writer = thread::spawn(move || input.write_all(&list).ok());
    let run = finish(child);
    writer.join().unwrap();
    run
}

impl Run {
    /// All solved, and nothing said but the answers and perhaps which tables were built.
    #[track_caller]
    fn solves(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        let only_tables = self
            .err
            .lines()
            .all(|line| line.starts_with("solver: built "));
        assert!(only_tables, "{}", self.err);
        self.out
    }

    /// Ended with this exit code and nothing but one line, on standard error, after the program's name.
    #[track_caller]
    fn fails(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        assert_eq!(self.out, "");
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.starts_with("solver: "), "{}", self.err);
        self.err
    }

    /// The objects of `--json`, after this exit code.
    #[track_caller]
    fn objects(&self, code: i32) -> Vec<Value> {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        let lines = self.out.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The one object of `--json`.
    #[track_caller]
    fn object(&self, code: i32) -> Value {
        let mut objects = self.objects(code);
        assert_eq!(objects.len(), 1, "{}", self.out);
        objects.remove(0)
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// All files of a directory, sorted, hidden ones too.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn keys(object: &Value) -> BTreeSet<&str> {
    object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

fn lengths(objects: &[Value]) -> Vec<u64> {
    objects
        .iter()
        .map(|o| o["length"].as_u64().unwrap())
        .collect()
}

// ---- a second opinion: boards, moves and searches that share nothing with the program ----

/// Numbers in reading order, 0 for the blank.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Board {
    width: usize,
    numbers: Vec<u16>,
}

impl Board {
    fn read(rows: &str) -> Board {
        let width = rows.split('/').next().unwrap().split_whitespace().count();
        let words = rows.split(|c: char| c == '/' || c.is_whitespace());
        let words = words.filter(|word| !word.is_empty());
        let numbers = words.map(|word| word.parse().unwrap()).collect();
        Board { width, numbers }
    }

    /// 1 2 3 ... in reading order, with the blank on this cell.
    fn goal(width: usize, height: usize, blank: usize) -> Board {
        let mut numbers: Vec<u16> = (1..(width * height) as u16).collect();
        numbers.insert(blank, 0);
        Board { width, numbers }
    }

    fn rows(&self) -> String {
        let row = |row: &[u16]| row.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        self.numbers
            .chunks(self.width)
            .map(row)
            .collect::<Vec<_>>()
            .join("/")
    }

    fn flat(&self) -> String {
        self.rows().replace('/', " ")
    }

    fn blank(&self) -> usize {
        self.numbers.iter().position(|&number| number == 0).unwrap()
    }

    /// Where the tile is that goes this way.
    fn source(&self, tile_goes: char) -> Option<usize> {
        let (blank, width) = (self.blank(), self.width);
        match tile_goes {
            'U' => Some(blank + width).filter(|&cell| cell < self.numbers.len()),
            'D' => blank.checked_sub(width),
            'L' => Some(blank + 1).filter(|cell| cell % width != 0),
            'R' => blank.checked_sub(1).filter(|_| blank % width != 0),
            _ => panic!("{tile_goes} is no move"),
        }
    }

    fn moved(&self, tile_goes: char) -> Option<Board> {
        let from = self.source(tile_goes)?;
        let mut board = self.clone();
        board.numbers.swap(from, self.blank());
        Some(board)
    }

    /// Plays moves written as `U2RD`; returns the end and their number.
    fn play(&self, moves: &str) -> (Board, usize) {
        let mut board = self.clone();
        let mut count = 0;
        let mut rest = moves;
        while let Some(letter) = rest.chars().next() {
            rest = &rest[1..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let times = if digits == 0 {
                1
            } else {
                rest[..digits].parse().unwrap()
            };
            rest = &rest[digits..];
            for _ in 0..times {
                board = board.moved(letter).unwrap();
                count += 1;
            }
        }
        (board, count)
    }

    /// A walk of this many moves that never takes one back.
    fn walk(&self, steps: usize, random: &mut Random) -> Board {
        let mut board = self.clone();
        let mut last = None;
        for _ in 0..steps {
            let opposite = |way| match way {
                'U' => 'D',
                'D' => 'U',
                'L' => 'R',
                _ => 'L',
            };
            let ways = ['U', 'D', 'L', 'R'].into_iter();
            let ways = ways.filter(|&way| Some(opposite(way)) != last);
            let ways: Vec<char> = ways.filter(|&way| board.source(way).is_some()).collect();
            // A tray of one line has dead ends.
            let Some(&way) = ways.get(random.below(ways.len().max(1))) else {
                break;
            };
            board = board.moved(way).unwrap();
            last = Some(way);
        }
        board
    }

    /// Length of a shortest solution, by IDA* with Manhattan distance.
    fn distance_to(&self, goal: &Board) -> usize {
        fn visit(board: &mut Board, home: &[usize], came: char, left: usize) -> bool {
            let (blank, width) = (board.blank(), board.width);
            let far = |number: u16, cell: usize| {
                let home = home[usize::from(number)];
                (home % width).abs_diff(cell % width) + (home / width).abs_diff(cell / width)
            };
            let tiles = board
                .numbers
                .iter()
                .enumerate()
                .filter(|(_, number)| **number != 0);
            let estimate: usize = tiles.map(|(cell, &number)| far(number, cell)).sum();
            if estimate > left {
                return false;
            }
            if estimate == 0 && blank == home[0] {
                return left == 0;
            }
            for (way, back) in [('U', 'D'), ('D', 'U'), ('L', 'R'), ('R', 'L')] {
                if way == came {
                    continue;
                }
                if let Some(from) = board.source(way) {
                    board.numbers.swap(from, blank);
                    let found = left > 0 && visit(board, home, back, left - 1);
                    board.numbers.swap(from, blank);
                    if found {
                        return true;
                    }
                }
            }
            false
        }
        let mut home = vec![0; self.numbers.len()];
        for (cell, &number) in goal.numbers.iter().enumerate() {
            home[usize::from(number)] = cell;
        }
        let mut board = self.clone();
        (0..)
            .find(|&length| visit(&mut board, &home, ' ', length))
            .unwrap()
    }

    /// All boards that reach this one, with their distances.
    fn all_distances(&self) -> HashMap<Board, usize> {
        let mut distances = HashMap::from([(self.clone(), 0)]);
        let mut queue = VecDeque::from([self.clone()]);
        while let Some(board) = queue.pop_front() {
            let next = distances[&board] + 1;
            for way in ['U', 'D', 'L', 'R'] {
                if let Some(moved) = board.moved(way) {
                    if !distances.contains_key(&moved) {
                        distances.insert(moved.clone(), next);
                        queue.push_back(moved);
                    }
                }
            }
        }
        distances
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

/// 3x3 boards that many walks of all lengths reach, one a line.
fn small_list(boards: usize) -> String {
    let goal = Board::goal(3, 3, 8);
    let mut random = Random(7);
    let board = |index: usize| goal.walk(index % 60, &mut random).rows() + "\n";
    (0..boards).map(board).collect()
}

const FAR: &str = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";
const FARTHEST_3X3: [&str; 2] = ["8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1"];
/// The first of Korf's, with the blank's goal first.
const KORF_1: &str = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";
/// Far beyond any search.
const HARD_6X6: &str = "35 34 33 32 31 30/29 28 27 26 25 24/23 22 21 20 19 18/\
                        17 16 15 14 13 12/11 10 9 8 7 6/5 4 3 1 2 0";
/// The first of Korf and Felner's, with the blank's goal first.
const HARD_5X5: &str = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";

// ---- solving ----

#[test]
fn the_55_move_board_is_solved_and_its_tables_are_built_once() {
    let folder = folder();
    let tables = folder.path().join("a/b");
    let first = solver(&tables, [FAR]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    assert_eq!(first.err.lines().count(), 3, "{}", first.err);
    for line in first.err.lines() {
        assert!(
            line.contains("built") && line.contains(tables.to_str().unwrap()),
            "{line}"
        );
    }
    assert_eq!(files(&tables).len(), 3);
    let line = first.out.lines().next().unwrap();
    let moves = line.strip_prefix("55 moves: ").unwrap();
    assert_eq!(Board::read(FAR).play(moves), (Board::goal(4, 4, 15), 55));

    let second = solver(&tables, [FAR]);
    assert_eq!((second.code, second.err.as_str()), (Some(0), ""));
    assert_eq!(second.out.lines().next(), first.out.lines().next());
}

#[test]
fn quiet_says_only_the_answer() {
    let folder = folder();
    let run = solver(folder.path(), ["--quiet", FARTHEST_3X3[0]]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_eq!(run.out.lines().count(), 1);
    assert!(run.out.starts_with("31 "), "{}", run.out);
}

#[test]
fn every_partition_and_kind_solves_the_farthest_3x3_boards_in_31_moves() {
    let folder = folder();
    let goal = Board::goal(3, 3, 8);
    for words in [
        "",
        "--partition 8",
        "--partition 5-3",
        "--partition fringe",
        "--partition 4-4",
        "--partition 1,2,3,4/5,6,7,8",
        "--partition 3-3-2+fringe",
        "--partition 8+5-3+manhattan",
        "--partition manhattan",
        "--kind blank-compressed",
        "--kind blank-compressed --partition 5-3",
        "--kind full",
        "--threads 1",
        "--threads 7",
    ] {
        let options = words.split_whitespace().chain(["--json"]);
        let run = solver(folder.path(), options.chain(FARTHEST_3X3));
        let objects = run.objects(0);
        assert_eq!(lengths(&objects), [31, 31], "{words}");
        for (object, board) in objects.iter().zip(FARTHEST_3X3) {
            let moves = object["moves"].as_str().unwrap();
            assert_eq!(
                Board::read(board).play(moves),
                (goal.clone(), 31),
                "{words}"
            );
            assert!(object["h0"].as_u64().unwrap() <= 31, "{words}: {object}");
        }
    }
}

/// Full-cost tables may not be added up: either their maximum is taken, or several parts are refused.
#[test]
fn several_full_cost_parts_are_never_added_up() {
    let folder = folder();
    for partition in ["4-4", "5-3", "1,2,3,4/5,6,7,8"] {
        let options = ["--kind", "full", "--partition", partition, FARTHEST_3X3[0]];
        let run = solver(folder.path(), options);
        let optimal = run.code == Some(0) && run.out.starts_with("31 moves");
        assert!(
            optimal || run.code == Some(2),
            "{partition}: {}{}",
            run.out,
            run.err
        );
    }
}

#[test]
fn every_way_to_write_a_board_is_read() {
    let folder = folder();
    let mut answers = BTreeSet::new();
    for (size, board) in [
        (false, "8 6 7/2 5 4/3 0 1"),
        (false, " 8  6 7 / 2 5 4 / 3 0 1 / "),
        (false, "8,6,7/2,5,4/3,0,1"),
        (false, "8, 6, 7\n2, 5, 4\n3, 0, 1\n"),
        (false, "8 6 7\r\n2 5 4\r\n3 0 1\r\n"),
        (false, "8\t6\t7\n2\t5\t4\n3\t_\t1"),
        (false, "8 6 7/2 5 4/3 . 1"),
        (false, "8 6 7/2 5 4/3 x 1"),
        (false, "[[8,6,7],[2,5,4],[3,0,1]]"),
        (false, "[ [8, 6, 7],\n  [2, 5, 4],\n  [3, 0, 1] ]\n"),
        (true, "8 6 7 2 5 4 3 0 1"),
        (true, "8,6,7,2,5,4,3,_,1"),
        (true, "[8,6,7,2,5,4,3,0,1]"),
        (true, "8 6 7/2 5 4/3 0 1"),
    ] {
        let size = if size { "--size=3x3" } else { "--quiet" };
        let run = solver(folder.path(), ["--json", size, board]);
        let object = run.object(0);
        assert_eq!(object["length"], 31, "{board:?}");
        answers.insert(object["moves"].as_str().unwrap().to_owned());
        assert_eq!(object["board"], "8 6 7/2 5 4/3 0 1", "{board:?}");
    }
    assert_eq!(answers.len(), 1);
}

#[test]
fn moves_are_written_as_tiles_blank_or_numbers() {
    let folder = folder();
    let start = Board::read(FARTHEST_3X3[0]);
    let moves = |notation: &str| {
        let options = ["--json", "--notation", notation, FARTHEST_3X3[0]];
        let object = solver(folder.path(), options).object(0);
        object["moves"].as_str().unwrap().to_owned()
    };
    let goal = (Board::goal(3, 3, 8), 31);
    assert_eq!(start.play(&moves("tile")), goal);
    let opposite = |letter| match letter {
        'U' => 'D',
        'D' => 'U',
        'L' => 'R',
        'R' => 'L',
        digit => digit,
    };
    let blank: String = moves("blank").chars().map(opposite).collect();
    assert_eq!(start.play(&blank), goal);
    assert_eq!(blank, moves("tile"));
    let numbers = moves("numbers");
    assert_eq!(numbers.split(' ').count(), 31);
    let end = numbers.split(' ').fold(start, |board, number| {
        let number: u16 = number.parse().unwrap();
        let ways = ['U', 'D', 'L', 'R'].into_iter();
        let mut ways = ways.filter(|&way| {
            let from = board.source(way);
            from.is_some_and(|from| board.numbers[from] == number)
        });
        board.moved(ways.next().unwrap()).unwrap()
    });
    assert_eq!(end, goal.0);
}

#[test]
fn solved_boards_of_every_size_are_solved_in_no_moves() {
    let folder = folder();
    for (size, board) in [("2x2", "1 2 3 0"), ("5x1", "1 2 3 4 0"), ("1x3", "1 2 0")] {
        let object = solver(folder.path(), ["--json", "--size", size, board]).object(0);
        assert_eq!(
            (&object["length"], &object["moves"]),
            (&0.into(), &"".into())
        );
        let run = solver(folder.path(), ["--size", size, board]);
        assert!(run.solves().contains('0'));
    }
    for side in [6, 20] {
        let object = solver(
            folder.path(),
            ["--json", &Board::goal(side, side, side * side - 1).rows()],
        );
        assert_eq!(object.object(0)["length"], 0);
    }
}

#[test]
fn json_has_exactly_the_fields_of_the_contract() {
    let folder = folder();
    let json = |arguments: &[&str], code| {
        let run = solver(folder.path(), ["--json"].iter().chain(arguments));
        (run.object(code), run.out)
    };
    let (solved, text) = json(&[FARTHEST_3X3[0]], 0);
    let fields = [
        "board", "status", "length", "optimal", "moves", "nodes", "expanded", "ms", "h0", "bound",
        "tables",
    ];
    assert_eq!(keys(&solved), BTreeSet::from(fields));
    assert_eq!(text.lines().count(), 1);
    assert_eq!(solved["status"], "solved");
    assert_eq!(solved["board"], FARTHEST_3X3[0]);
    assert_eq!(solved["length"], 31);
    assert_eq!(solved["optimal"], true);
    assert!(solved["moves"].is_string());
    assert!(solved["nodes"].is_u64() && solved["expanded"].is_u64());
    assert!(solved["nodes"].as_u64() >= solved["expanded"].as_u64());
    assert!(solved["ms"].is_f64(), "{}", solved["ms"]);
    assert!(solved["h0"].is_u64());
    assert_eq!(solved["bound"], 31);
    assert_eq!(solved["tables"], "8");

    let (unsolvable, _) = json(&["1 2 3/4 5 6/8 7 0"], 1);
    assert_eq!(
        keys(&unsolvable),
        BTreeSet::from(["board", "status", "message"])
    );
    assert_eq!(unsolvable["status"], "unsolvable");

    let (limit, _) = json(&["--max-nodes", "20000", HARD_6X6], 1);
    assert_eq!(limit["status"], "limit");
    assert!(limit["bound"].as_u64() >= limit["h0"].as_u64());
    let fields = [
        "board", "status", "nodes", "expanded", "ms", "h0", "bound", "tables", "message",
    ];
    assert_eq!(keys(&limit), BTreeSet::from(fields));

    let (error, _) = json(&["1 2 3/4 5 6/7 8 8"], 2);
    assert_eq!(keys(&error), BTreeSet::from(["board", "status", "message"]));
    assert_eq!(error["status"], "error");

    let error = batch(folder.path(), "--json", "\n1 2 3/4 5 6/7 8 8\n").object(2);
    assert_eq!(
        keys(&error),
        BTreeSet::from(["board", "status", "message", "line"])
    );
    assert_eq!(error["line"], 2);
}

#[test]
fn the_node_limit_holds_from_the_first_node_on() {
    let folder = folder();
    for most in [1, 100, 1000, 100_000] {
        let limit = most.to_string();
        let object = solver(folder.path(), ["--json", "--max-nodes", &limit, HARD_6X6]).object(1);
        let nodes = object["nodes"].as_u64().unwrap();
        assert!(
            (most..most + 100).contains(&nodes),
            "{nodes} nodes with --max-nodes {most}"
        );
    }
}

#[test]
fn limits_end_a_search_with_a_bound() {
    let folder = folder();
    let bound = |arguments: &[&str]| {
        let object = solver(folder.path(), ["--json"].iter().chain(arguments)).object(1);
        assert_eq!(object["status"], "limit", "{object}");
        assert!(object.get("length").is_none() && object.get("moves").is_none());
        let bound = object["bound"].as_u64().unwrap();
        assert!(bound >= object["h0"].as_u64().unwrap());
        bound
    };
    // Its Manhattan distance is 174; the 5x5 board is solved in 95.
    assert!(bound(&["--max-nodes", "50000", HARD_6X6]) >= 174);
    let five = [
        "--goal",
        "blank-first",
        "--partition",
        "manhattan",
        HARD_5X5,
    ];
    let found = bound(&[&["--max-nodes", "200000"], &five[..]].concat());
    assert!((60..=95).contains(&found), "{found}");
    let begun = Instant::now();
    bound(&[&["--max-time", "0.2"], &five[..]].concat());
    let time = begun.elapsed();
    assert!(
        (Duration::from_millis(200)..Duration::from_secs(20)).contains(&time),
        "{time:?}"
    );

    // In words too, and the next board is solved all the same.
    let run = solver(
        folder.path(),
        ["--max-nodes", "50000", HARD_6X6, FARTHEST_3X3[0]],
    );
    assert_eq!(run.code, Some(1));
    assert!(
        run.out
            .lines()
            .next()
            .unwrap()
            .contains("no solution is shorter than"),
        "{}",
        run.out
    );
    assert!(run.out.contains("31 moves"), "{}", run.out);
}

#[test]
fn unsolvable_boards_are_answered_without_tables() {
    let folder = folder();
    let tables = folder.path().join("none");
    let mut big = Board::goal(20, 20, 399);
    big.numbers.swap(0, 1);
    for (arguments, swap) in [
        (vec!["1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0"], "14 and 15"),
        (
            vec![
                "--partition",
                "7-8",
                "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0",
            ],
            "14 and 15",
        ),
        (vec!["1 2 3/4 5 6/8 7 0"], "7 and 8"),
        (vec!["--goal", "blank-first", "0 2/1 3"], " and "),
        (vec!["--goal", "3 1/2 0", "1 3/2 0"], "1 and 3"),
        (vec![big.rows().leak()], "1 and 2"),
        (vec!["--size", "5x1", "2 1 3 0 4"], "1 and 2"),
    ] {
        let run = solver(&tables, &arguments);
        assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
        assert_eq!(run.out.lines().count(), 1);
        assert!(
            run.out.contains("unsolvable") && run.out.contains("swap"),
            "{}",
            run.out
        );
        assert!(run.out.contains(swap), "{arguments:?}: {}", run.out);
        let object = solver(&tables, ["--json"].iter().chain(&arguments)).object(1);
        assert_eq!(object["status"], "unsolvable");
        assert!(object["message"].as_str().unwrap().contains(swap));
    }
    // No single swap puts three tiles of a line right, so none is promised.
    let run = solver(&tables, ["--size", "1x5", "3 1 2 0 4"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.out.contains("unsolvable") && !run.out.contains("swap"),
        "{}",
        run.out
    );
    assert!(!tables.exists());
}

#[test]
fn the_promised_swap_makes_the_board_solvable() {
    let folder = folder();
    let mut random = Random(3);
    for _ in 0..10 {
        let mut board = Board::goal(3, 3, 8).walk(40, &mut random);
        let tiles: Vec<usize> = (0..9).filter(|&cell| board.numbers[cell] != 0).collect();
        let (a, b) = (random.below(8), random.below(7));
        board
            .numbers
            .swap(tiles[a], tiles[if b >= a { b + 1 } else { b }]);
        let run = solver(folder.path(), [board.rows()]);
        assert_eq!(run.code, Some(1), "{}", board.rows());
        let words: Vec<&str> = run.out.split_whitespace().collect();
        let at = words.iter().position(|&word| word == "tiles").unwrap();
        let cell = |word: &str| {
            let number: u16 = word.parse().unwrap();
            board.numbers.iter().position(|&n| n == number).unwrap()
        };
        let (a, b) = (cell(words[at + 1]), cell(words[at + 3]));
        board.numbers.swap(a, b);
        solver(folder.path(), [board.rows()]).solves();
    }
}

// ---- goals and sizes ----

#[test]
fn goals_with_the_blank_on_every_cell_of_the_4x4_are_solved_to_the_optimum() {
    let folder = folder();
    let mut random = Random(11);
    let mut built = 0;
    for blank in 0..16 {
        let goal = Board::goal(4, 4, blank);
        let boards = [28, 29, 30].map(|steps| goal.walk(steps, &mut random));
        let rows = boards.each_ref().map(Board::rows);
        let goal_rows = goal.rows();
        let options = ["--json", "--goal", &goal_rows];
        let run = solver(
            folder.path(),
            options.into_iter().chain(rows.iter().map(String::as_str)),
        );
        built += run.err.lines().count();
        for (object, board) in run.objects(0).iter().zip(&boards) {
            assert_eq!(
                object["length"],
                board.distance_to(&goal),
                "{} to {goal_rows}",
                board.rows()
            );
            let (end, count) = board.play(object["moves"].as_str().unwrap());
            assert_eq!(
                (end, object["length"].as_u64()),
                (goal.clone(), Some(count as u64))
            );
        }
    }
    // Three sets, one of two partitions, serve all sixteen.
    assert_eq!(files(folder.path()).len(), built);
    assert!(built <= 12, "{built} tables");
}

#[test]
fn goals_with_the_blank_on_every_cell_of_the_3x3_are_solved_to_the_optimum() {
    let folder = folder();
    let mut random = Random(5);
    for blank in 0..9 {
        let mut goal = Board::goal(3, 3, blank);
        if blank % 2 == 1 {
            // Any numbering of the tiles.
            for last in (1..9).rev().filter(|&cell| cell != blank) {
                let other = random.below(last);
                if other != blank {
                    goal.numbers.swap(last, other);
                }
            }
        }
        let distances = goal.all_distances();
        assert_eq!(distances.len(), 181_440);
        let mut boards: Vec<Board> = (0..60).map(|steps| goal.walk(steps, &mut random)).collect();
        let far = *distances.values().max().unwrap();
        let farthest = distances.iter().filter(|&(_, &distance)| distance == far);
        boards.extend(farthest.map(|(board, _)| board.clone()).take(5));
        let list: String = boards.iter().map(|board| board.rows() + "\n").collect();
        let expected: Vec<u64> = boards.iter().map(|board| distances[board] as u64).collect();
        for partition in ["8", "5-3", "4-4", "fringe"] {
            let mut command = command(folder.path());
            let path = folder.path().join("list.txt");
            fs::write(&path, &list).unwrap();
            command.args(["--json", "--goal", &goal.rows(), "--partition", partition]);
            let run = finish(start(command.arg("--file").arg(&path)));
            assert_eq!(
                lengths(&run.objects(0)),
                expected,
                "{partition} {}",
                goal.rows()
            );
        }
    }
}

#[test]
fn boards_of_other_sizes_are_solved_to_the_optimum() {
    let folder = folder();
    let mut random = Random(17);
    for (width, height, steps) in [
        (2, 2, 9),
        (3, 2, 20),
        (2, 3, 20),
        (4, 2, 24),
        (2, 5, 24),
        (4, 3, 28),
        (3, 5, 26),
        (6, 6, 24),
        (7, 2, 24),
        (3, 10, 22),
        (6, 1, 3),
        (1, 4, 3),
    ] {
        for blank in [0, width * height - 1] {
            let goal = Board::goal(width, height, blank);
            let board = goal.walk(steps, &mut random);
            let size = format!("{width}x{height}");
            let goal_rows = goal.rows();
            let run = solver(
                folder.path(),
                [
                    "--json",
                    "--size",
                    &size,
                    "--goal",
                    &goal_rows,
                    &board.flat(),
                ],
            );
            let object = run.object(0);
            assert_eq!(
                object["length"],
                board.distance_to(&goal),
                "{size} {}",
                board.rows()
            );
            let end = board.play(object["moves"].as_str().unwrap()).0;
            assert_eq!(end, goal, "{size}");
        }
    }
}

#[test]
fn one_run_may_mix_sizes() {
    let folder = folder();
    let run = solver(
        folder.path(),
        ["--json", "1 2/0 3", FARTHEST_3X3[0], "1 2 3/4 0 5"],
    );
    assert_eq!(lengths(&run.objects(0)), [1, 31, 1]);
    let run = batch(
        folder.path(),
        "--json",
        format!("1 2/0 3\n{}\n1 2 3/4 0 5\n", FARTHEST_3X3[1]),
    );
    assert_eq!(lengths(&run.objects(0)), [1, 31, 1]);
}

// ---- lists ----

#[test]
fn korfs_100_boards_are_solved_in_order_and_at_their_known_lengths() {
    let folder = folder();
    let list = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/suites/korf100.txt");
    let options = ["--json", "--goal", "blank-first", "--file", list];
    let objects = solver(folder.path(), options).objects(0);
    assert_eq!(objects.len(), 100);
    assert_eq!(lengths(&objects).iter().sum::<u64>(), 5305);
    let text = fs::read_to_string(list).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for (object, line) in objects.iter().zip(lines) {
        let board = Board::read(object["board"].as_str().unwrap());
        assert!(line.starts_with(&board.flat()), "{line}");
        let (end, count) = board.play(object["moves"].as_str().unwrap());
        assert_eq!(
            end,
            Board {
                width: 4,
                numbers: (0..16).collect()
            }
        );
        assert_eq!(object["length"], count);
        assert_eq!(object["status"], "solved");
    }
}

#[test]
fn any_number_of_threads_answers_in_input_order() {
    let folder = folder();
    let list = small_list(3000);
    let answers = ["1", "2", "8"].map(|threads| {
        let words = format!("--threads {threads} --partition 5-3 --json");
        let objects = batch(folder.path(), &words, &list).objects(0);
        let answer = |object: &Value| {
            (
                object["board"].clone(),
                object["moves"].clone(),
                object["nodes"].clone(),
            )
        };
        objects.iter().map(answer).collect::<Vec<_>>()
    });
    assert_eq!(answers[0].len(), 3000);
    for ((board, _, _), line) in answers[0].iter().zip(list.lines()) {
        assert_eq!(board, line);
    }
    assert!(answers[0] == answers[1] && answers[1] == answers[2]);
}

#[test]
fn files_standard_input_and_a_dash_are_the_same_list() {
    let folder = folder();
    let path = folder.path().join("list.txt");
    let list = "# boards\n\n8 6 7/2 5 4/3 0 1 31\n   \n\t# more\r\n6 4 7/8 5 0/3 2 1\r\n1 2/0 3";
    fs::write(&path, list).unwrap();
    let said = batch(folder.path(), "", list).solves();
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.len(), 3);
    for (line, length) in said.iter().zip(["31 ", "31 ", "1 "]) {
        assert!(line.starts_with(length), "{line}");
    }
    assert!(
        batch(folder.path(), "--file -", list)
            .solves()
            .lines()
            .eq(said.clone())
    );
    let file = solver(folder.path(), ["--file", path.to_str().unwrap()]).solves();
    assert!(file.lines().eq(said.clone()));
    let short = solver(folder.path(), ["-f", path.to_str().unwrap()]).solves();
    assert!(short.lines().eq(said));
}

#[test]
fn lists_may_have_ids_lengths_and_further_columns() {
    let folder = folder();
    for (words, line, length) in [
        ("--size 3x3", "8 6 7 2 5 4 3 0 1", 31),
        ("--size 3x3", "8 6 7 2 5 4 3 0 1 31", 31),
        ("--size 3x3", "8,6,7,2,5,4,3,0,1,31,99,123456789012", 31),
        ("--size 3x3", "17 8 6 7 2 5 4 3 0 1", 31),
        ("--size 3x3", "17 8 6 7 2 5 4 3 0 1 31 5", 31),
        ("", "8 6 7/2 5 4/3 0 1 31", 31),
        ("--leading-id", "17 8 6 7/2 5 4/3 0 1 31", 31),
        ("--leading-id --size 3x3", "17 8 6 7 2 5 4 3 0 1 31", 31),
        ("--leading-id --size 2x2", "0 1 2 3 0 0", 0),
        ("--leading-id --size 2x2", "3 1 2 0 3 1", 1),
    ] {
        let object = batch(folder.path(), &format!("--json {words}"), line).object(0);
        assert_eq!(object["length"], length, "{line}");
    }
    // 4x4 is the size where nothing else says so.
    let line = format!("1 {} 55", Board::read(FAR).flat());
    assert_eq!(batch(folder.path(), "--json", line).object(0)["length"], 55);
    // Read with and without the leading number this is a board.
    let error = batch(folder.path(), "--json --size 2x2", "0 1 2 3 0").object(2);
    assert!(
        error["message"].as_str().unwrap().contains("--leading-id"),
        "{error}"
    );
    // The id is no part of a board that is too short without it.
    let error = batch(folder.path(), "--json --size 2x2 --leading-id", "1 2 3 0").object(2);
    assert_eq!(error["status"], "error");
}

#[test]
fn a_false_known_length_is_an_error_that_stops_nothing() {
    let folder = folder();
    let list = "8 6 7/2 5 4/3 0 1 31\n8 6 7/2 5 4/3 0 1 29\n6 4 7/8 5 0/3 2 1 31\n";
    let run = batch(folder.path(), "--json", list);
    let objects = run.objects(2);
    let status: Vec<&str> = objects
        .iter()
        .map(|o| o["status"].as_str().unwrap())
        .collect();
    assert_eq!(status, ["solved", "error", "solved"]);
    assert_eq!(objects[1]["line"], 2);
    let message = objects[1]["message"].as_str().unwrap();
    assert!(
        message.contains("31") && message.contains("29"),
        "{message}"
    );

    let run = batch(folder.path(), "--quiet", list);
    assert_eq!(run.code, Some(2));
    assert_eq!(run.out.lines().count(), 2);
    assert_eq!(run.err.lines().count(), 1);
    assert!(run.err.contains("line 2"), "{}", run.err);
}

#[test]
fn bad_lines_are_answered_in_their_place() {
    let folder = folder();
    let list = b"1 2/0 3\n# comment\nwhat is this\n\n1 2/3\n\xff\xfe\x00\n1 3/2 0\n1 2/3 0\n3 3/1 0\n0 1/3 2\n";
    let run = batch(folder.path(), "--json", list);
    let objects = run.objects(2);
    let status: Vec<&str> = objects
        .iter()
        .map(|o| o["status"].as_str().unwrap())
        .collect();
    let expected = [
        "solved",
        "error",
        "error",
        "error",
        "unsolvable",
        "solved",
        "error",
        "solved",
    ];
    assert_eq!(status, expected);
    let line = |object: &Value| object.get("line").map(|line| line.as_u64().unwrap());
    let lines: Vec<Option<u64>> = objects.iter().map(line).collect();
    assert_eq!(
        lines,
        [None, Some(3), Some(5), Some(6), None, None, Some(9), None]
    );

    let run = batch(folder.path(), "", list);
    assert_eq!(run.code, Some(2));
    assert_eq!(run.out.lines().count(), 4, "{}", run.out);
    for number in [3, 5, 6, 9] {
        let place = format!("line {number}:");
        assert_eq!(run.err.matches(&place).count(), 1, "{}", run.err);
    }
}

#[test]
fn a_batch_ends_with_the_highest_exit_code() {
    let folder = folder();
    let code = |list: &str| batch(folder.path(), "--partition 7-8 --threads 1", list).code;
    // 7-8 is for 4x4 boards only: other sizes are bad input, and its tables are missing.
    let (solved, unsolvable) = ("# nothing\n", "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0\n");
    let (bad, missing) = ("1 2/0 3\n", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15\n");
    assert_eq!(code(solved), Some(0));
    assert_eq!(code(&[solved, unsolvable].concat()), Some(1));
    assert_eq!(code(&[bad, unsolvable].concat()), Some(2));
    assert_eq!(code(&[unsolvable, bad].concat()), Some(2));
    assert_eq!(code(&[bad, missing, unsolvable].concat()), Some(3));
    assert_eq!(code(&[missing, bad, unsolvable].concat()), Some(3));
}

#[test]
fn garbage_on_standard_input_is_an_error_and_no_panic() {
    let folder = folder();
    let good = "1 2/0 3\n";
    let mut random = Random(1);
    let binary: Vec<u8> = (0..200_000).map(|_| random.below(256) as u8).collect();
    for (name, garbage) in [
        (
            "one long line of numbers",
            "1 ".repeat(500_000).into_bytes(),
        ),
        ("one long word", vec![b'7'; 1 << 20]),
        (
            "one long line of slashes",
            [b"/".repeat(60_000), b"1".to_vec()].concat(),
        ),
        ("deep brackets", vec![b'['; 65_000]),
        ("binary", binary),
        ("zeros", vec![0; 100_000]),
        ("not UTF-8", b"1 2/0 \xc3\x28".to_vec()),
        (
            "a huge number",
            b"1 2/0 999999999999999999999999999999".to_vec(),
        ),
        ("negative", b"-1 2/0 3".to_vec()),
        ("fraction", b"1.5 2/0 3".to_vec()),
        ("wide", format!("{}/1", "1 ".repeat(21)).into_bytes()),
        ("exponent", b"1e9 2/0 3".to_vec()),
    ] {
        let list = [&garbage, b"\n".as_slice(), good.as_bytes()].concat();
        let run = batch(folder.path(), "--json", &list);
        let objects = run.objects(2);
        let (last, errors) = objects.split_last().unwrap();
        assert_eq!(last["length"], 1, "{name}");
        assert!(!errors.is_empty(), "{name}");
        assert!(
            errors.iter().all(|object| object["status"] == "error"),
            "{name}"
        );
        // Whatever came in, an answer stays short.
        assert!(run.out.lines().all(|line| line.len() < 20_000), "{name}");
        // And without the last line's end, and alone.
        assert_eq!(batch(folder.path(), "", &garbage).code, Some(2), "{name}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_a_batch_quietly() {
    let folder = folder();
    let path = folder.path().join("list.txt");
    fs::write(&path, small_list(20_000)).unwrap();
    solver(folder.path(), ["1 2 3/4 5 6/7 0 8"]).solves();
    for words in ["", "--json"] {
        let mut command = command(folder.path());
        let command = command
            .args(words.split_whitespace())
            .arg("--file")
            .arg(&path);
        let mut child = start(command);
        let mut line = String::new();
        let mut out = BufReader::with_capacity(64, child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        assert!(!line.is_empty());
        drop(out);
        let mut err = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut err)
            .unwrap();
        let status = child.wait().unwrap();
        assert_eq!(err, "");
        assert_ne!(status.code(), Some(101));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error_and_no_panic() {
    let folder = folder();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = command(folder.path());
    let command = command.args(["--quiet", FARTHEST_3X3[0]]).stdout(full);
    let run = command.stderr(Stdio::piped()).output().unwrap();
    assert!(!run.status.success());
    let err = String::from_utf8(run.stderr).unwrap();
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(!err.contains("panicked"), "{err}");
}

// ---- bad input ----

#[test]
fn bad_boards_are_refused_with_their_place() {
    let folder = folder();
    let tables = folder.path().join("none");
    let refused = |arguments: &[&str], names: &[&str]| {
        let line = solver(&tables, arguments).fails(2);
        for name in names {
            assert!(line.contains(name), "{arguments:?}: {line}");
        }
        assert!(!tables.exists());
    };
    refused(&[""], &["empty"]);
    refused(&["  / \n"], &["empty"]);
    refused(&["1 2 3/4 5/6 7 8 0"], &["row 2"]);
    refused(&["1 2 3\n4 5 6\n7 8 0 9"], &["row 3"]);
    refused(
        &["1 2 3/4 5 6/7 7 0"],
        &[
            "tile 7",
            "row 3 column 1",
            "row 3 column 2",
            "tile 8 missing",
        ],
    );
    refused(&["1 2 3/4 5 6/7 8 9"], &["9", "row 3 column 3"]);
    refused(&["1 2 3/4 5 6/7 0 0"], &["blank", "row 3 column 3"]);
    refused(&["1 2 3/4 5 6/7 8 foo"], &["foo", "word 9"]);
    refused(&["1 2 3 4"], &["4 numbers", "16"]);
    refused(&["1 2 3 4 5 6 7 8 0"], &["9 numbers", "3x3"]);
    refused(&["--size", "3x3", "1 2 3 4 5 6 7 8"], &["8 numbers", "9"]);
    refused(&["--size", "3x3", "1 2 3 4 5 6 7 8 0 31"], &["10 numbers"]);
    refused(&["--size", "4x4", "1 2 3/4 5 6/7 8 0"], &["3x3", "4x4"]);
    refused(&["--size", "2x3", "1 2 3/4 5 0"], &["3x2", "2x3"]);
    refused(&["--goal", "1 2 3/4 5 6/7 8 0", "1 2/0 3"], &["3x3", "2x2"]);
    refused(&["--goal", "1 1/2 0", "1 2/0 3"], &["goal", "tile 1"]);
    refused(&["--goal", "last", "1 2/0 3"], &["goal", "last"]);
    refused(&["--partition", "nonsense", "1 2/0 3"], &["nonsense"]);
    refused(&["--partition", "7-8", "1 2/0 3"], &["7-8", "2x2"]);
    refused(&["--partition", "1,2/2,3", "1 2/0 3"], &["tile 2"]);
    refused(&["--size", "5x5", "--partition", "7-8"], &["7-8", "5x5"]);
    refused(
        &["--file", "/nonexistent/list.txt"],
        &["/nonexistent/list.txt"],
    );
    refused(
        &["--file", folder.path().to_str().unwrap()],
        &[folder.path().to_str().unwrap()],
    );
}

#[test]
fn one_bad_board_of_several_does_not_keep_the_others_from_answers() {
    let folder = folder();
    let run = solver(
        folder.path(),
        ["--quiet", "1 2/0 3", "1 2/0", "1 2 3/4 5 6/7 8 0"],
    );
    assert_eq!(run.code, Some(2));
    assert_eq!(run.out.lines().count(), 2);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

#[test]
fn nonsense_options_are_refused() {
    let folder = folder();
    let tables = folder.path().join("none");
    for arguments in [
        &["--notation", "words", "1 2/0 3"][..],
        &["--max-nodes", "many", "1 2/0 3"],
        &["--max-nodes", "-1", "1 2/0 3"],
        &["--max-time", "soon", "1 2/0 3"],
        &["--max-time", "nan", "1 2/0 3"],
        &["--max-time", "1e999", "1 2/0 3"],
        &["--max-time=-1", "1 2/0 3"],
        &["--threads", "0", "1 2/0 3"],
        &["--threads", "100000", "1 2/0 3"],
        &["--size", "0x0", "1 2/0 3"],
        &["--size", "21x21", "1 2/0 3"],
        &["--kind", "half", "1 2/0 3"],
        &["--file", "list.txt", "1 2/0 3"],
        &["--leading-id", "1 2/0 3"],
        &["--what", "1 2/0 3"],
        &["1 2/0 3", "--goal"],
    ] {
        let run = solver(&tables, arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {}{}", run.out, run.err);
        assert_eq!(run.out, "", "{arguments:?}");
        let line = run.err.lines().next().unwrap();
        assert!(
            line.starts_with("error: ") && line.len() > 20,
            "{}",
            run.err
        );
        assert!(!tables.exists());
    }
}

// ---- tables ----

#[test]
fn tables_that_take_long_are_asked_for_with_the_command_that_builds_them() {
    let folder = folder();
    let tables = folder.path().join("none");
    let missing = |arguments: &[&str]| {
        let run = solver(&tables, ["--threads", "1"].iter().chain(arguments));
        assert!(!tables.exists());
        let line = run.fails(3);
        let (_, command) = line.split_once("pdb-gen ").unwrap();
        assert!(command.contains(tables.to_str().unwrap()), "{line}");
        command.to_owned()
    };
    let command = missing(&["--partition", "7-8", FAR]);
    assert!(command.contains("--partition 7-8"), "{command}");
    assert!(!command.contains("--goal"), "{command}");
    let command = missing(&[
        "--partition",
        "7-8",
        "--goal",
        "blank-first",
        "--kind",
        "blank-compressed",
        KORF_1,
    ]);
    for word in [
        "--partition 7-8",
        "--goal blank-first",
        "--kind blank-compressed",
    ] {
        assert!(command.contains(word), "{command}");
    }
    let command = missing(&["--goal", "blank-first", HARD_5X5]);
    for word in ["--partition 6-6-6-6", "--size 5x5", "--goal blank-first"] {
        assert!(command.contains(word), "{command}");
    }
    // The same in an object.
    let run = solver(
        &tables,
        ["--json", "--threads", "1", "--partition", "7-8", FAR],
    );
    let object = run.object(3);
    assert_eq!(object["status"], "error");
    assert!(
        object["message"]
            .as_str()
            .unwrap()
            .contains("pdb-gen --partition 7-8"),
        "{object}"
    );
}

/// A goal in one row does not show its size, so the command must say it.
#[test]
fn the_command_that_builds_tables_reads_its_own_goal() {
    let folder = folder();
    let mut goal = Board::goal(5, 5, 24);
    goal.numbers.swap(23, 24);
    let arguments = [
        "--threads",
        "1",
        "--size",
        "5x5",
        "--goal",
        &goal.flat(),
        &Board::goal(5, 5, 24).flat(),
    ];
    let line = solver(&folder.path().join("none"), arguments).fails(3);
    let (_, command) = line.split_once("pdb-gen ").unwrap();
    let (goal, _) = command.split_once("--partition").unwrap();
    assert!(
        goal.contains("--size 5x5") || goal.contains('/'),
        "{command}"
    );
}

/// Threads beyond the machine's cores make nothing faster.
#[test]
fn the_time_to_build_is_not_estimated_for_cores_that_are_not_there() {
    if thread::available_parallelism().unwrap().get() >= 8 {
        return;
    }
    let folder = folder();
    let tables = folder.path().join("none");
    let child = start(command(&tables).args(["--threads", "64", "--partition", "7-8", FAR]));
    let run = finish_within(child, Duration::from_secs(2));
    let run = run.expect("builds tables that take long instead of asking for them");
    run.fails(3);
    assert!(!tables.exists());
}

#[test]
fn tables_of_every_form_are_used() {
    let folder = folder();
    let plain = folder.path().join("plain");
    solver(&plain, ["--partition", "8", FARTHEST_3X3[0]]).solves();
    let name = files(&plain)[0]
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let table = Table::new(fs::read(plain.join(&name)).unwrap()).unwrap();
    // The same table as bytes.
    let built = pdb_gen::build(table.id(), pdb_table::Encoding::U8, &mut ()).unwrap();
    let bytes = folder.path().join("bytes");
    fs::create_dir(&bytes).unwrap();
    let stem = name.strip_suffix(".pdb").unwrap();
    fs::write(
        bytes.join(format!("{stem}.u8.pdb")),
        built.into_table().bytes(),
    )
    .unwrap();
    // And in a frame.
    let built = pdb_gen::build(table.id(), pdb_table::Encoding::OneBit, &mut ()).unwrap();
    let frame = folder.path().join("frame");
    fs::create_dir(&frame).unwrap();
    let path = frame.join(format!("{stem}.pdb.zst"));
    built.write(&path, pdb_table::OuterLayer::Zstd(3)).unwrap();
    for tables in [plain, bytes, frame] {
        let run = solver(&tables, ["--json", "--partition", "8", FARTHEST_3X3[0]]);
        // Found, not built.
        assert_eq!(run.err, "");
        assert_eq!(run.object(0)["length"], 31);
        assert_eq!(files(&tables).len(), 1);
    }
}

#[test]
fn damaged_and_swapped_tables_are_refused_by_name() {
    let folder = folder();
    let arguments = ["--partition", "5-3", FARTHEST_3X3[0]];
    solver(folder.path(), arguments).solves();
    let [first, second] = &files(folder.path())[..] else {
        panic!("two tables were expected");
    };
    let (sound, other) = (fs::read(first).unwrap(), fs::read(second).unwrap());
    let flipped = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        bytes
    };
    let mut variants = vec![
        sound[..sound.len() - 1].to_vec(),
        sound[..4096].to_vec(),
        sound[..100].to_vec(),
        [&sound[..], b"x"].concat(),
        Vec::new(),
        b"no table\n".to_vec(),
        other,
    ];
    variants.extend(
        [
            0,
            8,
            17,
            40,
            56,
            64,
            2112,
            3000,
            4095,
            4096,
            sound.len() - 1,
        ]
        .map(flipped),
    );
    for (index, bytes) in variants.into_iter().enumerate() {
        fs::write(first, &bytes).unwrap();
        let line = solver(folder.path(), arguments).fails(3);
        assert!(line.contains(first.to_str().unwrap()), "{index}: {line}");
        assert!(line.contains("pdb-gen"), "{index}: {line}");
        // Whoever only reads changes nothing.
        assert!(fs::read(first).unwrap() == bytes, "{index}");
    }
    let object = solver(folder.path(), ["--json"].iter().chain(&arguments)).object(3);
    assert_eq!(object["status"], "error");
}

/// Sums can be right and values wrong: then a search may err, but it ends, and no false solution is printed.
#[test]
fn tables_of_nonsense_with_right_sums_never_hang_or_panic() {
    let folder = folder();
    let arguments = ["--partition", "8", FARTHEST_3X3[0]];
    solver(folder.path(), arguments).solves();
    let path = files(folder.path())[0].clone();
    let table = Table::new(fs::read(&path).unwrap()).unwrap();
    let (header, length) = (table.header(), table.payload().len());
    let mut random = Random(23);
    let mut refused = 0;
    for variant in 0..16 {
        let payload: Vec<u8> = match variant {
            0 => vec![0; length],
            1 => vec![255; length],
            2 => table.payload().iter().map(|byte| !byte).collect(),
            3 => (0..length).map(|index| index as u8).collect(),
            _ => (0..length).map(|_| random.below(256) as u8).collect(),
        };
        let mut values = Values::default();
        values.add((variant * 2) as u8, header.entries);
        let values = if variant % 2 == 0 {
            &header.values
        } else {
            &values
        };
        let forged = Header::new(header.id, header.encoding, values, &payload);
        fs::write(&path, [forged.encode(), payload].concat()).unwrap();
        let options = ["--max-nodes", "3000000", "--json"];
        let run = solver(folder.path(), options.iter().chain(&arguments));
        let code = run.code.unwrap();
        let object = run.object(code);
        match code {
            0 => {
                let (end, _) = Board::read(FARTHEST_3X3[0]).play(object["moves"].as_str().unwrap());
                assert_eq!(end, Board::goal(3, 3, 8));
            }
            1 => assert_eq!(object["status"], "limit"),
            _ => {
                assert_eq!((code, object["status"].as_str()), (3, Some("error")));
                refused += 1;
            }
        }
    }
    assert!(refused > 0);
}

#[track_caller]
fn solved_from_memory(run: &Run) {
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.starts_with("31 moves: "), "{}", run.out);
    let said: Vec<&str> = run.err.lines().collect();
    assert_eq!(said.len(), 1, "{}", run.err);
    assert!(said[0].contains("memory"), "{}", run.err);
}

#[test]
fn where_no_directory_can_be_made_tables_are_built_in_memory() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    if cfg!(target_os = "linux") {
        solved_from_memory(&solver(Path::new("/proc/tables"), [FARTHEST_3X3[0]]));
    }
    solved_from_memory(&solver(&file, [FARTHEST_3X3[0]]));
    solved_from_memory(&solver(&file.join("below"), [FARTHEST_3X3[0]]));
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    let run = solver(Path::new("/dev/null/x"), ["--quiet", FARTHEST_3X3[0]]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}

/// A file size limit ends writing half-way as a full disk does.
#[cfg(unix)]
#[test]
fn where_a_table_cannot_be_finished_it_is_used_from_memory() {
    let folder = folder();
    let mut command = Command::new("sh");
    clean(&mut command);
    let script = "trap '' XFSZ; ulimit -f 10; exec \"$@\"";
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_solver"), "--tables"]);
    let run = finish(start(command.arg(folder.path()).arg(FARTHEST_3X3[0])));
    solved_from_memory(&run);
    assert_eq!(files(folder.path()).len(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_directory_is_read_and_not_needed() {
    let folder = folder();
    let mut command = Command::new("unshare");
    clean(&mut command);
    let script = "mount -t tmpfs -o ro tmpfs \"$2\" || exit 99; exec \"$1\" --tables \"$2\" \"$3\"";
    command.args([
        "-rm",
        "sh",
        "-c",
        script,
        "sh",
        env!("CARGO_BIN_EXE_solver"),
    ]);
    let Ok(child) = command
        .arg(folder.path())
        .arg(FARTHEST_3X3[0])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
    else {
        return;
    };
    let run = finish(child);
    let no_mounts = run.code == Some(99) || run.err.contains("unshare");
    if !no_mounts {
        solved_from_memory(&run);
    }
}

#[test]
fn solvers_at_once_share_one_directory() {
    let folder = folder();
    let tables = folder.path().join("tables");
    let solvers: Vec<Child> = (0..4).map(|_| start(command(&tables).arg(FAR))).collect();
    for child in solvers {
        assert!(finish(child).solves().starts_with("55 moves"));
    }
    assert_eq!(files(&tables).len(), 3);
    assert_eq!(solver(&tables, [FAR]).err, "");
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_ends_at_once_with_what_it_knows() {
    let folder = folder();
    for list in [false, true] {
        let mut command = command(folder.path());
        if list {
            let path = folder.path().join("list.txt");
            fs::write(&path, format!("{HARD_6X6}\n").repeat(50)).unwrap();
            command.arg("--file").arg(path);
        } else {
            command.arg(HARD_6X6);
        }
        let child = start(&mut command);
        thread::sleep(Duration::from_millis(400));
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &id])
                .status()
                .unwrap()
                .success()
        );
        let run = finish_within(child, Duration::from_secs(10)).expect("goes on searching");
        assert_eq!(run.code, Some(130), "{}{}", run.out, run.err);
        assert!(run.out.lines().count() + run.err.lines().count() >= 1);
        assert!(run.out.lines().count() < 50);
    }
}
