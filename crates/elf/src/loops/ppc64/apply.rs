//! What relocations write ("64-Bit ELF V2 ABI Specification", "Relocation Types"), for the loop of
//! [`crate::loops::apply_loop`].

use super::instruction::{self, ADDI, ADDIS, Long, NOP, THREAD, TOC};
use super::scan::{has_plt_word, is_direct, is_plt_mark};
use super::stub::{self, THUNKS, Way};
use super::target::{self, Callee, Entries, callee, st_other};
use super::tls::{self, New};
use super::toc;
use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::loops::operands::Operands;
use crate::loops::thunks::Branch;
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::machine::howto::Range;
use crate::machine::ppc64::howto::{self, Base, Field, MARKS, Part, Row, ThreadWord, types};
use crate::synth::image::Image;
use crate::synth::patch::{Fault, Patch};
use skald_linking::byte_order::ByteOrder;

/// PowerPC's part of the apply loop.
pub struct Types;

impl ApplyTypes for Types {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        MARKS.contains(&r_type) || matches!(r_type, types::VTINHERIT | types::VTENTRY)
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        let at = site.operands.out_offset(reloc);
        match r_type {
            types::ADDR64 => site.put_data(at, 8, sum),
            types::REL32 => {
                let distance = sum.wrapping_sub(site.operands.place(reloc));
                i32::try_from(distance as i64).is_ok() && site.put_data(at, 4, distance)
            }
            _ => false,
        }
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, index: usize, target: Target) -> Result<(), Fault> {
        let row = howto::of(reloc.r_type()).ok_or(Fault::Unsupported)?;
        let operands = site.operands;
        let mark = tls::mark_of(operands.patch.relocs, index);
        if mark.is_some_and(|mark| is_relaxed_mark(operands, mark)) {
            return Ok(());
        }
        let a = reloc.r_addend() as u64;
        let p = site.place(reloc);
        let base = operands.image.got_base;
        let value = match row.base {
            // The loader writes the field.
            Base::Absolute if reloc.r_type() == types::ADDR64 && target.is_indirect => 0,
            Base::Absolute if reloc.r_type() == types::ADDR64 => target.sum,
            Base::Absolute | Base::Jump => site.address(reloc, target),
            Base::LocalEntry => {
                let object = operands.patch.section.object;
                let st_other = st_other(operands.image, object, reloc.symbol());
                Entries::new(target.s, st_other).local().wrapping_add(a)
            }
            Base::Distance => site.address(reloc, target).wrapping_sub(p),
            Base::Call | Base::CallWithoutToc => return call(site, reloc, row),
            Base::Toc => return toc_distance(site, reloc, row, target),
            Base::TocAddress => base.wrapping_add(a),
            Base::SectionOffset => target.sum.wrapping_sub(section_start(operands, reloc)),
            Base::Got => operands.got_address(reloc).wrapping_add(a).wrapping_sub(base),
            Base::GotDistance => return got_distance(site, reloc, row, target),
            Base::PltWord | Base::PltWordDistance | Base::PltWordToc => {
                return plt_word(site, reloc, row);
            }
            Base::Nothing if is_plt_mark(reloc.r_type()) => return plt_mark(site, reloc),
            Base::Nothing if tls::is_mark(reloc.r_type()) => {
                return tls_call(site, reloc, index, target);
            }
            Base::Nothing => return Err(Fault::Unsupported),
            Base::ThreadOffset | Base::ModuleOffset | Base::Thread(_) | Base::ThreadDistance(_) => {
                return thread_local(site, reloc, row, target);
            }
        };
        put(site, reloc, row, value)
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        if reloc.r_type() == types::TOC {
            // It has no symbol.
            let value = site.operands.image.got_base.wrapping_add_signed(reloc.r_addend());
            site.put_data(site.operands.out_offset(reloc), 8, value);
            return;
        }
        let row = howto::of(reloc.r_type()).filter(|row| row.field == Field::Data);
        if let Some(row) = row {
            site.put_gone(reloc, row.howto().size.into());
        }
    }
}

/// The byte order of instructions and data.
fn order(site: &Site<'_>) -> ByteOrder {
    site.operands.image.machine.byte_order
}

/// Offset in the output's copy of the instruction with a field.
fn instruction_at(site: &Site<'_>, reloc: &Rela) -> usize {
    (reloc.r_offset() & !3).wrapping_sub(site.operands.patch.section_offset) as usize
}

