//! The steps and loops of a link, read from a recording with one thread
//! (`crates/core/src/par/recorder.rs` documents the format).

use std::collections::HashMap;

/// Something that runs, in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Work on one thread.
    Run(u64),
    /// Work on one thread that holds a lock of the kernel.
    Hold(Lock, u64),
    /// Work on any thread, for which no thread waits.
    Apart(u64),
    /// A loop, by its number.
    Fork(usize),
    /// The phase with this number begins.
    Phase(usize),
}

/// A lock of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// The lock of the output file. A worker that finds it taken hands its buffer to the holder. If
    /// enough buffers wait, it may write through a mapping instead.
    Output {
        /// Whether bytes may be written through a mapping.
        beside: bool,
    },
    /// Any other lock, by its number.
    Other(usize),
}

/// A loop, whose work can be divided among threads.
#[derive(Debug)]
pub struct Loop {
    /// Where it is in the source.
    pub place: usize,
    /// What it consists of.
    pub kind: Kind,
}

/// How a loop is divided among threads.
#[derive(Debug)]
pub enum Kind {
    /// Independent items, of which a thread takes at most `most` at once, or any number.
    Items {
        /// 0: any number.
        most: usize,
        /// Blocks of items that were recorded together.
        blocks: Vec<Block>,
    },
    /// A sort.
    Sort {
        /// The number of elements.
        count: usize,
        /// Nanoseconds on one thread.
        length: u64,
    },
    /// A worklist.
    List(Vec<Visit>),
}

/// Items that were recorded together.
#[derive(Debug, Default)]
pub struct Block {
    /// The number of items.
    pub items: usize,
    /// Nanoseconds of all its steps.
    pub length: u64,
    /// The steps in detail, unless there is only one run.
    pub steps: Vec<Step>,
}

/// One visit of a worklist.
#[derive(Debug)]
pub struct Visit {
    /// The visits that this one adds.
    pub children: Vec<u32>,
    /// Nanoseconds that it takes.
    pub length: u64,
}

/// A whole link.
#[derive(Debug, Default)]
pub struct Recording {
    /// From the start of the process to the first step.
    pub since: u64,
    /// What the first thread does.
    pub steps: Vec<Step>,
    /// All loops.
    pub loops: Vec<Loop>,
    /// Names of phases, in order of their numbers.
    pub phases: Vec<String>,
    /// Places in the source, in order of their numbers.
    pub places: Vec<String>,
    /// CLOCK_MONOTONIC when the last step had ended, nanoseconds.
    pub ended: u64,
}

/// Names with numbers.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, usize>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.numbers.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.names.len() - 1
    }
}

/// A loop that has begun and not ended.
enum Open {
    Items { place: usize, most: usize, blocks: Vec<Block>, steps: Vec<Step> },
    List { place: usize, visits: Vec<Visit> },
}

struct Reader {
    recording: Recording,
    phases: Names,
    places: Names,
    locks: Names,
    open: Vec<Open>,
}

impl Recording {
    /// Reads a recording.
    ///
    /// # Errors
    /// At a line that cannot be parsed.
    pub fn parse(text: &str) -> Result<Recording, String> {
        let mut reader = Reader {
            recording: Recording::default(),
            phases: Names::default(),
            places: Names::default(),
            locks: Names::default(),
            open: Vec::new(),
        };
        for (at, line) in text.lines().enumerate() {
            reader.line(line).ok_or_else(|| format!("line {} is no event: {line}", at + 1))?;
        }
        if !reader.open.is_empty() {
            return Err("the recording ends within a loop".into());
        }
        let Reader { mut recording, phases, places, .. } = reader;
        recording.phases = phases.names;
        recording.places = places.names;
        Ok(recording)
    }

    /// The time of all steps, one after the other.
    pub fn total(&self) -> u64 {
        self.length(&self.steps)
    }

