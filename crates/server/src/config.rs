//! Options of the service, from flags and the environment.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::time::Duration;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, ValueEnum};

/// Solves sliding-tile puzzles over HTTP.
///
/// Every option except --check-health can also be set by an environment variable:
/// SOLVER_SERVER_MAX_TIME sets --max-time. Times are in seconds. Without options, the service
/// listens on 127.0.0.1:8015 and keeps its tables in memory.
#[derive(Parser, Clone, Debug)]
#[command(name = "solver-server", version)]
#[non_exhaustive]
pub struct Config {
    /// Address and port to listen on, such as localhost:8015, or :8015 for all IPv4 addresses; port
    /// 0 selects a free port
    #[arg(long, env = "SOLVER_SERVER_LISTEN", default_value = "127.0.0.1:8015",
          value_parser = listen)]
    pub listen: SocketAddr,
    /// Check the health of the service at the address of --listen; exit with 0 if it is healthy,
    /// else with 1
    #[arg(long)]
    pub check_health: bool,
    /// Directory of tables, as written by pdb-gen; the service builds missing tables and stores
    /// them there [default: tables are built in memory]
    #[arg(long, env = "SOLVER_SERVER_TABLES", value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Directory with one folder per bundle of packed tables, as written by pdb-gen pack
    #[arg(long, env = "SOLVER_SERVER_BUNDLES", value_name = "DIR")]
    pub bundles: Option<PathBuf>,
    /// Directory of the web page that is served at / [default: crates/wasm/web/dist if it was
    /// built, else a short page of links]
    #[arg(long, env = "SOLVER_SERVER_PAGE", value_name = "DIR")]
    pub page: Option<PathBuf>,

    /// Number of search threads, and maximum number of running searches per client; 0 is the number
    /// of cores. Up to 16 more threads search for clients that have no running search
    #[arg(long, env = "SOLVER_SERVER_WORKERS", default_value_t = 0, value_parser = threads)]
    pub workers: usize,
    /// Niceness of search threads relative to the threads that answer requests, 0 to 19 (Linux
    /// only)
    #[arg(long, env = "SOLVER_SERVER_NICE", default_value_t = 5,
          value_parser = clap::value_parser!(i32).range(0..=19))]
    pub nice: i32,
    /// Maximum number of requests with running or waiting searches; further requests are answered
    /// 429
    #[arg(long, env = "SOLVER_SERVER_MAX_SEARCHES", default_value_t = 256, value_parser = positive)]
    pub max_searches: usize,
    /// Maximum number of requests with running or waiting searches per client
    #[arg(long, env = "SOLVER_SERVER_MAX_SEARCHES_PER_CLIENT", default_value_t = 64,
          value_parser = positive)]
    pub max_searches_per_client: usize,
    /// Maximum time that a request waits for its search to start; after that the request is
    /// answered 429
    #[arg(long, env = "SOLVER_SERVER_MAX_WAIT", default_value = "30", value_parser = seconds)]
    pub max_wait: Duration,
    /// Header in which a trusted proxy names the client, such as X-Forwarded-For. If the header is
    /// a list, its last entry names the client [default: clients are identified by their address]
    #[arg(long, env = "SOLVER_SERVER_CLIENT_HEADER", value_name = "NAME")]
    pub client_header: Option<String>,
    /// Origin whose pages may use the service, such as https://example.org, or * for all origins;
    /// separate several origins with commas [default: none]
    // `--help` shows this text, so the address is not in the angle brackets of Markdown.
    #[allow(rustdoc::bare_urls)]
    #[arg(long, env = "SOLVER_SERVER_ALLOW_ORIGIN", value_name = "ORIGIN", value_delimiter = ',',
          value_parser = origin)]
    pub allow_origin: Vec<String>,

    /// Time limit per board if the request sets none
    #[arg(long, env = "SOLVER_SERVER_DEFAULT_TIME", default_value = "10", value_parser = seconds)]
    pub default_time: Duration,
    /// Maximum time limit per board that a request can set
    #[arg(long, env = "SOLVER_SERVER_MAX_TIME", default_value = "20", value_parser = seconds)]
    pub max_time: Duration,
    /// Maximum time to answer a list of boards
    #[arg(long, env = "SOLVER_SERVER_MAX_LIST_TIME", default_value = "600",
          value_parser = seconds)]
    pub max_list_time: Duration,
    /// Maximum number of boards per request
    #[arg(long, env = "SOLVER_SERVER_MAX_BOARDS", default_value_t = 10_000,
          value_parser = positive)]
    pub max_boards: usize,
    /// Maximum number of cells of a board
    #[arg(long, env = "SOLVER_SERVER_MAX_CELLS", default_value_t = 400, value_parser = positive)]
    pub max_cells: usize,
    /// Maximum number of threads per board that a request can set. For --workers, a search with
    /// several threads still counts as a single search
    #[arg(long, env = "SOLVER_SERVER_MAX_THREADS", default_value_t = 1, value_parser = threads)]
    pub max_threads: usize,
    /// Memory limit of an anytime search, without the tables, in MiB; a request can set a lower
    /// limit
    #[arg(long, env = "SOLVER_SERVER_MAX_MEMORY", default_value_t = 256, value_name = "MIB",
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub max_memory: u64,
    /// Memory limit of all open tables, in MiB; the same limit applies to the tables of one request
    #[arg(long, env = "SOLVER_SERVER_MAX_TABLES", default_value_t = 1024, value_name = "MIB",
          value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    pub max_tables: u64,
    /// Maximum size of the directory --tables, in MiB; a table that would exceed this size is kept
    /// in memory only. For tables of partitions that a request names, the maximum is half of this
    /// size
    #[arg(long, env = "SOLVER_SERVER_MAX_DISK", default_value_t = 4096, value_name = "MIB",
          value_parser = clap::value_parser!(u64).range(0..=1 << 30))]
    pub max_disk: u64,
    /// Maximum estimated time to build the missing tables of a request
    #[arg(long, env = "SOLVER_SERVER_MAX_BUILD_TIME", default_value = "2",
          value_parser = seconds)]
    pub max_build_time: Duration,

    /// Maximum size of a JSON request in bytes
    #[arg(long, env = "SOLVER_SERVER_MAX_BODY", default_value_t = 1 << 20, value_name = "BYTES",
          value_parser = positive)]
    pub max_body: usize,
    /// Maximum size of a list of boards in bytes; the first boards are answered while the rest of
    /// the list is read
    #[arg(long, env = "SOLVER_SERVER_MAX_LIST", default_value_t = 64 << 20, value_name = "BYTES",
          value_parser = positive)]
    pub max_list: usize,
    /// Maximum number of connections; further connections are answered 429 and closed
    #[arg(long, env = "SOLVER_SERVER_MAX_CONNECTIONS", default_value_t = 1024,
          value_parser = positive)]
    pub max_connections: usize,
    /// Maximum time for the headers of a request to arrive, and maximum time that a connection can
    /// be idle
    #[arg(long, env = "SOLVER_SERVER_HEAD_TIMEOUT", default_value = "15", value_parser = seconds)]
    pub head_timeout: Duration,
    /// Maximum time for a JSON request, or for the next part of a list, to arrive
    #[arg(long, env = "SOLVER_SERVER_READ_TIMEOUT", default_value = "10", value_parser = seconds)]
    pub read_timeout: Duration,
    /// Time that running requests have to finish after the stop signal and --drain; then their
    /// searches are cancelled
    #[arg(long, env = "SOLVER_SERVER_GRACE", default_value = "10", value_parser = seconds)]
    pub grace: Duration,
    /// Seconds between the stop signal and the closing of the port. During this time /readyz
    /// answers 503, so that load balancers stop sending requests
    #[arg(long, env = "SOLVER_SERVER_DRAIN", default_value_t = 0, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub drain: u64,

    /// Format of the log
    #[arg(long, env = "SOLVER_SERVER_LOG_FORMAT", default_value = "text")]
    pub log_format: LogFormat,
    /// Lowest level of messages in the log: error, warn, info or debug; or a filter such as
    /// server=debug
    #[arg(long, env = "SOLVER_SERVER_LOG", default_value = "info")]
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
        let command = Config::command().mut_args(|option| option.env(None::<&'static str>));
        let matches = command.get_matches_from(["solver-server"]);
        // The defaults are always valid.
        Config::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

impl Config {
    pub(crate) fn worker_count(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            number => number,
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|number| (0.001..=1e6).contains(number));
    let time = number.map(Duration::from_secs_f64);
    time.ok_or_else(|| format!("expected seconds from 0.001 to 1000000, found `{text}`"))
}

fn listen(text: &str) -> Result<SocketAddr, String> {
    let whole = match text.strip_prefix(':') {
        Some(port) if !port.contains(':') => format!("0.0.0.0:{port}"),
        _ => text.to_owned(),
    };
    let mut found = whole.to_socket_addrs().into_iter().flatten();
    found.next().ok_or_else(|| {
        format!("expected an address and a port such as 127.0.0.1:8015, found `{text}`")
    })
}

fn positive(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("expected a number of at least 1, found `{text}`"))
}

/// An origin as browsers send it: scheme, host, and the port unless it is the scheme's default.
fn origin(text: &str) -> Result<String, String> {
    let host = ["https://", "http://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    let is_host_sign =
        |sign: char| matches!(sign, 'a'..='z' | '0'..='9' | '-' | '.' | '_' | ':' | '[' | ']');
    let is_origin = host.is_some_and(|host| !host.is_empty() && host.chars().all(is_host_sign));
    match text == "*" || is_origin {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "expected * or an origin such as https://example.org, in small letters and with nothing \
             after its host or port, found `{text}`"
        )),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|number| *number <= 1024);
    number.ok_or_else(|| format!("expected a number up to 1024, found `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_match_the_command() {
        let default = Config::default();
        assert!(
            default.max_time < default.max_wait,
            "a turn comes before the wait is over"
        );
        let parsed = Config::parse_from(["solver-server"]);
        assert_eq!(format!("{parsed:?}"), format!("{:?}", Config::default()));
    }

    #[test]
    fn addresses_have_the_usual_forms() {
        let local = listen("localhost:8015").unwrap();
        assert!(local.ip().is_loopback() && local.port() == 8015);
        assert_eq!(listen(":8015").unwrap().to_string(), "0.0.0.0:8015");
        assert_eq!(listen("[::1]:0").unwrap().to_string(), "[::1]:0");
        for text in ["", "8015", "localhost", ":", "::8015"] {
            assert!(
                listen(text).unwrap_err().contains("127.0.0.1:8015"),
                "{text}"
            );
        }
    }

    #[test]
    fn origins_are_checked() {
        for text in [
            "*",
            "https://example.org",
            "http://127.0.0.1:8080",
            "http://[::1]:80",
        ] {
            assert_eq!(origin(text), Ok(text.to_owned()));
        }
        for text in [
            "",
            "null",
            "example.org",
            "https://",
            "https://Example.org",
            "https://a.b/",
        ] {
            assert!(origin(text).is_err(), "{text}");
        }
        let some = [
            "solver-server",
            "--allow-origin",
            "https://a.b,http://c:8080",
        ];
        let parsed = Config::parse_from(some);
        assert_eq!(parsed.allow_origin, ["https://a.b", "http://c:8080"]);
    }
}
