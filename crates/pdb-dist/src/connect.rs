//! Connections to all partners.
//!
//! They are made here and handed to timely, which offers that
//! (`initialize_networking_from_sockets`), because timely's own way prints to standard output,
//! tries for ever and panics when a foreign program says something. As with timely, a process
//! connects to those with lower numbers and is connected to by the others. Both say hello at once,
//! and a process is ready when it has the hello of all.

use std::io;
use std::net::{TcpListener, TcpStream, ToSocketAddrs as _};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use command::Failure;

use crate::cluster::Cluster;
use crate::handshake::{Greeting, Hello, PATIENCE, exchange};
use crate::interrupt::is_interrupted;
use crate::wire::Wire;

/// Time between two attempts to connect, at first and in the end.
const FIRST_INTERVAL: Duration = Duration::from_millis(5);
const INTERVAL: Duration = Duration::from_millis(200);
/// Time for the others to receive the reason why this process ends.
const LINGER: Duration = Duration::from_millis(1500);
/// Time between two looks for new connections.
const LOOK: Duration = Duration::from_millis(5);
/// The longest wait: its end has to be a time that the system can name.
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// Reports of a thread to the connecting one.
enum ConnectEvent {
    /// A partner has said hello.
    Hello(TcpStream, Hello),
    /// A partner was not reached, and is tried again.
    Retry(usize, String),
    /// The partner's message after the handshake.
    Greeting(usize, io::Result<Greeting>),
    /// This process cannot go on.
    Failure(Failure),
    /// Another program has connected, and was refused.
    Foreign(String),
}

type Events = Sender<ConnectEvent>;

/// Connects to all partners; waits for them at most so long.
///
/// # Errors
/// The line of the first thing that went wrong, which the others are told.
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

/// A process, as far as this one is connected to it.
#[derive(Default)]
struct Connection {
    stream: Option<TcpStream>,
    /// Why the last try to reach it has failed.
    retry: Option<String>,
    /// It is connected to all others.
    is_ready: bool,
}

struct Connector<'a> {
    cluster: &'a Arc<Cluster>,
    hello: Arc<Hello>,
    wait: Duration,
    deadline: Instant,
    partners: Vec<Connection>,
    /// The last other program that has connected, in words.
    foreign: Option<String>,
    /// Closed when all are connected: nothing listens during the work.
    listener: Option<TcpListener>,
    /// A partner that does something else: all are met first, so that all know.
    mismatch: Option<Failure>,
    events: Receiver<ConnectEvent>,
    sender: Events,
}

impl Connector<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        let (cluster, me) = (self.cluster, self.cluster.me);
        if me + 1 < cluster.processes() {
            // Several addresses of one process, as timely has them, are not needed.
            let address = &cluster.hosts[me];
            let failed = |error| {
                Failure::table(format!(
                    "cannot listen on {address}, the address of process {me}: {error}; end what \
                     uses it, or correct the hostfile"
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
                        // One that cannot hear it has ended, which its reader says.
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

    /// Begins a thread that ends with an event.
    fn spawn(&self, work: impl FnOnce(&Hello, &Events) -> ConnectEvent + Send + 'static) {
        let (hello, sender) = (Arc::clone(&self.hello), self.sender.clone());
        std::thread::spawn(move || {
            let event = work(&hello, &sender);
            let _ = sender.send(event);
        });
    }

    /// Greets those that have connected.
    fn accept(&self) {
        // If no file can be opened either, it only waits.
        while let Some(Ok((mut stream, peer))) = self.listener.as_ref().map(TcpListener::accept) {
            if stream.set_nonblocking(false).is_ok() {
                self.spawn(move |hello, _| match exchange(&mut stream, hello) {
                    Ok(hello) => ConnectEvent::Hello(stream, hello),
                    Err(error) => {
                        ConnectEvent::Foreign(format!("{peer} is no pdb-gen-dist: {error}"))
                    }
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
                return Err(Failure::table(format!("{name} has ended before the start")));
            }
            Ok(ConnectEvent::Failure(failure)) => return Err(failure),
            Ok(ConnectEvent::Foreign(line)) => self.foreign = Some(line),
            Ok(ConnectEvent::Retry(partner, why)) => self.partners[partner].retry = Some(why),
            Err(_) if left > LOOK => {}
            Err(_) => return Err(self.timeout()),
        }
        Ok(())
    }

    /// The processes that did not come in time, and what is known of them.
    fn timeout(&self) -> Failure {
        let mut late = self.others_where(|partner| partner.stream.is_none());
        if late.is_empty() {
            // Those that are there, but wait for another themselves.
            late = self.others_where(|partner| !partner.is_ready);
        }
        let names: Vec<String> = late.iter().map(|&who| self.cluster.name(who)).collect();
        let retries = late.iter().filter_map(|&who| {
            let why = self.partners[who].retry.as_ref()?;
            Some(format!(" (process {who}: {why})"))
        });
        let foreign = self.foreign.iter().map(|line| format!(" ({line})"));
        Failure::table(format!(
            "{} did not come within {} s{}: start all, and let --wait be longer if that takes time",
            names.join(", "),
            self.wait.as_secs_f64(),
            retries.chain(foreign).collect::<String>()
        ))
    }

    /// The numbers of other processes of which this is true.
    fn others_where(&self, is_one: impl Fn(&Connection) -> bool) -> Vec<usize> {
        let others = (0..self.partners.len()).filter(|&process| process != self.cluster.me);
        others
            .filter(|&process| is_one(&self.partners[process]))
            .collect()
    }

    /// A partner has said hello.
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
            let line = format!("there are two of {}", self.cluster.name(process));
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

    /// Tells all others, as far as they are there, why this process ends.
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
                // All at the same time: many dead hosts take no longer than one.
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
        // Those that come now are told as well; and connections closed with bytes unread would be
        // reset, and the line lost.
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

/// Connects to a partner, which may not be there yet.
fn reach(partner: usize, cluster: &Cluster, hello: &Hello, sender: &Events) -> ConnectEvent {
    let (name, address) = (cluster.name(partner), &cluster.hosts[partner]);
    let retry = |error: &io::Error, interval| {
        let _ = sender.send(ConnectEvent::Retry(partner, error.to_string()));
        std::thread::sleep(interval);
    };
    let mut interval = FIRST_INTERVAL;
    loop {
        let mut stream = match open(address, PATIENCE) {
            Ok(stream) => stream,
            // There is no such address: trying again is of no use.
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
                "{name} says that it is process {process}: all need the same hostfile"
            ))),
            // It has ended while it was listening, or is about to.
            Err(error) if has_closed(&error) => {
                retry(&error, INTERVAL);
                continue;
            }
            Err(error) => ConnectEvent::Failure(Failure::table(format!(
                "what answers at {address} is not {name}: {error}; end it, or correct the hostfile"
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
    let mut last = io::Error::other("there is no such host");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, timeout) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}
