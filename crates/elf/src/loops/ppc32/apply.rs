//! What relocations write ("Power Architecture 32-bit Application Binary Interface Supplement",
//! "Relocation Types"), for the loop of [`crate::loops::apply_loop`].

use super::scan::{has_plt_word, is_plt_mark};
use super::stub::{self, Callee, THUNKS, Way};
use super::tls::{self, THREAD};
use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::loops::operands::Operands;
use crate::loops::ppc64::instruction::{self, ADDIS, NOP};
use crate::loops::thunks::Branch;
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::machine::howto::Range;
use crate::machine::ppc32::howto::{self, Base, Field, MARKS, Part, Row, ThreadWord, types};
use crate::read::object_file::SectionFlags;
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
        let value = match r_type {
            types::ADDR32 => sum,
            types::REL32 => sum.wrapping_sub(site.place(reloc)),
            _ => return false,
        };
        site.put_data(site.at(reloc), 4, value)
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, index: usize, target: Target) -> Result<(), Fault> {
        let row = howto::of(reloc.r_type()).ok_or(Fault::Unsupported)?;
        let operands = site.operands;
        let mark = tls::mark_of(operands.patch.relocs, index);
        if mark.is_some_and(|mark| is_relaxed_mark(operands, mark)) {
            return Ok(());
        }
        let p = site.place(reloc);
        let value = match row.base {
            // The loader writes the field.
            Base::Absolute if is_word(reloc) && target.is_indirect => 0,
            Base::Absolute if is_word(reloc) => target.sum,
            Base::Absolute | Base::Jump | Base::PltEntry => site.address(reloc, target),
            Base::Negative => {
                let a = reloc.r_addend() as u64;
                let s = site.address(reloc, target).wrapping_sub(a);
                a.wrapping_sub(s)
            }
            Base::Distance | Base::PltEntryDistance => site.address(reloc, target).wrapping_sub(p),
            Base::Call | Base::PicCall => return call(site, reloc, row),
            Base::SectionOffset => {
                let start = output(operands, reloc).map_or(0, |(_, address)| address);
                target.sum.wrapping_sub(start)
            }
            Base::Small | Base::ConstantSmall | Base::SmallWithRegister | Base::AnySmall => {
                return small(site, reloc, row, target);
            }
            Base::Got => {
                let word = operands.got_address(reloc).wrapping_add_signed(reloc.r_addend());
                word.wrapping_sub(operands.image.got_base)
            }
            Base::PltWord => return plt_word(site, reloc, row),
            Base::Nothing if is_plt_mark(reloc.r_type()) => return plt_mark(site, reloc),
            Base::Nothing if tls::is_mark(reloc.r_type()) => {
                return tls_call(site, reloc, index, target);
            }
            Base::Nothing if reloc.r_type() == types::TLS => return access(site, reloc, target),
            Base::Nothing => return Err(Fault::Unsupported),
            Base::ThreadOffset | Base::ModuleOffset | Base::Thread(_) => {
                return thread_local(site, reloc, row, target);
            }
        };
        put(site, reloc, row, value)
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        let row = howto::of(reloc.r_type()).filter(|row| row.field == Field::Data);
        if let Some(row) = row {
            site.put_gone(reloc, row.howto().size.into());
        }
    }
}

/// Whether a field is a word that the loader can relocate.
fn is_word(reloc: &Rela) -> bool {
    matches!(reloc.r_type(), types::ADDR32 | types::UADDR32)
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
    let at = usize::try_from(reloc.r_offset() & !3).map_err(|_| Fault::BadPlace)?;
    instruction::read(order(site), site.operands.patch.original, at).ok_or(Fault::BadPlace)
}

/// Writes another instruction.
fn replace(site: &mut Site<'_>, reloc: &Rela, word: u32) -> Result<(), Fault> {
    let at = instruction_at(site, reloc);
    instruction::write(order(site), site.out, at, word).ok_or(Fault::BadPlace)
}