/// The instruction as the object has it.
fn original(site: &Site<'_>, reloc: &Rela) -> Result<u32, Fault> {
    toc::word_of(order(site), site.operands.patch.original, reloc).ok_or(Fault::BadPlace)
}

/// The same for an instruction of eight bytes.
fn original_long(site: &Site<'_>, reloc: &Rela) -> Result<Long, Fault> {
    let at = usize::try_from(reloc.r_offset() & !3).map_err(|_| Fault::BadPlace)?;
    Long::read(order(site), site.operands.patch.original, at).ok_or(Fault::BadPlace)
}

/// Writes another instruction.
fn replace(site: &mut Site<'_>, reloc: &Rela, word: u32) -> Result<(), Fault> {
    let at = instruction_at(site, reloc);
    instruction::write(order(site), site.out, at, word).ok_or(Fault::BadPlace)
}

/// Writes part of a value to the field of a type after checking range and alignment.
fn put(site: &mut Site<'_>, reloc: &Rela, row: &Row, value: u64) -> Result<(), Fault> {
    let howto = row.howto();
    let rounded = match (row.part, howto.range) {
        (Part::HighAdjusted, Range::Signed(_)) => value.wrapping_add(0x8000),
        _ => value,
    };
    if !howto.range.contains(rounded as i64) {
        return Err(Fault::OutOfRange(value as i64));
    }
    let part = row.part.of(value);
    let (order, at) = (order(site), site.at(reloc));
    let is_done = match row.field {
        Field::None => return Ok(()),
        Field::Data if reloc.r_type() == REL30 => {
            return put_words(site, reloc, value);
        }
        Field::Data => site.put_data(at, howto.size.into(), part),
        Field::Half => site.put_data(at, 2, part),
        Field::HalfWithout => {
            let selecting = instruction::selecting_bits(original(site, reloc)?);
            if value & selecting != 0 {
                return Err(Fault::Misaligned(value));
            }
            let place = at.checked_add(2).and_then(|end| site.out.get(at..end));
            let old = order.unsigned(place.ok_or(Fault::BadPlace)?);
            site.put_data(at, 2, part & !selecting | old & selecting)
        }
        Field::Long34 | Field::Long28 => {
            let with = if row.field == Field::Long34 { Long::with34 } else { Long::with28 };
            let long = Long::read(order, site.out, at).ok_or(Fault::BadPlace)?;
            with(long, part).write(order, site.out, at).is_some()
        }
        Field::Pieces => {
            let with = |word| instruction::with_value(word, Field::Pieces, part);
            instruction::change(order, site.out, at, with).is_some()
        }
        branch => {
            if value & 3 != 0 {
                return Err(Fault::Misaligned(value));
            }
            let with = |word| instruction::with_value(word, branch, value);
            instruction::change(order, site.out, at, with).is_some()
        }
    };
    if is_done { Ok(()) } else { Err(Fault::BadPlace) }
}

const REL30: u32 = 37;

/// A distance in words, which leaves the two lowest bits of the field alone.
fn put_words(site: &mut Site<'_>, reloc: &Rela, value: u64) -> Result<(), Fault> {
    let at = site.at(reloc);
    let with = |word: u32| word & 3 | value as u32 & !3;
    instruction::change(order(site), site.out, at, with).ok_or(Fault::BadPlace)
}

/// The start of the output section of a symbol.
fn section_start(operands: Operands<'_>, reloc: &Rela) -> u64 {
    let image = operands.image;
    let section = operands.view(reloc).value_base.section();
    let output = section.and_then(|id| image.definitions.sections.get(id)).map(|s| s.output());
    let position = output.and_then(|output| image.outputs.position_of(output));
    position.map_or(0, |position| image.outputs.at(position as u32).address)
}

/// A branch: to the function, or to a thunk, behind which `r2` may have to be restored.
fn call(site: &mut Site<'_>, reloc: &Rela, row: &Row) -> Result<(), Fault> {
    let image = site.operands.image;
    let object = site.operands.patch.section.object;
    let p = site.place(reloc);
    match stub::way(image, object, reloc, p).ok_or(Fault::Unsupported)? {
        Way::Nowhere => replace(site, reloc, NOP),
        Way::Direct(to) => put(site, reloc, row, to.wrapping_sub(p)),
        Way::Through { restores, .. } => {
            if restores && let Err(fault) = restore(site, reloc) {
                // A function of the same object is called directly, as in GNU ld.
                let own = target::own_entry(image, object, reloc).ok_or(fault)?;
                return put(site, reloc, row, own.wrapping_sub(p));
            }
            let to = thunk_of(site, reloc)?;
            put(site, reloc, row, to.wrapping_sub(p))
        }
    }
}

