//! The steps of a case in order: decide whether to skip it, make its inputs, link, check, link
//! again.

use crate::artifact::{OUTPUT, Settings, Work};
use crate::case::{Case, Variant};
use crate::check::{self, Subjects};
use crate::command::Finished;
use crate::directives::{self, Ending};
use crate::linker::{Identity, PEERS, Way};
use crate::machine::Runner;
use crate::output_file::OutputFile;
use crate::{Result, corrupt, generic, lint, programs};
use std::fs;
use std::path::Path;

/// Content of the output before a link that must fail; it must be there afterwards.
pub const SENTINEL: &[u8] = b"the old output\n";

/// The result of one case in one variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All checks held.
    Passed,
    /// All checks held but those that run the program, and why there were none.
    NotRun(String),
    /// The reason why the case cannot run on this system.
    Skipped(String),
    /// The check that failed.
    Failed(String),
}

/// Runs `case` in `variant`.
pub fn run_case(settings: &Settings, case: &Case, variant: &Variant) -> Outcome {
    match try_case(settings, case, variant) {
        Ok(outcome) => outcome,
        Err(message) => Outcome::Failed(message),
    }
}

fn try_case(settings: &Settings, case: &Case, variant: &Variant) -> Result<Outcome> {
    directives::check(case, variant)?;
    if let Some(reason) = skip_reason(settings, case, variant)? {
        return Ok(Outcome::Skipped(reason));
    }
    let mut work = Work::new(settings, case, variant)?;
    work.make_inputs()?;
    match Ending::of(case, variant) {
        Ending::Damaged => {
            for directive in case.directives_for(variant, "corrupt") {
                corrupt::run(&mut work, directive)
                    .map_err(|e| format!("line {}: {e}", directive.line))?;
            }
        }
        Ending::Messages => link_that_fails(&mut work)?,
        Ending::Output => link_that_succeeds(&mut work)?,
    }
    if !settings.keeps_all {
        let removed = fs::remove_dir_all(&work.directory);
        removed.map_err(|e| format!("{}: {e}", work.directory.display()))?;
    }
    Ok(work.not_run.take().map_or(Outcome::Passed, Outcome::NotRun))
}

/// Why the case is skipped: a program is missing, or `peers:` does not name the linker.
fn skip_reason(settings: &Settings, case: &Case, variant: &Variant) -> Result<Option<String>> {
    if let Some(reason) = generic::why_not(case, variant)? {
        return Ok(Some(reason));
    }
    if let Some(program) = programs::missing(case, variant)? {
        return Ok(Some(format!("needs {program}")));
    }
    let identity = settings.linker.identity;
    for directive in case.directives_for(variant, "peers") {
        let is_listed = directive.words()?.iter().any(|word| word == identity.word());
        if identity != Identity::Skald && !is_listed {
            return Ok(Some(format!("{} does not do this", identity.word())));
        }
    }
    Ok(None)
}

/// Whether a linker, possibly below a driver, ended by a signal or a panic.
pub fn crashed(finished: &Finished) -> bool {
    let text = &finished.stderr;
    finished.status.code().is_none_or(|code| code == 101 || code >= 128)
        || text.contains("panicked at")
        || text.contains("terminated with signal")
        || text.contains("failed due to signal")
}

