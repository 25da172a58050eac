//! MIPS's part of the apply loop. GP is the global pointer.
//!
//! A relocation of a 64-bit file has up to three types, each of which does a step on the result of
//! the one before; the last has the field. In n32 they are relocations of the same place.

use super::formula::{Formula, formula};
use super::hint::branch_for;
use super::words::{self, Word, has_page, word_of};
use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::machine::mips::howto::{Unit, field, field_align, howto};
use crate::machine::mips::instruction;
use crate::machine::mips::numbers::*;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::synth::listed_got::page_of;
use crate::synth::patch::Fault;
use object::elf::*;

/// The part of the apply loop; steps are relocations of their own if `STEPS`.
pub struct Types<const STEPS: bool>;

impl<const STEPS: bool> ApplyTypes for Types<STEPS> {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        matches!(r_type, R_MIPS_NONE | R_MIPS_GNU_VTINHERIT | R_MIPS_GNU_VTENTRY)
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        let section = site.operands.patch.section;
        r_type == R_MIPS_64 && !section.flags.has(SectionFlags::EH_FRAME) && {
            let at = site.at(reloc);
            site.put_data(at, 8, sum)
        }
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, index: usize, target: Target) -> Result<(), Fault> {
        let relocs = site.operands.patch.relocs;
        let [first, mut second, mut third] = parts(reloc.r_type());
        if special_symbol(reloc.r_type()) != 0 {
            return Err(Fault::Unsupported);
        }
        if STEPS {
            let before = index.checked_sub(1).and_then(|before| relocs.get(before));
            if before.is_some_and(|before| words::continues(before, reloc)) {
                return Ok(());
            }
            let mut steps = relocs[index + 1..].iter();
            let mut step = || {
                let next = steps.next().filter(|next| words::continues(reloc, next));
                next.map_or(R_MIPS_NONE, |next| next.r_type())
            };
            second = step();
            third = if second == R_MIPS_NONE { R_MIPS_NONE } else { step() };
        }
        if formula(first) == Formula::Hint {
            return hint(site, reloc, first, target);
        }
        let mut value = value_of(site, reloc, first, target)?;
        let mut last = first;
        for step in [second, third] {
            value = match step {
                R_MIPS_NONE => continue,
                R_MIPS_SUB | R_MICROMIPS_SUB => value.wrapping_neg(),
                // The symbol is zero, and the addend what the step before has found.
                R_MIPS_16 | R_MIPS_32 | R_MIPS_64 | R_MIPS_HI16 | R_MIPS_LO16 | R_MIPS_HIGHER
                | R_MIPS_HIGHEST | R_MICROMIPS_HI16 | R_MICROMIPS_LO16 | R_MICROMIPS_HIGHER
                | R_MICROMIPS_HIGHEST => value,
                _ => return Err(Fault::Unsupported),
            };
            last = step;
        }
        put(site, reloc, last, value)
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        let [r_type, ..] = parts(reloc.r_type());
        if field(r_type).unit == Unit::Data {
            let size = howto(r_type).map_or(0, |howto| howto.size);
            site.put_gone(reloc, size.into());
        }
    }
}

/// The result of the first step.
fn value_of(site: &mut Site<'_>, reloc: &Rela, r_type: u32, target: Target) -> Result<u64, Fault> {
    let operands = site.operands;
    let image = operands.image;
    let p = operands.place(reloc);
    let view = operands.view(reloc);
    let is_frame = operands.patch.section.flags.has(SectionFlags::EH_FRAME);
    let is_word = r_type == image.machine.loader.word;
    // The symbol's own definition, whatever preempts it.
    let own = || match operands.defined_address(reloc).filter(|_| target.is_indirect) {
        Some(address) => address.wrapping_add_signed(reloc.r_addend()),
        None => site.address(reloc, target),
    };
    Ok(match formula(r_type) {
        Formula::Address if is_word && is_frame && image.shape.is_pic && words::is_here(view) => {
            own().wrapping_sub(p)
        }
        // The loader writes the field.
        Formula::Address if is_word && target.is_indirect => loader_word(site, reloc),
        Formula::Address => site.address(reloc, target),
        Formula::High | Formula::Low => match distance_to_pointer(site, reloc, r_type) {
            Some(distance) => distance,
            None => site.address(reloc, target),
        },
        Formula::Jump => return jump(site, reloc, r_type, target),
        Formula::Branch => branch(site, reloc, target),
        Formula::Distance => {
            // Some instructions count from their place rounded down.
            let align = match r_type {
                R_MIPS_PC18_S3 | R_MICROMIPS_PC18_S3 => 8,
                R_MIPS_PC19_S2 | R_MICROMIPS_PC19_S2 | R_MICROMIPS_PC23_S2 => 4,
                _ => 1,
            };
            site.address(reloc, target).wrapping_sub(p & !(align - 1))
        }
        Formula::FromPointer => {
            // A function finds the pointer by its own address.
            let before = if view.name().is_none() { own_pointer(site) } else { 0 };
            own().wrapping_add(before).wrapping_sub(image.global_pointer)
        }
        Formula::Rest if has_page(view) => target.sum.wrapping_sub(page_of(target.sum)),
        Formula::Rest => match word_of(R_MIPS_GOT_PAGE, view, reloc.r_addend()) {
            Word::Sum => 0,
            _ => reloc.r_addend() as u64,
        },
        Formula::Word => got_word(site, reloc, r_type, target)?.wrapping_sub(image.global_pointer),
        Formula::Hint | Formula::Other => return thread_local(site, reloc, r_type, target),
    })
}