/// The address of the thunk of a call.
fn thunk_of(site: &Site<'_>, reloc: &Rela) -> Result<u64, Fault> {
    let Operands { image, patch } = site.operands;
    let place = site.place(reloc);
    let object = patch.section.object;
    let Some(Way::Through { thunk, .. }) = stub::way(image, object, reloc, place) else {
        return Err(Fault::Unsupported);
    };
    let far = Fault::OutOfRange(thunk.destination.wrapping_sub(place) as i64);
    let position = image.outputs.position_of(patch.section.output()).ok_or(far)?;
    let branch = Branch { object, reloc: *reloc, place, reach: stub::reach(reloc.r_type()) };
    THUNKS.find(image, position, branch, thunk.destination).ok_or(far)
}

/// Makes the no-op behind a call restore `r2`.
fn restore(site: &mut Site<'_>, reloc: &Rela) -> Result<(), Fault> {
    let at = instruction_at(site, reloc).wrapping_add(4);
    let restore = stub::restore_of(site.operands.image.machine);
    let next = instruction::read(order(site), site.out, at);
    let next = next.and_then(|next| stub::restored(restore, next));
    let next = next.ok_or(Fault::NoRestore)?;
    instruction::write(order(site), site.out, at, next).ok_or(Fault::BadPlace)
}

/// A part of the distance of something from the TOC's address.
fn toc_distance(site: &mut Site<'_>, reloc: &Rela, row: &Row, target: Target) -> Result<(), Fault> {
    let Operands { image, patch } = site.operands;
    let r_type = reloc.r_type();
    let is_upper = r_type == types::TOC16_HA;
    let is_load = || toc::is_load(order(site), patch.original, reloc);
    let through =
        (is_upper || is_load()).then(|| toc::through(image, patch, reloc, target.sum)).flatten();
    if let Some(distance) = through {
        if is_upper {
            return upper_of_near(site, reloc, row, distance, TOC);
        }
        let old = original(site, reloc)?;
        let base = if is_near(distance) { TOC } else { instruction::base(old) };
        let new = instruction::with_half(ADDI, instruction::target(old), base, distance);
        return replace(site, reloc, new);
    }
    let value = site.address(reloc, target).wrapping_sub(image.got_base);
    near(site, reloc, row, value, TOC)
}

/// Whether 16 bits hold a distance, so that nothing has to be added for its upper half.
fn is_near(distance: u64) -> bool {
    i16::try_from(distance as i64).is_ok()
}

/// Writes a half of the distance from a register. If the lower half is all of it, no instruction
/// adds the upper half to the register.
fn near(
    site: &mut Site<'_>,
    reloc: &Rela,
    row: &Row,
    value: u64,
    register: u32,
) -> Result<(), Fault> {
    match row.part {
        Part::HighAdjusted => upper_of_near(site, reloc, row, value, register),
        Part::Low if site.operands.image.relax && is_near(value) => {
            put(site, reloc, row, value)?;
            let at = instruction_at(site, reloc);
            let with = |word| instruction::with_base(word, register);
            instruction::change(order(site), site.out, at, with).ok_or(Fault::BadPlace)
        }
        _ => put(site, reloc, row, value),
    }
}

/// The addition of an upper half to a register, or a no-op where it adds nothing.
fn upper_of_near(
    site: &mut Site<'_>,
    reloc: &Rela,
    row: &Row,
    value: u64,
    register: u32,
) -> Result<(), Fault> {
    let old = original(site, reloc)?;
    let is_addition = instruction::opcode(old) == ADDIS && instruction::base(old) == register;
    if site.operands.image.relax && is_near(value) && is_addition {
        return replace(site, reloc, NOP);
    }
    put(site, reloc, row, value)
}

/// The distance of a word of the GOT, or of what the word would hold.
fn got_distance(site: &mut Site<'_>, reloc: &Rela, row: &Row, target: Target) -> Result<(), Fault> {
    let Operands { image, patch } = site.operands;
    let view = site.operands.view(reloc);
    let p = site.place(reloc);
    if !toc::is_rewritten(image.relax, order(site), patch.original, reloc, view) {
        let word = site.operands.got_address(reloc).wrapping_add_signed(reloc.r_addend());
        return put(site, reloc, row, word.wrapping_sub(p));
    }
    let old = original_long(site, reloc)?;
    let distance = target.sum.wrapping_sub(p);
    if !row.howto().range.contains(distance as i64) {
        return Err(Fault::OutOfRange(distance as i64));
    }
    let new = Long::address(instruction::target(old.suffix)).with34(distance);
    new.write(order(site), site.out, site.operands.out_offset(reloc)).ok_or(Fault::BadPlace)
}

