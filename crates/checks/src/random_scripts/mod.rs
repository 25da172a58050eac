//! `cargo xtask random-scripts`: makes random linker scripts, with which skald and GNU ld must make
//! the same output from the same objects.
//!
//! A seed determines the script, the options, and which objects of [`inputs`] are linked. The
//! outputs are compared by sections, their bytes, symbols and program headers ([`compare`]);
//! intended differences are in [`rules`]. `cargo xtask test` links the seeds of [`known`], which
//! lists those that may differ; `cargo xtask random-scripts --linker PATH [--machine NAME] FIRST
//! LAST` links a range of seeds. A script that differs is made smaller ([`shrink`]) and kept in
//! `target/random-scripts/SEED`.

mod bodies;
pub mod compare;
mod expressions;
mod inputs;
mod known;
pub mod links;
mod making;
pub mod rules;
mod script;
mod shrink;
mod widen;

use crate::Result;
use crate::asked::{self, Asked};
use crate::random::{Chance, by_workers};
use links::{Compared, Linkers};
use script::Script;
use skald_testkit::machine::Machine;
use skald_testkit::suite::Counts;
use std::ops::Range;
use std::path::Path;
use xtask::root;

/// At most one script in this many may be refused by both linkers.
const REFUSED_OF: usize = 4;

/// The command: `--linker PATH` and two seeds.
pub fn run(words: &[String]) -> Result<()> {
    let asked = Asked::of(words, "random-scripts", "FIRST LAST")?;
    asked::verdict("random scripts", check(&asked.linker, asked.machine, asked.numbers()?)?)
}

/// The script of a seed.
fn script(seed: u64) -> Script {
    let mut chance = Chance::new(seed);
    let mut script = making::script(&mut chance);
    if seed >= widen::FIRST {
        widen::widen(&mut chance, &mut script);
    }
    script
}

/// The text of the script of a seed.
pub fn text(seed: u64) -> String {
    script(seed).to_string()
}

/// Results of all seeds so far.
struct Total {
    counts: Counts,
    /// Number of scripts that differ and are known to.
    known: usize,
    refused: usize,
    /// By rule, the number of scripts that needed it.
    explained: Vec<usize>,
}

/// Links the scripts of [`known`] for `machine`; one in `share`, the first ones, if it is above 1.
pub fn check_known(linker: &Path, machine: &Machine, share: u64) -> Result<Counts> {
    let mut counts = Counts::default();
    let is_same = links::version_of_gnu().is_some_and(|own| own.contains(known::GNU_VERSION));
    if !is_same {
        println!("random scripts: what differs is known of GNU ld {} alone", known::GNU_VERSION);
    }
    for all in known::SEEDS {
        let seeds = all.start..all.start + (all.end - all.start) / share;
        if is_same {
            counts.join(check(linker, machine, seeds)?)
        } else {
            counts.skipped += seeds.count();
        }
    }
    Ok(counts)
}

/// Links the scripts of `seeds` for `machine`. Those in [`known::DIFFERENT`] are expected to
/// differ; it is a failure if one of them does not.
fn check(linker: &Path, machine: &Machine, seeds: Range<u64>) -> Result<Counts> {
    let work = machine.own_directory(&root::target().join("random-scripts"));
    let linkers = Linkers {
        skald: linker.canonicalize().map_err(|e| format!("{}: {e}", linker.display()))?,
        gnu: machine.gnu_ld(&work)?,
        objects: work.join("objects"),
    };
    inputs::make(&linkers.objects, machine)?;
    let explained = vec![0; rules::RULES.len()];
    let mut total = Total { counts: Counts::default(), known: 0, refused: 0, explained };
    let compare = |seed| {
        let is_known = known::DIFFERENT.contains(&seed);
        Ok((one(&linkers, &work, seed, is_known)?, is_known))
    };
    by_workers(seeds, compare, |_, (compared, is_known)| total.add(&compared, is_known))?;
    total.tell();
    Ok(total.counts)
}

impl Total {
    fn add(&mut self, compared: &Compared, is_known: bool) {
        for (all, count) in self.explained.iter_mut().zip(&compared.explained) {
            *all += usize::from(*count > 0);
        }
        self.refused += usize::from(compared.is_refused);
        match (compared.differences.is_empty(), compared.is_skipped) {
            (_, true) => self.counts.skipped += 1,
            (false, _) if is_known => self.known += 1,
            (true, false) if !is_known => self.counts.passed += 1,
            _ => self.counts.failed += 1,
        }
    }

    fn tell(&self) {
        for (rule, count) in rules::RULES.iter().zip(&self.explained) {
            println!("  {count} scripts: {}: {}", rule.name, rule.reason);
        }
        println!("  {} scripts are refused by both", self.refused);
        if self.known > 0 {
            println!("  {} scripts are known to differ", self.known);
        }
        let all = self.counts.passed + self.counts.failed + self.counts.skipped + self.known;
        if self.refused * REFUSED_OF > all {
            println!("  more than one script in {REFUSED_OF}: such a walk tells little");
        }
    }
}

fn one(linkers: &Linkers, work: &Path, seed: u64, is_known: bool) -> Result<Compared> {
    let directory = work.join(seed.to_string());
    let script = script(seed);
    let compared = links::compare(linkers, &script, &directory)?;
    if is_known && compared.differences.is_empty() && !compared.is_skipped {
        println!("FAIL random script {seed} is known to differ and does not: the list is wrong");
    }
    if is_known || compared.differences.is_empty() {
        let told = |e| format!("{}: {e}", directory.display());
        std::fs::remove_dir_all(&directory).map_err(told)?;
    } else {
        let (smaller, left) = shrink::shrink(linkers, script, &directory, &compared)?;
        println!("FAIL random script {seed}:");
        for difference in left.differences.iter().take(12) {
            println!("  {difference}");
        }
        let path = directory.join("script.ld");
        println!("  {}\n{smaller}", links::command_line(&smaller, &path));
    }
    Ok(compared)
}

#[cfg(test)]
mod tests {
    use super::{script, widen};

    #[test]
    fn a_seed_is_always_the_same_script() {
        for seed in [7, widen::FIRST + 7] {
            assert_eq!(script(seed), script(seed));
            assert_ne!(script(seed), script(seed + 1));
        }
    }
}
