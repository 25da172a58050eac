//! The plan of an output: what the linker adds, and which output sections there are.

use super::dynamic_section::DynamicStrings;
use super::plt::Plt;
use super::sections::Plan;
use super::slots::Slots;
use crate::layout::OutputSections;

/// What planning returns: every section that the linker adds is known, nothing has an address.
pub struct Planned {
    /// GOT words and PLT entries of symbols.
    pub slots: Slots,
    /// The code of the PLT that options and properties ask for.
    pub plt: &'static Plt,
    /// Plans of the sections that the linker makes.
    pub plan: Plan,
    /// Offsets in `.dynstr` of the strings in `.dynamic`.
    pub strings: DynamicStrings,
    /// All output sections; placing sorts them and gives them addresses.
    pub outputs: OutputSections,
}
