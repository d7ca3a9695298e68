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
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use command::Failure;

use crate::cluster::Cluster;
use crate::handshake::{Greeting, Hello, PATIENCE, exchange};
use crate::interrupt::is_interrupted;
use crate::wire::Wire;

/// Time between two attempts to connect, at first and in the end.
const FIRST_INTERVAL: Duration = Duration::from_millis(5);
const INTERVAL: Duration = Duration::from_millis(200);
/// How long others are given to hear why this process ends.
const LINGER: Duration = Duration::from_millis(1500);
/// Time between two looks for new connections.
const LOOK: Duration = Duration::from_millis(5);
/// The longest wait: its end has to be a time that the system can name.
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// What a thread reports to the one that connects.
enum ConnectEvent {
    /// A partner has said hello.
    Hello(TcpStream, Hello),
    /// A partner was not reached, and is tried again.
    Retry(usize, String),
    /// What a partner said after hello.
    Greeting(usize, io::Result<Greeting>),
    /// This process cannot go on.
    Failure(Failure),
    /// Another program has connected, and was refused.
    Foreign(String),
}

/// Connects to all partners; waits for them at most so long.
///
/// # Errors
/// The line of the first thing that went wrong, which the others are told.
pub(crate) fn connect(
    cluster: &Arc<Cluster>,
    hello: Hello,
    wait: Duration,
) -> Result<Vec<Option<Wire>>, Failure> {
    let mut connector = Connector::new(cluster, hello, wait);
    let result = connector.run();
    if let Err(failure) = &result {
        connector.tell_all(failure);
    }
    // Nothing listens during the work.
    connector.stop.store(true, Ordering::SeqCst);
    if let Some(listener) = connector.listener.take() {
        let _ = listener.join();
    }
    result?;
    let partners = connector.partners.into_iter().enumerate();
    let wire = |(process, partner): (usize, Partner)| {
        Some(Wire::new(partner.stream?, Arc::clone(cluster), process))
    };
    Ok(partners.map(wire).collect())
}

/// A process, as far as this one is connected to it.
#[derive(Default)]
struct Partner {
    stream: Option<TcpStream>,
    /// Why the last try to reach it has failed.
    retry: Option<String>,
    /// It is connected to all others.
    is_ready: bool,
}

struct Connector<'a> {
    cluster: &'a Cluster,
    hello: Arc<Hello>,
    wait: Duration,
    deadline: Instant,
    partners: Vec<Partner>,
    /// The last other program that has connected, in words.
    foreign: Option<String>,
    /// Ends the thread that listens.
    stop: Arc<AtomicBool>,
    listener: Option<JoinHandle<()>>,
    /// A partner that does something else: all are met first, so that all know.
    mismatch: Option<Failure>,
    events: Receiver<ConnectEvent>,
    sender: Sender<ConnectEvent>,
}

impl<'a> Connector<'a> {
    fn new(cluster: &'a Cluster, hello: Hello, wait: Duration) -> Self {
        let (sender, events) = mpsc::channel();
        Connector {
            cluster,
            hello: Arc::new(hello),
            wait,
            deadline: Instant::now() + wait.min(LONGEST_WAIT),
            partners: cluster.hosts.iter().map(|_| Partner::default()).collect(),
            foreign: None,
            stop: Arc::default(),
            listener: None,
            mismatch: None,
            events,
            sender,
        }
    }

    fn run(&mut self) -> Result<(), Failure> {
        let (cluster, me) = (self.cluster, self.cluster.me);
        if cluster.processes() == 1 {
            return Ok(());
        }
        if me + 1 < cluster.processes() {
            let address = &cluster.hosts[me];
            let listener = listen(address).map_err(|error| {
                Failure::table(format!(
                    "cannot listen on {address}, the address of process {me}: {error}; end what \
                     uses it, or correct the hostfile"
                ))
            })?;
            let (sender, hello) = (self.sender.clone(), Arc::clone(&self.hello));
            let stop = Arc::clone(&self.stop);
            let accept = move || accept_all(&listener, &hello, &sender, &stop);
            self.listener = Some(std::thread::spawn(accept));
        }
        for partner in 0..me {
            let (sender, hello) = (self.sender.clone(), Arc::clone(&self.hello));
            let (name, address) = (cluster.name(partner), cluster.hosts[partner].clone());
            std::thread::spawn(move || reach(partner, &name, &address, &hello, &sender));
        }
        self.partners[me].is_ready = true;
        let mut is_told = false;
        loop {
            let missing = self.others_where(|partner| partner.stream.is_none());
            if missing.is_empty() {
                if let Some(failure) = self.mismatch.take() {
                    return Err(failure);
                }
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
            let next = self.next(missing);
            next.map_err(|failure| self.mismatch.take().unwrap_or(failure))?;
        }
    }

    /// Waits for the next event.
    fn next(&mut self, missing: Vec<usize>) -> Result<(), Failure> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(left.min(INTERVAL)) {
            Ok(ConnectEvent::Hello(stream, hello)) => self.meet(stream, &hello),
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
            Err(_) if left > INTERVAL => {}
            Err(_) => return Err(self.timeout(missing)),
        }
        Ok(())
    }

