//! Connections to all partners.
//!
//! The connections are made here and passed to timely (`initialize_networking_from_sockets`).
//! Timely's own code prints to standard output, retries forever, and panics when a foreign program
//! sends data. As in timely, a process connects to the processes with lower numbers and accepts
//! connections from those with higher numbers. Both sides send a hello immediately. A process is
//! ready when it has received the hello of all partners.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs as _};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use command::Failure;
use timely::communication::allocator::zero_copy::stream::Stream;

use crate::cluster::{Cluster, wait_for_end};
use crate::handshake::{Greeting, HANDSHAKE_TIMEOUT, Hello, exchange};
use crate::terminal::is_interrupted;

/// Time between the first two attempts to connect. The time doubles after each attempt, up to
/// [`INTERVAL`].
const FIRST_INTERVAL: Duration = Duration::from_millis(5);
/// Longest time between two attempts to connect.
const INTERVAL: Duration = Duration::from_millis(200);
/// Time that this process waits after a failure, so that the other processes receive the message
/// about it.
const LINGER: Duration = Duration::from_millis(1500);
/// Time between two checks for new connections.
const LOOK: Duration = Duration::from_millis(5);
/// Maximum time to wait for the other processes. A longer wait could overflow the deadline.
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// Event from a helper thread to the connecting thread.
enum ConnectEvent {
    /// A partner has sent its hello.
    Hello(TcpStream, Hello),
    /// An attempt to connect to a partner failed with this error. The attempt will be repeated.
    Retry(usize, String),
    /// A partner's message after the hello.
    Greeting(usize, io::Result<Greeting>),
    /// This process cannot continue.
    Failure(Failure),
    /// Another program has connected and was rejected for this reason.
    Foreign(String),
}

type Events = Sender<ConnectEvent>;

/// Connects to all partners; waits at most `wait`.
///
/// # Errors
/// The first failure of this process or a partner. A failure of this process is also sent to the
/// partners.
pub(crate) fn connect(
    cluster: &Arc<Cluster>,
    hello: Hello,
    wait: Duration,
) -> Result<Vec<Option<Wire>>, Failure> {
    let (sender, events) = mpsc::channel();
    let mut connector = Connector {
        cluster,
        hello: Arc::new(hello),
        wait,
        deadline: Instant::now() + wait.min(LONGEST_WAIT),
        partners: cluster
            .hosts
            .iter()
            .map(|_| Connection::default())
            .collect(),
        foreign: None,
        listener: None,
        mismatch: None,
        events,
        sender,
    };
    let result = connector.run();
    if let Err(failure) = &result {
        connector.tell_all(failure);
    }
    result?;
    let partners = connector.partners.into_iter().enumerate();
    let wire = |(process, partner): (usize, Connection)| {
        Some(Wire::new(partner.stream?, Arc::clone(cluster), process))
    };
    Ok(partners.map(wire).collect())
}

/// Connection to a partner.
#[derive(Default)]
struct Connection {
    stream: Option<TcpStream>,
    /// Error of the last attempt to connect.
    retry: Option<String>,
    /// Whether the partner is connected to all other processes.
    is_ready: bool,
}

struct Connector<'a> {
    cluster: &'a Arc<Cluster>,
    hello: Arc<Hello>,
    wait: Duration,
    deadline: Instant,
    partners: Vec<Connection>,
    /// Message about the last foreign program that has connected.
    foreign: Option<String>,
    /// Closed when all partners are connected, so no port is open during the build.
    listener: Option<TcpListener>,
    /// A difference between the jobs of two processes. It is reported after all partners are
    /// connected, so that the message reaches all partners.
    mismatch: Option<Failure>,
    events: Receiver<ConnectEvent>,
    sender: Events,
}

