//! Connections to all partners.
//!
//! They are made here and handed to timely, which offers that
//! (`initialize_networking_from_sockets`), because what timely does itself at this point prints to
//! standard output, tries for ever and panics when a foreign program says something. As with
//! timely, a process connects to those with lower numbers and is connected to by the others. Both
//! say hello at once, and when a process has heard the hello of all it is ready.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use command::Failure;

use crate::cluster::Cluster;
use crate::hello::{Greeting, Hello};
use crate::interrupt::is_interrupted;
use crate::wire::Wire;

/// What every greeting begins with.
const MAGIC: [u8; 8] = *b"PDBDIST\n";
/// The longest greeting.
const LONGEST: usize = 1 << 20;
/// How long a program that has connected may take to say hello, and one that is connected to.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time between two attempts to connect, at first and in the end.
const FIRST_INTERVAL: Duration = Duration::from_millis(5);
const INTERVAL: Duration = Duration::from_millis(200);
/// How long others are given to hear why this process ends.
const LINGER: Duration = Duration::from_millis(1500);
/// Time between two looks for somebody who has connected.
const LOOK: Duration = Duration::from_millis(5);
/// Nobody waits for longer: the end of it has to be a time that the system can name.
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

enum Event {
    /// A partner has said hello.
    Hello(TcpStream, Hello),
    /// A partner was not reached, and is tried again.
    Tried(usize, String),
    /// What came after that.
    Then(usize, io::Result<Greeting>),
    /// There is no going on.
    Failed(Failure),
    /// Somebody else has connected, and was refused.
    Foreign(String),
}

/// Connects to all partners; waits for them at most so long.
///
/// # Errors
/// The line of the first thing that went wrong, which the others are told.
pub(crate) fn connect(
    cluster: &Arc<Cluster>,
    hello: &Hello,
    wait: Duration,
) -> Result<Vec<Option<Wire>>, Failure> {
    let mut meeting = Meeting::new(cluster, hello, wait);
    let done = meeting.run();
    if let Err(failure) = &done {
        meeting.tell_all(failure);
    }
    // Nobody is listened to during the work.
    meeting.stop.store(true, Ordering::SeqCst);
    if let Some(listening) = meeting.listening.take() {
        let _ = listening.join();
    }
    match done {
        Ok(()) => {
            let streams = meeting.streams.into_iter().enumerate();
            let wires = streams
                .map(|(partner, stream)| Some(Wire::new(stream?, Arc::clone(cluster), partner)));
            Ok(wires.collect())
        }
        Err(failure) => Err(failure),
    }
}

struct Meeting<'a> {
    cluster: &'a Arc<Cluster>,
    hello: &'a Hello,
    wait: Duration,
    deadline: Instant,
    streams: Vec<Option<TcpStream>>,
    foreign: Option<String>,
    /// By process: why the last try to reach it has failed.
    tried: Vec<Option<String>>,
    /// Ends the thread that listens.
    stop: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
    /// A partner that does something else: all are met first, so that all know.
    mismatch: Option<Failure>,
    events: Receiver<Event>,
    sender: Sender<Event>,
}

impl<'a> Meeting<'a> {
    fn new(cluster: &'a Arc<Cluster>, hello: &'a Hello, wait: Duration) -> Self {
        let (sender, events) = mpsc::channel();
        Meeting {
            cluster,
            hello,
            wait,
            events,
            sender,
            deadline: Instant::now() + wait.min(LONGEST_WAIT),
            streams: cluster.hosts.iter().map(|_| None).collect(),
            foreign: None,
            tried: cluster.hosts.iter().map(|_| None).collect(),
            stop: Arc::new(AtomicBool::new(false)),
            listening: None,
            mismatch: None,
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
            let (sender, hello) = (self.sender.clone(), self.hello.clone());
            let stop = Arc::clone(&self.stop);
            let listening = move || accept_all(&listener, &hello, &sender, &stop);
            self.listening = Some(std::thread::spawn(listening));
        }
        for partner in 0..me {
            let (sender, hello) = (self.sender.clone(), self.hello.clone());
            let (name, address) = (cluster.name(partner), cluster.hosts[partner].clone());
            std::thread::spawn(move || start(partner, &name, &address, &hello, &sender));
        }
        let mut ready = vec![false; cluster.processes()];
        ready[me] = true;
        let mut is_told = false;
        loop {
            let missing = self.missing();
            if missing.is_empty() {
                if let Some(failure) = self.mismatch.take() {
                    return Err(failure);
                }
                if !std::mem::replace(&mut is_told, true) {
                    for stream in self.streams.iter_mut().flatten() {
                        // One that cannot hear it has ended, which its reader says.
                        let _ = say(stream, &Greeting::Ready);
                    }
                }
                if ready.iter().all(|&ready| ready) {
                    return Ok(());
                }
            }
            self.next(&missing, &mut ready)?;
        }
    }

