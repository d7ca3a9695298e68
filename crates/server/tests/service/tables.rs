//! Tables: found in every form, bounded in time, memory and disk, whichever route asks.

use std::fs;
use std::path::Path;
use std::time::Instant;

use pdb_gen::TableStore;
use pdb_table::{Compression, Control, Encoding, TableDirectory};
use puzzle::{Goal, HeuristicSpec};
use serde_json::json;

use super::client::{EASY, Service};

const FIVE: &str = "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11";

/// Bytes of all files.
fn bytes(directory: &Path) -> u64 {
    let files = fs::read_dir(directory).unwrap();
    files
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum()
}

#[test]
fn explained_heuristics_keep_to_the_limits_of_tables() {
    let service = Service::with(|config| {
        (config.max_tables, config.max_build_time) = (64, 0.5);
    });
    let large = [
        "1,2,3,4,5,6/7,8,9,10,11,12/13,14,15,16,17,18/19,20,21,22,23,24",
        "1,6,11,16,21,2/7,12,17,22,3,8/13,18,23,4,9,14/19,24,5,10,15,20",
    ];
    for names in [&large[..], &large[..1]] {
        let begun = Instant::now();
        let body = json!({ "board": FIVE, "heuristics": names });
        let answer = service.post("/v1/explain", &body);
        assert_eq!(answer.status, 422, "{}", answer.text());
        let code = answer.json()["code"].clone();
        assert!(code == "table" || code == "memory", "{code}");
        assert!(begun.elapsed().as_secs_f64() < 5.0);
    }
    let body = json!({ "board": EASY, "heuristics": ["manhattan", "5-3", "full:1,2,3/4,5,6,7,8"] });
    let first = service.post("/v1/explain", &body).ok();
    assert_eq!(first["heuristics"].as_array().unwrap().len(), 3);
    // They are kept, and found the next time.
    let held = service.metric("solver_server_tables_bytes");
    assert_eq!(service.post("/v1/explain", &body).ok(), first);
    assert_eq!(service.metric("solver_server_tables_bytes"), held);
}

#[test]
fn tables_of_every_form_are_found() {
    let goal = Goal::parse("blank-last", "4x4".parse().ok()).unwrap();
    let name = "1,2,3,4,5/6,7,8,9,10/11,12,13,14,15";
    let spec = HeuristicSpec::parse(name, &goal).unwrap();
    let forms = [
        (Encoding::OneBit, Compression::Zstd(3)),
        (Encoding::U8, Compression::None),
    ];
    for (encoding, compression) in forms {
        let directory = tempfile::tempdir().unwrap();
        let store = TableStore {
            encoding: Some(encoding),
            compression,
            ..TableStore::new(TableDirectory::new(directory.path()))
        };
        for id in spec.tables() {
            store.ensure(id, false, &Control::default()).unwrap();
        }
        let before = bytes(directory.path());
        let path = directory.path().to_owned();
        // No time to build any.
        let service = Service::with(|config| {
            (config.tables, config.max_build_time) = (Some(path), 0.001);
        });
        let near = "1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15";
        let body = json!({ "board": near, "partition": name });
        assert_eq!(service.post("/v1/solve", &body).ok()["length"], 2);
        assert_eq!(bytes(directory.path()), before);
    }
}

#[test]
fn disk_is_bounded() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_owned();
    let service = Service::with(|config| {
        (config.tables, config.max_disk) = (Some(path), 2);
    });
    let near = "1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15";
    for shift in 0..12 {
        let mut tiles: Vec<usize> = (1..16).collect();
        tiles.rotate_left(shift);
        let part = |tiles: &[usize]| {
            tiles
                .iter()
                .map(usize::to_string)
                .collect::<Vec<_>>()
                .join(",")
        };
        let parts: Vec<String> = tiles.chunks(5).map(part).collect();
        let body = json!({ "board": near, "partition": parts.join("/") });
        assert_eq!(service.post("/v1/solve", &body).ok()["length"], 2);
    }
    // The default tables of 3x3 have room still.
    let body = json!({ "board": EASY });
    assert_eq!(service.post("/v1/solve", &body).ok()["length"], 31);
    let taken = bytes(directory.path());
    assert!(taken <= 2 << 20, "{taken} bytes");
    let names = fs::read_dir(directory.path()).unwrap();
    let mut names = names.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(
        names.any(|name| name.contains("3x3")),
        "the default tables are kept"
    );
}

#[test]
fn errors_name_no_path() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_owned();
    {
        let path = path.clone();
        let service = Service::with(|config| config.tables = Some(path));
        service.post("/v1/solve", &json!({ "board": EASY })).ok();
    }
    for file in fs::read_dir(&path).unwrap() {
        let file = file.unwrap().path();
        // Locks of builds are empty files.
        if file.extension().is_none_or(|extension| extension != "pdb") {
            continue;
        }
        let mut bytes = fs::read(&file).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&file, bytes).unwrap();
    }
    let service = Service::with(|config| config.tables = Some(path));
    let answer = service.post("/v1/solve", &json!({ "board": EASY }));
    let detail = answer.problem(500, "table");
    let shown = directory.path().to_string_lossy();
    assert!(
        !detail.contains(&*shown) && !detail.contains(".pdb"),
        "{detail}"
    );
}
