//! `cargo xtask bench --growth`: how the time of a link grows in each dimension of its input.
//!
//! A dimension is an input whose size is a number; it is made at two sizes, ten times apart, and
//! linked by all linkers in turn. The exponent is that of one thread's CPU time beyond what a link
//! of nothing takes, so that constants do not hide growth. The ratio to the best peer is that of
//! whole links at the larger size, as users wait for them. A peer that refuses the input, says that
//! it ignores the option, or takes twenty times as long as ours is left out of the row.

mod dimension;
mod files;
mod fit;
mod libraries;
mod messages;
mod names;
mod options;
mod race;
mod records;
mod scripts;
mod sections;

use super::linkers::{Linker, Role};
use super::options::Options;
use crate::corpus::COMPLETE;
use crate::corpus::synthetic::code::Code;
use crate::corpus::synthetic::input::Input;
use crate::scratch::Scratch;
use dimension::{Dimension, FACTOR, grows};
use fit::Series;
use race::{Race, RaceResult, Row};
use std::fs;
use std::path::{Path, PathBuf};

/// Raised when inputs change.
const RECIPE: &str = "2";

const ROWS: [&[Dimension]; 8] = [
    libraries::ROWS,
    names::ROWS,
    options::ROWS,
    sections::ROWS,
    scripts::ROWS,
    records::ROWS,
    files::ROWS,
    messages::ROWS,
];

/// A link of nothing.
const EMPTY: Dimension = grows("empty", 0, |_, input| input.code("main.o", &Code::starting()));

