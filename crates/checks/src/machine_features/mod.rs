//! `cargo xtask machine-features`: what is not of a machine works for each of them, alone and in
//! pairs.
//!
//! One project in C and C++ ([`inputs`]) is linked with each feature of the linker ([`features`])
//! in each shape, and with each pair of them in one shape. The output must pass the linter, name
//! its source lines, and print what the features make of the program. If GNU ld has the features,
//! its output has to print the same. [`rules`] has the pairs that are refused, and what the message
//! says. `cargo xtask machine-features --linker PATH --machine NAME` links all cells, or with a
//! further word those whose names contain it; `cargo xtask test` links a part of them for each
//! machine.

mod features;
mod inputs;
mod links;
mod rules;
mod scripts;

use crate::Result;
use crate::asked::{self, Asked};
use crate::random::by_workers;
use crate::random::links::Drivers;
use features::{Cell, Compiled, Feature, Shape};
use skald_testkit::machine::{self, Machine};
use skald_testkit::suite::Counts;
use std::path::Path;
use xtask::root;

/// The command: `--linker PATH`, a machine, and a text that names of cells have to contain, or
/// `sample` for what `cargo xtask test` links.
pub fn run(words: &[String]) -> Result<()> {
    let asked = Asked::of(words, "machine-features", "[FILTER]")?;
    let filter = asked.filter()?;
    let counts = match filter {
        "sample" => check_sample(&asked.linker)?,
        _ => check(&asked.linker, asked.machine, |_, name| name.contains(filter))?,
    };
    asked::verdict("machine features", counts)
}

/// One cell in this many is linked by `cargo xtask test`: a prime number, so that each feature is
/// in some.
const SAMPLE: usize = 89;

/// Links a fixed part of the cells, another one for each machine.
pub fn check_sample(linker: &Path) -> Result<Counts> {
    let mut counts = Counts::default();
    let known = machine::all().filter(|machine| machine.is_generated_for());
    for (number, machine) in known.enumerate() {
        counts.join(check(linker, machine, |at, _| at % SAMPLE == number)?);
    }
    Ok(counts)
}

/// Links the cells for whose number and name `is_asked` holds.
fn check(
    linker: &Path,
    machine: &'static Machine,
    is_asked: impl Fn(usize, &str) -> bool,
) -> Result<Counts> {
    if !Compiled::Shared.is_possible(machine) {
        println!("machine features: there are no compilers for {}", machine.word);
        return Ok(Counts { skipped: 1, ..Counts::default() });
    }
    let linker = linker.canonicalize().map_err(|e| format!("{}: {e}", linker.display()))?;
    let work = root::target().join("machine-features").join(machine.word);
    let drivers = Drivers::new(&work, &linker, machine)?;
    let inputs = work.join("inputs");
    let features = features::of(machine);
    let all = features::cells(&features).into_iter().map(|cell| (name(&features, &cell), cell));
    let asked = all.enumerate().filter(|(at, (name, _))| is_asked(*at, name)).map(|(_, c)| c);
    // RISC-V's C library has no start file for static PIEs.
    let is_linked = |cell: &Cell| cell.shape != Shape::StaticPie || machine.word != "riscv64";
    let asked: Vec<(String, Cell)> = asked.filter(|(_, cell)| is_linked(cell)).collect();
    // Libraries and small programs are of the first two ways.
    let ways: Vec<Compiled> = Compiled::ALL
        .iter()
        .copied()
        .filter(|&way| {
            let has =
                |cell: &Cell| cell.features.iter().any(|&at| features[at].compiled == Some(way));
            matches!(way, Compiled::Fixed | Compiled::Shared)
                || asked.iter().any(|(_, cell)| has(cell))
        })
        .collect();
    inputs::make(machine, &inputs, &ways)?;
    let cell_at = |at: u64| &asked[usize::try_from(at).expect("a position")];
    let mut counts = Counts::default();
    let one = |at: u64| -> Result<Option<String>> {
        let (name, cell) = cell_at(at);
        let directory = work.join(name);
        let features: Vec<&Feature> = cell.features.iter().map(|&at| &features[at]).collect();
        let difference = links::check(&drivers, &inputs, cell.shape, &features, &directory)?;
        if difference.is_none() {
            let told = |e| format!("{}: {e}", directory.display());
            std::fs::remove_dir_all(&directory).map_err(told)?;
        }
        Ok(difference)
    };
    by_workers(0..asked.len() as u64, one, |at, difference| match difference {
        None => counts.passed += 1,
        Some(difference) => {
            println!("FAIL machine features {} {}: {difference}", machine.word, cell_at(at).0);
            counts.failed += 1;
        }
    })?;
    Ok(counts)
}

/// Name of a cell.
fn name(features: &[Feature], cell: &Cell) -> String {
    let mut name = cell.shape.word().to_owned();
    for &at in &cell.features {
        name.push('+');
        name.push_str(features[at].name);
    }
    name
}
