//! A pseudo-terminal for a command.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{
    LocalModes, OptionalActions, Termios, Winsize, tcgetattr, tcsetattr, tcsetwinsize,
};

use crate::run::{Process, clean, happens};

/// A command on its own terminal.
pub(crate) struct PseudoTerminal {
    keyboard: File,
    /// The program's end of the terminal. It stays open so that the last screen can be read after
    /// the program has ended.
    line: OwnedFd,
    /// State of the terminal before the program began.
    before: Termios,
    child: Process,
    screen: Arc<Mutex<Screen>>,
    /// Set when the terminal is to be closed; the reader then stops.
    is_closed: Arc<AtomicBool>,
    reader: JoinHandle<()>,
}

/// Output of the program.
struct Screen {
    parser: vt100::Parser,
    bytes: Vec<u8>,
}

/// Interval at which the reader checks whether the terminal is to be closed.
const INTERVAL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};

/// Waits for a program; returns its exit status, or `None` if it does not end.
fn end_of(child: &mut Process) -> Option<ExitStatus> {
    let has_ended = happens(|| child.try_wait().unwrap().is_some());
    has_ended.then(|| child.wait().unwrap())
}

fn window(columns: u16, rows: u16) -> Winsize {
    Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

impl PseudoTerminal {
    /// Starts a program on a new terminal of this size, which becomes its controlling terminal.
    pub(crate) fn start(
        (columns, rows): (u16, u16),
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> PseudoTerminal {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let keyboard = openpt(flags).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let name = ptsname(&keyboard, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let line = open(&name, flags, Mode::empty()).unwrap();
        tcsetwinsize(&line, window(columns, rows)).unwrap();
        let mut before = tcgetattr(&line).unwrap();
        // Without this mode, the kernel discards output that has not been read when Ctrl-C arrives.
        before.local_modes |= LocalModes::NOFLSH;
        tcsetattr(&line, OptionalActions::Now, &before).unwrap();
        let mut command = Command::new("setsid");
        clean(&mut command);
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
        command.envs(variables.iter().copied());
        let end = || Stdio::from(line.try_clone().unwrap());
        let child = command
            .arg("--ctty")
            .arg(program)
            .args(arguments)
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        let screen = Arc::new(Mutex::new(Screen {
            parser: vt100::Parser::new(rows, columns, 0),
            bytes: Vec::new(),
        }));
        let keyboard = File::from(keyboard);
        let (mut reader, seen) = (keyboard.try_clone().unwrap(), Arc::clone(&screen));
        let is_closed = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&is_closed);
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            while !is_over.load(Ordering::SeqCst) {
                if poll(&mut [PollFd::new(&reader, PollFlags::IN)], Some(&INTERVAL)) != Ok(1) {
                    continue;
                }
                let Ok(count @ 1..) = reader.read(&mut bytes) else {
                    break;
                };
                let mut screen = seen.lock().unwrap();
                screen.parser.process(&bytes[..count]);
                screen.bytes.extend_from_slice(&bytes[..count]);
            }
        });
        PseudoTerminal {
            keyboard,
            line,
            before,
            child: child.into(),
            screen,
            is_closed,
            reader,
        }
    }

    /// Presses keys by sending the bytes that a terminal sends for them.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Sends bytes that are not text.
    pub(crate) fn press_bytes(&mut self, bytes: &[u8]) {
        self.keyboard.write_all(bytes).unwrap();
    }

    /// The text on the screen.
    pub(crate) fn text(&self) -> String {
        self.screen.lock().unwrap().parser.screen().contents()
    }

    /// All output.
    pub(crate) fn bytes(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap().bytes).into_owned()
    }

    /// Waits until the screen shows a text.
    #[track_caller]
    pub(crate) fn shows(&mut self, text: &str) {
        let is_shown = happens(|| self.text().contains(text));
        assert!(is_shown, "`{text}` is not shown:\n{}", self.text());
    }

    /// Waits until the screen no longer shows a text.
    #[track_caller]
    pub(crate) fn hides(&mut self, text: &str) {
        let is_hidden = happens(|| !self.text().contains(text));
        assert!(is_hidden, "`{text}` is still shown:\n{}", self.text());
    }

    /// Waits until the program has worked for a tenth of a second of processor time, or has ended.
    pub(crate) fn works(&mut self) {
        let path = format!("/proc/{}/stat", self.child.id());
        let is_working = || {
            let stat = fs::read_to_string(&path).unwrap();
            // The name of the program is in parentheses, and can contain spaces.
            let (_, fields) = stat.rsplit_once(") ").unwrap();
            let times = fields.split(' ').skip(11).take(2);
            // User time and system time are in hundredths of a second.
            times.map(|time| time.parse::<u64>().unwrap()).sum::<u64>() >= 10
        };
        assert!(happens(|| is_working() || self.is_over()));
    }

    /// Changes the size of the terminal.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        let mut screen = self.screen.lock().unwrap();
        screen.parser.screen_mut().set_size(rows, columns);
        drop(screen);
        tcsetwinsize(&self.line, window(columns, rows)).unwrap();
    }

    /// Sends a signal to the program.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Closes the terminal, as a user closes its window, and waits for the program's end.
    pub(crate) fn close(self) -> Option<ExitStatus> {
        self.is_closed.store(true, Ordering::SeqCst);
        self.reader.join().unwrap();
        let mut child = self.child;
        drop((self.keyboard, self.line));
        end_of(&mut child)
    }

    /// Whether the program has ended.
    pub(crate) fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits for the program's end. Asserts this exit code, and that the terminal is restored.
    /// Returns the text on the screen.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> String {
        let (status, text) = self.ended();
        assert_eq!(status.code(), Some(code), "{text}");
        text
    }

    /// Waits for the program's end, and asserts that the terminal is restored. Returns the
    /// program's status and the text on the screen.
    #[track_caller]
    pub(crate) fn ended(mut self) -> (ExitStatus, String) {
        let Some(status) = end_of(&mut self.child) else {
            panic!("the program did not end:\n{}", self.text());
        };
        // This marker is written after all output of the program; when the screen shows the marker,
        // the output is complete.
        let end = "<the end>";
        let mut line = File::from(self.line.try_clone().unwrap());
        line.write_all(end.as_bytes()).unwrap();
        self.shows(end);
        let after = tcgetattr(&self.line).unwrap();
        let modes = |t: &Termios| (t.local_modes, t.input_modes, t.output_modes);
        assert_eq!(modes(&after), modes(&self.before));
        let screen = self.screen.lock().unwrap();
        let shown = screen.parser.screen();
        assert!(!shown.alternate_screen() && !shown.hide_cursor());
        (status, shown.contents().replace(end, ""))
    }
}
