//! What `cargo xtask test`, or `cargo xtask machines --linker PATH` alone, does for machines other
//! than x86-64: a fixed part of what the commands do with `--machine`, so that all machines
//! together take about three minutes on two processors.
//!
//! The cases of a machine's own are not among them: they run with those of x86-64. A machine whose
//! compiler is missing is skipped.

use crate::{Result, fuzz, hostile, random, random_lto, random_scripts, script_symbols};
use skald_testkit::machine::{self, Machine};
use skald_testkit::suite::{self, Config, Counts, Sample};
use std::path::{Path, PathBuf};
use std::time::Instant;
use xtask::root;

/// One in this many of the cases that are for any machine, other ones for each machine; a prime
/// number, so that each area has some.
const CASES_OF: usize = 13;
/// Seeds of random programs.
const PROGRAMS: u64 = 4;
/// Seeds of random programs of intermediate code.
const LTO_PROGRAMS: u64 = 4;
/// One in this many of the scripts, cells of symbols, and links of damaged files that are linked
/// for x86-64.
const LINKS_OF: u64 = 8;
/// Inputs of parsers.
const INPUTS: u64 = 10_000;

/// The command.
pub fn run(words: &[String]) -> Result<()> {
    let [option, linker] = words else { return Err("machines --linker PATH".to_owned()) };
    if option != "--linker" {
        return Err("machines --linker PATH".to_owned());
    }
    let config = Config {
        cases: root::directory().join("tests/elf"),
        linker: PathBuf::from(linker),
        perturbed: None,
        work: root::directory().join("target/elf-tests"),
        filter: None,
        without: Vec::new(),
        machine: None,
        sample: None,
        is_compared: false,
        jobs: std::thread::available_parallelism().map_or(2, usize::from),
        verbose: false,
    };
    let (mut total, mut started) = (Counts::default(), Instant::now());
    check(&config, |name, result| {
        let counts = result.unwrap_or_else(|message| {
            println!("FAIL {name}: {message}");
            Counts { failed: 1, ..Counts::default() }
        });
        println!("{name}: {counts} ({:.1} s)", started.elapsed().as_secs_f64());
        started = Instant::now();
        total.join(counts);
    });
    println!("machines: {total}");
    if total.failed > 0 { Err(format!("{} failed", total.failed)) } else { Ok(()) }
}

/// Does these checks with the linker of `config`; `told` gets each name and result.
pub fn check(config: &Config, mut told: impl FnMut(&str, Result<Counts>)) {
    for machine in machine::all().filter(|machine| !machine.is_native()) {
        let compiler = machine.program("gcc");
        if !Path::new("/usr/bin").join(&compiler).exists() {
            println!("skip {}: no {compiler}", machine.word);
            told(machine.word, Ok(Counts { skipped: 1, ..Counts::default() }));
            continue;
        }
        for (name, check) in CHECKS {
            let is_known =
                machine.is_generated_for() && !(name == "random lto" && exports_more(machine));
            if !is_known && !GENERAL.contains(&name) {
                println!("skip {name}, {}: it writes no code for this machine yet", machine.word);
                told(
                    &format!("{name}, {}", machine.word),
                    Ok(Counts { skipped: 1, ..Counts::default() }),
                );
                continue;
            }
            told(&format!("{name}, {}", machine.word), check(config, machine));
        }
    }
}

/// Checks that need no assembler code of the machine, nor rules for what differs from GNU ld there.
const GENERAL: [&str; 2] = ["random", "cases"];

/// Whether GNU ld exports from programs what has a word in `.got`, by which the structure of all
/// programs differs.
fn exports_more(machine: &Machine) -> bool {
    machine.word == "riscv64"
}

type Check = fn(&Config, &'static Machine) -> Result<Counts>;

const CHECKS: [(&str, Check); 7] = [
    ("random", |config, machine| random::check(&config.linker, machine, 0..PROGRAMS)),
    ("random lto", |config, machine| random_lto::check(&config.linker, machine, 0..LTO_PROGRAMS)),
    ("random scripts", |config, machine| {
        random_scripts::check_known(&config.linker, machine, LINKS_OF)
    }),
    ("script symbols", |config, machine| {
        script_symbols::check_sample(&config.linker, machine, LINKS_OF)
    }),
    ("fuzz", |_, machine| fuzz::check(machine, INPUTS, 0, None)),
    ("hostile", |config, machine| {
        hostile::check(&config.linker, machine, LINKS_OF)?;
        Ok(Counts { passed: 1, ..Counts::default() })
    }),
    ("cases", |config, machine| {
        let first = machine::all().position(|one| one == machine).unwrap_or_default() % CASES_OF;
        let sample = Some(Sample { one_of: CASES_OF, first });
        suite::run(&Config { machine: Some(machine), sample, perturbed: None, ..config.clone() })
    }),
];
