//! The processes of a job: their addresses in a hostfile, which has one line per process with its
//! address and port in timely's format; and `--local`, which runs all of them on this machine.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use command::{EXIT_INTERRUPTED, EXIT_TABLE, Failure};
use pdb_gen::ShapePartition;

use crate::terminal::{count_only, interrupts, is_interrupted, print_note};

/// Reads the addresses of all processes, in process order. Empty lines are ignored.
///
/// # Errors
/// The file cannot be read, or is not a hostfile of at least `processes` lines.
pub fn read_hostfile(path: &Path, processes: Option<usize>) -> Result<Vec<String>, Failure> {
    let wrong = |line: String| Failure::input(format!("{}: {line}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut hosts: Vec<String> = lines.map(str::to_owned).collect();
    for host in &hosts {
        let port = host.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        if !matches!(port, Some(Ok(1..))) {
            let line = "is not an address with a port, such as 10.0.0.1:2101";
            return Err(wrong(format!("\"{host}\" {line}")));
        }
    }
    let count = hosts.len();
    if let Some(processes) = processes {
        if count < processes {
            let line = format!(
                "{count} addresses for {processes} processes: must be one line per process"
            );
            return Err(wrong(line));
        }
        // As in timely, only the first `processes` addresses are used.
        hosts.truncate(processes);
    }
    if hosts.is_empty() || hosts.len() > ShapePartition::MAX_PARTS {
        let (count, most) = (hosts.len(), ShapePartition::MAX_PARTS);
        let line = format!("{count} addresses: must be 1 to {most}, one per line");
        return Err(wrong(line));
    }
    Ok(hosts)
}

/// Time between two checks of the processes.
const INTERVAL: Duration = Duration::from_millis(20);
/// Time for the other processes to end after one process has failed; then they are killed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(12);
/// Time for all processes to end after a second signal; then they are killed.
const SHORT: Duration = Duration::from_secs(2);

/// The running child processes. All are killed on drop.
struct Children(Vec<Option<Child>>);

impl Children {
    fn kill(&mut self) {
        for child in self.0.iter_mut().flatten() {
            let _ = child.kill();
        }
    }

    /// Passes a signal on to the children. A child that also received it from the terminal treats
    /// both signals as one.
    fn interrupt(&self) {
        #[cfg(unix)]
        for child in self.0.iter().flatten() {
            use rustix::process::{Pid, Signal, kill_process};
            if let Some(id) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process(id, Signal::INT);
            }
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        self.kill();
        for child in self.0.iter_mut().flatten() {
            let _ = child.wait();
        }
    }
}

/// Runs `processes` processes of this program, with these arguments and a hostfile of free ports,
/// and returns the exit code when all have ended. Process 0 uses the terminal. Signals are passed
/// on to all these processes.
///
/// # Errors
/// A process cannot be started.
pub fn run_local(processes: usize, arguments: &[OsString]) -> Result<u8, Failure> {
    let failed = |error: std::io::Error| Failure::table(format!("cannot start processes: {error}"));
    let mut hostfile = tempfile::NamedTempFile::new().map_err(failed)?;
    // All listeners are open at the same time, so that their ports differ.
    let listeners = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0"));
    let listeners: Vec<TcpListener> = listeners.collect::<Result<_, _>>().map_err(failed)?;
    for listener in &listeners {
        let address = listener.local_addr().map_err(failed)?;
        writeln!(hostfile, "{address}").map_err(failed)?;
    }
    drop(listeners);
    let program = std::env::current_exe().map_err(failed)?;
    count_only();
    let mut children = Children(Vec::new());
    for process in 0..processes {
        let mut command = Command::new(&program);
        command.args(arguments);
        command.arg("--hostfile").arg(hostfile.path());
        command.arg("--process").arg(process.to_string());
        if process > 0 {
            // After a failure all processes print the same message, so the output of process 0 is
            // enough.
            command.stdin(Stdio::null()).stdout(Stdio::null());
            command.stderr(Stdio::piped());
        }
        children.0.push(Some(command.spawn().map_err(failed)?));
    }
    wait(children)
}

/// Waits for all child processes. Returns the exit code of process 0 if that process failed;
/// otherwise the exit code of the first process that failed, or 0 if none failed.
fn wait(mut children: Children) -> Result<u8, Failure> {
    let failed = |error: std::io::Error| Failure::table(format!("cannot wait: {error}"));
    let mut worst: Option<(usize, ExitStatus)> = None;
    let (mut line, mut deadline, mut passed_on) = (None, None, 0);
    while children.0.iter().any(Option::is_some) {
        // After the first signal, the processes save the build at the end of the level and then
        // end. There is no time limit for this.
        if interrupts() > passed_on {
            passed_on = interrupts();
            children.interrupt();
            if passed_on > 1 {
                deadline = Some(Instant::now() + SHORT);
            }
        }
        for (process, slot) in children.0.iter_mut().enumerate() {
            let Some(child) = slot else { continue };
            let Some(status) = child.try_wait().map_err(failed)? else {
                continue;
            };
            if !status.success() {
                deadline.get_or_insert(Instant::now() + EXIT_TIMEOUT);
                if process > 0 && line.is_none() {
                    let lines = child.stderr.take().map(|pipe| BufReader::new(pipe).lines());
                    line = lines.and_then(|lines| lines.map_while(Result::ok).last());
                }
                if worst.is_none() || process == 0 {
                    worst = Some((process, status));
                }
            }
            *slot = None;
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            // A stopped process cannot end by itself.
            children.kill();
        }
        std::thread::sleep(INTERVAL);
    }
    let Some((process, status)) = worst else {
        return Ok(0);
    };
    let code = status.code().map(|code| code as u8);
    if process > 0 || code.is_none() {
        // Process 0 has not printed the failure.
        match line {
            Some(line) => print_note(line.trim_start_matches("pdb-gen-dist: ")),
            None => print_note(format_args!("process {process} has ended: {status}")),
        }
    }
    Ok(code.unwrap_or(match is_interrupted() {
        true => EXIT_INTERRUPTED,
        false => EXIT_TABLE,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostfile_has_one_line_per_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hosts");
        let read = |lines: usize, processes| {
            std::fs::write(&path, "  one:2101\n\n".repeat(lines)).unwrap();
            read_hostfile(&path, processes)
        };
        for lines in [1, 2, ShapePartition::MAX_PARTS] {
            assert_eq!(read(lines, None), Ok(vec!["one:2101".to_owned(); lines]));
            assert_eq!(read(lines, Some(1)), Ok(vec!["one:2101".to_owned()]));
        }
        for lines in [0, ShapePartition::MAX_PARTS + 1] {
            let refused = read(lines, None).unwrap_err();
            let words = format!("{lines} addresses: must be 1 to 256, one per line");
            assert!(refused.message().ends_with(&words), "{refused:?}");
        }
        // Only the first 256 addresses are used.
        assert_eq!(read(300, Some(256)).map(|hosts| hosts.len()), Ok(256));
        let refused = read(2, Some(3)).unwrap_err();
        assert!(
            refused
                .message()
                .ends_with("2 addresses for 3 processes: must be one line per process")
        );
    }
}
