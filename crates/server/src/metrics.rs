//! What is counted, in the text form of Prometheus.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::process::Process;

/// All counts of the service.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    rejected: Family<RejectionLabels, Counter>,
    pub(crate) cancelled: Counter,
    pub(crate) connections: Gauge,
    boards: Counter,
    nodes: Counter<u64, AtomicU64>,
    solve_time: Histogram,
    waiting: Gauge,
    running: Gauge,
    table_bytes: Gauge,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RejectionLabels {
    reason: &'static str,
}

/// Why a request or a connection was answered 429.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rejection {
    /// Too many searches.
    Searches,
    /// Too many of one client.
    Client,
    /// A search could not begin in time.
    Wait,
    /// Too many connections.
    Connections,
}

impl Rejection {
    fn name(self) -> &'static str {
        match self {
            Rejection::Searches => "searches",
            Rejection::Client => "client",
            Rejection::Wait => "wait",
            Rejection::Connections => "connections",
        }
    }
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let metrics = Metrics {
            registry: Registry::default(),
            requests: Family::default(),
            rejected: Family::default(),
            cancelled: Counter::default(),
            connections: Gauge::default(),
            boards: Counter::default(),
            nodes: Counter::default(),
            // From 0.1 ms to 100 s.
            solve_time: Histogram::new(exponential_buckets(1e-4, 10f64.sqrt(), 13)),
            waiting: Gauge::default(),
            running: Gauge::default(),
            table_bytes: Gauge::default(),
        };
        metrics.registered()
    }

    fn registered(mut self) -> Metrics {
        let process = Box::new(Process::new());
        self.registry.register_collector(process);
        let registry = self.registry.sub_registry_with_prefix("solver_server");
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The version of the service", version);
        let of = "Requests by route, method and status";
        registry.register("requests", of, self.requests.clone());
        let of = "Requests and connections that were answered 429, by reason";
        registry.register("rejected", of, self.rejected.clone());
        let of = "Requests with searches that ended before their answer";
        registry.register("cancelled", of, self.cancelled.clone());
        registry.register("connections", "Open connections", self.connections.clone());
        registry.register("boards", "Boards that were answered", self.boards.clone());
        registry.register("nodes", "Nodes that were generated", self.nodes.clone());
        let (of, unit) = ("Time of a board's search", Unit::Seconds);
        registry.register_with_unit("solve", of, unit, self.solve_time.clone());
        let of = "Boards that wait for a thread";
        registry.register("searches_waiting", of, self.waiting.clone());
        let of = "Boards that are being searched";
        registry.register("searches_running", of, self.running.clone());
        let (of, unit) = ("Memory of the tables that are open", Unit::Bytes);
        registry.register_with_unit("tables", of, unit, self.table_bytes.clone());
        self
    }

    /// Counts a request that was answered.
    pub(crate) fn request(&self, route: &str, method: &'static str, status: u16) {
        let route = route.to_owned();
        let labels = RequestLabels {
            route,
            method,
            status,
        };
        self.requests.get_or_create(&labels).inc();
    }

    /// Counts a refusal.
    pub(crate) fn reject(&self, reason: Rejection) {
        let reason = reason.name();
        self.rejected
            .get_or_create(&RejectionLabels { reason })
            .inc();
    }

    /// Counts a board, the nodes of its search and the time.
    pub(crate) fn board(&self, nodes: u64, time: Duration) {
        self.boards.inc();
        self.nodes.inc_by(nodes);
        self.solve_time.observe(time.as_secs_f64());
    }

    /// The text. The numbers given are those of just now.
    pub(crate) fn text(&self, waiting: usize, running: usize, table_bytes: u64) -> String {
        self.waiting.set(waiting as i64);
        self.running.set(running as i64);
        self.table_bytes.set(table_bytes as i64);
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = prometheus_client::encoding::text::encode(&mut text, &self.registry);
        text
    }
}