fn link_that_fails(work: &mut Work<'_>) -> Result<()> {
    let output = work.path(OUTPUT);
    fs::write(&output, SENTINEL).map_err(|e| e.to_string())?;
    let line = work.link_command(Way::Plain, OUTPUT)?;
    let link = work.run(&line)?;
    if crashed(&link) {
        return Err(format!("the link crashes: {}\n{}", link.status_text(), link.stderr));
    }
    if link.status.success() {
        return Err(format!("the link succeeds; printed:\n{}{}", link.stdout, link.stderr));
    }
    let (case, variant) = (work.case, work.variant);
    let mut subjects = Subjects::new();
    for directive in &case.directives {
        if directive.applies_to(variant) {
            match directive.name.as_str() {
                "expect-error" => check::matches(&directive.text, &link.stderr, true),
                "no-error" => check::matches(&directive.text, &link.stderr, false),
                // The other directives that apply here are about messages or written files.
                _ => check::check(work, &mut subjects, directive, &link),
            }
            .map_err(|e| format!("line {}: {}: {e}", directive.line, directive.name))?;
        }
    }
    error_text(work, &link)?;
    let is_kept = fs::read(&output).ok().as_deref() == Some(SENTINEL);
    if work.settings.linker.identity == Identity::Skald && !is_kept {
        return Err("the link fails and the old output is gone".to_owned());
    }
    if work.settings.linker.has_perturbed {
        let line = work.link_command(Way::Perturbed, OUTPUT)?;
        let again = work.run(&line)?;
        // The path of the linker is in the driver's messages.
        let (plain, perturbed) = (Way::Plain, Way::Perturbed);
        let path = |way| work.settings.linker.directory(way).display().to_string();
        let expected = link.stderr.replace(&path(plain), &path(perturbed));
        if again.status != link.status || again.stderr != expected {
            return Err(format!("perturbed, it says:\n{}and not:\n{expected}", again.stderr));
        }
    }
    Ok(())
}

/// Checks the messages against the `error-text` directives, if there are any, and that skald prints
/// the same with one thread.
fn error_text(work: &mut Work<'_>, link: &Finished) -> Result<()> {
    let lines = work.case.directives_for(work.variant, "error-text");
    let expected: Vec<String> = lines.map(|line| line.text.clone()).collect();
    let printed = messages(work, &link.stderr)?;
    if !expected.is_empty() && printed != expected {
        let as_directives: Vec<String> =
            printed.iter().map(|line| format!("//# error-text: {line}")).collect();
        return Err(format!("other messages than expected:\n{}", as_directives.join("\n")));
    }
    if work.settings.linker.identity == Identity::Skald {
        let line = work.link_command(Way::OneThread, OUTPUT)?;
        let again = work.run(&line)?;
        // The path of the linker is in the driver's messages.
        let path = |way| work.settings.linker.directory(way).display().to_string();
        let text = again.stderr.replace(&path(Way::OneThread), &path(Way::Plain));
        let again = messages(work, &text)?;
        if again != printed {
            return Err(format!("--threads=1 prints other messages:\n{}", again.join("\n")));
        }
    }
    Ok(())
}

/// The lines that the linker printed, with `$WORK` for the case's directory; without those of the
/// compiler that called it.
fn messages(work: &Work<'_>, stderr: &str) -> Result<Vec<String>> {
    let name = work.directory.file_name().map(|name| regex::escape(&name.to_string_lossy()));
    // An object of the cache names the directory that it was compiled in.
    let directory = check::pattern(&format!(r"/[^\s():]*/{}/", name.unwrap_or_default()))?;
    let is_own = |line: &&str| {
        let of_driver = ["collect2: ", "clang: ", "clang-19: ", "clang++-19: "];
        !line.is_empty() && !of_driver.iter().any(|start| line.starts_with(start))
    };
    let lines = stderr.lines().filter(is_own);
    Ok(lines.map(|line| directory.replace_all(line.trim_end(), "$$WORK/").into_owned()).collect())
}

fn link_that_succeeds(work: &mut Work<'_>) -> Result<()> {
    let line = work.link_command(Way::Plain, OUTPUT)?;
    let link = work.run_well(&line)?;
    if crashed(&link) {
        return Err(format!("the link crashes: {}", link.stderr));
    }
    lint_outputs(work)?;
    let mut subjects = Subjects::new();
    let (case, variant) = (work.case, work.variant);
    for directive in case.directives.iter().filter(|d| d.applies_to(variant)) {
        check::check(work, &mut subjects, directive, &link).map_err(|e| {
            format!("line {}: {}: {}\n  {e}", directive.line, directive.name, directive.text)
        })?;
        if directive.name == "same-as" {
            for peer in directive.words()? {
                same_as(work, &peer).map_err(|e| format!("line {}: {e}", directive.line))?;
            }
        }
    }
    repeat(work)
}