/// Writes part of a value to the field of a type after checking range and alignment.
fn put(site: &mut Site<'_>, reloc: &Rela, row: &Row, value: u64) -> Result<(), Fault> {
    let howto = row.howto();
    let number = site.number(value);
    let range = match (row.part, row.field) {
        (Part::All, Field::Half) => half_range(site, reloc, howto.range),
        _ => howto.range,
    };
    if !range.contains(number) {
        return Err(Fault::OutOfRange(number));
    }
    let part = row.part.of(value);
    let (order, at) = (order(site), site.at(reloc));
    let is_done = match row.field {
        Field::None => return Ok(()),
        // A distance in words, which leaves the two lowest bits alone.
        Field::Data if reloc.r_type() == types::ADDR30 => {
            let with = |word: u32| word & 3 | value as u32 & !3;
            instruction::change(order, site.out, at, with).is_some()
        }
        Field::Data => site.put_data(at, howto.size.into(), part),
        Field::Half => site.put_data(at, 2, part),
        field => {
            if field != Field::Pieces && value & 3 != 0 {
                return Err(Fault::Misaligned(value));
            }
            let to = match row.base {
                Base::Jump => value.wrapping_sub(site.place(reloc)),
                _ => value,
            };
            let is_back = site.number(to) < 0;
            let with = |word| match field {
                Field::LikelyBranch => with_prediction(word, true, is_back, part),
                Field::UnlikelyBranch => with_prediction(word, false, is_back, part),
                _ => instruction::with_value(word, field, part),
            };
            instruction::change(order, site.out, at, with).is_some()
        }
    };
    if is_done { Ok(()) } else { Err(Fault::BadPlace) }
}

/// The numbers that a field of 16 bits holds. An instruction extends them in its own way, whatever
/// the type.
fn half_range(site: &Site<'_>, reloc: &Rela, in_data: Range) -> Range {
    const COMPARE: u32 = 10;
    const ORI: u32 = 24;
    const XORI: u32 = 26;
    const ANDI: u32 = 28;
    if !site.operands.patch.section.flags.has(SectionFlags::EXEC) {
        return in_data;
    }
    match original(site, reloc).map(instruction::opcode) {
        Ok(COMPARE) => Range::Either(16),
        Ok(ORI | XORI | ANDI) => Range::Unsigned(16),
        Ok(_) => Range::Signed(16),
        Err(_) => in_data,
    }
}

/// A conditional branch with a distance. One bit says that it goes the other way than is predicted
/// by the direction: branches that lead back are taken.
fn with_prediction(word: u32, is_taken: bool, is_back: bool, distance: u64) -> u32 {
    const OTHER_WAY: u32 = 1 << 21;
    let word = if is_taken == is_back { word & !OTHER_WAY } else { word | OTHER_WAY };
    instruction::with_value(word, Field::ShortBranch, distance)
}

/// The name and the address of the output section of a symbol.
fn output<'a>(operands: Operands<'a>, reloc: &Rela) -> Option<(&'a [u8], u64)> {
    let image = operands.image;
    let section = operands.view(reloc).value_base.section()?;
    let output = image.definitions.sections.get(section)?.output();
    let output = image.outputs.at(image.outputs.position_of(output)? as u32);
    Some((&output.name, output.address))
}

/// The distance of small data from what a register has, and that register.
fn small(site: &mut Site<'_>, reloc: &Rela, row: &Row, target: Target) -> Result<(), Fault> {
    const OF_DATA: u32 = 13;
    const OF_CONSTANTS: u32 = 2;
    let operands = site.operands;
    let Some((name, _)) = output(operands, reloc) else { return Err(Fault::Unsupported) };
    let [data, constants] = operands.image.machine.small_bases else {
        return Err(Fault::Unsupported);
    };
    let is_of = |sections: [&str; 2]| sections.iter().any(|section| section.as_bytes() == name);
    let base = |base| operands.image.outputs.small_base(base);
    let (register, base) = if is_of(data.sections) && row.base != Base::ConstantSmall {
        (OF_DATA, base(data))
    } else if is_of(constants.sections) && row.base != Base::Small {
        (OF_CONSTANTS, base(constants))
    } else if is_of([".PPC.EMB.sdata0", ".PPC.EMB.sbss0"])
        && !matches!(row.base, Base::Small | Base::ConstantSmall)
    {
        (0, 0)
    } else {
        return Err(Fault::Unsupported);
    };
    let value = target.sum.wrapping_sub(base);
    let number = site.number(value);
    if !Range::Signed(16).contains(number) {
        return Err(Fault::OutOfRange(number));
    }
    if row.base != Base::SmallWithRegister {
        return put(site, reloc, row, value);
    }
    let at = site.at(reloc);
    let with = |word: u32| instruction::with_base(word & !0xffff, register) | value as u32 & 0xffff;
    instruction::change(order(site), site.out, at, with).ok_or(Fault::BadPlace)
}

/// A branch: to the function, or to a thunk.
fn call(site: &mut Site<'_>, reloc: &Rela, row: &Row) -> Result<(), Fault> {
    let p = site.place(reloc);
    match way(site, reloc)? {
        Way::Nowhere => replace(site, reloc, NOP),
        Way::Direct(to) => put(site, reloc, row, to.wrapping_sub(p)),
        Way::Through(thunk) => {
            let to = thunk_of(site, reloc, thunk.destination)?;
            put(site, reloc, row, to.wrapping_sub(p))
        }
    }
}

