//! `e_flags` of the output, joined from those of the objects.
//!
//! An object without code says nothing: tools that wrap data in objects do not know what the code
//! beside it is compiled for.

use crate::machine::Machine;
use crate::machine::description::FlagConflict;
use crate::read::object_file::ObjectFile;
use crate::read::{ObjectId, Objects};
use crate::resolve::tables::Tables;
use object::elf::SHF_EXECINSTR;

/// The flags of all objects; those that disagree with the ones before count for nothing.
pub fn joined(machine: &Machine, objects: &Objects) -> u32 {
    let Some(join) = machine.header_flags else { return 0 };
    let mut all = said(objects).map(|(_, flags)| flags);
    let first = all.next();
    let any = || objects.iter().next().map_or(0, |object| object.mapped.header_flags());
    let Some(first) = first else { return any() };
    all.fold(first, |joined, flags| join(joined, flags).unwrap_or(joined))
}

/// The flags of the objects that have code.
fn said(objects: &Objects) -> impl Iterator<Item = (ObjectId, u32)> {
    let has_code = |object: &ObjectFile| {
        let mut headers = object.mapped.shdrs.iter();
        headers.any(|header| {
            header.sh_flags() & u64::from(SHF_EXECINSTR) != 0 && header.sh_size() != 0
        })
    };
    let objects = objects.with_ids().filter(move |(_, object)| has_code(object));
    objects.map(|(id, object)| (id, object.mapped.header_flags()))
}

/// Reports objects that cannot be linked with those before, by their flags.
pub fn check(tables: &Tables<'_>) {
    let &Tables { options, objects, diag, .. } = tables;
    let Some(join) = options.machine.header_flags else { return };
    let mut before: Option<(ObjectId, u32)> = None;
    for (id, flags) in said(objects) {
        let Some((first, joined)) = before else {
            // A machine does not join what it has no place for.
            if let Err(conflict) = join(flags, flags) {
                let FlagConflict { before, other } = conflict;
                let name = tables.object_name(id);
                return diag.error((id.into(), 0), format!("{name} has {before}, and {other}"));
            }
            before = Some((id, flags));
            continue;
        };
        match join(joined, flags) {
            Ok(joined) => before = Some((first, joined)),
            Err(conflict) => {
                let name = |id: ObjectId| tables.object_name(id);
                let text = format!(
                    "{} has {} and {} has {}",
                    name(first),
                    conflict.before,
                    name(id),
                    conflict.other
                );
                diag.error((id.into(), 0), text);
            }
        }
    }
}
