//! An endless walk through damaged links: a number chooses one of the seeds, one to four damages of
//! its files, and options. Links must end as [`super::run`] demands. Some links are undamaged;
//! their outputs must pass the lint that all outputs of cases pass.

use super::options::{self, Extra, OPTIONS};
use super::run::{Expected, Fault, MISSING, UNNAMED, judge, link_by, old_output};
use super::seeds::{self, Seed};
use super::{Damage, Dice, damage};
use crate::command::CommandLine;
use crate::machine::Machine;
use crate::output_file::OutputFile;
use crate::{Result, lint};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A file that some of the links read.
#[derive(Debug)]
struct File {
    whole: Vec<u8>,
    damages: Vec<Damage>,
}

/// State that all links of the walk share.
#[derive(Debug)]
pub struct Walk {
    linker: PathBuf,
    machine: &'static Machine,
    seeds: Vec<&'static Seed>,
    files: BTreeMap<String, File>,
}

/// One link of the walk: its options and damages.
#[derive(Debug, Clone)]
struct Step<'a> {
    seed: &'static Seed,
    options: Vec<&'static Extra>,
    damages: Vec<(&'a str, &'a Damage)>,
}

/// A link that did not end as it must.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong, equal for findings of the same cause.
    pub kind: &'static str,
    /// The command line, the damages, and what the linker printed.
    pub detail: String,
}

impl Walk {
    /// Makes the files of all links in `directory`, to know what can be damaged. The process must
    /// have limited its own memory to [`super::run::MEMORY_LIMIT`], which links inherit: setting
    /// the limit with a shell for each link would cost minutes.
    pub fn new(linker: &Path, directory: &Path, machine: &'static Machine) -> Result<Walk> {
        make(directory, machine)?;
        let seeds = seeds::made(directory);
        let mut files = BTreeMap::new();
        let names = seeds.iter().flat_map(|seed| seed.arguments.split(' '));
        let names = names.chain(OPTIONS.iter().flat_map(|extra| extra.words.split([' ', '='])));
        for name in names.map(|name| name.trim_start_matches('@')) {
            if files.contains_key(name) || !directory.join(name).is_file() {
                continue;
            }
            let whole = fs::read(directory.join(name)).map_err(|e| format!("{name}: {e}"))?;
            let damages = damage(&whole);
            files.insert(name.to_owned(), File { whole, damages });
        }
        Ok(Walk { linker: linker.to_owned(), machine, seeds, files })
    }

    /// Does link number `number` in `directory`, which [`Walk::make`] has filled. If it fails the
    /// checks, options and damages are removed while the fault persists; the reduced link remains
    /// in `directory`.
    pub fn step(&self, number: u64, directory: &Path) -> Option<Finding> {
        let mut step = self.choose(&mut Dice::new(number));
        let mut fault = self.fault(&step, directory)?;
        let mut part = 0;
        while let Some(smaller) = step.without(part) {
            match self.fault(&smaller, directory) {
                Some(same) if same.0 == fault.0 => (step, fault) = (smaller, same),
                _ => part += 1,
            }
        }
        self.write(&step.damages, directory).ok()?;
        let damages: Vec<String> =
            step.damages.iter().map(|d| format!("{}: {}", d.0, d.1.what)).collect();
        let detail = format!("{}\n{}\n{}", step.words(), damages.join("\n"), fault.1.trim_end());
        Some(Finding { kind: fault.0, detail })
    }

    /// Makes a directory for links of the walk.
    pub fn make(&self, directory: &Path) -> Result<()> {
        make(directory, self.machine)
    }

    /// Restores `directory` after a finding.
    pub fn repair(&self, directory: &Path) -> Result<()> {
        for (name, file) in &self.files {
            fs::write(directory.join(name), &file.whole).map_err(|e| format!("{name}: {e}"))?;
        }
        Ok(())
    }

