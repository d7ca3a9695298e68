//! The page at `/`.

use super::client::Service;

#[test]
fn without_a_page_links_are_served() {
    let service = Service::new();
    let page = service.get("/");
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert!(page.text().contains("/openapi.json"));
    // The page shows the address that the browser used, and no text that could inject HTML.
    assert!(
        page.text().contains(">http://test</span>/v1/solve"),
        "{}",
        page.text()
    );
    let mut connection = service.connect();
    connection.write(b"GET / HTTP/1.1\r\nHost: <b>\r\n\r\n");
    assert!(connection.answer().text().contains(">http://localhost<"));
}

#[test]
fn the_page_has_the_headers_for_threads() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("index.html", "<title>page");
    write("assets/code-1a2b.js", "long code");
    write("assets/code-1a2b.js.br", "code");
    write(".secret", "hidden");
    let path = directory.path().to_owned();
    let service = Service::with(|config| config.page = Some(path));
    let page = service.get("/");
    assert_eq!(page.text(), "<title>page");
    assert_eq!(
        page.header("cross-origin-opener-policy"),
        Some("same-origin")
    );
    assert_eq!(
        page.header("cross-origin-embedder-policy"),
        Some("require-corp")
    );
    let code = "/assets/code-1a2b.js";
    let plain = service.get(code);
    assert_eq!(
        (plain.text(), plain.header("content-encoding")),
        ("long code".to_owned(), None)
    );
    let headers = [("Accept-Encoding", "gzip, br")];
    let small = service.send("GET", code, &headers, b"");
    assert_eq!(
        (&*small.text(), small.header("content-encoding")),
        ("code", Some("br"))
    );
    assert_eq!(small.header("vary"), Some("accept-encoding"));
    assert!(small.header("cache-control").unwrap().contains("immutable"));
    for missing in [
        "/.secret",
        "/assets",
        "/other.html",
        "/..%2fpage.rs",
        "//",
        "/assets/%ff",
    ] {
        let answer = service.get(missing);
        assert!(matches!(answer.status, 400 | 404), "{missing}: {answer:?}");
    }
}
