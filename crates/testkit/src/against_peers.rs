//! Repeats the links of the cases with GNU ld and lld, and compares the outputs by their structure.
//!
//! Every step of a case that calls the linker is repeated with each peer: `shared`, `relocatable`,
//! `sh` and `check` with `$LD`, and the last link. The peer runs in a copy of the directory from
//! before the step, so that the inputs are the same files. ELF files that the step wrote are
//! compared. The outputs of peers are not used further: the next step starts from the outputs of
//! the linker under test.
//!
//! Links that a peer refuses are not compared, but counted by the peer's reason. Differences that
//! no rule of [`rules`] explains are findings, and fail the run.

use crate::artifact::{OUTPUT, Settings, Work};
use crate::case::{Case, Directive, Variant};
use crate::command::{CommandLine, Finished, NO_END};
use crate::directives::Ending;
use crate::linker::{Linker, PEERS, Way};
use crate::output_file::OutputFile;
use crate::structure::rules;
use crate::structure::{Description, describe, difference};
use crate::suite::{self, Config, Counts};
use crate::{Result, generic, programs};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The result of one case.
#[derive(Debug, Clone, Default)]
struct Comparison {
    /// Number of outputs that a peer made, too.
    outputs: usize,
    /// Reasons why some or all steps were not compared.
    left_out: Vec<String>,
    /// Peers that did not link a step, and their messages.
    refusals: Vec<String>,
    /// Differences that no rule explains, and steps that failed.
    findings: Vec<String>,
    /// How many differences each rule has explained.
    used: Vec<usize>,
}

/// Compares all cases and prints findings, reasons and rules. A case passes if it has no findings.
pub fn run(config: &Config) -> Result<Counts> {
    let settings = suite::settings(config, "structure")?;
    let mut peers = Vec::new();
    for (identity, path) in PEERS {
        if Path::new(path).exists() {
            let directory = settings.work_root.join("bin").join(identity.word());
            peers.push(Linker::new(Path::new(path), &directory)?);
        }
    }
    if peers.is_empty() {
        return Err("neither GNU ld nor lld is here".to_owned());
    }
    let mut cases = suite::find_cases(config)?;
    cases.retain(|case| config.machine.is_none_or(|machine| machine == case.machine));
    let done = suite::run_parallel(&cases, config.jobs, |case, variant| {
        let mut comparison =
            Comparison { used: vec![0; rules::all().count()], ..Comparison::default() };
        if let Err(message) = compare_case(&settings, &peers, case, variant, &mut comparison) {
            comparison.findings.push(message);
        }
        comparison
    });
    let mut counts = Counts::default();
    for (name, comparison) in &done {
        match (comparison.findings.is_empty(), comparison.outputs) {
            (false, _) => counts.failed += 1,
            (true, 0) => counts.skipped += 1,
            (true, _) => counts.passed += 1,
        }
        for finding in &comparison.findings {
            println!("FINDING {name}: {finding}");
        }
        if config.verbose {
            for refusal in &comparison.refusals {
                println!("refused {name}: {refusal}");
            }
        }
    }
    let comparisons: Vec<Comparison> = done.into_iter().map(|(_, comparison)| comparison).collect();
    summary(&comparisons);
    let unused = unused_rules(&comparisons);
    // Some rules are about cases of one machine, which are not among those of another one.
    let is_whole = config.filter.is_none() && config.machine.is_none();
    if is_whole && !unused.is_empty() {
        return Err(format!("no case needs these rules: {}", unused.join(", ")));
    }
    Ok(counts)
}

