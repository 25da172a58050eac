//! Finds the statement that takes an input section: the first whose patterns match.
//!
//! Patterns are compiled once. A name is compared with the patterns in the bucket of its first
//! bytes; each bucket also has the few patterns that begin with a wildcard. The first eight bytes
//! of name and pattern are compared as one word, which is nearly always all that has to be
//! compared. File patterns and flags are looked at only where a statement has one. Where buckets
//! would be long, or file patterns are many, the patterns of names and those of files each have an
//! index ([`names`], [`files`]). The file patterns that match a file are then looked up once for
//! all of its sections.

mod files;
mod names;
mod overlap;

use super::layout_script::LayoutScript;
use super::statements::{ArchivePattern, FileName, InputStatement, SectionPattern};
use names::{NameIndex, OfFile};
pub use overlap::may_be_kept;
use skald_core::id;
use skald_core::ids::Column;
use skald_linking::glob::Glob;
use std::ops::Range;

id! {
    /// A statement of input sections, in the order of the script.
    RuleId
}
id! {
    /// A pattern of section names, in the order in which they are tried.
    PatternId
}

/// An input section as patterns see it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Name of the section; `COMMON` for common symbols.
    pub name: &'a [u8],
    /// Name of the file, or of the archive member.
    pub file: &'a [u8],
    /// Name of the archive; `None` for a file that is no member.
    pub archive: Option<&'a [u8]>,
    /// `sh_flags` of the section: SHF_*.
    pub sh_flags: u64,
}

/// The compiled patterns of a script.
#[derive(Debug, Default)]
pub struct Matcher {
    /// All patterns, ascending by statement.
    patterns: Column<PatternId, Pattern>,
    index: Index,
    rules: Column<RuleId, RuleFiles>,
}

/// Finds the patterns that a name may match, ascending.
#[derive(Debug)]
enum Index {
    /// By [`bucket_of`] the name's first bytes; the last bucket is for short names.
    Buckets(Box<[Vec<Key>; BUCKETS + 1]>),
    /// For scripts with many patterns.
    Names(Box<NameIndex>),
}

/// The number of buckets, and the greatest number of patterns in a bucket, and of file patterns.
const BUCKETS: usize = 64;

impl Default for Index {
    fn default() -> Index {
        Index::Buckets(Box::new([const { Vec::new() }; BUCKETS + 1]))
    }
}

/// A pattern as stored in a bucket.
#[derive(Debug, Clone, Copy)]
struct Key {
    /// [`Pattern`]'s first bytes.
    head: u64,
    head_mask: u64,
    /// Bytes of the prefix, or of the only name that fits.
    length: u32,
    /// The pattern has no wildcard, so that only one name matches.
    is_exact: bool,
    /// The pattern is a prefix: nothing else has to be compared.
    is_sure: bool,
    rule: RuleId,
    pattern: PatternId,
}

impl Key {
    fn of(id: PatternId, pattern: &Pattern) -> Key {
        let &Pattern { head, head_mask, length, shape, rule, .. } = pattern;
        Key {
            head,
            head_mask,
            length,
            is_exact: shape == Shape::Exact,
            is_sure: shape != Shape::Other && length <= 8 && pattern.is_unconditional,
            rule,
            pattern: id,
        }
    }
}

#[derive(Debug)]
struct Pattern {
    rule: RuleId,
    /// The first bytes of matching names, as [`head`] returns them, and a mask of the bytes that
    /// count.
    head: u64,
    head_mask: u64,
    /// Length in bytes of the literal prefix, or of the only name that matches.
    length: u32,
    shape: Shape,
    glob: Glob,
    excluded: Vec<FileGlob>,
    /// The statement has no pattern of files and no flags: a matching name is enough.
    is_unconditional: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Matches one name.
    Exact,
    /// Matches all names with a prefix.
    Prefix,
    Other,
}

#[derive(Debug)]
struct RuleFiles {
    /// Pattern of file names; `None` matches any file.
    file: Option<FileGlob>,
    excluded: Vec<FileGlob>,
    with_flags: u64,
    without_flags: u64,
    is_out: bool,
    /// The patterns of the statement.
    patterns: Range<PatternId>,
}

/// The first eight bytes of a name as a word, with zeros behind a short name.
#[inline]
fn head(name: &[u8]) -> u64 {
    match name.first_chunk() {
        Some(first) => u64::from_le_bytes(*first),
        None => {
            let mut first = [0; 8];
            first[..name.len()].copy_from_slice(name);
            u64::from_le_bytes(first)
        }
    }
}

/// How many bytes of a name its bucket depends on.
const BUCKET_BYTES: usize = 5;