    /// The processes that did not come in time, and what is known of them.
    fn timeout(&self, missing: Vec<usize>) -> Failure {
        // One that is there, but waits for another itself, is named as well.
        let late = match missing.is_empty() {
            true => self.others_where(|partner| !partner.is_ready),
            false => missing,
        };
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
    fn others_where(&self, is_one: impl Fn(&Partner) -> bool) -> Vec<usize> {
        let others = (0..self.partners.len()).filter(|&process| process != self.cluster.me);
        others
            .filter(|&process| is_one(&self.partners[process]))
            .collect()
    }

    /// A partner has said hello.
    fn meet(&mut self, stream: TcpStream, hello: &Hello) {
        let process = hello.process;
        if let Some(difference) = self.hello.difference(hello) {
            let line = format!("{} {difference}", self.cluster.name(process));
            self.mismatch.get_or_insert(Failure::input(line));
            self.deadline = self.deadline.min(Instant::now() + 2 * INTERVAL + LINGER);
        }
        let partner = self.partners.get_mut(process);
        let partner = partner.filter(|partner| partner.stream.is_none());
        let Some(partner) = partner.filter(|_| process != self.cluster.me) else {
            if self.mismatch.is_none() {
                let line = format!("there are two of {}", self.cluster.name(process));
                let _ = self
                    .sender
                    .send(ConnectEvent::Failure(Failure::input(line)));
            }
            return;
        };
        if let Ok(mut reader) = stream.try_clone() {
            let sender = self.sender.clone();
            std::thread::spawn(move || {
                let _ = reader.set_read_timeout(None);
                let greeting = Greeting::read(&mut reader);
                let _ = sender.send(ConnectEvent::Greeting(process, greeting));
            });
        }
        partner.stream = Some(stream);
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
        while let Some(left) = LINGER.checked_sub(begin.elapsed()) {
            if let Ok(ConnectEvent::Hello(mut stream, _)) = self.events.recv_timeout(left) {
                let _ = end.write(&mut stream);
                late.push(stream);
            }
        }
    }
}

fn listen(address: &str) -> io::Result<TcpListener> {
    // Several addresses of one process, as timely has them, are not needed.
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Takes connections until `stop` is set.
fn accept_all(
    listener: &TcpListener,
    hello: &Arc<Hello>,
    sender: &Sender<ConnectEvent>,
    stop: &AtomicBool,
) {
    while !stop.load(Ordering::SeqCst) {
        // Where no file can be opened either, there is nothing to do but to wait.
        let Ok((mut stream, _)) = listener.accept() else {
            std::thread::sleep(LOOK);
            continue;
        };
        if stream.set_nonblocking(false).is_err() {
            continue;
        }
        let (hello, sender) = (Arc::clone(hello), sender.clone());
        std::thread::spawn(move || {
            let peer = stream.peer_addr();
            let peer = peer.map_or("?".to_owned(), |peer| peer.to_string());
            let event = match exchange(&mut stream, &hello) {
                Ok(hello) => ConnectEvent::Hello(stream, hello),
                Err(error) => ConnectEvent::Foreign(format!("{peer} is no pdb-gen-dist: {error}")),
            };
            let _ = sender.send(event);
        });
    }
}

/// Connects to a partner, which may not be there yet.
fn reach(partner: usize, name: &str, address: &str, hello: &Hello, sender: &Sender<ConnectEvent>) {
    let mut interval = FIRST_INTERVAL;
    let retry = |error: &io::Error, interval| {
        let _ = sender.send(ConnectEvent::Retry(partner, error.to_string()));
        std::thread::sleep(interval);
    };
    let failure = loop {
        let mut stream = match open(address, PATIENCE) {
            Ok(stream) => stream,
            // There is no such address: trying again is of no use.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                break Failure::input(format!("{name}: {error}; correct the hostfile"));
            }
            Err(error) => {
                retry(&error, interval);
                interval = INTERVAL.min(2 * interval);
                continue;
            }
        };
        match exchange(&mut stream, hello) {
            Ok(hello) if hello.process == partner => {
                let _ = sender.send(ConnectEvent::Hello(stream, hello));
                return;
            }
            Ok(other) => {
                break Failure::input(format!(
                    "{name} says that it is process {}: all need the same hostfile",
                    other.process
                ));
            }
            // It has ended while it was listening, or is about to.
            Err(error) if has_closed(&error) => retry(&error, INTERVAL),
            Err(error) => {
                break Failure::table(format!(
                    "what answers at {address} is not {name}: {error}; end it, or correct the \
                     hostfile"
                ));
            }
        }
    };
    let _ = sender.send(ConnectEvent::Failure(failure));
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
