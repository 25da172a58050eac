//! Finds the first pattern that takes a section where there are many: each different pattern of
//! names is tried once, whatever number of statements have it.
//!
//! Statements for the files of one pattern (`*x.o(.text*)`) are looked up by file: what those that
//! match it have is a table of its own for each file, made once. What excludes files stays in the
//! list of all, because it nearly always takes.

use super::files::FilePatterns;
use super::{Pattern, RuleId};
use crate::script::layout_script::LayoutScript;
use crate::script::statements::{ArchivePattern, InputStatement, OutputStatement, SectionPattern};
use skald_base::glob_index::GlobIndex;
use skald_core::ids::Column;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::cell::RefCell;

/// All patterns of a script.
#[derive(Debug, Default)]
pub(super) struct NameIndex {
    names: GlobIndex,
    /// By name pattern: those for all files, or all but some, ascending.
    for_all: Vec<Vec<Entry>>,
    files: FilePatterns,
    /// By pattern of files: what asks for it, ascending.
    of_files: Vec<Vec<(u32, Entry)>>,
    /// Sets of file patterns of which none may match.
    exclusions: Vec<Vec<u32>>,
}

/// A pattern that a section of a matching name may have to do with.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Its number among the patterns.
    pattern: u32,
    with_flags: u64,
    without_flags: u64,
    /// One of the exclusions.
    exclusion: Option<u32>,
}

/// One file's part of the index.
#[derive(Debug, Default)]
pub struct OfFile<'a> {
    /// The patterns that match the file.
    matching: Vec<u32>,
    /// By name pattern: what is there for the file, ascending.
    entries: UnorderedMap<u32, Vec<&'a Entry>>,
    /// By exclusion, whether the file is excluded, as far as that was asked.
    excluded: RefCell<Vec<Option<bool>>>,
}

/// What is needed while patterns are added.
#[derive(Default)]
struct Adding<'a> {
    index: NameIndex,
    numbers: UnorderedMap<&'a [u8], u32>,
    exclusions: UnorderedMap<Vec<u32>, u32>,
    /// Name pattern, file pattern and what else is asked, of what was added.
    seen: UnorderedSet<(u32, Option<u32>, u64, u64, Option<u32>)>,
}

impl NameIndex {
    /// The index of a script's patterns.
    pub fn new(script: &LayoutScript, patterns: &[Pattern]) -> NameIndex {
        let mut adding = Adding::default();
        let outputs: Vec<&OutputStatement> = script.outputs().collect();
        let statements: Column<RuleId, (usize, &InputStatement)> = script.inputs().collect();
        let mut globs = Vec::new();
        let mut sections: &[SectionPattern] = &[];
        let mut last = None;
        for (at, pattern) in (0..).zip(patterns) {
            let (output, statement) = statements[pattern.rule];
            if last.replace(pattern.rule) != Some(pattern.rule) {
                sections = &statement.sections;
            }
            let (own, rest) = match sections.split_first() {
                Some((own, rest)) => (Some(own), rest),
                None => (None, sections),
            };
            sections = rest;
            let name = own.map_or(&b"*"[..], |own| &own.name);
            let next = globs.len() as u32;
            let number = *adding.numbers.entry(name).or_insert(next);
            if number == next {
                globs.push(pattern.glob.clone());
                adding.index.for_all.push(Vec::new());
            }
            let may_leave = outputs[output].constraint.is_some();
            adding.add(number, at, (statement, own), may_leave);
        }
        let mut index = adding.index;
        index.names = GlobIndex::new(globs);
        index.files.finish();
        index
    }