fn summary(comparisons: &[Comparison]) {
    println!("{} outputs compared", comparisons.iter().map(|c| c.outputs).sum::<usize>());
    let tally = |texts: &mut dyn Iterator<Item = &String>| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for text in texts {
            *counts.entry(text.clone()).or_default() += 1;
        }
        let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    };
    for (reason, count) in tally(&mut comparisons.iter().flat_map(|c| &c.left_out)) {
        println!("{count} not compared: {reason}");
    }
    for (reason, count) in tally(&mut comparisons.iter().flat_map(|c| &c.refusals)) {
        println!("{count} refused by {reason}");
    }
    for (index, rule) in rules::all().enumerate() {
        let times: usize = comparisons.iter().map(|c| c.used[index]).sum();
        println!("{times} differences: {}: {}", rule.name, rule.why);
    }
}

fn unused_rules(comparisons: &[Comparison]) -> Vec<&'static str> {
    let is_used = |index: usize| comparisons.iter().any(|c| c.used[index] > 0);
    let rules = rules::all().enumerate();
    rules.filter(|(index, _)| !is_used(*index)).map(|(_, rule)| rule.name).collect()
}

fn compare_case(
    settings: &Settings,
    peers: &[Linker],
    case: &Case,
    variant: &Variant,
    comparison: &mut Comparison,
) -> Result<()> {
    if let Some(reason) = generic::why_not(case, variant)? {
        comparison.left_out.push(reason);
        return Ok(());
    }
    if let Some(program) = programs::missing(case, variant)? {
        comparison.left_out.push(format!("needs {program}"));
        return Ok(());
    }
    let mut work = Work::new(settings, case, variant)?;
    work.compile_all()?;
    let mut steps = Steps { work, peers, comparison, number: 0 };
    let directives = case.directives.iter().filter(|d| d.applies_to(variant));
    for directive in directives.clone() {
        let at_line = |e| format!("line {}: {}: {e}", directive.line, directive.name);
        if links(directive, "sh") {
            steps.directive(directive).map_err(at_line)?;
        } else {
            steps.work.make(directive).map_err(at_line)?;
        }
    }
    let why_none = match Ending::of(case, variant) {
        Ending::Output => None,
        Ending::Messages => Some("the link must fail"),
        Ending::Damaged => Some("damaged inputs"),
    };
    if let Some(reason) = why_none {
        steps.comparison.left_out.push(reason.to_owned());
        return Ok(());
    }
    steps.step(|work, linker| work.link_command_of(linker, Way::Plain, OUTPUT))?;
    for directive in directives.filter(|directive| links(directive, "check")) {
        steps.directive(directive)?;
    }
    Ok(())
}

/// Whether a command makes a FIFO or names a device, other than to redirect its output there.
fn writes_device(command: &str) -> bool {
    let mut before = command.rsplit("/dev/").skip(1);
    command.contains("mkfifo") || before.any(|text| !text.trim_end().ends_with(['>', '<']))
}

/// Whether the directive calls the linker; `shell` names the directive whose commands may.
fn links(directive: &Directive, shell: &str) -> bool {
    let is_shell = directive.name == shell && directive.text.contains("$LD");
    is_shell || matches!(directive.name.as_str(), "shared" | "relocatable") && shell == "sh"
}

/// The steps of a case in which linkers are called.
struct Steps<'a, 'c> {
    work: Work<'a>,
    peers: &'a [Linker],
    comparison: &'c mut Comparison,
    number: usize,
}

impl Steps<'_, '_> {
    fn directive(&mut self, directive: &Directive) -> Result<()> {
        self.step(|work, linker| match directive.name.as_str() {
            "shared" | "relocatable" => work.intermediate_command(linker, directive),
            _ => Ok(work.shell_command(linker, &directive.text)),
        })
    }