/// Measures the dimensions that are named; returns the exit status.
///
/// # Errors
/// When inputs cannot be made or there is no linker to measure.
pub fn run(
    options: &Options,
    participants: impl FnOnce() -> Result<Vec<Linker>, String>,
) -> Result<i32, String> {
    let cache = options.cache.join("growth");
    let dimensions = chosen(&options.workloads)?;
    if options.list {
        dimensions.iter().for_each(|dimension| println!("{}", dimension.name));
        return Ok(0);
    }
    for dimension in dimensions.iter().chain([&EMPTY]) {
        prepare(dimension, &cache)?;
    }
    if options.prepare {
        return Ok(0);
    }
    let mut linkers = participants()?;
    linkers.retain(|linker| linker.role != Role::Variant);
    let place = &options.places[0];
    let scratch = Scratch::within(place, "skald-growth-")?;
    let empty = EMPTY.row(&cache, None);
    let race = Race {
        linkers: &linkers,
        empty: &empty,
        scratch: scratch.path(),
        threads: options.threads,
        rounds: options.rounds,
    };
    let mut text = header(&linkers, &race.empty_ms());
    println!("{text}");
    let mut faults = Vec::new();
    for dimension in &dimensions {
        for row in dimension.rows(&cache, &options.workloads) {
            let laps = race.run(&row);
            let line = describe(&row, &linkers, &laps, &mut faults);
            println!("{line}");
            text.push_str(&format!("\n{line}"));
        }
    }
    println!();
    faults.iter().for_each(|fault| println!("{fault}"));
    if let Some(path) = &options.markdown {
        fs::write(path, text + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(i32::from(!faults.is_empty()))
}

/// The dimensions whose names begin with one of the words; all of them without words.
fn chosen(words: &[String]) -> Result<Vec<Dimension>, String> {
    let all = || ROWS.iter().flat_map(|rows| rows.iter());
    // A word may name a variant, and is longer than the dimension's name then.
    let fits = |dimension: &Dimension, word: &String| {
        let name = word.split(' ').next().unwrap_or(word);
        dimension.name.starts_with(name)
    };
    for word in words {
        if !all().any(|dimension| fits(dimension, word)) {
            return Err(format!("no dimension is called {word}; see --growth --list"));
        }
    }
    let is_wanted =
        |dimension: &&Dimension| words.is_empty() || words.iter().any(|word| fits(dimension, word));
    Ok(all().filter(is_wanted).copied().collect())
}

impl Dimension {
    /// The plain row and those with options; only what is named with its option, if one is.
    fn rows(&self, cache: &Path, words: &[String]) -> Vec<Row> {
        let options = [None].into_iter().chain(self.variants.iter().map(|&option| Some(option)));
        let rows = options.map(|option| self.row(cache, option));
        let is_named = |row: &Row| words.iter().any(|word| row.name.starts_with(word.as_str()));
        rows.filter(|row| words.is_empty() || is_named(row)).collect()
    }

    fn row(&self, cache: &Path, option: Option<&'static str>) -> Row {
        let shown = option.map(|option| option.split('=').next().unwrap_or(option));
        let name = shown.map_or(self.name.to_owned(), |option| format!("{} {option}", self.name));
        Row {
            name,
            size: self.size,
            option,
            outcome: self.outcome,
            inputs: [1, FACTOR].map(|times| self.directory(cache, times)),
        }
    }

    fn directory(&self, cache: &Path, times: u64) -> PathBuf {
        cache.join(format!("{}-{}", self.name, self.size * times))
    }
}

/// Makes the inputs of both sizes unless they are there.
fn prepare(dimension: &Dimension, cache: &Path) -> Result<(), String> {
    for times in [1, FACTOR] {
        let directory = dimension.directory(cache, times);
        let complete = directory.join(COMPLETE);
        if fs::read_to_string(&complete).is_ok_and(|recipe| recipe == RECIPE) {
            continue;
        }
        if directory.exists() {
            fs::remove_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        }
        fs::create_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        let mut input = Input::new(&directory);
        (dimension.make)(dimension.size * times, &mut input);
        input.finish()?;
        fs::write(&complete, RECIPE).map_err(|e| format!("{}: {e}", complete.display()))?;
    }
    Ok(())
}

fn header(linkers: &[Linker], empty_ms: &[f64]) -> String {
    let starts = linkers.iter().zip(empty_ms);
    let starts: Vec<String> =
        starts.map(|(linker, ms)| format!("{} {ms:.1}", linker.name)).collect();
    format!(
        "CPU ms of a link of nothing by one thread, which exponents leave out: {}.\n\n\
         | dimension | sizes | CPU ms | exponent | best peer | its exponent | CPU | wall |\n\
         |---|---|---|---|---|---|---|---|",
        starts.join(", ")
    )
}

/// The line of the table; what is beyond the limits is added to `faults`.
fn describe(
    row: &Row,
    linkers: &[Linker],
    laps: &[RaceResult],
    faults: &mut Vec<String>,
) -> String {
    let exponent = |series: &Series| series.exponent(FACTOR as f64);
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let [small, large] = row.sizes();
    let start = format!("| {} | {small}, {large} |", row.name);
    let is_ours = linkers.first().is_some_and(|linker| linker.role == Role::Ours);
    let peers: Vec<Option<Series>> = laps.iter().map(|lap| lap.as_ref().ok().cloned()).collect();
    for (linker, lap) in linkers.iter().zip(laps).skip(1) {
        if let Err(error) = lap {
            eprintln!("{} of {}: {}", row.name, linker.name, error.trim());
        }
    }
    let ours = match laps.first() {
        Some(Ok(ours)) if is_ours => ours,
        Some(Err(error)) if is_ours => {
            faults.push(format!("{}: {}", row.name, error.trim()));
            return format!("{start} fails | | | | | |");
        }
        _ => return format!("{start} not measured | | | | | |"),
    };
    let comparison = fit::compare(ours, &peers[1..]);
    let own_exponent = exponent(ours);
    for fault in fit::faults(own_exponent, comparison) {
        faults.push(format!("{}: {fault}", row.name));
    }
    let cpu = super::statistics::median(&ours.large.cpu_ms);
    let other = match comparison {
        Some(best) => format!(
            "{} | {} | {:.2} | {:.2} |",
            linkers[best.peer + 1].name,
            shown(peers[best.peer + 1].as_ref().and_then(exponent)),
            best.cpu,
            best.wall
        ),
        None => "- | - | - | - |".to_owned(),
    };
    format!("{start} {cpu:.1} | {} | {other}", shown(own_exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_have_names_of_their_own() {
        let mut names: Vec<_> = ROWS.iter().flat_map(|rows| rows.iter()).map(|d| d.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(names.iter().all(|name| !name.contains(' ')));
    }

    #[test]
    fn dimensions_are_chosen_by_beginnings() {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert_eq!(chosen(&words(&["wrap"])).unwrap().len(), 1);
        assert!(chosen(&words(&["members"])).unwrap().len() > 2);
        assert!(chosen(&words(&["nothing"])).is_err());
        let sections = chosen(&words(&["sections -r"])).unwrap()[0];
        let rows = sections.rows(Path::new("/cache"), &words(&["sections -r"]));
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].option, Some("-r"));
    }

    #[test]
    fn inputs_are_made_at_any_size() {
        let scratch = Scratch::new().unwrap();
        for (at, dimension) in ROWS.iter().flat_map(|rows| rows.iter()).enumerate() {
            let directory = scratch.path().join(at.to_string());
            fs::create_dir(&directory).unwrap();
            let mut input = Input::new(&directory);
            (dimension.make)(7, &mut input);
            input.finish().unwrap();
            assert!(
                directory.join(crate::corpus::synthetic::input::RESPONSE_FILE).is_file(),
                "{}",
                dimension.name
            );
        }
    }
}
