//! The README shows the program that is compiled as an example.

#[test]
fn the_readme_has_the_example() {
    let readme = std::fs::read_to_string("../../README.md").unwrap();
    let example = include_str!("../../examples/readme.rs");
    let (_, program) = example.split_once("\n\n").unwrap();
    assert!(readme.contains(&format!("```rust\n{program}```\n")));
}