    /// Runs one step with each linker, and compares the outputs.
    fn step(&mut self, command: impl Fn(&Work<'_>, &Linker) -> Result<CommandLine>) -> Result<()> {
        self.number += 1;
        let directory = self.work.directory.clone();
        let mut copies = Vec::new();
        for peer in self.peers {
            let name = format!("{}-{}", self.number, peer.identity.word());
            let copy = PathBuf::from(format!("{}.peers", directory.display())).join(name);
            let _ = fs::remove_dir_all(&copy);
            copy_directory(&directory, &copy)?;
            copies.push((peer, copy));
        }
        let findings = self.comparison.findings.len();
        let before = elf_files(&directory)?;
        let ours = command(&self.work, &self.work.settings.linker)?;
        let text = ours.shell_text();
        self.work.run_well(&ours)?;
        if writes_device(&text) {
            self.comparison
                .left_out
                .push("a device or a pipe as output, which peers replace".to_owned());
            return Ok(());
        }
        let mut made = elf_files(&directory)?;
        made.retain(|name, data| before.get(name) != Some(data));
        if made.is_empty() {
            // The output is no ELF file, or the one of an earlier step, or too large.
            self.comparison.left_out.push("no new ELF file that is not very large".to_owned());
            return Ok(());
        }
        let mut theirs = Vec::new();
        for (peer, copy) in &copies {
            let word = peer.identity.word();
            let refusal = match command(&self.work, peer)?.run(copy) {
                Ok(finished) => refusal(&finished),
                // GNU ld needs minutes for some links that others do in a second.
                Err(message) if message.starts_with(NO_END) => Some(NO_END.to_owned()),
                Err(message) => return Err(message),
            };
            let files = if refusal.is_none() { elf_files(copy)? } else { BTreeMap::new() };
            self.comparison.refusals.extend(refusal.map(|reason| format!("{word}: {reason}")));
            theirs.push(files);
        }
        for (name, data) in made {
            let peers: Vec<Option<&Vec<u8>>> = theirs
                .iter()
                .map(|files| files.get(&name).filter(|data| before.get(&name) != Some(*data)))
                .collect();
            self.output(&text, &name, data, &peers)?;
        }
        for (_, copy) in copies {
            // The outputs are kept for examination if there is a finding.
            if self.comparison.findings.len() == findings {
                fs::remove_dir_all(&copy).map_err(|e| format!("{}: {e}", copy.display()))?;
            }
        }
        Ok(())
    }

    /// Compares the outputs called `name`.
    fn output(
        &mut self,
        command: &str,
        name: &str,
        ours: Vec<u8>,
        theirs: &[Option<&Vec<u8>>],
    ) -> Result<()> {
        let read =
            |data: Vec<u8>| -> Result<Description> { Ok(describe(&OutputFile::parse(data)?)) };
        let ours = read(ours).map_err(|e| format!("{name}: {e}"))?;
        let mut peers: [Option<Description>; 2] = [None, None];
        for (peer, data) in self.peers.iter().zip(theirs) {
            let Some(data) = data else { continue };
            let at = PEERS.iter().position(|(identity, _)| *identity == peer.identity);
            let word = peer.identity.word();
            match (read(data.to_vec()), at) {
                (Ok(description), Some(at)) => peers[at] = Some(description),
                (Err(error), _) => {
                    let reason = format!("{word}: its output cannot be read: {error}");
                    self.comparison.refusals.push(reason);
                }
                (Ok(_), None) => return Err(format!("{word} is no peer")),
            }
        }
        if peers.iter().all(Option::is_none) {
            self.comparison.left_out.push("no peer makes this output".to_owned());
            return Ok(());
        }
        self.comparison.outputs += 1;
        let [gnu, lld] = &peers;
        let found = difference::find(&ours, gnu.as_ref(), lld.as_ref());
        for difference in &found {
            match rules::explanation(difference, &found, command) {
                Some(index) => self.comparison.used[index] += 1,
                None => self.comparison.findings.push(format!("{name}: {difference}")),
            }
        }
        Ok(())
    }
}

/// Larger outputs, which mostly consist of gaps, are not compared: three of them would be in
/// memory.
const TOO_LARGE: u64 = 64 << 20;

/// Files of at least this size are hard-linked instead of copied: no step writes to an input of
/// that size, and an old output of that size is not compared.
const LINKED_FROM: u64 = TOO_LARGE;

fn copy_directory(from: &Path, to: &Path) -> Result<()> {
    let error = |e: std::io::Error| format!("{}: {e}", to.display());
    fs::create_dir_all(to).map_err(error)?;
    for entry in fs::read_dir(from).map_err(error)? {
        let entry = entry.map_err(error)?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(error)?;
        if kind.is_dir() {
            copy_directory(&path, &target)?;
        } else if kind.is_symlink() {
            let link = fs::read_link(&path).map_err(error)?;
            std::os::unix::fs::symlink(link, &target).map_err(error)?;
        } else if kind.is_file() && fs::metadata(&path).map_err(error)?.len() >= LINKED_FROM {
            fs::hard_link(&path, &target).map_err(error)?;
        } else if kind.is_file() {
            fs::copy(&path, &target).map_err(error)?;
        }
    }
    Ok(())
}

/// The ELF files right in `directory`, with their bytes.
fn elf_files(directory: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let error = |e: std::io::Error| format!("{}: {e}", directory.display());
    for entry in fs::read_dir(directory).map_err(error)? {
        let entry = entry.map_err(error)?;
        // Reading a FIFO would wait for a writer.
        let is_small = |m: fs::Metadata| m.is_file() && m.len() <= TOO_LARGE;
        if !fs::metadata(entry.path()).is_ok_and(is_small) {
            continue;
        }
        let data = fs::read(entry.path()).map_err(error)?;
        if data.starts_with(b"\x7fELF") {
            files.insert(entry.file_name().to_string_lossy().into_owned(), data);
        }
    }
    Ok(files)
}

/// Why a peer did not link, or ignored an option.
fn refusal(finished: &Finished) -> Option<String> {
    match (finished.status.success(), ignored_option(finished)) {
        (false, _) => Some(reason(finished)),
        (true, Some(line)) => Some(without_names(line)),
        (true, None) => None,
    }
}

/// The first line in which a peer says why it does not link, without names.
fn reason(finished: &Finished) -> String {
    let is_of_driver = |line: &str| {
        ["collect2: ", "clang: ", "clang-19: ", "clang++-19: "].iter().any(|d| line.starts_with(d))
    };
    let lines = finished.stderr.lines().filter(|line| !is_of_driver(line));
    let is_error = |line: &&str| !line.contains("warning: ") && !line.contains(": in function ");
    let first = lines.clone().find(|line| line.contains("error: "));
    let Some(line) = first.or_else(|| lines.clone().find(is_error)) else {
        return finished.status_text();
    };
    without_names(line)
}

/// The line in which a peer that links says that it ignores an option.
fn ignored_option(finished: &Finished) -> Option<&str> {
    let is_told = |line: &&str| {
        line.contains("warning: unknown -z value")
            || line.contains("warning: -z ") && line.ends_with(" ignored")
    };
    finished.stderr.lines().find(is_told)
}

/// A message without names, paths and numbers, which differ from case to case.
fn without_names(line: &str) -> String {
    let mut words = Vec::new();
    for word in line.split_whitespace() {
        let is_name = word.contains(['/', '\'', '`', '"', '(', '=']) || word.contains(".o");
        let is_name =
            is_name || word.starts_with('-') || word.contains(|c: char| c.is_ascii_digit());
        if !is_name {
            words.push(word);
        } else if words.last() != Some(&"...") {
            words.push("...");
        }
    }
    words.truncate(12);
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::writes_device;

    #[test]
    fn devices_are_not_given_to_peers() {
        assert!(writes_device("ld a.o -o /dev/null"));
        assert!(writes_device("ld a.o -o out -Map=/dev/full"));
        assert!(writes_device("sh -c 'ld a.o -o /dev/null > /dev/null'"));
        assert!(!writes_device("sh -c 'ld a.o -o out 2> /dev/null >/dev/null'"));
        assert!(!writes_device("ld a.o -o out"));
        assert!(writes_device("sh -c 'mkfifo out; cat out > copy & ld a.o -o out'"));
    }
}
