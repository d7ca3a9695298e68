//! `GET /v1/tables`.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use solver::SharedTable;
use utoipa::ToSchema;

use super::problems::AnyProblem;
use super::response::{json, json_text};
use crate::app::SharedApp;
use crate::bundles::file_name;
use crate::solvers::OpenSolver;

/// Open tables, and tables for download.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tables {
    /// The open solvers, most recently used first. Other solvers are opened on demand.
    solvers: Vec<SolverObject>,
    /// Packed tables for download.
    bundles: Vec<BundleObject>,
}

/// A solver.
#[derive(Serialize, ToSchema)]
#[schema(as = Solver)]
struct SolverObject {
    /// Columns x rows.
    size: String,
    /// The goal.
    goal: String,
    /// Definition of a move.
    metric: String,
    /// Name of the partition.
    partition: String,
    /// Reason for tables other than the default ones; only for requests without a partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The tables of the solver.
    tables: Vec<TableObject>,
}

/// A table.
#[derive(Serialize, ToSchema)]
#[schema(as = Table)]
struct TableObject {
    /// Name of the file.
    file: String,
    /// The patterns that use the table. Each pattern is an array of the numbers on its tiles.
    serves: Vec<Vec<u16>>,
    /// Kind of the table.
    kind: &'static str,
    /// Encoding of the entries.
    encoding: &'static str,
    /// Number of entries.
    entries: u64,
    /// Size of the file in bytes.
    bytes: usize,
    /// The largest value.
    max: u8,
}

/// A bundle.
#[derive(Serialize, ToSchema)]
#[schema(as = Bundle)]
struct BundleObject {
    /// Name of the bundle.
    name: String,
    /// Address of the manifest of the current version.
    manifest: String,
}

/// Lists the open tables and the packed tables.
#[utoipa::path(
    get,
    path = "/v1/tables",
    tag = "tables",
    responses((status = 200, description = "Solvers and bundles", body = Tables), AnyProblem)
)]
pub(crate) async fn tables(State(app): SharedApp) -> Response {
    let bundles = app.bundles.names().into_iter().map(|name| BundleObject {
        manifest: format!("/v1/bundles/{name}/manifest.json"),
        name,
    });
    let solvers = app.solvers.all();
    json(json_text(&Tables {
        solvers: solvers.iter().map(|solver| describe(solver)).collect(),
        bundles: bundles.collect(),
    }))
}

fn describe(opened: &OpenSolver) -> SolverObject {
    let goal = opened.solver.goal();
    let patterns: Vec<_> = opened.solver.spec().patterns().collect();
    let table = |table: &SharedTable| {
        let header = table.header();
        let of_table = patterns
            .iter()
            .filter(|(pattern, kind)| pattern.table(*kind).0 == table.id());
        let numbers = |cells: puzzle::CellSet| cells.iter().map(|cell| goal.number_at(cell));
        TableObject {
            file: file_name(header.id, header.encoding),
            serves: of_table
                .map(|(pattern, _)| numbers(pattern.tiles()).collect())
                .collect(),
            kind: header.id.kind().name(),
            encoding: header.encoding.name(),
            entries: header.entries,
            bytes: table.bytes().len(),
            max: header.histogram.max(),
        }
    };
    SolverObject {
        size: goal.tray().to_string(),
        goal: goal.to_string(),
        metric: opened.solver.metric().to_string(),
        partition: opened.solver.spec().name().to_owned(),
        reason: opened.reason.clone(),
        tables: opened.tables.iter().map(table).collect(),
    }
}