/// The field of a word that the loader adds something to: the addend, where its tables have none.
fn loader_word(site: &Site<'_>, reloc: &Rela) -> u64 {
    use crate::machine::RelocKind::Rel;
    match site.operands.image.machine.reloc_kind {
        Rel => reloc.r_addend() as u64,
        _ => 0,
    }
}

/// Address of the word of the GOT that a load uses.
fn got_word(site: &Site<'_>, reloc: &Rela, r_type: u32, target: Target) -> Result<u64, Fault> {
    let operands = site.operands;
    let image = operands.image;
    Ok(match word_of(r_type, operands.view(reloc), reloc.r_addend()) {
        Word::Symbol => operands.got_address(reloc),
        Word::Sum => {
            let object = operands.patch.section.object;
            let slots = &image.slots;
            image.got_word(slots.placed_word(object, reloc.symbol(), reloc.r_addend()))
        }
        Word::Page => image.page_word(target.sum).ok_or(Fault::OutOfRange(target.sum as i64))?,
    })
}

/// The distance from an instruction to the global pointer, for the symbol that stands for it. The
/// two halves are in instructions that follow each other.
fn distance_to_pointer(site: &Site<'_>, reloc: &Rela, r_type: u32) -> Option<u64> {
    let operands = site.operands;
    let image = operands.image;
    let object = operands.patch.section.object;
    let view = operands.view(reloc);
    if !words::is_pointer_distance(image.objects, object, reloc.symbol(), view) {
        return None;
    }
    let behind = match r_type {
        R_MIPS_LO16 => 4,
        // The lowest bit says that the code is microMIPS.
        R_MICROMIPS_LO16 => 3,
        R_MICROMIPS_HI16 => u64::MAX,
        _ => 0,
    };
    let sum = image.global_pointer.wrapping_add_signed(reloc.r_addend());
    Some(sum.wrapping_sub(operands.place(reloc)).wrapping_add(behind))
}

/// The global pointer that the object itself was linked for: an earlier `-r` may have had one.
fn own_pointer(site: &Site<'_>) -> u64 {
    let operands = site.operands;
    let image = operands.image;
    let object = &image.objects[operands.patch.section.object];
    let sections = image.machine.loaded_attributes.iter();
    let mut pointer = sections.filter_map(|section| {
        let (at, size) = section.pointer?;
        let (_, bytes) = object.attributes().find(|own| own.0 == section.name.as_bytes())?;
        Some(image.machine.byte_order.unsigned(bytes.get(at..at + size)?))
    });
    pointer.next_back().unwrap_or(0)
}

/// Where a branch leads: a weak function that nothing defines is not called.
fn called(site: &Site<'_>, reloc: &Rela, target: Target) -> Option<u64> {
    let destination = site.called(reloc, target);
    let is_weak = site.operands.view(reloc).attributes & attr::UNDEF_WEAK != 0;
    let address = destination.wrapping_sub(reloc.r_addend() as u64);
    (!is_weak || address != 0).then_some(destination)
}

/// A jump within the 256 MiB (128 MiB for microMIPS) that the instruction behind it is in.
fn jump(site: &Site<'_>, reloc: &Rela, r_type: u32, target: Target) -> Result<u64, Fault> {
    let Some(to) = called(site, reloc, target) else { return Ok(0) };
    let bits = 26 + u32::from(field(r_type).shift);
    let from = site.operands.place(reloc).wrapping_add(4);
    if (to ^ from) >> bits != 0 && !(site.is_32() && (to as u32 ^ from as u32) >> bits == 0) {
        return Err(Fault::OutOfRange(to.wrapping_sub(from) as i64));
    }
    Ok(to)
}

