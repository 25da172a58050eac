//! SHT_REL relocations: the addend is the content of the field before relocation.

use crate::format::elf::{Rel, Rela};
use crate::format::encoding::Encoding;
use crate::machine::{Class, Machine};

/// Decodes SHT_REL `bytes` that apply to `section`, whose fields supply the addends.
pub fn decode(machine: &Machine, bytes: &[u8], section: &[u8]) -> Result<Vec<Rela>, &'static str> {
    let rels = Encoding::of(machine).records::<Rel>(bytes).ok_or(match machine.class {
        Class::Elf32 => "size is not a multiple of 8",
        Class::Elf64 => "size is not a multiple of 16",
    })?;
    rels.iter()
        .map(|rel| {
            let addend = implicit_addend(machine, section, rel.r_offset(), rel.r_type())
                .ok_or("relocation lies outside its section")?;
            Ok(Rela::new(rel.r_offset(), rel.r_type(), rel.r_sym(), addend))
        })
        .collect()
}

fn implicit_addend(
    machine: &Machine,
    section: &[u8],
    section_offset: u64,
    r_type: u32,
) -> Option<i64> {
    let start = usize::try_from(section_offset).ok()?;
    let order = machine.byte_order;
    // Types that are not known are reported when they are looked at.
    let Some(howto) = machine.howto(r_type) else { return Some(0) };
    Some(match howto.size {
        1 => order.get::<i8>(section, start)?.into(),
        2 => order.get::<i16>(section, start)?.into(),
        4 => order.get::<i32>(section, start)?.into(),
        8 => order.get::<i64>(section, start)?,
        _ => 0,
    })
}
