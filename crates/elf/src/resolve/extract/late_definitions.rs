//! Archive members for names that objects of the command line define, but only behind the archive.
//!
//! A linker that goes from left to right finds such a name undefined when it comes to the archive,
//! and takes the member. `main.o libx.a weak.o` has the archive's definition of a name that
//! `weak.o` defines weakly, and `main.o libx.a --defsym=x=1` takes a member that defines `x`. So a
//! member is taken if its archive is searched at least once behind a reference and before all
//! definitions. An archive may be named more than once, and is searched again at the end of its
//! group. If the command line has a strong definition, a member with another strong one is not
//! taken. Other linkers take it and report a duplicate.
//!
//! Positions of definitions are not in the name table, where each symbol would pay for them. They
//! are looked up in the files when they first matter: in files behind the first archive, which are
//! few as a rule, and in the others only for names that one of those defines.

use super::Places;
use super::common_members::Tables;
use super::contested::each_reference;
use super::parsing::{NumberedObject, NumberedObjects};
use crate::format::elf::SymbolId;
use crate::read::FileId;
use crate::read::candidates::Candidates;
use crate::resolve::names::references::ref_flags;
use crate::script::text_script::Command;
use object::elf::{SHN_UNDEF, STB_WEAK};
use skald_core::ids::IdRange;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::candidates::{Candidate, ExtractionRule};
use std::ops::Range;

/// A name that is referred to, and that the command line and a lazy file define.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// The name that is defined.
    pub name: NameId,
    /// Where the reference stands; `None` for one from an object of the command line.
    pub place: Option<FileId>,
}

/// Tables of this search, made when they are first needed.
#[derive(Default)]
pub struct LateDefinitions {
    /// Names that lazy files define and that the command line defines behind the first lazy file.
    /// The command line's definitions do not change while files are taken.
    late: Option<UnorderedMap<NameId, Late>>,
    /// By lazy file that was read: the names that it defines by weak or common symbols.
    otherwise: UnorderedMap<FileId, UnorderedSet<NameId>>,
    searches: Option<Searches>,
}

/// The definitions that the command line has of a name.
#[derive(Debug, Clone, Copy)]
struct Late {
    /// The position of the first definition.
    first: FileId,
    /// Whether an object has a strong definition.
    is_strong: bool,
}

impl LateDefinitions {
    /// The lazy files that are taken for `asked` names, each with the position of the reference.
    /// `taken` are the objects that are taken so far.
    pub fn overtaken(
        &mut self,
        asked: &[Asked],
        taken: &[NumberedObjects],
        places: &Places,
        tables: &Tables<'_>,
    ) -> Vec<(FileId, FileId)> {
        // Compiled files stand behind all others, but members are chosen by where the claimed files
        // stood.
        if asked.is_empty() || tables.candidates.compiled.place.is_some() {
            return Vec::new();
        }
        let late = self.late.get_or_insert_with(|| look_up(taken, tables));
        let searches = self.searches.get_or_insert_with(|| Searches::new(tables.candidates));
        let mut firsts: UnorderedMap<NameId, FileId> = UnorderedMap::new();
        let unplaced = asked.iter().filter(|asked| asked.place.is_none()).map(|asked| asked.name);
        for name in unplaced.filter(|name| late.contains_key(name)) {
            let is_root = tables.refs.get(name).flags() & ref_flags::ROOT != 0;
            firsts.insert(name, if is_root { FileId::default() } else { NOWHERE });
        }
        if !firsts.is_empty() {
            first_references(&mut firsts, taken, places, tables.candidates);
        }
        let place = |asked: &Asked| asked.place.or_else(|| firsts.get(&asked.name).copied());
        let placed = asked.iter().filter_map(|asked| Some((asked.name, place(asked)?)));
        let searched = placed.filter_map(|(name, at)| {
            let own = late.get(&name)?;
            Some((own.searched(name, at, searches, tables)?, name, at, own.is_strong))
        });
        let mut searched: Vec<(FileId, NameId, FileId, bool)> = searched.collect();
        // Names come in the order in which tasks end, but plugins are offered files in the files'
        // order.
        shuffled(&mut searched).sort_unstable();
        let mut found = Vec::new();
        for (lazy, name, at, is_strong) in searched {
            let takes = !is_strong || {
                let own = self.otherwise.entry(lazy);
                own.or_insert_with(|| tables.defined_otherwise(lazy)).contains(&name)
            };
            found.extend(takes.then_some((lazy, at)));
        }
        found
    }
}