/// Whether a call through a word that the compiler wrote out becomes a direct one.
pub fn is_direct_call(operands: Operands<'_>, reloc: &Rela) -> bool {
    operands.image.relax && !has_plt_word(operands.view(reloc))
}

/// The place of the word through which a function is called, or no-ops where it is called directly.
fn plt_word(site: &mut Site<'_>, reloc: &Rela, row: &Row) -> Result<(), Fault> {
    let operands = site.operands;
    let image = operands.image;
    if is_direct(image.relax, operands.view(reloc), row) {
        return put_nothing(site, reloc, row.field);
    }
    let word = match callee(image, operands.patch.section.object, reloc) {
        Some(Callee::Word(word)) => word,
        _ => operands.got_address(reloc),
    };
    let word = word.wrapping_add_signed(reloc.r_addend());
    let value = match row.base {
        Base::PltWordDistance => word.wrapping_sub(site.place(reloc)),
        Base::PltWordToc => word.wrapping_sub(image.got_base),
        _ => word,
    };
    put(site, reloc, row, value)
}

/// No-ops instead of an instruction with a field.
fn put_nothing(site: &mut Site<'_>, reloc: &Rela, field: Field) -> Result<(), Fault> {
    match field {
        Field::Long34 => {
            let at = instruction_at(site, reloc);
            Long::nop().write(order(site), site.out, at).ok_or(Fault::BadPlace)
        }
        _ => replace(site, reloc, NOP),
    }
}

/// An instruction of a call through a word that the compiler wrote out.
fn plt_mark(site: &mut Site<'_>, reloc: &Rela) -> Result<(), Fault> {
    let operands = site.operands;
    if !is_direct_call(operands, reloc) {
        return Ok(());
    }
    let is_call = matches!(reloc.r_type(), types::PLTCALL | types::PLTCALL_NOTOC);
    if !is_call {
        return replace(site, reloc, NOP);
    }
    let old = original(site, reloc)?;
    let p = site.place(reloc);
    let way = stub::way(operands.image, operands.patch.section.object, reloc, p);
    let (to, keeps_restore) = match way.ok_or(Fault::Unsupported)? {
        Way::Nowhere => (None, false),
        Way::Direct(to) => (Some(to), false),
        Way::Through { restores, .. } => (Some(thunk_of(site, reloc)?), restores),
    };
    let branch = 0x4800_0000 | u32::from(instruction::is_call(old));
    let new =
        to.map_or(NOP, |to| instruction::with_value(branch, Field::Branch, to.wrapping_sub(p)));
    replace(site, reloc, new)?;
    // What saved `r2` is a no-op now.
    let at = instruction_at(site, reloc).wrapping_add(4);
    let next = instruction::read(order(site), site.out, at);
    if next == Some(stub::restore_of(operands.image.machine)) && !keeps_restore {
        instruction::write(order(site), site.out, at, NOP).ok_or(Fault::BadPlace)?;
    }
    Ok(())
}

/// The model of the sequence that a relocation belongs to.
fn model(operands: Operands<'_>, reloc: &Rela) -> TlsModel {
    let image = operands.image;
    tls_model(image.shape, operands.relaxes_tls(), operands.view(reloc))
}

/// Whether a sequence for this module's block is rewritten.
fn is_own_relaxed(operands: Operands<'_>) -> bool {
    !operands.image.shape.is_shared && operands.relaxes_tls()
}

/// Whether a marked call of `__tls_get_addr` is rewritten.
pub fn is_relaxed_mark(operands: Operands<'_>, mark: &Rela) -> bool {
    match mark.r_type() {
        types::TLSLD => is_own_relaxed(operands),
        _ => model(operands, mark) != TlsModel::Dynamic,
    }
}

/// A marked call, or a part of one.
fn tls_call(site: &mut Site<'_>, mark: &Rela, index: usize, target: Target) -> Result<(), Fault> {
    let operands = site.operands;
    if !is_relaxed_mark(operands, mark) {
        return Ok(());
    }
    let next = operands.patch.relocs.get(index + 1);
    let next = next.filter(|next| next.r_offset() & !3 == mark.r_offset() & !3);
    let next = next.map(|next| next.r_type()).ok_or(Fault::Unpaired)?;
    if howto::of(next).is_some_and(|row| row.field == Field::Long34) {
        return put_nothing(site, mark, Field::Long34);
    }
    let offset = offset(site, mark, target);
    let new = tls::call(mark.r_type(), next, model(operands, mark), offset)?;
    replace(site, mark, new)
}

