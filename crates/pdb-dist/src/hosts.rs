//! The hostfile: a line for each process, its address and port, as timely has it.

use std::path::Path;

use pdb_gen::Deal;

use crate::failure::Failure;

/// Reads the addresses of all processes, in their order. Empty lines are left out.
///
/// # Errors
/// The file cannot be read, or is no hostfile of at least `processes` lines.
pub fn read_hostfile(path: &Path, processes: Option<usize>) -> Result<Vec<String>, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| Failure::input(format!("{name}: {error}")))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut hosts: Vec<String> = lines.map(str::to_owned).collect();
    for host in &hosts {
        let port = host.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        if !matches!(port, Some(Ok(1..))) {
            return Err(Failure::input(format!(
                "{name}: \"{host}\" is no address with a port, such as 10.0.0.1:2101"
            )));
        }
    }
    if let Some(processes) = processes {
        if hosts.len() < processes {
            return Err(Failure::input(format!(
                "{name}: {} addresses for {processes} processes: one line each",
                hosts.len()
            )));
        }
        // As with timely, a longer file is one of which the first lines count.
        hosts.truncate(processes);
    }
    if hosts.is_empty() || hosts.len() > Deal::MAX_PARTS {
        return Err(Failure::input(format!(
            "{name}: {} addresses: give 1 to {}, a line each",
            hosts.len(),
            Deal::MAX_PARTS
        )));
    }
    Ok(hosts)
}
