//! Section headers of tables that a script puts into a section with other content, or under another
//! name.
//!
//! Tools go by the type and entry size of a section. A table whose entries are counted by the
//! section's size must be the only content of the section; any other table must be at its start.
//! Otherwise the section does not get the table's type, and the table can be found only through the
//! tags of `.dynamic`, as the loader does.

use super::output_sections::{OutputSection, OutputSections, Synthetic};
use crate::format::elf::{Dyn, Rel, Rela, Sym};
use crate::format::encoding::Encoding;
use crate::machine::Machine;
use object::elf::*;

/// `sh_type` and `sh_entsize` of a table for the loader, whatever stands next to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableHeader {
    /// `sh_type`.
    pub sh_type: u32,
    /// `sh_entsize`.
    pub entsize: u64,
}

/// Whether the loader reads this section as a table of its own type.
pub(super) fn is_table(which: Synthetic) -> bool {
    use Synthetic::*;
    is_counted(which)
        || matches!(which, Hash | GnuHash | DynStr | Versym | Verdef | Verneed | Dynamic)
}

/// Whether the number of entries follows from the section's size.
fn is_counted(which: Synthetic) -> bool {
    use Synthetic::*;
    matches!(which, DynSym | RelaDyn | RelaPlt | RelrDyn | SignedRelrDyn)
}

/// Gives output sections of scripts that hold tables, or have a table's type, headers that tools
/// accept.
pub fn settle(outputs: &mut OutputSections) {
    if !outputs.is_scripted {
        return;
    }
    let machine = outputs.machine;
    for head in &outputs.heads {
        let parts = &mut outputs.sections[head.parts.clone()];
        if parts[0].sh_type != SHT_NOBITS {
            describe(machine, parts);
        }
    }
}

fn describe(machine: &Machine, parts: &mut [OutputSection]) {
    let holds_tables = parts.iter().any(|part| part.table.is_some());
    let first = first_table(parts).map(|(at, table)| (table, parts[at].link, parts[at].info));
    let head = &mut parts[0];
    match first {
        Some((table, link, info)) => {
            (head.sh_type, head.entsize) = (table.sh_type, table.entsize);
            (head.link, head.info) = (link, info);
        }
        None if holds_tables => {
            (head.sh_type, head.entsize) = (SHT_PROGBITS, 0);
            (head.link, head.info) = (None, 0);
        }
        // Only the name makes the section a table.
        None => head.entsize = usual_entsize(machine, head.sh_type).unwrap_or(head.entsize),
    }
}

/// The table whose header holds for all of `parts`, and its position among them.
fn first_table(parts: &[OutputSection]) -> Option<(usize, TableHeader)> {
    let first = parts.iter().position(|part| part.size != 0)?;
    let table = parts[first].table?;
    let is_like_first = |part: &OutputSection| {
        let is_stated = matches!(part.kind(), Some(Synthetic::Stated(_)));
        part.size == 0 || is_stated || part.table == Some(table)
    };
    let is_ended = !parts[first].kind().is_some_and(is_counted);
    (is_ended || parts[first..].iter().all(is_like_first)).then_some((first, table))
}

/// The entry size that tools require in a section of this type.
fn usual_entsize(machine: &Machine, sh_type: u32) -> Option<u64> {
    let encoding = Encoding::of(machine);
    let size = match sh_type {
        SHT_RELA => encoding.size::<Rela>(),
        SHT_DYNSYM => encoding.size::<Sym>(),
        SHT_REL => encoding.size::<Rel>(),
        SHT_DYNAMIC => encoding.size::<Dyn>(),
        SHT_RELR => encoding.word_size(),
        SHT_HASH => machine.hash_word as usize,
        SHT_GNU_VERSYM => 2,
        _ => return None,
    };
    Some(size as u64)
}

/// The section header index of a table that another section refers to; 0 if the header there is not
/// the table's own.
pub fn link_to(outputs: &OutputSections, table: Synthetic) -> u32 {
    let index = outputs.index_of(table);
    let own = outputs.synthetic(table).and_then(|section| section.table);
    let is_as_told = |own: TableHeader| {
        let head = (index as usize).checked_sub(1).and_then(|at| outputs.headed().nth(at));
        head.is_some_and(|head| head.sh_type == own.sh_type)
    };
    if own.is_none_or(is_as_told) { index } else { 0 }
}
