//! Checks that docs/rust.md contains the example program.

#[test]
fn the_guide_has_the_example() {
    let guide = std::fs::read_to_string("../../docs/rust.md").unwrap();
    let example = include_str!("../../examples/readme.rs");
    let (_, program) = example.split_once("\n\n").unwrap();
    assert!(guide.contains(&format!("```rust\n{program}```\n")));
}
