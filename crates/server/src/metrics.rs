//! Metrics of the service in the text format of Prometheus.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry, Unit};

pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<[(&'static str, String); 1], Counter>,
    boards: Counter,
    nodes: Counter<u64, AtomicU64>,
    solve_time: Histogram,
    /// Open connections, waiting and running searches, and bytes of open tables.
    gauges: [Gauge; 4],
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::default();
        let own = registry.sub_registry_with_prefix("solver_server");
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        own.register("build", "The version of the service", version);
        // The buckets are from 0.1 ms to 100 s.
        let solve_time = Histogram::new(exponential_buckets(1e-4, 10f64.sqrt(), 13));
        let about = "Search time per board";
        own.register_with_unit("solve", about, Unit::Seconds, solve_time.clone());
        Metrics {
            requests: add(own, "requests", "Requests by status"),
            boards: add(own, "boards", "Answered boards"),
            nodes: add(own, "nodes", "Generated nodes"),
            gauges: [
                add(own, "connections", "Open connections"),
                add(own, "searches_waiting", "Boards waiting for a thread"),
                add(own, "searches_running", "Boards being searched"),
                add(own, "tables_bytes", "Memory of the open tables"),
            ],
            solve_time,
            registry,
        }
    }

    /// Counts a request that was answered with this status.
    pub(crate) fn count(&self, status: u16) {
        let label = [("status", status.to_string())];
        self.requests.get_or_create(&label).inc();
    }

    /// Counts a board, the nodes of its search, and its time in seconds.
    pub(crate) fn board(&self, nodes: u64, time: f64) {
        self.boards.inc();
        self.nodes.inc_by(nodes);
        self.solve_time.observe(time);
    }

    /// The metrics as text, with the current values of the gauges.
    pub(crate) fn text(&self, gauges: [usize; 4]) -> String {
        for (gauge, value) in self.gauges.iter().zip(gauges) {
            gauge.set(value as i64);
        }
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

fn add<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, about: &str) -> M {
    let metric = M::default();
    registry.register(name, about, metric.clone());
    metric
}
