//! `pack` and `unpack`: packed tables unpack to the same files, and other input is rejected.

use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;

use serde_json::{Value, json};

use crate::pdb_gen_verbs::run::{Run, pdb_gen, run};
#[cfg(target_os = "linux")]
use crate::pdb_gen_verbs::run::{clean, finish, start};
use crate::run::{files, folder, sums, write_anew};

const WORDS: &str = "--size 3x3 --partition 5-3";

/// Packs a small set of tables into `out`; returns the directory of the tables.
fn packed(out: &Path, words: &str) -> tempfile::TempDir {
    let tables = folder();
    let out = out.to_str().unwrap();
    pdb_gen(tables.path(), &format!("pack {WORDS} --out {out} {words}")).succeeds();
    tables
}

fn unpack(from: &Path, tables: &Path) -> Run {
    run([
        "unpack",
        from.to_str().unwrap(),
        "--tables",
        tables.to_str().unwrap(),
    ])
}

/// Asserts that `unpack` prints one error line, exits with code 3 and writes nothing.
#[track_caller]
fn is_refused(from: &Path) -> String {
    let tables = folder();
    let place = tables.path().join("tables");
    let line = unpack(from, &place).fails(3);
    assert!(!place.exists() || files(&place).is_empty(), "{line}");
    line
}

fn manifest(directory: &Path) -> Value {
    serde_json::from_slice(&fs::read(directory.join("manifest.json")).unwrap()).unwrap()
}

fn write_manifest(directory: &Path, manifest: &Value) {
    write_anew(&directory.join("manifest.json"), manifest.to_string());
}

#[test]
fn all_forms_unpack_from_directory_manifest_file_and_table() {
    for words in [
        "",
        "--encoding u8",
        "--kind full",
        "--kind blank-compressed",
        "--fixed 1",
        "--fixed 1 --tiles 1,2,3,4,5",
        "--zstd 3",
    ] {
        let out = folder();
        let words = if words.contains("tiles") {
            words.to_owned()
        } else {
            format!("--partition 5-3 {words}")
        };
        let tables = folder();
        let pack = format!("pack --size 3x3 {words} --out {}", out.path().display());
        pdb_gen(tables.path(), &pack).succeeds();

        let expected: Vec<_> = if words.contains("zstd") {
            let plain = folder();
            for tiles in ["1,2,3", "4,5,6,7,8"] {
                pdb_gen(plain.path(), &format!("--size 3x3 --tiles {tiles}")).succeeds();
            }
            sums(plain.path())
        } else {
            sums(tables.path())
        };
        for from in [out.path(), &out.path().join("manifest.json")] {
            let back = folder();
            let said = unpack(from, back.path()).succeeds();
            assert_eq!(said.lines().count(), expected.len(), "{said}");
            assert!(sums(back.path()) == expected, "{words}");
        }
        let back = folder();
        for file in files(out.path())
            .iter()
            .filter(|file| file.extension().unwrap() == "pdbz")
        {
            unpack(file, back.path()).succeeds();
        }
        assert!(sums(back.path()) == expected, "{words}");
    }
}

#[test]
fn any_number_of_threads_packs_the_same_bytes() {
    let (one, two) = (folder(), folder());
    packed(one.path(), "--threads 1");
    packed(two.path(), "--threads 2");
    assert!(sums(one.path()) == sums(two.path()));
}

#[test]
fn the_previous_pack_stays_until_the_new_one_is_complete() {
    let out = folder();
    let tables = packed(out.path(), "");
    let before = sums(out.path());
    // The second of the two tables cannot be built: a directory has its name.
    let second = manifest(out.path())["tables"][1]["table"]["file"].clone();
    let second = tables.path().join(second.as_str().unwrap());
    fs::remove_file(&second).unwrap();
    fs::create_dir(&second).unwrap();
    let again = format!("pack {WORDS} --fixed 1 --out {}", out.path().display());
    let run = pdb_gen(tables.path(), &again);
    assert_eq!(run.code, Some(3), "{}{}", run.out, run.err);
    assert!(run.out.contains("packed"), "{}", run.out);
    assert!(sums(out.path()) == before);
    unpack(out.path(), folder().path()).succeeds();

    fs::remove_dir(&second).unwrap();
    pdb_gen(tables.path(), &again).succeeds();
    assert!(sums(out.path()) != before);
    assert_eq!(files(out.path()).len(), before.len());
    unpack(out.path(), folder().path()).succeeds();
}

#[test]
fn the_manifest_describes_all_tables() {
    let out = folder();
    let tables = packed(out.path(), "--goal blank-first");
    let manifest = manifest(out.path());
    assert_eq!(manifest["tray"], "3x3");
    assert_eq!(manifest["goal"], json!([0, 1, 2, 3, 4, 5, 6, 7, 8]));
    assert_eq!(
        manifest["rebuild"],
        "pdb-gen pack --size 3x3 --goal blank-first --partition 5-3 --out DIR"
    );
    let tiles: Vec<u64> = manifest["parts"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|part| {
            part["tiles"]
                .as_array()
                .unwrap()
                .iter()
                .map(|tile| tile.as_u64().unwrap())
        })
        .collect();
    assert_eq!(tiles.len(), 8);
    let unpacked: Vec<(String, String)> = sums(tables.path())
        .into_iter()
        .map(|(name, sum)| (name, sum.iter().map(|byte| format!("{byte:02x}")).collect()))
        .collect();
    for table in manifest["tables"].as_array().unwrap() {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let said = (
            text(&table["table"]["file"]),
            text(&table["table"]["sha256"]),
        );
        assert!(unpacked.contains(&said), "{said:?}");
        let file = out.path().join(text(&table["packed"]["file"]));
        assert_eq!(
            table["packed"]["length"],
            json!(fs::metadata(file).unwrap().len())
        );
    }
}

