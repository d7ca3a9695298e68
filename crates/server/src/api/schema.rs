//! Names of the contract's objects in the OpenAPI description. Their schemas come from the crate
//! `session` ([`openapi`](super::openapi)).

#![allow(dead_code, reason = "these types only name schemas")]

use utoipa::ToSchema;

/// Declares names of schemas.
macro_rules! names {
    ($($name:ident as $schema:ident),+ $(,)?) => {$(
        #[derive(ToSchema)]
        #[schema(as = $schema)]
        pub(crate) struct $name(());
    )+};
}

names! {
    SolveRequest as SolveRequest, HintRequest as HintRequest, RateRequest as RateRequest,
    ProbeRequest as ProbeRequest, ExplainRequest as ExplainRequest,
    ScrambleRequest as ScrambleRequest, ReportObject as Report, HintOrReport as HintOrReport,
    RatingOrReport as RatingOrReport, ProbeOrReport as ProbeOrReport,
    ExplanationsOrReport as ExplanationsOrReport, RandomBoard as Scrambled,
}

/// An event of a stream.
#[derive(ToSchema)]
#[schema(as = StreamEvent)]
pub(crate) struct EventObject {
    /// Kind of event: `search` (the id of the search), `improved` (a better solution), `progress`,
    /// `report` (the final answer) or `problem` (the error that ended the search).
    event: String,
    /// JSON object: a report, a problem, the id of the search, or the progress.
    data: String,
}
