//! The linker's side: starts a helper, asks it, and notices how it ends.

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

/// So few files are answered before it is worth sleeping.
const FEW: usize = 4;
/// How often a helper that does not answer is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// LDPL_FATAL.
const FATAL: u8 = 3;
/// How many files are offered at a time, while as many are waited for: nobody waits for the other,
/// and each system call is for many.
const BATCH: usize = 32;
/// How many bytes of requests are sent at a time: what the socket takes in any case, or else both
/// sides might wait until the other has read something.
const BATCH_BYTES: usize = 16 << 10;
/// How many bytes a claimed file needs here, about, before and after it has been compiled.
const MEMORY: usize = 9 << 10;
/// How long a helper may take to end once it is told to.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many bytes of what a helper wrote last are kept for a message.
const LAST_WORDS: usize = 2000;

/// What a plugin says: LDPL_* (0 information, 1 warning, 2 error, 3 fatal error), and the text.
pub type Message = (u8, String);

/// A helper with a plugin.
#[derive(Debug)]
pub struct PluginProcess {
    process: Subprocess,
    socket: Option<BufReader<Talk>>,
    /// What it and all that it starts write.
    output: Option<Output>,
    last_words: Vec<u8>,
    /// What it has written and nobody has seen: if it fails, that is part of the message.
    unseen: Vec<u8>,
    /// How long it may do nothing; `None` for ever.
    limit: Option<Duration>,
    messages: Vec<Message>,
    /// It has ended of its own accord, with status 0.
    is_done: bool,
    is_loaded: bool,
    /// It was once allowed to rest.
    has_rested: bool,
    /// How many files it has been offered, as the helper counts.
    progress: Counter,
    /// How many it had been offered before those that it is offered now.
    offered: u64,
    /// Removed at last, when no process uses it any more.
    _temp_dir: TempDir,
}

impl PluginProcess {
    /// Starts a helper that loads a plugin, which this does not wait for. The helper may do nothing
    /// for as long as `limit` says: neither answer nor use a processor, with all that it has
    /// started.
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

    /// Offers the plugin files, in this order. `found` is given the symbols of each that the plugin
    /// claims, while it looks at those behind it; returns what comes of them.
    ///
    /// # Errors
    /// If the plugin cannot be loaded or fails, or the helper has ended; with the number of files
    /// that went before.
    pub fn claim<T>(
        &mut self,
        files: Vec<File>,
        found: impl Fn(Vec<Symbol>) -> T,
    ) -> Result<Vec<Option<T>>, (usize, String)> {
        let all = files.len();
        let mut requests = files.into_iter().map(Request::Claim);
        let mut answers = Vec::with_capacity(all);
        // They wait there for the plugin to be loaded.
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
                    // Answers to what came before may be lost with it.
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

    /// Sends some requests; returns how many.
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

    /// Lets the plugin clean up, beside what this process does meanwhile: what it has added to the
    /// link has been opened. Its end is waited for when this process leaves.
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

    /// Gives the plugin the resolutions of symbols; returns what it adds to the link.
    ///
    /// # Errors
    /// If the plugin fails, or the helper has ended.
    pub fn all_read(&mut self, resolutions: Vec<Option<Vec<u8>>>) -> Result<Vec<Added>, String> {
        self.load()?;
        self.send(&Request::AllRead(resolutions));
        // While the plugin works there is time, and compilers can use the memory.
        CodePages::find(1 << 20).give_back(|| true);
        alloc::foresee(self.offered as usize * MEMORY);
        match self.answer()? {
            Reply::Added(added) => Ok(added),
            _ => Err("it answered something else".to_owned()),
        }
    }

    /// Whether it has ended of its own accord, with status 0: a plugin does so when all that its
    /// options ask for is done without a link.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// What the plugin has said since the last call.
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
                        // It need not be an error, and then there is no message.
                        self.pass_on();
                    }
                    // The helper ends where a plugin says that it cannot go on.
                    if let Some(at) = self.messages.iter().rposition(|(level, _)| *level >= FATAL) {
                        let (_, text) = self.messages.remove(at);
                        return Err(self.end_of(&text));
                    }
                    return Err(self.end_of(&describe(status)));
                }
            }
        }
    }

    /// Waits for the helper to say something. What it writes to its streams is passed on.
    fn wait(&mut self) -> Waited {
        let Some(socket) = self.socket.as_ref().filter(|s| s.buffer().is_empty()) else {
            return Waited::Talk;
        };
        let waited = socket.get_ref().wait(self.output.as_ref(), LOOK);
        match waited {
            Waited::Nothing => self.pass_on(),
            // What interrupts the waiting is no word.
            Waited::Output if self.has_words() => self.hear(),
            _ => {}
        }
        waited
    }

    /// Shows what has been heard: standard output of a linker is its own.
    fn pass_on(&mut self) {
        let _ = io::stderr().write_all(&std::mem::take(&mut self.unseen));
    }

    /// Takes what is there of the helper's output.
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

    /// What is wrong, with the last words of the helper.
    fn end_of(&mut self, what: &str) -> String {
        // What the message shows is shown once; of what has been seen the end is enough.
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
        // Whatever it started and left.
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
