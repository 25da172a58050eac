//! What relaxation deletes ("RISC-V ABIs Specification", "Linker Relaxation"): padding for
//! alignment, the second instruction of calls that reach with one, and upper parts of addresses of
//! which the lower part is enough.
//!
//! Only instructions that `R_RISCV_RELAX` marks change, and padding. The lower part of an address
//! decides by itself, by the final addresses, whether the upper one may be gone: wherever that is
//! deleted, the address is near for good. `apply.rs` gives it another base register then.

use super::instruction::{self, NOP, RA, SHORT_NOP, SP, ZERO, destination};
use crate::format::elf::Rela;
use crate::layout::deletions::{Deleted, Deletion};
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::machine::Class;
use crate::synth::image::Image;
use crate::synth::shrinking::{ShrinkSite, Shrinking};
use crate::synth::values::{self, Value};
use object::elf::*;

/// How its code shrinks.
pub static SHRINKING: Shrinking = Shrinking { most_lost, find, shorten };

/// The type of an upper part that is deleted, because the lower part counts from the global
/// pointer. No file has it.
pub const GP_UPPER: u32 = 0xffff_ff17;

/// Bit of `e_flags`: instructions of two bytes may be used.
const RVC: u32 = EF_RISCV_RVC;

/// Reach of a jump, and of one of two bytes.
const JUMP: u64 = (1 << 20) - 2;
const SHORT_JUMP: u64 = (1 << 11) - 2;

fn most_lost(relocs: &[Rela]) -> u64 {
    let mut sum = 0u64;
    for (index, reloc) in relocs.iter().enumerate() {
        let lost = match reloc.r_type() {
            R_RISCV_ALIGN => padding(reloc),
            _ if !is_relaxable(relocs, index) => 0,
            R_RISCV_CALL | R_RISCV_CALL_PLT => 6,
            R_RISCV_HI20
            | R_RISCV_PCREL_HI20
            | R_RISCV_TPREL_HI20
            | R_RISCV_TPREL_ADD
            | R_RISCV_TLSDESC_HI20
            | R_RISCV_TLSDESC_LOAD_LO12
            | R_RISCV_TLSDESC_ADD_LO12 => 4,
            _ => 0,
        };
        sum = sum.saturating_add(lost);
    }
    sum
}

/// Bytes of padding for alignment; 0 if the addend is no such number.
pub fn padding(reloc: &Rela) -> u64 {
    u32::try_from(reloc.r_addend()).map_or(0, u64::from)
}

/// How many of them are needed at a place. They are for the next power of two.
pub fn needed_padding(place: u64, padding: u64) -> u64 {
    place.wrapping_neg() % (padding + 1).next_power_of_two()
}

/// Whether the instruction of relocation `index` may be relaxed: another relocation of its place
/// says so.
#[inline(always)]
pub fn is_relaxable(relocs: &[Rela], index: usize) -> bool {
    let [reloc, next, ..] = relocs.get(index..).unwrap_or_default() else { return false };
    next.r_type() == R_RISCV_RELAX && next.r_offset() == reloc.r_offset()
}

/// Whether all of a value fits a lower part.
#[inline(always)]
pub const fn fits_low(value: u64, is_32: bool) -> bool {
    let value = if is_32 { value as i32 as i64 } else { value as i64 };
    -0x800 <= value && value < 0x800
}

/// Whether a type is that of an upper part that lower parts refer to.
#[inline(always)]
pub const fn is_upper(r_type: u32) -> bool {
    matches!(
        r_type,
        R_RISCV_GOT_HI20
            | R_RISCV_TLS_GOT_HI20
            | R_RISCV_TLS_GD_HI20
            | R_RISCV_PCREL_HI20
            | R_RISCV_TLSDESC_HI20
            | GP_UPPER
    )
}

/// The value of the global pointer; 0 if there is none.
#[inline(always)]
pub fn gp(image: &Image<'_>) -> u64 {
    image.global_pointer
}

/// Whether code may count from the global pointer.
fn relaxes_gp(image: &Image<'_>) -> bool {
    image.relaxes_gp && gp(image) != 0
}

/// The distance of an address from the global pointer, if a lower part holds it.
pub fn from_gp(image: &Image<'_>, sum: u64) -> Option<u64> {
    let distance = sum.wrapping_sub(gp(image));
    (relaxes_gp(image) && fits_low(distance, false)).then_some(distance)
}

