//! Traits of the public types: `FromStr` reads the output of `Display`.

use std::collections::HashSet;
use std::error::Error;

use puzzle::{Board, Cell, Direction, Goal, HeuristicSpec, Metric, Notation, Tray, Unsolvable};

#[test]
fn texts_read_back() {
    for text in ["1 2 3/4 5 6/7 8 0", "3 0/2 1", "1/2/0"] {
        let board: Board = text.parse().unwrap();
        assert_eq!(board.to_string(), text);
        let goal: Goal = text.parse().unwrap();
        assert_eq!((goal.to_string(), goal.board()), (text.to_owned(), &board));
    }
    for direction in Direction::ALL {
        assert_eq!(direction.to_string().parse(), Ok(direction));
    }
    for wrong in ["", "X", "UU"] {
        assert!(wrong.parse::<Direction>().is_err());
    }
    for notation in Notation::ALL {
        assert_eq!(notation.to_string().parse(), Ok(notation));
    }
    assert!("other".parse::<Notation>().is_err());
}

#[test]
fn goals_have_names_and_hashes() {
    let tray: Tray = "4x4".parse().unwrap();
    let goals: HashSet<Goal> = ["blank-last", "blank-first", " blank-last "]
        .map(|text| text.parse().unwrap())
        .into();
    assert_eq!(
        goals,
        HashSet::from([Goal::blank_last(tray), Goal::blank_first(tray)])
    );
    let middle = Goal::with_blank("3x3".parse().unwrap(), Cell::new(4));
    assert_eq!(middle.to_string(), "1 2 3/4 0 5/6 7 8");
}

#[test]
fn heuristics_are_shown_by_goal_cells() {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let shown = |metric, text| {
        let builder = HeuristicSpec::builder(&goal).metric(metric);
        builder.parse(text).unwrap().to_string()
    };
    assert_eq!(
        shown(Metric::Single, "1,2,3/4,5,6/7,8+fringe"),
        "zero-aware 0.1.2/3.4.5/6.7 + full 0.1.2.3.6"
    );
    assert_eq!(shown(Metric::Single, "manhattan"), "manhattan");
    assert_eq!(shown(Metric::Multi, "lines"), "lines");
}

#[test]
fn unsolvable_is_an_error() {
    let goal = Goal::blank_last("2x2".parse().unwrap());
    let board = "2 1/3 0".parse().unwrap();
    let check = || -> Result<(), Box<dyn Error>> {
        goal.state(&board).ok_or("size")?.check_solvable()?;
        Ok(())
    };
    let error = check().unwrap_err();
    assert!(error.is::<Unsolvable>());
    assert!(error.to_string().starts_with("unsolvable: the arrangement"));
    let state = goal.state(&"2 1/0 3".parse().unwrap()).unwrap();
    let message = state.check_solvable().unwrap_err().to_string();
    assert!(message.contains("the blank is 1 move from"), "{message}");
}

#[cfg(feature = "serde")]
#[test]
fn serde_keeps_the_names() {
    use puzzle::{Symmetry, TableKind};
    use serde_json::{from_value, json, to_value};

    macro_rules! check {
        ($($type:ident),*) => {$(
            for value in $type::ALL {
                assert_eq!(to_value(value).unwrap(), json!(value.name()));
                assert_eq!(from_value::<$type>(json!(value.name())).unwrap(), value);
            }
        )*};
    }
    check!(Metric, TableKind, Symmetry);
}
