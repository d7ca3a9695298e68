//! Metrics of the service in the text format of Prometheus.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry, Unit};

use crate::process::Process;

pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    rejected: Family<RejectionLabels, Counter>,
    pub(crate) cancelled: Counter,
    connections: Gauge,
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

/// Reason for an answer 429.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rejection {
    /// Too many searches in total.
    Searches,
    /// Too many searches of one client.
    Client,
    /// The search did not start in time.
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
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Process::new()));
        let own = registry.sub_registry_with_prefix("solver_server");
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        own.register("build", "The version of the service", version);
        // The buckets are from 0.1 ms to 100 s.
        let times = Histogram::new(exponential_buckets(1e-4, 10f64.sqrt(), 13));
        let rejected = "Requests and connections answered 429, by reason";
        let cancelled = "Requests with searches that were cancelled";
        let tables = "Memory of the open tables";
        // Metrics are printed in the order of registration.
        Metrics {
            requests: add(own, "requests", "Requests by route, method and status"),
            rejected: add(own, "rejected", rejected),
            cancelled: add(own, "cancelled", cancelled),
            connections: add(own, "connections", "Open connections"),
            boards: add(own, "boards", "Answered boards"),
            nodes: add(own, "nodes", "Generated nodes"),
            solve_time: {
                let help = "Search time per board";
                own.register_with_unit("solve", help, Unit::Seconds, times.clone());
                times
            },
            waiting: add(own, "searches_waiting", "Boards waiting for a thread"),
            running: add(own, "searches_running", "Boards being searched"),
            table_bytes: {
                let bytes = Gauge::default();
                own.register_with_unit("tables", tables, Unit::Bytes, bytes.clone());
                bytes
            },
            registry,
        }
    }

    pub(crate) fn request(&self, route: &str, method: &'static str, status: u16) {
        let route = route.to_owned();
        let labels = RequestLabels {
            route,
            method,
            status,
        };
        self.requests.get_or_create(&labels).inc();
    }

    pub(crate) fn reject(&self, reason: Rejection) {
        let reason = reason.name();
        self.rejected
            .get_or_create(&RejectionLabels { reason })
            .inc();
    }

    /// Counts a board, the nodes of its search, and its time.
    pub(crate) fn board(&self, nodes: u64, time: Duration) {
        self.boards.inc();
        self.nodes.inc_by(nodes);
        self.solve_time.observe(time.as_secs_f64());
    }

    /// The metrics as text. The parameters are the current values of the gauges.
    pub(crate) fn text(&self, [connections, waiting, running, table_bytes]: [i64; 4]) -> String {
        self.connections.set(connections);
        self.waiting.set(waiting);
        self.running.set(running);
        self.table_bytes.set(table_bytes);
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = prometheus_client::encoding::text::encode(&mut text, &self.registry);
        text
    }
}

fn add<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}