    fn length(&self, steps: &[Step]) -> u64 {
        let length = |step: &Step| match *step {
            Step::Run(length) | Step::Hold(_, length) | Step::Apart(length) => length,
            Step::Phase(_) => 0,
            Step::Fork(number) => match &self.loops[number].kind {
                Kind::Items { blocks, .. } => blocks.iter().map(|block| block.length).sum(),
                Kind::Sort { length, .. } => *length,
                Kind::List(visits) => visits.iter().map(|visit| visit.length).sum(),
            },
        };
        steps.iter().map(length).sum()
    }
}

impl Reader {
    fn line(&mut self, line: &str) -> Option<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "since" => self.recording.since = rest.parse().ok()?,
            "ended" => self.recording.ended = rest.parse().ok()?,
            "phase" => {
                let number = self.phases.number(rest);
                self.step(Step::Phase(number));
            }
            "run" => self.step(Step::Run(rest.parse().ok()?)),
            "apart" => self.step(Step::Apart(rest.parse().ok()?)),
            "hold" => {
                let (lock, length) = rest.split_once(' ')?;
                let lock = match lock {
                    "output" => Lock::Output { beside: false },
                    "output-or-beside" => Lock::Output { beside: true },
                    _ => Lock::Other(self.locks.number(lock)),
                };
                self.step(Step::Hold(lock, length.parse().ok()?));
            }
            "loop" => {
                let (most, place) = rest.split_once(' ')?;
                let place = self.places.number(place);
                let most = most.parse().ok()?;
                self.open.push(Open::Items { place, most, blocks: Vec::new(), steps: Vec::new() });
            }
            "task" => self.task(rest.parse().ok()?)?,
            "sort" => {
                let (count, rest) = rest.split_once(' ')?;
                let (length, place) = rest.split_once(' ')?;
                let place = self.places.number(place);
                let kind = Kind::Sort { count: count.parse().ok()?, length: length.parse().ok()? };
                self.fork(Loop { place, kind });
            }
            "list" => {
                let place = self.places.number(rest);
                self.open.push(Open::List { place, visits: Vec::new() });
            }
            "visit" => self.visit(rest)?,
            "end" => self.end()?,
            _ => return None,
        }
        Some(())
    }

    fn step(&mut self, step: Step) {
        match (self.open.last_mut(), step) {
            (None, step) => self.recording.steps.push(step),
            (Some(Open::Items { steps, .. }), step) => steps.push(step),
            // Time between visits counts for the visit before.
            (Some(Open::List { visits, .. }), Step::Run(length) | Step::Hold(_, length)) => {
                if let Some(visit) = visits.last_mut() {
                    visit.length += length;
                }
            }
            (Some(Open::List { .. }), _) => {}
        }
    }

    fn fork(&mut self, one: Loop) {
        self.recording.loops.push(one);
        self.step(Step::Fork(self.recording.loops.len() - 1));
    }

    fn task(&mut self, items: usize) -> Option<()> {
        let Some(Open::Items { blocks, steps, .. }) = self.open.last_mut() else { return None };
        let mut steps = std::mem::take(steps);
        let length = self.recording.length(&steps);
        if steps.iter().all(|step| matches!(step, Step::Run(_))) {
            steps.clear();
        }
        blocks.push(Block { items: items.max(1), length, steps });
        Some(())
    }

    fn visit(&mut self, parent: &str) -> Option<()> {
        let Some(Open::List { visits, .. }) = self.open.last_mut() else { return None };
        let number = visits.len() as u32;
        if parent != "-" {
            let parent: usize = parent.parse().ok()?;
            visits.get_mut(parent)?.children.push(number);
        }
        visits.push(Visit { children: Vec::new(), length: 0 });
        Some(())
    }

    fn end(&mut self) -> Option<()> {
        match self.open.pop()? {
            Open::Items { place, most, blocks, steps } => {
                self.fork(Loop { place, kind: Kind::Items { most, blocks } });
                // Steps that belong to no task ran after the loop.
                steps.into_iter().for_each(|step| self.step(step));
            }
            Open::List { place, visits } => {
                self.fork(Loop { place, kind: Kind::List(visits) });
            }
        }
        Some(())
    }
}
