//! Destinations of tables: directories, full and read-only disks, and the files of concurrent and
//! interrupted builds.

use std::fs;
use std::io::Read as _;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
#[cfg(target_os = "linux")]
use std::process::Stdio;
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::pdb_gen_verbs::run::Run;
use crate::pdb_gen_verbs::run::{Process, clean, command, command_at, finish, pdb_gen, start};
#[cfg(unix)]
use crate::pdb_gen_verbs::run::{happens, info};
#[cfg(unix)]
use crate::run::files;
use crate::run::{folder, only_file, sums};

#[test]
fn the_directory_comes_from_option_variable_or_user() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let build = |set: &mut dyn FnMut(&mut Command)| {
        let mut command = command();
        command.args(["--size", "2x2"]);
        set(&mut command);
        finish(start(&mut command)).succeeds();
    };
    build(&mut |c| {
        c.env("PDB_TABLES", at("variable"));
    });
    only_file(&at("variable"));
    build(&mut |c| {
        c.env("PDB_TABLES", at("other"))
            .arg("--tables")
            .arg(at("option"));
    });
    only_file(&at("option"));
    assert!(!at("other").exists());
    if cfg!(target_os = "linux") {
        build(&mut |c| {
            c.env("HOME", at("home"));
        });
        let users = only_file(&at("home/.local/share"));
        only_file(&users);
        build(&mut |c| {
            c.env("XDG_DATA_HOME", at("data"));
        });
        only_file(&only_file(&at("data")));
    }
}

#[test]
fn directories_that_cannot_be_created_are_reported_first() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    let mut places = vec![file.clone(), file.join("below"), file.join("far/below")];
    if cfg!(target_os = "linux") {
        places.push(PathBuf::from("/proc/tables"));
    }
    for place in places {
        let mut command = command_at(&place, ["--tiles", "1,2,3,4,5,6,7,8"]);
        // The build does not begin: it would need more than this second of processor time.
        if cfg!(unix) {
            let mut shell = Command::new("sh");
            clean(&mut shell);
            shell.args(["-c", "ulimit -t 1; exec \"$0\" \"$@\""]);
            shell.arg(command.get_program()).args(command.get_args());
            command = shell;
        }
        let line = finish(start(&mut command)).fails(3);
        assert!(line.contains(place.to_str().unwrap()), "{line}");
        assert_eq!(
            place == file,
            line.ends_with(": not a directory\n"),
            "{line}"
        );
    }
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    only_file(folder.path());
}

/// Runs a shell script in its own mount namespace; returns `None` if the system does not allow it.
#[cfg(target_os = "linux")]
pub(crate) fn in_own_mounts(script: &str, at: &Path) -> Option<Run> {
    let shell = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", script, "sh"]);
        command.arg(env!("CARGO_BIN_EXE_pdb-gen")).arg(at);
        clean(&mut command);
        command
    };
    let probe = shell("mount -t tmpfs -o size=1m tmpfs \"$2\"")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !probe.is_ok_and(|status| status.success()) {
        skipped("no mount namespaces here");
        return None;
    }
    Some(finish(start(&mut shell(script))))
}

#[cfg(target_os = "linux")]
#[expect(clippy::print_stderr, reason = "a message in the test's output")]
fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_nothing_is_left() {
    let folder = folder();
    // The size of compressed files is unknown in advance, so the error occurs during the write.
    for (form, code, words) in [("", 2, "needs 1.41 MiB"), ("--zstd 1", 3, "No space left")] {
        let script = format!(
            "mount -t tmpfs -o size=1m tmpfs \"$2\" || exit 99
            \"$1\" {form} --partition 6-6-3 --tables \"$2/tables\"; code=$?; ls -A \"$2/tables\"; exit $code"
        );
        if let Some(run) = in_own_mounts(&script, folder.path()) {
            // The output is the program's error line. `ls` prints nothing, because no file remains.
            let line = run.fails(code);
            assert!(line.contains(words), "{line}");
        }
    }
}

