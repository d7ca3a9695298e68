//! Tests of builds by several processes on loopback. A build produces the same bytes as pdb-gen. If
//! a build fails, every process prints one clear line.

#![allow(clippy::unwrap_used)]

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use pdb_gen::build;
use pdb_table::{Compression, Control, Encoding};
use puzzle::{Goal, HeuristicSpec, Pattern, TableId, TableKind};

/// Only a hang takes this long, even on a busy machine.
const HANG_LIMIT: Duration = Duration::from_secs(600);

/// Waits for an event; fails the test if it does not happen.
#[track_caller]
fn until(what: &str, mut event: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !event() {
        assert!(begin.elapsed() < HANG_LIMIT, "never: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn table(tiles: &str) -> TableId {
    let goal = Goal::blank_last("4x4".parse().unwrap());
    let tiles = HeuristicSpec::parse_tiles(tiles, &goal).unwrap();
    let tiles = tiles.into_iter().collect();
    let pattern = Pattern::new(goal.tray(), tiles, goal.blank()).unwrap();
    pattern.table(TableKind::ZeroAware).0
}

/// Bytes of the table file that pdb-gen writes for these tiles.
fn expected(folder: &Path, tiles: &str) -> Vec<u8> {
    let path = folder.join("expected.pdb");
    let built = build(table(tiles), Encoding::OneBit, &Control::default()).unwrap();
    built.write(&path, Compression::None).unwrap();
    fs::read(path).unwrap()
}

fn file(directory: &Path, tiles: &str) -> PathBuf {
    directory.join(format!("{}.pdb", table(tiles).name()))
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pdb-gen-dist"));
    command.args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A loopback address with port 0. On Linux it is random, so that no other program gets a port
/// between the choice of the port and its use.
fn loopback() -> SocketAddr {
    let [.., a, b, c] = RandomState::new().build_hasher().finish().to_le_bytes();
    match cfg!(target_os = "linux") {
        true => SocketAddr::from(([127, a, b, c.clamp(1, 254)], 0)),
        false => SocketAddr::from(([127, 0, 0, 1], 0)),
    }
}

/// Processes with a hostfile of free ports.
struct Group {
    folder: tempfile::TempDir,
    hosts: Vec<String>,
    children: Vec<Option<Child>>,
}

impl Group {
    fn new(processes: usize) -> Self {
        let address = loopback();
        let bind = |_| TcpListener::bind(address).unwrap();
        let listeners: Vec<TcpListener> = (0..processes).map(bind).collect();
        let address = |one: &TcpListener| one.local_addr().unwrap().to_string();
        let hosts: Vec<String> = listeners.iter().map(address).collect();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("hosts"), hosts.join("\n")).unwrap();
        Group {
            folder,
            hosts,
            children: (0..processes).map(|_| None).collect(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn tables(&self) -> PathBuf {
        self.path("tables")
    }

    /// Command of a process. The tables directory is the common one unless `arguments` contain
    /// another.
    fn command(&self, process: usize, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        let process = process.to_string();
        command.args(["--process", &process, "--threads", "1"]);
        command.arg("--hostfile").arg(self.path("hosts"));
        if !arguments.contains(&"--tables") {
            command.arg("--tables").arg(self.tables());
        }
        command
    }

    fn start(&mut self, process: usize, arguments: &[&str]) {
        let child = self.command(process, arguments).spawn().unwrap();
        self.children[process] = Some(child);
    }

    fn start_all(&mut self, arguments: &[&str]) {
        for process in 0..self.hosts.len() {
            self.start(process, arguments);
        }
    }

    /// Waits until this level or a later one is saved.
    fn wait_for_level(&self, level: u8) {
        until("the level is saved", || {
            let names = fs::read_dir(self.tables()).into_iter().flatten().flatten();
            let mut levels = names.filter_map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                let level = name.strip_suffix(".checkpoint")?.rsplit_once(".level-")?.1;
                level.parse::<u8>().ok()
            });
            levels.any(|saved| saved >= level)
        });
    }

    fn signal(&self, process: usize, signal: &str) {
        let id = self.children[process].as_ref().unwrap().id().to_string();
        let done = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(done.success());
    }

    /// Waits for the started processes.
    fn finish(&mut self) -> Vec<(usize, Output)> {
        let mut outputs = Vec::new();
        for (process, slot) in self.children.iter_mut().enumerate() {
            let Some(child) = slot else { continue };
            until("the process ends", || child.try_wait().unwrap().is_some());
            let child = slot.take().unwrap();
            outputs.push((process, child.wait_with_output().unwrap()));
        }
        outputs
    }

    /// Asserts that all processes succeed.
    fn succeed(&mut self) {
        for (process, output) in self.finish() {
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "process {process}: {errors}");
        }
    }

    /// Asserts that all processes end with this exit code and one line that contains these words.
    fn fail(&mut self, exit: i32, words: &[&str]) {
        for (process, output) in self.finish() {
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(errors.lines().count(), 1, "process {process}: {errors}");
            assert_eq!(
                output.status.code(),
                Some(exit),
                "process {process}: {errors}"
            );
            for word in words {
                assert!(errors.contains(word), "process {process}: {errors}");
            }
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for child in self.children.iter_mut().flatten() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The tiles of a table whose build takes half a second in one process.
const TILES: &str = "1,2,3,4,5,6,7";
/// Options for a build that is saved at every level.
const SAVING: [&str; 4] = ["--tiles", TILES, "--checkpoint", "0"];

#[test]
fn tables_do_not_depend_on_the_number_of_processes() {
    let folder = tempfile::tempdir().unwrap();
    for tiles in ["1,2,3,4,5,6", "2", "1,6,11"] {
        let expected = expected(folder.path(), tiles);
        for processes in ["1", "2", "3", "4"] {
            let tables = folder.path().join(processes);
            let directory = tables.to_str().unwrap();
            let local = [
                "--local", processes, "--tables", directory, "--tiles", tiles,
            ];
            for arguments in [&local[..], &[&local[..], &["--force", "--json"]].concat()] {
                let output = command(arguments).output().unwrap();
                let errors = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success() && errors.is_empty(), "{errors}");
                assert!(fs::read(file(&tables, tiles)).unwrap() == expected);
            }
            let again = command(&local).output().unwrap();
            assert!(String::from_utf8_lossy(&again.stdout).starts_with("kept"));
            let left = fs::read_dir(&tables).unwrap().count();
            assert!(left <= 3, "{left}");
            let verify = [&local[..], &["verify"]].concat();
            let proved = command(&verify).output().unwrap();
            assert!(String::from_utf8_lossy(&proved.stdout).contains("proved"));
        }
    }
}

#[test]
fn a_wrong_entry_is_found_by_the_process_that_owns_it() {
    let folder = tempfile::tempdir().unwrap();
    let tiles = "1,2,3,4,5";
    fs::create_dir(folder.path().join("tables")).unwrap();
    let sound = expected(folder.path(), tiles);
    let directory = folder.path().join("tables");
    let path = file(&directory, tiles);
    for at in [4096, 4096 + 30_000, sound.len() - 1] {
        let mut wrong = sound.clone();
        wrong[at] ^= 0x10;
        fs::write(&path, wrong).unwrap();
        let directory = directory.to_str().unwrap();
        let verify = [
            "verify", "--local", "3", "--tables", directory, "--tiles", tiles,
        ];
        let refused = command(&verify).output().unwrap();
        let errors = String::from_utf8_lossy(&refused.stderr);
        let entry = format!("entry {} is wrong", (at - 4096) * 8 + 4);
        assert!(errors.contains(&entry), "{errors}");
        assert_eq!(
            (errors.lines().count(), refused.status.code()),
            (1, Some(3)),
            "{errors}"
        );
    }
}

#[test]
fn parts_are_joined() {
    let mut group = Group::new(3);
    let tiles = "1,2,3,4,5,6";
    let places: Vec<PathBuf> = (0..3)
        .map(|part| group.path(&format!("part{part}")))
        .collect();
    let build = |group: &mut Group| {
        for (process, place) in places.iter().enumerate() {
            let place = place.to_str().unwrap();
            group.start(process, &["--tiles", tiles, "--parts", "--tables", place]);
        }
        group.succeed();
    };
    build(&mut group);
    let joined = group.path("joined");
    let join = |places: &[PathBuf]| {
        let mut command = command(&["join", "--tables", joined.to_str().unwrap()]);
        command.args(places).output().unwrap()
    };
    let errors = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let two = join(&places[..2]);
    assert!(errors(&two).contains("part 2 of 4x4-"), "{}", errors(&two));
    let all = join(&places);
    assert!(all.status.success(), "{}", errors(&all));
    let bytes = fs::read(file(&joined, tiles)).unwrap();
    assert!(bytes == expected(group.folder.path(), tiles));
    // One byte of a part is wrong.
    let part = fs::read_dir(&places[1])
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let mut bytes = fs::read(&part).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&part, bytes).unwrap();
    fs::remove_file(file(&joined, tiles)).unwrap();
    let damaged = join(&places);
    assert!(
        errors(&damaged).contains("is damaged"),
        "{}",
        errors(&damaged)
    );
    assert!(!file(&joined, tiles).exists());
    // The damaged part is built again.
    build(&mut group);
    let again = join(&places);
    assert!(again.status.success(), "{}", errors(&again));
}

#[test]
fn partners_with_a_different_job_are_rejected_by_all() {
    let tiles = ["--tiles", "1,2,3"];
    let mut group = Group::new(3);
    group.start(0, &tiles);
    group.start(1, &tiles);
    group.start(2, &["--tiles", "1,2,4"]);
    let names = ["1,2,3", "1,2,4"].map(|tiles| table(tiles).name());
    group.fail(2, &[&names[0], &names[1], "tables"]);

    let mut group = Group::new(3);
    group.start(0, &tiles);
    group.start(1, &[&tiles[..], &["--resume"]].concat());
    group.start(2, &tiles);
    group.fail(2, &["options", "--resume"]);

    let mut group = Group::new(3);
    group.start(0, &tiles);
    group.start(1, &[&tiles[..], &["--processes", "2"]].concat());
    group.start(2, &tiles);
    group.fail(2, &["number of processes", "\"2\"", "\"3\""]);
}

#[test]
fn messages_name_missing_partners_and_foreign_programs() {
    let wait = ["--tiles", "1,2,3", "--wait", "10"];
    let mut group = Group::new(3);
    group.start(0, &wait);
    group.start(1, &wait);
    let missing = format!("process 2 ({}) did not connect", group.hosts[2]);
    group.fail(3, &[&missing]);

    // A foreign client during the start does no harm.
    let mut group = Group::new(2);
    group.start(0, &["--tiles", "1,2,3"]);
    let mut stranger = None;
    until("process 0 listens", || {
        stranger = TcpStream::connect(&group.hosts[0]).ok();
        stranger.is_some()
    });
    let mut stranger = stranger.unwrap();
    stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    group.start(1, &["--tiles", "1,2,3"]);
    group.succeed();

    // A foreign program uses the port of process 0. Process 0 ends, and the other processes end as
    // well.
    let mut group = Group::new(3);
    let foreign = TcpListener::bind(&group.hosts[0]).unwrap();
    std::thread::spawn(move || {
        for stream in foreign.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n");
            let _ = stream.read(&mut [0; 100]);
        }
    });
    group.start_all(&["--tiles", "1,2,3"]);
    let host = group.hosts[0].clone();
    group.fail(3, &[&host]);
}

#[test]
fn a_killed_partner_ends_all_and_the_build_can_be_resumed() {
    let mut group = Group::new(4);
    let sound = expected(group.folder.path(), TILES);
    for (victim, level) in [(2, 4), (0, 18)] {
        let resume = [&SAVING[..], &["--resume"]].concat();
        group.start_all(&resume);
        group.wait_for_level(level);
        group.signal(victim, "-KILL");
        group.children[victim].take().unwrap().wait().unwrap();
        let lost = format!("process {victim} (");
        group.fail(3, &[&lost, "--resume"]);
        assert!(!file(&group.tables(), TILES).exists());
    }
    // If one process has a damaged checkpoint, all processes resume from an earlier level.
    let saved = |part: usize, level: usize| {
        let name = table(TILES).name();
        let name = format!("{name}.pdb.part-{part}-of-4.level-{level}.checkpoint");
        group.tables().join(name)
    };
    let common = (0..80)
        .rev()
        .find(|&level| (0..4).all(|part| saved(part, level).exists()));
    let common = common.unwrap();
    let last = saved(1, common);
    let mut bytes = fs::read(&last).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&last, bytes).unwrap();
    // A build with another number of processes rejects the checkpoints.
    let mut others = Group::new(3);
    let directory = group.tables();
    let directory = directory.to_str().unwrap();
    let resume = [&SAVING[..], &["--resume"]].concat();
    others.start_all(&[&resume[..], &["--tables", directory]].concat());
    others.fail(2, &["saved by 4 processes"]);

    group.start_all(&resume);
    let outputs = group.finish();
    let errors = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        outputs.iter().all(|(_, output)| output.status.success()),
        "{outputs:?}"
    );
    // The level of the damaged checkpoint is not used.
    let notes = errors(&outputs[0].1);
    let damaged = format!("resuming after level {common}");
    assert!(notes.contains("; trying an earlier one"), "{notes}");
    assert!(notes.contains("resuming after level"), "{notes}");
    assert!(
        outputs[1..]
            .iter()
            .all(|(_, output)| errors(output).is_empty())
    );
    assert!(
        !notes.lines().any(|note| note.ends_with(&damaged)),
        "{notes}"
    );
    assert!(fs::read(file(&group.tables(), TILES)).unwrap() == sound);
    // No checkpoint, lock or unfinished file is left.
    let left: Vec<_> = fs::read_dir(group.tables()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_stopped_partner_ends_all() {
    let mut group = Group::new(3);
    group.start_all(&["--tiles", LONGER, "--checkpoint", "0"]);
    group.wait_for_level(3);
    group.signal(1, "-STOP");
    let stopped = group.children[1].take();
    group.fail(3, &["process 1 (", "has been silent for 6 s"]);
    group.children[1] = stopped;
    // When process 1 continues, it detects that the other processes have ended.
    group.signal(1, "-CONT");
    group.fail(3, &["process "]);
}

#[test]
fn interrupted_builds_are_saved_by_all() {
    let mut group = Group::new(2);
    group.start_all(&SAVING);
    group.wait_for_level(5);
    group.signal(1, "-INT");
    group.fail(130, &["is saved at level", "--resume"]);
    let sound = expected(group.folder.path(), TILES);
    group.start_all(&["--tiles", TILES, "--resume", "--quiet"]);
    group.succeed();
    assert!(fs::read(file(&group.tables(), TILES)).unwrap() == sound);
}

#[test]
fn unshared_directories_are_rejected_before_the_work() {
    let mut group = Group::new(2);
    let places = ["one", "two"].map(|name| group.path(name));
    for (process, place) in places.iter().enumerate() {
        fs::create_dir(place).unwrap();
        group.start(
            process,
            &["--tiles", TILES, "--tables", place.to_str().unwrap()],
        );
    }
    group.fail(2, &["all processes share", "--parts"]);
}

/// Simulates a full disk with a limit on the file size.
#[test]
fn a_full_disk_ends_all_processes() {
    let mut group = Group::new(3);
    let limited = |group: &Group, process: usize, arguments: &[&str], blocks: &str| {
        let own = group.command(process, arguments);
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command
            .args(["-c", &script])
            .arg(own.get_program())
            .args(own.get_args());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Some(command.spawn().unwrap())
    };
    for process in 0..3 {
        // Process 1 cannot write its checkpoints.
        let blocks = if process == 1 { "2000" } else { "unlimited" };
        group.children[process] = limited(&group, process, &SAVING, blocks);
    }
    group.fail(3, &["checkpoint", "free disk space"]);
    for process in 0..3 {
        // Process 2 cannot write its part of the table.
        let blocks = if process == 2 { "10000" } else { "unlimited" };
        let own = ["--tiles", TILES, "--checkpoint", "off", "--quiet"];
        group.children[process] = limited(&group, process, &own, blocks);
    }
    group.fail(3, &[&format!("{}.pdb", table(TILES).name())]);
}

#[test]
fn other_kinds_and_bad_hostfiles_are_rejected() {
    let check = |arguments: &[&str], words: &str| {
        let refused = command(arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert!(
            errors.contains(words) && errors.lines().count() == 1,
            "{errors}"
        );
        assert_eq!(refused.status.code(), Some(2));
    };
    for other in [
        ["--kind", "full"],
        ["--kind", "runs"],
        ["--metric", "multi"],
    ] {
        check(&[&["--local", "2"], &other[..]].concat(), "use pdb-gen");
    }
    check(&["--local", "0"], "from 1 to 256");
    check(&["--tiles", "1,2"], "--hostfile");
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    let name = hosts.to_str().unwrap();
    fs::write(&hosts, "one:2101\ntwo\n").unwrap();
    check(&["--hostfile", name, "--process", "0"], "\"two\"");
    fs::write(&hosts, "one:2101\ntwo:2101\n").unwrap();
    check(&["--hostfile", name, "--process", "2"], "0 to 1");
    check(&["--hostfile", name, "-p", "0", "-n", "3"], "2 addresses");
}

/// Number of running processes of a `--local` build with this directory.
#[cfg(target_os = "linux")]
fn running(directory: &Path) -> usize {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let directory = directory.to_str().unwrap();
    lines
        .filter(|line| String::from_utf8_lossy(line).contains(directory))
        .count()
}

/// The tiles of a table for tests that send signals during its build. With a checkpoint at every
/// level, the build takes more than a second.
const LONGER: &str = "1,2,3,4,5,6,7,8";

#[cfg(target_os = "linux")]
#[test]
fn a_signal_to_the_parent_of_local_reaches_all() {
    for (signals, exit) in [(1, 130), (2, 130)] {
        let mut group = Group::new(1);
        let tables = group.tables();
        let directory = tables.to_str().unwrap().to_owned();
        let saving = [
            "--tiles",
            LONGER,
            "--checkpoint",
            "0",
            "--tables",
            &directory,
            "--local",
            "3",
        ];
        let mut parent = command(&saving);
        group.children[0] = Some(parent.spawn().unwrap());
        group.wait_for_level(4);
        if signals == 2 {
            // A stopped process cannot end by itself. The parent kills it after the second signal.
            let own = group.children[0].as_ref().unwrap().id().to_string();
            let children = fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap();
            let child = children.split_whitespace().last().unwrap();
            let stop = Command::new("kill").args(["-STOP", child]).status();
            assert!(stop.unwrap().success());
        }
        group.signal(0, "-TERM");
        let mut begin = Instant::now();
        if signals == 2 {
            // The second signal is a new one if it is handled at least a second after the first.
            std::thread::sleep(Duration::from_secs(2));
            begin = Instant::now();
            group.signal(0, "-TERM");
        }
        let outputs = group.finish();
        let errors = String::from_utf8_lossy(&outputs[0].1.stderr).into_owned();
        assert_eq!(outputs[0].1.status.code(), Some(exit), "{errors}");
        assert_eq!(running(&tables), 0, "{errors}");
        match signals {
            1 => assert!(errors.contains("is saved at level"), "{errors}"),
            // The stopped process is killed two seconds after the second signal.
            _ => assert!(begin.elapsed() > Duration::from_secs(1), "{errors}"),
        }
    }
}

#[cfg(unix)]
/// Process ids of the children of `--local`, by process number.
fn children(group: &Group) -> Vec<String> {
    let own = group.children[0].as_ref().unwrap().id().to_string();
    let children = fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap();
    children.split_whitespace().map(str::to_owned).collect()
}

/// Starts three processes with `--local` that save each level.
fn start_local(group: &mut Group) {
    let tables = group.tables();
    let directory = tables.to_str().unwrap();
    let saving = ["--tiles", LONGER, "--checkpoint", "0ms"];
    let mut parent = command(&[&saving[..], &["--tables", directory, "--local", "3"]].concat());
    group.children[0] = Some(parent.spawn().unwrap());
    group.wait_for_level(4);
}

fn kill(signal: &str, id: &str) {
    let done = Command::new("kill").args([signal, id]).status().unwrap();
    assert!(done.success());
}

/// Process 0 uses the terminal. If it is killed, the parent prints the message of another process.
#[test]
fn the_parent_of_local_prints_the_failure_of_a_killed_child() {
    let mut group = Group::new(1);
    start_local(&mut group);
    kill("-KILL", &children(&group)[0]);
    group.fail(3, &["process 0 (127.0.0.1:", "--resume"]);
    assert_eq!(running(&group.tables()), 0);
}

/// After the first signal, the time for saving the build is unlimited.
#[test]
fn a_child_of_local_has_time_to_save() {
    let mut group = Group::new(1);
    start_local(&mut group);
    let last = &children(&group)[2];
    kill("-STOP", last);
    group.signal(0, "-TERM");
    std::thread::sleep(Duration::from_secs(3));
    kill("-CONT", last);
    group.fail(130, &["is saved at level"]);
}

#[test]
fn an_interrupt_while_waiting_ends_all() {
    let end_by_interrupt = |milliseconds| {
        let mut group = Group::new(3);
        group.start(0, &["--tiles", "1,2,3"]);
        group.start(1, &["--tiles", "1,2,3"]);
        std::thread::sleep(Duration::from_millis(milliseconds));
        group.signal(0, "-INT");
        group.finish().iter().all(|(_, output)| {
            let errors = String::from_utf8_lossy(&output.stderr);
            output.status.code() == Some(130)
                && errors.lines().count() == 1
                && errors.contains("interrupted before all")
        })
    };
    // The two processes must first connect, which can take long on a busy machine.
    assert!([700, 7_000, 70_000].into_iter().any(end_by_interrupt));
}

#[test]
fn the_message_names_a_partner_without_an_address() {
    let mut group = Group::new(2);
    let own = &group.hosts[1];
    let hosts = format!("nobody.invalid:2101\n{own}\n");
    fs::write(group.path("hosts"), hosts).unwrap();
    group.start(1, &["--tiles", "1,2,3", "--wait", "1"]);
    group.fail(
        3,
        &[
            "process 0 (nobody.invalid:2101) did not connect",
            "(process 0: ",
        ],
    );
}

#[test]
fn no_port_is_open_during_the_work() {
    let mut group = Group::new(2);
    group.start_all(&["--tiles", LONGER, "--checkpoint", "0"]);
    group.wait_for_level(3);
    assert!(TcpStream::connect(&group.hosts[0]).is_err());
    group.signal(1, "-INT");
    group.fail(130, &["is saved at level"]);
}

#[test]
fn unused_options_are_rejected() {
    for (arguments, words) in [
        (&["verify", "--parts", "--local", "2"][..], "--parts"),
        (&["--parts", "verify", "--local", "2"], "--parts"),
        (&["--resume", "--local", "2", "verify"], "--resume"),
        (
            &["--checkpoint-dir", "x", "--local", "2", "verify"],
            "--checkpoint-dir",
        ),
        (&["plan", "--local", "4"], "--local"),
        (&["--local", "2", "--checkpoint", "10x"], "or give off"),
        (&["plan", "-n", "0"], "from 1 to 256"),
        (&["plan", "-n", "1000000"], "from 1 to 256"),
        (&["join", "--tiles", "1,2", "x"], "--tiles"),
        (&["join", "x", "--size", "4x4"], "--size"),
        (&["--local", "2", "--threads", "1025"], "from 0 to 1024"),
        (
            &["--local", "2", "--wait", "18446744073709551615"],
            "--wait",
        ),
        (&["--local", "2", "--wait", "25h"], "at most a day"),
        (&["--local", "2", "--wait", "60x"], "such as 10s"),
    ] {
        let refused = command(arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert!(errors.contains(words), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {errors}");
    }
}

#[test]
fn shared_options_accept_the_forms_of_pdb_gen() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |arguments: &[&str]| {
        let plan = ["plan", "-n", "2", "--json"];
        let output = command(&[&plan[..], arguments].concat()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        output.stdout
    };
    let picture = folder.path().join("picture");
    fs::write(&picture, "a a b b\na a b b\na a b b\nc c c .\n").unwrap();
    let list = plan(&["--partition", "1,2,5,6,9,10/3,4,7,8,11,12/13,14,15"]);
    assert_eq!(plan(&["--partition", picture.to_str().unwrap()]), list);
    let single = ["--metric", "single", "--kind", "zero-aware"];
    let goal = ["--goal", "1 2 3/4 5 6/7 8 0", "--threads", "1e2"];
    let short = ["--size", "3x3", "-w", "100"];
    assert_eq!(plan(&[&single[..], &goal].concat()), plan(&short));
    let group = Group::new(1);
    for wait in ["2", "2s", "2000ms", "0.5m"] {
        let mut build = group.command(0, &["--tiles", "1,2", "--wait", wait, "--quiet"]);
        let output = build.output().unwrap();
        assert!(output.status.success(), "{wait}: {output:?}");
    }
}

#[test]
fn plans_are_printed() {
    let arguments = ["plan", "--tiles", "1,2,3,4", "--json", "-n", "3", "-w", "2"];
    let plan = command(&arguments).output().unwrap();
    assert!(plan.status.success(), "{plan:?}");
    let plan: serde_json::Value = serde_json::from_slice(&plan.stdout).unwrap();
    assert_eq!(plan["processes"], 3);
    assert!(plan["memory"].as_u64() > Some(0) && plan["wire"].as_u64() > Some(0));
    let all = command(&["plan", "--tiles", "1,2,3,4"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&all.stdout).lines().count(), 8);
    // With a link of 10 kB per second, the link determines the time. Each process sends half of all
    // bytes.
    let slow = [
        "plan", "--tiles", "1,2,3,4", "--json", "-n", "2", "--link", "8e-5",
    ];
    let plan = command(&slow).output().unwrap();
    let plan: serde_json::Value = serde_json::from_slice(&plan.stdout).unwrap();
    let seconds = plan["wire"].as_f64().unwrap() / 2.0 / 10_000.0;
    let found = plan["seconds"].as_f64().unwrap();
    assert!((found / seconds - 1.0).abs() < 0.01, "{found} {seconds}");
}

#[test]
fn the_environment_names_the_tables_directory() {
    let folder = tempfile::tempdir().unwrap();
    let (named, home) = (folder.path().join("named"), folder.path().join("home"));
    let run = |variable: &str| {
        let output = command(&["--local", "1", "--tiles", "1,2,3", "--quiet"])
            .env("PDB_TABLES", variable)
            .env("XDG_DATA_HOME", &home)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    run(named.to_str().unwrap());
    assert!(file(&named, "1,2,3").exists() && !home.exists());
    // An empty `PDB_TABLES` is ignored.
    run("");
    assert!(file(&home.join("sliding-tile-pdb"), "1,2,3").exists());
}

#[test]
fn several_tables_by_several_threads() {
    let mut group = Group::new(2);
    for process in 0..2 {
        let mut own = group.command(process, &["--partition", "5-5-5", "--quiet"]);
        // `Group::command` sets one thread, and clap rejects a repeated option.
        let arguments: Vec<_> = own.get_args().map(ToOwned::to_owned).collect();
        let mut replaced = command(&[]);
        let mut is_threads = false;
        for argument in arguments {
            replaced.arg(if is_threads {
                "3".into()
            } else {
                argument.clone()
            });
            is_threads = argument == "--threads";
        }
        own = replaced;
        group.children[process] = Some(own.spawn().unwrap());
    }
    group.succeed();
    let goal = Goal::blank_last("4x4".parse().unwrap());
    let spec = HeuristicSpec::builder(&goal).kind(TableKind::ZeroAware);
    let tables = spec.parse("5-5-5").unwrap().tables();
    assert!(tables.len() > 1);
    for id in tables {
        let path = group.path("one.pdb");
        let built = build(id, Encoding::OneBit, &Control::default()).unwrap();
        built.write(&path, Compression::None).unwrap();
        let ours = fs::read(group.tables().join(format!("{}.pdb", id.name()))).unwrap();
        assert!(ours == fs::read(path).unwrap(), "{}", id.name());
    }
}

#[cfg(unix)]
#[test]
fn checkpoint_dir_sets_the_directory_of_checkpoints() {
    let mut group = Group::new(2);
    let places = [0, 1].map(|process| group.path(&format!("saved{process}")));
    for (process, place) in places.iter().enumerate() {
        let place = place.to_str().unwrap();
        group.start(
            process,
            &[
                "--tiles",
                LONGER,
                "--checkpoint",
                "0",
                "--checkpoint-dir",
                place,
            ],
        );
    }
    let saved = |place: &Path| fs::read_dir(place).into_iter().flatten().count();
    until("all checkpoints are saved", || {
        places.iter().all(|place| saved(place) > 0)
    });
    group.signal(0, "-INT");
    group.fail(130, &["is saved at level"]);
    assert!(places.iter().all(|place| saved(place) > 0));
    for (process, place) in places.iter().enumerate() {
        let place = place.to_str().unwrap();
        group.start(
            process,
            &["--tiles", LONGER, "--resume", "--checkpoint-dir", place],
        );
    }
    let outputs = group.finish();
    assert!(
        outputs.iter().all(|(_, output)| output.status.success()),
        "{outputs:?}"
    );
    let note = String::from_utf8_lossy(&outputs[0].1.stderr);
    assert!(note.contains("resuming after level"), "{note}");
    assert_eq!(saved(&places[0]) + saved(&places[1]), 0);
}

#[test]
fn leftovers_of_killed_processes_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().to_str().unwrap();
    let tiles = "1,2,3,4";
    let local = [
        "--local", "2", "--tables", directory, "--tiles", tiles, "--quiet",
    ];
    let name = format!("{}.pdb", table(tiles).name());
    let left = || {
        let names = fs::read_dir(folder.path()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name());
        names.collect::<Vec<_>>()
    };
    // The first run builds the table; the second run finds it.
    for _ in 0..2 {
        for end in [
            "part-1-of-2.level-7.checkpoint",
            "part-0-of-2.level-8.checkpoint.new",
            "part-1-of-4.level-9.checkpoint.new",
        ] {
            fs::write(folder.path().join(format!("{name}.{end}")), "left").unwrap();
        }
        let output = command(&local).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(left(), [&*name]);
    }
}

#[test]
fn join_rejects_duplicate_damaged_and_outdated_parts() {
    let folder = tempfile::tempdir().unwrap();
    let tiles = "1,2,3,4,5";
    let parts = folder.path().join("parts");
    let joined = folder.path().join("joined");
    let build = [
        "--local",
        "2",
        "--parts",
        "--tiles",
        tiles,
        "--tables",
        parts.to_str().unwrap(),
    ];
    assert!(command(&build).output().unwrap().status.success());
    let again = command(&build).output().unwrap();
    assert!(String::from_utf8_lossy(&again.stdout).starts_with("kept"));
    let join = |places: &[&Path]| {
        let mut command = command(&["join", "--tables", joined.to_str().unwrap()]);
        let output = command.args(places).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), errors)
    };
    let part = |part| {
        let name = format!("{}.pdb.part-{part}-of-2", table(tiles).name());
        parts.join(name)
    };
    let copy = folder.path().join("copy.part-1-of-2");
    fs::copy(part(1), &copy).unwrap();
    let (exit, line) = join(&[&parts, &copy]);
    assert!(exit == Some(2) && line.contains("the same part"), "{line}");
    assert_eq!(join(&[&parts, &parts]), (Some(0), String::new()));
    let (exit, line) = join(&[&parts]);
    assert!(exit == Some(2) && line.contains("already"), "{line}");
    fs::remove_file(file(&joined, tiles)).unwrap();
    // The message names the damaged part.
    let mut bytes = fs::read(part(1)).unwrap();
    let last = bytes.len() - 20;
    bytes[last] ^= 1;
    fs::write(part(1), bytes).unwrap();
    let (exit, line) = join(&[&parts]);
    assert!(
        exit == Some(3) && line.contains("part-1-of-2: the part"),
        "{line}"
    );
    // The next build replaces a part that cannot be joined.
    let mut bytes = fs::read(part(0)).unwrap();
    let text = b"\"version\":1";
    let at = bytes.windows(text.len()).position(|found| found == text);
    bytes[at.unwrap() + text.len() - 1] = b'0';
    fs::write(part(0), bytes).unwrap();
    let (exit, line) = join(&[&parts]);
    assert!(
        exit == Some(3) && line.contains("another version"),
        "{line}"
    );
    assert!(command(&build).output().unwrap().status.success());
    assert_eq!(join(&[&parts]), (Some(0), String::new()));
    fs::remove_file(file(&joined, tiles)).unwrap();
    let mut command = command(&["join", "--json", "--tables", joined.to_str().unwrap()]);
    let output = command.arg(&parts).output().unwrap();
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["file"], file(&joined, tiles).to_str().unwrap());
}
