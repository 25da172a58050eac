//! Runs a program with a time limit and collects what it prints.

use crate::Result;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// A program that runs longer counts as hanging. The slowest one takes about a second, but the
/// machine may be busy.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The result of a program.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Exit status, or the signal that ended it.
    pub status: ExitStatus,
    /// All of its standard output.
    pub stdout: String,
    /// All of its standard error.
    pub stderr: String,
}

impl Finished {
    /// `exit N` or `signal N`.
    pub fn status_text(&self) -> String {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("exit {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "unknown status".to_owned(),
        }
    }
}

/// A command line with its additions to the environment.
#[derive(Debug, Clone, Default)]
pub struct CommandLine {
    /// The program, then its arguments.
    pub arguments: Vec<String>,
    /// Variables that are set in addition to the runner's.
    pub environment: Vec<(String, String)>,
}

/// How the error of [`CommandLine::run`] begins if a program runs too long.
pub const NO_END: &str = "no end after";

impl CommandLine {
    /// A command line without variables.
    pub fn new<I: IntoIterator<Item = S>, S: Into<String>>(arguments: I) -> CommandLine {
        let arguments = arguments.into_iter().map(Into::into).collect();
        CommandLine { arguments, environment: Vec::new() }
    }

    /// Sets a variable of the environment.
    pub fn set(&mut self, name: &str, value: impl Into<String>) -> &mut CommandLine {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// The command as typed in a shell.
    pub fn shell_text(&self) -> String {
        let variables =
            self.environment.iter().map(|(name, value)| format!("{name}={}", quote(value)));
        let words = self.arguments.iter().map(|word| quote(word));
        variables.chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Runs it in `directory`; an error if it cannot be started or does not end in time.
    pub fn run(&self, directory: &Path) -> Result<Finished> {
        let (program, arguments) =
            self.arguments.split_first().ok_or_else(|| "empty command".to_owned())?;
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(directory)
            .env("LC_ALL", "C")
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{program}: {e}"))?;
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        // The time that the runner has waited, not wall-clock time: the runner may have been
        // stopped together with the program.
        let mut waited = Duration::ZERO;
        let mut pause = Duration::from_micros(200);
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|e| format!("{program}: {e}"))? {
                break status;
            }
            if waited > TIME_LIMIT {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{NO_END} {TIME_LIMIT:?}: {}", self.shell_text()));
            }
            std::thread::sleep(pause);
            waited += pause;
            pause = (pause * 2).min(Duration::from_millis(10));
        };
        let text = |reader: std::thread::JoinHandle<Vec<u8>>| {
            String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
        };
        Ok(Finished { status, stdout: text(stdout), stderr: text(stderr) })
    }
}

/// Reads a pipe to its end on a thread of its own, so that a full pipe cannot block the program.
fn collect<R: Read + Send + 'static>(pipe: Option<R>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // If reading fails, what was read before is still shown.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn quote(word: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./=,:+@%".contains(&b);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::CommandLine;
    use std::path::Path;

    #[test]
    fn output_and_status_are_kept_apart() {
        let mut line = CommandLine::new(["sh", "-c", "echo a; echo $B >&2; exit 3"]);
        let finished = line.set("B", "x y").run(Path::new(".")).unwrap();
        assert_eq!(finished.stdout, "a\n");
        assert_eq!(finished.stderr, "x y\n");
        assert_eq!(finished.status_text(), "exit 3");
        assert_eq!(CommandLine::new(["a b", "c"]).shell_text(), "'a b' c");
    }
}
