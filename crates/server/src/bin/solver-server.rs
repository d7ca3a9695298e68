//! The HTTP service.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::Parser as _;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use server::{Config, LogFormat, Server, check_health};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

#[expect(clippy::print_stderr, reason = "the log may not be set up yet")]
fn main() -> ExitCode {
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

/// Raises the limit of open files to the maximum that the system allows: each connection counts as
/// two open files, and the default limit of many systems is 1024.
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
    let (sender, receiver) = tokio::sync::oneshot::channel();
    tokio::spawn(async move {
        let mut next = async || {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        };
        next().await;
        let _ = sender.send(());
        next().await;
        std::process::exit(130);
    });
    Ok(async {
        let _ = receiver.await;
    })
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
