//! Colours of heuristics and markers of searches, the same in every comparison.

/// Heuristics in the order of their colours. Other heuristics get the next free colour.
pub(super) const HEURISTICS: [&str; 7] = [
    "zero",
    "misplaced",
    "manhattan",
    "linear-conflict",
    "inversion-distance",
    "walking-distance",
    "none",
];

/// Searches in the order of their markers.
pub(super) const SEARCHES: [&str; 7] = [
    "astar",
    "ida-star",
    "breadth-first",
    "bidirectional",
    "greedy",
    "weighted-astar:1.5",
    "uniform-cost",
];

/// An index below `count` for each name. A name that `order` contains has its position in `order`
/// as its index, and therefore the same colour or marker in every comparison. Names share an index
/// only if there are more than `count` names.
pub(super) fn places<'a>(names: &[&'a str], order: &[&str], count: usize) -> Vec<(&'a str, usize)> {
    let place = |name: &str| order.iter().position(|own| *own == name);
    let known = names.iter().filter(|name| place(name).is_some());
    let others = names.iter().filter(|name| place(name).is_none());
    let mut found: Vec<(&str, usize)> = Vec::new();
    for &name in known.chain(others) {
        let mut number = place(name).unwrap_or(order.len()) % count;
        let uses = |number| found.iter().filter(|own| own.1 == number).count();
        for _ in 0..count {
            if uses(number) <= found.len() / count {
                break;
            }
            number = (number + 1) % count;
        }
        found.push((name, number));
    }
    found
}

pub(super) fn place_in(places: &[(&str, usize)], name: &str) -> usize {
    let found = places.iter().find(|own| own.0 == name);
    found.map_or(0, |own| own.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::PALETTE;

    #[test]
    fn heuristics_have_the_same_colour_in_every_comparison() {
        let colours = |names: &[&'static str]| places(names, &HEURISTICS, PALETTE.len());
        let all = colours(&["5-3", "zero", "manhattan", "misplaced", "4-4"]);
        for (name, colour) in colours(&["manhattan", "5-3", "zero"]) {
            assert_eq!(place_in(&all, name), colour, "{name}");
        }
        let mut numbers: Vec<usize> = all.iter().map(|own| own.1).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 5);
        let many: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for colour in 0..PALETTE.len() {
            let shared = places(&many, &[], PALETTE.len());
            assert!((2..=3).contains(&shared.iter().filter(|own| own.1 == colour).count()));
        }
    }
}
