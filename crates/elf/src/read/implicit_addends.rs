//! SHT_REL relocations: the addend is the content of the field before relocation.

use crate::format::elf::{Rel, Rela};
use crate::format::encoding::{Encoding, Record};
use crate::format::fields::FieldReader;
use crate::machine::{Class, Machine};
use skald_linking::byte_order::ByteOrder;

/// Decodes SHT_REL `bytes` that apply to `section`, whose fields supply the addends.
pub fn decode(machine: &Machine, bytes: &[u8], section: &[u8]) -> Result<Vec<Rela>, &'static str> {
    // A constant encoding makes a record a few loads and stores. Programs for i386 have millions.
    const I386: Encoding = Encoding { class: Class::Elf32, order: ByteOrder::Little };
    let encoding = Encoding::of(machine);
    let entries = bytes.chunks_exact(encoding.size::<Rel>());
    if !entries.remainder().is_empty() {
        return Err(match machine.class {
            Class::Elf32 => "size is not a multiple of 8",
            Class::Elf64 => "size is not a multiple of 16",
        });
    }
    let relocs = match encoding {
        I386 => decode_all(I386, machine, bytes, section),
        _ => decode_all(encoding, machine, bytes, section),
    };
    relocs.ok_or("relocation lies outside its section")
}

#[inline(always)]
fn decode_all(
    encoding: Encoding,
    machine: &Machine,
    bytes: &[u8],
    section: &[u8],
) -> Option<Vec<Rela>> {
    let mut is_inside = true;
    let entries = bytes.chunks_exact(encoding.size::<Rel>());
    let relocs = entries.map(|entry| {
        let rel = Rel::decode(&mut FieldReader::new(encoding, entry));
        let addend = implicit_addend(machine, encoding.order, section, &rel);
        is_inside &= addend.is_some();
        Rela::new(rel.r_offset(), rel.r_type(), rel.r_sym(), addend.unwrap_or_default())
    });
    let relocs = relocs.collect();
    is_inside.then_some(relocs)
}

#[inline(always)]
fn implicit_addend(machine: &Machine, order: ByteOrder, section: &[u8], rel: &Rel) -> Option<i64> {
    let start = rel.r_offset() as usize;
    // Types that are not known are reported when they are looked at.
    let Some(howto) = machine.howto(rel.r_type()) else { return Some(0) };
    if howto.size == 4 {
        return Some(order.get::<i32>(section, start)?.into());
    }
    narrow_or_wide(order, section, start, howto.size)
}

#[cold]
fn narrow_or_wide(order: ByteOrder, section: &[u8], start: usize, size: u8) -> Option<i64> {
    Some(match size {
        1 => order.get::<i8>(section, start)?.into(),
        2 => order.get::<i16>(section, start)?.into(),
        8 => order.get::<i64>(section, start)?,
        _ => 0,
    })
}
