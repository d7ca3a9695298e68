//! Threads that help a call, and how work is shared out between them.

pub(crate) mod ordered_map;
pub(crate) mod permits;
pub(crate) mod scope;
pub(crate) mod tasks;
