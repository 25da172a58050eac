//! Finds the first pattern that takes a section where there are many: each distinct name pattern is
//! tried once, however many statements have it.
//!
//! Statements with a file pattern (`*x.o(.text*)`) are looked up by file: each file has a table of
//! the patterns that match it, made once. Statements that exclude files are in the list for all
//! files, because they nearly always match.

use super::files::{FilePatternId, FilePatterns};
use super::{Pattern, PatternId, RuleId};
use crate::script::layout_script::LayoutScript;
use crate::script::statements::{ArchivePattern, InputStatement, OutputStatement, SectionPattern};
use skald_core::id;
use skald_core::ids::{Column, IdSlice};
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::glob_index::{GlobId, GlobIndex};
use std::cell::{Cell, RefCell};

id! {
    /// A set of file patterns of which none may match.
    ExclusionId
}

/// All patterns of a script.
#[derive(Debug, Default)]
pub(super) struct NameIndex {
    names: GlobIndex,
    /// By name pattern: the entries for all files, or all but some, ascending.
    for_all: Column<GlobId, Vec<Entry>>,
    files: FilePatterns,
    /// By file pattern: the entries that require it, ascending.
    of_files: Column<FilePatternId, Vec<(GlobId, Entry)>>,
    exclusions: Column<ExclusionId, Vec<FilePatternId>>,
}

/// A pattern that may take a section with a matching name.
#[derive(Debug, Clone, Copy)]
struct Entry {
    pattern: PatternId,
    with_flags: u64,
    without_flags: u64,
    exclusion: Option<ExclusionId>,
}

/// One file's part of the index.
#[derive(Debug, Default)]
pub struct OfFile<'a> {
    /// The patterns that match the file.
    matching: Vec<FilePatternId>,
    /// By name pattern: the entries for this file, ascending.
    entries: UnorderedMap<GlobId, Vec<&'a Entry>>,
    /// By exclusion, whether the file is excluded; filled when first looked up.
    excluded: RefCell<Column<ExclusionId, Option<bool>>>,
}

/// The conditions of a pattern: name, file, required flags, forbidden flags, and excluded files.
type PatternKey = (GlobId, Option<FilePatternId>, u64, u64, Option<ExclusionId>);

/// Tables that are only needed while patterns are added.
#[derive(Default)]
struct Adding<'a> {
    index: NameIndex,
    names: UnorderedMap<&'a [u8], GlobId>,
    exclusions: UnorderedMap<Vec<FilePatternId>, ExclusionId>,
    /// Patterns that were added before.
    seen: UnorderedSet<PatternKey>,
}

impl NameIndex {
    /// The index of a script's patterns.
    pub fn new(script: &LayoutScript, patterns: &IdSlice<PatternId, Pattern>) -> NameIndex {
        let mut adding = Adding::default();
        let outputs: Vec<&OutputStatement> = script.outputs().collect();
        let statements: Column<RuleId, (usize, &InputStatement)> = script.inputs().collect();
        let mut globs: Column<GlobId, _> = Column::new();
        let mut sections: &[SectionPattern] = &[];
        let mut last = None;
        for (at, pattern) in patterns.with_ids() {
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
            let id = *adding.names.entry(name).or_insert_with(|| {
                adding.index.for_all.push(Vec::new());
                globs.push(pattern.glob.clone())
            });
            let may_leave = outputs[output].constraint.is_some();
            adding.add(id, at, statement, own, may_leave);
        }
        let mut index = adding.index;
        index.names = GlobIndex::new(globs);
        index.files.finish();
        index
    }