/// The position of a reference that does not exist: behind all files.
const NOWHERE: FileId = FileId::new(u32::MAX);

/// Lowers the position of each name to that of its first strong reference.
fn first_references(
    firsts: &mut UnorderedMap<NameId, FileId>,
    taken: &[NumberedObjects],
    places: &Places,
    candidates: &Candidates,
) {
    let objects = taken.iter().flatten().map(|(file, object)| (places.of(*file), &**object));
    each_reference(objects, &candidates.shared, &|_| true, &mut |name, place| {
        if let Some(first) = firsts.get_mut(&name) {
            *first = place.min(*first);
        }
    });
}

impl Late {
    /// The lazy file whose search stands behind the reference to the name at `place`, and before
    /// all definitions.
    fn searched(
        self,
        name: NameId,
        place: FileId,
        searches: &Searches,
        tables: &Tables<'_>,
    ) -> Option<FileId> {
        let lazy = tables.refs.get(name).first_lazy(place)?;
        let is_between = |search| place < search && search <= self.first;
        searches.of(lazy).any(is_between).then_some(lazy)
    }
}

/// The names that the command line defines behind the first lazy file, with all definitions of
/// each.
fn look_up(taken: &[NumberedObjects], tables: &Tables<'_>) -> UnorderedMap<NameId, Late> {
    let candidates = tables.candidates;
    let is_lazy = |candidate: &Candidate| match candidate {
        Candidate::Object { lazy, .. } => *lazy,
        Candidate::Member { rule, .. } => *rule != ExtractionRule::Whole,
        Candidate::Shared(_) => false,
    };
    let is_root = |file: FileId| !is_lazy(&candidates.files[file]);
    let mut late = UnorderedMap::new();
    let Some((lazy, _)) = candidates.files.with_ids().find(|(_, file)| is_lazy(file)) else {
        return late;
    };
    let roots: Vec<&NumberedObject> =
        taken.iter().flatten().filter(|(file, _)| is_root(*file)).collect();
    let is_offered = |name: NameId| tables.refs.get(name).lazy().is_some();
    add_objects(&mut late, &is_offered, &roots, |file| file > lazy);
    add_assigned(&mut late, &is_offered, tables);
    if !late.is_empty() {
        let names = late.sorted().into_iter().map(|(&name, _)| name);
        let wanted = NameSet::new(names, tables.names.id_limit());
        add_objects(&mut late, &|name| wanted.has(name), &roots, |file| file < lazy);
    }
    late
}

/// A set of names, few of all that there are: one bit for each name.
struct NameSet(Vec<u64>);

impl NameSet {
    fn new(names: impl IntoIterator<Item = NameId>, limit: usize) -> NameSet {
        let mut words = vec![0; limit.div_ceil(64)];
        for name in names {
            words[name.index() / 64] |= 1 << (name.index() % 64);
        }
        NameSet(words)
    }

    fn has(&self, name: NameId) -> bool {
        self.0[name.index() / 64] >> (name.index() % 64) & 1 != 0
    }
}