/// The checkpoint fills most of the disk. It is removed to make room for the table.
#[cfg(target_os = "linux")]
#[test]
fn a_table_uses_the_space_of_its_checkpoint() {
    let folder = folder();
    let words = "--size 5x4 --tiles 1,2,3,6,7,8 --threads 1";
    let script = format!(
        "mount -t tmpfs -o size=12m tmpfs \"$2\" || exit 99
        \"$1\" {words} --checkpoint 0 --tables \"$2\" || exit; ls -A \"$2\""
    );
    if let Some(run) = in_own_mounts(&script, folder.path()) {
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        assert!(run.out.starts_with("wrote"), "{}", run.out);
        assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    }
    // A checkpoint of an earlier run is also removed, even if it is not resumed.
    let plan = pdb_gen(folder.path(), &format!("plan --json {words}")).object(0);
    let table = plan["tables"][0]["table"].as_str().unwrap();
    let script = format!(
        "mount -t tmpfs -o size=12m tmpfs \"$2\" || exit 99
        head -c 10000000 /dev/zero > \"$2/{table}.pdb.checkpoint\"
        \"$1\" {words} --tables \"$2\" || exit; ls -A \"$2\""
    );
    if let Some(run) = in_own_mounts(&script, folder.path()) {
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_directory_is_an_error() {
    let folder = folder();
    for (words, name) in [
        ("--size 3x3 --tables \"$2\"", ".pdb: "),
        (
            "export --format npy --size 3x3 --tiles 1,2 --tables /nowhere --out \"$2/x\"",
            "/x: ",
        ),
        (
            "pack --size 3x3 --tables /nowhere --out \"$2\"",
            "manifest.json: ",
        ),
    ] {
        let script = format!("mount -t tmpfs -o ro tmpfs \"$2\" || exit 99; \"$1\" {words}");
        if let Some(run) = in_own_mounts(&script, folder.path()) {
            // The message names the requested file, not a lock or a temporary file.
            let line = run.fails(3);
            assert!(
                line.contains(name) && !line.contains("unfinished"),
                "{line}"
            );
        }
    }
}

/// A file size limit stops the write half-way, as a full disk does. This test works without mounts.
#[cfg(unix)]
#[test]
fn unfinished_files_are_removed_after_errors() {
    for layer in ["", "--zstd 1"] {
        let folder = folder();
        let mut command = Command::new("sh");
        clean(&mut command);
        let script = format!(
            "trap '' XFSZ; ulimit -f 200; exec \"$1\" {layer} --tables \"$2\" --tiles 1,2,3,4,5,6"
        );
        command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_pdb-gen")]);
        let run = finish(start(command.arg(folder.path())));
        let line = run.fails(3);
        assert!(line.contains(".pdb"), "{line}");
        assert_eq!(files(folder.path()).len(), 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_or_closed_standard_output_is_an_error() {
    let folder = folder();
    pdb_gen(folder.path(), "--size 3x3 --partition 5-3+fringe").succeeds();
    let mut info = command_at(folder.path(), ["info"]);
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let run = info.stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_ne!(run.status.code(), Some(0));
    assert_eq!(String::from_utf8(run.stderr).unwrap().lines().count(), 1);

    let mut child = start(&mut info);
    drop(child.stdout.take());
    let mut err = String::new();
    let mut stream = child.stderr.take().unwrap();
    stream.read_to_string(&mut err).unwrap();
    assert_eq!(err, "");
}

#[test]
fn concurrent_builders_in_one_directory_all_succeed() {
    let (one, many) = (folder(), folder());
    pdb_gen(one.path(), "--partition 6-6-3").succeeds();
    let tables = many.path().join("tables");
    for words in ["", "--force"] {
        let builder = || {
            let mut command = command_at(&tables, ["--partition", "6-6-3"]);
            start(command.args(words.split_whitespace()))
        };
        let builders: Vec<Process> = (0..4).map(|_| builder()).collect();
        for builder in builders {
            // Builders that wait for another builder print a message on standard error.
            let run = finish(builder);
            assert_eq!(
                (run.code, run.out.lines().count()),
                (Some(0), 7),
                "{}",
                run.err
            );
        }
        assert_eq!(sums(&tables), sums(one.path()));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_is_reported_and_leaves_nothing() {
    let folder = folder();
    let tables = folder.path().join("tables");
    let words = ["--size", "5x5", "--tiles", "1,2,5,6,7,10,11"];
    let child = start(&mut command_at(&tables, words));
    assert!(happens(|| tables.exists()));
    // Many seconds of work remain.
    thread::sleep(Duration::from_millis(200));
    child.signal("-INT");
    let line = finish(child).fails(130);
    assert!(line.contains("interrupted"), "{line}");
    assert_eq!(files(&tables).len(), 0);
}

#[cfg(unix)]
#[test]
fn a_killed_build_leaves_no_partial_table() {
    let folder = folder();
    let words = ["--tiles", "1,2,3,4,5,6", "--encoding", "u8", "--force"];
    let begun = Instant::now();
    pdb_gen(folder.path(), &words.join(" ")).succeeds();
    let mut time = begun.elapsed();
    let whole = sums(folder.path());
    let table = only_file(folder.path());
    let (mut killed, mut step) = (0, 0);
    while step < 10 || killed == 0 {
        if step % 2 == 0 {
            fs::remove_file(&table).ok();
        }
        let child = start(&mut command_at(folder.path(), words));
        // In the last steps, most kills happen during the write.
        thread::sleep(time * (step % 10 + 1) / 10);
        child.signal("-KILL");
        match finish(child).code {
            None => killed += 1,
            // Other work on the machine has ended, so the build is faster than before.
            Some(_) => time = time * 9 / 10,
        }
        step += 1;
        for (name, sum) in sums(folder.path()) {
            let is_table = name.ends_with(".pdb") || name.ends_with(".zst");
            assert!(!is_table || (name, sum) == whole[0], "half a file");
        }
    }
    // The leftovers have no effect.
    pdb_gen(folder.path(), &words.join(" ")).succeeds();
    let proved = pdb_gen(folder.path(), "verify").succeeds();
    assert_eq!(proved.lines().count(), 1);
    assert_eq!(info(folder.path()).len(), 1);
}

/// A writer removes the leftovers of killed writers from the directory that it writes to.
#[test]
fn unfinished_files_are_removed_by_the_next_writer() {
    let (tables, out) = (folder(), folder());
    pdb_gen(tables.path(), "--size 3x3 --tiles 1,2,3 --encoding u8").succeeds();
    let place = out.path().display();
    for words in [
        format!("pack --size 3x3 --tiles 1,2,3 --out {place}"),
        format!("export --size 3x3 --tiles 1,2,3 --format npy --out {place}/x.npy"),
        format!("stats --out {place}/x.svg"),
    ] {
        let left = out.path().join(".unfinished-aB3xYz.tmp");
        fs::write(&left, "left").unwrap();
        pdb_gen(tables.path(), &words).succeeds();
        assert!(!left.exists(), "{words}");
    }
}

/// In this test a pipe or a link has the file name of a table's lock or checkpoint.
#[cfg(unix)]
#[test]
fn pipes_and_links_next_to_a_table_are_ignored() {
    let words = "--size 3x3 --tiles 1,2,3,4";
    let whole = folder();
    pdb_gen(whole.path(), words).succeeds();
    let whole = only_file(whole.path());
    let name = whole.file_name().unwrap().to_str().unwrap();
    let mine = folder();
    let mine = mine.path().join("mine");
    for is_link in [false, true] {
        for (ending, options) in [
            ("lock", ""),
            ("checkpoint", "--resume"),
            ("checkpoint.new", "--checkpoint 0"),
        ] {
            fs::write(&mine, "mine").unwrap();
            let folder = folder();
            let path = folder.path().join(format!("{name}.{ending}"));
            if is_link {
                std::os::unix::fs::symlink(&mine, &path).unwrap();
            } else {
                let made = Command::new("mkfifo").arg(&path).status().unwrap();
                assert!(made.success());
            }
            let run = pdb_gen(folder.path(), &format!("{words} {options}"));
            if ending == "checkpoint.new" {
                run.succeeds();
                assert!(fs::read(only_file(folder.path())).unwrap() == fs::read(&whole).unwrap());
            } else {
                let line = run.fails(3);
                assert!(line.contains(path.to_str().unwrap()), "{line}");
            }
            assert_eq!(fs::read(&mine).unwrap(), b"mine");
        }
    }
}