/// The distance of a branch, whose addend counts from the instruction behind it.
fn branch(site: &Site<'_>, reloc: &Rela, target: Target) -> u64 {
    let p = site.operands.place(reloc);
    // One to nothing goes to the instruction behind its slot.
    called(site, reloc, target).map_or(0, |to| to.wrapping_sub(p))
}

/// A jump by register to a function that is near becomes a branch.
fn hint(site: &mut Site<'_>, reloc: &Rela, r_type: u32, target: Target) -> Result<(), Fault> {
    let image = site.operands.image;
    if r_type != R_MIPS_JALR || target.is_indirect || target.s == 0 || !image.relax {
        return Ok(());
    }
    let order = image.machine.byte_order;
    let at = site.at(reloc);
    let word = instruction::read(order, site.out, at, Unit::Word).ok_or(Fault::BadPlace)?;
    let distance = target.sum.wrapping_sub(site.place(reloc));
    if let Some(branch) = branch_for(word, distance) {
        instruction::write(order, site.out, at, Unit::Word, branch);
    }
    Ok(())
}

fn thread_local(site: &Site<'_>, reloc: &Rela, r_type: u32, target: Target) -> Result<u64, Fault> {
    let operands = site.operands;
    let image = operands.image;
    let (view, a) = (operands.view(reloc), reloc.r_addend() as u64);
    Ok(match r_type {
        R_MIPS_TLS_GD | R_MICROMIPS_TLS_GD => {
            operands.tlsgd(reloc).wrapping_sub(image.global_pointer)
        }
        R_MIPS_TLS_LDM | R_MICROMIPS_TLS_LDM => {
            image.got_word(image.slots.own_module).wrapping_sub(image.global_pointer)
        }
        R_MIPS_TLS_GOTTPREL | R_MICROMIPS_TLS_GOTTPREL => {
            operands.gottp(reloc).wrapping_sub(image.global_pointer)
        }
        // The loader writes the field.
        R_MIPS_TLS_TPREL32 | R_MIPS_TLS_TPREL64 if image.shape.is_shared => {
            let own = operands.dtpoff(view, target.s).wrapping_add(a);
            match image.machine.reloc_kind {
                crate::machine::RelocKind::Rel => own,
                _ => 0,
            }
        }
        R_MIPS_TLS_TPREL32
        | R_MIPS_TLS_TPREL64
        | R_MIPS_TLS_TPREL_HI16
        | R_MIPS_TLS_TPREL_LO16
        | R_MICROMIPS_TLS_TPREL_HI16
        | R_MICROMIPS_TLS_TPREL_LO16 => operands.tpoff(view, target.s).wrapping_add(a),
        R_MIPS_TLS_DTPREL32
        | R_MIPS_TLS_DTPREL64
        | R_MIPS_TLS_DTPREL_HI16
        | R_MIPS_TLS_DTPREL_LO16
        | R_MICROMIPS_TLS_DTPREL_HI16
        | R_MICROMIPS_TLS_DTPREL_LO16 => {
            let offset = operands.dtpoff(view, target.s).wrapping_add(a);
            offset.wrapping_sub(image.machine.dtv_offset)
        }
        _ => return Err(Fault::Unsupported),
    })
}

/// Writes a value to the field of a type after checking its range and alignment.
fn put(site: &mut Site<'_>, reloc: &Rela, r_type: u32, value: u64) -> Result<(), Fault> {
    let howto = howto(r_type).ok_or(Fault::Unsupported)?;
    let field = field(r_type);
    let number = site.number(value);
    let is_word = field.bits == 32 && site.is_32();
    if !is_word && !howto.range.contains(number) {
        return Err(Fault::OutOfRange(number));
    }
    if value & (field_align(r_type) - 1) != 0 {
        return Err(Fault::Misaligned(value));
    }
    let at = site.at(reloc);
    let is_done = match field.unit {
        Unit::None => return Err(Fault::Unsupported),
        Unit::Data => site.put_data(at, howto.size.into(), value),
        _ => {
            let order = site.operands.image.machine.byte_order;
            instruction::put(order, site.out, at, field, value).is_some()
        }
    };
    if is_done { Ok(()) } else { Err(Fault::BadPlace) }
}
