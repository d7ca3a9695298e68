//! The plots of a comparison.

use cli::Failure;
use lab::Record;
use lab::compare::Group;

pub(crate) fn all(_groups: &[(Group, Vec<&Record>)]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    Ok(Vec::new())
}
