//! Archive members for references that name a version: a reference or an option that names `foo@V`
//! wants the member that defines `foo@@V`.
//!
//! An index lists such members by the plain name `foo`, and not which version is the default. So
//! the few members in question are read, each once. GNU ld takes the same members.

use super::common_members::Tables;
use super::parsing::NumberedObject;
use crate::format::elf::SymbolId;
use crate::read::FileId;
use crate::resolve::names::references::ref_flags;
use crate::resolve::names::versioned_spelling::{Spelled, find_versioned, versioned_symbols};
use object::elf::STB_WEAK;
use skald_core::names::NameId;
use skald_core::unordered::{UnorderedMap, UnorderedSet};

/// Plain name `foo` and version `V` of `foo@V`.
type Versioned = (&'static [u8], &'static [u8]);

/// What is known so far of versions in archive members.
#[derive(Default)]
pub struct DefaultMembers {
    /// How many rounds of objects were looked at.
    seen_rounds: usize,
    /// Default definitions of members that were read.
    defaults: UnorderedMap<FileId, UnorderedSet<Versioned>>,
}

/// A strong reference to `foo@V`.
struct Reference {
    name: NameId,
    versioned: Versioned,
    /// Position of the file that refers to it.
    place: FileId,
}

impl DefaultMembers {
    /// Lazy files that define a default version which objects in `taken`, or options (whose names
    /// are `own`), refer to by name and version. Each round's references are looked up once, since
    /// the offers of lazy files do not change.
    pub fn wanted<O: Iterator<Item = (NameId, &'static [u8])>>(
        &mut self,
        taken: &[Vec<NumberedObject>],
        own: impl Fn() -> O,
        is_lazy: impl Fn(FileId) -> bool,
        tables: &Tables<'_>,
    ) -> Vec<FileId> {
        let seen_rounds = std::mem::replace(&mut self.seen_rounds, taken.len());
        let mut files = Vec::new();
        let mut take = |reference| files.extend(self.definer(&reference, &is_lazy, tables));
        if seen_rounds == 0 {
            let is_root = |name| tables.refs.get(name).flags() & ref_flags::ROOT != 0;
            for (name, text) in own().filter(|&(name, _)| is_root(name)) {
                if let Some(Spelled { base, version, .. }) = Spelled::new(text) {
                    take(Reference { name, versioned: (base, version), place: FileId::default() });
                }
            }
        }
        for (at, object) in taken[seen_rounds..].iter().flatten() {
            let is_strong = |index: SymbolId| object.mapped.symbols[index].bind() != STB_WEAK;
            for symbol in versioned_symbols(object).filter(|s| !s.is_defined && is_strong(s.index))
            {
                let name = object.global(symbol.index);
                let versioned = (symbol.base, symbol.version);
                take(Reference { name, versioned, place: *at });
            }
        }
        files
    }

    /// The lazy file that a reference to a default version takes.
    fn definer(
        &mut self,
        reference: &Reference,
        is_lazy: impl Fn(FileId) -> bool,
        tables: &Tables<'_>,
    ) -> Option<FileId> {
        let Tables { names, refs, .. } = *tables;
        if refs.get(reference.name).flags() & ref_flags::DEFINED != 0 {
            return None;
        }
        let plain = names.find_text(reference.versioned.0)?;
        let file = refs.get(plain).wanted_lazy(reference.place).filter(|&file| is_lazy(file))?;
        self.defaults_of(file, tables).contains(&reference.versioned).then_some(file)
    }

    /// The default versions that a member defines. An unreadable member is reported when it is
    /// taken.
    fn defaults_of(&mut self, file: FileId, tables: &Tables<'_>) -> &UnorderedSet<Versioned> {
        self.defaults.entry(file).or_insert_with(|| {
            let Some(mut member) = tables.parsing.look_at(tables.candidates, file) else {
                return UnorderedSet::new();
            };
            find_versioned(&mut member);
            let defined = versioned_symbols(&member).filter(|s| s.is_defined && s.is_default);
            defined.map(|symbol| (symbol.base, symbol.version)).collect()
        })
    }
}