impl Connector<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        let (cluster, me) = (self.cluster, self.cluster.me);
        if me + 1 < cluster.processes() {
            // Unlike in timely, a process has only one address.
            let address = &cluster.hosts[me];
            let failed = |error| {
                Failure::table(format!(
                    "cannot listen on {address}, the address of process {me}: {error}; end the \
                     program that uses it, or correct the hostfile"
                ))
            };
            let listener = TcpListener::bind(address).map_err(failed)?;
            listener.set_nonblocking(true).map_err(failed)?;
            self.listener = Some(listener);
        }
        for partner in 0..me {
            let cluster = Arc::clone(cluster);
            self.spawn(move |hello, sender| reach(partner, &cluster, hello, sender));
        }
        self.partners[me].is_ready = true;
        let mut is_told = false;
        loop {
            let missing = self.others_where(|partner| partner.stream.is_none());
            if missing.is_empty() {
                self.mismatch.take().map_or(Ok(()), Err)?;
                if !std::mem::replace(&mut is_told, true) {
                    for partner in &mut self.partners {
                        // A write error means that the partner has ended. The thread that reads
                        // from the partner reports this.
                        let stream = partner.stream.as_mut();
                        let _ = stream.map(|stream| Greeting::Ready.write(stream));
                    }
                }
                if self.partners.iter().all(|partner| partner.is_ready) {
                    return Ok(());
                }
            }
            if is_interrupted() {
                let line = "interrupted before all processes were connected; nothing is lost";
                return Err(Failure::interrupted(line));
            }
            let next = self.next();
            next.map_err(|failure| self.mismatch.take().unwrap_or(failure))?;
        }
    }

    /// Starts a thread that runs `work` and then sends the event that `work` returned.
    fn spawn(&self, work: impl FnOnce(&Hello, &Events) -> ConnectEvent + Send + 'static) {
        let (hello, sender) = (Arc::clone(&self.hello), self.sender.clone());
        std::thread::spawn(move || {
            let event = work(&hello, &sender);
            let _ = sender.send(event);
        });
    }

    /// Accepts waiting connections and exchanges hellos.
    fn accept(&self) {
        // Errors, such as too many open files, are ignored: the next call tries again.
        while let Some(Ok((mut stream, peer))) = self.listener.as_ref().map(TcpListener::accept) {
            if stream.set_nonblocking(false).is_ok() {
                self.spawn(move |hello, _| match exchange(&mut stream, hello) {
                    Ok(hello) => ConnectEvent::Hello(stream, hello),
                    Err(error) => ConnectEvent::Foreign(format!(
                        "{peer} is not a pdb-gen-dist process: {error}"
                    )),
                });
            }
        }
    }

    /// Waits for the next event.
    fn next(&mut self) -> Result<(), Failure> {
        self.accept();
        let left = self.deadline.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(left.min(LOOK)) {
            Ok(ConnectEvent::Hello(stream, hello)) => self.meet(stream, &hello)?,
            Ok(ConnectEvent::Greeting(partner, Ok(Greeting::Ready))) => {
                self.partners[partner].is_ready = true;
            }
            Ok(ConnectEvent::Greeting(_, Ok(Greeting::End(exit, line)))) => {
                return Err(Failure::new(exit, line));
            }
            Ok(ConnectEvent::Greeting(partner, _)) => {
                let name = self.cluster.name(partner);
                return Err(Failure::table(format!("{name} ended before the start")));
            }
            Ok(ConnectEvent::Failure(failure)) => return Err(failure),
            Ok(ConnectEvent::Foreign(line)) => self.foreign = Some(line),
            Ok(ConnectEvent::Retry(partner, why)) => self.partners[partner].retry = Some(why),
            Err(_) if left > LOOK => {}
            Err(_) => return Err(self.timeout()),
        }
        Ok(())
    }

    /// Message about the processes that did not connect in time.
    fn timeout(&self) -> Failure {
        let mut late = self.others_where(|partner| partner.stream.is_none());
        if late.is_empty() {
            // All partners are connected to this process, but some of them still wait for another
            // process.
            late = self.others_where(|partner| !partner.is_ready);
        }
        let names: Vec<String> = late.iter().map(|&who| self.cluster.name(who)).collect();
        let retries = late.iter().filter_map(|&who| {
            let why = self.partners[who].retry.as_ref()?;
            Some(format!(" (process {who}: {why})"))
        });
        let foreign = self.foreign.iter().map(|line| format!(" ({line})"));
        Failure::table(format!(
            "{} did not connect within {} s{}: start all processes, or increase --wait",
            names.join(", "),
            self.wait.as_secs_f64(),
            retries.chain(foreign).collect::<String>()
        ))
    }

    /// Numbers of the other processes for which `is_one` is true.
    fn others_where(&self, is_one: impl Fn(&Connection) -> bool) -> Vec<usize> {
        let others = (0..self.partners.len()).filter(|&process| process != self.cluster.me);
        others
            .filter(|&process| is_one(&self.partners[process]))
            .collect()
    }

    /// Checks a partner's hello and keeps its connection.
    fn meet(&mut self, stream: TcpStream, hello: &Hello) -> Result<(), Failure> {
        let process = hello.process;
        if let Some(difference) = self.hello.difference(hello) {
            let line = format!("{} {difference}", self.cluster.name(process));
            self.mismatch.get_or_insert(Failure::input(line));
            self.deadline = self.deadline.min(Instant::now() + 2 * INTERVAL + LINGER);
        }
        let partner = self.partners.get(process);
        let is_new = partner.is_some_and(|partner| partner.stream.is_none());
        if !is_new || process == self.cluster.me {
            let line = format!("{} was started twice", self.cluster.name(process));
            return match self.mismatch {
                Some(_) => Ok(()),
                None => Err(Failure::input(line)),
            };
        }
        if let Ok(mut reader) = stream.try_clone() {
            self.spawn(move |_, _| {
                let _ = reader.set_read_timeout(None);
                ConnectEvent::Greeting(process, Greeting::read(&mut reader))
            });
        }
        self.partners[process].stream = Some(stream);
        Ok(())
    }

    /// Sends this process's failure to all reachable partners.
    fn tell_all(&mut self, failure: &Failure) {
        let cluster = self.cluster;
        let line = match failure.message().contains("process ") {
            true => failure.message().to_owned(),
            false => format!("{}: {}", cluster.name(cluster.me), failure.message()),
        };
        let end = Greeting::End(failure.exit(), line);
        for (process, partner) in self.partners.iter_mut().enumerate() {
            if let Some(stream) = &mut partner.stream {
                let _ = stream.set_write_timeout(Some(INTERVAL));
                let _ = end.write(stream);
            } else if process < cluster.me {
                // Connects in parallel, so that many unreachable hosts take no longer than one.
                let (host, end) = (cluster.hosts[process].clone(), end.clone());
                let hello = Greeting::Hello(Hello::clone(&self.hello));
                std::thread::spawn(move || {
                    if let Ok(mut stream) = open(&host, 2 * INTERVAL) {
                        let _ = hello.write(&mut stream);
                        let _ = end.write(&mut stream);
                        std::thread::sleep(LINGER);
                    }
                });
            }
        }
        // Also sends the failure to processes that connect now. Keeps all connections open
        // meanwhile: closing a connection with unread bytes would reset it and lose the message.
        let begin = Instant::now();
        let mut late = Vec::new();
        while begin.elapsed() < LINGER {
            self.accept();
            if let Ok(ConnectEvent::Hello(mut stream, _)) = self.events.recv_timeout(LOOK) {
                let _ = end.write(&mut stream);
                late.push(stream);
            }
        }
    }
}

