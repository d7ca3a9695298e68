//! Hostfile: one line per process with its address and port, in timely's format.

use std::path::Path;

use command::Failure;
use pdb_gen::ShapePartition;

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
