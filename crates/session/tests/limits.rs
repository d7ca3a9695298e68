//! Limits of a session's tables.
#![allow(clippy::unwrap_used)]

use serde_json::json;
use session::{Control, Request, Session, Spelling};

#[test]
fn open_tables_stay_within_the_limit() {
    const MOST: u64 = 1 << 20;
    let mut session = Session::default();
    (session.limits.open_memory, session.limits.solvers) = (MOST, 64);
    let open = |size: &str, partition: Option<&str>| {
        let request = json!({ "ask": "open", "size": size, "partition": partition });
        let request = request.as_object().unwrap().clone();
        let request = Request::from_object(request, Spelling::Snake).unwrap();
        session.call(&request, &Control::default()).unwrap();
        session.open_bytes()
    };
    open("3x3", None);
    let mut largest = 0;
    for shift in 0..8 {
        let mut tiles: Vec<String> = (1..16).map(|tile| tile.to_string()).collect();
        tiles.rotate_left(shift);
        let parts: Vec<String> = tiles.chunks(5).map(|part| part.join(",")).collect();
        largest = largest.max(open("4x4", Some(&parts.join("/"))));
    }
    assert!((MOST / 2..=MOST).contains(&largest), "{largest} bytes");
    // The small tables that a caller did not name are still open.
    let open = session.open_tables();
    assert_eq!(open.last().unwrap().partition, "8");
}
