//! Which copy of a COMDAT group stays: that of the first file, in the order of the command line,
//! that has the group and is taken.
//!
//! 1. When the names of a taken file are interned, the file offers itself for the signature of each
//!    of its groups, and for the name of each `.gnu.linkonce` section (`names/symbol_names`). The
//!    record of the name keeps the earliest file, the *owner* ([`NameReferences::comdat_owner`]).
//! 2. Files that plugins have claimed own groups, too, until they are compiled; then the owners of
//!    these groups are settled again ([`forget_owners`], [`settle_again`]).
//! 3. When all files are taken, `.gnu.linkonce` sections compete with groups ([`linkonce`]).
//! 4. Sections of groups that another file owns are dropped ([`drop_copies`]): they get no record.
//! 5. Symbols in dropped copies of debug information mean the kept copy ([`kept_copies`]).
//!
//! [`NameReferences::comdat_owner`]: super::NameReferences::comdat_owner

pub(super) mod kept_copies;
mod linkonce;

use super::extract::Extraction;
use crate::read::object_file::{ReadRules, Recorded, has_content};
use crate::read::{FileId, ObjectFile, Objects};
use object::elf::SHN_UNDEF;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;

/// Drops the sections of groups that another file owns.
pub(super) fn drop_copies(extraction: &Extraction, objects: &mut Objects, rules: ReadRules<'_>) {
    linkonce::compete(extraction, objects);
    objects.par_iter_mut().with_max_len(2).for_each(|o| drop_copies_of(extraction, o, rules));
}

/// Marks the sections of groups that other files own as killed; killed sections take no room.
fn drop_copies_of(extraction: &Extraction, object: &mut ObjectFile, rules: ReadRules<'_>) {
    let file = object.file.expect("numbered when taken");
    let is_elsewhere = |name| extraction.refs.get(name).comdat_owner() != file;
    let mut recorded = vec![Recorded::NOT; object.mapped.shdrs.len()];
    let mut killed = 0;
    let mut is_repeated = false;
    for group in object.groups.iter().filter(|group| is_elsewhere(group.name)) {
        killed += group.content_count;
        for member in object.group_members(group) {
            is_repeated |= kill(&mut recorded, member.get());
        }
    }
    for &(shndx, name) in &object.linkonce {
        if is_elsewhere(name) {
            killed += 1;
            is_repeated |= kill(&mut recorded, shndx);
        }
    }
    // A section may be in one group only, and never the null section.
    if is_repeated || recorded.first() == Some(&Recorded::KILLED) {
        let all = object.mapped.shdrs.iter().zip(&recorded).skip(1);
        let killed_ones =
            all.filter(|&(s, &mark)| mark == Recorded::KILLED && has_content(s.sh_type(), rules));
        killed = killed_ones.count() as u32;
    }
    object.content_count -= killed;
    object.recorded = recorded;
}

/// Notes that another file provides a section; returns whether the section was killed before.
fn kill(recorded: &mut [Recorded], shndx: u32) -> bool {
    std::mem::replace(&mut recorded[shndx as usize], Recorded::KILLED) == Recorded::KILLED
}

/// Forgets the owners of groups that claimed files own; returns the signatures.
pub(super) fn forget_owners(
    extraction: &Extraction,
    claimed: &UnorderedSet<FileId>,
) -> Vec<NameId> {
    let Extraction { names, refs, .. } = extraction;
    let all = refs.below(names.id_limit()).par_with_ids().with_min_len(1 << 12);
    let lost = all.filter(|(_, record)| claimed.contains(&record.comdat_owner()));
    let lost = lost.map(|(name, record)| {
        record.forget_comdat();
        name
    });
    lost.collect()
}

/// Settles again who owns the groups that claimed files owned (`lost`). If a compiled file (from
/// `first` on) has the group, it is the owner. If one defines the signature symbol without a group,
/// nobody owns the group, so that the content is not there twice. Otherwise the first other file
/// that has the group owns it: the claimed file's copy was not compiled.
pub(super) fn settle_again<'t>(
    extraction: &Extraction,
    taken: impl Iterator<Item = &'t (FileId, Box<ObjectFile>)> + Clone,
    lost: &[NameId],
    claimed: &UnorderedSet<FileId>,
    first: FileId,
) {
    let refs = &extraction.refs;
    let mut defined: UnorderedSet<NameId> = UnorderedSet::new();
    for (_, object) in taken.clone().filter(|(file, _)| *file >= first) {
        let symbols = object.mapped.symbols.iter().skip(object.first_global.index());
        let own = symbols.zip(&object.globals);
        let own = own.filter(|(symbol, _)| symbol.st_shndx() != SHN_UNDEF);
        defined.extend(own.map(|(_, &name)| name));
    }
    let is_open = |name: &NameId| refs.get(*name).has_no_comdat();
    for &name in lost.iter().filter(|name| is_open(name) && defined.contains(name)) {
        // This id comes before any other file.
        refs.get(name).offer_comdat(FileId::default());
    }
    let open: UnorderedSet<NameId> = lost.iter().copied().filter(is_open).collect();
    for (file, object) in taken {
        if !claimed.contains(file) {
            let own = object.groups.iter().map(|group| group.name);
            let own = own.chain(object.linkonce.iter().map(|&(_, name)| name));
            own.filter(|name| open.contains(name)).for_each(|name| {
                refs.get(name).offer_comdat(*file);
            });
        }
    }
}
