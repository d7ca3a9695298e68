//! Tables in memory that several solvers share.

use std::fmt;
use std::sync::Arc;

use crate::table::Table;

/// The bytes of a table in any storage. Clones share the bytes.
#[derive(Clone)]
pub struct SharedBytes(Arc<dyn AsRef<[u8]> + Send + Sync>);

/// A table whose clones share its bytes.
pub type SharedTable = Table<SharedBytes>;

impl AsRef<[u8]> for SharedBytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.as_ref().len();
        f.debug_struct("SharedBytes")
            .field("length", &length)
            .finish()
    }
}

impl<D: AsRef<[u8]> + Send + Sync + 'static> Table<D> {
    /// The same table with shared bytes.
    #[must_use]
    pub fn shared(self) -> SharedTable {
        self.map_data(|bytes| SharedBytes(Arc::new(bytes)))
    }
}
