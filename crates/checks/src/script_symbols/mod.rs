//! `cargo xtask script-symbols`: compares the meaning of symbols in linker scripts, as a matrix.
//!
//! Every way to assign a symbol is combined with everything else that may define it ([`inputs`]),
//! and with every place that takes an expression ([`cells`]). skald and GNU ld must agree on
//! values, sections, bindings and bytes, or both report an error. Differences are in [`rules`], as
//! intended or as known bugs; cells with known bugs are skipped. `cargo xtask script-symbols
//! --linker PATH [--machine NAME]` links all cells, or with a further word those whose names
//! contain it; `cargo xtask test` links a part of them.

mod cells;
mod inputs;
mod links;
mod rules;

use crate::Result;
use crate::asked::{self, Asked};
use crate::random::by_workers;
use crate::random_scripts::links::version_of_gnu;
use cells::{Cell, Form, PLACES};
use links::{Compared, Linkers};
use skald_testkit::machine::Machine;
use skald_testkit::suite::Counts;
use std::path::Path;
use xtask::root;

/// The command: `--linker PATH`, and a text that names of cells have to contain.
pub fn run(words: &[String]) -> Result<()> {
    let asked = Asked::of(words, "script-symbols", "[FILTER]")?;
    let filter = asked.filter()?;
    let counts = check(&asked.linker, asked.machine, |_, name| name.contains(filter))?;
    asked::verdict("script symbols", counts)
}

/// One cell in this many is linked by `cargo xtask test`: a prime number, so that each form,
/// definer and place is in some.
const SAMPLE: usize = 29;

/// Links a fixed part of the cells for `machine`, or one in `share` of that part.
pub fn check_sample(linker: &Path, machine: &Machine, share: u64) -> Result<Counts> {
    if !version_of_gnu().is_some_and(|version| version.contains(rules::GNU_VERSION)) {
        println!("script symbols: what they mean is known of GNU ld {} alone", rules::GNU_VERSION);
        return Ok(Counts { skipped: 1, ..Counts::default() });
    }
    let every = SAMPLE * usize::try_from(share).unwrap_or(1);
    check(linker, machine, |at, _| at % every == 0)
}

/// Links the cells for whose number and name `is_asked` holds.
fn check(
    linker: &Path,
    machine: &Machine,
    is_asked: impl Fn(usize, &str) -> bool,
) -> Result<Counts> {
    let work = machine.own_directory(&root::target().join("script-symbols"));
    let linkers = Linkers {
        gnu: machine.gnu_ld(&work)?,
        skald: linker.canonicalize().map_err(|e| format!("{}: {e}", linker.display()))?,
        inputs: work.join("inputs"),
    };
    inputs::make(&linkers.inputs, machine)?;
    let forms = cells::forms();
    let all = cells::all(&forms).into_iter().map(|cell| (name(&forms, &cell), cell));
    let asked: Vec<(String, Cell)> =
        all.enumerate().filter(|(at, (name, _))| is_asked(*at, name)).map(|(_, c)| c).collect();
    let mut counts = Counts::default();
    let mut explained = vec![0; rules::RULES.len()];
    let mut refused = 0;
    let cell_at = |at: u64| &asked[usize::try_from(at).expect("a position")];
    let one = |at: u64| -> Result<Compared> {
        let (name, cell) = cell_at(at);
        let directory = work.join(name);
        let compared = links::compare(&linkers, &forms, cell, &directory)?;
        if compared.differences.is_empty() {
            let told = |e| format!("{}: {e}", directory.display());
            std::fs::remove_dir_all(&directory).map_err(told)?;
        }
        Ok(compared)
    };
    by_workers(0..asked.len() as u64, one, |at, compared| {
        refused += usize::from(compared.is_refused);
        if let Some(rule) = compared.rule {
            explained[rule] += 1;
        }
        match compared.rule.map(|rule| &rules::RULES[rule]) {
            _ if !compared.differences.is_empty() => {
                counts.failed += 1;
                tell(&cell_at(at).0, &compared);
            }
            Some(rule) if !rule.is_meant => counts.skipped += 1,
            _ => counts.passed += 1,
        }
    })?;
    for (rule, count) in rules::RULES.iter().zip(&explained) {
        let known = if rule.is_meant { "" } else { "known, " };
        println!("  {count} cells: {known}{}: {}", rule.name, rule.reason);
    }
    println!("  {refused} cells are refused by both");
    Ok(counts)
}

fn tell(name: &str, compared: &Compared) {
    println!("FAIL script symbols {name}: {}", compared.command);
    for difference in compared.differences.iter().take(6) {
        println!("  {difference}");
    }
    println!("{}", compared.script);
}

/// Name of a cell.
fn name(forms: &[Form], cell: &Cell) -> String {
    let wanted = if cell.is_wanted { "-wanted" } else { "" };
    let definer = format!("{:?}", cell.definer);
    format!("{}-{definer}-{}{wanted}", forms[cell.form].name, PLACES[cell.place].name)
}