    /// Waits for the next event.
    fn next(&mut self, missing: &[usize], ready: &mut [bool]) -> Result<(), Failure> {
        let cluster = self.cluster;
        if is_interrupted() {
            let line = "interrupted before all processes were connected; nothing is lost";
            return Err(Failure::interrupted(line));
        }
        let left = self.deadline.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(left.min(INTERVAL)) {
            Ok(Event::Hello(stream, hello)) => self.meet(stream, hello),
            Ok(Event::Then(partner, Ok(Greeting::Ready))) => ready[partner] = true,
            Ok(Event::Then(_, Ok(Greeting::End(exit, line)))) => {
                let told = Failure::new(exit, line);
                return Err(self.mismatch.take().unwrap_or(told));
            }
            Ok(Event::Then(partner, _)) => {
                let line = format!("{} has ended before the start", cluster.name(partner));
                return Err(self.mismatch.take().unwrap_or(Failure::table(line)));
            }
            Ok(Event::Failed(failure)) => return Err(self.mismatch.take().unwrap_or(failure)),
            Ok(Event::Foreign(line)) => self.foreign = Some(line),
            Ok(Event::Tried(partner, why)) => self.tried[partner] = Some(why),
            Err(_) if left > INTERVAL => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                if let Some(failure) = self.mismatch.take() {
                    return Err(failure);
                }
                // One that is there, but waits for another itself, is named as well.
                let late: Vec<usize> = match missing.is_empty() {
                    true => (0..ready.len()).filter(|&who| !ready[who]).collect(),
                    false => missing.to_vec(),
                };
                let names: Vec<String> = late.iter().map(|&who| cluster.name(who)).collect();
                let names = names.join(", ");
                let tried = late.iter().filter_map(|&who| {
                    let why = self.tried[who].as_ref()?;
                    Some(format!(" (process {who}: {why})"))
                });
                let foreign = self.foreign.iter().map(|line| format!(" ({line})"));
                let why = tried.chain(foreign);
                return Err(Failure::table(format!(
                    "{names} did not come within {} s{}: start all, and let --wait be longer if \
                     that takes time",
                    self.wait.as_secs_f64(),
                    why.collect::<String>()
                )));
            }
        }
        Ok(())
    }

    fn missing(&self) -> Vec<usize> {
        let others = (0..self.streams.len()).filter(|&process| process != self.cluster.me);
        others
            .filter(|&process| self.streams[process].is_none())
            .collect()
    }

    /// A partner has said hello.
    fn meet(&mut self, stream: TcpStream, hello: Hello) {
        let partner = hello.process;
        if let Some(difference) = self.hello.difference(&hello) {
            let line = format!("{} {difference}", self.cluster.name(partner));
            self.mismatch.get_or_insert(Failure::input(line));
            self.deadline = self.deadline.min(Instant::now() + 2 * INTERVAL + LINGER);
        }
        let is_new = self.streams.get(partner).is_some_and(Option::is_none);
        if !is_new || partner == self.cluster.me {
            if self.mismatch.is_none() {
                let line = format!("there are two of {}", self.cluster.name(partner));
                let _ = self.sender.send(Event::Failed(Failure::input(line)));
            }
            return;
        }
        if let Ok(mut reader) = stream.try_clone() {
            let sender = self.sender.clone();
            std::thread::spawn(move || {
                let _ = reader.set_read_timeout(None);
                let _ = sender.send(Event::Then(partner, hear(&mut reader)));
            });
        }
        self.streams[partner] = Some(stream);
    }

    /// Tells all others, as far as they are there, why this process ends.
    fn tell_all(&mut self, failure: &Failure) {
        let cluster = self.cluster;
        let own = cluster.name(cluster.me);
        let line = match failure.message().contains("process ") {
            true => failure.message().to_owned(),
            false => format!("{own}: {}", failure.message()),
        };
        let end = Greeting::End(failure.exit(), line);
        for (process, stream) in self.streams.iter_mut().enumerate() {
            if let Some(stream) = stream {
                let _ = stream.set_write_timeout(Some(INTERVAL));
                let _ = say(stream, &end);
            } else if process < cluster.me {
                // All at the same time: many dead hosts take no longer than one.
                let (host, end) = (cluster.hosts[process].clone(), end.clone());
                let hello = Greeting::Hello(self.hello.clone());
                std::thread::spawn(move || {
                    if let Ok(mut stream) = open(&host, 2 * INTERVAL) {
                        let _ = say(&mut stream, &hello);
                        let _ = say(&mut stream, &end);
                        std::thread::sleep(LINGER);
                    }
                });
            }
        }
        // Those who come now are told as well; and connections closed with bytes unread would be
        // reset, and the line lost.
        let begin = Instant::now();
        let mut late = Vec::new();
        while let Some(left) = LINGER.checked_sub(begin.elapsed()) {
            if let Ok(Event::Hello(mut stream, _)) = self.events.recv_timeout(left) {
                let _ = say(&mut stream, &end);
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

/// Takes connections until it is told to stop.
fn accept_all(listener: &TcpListener, hello: &Hello, sender: &Sender<Event>, stop: &AtomicBool) {
    while !stop.load(Ordering::SeqCst) {
        // Where no file can be opened either, there is nothing to do but to wait.
        let Ok((mut stream, _)) = listener.accept() else {
            std::thread::sleep(LOOK);
            continue;
        };
        if stream.set_nonblocking(false).is_err() {
            continue;
        }
        let (hello, sender) = (hello.clone(), sender.clone());
        std::thread::spawn(move || {
            let peer = stream
                .peer_addr()
                .map_or("?".to_owned(), |peer| peer.to_string());
            let event = match greet(&mut stream, &hello) {
                Ok(hello) => Event::Hello(stream, hello),
                Err(error) => Event::Foreign(format!("{peer} is no pdb-gen-dist: {error}")),
            };
            let _ = sender.send(event);
        });
    }
}

/// Connects to a partner, which may not be there yet.
fn start(partner: usize, name: &str, address: &str, hello: &Hello, sender: &Sender<Event>) {
    let mut interval = FIRST_INTERVAL;
    loop {
        let mut stream = match open(address, PATIENCE) {
            Ok(stream) => stream,
            Err(error) if is_hopeless(&error) => {
                let line = format!("{name}: {error}; correct the hostfile");
                let _ = sender.send(Event::Failed(Failure::input(line)));
                return;
            }
            Err(error) => {
                let _ = sender.send(Event::Tried(partner, error.to_string()));
                std::thread::sleep(interval);
                interval = INTERVAL.min(2 * interval);
                continue;
            }
        };
        let event = match greet(&mut stream, hello) {
            Ok(hello) if hello.process == partner => Event::Hello(stream, hello),
            Ok(other) => Event::Failed(Failure::input(format!(
                "{name} says that it is process {}: all need the same hostfile",
                other.process
            ))),
            // It has ended while it was listening, or is about to.
            Err(error) if has_closed(&error) => {
                let _ = sender.send(Event::Tried(partner, error.to_string()));
                std::thread::sleep(INTERVAL);
                continue;
            }
            Err(error) => Event::Failed(Failure::table(format!(
                "what answers at {address} is not {name}: {error}; end it, or correct the hostfile"
            ))),
        };
        let _ = sender.send(event);
        return;
    }
}

/// Whether trying again is of no use: there is no such address.
fn is_hopeless(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidInput
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

/// Says hello and hears the other's.
fn greet(stream: &mut TcpStream, hello: &Hello) -> io::Result<Hello> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    say(stream, &Greeting::Hello(hello.clone()))?;
    let heard = hear(stream)?;
    stream.set_write_timeout(None)?;
    match heard {
        Greeting::Hello(hello) => Ok(hello),
        _ => Err(io::Error::other("it says something else than hello")),
    }
}

fn say(stream: &mut TcpStream, greeting: &Greeting) -> io::Result<()> {
    let text = serde_json::to_vec(greeting)?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text);
    stream.write_all(&bytes)
}

fn hear(stream: &mut impl Read) -> io::Result<Greeting> {
    let wrong = |what: &str| io::Error::other(what.to_owned());
    let mut start = [0; MAGIC.len()];
    // A byte is enough to know a foreign program that says little.
    for at in 0..start.len() {
        let read = stream.read_exact(&mut start[at..=at]);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => wrong("it says nothing"),
            _ => error,
        })?;
        if start[at] != MAGIC[at] {
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
    serde_json::from_slice(&text).map_err(|_| wrong("it speaks another version of the protocol"))
}