/// The bucket of names with this head; nearly all names begin with a dot.
#[inline]
fn bucket_of(head: u64) -> usize {
    let bytes = head << (64 - 8 * BUCKET_BYTES);
    (bytes.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize
}

#[derive(Debug)]
struct FileGlob {
    name: Glob,
    archive: ArchiveGlob,
}

#[derive(Debug)]
enum ArchiveGlob {
    Any,
    Unasked,
    None,
    Named(Glob),
}

impl ArchiveGlob {
    fn new(archive: &ArchivePattern) -> ArchiveGlob {
        match archive {
            ArchivePattern::Any => ArchiveGlob::Any,
            ArchivePattern::Unasked => ArchiveGlob::Unasked,
            ArchivePattern::None => ArchiveGlob::None,
            ArchivePattern::Named(name) => ArchiveGlob::Named(Glob::new(name)),
        }
    }
}

impl FileGlob {
    fn new(name: &[u8], archive: &ArchivePattern) -> FileGlob {
        FileGlob { name: Glob::new(name), archive: ArchiveGlob::new(archive) }
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
            (ArchiveGlob::None, None) | (ArchiveGlob::Unasked, _) => self.name.matches(asked.file),
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
        let is_any = *file.name == *b"*"
            && matches!(file.archive, ArchivePattern::Any | ArchivePattern::Unasked);
        RuleFiles {
            file: (!is_any).then(|| FileGlob::new(&file.name, &file.archive)),
            excluded: file.excluded.iter().map(FileGlob::of).collect(),
            with_flags: statement.with_flags,
            without_flags: statement.without_flags,
            is_out: false,
            patterns: Range::default(),
        }
    }

    fn is_unconditional(&self) -> bool {
        self.file.is_none() && self.excluded.is_empty() && self.with_flags | self.without_flags == 0
    }

    fn takes(&self, asked: &Asked<'_>) -> bool {
        !self.is_out
            && asked.sh_flags & self.with_flags == self.with_flags
            && asked.sh_flags & self.without_flags == 0
            && self.file.as_ref().is_none_or(|file| file.matches(asked))
            && !self.excluded.iter().any(|file| file.matches(asked))
    }
}

impl Pattern {
    fn new(rule: RuleId, name: &[u8], excluded: &[FileName], files: &RuleFiles) -> Pattern {
        let glob = Glob::new(name);
        let prefix = glob.literal_prefix();
        let shape = match glob.as_literal() {
            Some(_) => Shape::Exact,
            None if glob.is_prefix() => Shape::Prefix,
            None => Shape::Other,
        };
        let known = prefix.len().min(8) as u32;
        Pattern {
            rule,
            head: head(&prefix),
            head_mask: u64::MAX.checked_shr(64 - 8 * known).unwrap_or(0),
            length: prefix.len() as u32,
            shape,
            glob,
            excluded: excluded.iter().map(FileGlob::of).collect(),
            is_unconditional: excluded.is_empty() && files.is_unconditional(),
        }
    }

    /// Whether a name, whose first bytes are `head`, matches.
    #[inline]
    fn fits(&self, name: &[u8], head: u64) -> bool {
        if head & self.head_mask != self.head {
            return false;
        }
        match self.shape {
            Shape::Exact if name.len() != self.length as usize => false,
            Shape::Exact | Shape::Prefix if self.length <= 8 => true,
            _ => self.glob.matches(name),
        }
    }
}

impl Matcher {
    /// Compiles the statements of a script.
    pub fn new(script: &LayoutScript) -> Matcher {
        Matcher::of(script, |_| true)
    }

    /// Compiles those statements of a script that are wanted.
    pub fn of(script: &LayoutScript, is_wanted: impl Fn(&InputStatement) -> bool) -> Matcher {
        let mut matcher = Matcher::default();
        for (_, statement) in script.inputs() {
            matcher.rules.push(RuleFiles::new(statement));
        }
        let mut rules: Vec<(RuleId, &InputStatement)> = (0..)
            .map(RuleId::from_index)
            .zip(script.inputs())
            .map(|(rule, (_, statement))| (rule, statement))
            .collect();
        rules.sort_by_key(|(_, statement)| statement.turn);
        for (rule, statement) in rules {
            if !is_wanted(statement) {
                continue;
            }
            let start = matcher.patterns.end();
            let files = &matcher.rules[rule];
            if statement.sections.is_empty() {
                matcher.patterns.push(Pattern::new(rule, b"*", &[], files));
            }
            for SectionPattern { name, excluded, .. } in &statement.sections {
                matcher.patterns.push(Pattern::new(rule, name, excluded, files));
            }
            matcher.rules[rule].patterns = start..matcher.patterns.end();
        }
        matcher.index(script);
        matcher
    }

    fn index(&mut self, script: &LayoutScript) {
        let Index::Buckets(buckets) = &mut self.index else { return };
        for (at, pattern) in self.patterns.with_ids() {
            let is_short = (pattern.length as usize) < BUCKET_BYTES;
            let key = Key::of(at, pattern);
            match pattern.shape {
                _ if !is_short => buckets[bucket_of(pattern.head)].push(key),
                Shape::Exact => buckets[BUCKETS].push(key),
                _ => buckets.iter_mut().for_each(|bucket| bucket.push(key)),
            }
        }
        let files = script.inputs().map(|(_, statement)| files::count(statement)).sum::<usize>();
        if files > BUCKETS || buckets.iter().any(|bucket| bucket.len() > BUCKETS) {
            self.index = Index::Names(Box::new(NameIndex::new(script, &self.patterns)));
        }
    }

    /// Whether any statement asks for flags of a section.
    pub fn asks_flags(&self) -> bool {
        self.rules.iter().any(|rule| rule.with_flags | rule.without_flags != 0)
    }

    /// Removes a statement's patterns.
    pub fn leave_out(&mut self, rule: RuleId) {
        self.rules[rule].is_out = true;
        for pattern in &mut self.patterns[self.rules[rule].patterns.clone()] {
            pattern.is_unconditional = false;
        }
        if let Index::Buckets(buckets) = &mut self.index {
            let keys = buckets.iter_mut().flatten().filter(|key| key.rule == rule);
            keys.for_each(|key| key.is_sure = false);
        }
    }

    /// The file patterns that match a file, to be asked about its sections.
    pub fn of_file<'a>(&'a self, file: &[u8], archive: Option<&[u8]>) -> OfFile<'a> {
        match &self.index {
            Index::Buckets(_) => OfFile::default(),
            Index::Names(names) => names.of_file(file, archive),
        }
    }

    /// The statement that takes a section; `None` if it is an orphan.
    pub fn rule_of(&self, asked: &Asked<'_>) -> Option<RuleId> {
        self.rule_in(&self.of_file(asked.file, asked.archive), asked)
    }

    /// The statement that takes a section of the file that `of_file` describes.
    #[inline]
    pub fn rule_in(&self, of_file: &OfFile<'_>, asked: &Asked<'_>) -> Option<RuleId> {
        match &self.index {
            Index::Buckets(buckets) => {
                let found = |pattern, head| self.fits(pattern, asked, head);
                find(buckets, asked.name, found)
            }
            Index::Names(names) => {
                let is_out = |pattern: PatternId| self.rules[self.patterns[pattern].rule].is_out;
                let found = names.first(of_file, asked.name, asked.sh_flags, is_out)?;
                Some(self.patterns[found].rule)
            }
        }
    }

    /// All statements that match a section, in the order in which they may take it. It tries every
    /// pattern.
    pub fn all_of(&self, asked: &Asked<'_>) -> Vec<RuleId> {
        let head = head(asked.name);
        let found = self.patterns.with_ids().filter(|&(at, _)| self.fits(at, asked, head));
        let mut rules: Vec<RuleId> = found.map(|(_, pattern)| pattern.rule).collect();
        rules.dedup();
        rules
    }

    /// The statement that takes a section of which only the name is known.
    #[inline]
    pub fn rule_of_name(&self, name: &[u8]) -> Option<RuleId> {
        let asked = Asked { name, file: b"", archive: None, sh_flags: 0 };
        match &self.index {
            Index::Buckets(buckets) => {
                find(buckets, name, |pattern, head| self.fits(pattern, &asked, head))
            }
            Index::Names(_) => self.rule_of(&asked),
        }
    }

    fn fits(&self, at: PatternId, asked: &Asked<'_>, head: u64) -> bool {
        let pattern = &self.patterns[at];
        if !pattern.fits(asked.name, head) {
            return false;
        }
        pattern.is_unconditional
            || self.rules[pattern.rule].takes(asked)
                && !pattern.excluded.iter().any(|file| file.matches(asked))
    }
}

