//! The worked example of docs/ranking.md.

use puzzle::{Cell, CellSet, Ranking, TableKind, Tray};

#[test]
fn the_worked_example_of_the_documentation_holds() {
    let tray = Tray::new(3, 3).unwrap();
    let ranking = Ranking::new(tray, 3, TableKind::ZeroAware);
    let set = |cells: &[usize]| -> CellSet { cells.iter().map(|&c| Cell::new(c)).collect() };
    let shape = set(&[1, 4, 7]);
    assert_eq!(shape.bits(), 146);
    assert_eq!(ranking.shape_index(shape), 42);
    assert_eq!(ranking.shape_rows(42), 63..65);
    assert_eq!(ranking.row_shape(63), (shape, set(&[0, 3, 6])));
    assert_eq!(ranking.row_shape(64), (shape, set(&[2, 5, 8])));
    // Tile 4 on cell 1, tile 1 on cell 4, tile 3 on cell 7, blank on cell 3.
    let place = |tile: Cell| Cell::new([9, 4, 9, 7, 1][tile.index()]);
    let (row, rank) = ranking.locate(set(&[1, 3, 4]), Cell::new(3), place);
    assert_eq!((row, rank), (63, 4));
    assert_eq!(row * ranking.row_entries() + rank as usize, 382);
}
