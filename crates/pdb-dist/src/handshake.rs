//! Greetings between two processes before timely takes their connection over: whether both are
//! about to do the same work.
//!
//! A greeting is [`MAGIC`], the length of the text as four bytes, and a [`Greeting`] as JSON.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use pdb_gen::Deal;
use pdb_table::Encoding;
use puzzle::TableId;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::job::{Job, Task};

/// The version of what is sent between processes. It changes with every change of that.
pub const PROTOCOL: u32 = 3;

const MAGIC: [u8; 8] = *b"PDBDIST\n";
/// The longest greeting, in bytes.
const LONGEST: usize = 1 << 20;
/// Time limit of a partner's handshake.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// The task of a process. All must have the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// Version of the protocol and of the program.
    version: String,
    pub(crate) process: usize,
    processes: usize,
    task: String,
    /// The names of the tables, and their encoding.
    tables: String,
    /// The options that all must have alike.
    options: String,
    /// The [`deal_sum`] of each table. Missing before version 2 of the protocol.
    #[serde(default)]
    deals: String,
}

impl Hello {
    /// A process's description of the job.
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
        let deals = job.tables.iter().map(|id| {
            let deal = Deal::new(id.tray(), id.tiles().len(), processes);
            format!("{:016x}", deal_sum(&deal))
        });
        Hello {
            version: format!("{} protocol {PROTOCOL}", env!("CARGO_PKG_VERSION")),
            process,
            processes,
            task: task.to_owned(),
            tables: format!("{} {}", names.join(" "), Encoding::OneBit),
            options: options.join(" "),
            deals: deals.collect::<Vec<_>>().join(" "),
        }
    }

    /// The difference in words: the partner's value and this one's.
    pub(crate) fn difference(&self, other: &Hello) -> Option<String> {
        let processes = [self, other].map(|hello| hello.processes.to_string());
        let fields = [
            ("version", &self.version, &other.version),
            ("number of processes", &processes[0], &processes[1]),
            ("task", &self.task, &other.task),
            ("tables", &self.tables, &other.tables),
            ("options", &self.options, &other.options),
            ("deal of the rows", &self.deals, &other.deals),
        ];
        let (name, own, others) = fields.into_iter().find(|(_, own, others)| own != others)?;
        Some(format!(
            "has \"{others}\" as its {name}, this process \"{own}\": start all alike, with the same program"
        ))
    }
}

/// A checksum of the weights by which shapes are dealt out: the same for the same deal.
pub(crate) fn deal_sum(deal: &Deal) -> u64 {
    let weights = deal.weights().iter();
    let bytes: Vec<u8> = weights.flat_map(|weight| weight.to_le_bytes()).collect();
    XxHash3_64::oneshot(&bytes)
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Greeting {
    Hello(Hello),
    /// The process is connected to all others.
    Ready,
    /// The process ends: its exit code, and why.
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
        // A byte is enough to know a foreign program that says little.
        for expected in MAGIC {
            let mut byte = [0];
            let read = stream.read_exact(&mut byte);
            read.map_err(|error| match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => wrong("it says nothing"),
                _ => error,
            })?;
            if byte != [expected] {
                return Err(wrong("it speaks another protocol"));
            }
        }
        let mut length = [0; 4];
        stream.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST {
            return Err(wrong("it speaks another protocol"));
        }
        let mut text = vec![0; length];
        stream.read_exact(&mut text)?;
        serde_json::from_slice(&text)
            .map_err(|_| wrong("it speaks another version of the protocol"))
    }
}

/// Sends the own hello and returns the partner's.
pub(crate) fn exchange(stream: &mut TcpStream, hello: &Hello) -> io::Result<Hello> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Greeting::Hello(hello.clone()).write(stream)?;
    let greeting = Greeting::read(stream)?;
    stream.set_write_timeout(None)?;
    match greeting {
        Greeting::Hello(hello) => Ok(hello),
        _ => Err(io::Error::other("it says something else than hello")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_deal_and_an_older_partner_are_refused() {
        let hello = Hello {
            version: "1 protocol 2".to_owned(),
            process: 0,
            processes: 2,
            task: "build".to_owned(),
            tables: "table".to_owned(),
            options: String::new(),
            deals: "00ff".to_owned(),
        };
        assert_eq!(hello.difference(&hello), None);
        let other = Hello {
            deals: "00fe".to_owned(),
            ..hello.clone()
        };
        let line = hello.difference(&other).unwrap_or_default();
        assert!(
            ["00ff", "00fe", "deal"]
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
