//! State of a process's working thread.

use std::time::Duration;

use pdb_gen::PartSweep;
use pdb_table::{Header, Histogram};

use crate::cluster::Cluster;
use crate::job::Job;
use crate::net::Net;

/// A process of a build: its connection to the working threads of the other processes, the state
/// shared by its threads, and the job.
pub(crate) struct Peer<'a> {
    pub(crate) net: Net<'a>,
    pub(crate) cluster: &'a Cluster,
    pub(crate) job: &'a Job,
}

/// Sweep of a table.
pub(crate) struct TableSweep {
    /// This process's part.
    pub(crate) part: PartSweep,
    /// Number of entries at each distance, over all parts.
    pub(crate) histogram: Histogram,
    /// Idle time of the process.
    pub(crate) waited: Duration,
}

impl TableSweep {
    /// Header of the table, for a payload with this SHA-256.
    pub(crate) fn header(&self, payload_sha256: [u8; 32]) -> Header {
        self.part.header(&self.histogram, payload_sha256)
    }
}
