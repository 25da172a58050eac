//! Archive members for references that name a version: `foo@V` wants the member that defines
//! `foo@@V`.
//!
//! An index tells members by the plain name `foo` in that case, and not which version is the default
//! one, so the few members in question are read, each once. As for GNU ld.

use super::commons::Tables;
use super::extract::NumberedObject;
use super::references::ref_flags;
use super::versioned_names::versioned_symbols;
use crate::read::{FileId, ObjectFile};
use object::elf::STB_WEAK;
use skald_core::unordered::{UnorderedMap, UnorderedSet};

/// A plain name and a version.
type Versioned = (&'static [u8], &'static [u8]);

/// What is known of versions in members.
#[derive(Default)]
pub struct DefaultMembers {
    /// Rounds of objects that were looked at.
    seen_rounds: usize,
    /// Default definitions of members that were read.
    defaults: UnorderedMap<u32, UnorderedSet<Versioned>>,
}

impl DefaultMembers {
    /// Lazy files that define the default versions to which the objects in `taken` refer by name
    /// and version. Of each round of these it is said once: what lazy files offer does not change.
    pub fn wanted(
        &mut self,
        taken: &[Vec<NumberedObject>],
        is_lazy: impl Fn(u32) -> bool,
        tables: &Tables<'_>,
    ) -> Vec<FileId> {
        let Tables { names, refs, .. } = *tables;
        let mut files = Vec::new();
        for (at, object) in taken[self.seen_rounds..].iter().flatten() {
            let is_strong = |index: usize| object.symbols[index].bind() != STB_WEAK;
            for symbol in versioned_symbols(object).filter(|s| !s.is_defined && is_strong(s.index))
            {
                let name = object.globals[symbol.index - object.first_global as usize];
                let plain = names.find(names.key().hash(symbol.base));
                if refs.get(name).flags() & ref_flags::DEFINED == 0
                    && let Some(file) = plain.and_then(|plain| refs.get(plain).wanted_lazy(at.0))
                    && is_lazy(file)
                    && self.defaults_of(file, tables).contains(&(symbol.base, symbol.version))
                {
                    files.push(FileId(file));
                }
            }
        }
        self.seen_rounds = taken.len();
        files
    }

    /// The default versions of a member. What cannot be read is told when somebody needs it.
    fn defaults_of(&mut self, file: u32, tables: &Tables<'_>) -> &UnorderedSet<Versioned> {
        self.defaults.entry(file).or_insert_with(|| {
            let input = tables.candidates.input(FileId(file));
            let Ok(mut member) = input.and_then(|input| ObjectFile::parse(input, tables.rules))
            else {
                return UnorderedSet::new();
            };
            member.has_versioned_names = true;
            let defined = versioned_symbols(&member).filter(|s| s.is_defined && s.is_default);
            defined.map(|symbol| (symbol.base, symbol.version)).collect()
        })
    }
}
