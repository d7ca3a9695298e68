//! Tables: limits of time, memory and disk, and bundles for download.

use std::fs;
use std::path::Path;
use std::time::Duration;

use pdb_table::bundle::{BundleWriter, Manifest};
use pdb_table::{Cancel, Encoding, TableDirectory};
use puzzle::{Goal, HeuristicSpec};
use serde_json::{Value, json};

use super::client::{EASY, HARD, NEAR, Service};

/// Total bytes of all files.
fn bytes(directory: &Path) -> u64 {
    let files = fs::read_dir(directory).unwrap();
    files
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum()
}

/// A partition of 4x4 into three parts of five tiles, which begins with the tile `shift + 1`.
fn partition(shift: usize) -> String {
    let mut tiles: Vec<usize> = (1..16).collect();
    tiles.rotate_left(shift);
    let parts = tiles
        .chunks(5)
        .map(|part| part.iter().map(usize::to_string).collect::<Vec<_>>());
    parts
        .map(|part| part.join(","))
        .collect::<Vec<_>>()
        .join("/")
}

#[test]
fn tables_beyond_the_limits_are_not_built() {
    let service = Service::with(|config| {
        (config.max_tables, config.max_build_time) = (64, Duration::from_millis(1));
    });
    let ask = |partition: &str| {
        let body = json!({ "board": HARD, "partition": partition });
        service.post("/v1/solve", &body)
    };
    let detail = ask("7-8").problem(422, "memory");
    assert!(detail.starts_with("the tables of 7-8 need "), "{detail}");
    assert!(
        detail.ends_with(", maximum 64.00 MiB: choose smaller parts"),
        "{detail}"
    );
    let detail = ask("1,2,3,4,5,6/7,8,9,10,11,12/13,14,15").problem(422, "table");
    assert!(detail.contains(" are missing and may take "), "{detail}");
    assert!(detail.ends_with(": choose smaller parts"), "{detail}");
}

#[test]
fn explained_tables_stay_open() {
    let service = Service::new();
    let body = json!({ "board": EASY, "heuristics": ["manhattan", "5-3", "full:1,2,3/4,5,6,7,8"] });
    let first = service.post("/v1/explain", &body).ok();
    assert_eq!(first["heuristics"].as_array().unwrap().len(), 3);
    let held = service.metric("solver_server_tables_bytes");
    assert_eq!(service.post("/v1/explain", &body).ok(), first);
    assert_eq!(service.metric("solver_server_tables_bytes"), held);
}

#[test]
fn memory_and_disk_are_bounded() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_owned();
    let service = Service::with(|config| {
        (config.tables, config.max_disk, config.max_tables) = (Some(path), 2, 32);
        config.max_build_time = Duration::from_secs(60);
    });
    for shift in 0..8 {
        let body = json!({ "board": NEAR, "partition": partition(shift) });
        assert_eq!(service.post("/v1/solve", &body).ok()["length"], 2);
        let held = service.metric("solver_server_tables_bytes");
        assert!(held <= f64::from(32 << 20), "{held} bytes");
    }
    // The default tables of 3x3 are still stored on disk, and stay open.
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
    let listed = service.get("/v1/tables").ok();
    let solvers = listed["solvers"].as_array().unwrap();
    assert!(
        solvers.iter().any(|solver| solver["partition"] == "8"),
        "{listed}"
    );
}

#[test]
fn damaged_tables_are_rejected_without_their_path() {
    let directory = tempfile::tempdir().unwrap();
    let service = |path: &Path| {
        let path = path.to_owned();
        Service::with(|config| config.tables = Some(path))
    };
    let request = json!({ "board": EASY, "partition": "5-3" });
    let solver = {
        let service = service(directory.path());
        assert_eq!(service.post("/v1/solve", &request).ok()["length"], 31);
        let listed = service.get("/v1/tables").ok();
        let solvers = listed["solvers"].as_array().unwrap().iter();
        let mine = |solver: &&Value| solver["partition"] == "5-3";
        solvers.clone().find(mine).unwrap().clone()
    };
    assert_eq!(
        (&solver["goal"]["size"], &solver["metric"]),
        (&"3x3".into(), &"single".into())
    );
    let file = directory
        .path()
        .join(solver["tables"][0]["file"].as_str().unwrap());
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    let detail = service(directory.path())
        .post("/v1/solve", &request)
        .problem(500, "table");
    let shown = directory.path().to_string_lossy();
    assert!(
        !detail.contains(&*shown) && !detail.contains(".pdb"),
        "{detail}"
    );
}

