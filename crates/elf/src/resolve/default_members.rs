//! Archive members for references that name a version: `foo@V` wants the member that defines
//! `foo@@V`.
//!
//! An index tells members by the plain name `foo` in that case, and not which version is the default
//! one, so the few members in question are read. As for GNU ld.

use super::commons::Tables;
use super::extract::NumberedObject;
use super::references::ref_flags;
use super::versioned_names::versioned_symbols;
use crate::read::candidates::Candidates;
use crate::read::object_file::ReadRules;
use crate::read::{FileId, ObjectFile};
use object::elf::STB_WEAK;
use skald_core::unordered::UnorderedSet;

/// Lazy files that define the default versions to which the objects in `taken` refer by name and
/// version.
pub fn wanted(
    taken: &[Vec<NumberedObject>],
    is_lazy: impl Fn(u32) -> bool,
    tables: &Tables<'_>,
) -> Vec<FileId> {
    let Tables { candidates, names, refs, rules } = *tables;
    let mut seen = UnorderedSet::new();
    let mut files = Vec::new();
    for (at, object) in taken.iter().flatten() {
        let is_strong = |index: usize| object.symbols[index].bind() != STB_WEAK;
        for symbol in versioned_symbols(object).filter(|s| !s.is_defined && is_strong(s.index)) {
            let name = object.globals[symbol.index - object.first_global as usize];
            let plain = names.find(names.key().hash(symbol.base));
            if refs.get(name).flags() & ref_flags::DEFINED == 0
                && let Some(file) = plain.and_then(|plain| refs.get(plain).wanted_lazy(at.0))
                && is_lazy(file)
                && seen.insert((name, file))
                && defines(candidates, FileId(file), symbol.base, symbol.version, rules)
            {
                files.push(FileId(file));
            }
        }
    }
    files
}

/// Whether a member defines `base@@version`. What cannot be read is told when somebody needs it.
fn defines(
    candidates: &Candidates,
    file: FileId,
    base: &[u8],
    version: &[u8],
    rules: ReadRules<'_>,
) -> bool {
    let read = candidates.input(file).and_then(|input| ObjectFile::parse(input, rules));
    let Ok(mut member) = read else { return false };
    member.has_versioned_names = true;
    versioned_symbols(&member)
        .any(|s| s.is_defined && s.is_default && s.base == base && s.version == version)
}
