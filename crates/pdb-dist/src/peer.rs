//! One process of a build, as its working thread has it.

use crate::cluster::Cluster;
use crate::job::Job;
use crate::net::Net;

/// The connection to the working threads of the other processes, what all threads of this process
/// know, and what is to be done.
pub(crate) struct Peer<'a> {
    pub(crate) net: Net<'a>,
    pub(crate) cluster: &'a Cluster,
    pub(crate) job: &'a Job,
}
