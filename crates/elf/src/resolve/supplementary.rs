//! `.debug_sup` and `.gnu_debugaltlink`: the name and checksum of a supplementary file, into which
//! debug information refers (DWARF 5, 7.3.6; `dwz -m` before that).
//!
//! An output has one such file for all its units. A debugger reads the first name of the section.
//! In `.gnu_debugaltlink` it takes everything behind the name for the checksum, so with several
//! copies it finds no file. Hence only one of several equal copies is kept. Copies that differ are
//! all kept, one behind the other, as by GNU ld and lld, and reported: no order of them would be
//! right for all units.

use crate::read::candidates::Candidates;
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use skald_core::diag::Diag;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The most bytes that a decompressed section may have.
const LIMIT: u64 = 1 << 20;

/// A content of the section, and the objects that have it.
struct Known<'a> {
    first: ObjectId,
    contents: BTreeSet<Cow<'a, [u8]>>,
}

/// Discards repeated copies, and reports the first copy that differs to `diag`, if there is one.
pub fn join(
    candidates: &Candidates,
    objects: &Objects,
    definitions: &mut Definitions,
    diag: Option<&Diag>,
) {
    let mut known: BTreeMap<&[u8], Known<'_>> = BTreeMap::new();
    for (at, object) in objects.with_ids().filter(|(_, object)| !object.supplementary.is_empty()) {
        for &shndx in &object.supplementary {
            let Some(index) = object.record_index(shndx) else { continue };
            let id = definitions.sections_of(at).start + index;
            // A relocated section may differ although its bytes are equal, and a loaded one belongs
            // to the program.
            const OTHER: u32 = SectionFlags::DISCARDED | SectionFlags::ALLOC | SectionFlags::NOBITS;
            let section = &definitions.sections[id];
            if section.flags.has(OTHER) || section.rel_count != 0 {
                continue;
            }
            let Some(content) = content(object, definitions, id) else { continue };
            let name = object.section_name(shndx);
            let Some(before) = known.get_mut(name) else {
                let contents = BTreeSet::from([content]);
                known.insert(name, Known { first: at, contents });
                continue;
            };
            if !before.contents.insert(content) {
                definitions.sections[id].flags.set(SectionFlags::DISCARDED);
            } else if let Some(diag) = diag.filter(|_| before.contents.len() == 2) {
                let file = |object: ObjectId| {
                    let file = objects[object].file;
                    file.map(|file| candidates.display_name(file)).unwrap_or_default()
                };
                let text = format!(
                    "{}: {} names another file than that of {}; debuggers find at most one",
                    file(at),
                    String::from_utf8_lossy(name),
                    file(before.first),
                );
                diag.warn((u64::from(at), u64::from(shndx)), text);
            }
        }
    }
}

/// The bytes of a section, decompressed; `None` if it cannot be decompressed.
fn content<'a>(
    object: &'a ObjectFile,
    definitions: &Definitions,
    section: SectionId,
) -> Option<Cow<'a, [u8]>> {
    let section = &definitions.sections[section];
    match object.compressed(section) {
        Some(compressed) => compressed.decompress(LIMIT).ok().map(Cow::Owned),
        None => Some(Cow::Borrowed(object.bytes(section))),
    }
}
