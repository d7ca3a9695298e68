//! Handshake: greetings between two processes before timely takes over their connection. Each
//! process checks that the other process has the same job.
//!
//! A greeting consists of [`MAGIC`], the length of the text (four bytes), and a [`Greeting`] as
//! JSON.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use pdb_gen::ShapePartition;
use pdb_table::Encoding;
use puzzle::TableId;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::job::{Job, Task};

/// Version of the protocol between processes. It changes with every change of the messages.
pub const PROTOCOL: u32 = 3;

const MAGIC: [u8; 8] = *b"PDBDIST\n";
/// Longest greeting, in bytes.
const LONGEST: usize = 1 << 20;
/// Time limit for the handshake with a partner.
pub(crate) const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// Description of a process's job. All fields except `process` must be equal in all processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// Version of the protocol and of the program.
    version: String,
    pub(crate) process: usize,
    processes: usize,
    task: String,
    /// Names of the tables, and their encoding.
    tables: String,
    /// The options that must be the same for all processes.
    options: String,
    /// The [`shape_partition_sum`] of each table. Absent before version 2 of the protocol.
    #[serde(default, rename = "deals")]
    shape_partitions: String,
}

impl Hello {
    /// Describes the job of a process.
    pub(crate) fn new(job: &Job, process: usize, processes: usize) -> Self {
        let names: Vec<String> = job.tables.iter().map(TableId::name).collect();
        let task = match job.task {
            Task::Build => "build",
            Task::Verify => "verify",
        };
        let options = [
            (job.parts, "--parts"),
            (job.force, "--force"),
            (job.resume, "--resume"),
        ];
        let options = options.iter().filter(|option| option.0);
        let options: Vec<&str> = options.map(|option| option.1).collect();
        let shape_partitions = job.tables.iter().map(|id| {
            let shape_partition = ShapePartition::new(id.tray(), id.tiles().len(), processes);
            format!("{:016x}", shape_partition_sum(&shape_partition))
        });
        Hello {
            version: format!("{} protocol {PROTOCOL}", env!("CARGO_PKG_VERSION")),
            process,
            processes,
            task: task.to_owned(),
            tables: format!("{} {}", names.join(" "), Encoding::OneBit),
            options: options.join(" "),
            shape_partitions: shape_partitions.collect::<Vec<_>>().join(" "),
        }
    }

    /// Message about the first difference, with the values of the partner and of this process.
    pub(crate) fn difference(&self, other: &Hello) -> Option<String> {
        let processes = [self, other].map(|hello| hello.processes.to_string());
        let fields = [
            ("version", &self.version, &other.version),
            ("number of processes", &processes[0], &processes[1]),
            ("task", &self.task, &other.task),
            ("tables", &self.tables, &other.tables),
            ("options", &self.options, &other.options),
            (
                "assignment of the rows",
                &self.shape_partitions,
                &other.shape_partitions,
            ),
        ];
        let (name, own, others) = fields.into_iter().find(|(_, own, others)| own != others)?;
        Some(format!(
            "has the {name} \"{others}\", this process \"{own}\": start all with the same options \
             and program"
        ))
    }
}

/// Checksum of [`ShapePartition::weights`].
pub(crate) fn shape_partition_sum(shape_partition: &ShapePartition) -> u64 {
    let weights = shape_partition.weights().iter();
    let bytes: Vec<u8> = weights.flat_map(|weight| weight.to_le_bytes()).collect();
    XxHash3_64::oneshot(&bytes)
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Greeting {
    Hello(Hello),
    /// The process is connected to all other processes.
    Ready,
    /// The process ends with this exit code and message.
    End(u8, String),
}

impl Greeting {
    pub(crate) fn write(&self, stream: &mut TcpStream) -> io::Result<()> {
        let text = serde_json::to_vec(self)?;
        let length = (text.len() as u32).to_le_bytes();
        stream.write_all(&[&MAGIC, &length[..], &text].concat())
    }

    pub(crate) fn read(stream: &mut impl Read) -> io::Result<Greeting> {
        let wrong = io::Error::other::<&str>;
        // The bytes are read one by one, because the first wrong byte identifies a foreign program
        // even if the program sends no more.
        for expected in MAGIC {
            let mut byte = [0];
            let read = stream.read_exact(&mut byte);
            read.map_err(|error| match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => wrong("it sends nothing"),
                _ => error,
            })?;
            if byte != [expected] {
                return Err(wrong("it uses another protocol"));
            }
        }
        let mut length = [0; 4];
        stream.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST {
            return Err(wrong("it uses another protocol"));
        }
        let mut text = vec![0; length];
        stream.read_exact(&mut text)?;
        serde_json::from_slice(&text).map_err(|_| wrong("it uses another version of the protocol"))
    }
}

/// Sends the handshake of this process and returns that of the partner.
pub(crate) fn exchange(stream: &mut TcpStream, hello: &Hello) -> io::Result<Hello> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT))?;
    stream.set_write_timeout(Some(HANDSHAKE_TIMEOUT))?;
    Greeting::Hello(hello.clone()).write(stream)?;
    let greeting = Greeting::read(stream)?;
    stream.set_write_timeout(None)?;
    match greeting {
        Greeting::Hello(hello) => Ok(hello),
        _ => Err(io::Error::other(
            "it sends another message instead of hello",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_partition_and_an_older_partner_are_rejected() {
        let hello = Hello {
            version: "1 protocol 2".to_owned(),
            process: 0,
            processes: 2,
            task: "build".to_owned(),
            tables: "table".to_owned(),
            options: String::new(),
            shape_partitions: "00ff".to_owned(),
        };
        assert_eq!(hello.difference(&hello), None);
        let other = Hello {
            shape_partitions: "00fe".to_owned(),
            ..hello.clone()
        };
        let line = hello.difference(&other).unwrap_or_default();
        assert!(
            ["00ff", "00fe", "rows"]
                .iter()
                .all(|word| line.contains(word)),
            "{line}"
        );
        let older = r#"{"version":"1 protocol 1","process":1,"processes":2,"task":"build",
            "tables":"table","options":""}"#;
        let older: Option<Hello> = serde_json::from_str(older).ok();
        let line = older.and_then(|older| hello.difference(&older));
        assert!(line.is_some_and(|line| line.contains("version")));
    }
}
