//! Tables written for other programs.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sha1::{Digest, Sha1};

#[cfg(unix)]
use crate::pdb_gen_verbs::run::happens;
use crate::pdb_gen_verbs::run::{Run, command_at, finish, pdb_gen, run, start};
use crate::run::{files, folder, only_file};

/// Git's object name of a file with these bytes.
fn blob_id(bytes: &[u8]) -> String {
    let start = format!("blob {}\0", bytes.len());
    let sum = Sha1::new().chain_update(start).chain_update(bytes);
    let sum = sum.finalize();
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn export(tables: &Path, arguments: &[&str]) -> Run {
    finish(start(command_at(tables, ["export"]).args(arguments)))
}

/// Exports equal the files that the browser app ships; a Java generator wrote those files.
#[test]
fn dense_exports_are_the_apps_files_byte_for_byte() {
    let folder = folder();
    for (goal, tiles, id) in [
        (
            "blank-first",
            "1,2,4,5,8,9",
            "6d78a20be2593e38a2cd44344587a951d62b5b5f",
        ),
        (
            "1 0 2 3/4 5 6 7/8 9 10 11/12 13 14 15",
            "13,14,15",
            "39c7a75285209138a334e07a02e7958d033ee932",
        ),
        (
            "1 2 3 4/5 6 0 7/8 9 10 11/12 13 14 15",
            "9,10,12,13,14,15",
            "804ede1c075292b5f77bccd173329456acf964cb",
        ),
    ] {
        let out = folder.path().join(tiles);
        let tables = folder.path().join("tables");
        let words = ["--format", "dense", "--kind", "blank-compressed"];
        let place = ["--out", out.to_str().unwrap(), "--goal", goal];
        let arguments = [&words[..], &place, &["--tiles", tiles]].concat();
        let said = export(&tables, &arguments).succeeds();
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(out.to_str().unwrap()), "{said}");
        assert_eq!(blob_id(&fs::read(&out).unwrap()), id, "{tiles}");
    }
}

#[test]
fn the_table_is_built_once_and_kept() {
    let folder = folder();
    let (tables, out) = (folder.path().join("a/tables"), folder.path().join("out"));
    let words = format!(
        "export --size 3x3 --tiles 3,1,2 --format ranked --out {}",
        out.display()
    );
    pdb_gen(&tables, &words).succeeds();
    let table = only_file(&tables);
    assert!(table.to_str().unwrap().ends_with(".u8.pdb"), "{table:?}");
    let first = fs::read(&out).unwrap();
    assert_eq!(first, fs::read(&table).unwrap()[4096..]);
    // The second export reads the changed table and does not build it again: the changed value is
    // in the output.
    let changed = crate::pdb_gen_verbs::damage::forged(&fs::read(&table).unwrap(), |payload| {
        payload[100] += 1;
    });
    fs::write(&table, changed).unwrap();
    pdb_gen(&tables, &words).succeeds();
    let mut other = first.clone();
    other[100] += 1;
    assert_eq!(fs::read(&out).unwrap(), other);
    // A table in a zstd frame is exported as well.
    fs::remove_file(&table).unwrap();
    pdb_gen(
        &tables,
        "--size 3x3 --tiles 3,1,2 --encoding u8 --zstd 3 --quiet",
    )
    .succeeds();
    only_file(&tables);
    pdb_gen(&tables, &words).succeeds();
    only_file(&tables);
    assert_eq!(fs::read(&out).unwrap(), first);
}

#[test]
fn damaged_tables_are_rebuilt_with_a_message() {
    let folder = folder();
    let (tables, out) = (folder.path().join("tables"), folder.path().join("out"));
    let words = format!(
        "export --size 3x3 --tiles 1,2,3 --format ranked --out {}",
        out.display()
    );
    pdb_gen(&tables, &words).succeeds();
    let sound = fs::read(&out).unwrap();
    let table = only_file(&tables);
    let mut bytes = fs::read(&table).unwrap();
    bytes[4200] ^= 4;
    fs::write(&table, bytes).unwrap();
    let run = pdb_gen(&tables, &words);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    assert!(run.err.contains(table.to_str().unwrap()), "{}", run.err);
    assert_eq!(fs::read(&out).unwrap(), sound);
}

