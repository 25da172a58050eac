//! Archive members that replace common symbols.
//!
//! A common symbol is a definition, but gives way to one with a value; GNU ld and lld look for
//! that in archives too (`--no-fortran-common` says otherwise). The archive's index does not tell
//! a common symbol from another, so the few members in question are read.

use super::references::ReferenceColumn;
use crate::format::elf::LARGE_COMMON;
use crate::format::elf::Sym;
use crate::read::candidates::Candidates;
use crate::read::object_file::ReadRules;
use crate::read::{FileId, ObjectFile};
use object::elf::{SHN_COMMON, SHN_UNDEF};
use skald_core::perturb::shuffled;
use std::collections::BTreeMap;

fn is_common(symbol: &Sym) -> bool {
    matches!(symbol.st_shndx.get(), SHN_COMMON | LARGE_COMMON)
}

fn is_defined(symbol: &Sym) -> bool {
    symbol.st_shndx.get() != SHN_UNDEF && !is_common(symbol)
}

/// Lazy files that define a name of which the objects in `taken` have common symbols alone.
pub fn replacements(
    taken: &[Vec<(FileId, Box<ObjectFile>)>],
    is_lazy: impl Fn(u32) -> bool,
    candidates: &Candidates,
    refs: &ReferenceColumn,
    rules: ReadRules<'_>,
) -> Vec<FileId> {
    let globals = |object: &ObjectFile| {
        let first = object.first_global as usize;
        (first..object.symbols.len()).zip(object.globals.clone())
    };
    let objects = || taken.iter().flatten().map(|(_, object)| &**object);
    let mut wanted: BTreeMap<u32, (u32, &'static [u8])> = BTreeMap::new();
    for object in objects().filter(|o| o.common_count != 0) {
        for (index, name) in globals(object) {
            if is_common(&object.symbols[index])
                && let Some(lazy) = refs.get(name).lazy()
                && is_lazy(lazy)
            {
                wanted.insert(name, (lazy, object.symbol_name(index)));
            }
        }
    }
    if wanted.is_empty() {
        return Vec::new();
    }
    for object in objects() {
        for (index, name) in globals(object) {
            if is_defined(&object.symbols[index]) {
                wanted.remove(&name);
            }
        }
    }
    wanted.retain(|_, (file, name)| {
        let read =
            candidates.input(FileId(*file)).and_then(|input| ObjectFile::parse(input, rules));
        // What cannot be read is told when somebody needs it.
        let Ok(member) = read else { return false };
        let first = member.first_global as usize;
        (first..member.symbols.len())
            .any(|index| is_defined(&member.symbols[index]) && member.symbol_name(index) == *name)
    });
    let mut files: Vec<FileId> = wanted.into_values().map(|(file, _)| FileId(file)).collect();
    shuffled(&mut files).sort_unstable();
    files.dedup();
    files
}