fn find(image: &Image<'_>, site: &ShrinkSite<'_>) -> Deleted {
    let object = image.definitions.sections[site.section].object;
    let bytes = image.objects[object].bytes(&image.definitions.sections[site.section]);
    let search = Search {
        image,
        site,
        bytes,
        has_short: image.objects[object].mapped.header_flags() & RVC != 0,
    };
    let mut found = Deleted::default();
    for (number, reloc) in (0..).zip(site.relocs) {
        let index = number as usize;
        let start = reloc.r_offset();
        if reloc.r_type() == R_RISCV_ALIGN {
            let padding = padding(reloc);
            let now = start.saturating_sub(found.total());
            let needed = needed_padding(now, padding);
            let size = padding.saturating_sub(needed);
            let offset = start.saturating_add(needed.min(padding));
            found.push(bytes.len(), Deletion { offset, size, reloc: number });
            continue;
        }
        if !is_relaxable(site.relocs, index) {
            continue;
        }
        let before = site.deleted.of_relocation(number).map_or(0, |deletion| deletion.size);
        let size = if site.may_shorten { before.max(search.size(index, reloc)) } else { before };
        // A call keeps the start of AUIPC for the jump, and a load of upper bits for `c.lui`.
        let kept = match reloc.r_type() {
            R_RISCV_CALL | R_RISCV_CALL_PLT => 8 - size,
            _ => 4 - size,
        };
        let offset = start.saturating_add(kept);
        found.push(bytes.len(), Deletion { offset, size, reloc: number });
    }
    found
}

struct Search<'a> {
    image: &'a Image<'a>,
    site: &'a ShrinkSite<'a>,
    /// The section.
    bytes: &'a [u8],
    has_short: bool,
}

impl Search<'_> {
    /// How many bytes the instruction of a relocation can lose.
    fn size(&self, index: usize, reloc: &Rela) -> u64 {
        match reloc.r_type() {
            R_RISCV_CALL | R_RISCV_CALL_PLT => self.call(reloc),
            R_RISCV_HI20 => self.upper(reloc),
            R_RISCV_PCREL_HI20 if self.is_near_gp(reloc) => 4,
            R_RISCV_TPREL_HI20 | R_RISCV_TPREL_ADD => {
                let offset = self.thread_offset(reloc);
                if offset.is_some_and(|offset| fits_low(offset, self.is_32())) { 4 } else { 0 }
            }
            R_RISCV_TLSDESC_HI20 | R_RISCV_TLSDESC_LOAD_LO12 | R_RISCV_TLSDESC_ADD_LO12 => {
                self.descriptor(index, reloc)
            }
            _ => 0,
        }
    }

    fn is_32(&self) -> bool {
        self.image.machine.class == Class::Elf32
    }

    fn value(&self, reloc: &Rela) -> Value {
        let object = self.image.definitions.sections[self.site.section].object;
        values::decode(self.image.value(object, reloc.symbol()))
    }

    /// The address of the symbol with the addend, if it is known; for a function that is called
    /// through the PLT, of the entry if `is_call`.
    fn target(&self, reloc: &Rela, is_call: bool) -> Option<u64> {
        let image = self.image;
        match self.value(reloc) {
            Value::Plain(0) => None,
            Value::Plain(s) => Some(s.wrapping_add_signed(reloc.r_addend())),
            Value::Merged(section) => image.place_in(section, reloc.r_addend() as u64),
            Value::Called(distance) if is_call => {
                Some(image.bases.plt.wrapping_add_signed(distance.into()))
            }
            _ => None,
        }
    }

    /// AUIPC and JALR become a jump where that reaches, of two bytes if it can.
    fn call(&self, reloc: &Rela) -> u64 {
        let Some(target) = self.target(reloc, true) else { return 0 };
        let start = reloc.r_offset() as usize;
        let Some(jalr) = instruction::read(self.bytes, start.saturating_add(4)) else { return 0 };
        let (image, site) = (self.image, self.site);
        let object = image.definitions.sections[site.section].object;
        let place = image.address(site.section) + site.deleted.moved(reloc.r_offset());
        let home = image.view(object, reloc.symbol()).value_base.section();
        let distance = target.wrapping_sub(place) as i64;
        let farthest = site.farthest(image, home, distance);
        let register = destination(jalr);
        let has_form = register == ZERO || register == RA && self.is_32();
        if self.has_short && has_form && farthest <= SHORT_JUMP {
            6
        } else if farthest <= JUMP {
            4
        } else {
            0
        }
    }

    /// LUI goes if the lower part has all of the address or counts from the global pointer, and has
    /// two bytes if few bits are set.
    fn upper(&self, reloc: &Rela) -> u64 {
        let sum = match self.value(reloc) {
            // Absolute, or undefined and weak.
            Value::Plain(0) => Some(reloc.r_addend() as u64),
            _ => self.target(reloc, false),
        };
        let Some(sum) = sum else { return 0 };
        // Addresses of code and data may still move either way.
        let slack = self.site.slack.across;
        let around = [sum, sum.saturating_sub(slack), sum.saturating_add(slack)];
        let is_fixed = self.is_absolute(reloc);
        let all = |fits: &dyn Fn(u64) -> bool| {
            if is_fixed { fits(sum) } else { around.into_iter().all(fits) }
        };
        if all(&|sum| fits_low(sum, self.is_32())) || self.is_near_gp(reloc) {
            return 4;
        }
        let lui = instruction::read(self.bytes, reloc.r_offset() as usize).unwrap_or(0);
        let fits = |sum: u64| {
            let upper = if self.is_32() { sum as i32 as i64 } else { sum as i64 };
            let upper = upper.wrapping_add(0x800) >> 12;
            upper != 0 && (-32..32).contains(&upper)
        };
        let has_form = self.has_short && !matches!(destination(lui), ZERO | SP);
        if has_form && all(&fits) { 2 } else { 0 }
    }

    fn is_absolute(&self, reloc: &Rela) -> bool {
        let object = self.image.definitions.sections[self.site.section].object;
        self.image.view(object, reloc.symbol()).value_base.section().is_none()
    }

    /// Whether the lower part reaches the address from the global pointer, however alignment still
    /// changes the distance of two places in data.
    fn is_near_gp(&self, reloc: &Rela) -> bool {
        let Some(sum) = self.target(reloc, false).filter(|_| relaxes_gp(self.image)) else {
            return false;
        };
        let image = self.image;
        let object = image.definitions.sections[self.site.section].object;
        let home = image.view(object, reloc.symbol()).value_base.section();
        // Code may still lose bytes, and so may what is on the other side of it.
        let is_data = home.is_some_and(|home| {
            let flags = image.definitions.sections[home].flags;
            flags.has(crate::read::object_file::SectionFlags::WRITE)
        });
        let distance = sum.wrapping_sub(gp(image)) as i64;
        let farthest = distance.unsigned_abs().saturating_add(self.site.slack.of_data);
        is_data && farthest < 0x800
    }

    /// The offset of a variable from the thread pointer, if this output has it.
    fn thread_offset(&self, reloc: &Rela) -> Option<u64> {
        let s = self.target(reloc, false)?;
        (!self.image.shape.is_shared).then(|| s.wrapping_sub(self.image.thread_pointer))
    }

    /// Instructions that are not needed where a descriptor is not: the first two, and the third if
    /// the fourth has all of the offset.
    fn descriptor(&self, index: usize, reloc: &Rela) -> u64 {
        let image = self.image;
        let object = image.definitions.sections[self.site.section].object;
        let upper = if reloc.r_type() == R_RISCV_TLSDESC_HI20 {
            reloc
        } else {
            let label = image.objects[object].mapped.symbols.get(reloc.symbol());
            let Some(at) = label.map(|label| label.st_value()) else { return 0 };
            let before = self.site.relocs[..index].iter().rev();
            let mut before = before.filter(|upper| upper.r_offset() == at);
            match before.find(|upper| is_upper(upper.r_type())) {
                Some(upper) => upper,
                None => return 0,
            }
        };
        let relaxes = image.relax || !image.shape.is_dynamic;
        let model = tls_model(image.shape, relaxes, image.view(object, upper.symbol()));
        match (model, reloc.r_type()) {
            (TlsModel::Dynamic, _) => 0,
            (_, R_RISCV_TLSDESC_HI20 | R_RISCV_TLSDESC_LOAD_LO12) => 4,
            (TlsModel::LocalExec, _) => {
                let offset = self.thread_offset(upper);
                if offset.is_some_and(|offset| fits_low(offset, self.is_32())) { 4 } else { 0 }
            }
            (TlsModel::InitialExec, _) => 0,
        }
    }
}

