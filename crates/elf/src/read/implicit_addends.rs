//! SHT_REL relocations: the addend is the content of the field before relocation, which in
//! instructions of some machines is part of a word. A machine may have such addends in SHT_RELA.

use crate::format::elf::{Rel, Rel32, Rela};
use crate::format::encoding::{Encoding, Record};
use crate::format::fields::FieldReader;
use crate::machine::{Class, Machine};
use skald_core::unordered::UnorderedMap;
use skald_linking::byte_order::ByteOrder;

/// Decodes SHT_REL `bytes` that apply to `section`, whose fields supply the addends.
pub fn decode(machine: &Machine, bytes: &[u8], section: &[u8]) -> Result<Vec<Rela>, &'static str> {
    let fields = Fields { machine, section };
    let encoding = Encoding::of(machine);
    let relocs = match encoding.class {
        Class::Elf32 => fields.relocations::<{ Rel::SIZE_32 }>(encoding, bytes)?,
        Class::Elf64 => fields.relocations::<{ size_of::<Rel>() }>(encoding, bytes)?,
    };
    relocs.ok_or(OUTSIDE)
}

/// Gives relocations without addends those in the fields of `section`.
pub fn fill(machine: &Machine, relocs: &mut [Rela], section: &[u8]) -> Result<(), &'static str> {
    let fields = Fields { machine, section };
    for reloc in relocs {
        let addend = fields.addend(machine.byte_order, reloc.r_offset(), reloc.r_type());
        reloc.set_r_addend(addend.ok_or(OUTSIDE)?);
    }
    Ok(())
}

/// Takes the addends of words from the fields of `section`, for objects whose SHT_RELA has none;
/// whether all of them are inside.
pub fn take(machine: &Machine, relocs: &mut [Rela], section: &[u8]) -> bool {
    let fields = Fields { machine, section };
    let mut is_inside = true;
    for reloc in relocs {
        let size = machine.howto(reloc.r_type()).map_or(0, |howto| howto.size);
        if machine.reloc_kind.is_in_field(size) {
            let addend = fields.addend(machine.byte_order, reloc.r_offset(), reloc.r_type());
            is_inside &= addend.is_some();
            reloc.set_r_addend(addend.unwrap_or_default());
        }
    }
    is_inside
}

/// The addend of an entry that stays in its file; 0 if its field is outside of the section.
#[inline(always)]
pub fn of_entry(machine: &Machine, entry: &Rel32, section: &[u8]) -> i64 {
    let fields = Fields { machine, section };
    fields.addend(ByteOrder::Little, entry.r_offset(), entry.r_type()).unwrap_or(0)
}

const OUTSIDE: &str = "relocation lies outside its section";

/// Adds the lower halves of addends to the upper ones that come before them.
fn join_parts(relocs: &mut [Rela], low_part: fn(u32) -> Option<u32>) {
    // By type and symbol, the next addend behind.
    let mut next: UnorderedMap<(u32, u32), i64> = UnorderedMap::new();
    for reloc in relocs.iter_mut().rev() {
        let (r_type, r_sym, addend) = (reloc.r_type(), reloc.r_sym(), reloc.r_addend());
        match low_part(r_type) {
            Some(low) => {
                let low = next.get(&(low, r_sym)).copied().unwrap_or(0);
                reloc.set_r_addend(addend.wrapping_add(low));
            }
            None => drop(next.insert((r_type, r_sym), addend)),
        }
    }
}

struct Fields<'a> {
    machine: &'a Machine,
    section: &'a [u8],
}

impl Fields<'_> {
    /// The relocations with their addends; `None` if one lies outside of the section.
    fn relocations<const SIZE: usize>(
        &self,
        encoding: Encoding,
        bytes: &[u8],
    ) -> Result<Option<Vec<Rela>>, &'static str> {
        let (entries, rest) = bytes.as_chunks::<SIZE>();
        if !rest.is_empty() {
            return Err(match encoding.class {
                Class::Elf32 => "size is not a multiple of 8",
                Class::Elf64 => "size is not a multiple of 16",
            });
        }
        let mut is_inside = true;
        let mut relocs = Vec::with_capacity(entries.len());
        for entry in entries {
            let rel = Rel::decode(&mut FieldReader::new(encoding, entry));
            let addend = self.addend(encoding.order, rel.r_offset(), rel.r_type());
            is_inside &= addend.is_some();
            let addend = addend.unwrap_or_default();
            relocs.push(Rela::new(rel.r_offset(), rel.r_type(), rel.r_sym(), addend));
        }
        if let Some(low_part) = self.machine.low_part {
            join_parts(&mut relocs, low_part);
        }
        Ok(is_inside.then_some(relocs))
    }

    #[inline(always)]
    fn addend(&self, order: ByteOrder, r_offset: u64, r_type: u32) -> Option<i64> {
        let start = usize::try_from(r_offset).ok()?;
        if self.machine.howtos.get(r_type as usize).is_some_and(|howto| howto.size == 4) {
            return Some(order.get::<i32>(self.section, start)?.into());
        }
        self.other(order, start, r_type)
    }

    /// The addend of a field that is no word, or of a high type, such as all of AArch64's.
    #[inline(never)]
    fn other(&self, order: ByteOrder, start: usize, r_type: u32) -> Option<i64> {
        let section = self.section;
        // Types that are not known are reported when they are looked at.
        let Some(howto) = self.machine.howto(r_type) else { return Some(0) };
        if let (2 | 4, Some(in_code)) = (howto.size, self.machine.code_addend) {
            let mut bytes = [0; 4];
            let size = usize::from(howto.size);
            bytes[..size].copy_from_slice(section.get(start..)?.get(..size)?);
            if let Some(addend) = (in_code.get)(r_type, bytes) {
                return Some(addend);
            }
        }
        Some(match howto.size {
            1 => order.get::<i8>(section, start)?.into(),
            2 => order.get::<i16>(section, start)?.into(),
            4 => order.get::<i32>(section, start)?.into(),
            8 => order.get::<i64>(section, start)?,
            _ => 0,
        })
    }
}
