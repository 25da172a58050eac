//! SHT_REL relocations: the addend is what the field holds before relocation.

use crate::format::elf::{Rel, Rela};
use crate::machine::Machine;
use zerocopy::FromBytes;

/// Decodes SHT_REL `bytes` that apply to `section`, whose fields supply the addends.
pub fn decode(machine: &Machine, bytes: &[u8], section: &[u8]) -> Result<Vec<Rela>, &'static str> {
    let rels = <[Rel]>::ref_from_bytes(bytes).map_err(|_| "size is not a multiple of 16")?;
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
    let field = |len: usize| section.get(start..start.checked_add(len)?);
    Some(match machine.howto(r_type)?.size {
        1 => i64::from(field(1)?[0] as i8),
        2 => i64::from(i16::from_le_bytes(field(2)?.try_into().ok()?)),
        4 => i64::from(i32::from_le_bytes(field(4)?.try_into().ok()?)),
        8 => i64::from_le_bytes(field(8)?.try_into().ok()?),
        _ => 0,
    })
}
