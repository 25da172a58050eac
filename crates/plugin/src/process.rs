//! The linker's side: starts a helper, sends requests, and detects how the helper ends.

use crate::HOST;
use crate::temp_dir::TempDir;
use crate::waiting::linger;
use crate::wire::{Added, File, Reply, Request, Start, Symbol};
use skald_core::{alloc, process_exit};
use skald_host::activity::Silence;
use skald_host::code_pages::CodePages;
use skald_host::processes::signal_of;
use skald_host::subprocess::{Counter, Output, Subprocess, Talk, Waited};
use std::io::{self, BufReader, Read, Write};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Up to this many offered files are answered so fast that sleeping is not worth it.
const FEW: usize = 4;
/// Interval at which a helper that does not answer is checked.
const LOOK: Duration = Duration::from_secs(1);
/// LDPL_FATAL.
const FATAL: u8 = 3;
/// Number of files that are offered in one batch. While the helper works on a batch, the next one
/// is sent, so that neither side waits for the other, and one system call serves many files.
const BATCH: usize = 32;
/// Maximum size of a batch of requests. The socket always takes this much; with more, both sides
/// might wait for the other one to read.
const BATCH_BYTES: usize = 16 << 10;
/// Approximate memory in bytes that a claimed file needs in this process, before and after it is
/// compiled.
const MEMORY: usize = 9 << 10;
/// Time that a helper may take to end after it was told to.
const PATIENCE: Duration = Duration::from_secs(10);
/// Number of bytes of a helper's latest output that are kept for an error message.
const LAST_WORDS: usize = 2000;

/// A message of the plugin: LDPL_* (0 information, 1 warning, 2 error, 3 fatal error), and the
/// text.
pub type Message = (u8, String);

/// A helper with a plugin.
#[derive(Debug)]
pub struct PluginProcess {
    process: Subprocess,
    socket: Option<BufReader<Talk>>,
    /// The output of the helper and its descendants.
    output: Option<Output>,
    last_words: Vec<u8>,
    /// Output that has not been shown yet: it becomes part of the error message if the helper
    /// fails.
    unseen: Vec<u8>,
    /// How long the helper may be idle; `None` for no limit.
    limit: Option<Duration>,
    messages: Vec<Message>,
    /// The helper has ended of its own accord, with status 0.
    is_done: bool,
    is_loaded: bool,
    /// [`Request::Rest`] was sent before.
    has_rested: bool,
    /// Number of offered files, as counted by the helper.
    progress: Counter,
    /// Number of files that were offered before the current call.
    offered: u64,
    /// Dropped last, when no process uses the directory any more.
    _temp_dir: TempDir,
}

