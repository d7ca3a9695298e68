//! State of the working thread of a process.

use std::time::Duration;

use pdb_gen::PartSweep;
use pdb_table::{Header, Histogram};

use crate::cluster::Cluster;
use crate::job::Job;
use crate::net::Net;

/// One process of a build: its connection to the working threads of the others, what all of its
/// threads know, and what is to be done.
pub(crate) struct Peer<'a> {
    pub(crate) net: Net<'a>,
    pub(crate) cluster: &'a Cluster,
    pub(crate) job: &'a Job,
}

/// The sweep of a table.
pub(crate) struct TableSweep {
    /// The part of this process.
    pub(crate) part: PartSweep,
    /// Entries that all parts have found at each distance.
    pub(crate) histogram: Histogram,
    /// Time in which the process had nothing to do.
    pub(crate) waited: Duration,
}

impl TableSweep {
    /// The header of the table whose payload has this SHA-256.
    pub(crate) fn header(&self, payload_sha256: [u8; 32]) -> Header {
        self.part.header(&self.histogram, payload_sha256)
    }
}
