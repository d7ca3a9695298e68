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

pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    rejected: Family<RejectionLabels, Counter>,
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
    status: u16,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RejectionLabels {
    reason: &'static str,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::default();
        let own = registry.sub_registry_with_prefix("solver_server");
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        own.register("build", "The version of the service", version);
        // The buckets are from 0.1 ms to 100 s.
        let times = Histogram::new(exponential_buckets(1e-4, 10f64.sqrt(), 13));
        let table_bytes = Gauge::default();
        let about = "Search time per board";
        own.register_with_unit("solve", about, Unit::Seconds, times.clone());
        let about = "Memory of the open tables";
        own.register_with_unit("tables", about, Unit::Bytes, table_bytes.clone());
        Metrics {
            requests: add(own, "requests", "Requests by status"),
            rejected: add(
                own,
                "rejected",
                "Requests and connections answered 429, by reason",
            ),
            connections: add(own, "connections", "Open connections"),
            boards: add(own, "boards", "Answered boards"),
            nodes: add(own, "nodes", "Generated nodes"),
            waiting: add(own, "searches_waiting", "Boards waiting for a thread"),
            running: add(own, "searches_running", "Boards being searched"),
            solve_time: times,
            table_bytes,
            registry,
        }
    }

    /// Counts a request that was answered with this status.
    pub(crate) fn count(&self, status: u16) {
        self.requests.get_or_create(&RequestLabels { status }).inc();
    }

    /// Counts an answer 429. The reason is `searches`, `client`, `wait` or `connections`.
    pub(crate) fn reject(&self, reason: &'static str) {
        let labels = RejectionLabels { reason };
        self.rejected.get_or_create(&labels).inc();
    }

    /// Counts a board, the nodes of its search, and its time.
    pub(crate) fn board(&self, nodes: u64, time: Duration) {
        self.boards.inc();
        self.nodes.inc_by(nodes);
        self.solve_time.observe(time.as_secs_f64());
    }

    /// The metrics as text. The parameters are the current values of the gauges.
    pub(crate) fn text(&self, [connections, waiting, running, table_bytes]: [usize; 4]) -> String {
        self.connections.set(connections as i64);
        self.waiting.set(waiting as i64);
        self.running.set(running as i64);
        self.table_bytes.set(table_bytes as i64);
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = prometheus_client::encoding::text::encode(&mut text, &self.registry);
        text
    }
}

fn add<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, about: &str) -> M {
    let metric = M::default();
    registry.register(name, about, metric.clone());
    metric
}