fn way(site: &Site<'_>, reloc: &Rela) -> Result<Way, Fault> {
    let Operands { image, patch } = site.operands;
    stub::way(image, patch.section.object, reloc, site.place(reloc)).ok_or(Fault::Unsupported)
}

/// The address of the thunk of a call.
fn thunk_of(site: &Site<'_>, reloc: &Rela, destination: u64) -> Result<u64, Fault> {
    let Operands { image, patch } = site.operands;
    let place = site.place(reloc);
    let object = patch.section.object;
    let far = Fault::OutOfRange(destination.wrapping_sub(place) as i64);
    let position = image.outputs.position_of(patch.section.output()).ok_or(far)?;
    let branch = Branch { object, reloc: *reloc, place, reach: stub::reach(reloc.r_type()) };
    THUNKS.find(image, position, branch, destination).ok_or(far)
}

/// Whether a call through a word that the compiler wrote out becomes a direct one.
pub fn is_direct_call(operands: Operands<'_>, reloc: &Rela) -> bool {
    operands.image.relax && !has_plt_word(operands.view(reloc))
}

/// The place of the word through which a function is called, or a no-op where it is called
/// directly.
fn plt_word(site: &mut Site<'_>, reloc: &Rela, row: &Row) -> Result<(), Fault> {
    let operands = site.operands;
    if is_direct_call(operands, reloc) {
        return replace(site, reloc, NOP);
    }
    let Operands { image, patch } = operands;
    let object = patch.section.object;
    let word = match stub::callee(image, object, reloc) {
        Some(Callee::Word(word)) => word,
        _ => operands.got_address(reloc),
    };
    if !image.shape.is_pic && row.part == Part::HighAdjusted {
        // Position-independent code adds it to a register.
        let new = instruction::with_base(original(site, reloc)?, 0);
        replace(site, reloc, new)?;
    }
    put(site, reloc, row, word.wrapping_sub(stub::written_base(image, object, reloc)))
}

/// An instruction of a call through a word that the compiler wrote out.
fn plt_mark(site: &mut Site<'_>, reloc: &Rela) -> Result<(), Fault> {
    if !is_direct_call(site.operands, reloc) {
        return Ok(());
    }
    if reloc.r_type() != types::PLTCALL {
        return replace(site, reloc, NOP);
    }
    let old = original(site, reloc)?;
    let to = match way(site, reloc)? {
        Way::Nowhere => return replace(site, reloc, NOP),
        Way::Direct(to) => to,
        Way::Through(thunk) => thunk_of(site, reloc, thunk.destination)?,
    };
    let branch = 0x4800_0000 | u32::from(instruction::is_call(old));
    let distance = to.wrapping_sub(site.place(reloc));
    replace(site, reloc, instruction::with_value(branch, Field::Branch, distance))
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
    let new = tls::call(mark.r_type(), next, model(operands, mark), offset(site, mark, target));
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
    let word = match row.base {
        Base::Thread(word) => word,
        // The loader writes the field.
        Base::ThreadOffset if image.shape.is_shared => return put(site, reloc, row, 0),
        Base::ThreadOffset => {
            let offset = offset(site, reloc, target);
            return known_offset(site, reloc, row, offset);
        }
        _ => {
            let a = reloc.r_addend() as u64;
            let value = operands.dtpoff(operands.view(reloc), target.s).wrapping_add(a);
            return put(site, reloc, row, value.wrapping_sub(image.machine.dtv_offset));
        }
    };
    let model = model(operands, reloc);
    let offset = offset(site, reloc, target);
    let old = original(site, reloc);
    let address = match word {
        ThreadWord::Dynamic if model != TlsModel::Dynamic => {
            let word = operands.gottp(reloc).wrapping_sub(image.got_base);
            let new = tls::dynamic(old?, row.part, model, word, offset)?;
            return replace(site, reloc, new);
        }
        ThreadWord::OwnModule if is_own_relaxed(operands) => {
            return replace(site, reloc, tls::own_block(old?, row.part));
        }
        ThreadWord::Offset if model == TlsModel::LocalExec => {
            return replace(site, reloc, tls::initial(old?, row.part, offset));
        }
        ThreadWord::Dynamic => operands.tlsgd(reloc),
        ThreadWord::OwnModule => image.got_word(image.slots.own_module),
        ThreadWord::Offset => operands.gottp(reloc),
        ThreadWord::ModuleOffset => operands.gotdtp(reloc),
    };
    put(site, reloc, row, address.wrapping_sub(image.got_base))
}

