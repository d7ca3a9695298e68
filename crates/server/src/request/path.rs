//! Variable parts of a request's path.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

#[derive(Clone, Debug)]
pub(crate) struct InPath<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InPath<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(found)) => Ok(InPath(found)),
            Err(_) => Err(Problem::unreadable("the address is not UTF-8 text")),
        }
    }
}