#[test]
fn damaged_and_foreign_directories_are_rejected() {
    let out = folder();
    packed(out.path(), "");
    let sound = manifest(out.path());
    let first = out
        .path()
        .join(sound["tables"][0]["packed"]["file"].as_str().unwrap());
    let bytes = fs::read(&first).unwrap();
    let refuses = |words: &str| {
        let line = is_refused(out.path());
        assert!(line.contains(words), "{words}: {line}");
    };

    fs::write(&first, &bytes[..bytes.len() - 1]).unwrap();
    refuses("the manifest says");
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    fs::write(&first, &flipped).unwrap();
    refuses("SHA-256");
    fs::remove_file(&first).unwrap();
    refuses("No such file");
    fs::write(&first, &bytes).unwrap();

    let mut changed = sound.clone();
    changed["tables"][1]["table"]["sha256"] = json!("00");
    write_manifest(out.path(), &changed);
    refuses("the manifest does not match");
    fs::write(out.path().join("manifest.json"), "not json").unwrap();
    refuses("not a manifest");
    fs::remove_file(out.path().join("manifest.json")).unwrap();
    refuses("manifest.json");
    write_manifest(out.path(), &sound);
    unpack(out.path(), folder().path()).succeeds();
}

#[test]
fn bad_usage_and_unwritable_places_are_rejected() {
    let tables = folder();
    let file = tables.path().join("file");
    fs::write(&file, "").unwrap();
    let beyond = file.join("out");
    pdb_gen(tables.path(), "pack").fails_as_usage();
    pdb_gen(tables.path(), "unpack").fails_as_usage();
    let pack = |words: &str| {
        pdb_gen(
            tables.path(),
            &format!("pack --size 3x3 --tiles 1,2,3,4,5 {words}"),
        )
    };
    pack(&format!("--out {}", beyond.display())).fails(3);
    pack("--fixed 9 --out x").fails_as_usage();
    // The wrong destination is detected before anything is built.
    let directory = folder();
    fs::create_dir(directory.path().join("manifest.json")).unwrap();
    let manifest = format!("--out {}", directory.path().display());
    assert!(pack(&manifest).fails(3).contains("not a file"));
    assert_eq!(files(tables.path()), [file.as_path()]);

    let out = folder();
    packed(out.path(), "");
    assert!(unpack(out.path(), &beyond).fails(3).contains("file"));
    assert!(
        unpack(&tables.path().join("nothing"), tables.path())
            .fails(3)
            .contains("nothing")
    );
    assert!(
        unpack(&file, tables.path())
            .fails(3)
            .contains("not a manifest")
    );
}

#[test]
fn json_has_one_object_per_table() {
    let (tables, out) = (folder(), folder());
    let pack = format!("pack {WORDS} --json --out {}", out.path().display());
    let objects = |text: String| -> Vec<Value> {
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let said = objects(pdb_gen(tables.path(), &pack).succeeds());
    assert_eq!(said.len(), 2);
    assert_eq!(said[0]["table"]["tray"], "3x3");
    let unpack = format!("unpack --json {}", out.path().display());
    let said = objects(pdb_gen(tables.path(), &unpack).succeeds());
    assert_eq!(said.len(), 2);
    assert_eq!(said[0]["tray"], "3x3");
    assert!(said[0]["packed"].as_u64().unwrap() > 0);
}

/// The program reads only the bytes that the header describes. A much larger file is therefore not
/// read into memory, even if it begins like a packed table.
#[cfg(target_os = "linux")]
#[test]
fn files_that_only_begin_like_packed_tables_need_no_memory() {
    let out = folder();
    packed(out.path(), "");
    let first = files(out.path()).remove(0);
    let sound = fs::read(&first).unwrap();
    let alone = out.path().join("alone");
    let refuses = |begin: &[u8], file: &Path| {
        fs::write(file, begin).unwrap();
        let sparse = fs::File::options().write(true).open(file).unwrap();
        sparse.set_len(1 << 40).unwrap();
        let mut command = Command::new("sh");
        clean(&mut command);
        let script =
            "ulimit -v 1000000; exec \"$1\" unpack --threads 1 \"$2\" --tables \"$2.tables\"";
        command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_pdb-gen")]);
        finish(start(command.arg(file))).fails(3)
    };
    // The maximum header length, written in the length field.
    let mut longest = sound.clone();
    longest[12..16].fill(0xff);
    for begin in [&sound[..64], &sound, &longest] {
        refuses(begin, &alone);
    }
    // The same test with the files of a packed directory. The manifest states the length of these
    // files, 1 TiB.
    fs::remove_file(&alone).unwrap();
    let mut said = manifest(out.path());
    for table in said["tables"].as_array_mut().unwrap() {
        table["packed"]["length"] = json!(1_u64 << 40);
    }
    write_manifest(out.path(), &said);
    for file in files(out.path()) {
        if file.extension().unwrap() == "pdbz" {
            refuses(&sound, &file);
        }
    }
    let line = unpack(out.path(), folder().path()).fails(3);
    assert!(line.contains("bytes"), "{line}");
}
