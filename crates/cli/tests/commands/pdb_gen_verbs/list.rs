//! `pdb-gen list`: one line per table, and errors for other files.

use std::fs;
use std::path::Path;

use crate::pdb_gen_verbs::run::{
    Run, build_small_tables, command_at, finish, info, pdb_gen, run, start,
};
use crate::run::{files, folder};

fn list(tables: &Path, arguments: &[&str]) -> Run {
    finish(start(command_at(tables, ["list"]).args(arguments)))
}

/// The columns of each line, separated by two or more spaces.
fn lines(text: &str) -> Vec<Vec<&str>> {
    let line = |line| str::split(line, "  ").map(str::trim);
    let words = text
        .lines()
        .map(|l| line(l).filter(|word| !word.is_empty()).collect());
    words.collect()
}

#[test]
fn tables_are_listed_in_order() {
    let folder = folder();
    for words in [
        "--size 4x4 --tiles 1,2,5,6",
        "--size 10x2 --tiles 1,2 --kind blank-compressed",
        "--size 4x3 --tiles 1,2,3 --zstd",
        "--size 3x3 --metric multi --partition 1,2",
    ] {
        pdb_gen(folder.path(), words).succeeds();
    }
    build_small_tables(folder.path());
    let text = list(folder.path(), &[]).succeeds();
    let (first, text) = text.split_once('\n').unwrap();
    assert_eq!(first, format!("in {}:", folder.path().display()));
    let lines = lines(text);
    let column = |number: usize| -> Vec<&str> { lines.iter().map(|line| line[number]).collect() };
    assert_eq!(
        column(0),
        ["3x3", "3x3", "3x3", "3x3", "4x3", "4x4", "10x2"],
        "{text}"
    );
    let names = column(7);
    for (line, name) in lines.iter().zip(&names) {
        let path = folder.path().join(name);
        let told = pdb_gen(Path::new("."), &format!("info --json {}", path.display())).object(0);
        assert_eq!(line[0], told["tray"], "{text}");
        assert_eq!(line[1], told["kind"], "{text}");
        assert_eq!(line[2], told["encoding"], "{text}");
        let entries = line[3].replace(',', "");
        assert_eq!(entries, format!("{} entries", told["entries"]), "{text}");
        assert_eq!(line[5], format!("h up to {}", told["max"]), "{text}");
        let cells = |field: &str| -> Vec<usize> {
            let cells = told[field].as_array().unwrap().iter();
            cells.map(|cell| cell.as_u64().unwrap() as usize).collect()
        };
        let drawn: Vec<char> = line[6].chars().filter(|&c| c != '/').collect();
        for (cell, sign) in drawn.iter().enumerate() {
            let tile = cells("tiles").contains(&cell);
            let blank = cells("goal").contains(&cell);
            assert_eq!((*sign == 'a', *sign == '.'), (tile, blank), "{text}");
        }
        let height: usize = line[0].split('x').nth(1).unwrap().parse().unwrap();
        assert_eq!(line[6].split('/').count(), height, "{text}");
    }
    assert!(text.contains("  63.06 KiB  "), "{text}");
    assert!(text.contains("aaa/a--/a-.  "), "{text}");
    // With `--json`, `list` prints the objects of `info`, in the order of its text lines.
    let objects = list(folder.path(), &["--json"]);
    let objects = objects.objects(0);
    let ends = |path: &serde_json::Value, name: &str| path.as_str().unwrap().ends_with(name);
    assert!(
        objects
            .iter()
            .zip(&names)
            .all(|(object, name)| ends(&object["file"], name))
    );
    let infos = info(folder.path());
    assert_eq!(objects.len(), infos.len());
    assert!(objects.iter().all(|object| infos.contains(object)));
    // Options select tables, and arguments select files.
    let of_size = list(folder.path(), &["--size", "3x3"]).succeeds();
    assert_eq!(of_size.lines().count(), 5, "{of_size}");
    // `info` takes the names that `list` prints.
    for name in [names[0], names[0].strip_suffix(".pdb").unwrap()] {
        let object = pdb_gen(folder.path(), &format!("info --json {name}")).object(0);
        assert_eq!(object, objects[0]);
    }
    let chosen = list(folder.path(), &["--size", "3x3", "--partition", "5-3"]).succeeds();
    assert_eq!(chosen.matches("zero-aware  one-bit").count(), 2, "{chosen}");
    let file = &files(folder.path())[0];
    let named = run(["list".as_ref(), file.as_os_str()]).succeeds();
    assert!(
        named.ends_with(&format!("  {}\n", file.display())),
        "{named}"
    );
}