/// Connects to a partner, which may not have started yet.
fn reach(partner: usize, cluster: &Cluster, hello: &Hello, sender: &Events) -> ConnectEvent {
    let (name, address) = (cluster.name(partner), &cluster.hosts[partner]);
    let retry = |error: &io::Error, interval| {
        let _ = sender.send(ConnectEvent::Retry(partner, error.to_string()));
        std::thread::sleep(interval);
    };
    let mut interval = FIRST_INTERVAL;
    loop {
        let mut stream = match open(address, HANDSHAKE_TIMEOUT) {
            Ok(stream) => stream,
            // An invalid address: retrying is useless.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                let line = format!("{name}: {error}; correct the hostfile");
                return ConnectEvent::Failure(Failure::input(line));
            }
            Err(error) => {
                retry(&error, interval);
                interval = INTERVAL.min(2 * interval);
                continue;
            }
        };
        return match exchange(&mut stream, hello) {
            Ok(hello) if hello.process == partner => ConnectEvent::Hello(stream, hello),
            Ok(Hello { process, .. }) => ConnectEvent::Failure(Failure::input(format!(
                "{name} is process {process}: all processes need the same hostfile"
            ))),
            // The partner has ended or is about to end.
            Err(error) if has_closed(&error) => {
                retry(&error, INTERVAL);
                continue;
            }
            Err(error) => ConnectEvent::Failure(Failure::table(format!(
                "another program answers at {address}, the address of {name}: {error}; end it, or \
                 correct the hostfile"
            ))),
        };
    }
}

