//! The command line of `cargo xtask bench`.

use crate::corpus;
use std::path::{Path, PathBuf};

/// What the user reads on `--help`.
pub const HELP: &str = "\
cargo xtask bench [OPTIONS] [WORKLOAD...]

Links the same inputs with this project's linker and with others, in turn, and compares.
Without workloads: all whose inputs exist or can be made quickly. With several of the synthetic ones,
the exponents with which time and memory grow over the input. With X and X-index, which are measured
in the same rounds, what each linker takes more for the index.

  --list                show the workloads and whether their inputs exist
  --growth              instead of workloads, dimensions in which a link grows (names or beginnings of
                        names; all without), at two sizes each: exponents, and ratios at the larger
  --prepare             make the inputs of the workloads named, measure nothing
  --cache DIR           inputs and installed peers (default ~/.cache/skald-bench)
  --skald PATH          the linker to measure (default: built from this tree in release)
  --no-skald            measure the peers alone
  --peer NAME=PATH      one more linker; replaces a found one of the same name
  --without NAME        leave out a linker that was found
  --gnu                 let GNU ld take part
  --no-install          do not install wild when it is not found
  --rounds N            measured rounds (default 5), after one that warms up and checks
  --threads N           threads per linker (default 2)
  --mode first|relink   output absent, or there from the round before (default: both)
  --output DIR          where outputs go (default /dev/shm, else the temporary directory)
  --disk DIR            measure a second time with outputs in DIR
  --cold                drop the inputs from the page cache before each run; our linker runs
                        a second time, with --no-prefetch, as skald-np
  --lists               our linker runs again with -Map (as skald-map) and with --report, as a page
                        (skald-html) and as data (skald-json)
  --scripts             our linker runs again with GNU ld's own script (as skald-script), and with
                        2,000 rules more (skald-rules)
  --memory-limit LIST   our linker runs again with a limit on its memory: percentages of what it holds
                        without one (60,40: as skald-60% and skald-40%)
  --predict             measure nothing against others; what 4 to 64 threads would make of our links
  --callgrind           count instructions with valgrind, one thread, ours by phase too
  --no-identity         do not compare our outputs for 1, 2, 3 and 8 threads
  --no-phases           do not link again with --time, for the phases and the serial share
  --no-floors           do not measure copying the output and touching the inputs
  --json FILE           all samples, phases, exponents and counts
  --markdown FILE       the tables
  --svg FILE            a plot of the ratios
";

/// The parsed command line.
pub struct Options {
    /// Names of workloads; empty for all whose inputs exist.
    pub workloads: Vec<String>,
    /// Show workloads only.
    pub list: bool,
    /// Measure how links grow.
    pub growth: bool,
    /// Make inputs only.
    pub prepare: bool,
    /// Directory of inputs and installed peers.
    pub cache: PathBuf,
    /// Path of our linker, if it is built already.
    pub skald: Option<PathBuf>,
    /// Measure the other linkers alone.
    pub no_skald: bool,
    /// Peers given by path.
    pub peers: Vec<(String, PathBuf)>,
    /// Names of linkers that do not take part.
    pub without: Vec<String>,
    /// GNU ld takes part.
    pub gnu: bool,
    /// Wild may be installed.
    pub install: bool,
    /// Measured rounds.
    pub rounds: usize,
    /// Threads per linker.
    pub threads: usize,
    /// What exists at the output's path when a link starts.
    pub modes: Vec<Mode>,
    /// Directories for outputs, one measurement each.
    pub places: Vec<PathBuf>,
    /// Drop inputs from the page cache.
    pub cold: bool,
    /// Measure our linker also with a map and with reports.
    pub lists: bool,
    /// Measure our linker also with scripts.
    pub scripts: bool,
    /// Measure our linker also with memory limited to these percentages.
    pub limits: Vec<u32>,
    /// Predict the time with more threads.
    pub predict: bool,
    /// Count instructions.
    pub callgrind: bool,
    /// Compare our outputs for several thread counts.
    pub identity: bool,
    /// Link again for our phases.
    pub phases: bool,
    /// Measure floors, below which no linker can be.
    pub floors: bool,
    /// Write all samples here.
    pub json: Option<PathBuf>,
    /// Write the tables here.
    pub markdown: Option<PathBuf>,
    /// Write a plot here.
    pub svg: Option<PathBuf>,
}

/// What exists at the output's path when a link starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Nothing.
    First,
    /// The output of the link before.
    Relink,
}

