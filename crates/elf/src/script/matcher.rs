//! Which statement takes an input section: the first whose patterns fit.
//!
//! Patterns are compiled once. Exact names are in a table behind a filter of lengths and wildcards
//! hang in a trie at their literal prefix, so that a name meets only the patterns that may fit it;
//! file patterns and flags are looked at only where a statement has one.

use super::layout_script::LayoutScript;
use super::statements::{ArchivePattern, FileName, InputStatement, SectionPattern};
use skald_base::glob::Glob;
use skald_base::prefix_trie::{self, PrefixTrie};
use skald_core::id;
use skald_core::ids::Column;
use skald_core::unordered::UnorderedMap;

id! {
    /// A statement of input sections, in the order of the script.
    RuleId
}

/// What a section is known by.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Its name; `COMMON` for common symbols.
    pub name: &'a [u8],
    /// The file, or the archive's member.
    pub file: &'a [u8],
    /// The archive.
    pub archive: Option<&'a [u8]>,
    /// SHF_*.
    pub sh_flags: u64,
}

/// The compiled patterns of a script.
#[derive(Debug, Default)]
pub struct Matcher {
    /// All patterns, ascending by rule.
    patterns: Vec<Pattern>,
    exact: UnorderedMap<Vec<u8>, Vec<u32>>,
    /// Bit `length` is set for each exact name, the last one for all long ones.
    exact_lengths: u64,
    trie: PrefixTrie<u32>,
    rules: Column<RuleId, RuleFiles>,
}

#[derive(Debug)]
struct Pattern {
    rule: RuleId,
    glob: Glob,
    excluded: Vec<FileGlob>,
    /// A name that meets it in the trie fits.
    is_prefix: bool,
    /// Nothing but the name counts.
    is_unconditional: bool,
}

#[derive(Debug)]
struct RuleFiles {
    file: FileGlob,
    is_any_file: bool,
    excluded: Vec<FileGlob>,
    with_flags: u64,
    without_flags: u64,
    is_on: bool,
}

#[derive(Debug)]
struct FileGlob {
    name: Glob,
    archive: ArchiveGlob,
}

#[derive(Debug)]
enum ArchiveGlob {
    Any,
    None,
    Named(Glob),
}

impl FileGlob {
    fn new(name: &[u8], archive: &ArchivePattern) -> FileGlob {
        let archive = match archive {
            ArchivePattern::Any => ArchiveGlob::Any,
            ArchivePattern::None => ArchiveGlob::None,
            ArchivePattern::Named(name) => ArchiveGlob::Named(Glob::new(name)),
        };
        FileGlob { name: Glob::new(name), archive }
    }

    fn of(name: &FileName) -> FileGlob {
        FileGlob::new(&name.name, &name.archive)
    }

    fn matches(&self, asked: &Asked<'_>) -> bool {
        match (&self.archive, asked.archive) {
            (ArchiveGlob::Any, archive) => {
                self.name.matches(asked.file)
                    || archive.is_some_and(|archive| self.name.matches(archive))
            }
            (ArchiveGlob::None, None) => self.name.matches(asked.file),
            (ArchiveGlob::Named(glob), Some(archive)) => {
                glob.matches(archive) && self.name.matches(asked.file)
            }
            _ => false,
        }
    }
}

impl RuleFiles {
    fn new(statement: &InputStatement) -> RuleFiles {
        let file = &statement.file;
        RuleFiles {
            is_any_file: file.name == b"*" && file.archive == ArchivePattern::Any,
            file: FileGlob::new(&file.name, &file.archive),
            excluded: file.excluded.iter().map(FileGlob::of).collect(),
            with_flags: statement.with_flags,
            without_flags: statement.without_flags,
            is_on: true,
        }
    }

    fn is_unconditional(&self) -> bool {
        self.is_any_file && self.excluded.is_empty() && self.with_flags | self.without_flags == 0
    }

    fn takes(&self, asked: &Asked<'_>) -> bool {
        self.is_on
            && asked.sh_flags & self.with_flags == self.with_flags
            && asked.sh_flags & self.without_flags == 0
            && (self.is_any_file || self.file.matches(asked))
            && !self.excluded.iter().any(|file| file.matches(asked))
    }
}

impl Matcher {
    /// The statements of a script.
    pub fn new(script: &LayoutScript) -> Matcher {
        let mut matcher = Matcher::default();
        for (_, statement) in script.inputs() {
            let rule = matcher.rules.push(RuleFiles::new(statement));
            if statement.sections.is_empty() {
                matcher.add(rule, b"*", &[]);
            }
            for SectionPattern { name, excluded, .. } in &statement.sections {
                matcher.add(rule, name, excluded);
            }
        }
        matcher
    }

