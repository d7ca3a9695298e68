//! State shared by all handlers.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use session::Session;
use solver::Cancel;

use crate::bundles::Bundles;
use crate::config::Config;
use crate::explanations::Explanations;
use crate::metrics::Metrics;
use crate::page::Page;
use crate::places::Places;
use crate::request::session;
use crate::searches::Searches;
use crate::solvers::Solvers;

/// The state as handlers extract it.
pub(crate) type SharedApp = State<Arc<App>>;

pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) metrics: Arc<Metrics>,
    /// Reads requests, and answers those that need no tables.
    pub(crate) session: Session,
    pub(crate) solvers: Solvers,
    pub(crate) searches: Arc<Searches>,
    pub(crate) connections: Arc<Mutex<Places>>,
    pub(crate) bundles: Bundles,
    pub(crate) explanations: Explanations,
    pub(crate) page: Arc<Page>,
    /// Cancels builds.
    pub(crate) cancel: Cancel,
    /// Whether start-up has finished opening the default tables.
    pub(crate) is_warm: AtomicBool,
    pub(crate) is_stopping: AtomicBool,
}

impl App {
    /// Creates the state from a configuration.
    /// Errors: a configured directory cannot be read, or has a damaged file.
    pub(crate) fn new(config: Config) -> Result<App, String> {
        let (metrics, cancel) = (Arc::new(Metrics::new()), Cancel::default());
        let searches = Searches::start(&config, &metrics);
        let connections = Places::of_connections(
            &config,
            config.max_connections,
            config.max_connections_per_client,
        );
        Ok(App {
            connections: Arc::new(Mutex::new(connections)),
            session: session(&config),
            solvers: Solvers::new(&config),
            searches: searches.map_err(|error| format!("cannot start threads: {error}"))?,
            bundles: Bundles::open(config.bundles.as_deref())?,
            explanations: Explanations::default(),
            page: Arc::new(Page::open(config.page.as_deref())?),
            metrics,
            cancel,
            is_warm: AtomicBool::new(false),
            is_stopping: AtomicBool::new(false),
            config,
        })
    }
}