/// The offset of a variable from the thread pointer.
fn offset(site: &Site<'_>, reloc: &Rela, target: Target) -> u64 {
    let view = site.operands.view(reloc);
    site.operands.tpoff(view, target.s).wrapping_add_signed(reloc.r_addend())
}

/// A relocation for thread-local storage, other than a mark.
fn thread_local(site: &mut Site<'_>, reloc: &Rela, row: &Row, target: Target) -> Result<(), Fault> {
    let operands = site.operands;
    let image = operands.image;
    let a = reloc.r_addend() as u64;
    let word = match row.base {
        Base::Thread(word) | Base::ThreadDistance(word) => word,
        Base::ThreadOffset if row.field == Field::None => return access(site, reloc, target),
        // The loader writes the field.
        Base::ThreadOffset if image.shape.is_shared => return put(site, reloc, row, 0),
        Base::ThreadOffset => {
            let value = offset(site, reloc, target);
            return near(site, reloc, row, value, THREAD);
        }
        _ => {
            let value = operands.dtpoff(operands.view(reloc), target.s).wrapping_add(a);
            return put(site, reloc, row, value.wrapping_sub(image.machine.dtv_offset));
        }
    };
    let is_long = matches!(row.base, Base::ThreadDistance(_));
    let from = if is_long { site.place(reloc) } else { image.got_base };
    if let Some(new) = rewritten(site, reloc, row, word, target)? {
        let at = instruction_at(site, reloc);
        return tls::write(order(site), site.out, at, new).ok_or(Fault::BadPlace);
    }
    let word = match word {
        ThreadWord::Dynamic => operands.tlsgd(reloc),
        ThreadWord::OwnModule => image.got_word(image.slots.own_module),
        ThreadWord::Offset => operands.gottp(reloc),
        ThreadWord::ModuleOffset => operands.gotdtp(reloc),
    };
    put(site, reloc, row, word.wrapping_sub(from))
}

/// What an instruction that refers to a word of the GOT becomes; `None` if it stays.
fn rewritten(
    site: &Site<'_>,
    reloc: &Rela,
    row: &Row,
    word: ThreadWord,
    target: Target,
) -> Result<Option<New>, Fault> {
    let operands = site.operands;
    let is_long = matches!(row.base, Base::ThreadDistance(_));
    let model = model(operands, reloc);
    let offset = offset(site, reloc, target);
    Ok(match word {
        ThreadWord::Dynamic if model == TlsModel::Dynamic => None,
        ThreadWord::Dynamic if is_long => {
            let distance = operands.gottp(reloc).wrapping_sub(site.place(reloc));
            Some(tls::long_dynamic(original_long(site, reloc)?, model, distance, offset))
        }
        ThreadWord::Dynamic => {
            let word = operands.gottp(reloc).wrapping_sub(operands.image.got_base);
            Some(tls::dynamic(original(site, reloc)?, row.part, model, word, offset)?)
        }
        ThreadWord::OwnModule if !is_own_relaxed(operands) => None,
        ThreadWord::OwnModule if is_long => Some(tls::long_own_block(original_long(site, reloc)?)),
        ThreadWord::OwnModule => Some(tls::own_block(original(site, reloc)?, row.part)?),
        ThreadWord::Offset if model != TlsModel::LocalExec => None,
        ThreadWord::Offset if is_long => {
            let old = original_long(site, reloc)?;
            Some(tls::long_dynamic(old, TlsModel::LocalExec, 0, offset))
        }
        ThreadWord::Offset => Some(tls::initial(original(site, reloc)?, row.part, offset)?),
        ThreadWord::ModuleOffset => None,
    })
}

/// The instruction that uses a loaded offset.
fn access(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    if model(site.operands, reloc) != TlsModel::LocalExec {
        return Ok(());
    }
    // In code with long instructions the relocation is one byte behind the start.
    let is_long = reloc.r_offset() & 3 == 1;
    let new = tls::access(original(site, reloc)?, is_long, offset(site, reloc, target))?;
    replace(site, reloc, new)
}

