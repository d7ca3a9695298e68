//! The HTTP service.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use server::{Config, LogFormat, Server};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

#[expect(clippy::print_stderr, reason = "the log may not be set up yet")]
fn main() -> ExitCode {
    let config = Config::read().unwrap_or_else(|error| error.exit());
    match run(config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("solver-server: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(config: Config) -> Result<(), String> {
    start_logs(&config)?;
    // Threads of this runtime only handle connections; searches have their own threads.
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start threads: {error}"))?;
    runtime.block_on(async {
        let server = Server::bind(config).await?;
        let address = server.address().map_err(|error| error.to_string())?;
        let stop = stopped().map_err(|error| format!("cannot listen for signals: {error}"))?;
        tracing::info!(%address, "listening on http://{address}");
        server.run(stop).await;
        Ok(())
    })
}

/// Completes at SIGTERM or Ctrl-C. A second signal ends the process immediately.
fn stopped() -> std::io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut next = async move || {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    Ok(async move {
        next().await;
        tokio::spawn(async move {
            next().await;
            std::process::exit(130);
        });
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