impl Mode {
    /// Name of the mode.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Relink => "relink",
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            workloads: Vec::new(),
            list: false,
            growth: false,
            prepare: false,
            cache: corpus::default_cache(),
            skald: None,
            no_skald: false,
            peers: Vec::new(),
            without: Vec::new(),
            gnu: false,
            install: true,
            rounds: 5,
            threads: 2,
            modes: vec![Mode::First, Mode::Relink],
            places: vec![default_place()],
            cold: false,
            lists: false,
            scripts: false,
            limits: Vec::new(),
            predict: false,
            callgrind: false,
            identity: true,
            phases: true,
            floors: true,
            json: None,
            markdown: None,
            svg: None,
        }
    }
}

impl Options {
    /// Reads the command line.
    ///
    /// # Errors
    /// The first word that is not understood.
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let (name, inline) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                _ => (word.as_str(), None),
            };
            if options.set_switch(name) {
                match inline {
                    Some(_) => return Err(format!("{name} takes no value")),
                    None => continue,
                }
            }
            if !name.starts_with('-') {
                options.workloads.push(name.to_owned());
                continue;
            }
            let mut value = || {
                let next = inline.clone().or_else(|| words.next().cloned());
                next.ok_or_else(|| format!("{name} needs a value"))
            };
            options.set_value(name, &mut value)?;
        }
        Ok(options)
    }

    fn set_switch(&mut self, name: &str) -> bool {
        match name {
            "--list" => self.list = true,
            "--growth" => self.growth = true,
            "--prepare" => self.prepare = true,
            "--no-skald" => self.no_skald = true,
            "--gnu" => self.gnu = true,
            "--no-install" => self.install = false,
            "--cold" => self.cold = true,
            "--lists" => self.lists = true,
            "--scripts" => self.scripts = true,
            "--predict" => self.predict = true,
            "--callgrind" => self.callgrind = true,
            "--no-identity" => self.identity = false,
            "--no-phases" => self.phases = false,
            "--no-floors" => self.floors = false,
            _ => return false,
        }
        true
    }

    fn set_value(
        &mut self,
        name: &str,
        value: &mut dyn FnMut() -> Result<String, String>,
    ) -> Result<(), String> {
        let number = |text: String| match text.parse() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("{name}: '{text}' is not a number above zero")),
        };
        match name {
            "--cache" => self.cache = absolute(&value()?)?,
            "--skald" => self.skald = Some(absolute(&value()?)?),
            "--peer" => {
                let text = value()?;
                let (peer, path) =
                    text.split_once('=').ok_or_else(|| format!("--peer {text}: not NAME=PATH"))?;
                self.peers.push((peer.to_owned(), absolute(path)?));
            }
            "--without" => self.without.push(value()?),
            "--rounds" => self.rounds = number(value()?)?,
            "--threads" => self.threads = number(value()?)?,
            "--memory-limit" => {
                let percent = |word: &str| match word.trim_end_matches('%').parse() {
                    Ok(percent @ 1..) => Ok(percent),
                    _ => Err(format!("{name}: '{word}' is no percentage")),
                };
                self.limits = value()?.split(',').map(percent).collect::<Result<_, _>>()?;
            }
            "--mode" => {
                self.modes = match value()?.as_str() {
                    "first" => vec![Mode::First],
                    "relink" => vec![Mode::Relink],
                    "both" => vec![Mode::First, Mode::Relink],
                    other => return Err(format!("--mode {other}: not first, relink or both")),
                }
            }
            "--output" => self.places[0] = absolute(&value()?)?,
            "--disk" => self.places.push(absolute(&value()?)?),
            "--json" => self.json = Some(absolute(&value()?)?),
            "--markdown" => self.markdown = Some(absolute(&value()?)?),
            "--svg" => self.svg = Some(absolute(&value()?)?),
            _ => return Err(format!("unknown option {name}; see --help")),
        }
        Ok(())
    }
}

fn default_place() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}

fn absolute(path: &str) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|e| format!("{path}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Options, String> {
        Options::parse(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn values_are_taken_inline_or_from_the_next_word() {
        let words =
            ["hello-c", "--rounds=3", "--peer", "old=/tmp/old", "--mode", "first", "--cold"];
        let options = parse(&words).unwrap();
        assert_eq!(options.workloads, ["hello-c"]);
        assert_eq!(options.rounds, 3);
        assert_eq!(options.peers, [("old".to_owned(), PathBuf::from("/tmp/old"))]);
        assert_eq!(options.modes, [Mode::First]);
        assert!(options.cold && options.identity);
    }

    #[test]
    fn nonsense_is_refused() {
        for words in [&["--rounds", "0"][..], &["--rounds"], &["--fast"], &["--cold=1"]] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }
}