    fn choose(&self, dice: &mut Dice) -> Step<'_> {
        let seed = self.seeds[dice.below(self.seeds.len())];
        let mut step = Step { seed, options: Vec::new(), damages: Vec::new() };
        for _ in 0..[0, 1, 1, 2, 2, 3, 4][dice.below(7)] {
            let extra = &OPTIONS[dice.below(OPTIONS.len())];
            if step.options.iter().all(|other| other.kind() != extra.kind()) {
                step.options.push(extra);
            }
        }
        let words = step.words();
        let mut names: Vec<&str> =
            words.split([' ', '=']).map(|w| w.trim_start_matches('@')).collect();
        names.retain(|name| self.files.contains_key(*name));
        // One in sixteen links has no damage, to check that it succeeds.
        let count = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 0][dice.below(16)];
        for _ in 0..count {
            let other = names.get(dice.below(names.len())).copied().unwrap_or(seed.file);
            let name = if dice.below(2) == 0 { seed.file } else { other };
            if let Some((name, file)) = self.files.get_key_value(name) {
                step.damages.push((name, &file.damages[dice.below(file.damages.len())]));
            }
        }
        step
    }

    fn fault(&self, step: &Step<'_>, directory: &Path) -> Option<Fault> {
        match self.judged(step, directory) {
            Err((UNNAMED, _)) if self.fails_undamaged(step, directory) => None,
            // With -r nothing is ordered or folded, so no list of that is written. A damaged
            // response file may take the option for the file as an argument.
            Err((MISSING, _)) if step.is_joined() || step.is_damaged("response") => None,
            result => result.err(),
        }
    }

    fn judged(&self, step: &Step<'_>, directory: &Path) -> std::result::Result<(), Fault> {
        let io = |e: std::io::Error| ("cannot be tried", e.to_string());
        old_output(directory).map_err(io)?;
        self.write(&step.damages, directory).map_err(io)?;
        let finished = link_by(CommandLine::default(), &self.linker, directory, &step.words());
        self.restore(&step.damages, directory).map_err(io)?;
        let finished = finished.map_err(|e| ("does not end", e))?;
        let damaged: Vec<&str> = step.damages.iter().map(|d| d.0).collect();
        let beside: Vec<(&str, bool)> =
            step.options.iter().filter_map(|o| Some((o.beside()?, o.with_output))).collect();
        let expected = Expected { damaged: &damaged, beside: &beside };
        let out = directory.join("out");
        judge(&expected, &out, &finished)?;
        if finished.status.success() {
            linted(&out.join("out"), damaged.is_empty())?;
        }
        Ok(())
    }

    /// Whether the link fails with undamaged files, because of its options.
    fn fails_undamaged(&self, step: &Step<'_>, directory: &Path) -> bool {
        let whole = old_output(directory)
            .map_err(|e| e.to_string())
            .and_then(|()| link_by(CommandLine::default(), &self.linker, directory, &step.words()));
        whole.is_ok_and(|finished| finished.status.code() == Some(1))
    }

    fn write(&self, damages: &[(&str, &Damage)], directory: &Path) -> std::io::Result<()> {
        let mut damaged: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
        for (name, damage) in damages {
            let bytes = damaged.get(name).unwrap_or(&self.files[*name].whole);
            damaged.insert(name, damage.apply(bytes));
        }
        damaged.iter().try_for_each(|(name, bytes)| fs::write(directory.join(name), bytes))
    }

    fn restore(&self, damages: &[(&str, &Damage)], directory: &Path) -> std::io::Result<()> {
        damages
            .iter()
            .try_for_each(|(name, _)| fs::write(directory.join(name), &self.files[*name].whole))
    }
}

impl Step<'_> {
    /// The command line without linker and output.
    fn words(&self) -> String {
        let mut words = self.seed.arguments.to_owned();
        for extra in &self.options {
            words.push(' ');
            words.push_str(extra.words);
        }
        words
    }

    fn is_joined(&self) -> bool {
        self.words().split(' ').any(|word| word == "-r")
    }

    fn is_damaged(&self, file: &str) -> bool {
        self.damages.iter().any(|(damaged, _)| *damaged == file)
    }

    /// The step without its damage or option number `part`; `None` if there is no such part.
    fn without(&self, part: usize) -> Option<Self> {
        let mut smaller = self.clone();
        if part < smaller.damages.len() {
            smaller.damages.remove(part);
        } else if part - smaller.damages.len() < smaller.options.len() {
            smaller.options.remove(part - smaller.damages.len());
        } else {
            return None;
        }
        Some(smaller)
    }
}

/// Makes the files of all links in `directory`.
pub fn make(directory: &Path, machine: &Machine) -> Result<()> {
    fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    seeds::make(directory, machine)?;
    for (name, text) in options::TEXTS {
        fs::write(directory.join(name), text).map_err(|e| format!("{name}: {e}"))?;
    }
    Ok(())
}

/// Rules of the lint that hold for any content of the inputs.
const ALWAYS: &[&str] = &[
    "section-outside-file",
    "section-file-overlap",
    "load-outside-file",
    "load-size",
    "load-order",
    "load-congruence",
];

fn linted(output: &Path, is_undamaged: bool) -> std::result::Result<(), Fault> {
    let file = match OutputFile::read(output) {
        Ok(file) => file,
        // Notes and symbols of damaged inputs are damaged in the output, too.
        Err(_) if !is_undamaged => return Ok(()),
        Err(message) => return Err(("makes what cannot be read", message)),
    };
    let mut found = lint::check(&file, &lint::MAY_BE_ASKED_FOR.map(str::to_owned));
    let is_meant = |finding: &String| {
        is_undamaged || ALWAYS.iter().any(|rule| finding.split(':').next() == Some(rule))
    };
    found.retain(is_meant);
    if found.is_empty() { Ok(()) } else { Err(("makes what is not consistent", found.join("\n"))) }
}
