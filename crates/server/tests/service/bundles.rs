//! Download of packed tables.

use pdb_table::bundle::{BundleWriter, Manifest};
use pdb_table::{Cancel, Encoding, Packed, TableDirectory, hex};
use puzzle::{Goal, HeuristicSpec};
use sha2::{Digest as _, Sha256};

use super::client::{Answer, Service};

#[test]
fn the_default_tables_are_packed() {
    let service = Service::new();
    let answer = service.get("/v1/bundles/6-6-3/manifest.json");
    assert_eq!(answer.header("cache-control"), Some("no-cache"));
    let version = &hex(&Sha256::digest(&answer.body))[..16];
    let manifest = Manifest::from_text(&answer.body, false).unwrap();
    assert_eq!((manifest.parts.len(), manifest.tables.len()), (3, 3));
    for table in &manifest.tables {
        let file = service.get(&format!(
            "/v1/bundles/6-6-3/{version}/{}",
            table.packed.file
        ));
        assert_eq!(hex(&Sha256::digest(&file.body)), table.packed.sha256);
        let control = file.header("cache-control").unwrap();
        assert!(control.contains("immutable"), "{control}");
        assert_eq!(
            file.header("etag").unwrap(),
            format!("\"{}\"", table.packed.sha256)
        );
        let packed = Packed::new(&file.body, file.body.len() as u64).unwrap();
        let unpacked = packed.unpack(&file.body, &(), &Cancel::default()).unwrap();
        assert_eq!(hex(&Sha256::digest(unpacked.bytes())), table.table.sha256);
    }
    let link = answer.header("link").unwrap();
    assert!(
        link.contains(&format!("/v1/bundles/6-6-3/{version}/manifest.json")),
        "{link}"
    );
    for missing in [
        "6-6-3/other",
        "7-8/manifest.json",
        "6-6-3/0000000000000000/manifest.json",
    ] {
        service
            .get(&format!("/v1/bundles/{missing}"))
            .problem(404, "error");
    }
}

#[test]
fn files_have_ranges_and_caching() {
    let service = Service::new();
    let path = "/v1/bundles/6-6-3/manifest.json";
    let whole = service.get(path);
    let (body, length) = (&whole.body, whole.body.len());
    let etag = whole.header("etag").unwrap();
    let fetch = |headers: &[(&str, &str)]| service.send("GET", path, headers, b"");
    let range = |answer: &Answer| answer.header("content-range").map(str::to_owned);
    let part = fetch(&[("Range", "bytes=10-19")]);
    assert_eq!((part.status, &part.body[..]), (206, &body[10..20]));
    assert_eq!(range(&part), Some(format!("bytes 10-19/{length}")));
    let part = fetch(&[("Range", "bytes=-5"), ("If-Range", etag)]);
    assert_eq!((part.status, &part.body[..]), (206, &body[length - 5..]));
    let other = fetch(&[("Range", "bytes=-5"), ("If-Range", "\"other\"")]);
    assert_eq!((other.status, &other.body), (200, body));
    let none = fetch(&[("Range", "bytes=9999999-")]);
    none.problem(416, "error");
    assert_eq!(range(&none), Some(format!("bytes */{length}")));
    for tags in [etag, "*", &format!("\"a\", W/{etag}")] {
        let same = fetch(&[("If-None-Match", tags)]);
        assert_eq!((same.status, same.body.len()), (304, 0));
        assert_eq!(same.header("etag"), Some(etag));
    }
    assert_eq!(fetch(&[("If-None-Match", "\"other\"")]).status, 200);
    let mut connection = service.connect();
    connection.send("HEAD", path, &[], b"");
    let head = connection.head();
    assert_eq!(head.header("content-length"), Some(&*length.to_string()));
    // The answer has no body.
    connection.send("GET", "/healthz", &[], b"");
    assert_eq!(connection.answer().ok()["status"], "ok");
}

#[test]
fn bundles_of_a_directory_are_served_and_checked() {
    let directory = tempfile::tempdir().unwrap();
    let tables = TableDirectory::new(directory.path().join("tables"));
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let spec = HeuristicSpec::parse("5-3", &goal).unwrap();
    let options = solver::OpenOptions::new(tables.path());
    let solver = solver::Solver::open(goal.clone(), spec, &options).unwrap();
    let out = directory.path().join("bundles").join("small");
    let numbers = goal.board().numbers().to_vec();
    let manifest = Manifest::new("3x3".to_owned(), numbers, "pdb-gen pack".to_owned());
    let mut writer = BundleWriter::new(&out, false, manifest).unwrap();
    for id in solver.spec().tables() {
        let path = tables.file(id, Encoding::default_for(id.kind()), false);
        let table = tables.find(id).unwrap().unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        writer
            .add(&name, &table, None, &(), &Cancel::default())
            .unwrap();
    }
    writer.finish().unwrap();
    let bundles = directory.path().join("bundles");
    let packed = {
        let bundles = bundles.clone();
        let service = Service::with(|config| config.bundles = Some(bundles));
        let listed = service.get("/v1/tables").ok();
        assert_eq!(
            listed["bundles"][0]["manifest"],
            "/v1/bundles/small/manifest.json"
        );
        let answer = service.get("/v1/bundles/small/manifest.json");
        let manifest = Manifest::from_text(&answer.body, false).unwrap();
        let packed = &manifest.tables[0].packed;
        let path = format!("/v1/bundles/small/{}", packed.file);
        assert_eq!(
            service.get(&path).body,
            std::fs::read(out.join(&packed.file)).unwrap()
        );
        let last = service.send("GET", &path, &[("Range", "bytes=-3")], b"");
        assert_eq!((last.status, last.body.len()), (206, 3));
        service
            .get("/v1/bundles/small/..%2fmanifest.json")
            .problem(404, "error");
        packed.file.clone()
    };
    let mut bytes = std::fs::read(out.join(&packed)).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(out.join(&packed), bytes).unwrap();
    let mut config = server::Config::default();
    (config.bundles, config.listen) = (Some(bundles), "127.0.0.1:0".parse().unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let refused = runtime
        .unwrap()
        .block_on(server::Server::bind(config))
        .unwrap_err();
    assert!(
        refused.contains(&packed) && refused.contains("damaged"),
        "{refused}"
    );
}