/// Lints the output and the libraries and objects that were linked on the way to it.
fn lint_outputs(work: &Work<'_>) -> Result<()> {
    let mut except = Vec::new();
    for directive in work.case.directives_for(work.variant, "lint-except") {
        // The directive gives the rule, then the reason.
        except.extend(directive.words()?.into_iter().next());
    }
    // In cases, libraries are searched beside the output.
    except.push("open-runpath".to_owned());
    // What a script sets apart by a page of x86 shares one of the machine's.
    if work.case.is_generic && !work.case.machine.is_x86() {
        except.push("writable-code".to_owned());
    }
    let mut names = vec![OUTPUT.to_owned()];
    for kind in ["shared", "relocatable"] {
        for directive in work.case.directives_for(work.variant, kind) {
            names.extend(directive.words()?.into_iter().next());
        }
    }
    let mut findings = Vec::new();
    for name in names {
        let path = work.path(&name);
        if !starts_as_elf(&path) {
            continue;
        }
        let file = OutputFile::read(&path)?;
        findings.extend(lint::check(&file, &except).into_iter().map(|f| format!("{name}: {f}")));
    }
    if findings.is_empty() { Ok(()) } else { Err(format!("lint:\n  {}", findings.join("\n  "))) }
}

fn starts_as_elf(path: &Path) -> bool {
    fs::read(path).is_ok_and(|data| data.starts_with(b"\x7fELF"))
}

/// Links again with one thread, and with the perturbed build: skald promises equal bytes.
fn repeat(work: &mut Work<'_>) -> Result<()> {
    let is_excepted = work.case.directives_for(work.variant, "repeat-except").next().is_some();
    if work.settings.linker.identity != Identity::Skald || is_excepted {
        return Ok(());
    }
    // The path must be the same, as the output may contain it.
    let first = work.path("out.first");
    fs::rename(work.path(OUTPUT), &first).map_err(|e| e.to_string())?;
    let first = fs::read(&first).map_err(|e| e.to_string())?;
    let perturbed = work.settings.linker.has_perturbed.then_some(Way::Perturbed);
    for way in [Some(Way::OneThread), perturbed].into_iter().flatten() {
        let line = work.link_command(way, OUTPUT)?;
        work.run_well(&line)?;
        let second = fs::read(work.path(OUTPUT)).map_err(|e| e.to_string())?;
        if first != second {
            let at = first.iter().zip(&second).position(|(a, b)| a != b);
            return Err(format!(
                "{way:?} gives another output, from byte {at:?} (out.first and out)"
            ));
        }
    }
    Ok(())
}

/// Links with a peer and compares what the two programs do.
fn same_as(work: &mut Work<'_>, peer: &str) -> Result<()> {
    let known = PEERS.iter().find(|(identity, _)| identity.word() == peer);
    let (_, path) = *known.ok_or_else(|| format!("unknown peer: {peer}"))?;
    if !Path::new(path).exists() {
        return Ok(());
    }
    if let Runner::Nothing(why) = work.case.machine.runner() {
        work.not_run = Some(why.clone());
        return Ok(());
    }
    let directory = work.path(&format!("peer-{peer}"));
    let linker = crate::linker::Linker::new(Path::new(path), &directory)?;
    let line = work.link_command_of(&linker, Way::Plain, &format!("out.{peer}"))?;
    work.run_well(&line)?;
    let run = |work: &mut Work<'_>, name: &str| {
        let run = work.case.machine.run(&work.path(name), &work.directory);
        work.run(&run?.line).map(|f| (f.status_text(), f.stdout))
    };
    let (ours, theirs) = (run(work, OUTPUT)?, run(work, &format!("out.{peer}"))?);
    if ours == theirs { Ok(()) } else { Err(format!("{ours:?}, but with {peer} {theirs:?}")) }
}
