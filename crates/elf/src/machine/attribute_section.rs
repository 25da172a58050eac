//! Sections that say what each object was compiled for, which the output has joined:
//! `.riscv.attributes`.

use skald_linking::byte_order::ByteOrder;

/// Such a section of a machine.
pub struct AttributeSection {
    /// Its name.
    pub name: &'static str,
    /// SHT_*
    pub sh_type: u32,
    /// PT_* of a segment that covers it.
    pub p_type: u32,
    /// Joins the sections of all objects.
    pub join: fn(ByteOrder, &[&[u8]]) -> Joined,
}

/// The attributes of several objects.
#[derive(Debug, Default)]
pub struct Joined {
    /// The section; empty if nothing is said.
    pub bytes: Vec<u8>,
    /// Sections that are broken, by index, and what is wrong.
    pub faults: Vec<(usize, String)>,
    /// Two sections that do not fit together, by index, and why.
    pub conflicts: Vec<(usize, usize, String)>,
}