/// Adds the definitions of wanted names in those objects of `roots` whose position satisfies
/// `is_asked`.
fn add_objects(
    late: &mut UnorderedMap<NameId, Late>,
    is_wanted: &(impl Fn(NameId) -> bool + Sync),
    roots: &[&NumberedObject],
    is_asked: impl Fn(FileId) -> bool + Sync,
) {
    let of_object = |(file, object): &NumberedObject| {
        let mut own: Vec<(NameId, Late)> = Vec::new();
        let globals = object.global_ids().ids().zip(&object.globals);
        for (index, &name) in globals.filter(|&(_, &name)| is_wanted(name)) {
            let symbol = &object.mapped.symbols[index];
            if symbol.st_shndx() != SHN_UNDEF {
                let is_strong = symbol.bind() != STB_WEAK && !object.is_common(symbol);
                own.push((name, Late { first: *file, is_strong }));
            }
        }
        own
    };
    let asked = roots.par_iter().filter(|numbered| is_asked(numbered.0));
    let all: Vec<Vec<(NameId, Late)>> = asked.map(|numbered| of_object(numbered)).collect();
    for (name, own) in all.into_iter().flatten() {
        add(late, name, own);
    }
}

fn add(late: &mut UnorderedMap<NameId, Late>, name: NameId, own: Late) {
    let known = late.entry(name).or_insert(own);
    known.first = known.first.min(own.first);
    known.is_strong |= own.is_strong;
}

/// Adds what `--defsym` and scripts assign outside of `SECTIONS`. An assignment replaces other
/// definitions.
fn add_assigned(
    late: &mut UnorderedMap<NameId, Late>,
    is_wanted: &impl Fn(NameId) -> bool,
    tables: &Tables<'_>,
) {
    let Candidates { script_commands, command_places, .. } = tables.candidates;
    for (placed, &first) in script_commands.iter().zip(command_places) {
        if let Command::Assign { name, provide: false, .. } = &placed.command
            && let Some(name) = tables.names.find_text(name)
            && is_wanted(name)
        {
            add(late, name, Late { first, is_strong: false });
        }
    }
}

impl Tables<'_> {
    /// The names that a lazy file defines by weak or common symbols. An unreadable file is reported
    /// only if it is taken.
    fn defined_otherwise(&self, file: FileId) -> UnorderedSet<NameId> {
        let Some(member) = self.parsing.look_at(self.candidates, file) else {
            return UnorderedSet::new();
        };
        let is_otherwise = |index: &SymbolId| {
            let symbol = &member.mapped.symbols[*index];
            symbol.st_shndx() != SHN_UNDEF
                && (symbol.bind() == STB_WEAK || member.is_common(symbol))
        };
        let otherwise = member.global_ids().ids().filter(is_otherwise);
        let name = |index| self.names.find_text(member.symbol_name(index));
        otherwise.filter_map(name).collect()
    }
}

/// When a linker that goes from left to right searches lazy files.
struct Searches {
    /// Ranges of lazy files, each with the position of the search: all files below that id are
    /// known by then. Ascending by the first file.
    all: Vec<(Range<FileId>, FileId)>,
}

impl Searches {
    fn new(candidates: &Candidates) -> Searches {
        let mut all: Vec<(Range<FileId>, FileId)> = Vec::new();
        let mut known = FileId::default();
        let is_group = |a: u32, b: u32| a == b && a != u32::MAX;
        for group in candidates.mentions.chunk_by(|a, b| is_group(a.group, b.group)) {
            let begin = all.len();
            for mention in group {
                known = known.max(mention.files.end);
                all.push((mention.files.clone(), known));
            }
            if group.len() > 1 {
                let again: Vec<_> =
                    all[begin..].iter().map(|(files, _)| (files.clone(), known)).collect();
                all.extend(again);
            }
        }
        all.sort_by_key(|(files, search)| (files.start, files.end, *search));
        Searches { all }
    }

    /// The searches of a lazy file.
    fn of(&self, file: FileId) -> impl Iterator<Item = FileId> {
        let behind = self.all.partition_point(|(files, _)| files.start <= file);
        let before = self.all[..behind].iter().rev();
        before.take_while(move |(files, _)| files.contains(&file)).map(|&(_, search)| search)
    }
}