#[test]
fn json_reports_the_written_file() {
    let folder = folder();
    let (tables, out) = (folder.path().join("tables"), folder.path().join("out"));
    let place = ["--out", out.to_str().unwrap(), "--json"];
    let told = |arguments: &[&str]| -> Value {
        let said = export(&tables, &[arguments, &place].concat()).succeeds();
        assert_eq!(said.lines().count(), 1, "{said}");
        serde_json::from_str(&said).unwrap()
    };
    // The fringe of the textbooks: tiles 1, 2, 3, 4, 7 and the blank.
    let words = ["--size", "3x3", "--partition", "fringe", "--format", "npy"];
    let object = told(&words);
    let length = fs::metadata(&out).unwrap().len();
    let expected = json!({
        "file": out, "format": "npy", "bytes": length, "tray": "3x3", "goal": 8, "tiles": [0, 1, 2, 3, 6],
        "kind": "full", "shape": [9, 9, 9, 9, 9, 9],
    });
    assert_eq!(object, expected);
    assert_eq!(length, 128 + 9_u64.pow(6));
    let bytes = fs::read(&out).unwrap();
    let positions = bytes[128..].iter().filter(|&&byte| byte != 255);
    assert_eq!(positions.count(), 60_480);

    let words = ["--size", "3x3", "--tiles", "7,1", "--format", "csv"];
    let object = told(&words);
    assert_eq!(object["tiles"], json!([6, 0]));
    assert_eq!(object.get("shape"), None);
    let quiet = ["--size", "3x3", "--tiles", "7,1", "--format", "csv", "-q"];
    let place = ["--out", out.to_str().unwrap()];
    assert_eq!(
        export(&tables, &[&quiet[..], &place].concat()).succeeds(),
        ""
    );
}

/// The complete list for tile 2 on the 2x2: the tile is on its goal cell or on one of the three
/// other cells. For each cell of the tile, the blank's cells are one region.
#[test]
fn a_list_of_the_2x2() {
    let folder = folder();
    let out = folder.path().join("out.csv");
    let place = ["--out", out.to_str().unwrap()];
    let words = ["--size", "2x2", "--tiles", "2", "--format", "csv"];
    export(folder.path(), &[&words[..], &place].concat()).succeeds();
    let text = fs::read_to_string(&out).unwrap();
    assert_eq!(
        text,
        "tile2,blank,value\n0,1 2 3,1\n1,0 2 3,0\n2,0 1 3,2\n3,0 1 2,1\n"
    );
}

#[test]
fn all_tables_of_a_partition_are_exported_to_a_directory() {
    let folder = folder();
    let out = folder.path().join("values");
    let words = ["--size", "3x3", "--partition", "5-3", "--format", "csv"];
    let place = |out| [&words[..], &["--out", out]].concat();
    export(folder.path(), &place(out.to_str().unwrap())).succeeds();
    let names = files(&out);
    assert_eq!(names.len(), 2, "{names:?}");
    for name in names {
        let tiles = name.file_stem().unwrap().to_str().unwrap().to_owned();
        let alone = folder.path().join("alone");
        let tiles = ["--size", "3x3", "--tiles", &tiles.replace('-', ",")];
        let place = ["--format", "csv", "--out", alone.to_str().unwrap()];
        export(folder.path(), &[&tiles[..], &place].concat()).succeeds();
        assert_eq!(fs::read(name).unwrap(), fs::read(alone).unwrap());
    }
    let line = export(folder.path(), &place("-")).fails(2);
    assert!(line.contains("--out DIR"), "{line}");
}