    /// The statements that may take sections of a file.
    pub fn of_file(&self, file: &[u8], archive: Option<&[u8]>) -> OfFile<'_> {
        if self.files.is_empty() {
            return OfFile::default();
        }
        let matching = self.files.matching(file, archive);
        let all = matching.iter().flat_map(|&file| self.of_files.get(file));
        let mut all: Vec<&(GlobId, Entry)> = all.flatten().collect();
        all.sort_by_key(|(_, entry)| entry.pattern);
        let mut entries: UnorderedMap<GlobId, Vec<&Entry>> = UnorderedMap::new();
        for (name, entry) in all {
            entries.entry(*name).or_default().push(entry);
        }
        let excluded = RefCell::new(Column::filled(None, self.exclusions.len()));
        OfFile { matching, entries, excluded }
    }

    /// The first pattern that takes a section of a file.
    pub fn first(
        &self,
        of_file: &OfFile<'_>,
        name: &[u8],
        sh_flags: u64,
        is_out: impl Fn(PatternId) -> bool,
    ) -> Option<PatternId> {
        let best = Cell::new(None);
        let takes = |entry: &Entry| {
            sh_flags & entry.with_flags == entry.with_flags
                && sh_flags & entry.without_flags == 0
                && entry.exclusion.is_none_or(|exclusion| !self.excludes(of_file, exclusion))
                && !is_out(entry.pattern)
        };
        let own = |id: GlobId| {
            let entries = if of_file.entries.is_empty() { None } else { of_file.entries.get(&id) };
            entries.map_or(&[][..], |entries| entries)
        };
        let is_earlier = |entry: &Entry| best.get().is_none_or(|best| entry.pattern < best);
        let is_open = |id: GlobId| {
            self.for_all[id].first().is_some_and(is_earlier)
                || own(id).first().is_some_and(|entry| is_earlier(entry))
        };
        self.names.visit(name, is_open, |id| {
            best.set(first_of(self.for_all[id].iter(), best.get(), takes));
            best.set(first_of(own(id).iter().copied(), best.get(), takes));
        });
        best.get()
    }

    fn excludes(&self, of_file: &OfFile<'_>, exclusion: ExclusionId) -> bool {
        let mut known = of_file.excluded.borrow_mut();
        *known[exclusion].get_or_insert_with(|| {
            let excluded = &self.exclusions[exclusion];
            // Both lists ascend; few patterns match a file.
            of_file.matching.iter().any(|file| excluded.binary_search(file).is_ok())
        })
    }
}

/// The first of ascending entries that takes the section, if it comes before `best`.
#[inline]
fn first_of<'a>(
    mut entries: impl Iterator<Item = &'a Entry>,
    best: Option<PatternId>,
    takes: impl Fn(&Entry) -> bool,
) -> Option<PatternId> {
    let is_earlier = |entry: &&Entry| best.is_none_or(|best| entry.pattern < best);
    let found = entries.by_ref().take_while(is_earlier).find(|entry| takes(entry));
    found.map_or(best, |entry| Some(entry.pattern))
}

impl<'a> Adding<'a> {
    /// Adds pattern `at`, whose names are those of the pattern `name`. It is left out if an earlier
    /// pattern takes all its sections, unless that may be switched off.
    fn add(
        &mut self,
        name: GlobId,
        at: PatternId,
        statement: &'a InputStatement,
        section: Option<&'a SectionPattern>,
        may_leave: bool,
    ) {
        let of_section = section.map_or(&[][..], |section| &section.excluded);
        let files = &mut self.index.files;
        let excluded = statement.file.excluded.iter().chain(of_section);
        let mut excluded: Vec<FilePatternId> =
            excluded.map(|file| files.add_excluded(file)).collect();
        excluded.sort();
        excluded.dedup();
        let is_any = *statement.file.name == *b"*" && statement.file.archive == ArchivePattern::Any;
        let file = (!is_any).then(|| files.add(&statement.file.name, &statement.file.archive));
        let exclusion = (!excluded.is_empty()).then(|| {
            let known = self.exclusions.entry(excluded.clone());
            *known.or_insert_with(|| self.index.exclusions.push(excluded))
        });
        let InputStatement { with_flags, without_flags, .. } = *statement;
        let entry = Entry { pattern: at, with_flags, without_flags, exclusion };
        let asks = (name, file, with_flags, without_flags, exclusion);
        let is_done = self.seen.contains(&(name, None, 0, 0, None)) || self.seen.contains(&asks);
        if is_done {
            return;
        }
        if !may_leave {
            self.seen.insert(asks);
        }
        match file {
            None => self.index.for_all[name].push(entry),
            Some(file) => {
                let of_files = &mut self.index.of_files;
                of_files.resize(of_files.len().max(file.index() + 1), Vec::new());
                of_files[file].push((name, entry));
            }
        }
    }
}