    /// What is there for a file.
    pub fn of_file(&self, file: &[u8], archive: Option<&[u8]>) -> OfFile<'_> {
        if self.files.is_empty() {
            return OfFile::default();
        }
        let matching = self.files.matching(file, archive);
        let all = matching.iter().flat_map(|&file| self.of_files.get(file as usize));
        let mut all: Vec<&(u32, Entry)> = all.flatten().collect();
        all.sort_unstable_by_key(|(_, entry)| entry.pattern);
        let mut entries: UnorderedMap<u32, Vec<&Entry>> = UnorderedMap::new();
        for (name, entry) in all {
            entries.entry(*name).or_default().push(entry);
        }
        let excluded = RefCell::new(vec![None; self.exclusions.len()]);
        OfFile { matching, entries, excluded }
    }

    /// The first pattern that takes a section of a file.
    pub fn first(
        &self,
        of_file: &OfFile<'_>,
        name: &[u8],
        sh_flags: u64,
        is_out: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let best = std::cell::Cell::new(u32::MAX);
        let takes = |entry: &Entry| {
            sh_flags & entry.with_flags == entry.with_flags
                && sh_flags & entry.without_flags == 0
                && entry.exclusion.is_none_or(|exclusion| !self.excludes(of_file, exclusion))
                && !is_out(entry.pattern)
        };
        let own = |number: u32| {
            let entries =
                if of_file.entries.is_empty() { None } else { of_file.entries.get(&number) };
            entries.map_or(&[][..], |entries| entries)
        };
        let is_open = |number: u32| {
            let first = self.for_all[number as usize].first();
            let earliest = first.map_or(u32::MAX, |entry| entry.pattern);
            earliest < best.get() || own(number).first().is_some_and(|e| e.pattern < best.get())
        };
        self.names.visit(name, is_open, |number| {
            let for_all = self.for_all[number as usize].iter();
            let found = first_of(for_all, best.get(), takes);
            best.set(first_of(own(number).iter().copied(), found, takes));
        });
        Some(best.get()).filter(|&best| best != u32::MAX)
    }

    fn excludes(&self, of_file: &OfFile<'_>, exclusion: u32) -> bool {
        let mut known = of_file.excluded.borrow_mut();
        *known[exclusion as usize].get_or_insert_with(|| {
            let excluded = &self.exclusions[exclusion as usize];
            // Both ascend; few patterns match a file.
            of_file.matching.iter().any(|file| excluded.binary_search(file).is_ok())
        })
    }
}

/// The first of ascending entries that takes the section, if it comes before `best`.
#[inline]
fn first_of<'a>(
    mut entries: impl Iterator<Item = &'a Entry>,
    best: u32,
    takes: impl Fn(&Entry) -> bool,
) -> u32 {
    let found = entries.by_ref().take_while(|entry| entry.pattern < best).find(|e| takes(e));
    found.map_or(best, |entry| entry.pattern)
}

impl<'a> Adding<'a> {
    /// Adds pattern `at`, whose names are those of the pattern `number`. What an earlier one
    /// leaves nothing for is left out, unless that one may be switched off.
    fn add(
        &mut self,
        number: u32,
        at: u32,
        (statement, section): (&'a InputStatement, Option<&'a SectionPattern>),
        may_leave: bool,
    ) {
        let of_section = section.map_or(&[][..], |section| &section.excluded);
        let files = &mut self.index.files;
        let excluded = statement.file.excluded.iter().chain(of_section);
        let mut excluded: Vec<u32> = excluded.map(|file| files.add_excluded(file)).collect();
        excluded.sort_unstable();
        excluded.dedup();
        let is_any = *statement.file.name == *b"*" && statement.file.archive == ArchivePattern::Any;
        let file = (!is_any).then(|| files.add(&statement.file.name, &statement.file.archive));
        let exclusion = (!excluded.is_empty()).then(|| {
            let next = self.exclusions.len() as u32;
            *self.exclusions.entry(excluded.clone()).or_insert_with(|| {
                self.index.exclusions.push(excluded);
                next
            })
        });
        let InputStatement { with_flags, without_flags, .. } = *statement;
        let entry = Entry { pattern: at, with_flags, without_flags, exclusion };
        let asks = (number, file, with_flags, without_flags, exclusion);
        let is_done = self.seen.contains(&(number, None, 0, 0, None)) || self.seen.contains(&asks);
        if is_done {
            return;
        }
        if !may_leave {
            self.seen.insert(asks);
        }
        match file {
            None => self.index.for_all[number as usize].push(entry),
            Some(file) => {
                let of_files = &mut self.index.of_files;
                of_files.resize(of_files.len().max(file as usize + 1), Vec::new());
                of_files[file as usize].push((number, entry));
            }
        }
    }
}