#[test]
fn files_that_are_not_tables_are_named() {
    let folder = folder();
    let tables = folder.path();
    pdb_gen(tables, "--size 3x3 --partition 5-3").succeeds();
    let whole = list(tables, &[]).succeeds();
    fs::write(tables.join("protein.pdb"), "ATOM      1  N   MET A   1").unwrap();
    let cut = &files(tables)[0];
    let bytes = fs::read(cut).unwrap();
    fs::write(tables.join("cut.pdb"), &bytes[..bytes.len() - 1]).unwrap();
    fs::write(tables.join("x.pdb.checkpoint"), [0; 1024]).unwrap();
    fs::write(tables.join("x.pdb.checkpoint.new"), [0; 2048]).unwrap();
    fs::write(tables.join("x.pdb.lock"), "").unwrap();
    fs::write(tables.join(".unfinished-aB3xY9.tmp"), "12").unwrap();
    fs::write(tables.join("notes.txt"), "12").unwrap();
    let told = list(tables, &[]);
    assert_eq!(told.code, Some(3));
    let left = ".unfinished-aB3xY9.tmp (2 B), x.pdb.checkpoint (1.00 KiB), \
                x.pdb.checkpoint.new (2.00 KiB), x.pdb.lock (0 B)";
    assert_eq!(told.out, format!("{whole}of unfinished builds: {left}\n"));
    let errors: Vec<&str> = told.err.lines().collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(
        errors[0].contains("cut.pdb") && errors[0].contains("bytes"),
        "{errors:?}"
    );
    assert!(
        errors[1].contains("protein.pdb: not a pattern database"),
        "{errors:?}"
    );
    assert_eq!(list(tables, &["--json"]).objects(3).len(), 4);
    let lines = whole.split_once('\n').unwrap().1;
    assert_eq!(list(tables, &["--quiet"]).out, lines);
    // Removes all `.pdb` files. Leftovers of builds remain.
    files(tables)
        .iter()
        .filter(|file| file.extension() == Some("pdb".as_ref()))
        .for_each(|file| {
            fs::remove_file(file).unwrap();
        });
    let told = list(tables, &[]);
    assert_eq!(
        (told.code, told.out),
        (Some(3), format!("of unfinished builds: {left}\n"))
    );
    assert!(told.err.contains("no table files in"), "{}", told.err);
    let way_out = "build some with pdb-gen --partition 6-6-3 --tables ";
    assert!(told.err.contains(way_out), "{}", told.err);
}

/// `list` reads only the header, as `info` does, so it lists a table with a wrong payload too.
#[test]
fn payloads_are_not_read() {
    let folder = folder();
    pdb_gen(folder.path(), "--size 3x3 --tiles 1,2,3").succeeds();
    let file = &files(folder.path())[0];
    let whole = list(folder.path(), &[]).succeeds();
    let mut bytes = fs::read(file).unwrap();
    *bytes.last_mut().unwrap() ^= 0xff;
    fs::write(file, bytes).unwrap();
    assert_eq!(list(folder.path(), &[]).succeeds(), whole);
}

#[test]
fn errors_of_packed_tables_name_unpack() {
    let folder = folder();
    let (tables, packed) = (folder.path().join("tables"), folder.path().join("packed"));
    let words = "pack --size 3x3 --partition 5-3 --out";
    pdb_gen(&tables, &format!("{words} {}", packed.display())).succeeds();
    let paths = files(&packed);
    assert_eq!(paths.len(), 3);
    for path in &paths {
        let path = path.to_str().unwrap();
        for verb in ["list", "info", "verify", "stats"] {
            let line = run([verb, path]).fails(3);
            let way_out = format!("try: pdb-gen unpack {path}\n");
            assert!(
                line.contains("packed table") && line.ends_with(&way_out),
                "{line}"
            );
        }
    }
}

#[test]
fn clean_removes_the_selected_tables_after_yes() {
    let folder = folder();
    let tables = folder.path();
    pdb_gen(tables, "--size 3x3 --partition 5-3").succeeds();
    pdb_gen(tables, "--size 4x3 --tiles 1,2,3").succeeds();
    fs::write(tables.join("notes.txt"), "12").unwrap();
    let all = files(tables);
    // Without --yes, the files are only listed: those that the build of the partition wrote.
    let told = pdb_gen(tables, "clean --size 3x3 --partition 5-3");
    assert_eq!(told.code, Some(0));
    assert_eq!(told.out.lines().count(), all.len() - 2, "{}", told.out);
    assert!(told.err.contains("--yes removes"), "{}", told.err);
    assert_eq!(files(tables), all);
    pdb_gen(tables, "clean --size 3x3 --partition 5-3 --yes").succeeds();
    assert_eq!(files(tables).len(), 2);
    pdb_gen(tables, "clean --size 3x3 --partition 5-3 --yes").fails(3);
    // A file of an unknown size is not removed by --size.
    fs::write(tables.join("damaged.pdb"), "12").unwrap();
    pdb_gen(tables, "clean --size 3x3 --yes").fails(3);
    assert_eq!(files(tables).len(), 3);
    pdb_gen(tables, "clean --yes").succeeds();
    assert_eq!(files(tables), [tables.join("notes.txt")]);
}
