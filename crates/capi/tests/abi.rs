//! Binary interface of compiled programs: sizes, offsets and numbers that must not change while
//! STP_ABI_VERSION stays the same, and the symbols of the shared library.
//!
//! `abi-layout.txt` and `abi-declarations.txt` list the interface. A new line is an addition. A
//! changed or removed line breaks programs, so STP_ABI_VERSION and the library's version in
//! Cargo.toml must change too. `STP_WRITE_ABI=1 cargo test -p sliding-tile-pdb-capi --test abi`
//! writes the files.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use slidingtilepdb::*;

/// One line per struct and per member, with offset and size in bytes.
macro_rules! layout {
    ($to:ident, $type:ident { $($member:ident),+ $(,)? }) => {{
        writeln!($to, "struct {} size {}", stringify!($type), size_of::<$type>()).unwrap();
        // The pattern has no `..`, so it lists all members.
        #[allow(dead_code)]
        fn has_no_others(value: $type) {
            let $type { $($member: _),+ } = value;
        }
        $({
            let at = std::mem::offset_of!($type, $member);
            // The closure is never called. The compiler infers the member's type from it.
            fn size<T>(_: fn($type) -> T) -> usize { size_of::<T>() }
            let size = size(|value: $type| value.$member);
            writeln!($to, "  {} at {at} size {size}", stringify!($member)).unwrap();
        })+
    }};
}

macro_rules! constants {
    ($to:ident, $($name:ident),+ $(,)?) => {
        $( writeln!($to, "constant {} {}", stringify!($name), $name).unwrap(); )+
    };
}

/// The structs and constants on this machine.
fn layout() -> String {
    let mut to = String::new();
    constants!(
        to,
        STP_ABI_VERSION,
        STP_MESSAGE_SIZE,
        STP_OK,
        STP_ERROR,
        STP_UNSOLVABLE,
        STP_LIMIT,
        STP_CANCELLED,
        STP_TABLE,
        STP_MEMORY,
        STP_DEFECT,
    );
    layout!(to, stp_error { code, message });
    layout!(
        to,
        stp_report {
            code,
            proved,
            length,
            bound,
            nodes,
            ms,
            moves,
            letters,
            message,
            data,
        }
    );
    to
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The functions and callback types of the header, one per line.
fn declarations() -> Vec<String> {
    let header = std::fs::read_to_string(folder().join("include/slidingtilepdb.h")).unwrap();
    let mut code = String::new();
    for (number, part) in header.split("/*").enumerate() {
        // Keeps the text before the first comment, and the text after the end of each comment.
        code += match number {
            0 => part,
            _ => part.split_once("*/").unwrap().1,
        };
    }
    let code: Vec<&str> = code.lines().filter(|line| !line.starts_with('#')).collect();
    let code = code.join("\n").replace("extern \"C\" {", ";");
    let statements = code.split(';').map(|statement| {
        let words: Vec<&str> = statement.split_whitespace().collect();
        words.join(" ")
    });
    let mut found: Vec<String> = statements.filter(|line| line.contains('(')).collect();
    found.sort();
    found
}

/// Names of the functions.
fn functions() -> Vec<String> {
    let mut names: Vec<String> = declarations()
        .iter()
        .filter(|line| !line.starts_with("typedef"))
        .map(|line| {
            let before = line.split('(').next().unwrap();
            before.split([' ', '*']).next_back().unwrap().to_owned()
        })
        .collect();
    names.sort();
    names
}

fn agrees_with_the_file(kind: &str, found: &str) {
    let path = folder().join(format!("tests/abi-{kind}.txt"));
    if std::env::var_os("STP_WRITE_ABI").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let missing: Vec<&str> = known.lines().filter(|line| !found.contains(line)).collect();
    assert!(
        known == found,
        "the binary interface differs from tests/abi-{kind}.txt; missing: {missing:?}. docs/c.md \
         explains the consequences for programs; STP_WRITE_ABI=1 writes the file."
    );
}

#[cfg(target_pointer_width = "64")]
#[test]
fn structs_and_constants_are_unchanged() {
    agrees_with_the_file("layout", &layout());
}

#[test]
fn header_declarations_are_unchanged() {
    agrees_with_the_file("declarations", &(declarations().join("\n") + "\n"));
}

/// Only the functions of the header are exported.
#[cfg(target_os = "linux")]
#[test]
fn the_shared_library_exports_exactly_the_header() {
    // Cargo writes the library to the directory of the test program.
    let program = std::env::current_exe().unwrap();
    let library = program.with_file_name("libslidingtilepdb.so");
    assert!(library.is_file(), "{} is missing", library.display());
    let listed = Command::new("nm")
        .args(["-D", "--defined-only", "--format=posix"])
        .arg(&library)
        .output()
        .expect("nm, of binutils, lists symbols");
    assert!(listed.status.success());
    let listed = String::from_utf8(listed.stdout).unwrap();
    let mut names: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    names.sort_unstable();
    assert_eq!(names, functions());
}
