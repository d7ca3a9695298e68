//! The modules of the service import each other in one direction.
#![allow(clippy::unwrap_used)]

use std::fs::{read_dir, read_to_string};
use std::path::Path;

#[test]
fn modules_import_only_modules_listed_before_them() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    // The list of modules in the comment is the order.
    let root = read_to_string(source.join("lib.rs")).unwrap();
    let rows = root.lines().filter_map(|line| line.strip_prefix("//! - "));
    let names = rows.filter_map(|row| row.split(": ").next());
    let names = names.flat_map(|names| names.split('`').skip(1).step_by(2));
    let order: Vec<&str> = names.collect();
    let declared = root.lines().filter_map(|line| line.strip_prefix("mod "));
    let mut sorted = order.clone();
    sorted.sort_unstable();
    let is_whole = declared.eq(sorted.iter().map(|name| format!("{name};")));
    assert!(is_whole, "src/lib.rs lists other modules: {order:?}");
    for (place, module) in order.iter().enumerate() {
        let code = code(&source.join(module));
        assert!(!code.contains("crate::{"), "{module}: one `use` per module");
        for higher in &order[place + 1..] {
            let path = format!("crate::{higher}");
            let mut found = code.split(&path).skip(1);
            assert!(
                found.all(|after| after.starts_with(is_in_name)),
                "{module} imports {higher}, which is after it in the list in src/lib.rs"
            );
        }
    }
}

/// The code of a module, a file or a directory, with `crate::` for paths from `super` to the root.
fn code(module: &Path) -> String {
    let read = |path: &Path, root: &str| -> String {
        let text = read_to_string(path).unwrap();
        let lines = text.lines().map(|line| line.split("//").next().unwrap());
        lines.map(|line| line.replace(root, "crate::")).collect()
    };
    let Ok(files) = read_dir(module) else {
        return read(&module.with_extension("rs"), "super::");
    };
    let paths = files.map(|file| file.unwrap().path());
    paths
        .map(|path| match path.ends_with("mod.rs") {
            true => read(&path, "super::"),
            false => read(&path, "super::super::"),
        })
        .collect()
}

fn is_in_name(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}