/// Writes a part of an offset from the thread pointer. If the lower half is all of it, no
/// instruction adds the upper half.
fn known_offset(site: &mut Site<'_>, reloc: &Rela, row: &Row, offset: u64) -> Result<(), Fault> {
    let is_near = site.operands.image.relax && i16::try_from(site.number(offset)).is_ok();
    match row.part {
        Part::HighAdjusted if is_near => {
            let old = original(site, reloc)?;
            let is_sum = instruction::opcode(old) == ADDIS && instruction::base(old) == THREAD;
            if is_sum {
                return replace(site, reloc, NOP);
            }
        }
        Part::Low if is_near => {
            put(site, reloc, row, offset)?;
            let at = instruction_at(site, reloc);
            let with = |word| instruction::with_base(word, THREAD);
            return instruction::change(order(site), site.out, at, with).ok_or(Fault::BadPlace);
        }
        _ => {}
    }
    put(site, reloc, row, offset)
}

/// The instruction that uses a loaded offset.
fn access(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    if model(site.operands, reloc) != TlsModel::LocalExec {
        return Ok(());
    }
    let new = tls::access(original(site, reloc)?, offset(site, reloc, target))?;
    replace(site, reloc, new)
}

/// The relocation that the instruction of relocation `index` has as it was written.
pub fn follow_rewrite(image: &Image<'_>, patch: &Patch<'_>, index: usize) -> Rela {
    let mut reloc = patch.relocs[index];
    let operands = Operands { image, patch };
    let r_type = reloc.r_type();
    let mark = tls::mark_of(patch.relocs, index);
    let base = howto::of(r_type).map(|row| row.base);
    let new = if mark.is_some_and(|mark| is_relaxed_mark(operands, mark)) {
        0
    } else if tls::is_mark(r_type) && is_relaxed_mark(operands, &reloc) {
        match (r_type, model(operands, &reloc)) {
            (types::TLSGD, TlsModel::LocalExec) if is_last_part(patch, index) => types::TPREL16_LO,
            _ => 0,
        }
    } else {
        match base {
            Some(Base::Thread(word)) => followed_word(operands, &reloc, word),
            Some(Base::Nothing) if r_type == types::TLS => match model(operands, &reloc) {
                TlsModel::LocalExec => types::TPREL16_LO,
                _ => r_type,
            },
            Some(Base::PltWord) if is_direct_call(operands, &reloc) => 0,
            Some(Base::Nothing) if is_plt_mark(r_type) && is_direct_call(operands, &reloc) => {
                if r_type == types::PLTCALL {
                    types::REL24
                } else {
                    0
                }
            }
            _ => r_type,
        }
    };
    if new == 0 {
        reloc.set_r_sym(0);
        reloc.set_r_addend(0);
    }
    let is_half = new == types::TPREL16_LO && r_type != types::TPREL16_LO;
    if is_half && image.machine.byte_order == ByteOrder::Big {
        // Marks have the place of the instruction.
        reloc.set_r_offset(reloc.r_offset() + 2);
    }
    if new == types::REL24 && r_type == types::PLTCALL {
        reloc.set_r_addend(0);
    }
    reloc.set_r_type(new);
    reloc
}

/// Whether the relocation behind a mark is that of the call, and not of what loads its address.
fn is_last_part(patch: &Patch<'_>, index: usize) -> bool {
    let next = patch.relocs.get(index + 1).map(|next| next.r_type());
    next == Some(types::PLTCALL)
        || next.and_then(howto::of).is_some_and(|row| row.field == Field::Branch)
}

/// The type of an instruction that referred to a word of the GOT.
fn followed_word(operands: Operands<'_>, reloc: &Rela, word: ThreadWord) -> u32 {
    let r_type = reloc.r_type();
    let part = howto::of(r_type).map(|row| row.part);
    let is_upper = matches!(part, Some(Part::High | Part::HighAdjusted));
    match (word, model(operands, reloc)) {
        (ThreadWord::Dynamic, TlsModel::InitialExec) => match part {
            Some(Part::HighAdjusted) => types::GOT_TPREL16_HA,
            Some(Part::High) => types::GOT_TPREL16_HI,
            Some(Part::Low) => types::GOT_TPREL16_LO,
            _ => types::GOT_TPREL16,
        },
        (ThreadWord::Dynamic | ThreadWord::Offset, TlsModel::LocalExec) if is_upper => 0,
        (ThreadWord::Dynamic | ThreadWord::Offset, TlsModel::LocalExec) => types::TPREL16_HA,
        (ThreadWord::OwnModule, _) if is_own_relaxed(operands) => 0,
        _ => r_type,
    }
}