/// Whether the other side has closed the connection.
fn has_closed(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(
        error.kind(),
        UnexpectedEof | ConnectionReset | ConnectionAborted | BrokenPipe
    )
}

fn open(address: &str, timeout: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::other("host not found");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, timeout) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// A connection to a partner: timely reads from it and writes to it. The bytes are counted here. The
/// end of the connection is also handled here, because timely itself can panic when a connection
/// ends.
pub(crate) struct Wire {
    stream: TcpStream,
    cluster: Arc<Cluster>,
    partner: usize,
}

/// Maximum time that this process needs to finish after a partner has finished and closed its
/// connection.
const GRACE: Duration = Duration::from_millis(1000);
/// Time between two checks of whether this process has finished.
const CHECK: Duration = Duration::from_millis(10);

impl Wire {
    pub(crate) fn new(stream: TcpStream, cluster: Arc<Cluster>, partner: usize) -> Self {
        if stream.peer_addr().is_ok_and(|peer| peer.ip().is_loopback()) {
            cluster.set_near(partner);
        }
        Wire {
            stream,
            cluster,
            partner,
        }
    }

    /// Handles the end of the connection. Returns if the build is finished. Otherwise the partner
    /// is lost, and the calling thread, which belongs to timely, waits until the process ends.
    fn closed(&self, how: &str) {
        for _ in 0..GRACE.as_millis() / CHECK.as_millis() {
            if self.cluster.is_finished() {
                return;
            }
            std::thread::sleep(CHECK);
        }
        self.cluster.lost(self.partner, how);
        wait_for_end();
    }
}

impl Read for Wire {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(bytes) {
                Ok(0) => self.closed("has closed the connection"),
                Ok(count) => {
                    self.cluster.hear(self.partner, count);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => self.closed(&format!("is lost: {error}")),
            }
            return Ok(0);
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(count) => {
                self.cluster.count_sent(count);
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.closed(&format!("is lost: {error}"));
                // `closed` returns only if the build is finished. These bytes are no longer needed.
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Self> {
        let stream = self.stream.try_clone()?;
        Ok(Wire::new(stream, Arc::clone(&self.cluster), self.partner))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        match self.stream.shutdown(how) {
            // The partner has closed the connection first.
            Err(error) if error.kind() == io::ErrorKind::NotConnected => Ok(()),
            done => done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::time::Instant;

    /// Both ends of a connection.
    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (stream, listener.accept().unwrap().0)
    }

    #[test]
    fn shutdown_succeeds_if_the_partner_was_first() {
        let (stream, partner) = pair();
        let cluster = Arc::new(Cluster::new(0, vec!["a:1".to_owned(), "b:1".to_owned()]));
        let own = stream.try_clone().unwrap();
        let wire = Wire::new(stream, Arc::clone(&cluster), 1);
        assert!(cluster.is_near(1));
        drop(partner);
        assert!(own.shutdown(Shutdown::Both).is_ok());
        let begin = Instant::now();
        // When both ends are shut down, the system reports that there is no connection.
        while own.shutdown(Shutdown::Both).is_ok() {
            assert!(begin.elapsed() < Duration::from_secs(600), "it hangs");
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(wire.shutdown(Shutdown::Both).is_ok());
    }
}