    fn add(&mut self, rule: RuleId, name: &[u8], excluded: &[FileName]) {
        let at = self.patterns.len() as u32;
        let glob = Glob::new(name);
        let prefix = glob.literal_prefix();
        match glob.as_literal() {
            Some(name) => {
                self.exact_lengths |= length_bit(name);
                self.exact.entry(name.to_vec()).or_default().push(at);
            }
            None => self.trie.insert(&prefix, at),
        }
        let is_unconditional = excluded.is_empty() && self.rules[rule].is_unconditional();
        let excluded = excluded.iter().map(FileGlob::of).collect();
        let is_prefix = glob.is_prefix() && prefix.len() <= prefix_trie::MAX_DEPTH;
        self.patterns.push(Pattern { rule, glob, excluded, is_prefix, is_unconditional });
    }

    /// Whether it makes a difference which flags a section has.
    pub fn asks_flags(&self) -> bool {
        self.rules.iter().any(|rule| rule.with_flags | rule.without_flags != 0)
    }

    /// Leaves a statement out, or takes it in again.
    pub fn switch(&mut self, rule: RuleId, is_on: bool) {
        self.rules[rule].is_on = is_on;
    }

    /// The statement that takes a section; none if it is an orphan.
    pub fn rule_of(&self, asked: &Asked<'_>) -> Option<RuleId> {
        let mut best = u32::MAX;
        if self.exact_lengths & length_bit(asked.name) != 0
            && let Some(exact) = self.exact.get(asked.name)
        {
            best = self.first(exact, asked, best);
        }
        self.trie.visit(asked.name, |patterns| best = self.first(patterns, asked, best));
        (best != u32::MAX).then(|| self.patterns[best as usize].rule)
    }

    /// The first of `patterns`, which ascend, that fits, if it comes before `best`.
    fn first(&self, patterns: &[u32], asked: &Asked<'_>, best: u32) -> u32 {
        let earlier = patterns.iter().copied().take_while(|&at| at < best);
        earlier.into_iter().find(|&at| self.fits(at, asked)).unwrap_or(best)
    }

    fn fits(&self, at: u32, asked: &Asked<'_>) -> bool {
        let pattern = &self.patterns[at as usize];
        let rule = &self.rules[pattern.rule];
        (pattern.is_prefix || pattern.glob.matches(asked.name))
            && (pattern.is_unconditional && rule.is_on
                || rule.takes(asked) && !pattern.excluded.iter().any(|file| file.matches(asked)))
    }
}

fn length_bit(name: &[u8]) -> u64 {
    1 << name.len().min(63)
}

#[cfg(test)]
mod tests {
    use super::super::parse::{Including, sections};
    use super::*;
    use skald_base::lexer::Lexer;

    fn matcher(text: &str) -> Matcher {
        let mut lexer = Lexer::new("f", text.as_bytes());
        let including = Including { include: &super::super::text_script::nothing, depth: 0 };
        let statements = sections(&mut lexer, including).unwrap_or_else(|e| panic!("{}", e.0));
        Matcher::new(&LayoutScript { statements, ..LayoutScript::default() })
    }

    fn asked<'a>(name: &'a str, file: &'a str, archive: Option<&'a str>) -> Asked<'a> {
        let archive = archive.map(str::as_bytes);
        Asked { name: name.as_bytes(), file: file.as_bytes(), archive, sh_flags: 2 }
    }

    #[test]
    fn the_first_that_fits_takes_a_section() {
        let matcher = matcher(
            ".text : { *(.text.hot.*) *(.text .text.*) }\n\
             .a : { x.o(.data) *lib.a:(.data) *(EXCLUDE_FILE(y.o) .data) }\n\
             .b : { INPUT_SECTION_FLAGS(SHF_WRITE) *(*) *(.bss*) }}",
        );
        for (name, file, archive, rule) in [
            (".text.hot.f", "a.o", None, Some(0)),
            (".text.f", "a.o", None, Some(1)),
            (".text", "a.o", None, Some(1)),
            (".data", "x.o", None, Some(2)),
            (".data", "m.o", Some("dir/lib.a"), Some(3)),
            (".data", "a.o", None, Some(4)),
            (".data", "y.o", None, None),
            (".bss.x", "a.o", None, Some(6)),
            (".other", "a.o", None, None),
        ] {
            let found = matcher.rule_of(&asked(name, file, archive));
            assert_eq!(found.map(RuleId::number), rule, "{name} of {file}");
        }
    }
}
