//! The hostfile: a line for each process, its address and port, as timely has it.

use std::path::Path;

use command::Failure;
use pdb_gen::Deal;

/// Reads the addresses of all processes, in their order. Empty lines are left out.
///
/// # Errors
/// The file cannot be read, or is no hostfile of at least `processes` lines.
pub fn read_hostfile(path: &Path, processes: Option<usize>) -> Result<Vec<String>, Failure> {
    let wrong = |line: String| Failure::input(format!("{}: {line}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut hosts: Vec<String> = lines.map(str::to_owned).collect();
    for host in &hosts {
        let port = host.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        if !matches!(port, Some(Ok(1..))) {
            let line = "is no address with a port, such as 10.0.0.1:2101";
            return Err(wrong(format!("\"{host}\" {line}")));
        }
    }
    let count = hosts.len();
    if let Some(processes) = processes {
        if count < processes {
            let line = format!("{count} addresses for {processes} processes: one line each");
            return Err(wrong(line));
        }
        // As with timely, a longer file is one of which the first lines count.
        hosts.truncate(processes);
    }
    if hosts.is_empty() || hosts.len() > Deal::MAX_PARTS {
        let (count, most) = (hosts.len(), Deal::MAX_PARTS);
        let line = format!("{count} addresses: give 1 to {most}, a line each");
        return Err(wrong(line));
    }
    Ok(hosts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostfile_has_as_many_lines_as_a_build_has_processes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hosts");
        let read = |lines: usize, processes| {
            std::fs::write(&path, "  one:2101\n\n".repeat(lines)).unwrap();
            read_hostfile(&path, processes)
        };
        for lines in [1, 2, Deal::MAX_PARTS] {
            assert_eq!(read(lines, None), Ok(vec!["one:2101".to_owned(); lines]));
            assert_eq!(read(lines, Some(1)), Ok(vec!["one:2101".to_owned()]));
        }
        for lines in [0, Deal::MAX_PARTS + 1] {
            let refused = read(lines, None).unwrap_err();
            let words = format!("{lines} addresses: give 1 to 256, a line each");
            assert!(refused.message().ends_with(&words), "{refused:?}");
        }
        // Of a longer file the first lines count.
        assert_eq!(read(300, Some(256)).map(|hosts| hosts.len()), Ok(256));
        let refused = read(2, Some(3)).unwrap_err();
        assert!(
            refused
                .message()
                .ends_with("2 addresses for 3 processes: one line each")
        );
    }
}
