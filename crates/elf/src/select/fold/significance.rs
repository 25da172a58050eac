//! Finds sections whose address is significant: they are not folded.
//!
//! LLVM writes a table of symbols with significant addresses (SHT_LLVM_ADDRSIG: ULEB128 symbol
//! numbers, `sh_link` is the symbol table). `objcopy` and `ld -r` renumber symbols and leave the
//! table as it was, but clear `sh_link`, which shows that the table is invalid. In an object
//! without a valid table, relocations decide: the address of a function is significant if a
//! relocation other than a call refers to it, and the addresses of all its data are significant.
//! Other modules may compare addresses of exported symbols.

use super::FoldInput;
use crate::format::elf;
use crate::format::elf::{Rela, SymbolId};
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectFile, ObjectId};
use crate::resolve::definitions::{SectionId, attr};
use crate::resolve::referent::PackedReferent;
use crate::script::section_names::known;
use object::elf::SHT_SYMTAB;
use skald_core::ids::{Column, IdRange};
use skald_core::par::prelude::*;
use skald_linking::cursor::Cursor;
use std::sync::atomic::{AtomicU8, Ordering};

/// Bit: the section's address is significant.
const SIGNIFICANT: u8 = 1;
/// Bit: `--keep-unique` names a symbol of the section.
const UNIQUE: u8 = 2;

/// Marks of sections, and which objects have an address table.
pub struct Significance {
    /// By section: [`SIGNIFICANT`], [`UNIQUE`], or 0.
    marks: Column<SectionId, AtomicU8>,
    /// By object, whether it has a valid SHT_LLVM_ADDRSIG table.
    has_table: Column<ObjectId, bool>,
}

/// Marks the sections with significant addresses.
pub fn find(input: &FoldInput<'_>) -> Significance {
    let mut found = Significance {
        marks: Column::zeroed(input.definitions.sections.len()),
        has_table: Column::filled(false, input.objects.len()),
    };
    let rules = &input.rules;
    if !rules.all || !rules.ignore_data {
        found.has_table = input.objects.iter().map(|o| table(o).is_some()).collect();
        found.mark_all(input);
    }
    for &section in &rules.unique {
        found.marks[section].store(UNIQUE, Ordering::Relaxed);
    }
    found
}

/// The SHT_LLVM_ADDRSIG table of an object; `None` without a valid one.
pub fn table(object: &ObjectFile) -> Option<&'static [u8]> {
    let header =
        object.mapped.shdrs.get(object.addrsig as usize).filter(|_| object.addrsig != 0)?;
    let linked = object.mapped.shdrs.get(header.sh_link() as usize)?;
    let bytes = elf::range(object.mapped.data, header.sh_offset(), header.sh_size())?;
    let mut cursor = Cursor::new(bytes);
    let mut is_sound = linked.sh_type() == SHT_SYMTAB;
    while is_sound && !cursor.is_empty() {
        is_sound =
            cursor.uleb128("").is_ok_and(|symbol| symbol < object.mapped.symbols.len() as u64);
    }
    is_sound.then_some(bytes)
}

impl Significance {
    /// Whether the significance of its address allows `section` to be folded.
    pub fn may_fold(&self, input: &FoldInput<'_>, id: SectionId, section: &InputSection) -> bool {
        let mark = self.marks[id].load(Ordering::Relaxed);
        if mark == UNIQUE {
            return false;
        }
        if section.flags.has(SectionFlags::EXEC) {
            return input.rules.all || mark == 0;
        }
        // Only the unwinder reads exception tables, so their addresses are not compared.
        section.class.is(known::GCC_EXCEPT_TABLE)
            || input.rules.ignore_data
            || (self.has_table[section.object] && mark == 0)
    }

    fn mark(&self, section: SectionId) {
        if let Some(mark) = self.marks.get(section)
            && mark.load(Ordering::Relaxed) == 0
        {
            mark.store(SIGNIFICANT, Ordering::Relaxed);
        }
    }

    fn mark_all(&self, input: &FoldInput<'_>) {
        let any_table = self.has_table.contains(&true);
        input.objects.par_ids().with_max_len(4).for_each(|at| {
            if self.has_table[at] {
                self.mark_listed(input, at);
            } else if !input.rules.all {
                self.mark_taken(input, at);
            } else if any_table {
                self.mark_named(input, at);
            }
        });
        input.rules.entries.iter().for_each(|&section| self.mark(section));
        if input.shape.is_dynamic {
            let globals = input.definitions.globals.par_iter().with_min_len(1 << 14);
            let exported = globals.filter(|global| global.has(attr::EXPORTED));
            exported.filter_map(|global| global.value_base.section()).for_each(|id| self.mark(id));
        }
    }

    /// Marks sections of symbols in the object's table.
    fn mark_listed(&self, input: &FoldInput<'_>, at: ObjectId) {
        let mut cursor = Cursor::new(table(&input.objects[at]).unwrap_or_default());
        while let Ok(symbol) = cursor.uleb128("") {
            self.mark_target(input, input.definitions.target_of(at, SymbolId::new(symbol as u32)));
        }
    }

    /// Marks sections that relocations other than calls refer to.
    fn mark_taken(&self, input: &FoldInput<'_>, at: ObjectId) {
        let direct = input.definitions.symbols_of(input.direct, at);
        let types = input.machine.fold;
        for id in input.definitions.sections_of(at).ids() {
            let section = &input.definitions.sections[id];
            if !input.live.is_live(id) || !section.flags.has(SectionFlags::ALLOC) {
                continue;
            }
            let is_code = section.flags.has(SectionFlags::EXEC);
            let is_call_at = |reloc: &Rela| match types.is_call_at {
                Some(is_call) => {
                    is_call(input.objects[at].bytes(section), reloc.r_offset() as usize)
                }
                None => true,
            };
            let is_call = |reloc: &Rela| {
                let r_type = reloc.r_type();
                types.calls.has(r_type)
                    || is_code && types.calls_in_code.has(r_type) && is_call_at(reloc)
            };
            for reloc in input.objects[at].relocs(section) {
                if !is_call(reloc)
                    && let Some(direct) = direct.get(reloc.symbol())
                    && let Some(section) = direct.section()
                {
                    self.mark(section);
                }
            }
        }
    }

    /// Marks the sections that the object's symbols refer to, except its own data, which is not
    /// folded in any case.
    fn mark_named(&self, input: &FoldInput<'_>, at: ObjectId) {
        let globals = input.objects[at].global_ids();
        let targets = input.definitions.targets_of(at);
        for &target in &targets[globals] {
            self.mark_target(input, target);
        }
    }

    fn mark_target(&self, input: &FoldInput<'_>, target: PackedReferent) {
        if let Some(section) = input.definitions.section_of(target) {
            self.mark(section);
        }
    }
}
