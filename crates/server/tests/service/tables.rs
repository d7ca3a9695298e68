//! Tables: file formats, and limits of time, memory and disk on all routes.

use std::fs;
use std::path::Path;

use pdb_gen::{TableStore, estimate_seconds};
use pdb_table::{Compression, Control, Encoding, TableDirectory};
use puzzle::{Goal, HeuristicSpec};
use serde_json::{Value, json};
use solver::number_of_threads;

use super::client::{EASY, HARD, NEAR, Service};

const FIVE: &str = "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11";

/// Total bytes of all files.
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
        let body = json!({ "board": FIVE, "heuristics": names });
        let answer = service.post("/v1/explain", &body);
        assert_eq!(answer.status, 422, "{}", answer.text());
        let code = answer.json()["code"].clone();
        assert!(code == "table" || code == "memory", "{code}");
    }
    let body = json!({ "board": EASY, "heuristics": ["manhattan", "5-3", "full:1,2,3/4,5,6,7,8"] });
    let first = service.post("/v1/explain", &body).ok();
    assert_eq!(first["heuristics"].as_array().unwrap().len(), 3);
    // The tables stay open, and the next request uses them.
    let held = service.metric("solver_server_tables_bytes");
    assert_eq!(service.post("/v1/explain", &body).ok(), first);
    assert_eq!(service.metric("solver_server_tables_bytes"), held);
}

#[test]
fn tables_of_every_file_format_are_found() {
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
        // The time limit is too short for any build.
        let service = Service::with(|config| {
            (config.tables, config.max_build_time) = (Some(path), 0.001);
        });
        let body = json!({ "board": NEAR, "partition": name });
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
        let body = json!({ "board": NEAR, "partition": parts.join("/") });
        assert_eq!(service.post("/v1/solve", &body).ok()["length"], 2);
    }
    // The default tables of 3x3 are still stored on disk.
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
fn errors_contain_no_path() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_owned();
    {
        let path = path.clone();
        let service = Service::with(|config| config.tables = Some(path));
        service.post("/v1/solve", &json!({ "board": EASY })).ok();
    }
    for file in fs::read_dir(&path).unwrap() {
        let file = file.unwrap().path();
        // Build locks are empty files.
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

#[test]
fn answers_explain_why_tables_are_not_the_default_ones() {
    let service = Service::with(|config| config.max_build_time = 1e-9);
    let requests = [
        ("/v1/solve", json!({ "board": EASY })),
        ("/v1/hint", json!({ "board": EASY })),
        ("/v1/rate", json!({ "board": EASY, "moves": "" })),
        ("/v1/probe", json!({ "board": EASY })),
        ("/v1/explain", json!({ "board": EASY })),
    ];
    for (path, body) in &requests {
        let answer = service.post(path, body);
        answer.ok();
        let why = answer.header("tables-reason").unwrap_or_default();
        let usual = "tables of 8 are missing and take about ";
        assert!(why.starts_with(usual), "{path}: {why}");
        assert!(
            why.ends_with(" to build: manhattan instead"),
            "{path}: {why}"
        );
    }
    let solvers = |service: &Service| service.get("/v1/tables").ok()["solvers"].clone();
    let of_size = |solver: &&Value| solver["size"] == "3x3";
    let listed = solvers(&service);
    let listed = listed.as_array().unwrap().iter().find(of_size).unwrap();
    let why = service.post("/v1/solve", &json!({ "board": EASY }));
    assert_eq!(listed["reason"].as_str(), why.header("tables-reason"));
    // No reason is given if the request names the tables, or if its mode needs no tables.
    for asked in [
        json!({ "board": EASY, "partition": "manhattan" }),
        json!({ "board": EASY, "mode": "strategic" }),
    ] {
        let answer = service.post("/v1/solve", &asked);
        assert_eq!(answer.ok()["tables"], "manhattan");
        assert_eq!(answer.header("tables-reason"), None, "{asked}");
    }
    let service = Service::new();
    let answer = service.post("/v1/solve", &json!({ "board": EASY }));
    assert_eq!(answer.ok()["tables"], "8");
    assert_eq!(answer.header("tables-reason"), None);
    let listed = solvers(&service);
    assert!(
        listed
            .as_array()
            .unwrap()
            .iter()
            .all(|solver| solver.get("reason").is_none())
    );
}

#[test]
fn table_problems_name_the_need_and_the_limit() {
    let service = Service::with(|config| {
        (config.max_tables, config.max_build_time) = (64, 0.001);
    });
    let ask = |partition: &str| {
        let body = json!({ "board": HARD, "partition": partition });
        service.post("/v1/solve", &body)
    };
    let detail = ask("7-8").problem(422, "memory");
    assert!(detail.starts_with("the tables of 7-8 need "), "{detail}");
    let most = ", maximum 64.00 MiB: choose smaller parts";
    assert!(detail.ends_with(most), "{detail}");
    let detail = ask("1,2,3,4,5,6/7,8,9,10,11,12/13,14,15").problem(422, "table");
    let name = "tables of 1,2,3,4,5,6/7,8,9,10,11,12/13,14,15 are missing and take about ";
    assert!(detail.starts_with(name), "{detail}");
    let most = " s to build, maximum 0.001 s: choose smaller parts";
    assert!(detail.ends_with(most), "{detail}");
}

#[test]
fn open_tables_need_no_build_time() {
    let goal = Goal::parse("blank-last", "4x4".parse().ok()).unwrap();
    let seconds = |name: &str| -> f64 {
        let tables = HeuristicSpec::parse(name, &goal).unwrap().tables();
        let seconds = |id| estimate_seconds(id, number_of_threads(0));
        tables.into_iter().map(seconds).sum()
    };
    let whole = "1,3,6,8,11/2,4,5,9,15/7,10,12,13,14";
    let first = "1,3,6,8,11/2/4/5/9/15/7/10/12/13/14";
    let limit = 0.95 * seconds(whole);
    assert!(seconds(first) < limit);
    // The tables exist only in memory.
    let service = Service::with(|config| config.max_build_time = limit);
    let ask = |partition: &str| {
        let body = json!({ "board": NEAR, "partition": partition });
        service.post("/v1/solve", &body)
    };
    ask(whole).problem(422, "table");
    assert_eq!(ask(first).ok()["length"], 2);
    assert_eq!(ask(whole).ok()["length"], 2);
}
