//! What partners tell each other first: whether they are about to do the same work.

use serde::{Deserialize, Serialize};

/// The version of what is sent between processes. It changes with every change of that.
pub const PROTOCOL: u32 = 3;

/// What a process is about to do. All must do the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// Version of the protocol and of the program.
    pub(crate) version: String,
    /// The number of this process.
    pub(crate) process: usize,
    /// How many there are.
    pub(crate) processes: usize,
    /// Building or verifying.
    pub(crate) task: String,
    /// The names of the tables, and their encoding.
    pub(crate) tables: String,
    /// The options that all must have alike.
    pub(crate) options: String,
    /// The sums of what the shapes of each table are dealt out by. Versions before the second of
    /// the protocol do not say it.
    #[serde(default)]
    pub(crate) deals: String,
}

impl Hello {
    /// What is different, in words: the partner's value and this one's.
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

/// A message before timely takes the connection over.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Greeting {
    Hello(Hello),
    /// The process is connected to all others.
    Ready,
    /// The process ends: its exit code, and why.
    End(u8, String),
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
