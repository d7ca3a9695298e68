//! The state that all handlers share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use solver::Cancel;

use crate::bundles::Bundles;
use crate::config::Config;
use crate::explanations::Explanations;
use crate::metrics::Metrics;
use crate::page::Page;
use crate::searches::Searches;
use crate::solvers::Solvers;

/// What all requests share.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) solvers: Solvers,
    pub(crate) searches: Arc<Searches>,
    pub(crate) bundles: Bundles,
    pub(crate) explanations: Explanations,
    pub(crate) page: Arc<Page>,
    /// Ends builds.
    pub(crate) cancel: Cancel,
    /// Whether the usual tables are open, as far as they can be.
    pub(crate) is_warm: AtomicBool,
    /// Whether the service was told to stop.
    pub(crate) is_stopping: AtomicBool,
}

impl App {
    /// What the configuration says.
    ///
    /// # Errors
    /// A directory that it names cannot be read, or has something damaged.
    pub(crate) fn new(config: Config) -> Result<App, String> {
        let (metrics, cancel) = (Arc::new(Metrics::new()), Cancel::default());
        let searches = Searches::start(&config, &metrics);
        Ok(App {
            solvers: Solvers::new(&config),
            searches: searches.map_err(|error| format!("threads cannot be started: {error}"))?,
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
