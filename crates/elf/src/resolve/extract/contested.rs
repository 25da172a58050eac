//! Names that both an archive member and a shared object behind it define.
//!
//! A linker that goes from left to right takes the member if the name is wanted by then, and
//! otherwise finds the shared object's definition. So the member is taken if a reference stands
//! before the shared object. Nearly always all references do. Hence files behind shared objects,
//! which are few, are searched first. Files before them are searched only for the names that those
//! refer to.

use crate::read::{FileId, Libraries, ObjectFile};
use object::elf::{SHN_UNDEF, STB_WEAK};
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;

/// A name that files of the command line refer to, with the two files that define it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contested {
    /// The name that both define.
    pub name: NameId,
    /// The archive member that defines it.
    pub file: FileId,
    /// The first shared object that defines it, which stands behind the member.
    pub library: FileId,
}

/// The members whose names a file before the library refers to. `objects` are those with
/// references, and their positions on the command line.
pub fn before_library<'a, O: Iterator<Item = (FileId, &'a ObjectFile)>>(
    contested: Vec<Contested>,
    objects: impl Fn() -> O,
    shared: &Libraries,
) -> Vec<FileId> {
    let Some(first) = contested.iter().map(|contest| contest.library).min() else {
        return Vec::new();
    };
    let libraries: UnorderedMap<NameId, FileId> =
        contested.iter().map(|contest| (contest.name, contest.library)).collect();
    // By name that a file behind its library refers to: whether a file before the library refers to
    // it too.
    let mut doubtful: UnorderedMap<NameId, bool> = UnorderedMap::new();
    each_reference(objects(), shared, &|place| place > first, &mut |name, place| {
        if libraries.get(&name).is_some_and(|&library| place > library) {
            doubtful.insert(name, false);
        }
    });
    if !doubtful.is_empty() {
        each_reference(objects(), shared, &|_| true, &mut |name, place| {
            if let Some(is_before) = doubtful.get_mut(&name) {
                *is_before |= place < libraries[&name];
            }
        });
    }
    let is_won = |contest: &Contested| doubtful.get(&contest.name) != Some(&false);
    contested.into_iter().filter(is_won).map(|contest| contest.file).collect()
}

/// Visits the strong references of the files at the wanted positions.
pub fn each_reference<'a>(
    objects: impl Iterator<Item = (FileId, &'a ObjectFile)>,
    shared: &Libraries,
    is_asked: &dyn Fn(FileId) -> bool,
    found: &mut dyn FnMut(NameId, FileId),
) {
    for (place, object) in objects.filter(|&(place, _)| is_asked(place)) {
        strong_references(object).for_each(|name| found(name, place));
    }
    for library in shared {
        let place = library.file.expect("numbered when opened");
        if !is_asked(place) {
            continue;
        }
        for &(symbol, name) in &library.imports {
            if library.symbols[symbol].bind() != STB_WEAK {
                found(name, place);
            }
        }
    }
}

fn strong_references(object: &ObjectFile) -> impl Iterator<Item = NameId> {
    let symbols = &object.mapped.symbols[object.global_ids()];
    symbols.iter().zip(&object.globals).filter_map(|(symbol, &name)| {
        let is_strong = symbol.st_shndx() == SHN_UNDEF && symbol.bind() != STB_WEAK;
        is_strong.then_some(name)
    })
}