#[test]
fn answers_explain_why_tables_are_not_the_default_ones() {
    let service = Service::with(|config| config.max_build_time = Duration::ZERO);
    for path in ["/v1/solve", "/v1/hint"] {
        let answer = service.post(path, &json!({ "board": EASY }));
        answer.ok();
        let why = answer.header("tables-reason").unwrap_or_default();
        let usual = "tables of 8 are missing and may take ";
        assert!(why.starts_with(usual), "{path}: {why}");
        assert!(
            why.ends_with(" to build: manhattan instead"),
            "{path}: {why}"
        );
    }
    // No reason is given if the request names the tables, or if its mode needs no tables.
    for asked in [
        json!({ "board": EASY, "partition": "manhattan" }),
        json!({ "board": EASY, "mode": "strategic" }),
    ] {
        let answer = service.post("/v1/solve", &asked);
        assert_eq!(answer.ok()["tables"], "manhattan");
        assert_eq!(answer.header("tables-reason"), None, "{asked}");
    }
}

#[test]
fn bundles_are_served() {
    let directory = tempfile::tempdir().unwrap();
    let tables = TableDirectory::new(directory.path().join("tables"));
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let spec = HeuristicSpec::parse("5-3", &goal).unwrap();
    let options = solver::OpenOptions::new(tables.path());
    let solver = solver::Solver::open(goal.clone(), spec, &options).unwrap();
    let bundles = directory.path().join("bundles");
    let out = bundles.join("small");
    let numbers = goal.board().numbers().to_vec();
    let manifest = Manifest::new("3x3".to_owned(), numbers, "pdb-gen pack".to_owned());
    let mut writer = BundleWriter::new(&out, manifest).unwrap();
    for id in solver.spec().tables() {
        let path = tables.file(id, Encoding::default_for(id.kind()), false);
        let table = tables.find(id).unwrap().unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        writer
            .add(&name, &table, None, &(), &Cancel::default())
            .unwrap();
    }
    writer.finish().unwrap();
    let service = Service::with(|config| config.bundles = Some(bundles));
    let listed = service.get("/v1/tables").ok()["bundles"][0].clone();
    let address = listed["manifest"].as_str().unwrap();
    assert_eq!(address, "/v1/bundles/small/manifest.json");
    let answer = service.get(address);
    assert_eq!(answer.header("cache-control"), Some("no-cache"));
    let manifest = Manifest::from_text(&answer.body).unwrap();
    let file = &manifest.tables[0].packed.file;
    let path = format!("/v1/bundles/small/{file}");
    let whole = service.get(&path);
    assert_eq!(whole.body, fs::read(out.join(file)).unwrap());
    let part = service.send("GET", &path, &[("Range", "bytes=-3")], b"");
    assert_eq!(
        (part.status, &*part.body),
        (206, &whole.body[whole.body.len() - 3..])
    );
    let etag = answer.header("etag").unwrap();
    let same = service.send("GET", address, &[("If-None-Match", etag)], b"");
    assert_eq!((same.status, same.body.len()), (304, 0));
    let none = service.send("GET", &path, &[("Range", "bytes=9999999-")], b"");
    assert_eq!(none.status, 416);
    for missing in ["small/other", "none/manifest.json", "small/..%2fx"] {
        service
            .get(&format!("/v1/bundles/{missing}"))
            .problem(404, "error");
    }
}
