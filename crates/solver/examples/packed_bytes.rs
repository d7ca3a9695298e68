//! Solves a board with tables unpacked from bytes, for example from a server or embedded in the
//! program: `cargo run --release --example packed_bytes`.

#![allow(clippy::print_stdout)]

use std::collections::HashMap;

use pdb_gen::build;
use pdb_table::{Encoding, Packed, pack};
use puzzle::{Board, Goal, HeuristicSpec};
use solver::{Cancel, Control, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
    let goal = Goal::blank_last(board.tray());
    let spec = HeuristicSpec::parse("5-3", &goal)?;
    let cancel = Cancel::default();
    let mut shipped = HashMap::new();
    for id in spec.tables() {
        let table = build(id, Encoding::default_for(id.kind()), &Control::default())?;
        shipped.insert(id.name(), pack(&table.into_table(), None, &(), &cancel)?);
    }
    let solver = Solver::with_tables(goal, spec, |id| {
        let bytes = &shipped[&id.name()];
        println!("{}: {} bytes", id.name(), bytes.len());
        // Verifies every byte against the checksums in the packed file.
        let table = Packed::new(bytes, bytes.len() as u64)?.unpack(bytes, &(), &cancel)?;
        Ok::<_, Box<dyn std::error::Error>>(table)
    })?;
    println!("{}", solver.solve(&board)?);
    Ok(())
}