impl PluginProcess {
    /// Starts a helper that loads a plugin, without waiting for it. `limit` is the time for which
    /// the helper and its descendants may be idle, that is neither answer nor use a processor.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(start: Start, limit: Option<Duration>) -> Result<PluginProcess, String> {
        let failed = |error: io::Error| format!("a helper process cannot be started: {error}");
        let temp_dir = TempDir::new().map_err(failed)?;
        let started = Subprocess::start(HOST, temp_dir.path()).map_err(failed)?;
        let mut process = PluginProcess {
            process: started.process,
            socket: Some(BufReader::new(started.talk)),
            output: Some(started.output),
            last_words: Vec::new(),
            unseen: Vec::new(),
            limit,
            messages: Vec::new(),
            is_done: false,
            is_loaded: false,
            has_rested: false,
            progress: started.counter,
            offered: 0,
            _temp_dir: temp_dir,
        };
        process.send(&Request::Start(start));
        Ok(process)
    }

    /// Waits until the plugin is loaded.
    fn load(&mut self) -> Result<(), String> {
        if !self.is_loaded {
            match self.answer()? {
                Reply::Started => self.is_loaded = true,
                _ => return Err("it answered something else".to_owned()),
            }
        }
        Ok(())
    }

    /// Offers files to the plugin, in this order. Calls `found` with the symbols of each claimed
    /// file, while the plugin examines the following ones; returns the results of `found`.
    ///
    /// # Errors
    /// If the plugin cannot be loaded or fails, or the helper has ended; with the number of files
    /// before the failure.
    pub fn claim<T>(
        &mut self,
        files: Vec<File>,
        found: impl Fn(Vec<Symbol>) -> T,
    ) -> Result<Vec<Option<T>>, (usize, String)> {
        let all = files.len();
        let mut requests = files.into_iter().map(Request::Claim);
        let mut answers = Vec::with_capacity(all);
        // The first requests wait in the socket until the plugin is loaded.
        let mut sent = self.send_batch(&mut requests);
        alloc::foresee(all * MEMORY);
        self.load().map_err(|text| (0, text))?;
        while answers.len() < all {
            if sent - answers.len() <= BATCH / 2 && sent < all {
                sent += self.send_batch(&mut requests);
            }
            if all <= FEW
                && let Some(socket) = self.socket.as_ref().filter(|s| s.buffer().is_empty())
            {
                linger(socket.get_ref());
            }
            match self.answer() {
                Ok(Reply::Claimed(symbols)) => answers.push(symbols.map(&found)),
                Ok(_) => return Err((answers.len(), "it answered something else".to_owned())),
                Err(text) => {
                    // Replies to earlier files may be lost with the helper.
                    let begun = self.progress.count().saturating_sub(self.offered);
                    let at = (begun as usize).saturating_sub(1).clamp(answers.len(), all - 1);
                    return Err((at, text));
                }
            }
        }
        self.offered += all as u64;
        if !self.has_rested {
            self.has_rested = true;
            self.send(&Request::Rest);
        }
        Ok(answers)
    }

    /// Sends a batch of requests; returns their number.
    fn send_batch(&mut self, requests: &mut impl Iterator<Item = Request>) -> usize {
        let mut batch = Vec::new();
        let mut count = 0;
        while count < BATCH && batch.len() < BATCH_BYTES {
            let Some(request) = requests.next() else { break };
            let _ = request.send(&mut batch);
            count += 1;
        }
        if let Some(socket) = &mut self.socket {
            // As in `send`.
            let _ = socket.get_mut().write_all(&batch);
        }
        count
    }

    /// Lets the plugin clean up concurrently with this process, which has opened all added files.
    /// This process waits for the helper's end before it exits.
    pub fn let_go(mut self) {
        while self.output.is_some() && self.has_words() {
            self.hear();
        }
        self.pass_on();
        if let Some(socket) = &self.socket {
            socket.get_ref().end();
        }
        process_exit::wait_last(move || drop(self));
    }

    /// Gives the plugin the resolutions of symbols; returns the files and options that it adds to
    /// the link.
    ///
    /// # Errors
    /// If the plugin fails, or the helper has ended.
    pub fn all_read(&mut self, resolutions: Vec<Option<Vec<u8>>>) -> Result<Vec<Added>, String> {
        self.load()?;
        self.send(&Request::AllRead(resolutions));
        // While the plugin works this process is idle, and compilers can use the memory.
        CodePages::find(1 << 20).give_back(|| true);
        alloc::foresee(self.offered as usize * MEMORY);
        match self.answer()? {
            Reply::Added(added) => Ok(added),
            _ => Err("it answered something else".to_owned()),
        }
    }

    /// Whether the helper has ended of its own accord, with status 0: a plugin does so if its
    /// options ask for something that needs no link.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Messages of the plugin since the last call.
    pub fn messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    fn send(&mut self, request: &Request) {
        if let Some(socket) = &mut self.socket {
            // A helper that has ended is noticed when it does not answer.
            let _ = request.send(socket.get_mut());
        }
    }

    /// Waits for the answer to a request.
    fn answer(&mut self) -> Result<Reply, String> {
        if self.socket.is_none() {
            return Err("it has ended".to_owned());
        }
        let mut silence = Silence::begin();
        loop {
            match self.wait() {
                Waited::Talk => {}
                Waited::Output => {
                    silence = Silence::begin();
                    continue;
                }
                Waited::Nothing => {
                    let group = self.process.group();
                    if let Some(limit) = self.limit
                        && let Some(what) = silence.beyond(group, limit)
                    {
                        self.process.kill();
                        return Err(self.end_of(&format!("it {what}")));
                    }
                    continue;
                }
            }
            let reply = self.socket.as_mut().map(Reply::receive);
            match reply {
                Some(Ok(Some(Reply::Message(level, text)))) => {
                    self.messages.push((level, String::from_utf8_lossy(&text).into_owned()));
                }
                Some(Ok(Some(Reply::Failed(text)))) => {
                    return Err(self.end_of(&String::from_utf8_lossy(&text)));
                }
                Some(Ok(Some(reply))) => return Ok(reply),
                _ => {
                    let status = self.finish();
                    self.is_done = status.is_some_and(|status| status.success());
                    if self.is_done {
                        // This need not be an error, and then there is no message.
                        self.pass_on();
                    }
                    // The helper ends when a plugin reports a fatal error.
                    if let Some(at) = self.messages.iter().rposition(|(level, _)| *level >= FATAL) {
                        let (_, text) = self.messages.remove(at);
                        return Err(self.end_of(&text));
                    }
                    return Err(self.end_of(&describe(status)));
                }
            }
        }
    }

    /// Waits for a reply of the helper. Its output is passed on.
    fn wait(&mut self) -> Waited {
        let Some(socket) = self.socket.as_ref().filter(|s| s.buffer().is_empty()) else {
            return Waited::Talk;
        };
        let waited = socket.get_ref().wait(self.output.as_ref(), LOOK);
        match waited {
            Waited::Nothing => self.pass_on(),
            // An interrupted wait brings no output.
            Waited::Output if self.has_words() => self.hear(),
            _ => {}
        }
        waited
    }

    /// Shows the output on standard error: standard output belongs to the linker.
    fn pass_on(&mut self) {
        let _ = io::stderr().write_all(&std::mem::take(&mut self.unseen));
    }

    /// Reads the available output of the helper.
    fn hear(&mut self) {
        let mut buffer = [0; 4096];
        match self.output.as_mut().map(|output| output.read(&mut buffer)) {
            Some(Ok(read)) if read > 0 => {
                let words = &buffer[..read];
                self.unseen.extend_from_slice(words);
                self.last_words.extend_from_slice(words);
                let excess = self.last_words.len().saturating_sub(LAST_WORDS);
                self.last_words.drain(..excess);
                if self.unseen.len() > LAST_WORDS {
                    self.pass_on();
                }
            }
            _ => self.output = None,
        }
    }

    /// The error message `what`, with the latest output of the helper.
    fn end_of(&mut self, what: &str) -> String {
        // Output in the message is not shown again; of output that was shown already, the end is
        // enough.
        let is_all = self.unseen.len() == self.last_words.len();
        if is_all {
            self.unseen.clear()
        } else {
            self.pass_on()
        }
        let words = String::from_utf8_lossy(&self.last_words);
        let words: Vec<&str> = words.lines().filter(|line| !line.trim().is_empty()).collect();
        let words = words.iter().rev().take(if is_all { usize::MAX } else { 5 }).rev();
        words.fold(what.to_owned(), |all, line| format!("{all}\n>>> {line}"))
    }

    /// Tells the helper to end, and waits for it. Returns how it ended.
    fn finish(&mut self) -> Option<ExitStatus> {
        self.socket = None;
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.process.ended() {
                while self.output.is_some() && self.has_words() {
                    self.hear();
                }
                return Some(status);
            }
            self.process.wait(self.output.as_ref(), LOOK);
            if self.has_words() {
                self.hear();
            }
        }
        self.process.kill();
        None
    }

    fn has_words(&self) -> bool {
        self.output.as_ref().is_some_and(Output::is_ready)
    }
}

impl Drop for PluginProcess {
    fn drop(&mut self) {
        if self.socket.is_some() {
            self.finish();
        }
        self.pass_on();
        // Kills all processes that the helper left running.
        self.process.kill();
    }
}

fn describe(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) => match (status.code(), signal_of(&status)) {
            (Some(code), _) => format!("it ended the process that it ran in, with status {code}"),
            (_, Some(signal)) => format!("it was ended by signal {signal}"),
            _ => "it ended".to_owned(),
        },
        None => "it did not end and was killed".to_owned(),
    }
}
