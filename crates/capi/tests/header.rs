//! The header matches the crate, and the binary interface of compiled programs is unchanged.

#![allow(clippy::unwrap_used)]

use std::path::Path;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The header generated from the crate.
fn generated() -> String {
    let folder = Path::new(FOLDER);
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    // The modules are in the order of the header.
    for module in [
        "version", "error", "input", "call", "session", "report", "solver", "list",
    ] {
        builder = builder.with_src(folder.join(format!("src/{module}.rs")));
    }
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_header_matches_the_crate() {
    let path = Path::new(FOLDER).join("include/slidingtilepdb.h");
    let generated = generated();
    if std::env::var_os("STP_WRITE_HEADER").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "include/slidingtilepdb.h is out of date: run scripts/build/c.sh --header, and see docs/c.md \
         whether the change breaks programs"
    );
}
