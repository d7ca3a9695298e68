//! Options of the service, from flags and the environment.

use std::path::PathBuf;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::{Command, CommandFactory as _, FromArgMatches as _, Parser, ValueEnum};

/// Solves sliding-tile puzzles over HTTP.
///
/// Every option can also be set by an environment variable:
/// SOLVER_SERVER_MAX_TIME sets --max-time. Times are in seconds. Without options, the service
/// listens on 127.0.0.1:8015 and keeps its tables in memory.
#[derive(Parser, Clone, Debug)]
#[command(name = "solver-server", version)]
#[non_exhaustive]
pub struct Config {
    /// Address and port to listen on, such as localhost:8015, or 0.0.0.0:8015 for all IPv4
    /// addresses; port 0 selects a free port
    #[arg(long, default_value = "127.0.0.1:8015")]
    pub listen: String,
    /// Directory of tables, as written by pdb-gen; the service builds missing tables and stores
    /// them there [default: tables are built in memory]
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Directory with one folder per bundle of packed tables, as written by pdb-gen pack
    #[arg(long, value_name = "DIR")]
    pub bundles: Option<PathBuf>,
    /// Directory of the web page that is served at / [default: crates/page/dist if it was
    /// built, else a short page of links]
    #[arg(long, value_name = "DIR")]
    pub page: Option<PathBuf>,

    /// Number of search threads, and maximum number of running searches per client; 0 is the number
    /// of cores. Up to 16 more threads search for clients that have no running search
    #[arg(long, default_value_t = 0)]
    pub workers: usize,
    /// Niceness of search threads relative to the threads that answer requests, 0 to 19 (Linux
    /// only)
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(i32).range(0..=19))]
    pub nice: i32,
    /// Maximum number of requests with running or waiting searches; further requests are answered
    /// 429
    #[arg(long, default_value_t = 256)]
    pub max_searches: usize,
    /// Maximum number of requests with running or waiting searches per client
    #[arg(long, default_value_t = 64)]
    pub max_searches_per_client: usize,
    /// Maximum time that a request waits for its search to start; after that the request is
    /// answered 429
    #[arg(long, default_value = "30", value_parser = seconds)]
    pub max_wait: Duration,
    /// Header in which a trusted proxy names the client, such as X-Forwarded-For. If the header is
    /// a list, its last entry names the client [default: clients are identified by their address]
    #[arg(long, value_name = "NAME")]
    pub client_header: Option<String>,
    /// Origin whose pages may use the service, such as https://example.org, or * for all origins;
    /// separate several origins with commas [default: none]
    // `--help` shows this text, so the address is not in the angle brackets of Markdown.
    #[allow(rustdoc::bare_urls)]
    #[arg(long, value_name = "ORIGIN", value_delimiter = ',')]
    pub allow_origin: Vec<HeaderValue>,

    /// Time limit per board if the request sets none
    #[arg(long, default_value = "10", value_parser = seconds)]
    pub default_time: Duration,
    /// Maximum time limit per board that a request can set
    #[arg(long, default_value = "20", value_parser = seconds)]
    pub max_time: Duration,
    /// Maximum time to answer a list of boards
    #[arg(long, default_value = "600", value_parser = seconds)]
    pub max_list_time: Duration,
    /// Maximum number of boards per request
    #[arg(long, default_value_t = 10_000)]
    pub max_boards: usize,
    /// Maximum number of cells of a board
    #[arg(long, default_value_t = 400)]
    pub max_cells: usize,
    /// Maximum number of threads per board that a request can set. For --workers, a search with
    /// several threads still counts as a single search
    #[arg(long, default_value_t = 1)]
    pub max_threads: usize,
    /// Memory limit of an anytime search, without the tables, in MiB; a request can set a lower
    /// limit
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    pub max_memory: u64,
    /// Memory limit of all open tables, in MiB; the same limit applies to the tables of one request
    #[arg(long, default_value_t = 1024, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    pub max_tables: u64,
    /// Maximum size of the directory --tables, in MiB; a table that would exceed this size is kept
    /// in memory only. For tables of partitions that a request names, the maximum is half of this
    /// size
    #[arg(long, default_value_t = 4096, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    pub max_disk: u64,
    /// Maximum estimated time to build the missing tables of a request
    #[arg(long, default_value = "2", value_parser = seconds)]
    pub max_build_time: Duration,

    /// Maximum size of a JSON request in bytes
    #[arg(long, default_value_t = 1 << 20, value_name = "BYTES")]
    pub max_body: usize,
    /// Maximum size of a list of boards in bytes; the first boards are answered while the rest of
    /// the list is read
    #[arg(long, default_value_t = 64 << 20, value_name = "BYTES")]
    pub max_list: usize,
    /// Maximum number of connections; further connections are answered 429 and closed
    #[arg(long, default_value_t = 512)]
    pub max_connections: usize,
    /// Maximum time for the headers of a request to arrive, and maximum time that a connection can
    /// be idle
    #[arg(long, default_value = "15", value_parser = seconds)]
    pub head_timeout: Duration,
    /// Maximum time for a JSON request, or for the next part of a list, to arrive
    #[arg(long, default_value = "10", value_parser = seconds)]
    pub read_timeout: Duration,
    /// Time that running requests have to finish after the stop signal and --drain; then their
    /// searches are cancelled
    #[arg(long, default_value = "10", value_parser = seconds)]
    pub grace: Duration,
    /// Seconds between the stop signal and the closing of the port. During this time /readyz
    /// answers 503, so that load balancers stop sending requests
    #[arg(long, default_value_t = 0, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..3600))]
    pub drain: u64,

    /// Format of the log
    #[arg(long, default_value = "text")]
    pub log_format: LogFormat,
    /// Lowest level of messages in the log: error, warn, info or debug; or a filter such as
    /// server=debug
    #[arg(long, default_value = "info")]
    pub log: String,
}

/// Format of logs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[non_exhaustive]
pub enum LogFormat {
    /// One line of text per message.
    Text,
    /// One JSON object per line.
    Json,
}

impl Default for Config {
    /// The defaults of a command line without options; the environment is ignored.
    fn default() -> Config {
        Config::parse_from(["solver-server"])
    }
}

impl Config {
    /// The command, whose options can also be set in the environment.
    #[must_use]
    pub fn options() -> Command {
        Config::command().mut_args(|option| {
            let name = option.get_id().as_str().to_uppercase();
            option.env(format!("SOLVER_SERVER_{name}"))
        })
    }

    /// Reads the arguments of the process, and its environment.
    ///
    /// # Errors
    /// An unknown option, or one with a wrong value.
    pub fn read() -> Result<Config, clap::Error> {
        Config::from_arg_matches(&Config::options().try_get_matches()?)
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|number| (0.001..=1e6).contains(number));
    let time = number.map(Duration::from_secs_f64);
    time.ok_or_else(|| format!("expected seconds from 0.001 to 1000000, found `{text}`"))
}