/// What is left of an instruction gets its short form, and its relocation that form's type.
fn shorten(bytes: &mut [u8], relocs: &mut [Rela], deletion: Deletion) {
    let Some(reloc) = relocs.get_mut(deletion.reloc as usize) else { return };
    let start = reloc.r_offset() as usize;
    let r_type = match (reloc.r_type(), deletion.size) {
        (R_RISCV_ALIGN, _) => {
            let end = deletion.offset as usize;
            pad(&mut bytes[start..end]);
            R_RISCV_ALIGN
        }
        (R_RISCV_CALL | R_RISCV_CALL_PLT, 4) => {
            let register = instruction::read(bytes, start + 4).map_or(0, destination);
            // jal register, .
            let jump = (0x6f | register << 7).to_le_bytes();
            bytes[start..start + 4].copy_from_slice(&jump);
            R_RISCV_JAL
        }
        (R_RISCV_CALL | R_RISCV_CALL_PLT, _) => {
            let register = instruction::read(bytes, start + 4).map_or(0, destination);
            // c.jal or c.j
            let jump: u16 = if register == ZERO { 0xa001 } else { 0x2001 };
            bytes[start..start + 2].copy_from_slice(&jump.to_le_bytes());
            R_RISCV_RVC_JUMP
        }
        (R_RISCV_HI20, 2) => {
            let register = instruction::read(bytes, start).map_or(0, destination);
            // c.lui register
            let short = (0x6001 | register << 7) as u16;
            bytes[start..start + 2].copy_from_slice(&short.to_le_bytes());
            R_RISCV_RVC_LUI
        }
        // Lower parts still look for it.
        (R_RISCV_PCREL_HI20, _) => GP_UPPER,
        // The others of the sequence still refer to it.
        (R_RISCV_TLSDESC_HI20, _) => R_RISCV_TLSDESC_HI20,
        _ => R_RISCV_NONE,
    };
    reloc.set_r_type(r_type);
}

/// Fills padding that is left with whole instructions.
fn pad(bytes: &mut [u8]) {
    let (words, rest) = bytes.as_chunks_mut::<4>();
    words.iter_mut().for_each(|word| *word = NOP.to_le_bytes());
    if let Some(rest) = rest.first_chunk_mut() {
        *rest = SHORT_NOP.to_le_bytes();
    }
}