/// The relocation that the instruction of relocation `index` has as it was written.
pub fn follow_rewrite(image: &Image<'_>, patch: &Patch<'_>, index: usize) -> Rela {
    let mut reloc = patch.relocs[index];
    let operands = Operands { image, patch };
    let mark = tls::mark_of(patch.relocs, index);
    let Some(row) = howto::of(reloc.r_type()) else { return reloc };
    let r_type = if mark.is_some_and(|mark| is_relaxed_mark(operands, mark)) {
        0
    } else if tls::is_mark(reloc.r_type()) && is_relaxed_mark(operands, &reloc) {
        match (reloc.r_type(), model(operands, &reloc)) {
            (types::TLSGD, TlsModel::InitialExec) => types::TLS,
            (types::TLSGD, TlsModel::LocalExec) if !is_long_call(patch, index) => TPREL16_LO,
            _ => 0,
        }
    } else {
        match row.base {
            Base::GotDistance => {
                let view = operands.view(&reloc);
                let order = image.machine.byte_order;
                if toc::is_rewritten(image.relax, order, patch.original, &reloc, view) {
                    PCREL34
                } else {
                    reloc.r_type()
                }
            }
            Base::Thread(word) => followed_word(operands, &reloc, row.part, word),
            Base::ThreadDistance(word) => followed_long(operands, &reloc, word),
            Base::ThreadOffset if row.field == Field::None => match model(operands, &reloc) {
                TlsModel::LocalExec if reloc.r_offset() & 3 == 1 => 0,
                TlsModel::LocalExec => TPREL16_LO,
                _ => types::TLS,
            },
            Base::PltWordToc | Base::PltWordDistance
                if is_direct(image.relax, operands.view(&reloc), row) =>
            {
                0
            }
            Base::Nothing if is_plt_mark(reloc.r_type()) && is_direct_call(operands, &reloc) => {
                match reloc.r_type() {
                    types::PLTCALL => REL24,
                    types::PLTCALL_NOTOC => REL24_NOTOC,
                    _ => 0,
                }
            }
            _ => reloc.r_type(),
        }
    };
    if r_type == 0 {
        reloc.set_r_sym(0);
        reloc.set_r_addend(0);
    }
    reloc.set_r_type(r_type);
    reloc
}

const REL24: u32 = 10;
const REL24_NOTOC: u32 = 116;
const TPREL16_LO: u32 = 70;
const TPREL16_HA: u32 = 72;
const GOT_TPREL16_DS: u32 = 87;
const GOT_TPREL16_LO_DS: u32 = 88;
const GOT_TPREL16_HA: u32 = 90;
const PCREL34: u32 = 132;
const TPREL34: u32 = 146;
const GOT_TPREL_PCREL34: u32 = 150;

/// Whether the call behind a mark is one of code without a TOC.
fn is_long_call(patch: &Patch<'_>, index: usize) -> bool {
    let next = patch.relocs.get(index + 1).map(|next| next.r_type());
    matches!(next, Some(REL24_NOTOC | 124 | types::PLTCALL_NOTOC))
}

/// The type of an instruction that referred to a word of the GOT.
fn followed_word(operands: Operands<'_>, reloc: &Rela, part: Part, word: ThreadWord) -> u32 {
    match (word, model(operands, reloc), part) {
        (ThreadWord::Dynamic, TlsModel::InitialExec, Part::HighAdjusted) => GOT_TPREL16_HA,
        (ThreadWord::Dynamic, TlsModel::InitialExec, Part::Low) => GOT_TPREL16_LO_DS,
        (ThreadWord::Dynamic, TlsModel::InitialExec, _) => GOT_TPREL16_DS,
        (ThreadWord::Dynamic | ThreadWord::Offset, TlsModel::LocalExec, Part::HighAdjusted) => 0,
        (ThreadWord::Dynamic | ThreadWord::Offset, TlsModel::LocalExec, _) => TPREL16_HA,
        (ThreadWord::OwnModule, ..) if is_own_relaxed(operands) => 0,
        _ => reloc.r_type(),
    }
}

/// The same for long instructions.
fn followed_long(operands: Operands<'_>, reloc: &Rela, word: ThreadWord) -> u32 {
    match (word, model(operands, reloc)) {
        (ThreadWord::Dynamic, TlsModel::InitialExec) => GOT_TPREL_PCREL34,
        (ThreadWord::Dynamic | ThreadWord::Offset, TlsModel::LocalExec) => TPREL34,
        (ThreadWord::OwnModule, _) if is_own_relaxed(operands) => 0,
        _ => reloc.r_type(),
    }
}
