//! Limits of the service, by flags and environment.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::time::Duration;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, ValueEnum};

/// Solves sliding-tile puzzles over HTTP.
///
/// Every option can be given by the environment too: --max-time as SOLVER_SERVER_MAX_TIME. Times
/// are seconds. Without any option it listens on 127.0.0.1:8015 and keeps its tables in memory.
#[derive(Parser, Clone, Debug)]
#[command(name = "solver-server", version)]
#[non_exhaustive]
pub struct Config {
    /// Address and port to listen on, such as localhost:8015, or :8015 for all addresses; port 0 is
    /// any that is free
    #[arg(long, env = "SOLVER_SERVER_LISTEN", default_value = "127.0.0.1:8015",
          value_parser = listen)]
    pub listen: SocketAddr,
    /// Ask the service that listens there whether it is well, and exit with 0 or 1
    #[arg(long)]
    pub check_health: bool,
    /// Directory of tables, such as pdb-gen makes: those that are there are used, those that are
    /// built are kept [default: tables are built in memory]
    #[arg(long, env = "SOLVER_SERVER_TABLES", value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Directory whose folders are bundles of packed tables, as pdb-gen pack makes them
    #[arg(long, env = "SOLVER_SERVER_BUNDLES", value_name = "DIR")]
    pub bundles: Option<PathBuf>,
    /// Directory of the page that is served at / [default: crates/wasm/web/dist if it was built,
    /// else a short page of links]
    #[arg(long, env = "SOLVER_SERVER_PAGE", value_name = "DIR")]
    pub page: Option<PathBuf>,

    /// Searches of one client that run at once, each on a thread of its own; 0 is the number of
    /// cores. Up to 16 more run for clients none of whose searches runs
    #[arg(long, env = "SOLVER_SERVER_WORKERS", default_value_t = 0, value_parser = threads)]
    pub workers: usize,
    /// Niceness of the threads of searches beside those that answer requests, 0 to 19 (Linux only)
    #[arg(long, env = "SOLVER_SERVER_NICE", default_value_t = 5,
          value_parser = clap::value_parser!(i32).range(0..=19))]
    pub nice: i32,
    /// Requests with searches that are taken at once, running or waiting; more are answered 429
    #[arg(long, env = "SOLVER_SERVER_MAX_SEARCHES", default_value_t = 256, value_parser = positive)]
    pub max_searches: usize,
    /// The same of one client
    #[arg(long, env = "SOLVER_SERVER_MAX_SEARCHES_PER_CLIENT", default_value_t = 64,
          value_parser = positive)]
    pub max_searches_per_client: usize,
    /// The longest that a request waits for its search to begin; after that it is answered 429
    #[arg(long, env = "SOLVER_SERVER_MAX_WAIT", default_value_t = 30.0, value_parser = seconds)]
    pub max_wait: f64,
    /// Header that names the client, set by a proxy that is trusted, such as X-Forwarded-For, whose
    /// last entry counts [default: clients are told apart by their address]
    #[arg(long, env = "SOLVER_SERVER_CLIENT_HEADER", value_name = "NAME")]
    pub client_header: Option<String>,
    /// Origin whose pages may use the service from their own site, such as https://example.org, or
    /// a star for all; several with commas between them [default: none]
    // The text is that of --help, where an address stands as it is.
    #[allow(rustdoc::bare_urls)]
    #[arg(long, env = "SOLVER_SERVER_ALLOW_ORIGIN", value_name = "ORIGIN", value_delimiter = ',',
          value_parser = origin)]
    pub allow_origin: Vec<String>,

    /// Time of a board where the request says nothing
    #[arg(long, env = "SOLVER_SERVER_DEFAULT_TIME", default_value_t = 10.0, value_parser = seconds)]
    pub default_time: f64,
    /// The longest time that a request may ask for a board
    #[arg(long, env = "SOLVER_SERVER_MAX_TIME", default_value_t = 20.0, value_parser = seconds)]
    pub max_time: f64,
    /// The longest time of a list of boards
    #[arg(long, env = "SOLVER_SERVER_MAX_LIST_TIME", default_value_t = 600.0,
          value_parser = seconds)]
    pub max_list_time: f64,
    /// The most boards of a request
    #[arg(long, env = "SOLVER_SERVER_MAX_BOARDS", default_value_t = 10_000,
          value_parser = positive)]
    pub max_boards: usize,
    /// The most cells of a board
    #[arg(long, env = "SOLVER_SERVER_MAX_CELLS", default_value_t = 400, value_parser = positive)]
    pub max_cells: usize,
    /// The most threads that a request may ask for a board; a search counts once however many it
    /// has
    #[arg(long, env = "SOLVER_SERVER_MAX_THREADS", default_value_t = 1, value_parser = threads)]
    pub max_threads: usize,
    /// Memory of an anytime search besides the tables, in MiB, and the most that a request may ask
    /// for
    #[arg(long, env = "SOLVER_SERVER_MAX_MEMORY", default_value_t = 256, value_name = "MIB",
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub max_memory: u64,
    /// Memory of all tables that are kept open, in MiB, and of those that one request may ask for
    #[arg(long, env = "SOLVER_SERVER_MAX_TABLES", default_value_t = 1024, value_name = "MIB",
          value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    pub max_tables: u64,
    /// Disk space of the directory --tables, in MiB: a table that would exceed it is kept in memory
    /// only; of partitions that are neither the default nor known by a name, half of it
    #[arg(long, env = "SOLVER_SERVER_MAX_DISK", default_value_t = 4096, value_name = "MIB",
          value_parser = clap::value_parser!(u64).range(0..=1 << 30))]
    pub max_disk: u64,
    /// The longest that tables which are missing may take to build, by estimate
    #[arg(long, env = "SOLVER_SERVER_MAX_BUILD_TIME", default_value_t = 2.0,
          value_parser = seconds)]
    pub max_build_time: f64,

    /// The most bytes of a JSON request
    #[arg(long, env = "SOLVER_SERVER_MAX_BODY", default_value_t = 1 << 20, value_name = "BYTES",
          value_parser = positive)]
    pub max_body: usize,
    /// The most bytes of a list of boards, which is answered while it is read
    #[arg(long, env = "SOLVER_SERVER_MAX_LIST", default_value_t = 64 << 20, value_name = "BYTES",
          value_parser = positive)]
    pub max_list: usize,
    /// Connections at once; more are answered 429 and closed
    #[arg(long, env = "SOLVER_SERVER_MAX_CONNECTIONS", default_value_t = 1024,
          value_parser = positive)]
    pub max_connections: usize,
    /// Connections of one address, unless there is a --client-header
    #[arg(long, env = "SOLVER_SERVER_MAX_CONNECTIONS_PER_CLIENT", default_value_t = 256,
          value_parser = positive)]
    pub max_connections_per_client: usize,
    /// The longest that a connection may take to send the head of a request, or be idle
    #[arg(long, env = "SOLVER_SERVER_HEAD_TIMEOUT", default_value_t = 15.0, value_parser = seconds)]
    pub head_timeout: f64,
    /// The longest that a JSON request, or the next piece of a list, may take to arrive
    #[arg(long, env = "SOLVER_SERVER_READ_TIMEOUT", default_value_t = 10.0, value_parser = seconds)]
    pub read_timeout: f64,
    /// The longest that a client may take no byte of its answer
    #[arg(long, env = "SOLVER_SERVER_WRITE_TIMEOUT", default_value_t = 20.0,
          value_parser = seconds)]
    pub write_timeout: f64,
    /// Time that requests have to end when the service stops; after that searches are cancelled
    #[arg(long, env = "SOLVER_SERVER_GRACE", default_value_t = 10.0, value_parser = seconds)]
    pub grace: f64,
    /// Seconds between the stop signal and the closing of the port. During this time /readyz
    /// answers
    /// 503, so that load balancers stop sending requests
    #[arg(long, env = "SOLVER_SERVER_DRAIN", default_value_t = 0, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub drain: u64,

    /// Format of logs
    #[arg(long, env = "SOLVER_SERVER_LOG_FORMAT", default_value = "text")]
    pub log_format: LogFormat,
    /// Logged messages: error, warn, info, debug, or a filter such as server=debug
    #[arg(long, env = "SOLVER_SERVER_LOG", default_value = "info")]
    pub log: String,
}

/// Format of logs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[non_exhaustive]
pub enum LogFormat {
    /// A line for people.
    Text,
    /// A JSON object a line.
    Json,
}

impl Default for Config {
    /// The options of a command line without options, whatever the environment.
    fn default() -> Config {
        let command = Config::command().mut_args(|option| option.env(None::<&'static str>));
        let matches = command.get_matches_from(["solver-server"]);
        // Defaults are always valid.
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

    pub(crate) fn table_bytes(&self) -> u64 {
        self.max_tables << 20
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.max_memory << 20
    }
}

pub(crate) fn time(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|number| *number >= 0.001 && *number <= 1e6);
    number.ok_or_else(|| format!("expected seconds from 0.001 to 1000000, found `{text}`"))
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

/// An origin as browsers send it: scheme, host, and port if it is not the scheme's own.
pub(crate) fn origin(text: &str) -> Result<String, String> {
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
    fn the_default_is_that_of_the_command() {
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