#[test]
fn impossible_exports_are_rejected_in_one_line() {
    let folder = folder();
    let (tables, out) = (folder.path().join("never"), folder.path().join("out"));
    let refused = |words: &str, names: &str| {
        let place = ["--out", out.to_str().unwrap()];
        let words: Vec<&str> = words.split_whitespace().collect();
        let line = export(&tables, &[&words[..], &place].concat()).fails(2);
        assert!(line.contains(names), "{words:?}: {line}");
        assert!(files(folder.path()).is_empty(), "{words:?}");
    };
    refused("--format npy", "--tiles");
    refused(
        "--format dense --partition 6-6-3",
        "--kind blank-compressed",
    );
    refused("--format npy --partition manhattan", "--tiles");
    refused("--format npy --tiles 1,2,2", "tile 2");
    refused("--format npy --tiles 1,16", "16");
    refused("--format npy --tiles 0", "1 to 12 tiles");
    refused("--format npy --tiles one", "one");
    refused("--format npy --size 13x5 --tiles 1", "13x5");
    refused("--format npy --tiles 1 --encoding one-bit", "--encoding");
    refused("--format dense --tiles 1,2", "--kind blank-compressed");
    refused(
        "--format npy --tiles 1,2,3,4,5,6,7,8",
        "65 GiB, more than 16 GiB",
    );
    refused("--format csv --tiles 1,2,3,4,5,6", "11816640");
    // This export would be larger than any machine's memory.
    refused(
        "--size 5x5 --format ranked --tiles 1,2,3,4,5,6,7,8,9,10,11,12",
        "PiB",
    );
    for arguments in [
        &["--format", "xml", "--tiles", "1", "--out", "out"][..],
        &["--tiles", "1", "--out", "out"],
        &["--format", "npy", "--tiles", "1"],
    ] {
        export(&tables, arguments).fails_as_usage();
    }
    let arguments = ["export", "--format", "xml", "--tiles", "1", "--out", "out"];
    let line = run(arguments).fails_as_usage();
    assert!(line.contains("xml"), "{line}");
    assert!(files(folder.path()).is_empty());
}

#[test]
fn unwritable_outputs_are_rejected_before_a_build() {
    let folder = folder();
    let tables = folder.path().join("never");
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    let directory = folder.path().join("directory");
    fs::create_dir(&directory).unwrap();
    let mut places = vec![
        file.join("below"),
        folder.path().join("missing/out"),
        directory.clone(),
    ];
    if cfg!(target_os = "linux") {
        places.push("/proc/out".into());
    }
    // /dev/null is a special file, which a rename would replace.
    let socket = folder.path().join("socket");
    #[cfg(unix)]
    let _held = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    if cfg!(unix) {
        places.push(socket.clone());
    }
    for place in places {
        let words = ["--format", "ranked", "--tiles", "1,2,3", "--out"];
        let arguments = [&words[..], &[place.to_str().unwrap()]].concat();
        let line = export(&tables, &arguments).fails(3);
        assert!(line.contains(place.to_str().unwrap()), "{line}");
    }
    assert!(!tables.exists());
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    let mut left = vec![directory.clone(), file];
    left.extend(cfg!(unix).then_some(socket));
    assert_eq!(files(folder.path()), left);
    assert!(files(&directory).is_empty());
}

/// A file name without a directory means a file in the current directory.
#[test]
fn names_without_a_directory_are_in_the_current_one() {
    let folder = folder();
    let tables = folder.path().join("tables");
    let words = "export --size 2x2 --tiles 1 --format ranked --out here";
    let mut command = command_at(&tables, words.split_whitespace());
    finish(start(command.current_dir(folder.path()))).succeeds();
    assert_eq!(fs::read(folder.path().join("here")).unwrap(), [0, 1, 1, 2]);
}

