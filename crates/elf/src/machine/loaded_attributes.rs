//! Sections that say what each object was compiled for, which are joined and loaded: kernels and
//! loaders read them (MIPS: `.reginfo`, `.MIPS.options`, `.MIPS.abiflags`).

use super::attribute_section::Joined;
use skald_linking::byte_order::ByteOrder;

/// Such a section of a machine.
#[derive(Debug)]
pub struct LoadedAttributes {
    /// Its name.
    pub name: &'static str,
    /// SHT_*
    pub sh_type: u32,
    /// SHF_* besides SHF_ALLOC.
    pub sh_flags: u32,
    /// PT_* of a segment that covers it; `None` if it has none.
    pub p_type: Option<u32>,
    /// Alignment in bytes.
    pub align: u64,
    /// `sh_entsize`.
    pub entsize: u64,
    /// Joins the sections of all objects.
    pub join: fn(ByteOrder, &[&[u8]]) -> Joined,
    /// Where a word with the global pointer is: offset and bytes.
    pub pointer: Option<(usize, usize)>,
}
