//! What a command that links for a machine is asked: `--linker PATH [--machine NAME]`, and then
//! which of its links. All such commands read their words here.

use crate::Result;
use skald_testkit::machine::{self, Machine};
use skald_testkit::suite::Counts;
use std::ops::Range;
use std::path::PathBuf;

/// The words of a command.
#[derive(Debug)]
pub struct Asked {
    /// The linker under test.
    pub linker: PathBuf,
    /// The machine to link for.
    pub machine: &'static Machine,
    /// What says which links.
    rest: Vec<String>,
    usage: String,
}

impl Asked {
    /// Reads the words of `command`; `further` is what it takes behind the linker and the machine.
    pub fn of(words: &[String], command: &str, further: &str) -> Result<Asked> {
        let usage = format!("{command} --linker PATH [--machine NAME] {further}");
        let (machine, words) = machine::of_words(words)?;
        match &words[..] {
            [option, linker, rest @ ..] if option == "--linker" => {
                Ok(Asked { linker: linker.into(), machine, rest: rest.to_vec(), usage })
            }
            _ => Err(usage),
        }
    }

    /// The text that names of links have to contain.
    pub fn filter(&self) -> Result<&str> {
        match &self.rest[..] {
            [] => Ok(""),
            [filter] => Ok(filter),
            _ => Err(self.usage.clone()),
        }
    }

    /// The numbers of links: the first one, and the one behind the last.
    pub fn numbers(&self) -> Result<Range<u64>> {
        let number = |word: &String| word.parse::<u64>().map_err(|_| self.usage.clone());
        match &self.rest[..] {
            [first, last] => Ok(number(first)?..number(last)?),
            _ => Err(self.usage.clone()),
        }
    }
}

/// Prints the counts of a command; an error if anything failed.
pub fn verdict(name: &str, counts: Counts) -> Result<()> {
    println!("{name}: {counts}");
    if counts.failed > 0 { Err(format!("{} failed", counts.failed)) } else { Ok(()) }
}

/// Skips a check whose programs need a C library, if there is none for the machine.
pub fn without_libraries(name: &str, machine: &Machine) -> Option<Counts> {
    if machine.has_libraries() {
        return None;
    }
    println!("skip {name}: there is no C library for {}", machine.word);
    Some(Counts { skipped: 1, ..Counts::default() })
}

#[cfg(test)]
mod tests {
    use super::Asked;

    fn asked(text: &str) -> Result<Asked, String> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        Asked::of(&words, "kind", "[FILTER]")
    }

    #[test]
    fn words_say_what_is_linked() {
        let all = asked("--machine i386 --linker ld 1 20").unwrap();
        assert_eq!((all.machine.word, all.numbers().unwrap()), ("i386", 1..20));
        assert_eq!(asked("--linker ld").unwrap().filter().unwrap(), "");
        assert_eq!(asked("--linker ld gc").unwrap().filter().unwrap(), "gc");
        assert!(asked("--linker ld gc lto").unwrap().filter().unwrap_err().starts_with("kind "));
        assert!(asked("--linker ld 1 x").unwrap().numbers().is_err());
        assert!(asked("ld").is_err());
    }
}