#[cfg(target_os = "linux")]
#[test]
fn files_larger_than_the_disk_are_rejected_before_a_build() {
    let folder = folder();
    let script = "mount -t tmpfs -o size=1m tmpfs \"$2\" || exit 99
        \"$1\" export --tiles 1,2,3,4,5 --format npy --out \"$2/out\" --tables \"$2/tables\"
        code=$?; ls -A \"$2\"; exit $code";
    if let Some(run) = crate::pdb_gen_verbs::place::in_own_mounts(script, folder.path()) {
        let line = run.fails(2);
        assert!(line.contains("16.00 MiB are needed"), "{line}");
    }
}

/// A file size limit stops the write half-way, as a full disk does.
#[cfg(unix)]
#[test]
fn failed_exports_keep_the_existing_file() {
    let folder = folder();
    let tables = folder.path().join("tables");
    let place = folder.path().join("place");
    fs::create_dir(&place).unwrap();
    let out = place.join("out");
    fs::write(&out, "older").unwrap();
    pdb_gen(&tables, "--tiles 1,2,3,4 --kind blank-compressed").succeeds();
    let mut command = std::process::Command::new("sh");
    crate::pdb_gen_verbs::run::clean(&mut command);
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$1\" export --kind blank-compressed --tiles 1,2,3,4 --format npy \
        --tables \"$2\" --out \"$3\"";
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_pdb-gen")]);
    let line = finish(start(command.arg(&tables).arg(&out))).fails(3);
    assert!(line.contains(out.to_str().unwrap()), "{line}");
    assert_eq!(fs::read(only_file(&place)).unwrap(), b"older");
}

#[cfg(unix)]
#[test]
fn an_interrupted_export_leaves_nothing() {
    let folder = folder();
    let (tables, place) = (folder.path().join("tables"), folder.path().join("place"));
    fs::create_dir(&place).unwrap();
    // Exporting these 256 MiB takes at least half a second.
    let words = format!(
        "export --tiles 1,2,3,4,5,6 --format npy --out {}",
        place.join("out").display()
    );
    let length = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let is_begun = || files(&place).iter().any(|path| length(path) > 1 << 20);
    let interrupted = || {
        let child = start(&mut command_at(&tables, words.split_whitespace()));
        assert!(happens(is_begun));
        child.signal("-INT");
        let run = finish(child);
        // On a busy machine the signal can arrive after the end of the export.
        let _ = fs::remove_file(place.join("out"));
        run
    };
    let mut runs = std::iter::repeat_with(interrupted).take(20);
    let line = runs.find(|run| run.code != Some(0)).unwrap().fails(130);
    assert!(line.contains("interrupted"), "{line}");
    assert!(files(&place).is_empty());
    // The table was finished before the interrupt.
    only_file(&tables);
}

/// `-` does not name a file: the export is written to standard output, and nothing else is.
#[test]
fn a_dash_is_standard_output() {
    let folder = folder();
    let tables = folder.path().join("tables");
    let out = folder.path().join("out");
    for (format, tail) in [("ranked", ""), ("csv", " --quiet"), ("npy", " --json")] {
        let words = format!("export --size 3x3 --tiles 3,1,2 --format {format} --out ");
        pdb_gen(&tables, &format!("{words}{}", out.display())).succeeds();
        let words = format!("{words}-{tail}");
        let mut command = command_at(&tables, words.split(' '));
        let run = command.current_dir(folder.path()).output().unwrap();
        assert_eq!(run.status.code(), Some(0));
        assert!(run.stdout == fs::read(&out).unwrap(), "{format}");
        let said = String::from_utf8(run.stderr).unwrap();
        match format {
            "ranked" => assert!(said.starts_with("pdb-gen: wrote -: ranked, "), "{said}"),
            "csv" => assert_eq!(said, ""),
            _ => {
                let object: Value = serde_json::from_str(&said).unwrap();
                assert_eq!(object["file"], "-");
                assert_eq!(object["bytes"], run.stdout.len());
            }
        }
        assert!(!folder.path().join("-").exists());
    }
}
