//! The HTTP service.

use std::io::IsTerminal as _;
use std::os::unix::process::CommandExt as _;
use std::process::ExitCode;

use clap::Parser as _;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use server::{Allocator, Config, LogFormat, Server, check_health};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

#[expect(clippy::print_stderr, reason = "the log may not be set up yet")]
fn main() -> ExitCode {
    share_heaps();
    let config = Config::parse();
    let done = match config.check_health {
        true => check_health(config.listen),
        false => run(config),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("solver-server: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(config: Config) -> Result<(), String> {
    start_logs(&config)?;
    allow_all_files();
    // Threads of this runtime only handle connections; searches have their own threads.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(16)
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| format!("cannot start threads: {error}"))?;
    runtime.block_on(async {
        let server = Server::bind(config).await?;
        let address = server.address().map_err(|error| error.to_string())?;
        let stop = stopped()?;
        tracing::info!(%address, "listening on http://{address}");
        server.run(stop).await;
        Ok(())
    })
}

/// If the address space is limited, restarts this program so that all threads share two heaps. By
/// default, glibc creates one heap per thread and reserves 64 MB of addresses for each heap, so
/// many threads would use up the address space.
fn share_heaps() {
    const HEAPS: &str = "MALLOC_ARENA_MAX";
    let is_limited = getrlimit(Resource::As).current.is_some();
    if cfg!(target_env = "gnu") && is_limited && std::env::var_os(HEAPS).is_none() {
        let mut arguments = std::env::args_os();
        if let (Some(name), Ok(program)) = (arguments.next(), std::env::current_exe()) {
            let mut again = std::process::Command::new(program);
            // `exec` returns only on failure; the service then runs with one heap per thread.
            let _ = again.arg0(name).args(arguments).env(HEAPS, "2").exec();
        }
    }
}

/// Raises the limit of open files to the maximum that the system allows: each connection counts as
/// an open file, and the default limit of many systems is 1024.
fn allow_all_files() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        ..limit
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::debug!(%error, "cannot raise the limit of open files");
    }
}

/// Completes at SIGTERM or Ctrl-C. A second signal ends the process immediately.
fn stopped() -> Result<impl Future<Output = ()>, String> {
    let failed = |error: std::io::Error| format!("cannot listen for signals: {error}");
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    Ok(async move {
        either(&mut terminate, &mut interrupt).await;
        tokio::spawn(async move {
            either(&mut terminate, &mut interrupt).await;
            std::process::exit(130);
        });
    })
}

async fn either(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}

fn start_logs(config: &Config) -> Result<(), String> {
    let filter = config.log.parse::<Targets>();
    let filter = filter.map_err(|error| format!("--log {}: {error}", config.log))?;
    let logs = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let registry = tracing_subscriber::registry().with(filter);
    match config.log_format {
        LogFormat::Json => registry.with(logs.json().flatten_event(true)).init(),
        _ => registry.with(logs).init(),
    }
    Ok(())
}
