//! The hint below an error about a relocation out of range: the reason why the distance is too
//! great.

use super::relocations;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::referent::ValueBase;
use crate::resolve::tables::Tables;
use crate::select::scan::RelocId;
use std::cmp::Reverse;

/// A single input section of this size in bytes is reason enough for distances that are too great.
const LARGE_SECTION: u64 = 256 << 20;

/// The hint for a field at `place` that `value` does not fit.
pub fn hint(tables: &Tables<'_>, place: RelocId, r_type: u32, value: i64) -> Option<String> {
    // Whether a value fits a field of less than 32 bits does not depend on the size of the program.
    let machine = tables.options.machine;
    if machine.howto(r_type)?.range.bounds().1 < i64::from(i32::MAX)
        || value.unsigned_abs() < 1 << 30
    {
        return None;
    }
    // Neither does it in debug information, or if an option or an object chose the address.
    let at = &tables.definitions.sections[place.section];
    if !at.flags.has(SectionFlags::ALLOC) || is_fixed(tables, place) {
        return None;
    }
    let is_tls = (machine.is_thread_local)(r_type);
    let models = (machine.far_code_models)(r_type);
    let largest = largest_section(tables, is_tls)?;
    let is_moved = tables.options.fixed_addresses().next().is_some();
    let explains =
        largest.size >= LARGE_SECTION && (!is_moved || loaded_size(tables) >= value.unsigned_abs());
    if explains {
        let object = tables.objects.get(largest.object)?;
        let section = String::from_utf8_lossy(object.section_name(largest.shndx)).into_owned();
        let file = tables.object_name(largest.object);
        let mib = largest.size >> 20;
        return match models {
            _ if is_tls => Some(format!(
                "the largest thread-local section is {section} of {file} with {mib} MiB: \
                 allocate such data at run time"
            )),
            Some(models) => Some(format!(
                "the largest section is {section} of {file} with {mib} MiB: compile that file \
                 and those that use it with {models}"
            )),
            None => Some(format!("the largest section is {section} of {file} with {mib} MiB")),
        };
    }
    if is_moved {
        let text = "addresses on the command line set the sections this far apart";
        return Some(text.to_owned());
    }
    models.filter(|_| !is_tls).map(|models| format!("compile with {models}"))
}

/// Whether an option or a script chose the symbol's address.
fn is_fixed(tables: &Tables<'_>, place: RelocId) -> bool {
    let section = &tables.definitions.sections[place.section];
    let object = &tables.objects[section.object];
    let symbol = object.reloc(section, place.index).symbol();
    let target = tables.definitions.target_of(section.object, symbol);
    tables.definitions.value_base_of(target) == ValueBase::ABSOLUTE
        || target.name().is_some_and(|name| relocations::is_made_by_option(tables, name))
}

fn loaded<'t>(tables: &Tables<'t>) -> impl Iterator<Item = &'t InputSection> {
    tables.definitions.sections.iter().filter(|section| {
        section.flags.has(SectionFlags::ALLOC) && !section.flags.has(SectionFlags::DISCARDED)
    })
}

fn largest_section<'t>(tables: &Tables<'t>, of_tls: bool) -> Option<&'t InputSection> {
    let candidates = loaded(tables).filter(|s| s.flags.has(SectionFlags::TLS) == of_tls);
    candidates.min_by_key(|s| (Reverse(s.size), s.object, s.shndx))
}

fn loaded_size(tables: &Tables<'_>) -> u64 {
    loaded(tables).fold(0, |sum, section| sum.saturating_add(section.size))
}