/// The first key in the name's bucket that the name matches.
#[inline(always)]
fn find(
    buckets: &[Vec<Key>; BUCKETS + 1],
    name: &[u8],
    fits: impl Fn(PatternId, u64) -> bool,
) -> Option<RuleId> {
    let head = head(name);
    let is_short = name.len() < BUCKET_BYTES;
    let bucket = if is_short { BUCKETS } else { bucket_of(head) };
    let is_it = |key: &&Key| {
        head & key.head_mask == key.head
            && if key.is_sure {
                !key.is_exact || key.length as usize == name.len()
            } else {
                fits(key.pattern, head)
            }
    };
    buckets[bucket].iter().find(is_it).map(|key| key.rule)
}

#[cfg(test)]
mod tests {
    use super::super::parse::{Including, sections};
    use super::*;
    use skald_linking::lexer::Lexer;

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
             .b : { INPUT_SECTION_FLAGS(SHF_WRITE) *(*) *(.bss*) }\n\
             .c : { ?.o(EXCLUDE_FILE(z*.o) .c) x.o(.c) }}",
        );
        for (name, file, archive, rule) in [
            (".text.hot.f", "a.o", None, Some(0)),
            (".text.f", "a.o", None, Some(1)),
            (".text", "a.o", None, Some(1)),
            (".data", "x.o", None, Some(2)),
            (".data", "m.o", Some("dir/lib.a"), Some(3)),
            (".data", "a.o", None, Some(4)),
            (".data", "y.o", None, None),
            (".c", "x.o", None, Some(7)),
            (".c", "m.oo", Some("x.o"), Some(8)),
            (".c", "m.o", Some("z1.o"), None),
            (".c", "mm.o", Some("y.o"), None),
            (".bss.x", "a.o", None, Some(6)),
            (".other", "a.o", None, None),
        ] {
            let found = matcher.rule_of(&asked(name, file, archive));
            assert_eq!(found.map(RuleId::number), rule, "{name} of {file}");
        }
    }
}
